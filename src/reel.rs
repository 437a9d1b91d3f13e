//! Reel: frames in order (floor 2): who may write the next one, the head over all of them, and what no history may hold.
//!
//! In reading order: a [`Chain`] says where each being's reel stands and whether a frame goes on from there. An [`Admission`] is the one
//! list of checks through which every door reads a history: chain, values, blobs, groups, and at the beginning the world that it is of.
//! [`Peaks`] come to the head; by a [`WayUp`] to it a [`Proof`] shows one frame to whoever has nothing of the history, and an [`Anchor`] the history to whoever had it once.
//! A [`FrameBundle`] shows many frames at once, by the roots of the subtrees that stand aside of them.

mod admission;
mod anchor;
mod aside;
mod bundle;
mod chain;
mod peaks;
mod proof;
mod way;

pub use admission::{Admission, AdmissionError, Identity, Owed, Recorded, Unverified};
pub use anchor::{Anchor, AnchorError};
pub use aside::{Asides, asides_of, head_over};
pub use bundle::{BundleError, BundleKey, FrameBundle, FrameOrEnd};
pub use chain::{Chain, ChainError, ReelHead};
pub use peaks::Peaks;
pub use proof::{Proof, ProofError};
pub use way::{WayUp, head_above, height};
