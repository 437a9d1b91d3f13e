//! Course: how a run is to go: how fast, until when, who holds it and who watches; and what it came to.

use std::collections::BTreeMap;

use crate::fact::{Code, Millis, Seq, Spend, Text};
use crate::minds::{AheadCount, OutageNow};
use crate::past::Report;

use super::breaks::Broken;
use super::clock::Pace;
use super::measure::Measures;
use super::reins::Reins;
use super::tally::Tally;
use super::until::When;

/// When a run stops by itself.
#[derive(Clone, Debug, Default)]
pub struct Until {
    /// After so much world time: it stands there then.
    pub duration: Option<Millis>,
    /// When world time comes to an instant.
    pub instant: Option<Millis>,
    /// After the round in which so many moments have closed.
    pub moments: Option<u64>,
    /// As soon as a condition over the world holds.
    pub when: Option<When>,
}

/// Why a run stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// The requested end was reached.
    Done,
    /// Nobody has anything to do any more.
    Quiet,
    /// It was told to stop.
    Told,
    /// A breakpoint was reached.
    Broke(Broken),
    /// The world waits for a person.
    WaitsFor(String),
}

/// The outcome of a run.
#[derive(Clone, Debug)]
pub struct Ran {
    /// Why it stopped.
    pub stopped: Stopped,
    /// How its moments closed.
    pub tally: Tally,
    /// The next seq.
    pub seq: Seq,
    /// World time at the end.
    pub at: Millis,
    /// Where it was told to end, if it stopped before.
    pub short_of: Option<Millis>,
    /// The calls of models that were begun ahead of their moments.
    pub ahead: AheadCount,
    /// How much it paid for calls ahead in vain.
    pub vain: Spend,
    /// The names of those who could not be asked though a wake of theirs was due at the end, by what is lacking.
    pub held: BTreeMap<Code, Vec<Text>>,
    /// The connections that their providers turned away.
    pub turned_away: Vec<OutageNow>,
}

/// How a run goes and who watches.
pub struct Course<'a> {
    /// How fast.
    pub pace: Pace,
    /// How long.
    pub until: Until,
    /// Pulled from outside to stop, pause or step.
    pub reins: &'a Reins,
    /// Told of each moment once it is durable; none: nobody watches.
    pub watch: Option<&'a mut dyn FnMut(&Report)>,
    /// Sampled on the way.
    pub measures: Option<&'a mut Measures>,
}
