//! Stage: the worlds on which a recorded moment is opened and closed when it is walked again.

use std::sync::Arc;

use crate::fact::{BeingId, Birth, Call, Content, Credential, Draft, KeyOf};
use crate::past::Kept;
use crate::world::World;

/// The worlds on which a moment is opened and closed.
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

/// The keys and delegations that a recorded moment gives.
pub(super) fn keys_of(recorded: &Draft) -> impl Fn(BeingId) -> Credential {
    let credential = |birth: &Birth| Credential { key: birth.key, delegation: birth.delegation };
    let own = move |being: BeingId| recorded.rekeyed().filter(|_| being == recorded.being).map(|key| Credential { key, delegation: None });
    let born = move |being: BeingId| recorded.births().find(|(born, _)| *born == being).map(|(_, birth)| credential(birth));
    move |being: BeingId| own(being).or_else(|| born(being)).unwrap_or_default()
}
