//! Quality writers: whether anything in a world writes a quality, as far as what is written tells: what stands, what scripts name, and what
//! roles let somebody write who decides without a script.
//!
//! A doubtful case counts as written: a path that a script computes, or a right over every namespace.

use std::collections::BTreeSet;

use crate::fact::{Cognition, Text, Value};
use crate::role::{Entry, Glob, Path, did_you_mean, overlap};
use crate::world::{KEPT, Qualities, World, entries};

/// The operations that give a thing a quality.
const WRITERS: [&str; 3] = ["quality.set", "quality.inc", "quality.push"];
/// How many beings are asked what they have, for a hint.
const NEAR_MAX: usize = 64;

/// All that may write the qualities of a world.
#[derive(Default)]
pub(super) struct QualityWriters {
    /// The paths that scripts name.
    paths: BTreeSet<String>,
    /// The beginnings of paths that scripts put together.
    beginnings: BTreeSet<String>,
    /// The namespaces over which a model or a person has the right.
    free: Vec<Glob>,
    /// The texts of scripts, for the qualities that somebody is born with.
    texts: Vec<String>,
    /// Whether something may write anything.
    is_open: bool,
}

impl QualityWriters {
    pub(super) fn of(world: &World) -> Self {
        let registry = world.registry();
        let mut writers = Self { paths: BTreeSet::from([KEPT.to_owned()]), ..Self::default() };
        writers.texts.extend(registry.scripts.values().map(|script| script.source.to_string()));
        writers.texts.extend(registry.rules.values().map(|rule| rule.source.to_string()));
        for extension in registry.extensions.values() {
            writers.texts.extend(["operations", "rules"].iter().flat_map(|key| entries(&extension.manifest, key)).map(Value::to_string));
        }
        for text in std::mem::take(&mut writers.texts) {
            writers.hear(&text);
            writers.texts.push(text);
        }
        let minds = world.living().filter(|being| being.cognition != Cognition::Script && being.id != world.operator());
        let roles: BTreeSet<Text> = minds.flat_map(|being| world.may_wear(being)).collect();
        for entry in roles.iter().filter_map(|role| registry.roles.get(role)).flat_map(|role| &role.spec.can_do) {
            writers.allow(entry);
        }
        writers
    }

    /// Takes in a right.
    fn allow(&mut self, entry: &Entry) {
        if !WRITERS.iter().any(|writer| entry.covers_action(writer)) {
            return;
        }
        match entry {
            Entry::Bound { ns: Some(ns), .. } => self.free.push(ns.clone()),
            Entry::Bound { ns: None, .. } | Entry::Name(_) | Entry::Rel(_) | Entry::Pattern(_) => self.is_open = true,
        }
    }

    /// Takes in what a text writes.
    fn hear(&mut self, text: &str) {
        let text = text.replace("\\\"", "\"");
        for writer in WRITERS {
            for (at, _) in text.match_indices(writer) {
                let behind = text.get(at + writer.len()..).unwrap_or_default();
                let own = WRITERS.iter().filter_map(|other| behind.find(other)).min().unwrap_or(behind.len());
                match path_said(behind.get(..own).unwrap_or_default()) {
                    Some(SaidPath::Whole(path)) => drop(self.paths.insert(path)),
                    Some(SaidPath::Beginning(path)) if path.contains('.') => drop(self.beginnings.insert(path)),
                    Some(SaidPath::Beginning(_)) | None => self.is_open = true,
                }
            }
        }
    }

    /// Whether something that is not there yet may come to stand at a path.
    fn may_write(&self, path: &str) -> bool {
        let ns = path.split('.').next().unwrap_or_default();
        self.is_open
            || self.paths.iter().any(|written| overlap(written, path))
            || self.beginnings.iter().any(|begins| path.starts_with(begins) || begins.starts_with(&format!("{path}.")))
            || self.free.iter().any(|free| free.matches(ns))
            || self.texts.iter().any(|text| is_key(text, ns))
    }

    /// Whether a path is written: one of a being, or of anything.
    pub(super) fn is_written(&self, world: &World, path: &str) -> bool {
        let stands = |qualities: &Qualities| qualities.found(path).is_some();
        self.may_write(path)
            || world.living().any(|being| stands(&being.qualities))
            || world.spaces().any(|space| stands(&space.qualities))
            || world.all_matter().any(|matter| stands(&matter.qualities))
    }
}

impl QualityWriters {
    /// The path that may have been meant: one that stands in the same namespace, or that a script writes.
    pub(super) fn nearest(&self, world: &World, path: &str) -> Option<String> {
        let (ns, key) = path.split_once('.')?;
        let standing = world.living().take(NEAR_MAX).filter_map(|being| being.qualities.at(ns)?.as_map());
        let keys: BTreeSet<String> = standing.flat_map(|map| map.keys().map(ToString::to_string)).collect();
        let written = self.paths.iter().filter_map(|path| path.strip_prefix(ns)?.strip_prefix('.'));
        did_you_mean(&format!("{ns}."), key, keys.iter().map(String::as_str).chain(written))
    }
}

/// The quality that a path of a condition reads.
pub(super) fn quality_of(path: &Path) -> Option<&Text> {
    match path {
        Path::MeQuality(path) | Path::SpaceQuality(path) => Some(path),
        _ => None,
    }
}

/// A path as a script says it.
enum SaidPath {
    Whole(String),
    /// The rest is put behind it.
    Beginning(String),
}

/// The path among the arguments behind an operation; none where it is no text there.
fn path_said(args: &str) -> Option<SaidPath> {
    let at = args.match_indices("path").find_map(|(at, word)| {
        let rest = args.get(at + word.len()..)?.trim_start().trim_start_matches('"').trim_start();
        rest.strip_prefix([':', '=']).map(str::trim_start)
    })?;
    let quote = at.chars().next().filter(|c| matches!(c, '"' | '\'' | '`'))?;
    let (said, behind) = at.get(1..)?.split_once(quote)?;
    if let Some((begins, _)) = said.split_once("${").filter(|_| quote == '`') {
        return Some(SaidPath::Beginning(begins.to_owned()));
    }
    let goes_on = behind.trim_start().starts_with('+');
    Some(if goes_on { SaidPath::Beginning(said.to_owned()) } else { SaidPath::Whole(said.to_owned()) })
}

/// Whether a text has a key of that name in a map, as somebody is born with qualities.
fn is_key(text: &str, name: &str) -> bool {
    let begins = |at: usize| text.get(..at).is_none_or(|before| !before.ends_with(|c: char| c.is_alphanumeric() || c == '_'));
    text.match_indices(name).any(|(at, _)| {
        let rest = text.get(at + name.len()..).unwrap_or_default().trim_start_matches('"').trim_start();
        begins(at) && rest.strip_prefix(':').is_some_and(|value| value.trim_start().starts_with(['#', '{']))
    })
}

/// The qualities that the conditions of a rule name, of whichever party.
pub(super) fn qualities_named(rule: &Value) -> BTreeSet<String> {
    let inner = |values: &mut dyn Iterator<Item = &Value>| values.flat_map(qualities_named).collect::<BTreeSet<String>>();
    match rule {
        Value::Map(map) => {
            let named = |key: &Text| {
                let (party, path) = key.split_once("quality.")?;
                (party.is_empty() || party.ends_with('.')).then(|| path.to_owned())
            };
            map.keys().filter_map(named).chain(inner(&mut map.values())).collect()
        }
        Value::List(list) => inner(&mut list.iter()),
        Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Text(_) => BTreeSet::new(),
    }
}

/// The functions of a measure that reckon over the qualities of beings.
pub(super) const OVER_QUALITIES: &[&str] = &["mean", "sum", "count"];

/// The paths that an expression gives to some functions as their first argument.
pub(super) fn asked_of(functions: &[&str], expression: &str) -> BTreeSet<String> {
    asked_with(functions, expression, &[')', ','])
}

/// The same of calls that have no argument but that.
pub(super) fn asked_alone(function: &str, expression: &str) -> BTreeSet<String> {
    asked_with(&[function], expression, &[')'])
}

fn asked_with(functions: &[&str], expression: &str, ends: &[char]) -> BTreeSet<String> {
    let calls = functions.iter().flat_map(|function| expression.match_indices(function).map(move |(at, _)| at + function.len()));
    let argument = |at: usize| {
        let rest = expression.get(at..)?.trim_start().strip_prefix('(')?.trim_start();
        let (path, behind) = rest.strip_prefix('"')?.split_once('"')?;
        Some(path.to_owned()).filter(|_| behind.trim_start().starts_with(ends))
    };
    calls.filter_map(argument).collect()
}
