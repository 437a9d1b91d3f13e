//! Sent: the extractors of a request, for those who answer it: its sender, its body and its query. A request that cannot be read is
//! answered in the one shape of errors.

use std::sync::Arc;

use axum::Json;
use axum::body::Bytes;
use axum::extract::{FromRequest, FromRequestParts, Query, Request};
use axum::http::Method;
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use super::cbor;
use super::hall::Hall;
use super::trouble::Trouble;
use super::who::Who;

/// A body, in JSON or in CBOR.
pub struct Sent<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Sent<T> {
    type Rejection = Trouble;

    async fn from_request(request: Request, state: &S) -> Result<Self, Trouble> {
        if cbor::is_sent(request.headers()) {
            return cbor::read(&Bytes::from_request(request, state).await?).map(Self);
        }
        let Json(body) = Json::<T>::from_request(request, state).await?;
        Ok(Self(body))
    }
}

/// A query.
pub struct Asked<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Asked<T> {
    type Rejection = Trouble;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Trouble> {
        let Query(query) = Query::<T>::from_request_parts(parts, state).await?;
        Ok(Self(query))
    }
}

/// The sender of a request as it was found when the request came, for those who work on it.
#[derive(Clone)]
pub struct Identified(pub Result<Who, Trouble>);

/// That a request means this server: what has no being to judge by asks for this.
pub struct Ours;

impl FromRequestParts<Arc<Hall>> for Ours {
    type Rejection = Trouble;

    async fn from_request_parts(parts: &mut Parts, hall: &Arc<Hall>) -> Result<Self, Trouble> {
        hall.entrance.admits(parts).map(|()| Self)
    }
}

/// The verbs: what is asked of them may be asked as a being that one drives.
const VERBS: [&str; 4] = ["/api/see", "/api/do", "/api/summon", "/api/be"];

impl FromRequestParts<Arc<Hall>> for Who {
    type Rejection = Trouble;

    async fn from_request_parts(parts: &mut Parts, hall: &Arc<Hall>) -> Result<Self, Trouble> {
        let who = match parts.extensions.remove::<Identified>() {
            Some(Identified(who)) => who?,
            None => hall.entrance.recognise(&hall.feed.world(), parts)?,
        };
        // A caller that asks as somebody they are not, or in vain, is never taken for themselves.
        if let Some(name) = &who.asked {
            let speaker = who.speaker(&hall.feed.world(), hall.feed.now(), Some(name))?;
            let is_read = parts.method == Method::GET || parts.method == Method::HEAD;
            if !is_read && !VERBS.contains(&parts.uri.path()) && Some(speaker.id) != who.being {
                return Err(Trouble::bad(format!("what is done here is one's own: leave `as={name}` away")).at("as"));
            }
        }
        Ok(who)
    }
}
