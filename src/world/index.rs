//! Index: under what a being stands in the world's lists, kept so that it can be taken out of them again.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::fact::Text;
use crate::role::Reads;

/// What concerns one being.
#[derive(Clone, Debug, Default)]
pub(super) struct Concern {
    /// What its flow reads that can wake it, the flows of the spaces around it, and the roles that it may come to wear.
    pub(super) reads: Arc<Reads>,
    /// The roles that it may come to wear.
    pub(super) roles: BTreeSet<Text>,
    /// Whether any of them asks for something itself.
    pub(super) is_guarded: bool,
}
