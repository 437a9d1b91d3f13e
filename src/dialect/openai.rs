//! OpenAI: chat completions, which nearly every server of models speaks.

use serde_json::{Value as Json, json};

use crate::fact::{Code, Reason};

use super::ends::{EndedBy, refused};
use super::held::{ACT, freed, held};
use super::record::{ANSWER_TOKENS, Dialect, InnerError, Means, Question, REASONING_PARTS, Spoken, TokenCount, Tool, Used, twice_as_long};

pub(super) static DIALECT: Dialect = Dialect {
    word: "openai",
    ours: &["model", "messages", "tools", "response_format", "stream"],
    url: |base| format!("{base}/chat/completions"),
    key: |key| ("authorization", format!("Bearer {key}")),
    headers: &[],
    body,
    messages,
    longest,
    longer: |body, most| twice_as_long(body, &["max_tokens", "max_completion_tokens"], most),
    varied,
    fault,
    hear,
    usage,
    says: |text| json!({ "choices": [{ "finish_reason": "stop", "message": { "role": "assistant", "content": text } }] }),
};

/// Where the first call of an answer stands.
const CALL: &str = "/choices/0/message/tool_calls/0";
/// Where the parts of an answer's content stand.
const PART: &str = "/choices/0/message/content";
/// Where an answer says how it ended.
const FINISH: &str = "/choices/0/finish_reason";

/// The key that says whether more than one call is wanted.
const ONE_CALL: &str = "parallel_tool_calls";

fn body(question: &Question<'_>) -> Json {
    let mut body = json!({
        "model": question.model,
        "messages": [{ "role": "system", "content": question.system }, { "role": "user", "content": question.user }],
    });
    let Some(keys) = body.as_object_mut() else { return body };
    for (key, value) in question.sampling.as_map().into_iter().flatten() {
        keys.insert(key.to_string(), serde_json::to_value(value).unwrap_or_default());
    }
    if !keys.contains_key("max_tokens") && !keys.contains_key("max_completion_tokens") {
        keys.insert("max_tokens".to_owned(), json!(ANSWER_TOKENS));
    }
    match &question.acts {
        Means::Schema(schema) => {
            keys.remove("tool_choice");
            let held = json!({ "type": "json_schema", "json_schema": { "name": ACT, "strict": true, "schema": held(schema) } });
            keys.insert("response_format".to_owned(), held);
        }
        Means::Tools(tools) if !tools.is_empty() => {
            keys.insert("tools".to_owned(), tools.iter().map(tool).collect());
            if question.one_call {
                keys.entry(ONE_CALL).or_insert(json!(false));
            }
        }
        Means::Held(tools) if !tools.is_empty() => {
            let strict = |tool: &Tool| json!({ "type": "function", "function": { "name": tool.name, "description": tool.about, "strict": true, "parameters": held(&tool.parameters) } });
            keys.insert("tools".to_owned(), tools.iter().map(strict).collect());
            // More than one call is held to no schema.
            if question.one_call {
                keys.entry(ONE_CALL).or_insert(json!(false));
            }
        }
        Means::Tools(_) | Means::Held(_) => {}
    }
    body
}

fn tool(tool: &Tool) -> Json {
    json!({ "type": "function", "function": { "name": tool.name, "description": tool.about, "parameters": tool.parameters } })
}

fn messages(body: &Json) -> Vec<(String, String)> {
    let part = |message: &Json, key: &str| message.get(key).and_then(Json::as_str).unwrap_or_default().to_owned();
    let messages = body.get("messages").and_then(Json::as_array).into_iter().flatten();
    messages.map(|message| (part(message, "role"), part(message, "content"))).collect()
}

fn longest(body: &Json) -> u64 {
    let number = |key: &str| body.get(key).and_then(Json::as_u64);
    let answers = number("n").unwrap_or(1).max(1);
    number("max_tokens").max(number("max_completion_tokens")).unwrap_or(ANSWER_TOKENS.unsigned_abs()).saturating_mul(answers)
}

fn varied(mut body: Json, by: u64) -> Option<Json> {
    let seed = body.get("seed").and_then(Json::as_u64)?;
    body.as_object_mut()?.insert("seed".to_owned(), json!(seed.wrapping_add(by)));
    Some(body)
}

/// An `error` beside choices, or in place of them; routers before many providers put the status that came to them into its `code`.
fn fault(body: &Json) -> Option<InnerError> {
    // Some servers always have the key, and nothing in it.
    let says = |error: &&Json| match error {
        Json::Null | Json::Bool(false) => false,
        Json::String(text) => !text.is_empty(),
        Json::Object(map) => !map.is_empty(),
        Json::Bool(true) | Json::Number(_) | Json::Array(_) => true,
    };
    let error = body.get("error").filter(says).or_else(|| body.pointer("/choices/0/error").filter(says))?;
    let word = |key: &str| error.get(key).and_then(Json::as_str).unwrap_or_default();
    let coded = error.get("code").and_then(|code| code.as_i64().or_else(|| code.as_str()?.parse().ok()));
    let named = match (word("type"), word("code")) {
        ("server_error", _) | (_, "server_error") => Some(500),
        ("rate_limit_exceeded", _) | (_, "rate_limit_exceeded") => Some(429),
        _ => None,
    };
    Some(InnerError { status: coded.or(named) })
}

fn hear(body: &Json) -> Result<Spoken, Reason> {
    let choice = body.pointer("/choices/0").ok_or_else(|| Reason::new(Code::ReplyMalformed, "/choices/0"))?;
    let message = choice.get("message").and_then(Json::as_object).ok_or_else(|| Reason::new(Code::ReplyMalformed, "/choices/0/message"))?;
    let beside = message.get("tool_calls").and_then(first_call).map(|call| (call, CALL));
    let more = message.get("tool_calls").map(|calls| further(calls, beside.map(|(call, _)| call))).unwrap_or_default();
    let function = || message.get("function_call").filter(|call| !call.is_null()).map(|call| (call, CALL));
    let part = || message.get("content").and_then(part_that_calls).map(|call| (call, PART));
    let call = beside.or_else(function).or_else(part);
    let text = message.get("content").map(text_of).unwrap_or_default();
    let ends = choice.get("finish_reason").and_then(Json::as_str);
    let ended = EndedBy::by(ends, FINISH);
    let of_part = || message.get("content")?.as_array()?.iter().find_map(|part| part.get("refusal")?.as_str());
    let refusal = message.get("refusal").and_then(Json::as_str).or_else(of_part).filter(|text| !text.is_empty()).map(str::to_owned);
    Ok(Spoken {
        refusal: refusal.or_else(|| refused(ended, ends, &text)),
        call: call.map(|(call, place)| (called(call), place)),
        more,
        text,
        ended,
    })
}

/// The first call that has a name, of a list or of an object in its place; else the first in which anything stands.
fn first_call(calls: &Json) -> Option<&Json> {
    let calls = calls.as_array().map_or(std::slice::from_ref(calls), Vec::as_slice);
    let is_empty = |call: &Json, key: &str| call.get(key).and_then(Json::as_str).unwrap_or_default().trim().is_empty();
    let body = |call| ["function", "custom"].iter().find_map(|key| Json::get(call, *key)).unwrap_or(call);
    let bodies = || calls.iter().filter(|call| !call.is_null()).map(body);
    let is_blank = |call: &&Json| {
        call.is_object() && is_empty(call, "name") && is_empty(call, "arguments") && !call.get("arguments").is_some_and(Json::is_object)
    };
    bodies().find(|call| !is_empty(call, "name")).or_else(|| bodies().find(|call| !is_blank(call)))
}

/// The calls of a list that have a name, but for the one that counts.
fn further(calls: &Json, first: Option<&Json>) -> Vec<Json> {
    let body = |call: &Json| called(["function", "custom"].iter().find_map(|key| call.get(*key)).unwrap_or(call));
    let has_name = |call: &Json| call.get("name").and_then(Json::as_str).is_some_and(|name| !name.trim().is_empty());
    let named = calls.as_array().into_iter().flatten().map(body).filter(has_name);
    named.skip(usize::from(first.is_some_and(has_name))).collect()
}

/// The types of the parts of a content that are calls, as other providers write them; routers pass them on.
const CALLS: [&str; 3] = ["tool_use", "function_call", "tool_call"];

/// The first part of a content that is a call.
fn part_that_calls(content: &Json) -> Option<&Json> {
    let is_call = |part: &&Json| part.get("type").and_then(Json::as_str).is_some_and(|kind| CALLS.contains(&kind));
    first_call(content.as_array()?.iter().find(is_call)?)
}

/// A call as everybody else writes it: some name its arguments `input`.
fn called(call: &Json) -> Json {
    let call = match (call.as_object(), call.get("arguments"), call.get("input")) {
        (Some(map), None, Some(input)) => {
            let others = map.iter().filter(|(key, _)| *key != "input").map(|(key, value)| (key.clone(), value.clone()));
            &others.chain([("arguments".to_owned(), input.clone())]).collect()
        }
        _ => call,
    };
    let arguments = call.get("arguments").map(|arguments| arguments.as_str().and_then(json_of).unwrap_or_else(|| arguments.clone()));
    match (call.as_object(), arguments.as_ref().and_then(freed)) {
        (Some(call), Some(act)) => {
            call.iter().map(|(key, value)| (key.clone(), if key == "arguments" { act.clone() } else { value.clone() })).collect()
        }
        _ => call.clone(),
    }
}

fn json_of(text: &str) -> Option<Json> {
    serde_json::from_str(text).ok()
}

/// The text of a content, which some servers give in parts. Parts that are reasoning are left out.
fn text_of(content: &Json) -> String {
    let is_reasoning = |part: &Json| part.get("type").and_then(Json::as_str).is_some_and(|kind| REASONING_PARTS.contains(&kind));
    match content {
        Json::String(text) => text.clone(),
        Json::Number(number) => number.to_string(),
        Json::Array(parts) => parts.iter().map(text_of).collect(),
        // Some write the text of a part as an object that has it as its value.
        Json::Object(part) if !is_reasoning(content) => {
            part.get("text").or_else(|| part.get("value")).filter(|text| !text.is_array()).map(text_of).unwrap_or_default()
        }
        _ => String::new(),
    }
}

fn usage(body: &Json) -> Used {
    let count = |key: &str| body.pointer(&format!("/usage/{key}")).and_then(Json::as_i64).and_then(|count| u64::try_from(count).ok());
    let cached = count("prompt_tokens_details/cached_tokens").unwrap_or(0);
    let usage = count("prompt_tokens").zip(count("completion_tokens"));
    let usage = usage.map(|(input, output)| TokenCount { input, cached: cached.min(input), output });
    Used { model: body.get("model").and_then(Json::as_str).map(str::to_owned), usage }
}
