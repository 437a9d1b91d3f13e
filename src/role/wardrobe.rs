//! Wardrobe: the registered roles, as the walk asks for them.

use std::collections::BTreeMap;

use crate::fact::Text;

use super::guard::Guard;
use super::seen::Context;
use super::spec::Spec;

/// The registered roles; borrowed, so that evaluating copies nothing.
pub trait Wardrobe {
    /// The role of that name, if it is registered.
    fn role(&self, name: &str) -> Option<&Spec>;

    /// Whether a role counts as worn though what it asks for itself does not hold in a moment: nowhere but where it is asked what could be worn.
    fn waives<C: Context + ?Sized>(&self, _guard: &Guard, _context: &C) -> bool {
        false
    }
}

impl Wardrobe for BTreeMap<Text, Spec> {
    fn role(&self, name: &str) -> Option<&Spec> {
        self.get(name)
    }
}
