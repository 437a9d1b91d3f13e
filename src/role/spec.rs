//! Spec: one role as it is written: a name, four can* lists, options and a prompt.
//!
//! The canonical value made here is what a fact holds and what is hashed. Files are [`source`](super::source)'s matter; a template inside
//! a prompt is checked here and filled in elsewhere.

use schemars::JsonSchema;

use crate::fact::{
    Canon, Cognition, Hash, Map, Millis, Orientation, RespondMode, Text, Trigger, Value, Verb, file_schema, parse_plain_duration,
    write_plain_duration,
};

use super::entry::Entry;
use super::found::kind;
use super::glob::Glob;
use super::guard::Guard;
use super::name;
use super::schema::{BeEntry, DoEntry, FlowWhen, PlainDuration, RoleName, SeeEntry};
use super::template::check_template;

/// The keys of a role, in the order in which they are written.
pub const KEYS: &[&str] = &[
    "name",
    "description",
    "canSee",
    "canDo",
    "canSummon",
    "canBe",
    "lets",
    "see",
    "requiredCognition",
    "when",
    "selfContinue",
    "triggerOn",
    "watch",
    "rest",
    "defaultOrientation",
    "respondMode",
    "actsForCaller",
    "script",
    "slot",
    "thinks",
    "prompt",
];

/// The most entries a list of a role may hold.
const ENTRIES_MAX: usize = 1024;
/// The most entries of a watch: each is asked about every deed that it can mean.
const WATCH_MAX: usize = 64;
/// The longest time that a thought may be declared to take: a year.
const THINKS_MAX: Millis = 365 * 24 * 3_600_000;

/// Why a role cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RoleError {
    /// A key is missing, unknown, or holds what it cannot hold.
    #[error("{}`{key}`: {what}", at(file, *line))]
    Key {
        /// The file; empty where the role did not come from one.
        file: String,
        /// The line; 0 where it is not known.
        line: u64,
        /// The key, with the place in it: `canDo[2].on`.
        key: String,
        /// The value expected and the value found.
        what: String,
    },
    /// The file is not in the form that a role has.
    #[error("{}{what}", at(file, *line))]
    Form {
        /// The file.
        file: String,
        /// The line; 0 where it is not known.
        line: u64,
        /// The form expected and the form found.
        what: String,
    },
}

fn at(file: &str, line: u64) -> String {
    match (file, line) {
        ("", _) => String::new(),
        (file, 0) => format!("{file}: "),
        (file, line) => format!("{file}:{line}: "),
    }
}

impl RoleError {
    pub(super) fn key(key: impl Into<String>, what: impl Into<String>) -> Self {
        Self::Key { file: String::new(), line: 0, key: key.into(), what: what.into() }
    }

    pub(super) fn shape(file: &str, expected: &str, found: &Value) -> Self {
        Self::Form { file: file.to_owned(), line: 0, what: format!("expected {expected}, found {}", kind(found)) }
    }

    /// The same error, with the file that the role was read from.
    pub fn in_file(mut self, name: &str) -> Self {
        let (Self::Key { file, .. } | Self::Form { file, .. }) = &mut self;
        name.clone_into(file);
        self
    }

    pub(super) fn on_line(mut self, number: u64) -> Self {
        let (Self::Key { line, .. } | Self::Form { line, .. }) = &mut self;
        *line = number;
        self
    }
}

/// One role.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema)]
#[schemars(rename = "Role", rename_all = "camelCase", deny_unknown_fields, default, extend("required" = ["name"]))]
pub struct Spec {
    /// Its name: kebab case, with a namespace where it comes from an extension.
    #[schemars(with = "RoleName")]
    pub name: Text,
    /// A sentence for people on what it is.
    pub description: Option<Text>,
    /// The things that it may read.
    #[schemars(with = "Vec<SeeEntry>", length(max = ENTRIES_MAX))]
    pub can_see: Vec<Entry>,
    /// The actions that it may do.
    #[schemars(with = "Vec<DoEntry>", length(max = ENTRIES_MAX))]
    pub can_do: Vec<Entry>,
    /// The beings that it may summon.
    #[schemars(with = "Vec<SeeEntry>", length(max = ENTRIES_MAX))]
    pub can_summon: Vec<Entry>,
    /// The operations on identity that it may use.
    #[schemars(with = "Vec<BeEntry>", length(max = ENTRIES_MAX))]
    pub can_be: Vec<Entry>,
    /// The operations by which others may move its wearer.
    #[schemars(with = "Vec<String>", length(max = ENTRIES_MAX))]
    pub lets: Vec<Glob>,
    /// The see-resolvers that fill its face.
    pub see: Vec<Text>,
    /// The one cognition that may wear it; any without.
    pub required_cognition: Option<Cognition>,
    /// The condition that must hold for it to be worn.
    #[schemars(with = "Option<FlowWhen>")]
    pub when: Option<Guard>,
    /// Whether it goes on by itself after an act.
    pub self_continue: bool,
    /// The triggers that may wake its wearer.
    pub trigger_on: Vec<Trigger>,
    /// The actions on things that wake any being that may come to wear it.
    #[schemars(with = "Vec<DoEntry>", length(max = WATCH_MAX))]
    pub watch: Vec<Entry>,
    /// How long its wearer rests after an act, before a watch of it or itself wakes it again.
    #[schemars(with = "Option<PlainDuration>")]
    pub rest: Option<Millis>,
    /// The orientation of its moments, unless the summons says otherwise.
    pub default_orientation: Orientation,
    /// Whether who summons it awaits an answer.
    pub respond_mode: RespondMode,
    /// Whether what it does for a summons counts as done by whoever summons: their lineage, places and grants, not its wearer's.
    pub acts_for_caller: bool,
    /// The script that thinks for it, by name.
    pub script: Option<Text>,
    /// The kind of model for its moments, by a name that beings, spaces and the world map to connections.
    pub slot: Option<Text>,
    /// How much world time a thought takes.
    #[schemars(with = "Option<PlainDuration>")]
    pub thinks: Option<Millis>,
    /// The words that tell its wearer what the role is for.
    pub prompt: Text,
}

impl Default for Spec {
    fn default() -> Self {
        Self {
            name: Text::from(""),
            description: None,
            can_see: Vec::new(),
            can_do: Vec::new(),
            can_summon: Vec::new(),
            can_be: Vec::new(),
            lets: Vec::new(),
            see: Vec::new(),
            required_cognition: None,
            when: None,
            self_continue: false,
            trigger_on: Trigger::USUAL.to_vec(),
            watch: Vec::new(),
            rest: None,
            default_orientation: Orientation::Forward,
            respond_mode: RespondMode::Async,
            acts_for_caller: false,
            script: None,
            slot: None,
            thinks: None,
            prompt: Text::from(""),
        }
    }
}

impl Spec {
    /// The JSON Schema of a file that holds a role.
    pub fn schema() -> serde_json::Value {
        file_schema::<Self>("Role of Reelm")
    }

    /// Reads a role from an object, strictly: an unknown key is an error.
    pub fn from_value(value: &Value) -> Result<Self, RoleError> {
        let Value::Map(map) = value else {
            return Err(RoleError::shape("", "a role as an object", value));
        };
        if let Some(strange) = map.keys().find(|key| !KEYS.contains(&key.as_ref())) {
            return Err(RoleError::key(strange.as_ref(), format!("no role has this key; {}", name::hint(strange, KEYS))));
        }
        let fields = Fields(map);
        let default = Self::default();
        Ok(Self {
            name: fields.name()?,
            description: fields.text("description")?,
            can_see: fields.entries(Verb::See)?,
            can_do: fields.entries(Verb::Do)?,
            can_summon: fields.entries(Verb::Summon)?,
            can_be: fields.entries(Verb::Be)?,
            lets: fields.list("lets", operations)?,
            see: fields.list("see", |value| value.as_text().cloned().ok_or_else(|| format!("expected text, found {}", kind(value))))?,
            required_cognition: fields.get("requiredCognition", word)?,
            when: fields.guard()?,
            self_continue: fields.get("selfContinue", truth)?.unwrap_or(default.self_continue),
            trigger_on: if map.contains_key("triggerOn") { fields.list("triggerOn", word)? } else { default.trigger_on },
            watch: fields.watch()?,
            rest: fields.get("rest", duration)?,
            default_orientation: fields.get("defaultOrientation", word)?.unwrap_or(default.default_orientation),
            respond_mode: fields.get("respondMode", word)?.unwrap_or(default.respond_mode),
            acts_for_caller: fields.get("actsForCaller", truth)?.unwrap_or(default.acts_for_caller),
            script: fields.text("script")?,
            slot: fields.text("slot")?,
            thinks: fields.get("thinks", duration)?,
            prompt: fields.get("prompt", template)?.map_or(default.prompt, |prompt| tidy(&prompt)),
        })
    }

    /// The canonical form; what is as it is by default is left out.
    pub fn to_value(&self) -> Value {
        Value::map(self.pairs())
    }

    /// The default of each key of a role; a key whose default is null is left out.
    pub fn defaults() -> Value {
        Value::map(Self::default().all_pairs().into_iter().map(|(key, _, value)| (key, value)).filter(|(_, value)| !value.is_null()))
    }

    /// The keys and values that are written, in the order in which people read them.
    pub(super) fn pairs(&self) -> Vec<(&'static str, Value)> {
        self.all_pairs().into_iter().filter(|(_, is_written, _)| *is_written).map(|(key, _, value)| (key, value)).collect()
    }

    /// Every key, whether it is written, and what holds at it.
    fn all_pairs(&self) -> [(&'static str, bool, Value); 21] {
        let default = Self::default();
        let list = |list: &[Entry]| Value::List(list.iter().map(Entry::to_value).collect());
        let texts = |list: &[Text]| Value::List(list.iter().map(Value::from).collect());
        let words = |list: &[Trigger]| Value::List(list.iter().map(|trigger| trigger.word().into()).collect());
        [
            ("name", true, Value::from(&self.name)),
            ("description", self.description.is_some(), self.description.clone().into()),
            ("canSee", !self.can_see.is_empty(), list(&self.can_see)),
            ("canDo", !self.can_do.is_empty(), list(&self.can_do)),
            ("canSummon", !self.can_summon.is_empty(), list(&self.can_summon)),
            ("canBe", !self.can_be.is_empty(), list(&self.can_be)),
            ("lets", !self.lets.is_empty(), Value::List(self.lets.iter().map(|glob| glob.as_str().into()).collect())),
            ("see", !self.see.is_empty(), texts(&self.see)),
            ("requiredCognition", self.required_cognition.is_some(), self.required_cognition.map(Cognition::word).into()),
            ("when", self.when.is_some(), self.when.as_ref().map(|guard| guard.source().clone()).unwrap_or_default()),
            ("selfContinue", self.self_continue, self.self_continue.into()),
            ("triggerOn", self.trigger_on != default.trigger_on, words(&self.trigger_on)),
            ("watch", !self.watch.is_empty(), list(&self.watch)),
            ("rest", self.rest.is_some(), self.rest.map(write_plain_duration).into()),
            ("defaultOrientation", self.default_orientation != default.default_orientation, self.default_orientation.word().into()),
            ("respondMode", self.respond_mode != default.respond_mode, self.respond_mode.word().into()),
            ("actsForCaller", self.acts_for_caller, self.acts_for_caller.into()),
            ("script", self.script.is_some(), self.script.clone().into()),
            ("slot", self.slot.is_some(), self.slot.clone().into()),
            ("thinks", self.thinks.is_some(), self.thinks.map(write_plain_duration).into()),
            ("prompt", !self.prompt.is_empty(), Value::from(&self.prompt)),
        ]
    }

    /// The hash of the canonical bytes: the role's version.
    pub fn hash(&self) -> Hash {
        Hash::of(&self.to_value().to_canon())
    }

    /// The key of a verb's list.
    pub const fn list_key(verb: Verb) -> &'static str {
        match verb {
            Verb::See => "canSee",
            Verb::Do => "canDo",
            Verb::Summon => "canSummon",
            Verb::Be => "canBe",
        }
    }

    /// The can* list of a verb.
    pub fn list(&self, verb: Verb) -> &[Entry] {
        match verb {
            Verb::See => &self.can_see,
            Verb::Do => &self.can_do,
            Verb::Summon => &self.can_summon,
            Verb::Be => &self.can_be,
        }
    }
}

/// The object that a role is read from.
struct Fields<'a>(&'a Map);

impl Fields<'_> {
    fn get<T>(&self, key: &str, read: impl Fn(&Value) -> Result<T, String>) -> Result<Option<T>, RoleError> {
        self.0.get(key).map(|value| read(value).map_err(|what| RoleError::key(key, what))).transpose()
    }

    fn name(&self) -> Result<Text, RoleError> {
        let name = self.get("name", plain)?.ok_or_else(|| RoleError::key("name", "expected the role's name, found none"))?;
        if name::is_role_name(&name) {
            Ok(name)
        } else {
            let what =
                format!("expected kebab case such as `judge` or `emotions:bored`, found `{}`", name.chars().take(64).collect::<String>());
            Err(RoleError::key("name", what))
        }
    }

    /// Its own `when`; one that asks for nothing is as if it were not there.
    fn guard(&self) -> Result<Option<Guard>, RoleError> {
        let Some(value) = self.0.get("when").filter(|when| !when.as_map().is_some_and(Map::is_empty)) else { return Ok(None) };
        Guard::compile(value).map(Some).map_err(|error| {
            let hint = error.hint.map(|hint| format!("; {hint}")).unwrap_or_default();
            RoleError::key(error.place, format!("{}{hint}", error.what))
        })
    }

    fn text(&self, key: &str) -> Result<Option<Text>, RoleError> {
        self.get(key, |value| match plain(value)? {
            text if text.is_empty() => Err("expected text, found none; leave the key out instead".to_owned()),
            text => Ok(text),
        })
    }

    fn list<T>(&self, key: &str, read: impl Fn(&Value) -> Result<T, String>) -> Result<Vec<T>, RoleError> {
        let items = self.items(key)?.iter().enumerate();
        items.map(|(index, value)| read(value).map_err(|what| RoleError::key(format!("{key}[{index}]"), what))).collect()
    }

    /// The entries of `watch`, written as in canDo.
    fn watch(&self) -> Result<Vec<Entry>, RoleError> {
        match self.entries_at("watch", Verb::Do)? {
            entries if entries.len() > WATCH_MAX => {
                Err(RoleError::key("watch", format!("expected at most {WATCH_MAX} entries, found {}", entries.len())))
            }
            entries => Ok(entries),
        }
    }

    fn entries(&self, verb: Verb) -> Result<Vec<Entry>, RoleError> {
        self.entries_at(Spec::list_key(verb), verb)
    }

    fn entries_at(&self, key: &'static str, verb: Verb) -> Result<Vec<Entry>, RoleError> {
        let entry = |(index, value)| {
            Entry::from_value(value, verb).map_err(|error| RoleError::key(format!("{key}[{index}]{}", error.place), error.what))
        };
        self.items(key)?.iter().enumerate().map(entry).collect()
    }

    fn items(&self, key: &str) -> Result<&[Value], RoleError> {
        match self.0.get(key) {
            None => Ok(&[]),
            Some(Value::List(list)) if list.len() <= ENTRIES_MAX => Ok(list),
            Some(Value::List(list)) => Err(RoleError::key(key, format!("expected at most {ENTRIES_MAX} entries, found {}", list.len()))),
            Some(other) => {
                let cure = other.as_str().map(|text| format!("; write `[\"{text}\"]`")).unwrap_or_default();
                Err(RoleError::key(key, format!("expected a list, found {}{cure}", kind(other))))
            }
        }
    }
}

fn plain(value: &Value) -> Result<Text, String> {
    value.as_text().cloned().ok_or_else(|| format!("expected text, found {}", kind(value)))
}

/// The name of an operation, or a pattern of such names.
fn operations(value: &Value) -> Result<Glob, String> {
    match value {
        Value::Text(text) => Glob::new(text).map_err(|error| error.to_string()),
        other => Err(format!("expected the name of an operation such as `ward:treat`, or a pattern of names, found {}", kind(other))),
    }
}

fn template(value: &Value) -> Result<Text, String> {
    let text = plain(value)?;
    check_template(&tidy(&text)).map(|()| text)
}

fn truth(value: &Value) -> Result<bool, String> {
    value.as_bool().ok_or_else(|| format!("expected true or false, found {}", kind(value)))
}

/// A member of a closed list by its word.
fn word<T: std::str::FromStr>(value: &Value) -> Result<T, String>
where
    T::Err: std::fmt::Display,
{
    plain(value)?.parse().map_err(|error: T::Err| error.to_string())
}

/// One form of a prompt, so that the same text has the same hash in every file: plain line ends, no blank edges.
pub(super) fn tidy(prompt: &str) -> Text {
    prompt.replace("\r\n", "\n").replace('\r', "\n").trim_start_matches('\n').trim_end().into()
}

/// How long a thought takes: `2s`, `500ms`, `1m`, `3h`.
fn duration(value: &Value) -> Result<Millis, String> {
    let text = plain(value)?;
    parse_plain_duration(&text).filter(|millis| *millis <= THINKS_MAX).ok_or_else(|| {
        let found = text.chars().take(40).collect::<String>();
        format!("expected a time such as `500ms`, `2s`, `1m` or `3h`, at most a year, found `{found}`")
    })
}
