//! Hook: a bridge that sends and hears webhooks: the manner in which both are signed, and the summons that comes of what is heard.
//!
//! Nothing here calls anybody, and no secret is read.

use std::time::Duration;

use crate::fact::{Call, Hash, Millis, Text, Value, parse_duration};
use crate::world::HOOK;

use super::per_span::PerSpan;

/// How a webhook is signed: each in the manner of a service that many know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SigningManner {
    /// `X-Hub-Signature-256: sha256=…`, of the body.
    Github,
    /// `Stripe-Signature: t=…,v1=…`, of the instant and the body.
    Stripe,
    /// `X-Gitlab-Token`, which is the secret itself.
    Gitlab,
}

impl SigningManner {
    /// All of them, the usual one first.
    const ALL: [(Self, &str); 3] = [(Self::Github, "github"), (Self::Stripe, "stripe"), (Self::Gitlab, "gitlab")];

    fn read(value: &Value) -> Self {
        let word = value.get("sign").and_then(Value::as_str);
        Self::ALL.iter().find(|(_, known)| Some(*known) == word).map_or(Self::Github, |(manner, _)| *manner)
    }
}

/// How deep a body of JSON may nest that is told as a value; another is told as text.
const DEPTH: usize = 20;
/// How long a signature is believed that names its instant, where nothing is said: five minutes, either way.
const USUAL_WINDOW: Millis = 300_000;

/// How many webhooks may come in where nothing is said: 60 a minute.
const USUAL_RATE: PerSpan = PerSpan { count: 60, span: Duration::from_secs(60) };

/// A bridge of kind `hook`, as its setting says it.
#[derive(Clone, Debug, PartialEq)]
pub struct Hook {
    /// Where webhooks are sent; nothing: it only hears.
    pub(super) url: Option<Text>,
    /// How they are signed.
    pub manner: SigningManner,
    /// The environment variable that holds the secret, as `env:NAME`.
    pub secret: Text,
    /// To whom it is told what comes in; nothing: it only sends.
    pub deliver: Option<Text>,
    /// Where in a body stands what it is known by; nothing: the body itself.
    id: Option<Text>,
    /// How many may come in within a span of real time.
    pub rate: PerSpan,
    /// How long a signature is believed that names its instant, in milliseconds.
    pub window: Millis,
}

impl Hook {
    /// As a setting says it; nothing where it is another kind of bridge.
    pub fn read(value: &Value) -> Option<Self> {
        let text = |key: &str| value.get(key).and_then(Value::as_text).cloned();
        (text("kind").as_deref() == Some(HOOK)).then(|| Self {
            url: text("url"),
            manner: SigningManner::read(value),
            secret: text("secret").unwrap_or_else(|| "".into()),
            deliver: text("deliver"),
            id: text("id"),
            rate: text("rate").and_then(|rate| PerSpan::read(&rate)).unwrap_or(USUAL_RATE),
            window: text("window").and_then(|window| parse_duration(&window)).unwrap_or(USUAL_WINDOW),
        })
    }

    /// The summons by which somebody is told of a body, and what that is known by: what comes twice is one act.
    pub fn heard(&self, kind: &str, body: &str) -> Option<(Call, Hash)> {
        let read: Option<Value> = serde_json::from_str(body).ok();
        // Of a number that is none of ours some digits are gone: it names nothing.
        let is_id = |id: &&Value| id.as_int().is_some() || id.as_str().is_some_and(|id| !id.is_empty());
        let id = self.id.as_ref().and_then(|path| read.as_ref()?.at(path)).filter(is_id);
        let known = id.map_or_else(|| format!("body {body}"), |id| format!("id {id}"));
        let known = Hash::of(known.as_bytes());
        let read = read.filter(|read| read.depth() <= DEPTH);
        let told = Value::map([("type", Value::text(kind)), ("body", read.unwrap_or_else(|| Value::text(body)))]);
        let args = Value::map([("content", told), ("answer", Value::text("none"))]);
        Some((Call::summon(self.deliver.as_ref()?, args), known))
    }
}
