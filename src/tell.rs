//! Tell: what happened, as a sentence for people (floor 7): made once here, and printed by the terminal, the page, the API and models outside.
//!
//! In reading order: [`part`] is a piece of a sentence, [`tense`] how a verb is told, [`naming`] how an address is called, [`wording`] the
//! sentence of an operation of the core, [`doing`] what a call does, [`happened`] what came of a moment, [`woken`] what waits in an inbox, [`because`] why it was done. A sentence stands behind the name of whoever
//! did it, and is told in the past; the reason of a refusal stands behind a colon. It reads the world and changes nothing.

mod because;
mod doing;
mod happened;
mod naming;
mod part;
mod tense;
mod wording;
mod woken;

pub use because::{carried, in_force};
pub use happened::{Moment, ToldMoment, does, heard_words, is_heard, is_large, reason_words, tellings, words_of};
pub use naming::{MovedThing, named, short_role, subjects};
pub use part::{ToldPart, plain_text, quoted};
pub use tense::{as_base, in_past};
pub use woken::woken;
pub use wording::Wording;
