//! Prefix: does a prompt begin as the one before it did, so that a provider that keeps prompts need not read it anew?

use std::collections::BTreeSet;
use std::path::Path;

use reelm::source::Source;
use serde_json::{Value as Json, json};

use super::kit::Small;
use super::mind::{Script, tool};

/// A request as a provider keeps it: the tools, then the messages.
fn as_kept(body: &Json) -> String {
    let messages: String = body["messages"].as_array().unwrap().iter().map(|message| format!("{message}\n")).collect();
    format!("{}\n{messages}", body["tools"])
}

/// The percentage of a text that it shares with the beginning of the one before.
fn shared(before: &str, text: &str) -> usize {
    before.bytes().zip(text.bytes()).take_while(|(one, other)| one == other).count() * 100 / text.len()
}

/// Words and deeds of guests in a salon, no two alike.
fn replies(count: usize) -> Vec<Json> {
    let said = |n: usize| format!("That reminds me of evening {n}, when the lamps went out and somebody sang in the dark for an hour.");
    let one = |n: usize| match n % 5 {
        0 => tool("do", json!({ "target": "/salon", "action": "say", "args": { "content": said(n) } })),
        1 | 3 => tool("summon", json!({ "target": if n.is_multiple_of(2) { "@ada" } else { "@ben" }, "content": said(n) })),
        2 => tool("see", json!({ "address": "/salon/piano" })),
        _ => json!({ "content": said(n) }),
    };
    (0..count).map(one).collect()
}

#[test]
fn in_conversation_most_of_a_prompt_is_that_of_the_one_before() {
    let source = Source::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/worlds/salon")).unwrap();
    let mut small = Small::grow(&source, 3, 1);
    let script = Script::of(replies(2_000));
    small.living().asking(Box::new(script.clone()));
    small.run("30m");
    let asked = script.asked();
    let mut shares = Vec::new();
    for name in ["@ada", "@ben", "@cleo"] {
        let is_of = |body: &&Json| body["messages"][0]["content"].as_str().unwrap().starts_with(&format!("You are {name},"));
        let kept: Vec<String> = asked.iter().filter(is_of).map(as_kept).collect();
        // It may speak to the same beings, by whomever it was woken.
        let speaks = |body: &Json| body["tools"].as_array().unwrap().iter().find(|tool| tool["function"]["name"] == "summon").cloned();
        let speaks: BTreeSet<String> = asked.iter().filter(is_of).filter_map(speaks).map(|tool| tool.to_string()).collect();
        assert!(speaks.len() <= 1, "{name}: {speaks:?}");
        shares.extend(kept.windows(2).map(|pair| shared(&pair[0], &pair[1])));
    }
    assert!(shares.len() >= 100, "{}", shares.len());
    shares.sort_unstable();
    let median = shares[shares.len() / 2];
    assert!(median >= 80, "the median prompt shares {median} % of its bytes with the one before: {shares:?}");
}
