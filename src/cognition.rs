//! Cognition: a face becomes a thought (floor 8).
//!
//! [`script`] asks a Rhai script. [`llm`] makes one request to a language model of a face by a [`connection`], whose words are in
//! [`mod@prompt`], and hears the [`mod@reply`], of which [`mod@understand`] makes a call; the run carries the one out and brings the other. People
//! come with the served world.

mod connection;
mod llm;
mod prompt;
mod reply;
mod script;
mod understand;

pub use connection::{Connection, Price, Tools};
pub use llm::{ATTEMPTS, Request, afford, hear, messages, request, unasked};
pub use prompt::{Prompt, prompt};
pub use reply::{Asking, Reply};
pub use script::{think, to_call};
pub use understand::{Understood, understand};
