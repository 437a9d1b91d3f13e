//! Guess: what models would answer, for an estimate of what a run may cost. Nobody is asked.

use crate::cognition::Request;
use crate::fact::Value;

use super::asking::Minds;

/// Minds for an estimate: every model looks and does nothing, with a prompt of a token for every four bytes and a short reply.
pub struct Guess;

/// How many tokens a guessed reply has.
const GUESSED_REPLY: i64 = 100;

impl Minds for Guess {
    fn ask(&mut self, requests: &[Request]) -> Vec<Value> {
        let body = r#"{"choices":[{"finish_reason":"stop","message":{"role":"assistant","content":"Nothing to do."}}]}"#;
        let answer = |request: &Request| {
            let input = i64::try_from(request.body.len().div_ceil(4)).unwrap_or(i64::MAX);
            let usage = Value::map([("input", Value::Int(input)), ("output", Value::Int(GUESSED_REPLY))]);
            Value::map([("status", Value::Int(200)), ("body", Value::text(body)), ("usage", usage)])
        };
        requests.iter().map(answer).collect()
    }
}
