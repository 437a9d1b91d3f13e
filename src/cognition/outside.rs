//! Outside: whoever is asked over a connection, a language model or what a bridge reaches: the request of a moment, and what is heard of it.

use std::sync::Arc;

use crate::fact::Cognition;
use crate::moment::{Answer, Opening};
use crate::script::Sandbox;
use crate::world::World;

use super::bridge;
use super::llm::{self, Request};
use super::reply::Reply;
use super::unasked::Unasked;

/// Writes the request of a moment, or says why nobody can be asked.
pub fn request(opening: &Opening, world: &Arc<World>, sandbox: &mut Sandbox) -> Result<Request, Unasked> {
    match opening.cognition {
        Cognition::Bridge => bridge::request(opening, world),
        _ => Ok(llm::request(opening, world, sandbox)?),
    }
}

/// Turns a reply into an answer; what is recorded of it is the reply as it came.
pub fn hear(opening: &Opening, world: &World, request: &Request, reply: Reply) -> Answer {
    match request.connection.web {
        Some(_) => bridge::hear(opening, world, request, reply),
        None => llm::hear(opening, world, request, reply),
    }
}
