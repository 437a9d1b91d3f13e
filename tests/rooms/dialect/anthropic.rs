//! Tests of `src/dialect/anthropic.rs`.

use reelm::dialect::anthropic::*;
use reelm::dialect::held::ACT;
use reelm::dialect::{ANSWER_TOKENS, EndedBy, Means, Question, TokenCount, Tool, Used};
use reelm::fact::Code;
use reelm::fact::Value;
use serde_json::{Value as Json, json};

fn asked(acts: Means, sampling: &Value) -> Json {
    body(&Question { model: "m", system: "You are @ada.\n[place]\nA hall.\n", user: "Hello", acts, sampling, one_call: true })
}

#[test]
fn what_changes_least_is_kept_and_what_is_told_is_whole() {
    let body = asked(Means::Tools(Vec::new()), &Value::Null);
    assert_eq!(body["system"][0]["cache_control"]["type"], "ephemeral");
    assert_eq!(body["system"][1].get("cache_control"), None);
    assert_eq!(body["max_tokens"], ANSWER_TOKENS);
    let told = messages(&body);
    assert_eq!(told[0], ("system".to_owned(), "You are @ada.\n[place]\nA hall.\n".to_owned()));
    assert_eq!(told[1], ("user".to_owned(), "Hello".to_owned()));
}

#[test]
fn alternatives_at_the_top_of_a_schema_become_one() {
    let alternatives = json!({ "anyOf": [
            { "type": "object", "required": ["action", "target"], "properties": { "action": { "const": "say" }, "target": { "enum": ["/a", "/b"] }, "args": { "type": "object", "required": ["content"] } } },
            { "type": "object", "required": ["action"], "properties": { "action": { "const": "move" }, "target": { "enum": ["/b", "@ada"] }, "args": { "type": "object" }, "more": { "type": "integer" } } },
        ] });
    let wanted = json!({ "type": "object", "additionalProperties": false, "required": ["action"], "properties": {
            "action": { "enum": ["say", "move"] }, "target": { "enum": ["/a", "/b", "@ada"] }, "args": { "type": "object" }, "more": { "type": "integer" } } });
    assert_eq!(joined(&alternatives), wanted);
    // Arguments of which neither says its type may be anything.
    let untyped = |key: &str| json!({ "type": "object", "properties": { "args": { "properties": { key: {} } } } });
    let both = joined(&json!({ "anyOf": [untyped("a"), untyped("b")] }));
    assert_eq!(both["properties"]["args"], json!({}));
    assert!(jsonschema::draft202012::meta::is_valid(&both));
    let plain = json!({ "type": "object", "properties": {} });
    assert_eq!(joined(&plain), plain);
}

#[test]
fn an_answer_is_heard_whole() {
    let use_of = |name: &str, input: Json| {
        json!({ "content": [{ "type": "thinking", "thinking": "Hm." }, { "type": "text", "text": "Well." },
            { "type": "tool_use", "id": "t", "name": name, "input": input }], "stop_reason": "tool_use" })
    };
    let spoken = hear(&use_of("see", json!({ "address": "/a" }))).unwrap();
    assert_eq!(spoken.call, Some((json!({ "name": "see", "arguments": { "address": "/a" } }), CALL)));
    assert_eq!((spoken.text.as_str(), spoken.ended, spoken.refusal), ("Well.", EndedBy::Calling(STOP), None));
    let mut two = use_of("see", json!({ "address": "/a" }));
    let calls = two["content"].as_array_mut().unwrap();
    calls.push(json!({ "type": "tool_use", "id": "u", "name": "see", "input": { "address": "/b" } }));
    assert_eq!(hear(&two).unwrap().more, [json!({ "name": "see", "arguments": { "address": "/b" } })]);
    let act = json!({ "name": "see", "arguments": { "address": "/a" } });
    assert_eq!(hear(&use_of(ACT, json!({ ACT: act }))).unwrap().call, Some((act, CALL)));
    let ended = |stop: &str| hear(&json!({ "content": [{ "type": "text", "text": "No." }], "stop_reason": stop })).unwrap();
    assert_eq!((ended("max_tokens").ended, ended("refusal").refusal), (EndedBy::Cut(STOP), Some("No.".to_owned())));
    assert_eq!(hear(&json!({ "type": "error", "error": {} })).unwrap_err().code, Code::ReplyMalformed);
    assert_eq!(hear(&(DIALECT.says)("Hello.")).unwrap().text, "Hello.");
}

#[test]
fn tokens_that_were_read_from_what_is_kept_count_too() {
    let body = json!({ "model": "m-1", "usage": { "input_tokens": 3, "cache_creation_input_tokens": 5, "cache_read_input_tokens": 7, "output_tokens": 11 } });
    assert_eq!(usage(&body), Used { model: Some("m-1".to_owned()), usage: Some(TokenCount { input: 15, cached: 7, output: 11 }) });
    assert_eq!(usage(&json!({ "usage": { "input_tokens": 3 } })).usage, None);
}

#[test]
fn which_tool_is_called_is_said_as_the_messages_api_says_it() {
    let tools = || Means::Tools(vec![Tool { name: "see", about: "Looks.", parameters: json!({ "type": "object" }) }]);
    let said = |choice: Value| asked(tools(), &Value::map([("tool_choice", choice)]))["tool_choice"].clone();
    assert_eq!(
        [said(Value::text("required")), said(Value::text("none"))],
        [json!({ "type": "any", "disable_parallel_tool_use": true }), json!({ "type": "none" })]
    );
    assert_eq!(asked(tools(), &Value::Null)["tool_choice"], json!({ "type": "auto", "disable_parallel_tool_use": true }));
    assert_eq!(asked(Means::Tools(Vec::new()), &Value::Null).get("tool_choice"), None);
    assert_eq!(
        said(Value::map([("type", Value::text("tool")), ("name", Value::text("see"))])),
        json!({ "type": "tool", "name": "see", "disable_parallel_tool_use": true })
    );
}

#[test]
fn who_is_held_to_a_schema_acts_by_one_tool() {
    let sampling = Value::map([("max_tokens", Value::Int(9)), ("thinking", Value::map([("type", Value::text("disabled"))]))]);
    let body = asked(Means::Schema(json!({ "anyOf": [] })), &sampling);
    assert_eq!(body["tools"][0]["input_schema"]["properties"][ACT], json!({ "anyOf": [] }));
    assert_eq!((&body["tool_choice"]["name"], (DIALECT.longest)(&body)), (&json!(ACT), 9));
    assert_eq!(body["thinking"]["type"], "disabled");
}
