//! MCP: the door for language models outside (floor 11): the Model Context Protocol, by which a model drives one being of a served world.
//!
//! It knows the world by its API alone: every call is a request to the route that a program would ask, so who may do what is judged in one place.
//! In reading order: by a [`way`] the API is asked, in this process or over the socket beside the world's files. A [`guest`] is whoever calls, and
//! the being as which. [`tools`] are the four verbs as the worn role has them now, and [`calls`] what becomes of one; [`places`] are addresses as
//! resources. A [`desk`] is what is kept of one connection, and by [`news`] its client hears what has changed. A [`message`] is read
//! before the [`interpreter`] speaks the protocol, which [`http`] serves at `/mcp` and [`mod@stdio`] by [`lines`] of standard input and output.

mod calls;
mod desk;
mod guest;
mod http;
mod interpreter;
mod lines;
#[doc(hidden)]
pub mod message;
mod news;
#[doc(hidden)]
pub mod places;
mod stdio;
mod tools;
#[doc(hidden)]
pub mod way;

pub use http::beside;
pub use stdio::{StdioError, on_stdio};
pub use way::ApiWay;
