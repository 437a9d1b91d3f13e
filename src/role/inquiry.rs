//! Inquiry: a `when` that is asked of the past: of the world as a moment left it, and of that moment itself (`moment.closing`).
//!
//! A path that no moment has is an error with its place: the whole past would be searched for it in vain.

use std::collections::BTreeSet;

use crate::fact::Value;

use super::bygone::Bygone;
use super::flow::gather;
use super::hint::path_hint;
use super::lint::{Warning, lint_operands};
use super::name;
use super::path::Path;
use super::reads::paths_of;
use super::seen::Context;
use super::trace::{ConditionTrace, Tracing};
use super::walk::{Silent, all_hold};
use super::when::{Compiler, FlowError, FlowPlace, Node};

/// A condition that is asked of the past, compiled.
#[derive(Clone, Debug)]
pub struct Inquiry(Vec<Node>);

/// Why some text is no such condition.
#[derive(Debug, thiserror::Error)]
pub enum InquiryError {
    /// Not JSON.
    #[error("expected a condition such as `when {{\"world.court.in-session\": true}}` or `{{\"moment.closing\": \"refused\"}}`: {0}")]
    Json(#[from] serde_json::Error),
    /// Not a condition.
    #[error("not a condition: {0}")]
    When(#[from] FlowError),
}

impl std::str::FromStr for Inquiry {
    type Err = InquiryError;

    fn from_str(text: &str) -> Result<Self, InquiryError> {
        Ok(Self::compile(&when_of(text)?)?)
    }
}

/// Reads a condition as people say it: the `when` of a clause, that word before it or not.
pub fn when_of(text: &str) -> Result<Value, serde_json::Error> {
    let json = text.trim();
    serde_json::from_str(json.strip_prefix("when").unwrap_or(json))
}

impl Inquiry {
    /// Compiles a `when`, or says where it is malformed.
    pub fn compile(when: &Value) -> Result<Self, FlowError> {
        let nodes = Compiler::looking_back().when(when, &FlowPlace::Named("when"), 1)?;
        let mut conditions = Vec::new();
        gather(&nodes, &mut conditions);
        for condition in conditions {
            let strange = paths_of(&[condition]).into_iter().find(|path| path.is_unknown() || path.is_of_wake());
            if let Some(path) = strange {
                let what = format!("expected something that a moment leaves behind, found `{path}`");
                return Err(FlowError { place: condition.place.to_string(), what, hint: hint(path) });
            }
        }
        Ok(Self(nodes))
    }

    /// Whether it asks about the moment itself, and not only about what it left.
    pub fn is_of_moments(&self) -> bool {
        self.paths().into_iter().any(|path| matches!(path, Path::Moment(_)))
    }

    /// Every path that it reads, operands included, each once.
    pub fn paths(&self) -> BTreeSet<&Path> {
        let mut conditions = Vec::new();
        gather(&self.0, &mut conditions);
        paths_of(&conditions)
    }

    /// The parts of it that may not be meant, whatever there is in the world.
    pub fn warnings(&self) -> Vec<Warning> {
        lint_operands(&self.0)
    }

    /// Whether it holds.
    pub fn holds<C: Context + ?Sized>(&self, context: &C) -> bool {
        all_hold(&self.0, context, &mut Silent)
    }

    /// The same, with what each condition saw.
    pub fn explain<C: Context + ?Sized>(&self, context: &C) -> (bool, Vec<ConditionTrace>) {
        let mut tracing = Tracing::default();
        (all_hold(&self.0, context, &mut tracing), tracing.into_conditions())
    }
}

/// A hint at what may have been meant.
fn hint(path: &Path) -> Option<String> {
    let text = path.to_string();
    if !path.is_unknown() {
        return Some(format!("a wake is over once its moment has closed: ask one of `{}`", Bygone::WORDS.join("`, `")));
    }
    name::did_you_mean("", &text, Bygone::WORDS.iter().copied()).or_else(|| path_hint(&text))
}
