//! Minds: the language models outside, and what stands for them (floor 9): whoever answers what a being's moment asks.
//!
//! In reading order: [`asking`] is what the engine knows of them; [`attempts`] asks one connection after the other until one answers, each
//! by a [`wire`] to an [`endpoint`] that may be reached, and [`outages`] knows which of them do not answer now;
//! [`ahead`] asks before it is time; [`cassette`] writes answers down and gives them again, [`guess`] makes them up for an estimate. A [`purse`] pays for several worlds, which may have their answers [`shared`].

mod ahead;
mod asking;
mod attempts;
mod cassette;
#[doc(hidden)]
pub mod endpoint;
mod guess;
mod outages;
mod purse;
mod shared;
mod wire;

pub use ahead::Ahead;
pub use asking::{AnswerWait, Foresees, Heard, Knock, Minds, Unready};
pub use attempts::Endpoints;
pub use cassette::{Cassette, CassetteError, Completed, Recorder, Tape};
pub use guess::Guess;
pub use outages::{OutageNow, Outages};
pub use purse::{Purse, Pursed};
pub use shared::{SharedReplies, Sharing};
