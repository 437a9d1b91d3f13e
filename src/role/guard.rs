//! Guard: the `when` of a role itself: what must hold for it to be worn at all, whoever's flow names it.
//!
//! What a flow asks of a path that no moment has is a warning, because there it only chooses. Here it would let through or shut out for
//! ever, so it is an error.

use std::collections::BTreeSet;

use crate::fact::Value;

use super::flow::gather;
use super::hint::path_hint;
use super::path::Path;
use super::reads::{Reads, paths_of};
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
        let root = FlowPlace::Root("when");
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

    /// What it reads that can wake its wearer.
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
}
