//! Reel: frames in order (floor 2): who may write the next one, the head over all of them, and what no history may hold.
//!
//! In reading order: a [`Chain`] says where each being's reel stands and whether a frame goes on from there. An [`Admission`] is the one
//! list of checks through which every door reads a history: chain, values, blobs, groups, and at the beginning the world that it is of.
//! By the [`WaysUp`] to the head a [`Proof`] shows one frame to whoever has nothing of the history, and an [`Anchor`] the history to whoever had it once.
//! A [`FrameBundle`] shows many frames at once, by the roots of the subtrees that stand aside of them.
//! For both `answered.rs` decides who answers for a frame without a signature.

mod admission;
mod anchor;
mod answered;
mod aside;
mod bundle;
mod chain;
mod proof;
mod way;

pub use admission::{Admission, AdmissionError, Identity, Owed, Recorded, Unverified};
pub use anchor::{Anchor, AnchorError};
pub use answered::{AnswerError, BundleKey, Companion};
pub use aside::{Asides, asides_of, head_over};
pub use bundle::{BundleError, FrameBundle, FrameOrEnd};
pub use chain::{Chain, ChainError, ReelHead};
pub use proof::{Proof, ProofCompanion, ProofError, ProofOrigin};
pub use way::WaysUp;
