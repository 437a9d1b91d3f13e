//! Words: the vocabulary that the page asks for: the closed lists of the language, each word with what it says, every code, the defaults
//! of a role, and the bounds of what people type. All of it is read from where it holds.

use std::ops::RangeInclusive;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use crate::cognition::Tools;
use crate::dialect::USUAL;
use crate::fact::{ClosingKind, Code, CodeKind, Cognition, Orientation, Trigger, Value, Verb, WakeKind};
use crate::role::{Operator, Outcome, Rel, Spec, Takes};
use crate::run::Pace;
use crate::verb::BE_OPERATIONS;
use crate::world::{Period, model_words, settings};

use super::hall::Hall;
use super::people::{PASSWORD_MAX, PASSWORD_MIN};
use super::shapes::TakesShape;
use super::trouble::Wrong;
use super::who::Who;

/// A word of a closed list, and what it says.
#[derive(Serialize, ToSchema)]
pub struct Word {
    word: &'static str,
    says: &'static str,
}

/// A verb, and the list of a role that lets it through.
#[derive(Serialize, ToSchema)]
pub struct VerbWord {
    word: &'static str,
    list: &'static str,
    says: &'static str,
}

/// An operation on identity.
#[derive(Serialize, ToSchema)]
pub struct BindingWord {
    word: &'static str,
    says: &'static str,
    of: Whose,
}

/// The subject of an operation on identity: oneself, a being, or one in whose seat a tab sits, for which there is a way of its own.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Whose {
    /// Of oneself.
    #[serde(rename = "self")]
    Oneself,
    /// Of a being.
    Being,
    /// Of one that is driven from a tab.
    Seat,
}

/// An operator of conditions.
#[derive(Serialize, ToSchema)]
pub struct OperatorWord {
    word: &'static str,
    says: &'static str,
    /// How it reads where it does not hold, for one that is only true or false.
    #[serde(skip_serializing_if = "Option::is_none")]
    not: Option<&'static str>,
    /// The operand that it takes.
    #[schema(value_type = TakesShape)]
    takes: &'static str,
}

/// The least and the most that are taken.
#[derive(Serialize, ToSchema)]
pub struct Bounds {
    min: i64,
    max: i64,
}

/// How slow and how fast a world goes, in times the wall clock.
#[derive(Serialize, ToSchema)]
pub struct PaceBounds {
    min: f64,
    max: f64,
}

/// The settings of a connection to a model.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConnectionWords {
    /// Keys under `llm` that are no connection's name.
    reserved: Vec<&'static str>,
    /// The keys of a request's body that are written from the moment: no sampling sets them.
    sampling: &'static [&'static str],
    tools: Vec<Word>,
    timeout_ms: Bounds,
    parallel: Bounds,
}

/// The accounts and the periods of budgets.
#[derive(Serialize, ToSchema)]
pub struct BudgetWords {
    of: Vec<Word>,
    periods: Vec<&'static str>,
}

/// The closed lists of the language and the bounds of what is typed.
#[derive(Serialize, ToSchema)]
pub struct Words {
    verbs: Vec<VerbWord>,
    bindings: Vec<BindingWord>,
    relations: Vec<Word>,
    operators: Vec<OperatorWord>,
    cognitions: Vec<Word>,
    triggers: Vec<Word>,
    orientations: Vec<Word>,
    closings: Vec<Word>,
    wakes: Vec<Word>,
    outcomes: Vec<Word>,
    /// The defaults of a role, key by key.
    #[schema(value_type = Object)]
    role: Value,
    pace: PaceBounds,
    password: Bounds,
    connection: ConnectionWords,
    budget: BudgetWords,
}

/// Why something was refused, failed or goes on.
#[derive(Serialize, ToSchema)]
pub struct CodeWord {
    #[schema(value_type = String)]
    code: Code,
    #[schema(value_type = String)]
    kind: CodeKind,
    /// Its meaning.
    sentence: &'static str,
    /// The remedy.
    todo: &'static str,
}

/// The closed lists of the language and the bounds of what is typed, in words for people
#[utoipa::path(get, path = "/api/words", responses((status = 200, body = Words), (status = 403, body = Wrong)))]
pub async fn words(State(_): State<Arc<Hall>>, _ours: Who) -> Json<Words> {
    Json(told())
}

/// All of it.
pub fn told() -> Words {
    Words {
        verbs: list(Verb::ALL, |verb| VerbWord { word: verb.word(), list: Spec::list_key(*verb), says: verb_says(*verb) }),
        bindings: list(BE_OPERATIONS, |(word, says, ..)| BindingWord { word, says, of: binding_of(word) }),
        relations: list(Rel::ALL, |rel| word(rel.word(), rel.says())),
        operators: list(Operator::ALL, |operator| operator_told(*operator)),
        cognitions: list(Cognition::ALL, |cognition| word(cognition.word(), cognition_says(*cognition))),
        triggers: list(Trigger::ALL, |trigger| word(trigger.word(), trigger_says(*trigger))),
        orientations: list(Orientation::ALL, |orientation| word(orientation.word(), orientation_says(*orientation))),
        closings: list(ClosingKind::ALL, |kind| word(kind.word(), closing_says(*kind))),
        wakes: list(WakeKind::ALL, |kind| word(kind.word(), wake_says(*kind))),
        outcomes: list(Outcome::ALL, |outcome| word(outcome.word(), outcome_says(*outcome))),
        role: Spec::defaults(),
        pace: PaceBounds { min: Pace::SLOWEST, max: Pace::FASTEST },
        password: bounds(&(PASSWORD_MIN as i64..=PASSWORD_MAX as i64)),
        connection: ConnectionWords {
            reserved: model_words(),
            sampling: USUAL.ours,
            tools: list(Tools::ALL, |tools| word(tools.word(), tools_says(*tools))),
            timeout_ms: bounds_of("timeout_ms"),
            parallel: bounds_of("parallel"),
        },
        budget: BudgetWords { of: list(BUDGETED, |(key, says)| word(key, says)), periods: list(&Period::ALL, |period| period.word()) },
    }
}

/// Every code: its kind, what it means, and what somebody can do about it
#[utoipa::path(get, path = "/api/codes", responses((status = 200, body = Vec<CodeWord>), (status = 403, body = Wrong)))]
pub async fn codes(State(_): State<Arc<Hall>>, _ours: Who) -> Json<Vec<CodeWord>> {
    Json(list(Code::ALL, |code| CodeWord { code: *code, kind: code.kind(), sentence: code.sentence(), todo: code.kind().todo() }))
}

fn list<T, U>(items: &[T], tell: impl Fn(&T) -> U) -> Vec<U> {
    items.iter().map(tell).collect()
}

const fn word(word: &'static str, says: &'static str) -> Word {
    Word { word, says }
}

/// The settings that are budgets, and of whom each is where it is said of the world.
const BUDGETED: &[(&str, &str)] = &[
    ("llm.budget", "the world"),
    ("llm.budget.being", "each being"),
    ("llm.budget.root", "each root: all that goes back to one summons or act"),
];

/// The bounds of a number of a connection, as the register has them.
fn bounds_of(key: &str) -> Bounds {
    let bound = |of: &str| {
        let connection = settings().iter().find(|setting| setting.key.as_ref() == "llm.");
        connection.and_then(|setting| setting.schema.at(&format!("properties.{key}.{of}"))?.as_int()).unwrap_or_default()
    };
    Bounds { min: bound("minimum"), max: bound("maximum") }
}

const fn bounds(range: &RangeInclusive<i64>) -> Bounds {
    Bounds { min: *range.start(), max: *range.end() }
}

const fn verb_says(verb: Verb) -> &'static str {
    match verb {
        Verb::See => "what its wearer may look at",
        Verb::Do => "which actions it may do",
        Verb::Summon => "whom it may summon",
        Verb::Be => "which operations on identity it may use",
    }
}

fn binding_of(word: &str) -> Whose {
    match word {
        "birth" => Whose::Oneself,
        "inhabit" | "release" => Whose::Seat,
        _ => Whose::Being,
    }
}

/// An operator, what it is compared with, and for one that is only true or false how it reads where it is not.
const fn operator_told(operator: Operator) -> OperatorWord {
    let takes = operator.takes();
    let not = if matches!(takes, Takes::Truth) { Some("is not known") } else { None };
    OperatorWord { word: operator.word(), says: operator.says(), not, takes: takes.word() }
}

const fn cognition_says(cognition: Cognition) -> &'static str {
    match cognition {
        Cognition::Llm => "a language model",
        Cognition::Human => "a person",
        Cognition::Script => "a script",
        Cognition::Bridge => "a bridge to what lies outside",
        Cognition::Panel => "other beings, by their votes",
    }
}

const fn trigger_says(trigger: Trigger) -> &'static str {
    match trigger {
        Trigger::Message => "a summons",
        Trigger::Hear => "what is said where it is",
        Trigger::Enter => "its coming into a space",
        Trigger::Arrival => "somebody who comes in",
        Trigger::Change => "a change by which it wears something else",
        Trigger::Signal => "a signal that its flow reads",
        Trigger::Schedule => "a schedule of its own",
        Trigger::Watch => "what the role watches for",
        Trigger::Boot => "its world being opened again",
    }
}

const fn orientation_says(orientation: Orientation) -> &'static str {
    match orientation {
        Orientation::Forward => "the world",
        Orientation::Half => "the world and its own recent acts",
        Orientation::Inward => "its own acts",
    }
}

const fn closing_says(kind: ClosingKind) -> &'static str {
    match kind {
        ClosingKind::Act => "acted",
        ClosingKind::See => "looked",
        ClosingKind::Refused => "was refused",
        ClosingKind::Failed => "failed",
        ClosingKind::Requeued => "will be tried again",
        ClosingKind::DeadLetter => "was given up",
        ClosingKind::Ended => "ended",
    }
}

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
        WakeKind::Watch => "something happened that it watches for",
        WakeKind::Change => "something changed, and it wears something else",
        WakeKind::Boot => "the world was opened again",
        WakeKind::ReplyDue => "its members have voted, or their time is over",
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
        Outcome::RoleWhen => "matches, but the role guards itself",
        Outcome::AlreadyWorn => "worn already",
        Outcome::NoPrimary => "matches, but there is no primary to stack on",
        Outcome::NotNamed => "neither the flow nor the default names it",
    }
}

const fn tools_says(tools: Tools) -> &'static str {
    match tools {
        Tools::Native => "it calls tools",
        Tools::Strict => "it calls tools, and the endpoint holds each call to its schema",
        Tools::JsonSchema => "it answers with JSON that is held to a schema",
    }
}
