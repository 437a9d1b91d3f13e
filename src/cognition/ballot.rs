//! Ballot: the question of a panel, as its members are told it: what it is about, which calls it may make, and how others have voted.

use crate::fact::{Call, Content, Thing, Value, Verb, in_a_line, says};
use crate::role::Entry;
use crate::verb::{BE_OPERATIONS, Doable, operations_of};
use crate::world::{Attempted, Being, World, address_of};

use super::abilities::{be_line, signature};
use super::afar::LOOKED_THROUGH;
use super::glance::{cut_to_page, line, page, parts};
use super::near::LISTED;

/// The question in sentences, from the words of the summons that asks it.
pub(super) fn question(content: &Value, world: &World) -> String {
    let list = |key: &str| content.get(key).and_then(Value::as_list).unwrap_or_default();
    let told = |title: &str, lines: Vec<String>| {
        if lines.is_empty() { String::new() } else { says(title, &cut_to_page(lines.join("\n"))) + "\n" }
    };
    let wake = content.get("about").filter(|wake| !wake.is_null());
    let about = wake.map(|wake| about(wake).unwrap_or_else(|| told("It was woken by this", parts(wake)))).unwrap_or_default();
    let options = told("It may make one of these calls", options(content, world));
    let voted = told("So far they have voted", list("ballots").iter().map(ballot).collect());
    [about, options, voted].concat()
}

/// The words by which a panel was woken, behind whose they are; nothing where no words woke it.
fn about(wake: &Value) -> Option<String> {
    let words = wake.get("content").filter(|content| !content.is_null())?;
    let from = wake.get("from").and_then(Value::as_str);
    let who = from.map_or_else(|| "It is time for this".to_owned(), |from| format!("{from} said to it"));
    Some(says(&who, &page(words)) + "\n")
}

/// The calls that the panel may make, a line each: what it takes, what it does, and to what.
fn options(content: &Value, world: &World) -> Vec<String> {
    let name = content.get("panel").and_then(Value::as_str).and_then(|name| name.strip_prefix('@'));
    let panel = name.and_then(|name| world.being_named(name)).map(|panel| &**panel);
    let entries = |list: &str, verb: Verb| -> Vec<Entry> {
        let values = content.get("options").and_then(|options| options.get(list)).and_then(Value::as_list).unwrap_or_default();
        values.iter().filter_map(|value| Entry::from_value(value, verb).ok()).collect()
    };
    let deeds = entries("canDo", Verb::Do);
    let operations = operations_of(world, |name| deeds.iter().any(|entry| entry.covers_action(name)));
    let done = operations.iter().map(|operation| deed(operation, &deeds, (world, panel)));
    let bound = entries("canBe", Verb::Be);
    let been = BE_OPERATIONS.iter().filter(|(name, ..)| bound.iter().any(|entry| entry.covers_action(name)));
    let been = been.map(|(name, about, schema, _)| format!("- be {}", be_line(name, about, schema)));
    let reach = [("canSummon", Verb::Summon, "summon {content: string}: speaks to"), ("canSee", Verb::See, "see: looks at")];
    let reached = reach.into_iter().map(|(list, verb, does)| (does, entries(list, verb))).filter(|(_, entries)| !entries.is_empty());
    let reached = reached.map(|(does, entries)| format!("- {does} {}", entries.iter().map(place).collect::<Vec<_>>().join(" or ")));
    // There are few of these, and of a long list the end may have no room.
    reached.chain(been).chain(done).collect()
}

/// One operation with its arguments, and what it may be done to: what its entries bind, else what fits where the panel stands.
fn deed(operation: &Doable, entries: &[Entry], (world, panel): (&World, Option<&Being>)) -> String {
    let covering = || entries.iter().filter(|entry| entry.covers_action(&operation.name));
    let on = |entry: &Entry| if let Entry::Bound { on: Some(on), .. } = entry { Some(place(on)) } else { None };
    let mut targets: Vec<String> = covering().filter_map(on).collect();
    if covering().any(|entry| on(entry).is_none()) {
        targets.extend(panel.into_iter().flat_map(|panel| fitting(operation, world, panel)));
    }
    let on = if targets.is_empty() { String::new() } else { format!(" (on {})", targets.join(" ")) };
    format!("- do {}{}: {}{on}", operation.name, signature(&operation.schema), operation.about)
}

/// The things where a panel stands that an operation takes.
fn fitting(operation: &Doable, world: &World, panel: &Being) -> Vec<String> {
    let here = panel.position;
    let others = world.beings_in(here).take(LOOKED_THROUGH).map(Thing::Being);
    let matter = world.matter_in(Thing::Space(here)).take(LOOKED_THROUGH).map(|(_, id)| Thing::Matter(id));
    let things = [Thing::Space(here)].into_iter().chain(matter).chain(others);
    things.filter(|thing| operation.fits(panel, *thing)).take(LISTED).map(|thing| address_of(world, thing)).collect()
}

/// The reach of an entry: a name or a pattern as it is, a relation as the role writes it.
fn place(entry: &Entry) -> String {
    line(&entry.to_value())
}

/// How somebody has voted: `@bob votes to do say on /hall with {"content":"…"}`.
fn ballot(ballot: &Value) -> String {
    let of = ballot.get("of").and_then(Value::as_str).unwrap_or_default();
    match ballot.get("vote").map(Call::read) {
        Some(Ok(Some(call))) => format!("{of} votes to {}", vote(&call)),
        Some(_) => format!("{of} abstains"),
        None => format!("{of} has not voted yet"),
    }
}

fn vote(call: &Call) -> String {
    let args = if let Content::Here(args) = &call.args { Some(args).filter(|args| !args.is_null()) } else { None };
    let with = args.map(|args| format!(" with {}", in_a_line(&args.to_string())));
    format!("{}{}", in_a_line(&Attempted::of(call).to_string()), with.unwrap_or_default())
}
