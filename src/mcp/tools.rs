//! Tools: the four verbs as the worn role has them now, each with what it may be used for and the schema of what it takes.

use std::fmt::Write;
use std::sync::Arc;

use rmcp::model::{Tool, ToolAnnotations};
use serde_json::{Value as Json, json};

use crate::fact::Verb;

use super::guest::{MayNow, VerbNow};

/// The tools: a verb of which the role lists nothing is none.
pub(super) fn tools(may: &MayNow) -> Vec<Tool> {
    may.verbs.iter().map(tool).collect()
}

/// The fault in the keys of a tool's arguments, in a sentence.
pub(super) fn wrong_keys(verb: Verb, arguments: &Json) -> Option<String> {
    let schema = taken(&VerbNow { verb, lines: Vec::new(), operations: Vec::new() });
    let known: Vec<&str> = schema.get("properties")?.as_object()?.keys().map(String::as_str).collect();
    let found: Vec<&str> = arguments.as_object()?.keys().map(String::as_str).collect();
    let lacking = schema.get("required")?.as_array()?.iter().filter_map(Json::as_str).find(|key| !found.contains(key));
    // A driver says as whom it speaks.
    let strange = found.iter().find(|key| !known.contains(key) && **key != "as");
    match (lacking, strange) {
        (None, None) => None,
        (None, Some(strange)) => Some(format!("`{verb}` has no argument `{strange}`; it has {}", known.join(", "))),
        (Some(lacking), _) if found.is_empty() => {
            Some(format!("`{verb}` expects `{lacking}`, found no argument; it has {}", known.join(", ")))
        }
        (Some(lacking), _) => Some(format!("`{verb}` expects `{lacking}`, found {}; it has {}", found.join(", "), known.join(", "))),
    }
}

/// The schema of what a tool takes.
fn taken(now: &VerbNow) -> Json {
    match now.verb {
        Verb::See => see(),
        Verb::Do => act(now),
        Verb::Summon => summon(),
        Verb::Be => be(now),
    }
}

fn tool(now: &VerbNow) -> Tool {
    let schema = taken(now);
    let schema = schema.as_object().cloned().unwrap_or_default();
    // The world is all that is reached.
    let annotations = ToolAnnotations::new().read_only(now.verb == Verb::See).open_world(false);
    let tool = Tool::new(now.verb.word(), about(now), Arc::new(schema)).with_annotations(annotations);
    let output = if now.verb == Verb::See {
        let kind = json!({ "type": "string", "enum": ["being", "space", "matter", "register"] });
        let more = json!({ "type": "boolean", "description": "whether there is more than the text tells" });
        outcome([("address", text("what was looked at")), ("kind", kind), ("more", more)], &["address", "kind", "more"])
    } else {
        outcome(DONE.map(|(key, about)| (key, if key == "seq" { number(about) } else { text(about) })), &["seq", "closing"])
    };
    tool.with_raw_output_schema(Arc::new(output.as_object().cloned().unwrap_or_default()))
}

/// The key of the sentence.
pub(super) const TOLD: &str = "told";

/// The structured part of an act that was done, each with what it says.
pub(super) const DONE: [(&str, &str); 7] = [
    ("seq", "the moment"),
    ("time", "when, in the world's own time"),
    ("being", "who did it"),
    ("place", "where it stood"),
    ("closing", "how the moment closed"),
    ("deed", "what was done"),
    (TOLD, "the same as a sentence"),
];

/// The structured part of a result: these, or why it was refused.
fn outcome(done: impl IntoIterator<Item = (&'static str, Json)>, required: &[&str]) -> Json {
    let refused = [
        ("code", text("why it was refused, by its code")),
        ("place", text("at which argument, or by which rule")),
        ("message", text("the same in a sentence")),
        ("nearest", text("the nearest that would be allowed")),
        ("seq", number("the moment, where it is recorded")),
    ];
    // A key of both is the one that is done.
    let properties: serde_json::Map<String, Json> = refused.into_iter().chain(done).map(|(key, schema)| (key.to_owned(), schema)).collect();
    let either = json!([{ "required": required }, { "required": ["code", "message"] }]);
    json!({ "type": "object", "properties": properties, "anyOf": either, "additionalProperties": false })
}

fn number(about: &str) -> Json {
    json!({ "type": "integer", "description": about })
}

/// The description of a verb's tool: what the verb does, and what the being may use it for now.
fn about(now: &VerbNow) -> String {
    let (what, may) = match now.verb {
        Verb::See => ("Shows what is at an address. Nothing is recorded.", "You may see: "),
        Verb::Do => ("Does an operation on a thing. Recorded, also where it is refused.", "You may do now:\n"),
        Verb::Summon => ("Speaks to a being, which wakes it. What it says in return comes to your inbox.", "You may summon: "),
        Verb::Be => ("Changes who one is: births, ends, drives.", "You may use now:\n"),
    };
    let mut text = format!("{what} {may}");
    now.lines.iter().for_each(|line| {
        let _ = writeln!(text, "{line}");
    });
    text.trim_end().to_owned()
}

fn object(properties: Json, required: Json) -> Json {
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}

fn text(about: &str) -> Json {
    json!({ "type": "string", "description": about })
}

fn wake() -> Json {
    text("the entry of your inbox that this answers: its `wake`")
}

/// The schema of an operation's name: one of these, or any where none is known.
fn one_of(operations: &[String], about: &str) -> Json {
    if operations.is_empty() { text(about) } else { json!({ "type": "string", "enum": operations, "description": about }) }
}

fn see() -> Json {
    let properties = json!({
        "address": text("such as /a/b, @name or @me/.inbox"),
        "from": { "type": "integer", "minimum": 0, "description": "from which byte of a long text, or from which item of a list on" },
        "words": text("of a list only what has these words; of @me/.life, all that you did and heard"),
        "wait": text("how long to wait at most until something new is there, such as 30s, which is the longest"),
        "at": text("a point of the past, such as 120 or ~10m; without it, now; only for roles that may read /.moments"),
    });
    object(properties, json!(["address"]))
}

fn act(now: &VerbNow) -> Json {
    let properties = json!({
        "target": text("the address of the thing that it is done to"),
        "action": one_of(&now.operations, "the operation"),
        "args": { "type": "object", "description": "the operation's arguments" },
        "content": text("what is said alongside"),
        "wake": wake(),
    });
    object(properties, json!(["target", "action"]))
}

fn summon() -> Json {
    let properties = json!({
        "target": text("whom, such as @name; without it, whoever the answered entry came from"),
        "content": { "description": "what is said: text, or any value" },
        "intent": text("what it is for, such as ask"),
        "rank": { "type": "string", "enum": ["urgent", "normal", "background"] },
        "role": text("a role that is asked for"),
        "only": { "type": "array", "items": { "type": "string", "enum": ["see", "do", "summon", "be"] },
                  "description": "the verbs that whoever hears it may use for it" },
        "answer": { "type": "string", "enum": ["wanted", "none"] },
        "inReplyTo": text("the summons that it answers, as seq.index"),
        "wake": wake(),
    });
    object(properties, json!(["content"]))
}

fn be(now: &VerbNow) -> Json {
    let properties = json!({
        "operation": one_of(&now.operations, "such as birth"),
        "payload": { "type": "object", "description": "what the operation takes" },
        "wake": wake(),
    });
    object(properties, json!(["operation"]))
}
