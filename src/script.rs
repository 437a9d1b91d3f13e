//! Script: the Rhai sandbox (floor 3): deterministic, bounded, and blind but for what its caller lets it ask.
//!
//! [`sandbox`] compiles and calls, [`work`] counts what is taken, [`library`] is everything that a script may use beyond the language,
//! [`stream`] its only chance, [`written`] what the text of an operation spells out. [`lists`], [`mod@each`], [`mod@sort`], [`maps`], [`texts`], [`mod@print`] and [`same`] are the language's own
//! functions, counted; [`notes`] is what only watchers hear, [`steps`] what whoever tries a script sees of it, [`convert`] the border between our values and Rhai's, [`error`] what can go
//! wrong, in codes of our own, [`doubt`] what may not be meant, [`dropped`] which acts nobody does, and [`dollar`] which places no quotes read; [`bound`] tells them what names stand for.

#[doc(hidden)]
mod bound;
pub mod convert;
mod dollar;
mod doubt;
mod dropped;
mod each;
mod error;
#[doc(hidden)]
pub mod library;
mod lists;
mod maps;
#[doc(hidden)]
pub mod notes;
mod print;
mod same;
#[doc(hidden)]
pub mod sandbox;
mod sort;
mod steps;
#[doc(hidden)]
pub mod stream;
mod texts;
#[doc(hidden)]
pub mod work;
mod written;

pub use doubt::{ScriptDoubt, ScriptDoubted};
pub use error::ScriptError;
pub use library::{FUNCTIONS, Host};
pub use sandbox::{Limits, Program, Sandbox};
pub use steps::ScriptStep;
pub use stream::Stream;
pub use written::{WrittenAddress, WrittenOn, WrittenStep};
