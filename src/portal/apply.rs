//! Apply: a changed source is stamped on the living world, for whoever holds the world's own files.

use std::path::PathBuf;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::fact::Code;
use crate::source::Source;

use super::gesture::WaitsAs;
use super::hall::Hall;
use super::sent::Sent;
use super::trouble::{Trouble, Wrong};
use super::who::Who;

/// The source to apply.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Which {
    /// Its directory, from the root of this machine's files.
    #[schema(value_type = String)]
    source: PathBuf,
}

/// Stamps what differs between a source and the world; only over the socket beside the world's files
#[utoipa::path(post, path = "/api/apply", request_body = Which, responses((status = 200, body = Vec<String>), (status = 400, body = Wrong), (status = 403, body = Wrong),
    (status = 413, body = Wrong), (status = 429, body = Wrong), (status = 503, body = Wrong)))]
pub async fn apply(State(hall): State<Arc<Hall>>, who: Who, Sent(which): Sent<Which>) -> Result<Json<Vec<String>>, Trouble> {
    if !who.is_owner {
        let message = "a source is read from this machine's files: only who holds the world's own files may apply one, by `reelm apply`";
        return Err(Trouble::new(StatusCode::FORBIDDEN, Code::NotYours, message));
    }
    let read = hall.looking(&who).work(move |_| Source::read(&which.source)).await?;
    let source = read.map_err(|error| Trouble::bad(error.to_string()))?;
    let world = hall.feed.world();
    let name = world.world_setting("name").as_str().unwrap_or_default();
    if name != source.name {
        return Err(Trouble::bad(format!("the source is of the world `{}`, and this is `{name}`", source.name)));
    }
    let steps = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
    let told = steps.clone();
    hall.propose(WaitsAs::Pressing, move |living| {
        let (done, reports) = living.apply_told(&source)?;
        *told.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = done;
        Ok(reports)
    })
    .await?;
    let done = std::mem::take(&mut *steps.lock().unwrap_or_else(std::sync::PoisonError::into_inner));
    Ok(Json(done))
}
