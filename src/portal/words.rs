//! Words: what the page asks instead of knowing it: the closed lists of the language, each word with what it says, every code, what a role
//! is where nothing is written, and the bounds of what people type. All of it is read from where it holds.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde_json::{Value as Json5, json};

use crate::cognition::Tools;
use crate::fact::{Code, Cognition, Orientation, Trigger, Verb, WakeKind};
use crate::role::{Operator, Outcome, Rel, Spec, Takes};
use crate::run::Pace;
use crate::verb::{BE_OPERATIONS, BUDGETED, CONNECTION_PARALLEL, CONNECTION_TIMEOUT_MS, MODEL_SETTINGS, SAMPLING_OURS};
use crate::world::Period;

use super::hall::Hall;
use super::people::{PASSWORD_MAX, PASSWORD_MIN};
use super::trouble::Wrong;
use super::who::Who;

/// The closed lists of the language and the bounds of what is typed, in words for people
#[utoipa::path(get, path = "/api/words", responses((status = 200, body = Object), (status = 403, body = Wrong)))]
pub async fn words(State(_): State<Arc<Hall>>, _ours: Who) -> Json<Json5> {
    Json(told())
}

/// All of it.
pub fn told() -> Json5 {
    json!({
        "verbs": list(Verb::ALL, |verb| json!({ "word": verb.word(), "list": Spec::list_key(*verb), "says": verb_says(*verb) })),
        "bindings": list(BE_OPERATIONS, |(word, says, _)| json!({ "word": word, "says": says, "of": binding_of(word) })),
        "relations": list(Rel::ALL, |rel| word(rel.word(), rel.says())),
        "operators": list(Operator::ALL, |operator| operator_told(*operator)),
        "cognitions": list(Cognition::ALL, |cognition| word(cognition.word(), cognition_says(*cognition))),
        "triggers": list(Trigger::ALL, |trigger| word(trigger.word(), trigger_says(*trigger))),
        "orientations": list(Orientation::ALL, |orientation| word(orientation.word(), orientation_says(*orientation))),
        "closings": list(CLOSINGS, |(closing, says)| word(closing, says)),
        "wakes": list(WakeKind::ALL, |kind| word(kind.word(), wake_says(*kind))),
        "outcomes": list(Outcome::ALL, |outcome| word(outcome.word(), outcome_says(*outcome))),
        "role": Spec::defaults(),
        "pace": { "min": Pace::SLOWEST, "max": Pace::FASTEST },
        "password": { "min": PASSWORD_MIN, "max": PASSWORD_MAX },
        "connection": {
            "reserved": MODEL_SETTINGS, "sampling": SAMPLING_OURS, "tools": list(Tools::ALL, |tools| word(tools.word(), tools_says(*tools))),
            "timeoutMs": { "min": CONNECTION_TIMEOUT_MS.start(), "max": CONNECTION_TIMEOUT_MS.end() },
            "parallel": { "min": CONNECTION_PARALLEL.start(), "max": CONNECTION_PARALLEL.end() },
        },
        "budget": { "of": list(BUDGETED, |(of, says)| word(of, says)), "periods": list(&Period::ALL, |period| json!(period.word())) },
    })
}

/// Every code: its kind, what it means, and what somebody can do about it
#[utoipa::path(get, path = "/api/codes", responses((status = 200, body = Vec<Object>), (status = 403, body = Wrong)))]
pub async fn codes(State(_): State<Arc<Hall>>, _ours: Who) -> Json<Json5> {
    Json(list(Code::ALL, |code| json!({ "code": code, "kind": code.kind(), "sentence": code.sentence(), "todo": code.kind().todo() })))
}

fn list<T>(items: &[T], tell: impl Fn(&T) -> Json5) -> Json5 {
    Json5::Array(items.iter().map(tell).collect())
}

fn word(word: &str, says: &str) -> Json5 {
    json!({ "word": word, "says": says })
}

const fn verb_says(verb: Verb) -> &'static str {
    match verb {
        Verb::See => "what its wearer may look at",
        Verb::Do => "which actions it may do",
        Verb::Summon => "whom it may summon",
        Verb::Be => "which operations on identity it may use",
    }
}

/// Of whom an operation on identity is: of oneself, of a being, or of one in whose seat a tab sits, for which there is a way of its own.
fn binding_of(word: &str) -> &'static str {
    match word {
        "birth" => "self",
        "inhabit" | "release" => "seat",
        _ => "being",
    }
}

/// An operator, what it is compared with, and for one that is only true or false how it reads where it is not.
fn operator_told(operator: Operator) -> Json5 {
    let (word, says, takes) = (operator.word(), operator.says(), operator.takes());
    match takes {
        Takes::Truth => json!({ "word": word, "says": says, "not": "is not known", "takes": takes.word() }),
        Takes::Value | Takes::List | Takes::Order | Takes::Text | Takes::Glob => {
            json!({ "word": word, "says": says, "takes": takes.word() })
        }
    }
}

const fn cognition_says(cognition: Cognition) -> &'static str {
    match cognition {
        Cognition::Llm => "a language model",
        Cognition::Human => "a person",
        Cognition::Script => "a script",
    }
}

const fn trigger_says(trigger: Trigger) -> &'static str {
    match trigger {
        Trigger::Message => "a summons",
        Trigger::Hear => "what is said where it is",
        Trigger::Enter => "its coming into a space",
        Trigger::Arrival => "somebody who comes in",
    }
}

const fn orientation_says(orientation: Orientation) -> &'static str {
    match orientation {
        Orientation::Forward => "the world",
        Orientation::Half => "the world and its own recent acts",
        Orientation::Inward => "its own acts",
    }
}

/// How a moment closes.
const CLOSINGS: &[(&str, &str)] = &[
    ("act", "acted"),
    ("see", "looked"),
    ("refused", "was refused"),
    ("failed", "failed"),
    ("requeued", "will be tried again"),
    ("dead-letter", "was given up"),
    ("ended", "ended"),
];

const fn wake_says(kind: WakeKind) -> &'static str {
    match kind {
        WakeKind::Summons => "it was summoned",
        WakeKind::Signal => "a signal changed",
        WakeKind::Schedule => "its schedule was due",
        WakeKind::Enter => "it came into a space",
        WakeKind::Arrival => "somebody came in",
        WakeKind::Hear => "it heard something",
        WakeKind::Crossing => "time crossed a border of its flow",
        WakeKind::SelfContinue => "it went on by itself",
        WakeKind::Gesture => "a person acted",
        WakeKind::End => "it ended",
    }
}

const fn outcome_says(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Primary => "worn, as the primary",
        Outcome::Stacked => "worn, on top",
        Outcome::NoMatch => "does not match",
        Outcome::Shadowed => "matches, but the primary was found before",
        Outcome::UnknownRole => "matches, but no such role is registered",
        Outcome::WrongCognition { .. } => "matches, but the role asks for another cognition",
        Outcome::AlreadyWorn => "worn already",
        Outcome::NoPrimary => "matches, but there is no primary to stack on",
        Outcome::NotNamed => "neither the flow nor the default names it",
    }
}

const fn tools_says(tools: Tools) -> &'static str {
    match tools {
        Tools::Native => "it calls tools",
        Tools::JsonSchema => "it answers with JSON that is held to a schema",
    }
}

#[cfg(test)]
mod tests {
    use crate::fact::{Closing, Reason};

    use super::*;

    #[test]
    fn every_way_in_which_a_moment_closes_is_told_in_words() {
        let reason = || Reason::new(Code::Looked, "");
        let all = [
            Closing::Act,
            Closing::See,
            Closing::Refused(reason()),
            Closing::Failed(reason()),
            Closing::Requeued(reason()),
            Closing::DeadLetter(reason()),
            Closing::Ended,
        ];
        let words: Vec<&str> = all.iter().map(Closing::word).collect();
        assert_eq!(words, CLOSINGS.iter().map(|(word, _)| *word).collect::<Vec<_>>());
    }

    #[test]
    fn the_words_that_the_pages_own_tests_learn_are_those_that_the_server_tells() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/page/words.json");
        let told = format!("{}\n", serde_json::to_string_pretty(&told()).unwrap());
        if std::env::var_os("REMAKE").is_some() {
            std::fs::write(path, &told).unwrap();
        }
        let kept = std::fs::read_to_string(path).unwrap_or_default();
        assert!(kept == told, "it differs: `REMAKE=1 cargo test --lib portal::words` writes it anew");
    }
}
