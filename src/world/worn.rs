//! Worn: the roles that a being wears, seen from outside: the stack of its flow with no wake, or that of its open moment.
//!
//! A moment is open for others where its model is being asked, which a frame says. The stack stamped last is another thing: only
//! `space.wearing` and measures count that, so that no flow ever evaluates a flow.

use std::sync::Arc;

use crate::fact::{BeingId, Cognition, Millis, Text};
use crate::role::{Glob, Own, Stack, Trace};

use super::being::Being;
use super::context::{OpenContext, Registered};
use super::memo::KeptWorn;
use super::whole::World;

impl World {
    /// Chooses what a being wears in a moment: by its own flow and default, and by the flows of the spaces around it.
    pub fn dress(&self, being: &Being, context: &OpenContext<'_>, requested: Option<&Text>, into: &mut Stack) {
        let (own, wardrobe) = (Self::brought(being, context, requested), Registered { world: self, at: being.position });
        being.flow.evaluate_in(&self.around(being), context, &wardrobe, &own, into);
    }

    /// The same, with why.
    pub fn explain_dress(&self, being: &Being, context: &OpenContext<'_>, requested: Option<&Text>) -> Trace {
        let (own, wardrobe) = (Self::brought(being, context, requested), Registered { world: self, at: being.position });
        let mut trace = being.flow.explain_in(&self.around(being), context, &wardrobe, &own);
        trace.spaces.iter_mut().for_each(|traced| traced.address = self.path_of(traced.space));
        trace
    }

    pub(super) fn brought<'a>(being: &'a Being, context: &OpenContext<'_>, requested: Option<&'a Text>) -> Own<'a> {
        Own { default_role: being.default_role.as_ref(), cognition: context.cognition(), requested }
    }

    /// The stack that a being's flow gives at an instant with no wake: nobody called, nothing was asked for. A pure function, which keeps nothing.
    pub fn unwoken(&self, being: &Being, at: Millis) -> Stack {
        let mut stack = Stack::default();
        if !being.ended {
            let context = OpenContext::unwoken(self, being, at);
            self.dress(being, &context, None, &mut stack);
        }
        stack
    }

    /// The stack that others see a being wear at an instant, the primary first: that of its open moment, else the one with no wake.
    pub fn wears(&self, id: BeingId, at: Millis) -> Arc<[Text]> {
        let Some(being) = self.being(id) else { return Arc::from([]) };
        self.ledger.asked_as(id).cloned().unwrap_or_else(|| self.worn_now(being, at))
    }

    /// The operations by which others may move a being at an instant, as what it then wears lists them under `lets`: in the order of
    /// its stack, each once. Roles that a space lends do not count, and of a person's stack only the primary does.
    pub fn lets(&self, id: BeingId, at: Millis) -> Vec<Glob> {
        let Some(being) = self.being(id).filter(|being| !being.ended) else { return Vec::new() };
        let lists = |role: &str| self.role_at(role, being.position).map_or(&[][..], |role| &role.spec.lets);
        // Of most beings no role lists any: their flow need not be asked.
        if being.own_roles().all(|role| lists(role).is_empty()) {
            return Vec::new();
        }
        let own = self.own_stack(being, at);
        let mut lets: Vec<Glob> = Vec::new();
        for glob in own.iter().flat_map(|role| lists(role)) {
            if !lets.contains(glob) {
                lets.push(glob.clone());
            }
        }
        lets
    }

    /// The roles of its own that others see a being wear, the primary first; of a person the primary alone.
    fn own_stack(&self, being: &Being, at: Millis) -> Vec<Text> {
        let unwoken = |most: usize| {
            let stack = self.unwoken(being, at);
            let own = stack.choices().iter().take(most).filter(|choice| choice.space().is_none());
            own.map(|choice| choice.role.clone()).collect()
        };
        match being.cognition_at(at) {
            // A model may still think in a moment that was opened before somebody drove the being: that says nothing for a person.
            Cognition::Human => unwoken(1),
            _ => self.ledger.asked_in_own(being.id).map_or_else(|| unwoken(usize::MAX), <[Text]>::to_vec),
        }
    }

    /// The roles that a being wears at an instant with no wake, cached while nothing changes.
    pub(super) fn worn_now(&self, being: &Being, at: Millis) -> Arc<[Text]> {
        if let Some(worn) = self.worn_memo.get(being.id, at) {
            return worn;
        }
        let worn: Arc<[Text]> = self.unwoken(being, at).roles().cloned().collect();
        self.worn_memo.keep(being.id, KeptWorn { worn: worn.clone(), from: at, until: self.worn_until(being, at) });
        worn
    }

    /// The instant until which time alone does not change what a being wears with no wake.
    fn worn_until(&self, being: &Being, at: Millis) -> Millis {
        let Some(reads) = self.reads_of(being.id) else { return Millis::MAX };
        let time = &reads.time;
        // A number that fades is another at every instant.
        if time.opaque || !reads.fades.is_empty() {
            return at.saturating_add(1);
        }
        let lease = being.driver.map(|(_, until)| until).filter(|until| *until > at);
        let crossing = time.next_crossing(at, being.counted_from, self.zone);
        lease.into_iter().chain(crossing).min().unwrap_or(Millis::MAX)
    }
}
