//! Tests of `src/cognition/understand.rs`.

use proptest::prelude::*;
use reelm::cognition::offers::{OfferedDeed, Offers};
use reelm::cognition::understand::*;
use reelm::fact::{Call, Code, Reason};
use serde_json::Value as Json;
use serde_json::json;

use reelm::dialect::USUAL;

fn heard(body: &Json) -> Result<Understood, Reason> {
    (USUAL.hear)(body).and_then(|spoken| understand(&spoken, &ReplyContext { name: "ada", foreign: &[], offers: &Offers::none() }))
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
        json!({ "tool_calls": [{ "type": "custom", "custom": { "name": "do", "input": args.to_string() } }] }),
        json!({ "content": [{ "type": "text", "text": "" }, { "type": "tool_use", "id": "t", "name": "do", "input": args }] }),
        json!({ "content": [{ "type": "function_call", "name": "do", "arguments": args.to_string() }] }),
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
        assert_eq!((understood.call, understood.said), (Some(say()), None), "{message}");
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
        assert_eq!(of(json!({ "content": silent })).unwrap(), Understood { call: None, said: None, more: 0 });
    }
    assert_eq!(code(json!({ "refusal": "I cannot help with that." })), "reply-refused");
    assert_eq!(code(json!({ "tool_calls": [{ "function": { "name": "fly", "arguments": "{}" } }] })), "reply-unknown-tool");
    assert_eq!(code(json!({ "tool_calls": [{ "function": { "name": "do", "arguments": "{\"target\":" } }] })), "reply-arguments");
    assert_eq!(code(json!({ "tool_calls": [{ "function": { "name": "do", "arguments": "[1]" } }] })), "reply-arguments");
    assert_eq!(code(json!({ "tool_calls": [{ "function": { "name": "do", "arguments": { "target": 7 } } }] })), "reply-arguments");
    assert_eq!(code(json!({ "tool_calls": [7] })), "reply-malformed");
    assert_eq!(code(json!({ "tool_calls": [{ "function": { "name": "", "arguments": "{\"target\": 1}" } }] })), "reply-malformed");
    assert_eq!(code(json!({ "content": "<tool_call>oh no</tool_call>" })), "reply-malformed");
    assert_eq!(heard(&json!({})).unwrap_err().code, Code::ReplyMalformed);
    let cut = |message: Json| heard(&json!({ "choices": [{ "message": message, "finish_reason": "length" }] })).unwrap_err().code;
    assert_eq!(cut(json!({ "tool_calls": [{ "function": { "name": "do", "arguments": "{\"tar" } }] })), Code::ReplyCut);
    for half in ["", "<think>I was", "<tool_call>{\"name\":", "Well. <tool_call>{\"name\":", "Well. <tool_ca", "{\"name\":\"do\",\"arg"] {
        assert_eq!(cut(json!({ "content": half })), Code::ReplyCut, "{half}");
    }
}

#[test]
fn a_reply_that_ends_otherwise_than_it_should_is_cut_or_refused_or_malformed() {
    let ended = |ends: &str, content: &str| heard(&json!({ "choices": [{ "message": { "content": content }, "finish_reason": ends }] }));
    let call = "<tool_call>{\"name\":\"do\",\"arguments\":{\"target\":\"/hall\",}</tool_call>";
    for ends in ["error", "max_tokens", "MAX_TOKENS", "abort", "cancelled", "insufficient_system_resource"] {
        for content in ["", call] {
            assert_eq!(ended(ends, content).unwrap_err().code, Code::ReplyCut, "{ends}: {content}");
        }
        assert_eq!(ended(ends, "Half a sen").unwrap().said.as_deref(), Some("Half a sen…"), "{ends}");
    }
    for (ends, code) in
        [("content_filter", Code::ReplyRefused), ("SAFETY", Code::ReplyRefused), ("MALFORMED_FUNCTION_CALL", Code::ReplyMalformed)]
    {
        for content in ["", "Half a sen", call] {
            assert_eq!(ended(ends, content).unwrap_err().code, code, "{ends}: {content}");
        }
    }
    assert_eq!(ended("content_filter", "").unwrap_err().at.as_ref(), "content_filter");
    // One that speaks of a call and has none has lost it.
    for content in ["", "I do it."] {
        assert_eq!(ended("tool_calls", content).unwrap_err().code, Code::ReplyMalformed, "{content}");
    }
    for ends in ["stop", "eos", "end_turn", ""] {
        assert_eq!(ended(ends, "").unwrap(), Understood { call: None, said: None, more: 0 }, "{ends}");
    }
}

#[test]
fn a_mark_of_reasoning_within_a_sentence_is_a_word_of_it() {
    for text in [
        "Models write <think> before they think, I read.",
        "Models write </think> when done. That is all I know.",
        "He wrote \"<think>hm</think>\" and left.",
        "A <thought> for you: be kind.",
        "My [THINK] sticker fell off. Sorry.",
        "> <think>\nis what you wrote.",
    ] {
        assert_eq!(written(text).unwrap().said.as_deref(), Some(text));
    }
    for text in ["<think>hm", "hm</think>", "Yes.<think>no", "hm\n</think> Yes.", "<think>a</think> Yes.", "Yes. <think>no</think>"] {
        assert!(!written(text).unwrap().said.unwrap_or_default().contains(['<', 'h', 'n']), "{text}");
    }
}

#[test]
fn the_first_call_that_has_a_name_is_the_call() {
    let call = json!({ "function": { "name": "functions.do:0", "arguments": "{\"target\":\"/hall\",\"action\":\"say\",\"args\":{\"content\":\"hi\"}}" } });
    let blank = json!({ "id": "", "function": { "name": "", "arguments": "" } });
    for calls in [json!([blank, call]), json!([null, call]), json!([{ "function": { "name": null } }, call]), call.clone()] {
        assert_eq!(of(json!({ "content": "", "tool_calls": calls })).unwrap().call, Some(say()), "{calls}");
    }
    assert_eq!(
        of(json!({ "content": "Hello.", "tool_calls": [blank] })).unwrap(),
        Understood { call: None, said: Some("Hello.".into()), more: 0 }
    );
}

#[test]
fn arguments_that_any_reader_would_understand_are_understood() {
    let args = json!({ "target": "/hall", "action": "say", "args": { "content": "hi" } });
    let text = args.to_string();
    let with = |arguments: &Json| of(json!({ "tool_calls": [{ "function": { "name": "do", "arguments": arguments } }] }));
    for arguments in [
        json!(json!(text).to_string()),
        json!(format!("```json\n{text}\n```")),
        json!(format!("{text}}}")),
        json!(text.replace("}", ",}")),
        json!({ "arguments": args }),
        json!({ "target": "/hall", "action": "say", "args": "{\"content\":\"hi\",}" }),
        json!({ "target": "/hall", "action": "say", "args": json!("{\"content\":\"hi\"}").to_string() }),
    ] {
        assert_eq!(with(&arguments).unwrap_or_else(|reason| panic!("{reason} in {arguments}")).call, Some(say()), "{arguments}");
    }
    // Half a letter, escaped in the text of the arguments.
    let halved = with(&json!(text.replace("hi", "hi \\ud83d"))).unwrap().call;
    assert_eq!(halved, Some(Call::doing("/hall", "say", serde_json::from_value(json!({ "content": "hi \u{fffd}" })).unwrap())));
    let reason = with(&json!("{&quot;target&quot;: 1}")).unwrap_err();
    assert_eq!((reason.code, reason.at.as_ref()), (Code::ReplyArguments, "line 1, column 2: expected a key in quotation marks, found `&`"));
    let cut = |arguments: String| {
        heard(
            &json!({ "choices": [{ "message": { "tool_calls": [{ "function": { "name": "do", "arguments": arguments } }] }, "finish_reason": "length" }] }),
        )
    };
    assert_eq!(cut(text.replace("}", ",}")).unwrap_err().code, Code::ReplyCut, "what was cut is not mended");
    assert_eq!(cut(text).unwrap().call, Some(say()));
}

#[test]
fn an_argument_at_the_wrong_level_goes_where_it_belongs() {
    let deeds = || {
        let deed = |name: &str, keys: &[&str], texts: &[&str]| OfferedDeed {
            name: name.to_owned(),
            keys: keys.iter().map(ToString::to_string).collect(),
            texts: texts.iter().map(ToString::to_string).collect(),
            takes_place: false,
        };
        vec![deed("say", &["content"], &["content"]), deed("put", &["target", "value"], &[]), deed("wrap", &["args"], &[])]
    };
    let with = |name: &str, arguments: &Json| {
        let body = json!({ "choices": [{ "message": { "tool_calls": [{ "function": { "name": name, "arguments": arguments } }] }, "finish_reason": "stop" }] });
        let context = ReplyContext { name: "ada", foreign: &[], offers: &Offers::of(deeds) };
        (USUAL.hear)(&body).and_then(|spoken| understand(&spoken, &context))
    };
    for arguments in [
        json!({ "target": "/hall", "action": "say", "content": "hi" }),
        json!({ "target": "/hall", "action": "say", "args": null, "content": "hi" }),
        json!({ "target": "/hall", "action": "say", "args": {}, "content": "hi" }),
        json!({ "target": "/hall", "action": "say", "args": { "content": "hi" }, "content": "hi" }),
        json!({ "target": "/hall", "action": "say", "args.content": "hi" }),
        json!({ "target": "/hall", "action": "say", "args": { "content": { "content": "hi" } } }),
        json!({ "target": "/hall", "action": "say", "parameters": { "content": "hi" } }),
        json!({ "target": "/hall", "action": "say", "input": "{\"content\": \"hi\"}" }),
        json!({ "action": "say", "args": { "target": "/hall", "content": "hi" } }),
        json!({ "target": "", "action": "say", "args": { "target": "/hall", "content": "hi" } }),
        json!({ "target": "/hall", "action": "say", "content": null, "args": { "content": "hi" } }),
        json!({ "args": { "target": "/hall", "action": "say", "content": "hi" } }),
        json!({ "input": { "target": "/hall", "action": "say", "args": { "content": "hi" } } }),
        json!({ "target": "/hall", "action": "say", "args": { "content": "hi" }, "why": "I greet" }),
    ] {
        let call = with("do", &arguments).unwrap_or_else(|reason| panic!("{reason} in {arguments}")).call;
        assert_eq!(call, Some(say()), "{arguments}");
    }
    let twice = with("do", &json!({ "target": "/hall", "action": "say", "args": { "content": "hi" }, "content": "ho" })).unwrap_err();
    assert_eq!(
        (twice.code, twice.at.as_ref()),
        (Code::ReplyArguments, "`content` stands in two places with two values; it belongs in `args` alone")
    );
    // An operation that takes a key of its own keeps it.
    let own = with("do", &json!({ "target": "/hall", "action": "put", "args": { "target": "/a", "value": { "value": 1 } } })).unwrap();
    let kept = Call::doing("/hall", "put", serde_json::from_value(json!({ "target": "/a", "value": { "value": 1 } })).unwrap());
    assert_eq!(own.call, Some(kept));
    let bare = with("do", &json!({ "target": "/hall", "action": "say", "args": "hi", "content": "yo" })).unwrap_err();
    assert_eq!(bare.at.as_ref(), "/args is no object, though arguments stand beside it");
    let point = Call::doing("/hall", "put", serde_json::from_value(json!({ "target": "T" })).unwrap());
    let wrap = Call::doing("/hall", "wrap", serde_json::from_value(json!({ "args": { "a": 1 } })).unwrap());
    for (arguments, call) in [
        (json!({ "args": { "target": "T" }, "parameters": { "target": "/hall", "action": "put" } }), &point),
        (json!({ "parameters": { "target": "/hall", "action": "put", "args": { "target": "T" } } }), &point),
        (json!({ "args": { "target": "/hall", "action": "wrap", "args": { "args": { "a": 1 } } } }), &wrap),
        (json!({ "target": "/hall", "action": "wrap", "args": { "args": { "a": 1 } } }), &wrap),
    ] {
        assert_eq!(with("do", &arguments).unwrap().call.as_ref(), Some(call), "{arguments}");
    }
    // Of one that was not offered nobody knows what it takes.
    let drawn = json!({ "target": "/a", "action": "draw", "args": { "action": "say", "target": "/b", "args": { "content": "hi" } } });
    let kept = Call::doing("/a", "draw", serde_json::from_value(drawn["args"].clone()).unwrap());
    assert_eq!(with("do", &drawn).unwrap().call, Some(kept));
    let words = Call::summon("@pat", serde_json::from_value(json!({ "content": "hi" })).unwrap());
    for arguments in [
        json!({ "target": "@pat", "content": "hi" }),
        json!({ "target": "@pat", "args": { "content": "hi" } }),
        json!({ "input": { "target": "@pat", "content": "hi" } }),
        json!({ "target": "@pat", "content": { "content": "hi" } }),
    ] {
        assert_eq!(with("summon", &arguments).unwrap().call, Some(words.clone()), "{arguments}");
    }
    for arguments in [
        json!({ "operation": "birth", "name": "kid" }),
        json!({ "operation": "birth", "args": { "name": "kid" } }),
        json!({ "payload": { "operation": "birth", "name": "kid" } }),
    ] {
        let call = with("be", &arguments).unwrap().call.unwrap();
        let reelm::fact::Content::Here(args) = &call.args else { panic!("{call:?}") };
        assert_eq!((&*call.action, args.to_string()), ("birth", r#"{"name":"kid"}"#.to_owned()), "{arguments}");
    }
    // An operation that is called like a tool is done, where the place of its being is its target if none is given.
    for (name, arguments) in [
        ("say", json!({ "content": "hi", "target": "/hall" })),
        ("functions.say", json!({ "content": "hi", "target": "/hall" })),
        ("say", json!({ "args": { "content": "hi" }, "target": "/hall" })),
    ] {
        assert_eq!(with(name, &arguments).unwrap().call, Some(say()), "{name} {arguments}");
    }
    assert_eq!(with("say", &json!({ "content": "hi", "target": 7 })).unwrap_err().code, Code::ReplyArguments);
}

#[test]
fn who_is_held_to_a_schema_can_do_nothing_too() {
    assert_eq!(written("{\"name\": \"nothing\"}").unwrap(), Understood { call: None, said: None, more: 0 });
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
