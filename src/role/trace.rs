//! Trace: the walk that remembers why, as data for machines and as lines for people.
//!
//! One trace serves the command line, the portal and the tests. It decides nothing: [`walk`](super::walk) does, with this as its tracer.

use std::fmt;

use serde::Serialize;

use crate::fact::{SpaceId, Text, Value};

use super::condition::Condition;
use super::flow::{Clause, Flow};
use super::seen::{Context, Seen};
use super::stack::{By, Outcome, Own, Stack};
use super::walk::{Around, FlowWalk, Tracer};
use super::wardrobe::Wardrobe;
use super::when::Node;

/// Why a stack is what it is.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Trace {
    /// The stack that is worn.
    pub stack: Stack,
    /// The role that the summoner asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub requested: Option<RoleTrace>,
    /// Every clause, in order.
    pub clauses: Vec<ClauseTrace>,
    /// The default role.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fallback: Option<RoleTrace>,
    /// The traces of the flows of the spaces around, the nearest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub spaces: Vec<SpaceTrace>,
}

/// The trace of the flow of one space around.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SpaceTrace {
    /// The space.
    pub space: SpaceId,
    /// Its address.
    pub address: String,
    /// Every clause, in order.
    pub clauses: Vec<ClauseTrace>,
}

/// A role considered beside the clauses.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RoleTrace {
    /// The role.
    pub role: Text,
    /// Its outcome; none where it was not needed.
    pub outcome: Option<Outcome>,
    /// The conditions of its own `when`, where they were asked.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub guard: Vec<ConditionTrace>,
}

/// The trace of a clause.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ClauseTrace {
    /// Its place in the flow, from 0.
    pub index: u16,
    /// Its role.
    pub role: Text,
    /// Whether it is stacked.
    pub stack: bool,
    /// Its outcome.
    pub outcome: Outcome,
    /// Its conditions, each with what it saw.
    pub conditions: Vec<ConditionTrace>,
    /// The conditions of the role's own `when`, where they were asked.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub guard: Vec<ConditionTrace>,
}

/// One condition or group of conditions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ConditionTrace {
    /// Where it is written.
    pub place: Text,
    /// The path that it asks about; none for a group.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<Text>,
    /// The operator, or `and`, `or`, `not`.
    pub operator: &'static str,
    /// The operand as written.
    #[serde(skip_serializing_if = "Value::is_null")]
    pub operand: Value,
    /// The value at the operand's own path.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found: Option<Value>,
    /// The value at the path.
    pub saw: Value,
    /// Whether it held.
    pub held: bool,
    /// The members of a group.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub inside: Vec<ConditionTrace>,
}

impl Flow {
    /// Chooses the stack of a moment, and says of every clause and condition why.
    pub fn explain<C, W>(&self, context: &C, wardrobe: &W, own: &Own<'_>) -> Trace
    where
        C: Context + ?Sized,
        W: Wardrobe + ?Sized,
    {
        self.explain_in(&[], context, wardrobe, own)
    }

    /// The same with what the spaces around stack on it, the nearest first; their addresses the caller knows.
    pub fn explain_in<C, W>(&self, around: &[Around<'_>], context: &C, wardrobe: &W, own: &Own<'_>) -> Trace
    where
        C: Context + ?Sized,
        W: Wardrobe + ?Sized,
    {
        let mut stack = Stack::default();
        let mut tracer = Tracing::default();
        FlowWalk { context, wardrobe, own, stack: &mut stack, tracer: &mut tracer }.choose(self, around);
        tracer.into_trace(stack)
    }
}

/// The tracer that remembers.
#[derive(Default)]
pub(super) struct Tracing {
    requested: Option<RoleTrace>,
    fallback: Option<RoleTrace>,
    clauses: Vec<ClauseTrace>,
    spaces: Vec<SpaceTrace>,
    /// Conditions of the groups that are open, the innermost last; the first is the clause itself.
    open: Vec<Vec<ConditionTrace>>,
    done: Vec<ConditionTrace>,
    /// The conditions of the clause itself, once its role's own are asked.
    asked: Option<Vec<ConditionTrace>>,
}

impl Tracing {
    fn into_trace(mut self, stack: Stack) -> Trace {
        self.clauses.sort_by_key(|clause| clause.index);
        Trace { stack, requested: self.requested, clauses: self.clauses, fallback: self.fallback, spaces: self.spaces }
    }

    /// The conditions of what was considered last: its own, and those of its role.
    fn considered(&mut self) -> (Vec<ConditionTrace>, Vec<ConditionTrace>) {
        let last = std::mem::take(&mut self.done);
        match self.asked.take() {
            Some(own) => (own, last),
            None => (last, Vec::new()),
        }
    }

    /// The conditions that were looked at beside any clause.
    pub(super) fn into_conditions(self) -> Vec<ConditionTrace> {
        self.done
    }

    fn note(&mut self, condition: ConditionTrace) {
        self.open.last_mut().unwrap_or(&mut self.done).push(condition);
    }
}

impl Tracer for Tracing {
    const IS_THOROUGH: bool = true;

    fn requested(&mut self, role: &Text, outcome: Outcome) {
        let (_, guard) = self.considered();
        self.requested = Some(RoleTrace { role: role.clone(), outcome: Some(outcome), guard });
    }

    fn default_role(&mut self, role: Option<&Text>, outcome: Option<Outcome>) {
        let (_, guard) = self.considered();
        self.fallback = role.map(|role| RoleTrace { role: role.clone(), outcome, guard });
    }

    fn clause(&mut self, index: u16, clause: &Clause, outcome: Outcome) {
        let (conditions, guard) = self.considered();
        let clause = ClauseTrace { index, role: clause.role.clone(), stack: clause.is_stacked, outcome, conditions, guard };
        self.spaces.last_mut().map_or(&mut self.clauses, |space| &mut space.clauses).push(clause);
    }

    fn condition<C: Context + ?Sized>(&mut self, condition: &Condition, saw: Seen<'_>, context: &C, held: bool) {
        self.note(ConditionTrace {
            place: condition.place.clone(),
            path: Some(condition.path.to_string().into()),
            operator: condition.operator.word(),
            operand: condition.operand.written(),
            found: condition.operand.found(context),
            saw: saw.to_value(),
            held,
            inside: Vec::new(),
        });
    }

    fn guard_begins(&mut self) {
        self.asked = Some(std::mem::take(&mut self.done));
    }

    fn space_begins(&mut self, space: SpaceId) {
        self.spaces.push(SpaceTrace { space, address: space.to_string(), clauses: Vec::new() });
    }

    fn group_begins(&mut self) {
        self.open.push(Vec::new());
    }

    fn group_ends(&mut self, node: &Node, held: bool) {
        let inside = self.open.pop().unwrap_or_default();
        let (place, operator) = match node {
            Node::One(condition) => (&condition.place, condition.operator.word()),
            Node::And(place, _) => (place, "and"),
            Node::Or(place, _) => (place, "or"),
            Node::Not(place, _) => (place, "not"),
        };
        self.note(ConditionTrace {
            place: place.clone(),
            path: None,
            operator,
            operand: Value::Null,
            found: None,
            saw: Value::Null,
            held,
            inside,
        });
    }
}

/// Lines that a person reads, the answer first.
impl fmt::Display for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.stack.primary() {
            Some(primary) => {
                write!(f, "wears {}", primary.role)?;
                self.stack.modifiers().iter().try_for_each(|modifier| write!(f, " + {}", modifier.role))?;
                match primary.by {
                    By::Clause(index) => write!(f, " (clause {index})")?,
                    By::Default => f.write_str(" (the default role)")?,
                    By::Requested => f.write_str(" (asked for)")?,
                    By::Space { clause, .. } => write!(f, " (clause {clause} of a space)")?,
                }
            }
            None => f.write_str("wears nothing: no-role")?,
        }
        if let Some(RoleTrace { role, outcome: Some(outcome), guard }) = &self.requested {
            write!(f, "\nasked for {role}: {}{}", said(*outcome), guarded(guard))?;
        }
        for clause in &self.clauses {
            write!(f, "\n{clause}")?;
        }
        match &self.fallback {
            Some(RoleTrace { role, outcome: Some(outcome), guard }) => {
                write!(f, "\ndefault role → {role}: {}{}", said(*outcome), guarded(guard))?
            }
            Some(RoleTrace { role, outcome: None, .. }) => write!(f, "\ndefault role → {role}: not needed")?,
            None => f.write_str("\ndefault role: none")?,
        }
        for space in &self.spaces {
            write!(f, "\nthe flow of {}:", space.address)?;
            space.clauses.iter().try_for_each(|clause| write!(f, "\n  {clause}"))?;
        }
        Ok(())
    }
}

impl fmt::Display for ClauseTrace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let stack = if self.stack { ", stacked" } else { "" };
        write!(f, "clause {} → {}{stack}: {}", self.index, self.role, said(self.outcome))?;
        let is_match = self.outcome != Outcome::NoMatch;
        let reasons: Vec<_> = self.conditions.iter().filter(|condition| condition.held == is_match).map(reason).collect();
        match (is_match, reasons.is_empty()) {
            (true, true) => f.write_str(", it asks for nothing"),
            (true, false) => write!(f, ", matches because {}", reasons.join(" and ")),
            (false, _) => write!(f, ", because {}", reasons.join(", and ")),
        }?;
        f.write_str(&guarded(&self.guard))
    }
}

/// The result of a role's own `when`, in words; empty where it was not asked.
fn guarded(guard: &[ConditionTrace]) -> String {
    let held = guard.iter().all(|condition| condition.held);
    let reasons: Vec<_> = guard.iter().filter(|condition| condition.held == held).map(reason).collect();
    match (reasons.is_empty(), held) {
        (true, _) => String::new(),
        (false, true) => format!("; the role's own `when` holds because {}", reasons.join(" and ")),
        (false, false) => format!("; the role's own `when` does not hold because {}", reasons.join(", and ")),
    }
}

fn said(outcome: Outcome) -> String {
    match outcome {
        Outcome::Primary => "yes, the primary".to_owned(),
        Outcome::Stacked => "yes, stacked".to_owned(),
        Outcome::NoMatch => "no".to_owned(),
        Outcome::Shadowed => "no, the primary was found before".to_owned(),
        Outcome::UnknownRole => "no, the role is not registered".to_owned(),
        Outcome::WrongCognition { required } => format!("no, the role requires the cognition {required}"),
        Outcome::RoleWhen => "no, the role guards itself".to_owned(),
        Outcome::AlreadyWorn => "no, the role is worn already".to_owned(),
        Outcome::NoPrimary => "no, there is no primary to stack on".to_owned(),
        Outcome::NotNamed => "no, neither the flow nor the default role names it".to_owned(),
    }
}

/// A condition as a line: why it held, or why it did not.
impl fmt::Display for ConditionTrace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&reason(self))
    }
}

/// Why a condition held, or why it did not.
fn reason(condition: &ConditionTrace) -> String {
    let inside = |held: bool| condition.inside.iter().filter(move |member| member.held == held).map(reason).collect::<Vec<_>>();
    match (condition.operator, &condition.path, condition.held) {
        (operator, Some(path), held) => {
            let found = condition.found.as_ref().map(|found| format!(", which is {found}")).unwrap_or_default();
            let wanted = if held { "as wanted:" } else { "wanted" };
            format!("{path} is {}, {wanted} {operator} {}{found}", condition.saw, condition.operand)
        }
        ("or", None, false) if condition.inside.is_empty() => "an empty `or` never holds".to_owned(),
        ("or", None, false) => format!("none of `or` holds ({})", inside(false).join("; ")),
        ("not", None, false) if condition.inside.is_empty() => "an empty `not` never holds".to_owned(),
        ("not", None, false) => format!("`not` does not hold ({})", inside(true).join(" and ")),
        ("not", None, true) => format!("`not` holds ({})", inside(false).join("; ")),
        (_, None, true) if condition.inside.is_empty() => "an empty `and` always holds".to_owned(),
        (_, None, held) => inside(held).join(" and "),
    }
}
