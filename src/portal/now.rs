//! Now: the state of a world in one sentence, as its source says it.

use std::collections::BTreeMap;

use serde::Serialize;
use utoipa::ToSchema;

use crate::fact::{Millis, Value};
use crate::source::GoingOn;
use crate::tell::{named, plain_text};
use crate::world::World;

/// How long a sentence of the source is at most where it is told, in characters.
pub const SAID_MAX: usize = 200;

/// The state of the world in a sentence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Now)]
pub struct NowTold {
    /// One sentence.
    say: String,
    /// Whether somebody should look.
    watch: bool,
}

impl NowTold {
    /// The state of a world at an instant, by the values of its measures.
    pub fn of(world: &World, at: Millis, values: &BTreeMap<String, Value>) -> Option<Self> {
        let say = |say: String| plain_text(&named(&say, world), SAID_MAX);
        GoingOn::of(world, at, values).map(|(told, watch)| Self { say: say(told), watch })
    }
}
