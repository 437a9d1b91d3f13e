//! Incoming: webhooks that come in by a bridge that hears. A sender is nobody here, and knows the bridge's secret.

use std::sync::Arc;

use axum::Json;
use axum::body::Bytes;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, StatusCode};
use serde::Serialize;
use utoipa::ToSchema;

use crate::cognition::Hook;
use crate::fact::{Canon, ClosingKind, Code, Hash, Once, Seq, Text};
use crate::minds::{is_signed, seconds, signed_by};
use crate::past::Report;

use super::gesture::WaitsAs;
use super::hall::Hall;
use super::trouble::{Trouble, Wrong};

/// After how many seconds a sender tries again whom nobody could hear.
const AGAIN: u64 = 60;

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
    path: Result<Path<String>, PathRejection>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Json<TakenIn>, Trouble> {
    let Path(name) = path?;
    let nobody = || Trouble::new(StatusCode::NOT_FOUND, Code::NotFound, format!("no bridge `{name}` hears here"));
    let world = hall.feed.world();
    let hook = world.bridge_said(&name).and_then(|said| Hook::read(said)).filter(|hook| hook.deliver.is_some()).ok_or_else(nobody)?;
    // Of two signatures nobody knows which is meant.
    let mut said = headers.get_all(signed_by(hook.manner)).iter();
    let signature = said.next().filter(|_| said.next().is_none()).and_then(|said| said.to_str().ok()).unwrap_or_default();
    let secret = hook.secret.strip_prefix("env:").and_then(|name| std::env::var(name).ok()).unwrap_or_default();
    is_signed(hook.manner, &secret, signature, &body, (seconds(), hook.window / 1_000)).map_err(unsigned)?;
    let text = std::str::from_utf8(&body).ok().filter(|text| !text.contains('\0'));
    let text = text.ok_or_else(|| Trouble::bad("the body is no text of UTF-8"))?;
    let kind: String = headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default().chars().take(128).collect();
    let (call, known) = hook.heard(&kind, text).ok_or_else(nobody)?;
    let once = Once { key: Hash::of(&(Text::from(name.as_str()), known).to_canon()), asked: known };
    // Sent again, it is answered as the first, and counts no more.
    if let Some(report) = hall.acts.known(once) {
        return Ok(Json(TakenIn { frame: report.seq }));
    }
    hall.came_in.admit(&name, hook.rate)?;
    let being = world.bridge_being(&name).cloned().ok_or_else(nobody)?;
    let acting = hall.clone();
    // One that was refused is judged again.
    let is_kept = |report: &Report| report.closing == ClosingKind::Act;
    let report = hall.once((being.id, once), is_kept, async move {
        let name = being.name.clone();
        let mut reports =
            acting.propose(WaitsAs::InRow, move |living| living.comes_in(&name, call, once).map(|report| vec![report])).await?;
        reports.pop().ok_or_else(Trouble::stopping)
    });
    let report = report.await.map_err(|trouble| unheard(trouble.code()).unwrap_or(trouble))?;
    if report.closing == ClosingKind::Act {
        return Ok(Json(TakenIn { frame: report.seq }));
    }
    // A sender learns by which code it was refused, and nothing of the world.
    let code = report.reason.map_or(Code::Failed, |reason| reason.code);
    Err(unheard(code).unwrap_or_else(|| Trouble::new(StatusCode::FORBIDDEN, code, code.sentence())))
}

/// The answer where the bridge cannot hear now, and may later.
fn unheard(code: Code) -> Option<Trouble> {
    let status = match code {
        Code::BrakeTripped => StatusCode::TOO_MANY_REQUESTS,
        Code::Paused | Code::InboxFull | Code::NotDriven | Code::GateFrozen => StatusCode::SERVICE_UNAVAILABLE,
        _ => return None,
    };
    let code = if code == Code::NotDriven { Code::Paused } else { code };
    Some(Trouble::new(status, code, code.sentence()).after(AGAIN))
}

fn unsigned(code: Code) -> Trouble {
    let status = if code == Code::KeyMissing { StatusCode::SERVICE_UNAVAILABLE } else { StatusCode::UNAUTHORIZED };
    Trouble::new(status, code, code.sentence())
}
