//! Act: the four verbs over HTTP. Each is one moment of one being, recorded whatever becomes of it, and durable when it is answered.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::fact::{Call, Canon, Code, Content, Hash, Once, Rank, Text, Value, Verb, WakeId, WakeKind};
use crate::past::Report;
use crate::run::Gesture;
use crate::verb::{TRIALS, fitted, object_of};

use super::hall::Hall;
use super::sent::Sent;
use super::shapes::ReportShape;
use super::trouble::{Trouble, Wrong};
use super::who::Who;

/// A do.
#[derive(Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DoCall {
    /// The being that acts; without it, one's own.
    #[serde(rename = "as")]
    speaker: Option<String>,
    /// The address of the thing.
    target: String,
    /// The operation.
    action: String,
    /// Its arguments.
    #[schema(value_type = Option<Object>)]
    args: Option<Value>,
    /// The words said alongside.
    content: Option<String>,
    /// The wake of one's inbox that this answers.
    wake: Option<String>,
}

/// A summons.
#[derive(Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct SummonCall {
    /// The being that acts; without it, one's own.
    #[serde(rename = "as")]
    speaker: Option<String>,
    /// The being that is summoned; without it, whoever the answered wake came from.
    target: Option<String>,
    /// The message: text, or any value.
    content: Value,
    /// Its purpose, such as `ask`.
    intent: Option<String>,
    /// person, urgent, normal or background.
    rank: Option<String>,
    /// A role asked for.
    role: Option<String>,
    /// forward, half or inward; only a summons to oneself turns otherwise than forward.
    orientation: Option<String>,
    /// The verbs that whoever hears it may use for it: some of see, do, summon, be; without it, all.
    #[schema(value_type = Option<Vec<String>>)]
    only: Option<Value>,
    /// wanted, or none where it is only to be known.
    answer: Option<String>,
    /// The summons that it answers, as `seq.index`.
    in_reply_to: Option<String>,
    /// The wake of one's inbox that this answers.
    wake: Option<String>,
}

/// A be.
#[derive(Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BeCall {
    /// The being that acts; without it, one's own.
    #[serde(rename = "as")]
    speaker: Option<String>,
    /// birth, end, inhabit or release.
    operation: String,
    /// Its payload.
    #[schema(value_type = Option<Object>)]
    payload: Option<Value>,
    /// The wake of one's inbox that this answers.
    wake: Option<String>,
}

/// A look that is recorded; with a wake of one's inbox and no target, the wake is closed without an act.
#[derive(Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SeeCall {
    /// The being that acts; without it, one's own.
    #[serde(rename = "as")]
    speaker: Option<String>,
    /// The address that is looked at.
    target: Option<String>,
    /// The wake of one's inbox that this closes.
    wake: Option<String>,
}

/// A wake as the portal names it.
pub fn wake_word(wake: &WakeId) -> String {
    format!("{}~{}~{}~{}", wake.rank.word(), wake.due, wake.cause, wake.kind.word())
}

/// The wake that the portal named so.
pub fn read_wake(word: &str) -> Option<WakeId> {
    let mut parts = word.split('~');
    let rank: Rank = parts.next()?.parse().ok()?;
    let due = parts.next()?.parse().ok()?;
    let cause = parts.next()?.parse().ok()?;
    let kind: WakeKind = parts.next()?.parse().ok()?;
    // One wake has one word.
    Some(WakeId { rank, due, cause, kind }).filter(|wake| wake_word(wake) == word)
}

/// Has a being act, once under each key.
async fn act(
    hall: &Arc<Hall>,
    who: &Who,
    headers: &HeaderMap,
    speaker: Option<&str>,
    call: Option<Call>,
    wake: Option<&str>,
) -> Result<Json<Report>, Trouble> {
    let world = hall.feed.world();
    let being = who.speaker(&world, hall.feed.now(), who.acts_as(speaker)?)?;
    hall.may_act(who)?;
    // All visitors are one being: none of them shall write what only they have looked at, nor answer for another.
    let is_look = call.as_ref().is_none_or(|call| call.verb == Verb::See);
    if who.is_visitor && (is_look || wake.is_some()) {
        return Err(Trouble::new(
            StatusCode::UNAUTHORIZED,
            Code::NotLoggedIn,
            "log in first: looks and answers of visitors are not recorded",
        ));
    }
    if call.as_ref().is_some_and(|call| TRIALS.contains(&call.action.as_ref())) {
        return Err(Trouble::new(StatusCode::FORBIDDEN, Code::Trial, "what a trial costs is told by `/api/try` alone"));
    }
    let wake = match wake {
        None => None,
        Some(word) => Some(read_wake(word).ok_or_else(|| Trouble::bad(format!("`{word}` is no wake of an inbox")).at("/wake"))?),
    };
    let call = call.map(|call| fitted(&world, call));
    call.as_ref().map_or(Ok(()), are_objects)?;
    let asked = Hash::of(&(being.id, (call.clone(), wake.clone())).to_canon());
    // Visitors cannot be told apart, so their keys would be each other's.
    let key = headers.get("idempotency-key").and_then(|key| key.to_str().ok()).map(str::to_owned).filter(|_| !who.is_visitor);
    let by = who.being.filter(|_| !who.is_owner);
    if key.as_ref().is_some_and(|key| key.is_empty() || key.len() > 128) {
        return Err(Trouble::bad("an Idempotency-Key has 1 to 128 characters"));
    }
    let sender = who.being.unwrap_or(being.id);
    let once = key.map(|key| Once { key: Hash::of(&(sender, Text::from(key)).to_canon()), asked });
    let gesture = Gesture { being: being.name.clone(), call, wake, by, metered: who.is_visitor, once, only: who.only };
    hall.clone().gesture_once(sender, gesture, who.token.clone()).await.map(Json)
}

/// That no text which is to be an object stands for the arguments of a call, with the place in it where it is none.
fn are_objects(call: &Call) -> Result<(), Trouble> {
    let place = match call.verb {
        Verb::Do => "/args",
        Verb::Be => "/payload",
        Verb::See | Verb::Summon => return Ok(()),
    };
    let Content::Here(Value::Text(text)) = &call.args else { return Ok(()) };
    match object_of(text, true) {
        Err(fault) => Err(Trouble::bad(format!("expected an object, found a text that is none: {fault}")).at(place)),
        Ok(_) => Ok(()),
    }
}

/// Does something to a thing
#[utoipa::path(post, path = "/api/do", request_body = DoCall, params(("Idempotency-Key" = Option<String>, Header)),
    responses((status = 200, body = ReportShape), (status = 400, body = Wrong), (status = 401, body = Wrong), (status = 403, body = Wrong), (status = 404, body = Wrong),
        (status = 409, body = Wrong), (status = 413, body = Wrong), (status = 429, body = Wrong), (status = 503, body = Wrong)))]
pub async fn doing(State(hall): State<Arc<Hall>>, who: Who, headers: HeaderMap, Sent(sent): Sent<DoCall>) -> Result<Json<Report>, Trouble> {
    let mut call = Call::doing(&sent.target, &sent.action, sent.args.unwrap_or_default());
    call.content = sent.content.map(Text::from);
    act(&hall, &who, &headers, sent.speaker.as_deref(), Some(call), sent.wake.as_deref()).await
}

/// Speaks to a being
#[utoipa::path(post, path = "/api/summon", request_body = SummonCall, params(("Idempotency-Key" = Option<String>, Header)),
    responses((status = 200, body = ReportShape), (status = 400, body = Wrong), (status = 401, body = Wrong), (status = 403, body = Wrong), (status = 404, body = Wrong),
        (status = 409, body = Wrong), (status = 413, body = Wrong), (status = 429, body = Wrong), (status = 503, body = Wrong)))]
pub async fn summon(
    State(hall): State<Arc<Hall>>,
    who: Who,
    headers: HeaderMap,
    Sent(sent): Sent<SummonCall>,
) -> Result<Json<Report>, Trouble> {
    let SummonCall { speaker, target, content, intent, rank, role, orientation, only, answer, in_reply_to, wake } = sent;
    let options =
        [("intent", intent), ("rank", rank), ("role", role), ("orientation", orientation), ("answer", answer), ("inReplyTo", in_reply_to)];
    let given = options.into_iter().filter_map(|(key, value)| Some((key, Value::from(value?))));
    let args = Value::map(given.chain([("content", content)]).chain(only.map(|only| ("only", only))));
    let call = Call::summon(target.as_deref().unwrap_or_default(), args);
    act(&hall, &who, &headers, speaker.as_deref(), Some(call), wake.as_deref()).await
}

/// Binds an identity
#[utoipa::path(post, path = "/api/be", request_body = BeCall, params(("Idempotency-Key" = Option<String>, Header)),
    responses((status = 200, body = ReportShape), (status = 400, body = Wrong), (status = 401, body = Wrong), (status = 403, body = Wrong), (status = 404, body = Wrong),
        (status = 409, body = Wrong), (status = 413, body = Wrong), (status = 429, body = Wrong), (status = 503, body = Wrong)))]
pub async fn be(State(hall): State<Arc<Hall>>, who: Who, headers: HeaderMap, Sent(sent): Sent<BeCall>) -> Result<Json<Report>, Trouble> {
    let call = Call::be(&sent.operation, sent.payload.unwrap_or_default());
    act(&hall, &who, &headers, sent.speaker.as_deref(), Some(call), sent.wake.as_deref()).await
}

/// Looks, or closes a wake without an act
#[utoipa::path(post, path = "/api/see", request_body = SeeCall, params(("Idempotency-Key" = Option<String>, Header)),
    responses((status = 200, body = ReportShape), (status = 400, body = Wrong), (status = 401, body = Wrong), (status = 403, body = Wrong), (status = 404, body = Wrong),
        (status = 409, body = Wrong), (status = 413, body = Wrong), (status = 429, body = Wrong), (status = 503, body = Wrong)))]
pub async fn look(State(hall): State<Arc<Hall>>, who: Who, headers: HeaderMap, Sent(sent): Sent<SeeCall>) -> Result<Json<Report>, Trouble> {
    let call = sent.target.as_deref().map(Call::see);
    act(&hall, &who, &headers, sent.speaker.as_deref(), call, sent.wake.as_deref()).await
}
