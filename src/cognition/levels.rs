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
    let name = named(verb, &args);
    // Of an operation that was not offered nobody knows what it takes.
    if verb == Verb::Do && name.as_deref().is_none_or(|action| offers.deed(action).is_none()) {
        return Ok(args);
    }
    let mut levels = Levels { verb, holder, offers, name, own: Map::new(), held: Map::new() };
    // Where the operation is named, the arguments of the tool stand: they come first.
    let marks_tool = |value: &Json| operation_key(verb).is_some_and(|key| value.get(key).is_some());
    let (inner, outer): (Vec<_>, Vec<_>) = args.into_iter().partition(|(key, _)| levels.holds(key));
    let (of_tool, of_operation): (Vec<_>, Vec<_>) = inner.into_iter().partition(|(_, value)| marks_tool(value));
    for (key, value) in outer {
        levels.outer(&key, value);
    }
    for (key, value) in of_tool.into_iter().chain(of_operation) {
        levels.inner(&key, value)?;
    }
    levels.joined()
}

/// The key under which a tool has the name of its operation.
fn operation_key(verb: Verb) -> Option<&'static str> {
    match verb {
        Verb::Do => Some("action"),
        Verb::Be => Some("operation"),
        Verb::See | Verb::Summon => None,
    }
}

/// The name of the operation, wherever it stands.
fn named(verb: Verb, args: &Map<String, Json>) -> Option<String> {
    let key = operation_key(verb)?;
    let of = |map: &Map<String, Json>| map.get(key).and_then(Json::as_str).filter(|name| !name.is_empty()).map(str::to_owned);
    let held = |key: &&str| match args.get(*key)? {
        Json::Object(map) => of(map),
        Json::String(text) if text.contains(operation_key(verb)?) => of(&object_of(text, true).ok()?),
        _ => None,
    };
    of(args).or_else(|| HOLDERS.iter().find_map(held))
}

struct Levels<'a> {
    verb: Verb,
    /// The key that holds the arguments of the operation.
    holder: Option<&'static str>,
    offers: &'a Offers<'a>,
    /// The name of the operation.
    name: Option<String>,
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
        let Some(name) = self.name.as_deref() else { return false };
        match self.verb {
            Verb::Do => self.offers.deed(name).is_some_and(|deed| deed.keys.iter().any(|own| own == key)),
            Verb::Be => payload_takes(name, key),
            Verb::See | Verb::Summon => false,
        }
    }

    /// An argument that stands beside the others.
    fn outer(&mut self, key: &str, value: Json) {
        let dotted = self.holder.and_then(|holder| key.strip_prefix(holder)?.strip_prefix('.')).map(str::to_owned);
        if self.is_own(key) {
            self.own.insert(key.to_owned(), unwrapped(key, value, self.verb == Verb::Summon));
        } else if let Some(key) = dotted {
            self.held.insert(key, value);
        } else {
            // It is told apart once all have been seen.
            self.own.insert(key.to_owned(), value);
        }
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
        let is_of_tool = operation_key(self.verb).is_some_and(|key| map.contains_key(key) && !self.takes(key));
        for (inner, value) in map {
            let is_missing = self.own.get(&inner).is_none_or(|own| own.is_null() || own == "");
            let is_operations = self.takes(&inner) && !is_of_tool;
            if Some(&*inner) == self.holder && !is_operations {
                self.inner(&inner, value)?;
            } else if self.is_own(&inner) && !is_operations && is_missing {
                self.own.insert(inner, value);
            } else if !self.is_own(&inner) || is_operations || !is_of_tool {
                self.hold(&inner, value)?;
            }
        }
        Ok(())
    }

    /// Gives the operation an argument that nothing else has given it.
    fn hold(&mut self, key: &str, value: Json) -> Result<(), Reason> {
        match self.held.get(key) {
            Some(held) if !held.is_null() && value.is_null() => Ok(()),
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
            if self.own.get(holder).is_some_and(|own| !own.is_null()) {
                return Err(Reason::new(Code::ReplyArguments, format!("/{holder} is no object, though arguments stand beside it")));
            }
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
