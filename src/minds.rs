//! Minds: the language models outside, and what stands for them (floor 9): whoever answers what a being's moment asks.
//!
//! In reading order: [`asking`] is what the engine knows of them; [`attempts`] asks servers, each at an [`endpoint`] that may be reached;
//! [`cassette`] writes answers down and gives them again, [`guess`] makes them up for an estimate.

mod asking;
mod attempts;
mod cassette;
mod endpoint;
mod guess;

pub use asking::{Heard, Minds, Unready};
pub use attempts::Endpoints;
pub use cassette::{Cassette, CassetteError, Recorder};
pub use guess::Guess;
