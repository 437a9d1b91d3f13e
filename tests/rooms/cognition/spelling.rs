//! Tests of `src/cognition/spelling.rs`: each row has a sample, and each sample is understood.

use std::collections::BTreeSet;

use reelm::cognition::spelling::{SPELLINGS, SpelledAs};
use reelm::cognition::spoken_words;
use reelm::cognition::understand::understand;
use reelm::dialect::{Spoken, USUAL};
use reelm::fact::Call;
use serde_json::{Value as Json, json};

const ARGS: &str = r#"{"target": "/hall", "action": "say", "args": {"content": "hi"}}"#;

fn say() -> Call {
    Call::doing("/hall", "say", serde_json::from_str(r#"{"content":"hi"}"#).unwrap())
}

/// A call in each spelling: the row, and the text.
fn calls() -> Vec<(&'static str, String)> {
    let object = format!(r#"{{"name": "do", "arguments": {ARGS}}}"#);
    let function = "<function=do>\n<parameter=target>\n/hall\n</parameter>\n<parameter=action>\nsay\n</parameter>\n<parameter=args>\n{\"content\": \"hi\"}\n</parameter>\n</function>";
    let invoke = "<invoke name=\"do\">\n<parameter name=\"target\">/hall</parameter>\n<parameter name=\"action\">say</parameter>\n<parameter name=\"args\">{\"content\": \"hi\"}</parameter>\n</invoke>";
    let python = r#"do(target="/hall", action="say", args={"content": "hi"})"#;
    vec![
        ("Hermes", format!("<tool_call>\n{object}\n</tool_call>")),
        ("Hermes", format!("<tool_call>{object}")),
        ("Qwen3-Coder", format!("<tool_call>\n{function}\n</tool_call>")),
        ("Qwen3-Coder", function.to_owned()),
        ("Qwen3-Coder", format!("<function=do>{ARGS}</function>")),
        (
            "GLM",
            "<tool_call>do\n<arg_key>target</arg_key>\n<arg_value>/hall</arg_value>\n<arg_key>action</arg_key>\n<arg_value>say</arg_value>\n<arg_key>args</arg_key>\n<arg_value>{\"content\": \"hi\"}</arg_value>\n</tool_call>".to_owned(),
        ),
        ("a name before JSON", format!("<tool_call>do\n{ARGS}</tool_call>")),
        ("a function behind a tag", format!("<|tool_call_start|>[{python}]<|tool_call_end|>")),
        ("a dictionary behind a tag", "<tool_call>{'name': 'do', 'arguments': {'target': '/hall', 'action': 'say', 'args': {'content': 'hi'}}}</tool_call>".to_owned()),
        ("a dictionary behind a tag", "[TOOL_CALLS][{'name': 'do', 'arguments': {'target': '/hall', 'action': 'say', 'args': {'content': 'hi'}}}]".to_owned()),
        ("Llama", format!("<|python_tag|>{object}<|eom_id|>")),
        ("Mistral's list", format!("[TOOL_CALLS][{object}]")),
        ("Mistral's name", format!("[TOOL_CALLS]do[ARGS]{ARGS}")),
        ("Mistral's name", format!("[TOOL_CALLS]do[CALL_ID]a1b2[ARGS]{ARGS}</s>")),
        ("Mistral's name before JSON", format!("[TOOL_CALLS]do{ARGS}")),
        ("DeepSeek", format!("<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>do\n```json\n{ARGS}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>")),
        ("DeepSeek", format!("<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>do<｜tool▁sep｜>{ARGS}<｜tool▁call▁end｜><｜tool▁calls▁end｜><｜end▁of▁sentence｜>")),
        ("Kimi", format!("<|tool_calls_section_begin|><|tool_call_begin|>functions.do:0<|tool_call_argument_begin|>{ARGS}<|tool_call_end|><|tool_calls_section_end|>")),
        ("Kimi", format!("<|tool_call_begin|>functions.do:0<|tool_call_argument_begin|>{ARGS}<|tool_call_end|>")),
        ("harmony", format!("<|channel|>commentary to=functions.do <|constrain|>json<|message|>{ARGS}<|call|>")),
        ("harmony", format!("<|channel|>analysis<|message|>I greet.<|end|><|start|>assistant<|channel|>commentary to=functions.do <|constrain|>json<|message|>{ARGS}<|call|>")),
        ("invoke", invoke.to_owned()),
        ("invoke", format!("<function_calls>\n{invoke}\n</function_calls>")),
        ("fenced", format!("```json\n{object}\n```")),
        ("fenced", format!("```python\n[{python}]\n```")),
        ("JSON", object.clone()),
        ("JSON", format!("{{\"act\": {object}}}")),
        ("JSON", format!("{{\"act\": {object},}}")),
        ("JSON", format!("<think>I greet.</think>\n{{\"act\": {object}}}")),
        ("fenced", format!("```json\n{{\"act\": {object}}}\n```")),
        ("JSON", format!("[{object}]")),
        ("Python's dictionary", "{'name': 'do', 'arguments': {'target': '/hall', 'action': 'say', 'args': {'content': 'hi',}}}".to_owned()),
        ("Python's functions", format!("[{python}]")),
        ("Python's functions", format!("[{python}, see(address='/hall')]")),
        ("a channel behind the name", object.replace("\"do\"", "\"do<|channel|>commentary\"")),
        ("a number behind the name", object.replace("\"do\"", "\"functions.do:0\"")),
        ("a namespace before the name", object.replace("\"do\"", "\"tools.do\"")),
        ("space around the name", object.replace("\"do\"", "\" Do \"")),
    ]
}

/// Reasoning and ends: the row, and a text of which `Hello there.` is said.
const WORDS: &[(&str, &str)] = &[
    ("think", "<think>yes?</think>Hello there."),
    ("think", "yes?</think>\nHello there."),
    ("think", "Hello there.<think>and now"),
    ("thinking", "<thinking>yes?</thinking> Hello there."),
    ("thought", "<thought>yes?</thought>\nHello there."),
    ("reasoning", "<reasoning>yes?</reasoning>Hello there."),
    ("THINK", "[THINK]yes?[/THINK]Hello there."),
    ("think in triangles", "◁think▷yes?◁/think▷Hello there."),
    ("Seed's think", "<seed:think>yes?</seed:think>Hello there."),
    ("Cohere's thinking", "<|START_THINKING|>yes?<|END_THINKING|><|START_RESPONSE|>Hello there.<|END_RESPONSE|>"),
    ("a thought between bars", "<|begin_of_thought|>yes?<|end_of_thought|>Hello there."),
    ("harmony's analysis", "<|channel|>analysis<|message|>yes?<|end|><|start|>assistant<|channel|>final<|message|>Hello there.<|return|>"),
    ("ChatML", "Hello there.<|im_end|>"),
    ("the end of a text", "Hello there.<|endoftext|>"),
    ("Llama's ends", "Hello there.<|eot_id|>"),
    ("Gemma's end", "Hello there.<end_of_turn>\n"),
    ("Cohere's ends", "<|START_RESPONSE|>Hello there.<|END_OF_TURN_TOKEN|>"),
    ("GLM's turns", "Hello there.<|observation|>"),
    ("harmony's headers", "<|start|>assistant<|channel|>final<|message|>Hello there.<|return|>"),
    ("the end of a sequence", "Hello there.</s>"),
];

/// The row that no text shows: an answer has it in parts.
const PART: &str = "a part that is reasoning";

fn heard(content: Json) -> Spoken {
    (USUAL.hear)(&json!({ "choices": [{ "message": { "content": content }, "finish_reason": "stop" }] })).unwrap()
}

#[test]
fn every_call_is_understood_however_it_is_spelled() {
    for (row, text) in calls() {
        let understood = understand(&heard(json!(text)), &[]).unwrap_or_else(|reason| panic!("{row}: {reason} in {text}"));
        assert_eq!(understood.call, Some(say()), "{row}: {text}");
        assert_eq!(understood.said, None, "{row}: {text}");
    }
}

#[test]
fn a_call_under_the_key_of_a_schema_is_one_whatever_stands_beside_it_and_whatever_it_names() {
    let act = r#"{"act": {"name": "do", "arguments": {"target": "/hall", "action": "say", "args": {"content": "hi"}}}}"#;
    for (text, beside) in [(format!("Sure!\n{act}"), Some("Sure!")), (format!("{act}\nDone."), Some("Done."))] {
        let understood = understand(&heard(json!(text)), &[]).unwrap();
        assert_eq!((understood.call, understood.said.as_deref()), (Some(say()), beside), "{text}");
    }
    let code = |text: &str| understand(&heard(json!(text)), &[]).unwrap_err().code.word();
    assert_eq!(code(r#"{"act": {"name": "dance"}}"#), "reply-unknown-tool");
    assert_eq!(code(r#"{"act": {"name": "do", "#), "reply-malformed");
    // A call without what it is about says what is missing, and loses no words.
    let at = |name: &str, args: &str| {
        let reason =
            understand(&heard(json!(format!("<tool_call>{{\"name\": \"{name}\", \"arguments\": {args}}}</tool_call>"))), &[]).unwrap_err();
        (reason.code.word(), reason.at.to_string())
    };
    let wrong = |what: &str| ("reply-arguments", what.to_owned());
    assert_eq!(at("summon", r#"{"target": "@pat", "message": "hi"}"#), wrong("expected `content`, found the keys message, target"));
    assert_eq!(at("do", "{}"), wrong("expected `action`, found nothing"));
    assert_eq!(at("see", r#"{"path": "/room"}"#), wrong("expected `address`, found the keys path"));
}

#[test]
fn reasoning_and_ends_are_not_said() {
    for (row, text) in WORDS {
        assert_eq!(spoken_words(text), "Hello there.", "{row}: {text}");
        let understood = understand(&heard(json!(text)), &[]).unwrap();
        assert_eq!((understood.call, understood.said.as_deref()), (None, Some("Hello there.")), "{row}: {text}");
    }
    let parts = json!([{ "type": "reasoning", "text": "yes?" }, { "type": "thinking", "thinking": "no?" }, { "type": "text", "text": "Hello there." }]);
    assert_eq!(heard(parts).text, "Hello there.", "{PART}");
}

#[test]
fn a_tagged_call_counts_inside_a_line_with_the_prose_around_it() {
    for (row, text) in calls() {
        let spelling = SPELLINGS.iter().find(|spelling| spelling.name == row).unwrap();
        if !matches!(spelling.reads, SpelledAs::Tagged(_)) || text.contains("analysis") {
            continue;
        }
        let understood = understand(&heard(json!(format!("I greet them. {text} There."))), &[]).unwrap();
        assert_eq!(understood.call, Some(say()), "{row}: {text}");
        assert!(understood.said.as_deref().unwrap().starts_with("I greet them."), "{row}: {:?}", understood.said);
    }
}

#[test]
fn every_row_has_a_sample_and_every_sample_a_row() {
    let rows: BTreeSet<&str> = SPELLINGS.iter().map(|spelling| spelling.name).collect();
    assert_eq!(rows.len(), SPELLINGS.len(), "two rows have one name");
    let calls: Vec<&str> = calls().iter().map(|(row, _)| *row).collect();
    let shown: BTreeSet<&str> = calls.into_iter().chain(WORDS.iter().map(|(row, _)| *row)).chain([PART]).collect();
    assert_eq!(rows, shown, "rows of the table, and rows that a sample shows");
}
