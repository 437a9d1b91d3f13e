//! Rooms: each room, tested from next to its files: what no door shows.

mod fact;
mod role;
mod script;
mod dialect;
mod store;
mod world;
mod verb;
mod extension;
mod cognition;
mod past;
mod minds;
mod source;
mod run;
mod mcp;
mod portal;
mod bench;
mod cli;
