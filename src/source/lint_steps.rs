//! Lint steps: which operations of an extension can never be done, or have a step that can never pass the gate.
//!
//! A step is doubted only where its script spells it out. What a script computes is not guessed at.

use crate::fact::{Text, Verb};
use crate::role::{Entry, Glob, LintCode, Rel, Spec, Warning, did_you_mean};
use crate::script::{Sandbox, WrittenOn, WrittenStep};
use crate::verb::{Doable, Rule, core, operations};
use crate::world::{Operation, Touch, Touched, World};

use super::known::is_built_in;

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
        let warnings: Vec<Warning> = unnamed.into_iter().chain(steps.iter().filter_map(|step| doubts.step(step))).collect();
        (!warnings.is_empty()).then(|| (operation.name.clone(), warnings))
    };
    operations.iter().filter_map(of).collect()
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

    /// What speaks against a step wherever it is done.
    fn step(&self, step: &WrittenStep) -> Option<Warning> {
        let place = format!("script, line {}: {}", step.line, step.action);
        let doubt = |code, what: String, hint: Option<String>| Some(Warning { place: place.clone(), code, what, hint });
        let kinds = self.kinds(&step.on);
        let (takes, rule): (Vec<&str>, Option<Rule>) =
            match (core(&step.action), self.world.registry().operations.get(step.action.as_str())) {
                (Some((core, _)), _) => (core.target.to_vec(), Some(core.rule)),
                (None, Some(operation)) => (operation.target.iter().map(AsRef::as_ref).collect(), None),
                // Of an extension that this one can do without, it may be there or not.
                (None, None) => return None,
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
