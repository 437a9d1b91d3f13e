//! Connection: how a model is reached, as the world says under `llm.<name>`, and which of them a being is asked by.

use std::sync::Arc;

use crate::dialect::{ANSWER_TOKENS, Dialect, WEB};
use crate::fact::{Cognition, Text, Value};
use crate::world::{Being, Merge, World, settings};

use super::per_span::PerSpan;
use super::upshot::FAULTS;
use super::web::{self, Web};

/// The setting that names a connection, and the beginning of those that name one for a slot.
const CONNECTION: &str = "llm.connection";
const SLOTS: &str = "llm.slots.";
/// The beginning of the settings that are sent as parameters of sampling, and the two words for how long an answer may be.
const SAMPLING: &str = "llm.sampling.";
const LONGEST: &str = "max_tokens";
const COMPLETION: &str = "max_completion_tokens";

/// The word of a connection whose requests do not say that one call is wanted.
pub const UNSAID: &str = "unsaid";

/// How a model acts: by calls of tools, or by JSON that is held to a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tools {
    /// The endpoint takes tools and gives back calls.
    Native,
    /// The same, and it holds each call to the schema of its tool.
    Strict,
    /// The endpoint takes a schema of the reply: the one act.
    JsonSchema,
}

impl Tools {
    /// All of them, the usual one first.
    pub const ALL: &[Self] = &[Self::Native, Self::Strict, Self::JsonSchema];

    /// The word for it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Native => "native",
            Self::Strict => "strict",
            Self::JsonSchema => "json_schema",
        }
    }
}

/// The price of a model's tokens, in millionths of the world's currency a token: the same number as the currency for a million of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Price {
    /// A token of the prompt.
    pub input: f64,
    /// A token of the prompt that is read from the provider's cache: as any other where nothing is said.
    pub cached: f64,
    /// A token of the reply.
    pub output: f64,
}

/// How a model is reached. The key is named, never written.
#[derive(Clone, Debug, PartialEq)]
pub struct Connection {
    /// Its name.
    pub name: Text,
    /// The dialect of its provider.
    pub dialect: &'static Dialect,
    /// The address before what the dialect adds to it.
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
    /// How the model acts.
    pub tools: Tools,
    /// Whether a request says that one call is wanted.
    pub one_call: bool,
    /// Sampling parameters, sent as they are: temperature, max_tokens, seed, …
    pub sampling: Value,
    /// How many calls it may cost within a span.
    pub rate: Option<PerSpan>,
    /// How many tokens it may cost within a span, those of prompts and answers together.
    pub tokens: Option<PerSpan>,
    /// The longest answer that is asked for, in tokens, where it says one.
    pub longest: Option<u64>,
    /// The connections that are asked, in this order, when this one does not answer.
    pub failover: Vec<Text>,
    /// After which faults another of them is asked: statuses, and words of [`FAULTS`].
    pub failover_on: Arc<[Text]>,
    /// The hosts and networks that are not public and may be reached all the same: the world's `llm.allow`.
    pub allow: Arc<[Text]>,
    /// The price of the model, if `llm.prices` of the world names one.
    pub price: Option<Price>,
    /// The part of the web that it reaches, where it is a bridge's and leads to no model.
    pub web: Option<Arc<Web>>,
}

impl Connection {
    /// The connection of that name in a world's configuration.
    pub fn named(world: &World, name: &str) -> Option<Self> {
        let config = |key: &str| world.registry().config.get(&Text::from(key));
        let value = config(&format!("llm.{name}"))?;
        let text = |key: &str| value.get(key).and_then(Value::as_text).cloned();
        let number = |key: &str, default: i64| value.get(key).and_then(Value::as_int).filter(|n| *n > 0).unwrap_or(default);
        let model = text("model")?;
        let longest = value.get("longest").and_then(Value::as_int).filter(|n| *n > 0);
        let tools = Tools::ALL.iter().find(|tools| text("tools").as_deref() == Some(tools.word())).copied().unwrap_or(Tools::Native);
        Some(Self {
            name: name.into(),
            dialect: Dialect::named(text("dialect").as_deref()).ok()?,
            base_url: text("base_url")?,
            key: text("key"),
            timeout: number("timeout_ms", 60_000).unsigned_abs(),
            parallel: number("parallel", 4).unsigned_abs() as usize,
            strict: value.get("strict").and_then(Value::as_bool).unwrap_or(false),
            tools,
            one_call: text("parallel_calls").as_deref() != Some(UNSAID),
            sampling: limited(value.get("sampling").cloned().unwrap_or_default(), text("answer_limit").as_deref(), longest),
            rate: text("rate").and_then(|rate| PerSpan::read(&rate)),
            tokens: text("tokens").and_then(|tokens| PerSpan::read(&tokens)),
            longest: longest.map(i64::unsigned_abs),
            failover: value.get("failover").map(texts).unwrap_or_default(),
            failover_on: value.get("failover_on").map_or_else(usual_faults, faults).into(),
            allow: config("llm.allow").map(|allow| texts(allow)).unwrap_or_default().into(),
            price: config("llm.prices").and_then(|prices| price(prices.get(&model)?)),
            model,
            web: None,
        })
    }

    /// The connection of a being, with what of its sampling is set for it: for its worn role's slot, else its own, as they are looked up from
    /// where it stands. A connection that a place enforces is asked for every slot.
    pub fn of(world: &World, being: &Being, slot: Option<&str>) -> Option<Self> {
        if being.cognition == Cognition::Bridge {
            return Self::of_bridge(world, being);
        }
        let named = |key: &str| world.setting(key, being).as_text().and_then(|name| Self::named(world, name));
        let slot = slot.map(|slot| format!("{SLOTS}{slot}"));
        let of_slot = slot.filter(|slot| world.is_enforced(slot, being) || !world.is_enforced(CONNECTION, being));
        // A slot for which there is nobody is as if the role had none.
        let mut connection = of_slot.and_then(|slot| named(&slot)).or_else(|| named(CONNECTION))?;
        connection.sampling = connection.sampled(world, being);
        Some(connection)
    }

    /// The connection of a being that is a bridge; none where nothing says what it reaches.
    fn of_bridge(world: &World, being: &Being) -> Option<Self> {
        let (name, value) = world.bridge_of(being)?;
        let text = |key: &str| value.get(key).and_then(Value::as_text).cloned();
        let number = |key: &str, usual: i64| value.get(key).and_then(Value::as_int).filter(|n| *n > 0).unwrap_or(usual).unsigned_abs();
        Some(Self {
            name,
            dialect: &WEB,
            base_url: "".into(),
            model: WEB.word.into(),
            key: text("key").or_else(|| text("secret")),
            timeout: number("timeout_ms", 20_000),
            parallel: number("parallel", 4) as usize,
            strict: false,
            tools: Tools::Native,
            one_call: false,
            sampling: Value::Null,
            rate: text("rate").and_then(|rate| PerSpan::read(&rate)),
            tokens: None,
            longest: None,
            failover: Vec::new(),
            failover_on: Arc::default(),
            allow: web::texts(value, "allow").into(),
            price: Some(Price { input: 0.0, cached: 0.0, output: 0.0 }),
            web: Some(Arc::new(Web::read(value))),
        })
    }

    /// The sampling of a being's models: the connection's, overridden by the settings at the being's place.
    fn sampled(&self, world: &World, being: &Being) -> Value {
        let mut sampling = self.sampling.as_map().cloned().unwrap_or_default();
        for setting in settings() {
            let Some(parameter) = setting.key.strip_prefix(SAMPLING).filter(|parameter| !self.dialect.ours.contains(parameter)) else {
                continue;
            };
            let set = world.setting(&setting.key, being);
            if set.is_null() {
                continue;
            }
            if parameter == LONGEST {
                // However long an answer may be where one stands, it is no longer than the connection lets it be.
                let key = if sampling.contains_key(COMPLETION) { COMPLETION } else { LONGEST };
                let bound = sampling.get(key).cloned().unwrap_or(Value::Int(ANSWER_TOKENS));
                sampling.insert(key.into(), Merge::Narrow.together(&bound, &set));
            } else {
                sampling.insert(parameter.into(), set.into_owned());
            }
        }
        if sampling.is_empty() { self.sampling.clone() } else { Value::Map(sampling) }
    }

    /// Whether another connection is asked after a fault: a status, or a word of [`FAULTS`].
    pub fn fails_over_on(&self, fault: &str) -> bool {
        self.failover_on.iter().any(|listed| **listed == *fault)
    }

    /// Whether a being can be asked at all, in one of the roles that it may come to wear: its world may ask, and there is a connection.
    pub fn reaches(world: &World, being: &Being) -> bool {
        world.may_ask_models() && Self::any(world, being, |_| true)
    }

    /// Whether one of the connections that a being may be asked by is such.
    pub fn any(world: &World, being: &Being, mut is_such: impl FnMut(&Self) -> bool) -> bool {
        let mut is_such = |slot: Option<&str>| Self::of(world, being, slot).is_some_and(|connection| is_such(&connection));
        let roles = being.own_roles().chain(being.wearing.iter().map(AsRef::as_ref));
        is_such(None) || roles.filter_map(|role| world.role_at(role, being.position)?.spec.slot.as_deref()).any(|slot| is_such(Some(slot)))
    }

    /// Those that are asked after it for a being, in order; one that is not there, or named before, is left out.
    pub fn after(&self, world: &World, being: &Being) -> Vec<Self> {
        let mut after: Vec<Self> = Vec::new();
        for name in &self.failover {
            if *name != self.name
                && after.iter().all(|other| other.name != *name)
                && let Some(connection) = Self::named(world, name)
            {
                after.push(Self { sampling: connection.sampled(world, being), ..connection });
            }
        }
        after
    }
}

fn texts(value: &Value) -> Vec<Text> {
    value.as_list().unwrap_or_default().iter().filter_map(|item| item.as_text().cloned()).collect()
}

/// Sampling with the length of an answer under the key that the model wants, and no longer than the connection says.
fn limited(sampling: Value, key: Option<&str>, longest: Option<i64>) -> Value {
    if key != Some(COMPLETION) && longest.is_none() {
        return sampling;
    }
    let mut sampling = sampling.as_map().cloned().unwrap_or_default();
    if key == Some(COMPLETION) {
        let wanted = sampling.remove(LONGEST).unwrap_or(Value::Int(ANSWER_TOKENS));
        sampling.entry(COMPLETION.into()).or_insert(wanted);
    }
    let sampling = Value::Map(sampling);
    match longest {
        Some(longest) => limited_to(&sampling, longest),
        None => sampling,
    }
}

/// Sampling with an answer of this length at most.
pub(super) fn limited_to(sampling: &Value, longest: i64) -> Value {
    let mut sampling = sampling.as_map().cloned().unwrap_or_default();
    let key = if sampling.contains_key(COMPLETION) { COMPLETION } else { LONGEST };
    let wanted = sampling.get(key).and_then(Value::as_int).unwrap_or(ANSWER_TOKENS);
    sampling.insert(key.into(), Value::Int(wanted.min(longest)));
    Value::Map(sampling)
}

/// The faults that a connection lists.
fn faults(value: &Value) -> Vec<Text> {
    let word = |item: &Value| item.as_text().cloned().or_else(|| Some(item.as_int()?.to_string().into()));
    value.as_list().unwrap_or_default().iter().filter_map(word).collect()
}

/// The statuses by which a provider says that a request, a key or an address is wrong, and everything that is no answer.
fn usual_faults() -> Vec<Text> {
    ["400", "401", "402", "403", "404"].into_iter().chain(FAULTS).map(Text::from).collect()
}

fn price(value: &Value) -> Option<Price> {
    let of = |key: &str| value.get(key).map_or(Some(0.0), Value::as_float).filter(|price| *price >= 0.0);
    let input = of("input")?;
    let cached = if value.get("cached").is_some() { of("cached")? } else { input };
    Some(Price { input, cached, output: of("output")? })
}
