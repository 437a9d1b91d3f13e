//! Undressed: beings with nothing to wear only because all their roles are out of scope where they stand, or ask for something
//! themselves. Nobody's wake dies of that: it is held as if paused, and due again when its being has something to wear.
//!
//! A being whose flow gives nothing even so has no role: that is a fault of the flow, and fails as one. So does a wake for which a role
//! never holds: its content and its caller do not change, and it would keep all others behind it.

use crate::fact::{Millis, SpaceId, Text};
use crate::role::{Context, Guard, Spec, Stack, Wardrobe};

use super::being::Being;
use super::context::OpenContext;
use super::wake::Wake;
use super::whole::World;

/// How many instants at which time changes something are looked at to find the one from which a being is dressed.
const CROSSINGS: usize = 100;

impl World {
    /// Whether a being has nothing to wear in a moment that would have something, were all of it in scope and unguarded.
    pub fn is_undressed_in(&self, being: &Being, context: &OpenContext<'_>, requested: Option<&Text>) -> bool {
        // It is asked of everybody who is due: of most it is known at once.
        if being.ended || !self.is_kept_from(being) {
            return false;
        }
        let mut stack = Stack::default();
        self.dress(being, context, requested, &mut stack);
        stack.is_empty() && {
            being.flow.evaluate(
                context,
                &Unkept { world: self, at: being.position },
                &Self::brought(being, context, requested),
                &mut stack,
            );
            !stack.is_empty()
        }
    }

    /// The same of a moment that a wake would open at an instant; without one, of a being that nothing has woken.
    pub fn is_undressed(&self, being: &Being, wake: Option<&Wake>, at: Millis) -> bool {
        if !self.is_kept_from(being) {
            return false;
        }
        let (context, requested) = match wake {
            Some(wake) => (OpenContext::new(self, being, wake, at, None), wake.summons().and_then(|summons| summons.role.as_ref())),
            None => (OpenContext::unwoken(self, being, at), None),
        };
        self.is_undressed_in(being, &context, requested)
    }

    /// Whether a being is held so at an instant: in the wake that it would take next, or where it has none, by itself.
    pub fn stands_undressed(&self, being: &Being, at: Millis) -> bool {
        self.is_undressed(being, self.inbox.next(being.id, at).map(AsRef::as_ref), at)
    }

    /// From when on a being that is due at an instant has something to wear, as far as time alone decides; nothing where it does not.
    pub fn dressed_from(&self, being: &Being, due: Millis) -> Option<Millis> {
        if being.ended || !self.is_kept_from(being) {
            return Some(due);
        }
        let mut at = due;
        for _ in 0..CROSSINGS {
            if !self.is_undressed(being, self.inbox.next(being.id, at).map(AsRef::as_ref), at) {
                return Some(at);
            }
            // Time goes on over what its conditions ask, and another wake may come before this one.
            let crossing = self.next_crossing(being, at);
            let other = self.inbox.next_due(being.id, at);
            at = crossing.into_iter().chain(other).min()?;
        }
        Some(at)
    }

    /// Whether any role that a being may come to wear is out of scope where it stands, or asks for something itself.
    fn is_kept_from(&self, being: &Being) -> bool {
        let is_guarded = || self.listed.get(&being.id).is_some_and(|listed| listed.is_guarded);
        let is_out = |role: &str| !self.offers(role, being.position);
        is_guarded() || (self.has_scopes() && being.own_roles().any(is_out))
    }
}

/// The roles as they would be asked for, were all of them in scope and what each asks for itself true, as far as that can change.
struct Unkept<'a> {
    world: &'a World,
    at: SpaceId,
}

impl Wardrobe for Unkept<'_> {
    fn role(&self, name: &str) -> Option<&Spec> {
        self.world.version_at(name, self.at).map(|role| role.spec.as_ref())
    }

    fn waives<C: Context + ?Sized>(&self, guard: &Guard, context: &C) -> bool {
        guard.may_hold(context)
    }
}
