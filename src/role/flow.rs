//! Flow: an ordered list of clauses, compiled once per version: when this holds, wear that role.
//!
//! Compiling refuses whatever is malformed, with its place. The lint warns of what is well formed but may not be meant;
//! [`walk`](super::walk) chooses.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::fact::{Text, Value};

use super::condition::Condition;
use super::found::kind;
use super::name;
use super::path::{Path, overlap};
use super::reads::{Reads, paths_of};
use super::time::TimeReads;
use super::when::{Compiler, FlowPlace, Node};

pub use super::when::FlowError;

/// How many clauses a flow may hold.
pub(super) const CLAUSES_MAX: usize = 256;
/// The keys of a clause.
pub const CLAUSE_KEYS: &[&str] = &["when", "role", "stack"];

/// A compiled flow.
#[derive(Clone, Debug)]
pub struct Flow {
    source: Value,
    clauses: Vec<Clause>,
    reads: Arc<Reads>,
}

/// Everything else in it follows from its source.
impl PartialEq for Flow {
    fn eq(&self, other: &Self) -> bool {
        self.source == other.source
    }
}

impl Eq for Flow {}

/// When all of this holds, wear that role: as the primary, or stacked on it.
#[derive(Clone, Debug)]
pub(super) struct Clause {
    pub(super) role: Text,
    pub(super) is_stacked: bool,
    pub(super) when: Vec<Node>,
}

impl Flow {
    /// Compiles a list of clauses, or says where it is malformed.
    pub fn compile(source: &Value) -> Result<Self, FlowError> {
        let whole = |what: String| FlowError { place: "flow".to_owned(), what, hint: None };
        let Value::List(list) = source else {
            return Err(whole(format!("expected a list of clauses, found {}", kind(source))));
        };
        if list.len() > CLAUSES_MAX {
            return Err(whole(format!("expected at most {CLAUSES_MAX} clauses, found {}", list.len())));
        }
        let mut compiler = Compiler::default();
        let clause = |(index, value)| clause(value, &FlowPlace::Clause(index), &mut compiler);
        let clauses = list.iter().enumerate().map(clause).collect::<Result<Vec<_>, _>>()?;
        let mut flow = Self { source: source.clone(), clauses, ..Self::empty() };
        flow.reads = Arc::new(Reads::of(&flow.conditions()));
        Ok(flow)
    }

    /// Compiles the flow of a space: it stacks modifiers on whoever stands inside, and names no primary.
    pub fn compile_for_space(source: &Value) -> Result<Self, FlowError> {
        let flow = Self::compile(source)?;
        match flow.clauses.iter().position(|clause| !clause.is_stacked) {
            None => Ok(flow),
            Some(index) => Err(FlowError {
                place: format!("[{index}].stack"),
                what: "expected `true`, found a primary".to_owned(),
                hint: Some("the flow of a space only stacks roles on what those wear who stand inside".to_owned()),
            }),
        }
    }

    /// The flow without clauses: whoever has it wears the default role.
    pub fn empty() -> Self {
        Self { source: Value::List(Vec::new()), clauses: Vec::new(), reads: Arc::default() }
    }

    /// The flow as written.
    pub fn source(&self) -> &Value {
        &self.source
    }

    /// The role of every clause, in order.
    pub fn roles(&self) -> impl Iterator<Item = &str> {
        self.clauses.iter().map(|clause| clause.role.as_ref())
    }

    /// The changeable state that it reads, which can wake a being by itself.
    pub fn reads(&self) -> &Arc<Reads> {
        &self.reads
    }

    /// The signals that it reads, without `world.`.
    pub fn signals(&self) -> &BTreeSet<Text> {
        &self.reads.signals
    }

    /// Whether a change of this signal (`court.in-session`) can change its answer: it reads that one, a part of it or what it is part of.
    pub fn reads_signal(&self, signal: &str) -> bool {
        self.reads.signals.iter().any(|read| overlap(read, signal))
    }

    /// The parts of time that it reads.
    pub fn time(&self) -> &TimeReads {
        &self.reads.time
    }

    /// Every path that it reads, operands included, each once.
    pub fn paths(&self) -> BTreeSet<&Path> {
        paths_of(&self.conditions())
    }

    pub(super) fn clauses(&self) -> &[Clause] {
        &self.clauses
    }

    /// The role of a clause, and the conditions that all hold where it is worn; none where some of them are alternatives.
    pub fn asked(&self, clause: u16) -> Option<(&Text, Vec<&Condition>)> {
        let clause = self.clauses.get(usize::from(clause))?;
        let is_plain = |node: &Node| matches!(node, Node::One(_));
        let mut found = Vec::new();
        gather(&clause.when, &mut found);
        clause.when.iter().all(is_plain).then_some((&clause.role, found))
    }

    /// Every condition of every clause.
    pub fn conditions(&self) -> Vec<&Condition> {
        let mut found = Vec::new();
        self.clauses.iter().for_each(|clause| gather(&clause.when, &mut found));
        found
    }
}

/// Every condition below some nodes.
pub(super) fn gather<'a>(nodes: &'a [Node], into: &mut Vec<&'a Condition>) {
    for node in nodes {
        match node {
            Node::One(condition) => into.push(condition),
            Node::And(_, inside) | Node::Or(_, inside) | Node::Not(_, inside) => gather(inside, into),
        }
    }
}

fn clause(value: &Value, place: &FlowPlace<'_>, compiler: &mut Compiler) -> Result<Clause, FlowError> {
    let Value::Map(map) = value else {
        return Err(place.error(format!("expected a clause {{when, role, stack}}, found {}", kind(value))));
    };
    if let Some(strange) = map.keys().find(|key| !CLAUSE_KEYS.contains(&key.as_ref())) {
        let what = format!("expected only `when`, `role` and `stack`, found `{strange}`");
        return Err(FlowPlace::Key(place, strange).error_with(what, name::hint(strange, CLAUSE_KEYS)));
    }
    let when = match map.get("when") {
        Some(when) => compiler.when(when, &FlowPlace::Key(place, "when"), 1)?,
        None => Vec::new(),
    };
    let is_stacked = match map.get("stack") {
        Some(Value::Bool(stack)) => *stack,
        Some(other) => return Err(FlowPlace::Key(place, "stack").error(format!("expected true or false, found {}", kind(other)))),
        None => false,
    };
    Ok(Clause { role: role_of(map.get("role"), place)?, is_stacked, when })
}

fn role_of(value: Option<&Value>, place: &FlowPlace<'_>) -> Result<Text, FlowError> {
    let role = FlowPlace::Key(place, "role");
    match value {
        Some(Value::Text(name)) if name::is_role_name(name) => Ok(name.clone()),
        Some(other) => Err(role.error_with(
            format!("expected a role's name, found {}", kind(other)),
            "names are kebab case, such as `judge` or `emotions:bored`",
        )),
        None => Err(place.error("expected a `role`, found none")),
    }
}
