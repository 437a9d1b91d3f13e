//! Judge: a rule as it is compiled: on which actions it is asked, when it refuses, and what it then says.
//!
//! It refuses or is silent. A malformed or unknown part is an error when the rule is written. The room `verb` asks it.

use std::collections::BTreeSet;

use crate::fact::{Map, Text, Value, Verb};

use super::entry::Entry;
use super::flow::gather;
use super::found::kind;
use super::lint::{Warning, lint_operands};
use super::name;
use super::path::Path;
use super::reads::paths_of;
use super::seen::Context;
use super::trace::{ConditionTrace, Tracing};
use super::walk::{Silent, all_hold};
use super::when::{Compiler, FlowError, FlowPlace, Node};

/// The keys of a rule.
const RULE_KEYS: &[&str] = &["name", "on", "when", "refuse", "script"];
/// The most entries of a rule.
const ENTRIES_MAX: usize = 32;
/// The longest sentence, in characters.
const SENTENCE_MAX: usize = 200;

/// A compiled rule.
#[derive(Clone, Debug)]
pub struct Judge {
    name: Text,
    on: Vec<Entry>,
    when: Vec<Node>,
    refuse: Option<Text>,
    script: Option<Text>,
    source: Value,
}

impl Judge {
    /// Compiles a rule, or says where it is malformed. `name` is that by which the world knows it: `ns:name`.
    pub fn compile(name: &str, source: &Value) -> Result<Self, FlowError> {
        let whole = FlowPlace::Named("rule");
        let Value::Map(map) = source else {
            return Err(whole.error(format!("expected a rule {{on, when, refuse, script}}, found {}", kind(source))));
        };
        if let Some(strange) = map.keys().find(|key| !RULE_KEYS.contains(&key.as_ref())) {
            let what = format!("expected only `on`, `when`, `refuse` and `script`, found `{strange}`");
            return Err(FlowPlace::Named(strange).error_with(what, name::hint(strange, RULE_KEYS)));
        }
        let when = map.get("when").map(|when| Compiler::ruling().when(when, &FlowPlace::Named("when"), 1)).transpose()?;
        let (refuse, script) = (text(map, "refuse")?, text(map, "script")?);
        if refuse.is_none() && script.is_none() {
            return Err(whole.error("expected a sentence under `refuse`, or a `script`, found neither"));
        }
        if let Some(long) = refuse.as_ref().map(|text| text.chars().count()).filter(|count| *count > SENTENCE_MAX) {
            return Err(FlowPlace::Named("refuse").error(format!("expected a sentence of at most {SENTENCE_MAX} characters, found {long}")));
        }
        let on = entries(map.get("on"))?;
        Ok(Self { name: name.into(), on, when: when.unwrap_or_default(), refuse, script, source: source.clone() })
    }

    /// `ns:name`.
    pub fn name(&self) -> &Text {
        &self.name
    }

    /// The rule as written.
    pub fn source(&self) -> &Value {
        &self.source
    }

    /// The actions on which it is asked: entries as in canDo.
    pub fn on(&self) -> &[Entry] {
        &self.on
    }

    /// The sentence with which it refuses.
    pub fn refuse(&self) -> Option<&Text> {
        self.refuse.as_ref()
    }

    /// The script that is asked where its conditions hold.
    pub fn script(&self) -> Option<&Text> {
        self.script.as_ref()
    }

    /// The arguments that its conditions ask for, by their first names.
    pub fn arguments(&self) -> BTreeSet<&str> {
        let mut conditions = Vec::new();
        gather(&self.when, &mut conditions);
        let asked = paths_of(&conditions).into_iter();
        asked.filter_map(|path| if let Path::Args(rest) = path { rest.split('.').next() } else { None }).collect()
    }

    /// The parts of its conditions that may not be meant, whatever there is in the world.
    pub fn warnings(&self) -> Vec<Warning> {
        lint_operands(&self.when)
    }

    /// Whether all its conditions hold.
    pub fn holds<C: Context + ?Sized>(&self, context: &C) -> bool {
        all_hold(&self.when, context, &mut Silent)
    }

    /// The same, with what each condition saw.
    pub fn explain<C: Context + ?Sized>(&self, context: &C) -> (bool, Vec<ConditionTrace>) {
        let mut tracing = Tracing::default();
        (all_hold(&self.when, context, &mut tracing), tracing.into_conditions())
    }
}

fn text(map: &Map, key: &str) -> Result<Option<Text>, FlowError> {
    match map.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Text(text)) if !text.trim().is_empty() => Ok(Some(text.clone())),
        Some(other) => Err(FlowPlace::Named(key).error(format!("expected text, found {}", kind(other)))),
    }
}

fn entries(on: Option<&Value>) -> Result<Vec<Entry>, FlowError> {
    let place = FlowPlace::Named("on");
    let list = match on {
        Some(Value::List(list)) if !list.is_empty() && list.len() <= ENTRIES_MAX => list,
        Some(Value::List(list)) => return Err(place.error(format!("expected 1 to {ENTRIES_MAX} entries, found {}", list.len()))),
        Some(other) => return Err(place.error(format!("expected a list of entries as in canDo, found {}", kind(other)))),
        None => return Err(place.error("expected a list of entries as in canDo, found none")),
    };
    let entry = |(index, value)| {
        let place = FlowPlace::Index(&place, index);
        Entry::from_value(value, Verb::Do).map_err(|error| FlowError {
            place: format!("{place}{}", error.place),
            what: error.what,
            hint: None,
        })
    };
    list.iter().enumerate().map(entry).collect()
}
