//! Petition: the conditions on which a request to the outside has to be approved: they ask of the request, of whoever asks, and of its cost.
//!
//! Nothing malformed or unknown is let pass: a path that no request has would let everything out.

use crate::fact::Value;

use super::condition::Condition;
use super::flow::gather;
use super::operand::Operand;
use super::party::Aspect;
use super::path::Path;
use super::reads::paths_of;
use super::requested::{BODY, Requested};
use super::seen::Context;
use super::walk::{Silent, all_hold};
use super::when::{Compiler, FlowError, FlowPlace, Node};

/// The conditions of an approval, compiled.
#[derive(Clone, Debug)]
pub struct Petition(Vec<Node>);

impl Petition {
    /// Compiles a `when`, or says where it is malformed.
    pub fn compile(when: &Value) -> Result<Self, FlowError> {
        let nodes = Compiler::requested().when(when, &FlowPlace::Named("when"), 1)?;
        let mut conditions = Vec::new();
        gather(&nodes, &mut conditions);
        conditions.into_iter().try_for_each(|condition| misread(condition).map_or(Ok(()), Err))?;
        Ok(Self(nodes))
    }

    /// Whether it asks for a part of the body: one that has no parts is another than it expects.
    pub fn asks_body(&self) -> bool {
        let mut conditions = Vec::new();
        gather(&self.0, &mut conditions);
        let is_part =
            |path: &&Path| matches!(path, Path::Request(Requested::Part(part)) if part.starts_with(BODY) && part.len() > BODY.len());
        paths_of(&conditions).iter().any(is_part)
    }

    /// Whether all of them hold.
    pub fn holds<C: Context + ?Sized>(&self, context: &C) -> bool {
        all_hold(&self.0, context, &mut Silent)
    }
}

/// The fault of a condition that would never hold for a request, and so let it out: what it compares with is never there.
fn misread(condition: &Condition) -> Option<FlowError> {
    let Path::Request(asked) = &condition.path else { return None };
    let what = match asked {
        Requested::Part(part) if &**part == "request.method" => {
            let strange = texts(&condition.operand).into_iter().find(|text| !METHODS.contains(text))?;
            format!("expected `GET` or `POST`, found `{strange}`")
        }
        Requested::Part(part) if part.starts_with("cost.") => {
            let text = texts(&condition.operand).into_iter().next()?;
            format!("expected a number, found the text `{text}`")
        }
        Requested::Asker(Aspect::Name | Aspect::Parent) => {
            let named = texts(&condition.operand).into_iter().find(|text| text.starts_with('@'))?;
            format!("expected a name without `@`, found `{named}`")
        }
        Requested::Part(_) | Requested::Asker(_) => return None,
    };
    Some(FlowError { place: condition.place.to_string(), what, hint: None })
}

/// The methods of a request.
const METHODS: [&str; 2] = ["GET", "POST"];

/// The texts with which a condition compares.
fn texts(operand: &Operand) -> Vec<&str> {
    match operand {
        Operand::Value(Value::Text(text)) => vec![text],
        Operand::List(choices) => choices.iter().flat_map(texts).collect(),
        Operand::Value(_) | Operand::Path(_) | Operand::Glob(_) => Vec::new(),
    }
}
