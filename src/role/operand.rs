//! Operand: what a condition compares with: a value as written, what stands at another path, a list of either, or a glob.

use crate::fact::Value;

use super::glob::Glob;
use super::path::Path;
use super::seen::{Context, Seen};

/// The right side of a comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operand {
    /// A value as written.
    Value(Value),
    /// The value at another path of the same moment.
    Path(Path),
    /// One of these (`in`, `notIn`).
    List(Vec<Operand>),
    /// A checked glob (`matches`).
    Glob(Glob),
}

/// The value at a path; an unknown path is missing in every moment.
pub fn look<'a, C: Context + ?Sized>(context: &'a C, path: &Path) -> Seen<'a> {
    if path.is_unknown() { Seen::Null } else { context.seen(path).plain() }
}

/// A moment in which nothing is there.
pub struct Nothing;

impl Context for Nothing {
    fn seen(&self, _: &Path) -> Seen<'_> {
        Seen::Null
    }
}

impl Operand {
    /// The one value that it stands for; a list of choices has none.
    pub(super) fn seen<'a, C: Context + ?Sized>(&'a self, context: &'a C) -> Seen<'a> {
        match self {
            Self::Value(value) => Seen::from(value),
            Self::Path(path) => look(context, path),
            Self::Glob(glob) => Seen::Text(glob.as_str()),
            Self::List(_) => Seen::Null,
        }
    }

    /// Whether what was seen is one of the choices.
    pub(super) fn has<C: Context + ?Sized>(&self, saw: Seen<'_>, context: &C) -> bool {
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

    /// The values that are written in it, itself or in its list.
    pub(super) fn values(&self) -> Vec<&Value> {
        match self {
            Self::Value(value) => vec![value],
            Self::List(choices) => choices.iter().flat_map(Self::values).collect(),
            Self::Path(_) | Self::Glob(_) => Vec::new(),
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

    /// Its value in a moment, where that differs from what was written.
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
