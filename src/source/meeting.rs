//! Meeting: whether a change meets anything of a world: a role that somebody may wear, a script that somebody thinks by, a signal that
//! something reads. A change that meets nothing leaves the world as it is, and looks as if it had been tried.

use std::collections::BTreeSet;

use crate::fact::{Cognition, Text, Thing, Value};
use crate::role::{Flow, did_you_mean, or_meant};
use crate::world::{Merge, World, address_of, settings, thing_at};

use super::heard::{is_heard, is_named};
use super::known::Nameable;
use super::signal_kind::{NUMBER, SignalKind, TEXT, TRUTH, kind};

/// That a role is there, or that a flow or a being names it.
pub(super) fn meets_role(world: &World, name: &str) -> Result<(), String> {
    let registry = world.registry();
    let is_named = || world.living().any(|being| world.may_wear(being).iter().any(|role| role.as_ref() == name));
    if registry.roles.contains_key(name) || registry.local_roles.contains_key(name) || is_named() {
        return Ok(());
    }
    let other = namesake(registry.roles.keys(), name).map(|role| format!("; did you mean `role:{role}=…`?"));
    let hint = other.unwrap_or_else(|| or_meant("role:", name, registry.roles.keys().map(AsRef::as_ref)));
    Err(format!("no role `{name}` is here, and nobody would come to wear it; a flow that names it is changed first{hint}"))
}

/// That a script is there, or that a being or a role names it.
pub(super) fn meets_script(world: &World, name: &str) -> Result<(), String> {
    let registry = world.registry();
    let is_named = || {
        world.living().any(|being| being.script.as_deref() == Some(name))
            || registry.roles.values().any(|role| role.spec.script.as_deref() == Some(name))
    };
    if registry.scripts.contains_key(name) || is_named() {
        return Ok(());
    }
    let other = namesake(registry.scripts.keys(), name).map(|script| format!("; did you mean `script:{script}=…`?"));
    let hint = other.unwrap_or_else(|| or_meant("script:", name, registry.scripts.keys().map(AsRef::as_ref)));
    Err(format!("no script `{name}` is here, and nobody would think by it{hint}"))
}

/// The known name that ends alike behind its namespace.
fn namesake<'a>(mut known: impl Iterator<Item = &'a Text>, name: &str) -> Option<&'a Text> {
    let bare = |name: &'_ str| name.rsplit([':', '/']).next().map(str::to_owned);
    known.find(|known| bare(known) == bare(name))
}

/// That the roles which a flow names are there.
pub(super) fn meets_roles_of(world: &World, flow: &Value) -> Result<(), String> {
    // A value that is no flow is refused where it is set.
    let Ok(flow) = Flow::compile(flow) else { return Ok(()) };
    let registry = world.registry();
    let is_there = |role: &&str| registry.roles.contains_key(*role) || registry.local_roles.contains_key(*role);
    match flow.roles().find(|role| !is_there(role)) {
        Some(role) => {
            let hint = or_meant("", role, registry.roles.keys().map(AsRef::as_ref));
            Err(format!("the flow names the role `{role}`, and there is none{hint}"))
        }
        None => Ok(()),
    }
}

/// That something reads a signal.
pub(super) fn meets_reader(world: &World, path: &str) -> Result<(), String> {
    if let Some(bare) = path.strip_prefix("world.").filter(|bare| is_named(world, bare)) {
        return Err(format!("a signal is named without `world.` here: `signal:{bare}=…`"));
    }
    if is_named(world, path) || world.signals().at(path).is_some_and(|_| is_heard(world, path)) {
        return Ok(());
    }
    let known = Nameable::of(world);
    let read: BTreeSet<&Text> = known.signals.iter().filter(|signal| is_heard(world, signal)).collect();
    let near = did_you_mean("", path, read.into_iter().map(AsRef::as_ref));
    // A text may name its namespace in words that nobody here can tell from others.
    if near.is_none() && is_heard(world, path) {
        return Ok(());
    }
    let hint = near.map(|near| format!("; {near}")).unwrap_or_default();
    Err(format!("no flow, role, rule, measure or script of this world reads the signal `{path}`{hint}"))
}

/// That a value is of the kind that the signal has: true or false, a number, a text. Text in quotes on a command line is meant as text.
pub(super) fn is_of_kind(known: impl FnOnce() -> Option<SignalKind>, value: &Value, quotes: Quotes) -> Result<(), String> {
    let word = value.as_str().filter(|_| quotes != Quotes::Meant);
    // The kind may stand far back in history: only values that can be wrong ask for it.
    let Some(found) = kind(value).filter(|found| word.is_some() || *found != TEXT) else { return Ok(()) };
    let is_truth = |word: &str| did_you_mean("", &word.to_lowercase(), ["true", "false"]).is_some();
    let guessed = || word.filter(|word| quotes == Quotes::None && is_truth(word)).map(|_| SignalKind { kind: TRUTH, why: "" });
    let Some(SignalKind { kind: wanted, why }) = known().or_else(guessed).filter(|known| known.kind != found) else { return Ok(()) };
    match word {
        None if wanted == TEXT => {
            // A shell takes quotes away that JSON keeps.
            let quoted = if quotes == Quotes::Json { format!("\"{value}\"") } else { format!("'\"{value}\"'") };
            Err(format!("expected text{why}, found `{value}`; write it in quotes (`{quoted}`) if text is meant"))
        }
        None => Err(format!("expected {wanted}{why}, found `{value}`")),
        Some(word) if quotes == Quotes::Json => Err(format!("expected {wanted}{why}, found {}", found_text(word, wanted))),
        Some(word) => {
            let hint = or_meant("", &word.to_lowercase(), ["true", "false"]);
            Err(format!("expected {wanted}{why}, found `{word}`; write it in quotes (`'\"{word}\"'`) if text is meant{hint}"))
        }
    }
}

/// Whether a value stood in quotes, and what those say.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Quotes {
    /// It stood in none.
    None,
    /// Somebody wrote them on a command line to say that text is meant.
    Meant,
    /// JSON has them around every text.
    Json,
}

/// A text that was found, and what to write instead.
fn found_text(word: &str, wanted: &str) -> String {
    if serde_json::from_str(word).is_ok_and(|value| kind(&value) == Some(wanted)) {
        return format!("the text `{word}`; write {word} without quotes");
    }
    format!("`{word}`{}", or_meant("", &word.to_lowercase(), ["true", "false"]))
}

/// That there is a setting, and that no bare word stands where it is a truth or a number.
pub(super) fn fits_setting(world: &World, key: &str, value: &Value) -> Result<(), String> {
    let registry = world.registry();
    let Some(setting) = registry.setting(key) else {
        let known = settings().iter().map(|setting| setting.key.as_ref()).chain(registry.settings.keys().map(AsRef::as_ref));
        return Err(format!("setting-unknown: there is no setting `{key}`{}", or_meant("", key, known)));
    };
    let wanted = match setting.schema.get("type").and_then(Value::as_str) {
        Some("boolean") => TRUTH,
        Some("integer" | "number") => NUMBER,
        _ => return Ok(()),
    };
    match value.as_str() {
        Some(word) => Err(format!("expected {wanted} for `{key}`, found {}", found_text(word, wanted))),
        None => Ok(()),
    }
}

/// That a setting of models is not put where no model thinks, or where each has said it for itself.
pub(super) fn meets_mind(world: &World, of: &str, key: &str) -> Result<(), String> {
    // An address that names nothing is refused where it is set.
    let (true, Some(thing)) = (key.starts_with("llm."), thing_at(world, of)) else { return Ok(()) };
    let minds = world.living().filter(|being| being.cognition == Cognition::Llm).map(|being| Thing::Being(being.id));
    let minds: Vec<Thing> = minds.filter(|mind| world.way_to(*mind).contains(&thing)).collect();
    let Some(first) = minds.first() else {
        return Err(format!("no model thinks in `{of}`, so `{key}` changes nothing there"));
    };
    let is_nearest = world.registry().setting(key).is_some_and(|setting| setting.merge == Merge::Nearest);
    let is_overruled = |mind: &Thing| {
        let behind = world.way_to(*mind).into_iter().skip_while(|at| *at != thing).skip(1);
        let stated = world.tell(key, *mind).stated;
        behind.into_iter().any(|at| stated.iter().any(|stated| stated.at == at && stated.overruled.is_none()))
    };
    if is_nearest && minds.iter().all(is_overruled) {
        let mind = address_of(world, *first);
        return Err(format!("each model in `{of}` has a `{key}` that is said nearer to it; write `setting:{mind}/{key}=…`"));
    }
    Ok(())
}
