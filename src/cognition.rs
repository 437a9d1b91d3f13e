//! Cognition: a face becomes a thought (floor 8). [`script`] asks a Rhai script; models and people come with the served world.

mod script;

pub use script::{think, to_call};
