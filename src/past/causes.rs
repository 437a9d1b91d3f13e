//! Causes: what lies behind a moment, from wake to wake back to a person, a schedule or genesis; and what it woke.
//!
//! Only frames are read, and nothing is folded for them: each says which fact woke its being.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::fact::{BeingId, ClosingKind, Draft, Reason, Seq, Text, Verb, WakeKind};
use crate::reel::Recorded;
use crate::tell::{ToldMoment, ToldPart};
use crate::world::{World, iso};

use super::cause::kept_cause;
use super::history::History;
use super::load::{LoadError, NoFrame, frame_of};
use super::point::PointError;
use super::report::{DeedNames, call_line};

/// How many frames are read forward at most for what a moment woke.
const FORWARD: u64 = 65_536;

/// One moment of a chain.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Link {
    /// Its seq.
    pub seq: Seq,
    /// Its name, as `@ada/7`.
    pub moment: String,
    /// When.
    pub time: String,
    /// The cause of its wake, in words.
    pub because: String,
    /// The moment that did; nothing where nobody's deed but a person's own or time's is behind it.
    pub cause: Option<Seq>,
    /// Where the chain begins with it: `person`, `schedule`, `time` or `genesis`.
    pub begins: Option<&'static str>,
    /// The deed, in a line.
    pub deed: String,
    /// The sentence that tells it, behind the name of whoever did it.
    pub told: Vec<ToldPart>,
    /// By which of the four verbs.
    pub verb: Option<Verb>,
    /// The operation that was called.
    pub action: Option<Text>,
    /// To what.
    pub target: Option<Text>,
    /// What was said.
    pub said: Option<Text>,
    /// How it closed.
    pub closing: ClosingKind,
    /// Why, where there is a reason.
    pub reason: Option<Reason>,
    /// How many wakes lie between it and the moment that was asked about.
    pub depth: u32,
}

/// A moment with the chain of its causes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Causes {
    /// The moment itself.
    pub moment: Link,
    /// The moments behind it, the nearest first.
    pub causes: Vec<Link>,
    /// Whether more lies behind the last of those.
    pub more: bool,
}

/// The moments that a moment woke, directly or through others.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Effects {
    /// The moments that it woke, and those that these woke, the oldest first.
    pub effects: Vec<Link>,
    /// Below which seq they were looked for.
    pub until: Seq,
    /// Whether there may be more than was looked for.
    pub more: bool,
}

impl Link {
    fn of(draft: &Draft, world: &World, depth: u32) -> Self {
        let name = world.being(draft.being).map_or_else(|| draft.being.to_string(), |being| format!("@{}", being.name));
        let begins = begins(draft);
        let said_of = DeedNames::of(draft);
        // A schedule is where it begins; the frame that set it is named all the same.
        let cause = (draft.wake.cause.seq < draft.seq && draft.wake.kind != WakeKind::Gesture).then_some(draft.wake.cause.seq);
        Self {
            seq: draft.seq,
            moment: format!("{name}/{}", draft.n),
            time: iso(draft.at, draft.offset),
            because: kept_cause(draft, world),
            cause,
            begins,
            deed: draft.call.as_ref().map(call_line).unwrap_or_default(),
            told: ToldMoment::of(draft, world).told,
            verb: said_of.verb,
            action: said_of.action,
            target: said_of.target,
            said: said_of.said,
            closing: draft.closing.kind(),
            reason: draft.closing.reason().cloned(),
            depth,
        }
    }
}

fn begins(draft: &Draft) -> Option<&'static str> {
    match draft.wake.kind {
        WakeKind::Gesture if draft.being == BeingId::WORLD => Some("genesis"),
        WakeKind::Gesture => Some("person"),
        WakeKind::Schedule => Some("schedule"),
        WakeKind::Crossing => Some("time"),
        _ => None,
    }
}

impl History {
    /// The chain of causes behind a moment, at most so many; names are those of a world, which knows all beings.
    pub fn causes(&self, seq: Seq, most: u32, world: &World) -> Result<Causes, PointError> {
        let mut at = self.link(seq, world, 0)?;
        let mut causes: Causes = Causes { moment: at.clone(), causes: Vec::new(), more: false };
        while let Some(cause) = at.cause.filter(|_| at.begins.is_none()) {
            if at.depth >= most {
                causes.more = true;
                break;
            }
            at = self.link(cause, world, at.depth + 1)?;
            causes.causes.push(at.clone());
        }
        Ok(causes)
    }

    /// The moments that a moment woke, and those that these woke, so many wakes deep and so many moments at most.
    pub fn effects(&self, seq: Seq, depth_max: u32, most: usize, world: &World) -> Result<Effects, LoadError> {
        let mut depths: BTreeMap<Seq, u32> = BTreeMap::from([(seq, 0)]);
        let end = self.end().min(world.next_seq());
        let until = end.min((seq + 1).saturating_add(FORWARD));
        let mut effects = Effects { effects: Vec::new(), until, more: until < end };
        for frame in self.frames(seq + 1)?.take(usize::try_from(until.saturating_sub(seq + 1)).unwrap_or(usize::MAX)) {
            let frame = frame?;
            let draft = frame.draft();
            let Some(depth) = depths.get(&draft.wake.cause.seq).copied().filter(|_| draft.wake.kind != WakeKind::Gesture) else { continue };
            if depth >= depth_max || effects.effects.len() >= most {
                effects.more = true;
                continue;
            }
            depths.insert(draft.seq, depth + 1);
            effects.effects.push(Link::of(draft, world, depth + 1));
        }
        Ok(effects)
    }

    fn link(&self, seq: Seq, world: &World, depth: u32) -> Result<Link, PointError> {
        let (recorded, bytes): (Recorded, _) = self.record(seq)?.ok_or(PointError::NoFrame(NoFrame { seq, end: self.end() }))?;
        Ok(Link::of(frame_of(recorded, &bytes, world)?.draft(), world, depth))
    }
}

/// A line as the command line prints it.
impl std::fmt::Display for Link {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { seq, moment, time, because, cause, begins, deed, closing, depth, .. } = self;
        let indent = "  ".repeat(*depth as usize);
        let deed = if deed.is_empty() { closing.to_string() } else { deed.clone() };
        write!(f, "{indent}#{seq} {moment} {time} {deed}\n{indent}    woken by {because}")?;
        match (begins, cause) {
            (Some(begins), Some(cause)) => write!(f, ", of #{cause}: here it begins, with {begins}"),
            (Some(begins), None) => write!(f, ": here it begins, with {begins}"),
            (None, Some(cause)) => write!(f, ", of #{cause}"),
            (None, None) => Ok(()),
        }
    }
}
