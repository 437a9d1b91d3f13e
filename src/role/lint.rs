//! Lint: what is well formed in a flow or a role, and probably not meant.
//!
//! Warnings carry the same places as errors. Nothing here changes what a flow answers; the constant part of the evaluator itself is asked
//! whether a condition can hold, so that the lint and the evaluator cannot disagree.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::fact::{Cognition, Text, Value, Verb};

use super::condition::Condition;
use super::flow::{Clause, Flow, gather};
use super::guard::Guard;
use super::hint::path_hint;
use super::name;
use super::operand::Operand;
use super::operator::{Asks, Operator};
use super::path::{Path, overlap};
use super::seen::Seen;
use super::spec::Spec;
use super::template::{single_paths, template_paths};
use super::when::Node;

/// The kind of a warning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum LintCode {
    /// A path that no moment has.
    UnknownPath,
    /// A role that is not registered.
    UnknownRole,
    /// A signal that nobody sets.
    UnknownSignal,
    /// A role that requires another cognition than the being's.
    WrongCognition,
    /// A clause that an earlier one always comes before.
    Unreachable,
    /// Conditions that cannot hold, alone or together.
    NeverTrue,
    /// Conditions that hold in every moment.
    AlwaysTrue,
    /// A condition over time that no wake can be computed for.
    NotWoken,
    /// A role without a prompt and without a script.
    EmptyPrompt,
    /// A role whose words are longer than they may be.
    RoleTooLong,
    /// An entry that stands twice in a list.
    Repeated,
    /// A watch of everything, anywhere.
    WatchesAll,
    /// A watch for what the role does not let its wearer see.
    UnseenWatch,
    /// An action that nobody can do.
    UnknownAction,
    /// An entry that names nothing.
    UnknownName,
    /// An operation that there is not.
    UnknownOperation,
    /// A see-resolver that there is not.
    UnknownResolver,
    /// A script that there is not.
    UnknownScript,
    /// A signal that nobody reads.
    UnreadSignal,
    /// A quality that is read and that nothing writes.
    UnwrittenQuality,
    /// A measure that goes over numbers or truth values and meets texts.
    OverTexts,
    /// A bridge of which nothing says what it reaches.
    UnknownBridge,
    /// Somebody who is to approve what a bridge sends, and is not there or may not.
    Approver,
    /// A bridge that hears, and tells nobody.
    UnheardHook,
    /// A being that nothing wakes.
    NeverWoken,
    /// A step of a schedule that is longer than its field.
    LongStep,
    /// A schedule by a day of the month and a day of the week, of which either is enough.
    EitherDay,
    /// A function that a script calls and that nobody offers, or not so.
    UnknownFunction,
    /// A key that no face has.
    UnknownKey,
    /// A list that a mind returns.
    ManyCalls,
    /// An act that a script makes and does not return.
    DroppedAct,
    /// A place of a text that has one brace where two are read.
    OneBrace,
    /// A comparison with a value of another kind.
    OtherKind,
    /// A schedule of somebody who has nothing to wear.
    NothingToWear,
    /// A place in a text of a script whose quotes read none.
    PlainQuotes,
    /// A sentence that is too long for a glance.
    LongSentence,
    /// A title that is too long for its place on the page.
    LongTitle,
    /// A role by which a word may cost many calls.
    DearWord,
}

/// Something that may not be meant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Warning {
    /// Where it is written.
    pub place: String,
    /// Its kind.
    pub code: LintCode,
    /// The finding, in words.
    pub what: String,
    /// A hint at what may have been meant.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

impl std::fmt::Display for Warning {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.place, self.what)?;
        self.hint.iter().try_for_each(|hint| write!(f, "; {hint}"))
    }
}

/// The guards of a role, by which it may be passed over though its clause matches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Guards {
    /// The cognition that it requires.
    pub cognition: Option<Cognition>,
    /// Whether it has a `when` of its own.
    pub when: bool,
}

impl Guards {
    /// Those of a role.
    pub fn of(spec: &Spec) -> Self {
        Self { cognition: spec.required_cognition, when: spec.when.is_some() }
    }
}

/// The facts that the lint relies on.
#[derive(Clone, Copy)]
pub struct Basis<'a> {
    /// The registered roles: nothing for one that is not.
    pub roles: &'a dyn Fn(&str) -> Option<Guards>,
    /// The declared signals; without them none is doubted.
    pub signals: Option<&'a BTreeSet<Text>>,
    /// The being's cognition, where the flow is one being's.
    pub cognition: Option<Cognition>,
    /// The being's default role.
    pub default_role: Option<&'a str>,
    /// The names of the registered roles, to find the one that may be meant.
    pub role_names: &'a [&'a str],
}

/// Every warning about a flow, in the order of its clauses.
pub fn lint(flow: &Flow, known: &Basis<'_>) -> Vec<Warning> {
    let mut lint = Lint { known, warnings: Vec::new() };
    if let Some(role) = known.default_role {
        lint.role("defaultRole", role);
    }
    for (index, clause) in flow.clauses().iter().enumerate() {
        lint.role(&format!("[{index}].role"), &clause.role);
        lint.order(index, clause, flow);
        lint.conditions(clause);
        if always(&clause.when) && asks(flow, index) {
            lint.warn(format!("[{index}].when"), LintCode::AlwaysTrue, "this clause holds in every moment", None);
        }
        if let Some(never) = never(&clause.when) {
            lint.warn(format!("[{index}].when"), LintCode::NeverTrue, format!("this clause can never match: {never}"), None);
        }
    }
    lint.warnings
}

/// Whether a clause has conditions as written.
fn asks(flow: &Flow, index: usize) -> bool {
    written(flow, index).and_then(Value::as_map).is_some_and(|when| !when.is_empty())
}

/// The `when` of a clause as written.
fn written(flow: &Flow, index: usize) -> Option<&Value> {
    flow.source().as_list()?.get(index)?.get("when")
}

/// Every warning about a role.
pub fn lint_spec(spec: &Spec) -> Vec<Warning> {
    let mut warnings = Vec::new();
    if spec.prompt.is_empty() && spec.script.is_none() && !matches!(spec.required_cognition, Some(Cognition::Human | Cognition::Bridge)) {
        let what = "expected a prompt or a script, found neither".to_owned();
        let hint = Some("a mind that wears only this role is told nothing about it".to_owned());
        warnings.push(Warning { place: "prompt".to_owned(), code: LintCode::EmptyPrompt, what, hint });
    }
    for verb in Verb::ALL.iter().copied() {
        let list: Vec<Value> = spec.list(verb).iter().map(super::entry::Entry::to_value).collect();
        repeats(Spec::list_key(verb), &list, &mut warnings);
    }
    let watch: Vec<Value> = spec.watch.iter().map(super::entry::Entry::to_value).collect();
    repeats("watch", &watch, &mut warnings);
    let lets: Vec<Value> = spec.lets.iter().map(|glob| glob.as_str().into()).collect();
    repeats("lets", &lets, &mut warnings);
    let see: Vec<Value> = spec.see.iter().map(Value::from).collect();
    repeats("see", &see, &mut warnings);
    let triggers: Vec<Value> = spec.trigger_on.iter().map(|trigger| trigger.word().into()).collect();
    repeats("triggerOn", &triggers, &mut warnings);
    for path in template_paths(&spec.prompt).into_iter().filter(|path| !is_told(path)) {
        let hint = path_hint(&path);
        warnings.push(Warning {
            place: "prompt".to_owned(),
            code: LintCode::UnknownPath,
            what: format!("no prompt is told `{path}`"),
            hint,
        });
    }
    warnings.extend(one_brace("prompt", &spec.prompt, |path| path.contains('.') && is_told(path)));
    warnings
}

/// Every place of a text that has one brace and would be filled in with two.
pub fn one_brace(place: &str, text: &str, is_place: impl Fn(&str) -> bool) -> Vec<Warning> {
    let paths: BTreeSet<&str> = single_paths(text).into_iter().filter(|path| is_place(path)).collect();
    let warning = |path: &str| Warning {
        place: place.to_owned(),
        code: LintCode::OneBrace,
        what: format!("`{{{path}}}` is told as it stands, since a place has two braces"),
        hint: Some(format!("write `{{{{{path}}}}}`")),
    };
    paths.into_iter().map(warning).collect()
}

/// Every warning about the `when` of a role, by what is known of signals and roles.
pub fn lint_guard(guard: &Guard, known: &Basis<'_>) -> Vec<Warning> {
    let mut lint = Lint { known, warnings: Vec::new() };
    let mut conditions = Vec::new();
    gather(guard.nodes(), &mut conditions);
    lint.asked(&conditions);
    if always(guard.nodes()) {
        lint.warn("when", LintCode::AlwaysTrue, "it holds in every moment", None);
    }
    if let Some(never) = never(guard.nodes()) {
        lint.warn("when", LintCode::NeverTrue, format!("this role can never be worn: {never}"), None);
    }
    lint.warnings
}

/// Whether a prompt is told what a path names: a path of a moment, or the beginning of one. A path with a part of its own is not told.
fn is_told(path: &str) -> bool {
    let beginning = format!("{path}.");
    let is_beginning =
        Path::WORDS.iter().any(|word| word.starts_with(&beginning)) || ["me.quality", "space.quality", "world"].contains(&path);
    let of_signals = path.starts_with("world.");
    let known = Path::parse(path).is_ok_and(|path| !path.is_unknown() && !matches!(path, Path::SpaceWearing(_) | Path::InTreeOf(_)));
    is_beginning || of_signals || known
}

/// Every warning about the operands of some conditions, whatever they ask about.
pub(super) fn lint_operands(nodes: &[Node]) -> Vec<Warning> {
    let mut conditions = Vec::new();
    gather(nodes, &mut conditions);
    conditions.into_iter().filter_map(compared_as_text).collect()
}

/// That a number stands in quotation marks where only the order counts: no number comes before or after a text.
fn compared_as_text(condition: &Condition) -> Option<Warning> {
    let is_order = matches!(condition.operator.asks(), Asks::Above { .. } | Asks::Below { .. }) && condition.path != Path::TimeIso;
    let Operand::Value(Value::Text(text)) = &condition.operand else { return None };
    let is_number = text.parse::<f64>().is_ok_and(f64::is_finite);
    (is_order && is_number).then(|| Warning {
        place: condition.place.to_string(),
        code: LintCode::NeverTrue,
        what: format!("`\"{text}\"` compares as text, and never with a number"),
        hint: Some(format!("write `{text}` without the quotation marks")),
    })
}

fn repeats(key: &str, list: &[Value], warnings: &mut Vec<Warning>) {
    for (index, value) in list.iter().enumerate() {
        if let Some(first) = list.iter().take(index).position(|earlier| earlier == value) {
            let what = format!("{value} stands in the list already, at `{key}[{first}]`");
            warnings.push(Warning { place: format!("{key}[{index}]"), code: LintCode::Repeated, what, hint: None });
        }
    }
}

struct Lint<'a> {
    known: &'a Basis<'a>,
    warnings: Vec<Warning>,
}

impl Lint<'_> {
    fn warn(&mut self, place: impl Into<String>, code: LintCode, what: impl Into<String>, hint: Option<String>) {
        self.warnings.push(Warning { place: place.into(), code, what: what.into(), hint });
    }

    fn role(&mut self, place: &str, role: &str) {
        match ((self.known.roles)(role), self.known.cognition) {
            (None, _) => self.unknown_role(place, role),
            (Some(Guards { cognition: Some(required), .. }), Some(own))
                if required != own && own != Cognition::Human && required != Cognition::Human =>
            {
                self.warn(
                    place,
                    LintCode::WrongCognition,
                    format!("the role `{role}` requires the cognition {required}, the being's is {own}"),
                    None,
                );
            }
            // An inhabited being is human for a while, so any being may come to wear a role for people.
            (Some(_), _) => {}
        }
    }

    fn unknown_role(&mut self, place: &str, role: &str) {
        let hint = name::may_mean("", role, self.known.role_names);
        self.warn(place, LintCode::UnknownRole, format!("the role `{role}` is not registered"), hint);
    }

    /// Whether an earlier clause always comes before this one.
    fn order(&mut self, index: usize, clause: &Clause, flow: &Flow) {
        for (before, earlier) in flow.clauses().iter().enumerate().take(index) {
            // Stacked clauses only come before one another where they add the same role.
            let is_rival = clause.is_stacked == earlier.is_stacked && (!clause.is_stacked || clause.role == earlier.role);
            let is_before = always(&earlier.when) || (asks(flow, before) && written(flow, before) == written(flow, index));
            if is_rival && is_before && (clause.role == earlier.role || self.is_surely_worn(&earlier.role)) {
                let why = if always(&earlier.when) { "always matches" } else { "asks for the same" };
                return self.warn(
                    format!("[{index}]"),
                    LintCode::Unreachable,
                    format!("this clause is never reached, because clause {before} {why}"),
                    None,
                );
            }
        }
    }

    /// Whether a role passes the guards whenever its clause matches.
    fn is_surely_worn(&self, role: &str) -> bool {
        (self.known.roles)(role) == Some(Guards::default())
    }

    fn conditions(&mut self, clause: &Clause) {
        let mut conditions = Vec::new();
        gather(&clause.when, &mut conditions);
        self.asked(&conditions);
    }

    fn asked(&mut self, conditions: &[&Condition]) {
        for condition in conditions {
            let mut paths = vec![&condition.path];
            condition.operand.paths(&mut paths);
            paths.into_iter().for_each(|path| self.path(&condition.place, path));
            self.values(condition);
            if super::time::TimeReads::of(&[*condition]).opaque {
                let hint = "use `time.hour`, `time.dayOfWeek`, or a number of seconds for `time.sinceLastMoment`".to_owned();
                self.warn(condition.place.as_ref(), LintCode::NotWoken, "nothing wakes the being when this changes", Some(hint));
            }
        }
    }

    fn path(&mut self, place: &str, path: &Path) {
        let text = path.to_string();
        if let Some((last, meant)) = text.rsplit('.').next().and_then(|last| Some((last, operator_meant(last)?))) {
            let what = format!("`{last}` is no operator, so it is read as the end of the path `{text}`");
            self.warn(place, LintCode::UnknownPath, what, Some(format!("did you mean `{meant}`?")));
        }
        match path {
            Path::Unknown(text) => {
                self.warn(place, LintCode::UnknownPath, format!("no moment has the path `{text}`"), path_hint(text));
            }
            Path::World(signal) if self.known.signals.is_some_and(|known| !declares(known, signal)) => {
                let known = self.known.signals.into_iter().flatten().map(AsRef::as_ref);
                let hint = name::did_you_mean("world.", signal, known);
                self.warn(place, LintCode::UnknownSignal, format!("nobody sets the signal `{signal}`"), hint);
            }
            Path::SpaceWearing(role) if (self.known.roles)(role).is_none() => {
                self.unknown_role(place, role);
            }
            _ => {}
        }
    }

    /// A word that its path never has, or a number that is written as text.
    fn values(&mut self, condition: &Condition) {
        self.warnings.extend(compared_as_text(condition));
        let Some(words) = words_of(&condition.path) else { return };
        if !matches!(condition.operator.asks(), Asks::Same | Asks::Other) {
            return;
        }
        let values = condition.operand.values();
        for value in values.into_iter().filter(|value| !value.is_null() && !value.as_str().is_some_and(|word| words.contains(&word))) {
            let hint = Some(name::hint(value.as_str().unwrap_or_default(), &words));
            self.warn(condition.place.as_ref(), LintCode::NeverTrue, format!("`{}` is never {value}", condition.path), hint);
        }
    }
}

/// A signal is declared if it, a part of it or what it is part of is.
fn declares(known: &BTreeSet<Text>, signal: &str) -> bool {
    known.iter().any(|declared| overlap(declared, signal))
}

/// The closed list of words that a path may have.
fn words_of(path: &Path) -> Option<Vec<&'static str>> {
    match path {
        Path::Verb => Some(Verb::ALL.iter().map(|verb| verb.word()).collect()),
        Path::CallerCognition | Path::MeCognition => Some(Cognition::ALL.iter().map(|cognition| cognition.word()).collect()),
        _ => None,
    }
}

/// Every value that a path may have, where they are few.
fn domain(path: &Path) -> Option<Vec<Value>> {
    let numbers = |end: i64| (0..end).map(Value::Int).collect();
    match path {
        Path::TimeHour => Some(numbers(24)),
        Path::TimeMinute => Some(numbers(60)),
        Path::TimeDayOfWeek => Some(numbers(7)),
        Path::InHomeSpace | Path::InTreeOf(_) => Some(vec![Value::Bool(false), Value::Bool(true), Value::Null]),
        Path::CallerIsSelf | Path::CallerIsParent | Path::CallerIsAncestor | Path::CallerIsDescendant => {
            Some(vec![Value::Bool(false), Value::Bool(true), Value::Null])
        }
        Path::Verb | Path::CallerCognition | Path::MeCognition => {
            Some(words_of(path)?.into_iter().map(Value::from).chain([Value::Null]).collect())
        }
        _ => None,
    }
}

/// Whether nodes hold in every moment: they ask for nothing, or negate what cannot be.
fn always(nodes: &[Node]) -> bool {
    nodes.iter().all(|node| match node {
        Node::One(_) => false,
        Node::And(_, inside) => always(inside),
        Node::Or(_, inside) => inside.iter().any(|node| always(std::slice::from_ref(node))),
        Node::Not(_, inside) => never(inside).is_some(),
    })
}

/// Why nodes cannot all hold, if that is certain.
fn never(nodes: &[Node]) -> Option<String> {
    let mut together = BTreeMap::new();
    gather_joint(nodes, &mut together).or_else(|| together.into_iter().find_map(|(path, conditions)| clash(path, &conditions)))
}

/// Gathers by path what must hold together, or says which group never holds.
fn gather_joint<'a>(nodes: &'a [Node], into: &mut BTreeMap<&'a Path, Vec<&'a Condition>>) -> Option<String> {
    nodes.iter().find_map(|node| match node {
        Node::One(condition) => {
            into.entry(&condition.path).or_default().push(condition);
            None
        }
        Node::And(_, inside) => gather_joint(inside, into),
        Node::Or(place, inside) => {
            let is_dead = inside.iter().all(|branch| never(std::slice::from_ref(branch)).is_some());
            is_dead.then(|| format!("no branch of `{place}` can hold"))
        }
        Node::Not(place, inside) => always(inside).then(|| format!("`{place}` negates what always holds")),
    })
}

/// Why conditions on one path cannot hold together: every value that could satisfy one fails another.
fn clash(path: &Path, conditions: &[&Condition]) -> Option<String> {
    let fails = |value: &Value| conditions.iter().any(|condition| condition.holds_for(Seen::from(value)) == Some(false));
    let candidates = if path.is_unknown() {
        Some(vec![Value::Null])
    } else {
        domain(path).or_else(|| conditions.iter().find_map(|condition| wanted(condition)))
    };
    if let Some(candidates) = candidates {
        return candidates.iter().all(fails).then(|| format!("no value of `{path}` satisfies {}", listed(conditions)));
    }
    let bound = |is_bound: fn(Asks) -> bool, pick: fn(f64, f64) -> f64| {
        conditions.iter().filter(|condition| is_bound(condition.operator.asks())).filter_map(|condition| number(condition)).reduce(pick)
    };
    let low = bound(|asks| matches!(asks, Asks::Above { .. }), f64::max)?;
    let high = bound(|asks| matches!(asks, Asks::Below { .. }), f64::min)?;
    (low > high).then(|| format!("no value of `{path}` satisfies {}", listed(conditions)))
}

/// The only values with which a condition can hold.
fn wanted(condition: &Condition) -> Option<Vec<Value>> {
    let is_certain = condition.operator.asks() == Asks::Same && condition.operand.is_constant();
    is_certain.then(|| condition.operand.values().into_iter().cloned().collect())
}

fn number(condition: &Condition) -> Option<f64> {
    if let Operand::Value(value) = &condition.operand { value.as_float() } else { None }
}

fn listed(conditions: &[&Condition]) -> String {
    let parts: Vec<_> = conditions.iter().map(|condition| format!("{} {}", condition.operator, condition.operand.written())).collect();
    parts.join(" and ")
}

/// Words and signs that people write for an operator, each with the one they mean. Hardly a path ends so.
const MISSPELT: [(&str, &str); 14] = [
    ("get", "gte"),
    ("ge", "gte"),
    ("le", "lte"),
    ("equals", "eq"),
    ("equal", "eq"),
    ("greater", "gt"),
    ("less", "lt"),
    (">", "gt"),
    (">=", "gte"),
    ("<", "lt"),
    ("<=", "lte"),
    ("=", "eq"),
    ("==", "eq"),
    ("!=", "ne"),
];

/// The operator that is most likely meant by a word that is none, at the end of a path: also one in other letters, such as `gt_e` or `GTE`.
pub fn operator_meant(word: &str) -> Option<&'static str> {
    let plain = |text: &str| text.chars().filter(|sign| sign.is_ascii_alphanumeric()).collect::<String>().to_ascii_lowercase();
    let (bare, is_other) = (plain(word), |known: &&&str| **known != word);
    let in_other_letters = || Operator::WORDS.iter().filter(is_other).find(|known| plain(known) == bare).copied();
    MISSPELT.iter().find(|(wrong, _)| *wrong == word).map(|(_, meant)| *meant).or_else(in_other_letters)
}
