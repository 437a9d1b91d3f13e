//! Fact: the words and bytes that everything else is made of (floor 1).
//!
//! In reading order: [`id`] names things, [`value`] is what they may hold, [`mind`] the small closed lists, [`canon`] the one
//! form in bytes.

pub(crate) mod canon;
mod id;
mod mind;
mod value;

pub use canon::{Canon, CanonError, Reader, Writer};
pub use id::{BeingId, Hash, IdError, Made, MatterId, Millis, N, Seq, SpaceId, Thing, WorldId};
pub use mind::{Cognition, Orientation, Rank, RespondMode, Trigger, UnknownWord, Verb, WakeKind};
pub use value::{DEPTH_MAX, Map, Text, Value};
