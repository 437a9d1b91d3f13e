//! Judged: a recorded moment held against what comes of it by other code, part by part.

use serde::Serialize;

use crate::cognition::messages;
use crate::fact::{Call, Closing, Content, Draft, Fact, Thought, Value};
use crate::past::{Kept, call_line};

use super::compare::Difference;
use super::retaken::{RetakeChange, RetakePart, short};

/// The reply with which a moment of a model was closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RetakeHeard {
    /// The recorded one, if there was any to be heard.
    Recorded,
    /// A model would be asked of whom no reply is recorded.
    Nobody,
    /// The one that it gave now.
    Anew,
}

/// A moment that the run would not have opened so.
pub(super) fn unopened(Difference { field, recorded, computed, .. }: Difference) -> RetakeChange {
    let part = match field {
        "thought" => RetakePart::Request,
        "call" => RetakePart::Act,
        "closing" => RetakePart::Closing,
        _ => RetakePart::Wake,
    };
    RetakeChange { part, recorded: short(&recorded), would: short(&computed) }
}

/// The parts that come out otherwise, in the order of the beats. A part that differs only because an earlier one does is left out.
/// A model's answer to another request is known only once it has been asked anew.
pub(super) fn changes(recorded: &Draft, mut computed: Draft, kept: &Kept, heard: RetakeHeard) -> Vec<RetakeChange> {
    let mut changes = Vec::new();
    let mut differ = |part, recorded: String, would: String| changes.push(RetakeChange { part, recorded, would });
    if recorded.stack != computed.stack {
        let [was, is] = [recorded, &computed].map(stack);
        // The same roles by other clauses.
        let [was, is] = if was == is { [recorded, &computed].map(|draft| json(&draft.stack)) } else { [was, is] };
        differ(RetakePart::Stack, was, is);
    }
    if let Some((was, is)) = requests(recorded, &computed, kept, heard) {
        differ(RetakePart::Request, was, is);
        if heard != RetakeHeard::Anew {
            return changes;
        }
        // The cost of asking is no deed.
        computed.facts.retain(|fact| !matches!(fact, Fact::Spent(_)));
    }
    let mut before = recorded.facts.clone();
    if heard == RetakeHeard::Anew {
        before.retain(|fact| !matches!(fact, Fact::Spent(_)));
    }
    computed.shed();
    if recorded.call != computed.call {
        differ(RetakePart::Act, act(recorded.call.as_ref()), act(computed.call.as_ref()));
    }
    if recorded.closing != computed.closing {
        differ(RetakePart::Closing, closing(&recorded.closing), closing(&computed.closing));
    }
    if recorded.call == computed.call && recorded.closing == computed.closing && before != computed.facts {
        let at = before.iter().zip(&computed.facts).take_while(|(was, is)| was == is).count();
        let [was, is] = [&before, &computed.facts].map(|facts| facts.get(at).map_or_else(|| "none".to_owned(), whole));
        let (was, is) = apart(&was, &is, &format!("fact {at}"));
        differ(RetakePart::Facts, was, is);
    }
    changes
}

/// Where a model is asked something else than was recorded.
fn requests(recorded: &Draft, computed: &Draft, kept: &Kept, heard: RetakeHeard) -> Option<(String, String)> {
    let Thought::Model { request: was, .. } = &recorded.thought else {
        return (heard != RetakeHeard::Recorded).then(|| ("no model was asked".to_owned(), "one would be".to_owned()));
    };
    let Thought::Model { request: Content::Here(is), .. } = &computed.thought else { return None };
    let was = kept.value(was).unwrap_or_default();
    (was != *is).then(|| prompts(&was, is))
}

fn stack(draft: &Draft) -> String {
    let roles: Vec<&str> = draft.stack.iter().map(|worn| worn.role.as_ref()).collect();
    if roles.is_empty() { "nothing".to_owned() } else { roles.join("+") }
}

fn act(call: Option<&Call>) -> String {
    call.map_or_else(|| "nothing".to_owned(), call_line)
}

fn closing(closing: &Closing) -> String {
    closing.reason().map_or_else(|| closing.word().to_owned(), |reason| format!("{} ({reason})", closing.word()))
}

/// Where two requests differ first: in which message, or in what stands beside them.
fn prompts(was: &Value, is: &Value) -> (String, String) {
    let (before, after) = (messages(was), messages(is));
    let at = before.iter().zip(&after).position(|(was, is)| was != is).unwrap_or(before.len().min(after.len()));
    match (before.get(at), after.get(at)) {
        (None, None) => apart(&was.to_string(), &is.to_string(), "beside its messages"),
        (was, is) => {
            let of = was.or(is).map(|(who, _)| who.as_str()).unwrap_or_default();
            let text = |message: Option<&(String, String)>| message.map(|(_, text)| text.clone()).unwrap_or_default();
            apart(&text(was), &text(is), of)
        }
    }
}

/// Two texts from a little before where they differ.
fn apart(was: &str, is: &str, place: &str) -> (String, String) {
    const BEFORE: usize = 24;
    let same = was.chars().zip(is.chars()).take_while(|(was, is)| was == is).count();
    let before = if same > BEFORE { "…" } else { "" };
    let from = |text: &str| format!("{before}{}", short(&text.chars().skip(same.saturating_sub(BEFORE)).collect::<String>()));
    (format!("{place}: {}", from(was)), from(is))
}

fn json<T: Serialize>(value: &T) -> String {
    short(&whole(value))
}

fn whole<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).unwrap_or_default()
}
