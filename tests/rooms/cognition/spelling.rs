//! Tests of `src/cognition/spelling.rs`: each row of the table is read as it says, and what stands in no row is told.

use std::collections::BTreeSet;

use reelm::cognition::offers::{OfferedDeed, Offers};
use reelm::cognition::spelling::row::{SpelledAs, Spelling};
use reelm::cognition::spelling::table::SPELLINGS;
use reelm::cognition::spoken_words;
use reelm::cognition::understand::{ReplyContext, Understood, understand};
use reelm::dialect::{Spoken, USUAL};
use reelm::fact::{Call, Reason, Verb};
use serde_json::{Value as Json, json};

fn heard(content: Json) -> Spoken {
    (USUAL.hear)(&json!({ "choices": [{ "message": { "content": content }, "finish_reason": "stop" }] })).unwrap()
}

fn read(text: &str) -> Result<Understood, Reason> {
    let say = || {
        vec![OfferedDeed { name: "say".to_owned(), keys: vec!["content".to_owned()], texts: vec!["content".to_owned()], takes_place: true }]
    };
    understand(&heard(json!(text)), &ReplyContext { name: "ada", foreign: &[], offers: &Offers::of(say) })
}

/// The outcome of a reply: a deed as `do say on /hall {…}`, words, or the code of a failure.
fn reading(text: &str) -> String {
    match read(text) {
        Err(reason) => format!("{} {}", reason.code, reason.at),
        Ok(Understood { call: Some(call), said: None, .. }) if call.verb == Verb::Do => deed(&call),
        Ok(Understood { call: None, said, .. }) => said.map(|words| words.to_string()).unwrap_or_default(),
        Ok(other) => format!("{other:?}"),
    }
}

/// A deed as `do say on /hall {…}`.
fn deed(call: &Call) -> String {
    let reelm::fact::Content::Here(args) = &call.args else { panic!("{call:?}") };
    format!("{} {} on {} {args}", call.verb.word(), call.action, call.target)
}

fn is_call(row: &Spelling) -> bool {
    matches!(row.reads, SpelledAs::Tagged | SpelledAs::Untagged | SpelledAs::Inside | SpelledAs::Name)
}

#[test]
fn every_row_is_read_as_it_says() {
    let wrong: Vec<String> = SPELLINGS
        .iter()
        .filter(|row| row.reads != SpelledAs::Part)
        .filter(|row| reading(row.example) != row.reading)
        .map(|row| format!("{}: {}\n   in {:?}", row.name, reading(row.example), row.example))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let names: BTreeSet<(&str, bool)> = SPELLINGS.iter().map(|row| (row.name, is_call(row))).collect();
    assert_eq!(names.len(), SPELLINGS.len(), "two rows have one name");
    let words = SPELLINGS.iter().filter(|row| !is_call(row) && row.reads != SpelledAs::Part && row.reads != SpelledAs::Silence);
    for row in words {
        assert_eq!(spoken_words(row.example), row.reading, "{}", row.name);
    }
    let parts = json!([{ "type": "reasoning", "text": "yes?" }, { "type": "thinking", "thinking": "no?" }, { "type": "text", "text": "Hello there." }]);
    assert_eq!(heard(parts).text, "Hello there.");
}

/// The entries of a file, one for each `%%`.
fn entries(text: &str) -> Vec<&str> {
    text.trim_end_matches('\n').split("\n%%\n").collect()
}

const SAYS: &str = r#"do say on /hall {"content":"hi"}"#;

#[test]
fn ways_of_writing_a_call_that_stand_in_no_row_are_read_or_told_and_none_is_said() {
    let args = r#"{"target": "/hall", "action": "say", "args": {"content": "hi"}}"#;
    let all = entries(include_str!("calls.txt"));
    let wrong = all.iter().filter_map(|entry| {
        let (kind, text) = entry.split_once('\n').unwrap();
        let came = reading(&text.replace("$ARGS", args));
        let is_right = if kind == "call" { came == SAYS } else { came.starts_with("reply-") };
        (!is_right).then(|| format!("{kind}: {came}\n   in {text:?}"))
    });
    let wrong: Vec<String> = wrong.collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(all.len() > 350 && all.iter().filter(|entry| entry.starts_with("call")).count() > 320, "{}", all.len());
}

#[test]
fn reasoning_is_taken_off_however_its_marks_are_called() {
    let wrong = entries(include_str!("thoughts.txt")).into_iter().filter(|text| reading(text) != "Hello there.");
    let wrong: Vec<String> = wrong.map(|text| format!("{:?} in {text:?}", reading(text))).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // Nothing remains behind it, or its name tells of nothing.
    for text in ["<reflection>All is well.</reflection>", "<song>Hum.</song>Hello.", "<sighs>", "<channels>one</channels> two"] {
        assert_eq!(reading(text), text);
    }
    for text in ["<answer>Hello there.</answer>", "<final>\nHello there.\n</final>", "<RESPONSE>Hello there.</RESPONSE>"] {
        assert_eq!(reading(text), "Hello there.", "{text}");
    }
    for text in [
        "<think>I shall <tool_call>{\"name\":\"do\",\"arguments\":{\"target\":\"/hall\",\"action\":\"say\"}}</tool_call>",
        "<think>\ndo(target=\"/hall\", action=\"say\")",
        "Hello there.\n<think>\ndo(target=\"/hall\", action=\"say\")",
    ] {
        assert!(reading(text).starts_with("reply-malformed"), "{text}: {}", reading(text));
    }
}

#[test]
fn three_hundred_harmless_replies_are_words_letter_for_letter() {
    let all = entries(include_str!("harmless.txt"));
    let wrong: Vec<String> =
        all.iter().filter(|text| reading(text) != text.trim()).map(|text| format!("{:?}\n   in {text:?}", reading(text))).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(all.len() >= 300, "{}", all.len());
}

/// The meaning of a text of the grammar.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Comes {
    /// A call, with the words that are said beside it.
    Call(&'static str),
    /// Words, as they stand there.
    Words,
    /// A call that cannot be understood.
    Malformed,
}

/// Where a call may stand, what that means for one with a tag and for one without.
const PLACES: &[(&str, Comes, Comes)] = &[
    ("$", Comes::Call(""), Comes::Call("")),
    ("\n\n  $\n", Comes::Call(""), Comes::Call("")),
    ("I greet them.\n$", Comes::Call("I greet them."), Comes::Call("I greet them.")),
    ("$\nDone.", Comes::Call("Done."), Comes::Call("Done.")),
    ("I greet them. $", Comes::Call("I greet them."), Comes::Malformed),
    ("I greet them. $<|im_end|>", Comes::Call("I greet them."), Comes::Malformed),
    ("I greet $ them.", Comes::Malformed, Comes::Malformed),
    ("```\n$\n```", Comes::Call(""), Comes::Call("")),
    ("Well.\n```json\n$\n```\nDone.", Comes::Call("Well.\nDone."), Comes::Call("Well.\nDone.")),
    ("Well.\n```json\n$\n```\nis what he wrote.", Comes::Malformed, Comes::Malformed),
    ("<think>Shall I?</think>$", Comes::Call(""), Comes::Call("")),
    ("$<|im_end|>\n<|im_start|>user\nWell?", Comes::Call(""), Comes::Call("")),
    ("He wrote \"$\" to me.", Comes::Words, Comes::Words),
    ("He wrote '$' to me.", Comes::Words, Comes::Words),
    ("He wrote `$` to me.", Comes::Words, Comes::Words),
    ("He wrote \u{201c}$\u{201d} to me.", Comes::Words, Comes::Words),
    ("Er schrieb \u{201e}$\u{201c}.", Comes::Words, Comes::Words),
    ("Il a \u{e9}crit \u{ab} $ \u{bb}.", Comes::Words, Comes::Words),
    ("\u{300c}$\u{300d}", Comes::Words, Comes::Words),
    ("> $", Comes::Words, Comes::Words),
    ("He wrote:\n>$\nI shall not.", Comes::Words, Comes::Words),
    (">> $", Comes::Words, Comes::Words),
    ("| call | $ |", Comes::Words, Comes::Words),
    ("<code>$</code>", Comes::Words, Comes::Words),
    ("He wrote <code>$</code>.", Comes::Words, Comes::Words),
    ("<!-- $ -->", Comes::Words, Comes::Words),
];

/// Wraps around a call, and whether each is a tag. None of these is a row.
const WRAPS: &[(&str, bool)] = &[
    ("$", false),
    ("<my_tool_call>$</my_tool_call>", true),
    ("<assistant_action>$</assistant_action>", true),
    ("<|new_tool_call|>$<|new_tool_call_end|>", true),
    ("[TOOL_START]$[/TOOL_START]", true),
    ("<function_invocation>$", true),
    ("<kimi:tools>[$]</kimi:tools>", true),
];

const CALLS: &[&str] = &[
    r#"{"name": "do", "arguments": {"target": "/hall", "action": "say", "args": {"content": "hi"}}}"#,
    r#"{"tool": "functions.do", "input": {"args": {"content": "hi"}, "action": "say", "target": "/hall"}}"#,
    r#"{"verb": "do", "target": "/hall", "action": "say", "args": {"content": "hi"}}"#,
];

#[test]
fn a_grammar_of_wraps_places_and_calls_says_what_each_text_means() {
    let (mut count, mut wrong) = (0, Vec::new());
    for (wrap, is_tagged) in WRAPS {
        for call in CALLS {
            for (place, tagged, untagged) in PLACES {
                let text = place.replace('$', &wrap.replace('$', call));
                let (means, came) = (if *is_tagged { tagged } else { untagged }, read(&text));
                let is_right = match (means, &came) {
                    (Comes::Call(beside), Ok(Understood { call: Some(call), said, .. })) => {
                        deed(call) == SAYS && said.as_deref().unwrap_or_default() == *beside
                    }
                    (Comes::Words, Ok(Understood { call: None, said: Some(words), .. })) => **words == *text.trim(),
                    (Comes::Malformed, Err(reason)) => reason.code.word() == "reply-malformed",
                    _ => false,
                };
                count += 1;
                wrong.extend((!is_right).then(|| format!("{means:?} in {text:?}:\n   {came:?}")));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {count}\n{}", wrong.len(), wrong.join("\n"));
    assert!(count >= 500, "{count}");
}

#[test]
fn what_looks_like_a_call_is_told_and_what_only_has_its_words_is_not() {
    for text in [
        "<|my_call|>do /hall say hi",
        "<\u{ff5c}my_call\u{ff5c}> hm",
        "]<]minimax[>[<tool>",
        "call:do{target",
        "Well.\ndo(target=/hall, action=say)",
        "{tool: \"do\", target: \"/hall\"}",
        "<act><do target=/hall></act>",
        "<act name=\"do\"><target>/hall</target></act>",
        "[say(content=hi)]",
        "```\nsay:\n  content: hi\n```",
        "say(content: hi)",
        "&lt;do&gt;\"do\" \"target\": 1",
    ] {
        let came = reading(text);
        assert!(came.starts_with("reply-malformed"), "{text}: {came}");
    }
    for text in
        ["do { i += 1 } while (i < 3);", "say: what is content?", "see (page 4)", "<b>do</b> it", "{\"do\": \"it\"}", "[sic]", "be: kind"]
    {
        assert_eq!(reading(text), text);
    }
}

#[test]
fn a_call_given_twice_is_one_and_no_words() {
    let call = CALLS[0];
    let native = json!([{ "function": { "name": "do", "arguments": r#"{"target":"/hall","action":"say","args":{"content":"hi"}}"# } }]);
    for (content, said) in [
        (format!("<tool_call>\n{call}\n</tool_call>"), None),
        (format!("```json\n{call}\n```"), None),
        (format!("Well.\n{call}"), Some("Well.")),
        ("Well.\n<tool_call>{oh no".to_owned(), Some("Well.")),
        ("<think>yes?</think>Well.<|im_end|>".to_owned(), Some("Well.")),
    ] {
        let body = json!({ "choices": [{ "message": { "content": content, "tool_calls": native }, "finish_reason": "tool_calls" }] });
        let understood =
            understand(&(USUAL.hear)(&body).unwrap(), &ReplyContext { name: "ada", foreign: &[], offers: &Offers::none() }).unwrap();
        assert!(understood.call.is_some());
        assert_eq!(understood.said.as_deref(), said, "{content}");
    }
}

#[test]
fn a_turn_ends_with_its_mark_and_the_own_name_is_not_said() {
    for text in [
        "Hello there.<|im_end|>\nUser: And then?",
        "Hello there.<|im_end|>\nPat: And then?",
        "Hello there.\n<|user|>\nAnd then?",
        "Hello there.</s>[INST] And then? [/INST]",
        "Ada: Hello there.",
        "@ada: Hello there.",
        "**Ada:** Hello there.",
        "<|im_end|>\nHello there.",
        "Hello there.<|anything_at_all|>",
    ] {
        assert_eq!(reading(text), "Hello there.", "{text}");
    }
    for text in
        ["User: hello\nPat: hello too", "Adam: Hello there.", "I say `<|im_end|>` aloud.", "The mark <|im_end|> ends a turn, I read."]
    {
        assert_eq!(reading(text), text);
    }
    for text in ["[IGNORE]", "no_reply", "(no response)", "Ada: NO_REPLY"] {
        assert_eq!(reading(text), "", "{text}");
    }
    assert_eq!(reading("NO_REPLY is what some models write."), "NO_REPLY is what some models write.");
}

const TAGGED: &str = r#"<tool_call>{"name":"do","arguments":{"target":"/hall","action":"say","args":{"content":"hi"}}}</tool_call>"#;
const ARGS: &str = r#"{"target": "/hall", "action": "say", "args": {"content": "hi"}}"#;
const PYTHON: &str = r#"do(target="/hall", action="say", args={"content": "hi"})"#;

#[test]
fn marks_inside_an_argument_belong_to_it() {
    for inside in ["x</think>y", "<think>b</think>c", "a <think>b</think> c", "<|im_end|>", "[INST] no", "</s>", "<tool_call>"] {
        let call = TAGGED.replace("hi", inside);
        assert_eq!(reading(&call), SAYS.replace("hi", inside), "{call}");
        let bare = CALLS[0].replace("hi", inside);
        assert_eq!(reading(&bare), SAYS.replace("hi", inside), "{bare}");
    }
}

#[test]
fn nothing_is_lost_beside_what_is_taken_off() {
    for (text, said) in [
        ("Hello.\n[thinking]Z[/thinking]", "Hello.\n[thinking]Z[/thinking]"),
        ("Well.\n[thought]\nZ\n[/thought]\nHello.", "Well.\n[thought]\nZ\n[/thought]\nHello."),
        ("Thoughts are free.\nQuestion: who?\nAnswer: you.", "Thoughts are free.\nQuestion: who?\nAnswer: you."),
        ("<thoughts>Z <thoughts>Z</thoughts> Z</thoughts>Hello.", "Hello."),
        ("Z\n<thinking|>\nHello.", "Hello."),
        ("Z\n<|/thinking|>\nHello.", "Hello."),
        ("Price <s>10</s>\nnow 8.", "Price <s>10</s>\nnow 8."),
        ("<s>struck</s> text", "<s>struck</s> text"),
        ("The template is [INST]question[/INST] and so on.", "The template is [INST]question[/INST] and so on."),
        ("```xml\n<reasoning>no</reasoning>\n```", "```xml\n<reasoning>no</reasoning>\n```"),
        ("<reason code=\"5\">late</reason> it was.", "<reason code=\"5\">late</reason> it was."),
        ("I tried [the tool] twice.", "I tried [the tool] twice."),
        ("[Tool calls] are how models act.", "[Tool calls] are how models act."),
        ("nothing", "nothing"),
        ("Hello.</tool_call>", "Hello."),
        ("Hello.<|im_en", "Hello."),
        ("let y = g <|f\nlet z = y |> h", "let y = g <|f\nlet z = y |> h"),
        ("Write x <|f", "Write x <|f"),
        ("Hello.<|stop|>\nUser: and you?", "Hello."),
        ("<|im_start|>user\nAnd you?", ""),
        ("> quoted\n<|im_end|>\nUser: and you?", "> quoted"),
        ("A `do(target=1)` of yours.", "A `do(target=1)` of yours."),
        ("(`do(target=1)`)", "(`do(target=1)`)"),
        ("<action>waves</action> Hello!", "<action>waves</action> Hello!"),
        ("<callout>a</callout>", "<callout>a</callout>"),
        ("Hi.<|end|>\n\nMore words.", "Hi.\n\nMore words."),
        ("Use f<|x.", "Use f<|x."),
        ("You write \u{2018}do(target=1)\u{2019} to speak.", "You write \u{2018}do(target=1)\u{2019} to speak."),
        ("console.do(target=1) logs it.", "console.do(target=1) logs it."),
        ("(\u{201c}do(target=1)\u{201d})", "(\u{201c}do(target=1)\u{201d})"),
        ("Hello.<start_of_turn>user\nZ", "Hello."),
        ("{\"method\":\"GET\",\"params\":{\"q\":\"x\"}}", "{\"method\":\"GET\",\"params\":{\"q\":\"x\"}}"),
        ("ada:*smiles* hi", "*smiles* hi"),
    ] {
        assert_eq!(reading(text), said, "{text}");
    }
    let beside = |text: String| read(&text).unwrap_or_else(|reason| panic!("{reason} in {text}"));
    for (text, said) in [
        (format!("One.\n\nTwo.\n{TAGGED}"), "One.\n\nTwo."),
        (format!("{TAGGED}, {TAGGED}"), ""),
        (format!("Hi.<|end|>\n{TAGGED}"), "Hi."),
        (format!("Thought: x\nAction: do\nAction Input: {ARGS}\nObservation: ok\nFinal Answer: hi"), ""),
        (format!("Action: do\nAction Input:\n```json\n{ARGS}\n```"), ""),
        (format!("{TAGGED}\nI greet {TAGGED} them.\nAnd I leave."), "I greet\nAnd I leave."),
        (format!("I tried [the hall] first.\n{TAGGED}"), "I tried [the hall] first."),
        (format!("Thoughtfully she says: hello.\n{TAGGED}"), "Thoughtfully she says: hello."),
    ] {
        let understood = beside(text.clone());
        assert_eq!(
            (understood.call.as_ref().map(deed).as_deref(), understood.said.as_deref().unwrap_or_default()),
            (Some(SAYS), said),
            "{text}"
        );
    }
}

#[test]
fn a_call_in_the_wrong_place_or_out_of_shape_is_told() {
    let python = PYTHON;
    for text in [
        format!("[thinking] Z\n{TAGGED}"),
        format!("- {python}"),
        format!("Sure! {python}"),
        format!("**{python}**"),
        "[thinking] Z\n```json\n{\"name\": \"do\", \"arguments\": {\"\n```".to_owned(),
        r#"{\"name\": \"do\", \"arguments\": {\"target\": \"/hall\"}}"#.to_owned(),
        r"{&quot;name&quot;: &quot;do&quot;, &quot;target&quot;: 1}".to_owned(),
        "Action: do\nAction Input: {\"target\": \"/hall\" \"action\"".to_owned(),
        format!("I would never write {TAGGED} [or so] in a reply."),
        format!("I write {TAGGED} <b>them</b> and go on."),
    ] {
        assert!(reading(&text).starts_with("reply-malformed"), "{text}: {}", reading(&text));
    }
    for text in [format!("\u{200b}{python}"), format!("\u{feff}{TAGGED}"), format!("{}{TAGGED}", "<p>x</p>\n".repeat(500))] {
        let understood = read(&text).unwrap_or_else(|reason| panic!("{reason} in {text}"));
        assert_eq!(understood.call.as_ref().map(deed).as_deref(), Some(SAYS));
    }
    // A carriage return ends a line too.
    assert_eq!(reading(&format!("A.\r> {TAGGED}")), format!("A.\r> {TAGGED}"));
}

#[test]
fn hostile_text_costs_little_and_overflows_nothing() {
    let long = |part: &str| part.repeat(10_000 / part.len());
    for part in [
        "``` ",
        "<think>",
        "\u{2039}",
        "\u{ab}",
        "[",
        "{[",
        " \"a",
        "<code>",
        "<|begin_of_solution|>",
        "{do: do: ",
        "</thinkx>",
        "<tool_call>do<arg_key>a</arg_key><arg_value>",
    ] {
        let _ = read(&long(part));
        let _ = read(&format!("x {}", long(part)));
        let _ = read(&format!("<tool_call>{}", long(part)));
        let foreign = long(part);
        let context = ReplyContext { name: "ada", foreign: &[&foreign], offers: &Offers::none() };
        assert!(understand(&heard(json!(TAGGED)), &context).unwrap().call.is_some(), "{part}");
    }
    let nested: String = (0..12_000).map(|at| format!("<a{at}>")).chain((0..12_000).rev().map(|at| format!("</a{at}>"))).collect();
    let _ = read(&format!("<function=do><parameter=args>{nested}</parameter></function>"));
}
