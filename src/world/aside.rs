//! Aside: what is kept of a world beside its state. It is no part of any hash or checkpoint, and two worlds that differ in it alone are the same.

use std::fmt;

use crate::fact::{Coords, Millis, SpaceId};

/// What is kept aside.
#[derive(Clone, Copy)]
pub(super) struct Aside {
    /// Where the clock stands.
    pub(super) clock: Millis,
    /// Where who wrote the last frame stood before it.
    pub(super) stood: Option<(SpaceId, Option<Coords>)>,
}

impl Default for Aside {
    fn default() -> Self {
        Self { clock: Millis::MIN, stood: None }
    }
}

/// Shown nowhere: worlds are compared by what is shown of them.
impl fmt::Debug for Aside {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Aside")
    }
}
