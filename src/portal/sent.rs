//! Sent: bodies and queries as they come in, where whatever cannot be read is answered in the one shape of errors.

use axum::Json;
use axum::extract::{FromRequest, FromRequestParts, Query, Request};
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use super::trouble::Trouble;

/// A JSON body.
pub struct Sent<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Sent<T> {
    type Rejection = Trouble;

    async fn from_request(request: Request, state: &S) -> Result<Self, Trouble> {
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
