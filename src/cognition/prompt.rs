//! Prompt: what a language model is told in one moment: a system message and a user message, and the tools that it may use.
//!
//! A pure function of the opening, the world as of it and what the see-resolvers answered, in a fixed order: identity and place, the
//! blocks under `[name]`, what may be done right now, the worn role's prompt, the time. The user message is the wake.

use std::fmt::Write;

use serde_json::{Value as Json, json};

use crate::dialect::Tool;
use crate::fact::{BeingId, Orientation, Text, Thing, Value, Verb};
use crate::moment::Opening;
use crate::role::Entry;
use crate::verb::{ABOUT_CALLER, Asker, Doable, HANDOVER, Named, OWN_ACTS, RECENT_HERE, THREAD, describe, operations};
use crate::world::{Body, Local, World, address_of};

use super::script::recall;

/// How many things of a kind are named one by one.
const LISTED: usize = 24;
/// The longest text that a tool takes strictly: a small model that is not held in goes on until its reply is cut off.
const STRICT_TEXT: u32 = 160;

/// What one moment of a model is asked with.
#[derive(Clone, Debug, PartialEq)]
pub struct Prompt {
    /// The system message.
    pub system: String,
    /// The user message.
    pub user: String,
    /// The tools whose can* list is not empty.
    pub tools: Vec<Tool>,
}

/// Writes the prompt of a moment; `seen` maps the name of each see-resolver to its answer, `words`
/// are the worn role's own. Strictly: the tools take only what is near, so
/// that a small model whose server holds it to their schemas cannot name what is not there.
pub fn prompt(opening: &Opening, world: &World, seen: &Value, words: &str, strict: bool) -> Prompt {
    let asker = Asker { world, actor: &opening.being, worn: &opening.worn, caller: opening.caller, at: opening.opened_at };
    let near = near(opening, world);
    let mut system = identity(opening, world);
    blocks(&mut system, opening, &asker, seen);
    abilities(&mut system, &asker, &near);
    if !words.trim().is_empty() {
        let _ = write!(system, "\n{}\n", words.trim());
    }
    let local = Local::of(opening.opened_at, world.zone());
    let since = opening.opened_at.saturating_sub(opening.being.counted_from).max(0) / 1000;
    let _ = write!(system, "\nIt is {}, a {}. You last acted {since} seconds ago.\n", local.iso(), weekday(local.day_of_week));
    let _ = writeln!(system, "Answer with one tool call, or with nothing to do. Words alone change nothing.");
    Prompt { system, user: woken(opening, world), tools: tools(opening, &asker, &near, strict) }
}

fn identity(opening: &Opening, world: &World) -> String {
    let being = &opening.being;
    let name = |id: BeingId| world.being(id).map(|being| format!("@{}", being.name)).unwrap_or_default();
    let mut text = format!("You are @{}", being.name);
    if let Some(world) = world.world_said("name").and_then(Value::as_str) {
        let _ = write!(text, ", in the world `{world}`");
    }
    let _ = write!(text, ". You stand in {}", world.path_of(being.position));
    if let Some(at) = being.coords {
        let _ = write!(text, " at ({}, {})", at.x, at.y);
    }
    let _ = write!(text, ". Your home is {}.", world.path_of(being.home));
    if let Some(parent) = being.parent {
        let _ = write!(text, " You were born of {}.", name(parent));
    }
    let stack: Vec<&str> = opening.stack.iter().map(|worn| worn.role.as_ref()).collect();
    let _ = writeln!(text, " You wear {}.", stack.join(" + "));
    text
}

/// Structured data, each under its name: oneself, the place if it may be seen, what resolvers answered, what one has just looked at.
fn blocks(text: &mut String, opening: &Opening, asker: &Asker<'_>, seen: &Value) {
    let being = &opening.being;
    if !being.qualities.is_empty() {
        block(text, "me", &being.qualities.read(opening.opened_at));
    }
    // Inward, a being is alone with what it did; half turned, it has that beside the world.
    let place = Thing::Space(being.position);
    let is_outward = opening.orientation != Orientation::Inward;
    if is_outward && asker.may_see(&Named::Thing(place)).is_ok() {
        block(text, "place", &describe(asker.world, place, opening.opened_at));
    }
    let recall = recall(opening, asker.world);
    let mut recalled: Vec<&str> = vec![HANDOVER];
    recalled.extend(is_outward.then_some([RECENT_HERE, ABOUT_CALLER, THREAD]).into_iter().flatten());
    recalled.extend((opening.orientation != Orientation::Forward).then_some(OWN_ACTS));
    // What the role names itself stands with its other resolvers.
    for name in recalled.into_iter().filter(|name| seen.get(name).is_none()) {
        if let Some(value) = recall.of(name) {
            block(text, name, &value);
        }
    }
    for (name, value) in seen.as_map().into_iter().flatten() {
        block(text, name, value);
    }
    if let Some((address, value)) = looked(opening, asker) {
        block(text, &format!("you looked at {address}"), &value);
    }
}

/// What the being's last moment looked at, if the same wake goes on.
fn looked(opening: &Opening, asker: &Asker<'_>) -> Option<(Text, Value)> {
    let address = opening.being.looked.last()?;
    let shown = match address.parse::<crate::verb::Address>() {
        Ok(parsed) => parsed.resolve(asker.world, &opening.being, asker.at).and_then(|named| {
            asker.may_see(&named)?;
            crate::verb::show(asker.world, &named, opening.opened_at)
        }),
        Err(_) => return None,
    };
    Some((address.clone(), shown.unwrap_or_else(|reason| Value::from(reason.to_string()))))
}

fn block(text: &mut String, name: &str, value: &Value) {
    let _ = write!(text, "\n[{name}]\n{value}\n");
}

/// The things that tokens are resolved over: what a being can name without searching.
fn near(opening: &Opening, world: &World) -> Vec<Thing> {
    let being = &opening.being;
    let mut near = vec![Thing::Being(being.id), Thing::Space(being.position), Thing::Space(being.home)];
    near.extend(being.parent.map(Thing::Being));
    near.extend(opening.caller.map(Thing::Being));
    near.extend(world.beings_in(being.position).take(LISTED).map(Thing::Being));
    near.extend(world.children_of(being.id).take(LISTED).map(Thing::Being));
    near.extend(world.matter_in(Thing::Space(being.position)).take(LISTED).map(|(_, id)| Thing::Matter(id)));
    near.extend(world.matter_in(Thing::Being(being.id)).take(LISTED).map(|(_, id)| Thing::Matter(id)));
    near.extend(world.spaces_in(being.position).take(LISTED).map(|(_, id)| Thing::Space(id)));
    let mut seen = std::collections::BTreeSet::new();
    near.retain(|thing| seen.insert(*thing));
    near
}

/// What the worn role may do right now, tokens resolved.
fn abilities(text: &mut String, asker: &Asker<'_>, near: &[Thing]) {
    let addresses = |verb: Verb| -> Vec<String> {
        let reached = near.iter().filter(|thing| asker.may_reach(verb, **thing).is_ok() && fits(verb, **thing));
        reached.map(|thing| address_of(asker.world, *thing)).collect()
    };
    let written = |verb: Verb| -> Vec<String> {
        asker.worn.list(verb).iter().filter(|entry| !matches!(entry, Entry::Rel(_))).map(|entry| entry.to_value().to_string()).collect()
    };
    let _ = write!(text, "\nWhat you may do now:\n");
    for (verb, word) in [(Verb::See, "see"), (Verb::Summon, "summon")] {
        if asker.worn.has(verb) {
            let (near, also) = (addresses(verb).join(" "), written(verb).join(" "));
            let also = if also.is_empty() { String::new() } else { format!("; and whatever matches {also}") };
            let _ = writeln!(text, "- {word}: {}{also}", if near.is_empty() { "nothing near" } else { &near });
        }
    }
    for operation in at_hand(asker) {
        let entries: Vec<&Entry> = asker.worn.entries(Verb::Do).filter(|entry| entry.covers_action(&operation.name)).collect();
        if entries.is_empty() {
            continue;
        }
        let targets: Vec<String> = near
            .iter()
            .filter(|thing| on_any(asker, &operation, **thing))
            .take(LISTED)
            .map(|thing| address_of(asker.world, *thing))
            .collect();
        let spaces: Vec<String> = entries
            .iter()
            .filter_map(|entry| if let Entry::Bound { ns: Some(ns), .. } = entry { Some(ns.as_str().to_owned()) } else { None })
            .collect();
        let bound = if spaces.is_empty() { String::new() } else { format!(", only in the namespace {}", spaces.join(" or ")) };
        let targets = if targets.is_empty() { "nothing near".to_owned() } else { targets.join(" ") };
        let _ = writeln!(text, "- do {}{}: {} (on {targets}{bound})", operation.name, signature(&operation.schema), operation.about);
    }
    for (name, about, schema) in crate::verb::BE_OPERATIONS {
        if asker.may_be(name, Some(Thing::Being(asker.actor.id))).is_ok() {
            let schema: Value = serde_json::from_str(schema).unwrap_or_default();
            let _ = writeln!(text, "- be {name}{}: {about}", signature(&schema));
        }
    }
}

/// The operations that hold where a being stands.
fn at_hand(asker: &Asker<'_>) -> Vec<Doable> {
    let (world, here) = (asker.world, asker.actor.position);
    operations(world).into_iter().filter(|operation| world.offers(&operation.name, here)).collect()
}

/// Whether any entry of canDo lets an operation be done to a thing.
fn on_any(asker: &Asker<'_>, operation: &Doable, thing: Thing) -> bool {
    operation.fits(thing) && asker.could_do(&operation.name, thing).is_ok()
}

fn fits(verb: Verb, thing: Thing) -> bool {
    verb != Verb::Summon || matches!(thing, Thing::Being(_))
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
    format!(" {{{}}}", pairs.collect::<Vec<_>>().join(", "))
}

fn weekday(day: i64) -> &'static str {
    ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"].get(day as usize).copied().unwrap_or("day")
}

/// Why the moment opened, as the user message.
fn woken(opening: &Opening, world: &World) -> String {
    let name = |id: &BeingId| world.being(*id).map_or_else(|| id.to_string(), |being| format!("@{}", being.name));
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    match &opening.wake.body {
        Body::Summons { from, summons, content } => {
            let role = summons.caller_role.as_ref().map(|role| format!(", as {role},")).unwrap_or_default();
            let intent = summons.intent.as_ref().map(|intent| format!(" ({intent})")).unwrap_or_default();
            format!("{}{role} summons you{intent}: {}", name(from), text(content))
        }
        Body::Signal { path } => {
            format!("The signal {path} has changed; it is {} now.", world.signals().at(path).cloned().unwrap_or_default())
        }
        Body::Schedule { name, content } if content.is_null() => format!("It is time for `{name}`."),
        Body::Schedule { name, content } => format!("It is time for `{name}`: {}", text(content)),
        Body::Enter { space } => format!("You have come into {}.", world.path_of(*space)),
        Body::Arrival { who } => format!("{} has come.", name(who)),
        Body::Hear { who, content } => format!("{} says: {content}", name(who)),
        Body::Watch { who, action, target, count, .. } => {
            let more = if *count > 1 { format!(", {count} times by now") } else { String::new() };
            format!("{} has done {action} to {}{more}.", name(who), address_of(world, *target))
        }
        Body::Change { wore } if wore.is_empty() => "Something has changed: you wear a role again.".to_owned(),
        Body::Change { wore } => format!("Something has changed: you were {} before.", wore.join(", ")),
        Body::Crossing => "Time has passed.".to_owned(),
        Body::SelfContinue => "Go on with what you are doing.".to_owned(),
        Body::Gesture | Body::End => String::new(),
    }
}

/// The tools, each only if its can* list is not empty; one who has looked often enough has to decide.
fn tools(opening: &Opening, asker: &Asker<'_>, near: &[Thing], strict: bool) -> Vec<Tool> {
    let text = |about: &str, most: u32| {
        let most = if strict { most.min(STRICT_TEXT) } else { most };
        json!({ "type": "string", "description": about, "maxLength": most })
    };
    let tool = |name, about, properties: Json, required: Json| {
        let parameters = json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false });
        Tool { name, about, parameters }
    };
    let worn = &opening.worn;
    // An address as text, or as one of those that are near.
    let address = |about: &str, fits: &dyn Fn(Thing) -> bool| {
        let near: Vec<String> = near.iter().filter(|thing| fits(**thing)).map(|thing| address_of(asker.world, *thing)).collect();
        if strict && !near.is_empty() { json!({ "type": "string", "enum": near, "description": about }) } else { text(about, 256) }
    };
    let operations = at_hand(asker);
    let covered = |thing: Option<Thing>| {
        operations.iter().filter(move |op| match thing {
            Some(thing) => on_any(asker, op, thing),
            None => worn.entries(Verb::Do).any(|entry| entry.covers_action(&op.name)),
        })
    };
    let mut tools = Vec::new();
    if worn.has(Verb::See) && opening.being.looked.len() < LOOKS {
        let about = "Looks at an address; what it shows is told in your next moment.";
        tools.push(tool(
            "see",
            about,
            json!({ "address": address("such as /a/b or @name", &|thing| asker.may_reach(Verb::See, thing).is_ok()) }),
            json!(["address"]),
        ));
    }
    if worn.has(Verb::Do) {
        let target = |of: &dyn Fn(Thing) -> bool| address("the address of the thing it is done to", of);
        let parameters = if strict {
            // One shape for each operation, so that its own arguments are held to its own schema.
            let one = |op: &Doable| {
                let fits = |thing| on_any(asker, op, thing);
                json!({ "type": "object", "additionalProperties": false, "required": ["action", "target", "args"], "properties": {
                    "action": { "const": op.name.as_ref() }, "target": target(&fits), "args": held_in(serde_json::to_value(&op.schema).unwrap_or_default()) } })
            };
            json!({ "anyOf": covered(None).map(one).collect::<Vec<_>>() })
        } else {
            let actions: Vec<&str> = covered(None).map(|op| op.name.as_ref()).collect();
            json!({ "type": "object", "additionalProperties": false, "required": ["target", "action"], "properties": {
                "target": target(&|thing| covered(Some(thing)).next().is_some()),
                "action": { "type": "string", "enum": actions, "description": "the operation" },
                "args": { "type": "object", "description": "the operation's arguments" } } })
        };
        tools.push(Tool { name: "do", about: "Does an operation on a thing.", parameters });
    }
    if worn.has(Verb::Summon) {
        let fits =
            |thing| matches!(thing, Thing::Being(being) if being != opening.being.id) && asker.may_reach(Verb::Summon, thing).is_ok();
        // Only who was woken by somebody can leave out whom it answers.
        let (about, required) = match opening.caller {
            Some(_) => ("whom, such as @name; without it, whoever woke you", json!(["content"])),
            None => ("whom, such as @name", json!(["content", "target"])),
        };
        let properties = json!({ "content": text("what is said", 2000), "target": address(about, &fits) });
        tools.push(tool("summon", "Speaks to a being, which wakes it.", properties, required));
    }
    if !worn.can_be.is_empty() {
        let may: Vec<&str> = crate::verb::BE_OPERATIONS
            .iter()
            .map(|(name, ..)| *name)
            .filter(|name| asker.may_be(name, Some(Thing::Being(opening.being.id))).is_ok())
            .collect();
        let properties = json!({ "operation": if may.is_empty() { text("such as birth", 64) } else { json!({ "enum": may }) }, "payload": { "type": "object" } });
        tools.push(tool("be", "Changes who one is.", properties, json!(["operation"])));
    }
    tools
}

/// Tells the tools in the system message, for a model that takes none, and gives the schema of the one act that it answers with.
pub(super) fn one_act(system: &mut String, tools: &[Tool]) -> Json {
    let _ = writeln!(system, "The tools:");
    let mut acts = Vec::new();
    for Tool { name, about, parameters } in tools {
        let _ = writeln!(system, "- {name}: {about}");
        acts.push(json!({ "type": "object", "additionalProperties": false, "required": ["name", "arguments"], "properties": {
            "name": { "const": name }, "arguments": parameters } }));
    }
    acts.push(
        json!({ "type": "object", "additionalProperties": false, "required": ["name"], "properties": { "name": { "const": "nothing" } } }),
    );
    let _ = writeln!(system, "Answer with one JSON object: {{\"name\": the tool, \"arguments\": {{…}}}}, or {{\"name\": \"nothing\"}}.");
    json!({ "anyOf": acts })
}

/// A schema whose texts have a length at which they end.
fn held_in(mut schema: Json) -> Json {
    match &mut schema {
        Json::Object(map) => {
            if map.get("type").is_some_and(|kind| kind == "string") && !map.contains_key("enum") {
                let most = map.get("maxLength").and_then(Json::as_u64).unwrap_or(u64::MAX).min(u64::from(STRICT_TEXT));
                map.insert("maxLength".to_owned(), json!(most));
            }
            map.values_mut().for_each(|value| *value = held_in(value.take()));
        }
        Json::Array(list) => list.iter_mut().for_each(|value| *value = held_in(value.take())),
        Json::Null | Json::Bool(_) | Json::Number(_) | Json::String(_) => {}
    }
    schema
}

/// How often one may look before one has to act or let it be.
pub const LOOKS: usize = 4;
