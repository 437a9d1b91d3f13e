//! Retry: a connection that its provider has turned away is asked again, because somebody has mended what was wrong.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::cognition::Connection;

use super::hall::Hall;
use super::sent::Sent;
use super::trouble::{Trouble, Wrong};
use super::who::Who;
use super::world::may_clock;

/// The connection that is to be asked again
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RetryCall {
    /// Its name: `llm.small` is `small`.
    connection: String,
}

/// The outcome of that.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Retried {
    connection: String,
    /// Whether its provider had turned it away.
    was_held: bool,
}

/// Lets a connection be asked again that its provider has turned away
#[utoipa::path(post, path = "/api/model/retry", request_body = RetryCall, responses((status = 200, body = Retried), (status = 400, body = Wrong), (status = 401, body = Wrong),
    (status = 403, body = Wrong), (status = 404, body = Wrong), (status = 413, body = Wrong)))]
pub async fn retry(State(hall): State<Arc<Hall>>, who: Who, Sent(sent): Sent<RetryCall>) -> Result<Json<Retried>, Trouble> {
    let sight = hall.sight_now(&who, None)?;
    may_clock(&sight)?;
    if Connection::named(&sight.world, &sent.connection).is_none() {
        return Err(Trouble::not_found(&format!("llm.{}", sent.connection)).at("/connection"));
    }
    let was_held = hall.outages.retry(&sent.connection);
    // Those that were held by it are due again.
    hall.seats.reins().knock();
    Ok(Json(Retried { connection: sent.connection, was_held }))
}
