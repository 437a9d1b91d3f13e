//! Tools: the four verbs as a model may call them now, each with the schema of what it takes; and all of them as one, for a model without tools.

use std::fmt::Write;

use serde_json::{Map, Value as Json, json};

use crate::dialect::Tool;
use crate::fact::{Text, Thing, Verb};
use crate::moment::Opening;
use crate::verb::{Asker, BE_OPERATIONS, Doable, LIFE, only_draws_up};
use crate::world::{Body, address_of};

use super::abilities::{at_hand, may_bind, reached_afar, targets};
use super::near::Near;
use super::spelling::written::VOTE;

/// How often one may look before one has to act or let it be.
pub const LOOKS: u32 = 4;
/// The longest text that a tool takes strictly: a small model that is not held in goes on until its reply is cut off.
const STRICT_TEXT: u32 = 160;

/// The purpose of the tool `do`.
pub(super) const DOES: &str = "Does an operation on a thing.";

/// The context from which tools are built.
struct Kit<'a> {
    opening: &'a Opening,
    asker: &'a Asker<'a>,
    near: &'a Near,
    /// The addresses of which a look would show nothing more than is told anyhow.
    told: &'a [Text],
    strict: bool,
}

/// The tools, each only if its can* list is not empty; one who has looked often enough has to decide.
pub(super) fn tools(opening: &Opening, asker: &Asker<'_>, near: &Near, told: &[Text], strict: bool) -> Vec<Tool> {
    let kit = Kit { opening, asker, near, told, strict };
    let worn = &opening.worn;
    let mut tools = Vec::new();
    if worn.has(Verb::See) && opening.wake.looked < LOOKS {
        tools.extend(kit.see());
    }
    if worn.has(Verb::Do) {
        tools.extend(kit.act());
    }
    // A voter has no `summon`: its vote speaks to nobody else.
    if opening.votes() {
        tools.push(kit.vote());
    } else if worn.has(Verb::Summon) {
        tools.push(kit.summon());
    }
    if !worn.can_be.is_empty() {
        tools.extend(kit.be());
    }
    tools
}

fn object(properties: Json, required: Json) -> Json {
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}

/// One operation as a tool takes it strictly: its own arguments by its own schema.
pub(super) fn strict_deed(action: &str, target: Json, args: Json) -> Json {
    object(json!({ "action": { "const": action }, "target": target, "args": held_in(args) }), json!(["action", "target", "args"]))
}

impl Kit<'_> {
    fn text(&self, about: &str, most: u32) -> Json {
        json!({ "type": "string", "description": about, "maxLength": if self.strict { most.min(STRICT_TEXT) } else { most } })
    }

    /// An address as text, or strictly as one of those that are given.
    fn address(&self, about: &str, near: impl Iterator<Item = Thing>) -> Json {
        let near: Vec<String> = near.map(|thing| address_of(self.asker.world, thing)).collect();
        if self.strict && !near.is_empty() {
            json!({ "type": "string", "enum": near, "description": about })
        } else {
            self.text(about, 256)
        }
    }

    fn reached(&self, verb: Verb) -> impl Iterator<Item = Thing> {
        // Only who is held to addresses needs those here that are far away.
        let afar = if self.strict { reached_afar(self.asker, verb, self.near).things } else { Vec::new() };
        self.near.things.iter().copied().filter(move |thing| self.asker.may_reach(verb, *thing).is_ok()).chain(afar)
    }

    /// Strictly, what is told already is not offered, and where nothing else is near, no look at all.
    fn see(&self) -> Option<Tool> {
        let is_told = |thing: &Thing| {
            let address = address_of(self.asker.world, *thing);
            self.told.iter().any(|told| **told == *address)
        };
        let mut new = self.reached(Verb::See).filter(|thing| !is_told(thing)).peekable();
        if self.strict && new.peek().is_none() {
            return None;
        }
        let mut properties = json!({ "address": self.address("such as /a/b or @name", new) });
        if let (false, Some(properties)) = (self.strict, properties.as_object_mut()) {
            let from = json!({ "type": "integer", "minimum": 0, "description": "from which byte of a long text, or from which item of a list on" });
            properties.insert("from".to_owned(), from);
            let about = format!("of a list only what has these words; of @{}{LIFE}, all that you did and heard", self.opening.being.name);
            let words = json!({ "type": "string", "maxLength": 256, "description": about });
            properties.insert("words".to_owned(), words);
        }
        let about = "Looks at an address; what it shows is told in your next moment, and stands before you for a while.";
        Some(Tool { name: "see", about, parameters: object(properties, json!(["address"])) })
    }

    /// Strictly, nothing to do is no tool: a schema has at least one alternative.
    fn act(&self) -> Option<Tool> {
        let asker = self.asker;
        let operations = at_hand(asker);
        if self.strict && operations.is_empty() {
            return None;
        }
        let about = "the address of the thing it is done to";
        let parameters = if self.strict {
            // One shape for each operation, so that its own arguments are held to its own schema.
            let one = |op: &Doable| {
                let target = self.address(about, targets(asker, op, self.near).into_iter());
                strict_deed(&op.name, target, serde_json::to_value(&op.schema).unwrap_or_default())
            };
            json!({ "anyOf": operations.iter().map(one).collect::<Vec<_>>() })
        } else {
            let actions: Vec<&str> = operations.iter().map(|op| op.name.as_ref()).collect();
            let properties = json!({
                "target": self.text(about, 256),
                "action": { "type": "string", "enum": actions, "description": "the operation" },
                "args": { "type": "object", "description": "the operation's arguments" },
            });
            object(properties, json!(["target", "action"]))
        };
        Some(Tool { name: "do", about: DOES, parameters })
    }

    fn summon(&self) -> Tool {
        let me = Thing::Being(self.opening.being.id);
        let others = self.reached(Verb::Summon).filter(|thing| matches!(thing, Thing::Being(_)) && *thing != me);
        // The same whoever woke it, so that a provider keeps the tools. A reply may leave the caller out all the same.
        let mut properties = json!({ "content": self.text("what is said", 2000), "target": self.address("whom, such as @name", others) });
        // A strict schema leaves the orientation out: its model has enough to choose from.
        if let (false, Ok(()), Some(properties)) = (self.strict, self.asker.may_reach(Verb::Summon, me), properties.as_object_mut()) {
            let about = "of a summons to yourself: half to be told what you did beside the world, inward to be told that alone";
            properties.insert("orientation".to_owned(), json!({ "enum": ["half", "inward"], "description": about }));
        }
        Tool { name: "summon", about: "Speaks to a being, which wakes it.", parameters: object(properties, json!(["content", "target"])) }
    }

    /// One call of the panel that asks, among the verbs that it says it has.
    fn vote(&self) -> Tool {
        let content = if let Body::Summons { content, .. } = &self.opening.wake.about().body { content.get("options") } else { None };
        let lists = [("canDo", Verb::Do), ("canSummon", Verb::Summon), ("canBe", Verb::Be), ("canSee", Verb::See)];
        let verbs = lists.iter().filter(|(list, _)| content.is_some_and(|options| options.get(list).is_some()));
        let verbs: Vec<&str> = verbs.map(|(_, verb)| verb.word()).collect();
        let properties = json!({
            "verb": { "type": "string", "enum": verbs, "description": "which of its verbs" },
            "target": self.text("the address of the thing that it shall do this to, or whom it shall speak to", 256),
            "action": self.text("the operation, of a do or a be", 64),
            "args": { "type": "object", "description": "the operation's arguments, or {content} of what is said" },
        });
        let about = "Votes for the call that whoever asks shall make.";
        Tool { name: VOTE, about, parameters: object(properties, json!(["verb"])) }
    }

    /// The tool `be`; none where the being may only draw it up.
    fn be(&self) -> Option<Tool> {
        if only_draws_up(self.asker, "be.") {
            return None;
        }
        let names = BE_OPERATIONS.iter().map(|(name, ..)| *name);
        let may: Vec<&str> = names.filter(|name| may_bind(self.asker, name)).collect();
        let operation = if may.is_empty() { self.text("such as birth", 64) } else { json!({ "enum": may }) };
        let properties = json!({ "operation": operation, "payload": { "type": "object" } });
        Some(Tool { name: "be", about: "Changes who one is.", parameters: object(properties, json!(["operation"])) })
    }
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

/// A schema whose texts have a length at which they end. Its own examples and bounds still fit.
fn held_in(mut schema: Json) -> Json {
    let Some(map) = schema.as_object_mut() else { return schema };
    let is_text = map.get("type").is_some_and(|kind| kind == "string");
    if is_text && !map.contains_key("enum") && !map.contains_key("const") {
        let most = map.get("maxLength").and_then(Json::as_u64).unwrap_or(u64::MAX).min(needed(map).max(u64::from(STRICT_TEXT)));
        map.insert("maxLength".to_owned(), json!(most));
    }
    for (key, value) in map.iter_mut() {
        match (key.as_str(), value) {
            ("properties" | "patternProperties" | "dependentSchemas", Json::Object(named)) => {
                named.values_mut().for_each(|one| *one = held_in(one.take()));
            }
            ("anyOf" | "oneOf" | "allOf" | "prefixItems", Json::Array(list)) => list.iter_mut().for_each(|one| *one = held_in(one.take())),
            ("items" | "additionalProperties" | "then" | "else", one) => *one = held_in(one.take()),
            // Conditions on a value, and values themselves, stay as they are.
            _ => {}
        }
    }
    schema
}

/// The length that a text's own lower bound, default and examples need.
fn needed(text: &Map<String, Json>) -> u64 {
    let examples = text.get("examples").and_then(Json::as_array).into_iter().flatten().chain(text.get("default"));
    let longest = examples.filter_map(Json::as_str).map(|example| example.chars().count() as u64).max();
    longest.max(text.get("minLength").and_then(Json::as_u64)).unwrap_or(0)
}
