//! Inline: what is short enough to stand in a world.toml itself: roles, minds, operations, resolvers and rules.
//!
//! A mind or an operation is written as what its function does; the names that it may use are bound before it. Operations, resolvers and
//! rules become an extension of the world's own, which is called as the world is.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;
use toml::Spanned;

use crate::extension::{ExtensionError, Package, TargetKind, order};
use crate::fact::{Map, Text, Value, Verb, column_of, line_of};
use crate::role::{DoEntry, Entry, RuleWhen, Spec, or_may_mean};
use crate::script::{Sandbox, ScriptError};

use super::error::SourceError;
use super::files::fits;
use super::item::{BeingItem, OnLine, PopulationItem, SpaceItem};
use super::reader::SourceReader;
use super::toml_table::toml_value;
use super::written::Source;

/// The description of an extension that is made of a world.toml.
const INLINE: &str = "Written in the world.toml";

/// An operation in a world.toml.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct InlineOperation {
    /// Its name, behind that of the world: `cafe:serve`.
    name: String,
    /// What it does.
    #[serde(default)]
    description: String,
    /// The sentence by which it is told, behind the name of whoever does it.
    told: Option<String>,
    /// The kinds of its targets.
    #[schemars(with = "Option<Vec<TargetKind>>")]
    target: Option<Value>,
    /// A JSON Schema, or a kind for each argument.
    #[serde(default)]
    args: Map,
    /// The things that its facts may touch; the actor and the target unless it says.
    #[schemars(with = "Option<Vec<String>>")]
    touches: Option<Value>,
    /// The world's own roles that may do it.
    #[serde(default)]
    by: Vec<String>,
    /// The places that allow it; everywhere unless it says.
    at: Option<Vec<String>>,
    /// The script that gives its acts; `actor`, `target` and `args` are bound.
    run: String,
}

/// A resolver in a world.toml.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct InlineResolver {
    /// Its name, behind that of the world.
    name: String,
    /// What it shows.
    #[serde(default)]
    description: String,
    /// The script that computes it; `me`, `wake` and `time` are bound.
    resolve: String,
}

/// A rule in a world.toml.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct InlineRule {
    /// Its name.
    name: String,
    /// On what it is asked: entries as in canDo.
    #[schemars(with = "Vec<DoEntry>")]
    on: Value,
    /// When it refuses.
    #[serde(default)]
    #[schemars(with = "RuleWhen")]
    when: Value,
    /// The message of its refusal.
    refuse: Option<String>,
    /// The script that judges where its conditions hold.
    judge: Option<String>,
}

/// A function that a script may be: what it is given, and the names that are bound in one that is written without it.
struct InlineFunction {
    name: &'static str,
    given: &'static str,
    names: &'static [&'static str],
}

const THINK: InlineFunction = InlineFunction { name: "think", given: "face", names: &["me", "wake", "time"] };
const RESOLVE: InlineFunction = InlineFunction { name: "resolve", given: "face", names: &["me", "wake", "time"] };
const RUN: InlineFunction = InlineFunction { name: "run", given: "ctx", names: &["actor", "target", "args"] };
const JUDGE: InlineFunction = InlineFunction { name: "judge", given: "ctx", names: &["actor", "by", "target", "to", "args"] };

impl InlineFunction {
    /// The script that a text is: the whole of it, or what the function does. Its lines are those of the text.
    fn script(&self, text: &str) -> String {
        let Self { name, given, names } = self;
        let head = format!("fn {name}(");
        if text.lines().any(|line| line.trim_start().starts_with(&head)) {
            return text.to_owned();
        }
        let bound: String = names.iter().map(|name| format!("let {name} = {given}.{name}; ")).collect();
        format!("{head}{given}) {{ {bound}{text}\n}}\n")
    }
}

/// The name of the extension that holds what stands in the world.toml of a world.
pub(super) fn own_name(world: &str) -> String {
    world.to_lowercase()
}

impl Source {
    /// The line of a role, an operation, a rule or a setting that stands in the world.toml itself.
    pub fn line_of(&self, kind: &str, name: &str) -> Option<usize> {
        self.inline.get(&line_key(kind, name)).copied()
    }

    /// Whether something of an extension, such as `cafe:order` or `cafe/ops/order`, stands in the world.toml itself.
    pub fn says_itself(&self, name: &str) -> bool {
        let extension = name.split([':', '/']).next().unwrap_or_default();
        let is_own = extension != name && extension == own_name(&self.name);
        is_own && self.extensions.iter().any(|package| package.name == extension && package.is_own)
    }
}

/// The name of a script of the world.toml in an error, from its file in the extension: `cafe/ops/order.rhai` is the run of order.
fn told_file(file: &str) -> String {
    let mut parts = file.split('/').skip(1);
    let function = match parts.next() {
        Some("ops") => RUN.name,
        Some("resolvers") => RESOLVE.name,
        _ => JUDGE.name,
    };
    let name = parts.next().unwrap_or_default();
    format!("world.toml, {function} of {}", name.strip_suffix(".rhai").unwrap_or(name))
}

/// Under what the line of a table is kept that is no script.
fn line_key(kind: &str, name: &str) -> String {
    format!("{kind} {name}")
}

/// A script of a source: its name, its file, its text.
type OwnScript = (String, String, String);

impl SourceReader<'_> {
    /// The roles in the world.toml, and their minds.
    pub(super) fn roles(&self, written: Vec<Spanned<Map>>, most: u64, roles: &mut Vec<Spec>) -> Vec<OwnScript> {
        let mut minds = Vec::new();
        for role in written {
            let at = role.span().start;
            let name = role.get_ref().get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
            match self.role(role, most, roles) {
                Ok((spec, mind)) => {
                    self.note_line("role", &spec.name, at);
                    roles.push(spec);
                    minds.extend(mind);
                }
                Err(error) => {
                    // Whoever names it names something that is there.
                    self.leave_out(&name);
                    self.keep(Err::<(), _>(error));
                }
            }
        }
        minds
    }

    fn role(&self, role: Spanned<Map>, most: u64, others: &[Spec]) -> Result<(Spec, Option<OwnScript>), SourceError> {
        let at = role.span().start;
        let mut role = role.into_inner();
        let mind = role.remove("think");
        let name = role.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
        if mind.is_some() && role.contains_key("script") {
            return Err(self.wrong(at, format!("role `{name}`: has both `script` and `think`; leave one out")));
        }
        if mind.is_some() {
            role.insert("script".into(), Value::text(&name));
        }
        let spec = Spec::from_value(&Value::Map(role)).map_err(|error| self.wrong(at, format!("role `{name}`: {error}")));
        let mind = mind.map(|mind| {
            let text = mind.as_str().ok_or_else(|| self.wrong(at, format!("role `{name}`: think: expected text, found `{mind}`")))?;
            self.mind(at, &name, text)
        });
        let (spec, mind) = match (spec, mind.transpose()) {
            (Ok(spec), Ok(mind)) => (spec, mind),
            (Err(one), Err(other)) => return Err(SourceError::Many(vec![one, other])),
            (Err(error), _) | (_, Err(error)) => return Err(error),
        };
        if others.iter().any(|other| other.name == spec.name) {
            return Err(self.wrong(at, format!("role `{name}`: stands twice; give one of them another name")));
        }
        fits(&spec, std::path::Path::new(&self.file), line_of(self.text, at), most)?;
        Ok((spec, mind))
    }

    /// The minds of beings and populations in the world.toml, each a script that is called as they are.
    pub(super) fn minds(&self, beings: &mut [Spanned<BeingItem>], populations: &mut [Spanned<PopulationItem>]) -> Vec<OwnScript> {
        let mut minds = Vec::new();
        for being in beings {
            let at = being.span().start;
            let BeingItem { name, think, script, .. } = being.get_mut();
            minds.extend(self.keep(self.own_mind(at, name, think.take(), script)));
        }
        for population in populations {
            let at = population.span().start;
            let PopulationItem { prefix, think, script, .. } = population.get_mut();
            minds.extend(self.keep(self.own_mind(at, prefix, think.take(), script)));
        }
        minds
    }

    fn own_mind(
        &self,
        at: usize,
        name: &str,
        think: Option<String>,
        script: &mut Option<String>,
    ) -> Result<Option<OwnScript>, SourceError> {
        let Some(text) = think else { return Ok(None) };
        if script.is_some() {
            return Err(self.wrong(at, format!("`{name}`: has both `script` and `think`; leave one out")));
        }
        *script = Some(name.to_owned());
        self.mind(at, name, &text).map(Some)
    }

    fn mind(&self, at: usize, name: &str, text: &str) -> Result<OwnScript, SourceError> {
        let source = self.script(at, &THINK, name, text)?;
        self.keep_line(at, &THINK, name);
        Ok((name.to_owned(), format!("world.toml, think of {name}"), source))
    }

    /// Adds minds to the scripts in files; each name stands once.
    pub(super) fn with_minds(&self, mut scripts: Vec<OwnScript>, minds: Vec<OwnScript>) -> Result<Vec<OwnScript>, SourceError> {
        for mind in minds {
            if let Some((name, file, _)) = scripts.iter().find(|(name, ..)| *name == mind.0) {
                let what = format!("think of `{name}`: a script of that name stands in {file}; give one of them another name");
                let line = self.inline.borrow().get(&mind.0).copied().unwrap_or(1);
                return Err(SourceError::wrong(self.file.clone(), line, what));
            }
            scripts.push(mind);
        }
        Ok(scripts)
    }

    /// A script in the world.toml, checked; what is wrong is named by its line there.
    fn script(&self, at: usize, function: &InlineFunction, of: &str, text: &str) -> Result<String, SourceError> {
        let source = function.script(text);
        Sandbox::check(&source, of, function.name, 1).map_err(|error| {
            let first = self.value_within(at, function.name);
            let (of_script, column) = (error.line().map_or(1, |line| line as usize), error.column().map(|column| column as usize));
            // What is bound before the text stands on its first line.
            let bound =
                if of_script == 1 { source.len() - text.len().min(source.len()) - usize::from(source != text) * "\n}\n".len() } else { 0 };
            let before = if of_script == 1 { first.1 - 1 } else { 0 };
            let column = column.and_then(|column| column.checked_sub(bound)).filter(|column| *column > 0).map(|column| column + before);
            let lines = text.lines().count().max(1);
            // What closes the function that is made of it is nobody's mistake.
            let (of_script, column, is_open) = if of_script > lines { (lines, None, true) } else { (of_script, column, false) };
            let what = match error {
                ScriptError::Syntax { .. } if is_open => {
                    "not a script: it ends within something; close its `(`, `[`, `{` or text".to_owned()
                }
                ScriptError::Syntax { reason, .. } => format!("not a script: {reason}"),
                other => other.to_string(),
            };
            let what = format!("`{of}`: {}: {what}", function.name);
            SourceError::Wrong { file: self.file.clone(), line: first.0 + of_script - 1, column, what }
        })?;
        Ok(source)
    }

    /// Keeps the line on which a script begins, by its name: a mind's, or that of a file of the extension without its ending.
    fn keep_line(&self, at: usize, function: &InlineFunction, script: &str) {
        let name = script.strip_suffix(".rhai").unwrap_or(script);
        self.inline.borrow_mut().insert(name.to_owned(), self.line_within(at, function.name));
    }

    /// Keeps the line of something that stands in the world.toml itself and is no script.
    pub(super) fn note_line(&self, kind: &str, name: &str, at: usize) {
        self.inline.borrow_mut().insert(line_key(kind, name), line_of(self.text, at));
    }

    /// The line on which the text of a key begins, in the table that begins at a place.
    fn line_within(&self, at: usize, key: &str) -> usize {
        self.value_within(at, key).0
    }

    /// The same, and the column of its first letter.
    fn value_within(&self, at: usize, key: &str) -> (usize, usize) {
        let table = self.text.get(at..).unwrap_or_default();
        let value = table.match_indices(key).find_map(|(found, _)| {
            let starts_line = table.get(..found).is_some_and(|before| before.ends_with('\n'));
            let value = table.get(found + key.len()..)?.trim_start().strip_prefix('=')?.trim_start();
            starts_line.then_some(value)
        });
        let Some(value) = value else { return (line_of(self.text, at), 1) };
        let start = self.text.len() - value.len();
        let mark = ["'''", "\"\"\"", "'", "\""].iter().find(|mark| value.starts_with(**mark)).map_or(0, |mark| mark.len());
        let opens = mark == 3 && value.get(mark..).is_some_and(|rest| rest.starts_with('\n') || rest.starts_with("\r\n"));
        let column = if opens { 1 } else { column_of(self.text, start + mark) };
        (line_of(self.text, start) + usize::from(opens), column)
    }
}

/// The operations, resolvers and rules of a world.toml.
#[derive(Default)]
pub(super) struct InlineCode {
    pub(super) operations: Vec<Spanned<InlineOperation>>,
    pub(super) resolvers: Vec<Spanned<InlineResolver>>,
    pub(super) rules: Vec<Spanned<InlineRule>>,
}

/// The files of an extension that is made of a world.toml, and where each line of its manifest comes from.
struct InlineFiles {
    manifest: String,
    places: Vec<usize>,
    files: BTreeMap<String, String>,
}

impl InlineFiles {
    /// Adds a table to one of the manifest's lists: a line of its own.
    fn table<const N: usize>(&mut self, kind: &str, place: usize, pairs: [(&str, Value); N]) {
        let pairs = pairs.into_iter().filter(|(_, value)| !value.is_null());
        let pairs: Vec<String> = pairs.map(|(key, value)| format!("{key} = {}", toml_value(&value))).collect();
        for line in [format!("[[{kind}]]")].into_iter().chain(pairs) {
            self.manifest += &line;
            self.manifest.push('\n');
            self.places.push(place);
        }
    }

    /// Puts the head before the manifest: it needs those extensions that anything in it speaks of.
    fn finish(&mut self, place: usize, name: &str, extensions: &[Package]) {
        let whole = self.files.values().map(String::as_str).chain([self.manifest.as_str()]);
        let whole: String = whole.collect::<Vec<_>>().join("\n");
        let is_used = |package: &&Package| whole.contains(&format!("{}:", package.name));
        let needs = extensions.iter().filter(is_used).map(|package| (Text::from(package.name.as_str()), Value::text("*"))).collect();
        let head = [
            ("name", Value::text(name)),
            ("version", Value::text("0.0.0")),
            ("description", Value::text(INLINE)),
            ("needs", Value::Map(needs)),
        ];
        let lines: String = head.iter().map(|(key, value)| format!("{key} = {}\n", toml_value(value))).collect();
        self.manifest.insert_str(0, &lines);
        self.places.splice(0..0, [place; 4]);
        self.files.insert("manifest.toml".into(), self.manifest.clone());
    }
}

impl SourceReader<'_> {
    /// Adds the extension of what stands in the world.toml, if anything does.
    pub(super) fn with_own(&self, world: &Spanned<String>, code: &InlineCode, extensions: Vec<Package>) -> Vec<Package> {
        let brought = extensions.clone();
        match self.own(world, code, extensions) {
            Ok(all) => all,
            Err(error) => {
                self.keep(Err::<(), _>(error));
                brought
            }
        }
    }

    fn own(&self, world: &Spanned<String>, code: &InlineCode, extensions: Vec<Package>) -> Result<Vec<Package>, SourceError> {
        if code.operations.is_empty() && code.resolvers.is_empty() && code.rules.is_empty() {
            return Ok(extensions);
        }
        let (at, name) = (world.span().start, own_name(world.get_ref()));
        if extensions.iter().any(|package| package.name == name) {
            let what = format!("name: what stands in this file is called `{name}:…`, as is an extension; give the world another name");
            return Err(self.wrong(at, what));
        }
        let mut made = InlineFiles { manifest: String::new(), places: Vec::new(), files: BTreeMap::new() };
        for operation in &code.operations {
            if let Err(error) = self.operation(&mut made, operation) {
                // Whoever names it names something that is there.
                self.leave_out(&format!("{name}:{}", operation.get_ref().name));
                self.keep(Err::<(), _>(error));
            }
        }
        self.others(&mut made, code);
        made.finish(line_of(self.text, at), &name, &extensions);
        let mut package = Package::parse("", &made.files).map_err(|error| self.placed(error, &made.places))?;
        package.is_own = true;
        for script in &mut package.scripts {
            script.file = told_file(&script.file);
        }
        Ok(order(extensions.into_iter().chain([package]).collect())?)
    }

    fn operation(&self, made: &mut InlineFiles, operation: &Spanned<InlineOperation>) -> Result<(), SourceError> {
        let (at, item) = (operation.span().start, operation.get_ref());
        let (script, source) = (format!("ops/{}.rhai", item.name), self.script(at, &RUN, &item.name, &item.run)?);
        if made.files.contains_key(&script) {
            return Err(self.wrong(at, format!("operation `{}`: stands twice; give one of them another name", item.name)));
        }
        self.keep_line(at, &RUN, &script);
        made.files.insert(script.clone(), source);
        let args = arguments(&item.args).map_err(|what| self.wrong(at, format!("operation `{}`: args.{what}", item.name)))?;
        self.note_line("operation", &item.name, at);
        let touches = || Value::from(vec!["actor", "target"]);
        made.table(
            "operation",
            line_of(self.text, at),
            [
                ("name", Value::text(&item.name)),
                ("description", Value::text(&item.description)),
                ("told", item.told.as_deref().map_or(Value::Null, Value::text)),
                ("target", item.target.clone().unwrap_or_default()),
                ("touches", item.touches.clone().unwrap_or_else(touches)),
                ("args", args),
                ("script", Value::from(script)),
            ],
        );
        Ok(())
    }

    fn others(&self, made: &mut InlineFiles, code: &InlineCode) {
        self.keep_all(code.resolvers.iter().map(|resolver| self.resolver(made, resolver)));
        self.keep_all(code.rules.iter().map(|rule| self.own_rule(made, rule)));
    }

    fn resolver(&self, made: &mut InlineFiles, resolver: &Spanned<InlineResolver>) -> Result<(), SourceError> {
        let (at, item) = (resolver.span().start, resolver.get_ref());
        let (script, source) = (format!("resolvers/{}.rhai", item.name), self.script(at, &RESOLVE, &item.name, &item.resolve)?);
        self.keep_line(at, &RESOLVE, &script);
        self.note_line("resolver", &item.name, at);
        made.files.insert(script.clone(), source);
        let pairs = [("name", Value::text(&item.name)), ("description", Value::text(&item.description)), ("script", Value::from(script))];
        made.table("resolver", line_of(self.text, at), pairs);
        Ok(())
    }

    fn own_rule(&self, made: &mut InlineFiles, rule: &Spanned<InlineRule>) -> Result<(), SourceError> {
        let (at, item) = (rule.span().start, rule.get_ref());
        let mut pairs = [
            ("name", Value::text(&item.name)),
            ("on", item.on.clone()),
            ("when", item.when.clone()),
            ("refuse", item.refuse.as_deref().map_or(Value::Null, Value::text)),
            ("script", Value::Null),
        ];
        if let (Some(judge), [.., (_, named)]) = (&item.judge, &mut pairs) {
            let script = format!("rules/{}.rhai", item.name);
            made.files.insert(script.clone(), self.script(at, &JUDGE, &item.name, judge)?);
            self.keep_line(at, &JUDGE, &script);
            *named = Value::from(script);
        }
        self.note_line("rule", &item.name, at);
        made.table("rule", line_of(self.text, at), pairs);
        Ok(())
    }

    /// An error of the extension, at its line of the world.toml.
    fn placed(&self, error: ExtensionError, places: &[usize]) -> SourceError {
        match error {
            ExtensionError::Wrong { line, what, .. } => {
                // A name may stand in more than one table: which one is meant is said first.
                let said = what
                    .split_once(" `")
                    .and_then(|(kind, rest)| self.inline.borrow().get(&line_key(kind, rest.split('`').next()?)).copied());
                let line = said.or_else(|| places.get(line.saturating_sub(1)).copied()).unwrap_or(1);
                SourceError::wrong(self.file.clone(), line, what)
            }
            other => other.into(),
        }
    }

    /// Lets roles do the operations that name them, and places allow these.
    pub(super) fn let_do(
        &self,
        world: &str,
        operations: &[Spanned<InlineOperation>],
        roles: &mut [Spec],
        spaces: &mut Vec<OnLine<SpaceItem>>,
    ) {
        for operation in operations {
            let (at, item) = (operation.span().start, operation.get_ref());
            let action = format!("{}:{}", own_name(world), item.name);
            for role in &item.by {
                let let_it = Self::let_one(&action, role, roles);
                self.keep(let_it.map_err(|what| self.wrong(at, format!("operation `{}`: {what}", item.name))));
            }
            for place in item.at.as_deref().unwrap_or(&["/".to_owned()]) {
                self.keep(self.allow(at, place, &action, spaces));
            }
        }
    }

    fn let_one(action: &str, role: &str, roles: &mut [Spec]) -> Result<(), String> {
        let meant = or_may_mean("", role, &roles.iter().map(|spec| spec.name.as_ref()).collect::<Vec<_>>());
        let spec = roles.iter_mut().find(|spec| spec.name.as_ref() == role);
        let spec = spec.ok_or_else(|| format!("by: expected a role of this source's own, found `{role}`{meant}"))?;
        spec.can_do.push(Entry::from_value(&Value::text(action), Verb::Do).map_err(|error| error.what)?);
        Ok(())
    }

    fn allow(&self, at: usize, place: &str, action: &str, spaces: &mut Vec<OnLine<SpaceItem>>) -> Result<(), SourceError> {
        if place == "/" && !spaces.iter().any(|space| space.item.path == place) {
            let root = SpaceItem { path: place.to_owned(), ..SpaceItem::default() };
            spaces.insert(0, OnLine { item: root, line: line_of(self.text, at), from: None });
        }
        let meant = or_may_mean("", place, &spaces.iter().map(|space| space.item.path.as_str()).collect::<Vec<_>>());
        let Some(space) = spaces.iter_mut().find(|space| space.item.path == place) else {
            return Err(self.wrong(at, format!("operation `{action}`: at: expected a space of this source, found `{place}`{meant}")));
        };
        space.item.allow.get_or_insert_default().push(action.to_owned());
        Ok(())
    }
}

/// The JSON Schema of arguments, which may be written as a kind for each: `{ drink = "text", "to?" = "text", size = ["small", "large"] }`.
fn arguments(written: &Map) -> Result<Value, String> {
    let is_schema = ["$ref", "properties", "additionalProperties"].iter().any(|key| written.contains_key(*key))
        || written.get("type").and_then(Value::as_str) == Some("object");
    if is_schema {
        return Ok(Value::Map(written.clone()));
    }
    let (mut properties, mut required) = (Map::new(), Vec::new());
    for (key, said) in written {
        let name = key.strip_suffix('?').unwrap_or(key);
        if name.len() == key.len() {
            required.push(Value::text(name));
        }
        properties.insert(name.into(), argument(said).map_err(|what| format!("{key}: {what}"))?);
    }
    Ok(Value::map([
        ("type", Value::text("object")),
        ("properties", Value::Map(properties)),
        ("required", Value::List(required)),
        ("additionalProperties", Value::Bool(false)),
    ]))
}

/// The schema of one argument: a kind, a list of what it may be, or a schema.
fn argument(said: &Value) -> Result<Value, String> {
    let kind = |kind: &str| Ok(Value::map([("type", Value::text(kind))]));
    match said {
        Value::Text(text) => match text.as_ref() {
            "text" | "address" => kind("string"),
            "number" | "integer" | "boolean" | "object" | "array" => kind(text),
            _ => Err(format!(
                "expected `text`, `address`, `number`, `integer`, `boolean`, a list of what it may be, or a schema; found `{text}`"
            )),
        },
        Value::List(list) => Ok(Value::map([("enum", Value::List(list.clone()))])),
        Value::Map(_) => Ok(said.clone()),
        other => Err(format!("expected a kind such as `text`, a list of what it may be, or a schema; found `{other}`")),
    }
}
