//! Calls: what becomes of a call of a tool: what the world answers, or a refusal with its code, its place, and what would be allowed.

use rmcp::ErrorData;
use rmcp::model::{CallToolRequestParams, CallToolResult};
use serde::Deserialize;
use serde_json::{Map, Value as Json, json};

use crate::fact::{Code, Verb};

use super::guest::Guest;
use super::way::ApiAnswer;

/// A look.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LookAsked {
    address: String,
    at: Option<String>,
}

/// Has a guest use a verb, once under a key.
pub(super) async fn call(guest: &Guest, asked: CallToolRequestParams, key: Option<&str>) -> Result<CallToolResult, ErrorData> {
    let unknown = |_| ErrorData::invalid_params(format!("there is no tool `{}`; there are see, do, summon and be", asked.name), None);
    let verb: Verb = asked.name.parse().map_err(unknown)?;
    let arguments = Json::Object(asked.arguments.unwrap_or_default());
    if verb == Verb::See {
        return Ok(looked(guest, arguments).await);
    }
    let answer = guest.act(verb, arguments.clone(), key).await;
    let refused = match refusal(&answer) {
        None => return Ok(CallToolResult::structured(answer.body)),
        Some(refused) => refused,
    };
    Ok(told(guest, verb, refused, arguments.get("target").and_then(Json::as_str)).await)
}

async fn looked(guest: &Guest, arguments: Json) -> CallToolResult {
    let asked = match serde_json::from_value::<LookAsked>(arguments) {
        Ok(asked) => asked,
        Err(error) => {
            let refused = json!({ "code": Code::BadRequest, "message": format!("expected {{\"address\", \"at\"?}}: {error}") });
            return CallToolResult::structured_error(refused);
        }
    };
    let answer = guest.look(&asked.address, asked.at.as_deref()).await;
    match (answer.is_ok(), answer.body.is_object()) {
        (true, true) => CallToolResult::structured(answer.body),
        // What is structured is an object, in whichever version of the protocol.
        (true, false) => CallToolResult::structured(json!({ "seen": answer.body })),
        (false, _) => told(guest, Verb::See, answer.error(), None).await,
    }
}

/// Why an act was not done; nothing where it was.
fn refusal(answer: &ApiAnswer) -> Option<Json> {
    if !answer.is_ok() {
        return Some(answer.error());
    }
    let report = &answer.body;
    let closing = report.get("closing").and_then(Json::as_str).unwrap_or_default();
    let reason = report.get("reason").filter(|reason| !reason.is_null());
    if reason.is_none() && closing != "refused" && closing != "failed" {
        return None;
    }
    let of = |key: &str| reason.and_then(|reason| reason.get(key)).and_then(Json::as_str).unwrap_or_default();
    let code = of("code");
    let mut message = code.parse::<Code>().map(|code| code.sentence().to_owned()).unwrap_or_else(|_| closing.to_owned());
    for more in ["hints", "notes"].into_iter().filter_map(|key| report.get(key)?.as_array()).flatten().filter_map(Json::as_str) {
        message = format!("{message}; {more}");
    }
    // That it is on the record says by its seq where.
    Some(json!({ "code": code, "place": of("at"), "message": message, "seq": report.get("seq") }))
}

/// A refusal with what would be allowed.
async fn told(guest: &Guest, verb: Verb, refused: Json, target: Option<&str>) -> CallToolResult {
    let mut told: Map<String, Json> = refused.as_object().cloned().unwrap_or_default();
    told.retain(|_, value| !value.is_null());
    let kind = told.get("code").and_then(Json::as_str).and_then(|code| code.parse::<Code>().ok());
    // To whoever comes in no more, or is to wait, nothing is allowed by another call.
    if !matches!(kind, Some(Code::BadToken | Code::TooMany | Code::TooManyRefusals | Code::Stopping | Code::Conflict)) {
        told.insert("allowed".to_owned(), allowed(guest, verb, target).await);
    }
    CallToolResult::structured_error(Json::Object(told))
}

/// What would be allowed instead: what may be done to the same thing, else what the verb may be used for.
async fn allowed(guest: &Guest, verb: Verb, target: Option<&str>) -> Json {
    if let (Verb::Do, Some(target)) = (verb, target) {
        let answer = guest.read("/api/may", &[("target", target)]).await;
        let operations = answer.body.get("do").and_then(Json::as_array).into_iter().flatten();
        let may = operations.filter(|operation| operation.get("may") == Some(&Json::Bool(true)));
        let may: Vec<&Json> = may.filter_map(|operation| operation.get("action")).collect();
        if !may.is_empty() {
            return json!(may);
        }
    }
    let lines = guest.may().await.ok().and_then(|may| may.verbs.into_iter().find(|now| now.verb == verb));
    json!(lines.map(|now| now.lines).unwrap_or_default())
}
