//! Entry: one entry of a can* list, a predicate over what a being names.
//!
//! This file says what an entry is and how it is written; what `parent` or `here` stands for in a moment is the gate's matter.

use crate::fact::{Map, Text, Value, Verb};

use super::found::kind;
use super::glob::Glob;
use super::name;
use super::relation::Rel;

/// The one action that always binds a namespace.
pub const SIGNAL_SET: &str = "signal.set";

/// One entry of a can* list.
///
/// In canDo a name or a bound entry names actions: `*` alone stands for every action but `signal.set`, which only a bound entry with a
/// namespace covers, and any narrower glob that would match it is refused when written.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Entry {
    /// A name, an address, `ns:*` or a glob.
    Name(Glob),
    /// The things and beings that stand in a relation to the being.
    Rel(Rel),
    /// A pattern over addresses: `{pattern: "fitness/@coach"}`.
    Pattern(Glob),
    /// An action bound to a target, to a namespace or to both.
    Bound {
        /// The actions.
        action: Glob,
        /// The targets; any without.
        on: Option<Box<Entry>>,
        /// The namespaces of qualities or signals; any without.
        ns: Option<Glob>,
    },
}

/// An entry is malformed: what is wrong, and its place in the entry, such as `.on.rel`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntryError {
    pub place: String,
    pub what: String,
}

fn wrong<T>(place: impl Into<String>, what: impl Into<String>) -> Result<T, EntryError> {
    Err(EntryError { place: place.into(), what: what.into() })
}

impl Entry {
    /// The entry as the list of a verb may hold it.
    pub fn from_value(value: &Value, verb: Verb) -> Result<Self, EntryError> {
        let entry = match value {
            Value::Text(text) => Self::Name(glob(text, "")?),
            Value::Map(map) if map.contains_key("action") => Self::bound(map)?,
            Value::Map(_) => Self::place(value, "")?,
            other => return wrong("", format!("expected text or an object, found {}", kind(other))),
        };
        entry.fits(verb)?;
        Ok(entry)
    }

    /// `{rel}` or `{pattern}`.
    fn place(value: &Value, place: &str) -> Result<Self, EntryError> {
        let shape = || wrong(place, format!("expected text, {{rel}}, {{pattern}} or {{action, on, ns}}, found {}", kind(value)));
        let Value::Map(map) = value else { return shape() };
        let mut pairs = map.iter();
        let (Some((key, value)), None) = (pairs.next(), pairs.next()) else { return shape() };
        let place = format!("{place}.{key}");
        match (key.as_ref(), value) {
            ("rel", Value::Text(word)) => match Rel::parse(word) {
                Some(rel) => Ok(Self::Rel(rel)),
                None => wrong(place, format!("expected a relation, found `{word}`; {}", name::hint(word, Rel::WORDS))),
            },
            ("pattern", Value::Text(pattern)) => Ok(Self::Pattern(glob(pattern, &place)?)),
            ("rel" | "pattern", other) => wrong(place, format!("expected text, found {}", kind(other))),
            _ => shape(),
        }
    }

    fn bound(map: &Map) -> Result<Self, EntryError> {
        if let Some(strange) = map.keys().find(|key| !["action", "on", "ns"].contains(&key.as_ref())) {
            return wrong(format!(".{strange}"), format!("expected only `action`, `on` and `ns`, found `{strange}`"));
        }
        let text = |key: &str| match map.get(key) {
            Some(Value::Text(text)) => glob(text, &format!(".{key}")).map(Some),
            Some(other) => wrong(format!(".{key}"), format!("expected text, found {}", kind(other))),
            None => Ok(None),
        };
        let on = match map.get("on") {
            Some(Value::Text(text)) => Some(Self::Name(glob(text, ".on")?)),
            Some(value) => Some(Self::place(value, ".on")?),
            None => None,
        };
        let Some(action) = text("action")? else { return wrong(".action", "expected an action, found none") };
        Ok(Self::Bound { action, on: on.map(Box::new), ns: text("ns")? })
    }

    /// Whether the list of a verb may hold it.
    fn fits(&self, verb: Verb) -> Result<(), EntryError> {
        match (verb, self) {
            (Verb::Do, Self::Name(action) | Self::Bound { action, ns: None, .. }) if binds_no_namespace(action) => wrong(
                "",
                format!(
                    "`{action}` covers `{SIGNAL_SET}`, and {SIGNAL_SET} always binds a namespace; write {{action: {SIGNAL_SET}, ns: …}}"
                ),
            ),
            (Verb::Do, Self::Rel(_) | Self::Pattern(_)) => {
                wrong("", "expected an action here; write {action: …, on: …} to bind its target")
            }
            (Verb::See | Verb::Summon, Self::Bound { .. }) => wrong(".action", "an action is bound only in canDo"),
            (Verb::Be, Self::Bound { ns: Some(_), .. }) => wrong(".ns", "an operation of be has no namespace"),
            (Verb::Be, Self::Rel(_) | Self::Pattern(_)) => {
                wrong("", "expected an operation here; write {action: …, on: …} to bind its target")
            }
            (Verb::See | Verb::Do | Verb::Summon | Verb::Be, _) => Ok(()),
        }
    }

    /// The canonical form.
    pub fn to_value(&self) -> Value {
        let text = |glob: &Glob| Value::text(glob.as_str());
        match self {
            Self::Name(name) => text(name),
            Self::Rel(rel) => Value::map([("rel", Value::from(rel.word()))]),
            Self::Pattern(pattern) => Value::map([("pattern", text(pattern))]),
            Self::Bound { action, on, ns } => {
                let on = on.as_ref().map(|on| ("on", on.to_value()));
                let ns = ns.as_ref().map(|ns| ("ns", text(ns)));
                Value::map([("action", text(action))].into_iter().chain(on).chain(ns))
            }
        }
    }

    /// Whether, in canDo or canBe, it names this action; what it binds besides is not asked.
    ///
    /// `signal.set` is covered only by an entry that binds a namespace.
    pub fn covers_action(&self, action: &str) -> bool {
        match self {
            Self::Name(name) => name.matches(action) && action != SIGNAL_SET,
            Self::Bound { action: bound, ns, .. } => bound.matches(action) && (action != SIGNAL_SET || ns.is_some()),
            Self::Rel(_) | Self::Pattern(_) => false,
        }
    }
}

/// Whether it would match `signal.set`, and is not the plain star that never covers it.
fn binds_no_namespace(action: &Glob) -> bool {
    action.matches(SIGNAL_SET) && !matches!(action.as_str(), "*" | "**")
}

fn glob(text: &Text, place: &str) -> Result<Glob, EntryError> {
    Glob::new(text).map_err(|error| EntryError { place: place.to_owned(), what: error.to_string() })
}
