//! Guess: made-up answers of models, for an estimate of the cost of a run. No model is asked.

use crate::cognition::{Asking, Reply, Request};
use crate::dialect::TokenCount;

use super::asking::Minds;

/// Minds for an estimate: every model looks and does nothing, with a prompt of a token for every four bytes and a short reply.
pub struct Guess;

/// How many tokens a guessed reply has.
const GUESSED_REPLY: u64 = 100;

impl Minds for Guess {
    fn ask(&mut self, requests: &[Request]) -> Vec<Reply> {
        let answer = |request: &Request| {
            let body = (request.connection.dialect.says)("Nothing to do.").to_string();
            let usage = TokenCount { input: request.body.len().div_ceil(4) as u64, cached: 0, output: GUESSED_REPLY };
            Reply::of(Asking { status: Some(200), body: Some(body.into()), usage: Some(usage), ..Asking::default() })
        };
        requests.iter().map(answer).collect()
    }
}
