//! Guard: the `when` of a role itself: what must hold for it to be worn at all, whoever's flow names it.
//!
//! A path that no moment has is only a warning in a flow, which merely chooses. Here it would let through or shut out for ever, so it is
//! an error.

use std::collections::BTreeSet;

use crate::fact::Value;

use super::condition::Condition;
use super::flow::gather;
use super::hint::path_hint;
use super::operand::look;
use super::path::Path;
use super::reads::{Reads, paths_of};
use super::seen::Context;
use super::when::{Compiler, FlowError, FlowPlace, Node};

/// A role's own `when`, compiled.
#[derive(Clone, Debug)]
pub struct Guard {
    source: Value,
    nodes: Vec<Node>,
    reads: Reads,
}

impl PartialEq for Guard {
    fn eq(&self, other: &Self) -> bool {
        self.source == other.source
    }
}

impl Eq for Guard {}

impl Guard {
    /// Compiles a `when`, or says where it is malformed.
    pub(super) fn compile(source: &Value) -> Result<Self, FlowError> {
        let root = FlowPlace::Named("when");
        let nodes = Compiler::default().when(source, &root, 1)?;
        let mut conditions = Vec::new();
        gather(&nodes, &mut conditions);
        for condition in &conditions {
            if let Some(Path::Unknown(text)) = paths_of(&[condition]).into_iter().find(|path| path.is_unknown()) {
                let what = format!("expected a path that a moment has, found `{text}`");
                let hint = path_hint(text);
                return Err(FlowError { place: condition.place.to_string(), what, hint });
            }
        }
        let reads = Reads::of(&conditions);
        Ok(Self { source: source.clone(), nodes, reads })
    }

    /// As written.
    pub fn source(&self) -> &Value {
        &self.source
    }

    /// The changeable state that it reads, which can wake its wearer.
    pub fn reads(&self) -> &Reads {
        &self.reads
    }

    /// Every path that it reads, operands included, each once.
    pub fn paths(&self) -> BTreeSet<&Path> {
        let mut conditions = Vec::new();
        gather(&self.nodes, &mut conditions);
        paths_of(&conditions)
    }

    pub(super) fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// Whether it may yet come to hold for the same wake: what a wake itself says never changes, and all else may.
    pub fn may_hold<C: Context + ?Sized>(&self, context: &C) -> bool {
        self.nodes.iter().all(|node| may(node, context))
    }
}

fn may<C: Context + ?Sized>(node: &Node, context: &C) -> bool {
    match node {
        Node::One(condition) => !stays(condition, context) || condition.holds(look(context, &condition.path), context),
        Node::And(_, inside) => inside.iter().all(|node| may(node, context)),
        Node::Or(_, inside) => inside.iter().any(|node| may(node, context)),
        Node::Not(_, inside) => !inside.iter().all(|node| must(node, context)),
    }
}

/// Whether it holds whatever else comes to change.
fn must<C: Context + ?Sized>(node: &Node, context: &C) -> bool {
    match node {
        Node::One(condition) => stays(condition, context) && condition.holds(look(context, &condition.path), context),
        Node::And(_, inside) => inside.iter().all(|node| must(node, context)),
        Node::Or(_, inside) => inside.iter().any(|node| must(node, context)),
        Node::Not(_, inside) => !inside.iter().all(|node| may(node, context)),
    }
}

fn stays<C: Context + ?Sized>(condition: &Condition, context: &C) -> bool {
    paths_of(&[condition]).into_iter().all(|path| context.stays(path))
}
