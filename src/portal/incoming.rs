//! Incoming: webhooks that come in by a bridge that hears. Whoever sends one is nobody here but a sender who knows the bridge's secret.

use std::sync::Arc;

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, StatusCode};
use serde::Serialize;
use utoipa::ToSchema;

use crate::cognition::Hook;
use crate::fact::{Canon, ClosingKind, Code, Hash, Once, Reason, Seq};
use crate::minds::{is_signed, seconds, signed_by};

use super::gesture::Claim;
use super::hall::Hall;
use super::trouble::{Trouble, Wrong};

/// The answer to a webhook.
#[derive(Serialize, ToSchema)]
pub struct TakenIn {
    /// The seq of the frame in which it was told: the same one, however often it comes.
    #[schema(value_type = u64)]
    frame: Seq,
}

/// Takes a webhook in, once however often it is sent
#[utoipa::path(post, path = "/in/{name}", params(("name" = String, Path, description = "The NAME of `bridge.NAME`")),
    request_body(content = String, content_type = "text/plain", description = "The body of the webhook, signed as its bridge says"),
    responses((status = 200, body = TakenIn), (status = 400, body = Wrong), (status = 401, body = Wrong), (status = 403, body = Wrong), (status = 404, body = Wrong),
        (status = 409, body = Wrong), (status = 413, body = Wrong), (status = 429, body = Wrong), (status = 500, body = Wrong), (status = 503, body = Wrong)))]
pub async fn hear(
    State(hall): State<Arc<Hall>>,
    Path(name): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Json<TakenIn>, Trouble> {
    let nobody = || Trouble::new(StatusCode::NOT_FOUND, Code::NotFound, format!("no bridge `{name}` hears here"));
    let world = hall.feed.world();
    let (said, being) = world.bridge_named(&name).ok_or_else(nobody)?;
    let hook = Hook::read(said).filter(|hook| hook.deliver.is_some()).ok_or_else(nobody)?;
    let being = being.cloned().ok_or_else(nobody)?;
    let signature = headers.get(signed_by(hook.manner)).and_then(|said| said.to_str().ok()).unwrap_or_default();
    let secret = hook.secret.strip_prefix("env:").and_then(|name| std::env::var(name).ok()).unwrap_or_default();
    is_signed(hook.manner, &secret, signature, &body, (seconds(), hook.window / 1_000)).map_err(unsigned)?;
    hall.came_in.admit(&name, hook.rate)?;
    let text = std::str::from_utf8(&body).ok().filter(|text| !text.contains('\0'));
    let text = text.ok_or_else(|| Trouble::bad("the body is no text of UTF-8"))?;
    let kind: String = headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default().chars().take(128).collect();
    let (call, known) = hook.heard(&kind, text).ok_or_else(nobody)?;
    let once = Once { key: Hash::of(&(being.id, known).to_canon()), asked: known };
    let acting = hall.clone();
    let report = hall.once(being.id, once, async move {
        let name = being.name.clone();
        let mut reports = acting.propose(Claim::Waits, move |living| living.comes_in(&name, call, once).map(|report| vec![report])).await?;
        let report = reports.pop().ok_or_else(Trouble::stopping)?;
        match &report.reason {
            // A sender learns by which code, and nothing of the world.
            Some(reason) if report.closing != ClosingKind::Act => Err(Trouble::refused(&Reason::new(reason.code, ""))),
            _ => Ok(report),
        }
    });
    Ok(Json(TakenIn { frame: report.await?.seq }))
}

fn unsigned(code: Code) -> Trouble {
    let status = if code == Code::KeyMissing { StatusCode::SERVICE_UNAVAILABLE } else { StatusCode::UNAUTHORIZED };
    Trouble::new(status, code, code.sentence())
}
