//! Stage: what a recorded moment is opened and closed on when it is walked again.

use std::sync::Arc;

use crate::fact::{Call, Content, KeyOf};
use crate::past::Kept;
use crate::world::World;

/// What a moment is opened and closed on.
pub(super) struct Stage<'a> {
    /// The world as of the recorded `opened`.
    pub opened: &'a Arc<World>,
    /// The world as it is now.
    pub now: &'a Arc<World>,
    /// The large values.
    pub kept: &'a Kept,
    /// The keys and delegations of those whom the moment bears, and the key that it gives its own being, as they were recorded.
    pub key_of: KeyOf<'a>,
}

impl Stage<'_> {
    /// A recorded call with its arguments read from their blob.
    pub(super) fn whole(&self, call: &Call) -> Call {
        let mut call = call.clone();
        if let Some(value) = self.kept.value(&call.args) {
            call.args = Content::Here(value);
        }
        call
    }
}
