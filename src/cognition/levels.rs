//! Levels: arguments of a call that stand one level too high or too low go where they belong, if one place alone can take them.
//!
//! Such are `content` beside `args`, `args.content` as a key, all arguments under `parameters` or `input`, and `target` among the arguments.

use serde_json::{Map, Value as Json};

use crate::fact::{Code, Reason, Verb};
use crate::verb::{object_of, payload_takes};

use super::offers::{Offers, keys_of};

/// Keys under which models put all arguments.
const HOLDERS: [&str; 7] = ["args", "arguments", "parameters", "params", "input", "payload", "kwargs"];
/// Keys of a summons that no tool names.
const OF_SUMMONS: [&str; 5] = ["inReplyTo", "intent", "rank", "orientation", "role"];

/// The arguments of a tool, each at its level; else what stands in two places.
pub(super) fn levelled(verb: Verb, args: Map<String, Json>, offers: &Offers<'_>) -> Result<Map<String, Json>, Reason> {
    let holder = match verb {
        Verb::Do => Some("args"),
        Verb::Be => Some("payload"),
        Verb::See | Verb::Summon => None,
    };
    let mut levels = Levels { verb, holder, offers, own: Map::new(), held: Map::new() };
    let written = args.clone();
    let (inner, outer): (Vec<_>, Vec<_>) = args.into_iter().partition(|(key, _)| levels.holds(key));
    for (key, value) in outer {
        levels.outer(&key, value)?;
    }
    for (key, value) in inner {
        levels.inner(&key, value)?;
    }
    // Of an operation that was not offered nobody knows what it takes.
    let is_known = verb != Verb::Do || levels.own.get("action").and_then(Json::as_str).is_some_and(|action| offers.deed(action).is_some());
    if is_known { levels.joined() } else { Ok(written) }
}

struct Levels<'a> {
    verb: Verb,
    /// The key that holds the arguments of the operation.
    holder: Option<&'static str>,
    offers: &'a Offers<'a>,
    /// The tool's own arguments.
    own: Map<String, Json>,
    /// Those of its operation.
    held: Map<String, Json>,
}

impl Levels<'_> {
    /// Whether all arguments may stand under a key.
    fn holds(&self, key: &str) -> bool {
        HOLDERS.contains(&key) && !(self.holder.is_none() && self.is_own(key))
    }

    fn is_own(&self, key: &str) -> bool {
        keys_of(self.verb.word()).contains(&key) || self.verb == Verb::Summon && OF_SUMMONS.contains(&key)
    }

    /// Whether the operation that was named takes a key.
    fn takes(&self, key: &str) -> bool {
        let named = |key: &str| self.own.get(key).and_then(Json::as_str);
        match self.verb {
            Verb::Do => {
                named("action").and_then(|action| self.offers.deed(action)).is_some_and(|deed| deed.keys.iter().any(|own| own == key))
            }
            Verb::Be => named("operation").is_some_and(|operation| payload_takes(operation, key)),
            Verb::See | Verb::Summon => false,
        }
    }

    /// An argument that stands beside the others.
    fn outer(&mut self, key: &str, value: Json) -> Result<(), Reason> {
        let dotted = self.holder.and_then(|holder| key.strip_prefix(holder)?.strip_prefix('.')).map(str::to_owned);
        if self.is_own(key) {
            self.own.insert(key.to_owned(), unwrapped(key, value, self.verb == Verb::Summon));
        } else if let Some(key) = dotted {
            self.held.insert(key, value);
        } else {
            // Whether the operation takes it is known once all have been seen.
            self.own.insert(key.to_owned(), value);
        }
        Ok(())
    }

    /// Arguments that stand under one key.
    fn inner(&mut self, key: &str, value: Json) -> Result<(), Reason> {
        if self.takes(key) && Some(key) != self.holder {
            return self.hold(key, value);
        }
        let map = match value {
            Json::Object(map) => map,
            Json::String(text) if text.trim_start().starts_with(['{', '"', '`']) => {
                object_of(&text, true).map_err(|fault| Reason::new(Code::ReplyArguments, format!("/{key} {fault}")))?
            }
            Json::Null => return Ok(()),
            Json::String(text) if text.trim().is_empty() => return Ok(()),
            // It is no place for arguments; who judges it says so.
            other => {
                self.own.insert(key.to_owned(), other);
                return Ok(());
            }
        };
        for (inner, value) in map {
            let is_missing = self.own.get(&inner).is_none_or(Json::is_null);
            if Some(&*inner) == self.holder && !self.takes(&inner) {
                self.inner(&inner, value)?;
            } else if self.is_own(&inner) && !self.takes(&inner) && is_missing {
                self.own.insert(inner, value);
            } else {
                self.hold(&inner, value)?;
            }
        }
        Ok(())
    }

    /// Gives the operation an argument that nothing else has given it.
    fn hold(&mut self, key: &str, value: Json) -> Result<(), Reason> {
        match self.held.get(key) {
            Some(held) if *held != value && !held.is_null() => Err(twice(key, self.holder.unwrap_or_default())),
            Some(_) | None => {
                self.held.insert(key.to_owned(), value);
                Ok(())
            }
        }
    }

    fn joined(mut self) -> Result<Map<String, Json>, Reason> {
        let Some(holder) = self.holder else { return Ok(self.own) };
        let beside: Vec<String> = self.own.keys().filter(|key| !self.is_own(key) && self.takes(key)).cloned().collect();
        for key in beside {
            if let Some(value) = self.own.remove(&key) {
                self.hold(&key, value)?;
            }
        }
        let texts = self.own.get("action").and_then(Json::as_str).and_then(|action| self.offers.deed(action)).map(|deed| &deed.texts);
        let is_text = |key: &str| texts.is_some_and(|texts| texts.iter().any(|own| own == key));
        let held = std::mem::take(&mut self.held);
        let held: Map<String, Json> = held
            .into_iter()
            .map(|(key, value)| {
                let is_text = is_text(&key);
                let value = unwrapped(&key, value, is_text);
                (key, value)
            })
            .collect();
        if !held.is_empty() {
            self.own.insert(holder.to_owned(), Json::Object(held));
        }
        Ok(self.own)
    }
}

/// A text that stands once more under its own key.
fn unwrapped(key: &str, value: Json, is_text: bool) -> Json {
    match &value {
        Json::Object(map) if is_text && map.len() == 1 => map.get(key).cloned().unwrap_or(value),
        _ => value,
    }
}

fn twice(key: &str, holder: &str) -> Reason {
    Reason::new(Code::ReplyArguments, format!("`{key}` stands in two places with two values; it belongs in `{holder}` alone"))
}
