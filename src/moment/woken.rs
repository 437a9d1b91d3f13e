//! Woken: why a being woke, as its moment tells it and as its answer names it.

use crate::fact::{Made, Value, WakeKind};
use crate::world::{Wake, World};

/// The summons that an answer to this wake answers.
pub fn answered(wake: &Wake) -> Option<Made> {
    (wake.id.kind == WakeKind::Summons).then_some(wake.id.cause)
}

/// What the wake says, as the mind is told it.
pub fn wake_value(world: &World, wake: &Wake) -> Value {
    world.told(wake)
}
