//! Worn: what a being wears, asked from outside: what its flow gives with no wake, or the stack of a moment of it that is open.
//!
//! A moment is open for others where its model is being asked, which a frame says. What was stamped last is another thing: only
//! `space.wearing` and measures count that, so that no flow ever evaluates a flow.

use std::sync::Arc;

use crate::fact::{BeingId, Millis, Text};
use crate::role::{Own, Stack, Trace};

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

    /// What a being's flow gives at an instant with no wake: nobody called, nothing was asked for. A pure function, which keeps nothing.
    pub fn unwoken(&self, being: &Being, at: Millis) -> Stack {
        let mut stack = Stack::default();
        if !being.ended {
            let context = OpenContext::unwoken(self, being, at);
            self.dress(being, &context, None, &mut stack);
        }
        stack
    }

    /// What others find a being wearing at an instant, the primary first: the stack of its open moment, else what it wears with no wake.
    pub fn wears(&self, id: BeingId, at: Millis) -> Arc<[Text]> {
        let Some(being) = self.being(id) else { return Arc::from([]) };
        self.ledger.asked_as(id).cloned().unwrap_or_else(|| self.worn_now(being, at))
    }

    /// What a being wears at an instant with no wake, kept for whoever asks again while nothing changes.
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
