//! When: a condition over the world, written as the `when` of a flow, that ends a run.

use std::sync::Arc;

use crate::fact::{Text, Value};
use crate::moment::{OpenContext, Registered};
use crate::role::{Code, Flow, FlowError, Known, Own, Stack, lint};
use crate::world::{Wake, World};

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
        let json = text.trim();
        let json = json.strip_prefix("when").unwrap_or(json);
        let when: Value = serde_json::from_str(json)?;
        let clause = Value::map([("when", when), ("role", Value::text(HOLDS))]);
        Ok(Self(Arc::new(Flow::compile(&Value::List(vec![clause]))?)))
    }
}

impl When {
    /// What may not be meant: a condition on what no moment has would let a run go on for ever.
    pub fn warnings(&self) -> Vec<String> {
        let known = Known { roles: &|_| Some(None), signals: None, cognition: None, default_role: None };
        let told = lint(&self.0, &known).into_iter().filter(|warning| warning.code != Code::AlwaysTrue);
        told.map(|warning| warning.hint.map_or_else(|| warning.what.clone(), |hint| format!("{}; {hint}", warning.what))).collect()
    }

    /// Whether it holds in a world as it is.
    pub fn holds(&self, world: &World) -> bool {
        let Some(operator) = world.being(world.operator()) else { return false };
        let wake = Wake::gesture(world.next_seq(), world.at());
        let context = OpenContext::new(world, operator, &wake, world.at(), None);
        let none: Option<&Text> = None;
        let own = Own { default_role: none, cognition: operator.cognition, requested: none };
        let mut stack = Stack::default();
        self.0.evaluate(&context, &Registered { world, at: operator.position }, &own, &mut stack);
        !stack.is_empty()
    }
}
