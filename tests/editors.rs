//! Editors: do two models who write one text lose nothing of each other's where they claim it, and does the same story lose lines where they do not?

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use reelm::cognition::{Reply, Request};
use reelm::fact::{Call, Content, Fact, Value};
use reelm::minds::Minds;
use reelm::source::Source;
use serde_json::{Value as Json, json};

use super::kit::{self, Small, args};
use super::mind::{answered, tool};
use super::terminal::package;

/// Two models that do as their role says: each prompt is read for who is asked, what is claimed and what the text says.
#[derive(Clone, Default)]
struct Editors(Arc<Mutex<BTreeMap<String, Editor>>>);

#[derive(Clone, Default)]
struct Editor {
    step: Step,
    /// How many lines it still has to write: one each time that it is told to.
    owes: usize,
    /// When it was told last.
    told_at: String,
    /// How many it has written.
    written: usize,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Step {
    #[default]
    Begins,
    Looked,
    Wrote,
    Ended,
}

const TEXT: &str = "/desk/text";

/// The lines of the text as a prompt shows it that was looked at: its first, and those that the editors have written.
fn lines_in(prompt: &str) -> Vec<String> {
    let block = prompt.split("[you looked at /desk/text]\n").nth(1).unwrap_or_else(|| panic!("no text is shown:\n{prompt}"));
    let block = block.split("\n\n").next().unwrap_or_default();
    let of_editors = |word: &&str| word.starts_with("ann-") || word.starts_with("ben-");
    let words = block.split(|c: char| !c.is_ascii_alphanumeric() && c != '-').filter(of_editors);
    ["The house by the sea."].into_iter().chain(words).map(str::to_owned).collect()
}

impl Editors {
    fn written(&self) -> usize {
        self.0.lock().unwrap().values().map(|editor| editor.written).sum()
    }

    fn reply(&self, system: &str, user: &str) -> Json {
        let who = system.split("You are @").nth(1).unwrap().chars().take_while(|c| c.is_alphanumeric()).collect::<String>();
        let mut all = self.0.lock().unwrap();
        let editor = all.entry(who.clone()).or_default();
        let (claims, claimed) = (system.contains("do claim.set"), system.contains("You have claimed: /desk/text"));
        // It is told to at its ticks, and asked for one of them more than once.
        let minute = system.split("It is 2026-").nth(1).unwrap().chars().take("03-02T09:05".len()).collect::<String>();
        if user.contains("It is time for a line.") && editor.told_at != minute {
            (editor.owes, editor.told_at) = (editor.owes + 1, minute);
        }
        let wait = || json!({ "content": "I wait until it is free." });
        let act = |action: &str, args: Json| tool("do", json!({ "target": TEXT, "action": action, "args": args }));
        let (step, reply) = match editor.step {
            Step::Begins if editor.owes == 0 || system.contains("Claimed by another, so that you cannot change it: /desk/text") => {
                (Step::Begins, wait())
            }
            Step::Begins if claims && !claimed => (Step::Begins, act("claim.set", json!({ "for": "2m", "why": "adding a line" }))),
            Step::Begins => (Step::Looked, tool("see", json!({ "address": TEXT }))),
            Step::Looked => {
                (editor.written, editor.owes) = (editor.written + 1, editor.owes - 1);
                let lines: Vec<String> = lines_in(system).into_iter().chain([format!("{who}-{}", editor.written)]).collect();
                (if claims { Step::Wrote } else { Step::Begins }, act("matter.set", json!({ "content": { "lines": lines } })))
            }
            Step::Wrote if claimed => (Step::Ended, act("claim.end", json!({}))),
            Step::Wrote | Step::Ended => (Step::Begins, wait()),
        };
        editor.step = step;
        reply
    }
}

impl Minds for Editors {
    fn ask(&mut self, requests: &[Request]) -> Vec<Reply> {
        let answer = |request: &Request| {
            let body: Json = serde_json::from_str(&request.body).unwrap();
            let text = |at: usize| body["messages"][at]["content"].as_str().unwrap();
            answered(&self.reply(text(0), text(1)))
        };
        requests.iter().map(answer).collect()
    }
}

/// The recipe's world until so many lines were written, and how many of them stand in the text; each that stands was seen by whoever wrote next.
fn edited(edits: usize, is_hasty: bool) -> (Small, usize, usize) {
    let mut source = Source::read(&package().join("docs/cookbook/two-editors")).unwrap();
    source.config.insert("brakes.calls".into(), Value::Int(1_000_000));
    let mut small = Small::grow(&source, 1, 1);
    let editors = Editors::default();
    small.living().asking(Box::new(editors.clone()));
    if is_hasty {
        small.act("operator", Call::doing("/", "signal.set", args(r#"{"path":"two-editors.hasty","value":true}"#)));
    }
    // Each of both is told once in five minutes.
    small.run(&format!("{}m", 5 * edits / 2 + 4));
    let world = small.world();
    let text = reelm::verb::see(&world, world.being_named("operator").unwrap(), TEXT, world.now()).unwrap();
    let lines = text.get("content").and_then(|content| content.get("lines")).and_then(Value::as_list).unwrap().len() - 1;
    (small, editors.written(), lines)
}

#[test]
fn two_editors_lose_nothing_where_they_claim_the_text_and_lines_where_they_do_not() {
    let edits = kit::size(20, 200);
    let (small, written, lines) = edited(edits, false);
    assert!(written >= edits && lines == written, "{written} lines were written, {lines} stand");
    // Each wrote on what the other had left: no version drops a line of the one before.
    let mut before: Vec<Value> = Vec::new();
    for draft in small.shelf.drafts() {
        for fact in &draft.facts {
            if let Fact::Filled { content: Content::Here(content), .. } = fact {
                let now = content.get("lines").and_then(Value::as_list).unwrap().to_vec();
                assert!(now.starts_with(&before), "#{} undoes what stood there", draft.seq);
                before = now;
            }
        }
    }
    assert_eq!(small.replay().unwrap().difference, None);
    let (small, written, lines) = edited(edits, true);
    assert!(written >= edits && lines * 10 < written * 9, "{written} lines were written, {lines} stand");
    assert_eq!(small.replay().unwrap().difference, None);
}
