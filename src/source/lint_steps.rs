//! Lint steps: which operations of an extension can never be done, or have a step that can never pass the gate.
//!
//! A step is doubted only where its script spells it out. A target that a script computes is not guessed at.

use std::collections::BTreeSet;

use crate::fact::{Cognition, Text, Verb};
use crate::role::{Entry, Glob, LintCode, Rel, Spec, Warning, did_you_mean, one_brace};
use crate::script::{Sandbox, WrittenAddress, WrittenOn, WrittenStep};
use crate::verb::{Doable, Rule, actions, address_meant, core, operations};
use crate::world::{Being, Operation, Script, Touch, Touched, World};

use super::known::{Nameable, is_built_in};
use super::lint_args::strange_arguments;

/// The kinds of thing.
const KINDS: [&str; 3] = ["being", "space", "matter"];

/// An operation, and what may not be meant in it.
pub(super) struct OperationLint<'w> {
    world: &'w World,
    operation: &'w Operation,
}

/// Every warning about the operations of a world, by their names.
pub(super) fn operation_warnings(world: &World) -> Vec<(Text, Vec<Warning>)> {
    let written = |operation: &Operation| {
        let script = world.registry().scripts.get(&operation.script);
        script.and_then(|script| Sandbox::written(&script.source, &script.file).ok()).unwrap_or_default()
    };
    let operations: Vec<(&Operation, Vec<WrittenStep>)> =
        world.registry().operations.values().map(|one| (one.as_ref(), written(one))).collect();
    let is_step =
        |name: &str| operations.iter().any(|(other, steps)| other.name.as_ref() != name && steps.iter().any(|step| step.action == name));
    let of = |(operation, steps): &(&Operation, Vec<WrittenStep>)| {
        let doubts = OperationLint { world, operation };
        let unnamed = doubts.unnamed().filter(|_| !is_step(&operation.name));
        let told = one_brace("told", operation.told.as_deref().unwrap_or_default(), |path| path == "target" || path.starts_with("args."));
        let steps = steps.iter().flat_map(|step| doubts.all_of(step));
        let warnings: Vec<Warning> = unnamed.into_iter().chain(told).chain(steps).collect();
        (!warnings.is_empty()).then(|| (operation.name.clone(), warnings))
    };
    operations.iter().filter_map(of).collect()
}

/// All that may come to be worn by those who may come to think by a script, and by panels, which do what their members vote for.
fn thinkers<'w>(world: &'w World, script: &str) -> Vec<&'w Spec> {
    let spec = |role: &Text| world.registry().roles.get(role).map(|role| role.spec.as_ref());
    let thinks = |role: &Text| spec(role).is_some_and(|spec| spec.script.as_deref() == Some(script));
    let beings = || world.living().map(|being| (being.as_ref(), world.may_wear(being)));
    let is_one = |(being, roles): &(&Being, BTreeSet<Text>)| being.script.as_deref() == Some(script) || roles.iter().any(thinks);
    let mut worn: BTreeSet<Text> = beings().filter(is_one).flat_map(|(_, roles)| roles).collect();
    if !worn.is_empty() {
        worn.extend(beings().filter(|(being, _)| being.cognition == Cognition::Panel).flat_map(|(_, roles)| roles));
    }
    worn.iter().filter_map(spec).collect()
}

/// The operations named by a mind of the world's own that there are not, or that nobody who thinks so may do, by line.
///
/// A mind of an extension may be meant for roles of others, so nobody asks who may do as it says. The steps of operations are doubted as such.
pub(super) fn act_warnings(known: &Nameable<'_>, script: &Script) -> Vec<(u32, Warning)> {
    let (is_of_extension, is_operation) = (script.name.contains('/'), script.name.contains("/ops/"));
    if is_operation {
        return Vec::new();
    }
    let steps = Sandbox::written(&script.source, &script.file).unwrap_or_default();
    let roles = thinkers(known.world, &script.name);
    let may = |action: &str| roles.iter().any(|role| role.can_do.iter().any(|entry| entry.covers_action(action)));
    let forbidden = |step: &WrittenStep| {
        let place = format!("line {}", step.line);
        if known.operations.contains(step.action.as_str()) {
            let what = format!("nobody who thinks so may do `{}` (gate-role)", step.action);
            let hint = Some("name it in the role's canDo, or the role in the operation's `by`".to_owned());
            let warning = Warning { place, code: LintCode::NeverTrue, what, hint };
            return (!is_of_extension && !roles.is_empty() && !may(&step.action)).then_some(warning);
        }
        if is_of_extension && is_of_absent(known.world, &step.action) {
            return None;
        }
        Some(unknown_operation(place, &step.action, known.operations.iter().map(AsRef::as_ref)))
    };
    let of = |step: WrittenStep| {
        let given = step.arguments.iter().map(String::as_str);
        let arguments = strange_arguments(known.world, &format!("line {}", step.line), &step.action, given);
        forbidden(&step).into_iter().chain(arguments).map(|warning| (line_of_script(step.line), warning)).collect::<Vec<_>>()
    };
    steps.into_iter().flat_map(of).collect()
}

fn line_of_script(line: usize) -> u32 {
    u32::try_from(line).unwrap_or(0)
}

/// The addresses that a script spells out where nothing stands, each like one where something does, by line.
pub(super) fn address_warnings(known: &Nameable<'_>, script: &Script) -> Vec<(u32, Warning)> {
    let of = |written: WrittenAddress| {
        let hint = Some(written.address.as_str())
            .filter(|address| !known.may_stand(address))
            .and_then(|address| address_meant(known.world, address))?;
        let (place, what) = (format!("line {}", written.line), format!("nothing stands at `{}`", written.address));
        Some((line_of_script(written.line), Warning { place, code: LintCode::UnknownName, what, hint: Some(hint) }))
    };
    Sandbox::addresses(&script.source, &script.file).unwrap_or_default().into_iter().filter_map(of).collect()
}

/// Whether an action is one of an extension that the world has not: whoever names it may do without it.
fn is_of_absent(world: &World, action: &str) -> bool {
    action.split_once(':').is_some_and(|(extension, _)| !world.registry().extensions.contains_key(extension))
}

/// That there is no operation of that name.
pub(super) fn unknown_operation<'a>(place: String, action: &str, known: impl IntoIterator<Item = &'a str>) -> Warning {
    let hint = did_you_mean("", action, known);
    Warning { place, code: LintCode::UnknownOperation, what: format!("there is no operation `{action}`"), hint }
}

/// Every warning about what a role lets: that no operation moves anybody by that name.
pub(super) fn lets_warnings(world: &World, spec: &Spec) -> Vec<Warning> {
    let operations = &world.registry().operations;
    let of = |(at, glob): (usize, &Glob)| {
        let mut named = operations.values().filter(|operation| glob.matches(&operation.name)).peekable();
        let place = format!("lets[{at}]");
        if named.peek().is_none() {
            let hint = did_you_mean("", glob.as_str(), operations.keys().map(AsRef::as_ref));
            let what = format!("no operation of an extension is called `{}`", glob.as_str());
            return Some(Warning { place, code: LintCode::UnknownOperation, what, hint });
        }
        let what = format!("`{}` moves nobody: its manifest touches no position", glob.as_str());
        (!named.any(|operation| operation.moves_others())).then_some(Warning { place, code: LintCode::NeverTrue, what, hint: None })
    };
    spec.lets.iter().enumerate().filter_map(of).collect()
}

/// That an entry binds actions to a kind of thing that none of them takes.
pub(super) fn never_on(world: &World, actions: &Glob, on: &Entry) -> Option<Warning> {
    let kind = match on {
        Entry::Rel(Rel::Parent | Rel::Children | Rel::AnyChild | Rel::Caller | Rel::Predecessor) => "being",
        Entry::Rel(Rel::Home) => "space",
        Entry::Name(glob) if glob.is_literal() && glob.as_str().starts_with('@') => "being",
        Entry::Rel(Rel::Here | Rel::SelfRel) | Entry::Name(_) | Entry::Pattern(_) | Entry::Bound { .. } => return None,
    };
    let mut named = operations(world).into_iter().filter(|operation| actions.matches(&operation.name)).peekable();
    named.peek()?;
    let takes = |operation: Doable| {
        let kinds: Vec<&str> = operation.target.iter().map(AsRef::as_ref).collect();
        kinds.is_empty() || kinds.iter().any(|taken| fits(taken, &WrittenOn::Other, &[kind]))
    };
    let what = format!("`{}` is never done to {}", actions.as_str(), listed(&[kind]));
    (!named.any(takes)).then_some(Warning { place: String::new(), code: LintCode::NeverTrue, what, hint: None })
}

impl OperationLint<'_> {
    /// That no role but those that every world has lets anybody do it.
    fn unnamed(&self) -> Option<Warning> {
        let registry = self.world.registry();
        let local = registry.local_roles.values().flat_map(|places| places.values());
        let mut roles = registry.roles.values().chain(local).filter(|role| !is_built_in(&role.origin));
        let names = |spec: &Spec| spec.list(Verb::Do).iter().any(|entry| entry.covers_action(&self.operation.name));
        if roles.any(|role| names(&role.spec)) {
            return None;
        }
        let what = "no role names it in canDo, so nobody but the operator can do it".to_owned();
        Some(Warning { place: "name".to_owned(), code: LintCode::NeverTrue, what, hint: None })
    }

    /// Every warning about a step.
    fn all_of(&self, step: &WrittenStep) -> Vec<Warning> {
        let place = format!("script, line {}: {}", step.line, step.action);
        let arguments = strange_arguments(self.world, &place, &step.action, step.arguments.iter().map(String::as_str));
        self.step(step, place).into_iter().chain(arguments).collect()
    }

    /// The reasons against a step wherever it is done.
    fn step(&self, step: &WrittenStep, place: String) -> Option<Warning> {
        let doubt = |code, what: String, hint: Option<String>| Some(Warning { place: place.clone(), code, what, hint });
        let kinds = self.kinds(&step.on);
        let (takes, rule): (Vec<&str>, Option<Rule>) =
            match (core(&step.action), self.world.registry().operations.get(step.action.as_str())) {
                (Some((core, _)), _) => (core.target.to_vec(), Some(core.rule)),
                (None, Some(operation)) => (operation.target.iter().map(AsRef::as_ref).collect(), None),
                (None, None) if is_of_absent(self.world, &step.action) => return None,
                (None, None) => {
                    let (core, brought) = (actions(), self.world.registry().operations.keys());
                    return Some(unknown_operation(place, &step.action, core.iter().chain(brought).map(AsRef::as_ref)));
                }
            };
        if rule.is_some_and(Rule::is_authority) {
            return doubt(LintCode::NeverTrue, "no step changes authority (gate-authority)".to_owned(), None);
        }
        if !takes.is_empty() && !takes.iter().any(|taken| fits(taken, &step.on, &kinds)) {
            let what = format!("it is never done to this: it takes {}, and this is {} (wrong-target)", listed(&takes), listed(&kinds));
            return doubt(LintCode::NeverTrue, what, None);
        }
        // Signals of its own and what is said aloud where the actor stands need no mark.
        if rule == Some(Rule::Role) {
            return None;
        }
        let (mark, what) = self.unmarked(step, rule == Some(Rule::Move), &kinds)?;
        doubt(LintCode::NeverTrue, format!("{what} (gate-touches)"), Some(format!("add `{mark}` to touches")))
    }

    /// The mark that a step lacks, and what that means.
    fn unmarked(&self, step: &WrittenStep, is_move: bool, kinds: &[&str]) -> Option<(String, String)> {
        let of = match &step.on {
            WrittenOn::Actor => Touched::Actor,
            WrittenOn::Target => Touched::Target,
            WrittenOn::Argument(path) => Touched::Argument(path),
            WrittenOn::Address(_) | WrittenOn::Other => return None,
        };
        let name = match of {
            Touched::Actor => "actor".to_owned(),
            Touched::Target => "target".to_owned(),
            Touched::Argument(path) => format!("args.{path}"),
        };
        let has = |wanted: Touch<'_>| self.operation.marks().any(|mark| mark == wanted);
        let (thing, position) = (has(Touch { of, is_position: false }), has(Touch { of, is_position: true }));
        let is_other = is_move && of == Touched::Target && kinds == ["being"];
        if is_other && !position {
            return Some((
                format!("{name}.position"),
                format!("`{name}` alone does not include where a being is, so it moves nobody but its actor"),
            ));
        }
        // The target may be the actor: what is done to oneself is marked by either name.
        let is_oneself = !matches!(of, Touched::Argument(_))
            && kinds.contains(&"being")
            && self.operation.marks().any(|mark| !mark.is_position && mark.of != of);
        if thing || position || is_oneself {
            return None;
        }
        let mark = if is_move && of != Touched::Actor { format!("{name}.position") } else { name.clone() };
        Some((mark, format!("touches does not mark `{name}`")))
    }

    /// The kinds of which what a step is done to may be.
    fn kinds(&self, on: &WrittenOn) -> Vec<&str> {
        match on {
            WrittenOn::Actor => vec!["being"],
            WrittenOn::Target if !self.operation.target.is_empty() => self.operation.target.iter().map(AsRef::as_ref).collect(),
            WrittenOn::Address(address) if address == "/" => vec!["space"],
            WrittenOn::Address(address) if address.starts_with('@') && !address.contains('/') => vec!["being"],
            WrittenOn::Target | WrittenOn::Argument(_) | WrittenOn::Address(_) | WrittenOn::Other => KINDS.to_vec(),
        }
    }
}

/// Whether an operation that takes a kind may be done to what a step is written on.
fn fits(taken: &str, on: &WrittenOn, kinds: &[&str]) -> bool {
    match taken {
        // The root alone, and the space where the actor stands.
        "world" => kinds.contains(&"space") && !matches!(on, WrittenOn::Address(address) if address != "/"),
        "here" => kinds.contains(&"space"),
        kind => kinds.contains(&kind),
    }
}

fn listed(kinds: &[&str]) -> String {
    kinds
        .iter()
        .map(|kind| match *kind {
            "world" => "the world itself",
            "here" => "the space where the actor stands",
            "being" => "a being",
            "space" => "a space",
            _ => "matter",
        })
        .collect::<Vec<_>>()
        .join(" or ")
}
