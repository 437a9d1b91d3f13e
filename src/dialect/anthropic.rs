//! Anthropic: the Messages API. The part of a prompt that changes least is marked for the cache, which is read at a fraction of its price.

use std::collections::BTreeMap;

use serde_json::{Map, Value as Json, json};

use crate::fact::{Code, Reason};

use super::ends::{EndedBy, refused};
use super::held::ACT;
use super::record::{ANSWER_TOKENS, Dialect, InnerError, Means, Question, Spoken, TokenCount, Tool, Used, twice_as_long};

pub static DIALECT: Dialect = Dialect {
    word: "anthropic",
    ours: &["model", "system", "messages", "tools", "stream"],
    url: |base| format!("{base}/messages"),
    key: |key| ("x-api-key", key.to_owned()),
    headers: &[("anthropic-version", "2023-06-01")],
    body,
    messages,
    longest: |body| body.get("max_tokens").and_then(Json::as_u64).unwrap_or(ANSWER_TOKENS.unsigned_abs()),
    longer: |body, most| twice_as_long(body, &["max_tokens"], most),
    // It draws anew by itself, and takes no seed.
    varied: |_, _| None,
    fault,
    hear,
    usage,
    says: |text| json!({ "type": "message", "role": "assistant", "content": [{ "type": "text", "text": text }], "stop_reason": "end_turn" }),
};

/// Where the calls of an answer stand.
pub const CALL: &str = "/content";
/// Where an answer says how it ended.
pub const STOP: &str = "/stop_reason";
pub fn body(question: &Question<'_>) -> Json {
    // Blocks under `[name]` change from moment to moment; what stands before them hardly does.
    let (kept, rest) = question.system.split_at(question.system.find("\n[").unwrap_or(question.system.len()));
    let part = |text: &str| json!({ "type": "text", "text": text });
    let mut system = vec![json!({ "type": "text", "text": kept, "cache_control": { "type": "ephemeral" } })];
    system.extend((!rest.is_empty()).then(|| part(rest)));
    let mut body = json!({
        "model": question.model,
        "system": system,
        // A moment may have no user text, and the API takes no empty message.
        "messages": [{ "role": "user", "content": if question.user.is_empty() { "Go on." } else { question.user } }],
    });
    let Some(keys) = body.as_object_mut() else { return body };
    for (key, value) in question.sampling.as_map().into_iter().flatten() {
        keys.insert(key.to_string(), serde_json::to_value(value).unwrap_or_default());
    }
    keys.entry("max_tokens").or_insert_with(|| json!(ANSWER_TOKENS));
    // Places and connections say it in the words of the usual dialect.
    keys.entry("tool_choice").and_modify(|choice| match choice.as_str() {
        Some("required") => *choice = json!({ "type": "any" }),
        Some(word) => *choice = json!({ "type": word }),
        None => {}
    });
    let has_tools = match &question.acts {
        Means::Schema(_) => true,
        Means::Tools(tools) | Means::Held(tools) => !tools.is_empty(),
    };
    match &question.acts {
        Means::Schema(schema) => {
            let held = json!({ "type": "object", "properties": { ACT: schema }, "required": [ACT] });
            keys.insert("tools".to_owned(), json!([{ "name": ACT, "description": "Acts.", "input_schema": held }]));
            keys.insert("tool_choice".to_owned(), json!({ "type": "tool", "name": ACT }));
        }
        Means::Tools(tools) | Means::Held(tools) if !tools.is_empty() => {
            keys.insert("tools".to_owned(), tools.iter().map(tool).collect());
        }
        Means::Tools(_) | Means::Held(_) => drop(keys.remove("tool_choice")),
    }
    if question.one_call && has_tools {
        let choice = keys.entry("tool_choice").or_insert_with(|| json!({ "type": "auto" }));
        // Where no call may be made, the provider takes no such word.
        if let Some(choice) = choice.as_object_mut().filter(|choice| choice.get("type").is_none_or(|word| word != "none")) {
            choice.entry("disable_parallel_tool_use").or_insert(json!(true));
        }
    }
    body
}

fn tool(tool: &Tool) -> Json {
    json!({ "name": tool.name, "description": tool.about, "input_schema": joined(&tool.parameters) })
}

/// A schema without alternatives at its top, which are not taken there: what each of them has, and what all of them require.
pub fn joined(schema: &Json) -> Json {
    let Some(alternatives) = schema.get("anyOf").and_then(Json::as_array) else { return schema.clone() };
    let mut properties: BTreeMap<&str, Vec<&Json>> = BTreeMap::new();
    for (key, property) in alternatives.iter().filter_map(|one| one.get("properties")?.as_object()).flatten() {
        properties.entry(key).or_default().push(property);
    }
    let is_required = |key: &str| {
        let requires = |one: &Json| one.get("required").and_then(Json::as_array).is_some_and(|keys| keys.iter().any(|one| one == key));
        alternatives.iter().all(requires)
    };
    let required: Vec<&str> = properties.keys().copied().filter(|key| is_required(key)).collect();
    let properties: Map<String, Json> = properties.iter().map(|(key, all)| ((*key).to_owned(), either(all))).collect();
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}

/// A schema that takes what any of some schemas takes: all their words where each has words, the parts they share, else only their type.
fn either(all: &[&Json]) -> Json {
    let words = |one: &Json| one.get("enum").and_then(Json::as_array).cloned().or_else(|| Some(vec![one.get("const")?.clone()]));
    if let Some(words) = all.iter().map(|one| words(one)).collect::<Option<Vec<_>>>() {
        let mut words = words.concat();
        let mut seen = std::collections::BTreeSet::new();
        words.retain(|word| seen.insert(word.to_string()));
        return json!({ "enum": words });
    }
    match all {
        [first, rest @ ..] if rest.iter().all(|one| one == first) => (*first).clone(),
        [first, rest @ ..] => match first.get("type").filter(|kind| rest.iter().all(|one| one.get("type") == Some(*kind))) {
            Some(kind) => json!({ "type": kind }),
            None => json!({}),
        },
        [] => json!({}),
    }
}

pub fn messages(body: &Json) -> Vec<(String, String)> {
    let texts = |value: &Json| match value {
        Json::String(text) => text.clone(),
        value => value.as_array().into_iter().flatten().filter_map(|part| part.get("text")?.as_str()).collect(),
    };
    let system = body.get("system").map(|system| ("system".to_owned(), texts(system)));
    let said = body.get("messages").and_then(Json::as_array).into_iter().flatten();
    let role = |message: &Json| message.get("role").and_then(Json::as_str).unwrap_or_default().to_owned();
    system.into_iter().chain(said.map(|message| (role(message), message.get("content").map(texts).unwrap_or_default()))).collect()
}

/// An answer of the type `error`, which names the status that it would have had.
fn fault(body: &Json) -> Option<InnerError> {
    let error = body.get("error").filter(|error| !error.is_null())?;
    let status = match error.get("type").and_then(Json::as_str) {
        Some("overloaded_error") => Some(529),
        Some("rate_limit_error") => Some(429),
        Some("api_error" | "timeout_error") => Some(500),
        _ => None,
    };
    Some(InnerError { status })
}

pub fn hear(body: &Json) -> Result<Spoken, Reason> {
    let content = body.get("content").and_then(Json::as_array).ok_or_else(|| Reason::new(Code::ReplyMalformed, CALL))?;
    let of = |kind: &'static str| content.iter().filter(move |part| part.get("type").and_then(Json::as_str) == Some(kind));
    let text: String = of("text").filter_map(|part| part.get("text")?.as_str()).collect();
    let stop = body.get("stop_reason").and_then(Json::as_str);
    let ended = EndedBy::by(stop, STOP);
    Ok(Spoken {
        refusal: refused(ended, stop, &text),
        call: of("tool_use").find(|call| is_named(call)).or_else(|| of("tool_use").next()).map(|call| (called(call), CALL)),
        more: of("tool_use").filter(|call| is_named(call)).skip(1).map(called).collect(),
        text,
        ended,
    })
}

fn is_named(call: &Json) -> bool {
    call.get("name").and_then(Json::as_str).is_some_and(|name| !name.trim().is_empty())
}

/// A call as everybody else writes it.
fn called(call: &Json) -> Json {
    let input = call.get("input").cloned().unwrap_or_default();
    match call.get("name").and_then(Json::as_str) {
        Some(ACT) => input.get(ACT).cloned().unwrap_or_default(),
        name => json!({ "name": name, "arguments": input }),
    }
}

/// Cache reads and cache writes count as input tokens: a budget is never told too little.
pub fn usage(body: &Json) -> Used {
    let count = |key: &str| body.pointer(&format!("/usage/{key}")).and_then(Json::as_u64);
    let [kept, cached] = ["cache_creation_input_tokens", "cache_read_input_tokens"].map(|key| count(key).unwrap_or(0));
    let usage = count("input_tokens").zip(count("output_tokens"));
    let all = |input: u64| input.saturating_add(kept).saturating_add(cached);
    let usage = usage.map(|(input, output)| TokenCount { input: all(input), cached, output });
    Used { model: body.get("model").and_then(Json::as_str).map(str::to_owned), usage }
}
