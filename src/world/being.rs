//! A being as folded: identity, place, mind, and where its reel stands.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use crate::fact::{
    BeingId, Call, Cognition, Coords, Hash, Made, Millis, N, Panel, Rank, Reason, Seq, SpaceId, Text, Timing, Trigger, Value, Verb,
};
use crate::role::Flow;

use super::brake::BrakeCounts;
use super::quality::Qualities;
use super::setting::OwnSettings;

/// A being as of some seq.
#[derive(Clone, Debug, PartialEq)]
pub struct Being {
    /// Its name inside: the fact that bore it.
    pub id: BeingId,
    /// Its unique name.
    pub name: Text,
    /// Its parent, if it has one.
    pub parent: Option<BeingId>,
    /// Where it lives.
    pub home: SpaceId,
    /// Where it stands.
    pub position: SpaceId,
    /// Where on that space's grid.
    pub coords: Option<Coords>,
    /// Its own cognition; while somebody drives it, the effective one is human.
    pub cognition: Cognition,
    /// The script that thinks for it, unless its worn role names another.
    pub script: Option<Text>,
    /// The members that it asks, where it thinks by asking others.
    pub panel: Option<Arc<Panel>>,
    /// The role it wears when no clause matches.
    pub default_role: Option<Text>,
    /// Its flow, compiled.
    pub flow: Arc<Flow>,
    /// The roles it may give, as globs.
    pub grants: Vec<Text>,
    /// Open values.
    pub qualities: Qualities,
    /// The settings for it alone.
    pub settings: OwnSettings,
    /// Its public key.
    pub key: Hash,
    /// When it was born.
    pub born_at: Millis,
    /// The n of its next frame.
    pub next_n: N,
    /// The seq of its last frame, or of its birth.
    pub last_seq: Seq,
    /// When it last acted, or was born: what `time.sinceLastMoment` counts from.
    pub counted_from: Millis,
    /// The primary it wore when it last acted.
    pub previous_role: Option<Text>,
    /// The stack it wore in its last moment.
    pub wearing: Arc<[Text]>,
    /// The being that drives it, and until when.
    pub driver: Option<(BeingId, Millis)>,
    /// Whether it is paused.
    pub paused: bool,
    /// Whether it has ended.
    pub ended: bool,
    /// The last seq at which its flow, default role, cognition, grants or driver changed.
    pub bound_at: Seq,
    /// The triggers that wake it beside summons, gathered over the roles that it may come to wear.
    pub listens: Vec<Trigger>,
    /// Its schedules.
    pub schedules: BTreeMap<Text, Schedule>,
    /// The addresses that it has looked at.
    pub looked: Looks,
    /// A deed of a model that came to nothing, until it does or sees something.
    pub missed: Option<Arc<Missed>>,
    /// How many moments it has closed since its world was planted. A frame that only announces a call of a model is no moment.
    pub moments: u64,
    /// The wakes and words that did not wake it.
    pub withheld: Withheld,
    /// The counts for its brakes.
    pub brakes: BrakeCounts,
}

/// Nothing in it is unlike itself, so that one and the same being is known to be equal without a look at it.
impl Eq for Being {}

/// How many looks of wakes that are over a model has before it.
pub const LOOKS_KEPT: usize = 4;

/// The looks of a being, the newest last.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Looks {
    /// While the same wake goes on.
    pub now: Vec<LookedAt>,
    /// Those of a model for the wakes before, each once, and no more than [`LOOKS_KEPT`].
    pub before: Vec<LookedAt>,
}

impl Looks {
    /// Ends those of a wake, with another that it was closed with: the newest stay.
    pub fn end(&mut self, last: Option<LookedAt>) {
        for look in std::mem::take(&mut self.now).into_iter().chain(last) {
            self.before.retain(|before| *before != look);
            self.before.push(look);
        }
        let over = self.before.len().saturating_sub(LOOKS_KEPT);
        self.before.drain(..over);
    }
}

/// A look of a model: an address and the part of it that was shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LookedAt {
    /// Its address, as it was written.
    pub address: Text,
    /// From which byte of a long text on, or from which item of a list.
    pub from: u64,
    /// The words that are sought in a list.
    pub words: Option<Text>,
}

/// A deed that was refused, or a reply that was not understood: its model is told of it in its next moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missed {
    /// The refused call; nothing where the reply was not understood, or where the call cannot stand in a frame.
    pub deed: Option<Attempted>,
    /// Why it came to nothing.
    pub reason: Reason,
}

/// A call without its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempted {
    /// The verb of the deed.
    pub verb: Verb,
    /// The name of the operation.
    pub action: Text,
    /// To what, as it was written.
    pub target: Text,
}

impl Attempted {
    /// The same of a call.
    pub fn of(call: &Call) -> Self {
        Self { verb: call.verb, action: call.action.clone(), target: call.target.clone() }
    }
}

impl fmt::Display for Attempted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { verb, action, target } = self;
        match verb {
            Verb::Do if target.is_empty() => write!(f, "do {action} without a target"),
            Verb::Do => write!(f, "do {action} on {target}"),
            Verb::Be => write!(f, "be {action}"),
            Verb::See | Verb::Summon => write!(f, "{verb} {target}"),
        }
    }
}

/// The wakes that a brake has kept from a being.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Withheld {
    /// When its last moment opened by a change of what it wears: the next comes no sooner than `wakes.change` says.
    pub last_change: Option<Millis>,
    /// How many such wakes were not made, for they would have gone beyond `brakes.depth`.
    pub changes: u64,
    /// How many words did not wake it, for all that they go back to had cost what `brakes.calls` lets it.
    pub words: u64,
}

/// A schedule of a being.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// The fact that set it.
    pub made: Made,
    /// When it was set.
    pub set_at: Millis,
    /// When it is due.
    pub timing: Timing,
    /// The content that its wakes carry.
    pub content: Arc<Value>,
    /// How urgent its wakes are.
    pub rank: Rank,
}

impl Being {
    /// The roles that its own flow and its default name, in that order, however often.
    pub fn own_roles(&self) -> impl Iterator<Item = &str> {
        self.flow.roles().chain(self.default_role.as_deref())
    }

    /// The being that drives it at an instant, if any.
    pub fn driver_at(&self, at: Millis) -> Option<BeingId> {
        self.driver.filter(|(_, until)| *until > at).map(|(driver, _)| driver)
    }

    /// The kind of mind that thinks for it at an instant.
    pub fn cognition_at(&self, at: Millis) -> Cognition {
        if self.driver_at(at).is_some() { Cognition::Human } else { self.cognition }
    }
}
