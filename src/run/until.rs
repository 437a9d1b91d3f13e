//! Until: what ends a run: an instant of world time, or a condition over the world, written as the `when` of a flow.

use std::sync::Arc;

use chrono_tz::Tz;

use crate::fact::{Text, Value};
use crate::role::{Basis, Flow, FlowError, Guards, LintCode, Own, Stack, lint, when_of};
use crate::store::ClockFile;
use crate::world::{Being, OpenContext, Registered, Timestamp, World, no_such_day};

/// A condition that ends a run, as people write it.
#[derive(Clone, Debug)]
pub enum End {
    /// As soon as a condition holds.
    When(When),
    /// When world time comes to an instant.
    At(Timestamp),
}

/// Why some text ends no run.
#[derive(Debug, thiserror::Error)]
pub enum EndError {
    /// It begins as a condition.
    #[error(transparent)]
    When(#[from] WhenError),
    /// An instant that no world comes to.
    #[error("expected an instant of the years 1 to 9999, found `{0}`")]
    Year(String),
    /// A day that no month has.
    #[error("{0}")]
    Day(String),
    /// It is neither.
    #[error(
        "expected a condition such as `when {{\"world.skateco.boards\": {{\"gte\": 10}}}}` or an instant such as `2026-03-02T18:00:00`, found `{0}`"
    )]
    Neither(String),
}

impl std::str::FromStr for End {
    type Err = EndError;

    fn from_str(text: &str) -> Result<Self, EndError> {
        let text = text.trim();
        if text.starts_with("when") || text.starts_with('{') {
            return Ok(Self::When(text.parse()?));
        }
        let instant: Timestamp =
            text.parse().map_err(|()| no_such_day(text).map_or_else(|| EndError::Neither(text.to_owned()), EndError::Day))?;
        if ClockFile::CALENDAR.contains(&instant.in_zone(Tz::UTC)) { Ok(Self::At(instant)) } else { Err(EndError::Year(text.to_owned())) }
    }
}

/// A condition as the operator sees it.
#[derive(Clone, Debug)]
pub struct When(Arc<Flow>);

/// Why some text is no condition.
#[derive(Debug, thiserror::Error)]
pub enum WhenError {
    /// Not JSON.
    #[error("expected a condition such as `when {{\"world.skateco.boards\": {{\"gte\": 10}}}}`: {0}")]
    Json(#[from] serde_json::Error),
    /// Not a condition.
    #[error("not a condition: {0}")]
    Flow(#[from] FlowError),
}

/// The operator's role: worn when the condition holds.
const HOLDS: &str = crate::moment::OPERATOR;

impl std::str::FromStr for When {
    type Err = WhenError;

    fn from_str(text: &str) -> Result<Self, WhenError> {
        Ok(Self::of(&when_of(text)?)?)
    }
}

impl When {
    /// A condition written as a value.
    pub fn of(when: &Value) -> Result<Self, FlowError> {
        let clause = Value::map([("when", when.clone()), ("role", Value::text(HOLDS))]);
        Ok(Self(Arc::new(Flow::compile(&Value::List(vec![clause]))?)))
    }

    /// Why it does not hold for somebody as they are, if it does not.
    pub(super) fn lacks(&self, world: &World, being: &Being) -> Option<String> {
        let context = OpenContext::unwoken(world, being, world.now());
        let own = Own { default_role: None, cognition: being.cognition, requested: None };
        let trace = self.0.explain(&context, &Registered { world, at: being.position }, &own);
        let lacking = trace.clauses.iter().flat_map(|clause| &clause.conditions).filter(|condition| !condition.held);
        trace.stack.is_empty().then(|| lacking.map(ToString::to_string).collect::<Vec<_>>().join("; "))
    }

    /// Doubts about the condition: one that no moment can meet would let a run go on for ever.
    pub fn warnings(&self) -> Vec<String> {
        let known = Basis { roles: &|_| Some(Guards::default()), signals: None, cognition: None, default_role: None, role_names: &[] };
        let told = lint(&self.0, &known).into_iter().filter(|warning| warning.code != LintCode::AlwaysTrue);
        told.map(|warning| warning.hint.map_or_else(|| warning.what.clone(), |hint| format!("{}; {hint}", warning.what))).collect()
    }

    /// Whether it holds in a world as it is.
    pub fn holds(&self, world: &World) -> bool {
        let Some(operator) = world.being(world.operator()) else { return false };
        let context = OpenContext::unwoken(world, operator, world.now());
        let none: Option<&Text> = None;
        let own = Own { default_role: none, cognition: operator.cognition, requested: none };
        let mut stack = Stack::default();
        self.0.evaluate(&context, &Registered { world, at: operator.position }, &own, &mut stack);
        !stack.is_empty()
    }
}
