//! Condition: one path, one operator, one operand, and whether it holds in a moment.
//!
//! The world is closed: a missing path is null. `ne` and `notIn` are exactly the negations of `eq` and `in`; ordering compares number
//! with number or text with text and is false otherwise. How conditions are written is [`when`](super::when)'s matter.

use std::cmp::Ordering;
use std::fmt;

use crate::fact::{Text, Value};

use super::glob::Glob;
use super::path::Path;
use super::seen::{Context, Seen};

/// How what is seen is compared with the operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Operator {
    /// Is the same value.
    Eq,
    /// Is not the same value.
    Ne,
    /// Is one of a list.
    In,
    /// Is none of a list.
    NotIn,
    /// Comes after.
    Gt,
    /// Comes after or is the same.
    Gte,
    /// Comes before.
    Lt,
    /// Comes before or is the same.
    Lte,
    /// Is there, or is not there.
    Present,
    /// Is a list with that element, or text with that text in it.
    Contains,
    /// Is text that begins so.
    StartsWith,
    /// Is text that a glob matches.
    Matches,
}

/// What an operator is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// Any value.
    Value,
    /// A list.
    List,
    /// A number or a text, which have an order.
    Order,
    /// True or false.
    Truth,
    /// A text.
    Text,
}

impl Takes {
    /// The word for it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Value => "value",
            Self::List => "list",
            Self::Order => "order",
            Self::Truth => "truth",
            Self::Text => "text",
        }
    }
}

impl Operator {
    /// What it is compared with.
    pub const fn takes(self) -> Takes {
        match self {
            Self::Eq | Self::Ne | Self::Contains => Takes::Value,
            Self::In | Self::NotIn => Takes::List,
            Self::Gt | Self::Gte | Self::Lt | Self::Lte => Takes::Order,
            Self::Present => Takes::Truth,
            Self::StartsWith | Self::Matches => Takes::Text,
        }
    }

    /// Every operator, in order.
    pub const ALL: &[Self] = &[
        Self::Eq,
        Self::Ne,
        Self::In,
        Self::NotIn,
        Self::Gt,
        Self::Gte,
        Self::Lt,
        Self::Lte,
        Self::Present,
        Self::Contains,
        Self::StartsWith,
        Self::Matches,
    ];
    /// The words for them.
    pub const WORDS: &[&str] = &["eq", "ne", "in", "notIn", "gt", "gte", "lt", "lte", "present", "contains", "startsWith", "matches"];

    /// The word for it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Eq => "eq",
            Self::Ne => "ne",
            Self::In => "in",
            Self::NotIn => "notIn",
            Self::Gt => "gt",
            Self::Gte => "gte",
            Self::Lt => "lt",
            Self::Lte => "lte",
            Self::Present => "present",
            Self::Contains => "contains",
            Self::StartsWith => "startsWith",
            Self::Matches => "matches",
        }
    }

    /// The operator of that word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|operator| operator.word() == word)
    }
}

impl fmt::Display for Operator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// What is compared with.
#[derive(Clone, Debug)]
pub(super) enum Operand {
    /// A value as written.
    Value(Value),
    /// What stands at another path of the same moment.
    Path(Path),
    /// One of these (`in`, `notIn`).
    List(Vec<Operand>),
    /// A checked glob (`matches`).
    Glob(Glob),
}

/// One condition.
#[derive(Clone, Debug)]
pub(super) struct Condition {
    /// Where it is written.
    pub(super) place: Text,
    pub(super) path: Path,
    pub(super) operator: Operator,
    pub(super) operand: Operand,
}

/// What stands at a path; an unknown one is missing in every moment.
pub(super) fn look<'a, C: Context + ?Sized>(context: &'a C, path: &Path) -> Seen<'a> {
    if path.is_unknown() { Seen::Null } else { context.seen(path).plain() }
}

/// A moment in which nothing is there.
pub(super) struct Nothing;

impl Context for Nothing {
    fn seen(&self, _: &Path) -> Seen<'_> {
        Seen::Null
    }
}

impl Condition {
    /// Whether it holds for what was seen at its path.
    pub(super) fn holds<C: Context + ?Sized>(&self, saw: Seen<'_>, context: &C) -> bool {
        let operand = || self.operand.seen(context);
        let order = || saw.order(operand());
        match self.operator {
            Operator::Eq => saw.equals(operand()),
            Operator::Ne => !saw.equals(operand()),
            Operator::In => self.operand.has(saw, context),
            Operator::NotIn => !self.operand.has(saw, context),
            Operator::Gt => order().is_some_and(Ordering::is_gt),
            Operator::Gte => order().is_some_and(Ordering::is_ge),
            Operator::Lt => order().is_some_and(Ordering::is_lt),
            Operator::Lte => order().is_some_and(Ordering::is_le),
            Operator::Present => matches!(operand(), Seen::Bool(wanted) if wanted != saw.is_null()),
            Operator::Contains => contains(saw, operand()),
            Operator::StartsWith => matches!((saw, operand()), (Seen::Text(text), Seen::Text(head)) if text.starts_with(head)),
            Operator::Matches => match (saw, &self.operand) {
                (Seen::Text(text), Operand::Glob(glob)) => glob.matches(text),
                (Seen::Text(text), _) => matches!(operand(), Seen::Text(pattern) if Glob::found_matches(pattern, text)),
                _ => false,
            },
        }
    }

    /// Whether it holds for a value, where the answer depends on nothing else in the moment.
    pub(super) fn holds_for(&self, value: Seen<'_>) -> Option<bool> {
        self.operand.is_constant().then(|| self.holds(value, &Nothing))
    }
}

impl Operand {
    /// The one value that it stands for; a list of choices has none.
    fn seen<'a, C: Context + ?Sized>(&'a self, context: &'a C) -> Seen<'a> {
        match self {
            Self::Value(value) => Seen::from(value),
            Self::Path(path) => look(context, path),
            Self::Glob(glob) => Seen::Text(glob.as_str()),
            Self::List(_) => Seen::Null,
        }
    }

    /// Whether what was seen is one of the choices.
    fn has<C: Context + ?Sized>(&self, saw: Seen<'_>, context: &C) -> bool {
        match self {
            Self::List(choices) => choices.iter().any(|choice| saw.equals(choice.seen(context))),
            Self::Path(path) => match look(context, path) {
                Seen::Value(Value::List(list)) => list.iter().any(|choice| saw.equals(choice.into())),
                _ => false,
            },
            Self::Value(_) | Self::Glob(_) => false,
        }
    }

    /// Whether it is the same in every moment.
    pub(super) fn is_constant(&self) -> bool {
        match self {
            Self::Value(_) | Self::Glob(_) => true,
            Self::Path(_) => false,
            Self::List(choices) => choices.iter().all(Self::is_constant),
        }
    }

    /// The paths that it reads.
    pub(super) fn paths<'a>(&'a self, into: &mut Vec<&'a Path>) {
        match self {
            Self::Path(path) => into.push(path),
            Self::List(choices) => choices.iter().for_each(|choice| choice.paths(into)),
            Self::Value(_) | Self::Glob(_) => {}
        }
    }

    /// As it was written.
    pub(super) fn written(&self) -> Value {
        match self {
            Self::Value(value) => value.clone(),
            Self::Path(path) => Value::map([("path", Value::from(path.to_string()))]),
            Self::List(choices) => Value::List(choices.iter().map(Self::written).collect()),
            Self::Glob(glob) => Value::text(glob.as_str()),
        }
    }

    /// What it stood for in a moment, where that is not what was written.
    pub(super) fn found<C: Context + ?Sized>(&self, context: &C) -> Option<Value> {
        match self {
            Self::Path(path) => Some(look(context, path).to_value()),
            Self::List(choices) if !self.is_constant() => {
                Some(Value::List(choices.iter().map(|choice| choice.seen(context).to_value()).collect()))
            }
            Self::Value(_) | Self::Glob(_) | Self::List(_) => None,
        }
    }
}

/// A list has the element, or text has the text in it.
fn contains(saw: Seen<'_>, wanted: Seen<'_>) -> bool {
    match (saw, wanted) {
        (Seen::Value(Value::List(list)), wanted) => list.iter().any(|element| wanted.equals(element.into())),
        (Seen::Text(text), Seen::Text(part)) => text.contains(part),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operator_has_its_word() {
        let words: Vec<_> = Operator::ALL.iter().map(|operator| operator.word()).collect();
        assert_eq!(words, Operator::WORDS);
        assert!(Operator::ALL.iter().all(|operator| Operator::parse(operator.word()) == Some(*operator)));
    }
}
