//! Tests of `src/cognition/understand.rs`.

use proptest::prelude::*;
use reelm::cognition::understand::*;
use reelm::fact::{Call, Code, Reason};
use serde_json::Value as Json;
use serde_json::json;

use reelm::dialect::USUAL;

fn heard(body: &Json) -> Result<Understood, Reason> {
    (USUAL.hear)(body).and_then(|spoken| understand(&spoken))
}

fn of(message: Json) -> Result<Understood, Reason> {
    heard(&json!({ "choices": [{ "message": message, "finish_reason": "stop" }] }))
}

fn written(text: &str) -> Result<Understood, Reason> {
    of(json!({ "role": "assistant", "content": text }))
}

fn say() -> Call {
    Call::doing("/hall", "say", serde_json::from_str(r#"{"content":"hi"}"#).unwrap())
}

#[test]
fn the_same_call_is_understood_however_it_is_written() {
    let args = json!({ "target": "/hall", "action": "say", "args": { "content": "hi" } });
    for message in [
        json!({ "tool_calls": [{ "type": "function", "function": { "name": "do", "arguments": args.to_string() } }], "content": null }),
        json!({ "tool_calls": [{ "function": { "name": "do", "arguments": args } }, { "function": { "name": "see", "arguments": "{}" } }] }),
        json!({ "tool_calls": [{ "name": "functions.do", "arguments": args }] }),
        json!({ "function_call": { "name": "Do", "arguments": args.to_string() } }),
        json!({ "content": format!("<tool_call>\n{}\n</tool_call>", json!({ "name": "do", "arguments": args })) }),
        json!({ "content": format!("<function=do>{args}</function>") }),
        json!({ "content": format!("[TOOL_CALLS][{}]", json!({ "name": "do", "arguments": args })) }),
        json!({ "content": format!("```json\n{}\n```", json!({ "tool": "do", "parameters": args })) }),
        json!({ "content": json!({ "do": args }).to_string() }),
        json!({ "content": json!({ "verb": "do", "target": "/hall", "action": "say", "args": { "content": "hi" } }).to_string() }),
        json!({ "content": [{ "type": "text", "text": json!({ "name": "do", "arguments": args }).to_string() }] }),
        json!({ "content": format!("<think>I could {{\"name\":\"see\"}}.</think>{}", json!({ "name": "do", "arguments": args })) }),
    ] {
        let understood = of(message.clone()).unwrap_or_else(|reason| panic!("{reason} in {message}"));
        assert_eq!(understood, Understood { call: Some(say()), said: None }, "{message}");
    }
}

#[test]
fn prose_beside_a_call_is_what_is_said_and_prose_alone_is_a_look() {
    let understood = written("I greet them.\n```json\n{\"name\":\"do\",\"arguments\":{\"target\":\"/hall\",\"action\":\"say\",\"args\":{\"content\":\"hi\"}}}\n```\nThere.").unwrap();
    assert_eq!((understood.call, understood.said.as_deref()), (Some(say()), Some("I greet them.\nThere.")));
    let understood = written("I would open the door, do /door open.").unwrap();
    assert_eq!((understood.call, understood.said.as_deref()), (None, Some("I would open the door, do /door open.")));
    assert_eq!(written("{\"a\": 1} is JSON and no call").unwrap().call, None);
}

#[test]
fn what_cannot_be_understood_has_a_code() {
    let code = |message: Json| of(message).unwrap_err().code.to_string();
    for silent in ["", "<think>hm</think> "] {
        assert_eq!(of(json!({ "content": silent })).unwrap(), Understood { call: None, said: None });
    }
    assert_eq!(code(json!({ "refusal": "I cannot help with that." })), "reply-refused");
    assert_eq!(code(json!({ "tool_calls": [{ "function": { "name": "fly", "arguments": "{}" } }] })), "reply-unknown-tool");
    assert_eq!(code(json!({ "tool_calls": [{ "function": { "name": "do", "arguments": "{\"target\":" } }] })), "reply-arguments");
    assert_eq!(code(json!({ "tool_calls": [{ "function": { "name": "do", "arguments": "[1]" } }] })), "reply-arguments");
    assert_eq!(code(json!({ "tool_calls": [{ "function": { "name": "do", "arguments": { "target": 7 } } }] })), "reply-arguments");
    assert_eq!(code(json!({ "tool_calls": [7] })), "reply-malformed");
    assert_eq!(code(json!({ "content": "<tool_call>oh no</tool_call>" })), "reply-malformed");
    assert_eq!(heard(&json!({})).unwrap_err().code, Code::ReplyMalformed);
    let cut = |message: Json| heard(&json!({ "choices": [{ "message": message, "finish_reason": "length" }] })).unwrap_err().code;
    assert_eq!(cut(json!({ "tool_calls": [{ "function": { "name": "do", "arguments": "{\"tar" } }] })), Code::ReplyCut);
    assert_eq!(cut(json!({ "content": "I was going to" })), Code::ReplyCut);
}

#[test]
fn who_is_held_to_a_schema_can_do_nothing_too() {
    assert_eq!(written("{\"name\": \"nothing\"}").unwrap(), Understood { call: None, said: None });
}

#[test]
fn a_text_of_nothing_but_braces_costs_little() {
    assert_eq!(written(&"{[".repeat(100_000)).unwrap().call, None);
}

proptest! {
    #[test]
    fn nothing_that_a_model_writes_can_do_harm(text in ".{0,200}", name in "[a-z]{0,6}", args in ".{0,60}") {
        let _ = written(&text);
        let _ = written(&format!("<tool_call>{text}"));
        let _ = of(json!({ "content": text, "tool_calls": [{ "function": { "name": name, "arguments": args } }] }));
    }
}
