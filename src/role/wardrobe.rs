//! Wardrobe: the registered roles, as the walk asks for them.

use std::collections::BTreeMap;

use crate::fact::Text;

use super::spec::Spec;

/// The registered roles; borrowed, so that evaluating copies nothing.
pub trait Wardrobe {
    /// The role of that name, if it is registered.
    fn role(&self, name: &str) -> Option<&Spec>;
}

impl Wardrobe for BTreeMap<Text, Spec> {
    fn role(&self, name: &str) -> Option<&Spec> {
        self.get(name)
    }
}
