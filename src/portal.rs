//! Portal: the world over HTTP, and the page that people use (floor 11): everything it does, it does by the four verbs as some being.
//!
//! In reading order: [`server`] listens and says what is where; [`lines`] are its connections, of which [`crowd`] says whose give way,
//! [`origin`] from where they come; [`threshold`] turns away what is too much, by [`rate`] and [`share`]. [`hall`] is what all handlers
//! share, [`who`] says whose request it is and what they see. [`act`] are the four verbs, of which [`refusals`] counts what was refused, [`once`] does none twice,
//! [`seat`] drives beings from tabs, [`apply`] stamps a changed source; [`world`], [`thing`], [`moments`], [`roles`], [`trial`] and
//! [`cost`] are what one reads, [`streams`] who watches, [`words`] what the page asks instead of knowing it; [`session`] lets [`people`] in,
//! and [`tries`] counts wrong passwords; [`programs`] come in by [`tokens`]; [`kept`] are the files of both; [`sent`] and
//! [`trouble`] are the shapes of requests and errors; [`page`] is the page.

mod act;
mod apply;
mod cost;
mod crowd;
mod hall;
mod kept;
mod lines;
mod moments;
mod once;
mod origin;
mod page;
mod people;
mod programs;
mod rate;
mod refusals;
mod roles;
mod seat;
mod sent;
mod server;
mod session;
mod share;
mod streams;
mod thing;
mod threshold;
mod tokens;
mod trial;
mod tries;
mod trouble;
mod who;
mod words;
mod world;

pub use hall::Doors;
pub use origin::Trust;
pub use people::now;
pub use programs::{LASTS_MS, ListedToken, terms};
pub use server::{Address, Bound, ServeError, Served, api, serve};
pub use tokens::{Token, Tokens, Wanted};
pub use who::{is_person, no_person, person};
