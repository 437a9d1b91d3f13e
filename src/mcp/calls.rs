//! Calls: what becomes of a call of a tool: what the world answers in words, or a refusal with its code, its place, and the nearest that is allowed.

use rmcp::ErrorData;
use rmcp::model::{CallToolRequestParams, CallToolResult, ContentBlock};
use serde::Deserialize;
use serde_json::{Value as Json, json};

use crate::cognition::{refused_words, tool_arguments};
use crate::fact::{ClosingKind, Code, CodeKind, Verb};
use crate::tell::{ToldPart, plain_text, subjects};

use super::guest::Guest;
use super::tools::{DONE, TOLD, wrong_keys};
use super::way::ApiAnswer;

/// A look.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LookAsked {
    address: String,
    at: Option<String>,
    /// A number, or the text of one.
    from: Option<Json>,
    words: Option<String>,
    wait: Option<String>,
}

/// A look as the API tells it.
#[derive(Deserialize)]
struct SeenWords {
    address: String,
    kind: String,
    text: String,
    more: bool,
    hash: String,
}

/// A call that was refused.
struct RefusedCall<'a> {
    verb: Verb,
    target: &'a str,
    action: &'a str,
}

/// Has a guest use a verb, once under a key.
pub(super) async fn call(guest: &Guest, asked: CallToolRequestParams, key: Option<&str>) -> Result<CallToolResult, ErrorData> {
    let unknown = |_| ErrorData::invalid_params(format!("there is no tool `{}`; there are see, do, summon and be", asked.name), None);
    let verb: Verb = asked.name.parse().map_err(unknown)?;
    let arguments = match tool_arguments(asked.arguments.map(Json::Object), verb.word(), true) {
        Ok(arguments) => Json::Object(arguments),
        Err(reason) => {
            let message = format!("{}: {}", reason.code.sentence(), reason.at);
            return Ok(refused_with(json!({ "code": Code::BadRequest, "message": message }), None));
        }
    };
    if let Some(message) = wrong_keys(verb, &arguments) {
        return Ok(refused_with(json!({ "code": Code::BadRequest, "message": message }), None));
    }
    if verb == Verb::See {
        return Ok(looked(guest, arguments).await);
    }
    let answer = guest.act(verb, arguments.clone(), key).await;
    let Some(refused) = refusal(&answer) else {
        return Ok(done(answer.body));
    };
    let text = |key: &str| arguments.get(key).and_then(Json::as_str).unwrap_or_default();
    let action = if verb == Verb::Be { text("operation") } else { text("action") };
    Ok(told(guest, RefusedCall { verb, target: text("target"), action }, refused).await)
}

async fn looked(guest: &Guest, arguments: Json) -> CallToolResult {
    let asked = match serde_json::from_value::<LookAsked>(arguments) {
        Ok(asked) => asked,
        Err(error) => {
            let message = format!("expected {{\"address\", \"from\"?, \"words\"?, \"at\"?, \"wait\"?}}: {error}");
            return refused_with(json!({ "code": Code::BadRequest, "message": message }), None);
        }
    };
    let address = guest.address(&asked.address);
    let from = asked.from.map(|from| from.as_str().map_or_else(|| from.to_string(), str::to_owned));
    let wait = asked.wait;
    let since = wait.as_ref().and_then(|_| guest.desk.as_ref()?.last_seen(&address));
    let pairs = [("at", asked.at), ("from", from), ("words", asked.words), ("wait", wait), ("since", since)];
    let pairs: Vec<(&str, &str)> = pairs.iter().filter_map(|(key, value)| Some((*key, value.as_deref()?))).collect();
    let is_now = pairs.iter().all(|(key, _)| !["at", "words"].contains(key));
    let pairs: Vec<(&str, &str)> = [("address", address.as_str())].into_iter().chain(pairs).collect();
    let answer = guest.read("/api/look", &pairs).await;
    if !answer.is_ok() {
        return told(guest, RefusedCall { verb: Verb::See, target: &address, action: "" }, answer.error()).await;
    }
    match serde_json::from_value::<SeenWords>(answer.body) {
        Ok(seen) => {
            if let (Some(desk), true) = (&guest.desk, is_now) {
                desk.saw(&address, &seen.hash);
            }
            let small = json!({ "address": seen.address, "kind": seen.kind, "more": seen.more });
            with_words(seen.text.trim(), small, false)
        }
        Err(error) => refused_with(json!({ "code": Code::Failed, "message": error.to_string() }), None),
    }
}

/// A result whose text is said once, beside what is structured.
fn with_words(text: &str, structured: Json, is_error: bool) -> CallToolResult {
    let content = vec![ContentBlock::text(text)];
    let mut result = if is_error { CallToolResult::error(content) } else { CallToolResult::success(content) };
    result.structured_content = Some(structured);
    result
}

/// An act that was done.
fn done(report: Json) -> CallToolResult {
    let seq = report.get("seq").and_then(Json::as_u64);
    let told = sentence(&report);
    let text = match (seq, &told) {
        (Some(seq), Some(told)) => format!("{told}. It is moment {seq}."),
        (Some(seq), None) => format!("It is done, as moment {seq}."),
        (None, _) => "It is done.".to_owned(),
    };
    let small = DONE.iter().filter_map(|(key, _)| Some(((*key).to_owned(), report.get(key).filter(|value| !value.is_null())?.clone())));
    let small = small.filter(|(key, _)| key != TOLD).chain(told.map(|told| (TOLD.to_owned(), told.into())));
    with_words(&text, Json::Object(small.collect()), false)
}

/// How much of what was said an answer repeats, in characters.
const SAID_MAX: usize = 120;

/// The sentence of a moment, behind the name of whoever did it.
fn sentence(report: &Json) -> Option<String> {
    let parts = Vec::<ToldPart>::deserialize(report.get(TOLD)?).ok().filter(|parts| !parts.is_empty())?;
    let told: Vec<ToldPart> = subjects(&[report.get("being")?.as_str()?]).into_iter().chain([ToldPart::words(" ")]).chain(parts).collect();
    Some(plain_text(&told, SAID_MAX))
}

/// Why an act was not done; nothing where it was.
fn refusal(answer: &ApiAnswer) -> Option<Json> {
    if !answer.is_ok() {
        return Some(answer.error());
    }
    let report = &answer.body;
    let closing = report.get("closing").and_then(|closing| ClosingKind::deserialize(closing).ok());
    let reason = report.get("reason").filter(|reason| !reason.is_null());
    if reason.is_none() && !matches!(closing, Some(ClosingKind::Refused | ClosingKind::Failed)) {
        return None;
    }
    let of = |key: &str| reason.and_then(|reason| reason.get(key)).and_then(Json::as_str).unwrap_or_default();
    let code = of("code");
    let mut message =
        code.parse::<Code>().map(|code| code.sentence().to_owned()).unwrap_or_else(|_| closing.map_or("", ClosingKind::word).to_owned());
    for more in ["hints", "notes"].into_iter().filter_map(|key| report.get(key)?.as_array()).flatten().filter_map(Json::as_str) {
        message = format!("{message}; {more}");
    }
    // That it is on the record says by its seq where.
    Some(json!({ "code": code, "place": of("at"), "message": message, "seq": report.get("seq") }))
}

/// A refusal, with the nearest that would be allowed where another call could be.
async fn told(guest: &Guest, RefusedCall { verb, target, action }: RefusedCall<'_>, refused: Json) -> CallToolResult {
    let code = code_of(&refused);
    if !code.is_some_and(|code| matches!(code.kind(), CodeKind::Gate | CodeKind::Call | CodeKind::Args)) {
        return refused_with(refused, None);
    }
    let target = guest.address(target);
    let answer = guest.read("/api/nearest", &[("verb", verb.word()), ("target", &target), ("action", action)]).await;
    refused_with(refused, answer.body.get("nearest").and_then(Json::as_str))
}

fn code_of(refused: &Json) -> Option<Code> {
    refused.get("code").and_then(Json::as_str).and_then(|code| code.parse().ok())
}

/// A refusal in words, with its code, its place and its sentence for programs.
fn refused_with(refused: Json, nearest: Option<&str>) -> CallToolResult {
    let of = |key: &str| refused.get(key).and_then(Json::as_str).unwrap_or_default();
    let text = match code_of(&refused) {
        Some(code) => refused_words(of("message"), (code, of("place")), nearest),
        None => of("message").to_owned(),
    };
    let mut small = json!({ "nearest": nearest });
    if let Some(small) = small.as_object_mut() {
        small.extend(["code", "place", "message", "seq"].into_iter().filter_map(|key| Some((key.to_owned(), refused.get(key)?.clone()))));
        small.retain(|_, value| !value.is_null());
    }
    with_words(&text, small, true)
}
