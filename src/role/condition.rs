//! Condition: one path, one operator, one operand, and whether it holds in a moment.
//!
//! The world is closed: a missing path is null. `ne` and `notIn` are exactly the negations of `eq` and `in`; ordering compares number
//! with number or text with text and is false otherwise. How conditions are written is [`when`](super::when)'s matter.

use crate::fact::Text;

use super::operand::{Nothing, Operand};
use super::operator::Operator;
use super::path::Path;
use super::seen::{Context, Seen};

/// One condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// Where it is written.
    pub place: Text,
    pub path: Path,
    pub operator: Operator,
    pub operand: Operand,
}

impl Condition {
    /// Whether it holds for what was seen at its path.
    pub fn holds<C: Context + ?Sized>(&self, saw: Seen<'_>, context: &C) -> bool {
        self.operator.holds(saw, &self.operand, context)
    }

    /// Whether it holds for a value, where the answer depends on nothing else in the moment.
    pub fn holds_for(&self, value: Seen<'_>) -> Option<bool> {
        self.operand.is_constant().then(|| self.holds(value, &Nothing))
    }
}
