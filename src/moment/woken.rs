//! Woken: why a being woke, as its answer names it.

use crate::fact::{Made, WakeKind};
use crate::world::Wake;

/// The summons that an answer to this wake answers.
pub fn answered(wake: &Wake) -> Option<Made> {
    (wake.id.kind == WakeKind::Summons).then_some(wake.id.cause)
}
