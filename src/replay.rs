//! Replay: the same river from its other bank (floor 10): every moment of a history walked again with what was recorded, and compared.
//!
//! Two values differ from a run: *who thinks* (a script thinks again; what came from outside is what was recorded) and *who signs* (the
//! recorded signature, which must hold). `walk` streams a history and reports the first differing moment and field, as `compare` finds it;
//! `seals` checks the signatures meanwhile.

mod compare;
mod seals;
mod walk;

pub use compare::Difference;
pub use walk::{Progress, ReplayError, Replayed, Thread, replay};
