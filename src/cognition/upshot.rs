//! Upshot: what one attempt to ask a model came to, and so what is done next: hear it, wait for the endpoint, or ask another connection.

use crate::dialect::{Dialect, InnerError, WEB, body_of};
use crate::fact::{Code, CodeKind};

use super::offers::Offers;
use super::reply::Asking;
use super::status_means::{StatusMeans, is_outage, is_unusable};
use super::understand::{ReplyContext, understand};

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
    /// Its provider answers nobody over this connection, by this status: nothing was wrong with the request, and no attempt is used up.
    Unusable(String),
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
    /// The upshot of a reply that cannot be understood.
    pub fn malformed() -> Self {
        Self::Faulty(MALFORMED.to_owned())
    }

    /// Classifies an attempt that was made in this dialect.
    pub fn of(asking: &Asking, dialect: &Dialect) -> Self {
        if *dialect == WEB {
            return Self::of_bridge(asking);
        }
        match (asking.error, asking.status) {
            (Some(error), _) => Self::of_error(error),
            (None, Some(200..=299)) => Self::of_body(asking.body.as_deref().unwrap_or_default(), dialect),
            (None, Some(status)) => match StatusMeans::of(status, asking.body.as_deref().unwrap_or_default()) {
                StatusMeans::Busy => Self::Out,
                StatusMeans::Malformed => Self::malformed(),
                StatusMeans::Unusable => Self::Unusable(status.to_string()),
                StatusMeans::Refused | StatusMeans::Rejected | StatusMeans::Other => Self::Faulty(status.to_string()),
            },
            (None, None) => Self::malformed(),
        }
    }

    /// Of a bridge, whatever a server answered is heard; what came to nothing says something of one host alone, and is not waited for.
    fn of_bridge(asking: &Asking) -> Self {
        match asking.error {
            None => Self::Heard,
            Some(Code::GivenUp | Code::ReplyGivenUp) => Self::GivenUp,
            Some(Code::Outage | Code::ConnectionHeld) => Self::Unasked,
            Some(error) if error.kind() == CodeKind::Endpoint => Self::Unasked,
            Some(_) => Self::Faulty(ERROR.to_owned()),
        }
    }

    /// Whether the model itself has answered, be it cut at its greatest length: all else says something of its endpoint alone.
    pub fn is_said(asking: &Asking, dialect: &Dialect) -> bool {
        asking.error.is_none()
            && match Self::of(asking, dialect) {
                Self::Heard => true,
                Self::Faulty(word) => word == CUT,
                Self::Out | Self::Unasked | Self::Unusable(_) | Self::Slow | Self::GivenUp => false,
            }
    }

    fn of_error(error: Code) -> Self {
        match error {
            Code::EndpointUnreachable | Code::EndpointUnresolved | Code::EndpointTls | Code::EndpointTimeout | Code::Outage => Self::Out,
            Code::GivenUp | Code::ReplyGivenUp => Self::GivenUp,
            Code::ConnectionHeld => Self::Unusable(error.word().to_owned()),
            Code::ReplyTimeout => Self::Slow,
            Code::ReplyTooLarge => Self::malformed(),
            other if other.kind() == CodeKind::Endpoint => Self::Unasked,
            _ => Self::Faulty(CUT.to_owned()),
        }
    }

    fn of_body(body: &str, dialect: &Dialect) -> Self {
        let Ok(body) = body_of(body) else { return Self::malformed() };
        match (dialect.fault)(&body) {
            Some(InnerError { status: Some(status) }) if is_outage(status) => return Self::Out,
            Some(InnerError { status: Some(status) }) if is_unusable(status) => return Self::Unusable(status.to_string()),
            Some(_) => return Self::Faulty(ERROR.to_owned()),
            None => {}
        }
        let Ok(spoken) = (dialect.hear)(&body) else { return Self::malformed() };
        match understand(&spoken, &ReplyContext { name: "", foreign: &[], offers: &Offers::none() }) {
            Err(reason) if reason.code == Code::ReplyCut => Self::Faulty(CUT.to_owned()),
            _ => Self::Heard,
        }
    }
}
