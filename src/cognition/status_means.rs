//! Status means: what a status that is no answer says of whom: of the reply, of the request, of the connection, or of a server that is busy.

use serde_json::Value as Json;

use crate::dialect::body_of;

/// The meaning of a status other than 2xx, with the body behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StatusMeans {
    /// The server may answer otherwise in a while: it is busy, or it failed.
    Busy,
    /// The server cannot read what its own model wrote: that is the reply's fault, and no outage.
    Malformed,
    /// The provider's filter refuses the prompt or the answer.
    Refused,
    /// The request is not taken as it is, and would not be a second time.
    Rejected,
    /// Nobody is answered over this connection: its key, its money, its address or its model is wrong.
    Unusable,
    /// Anything else.
    Other,
}

/// The words of a server that cannot read a call of its own model; beside them stands every word of parsing.
const OF_CALLS: [&str; 4] = ["tool call", "toolcall", "function call", "failed generation"];
const OF_PARSING: &str = "pars";
/// The words of a filter. They are the codes of providers, and what routers say for them.
const OF_FILTERS: [&str; 6] = [
    "content filter",
    "content policy violation",
    "responsibleaipolicyviolation",
    "content management policy",
    "flagged",
    "data inspection failed",
];
/// The words of a provider whose money or quota is used up, which no wait brings back. Gemini says *quota* of a pace too, so that word alone is
/// none of them.
const OF_MONEY: [&str; 9] = [
    "insufficient quota",
    "insufficient balance",
    "insufficient credits",
    "insufficient funds",
    "credit balance is too low",
    "billing hard limit reached",
    "billing not active",
    "spending limit",
    "account deactivated",
];

/// The words of a provider that does not know how a request says that one call is wanted.
const OF_ONE_CALL: [&str; 2] = ["parallel tool calls", "disable parallel tool use"];

/// Whether a provider rejects a request since it says that one call is wanted.
pub(super) fn is_of_one_call(status: i64, body: &str) -> bool {
    matches!(status, 400 | 422) && words(body).is_some_and(|text| OF_ONE_CALL.iter().any(|said| text.contains(said)))
}

impl StatusMeans {
    /// By the status, and the words of the body where that is JSON.
    pub fn of(status: i64, body: &str) -> Self {
        let words = if matches!(status, 400 | 403 | 422 | 429 | 500) { words(body) } else { None };
        let says = |said: &[&str]| words.as_ref().is_some_and(|text| said.iter().any(|said| text.contains(said)));
        let is_of_parsing = || words.as_ref().is_some_and(|text| text.split(' ').any(|word| word.starts_with(OF_PARSING)));
        match status {
            400 | 422 if says(&OF_ONE_CALL) => Self::Rejected,
            400 | 500 if is_of_parsing() || says(&OF_CALLS) => Self::Malformed,
            400 | 403 | 429 if says(&OF_MONEY) => Self::Unusable,
            400 | 403 | 422 if says(&OF_FILTERS) => Self::Refused,
            _ if is_outage(status) => Self::Busy,
            400 | 411 | 413 | 414 | 415 | 422 | 431 | 451 => Self::Rejected,
            _ if is_unusable(status) => Self::Unusable,
            _ => Self::Other,
        }
    }
}

/// Whether a server that answers so answers nobody over this connection.
pub(super) fn is_unusable(status: i64) -> bool {
    matches!(status, 401..=405 | 410)
}

/// Whether a server that answers so may answer otherwise in a while: it is busy, or it failed.
pub(super) fn is_outage(status: i64) -> bool {
    matches!(status, 408 | 425 | 429 | 500..=599)
}

/// So much of each text of a body is searched: a server may say back all that it was sent.
const SEARCHED: usize = 300;
/// The key under which it does.
const SAID_BACK: &str = "input";

/// The words of an object of JSON, in small letters, one blank between them.
fn words(body: &str) -> Option<String> {
    let body = body_of(body).ok().filter(Json::is_object)?;
    let mut texts = String::new();
    gather(&body, &mut texts);
    let texts = texts.to_lowercase();
    Some(texts.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" "))
}

/// The keys of a value, and its texts.
fn gather(value: &Json, texts: &mut String) {
    match value {
        Json::String(text) => texts.extend(text.chars().take(SEARCHED).chain([' '])),
        Json::Array(list) => list.iter().for_each(|item| gather(item, texts)),
        Json::Object(map) => {
            for (key, value) in map.iter().filter(|(key, _)| *key != SAID_BACK) {
                *texts += &format!("{key} ");
                gather(value, texts);
            }
        }
        Json::Null | Json::Bool(_) | Json::Number(_) => {}
    }
}
