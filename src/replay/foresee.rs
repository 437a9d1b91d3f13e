//! Foresee: the newest moments of those whom a draft concerns, lived once more as if it had been published.
//!
//! It goes back from the newest moment, part by part, until a day is over, enough was lived, or whoever asks has waited long enough.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use crate::fact::{BeingId, Draft, Fact, Millis, Seq, Text};
use crate::moment::{SEMANTICS, is_asking};
use crate::past::History;
use crate::world::World;

use super::again::Again;
use super::deeds::Deeds;
use super::judged::{RetakeHeard, changes, unopened};
use super::opened::OpenedWorlds;
use super::stage::{Stage, keys_of};
use super::walk::ReplayError;

/// How many frames the first part has, and the longest.
const PART: u64 = 256;
const PART_MAX: u64 = 4_096;

/// Changes that are only supposed, and whom they concern: who wears a role of them, and whose flow it is.
pub struct Supposing {
    facts: Vec<Fact>,
    roles: BTreeSet<Text>,
    beings: BTreeSet<BeingId>,
}

impl Supposing {
    /// Supposes that these facts were so.
    pub fn of(facts: Vec<Fact>) -> Self {
        let role = |fact: &Fact| match fact {
            Fact::RoleSet { name, .. } | Fact::RoleSetIn { name, .. } => Some(name.clone()),
            _ => None,
        };
        let being = |fact: &Fact| if let Fact::FlowSet { being, .. } = fact { Some(*being) } else { None };
        Self { roles: facts.iter().filter_map(role).collect(), beings: facts.iter().filter_map(being).collect(), facts }
    }

    fn concerns(&self, draft: &Draft) -> bool {
        self.beings.contains(&draft.being) || draft.stack.iter().any(|worn| self.roles.contains(&worn.role))
    }

    fn world(&self, world: &World) -> Arc<World> {
        Arc::new(world.imagine(world.operator(), (world.next_seq(), 0), world.at(), &self.facts))
    }
}

/// How much of the past is lived.
pub struct Lookback<'a> {
    /// So long.
    pub span: Millis,
    /// And so many moments at most.
    pub moments: u64,
    /// Whether whoever asks has waited long enough.
    pub is_over: &'a mut dyn FnMut() -> bool,
}

/// How the newest moments would have come out.
#[derive(Debug)]
pub struct ForeseenPast {
    /// The deeds of those whom the draft concerns.
    pub deeds: Deeds,
    /// The frames that were gone through.
    pub frames: Range<Seq>,
    /// When the first of them was.
    pub from: Millis,
    /// Whether that is all that was asked for.
    pub is_whole: bool,
}

/// Lives the newest moments of a history once more, with a draft.
pub fn foresee(history: &History, supposing: &Supposing, now: Millis, back: Lookback<'_>) -> Result<ForeseenPast, ReplayError> {
    let Lookback { span, moments, is_over } = back;
    let (begin, end) = (history.seq_at(now.saturating_sub(span))?.max(1), history.end());
    let mut seen = ForeseenPast { deeds: Deeds::default(), frames: end..end, from: now, is_whole: true };
    let mut size = PART;
    while seen.frames.start > begin {
        let left = moments.saturating_sub(seen.deeds.moments());
        let start = seen.frames.start.saturating_sub(size.min(left)).max(begin);
        let part = if left == 0 { None } else { live(history, supposing, start..seen.frames.start, is_over)? };
        let Some((deeds, from)) = part else {
            seen.is_whole = false;
            break;
        };
        seen.deeds.precede(deeds);
        (seen.frames.start, seen.from) = (start, from);
        size = size.saturating_mul(2).min(PART_MAX);
    }
    Ok(seen)
}

/// Lives the moments of some frames; nothing where that would take too long.
fn live(
    history: &History,
    supposing: &Supposing,
    frames: Range<Seq>,
    is_over: &mut dyn FnMut() -> bool,
) -> Result<Option<(Deeds, Millis)>, ReplayError> {
    let mut part =
        LivedPart { history, supposing, again: Again::new(), opened: OpenedWorlds::default(), far: None, deeds: Deeds::default() };
    let (mut before, mut failed, mut from, mut is_left) = (None::<World>, None::<ReplayError>, None, is_over());
    history.fold(frames.start.saturating_sub(1), Some(frames.end), |frame, world| {
        let now = before.replace(world.clone());
        is_left = is_left || is_over();
        let Some(now) = now.filter(|now| !is_left && failed.is_none() && now.next_seq() >= frames.start) else { return };
        from = from.or(Some(frame.draft().at));
        failed = part.moment(frame.draft(), now).err();
    })?;
    match failed {
        Some(error) => Err(error),
        None => Ok(from.filter(|_| !is_left).map(|from| (part.deeds, from))),
    }
}

struct LivedPart<'a> {
    history: &'a History,
    supposing: &'a Supposing,
    again: Again,
    opened: OpenedWorlds,
    /// The last world that was opened on before these frames.
    far: Option<Arc<World>>,
    deeds: Deeds,
}

impl LivedPart<'_> {
    fn moment(&mut self, recorded: &Draft, now: World) -> Result<(), ReplayError> {
        if let Some(found) = now.registry().config.get("semantics").and_then(|value| value.as_int()).filter(|found| *found != SEMANTICS) {
            return Err(ReplayError::Semantics { found });
        }
        let now = Arc::new(now);
        self.opened.note(recorded, &now);
        if is_asking(recorded) || !self.supposing.concerns(recorded) {
            return Ok(());
        }
        let opened = match self.opened.of(recorded).or_else(|| self.far.as_ref().filter(|far| far.next_seq() == recorded.opened)) {
            Some(opened) => opened.clone(),
            None => self.far.insert(Arc::new(self.history.world_at(recorded.opened)?)).clone(),
        };
        let is_one = opened.next_seq() == now.next_seq();
        let then = self.supposing.world(&opened);
        let so = if is_one { then.clone() } else { self.supposing.world(&now) };
        let kept = self.history.kept(recorded)?;
        let made = self.again.moment(recorded, &Stage { opened: &then, now: &so, kept: &kept, key_of: &keys_of(recorded) });
        let heard = if self.again.is_unheard { RetakeHeard::Nobody } else { RetakeHeard::Recorded };
        let (closing, otherwise) = match made {
            Ok(computed) => (Some(computed.closing.clone()), changes(recorded, computed, &kept, heard)),
            Err(difference) => (None, vec![unopened(*difference)]),
        };
        self.deeds.note(recorded, closing.as_ref(), &otherwise, &now);
        Ok(())
    }
}
