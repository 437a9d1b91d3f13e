//! Used: the settings that a moment went by, and where each of them came from, on the world as it was opened.

use serde::Serialize;

use crate::fact::{Closing, Code, Cognition, Draft, Thing, Value, WakeKind};
use crate::moment::{Opening, Thinker};
use crate::verb::{RECALLED, RuleTrace, Shown};
use crate::world::{CALLS, World};

/// A setting that a moment went by.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct UsedSetting {
    /// Its key.
    pub key: String,
    /// What it was.
    pub value: Value,
    /// Where that came from, as addresses; nowhere: it is the default.
    pub from: Vec<String>,
    /// Where something else was said that did not count.
    pub overruled: Vec<String>,
}

/// The settings that a moment went by.
pub(super) fn used(draft: &Draft, opening: &Opening, world: &World, rules: &[RuleTrace]) -> Vec<UsedSetting> {
    let of = Thing::Being(opening.being.id);
    let shown = keys(draft, opening, world, rules).into_iter().filter_map(|key| Shown::of(world, &key, of));
    let is_said = |shown: &Shown<'_>| !shown.value.is_null() || !shown.said.is_empty();
    let told = shown.filter(is_said).map(|shown| UsedSetting {
        key: shown.key.to_string(),
        overruled: shown.said.iter().filter(|said| said.overruled_by.is_some()).map(|said| said.at.clone()).collect(),
        value: shown.value,
        from: shown.from,
    });
    told.collect()
}

/// The keys that were asked for: the brakes at opening, how often it is tried when it fails, all that a model is asked by, and what the
/// extensions declare whose roles were worn, whose rules were asked, whose operation was called or could be a step of that.
fn keys(draft: &Draft, opening: &Opening, world: &World, rules: &[RuleTrace]) -> Vec<String> {
    let mut keys = vec!["brakes.depth".to_owned(), "brakes.moments".to_owned()];
    if draft.wake.kind == WakeKind::SelfContinue || opening.worn.self_continue {
        keys.push("brakes.continue".to_owned());
    }
    if draft.wake.kind == WakeKind::Change {
        keys.push("wakes.change".to_owned());
    }
    if matches!(&draft.closing, Closing::Failed(_) | Closing::DeadLetter(_)) {
        keys.extend(["attempts.max", "attempts.backoff_ms"].map(str::to_owned));
    }
    let is_recalled = opening.worn.see.iter().any(|name| RECALLED.contains(&name.as_ref()));
    let is_bridge = opening.cognition == Cognition::Bridge;
    let is_models = opening.thinker() == Thinker::Outside && !is_bridge;
    if is_bridge {
        keys.extend(["bridge", CALLS, "llm.budget", "llm.budget.being", "llm.budget.root", "llm.budget.total"].map(str::to_owned));
    }
    if is_models {
        keys.push(CALLS.to_owned());
    }
    if is_models || is_recalled {
        keys.push("tokens.recall".to_owned());
    }
    if is_models || draft.closing.reason().is_some_and(|reason| reason.code == Code::Budget) {
        keys.extend(opening.worn.slot.iter().map(|slot| format!("llm.slots.{slot}")));
        let of_models = |key: &&str| key.starts_with("llm.") && !key.ends_with('.');
        let told_elsewhere = ["llm.prices", "llm.allow", "llm.currency"];
        let core = crate::world::settings().iter().map(|setting| setting.key.as_ref()).filter(of_models);
        keys.extend(core.filter(|key| !told_elsewhere.contains(key)).map(str::to_owned));
    }
    let registry = world.registry();
    let called = draft.call.iter().map(|call| call.action.as_ref());
    let needed = called.clone().filter_map(|action| Some(registry.extensions.get(action.split(':').next()?)?.needs()));
    let roles = draft.stack.iter().map(|worn| worn.role.as_ref());
    let named = called.chain(roles).chain(rules.iter().map(|rule| rule.rule.as_ref()));
    let namespaces = named.filter_map(|name| name.split_once(':')).map(|(ns, _)| ns);
    let namespaces: Vec<&str> = namespaces.chain(needed.flatten().map(|need| need.name)).collect();
    let declared = registry.settings.keys();
    keys.extend(declared.filter(|key| key.split_once(':').is_some_and(|(ns, _)| namespaces.contains(&ns))).map(ToString::to_string));
    keys
}
