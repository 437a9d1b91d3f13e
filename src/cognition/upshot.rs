//! Upshot: what one attempt to ask a model came to, and so what is done next: hear it, wait for the endpoint, or ask another connection.

use serde_json::Value as Json;

use crate::dialect::{Dialect, InnerError};
use crate::fact::{Code, CodeKind};

use super::reply::Asking;
use super::understand::understand;

/// The result of an attempt: it decides whether the request is repeated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Upshot {
    /// There is an answer to be heard.
    Heard,
    /// The endpoint does not answer now and may in a while: nothing was wrong with the request, and no attempt is used up.
    Out,
    /// Nobody was asked, and nobody would be if it were tried again: the key or the address is not as it should be.
    Unasked,
    /// It was answered with what cannot be heard: a status, or one of the words of [`FAULTS`]. The same connection would answer alike.
    Faulty(String),
    /// It took too long: another connection may be faster.
    Slow,
    /// The run was stopped before there was an answer.
    GivenUp,
}

/// An error inside a reply of status 200; a reply that broke off or was cut at its greatest length; one that is no answer of the dialect.
pub const FAULTS: [&str; 3] = ["error", "cut", "malformed"];
const ERROR: &str = FAULTS[0];
const CUT: &str = FAULTS[1];
const MALFORMED: &str = FAULTS[2];

impl Upshot {
    /// Classifies an attempt that was made in this dialect.
    pub fn of(asking: &Asking, dialect: &Dialect) -> Self {
        match (asking.error, asking.status) {
            (Some(error), _) => Self::of_error(error),
            (None, Some(status)) if is_of_its_reply(status, asking.body.as_deref()) => Self::Faulty(MALFORMED.to_owned()),
            (None, Some(status)) if is_outage(status) => Self::Out,
            (None, Some(200..=299)) => Self::of_body(asking.body.as_deref().unwrap_or_default(), dialect),
            (None, Some(status)) => Self::Faulty(status.to_string()),
            (None, None) => Self::Faulty(MALFORMED.to_owned()),
        }
    }

    /// Whether the model itself has answered, be it cut at its greatest length: all else says something of its endpoint alone.
    pub fn is_said(asking: &Asking, dialect: &Dialect) -> bool {
        asking.error.is_none()
            && match Self::of(asking, dialect) {
                Self::Heard => true,
                Self::Faulty(word) => word == CUT,
                Self::Out | Self::Unasked | Self::Slow | Self::GivenUp => false,
            }
    }

    fn of_error(error: Code) -> Self {
        match error {
            Code::EndpointUnreachable | Code::EndpointUnresolved | Code::EndpointTls | Code::EndpointTimeout | Code::Outage => Self::Out,
            Code::GivenUp | Code::ReplyGivenUp => Self::GivenUp,
            Code::ReplyTimeout => Self::Slow,
            Code::ReplyTooLarge => Self::Faulty(MALFORMED.to_owned()),
            other if other.kind() == CodeKind::Endpoint => Self::Unasked,
            _ => Self::Faulty(CUT.to_owned()),
        }
    }

    fn of_body(body: &str, dialect: &Dialect) -> Self {
        let Ok(body) = serde_json::from_str::<Json>(body) else { return Self::Faulty(MALFORMED.to_owned()) };
        match (dialect.fault)(&body) {
            Some(InnerError { status: Some(status) }) if is_outage(status) => return Self::Out,
            Some(_) => return Self::Faulty(ERROR.to_owned()),
            None => {}
        }
        let Ok(spoken) = (dialect.hear)(&body) else { return Self::Faulty(MALFORMED.to_owned()) };
        match understand(&spoken, &[]) {
            Err(reason) if reason.code == Code::ReplyCut => Self::Faulty(CUT.to_owned()),
            _ => Self::Heard,
        }
    }
}

/// The words of a server that cannot read a call of its own model; beside them stands every word of parsing.
const OF_CALLS: [&str; 4] = ["tool call", "toolcall", "function call", "failed generation"];
const OF_PARSING: &str = "pars";

/// Whether a server that answers so says that it cannot read what its own model wrote: that is the reply's fault, and no outage.
pub(super) fn is_of_its_reply(status: i64, body: Option<&str>) -> bool {
    if !matches!(status, 400 | 500) {
        return false;
    }
    let body = body.and_then(|body| serde_json::from_str::<Json>(body).ok()).filter(Json::is_object);
    body.is_some_and(|body| {
        let words = body.to_string().to_lowercase();
        let words: Vec<&str> = words.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
        let text = words.join(" ");
        words.iter().any(|word| word.starts_with(OF_PARSING)) || OF_CALLS.iter().any(|said| text.contains(said))
    })
}

/// Whether a server that answers so may answer otherwise in a while: it is busy, or it failed.
fn is_outage(status: i64) -> bool {
    matches!(status, 408 | 425 | 429 | 500..=599)
}
