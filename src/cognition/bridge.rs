//! Bridge: a summons to a being that stands for what lies outside becomes one request, and the response an answer to whoever asked.
//! Nothing here calls anybody.
//!
//! The setting `bridge` of the being names a setting `bridge.NAME` of the world, which says what may be reached; who may ask is canSummon of
//! the asker's role. A request is judged before it is recorded, and once more where a response leads elsewhere.

use std::sync::OnceLock;

use serde_json::{Value as Json, json};
use url::Url;

use crate::fact::{Answering, Call, Code, Reason, Thought, Value};
use crate::moment::{Answer, Opening};
use crate::verb::Schema;
use crate::world::World;

use super::connection::Connection;
use super::hook::Hook;
use super::llm::Request;
use super::page_text::page_text;
use super::reply::{Asking, Reply};
use super::unasked::Unasked;
use super::web::Web;

/// The schema of a request to the web, as it is asked for.
pub const WEB_REQUEST: &str = r#"{"type":"object","required":["url"],"additionalProperties":false,"properties":{
    "url":{"type":"string","maxLength":2048},"method":{"enum":["GET","POST"]},"type":{"type":"string","maxLength":128},"body":{}}}"#;

/// Writes the request of a moment, or says why nothing can be asked.
pub(super) fn request(opening: &Opening, world: &World) -> Result<Request, Unasked> {
    let connection = Connection::of(world, &opening.being, None).ok_or_else(|| Reason::new(Code::BridgeUnset, ""))?;
    let web = connection.web.clone().ok_or_else(|| Reason::new(Code::BridgeUnset, ""))?;
    let only_asked = !opening.wake.only().is_all();
    let body = written(&web, &opening.wake.content(), only_asked)?;
    let petition = web.approve.as_ref().and_then(|terms| terms.petition(opening, world, &body, web.most(&body)));
    if let Some(petition) = petition {
        return Err(Unasked::Petition(petition));
    }
    let who = format!("@{}/{}", opening.being.name, opening.being.next_n).into();
    let moment = format!("@{}:{}", opening.being.name, opening.wake.id.cause).into();
    Ok(Request { who, moment, connection, body, attempts: 1, failover: Vec::new(), resolved: Vec::new() })
}

/// The bytes that leave for what was asked, once that is held to its schema and to what may be reached.
fn written(web: &Web, asked: &Value, only_asked: bool) -> Result<String, Reason> {
    if let Some(hook) = &web.hook {
        return posted(web, hook, asked, only_asked);
    }
    static SCHEMA: OnceLock<Option<Schema>> = OnceLock::new();
    let asked = read(asked);
    let schema = SCHEMA.get_or_init(|| Schema::compile(&serde_json::from_str::<Value>(WEB_REQUEST).ok()?).ok());
    let checked = schema.as_ref().map_or_else(|| Err(Reason::new(Code::SchemaBroken, "")), |schema| schema.check(&asked));
    checked.map_err(|reason| Reason::new(Code::BridgeRequest, reason.at))?;
    let text = |key: &str| asked.get(key).and_then(Value::as_str);
    let url = Url::parse(text("url").unwrap_or_default()).map_err(|_| Reason::new(Code::BridgeRequest, "/url"))?;
    let method = text("method").unwrap_or("GET");
    web.judge(method, &url)?;
    // To be only asked changes nothing outside either.
    if only_asked && method != "GET" {
        return Err(Reason::new(Code::GateNarrowed, method));
    }
    let Some(body) = asked.get("body").filter(|body| !body.is_null()) else { return Ok(request_of(method, &url, None)) };
    if method == "GET" {
        return Err(Reason::new(Code::BridgeRequest, "/body"));
    }
    let (body, usual) = sent(body);
    let kind = text("type").unwrap_or(usual);
    if !kind.chars().all(|letter| letter.is_ascii_graphic() || letter == ' ') {
        return Err(Reason::new(Code::BridgeRequest, "/type"));
    }
    Ok(request_of(method, &url, Some((&body, kind))))
}

/// The bytes of a webhook: what was asked is its body.
fn posted(web: &Web, hook: &Hook, asked: &Value, only_asked: bool) -> Result<String, Reason> {
    let url = hook.url.as_ref().ok_or_else(|| Reason::new(Code::BridgeUnset, "url"))?;
    let url = Url::parse(url).map_err(|_| Reason::new(Code::BridgeRequest, "url"))?;
    web.judge("POST", &url)?;
    if only_asked {
        return Err(Reason::new(Code::GateNarrowed, "POST"));
    }
    let (body, kind) = sent(asked);
    // From a command line all is text.
    let is_json = body.trim_start().starts_with(['{', '[']) && serde_json::from_str::<serde::de::IgnoredAny>(&body).is_ok();
    let kind = if is_json { "application/json" } else { kind };
    Ok(request_of("POST", &url, Some((&body, kind))))
}

/// A value as a body, and its kind: a text as it is, any other value as JSON.
fn sent(body: &Value) -> (String, &'static str) {
    body.as_str().map_or_else(|| (body.to_string(), "application/json"), |text| (text.to_owned(), "text/plain; charset=utf-8"))
}

/// A request as it is recorded: its method and its address first, where whoever reads it looks, then its body with the kind of that.
fn request_of(method: &str, url: &Url, body: Option<(&str, &str)>) -> String {
    let start = format!("{{\"method\":{},\"url\":{}", json!(method), json!(url.as_str()));
    let body = body.map(|(body, kind)| format!(",\"type\":{},\"body\":{}", json!(kind), json!(body)));
    format!("{start}{}}}", body.unwrap_or_default())
}

/// The map of what was asked: a text is JSON, or an address alone.
fn read(asked: &Value) -> Value {
    let Some(text) = asked.as_str().map(str::trim) else { return asked.clone() };
    if text.starts_with('{')
        && let Ok(map) = serde_json::from_str::<Value>(text)
    {
        return map;
    }
    Value::map([("url", Value::text(text))])
}

/// Turns what came into an answer to whoever asked; what is recorded of it is the reply as it came.
pub(super) fn hear(opening: &Opening, world: &World, request: &Request, reply: Reply) -> Answer {
    let spent = Some(request.spent(&reply));
    let came = heard(request, &reply.last);
    let thought = Thought::Model { request: request.to_value().into(), reply: Value::from(reply).into() };
    let mut answer = Answer { thought, spent, ..Answer::none() };
    match came {
        Ok(came) => {
            let asker = opening.caller.filter(|_| opening.is_awaited()).and_then(|asker| world.being(asker));
            if let Some(asker) = asker.filter(|asker| !asker.ended) {
                let call = Call::summon(
                    &format!("@{}", asker.name),
                    Value::map([("content", came), ("answer", Value::text(Answering::None.word()))]),
                );
                let bound = opening.bind(world, &call);
                answer.call = Some((call, bound));
            }
        }
        Err(reason) => {
            answer.is_final = reason.code != Code::GivenUp && !may_ask_again(request);
            answer.failure = Some(reason);
        }
    }
    answer
}

/// Whether a request that came to nothing may be made once more: it was allowed, and its method changes nothing.
fn may_ask_again(request: &Request) -> bool {
    let asked: Json = serde_json::from_str(&request.body).unwrap_or_default();
    request.connection.web.as_ref().is_some_and(|web| web.again) && asked.get("method").and_then(Json::as_str) == Some("GET")
}

/// The answer as it is told: its status, its address, its kind and its text. Of a page of HTML that is the text alone, with its links below.
fn heard(request: &Request, came: &Asking) -> Result<Value, Reason> {
    match came.error {
        // Nobody was asked: the run was stopped before.
        Some(error @ (Code::GivenUp | Code::Outage | Code::ConnectionHeld)) => return Err(Reason::new(error, &request.connection.name)),
        Some(error) => return Err(Reason::new(error, place(came))),
        None => {}
    }
    let body = body(came);
    let text = |key: &str| body.get(key).and_then(Value::as_str).unwrap_or_default();
    let kind = text("type").split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let is_html = matches!(kind.as_str(), "text/html" | "application/xhtml+xml");
    let told = if is_html { page_text(text("text"), text("url")) } else { text("text").to_owned() };
    Ok(Value::map([
        ("status", Value::Int(came.status.unwrap_or_default())),
        ("url", Value::text(text("url"))),
        ("type", Value::text(text("type"))),
        ("text", Value::from(told)),
    ]))
}

fn body(came: &Asking) -> Value {
    came.body.as_deref().and_then(|body| serde_json::from_str(body).ok()).unwrap_or_default()
}

/// Where something went wrong: the status, and the host to which it led on.
fn place(came: &Asking) -> String {
    let status = came.status.map(|status| status.to_string());
    let host = body(came).get("host").and_then(Value::as_str).map(|host| format!("to {host}"));
    status.into_iter().chain(host).collect::<Vec<_>>().join(" ")
}
