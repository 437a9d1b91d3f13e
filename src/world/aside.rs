//! Aside: data kept of a world beside its state. It is no part of any hash or checkpoint, and two worlds that differ in it alone are the same.

use std::fmt;

use crate::fact::{BeingId, Coords, Millis, Seq, SpaceId};

/// The part of the state that is kept aside.
#[derive(Clone, Copy)]
pub(super) struct Aside {
    /// Where the clock stands.
    pub(super) clock: Millis,
    /// The place where the writer of the last frame stood before it.
    pub(super) stood: Option<(SpaceId, Option<Coords>)>,
    /// The being that begins what a frame begins; none where time does, or the world itself.
    pub(super) begins: Option<BeingId>,
    /// The last frame that changed where an extension holds: no moment is open over the opening of a world.
    pub(super) scoped: Seq,
}

impl Default for Aside {
    fn default() -> Self {
        Self { clock: Millis::MIN, stood: None, begins: None, scoped: 0 }
    }
}

/// Shown nowhere: worlds are compared by what is shown of them.
impl fmt::Debug for Aside {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Aside")
    }
}
