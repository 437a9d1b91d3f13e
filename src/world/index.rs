//! Index: the keys of a being in the world's lists, kept so that it can be taken out of them again.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::fact::Text;
use crate::role::Reads;

/// The index entry of one being.
#[derive(Clone, Debug, Default)]
pub(super) struct Concern {
    /// The reads that can wake it: of its flow, of the flows around it, and of the roles that it may come to wear.
    pub(super) reads: Arc<Reads>,
    /// The roles that it may come to wear.
    pub(super) roles: BTreeSet<Text>,
    /// Whether any of them asks for something itself.
    pub(super) is_guarded: bool,
}
