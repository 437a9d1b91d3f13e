//! Walk: the one walk over a flow's clauses that chooses the stack of a moment.
//!
//! First the primary: a role asked for, if the flow or the default names it; else the first clause that is not stacked, matches and
//! passes the guards; else the default role. Then every stacked clause that matches adds its role once, and after those the stacked clauses
//! of the spaces around, from the nearest outward. The guards: the role is registered, what cognition it requires is the effective one, and
//! what it asks for itself holds. Without a primary the stack is empty and the moment is `no-role`.
//!
//! Evaluating and explaining are this same walk with different tracers, so they cannot differ; without a tracer it stops at the first
//! answer and allocates nothing.

use std::collections::BTreeMap;

use crate::fact::{Cognition, SpaceId, Text};

use super::condition::Condition;
use super::flow::{Clause, Flow};
use super::guard::Guard;
use super::operand::look;
use super::seen::{Context, Seen};
use super::spec::Spec;
use super::stack::{By, Outcome, Own, Stack};
use super::wardrobe::Wardrobe;
use super::when::Node;

/// An observer of a walk; [`Tracing`](super::trace) records it, [`Silent`] does not.
pub(super) trait Tracer {
    /// Whether every condition is looked at, even when the answer is known.
    const IS_THOROUGH: bool;
    fn requested(&mut self, role: &Text, outcome: Outcome);
    fn default_role(&mut self, role: Option<&Text>, outcome: Option<Outcome>);
    fn clause(&mut self, index: u16, clause: &Clause, outcome: Outcome);
    fn condition<C: Context + ?Sized>(&mut self, condition: &Condition, saw: Seen<'_>, context: &C, held: bool);
    fn group_begins(&mut self);
    fn group_ends(&mut self, node: &Node, held: bool);
    /// From here on conditions are the role's own.
    fn guard_begins(&mut self);
    /// From here on clauses are those of a space's flow.
    fn space_begins(&mut self, space: SpaceId);
}

/// A space around a being, with the flow by which it stacks roles on whoever stands inside.
#[derive(Clone, Copy)]
pub struct Around<'a> {
    /// The space.
    pub space: SpaceId,
    /// Its flow.
    pub flow: &'a Flow,
}

/// Remembers nothing.
pub(super) struct Silent;

impl Tracer for Silent {
    const IS_THOROUGH: bool = false;
    fn requested(&mut self, _: &Text, _: Outcome) {}
    fn default_role(&mut self, _: Option<&Text>, _: Option<Outcome>) {}
    fn clause(&mut self, _: u16, _: &Clause, _: Outcome) {}
    fn condition<C: Context + ?Sized>(&mut self, _: &Condition, _: Seen<'_>, _: &C, _: bool) {}
    fn group_begins(&mut self) {}
    fn group_ends(&mut self, _: &Node, _: bool) {}
    fn guard_begins(&mut self) {}
    fn space_begins(&mut self, _: SpaceId) {}
}

impl Flow {
    /// Chooses the stack of a moment; allocates nothing but the stack's own room, once.
    pub fn evaluate<C, W>(&self, context: &C, wardrobe: &W, own: &Own<'_>, into: &mut Stack)
    where
        C: Context + ?Sized,
        W: Wardrobe + ?Sized,
    {
        FlowWalk { context, wardrobe, own, stack: into, tracer: &mut Silent }.choose(self, &[]);
    }

    /// The same with what the spaces around stack on it, the nearest first.
    pub fn evaluate_in<C, W>(&self, around: &[Around<'_>], context: &C, wardrobe: &W, own: &Own<'_>, into: &mut Stack)
    where
        C: Context + ?Sized,
        W: Wardrobe + ?Sized,
    {
        FlowWalk { context, wardrobe, own, stack: into, tracer: &mut Silent }.choose(self, around);
    }
}

impl Guard {
    /// Whether what the role asks for itself holds in a moment.
    pub fn holds<C: Context + ?Sized>(&self, context: &C) -> bool {
        all_hold(self.nodes(), context, &mut Silent)
    }
}

/// Whether conditions hold that choose no role: a role's own, or a rule's.
pub(super) fn all_hold<C: Context + ?Sized, T: Tracer>(nodes: &[Node], context: &C, tracer: &mut T) -> bool {
    let own = Own { default_role: None, cognition: Cognition::Script, requested: None };
    // No role is named in them, so none is looked for.
    let wardrobe: BTreeMap<Text, Spec> = BTreeMap::new();
    FlowWalk { context, wardrobe: &wardrobe, own: &own, stack: &mut Stack::default(), tracer }.all(nodes)
}

/// One walk: what it reads, what it fills, and who remembers it.
pub(super) struct FlowWalk<'a, C: ?Sized, W: ?Sized, T> {
    pub(super) context: &'a C,
    pub(super) wardrobe: &'a W,
    pub(super) own: &'a Own<'a>,
    pub(super) stack: &'a mut Stack,
    pub(super) tracer: &'a mut T,
}

impl<C: Context + ?Sized, W: Wardrobe + ?Sized, T: Tracer> FlowWalk<'_, C, W, T> {
    /// Walks the clauses of a flow once, then those of the spaces around.
    pub(super) fn choose(&mut self, flow: &Flow, around: &[Around<'_>]) {
        self.stack.clear();
        self.request(flow);
        self.primary(flow);
        self.fallback();
        self.modifiers(flow, By::Clause);
        for Around { space, flow } in around {
            self.tracer.space_begins(*space);
            self.modifiers(flow, |clause| By::Space { space: *space, clause });
        }
    }

    /// A role asked for is the primary if the flow or the default names it and it passes the guards.
    fn request(&mut self, flow: &Flow) {
        let Some(role) = self.own.requested else { return };
        let is_named = self.own.default_role == Some(role) || flow.clauses().iter().any(|clause| clause.role == *role);
        let refused = if is_named { self.guard(role) } else { Some(Outcome::NotNamed) };
        if refused.is_none() {
            self.stack.wear(role, By::Requested);
        }
        self.tracer.requested(role, refused.unwrap_or(Outcome::Primary));
    }

    /// The first clause that is not stacked, matches and passes the guards.
    fn primary(&mut self, flow: &Flow) {
        for (index, clause) in (0u16..).zip(flow.clauses()).filter(|(_, clause)| !clause.is_stacked) {
            if !T::IS_THOROUGH && !self.stack.is_empty() {
                return;
            }
            let outcome = if !self.all(&clause.when) {
                Outcome::NoMatch
            } else if !self.stack.is_empty() {
                Outcome::Shadowed
            } else if let Some(refused) = self.guard(&clause.role) {
                refused
            } else {
                self.stack.wear(&clause.role, By::Clause(index));
                Outcome::Primary
            };
            self.tracer.clause(index, clause, outcome);
        }
    }

    /// The default role, where no clause gave a primary.
    fn fallback(&mut self) {
        let role = self.own.default_role;
        if !self.stack.is_empty() {
            return self.tracer.default_role(role, None);
        }
        let outcome = role.map(|role| match self.guard(role) {
            Some(refused) => refused,
            None => {
                self.stack.wear(role, By::Default);
                Outcome::Primary
            }
        });
        self.tracer.default_role(role, outcome);
    }

    /// Every stacked clause that matches adds its role once.
    fn modifiers(&mut self, flow: &Flow, by: impl Fn(u16) -> By) {
        if !T::IS_THOROUGH && self.stack.is_empty() {
            return;
        }
        for (index, clause) in (0u16..).zip(flow.clauses()).filter(|(_, clause)| clause.is_stacked) {
            let outcome = if !self.all(&clause.when) {
                Outcome::NoMatch
            } else if self.stack.is_empty() {
                Outcome::NoPrimary
            } else if self.stack.wears(&clause.role) {
                Outcome::AlreadyWorn
            } else if let Some(refused) = self.guard(&clause.role) {
                refused
            } else {
                self.stack.wear(&clause.role, by(index));
                Outcome::Stacked
            };
            self.tracer.clause(index, clause, outcome);
        }
    }

    /// Why a role cannot be worn now, if it cannot.
    fn guard(&mut self, role: &str) -> Option<Outcome> {
        let wardrobe = self.wardrobe;
        let Some(spec) = wardrobe.role(role) else { return Some(Outcome::UnknownRole) };
        if let Some(required) = spec.required_cognition.filter(|required| *required != self.own.cognition) {
            return Some(Outcome::WrongCognition { required });
        }
        let guard = spec.when.as_ref()?;
        self.tracer.guard_begins();
        let is_worn = self.all(guard.nodes()) || wardrobe.waives(guard, self.context);
        (!is_worn).then_some(Outcome::RoleWhen)
    }

    /// Whether all of some conditions hold.
    fn all(&mut self, nodes: &[Node]) -> bool {
        let mut held = true;
        for node in nodes {
            held &= self.holds(node);
            if !held && !T::IS_THOROUGH {
                break;
            }
        }
        held
    }

    fn any(&mut self, nodes: &[Node]) -> bool {
        let mut held = false;
        for node in nodes {
            held |= self.holds(node);
            if held && !T::IS_THOROUGH {
                break;
            }
        }
        held
    }

    fn holds(&mut self, node: &Node) -> bool {
        match node {
            Node::One(condition) => {
                let saw = look(self.context, &condition.path);
                let held = condition.holds(saw, self.context);
                self.tracer.condition(condition, saw, self.context, held);
                held
            }
            Node::And(_, inside) => self.group(node, inside, Self::all),
            Node::Or(_, inside) => self.group(node, inside, Self::any),
            Node::Not(_, inside) => self.group(node, inside, |walk, inside| !walk.all(inside)),
        }
    }

    fn group(&mut self, node: &Node, inside: &[Node], judge: impl FnOnce(&mut Self, &[Node]) -> bool) -> bool {
        self.tracer.group_begins();
        let held = judge(self, inside);
        self.tracer.group_ends(node, held);
        held
    }
}
