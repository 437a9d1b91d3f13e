//! Actions: all that somebody can do in a world, by the names that a rule and an allow list have for it.

use crate::fact::Text;
use crate::role::Entry;
use crate::world::Registry;

use super::be::OPERATIONS;
use super::drafted::BE;
use super::op::{core_operations, names_nothing};

/// The name of a summons.
pub(super) const SUMMON: &str = "summon";

/// The actions of every world: core operations, operations on identity, and summon.
fn core() -> impl Iterator<Item = Text> {
    let core = core_operations().map(|op| Text::from(op.name));
    let bound = OPERATIONS.iter().map(|(name, ..)| Text::from(format!("{BE}{name}")));
    core.chain(bound).chain([Text::from(SUMMON)])
}

/// The actions of a world: those of every world and its extensions' operations.
pub(super) fn actions(registry: &Registry) -> Vec<Text> {
    core().chain(registry.operations.keys().cloned()).collect()
}

/// A doubt about an entry of a rule that names no action, where these operations stand beside the core's. Namespaces that stand elsewhere
/// are not doubted.
pub fn doubt(entry: &Entry, operations: &[Text], is_elsewhere: impl Fn(&str) -> bool) -> Option<String> {
    let (Entry::Name(action) | Entry::Bound { action, .. }) = entry else { return None };
    if action.as_str().split_once(':').is_some_and(|(space, _)| is_elsewhere(space)) {
        return None;
    }
    names_nothing(entry, &core().chain(operations.iter().cloned()).collect::<Vec<_>>())
}
