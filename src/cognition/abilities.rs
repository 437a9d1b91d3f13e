//! Abilities: what the worn role may do right now, with what it can be done to: the role and the right there both say yes.

use std::fmt::Write;

use crate::fact::{SpaceId, Thing, Value, Verb};
use crate::role::Entry;
use crate::verb::{Address, Asker, BE_OPERATIONS, DRAFT_MAKE, Doable, Named, could_act, only_draws_up, operations};
use crate::world::address_of;

use super::near::LISTED;

/// How they begin.
pub(super) const MAY: &str = "\nWhat you may do now:\n";

/// The lines of it.
pub(super) fn abilities(asker: &Asker<'_>, near: &[Thing]) -> String {
    let mut text = MAY.to_owned();
    for (verb, word) in [(Verb::See, "see"), (Verb::Summon, "summon")] {
        if asker.worn.has(verb) {
            let _ = writeln!(text, "- {word}: {}", reached(asker, verb, near));
        }
    }
    for operation in at_hand(asker) {
        text.extend(doable(asker, &operation, near));
    }
    for (name, about, schema) in BE_OPERATIONS {
        if may_bind(asker, name) {
            let schema: Value = serde_json::from_str(schema).unwrap_or_default();
            let _ = writeln!(text, "- be {name}{}: {about}", signature(&schema));
        }
    }
    text
}

/// Whether an operation on identity is one's own to do.
pub(super) fn may_bind(asker: &Asker<'_>, name: &str) -> bool {
    asker.may_be(name, Some(Thing::Being(asker.actor.id))).is_ok() && !only_draws_up(asker, &format!("be.{name}"))
}

/// Whom or what a verb reaches of what is near, and by which patterns more.
fn reached(asker: &Asker<'_>, verb: Verb, near: &[Thing]) -> String {
    let fits = |thing: &&Thing| asker.may_reach(verb, **thing).is_ok() && (verb != Verb::Summon || matches!(thing, Thing::Being(_)));
    if asker.worn.list(verb).iter().any(|entry| matches!(entry, Entry::Name(glob) if glob.as_str() == "**")) && verb == Verb::See {
        return "anything, by its address".to_owned();
    }
    let afar = asker.worn.list(verb).iter().filter_map(|entry| named(asker, entry)).filter(|thing| !near.contains(thing));
    let afar: Vec<Thing> = afar.take(LISTED).collect();
    let near: Vec<String> = near.iter().chain(&afar).filter(fits).map(|thing| address_of(asker.world, *thing)).collect();
    // What has an address stands there by it, or is not there.
    let is_pattern = |entry: &&Entry| !matches!(entry, Entry::Rel(_)) && written_address(entry).is_none();
    let patterns = asker.worn.list(verb).iter().filter(is_pattern);
    let patterns: Vec<String> = patterns.map(|entry| entry.to_value().to_string()).collect();
    let near = if near.is_empty() { "nothing near".to_owned() } else { near.join(" ") };
    if patterns.is_empty() { near } else { format!("{near}; and whatever matches {}", patterns.join(" ")) }
}

/// An entry that is an address and no pattern: of names alone many a thing may be called so.
fn written_address(entry: &Entry) -> Option<&str> {
    let Entry::Name(glob) = entry else { return None };
    Some(glob.as_str()).filter(|name| glob.is_literal() && name.starts_with(['/', '@']))
}

/// What an entry names by an address, as long as it is there.
fn named(asker: &Asker<'_>, entry: &Entry) -> Option<Thing> {
    let address = written_address(entry)?.parse::<Address>().ok()?;
    match address.resolve(asker.world, asker.actor, asker.at) {
        Ok(Named::Thing(thing)) if thing != Thing::Being(asker.actor.id) => Some(thing),
        _ => None,
    }
}

/// An operation that some entry of canDo covers, with what of all that is near it can be done to; nothing where that is nothing.
fn doable(asker: &Asker<'_>, operation: &Doable, near: &[Thing]) -> Option<String> {
    let entries: Vec<&Entry> = asker.worn.entries(Verb::Do).filter(|entry| entry.covers_action(&operation.name)).collect();
    if entries.is_empty() {
        return None;
    }
    let targets: Vec<String> = targets(asker, operation, near).take(LISTED).map(|thing| address_of(asker.world, thing)).collect();
    let spaces =
        entries.iter().filter_map(|entry| if let Entry::Bound { ns: Some(ns), .. } = entry { Some(ns.as_str().to_owned()) } else { None });
    let spaces: Vec<String> = spaces.collect();
    let bound = if spaces.is_empty() { String::new() } else { format!(", only in the namespace {}", spaces.join(" or ")) };
    let told =
        || format!("- do {}{}: {} (on {}{bound})\n", operation.name, signature(&operation.schema), operation.about, targets.join(" "));
    (!targets.is_empty()).then(told)
}

/// What an operation can be done to of what is near; where that is nothing, the world itself if it can be done to that.
pub(super) fn targets<'a>(asker: &'a Asker<'_>, operation: &'a Doable, near: &'a [Thing]) -> impl Iterator<Item = Thing> + 'a {
    let fits = |thing: &Thing| operation.fits(asker.actor, *thing) && could_act(asker, &operation.name, *thing).is_ok();
    let mut fitting = near.iter().copied().filter(fits).peekable();
    let root = Some(Thing::Space(SpaceId::ROOT)).filter(|root| fitting.peek().is_none() && fits(root));
    fitting.chain(root)
}

/// The operations that hold where a being stands.
pub(super) fn at_hand(asker: &Asker<'_>) -> Vec<Doable> {
    let (world, here) = (asker.world, asker.actor.position);
    // Who may do everything does it at once: to draw up is offered to those whose role names it.
    let names_it = |entry: &Entry| entry.to_value().to_string().contains(DRAFT_MAKE);
    let is_meant = |operation: &Doable| operation.name.as_ref() != DRAFT_MAKE || asker.worn.entries(Verb::Do).any(names_it);
    let is_offered =
        |operation: &Doable| world.offers(&operation.name, here) && is_meant(operation) && !only_draws_up(asker, &operation.name);
    operations(world).into_iter().filter(is_offered).collect()
}

/// The arguments of a schema in a line: `{path: string, value?: any}`.
fn signature(schema: &Value) -> String {
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
