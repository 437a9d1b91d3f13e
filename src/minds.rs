//! Minds: the language models outside and their substitutes (floor 9): they answer the requests of moments.
//!
//! In reading order: [`asking`] is what the engine knows of them; [`attempts`] asks one connection after the other until one answers, each
//! by a [`wire`] to an [`endpoint`] that may be reached; [`fetching`] goes to the web for a bridge, with a [`signature`] where that is a webhook. [`outages`] knows which of them do not answer now, and [`paces`] how fast each may be asked, within the [`allowance`] that it has;
//! [`ahead`] asks before it is time; [`cassette`] writes answers down and gives them again, [`guess`] makes them up for an estimate. A [`purse`] pays for several worlds, which may have their answers [`shared`].

mod ahead;
mod allowance;
mod asking;
mod attempts;
mod cassette;
#[doc(hidden)]
pub mod endpoint;
mod fetching;
mod guess;
mod outages;
mod paces;
mod purse;
#[doc(hidden)]
pub mod retry;
mod shared;
mod signature;
mod wire;

pub use ahead::{Ahead, AheadTerms};
pub use asking::{AheadCount, AnswerWait, Foreseen, Foresees, Heard, Knock, Minds, Unready};
pub use attempts::Endpoints;
pub use cassette::{Cassette, CassetteError, Completed, Recorder, Tape};
pub use guess::Guess;
pub use outages::{OutageNow, Outages};
pub use purse::{Purse, Pursed};
pub use shared::{SharedReplies, Sharing};
pub use signature::{is_signed, seconds, signed_by};
