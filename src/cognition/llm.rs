//! Llm: a face becomes one request to a language model, and the raw reply becomes a thought. Nothing here calls anybody.
//!
//! A run sends the request and records it with the raw reply; replay builds the request again, compares it, and hears the recorded
//! reply.

use serde_json::{Value as Json, json};

use crate::fact::{Call, Reason, Text, Thought, Value, Verb};
use crate::moment::{Answer, Opening};
use crate::script::Sandbox;
use crate::world::World;

use super::prompt::{LOOKS, prompt};
use super::reply::understand;
use super::script::seen;

/// How a model is reached, as the world's configuration says under `llm.<name>`. The key is named, never written.
#[derive(Clone, Debug, PartialEq)]
pub struct Connection {
    /// Its name.
    pub name: Text,
    /// The address before `/chat/completions`.
    pub base_url: Text,
    /// The model asked for.
    pub model: Text,
    /// Where the key is: `env:NAME`.
    pub key: Option<Text>,
    /// How long a reply may take, in milliseconds.
    pub timeout: u64,
    /// How many calls at one time.
    pub parallel: usize,
    /// Whether tools take only the addresses of what is near: for small models behind servers that hold them to a schema.
    pub strict: bool,
    /// Sampling parameters, sent as they are: temperature, max_tokens, seed, …
    pub sampling: Value,
}

/// A moment's request: by which connection, and the body that is sent.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// By which connection.
    pub connection: Connection,
    /// The JSON text of the body.
    pub body: String,
}

impl Request {
    /// As it is recorded.
    pub fn to_value(&self) -> Value {
        Value::map([("connection", Value::from(&self.connection.name)), ("body", Value::text(&self.body))])
    }
}

impl Connection {
    /// The connection of that name in a world's configuration.
    pub fn named(world: &World, name: &str) -> Option<Self> {
        let value = world.registry().config.get(&Text::from(format!("llm.{name}")))?;
        let text = |key: &str| value.get(key).and_then(Value::as_text).cloned();
        let number = |key: &str, default: i64| value.get(key).and_then(Value::as_int).filter(|n| *n > 0).unwrap_or(default);
        Some(Self {
            name: name.into(),
            base_url: text("base_url")?,
            model: text("model")?,
            key: text("key"),
            timeout: number("timeout_ms", 60_000).unsigned_abs(),
            parallel: number("parallel", 4).unsigned_abs() as usize,
            strict: value
                .get("strict")
                .and_then(|strict| if let Value::Bool(strict) = strict { Some(*strict) } else { None })
                .unwrap_or(false),
            sampling: value.get("sampling").cloned().unwrap_or_default(),
        })
    }

    /// The connection of a being: enforced by a space on the way up, else its own, else a space's, else the world's.
    pub fn of(world: &World, being: &crate::world::Being) -> Option<Self> {
        let spaces = || world.upward(being.position);
        let of = |path: &'static str| {
            move |space: &std::sync::Arc<crate::world::Space>| space.qualities.at(path).and_then(|name| name.as_text().cloned())
        };
        let enforced = spaces().find_map(of("llm.enforce"));
        let own = || being.qualities.at("llm.connection").and_then(|name| name.as_text().cloned());
        let name = enforced.or_else(own).or_else(|| spaces().find_map(of("llm.connection")));
        let name = name.or_else(|| world.config_text("connection").map(Text::from))?;
        Self::named(world, &name)
    }
}

/// Writes the request of a moment, or says why it cannot be asked.
pub fn request(opening: &Opening, world: &std::sync::Arc<World>, sandbox: &mut Sandbox) -> Result<Request, Reason> {
    let connection = Connection::of(world, &opening.being).ok_or_else(|| Reason::new("no-connection", ""))?;
    let words = opening.prompt(world)?;
    let prompt = prompt(opening, world, &seen(opening, world, sandbox)?, &words, connection.strict);
    let mut body = json!({
        "model": connection.model,
        "messages": [{ "role": "system", "content": prompt.system }, { "role": "user", "content": prompt.user }],
    });
    if let Some(body) = body.as_object_mut() {
        for (key, value) in connection.sampling.as_map().into_iter().flatten() {
            body.insert(key.to_string(), serde_json::to_value(value).unwrap_or_default());
        }
        if !prompt.tools.is_empty() {
            body.insert("tools".to_owned(), Json::Array(prompt.tools));
        }
    }
    Ok(Request { connection, body: body.to_string() })
}

/// The answer of a moment whose model cannot even be asked: why its request cannot be written.
pub fn unasked(opening: &Opening, world: &std::sync::Arc<World>, sandbox: &mut Sandbox) -> Answer {
    Answer { failure: request(opening, world, sandbox).err(), ..Answer::none() }
}

/// Turns a recorded reply into an answer. A reply is a map: `status` and `body`, or an `error` of our own.
pub fn hear(opening: &Opening, world: &World, request: Value, reply: Value) -> Answer {
    let heard = understood(opening, world, &reply);
    let mut answer =
        Answer { thought: Thought::Model { request: request.into(), reply: reply.into() }, call: None, failure: None, goes_on: false };
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

fn understood(opening: &Opening, world: &World, reply: &Value) -> Result<Option<Call>, Reason> {
    if let Some(error) = reply.get("error").and_then(Value::as_str) {
        return Err(Reason::new(error, ""));
    }
    match reply.get("status").and_then(Value::as_int) {
        Some(200..=299) => {}
        status => return Err(Reason::new("reply-status", status.map(|status| status.to_string()).unwrap_or_default())),
    }
    let body = reply.get("body").and_then(Value::as_str).unwrap_or_default();
    let body: Json = serde_json::from_str(body).map_err(|_| Reason::new("reply-malformed", "/"))?;
    let understood = understand(&body)?;
    let Some(mut call) = understood.call else { return Ok(None) };
    if call.verb == Verb::Summon && call.target.is_empty() {
        let caller = opening.caller.and_then(|caller| world.being(caller)).ok_or_else(|| Reason::new("reply-arguments", "/target"))?;
        call.target = format!("@{}", caller.name).into();
    }
    call.content = understood.said;
    Ok(Some(call))
}
