//! Lint: what the author of a source, a role or a flow may not have meant: the one place that the command line, the API and the page ask.
//!
//! A world is asked for what there is; a source is looked through before there is one.

use std::collections::{BTreeMap, BTreeSet};

use crate::cognition::Connection;
use crate::fact::{Cognition, SpaceId, Text, Timing, Trigger, Value, Verb};
use crate::moment::OPERATOR;
use crate::role::{
    Basis, Entry, Flow, Guards, Judge, LintCode, Path, Spec, Warning, did_you_mean, lint, lint_guard, lint_spec, lint_unseen, lint_watch,
    may_mean, or_may_mean, template_paths,
};
use crate::script::{Limits, Sandbox, ScriptDoubt, ScriptDoubted};
use crate::verb::{AT_THE_EDGE, Address, Named, WORDS, actions, address_meant, show, too_long};
use crate::world::{Being, World, cron_doubts, cron_either, entries};

use super::dear_words::dear_words;
use super::files::words_most;
use super::going_on::GoingOn;
use super::heard::is_heard;
use super::known::{Nameable, OF_THINGS, built_in, is_built_in};
use super::lint_args::rule_arguments;
use super::lint_page::{PageWarnings, long_title};
use super::lint_steps::{act_warnings, address_warnings, lets_warnings, never_on, operation_warnings};
use super::literal_sight::LiteralSight;
use super::measured::MeasureList;
use super::quality_writers::{OVER_QUALITIES, asked_alone, asked_of, qualities_named, quality_of};
use super::written::Source;

/// How many of those who may come to wear a role are asked what they see.
const WEARERS: usize = 64;

/// In what something may not be meant.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Doubted {
    /// A being's.
    Being(Text),
    /// A space's flow.
    Space(String),
    /// A role.
    Role(Text),
    /// A signal.
    Signal(Text),
    /// A line of a script.
    Script(Text, u32),
    /// An operation of an extension.
    Operation(Text),
    /// Something to try, in the order in which they are written.
    Try(usize),
    /// A sentence of what is going on, in that order.
    Now(usize),
    /// A measure, in the order in which they are written, by its name.
    Measure(usize, String),
    /// A rule of the world's own.
    Rule(Text),
    /// A table, likewise.
    Table(usize, String),
    /// A scene, likewise.
    Scene(usize, String),
}

impl std::fmt::Display for Doubted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Being(name) => write!(f, "@{name}"),
            Self::Space(path) => f.write_str(path),
            Self::Role(name) => write!(f, "role {name}"),
            Self::Signal(path) => write!(f, "signal {path}"),
            Self::Script(name, _) => write!(f, "script {name}"),
            Self::Operation(name) => write!(f, "operation {name}"),
            Self::Try(at) => write!(f, "try {}", at + 1),
            Self::Now(at) => write!(f, "now {}", at + 1),
            Self::Measure(_, name) => write!(f, "measure {name}"),
            Self::Table(_, name) => write!(f, "table {name}"),
            Self::Rule(name) => write!(f, "rule {name}"),
            Self::Scene(_, name) => write!(f, "test `{name}`"),
        }
    }
}

/// Warnings on the flows and default roles of a source: unknown paths, unknown roles, clauses that can never be reached or woken.
pub fn warnings(source: &Source) -> Vec<String> {
    let built_in = built_in();
    let own = source.extensions.iter().flat_map(|package| package.specs()).chain(&source.roles).chain(&built_in);
    let roles: BTreeMap<Text, Guards> = own.map(|spec| (spec.name.clone(), Guards::of(spec))).collect();
    let role_names: Vec<&str> = roles.keys().map(AsRef::as_ref).collect();
    let known_role = |name: &str| if name == OPERATOR { Some(Guards::default()) } else { roles.get(name).copied() };
    let (mut seen, mut seen_roles) = (BTreeSet::new(), BTreeSet::new());
    let mut warnings = watch_warnings(source);
    let is_one = |value: &Value| value.get("base_url").is_some() && value.get("model").is_some();
    let has_connection = source.config.iter().any(|(key, value)| key.starts_with("llm.") && is_one(value));
    for being in &source.beings {
        let item = &being.item;
        let row = being.from.as_ref().map(|row| format!(" ({row})")).unwrap_or_default();
        let place = format!("{}:{}{row}: @{}", source.file, being.line, item.name);
        let unknown = item.role.as_deref().filter(|role| item.flow.is_null() && known_role(role).is_none());
        // The beings of a population are warned of once for each role.
        if let Some(role) = unknown.filter(|role| item.of.is_none() || seen_roles.insert((being.line, *role))) {
            let meant = or_may_mean("", role, &role_names);
            warnings.push(format!(
                "{place}: role: no role `{role}`; it is neither in `roles/` nor in an extension that the source names{meant}"
            ));
        }
        if item.cognition.as_deref() == Some("llm") && !has_connection {
            warnings.push(format!(
                "{place}: cognition: no connection to a model is configured, so it waits; see `llm.connection` and `llm.<name>` under `[config]`"
            ));
        }
        // The beings of a population share a flow; it is warned of once.
        if item.flow.is_null() || !seen.insert((being.line, item.flow.to_string())) {
            continue;
        }
        let Ok(flow) = Flow::compile(&item.flow) else { continue };
        let default: Option<Text> = item.role.as_deref().map(Text::from);
        let cognition = item.cognition.as_deref().and_then(|word| word.parse().ok()).or(Some(Cognition::Script));
        let known = Basis { roles: &known_role, signals: None, cognition, default_role: default.as_deref(), role_names: &role_names };
        warnings.extend(lint(&flow, &known).into_iter().map(|warning| format!("{place}: flow: {warning}")));
    }
    warnings
}

/// Warnings on a flow by what there is in a world; where it is one being's, by its cognition and default role too.
pub fn flow_warnings(world: &World, flow: &Flow, being: Option<&Being>) -> Vec<Warning> {
    Nameable::of(world).flow(flow, being)
}

/// Warnings on what the roles of a source watch for.
fn watch_warnings(source: &Source) -> Vec<String> {
    let packages = source.extensions.iter();
    let brought = packages.flat_map(|package| &package.operations).filter_map(|item| item.get("name")?.as_text().cloned());
    let known: Vec<Text> = actions().into_iter().chain(brought).collect();
    let specs = source.extensions.iter().flat_map(|package| package.specs()).chain(&source.roles);
    let told =
        |spec: &Spec| lint_watch(spec, &known).into_iter().map(|warning| format!("role {}: {warning}", spec.name)).collect::<Vec<_>>();
    specs.flat_map(told).collect()
}

/// Warnings on a role where there is no world to ask.
pub fn spec_warnings(spec: &Spec) -> Vec<Warning> {
    let mut warnings = lint_spec(spec);
    warnings.extend(lint_watch(spec, &actions()));
    warnings.extend(lint_unseen(spec, &spec.can_see));
    warnings.extend(length(spec, words_most(None)));
    warnings
}

/// That the words of a role are longer than they may be.
fn length(spec: &Spec, most: u64) -> Option<Warning> {
    let tokens = too_long(spec, most)?;
    let what = format!("expected at most {most} tokens of four bytes ({WORDS}), found {tokens}");
    let hint = Some("such a role is refused where it is written (role-too-long)".to_owned());
    Some(Warning { place: "prompt".to_owned(), code: LintCode::RoleTooLong, what, hint })
}

/// Warnings on a role by what there is in a world.
pub fn role_warnings(world: &World, spec: &Spec) -> Vec<Warning> {
    Nameable::of(world).role(spec, true)
}

/// Everything in a world that may not be meant: its roles, flows and signals, and who can never wake.
pub fn world_warnings(world: &World) -> Vec<(Doubted, Warning)> {
    let (known, registry) = (Nameable::of(world), world.registry());
    let mut doubts = Vec::new();
    let mut doubt = |of: Doubted, warnings: Vec<Warning>| doubts.extend(warnings.into_iter().map(|warning| (of.clone(), warning)));
    for (name, role) in registry.roles.iter().filter(|(_, role)| !is_built_in(&role.origin)) {
        doubt(Doubted::Role(name.clone()), known.role(&role.spec, role.origin.as_ref() == "world"));
    }
    // A flow that many have is doubted once.
    let mut seen = BTreeSet::new();
    for being in world.living() {
        let of = Doubted::Being(being.name.clone());
        let told = format!("{:?} {}", being.default_role, being.cognition);
        if seen.insert((told.into(), being.flow.source().to_string().into())) {
            doubt(of.clone(), known.flow(&being.flow, Some(being)));
        }
        // So is a schedule.
        let crons = crons(being).filter(|said| seen.insert(said.clone()));
        doubt(of.clone(), crons.flat_map(|(name, cron)| cron_warnings(&name, &cron)).collect());
        doubt(of.clone(), known.script("script", being.script.as_deref()));
        doubt(of.clone(), known.unbridged(being));
        doubt(of.clone(), known.unapproving(being));
        doubt(of.clone(), known.unheard(being));
        doubt(of.clone(), known.sleeper(being));
        // Of those who are alike in this one is told.
        let alike = (format!("bare {:?}", being.script).into(), format!("{:?}", being.schedules.keys().collect::<Vec<_>>()).into());
        doubt(of, known.roleless(being).into_iter().filter(|_| seen.insert(alike.clone())).collect());
    }
    for space in world.spaces() {
        if let Some(flow) = &space.flow {
            doubt(Doubted::Space(world.path_of(space.id)), known.flow(&flow.flow, None));
        }
    }
    for (name, script) in &registry.scripts {
        for (line, warning) in script_warnings(&script.source, &script.file) {
            doubt(Doubted::Script(name.clone(), line), vec![warning]);
        }
        for (line, warning) in act_warnings(&known, script).into_iter().chain(address_warnings(&known, script)) {
            doubt(Doubted::Script(name.clone(), line), vec![warning]);
        }
    }
    operation_warnings(world).into_iter().for_each(|(name, warnings)| doubt(Doubted::Operation(name), warnings));
    let page = PageWarnings::of(world, &known);
    page.tries.into_iter().enumerate().for_each(|(at, warnings)| doubt(Doubted::Try(at), warnings));
    page.now.into_iter().enumerate().for_each(|(at, warnings)| doubt(Doubted::Now(at), warnings));
    for (name, source) in rules(world) {
        doubt(Doubted::Rule(name), known.rule(source));
    }
    measure_warnings(&known).into_iter().for_each(|(of, warnings)| doubt(of, warnings));
    dear_words(world).into_iter().for_each(|(role, warning)| doubt(Doubted::Role(role), vec![warning]));
    for signal in known.unread() {
        let what = "no flow, no role's `when` or prompt, no rule and no script reads it".to_owned();
        doubt(Doubted::Signal(signal), vec![Warning { place: "value".to_owned(), code: LintCode::UnreadSignal, what, hint: None }]);
    }
    doubts
}

/// The rules of a world and of its extensions, by their names.
fn rules(world: &World) -> impl Iterator<Item = (Text, &Value)> {
    let registry = world.registry();
    let brought = registry.extensions.values().flat_map(|extension| entries(&extension.manifest, "rules"));
    let brought = brought.filter_map(|rule| Some((rule.get("name")?.as_text()?.clone(), rule)));
    registry.rules.iter().map(|(name, rule)| (name.clone(), &*rule.source)).chain(brought)
}

/// Warnings on measures and tables that read what nothing writes, or count those who wear a role that there is not.
fn measure_warnings(known: &Nameable<'_>) -> Vec<(Doubted, Vec<Warning>)> {
    let MeasureList { measures, tables, .. } = MeasureList::of_world(known.world);
    let of_measures = measures.iter().enumerate().map(|(at, measure)| {
        let value = &measure.item.value;
        let (qualities, signals) = (asked_of(OVER_QUALITIES, value), asked_of(&["signal"], value));
        let of_qualities = qualities.iter().filter_map(|path| known.quality("value", path));
        let of_signals = signals.iter().filter_map(|path| known.signal("value", path));
        let of_roles = asked_of(&["wearing"], value).into_iter().filter_map(|role| known.role_named("value", &role));
        let of_warning = measure.item.warn.as_ref().map(GoingOn::warn_doubts).unwrap_or_default();
        let of_sights = LiteralSight::all(value).into_iter().flat_map(|sight| known.sight("value", &sight));
        let of_texts = known.over_texts(value);
        let of_title = measure.item.title.as_deref().and_then(long_title);
        let of_value = of_qualities.chain(of_signals).chain(of_roles).chain(of_sights).chain(of_texts);
        let warnings = of_value.chain(of_warning).chain(of_title).collect();
        (Doubted::Measure(at, measure.item.name.clone()), warnings)
    });
    let of_tables = tables.iter().enumerate().map(|(at, table)| {
        let paths: Vec<(usize, Path)> =
            table.item.columns.iter().enumerate().filter_map(|(at, text)| Some((at, Path::parse(text).ok()?))).collect();
        let quality = |(at, path): &(usize, Path)| known.quality(&format!("columns[{at}]"), quality_of(path)?);
        let signal = |(at, path): &(usize, Path)| {
            if let Path::World(signal) = path { known.signal(&format!("columns[{at}]"), signal) } else { None }
        };
        let warnings = paths.iter().filter_map(|column| quality(column).or_else(|| signal(column))).collect();
        (Doubted::Table(at, table.item.name.clone()), warnings)
    });
    of_measures.chain(of_tables).collect()
}

/// The doubts about a script, by line.
fn script_warnings(source: &str, file: &str) -> Vec<(u32, Warning)> {
    let mut sandbox = Sandbox::new(Limits::default());
    let doubts = sandbox.doubts(source, file).unwrap_or_default();
    let known = if doubts.is_empty() { Vec::new() } else { sandbox.names() };
    let told = |doubt: ScriptDoubt| {
        let (code, hint) = match &doubt.kind {
            ScriptDoubted::Key(key, has) => (LintCode::UnknownKey, did_you_mean("", key, has.iter().copied())),
            ScriptDoubted::Returned => (LintCode::ManyCalls, None),
            ScriptDoubted::Dropped => (LintCode::DroppedAct, None),
            ScriptDoubted::Dollar => (LintCode::PlainQuotes, None),
            ScriptDoubted::Arguments => (LintCode::UnknownFunction, None),
            ScriptDoubted::Function(name) => (LintCode::UnknownFunction, did_you_mean("", name, known.iter().map(AsRef::as_ref))),
        };
        (doubt.line, Warning { place: format!("line {}", doubt.line), code, what: doubt.what, hint })
    };
    doubts.into_iter().map(told).collect()
}

/// The schedules of a being that go by the calendar: their names and expressions.
fn crons(being: &Being) -> impl Iterator<Item = (Text, Text)> {
    being.schedules.iter().filter_map(|(name, schedule)| match &schedule.timing {
        Timing::Cron { expression } => Some((name.clone(), expression.clone())),
        Timing::Every { .. } | Timing::At { .. } => None,
    })
}

/// Steps of a schedule that are longer than their field, and days of which either is enough.
fn cron_warnings(name: &str, cron: &str) -> Vec<Warning> {
    let place = || format!("schedule.{name}.cron");
    let long = |what| Warning { place: place(), code: LintCode::LongStep, what, hint: None };
    let either = |(what, hint)| Warning { place: place(), code: LintCode::EitherDay, what, hint: Some(hint) };
    cron_doubts(cron).into_iter().map(long).chain(cron_either(cron).map(either)).collect()
}

impl Nameable<'_> {
    fn basis<T>(&self, being: Option<&Being>, judge: impl FnOnce(&Basis<'_>) -> T) -> T {
        let at = being.map_or(SpaceId::ROOT, |being| being.position);
        let local = |name: &str| self.world.registry().local_roles.get(name).and_then(|places| places.values().next());
        let roles = |name: &str| self.world.version_at(name, at).or_else(|| local(name)).map(|role| Guards::of(&role.spec));
        let role_names: Vec<&str> = self.world.registry().roles.keys().map(AsRef::as_ref).collect();
        judge(&Basis {
            role_names: &role_names,
            roles: &roles,
            signals: None,
            cognition: being.map(|being| being.cognition),
            default_role: being.and_then(|being| being.default_role.as_deref()),
        })
    }

    fn flow(&self, flow: &Flow, being: Option<&Being>) -> Vec<Warning> {
        let mut warnings = self.basis(being, |basis| lint(flow, basis));
        warnings.extend(flow.signals().iter().filter_map(|signal| self.signal("flow", signal)));
        warnings.extend(flow.paths().into_iter().filter_map(|path| self.quality("flow", quality_of(path)?)));
        let clauses = flow.source().as_list().into_iter().flatten();
        warnings.extend(clauses.filter_map(|clause| clause.get("when")).flat_map(|when| self.kinds("flow", when)));
        warnings
    }

    /// The counts of a measure that meet texts, and its sums and means that meet texts or truth values.
    fn over_texts(&self, value: &str) -> Vec<Warning> {
        let at = self.world.now();
        let met = |path: &str, is: fn(&Value) -> bool| {
            self.world.living().filter(|being| being.qualities.read_at(path, at).is_some_and(|value| is(&value))).count()
        };
        let texts = |path: &str| met(path, |value| value.as_str().is_some());
        let truths = |path: &str| met(path, |value| value.as_bool().is_some());
        let asked = ["mean", "sum", "count"]
            .into_iter()
            .flat_map(|function| asked_alone(function, value).into_iter().map(move |path| (function, path)));
        let what = |(function, path): (&str, String)| match (function, texts(&path), truths(&path)) {
            ("count", 0, _) | (_, 0, 0) => None,
            ("count", texts, _) => Some(format!(
                "`count(\"{path}\")` counts each that is not false, and {texts} of them are texts; name which: `count(\"{path}\", …)`"
            )),
            (_, 0, truths) => Some(format!(
                "`{function}(\"{path}\")` goes over numbers, and {truths} of them are truth values, which it leaves out; `count(\"{path}\")` counts those that are true"
            )),
            (_, texts, _) => {
                Some(format!("`{function}(\"{path}\")` goes over numbers, and {texts} of them are texts, which it leaves out"))
            }
        };
        let warning = |what| Warning { place: "value".to_owned(), code: LintCode::OverTexts, what, hint: None };
        asked.filter_map(what).map(warning).collect()
    }

    /// A quality that is read and that nothing writes.
    fn quality(&self, place: &str, path: &str) -> Option<Warning> {
        if self.writers.is_written(self.world, path) {
            return None;
        }
        let what = format!("nothing has the quality `{path}`, and no script and no role of a model or a person writes it");
        let hint = self.writers.nearest(self.world, path);
        Some(Warning { place: place.to_owned(), code: LintCode::UnwrittenQuality, what, hint })
    }

    /// A look at something that is not there, or at a quality of it that nothing writes.
    fn sight(&self, place: &str, LiteralSight { address, quality }: &LiteralSight) -> Vec<Warning> {
        let nothing = (!self.may_stand(address)).then(|| Warning {
            place: place.to_owned(),
            code: LintCode::UnknownName,
            what: format!("nothing stands at `{address}`, and no script names it"),
            hint: address_meant(self.world, address),
        });
        nothing.into_iter().chain(quality.as_ref().and_then(|path| self.quality(place, path))).collect()
    }

    /// A rule, as it is written.
    fn rule(&self, source: &Value) -> Vec<Warning> {
        let mut warnings: Vec<Warning> = qualities_named(source).iter().filter_map(|path| self.quality("when", path)).collect();
        if let Ok(judge) = Judge::compile("rule", source) {
            warnings.extend(judge.warnings());
            warnings.extend(rule_arguments(self, &judge));
        }
        warnings.extend(source.get("when").into_iter().flat_map(|when| self.kinds("when", when)));
        warnings
    }

    /// A role that is named and that there is not.
    pub(super) fn role_named(&self, place: &str, role: &str) -> Option<Warning> {
        let roles = &self.world.registry().roles;
        if roles.contains_key(role) || self.world.registry().local_roles.contains_key(role) {
            return None;
        }
        let hint = may_mean("", role, &roles.keys().map(AsRef::as_ref).collect::<Vec<_>>());
        Some(Warning { place: place.to_owned(), code: LintCode::UnknownRole, what: format!("the role `{role}` is not registered"), hint })
    }

    /// A signal that is read and that nobody sets.
    pub(super) fn signal(&self, place: &str, signal: &str) -> Option<Warning> {
        if self.is_set(signal) {
            return None;
        }
        let hint = did_you_mean("world.", signal, self.signals.iter().map(AsRef::as_ref));
        let what = format!("nobody sets the signal `{signal}`, and no role binds its namespace");
        Some(Warning { place: place.to_owned(), code: LintCode::UnknownSignal, what, hint })
    }

    /// A role; what it names of things is doubted where it was written for this world.
    fn role(&self, spec: &Spec, names_things: bool) -> Vec<Warning> {
        let mut warnings = lint_spec(spec);
        warnings.extend(length(spec, self.world.count_at(WORDS, SpaceId::ROOT)));
        let known: Vec<Text> = actions().into_iter().chain(self.operations.iter().cloned()).collect();
        warnings.extend(lint_watch(spec, &known));
        warnings.extend(self.unseen(spec, names_things));
        warnings.extend(lets_warnings(self.world, spec));
        if let Some(guard) = &spec.when {
            warnings.extend(self.basis(None, |basis| lint_guard(guard, basis)));
            warnings.extend(guard.reads().signals.iter().filter_map(|signal| self.signal("when", signal)));
            warnings.extend(guard.paths().into_iter().filter_map(|path| self.quality("when", quality_of(path)?)));
            warnings.extend(self.kinds("when", guard.source()));
        }
        for (at, name) in spec.see.iter().enumerate().filter(|(_, name)| !self.has_resolver(name)) {
            let hint = did_you_mean("", name, self.resolvers.iter().map(AsRef::as_ref));
            let what = format!("there is no resolver `{name}`");
            warnings.push(Warning { place: format!("see[{at}]"), code: LintCode::UnknownResolver, what, hint });
        }
        warnings.extend(self.script("script", spec.script.as_deref()));
        let told = template_paths(&spec.prompt);
        let signals = told.iter().filter_map(|path| path.strip_prefix("world.")).filter(|signal| signal.contains('.'));
        warnings.extend(signals.filter_map(|signal| self.signal("prompt", signal)));
        for verb in Verb::ALL.iter().copied() {
            for (at, entry) in spec.list(verb).iter().enumerate() {
                let place = format!("{}[{at}]", Spec::list_key(verb));
                warnings.extend(self.entry(verb, entry, names_things).map(|warning| Warning { place, ..warning }));
            }
        }
        warnings
    }

    /// The watched things that no wearer of a role can see, with all else that the wearer may wear; without wearers, the role by itself.
    fn unseen(&self, spec: &Spec, is_own: bool) -> Vec<Warning> {
        let world = self.world;
        if spec.watch.is_empty() {
            return Vec::new();
        }
        let sees = |role: &Text, being: &Being| world.version_at(role, being.position).map(|role| role.spec.can_see.clone());
        let wearers = world.wearers_of(&spec.name).take(WEARERS).filter_map(|id| world.being(id));
        let wearers: Vec<Vec<Entry>> = wearers
            .map(|being| {
                let others = world.may_wear(being).into_iter().filter(|role| *role != spec.name);
                spec.can_see.iter().cloned().chain(others.filter_map(|role| sees(&role, being)).flatten()).collect()
            })
            .collect();
        match wearers.iter().map(|can_see| lint_unseen(spec, can_see)).max_by_key(Vec::len) {
            Some(warnings) => warnings,
            // One that an extension brings may be for a stack, whose other roles see.
            None if spec.can_see.is_empty() && !is_own => Vec::new(),
            None => lint_unseen(spec, &spec.can_see),
        }
    }

    fn script(&self, place: &str, name: Option<&str>) -> Vec<Warning> {
        let scripts = &self.world.registry().scripts;
        let missing = name.filter(|name| !scripts.contains_key(*name));
        let warning = missing.map(|name| {
            let hint = did_you_mean("", name, scripts.keys().map(AsRef::as_ref));
            Warning { place: place.to_owned(), code: LintCode::UnknownScript, what: format!("there is no script `{name}`"), hint }
        });
        warning.into_iter().collect()
    }

    /// A warning about an entry, its place left out.
    fn entry(&self, verb: Verb, entry: &Entry, names_things: bool) -> Option<Warning> {
        let place = String::new;
        match (verb, entry) {
            (Verb::Do | Verb::Be, Entry::Name(action) | Entry::Bound { action, .. }) => {
                let (known, kind) = if verb == Verb::Do { (&self.operations, "operation") } else { (&self.bindings, "operation of be") };
                if known.iter().any(|name| action.matches(name)) {
                    let on = if let Entry::Bound { on: Some(on), .. } = entry { Some(on.as_ref()) } else { None };
                    if let Some(never) = on.filter(|_| verb == Verb::Do).and_then(|on| never_on(self.world, action, on)) {
                        return Some(never);
                    }
                    return on.filter(|_| names_things).and_then(|on| self.thing(on));
                }
                let hint = did_you_mean("", action.as_str(), known.iter().map(AsRef::as_ref));
                let what = format!("no {kind} is called `{action}`");
                Some(Warning { place: place(), code: LintCode::UnknownOperation, what, hint })
            }
            _ if names_things && OF_THINGS.contains(&verb) => self.thing(entry),
            _ => None,
        }
    }

    /// A warning about an entry that names things: a plain word or address that is nobody's and nothing's.
    fn thing(&self, entry: &Entry) -> Option<Warning> {
        let Entry::Name(glob) = entry else { return None };
        let name = glob.as_str();
        let is_there = !glob.is_literal() || self.is_name(name) || (name.starts_with(['/', '@']) && self.is_address(name));
        if is_there {
            return None;
        }
        let bare = name.trim_start_matches('@');
        let sigil = if name.starts_with('@') { "@" } else { "" };
        let hint = if name.starts_with('/') { None } else { did_you_mean(sigil, bare, self.names()) };
        Some(Warning { place: String::new(), code: LintCode::UnknownName, what: format!("nothing here is called `{name}`"), hint })
    }

    /// Whether something stands at an address.
    pub(super) fn is_address(&self, address: &str) -> bool {
        let operator = self.world.being(self.world.operator());
        let named = operator
            .zip(address.parse::<Address>().ok())
            .and_then(|(operator, address)| address.resolve(self.world, operator, self.world.now()).ok());
        // Of the world's books only those are asked for that there are.
        match named {
            Some(Named::Register { ref register, .. }) if AT_THE_EDGE.contains(&register.as_ref()) => true,
            Some(named) => show(self.world, &named, None, self.world.now()).is_ok(),
            None => false,
        }
    }

    /// A bridge of which nothing says what it reaches.
    fn unbridged(&self, being: &Being) -> Vec<Warning> {
        if being.cognition != Cognition::Bridge || Connection::of(self.world, being, None).is_some() {
            return Vec::new();
        }
        let bridges: Vec<&str> = self.world.registry().config.keys().filter_map(|key| key.strip_prefix("bridge.")).collect();
        let setting = self.world.setting("bridge", being);
        let (what, hint) = match setting.as_str() {
            Some(name) => {
                (format!("no bridge `{name}`; say what it reaches under `bridge.{name}` in `[config]`"), may_mean("", name, &bridges))
            }
            None => ("nothing says which bridge it is; give it `settings = { bridge = \"NAME\" }`".to_owned(), None),
        };
        vec![Warning { place: "cognition".to_owned(), code: LintCode::UnknownBridge, what, hint }]
    }

    /// Somebody by name who is to approve what a bridge sends, and is not there, or may not by any role that it may come to wear.
    fn unapproving(&self, being: &Being) -> Vec<Warning> {
        let bridge = self.world.bridge_of(being).filter(|_| being.cognition == Cognition::Bridge);
        let Some((key, said)) = bridge else { return Vec::new() };
        let by = Some(said).and_then(|said| said.get("approve")?.get("by")?.as_str()?.strip_prefix('@'));
        let Some(by) = by else { return Vec::new() };
        let (what, hint) = match self.world.being_named(by) {
            None => {
                let what = format!("`{key}` says that @{by} approves what leaves; nobody is called so, and the operator is asked");
                (what, did_you_mean("@", by, self.names()))
            }
            Some(approver) if !self.may_approve(approver) => {
                let what =
                    format!("`{key}` says that @{by} approves what leaves; no role that @{by} may wear has `wake.approve` in its canDo");
                (what, None)
            }
            Some(_) => return Vec::new(),
        };
        vec![Warning { place: "cognition".to_owned(), code: LintCode::Approver, what, hint }]
    }

    /// A bridge that hears and tells nobody: the being that it names is not there, or the role of its senders may not summon it.
    fn unheard(&self, being: &Being) -> Vec<Warning> {
        let bridge = self.world.bridge_of(being).filter(|_| being.cognition == Cognition::Bridge);
        let Some((key, said)) = bridge else { return Vec::new() };
        let Some(whom) = said.get("deliver").and_then(Value::as_str) else { return Vec::new() };
        let role = self.world.sender_role(being, being.cognition).unwrap_or_default();
        let name = whom.trim_start_matches('@');
        let (what, hint) = match (self.world.being_named(name), self.world.role_at(&role, being.position)) {
            (None, _) => (format!("`{key}` tells {whom} what comes in, and nobody is called so"), did_you_mean("@", name, self.names())),
            (Some(_), None) => (format!("`{key}` says that senders wear `{role}`, and there is no such role"), None),
            (Some(whom), Some(role)) if !self.lets_summon(&role.spec, whom) => {
                let what =
                    format!("`{key}` tells @{name} what comes in; senders wear `{}`, whose canSummon has no `@{name}`", role.spec.name);
                (what, None)
            }
            (Some(_), Some(_)) => return Vec::new(),
        };
        vec![Warning { place: "cognition".to_owned(), code: LintCode::UnheardHook, what, hint }]
    }

    /// Whether a being may come to wear a role by which it can approve a request.
    fn may_approve(&self, being: &Being) -> bool {
        let roles = self.world.may_wear(being);
        let mut specs = roles.iter().filter_map(|role| self.world.role_at(role, being.position));
        specs.any(|role| role.spec.can_do.iter().any(|entry| entry.covers_action("wake.approve")))
    }

    /// Whether nothing but an act of the operator's wakes a being by which it would think for itself.
    fn sleeper(&self, being: &Being) -> Vec<Warning> {
        let listens =
            being.listens.iter().any(|trigger| matches!(trigger, Trigger::Hear | Trigger::Enter | Trigger::Arrival | Trigger::Boot));
        let heeds = being.cognition == Cognition::Script || being.listens.contains(&Trigger::Change);
        let reads = self.world.reads_of(being.id).is_some_and(|reads| !reads.is_empty() || (heeds && !reads.paths.is_empty()));
        let wakes = being.cognition == Cognition::Human
            || (!being.schedules.is_empty() && being.listens.contains(&Trigger::Schedule))
            || (being.listens.contains(&Trigger::Watch) && self.watches(being))
            || listens
            || reads
            || self.world.bridge_of(being).is_some_and(|(_, said)| said.get("deliver").is_some());
        if wakes || self.world.living().any(|other| other.id != being.id && self.may_summon(other, being)) {
            return Vec::new();
        }
        let what = "nothing wakes it but the operator: it has no schedule, hears nothing, and nobody may summon it".to_owned();
        vec![Warning { place: "schedule".to_owned(), code: LintCode::NeverWoken, what, hint: None }]
    }

    /// That a being which wakes by a schedule has no role at any time, and no way to come to one.
    fn roleless(&self, being: &Being) -> Vec<Warning> {
        let world = self.world;
        // A place adds only what is worn upon a role.
        let is_stacked = |clause: &Value| clause.get("stack").and_then(Value::as_bool) == Some(true);
        let is_bare = being.default_role.is_none() && being.flow.source().as_list().is_none_or(|clauses| clauses.iter().all(is_stacked));
        let wakes = !being.schedules.is_empty() && being.id != world.operator();
        // Somebody may give it a flow.
        let gives = |role: &Text| {
            let role = world.role_at(role, being.position);
            role.is_some_and(|role| role.spec.can_do.iter().any(|entry| entry.covers_action("flow.set")))
        };
        let mut others = world.living().filter(|other| other.id != world.operator());
        if !wakes || !is_bare || others.any(|other| world.may_wear(other).iter().any(gives)) {
            return Vec::new();
        }
        let what = "it wears no role at any time (no default role, no flow), so the wakes of its schedule do nothing (no-role)".to_owned();
        let hint = Some("give it a `role`".to_owned());
        vec![Warning { place: "schedule".to_owned(), code: LintCode::NothingToWear, what, hint }]
    }

    /// Whether a being may come to wear a role that watches for anything.
    fn watches(&self, being: &Being) -> bool {
        let roles = self.world.may_wear(being);
        roles.iter().filter_map(|role| self.world.role_at(role, being.position)).any(|role| !role.spec.watch.is_empty())
    }

    /// Whether a being may come to wear a role by which it can summon another; relations are taken to hold.
    fn may_summon(&self, other: &Being, being: &Being) -> bool {
        let roles = self.world.may_wear(other);
        roles.iter().filter_map(|role| self.world.role_at(role, other.position)).any(|role| self.lets_summon(&role.spec, being))
    }

    /// Whether a role lets its wearer summon a being; relations are taken to hold.
    fn lets_summon(&self, role: &Spec, being: &Being) -> bool {
        let own = [being.name.clone(), format!("@{}", being.name).into()];
        let names: Vec<Text> = own.into_iter().chain(self.world.may_wear(being)).collect();
        role.can_summon.iter().any(|entry| match entry {
            Entry::Name(glob) => names.iter().any(|name| glob.matches(name)),
            Entry::Rel(_) | Entry::Pattern(_) => true,
            Entry::Bound { .. } => false,
        })
    }

    /// The signals that stand and that nothing reads, as far as that can be told from what is written.
    fn unread(&self) -> Vec<Text> {
        let standing = self.signals.iter().filter(|signal| self.world.signals().at(signal).is_some());
        standing.filter(|signal| !is_heard(self.world, signal)).cloned().collect()
    }
}
