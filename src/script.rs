//! Script: the Rhai sandbox (floor 3): deterministic, bounded, and blind but for what its caller lets it ask.
//!
//! [`sandbox`] compiles and calls, [`library`] is everything that a script may use beyond the language, [`stream`] its only chance,
//! [`bounds`] what of the language is counted more strictly, [`convert`] the border between our values and Rhai's, [`error`] what can go wrong, in codes of our own.

mod bounds;
mod convert;
mod error;
mod library;
mod sandbox;
mod stream;

pub use error::ScriptError;
pub use library::{FUNCTIONS, Host};
pub use sandbox::{Limits, Program, Sandbox};
pub use stream::Stream;
