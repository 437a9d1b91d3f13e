//! Llm: a face becomes one request to a language model, and the raw reply becomes a thought. Nothing here calls anybody.
//!
//! A run sends the request and records it with the raw reply; replay builds the request again, compares it, and hears the recorded
//! reply. What a request can cost at most, and what a reply has cost, is worked out here too.

use std::sync::Arc;

use serde_json::{Value as Json, json};

use crate::fact::{Call, Code, CodeKind, Reason, Spend, Spent, Text, Thought, Value, Verb};
use crate::moment::{Answer, Opening};
use crate::script::Sandbox;
use crate::world::World;

use super::connection::{Connection, Tools};
use super::prompt::{LOOKS, Prompt, one_act, prompt};
use super::reply::understand;
use super::script::seen;

/// How often one request is sent at most over one connection: a server that is busy or gone is asked again.
pub const ATTEMPTS: u32 = 3;
/// The longest reply, in tokens, where a connection's sampling sets no end: what has no end cannot be reserved.
const REPLY_TOKENS: u64 = 1024;
/// What an endpoint's own template may add to a prompt, in tokens.
const TEMPLATE_TOKENS: u64 = 256;

/// A moment's request: by which connection, and the body that is sent; and the same for those asked when it does not answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// Whose moment it is, as `@being/n`.
    pub who: Text,
    /// Which moment it is for, as logs name it: `@being:cause`.
    pub moment: Text,
    /// By which connection.
    pub connection: Connection,
    /// The JSON text of the body.
    pub body: String,
    /// How often it is sent at most.
    pub attempts: u32,
    /// Asked in this order when it does not answer.
    pub failover: Vec<Request>,
}

impl Request {
    /// As it is recorded.
    pub fn to_value(&self) -> Value {
        Value::map([("connection", Value::from(&self.connection.name)), ("body", Value::text(&self.body))])
    }

    /// The request that a reply answers.
    fn answered_by(&self, reply: &Value) -> &Self {
        self.by(reply.get("connection").and_then(Value::as_str).unwrap_or_default())
    }

    fn by(&self, name: &str) -> &Self {
        self.failover.iter().find(|other| other.connection.name.as_ref() == name).unwrap_or(self)
    }

    /// What it can cost at most: every attempt over every connection, as if each were answered at the greatest length.
    pub fn reserve(&self) -> Spend {
        let all = std::iter::once(self).chain(&self.failover);
        all.fold(Spend::default(), |sum, request| sum.plus(request.once().times(u64::from(request.attempts))))
    }

    /// The same with one attempt and nobody asked after it: for where a budget has no room for more.
    pub fn sparing(&self) -> Self {
        Self { attempts: 1, failover: Vec::new(), ..self.clone() }
    }

    /// The same asked once more: where it names a seed, another.
    pub fn varied(&self, by: u64) -> Self {
        let mut body: Json = serde_json::from_str(&self.body).unwrap_or_default();
        let seed = body.get("seed").and_then(Json::as_u64).filter(|_| by > 0);
        match (seed, body.as_object_mut()) {
            (Some(seed), Some(body)) => {
                body.insert("seed".to_owned(), json!(seed.wrapping_add(by)));
            }
            _ => return self.clone(),
        }
        Self { body: body.to_string(), ..self.clone() }
    }

    /// The messages that it sends: each its role and its content.
    pub fn messages(&self) -> Vec<(String, String)> {
        messages(&self.body)
    }

    /// Whether each model that may be asked has a price.
    pub fn unpriced(&self) -> Option<&Text> {
        std::iter::once(self).chain(&self.failover).map(|request| &request.connection).find(|one| one.price.is_none()).map(|one| &one.model)
    }

    /// What one answered attempt can cost at most: a token is a byte at least.
    fn once(&self) -> Spend {
        let body: Json = serde_json::from_str(&self.body).unwrap_or_default();
        let number = |key: &str| body.get(key).and_then(Json::as_u64);
        let replies = number("n").unwrap_or(1).max(1);
        let longest = number("max_tokens").max(number("max_completion_tokens")).unwrap_or(REPLY_TOKENS);
        self.cost(self.body.len() as u64 + TEMPLATE_TOKENS, longest.saturating_mul(replies))
    }

    fn cost(&self, input: u64, output: u64) -> Spend {
        // Rounded up, so that no sum of small calls is free.
        let money = self.connection.price.map_or(0.0, |price| price.input * input as f64 + price.output * output as f64).ceil();
        Spend { calls: 1, input, output, money: money as u64 }
    }

    /// What a reply has cost, with the attempts that failed before it. One whose end nobody heard counts as if it had been answered.
    pub fn spent(&self, reply: &Value) -> Spent {
        let tried = reply.get("tried").and_then(Value::as_list).unwrap_or_default();
        let sum = tried.iter().chain([reply]).fold(Spend::default(), |sum, one| sum.plus(self.answered_by(one).cost_of(one)));
        let text = |key: &str| reply.get(key).and_then(Value::as_text).cloned();
        let answered = self.answered_by(reply);
        let ms = reply.get("ms").and_then(Value::as_int).unwrap_or(0);
        let model = text("model").unwrap_or_else(|| answered.connection.model.clone());
        Spent { connection: answered.connection.name.clone(), model, spend: sum, ms: ms.unsigned_abs() }
    }

    /// What one attempt has cost.
    fn cost_of(&self, one: &Value) -> Spend {
        if let Some(error) = one.get("error").and_then(Value::as_str) {
            return if code_of(error).kind() == CodeKind::Reply { self.once() } else { Spend::default() };
        }
        match one.get("status").and_then(Value::as_int) {
            Some(200..=299) => {}
            _ => return Spend { calls: 1, ..Spend::default() },
        }
        let usage = |key: &str| one.get("usage").and_then(|usage| usage.get(key)).and_then(Value::as_int).map(i64::unsigned_abs);
        let most = self.once();
        match (usage("input"), usage("output")) {
            // A token is a byte at least: what a server reports beyond that it cannot have used.
            (Some(input), Some(output)) => self.cost(input.min(most.input), output.min(most.output)),
            (_, _) => most,
        }
    }
}

/// The messages in the body of a request: each its role and its content.
pub fn messages(body: &str) -> Vec<(String, String)> {
    let body: Json = serde_json::from_str(body).unwrap_or_default();
    let part = |message: &Json, key: &str| message.get(key).and_then(Json::as_str).unwrap_or_default().to_owned();
    let messages = body.get("messages").and_then(Json::as_array).into_iter().flatten();
    messages.map(|message| (part(message, "role"), part(message, "content"))).collect()
}

/// Writes the request of a moment, or says why it cannot be asked.
pub fn request(opening: &Opening, world: &Arc<World>, sandbox: &mut Sandbox) -> Result<Request, Reason> {
    let connection =
        Connection::of(world, &opening.being, opening.worn.slot.as_deref()).ok_or_else(|| Reason::new(Code::NoConnection, ""))?;
    let words = opening.prompt(world)?;
    sandbox.begin();
    let seen = seen(opening, world, sandbox)?;
    let failover = connection.after(world).into_iter().map(|other| written(opening, world, &seen, &words, other)).collect();
    Ok(Request { failover, ..written(opening, world, &seen, &words, connection) })
}

/// The request as one connection wants it.
fn written(opening: &Opening, world: &World, seen: &Value, words: &str, connection: Connection) -> Request {
    let Prompt { mut system, user, tools } = prompt(opening, world, seen, words, connection.strict);
    let schema = (connection.tools == Tools::JsonSchema && !tools.is_empty()).then(|| one_act(&mut system, &tools));
    let mut body = json!({
        "model": connection.model,
        "messages": [{ "role": "system", "content": system }, { "role": "user", "content": user }],
    });
    if let Some(body) = body.as_object_mut() {
        for (key, value) in connection.sampling.as_map().into_iter().flatten() {
            body.insert(key.to_string(), serde_json::to_value(value).unwrap_or_default());
        }
        if !body.contains_key("max_tokens") && !body.contains_key("max_completion_tokens") {
            body.insert("max_tokens".to_owned(), json!(REPLY_TOKENS));
        }
        if let Some(schema) = schema {
            body.remove("tool_choice");
            body.insert("response_format".to_owned(), schema);
        } else if !tools.is_empty() {
            body.insert("tools".to_owned(), Json::Array(tools));
        }
    }
    let who = format!("@{}/{}", opening.being.name, opening.being.next_n).into();
    let moment = format!("@{}:{}", opening.being.name, opening.wake.id.cause).into();
    Request { who, moment, connection, body: body.to_string(), attempts: ATTEMPTS, failover: Vec::new() }
}

/// Whether every budget has room for a request, with all its attempts or, if not that, with one; else which has not.
pub fn afford(opening: &Opening, world: &World, request: Request) -> Result<(Request, Spend), Reason> {
    let being = world.being(opening.being.id).unwrap_or(&opening.being);
    if world.counts_money(being, Some(&opening.wake))
        && let Some(model) = request.unpriced()
    {
        return Err(Reason::new(Code::NoPrice, model));
    }
    let when = (opening.opened_at, opening.offset);
    let room = |request: &Request| world.affords(being, Some(&opening.wake), when, request.reserve());
    let Err(reason) = room(&request) else {
        let most = request.reserve();
        return Ok((request, most));
    };
    let sparing = request.sparing();
    room(&sparing).map_err(|_| reason)?;
    let most = sparing.reserve();
    Ok((sparing, most))
}

/// The answer of a moment whose model cannot even be asked: why its request cannot be written.
pub fn unasked(reason: Reason) -> Answer {
    Answer { failure: Some(reason), ..Answer::none() }
}

/// Turns a recorded reply into an answer. A reply is a map: `status` and `body`, or an `error` of our own.
pub fn hear(opening: &Opening, world: &World, request: &Request, reply: Value) -> Answer {
    let heard = understood(opening, world, &reply);
    let spent = Some(request.spent(&reply));
    let request = request.answered_by(&reply).to_value();
    let thought = Thought::Model { request: request.into(), reply: reply.into() };
    let mut answer = Answer { thought, spent, ..Answer::none() };
    match heard {
        Ok(Some(call)) => {
            answer.goes_on = call.verb == Verb::See && opening.being.looked.len() < LOOKS;
            let bound = opening.bind(world, &call);
            answer.call = Some((call, bound));
        }
        Ok(None) => {}
        Err(reason) => answer.failure = Some(reason),
    }
    answer
}

/// What the outside says went wrong, as far as it is a word of ours.
fn code_of(error: &str) -> Code {
    error.parse().unwrap_or(Code::ReplyLost)
}

fn understood(opening: &Opening, world: &World, reply: &Value) -> Result<Option<Call>, Reason> {
    if let Some(error) = reply.get("error").and_then(Value::as_str) {
        return Err(Reason::new(code_of(error), ""));
    }
    match reply.get("status").and_then(Value::as_int) {
        Some(200..=299) => {}
        status => return Err(Reason::new(Code::ReplyStatus, status.map(|status| status.to_string()).unwrap_or_default())),
    }
    let body = reply.get("body").and_then(Value::as_str).unwrap_or_default();
    let body: Json = serde_json::from_str(body).map_err(|_| Reason::new(Code::ReplyMalformed, "/"))?;
    let understood = understand(&body)?;
    let Some(mut call) = understood.call else { return Ok(None) };
    if call.verb == Verb::Summon && call.target.is_empty() {
        let caller = opening.caller.and_then(|caller| world.being(caller)).ok_or_else(|| Reason::new(Code::ReplyArguments, "/target"))?;
        call.target = format!("@{}", caller.name).into();
    }
    call.content = understood.said;
    Ok(Some(call))
}
