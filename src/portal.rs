//! Portal: the world over HTTP, and the page that people use (floor 11): everything it does, it does by the four verbs as some being.
//!
//! In reading order: [`server`] listens, over so many [`lines`] and at so much of a [`rate`], and says what is where, [`hall`] is what all handlers share, [`who`] says whose request it is and
//! what they see, [`act`] are the four verbs, [`seat`] drives beings from tabs, [`apply`] stamps a changed source; [`world`], [`thing`], [`moments`], [`roles`], [`trial`] and [`cost`] are
//! what one reads; [`session`] lets [`people`] in; [`sent`] and [`trouble`] are the shapes of requests and errors; [`page`] is the page.

mod act;
mod apply;
mod cost;
mod hall;
mod lines;
mod moments;
mod page;
mod people;
mod rate;
mod roles;
mod seat;
mod sent;
mod server;
mod session;
mod thing;
mod trial;
mod trouble;
mod who;
mod world;

pub use server::{Address, Bound, ServeError, Served, api, serve};
