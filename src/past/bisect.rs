//! Bisect: the first moment after which a condition holds, and which version of a role was in force then.
//!
//! A condition may flip and flip back between two checkpoints, so that what they say does not tell where it was so first. Every stretch
//! between two of them is therefore folded, several at once and the earliest first, up to the one that has the moment; nothing behind
//! that is read.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::available_parallelism;

use serde::Serialize;

use crate::fact::{Draft, Seq, Text, Value};
use crate::role::ConditionTrace;
use crate::world::{World, iso};

use super::history::History;
use super::load::LoadError;
use super::looking::LookedFor;
use super::report::{Report, report};

/// The first moment after which a condition holds.
#[derive(Clone, Debug, Serialize)]
pub struct Turned {
    /// The moment.
    pub moment: Report,
    /// Its place on its being's reel.
    pub n: u64,
    /// The values that the condition reads, before the moment and after it.
    pub conditions: Vec<Shift>,
    /// The version of the role that was asked for, as it was in force in it.
    pub role: Option<RoleThen>,
}

/// One value, before a moment and after it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Shift {
    /// Of what.
    pub path: Text,
    /// Before.
    pub before: Value,
    /// After.
    pub after: Value,
}

/// A version of a role, and the moment that published it.
#[derive(Clone, Debug, Serialize)]
pub struct RoleThen {
    /// Which role.
    pub role: Text,
    /// The number of the version; none where the role is not registered there.
    pub version: Option<u32>,
    /// The label given by its publisher.
    pub label: Option<Value>,
    /// In which frame that was.
    pub seq: Option<Seq>,
    /// When.
    pub time: Option<String>,
    /// By whom, as an address.
    pub by: Option<String>,
}

/// The result of a search for a moment.
pub enum Bisected {
    /// It holds already before the first moment that was looked at.
    Already,
    /// It holds after none of them.
    Never,
    /// It holds after this one first.
    First(Seq),
}

impl History {
    /// The first moment between two seqs after which a condition holds.
    pub fn bisect(&self, wanted: &LookedFor, within: Range<Seq>) -> Result<Bisected, LoadError> {
        if within.start > 0 && wanted.holds(&self.world_at(within.start)?, None) {
            return Ok(Bisected::Already);
        }
        let stretches = self.stretches(within);
        let (next, best) = (AtomicUsize::new(0), AtomicUsize::new(usize::MAX));
        let found: Mutex<Vec<(usize, Result<Seq, LoadError>)>> = Mutex::default();
        let work = || {
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(stretch) = stretches.get(index).filter(|_| index < best.load(Ordering::Relaxed)) else { return };
                if let Some(hit) = self.first_in(wanted, stretch.clone()).transpose() {
                    best.fetch_min(index, Ordering::Relaxed);
                    found.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push((index, hit));
                }
            }
        };
        let threads = available_parallelism().map_or(1, |threads| threads.get()).min(stretches.len());
        std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
        let found = found.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        let first = found.into_iter().min_by_key(|(index, _)| *index);
        first.map_or(Ok(Bisected::Never), |(_, hit)| hit.map(Bisected::First))
    }

    /// The frames between two seqs, cut where checkpoints lie, the earliest first.
    fn stretches(&self, within: Range<Seq>) -> Vec<Range<Seq>> {
        let inside = self.checkpoints().into_iter().filter(|seq| within.contains(seq));
        let borders: BTreeSet<Seq> = inside.chain([within.start, within.end]).collect();
        let borders: Vec<Seq> = borders.into_iter().collect();
        borders.windows(2).filter_map(|pair| Some(*pair.first()?..*pair.last()?)).collect()
    }

    fn first_in(&self, wanted: &LookedFor, stretch: Range<Seq>) -> Result<Option<Seq>, LoadError> {
        let mut first = None;
        self.fold(stretch.start, Some(stretch.end), |frame, world| {
            if first.is_none() && wanted.holds(world, Some(frame.draft())) {
                first = Some(frame.draft().seq);
            }
        })?;
        Ok(first)
    }

    /// Tells of the moment after which a condition holds: what was done in it, what changed, and the version of a role that was in force.
    pub fn turned(&self, wanted: &LookedFor, seq: Seq, role: Option<&Text>) -> Result<Option<Turned>, LoadError> {
        let mut worlds = self.worlds_at(&BTreeSet::from([seq, seq + 1]))?;
        let (Some(before), Some(after)) = (worlds.remove(&seq), worlds.remove(&(seq + 1))) else { return Ok(None) };
        let Some(frame) = self.frame(seq, &after)? else { return Ok(None) };
        let draft = frame.draft();
        let role = role.map(|role| self.in_force(role, wanted, &before, draft)).transpose()?;
        let conditions = shifts(&wanted.explain(&before, None), &wanted.explain(&after, Some(draft)));
        Ok(Some(Turned { moment: report(draft, &after, None), n: draft.n, conditions, role }))
    }

    /// The version of a role that was in force where a condition looks, as a moment found it.
    fn in_force(&self, role: &Text, wanted: &LookedFor, world: &World, draft: &Draft) -> Result<RoleThen, LoadError> {
        let place = wanted.me.or(Some(draft.being)).and_then(|me| world.being(me)).map(|me| me.position);
        let made = place.and_then(|place| world.role_at(role, place)).map(|version| version.made.seq);
        let versions = if made.is_some() { self.versions_of_role(role, world, u64::MAX)?.newest } else { Vec::new() };
        let version = versions.into_iter().find(|version| Some(version.seq) == made);
        let by = |being| world.being(being).map_or_else(|| being.to_string(), |being| format!("@{}", being.name));
        Ok(RoleThen {
            role: role.clone(),
            version: version.as_ref().and_then(|version| version.version),
            seq: made,
            time: version.as_ref().map(|version| iso(version.at, version.offset)),
            by: version.as_ref().map(|version| by(version.by)),
            label: version.and_then(|version| version.label),
        })
    }
}

/// The value at each path of a condition before and after; each path once.
fn shifts(before: &[ConditionTrace], after: &[ConditionTrace]) -> Vec<Shift> {
    let mut found: Vec<Shift> = Vec::new();
    for (before, after) in before.iter().zip(after) {
        let of_group = shifts(&before.inside, &after.inside);
        let own = after.path.clone().map(|path| Shift { path, before: before.saw.clone(), after: after.saw.clone() });
        for shift in own.into_iter().chain(of_group) {
            if !found.contains(&shift) {
                found.push(shift);
            }
        }
    }
    found
}

impl std::fmt::Display for Turned {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.moment.raw_line())?;
        self.conditions.iter().try_for_each(|Shift { path, before, after }| write!(f, "\n  {path}: {before} → {after}"))?;
        self.role.as_ref().map_or(Ok(()), |role| write!(f, "\n  {role}"))
    }
}

impl std::fmt::Display for RoleThen {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { role, version, seq, time, by, label } = self;
        let Some(seq) = seq else { return write!(f, "role {role}: not registered there") };
        let (version, label) = (version.map(|version| format!(" version {version}")), label.as_ref().map(|label| format!(" {label}")));
        write!(f, "role {role}{}{}, published in #{seq}", version.unwrap_or_default(), label.unwrap_or_default())?;
        by.as_ref().map_or(Ok(()), |by| write!(f, " by {by}"))?;
        time.as_ref().map_or(Ok(()), |time| write!(f, " at {time}"))
    }
}
