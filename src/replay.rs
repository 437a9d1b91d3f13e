//! Replay: the same river from its other bank (floor 10): every moment of a history walked again with what was recorded, and compared.
//!
//! Two values differ from a run: *who thinks* (a script thinks again; what came from outside is what was recorded) and *who signs* (the
//! recorded signature, which must hold). `walk` streams a history; `woken` finds why each moment opened on its `stage`, `again` makes it
//! anew, `opened` keeps the worlds they opened on, `compare` names the first field that differs, and `seals` checks the signatures
//! meanwhile. `retake` makes each moment anew by other code, `judged` holds it against what was recorded, and `retaken` is what would have
//! come of all of them, with the `deeds` that come out otherwise. `foresee` does so with the newest moments and a draft.

mod again;
mod compare;
mod deeds;
mod foresee;
mod judged;
mod opened;
mod retake;
mod retaken;
mod seals;
mod stage;
mod walk;
mod woken;

pub use compare::Difference;
pub use deeds::{DeedCount, DeedEnds, Deeds, FirstDeed};
pub use foresee::{ForeseenPast, Lookback, Supposing, foresee};
pub use retake::{AsksAnew, retake};
pub use retaken::{AskedAnew, Retake, RetakeChange, RetakeCount, RetakePart, Retakes};
pub use walk::{Progress, ReplayError, Replayed, Thread, replay, replay_bundle};
