//! Abilities: what the worn role may do right now, with what it can be done to: the role and the right there both say yes.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::fact::{Code, Cognition, Reason, SpaceId, Thing, Value, Verb, in_a_line, says};
use crate::role::{Entry, flow_shape, role_shape};
use crate::verb::{Asker, BE_OPERATIONS, Claimant, DRAFT_MAKE, Doable, clock, could_act, only_draws_up, operations_of};
use crate::world::{Claim, address_of};

use super::afar::{Afar, LOOKED_THROUGH};
use super::connection::Connection;
use super::near::{LISTED, Near, matter, others};

/// How they begin.
pub(super) const MAY: &str = "\nWhat you may do now:\n";

/// The lines of it. A vote speaks to nobody else.
pub(super) fn abilities(asker: &Asker<'_>, near: &Near, votes: bool) -> String {
    let mut text = MAY.to_owned();
    for (verb, word) in [(Verb::See, "see"), (Verb::Summon, "summon")] {
        if asker.worn.has(verb) && !(votes && verb == Verb::Summon) {
            let _ = writeln!(text, "- {word}: {}", reached(asker, verb, near));
        }
    }
    for line in at_hand(asker).iter().filter_map(|operation| do_line(asker, operation, near)) {
        let _ = writeln!(text, "- do {line}");
    }
    for (name, about, schema, _) in BE_OPERATIONS {
        if may_bind(asker, name) {
            let _ = writeln!(text, "- be {}", be_line(name, about, schema));
        }
    }
    for line in bridges(asker, near).chain(shapes(asker)).chain(moved_by(asker)).chain(claimed(asker, near)) {
        let _ = writeln!(text, "{line}");
    }
    text
}

/// By which operations others may move the being; nothing where nobody may.
pub(super) fn moved_by(asker: &Asker<'_>) -> Option<String> {
    let lets = asker.world.lets(asker.actor.id, asker.at);
    let names: Vec<&str> = lets.iter().map(|glob| glob.as_str()).collect();
    (!names.is_empty()).then(|| format!("Others may move you by these operations, where the places allow it: {}.", names.join(" ")))
}

/// The things near by that others have claimed, as far as the being could change them otherwise, and those that it has claimed itself. It is
/// told of no other's that it may not see.
pub(super) fn claimed(asker: &Asker<'_>, near: &Near) -> impl Iterator<Item = String> {
    let (world, claimant) = (asker.world, Claimant::of(asker));
    let is_told = |thing: Thing| claimant.who == asker.actor.id || claimant.sees(thing);
    let own = world.claimed_by(claimant.who, asker.at).filter(|(thing, _)| is_told(*thing));
    let own = own.map(|claimed| told_claim("You have claimed", asker, claimed, None));
    let operations = if world.has_claims() { at_hand(asker) } else { Vec::new() };
    let is_refused = |operation: &Doable, thing: Thing| {
        let is_claimed = |reason: Reason| reason.code == Code::GateClaimed;
        operation.fits(asker.actor, thing) && could_act(asker, &operation.name, thing).is_err_and(is_claimed)
    };
    let others = near.things.iter().filter_map(|thing| {
        let claimed = claimant.bars(*thing).filter(|(on, _)| claimant.sees(*on))?;
        operations.iter().any(|operation| is_refused(operation, *thing)).then_some(claimed)
    });
    let others: BTreeMap<Thing, &Claim> = others.collect();
    let others = others.into_iter().map(|claimed| {
        let free = claimant.free_alike(claimed.0);
        told_claim("Claimed by another, so that you cannot change it", asker, claimed, free)
    });
    own.chain(others).collect::<Vec<_>>().into_iter()
}

/// A claim as a model is told of it: what is free instead, and the purpose in its holder's words.
pub(super) fn told_claim(what: &str, asker: &Asker<'_>, (thing, claim): (Thing, &Claim), free: Option<Thing>) -> String {
    let world = asker.world;
    let until = clock(world, claim.until, asker.at);
    let by = if claim.by == asker.accountable().id { String::new() } else { format!(" by {}", address_of(world, Thing::Being(claim.by))) };
    let free = free.map(|free| format!("; {} is free", address_of(world, free))).unwrap_or_default();
    let line = format!("{what}: {}{by}, until {until}{free}", address_of(world, thing));
    if claim.why.is_empty() { line } else { says(&format!("{line}, why"), &claim.why) }
}

/// An operation on identity in a line, with its arguments.
pub(super) fn be_line(name: &str, about: &str, schema: &str) -> String {
    let schema: Value = serde_json::from_str(schema).unwrap_or_default();
    format!("{name}{}: {about}", signature(&schema))
}

/// How the bridges are asked that one may summon.
pub(super) fn bridges(asker: &Asker<'_>, near: &Near) -> impl Iterator<Item = String> {
    let fits = |thing: &Thing| asker.may_reach(Verb::Summon, *thing).is_ok();
    let things: Vec<Thing> = near.things.iter().copied().filter(fits).chain(reached_afar(asker, Verb::Summon, near).things).collect();
    let told = |thing| {
        let Thing::Being(id) = thing else { return None };
        let being = asker.world.being(id)?;
        let web = Connection::of(asker.world, being, None).filter(|_| being.cognition == Cognition::Bridge)?.web?;
        Some(format!("@{} is a bridge: {}.", being.name, web.told()))
    };
    things.into_iter().filter_map(told).collect::<Vec<_>>().into_iter()
}

/// How a role and a flow are written, for whom operations on them are meant.
pub(super) fn shapes(asker: &Asker<'_>) -> impl Iterator<Item = String> {
    let shapes = [("role.set", role_shape as fn() -> String), ("flow.set", flow_shape)];
    let is_meant = |operation: &str| [operation, DRAFT_MAKE].into_iter().any(|operation| is_named(asker, operation));
    shapes.into_iter().filter(move |(operation, _)| is_meant(operation)).map(|(_, shape)| format!("There {}", shape()))
}

/// Whether an operation on identity is one's own to do.
pub(super) fn may_bind(asker: &Asker<'_>, name: &str) -> bool {
    asker.may_be(name, Some(Thing::Being(asker.actor.id))).is_ok() && !only_draws_up(asker, &format!("be.{name}"))
}

/// The things near by that a verb reaches, then the patterns that reach further.
pub(super) fn reached(asker: &Asker<'_>, verb: Verb, near: &Near) -> String {
    let fits = |thing: &&Thing| asker.may_reach(verb, **thing).is_ok() && (verb != Verb::Summon || matches!(thing, Thing::Being(_)));
    if asker.worn.list(verb).iter().any(|entry| matches!(entry, Entry::Name(glob) if glob.as_str() == "**")) && verb == Verb::See {
        return "anything, by its address".to_owned();
    }
    let afar = reached_afar(asker, verb, near);
    let patterns: Vec<String> = afar.more.iter().map(|entry| entry.to_value().to_string()).collect();
    let things: Vec<String> = near.things.iter().filter(fits).chain(&afar.things).map(|thing| address_of(asker.world, *thing)).collect();
    let things = if things.is_empty() { "nothing near".to_owned() } else { things.join(" ") };
    if patterns.is_empty() { things } else { format!("{things}; and whatever matches {}", patterns.join(" ")) }
}

/// The things out of sight that a verb reaches.
pub(super) fn reached_afar<'a>(asker: &Asker<'a>, verb: Verb, near: &Near) -> Afar<'a> {
    let fits = |thing: Thing| asker.may_reach(verb, thing).is_ok() && (verb != Verb::Summon || matches!(thing, Thing::Being(_)));
    Afar::of(asker, near, asker.worn.list(verb).iter(), fits)
}

/// An operation that some entry of canDo covers, with what of all that is near it can be done to; nothing where that is nothing.
pub(super) fn do_line(asker: &Asker<'_>, operation: &Doable, near: &Near) -> Option<String> {
    let entries: Vec<&Entry> = asker.worn.entries(Verb::Do).filter(|entry| entry.covers_action(&operation.name)).collect();
    if entries.is_empty() {
        return None;
    }
    let targets: Vec<String> = targets(asker, operation, near).into_iter().map(|thing| address_of(asker.world, thing)).collect();
    let spaces =
        entries.iter().filter_map(|entry| if let Entry::Bound { ns: Some(ns), .. } = entry { Some(ns.as_str().to_owned()) } else { None });
    let spaces: Vec<String> = spaces.collect();
    let bound = if spaces.is_empty() { String::new() } else { format!(", only in the namespace {}", spaces.join(" or ")) };
    let told = || format!("{}{}: {} (on {}{bound})", operation.name, signature(&operation.schema), operation.about, targets.join(" "));
    // No description of an operation begins a line of ours.
    (!targets.is_empty()).then(|| in_a_line(&told()))
}

/// The targets of an operation: near things that it fits, and things that its entries bind elsewhere. Without any, the world itself where
/// it fits.
pub(super) fn targets(asker: &Asker<'_>, operation: &Doable, near: &Near) -> Vec<Thing> {
    let fits = |thing: Thing| operation.fits(asker.actor, thing) && could_act(asker, &operation.name, thing).is_ok();
    let bound = asker.worn.entries(Verb::Do).filter(|entry| entry.covers_action(&operation.name));
    let bound = bound.filter_map(|entry| if let Entry::Bound { on: Some(on), .. } = entry { Some(on.as_ref()) } else { None });
    let mut fitting: Vec<Thing> = near.things.iter().copied().filter(|thing| fits(*thing)).take(LISTED + 1).collect();
    // Where they are more than are listed, none is left out for being of another kind.
    if fitting.len() > LISTED {
        fitting = near.by_distance(asker.world, asker.actor).filter(|thing| fits(*thing)).take(LISTED).collect();
    }
    // Bound targets are found before any list is cut: a crowd that is near leaves them room.
    fitting.extend(Afar::of(asker, near, bound, fits).things);
    if fitting.is_empty() && near.has_afar {
        fitting.extend(around(asker, near).filter(|thing| fits(*thing)).take(LISTED));
    }
    let root = Thing::Space(SpaceId::ROOT);
    if fitting.is_empty() && fits(root) {
        fitting.push(root);
    }
    fitting
}

/// The beings and things around a being, the nearest first, as far as it looks for targets.
fn around<'a>(asker: &Asker<'a>, near: &Near) -> impl Iterator<Item = Thing> + use<'a> {
    let others = others(asker.world, asker.actor, near.caller).take(LOOKED_THROUGH).map(Thing::Being);
    others.chain(matter(asker.world, asker.actor).take(LOOKED_THROUGH).map(Thing::Matter))
}

/// Whether a role says that an operation is for its wearer: who may do anything is not meant.
fn is_named(asker: &Asker<'_>, operation: &str) -> bool {
    asker.worn.entries(Verb::Do).any(|entry| match entry {
        Entry::Name(action) | Entry::Bound { action, .. } => action.is_literal() && action.as_str() == operation,
        Entry::Rel(_) | Entry::Pattern(_) => false,
    })
}

/// The operations that hold where a being stands and that some entry of its canDo covers.
pub(super) fn at_hand(asker: &Asker<'_>) -> Vec<Doable> {
    let (world, here) = (asker.world, asker.actor.position);
    let is_covered = |name: &str| asker.worn.entries(Verb::Do).any(|entry| entry.covers_action(name));
    // A role that names `draft.make` is offered it; a role that may do everything does its deeds at once.
    let is_meant = |name: &str| name != DRAFT_MAKE || is_named(asker, DRAFT_MAKE);
    operations_of(world, |name| is_covered(name) && world.operates(name, here) && is_meant(name) && !only_draws_up(asker, name))
}

/// The arguments of a schema in a line: `{path: string, value?: any}`.
pub(super) fn signature(schema: &Value) -> String {
    let required: Vec<&str> =
        schema.get("required").and_then(Value::as_list).unwrap_or_default().iter().filter_map(Value::as_str).collect();
    let pairs = schema.get("properties").and_then(Value::as_map).into_iter().flatten().map(|(name, property)| {
        let kind = match (property.get("enum").and_then(Value::as_list), property.get("type")) {
            (Some(words), _) => words.iter().map(ToString::to_string).collect::<Vec<_>>().join("|"),
            (None, Some(Value::Text(kind))) => kind.to_string(),
            (None, Some(Value::List(kinds))) => kinds.iter().filter_map(Value::as_str).collect::<Vec<_>>().join("|"),
            (None, _) => "any".to_owned(),
        };
        format!("{name}{}: {kind}", if required.contains(&name.as_ref()) { "" } else { "?" })
    });
    let pairs = pairs.collect::<Vec<_>>().join(", ");
    if pairs.is_empty() { String::new() } else { format!(" {{{pairs}}}") }
}
