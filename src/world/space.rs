//! Spaces and matter as folded.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::fact::{BeingId, Coords, Made, MatterId, SpaceId, Text, Thing, Value};
use crate::role::Flow;

use super::quality::Qualities;
use super::setting::OwnSettings;

/// A space as of some seq. Its contents lie in the world's own indexes, so that a full space costs no more to change.
#[derive(Clone, Debug, PartialEq)]
pub struct Space {
    /// Its name inside: the fact that made it.
    pub id: SpaceId,
    /// Its name, unique in its parent.
    pub name: Text,
    /// Where it lies; only the root lies nowhere.
    pub parent: Option<SpaceId>,
    /// Its type.
    pub kind: Text,
    /// How far its grid reaches along each axis.
    pub size: Option<Coords>,
    /// Where it lies on its parent's grid.
    pub coords: Option<Coords>,
    /// Its owner, if it has one of its own.
    pub owner: Option<BeingId>,
    /// The other beings that may change its contents.
    pub contributors: BTreeSet<BeingId>,
    /// The actions that anybody may do on things in it, as globs.
    pub allow: Vec<Text>,
    /// Open values.
    pub qualities: Qualities,
    /// The settings of the space itself.
    pub settings: OwnSettings,
    /// Whether it is paused.
    pub paused: bool,
    /// Whether it is frozen besides: nobody changes anything in it.
    pub frozen: bool,
    /// How many beings stand in it.
    pub count: u64,
    /// The flow that it lends to all who stand inside.
    pub flow: Option<SpaceFlow>,
}

impl Eq for Space {}

/// The flow of a space, as last set.
#[derive(Clone, Debug, PartialEq)]
pub struct SpaceFlow {
    /// It, compiled.
    pub flow: Arc<Flow>,
    /// The fact that set it.
    pub made: Made,
}

/// Matter as of some seq.
#[derive(Clone, Debug, PartialEq)]
pub struct Matter {
    /// Its name inside: the fact that made it.
    pub id: MatterId,
    /// Its name, unique in what holds it.
    pub name: Text,
    /// Its type.
    pub kind: Text,
    /// The place that holds it.
    pub place: Thing,
    /// Where on a grid it lies.
    pub coords: Option<Coords>,
    /// Its value.
    pub content: Arc<Value>,
    /// The being that made it.
    pub author: BeingId,
    /// Open values.
    pub qualities: Qualities,
    /// The root with which it came into a living world, and how often it was passed on since.
    pub carried: Option<Carried>,
}

impl Eq for Matter {}

/// The type of matter that says what whoever holds it may publish.
pub const DRAFT: &str = "draft";

/// The root of a thing: what passes it on goes on with that, so that depth counts stations and not days.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Carried {
    /// The fact with which it began.
    pub root: Made,
    /// How many have passed it on.
    pub depth: u32,
}

impl Space {
    /// Whether a place is on its grid; a space without a size has no grid.
    pub fn holds(&self, at: Coords) -> bool {
        let on = |n: i64, len: i64| (0..len.max(1)).contains(&n);
        self.size.is_some_and(|size| on(at.x, size.x) && on(at.y, size.y) && on(at.z, size.z))
    }
}
