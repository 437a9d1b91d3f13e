//! Aligned: two worlds side by side, by being and the number of its moment: who went another way, and where first.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::fact::{BeingId, Draft, Hash, Millis, N, Seq, Text};
use crate::moment::is_asking;
use crate::world::World;

use super::history::History;
use super::load::LoadError;
use super::report::Report;

/// Two worlds, aligned.
#[derive(Debug, Serialize)]
pub struct Alignment {
    /// The first moment that differs; nothing where all are the same.
    pub first: Option<PairedMoment>,
    /// Those whose lives differ, by name.
    pub beings: Vec<AlignedBeing>,
    /// How many beings live the same in both.
    pub same: usize,
    /// The instant behind which both are aligned; nothing where both have all of their past.
    pub since: Option<Millis>,
}

/// One moment in both worlds.
#[derive(Debug, Serialize)]
pub struct PairedMoment {
    /// Whose.
    pub being: Text,
    /// Its number on the being's reel in the one world; in the other, where only that has it.
    pub n: N,
    /// Its number in the other world, where that is another: a frame that only asks a model has a number too.
    #[serde(rename = "otherN", skip_serializing_if = "Option::is_none")]
    pub other_n: Option<N>,
    /// As it was in the one world; nothing where it did not happen there.
    pub one: Option<Report>,
    /// The same in the other.
    pub other: Option<Report>,
}

/// One being in both worlds.
#[derive(Debug, Serialize)]
pub struct AlignedBeing {
    /// Its name.
    pub being: Text,
    /// How many moments it had in the one world.
    pub one: usize,
    /// How many in the other.
    pub other: usize,
    /// The number of the first that differs, in the one world if it has it.
    pub apart: N,
}

/// One moment, as far as it does not follow from ids and keys.
struct PlacedDeed {
    at: Millis,
    seq: Seq,
    n: N,
    deed: Hash,
}

/// The moments of a world by being, in their order.
type DeedsByBeing = BTreeMap<Text, Vec<PlacedDeed>>;

/// The first moment of a being that differs: in the one world, and in the other.
type ApartDeeds<'d> = [Option<&'d PlacedDeed>; 2];

impl History {
    /// Aligns this world with another, each as far as it is given, from where both have their frames. Acts of the operator and of `@world`
    /// are left out: they change a world from outside, and are no effect of that change.
    pub fn aligned(&self, other: &Self, (ours, theirs): (&World, &World)) -> Result<Alignment, LoadError> {
        let since = self.archived_until()?.max(other.archived_until()?);
        let (one, two) = (self.deeds(ours, since)?, other.deeds(theirs, since)?);
        let names: BTreeSet<&Text> = one.keys().chain(two.keys()).collect();
        let (all, mut beings) = (names.len(), Vec::new());
        let mut first: Option<((Millis, Seq), &Text, ApartDeeds<'_>)> = None;
        for name in names {
            let [own, others] = [&one, &two].map(|deeds| deeds.get(name).map_or(&[][..], Vec::as_slice));
            let Some((placed, n, apart)) = first_apart(own, others) else { continue };
            if first.as_ref().is_none_or(|(earliest, ..)| placed < *earliest) {
                first = Some((placed, name, apart));
            }
            beings.push(AlignedBeing { being: name.clone(), one: own.len(), other: others.len(), apart: n });
        }
        let pair = |(_, name, apart): (_, &Text, ApartDeeds<'_>)| self.paired(other, name, apart);
        let same = all - beings.len();
        Ok(Alignment { first: first.map(pair).transpose()?, beings, same, since })
    }

    /// The instant of the newest frame that was archived.
    fn archived_until(&self) -> Result<Option<Millis>, LoadError> {
        if self.begins() == 0 { Ok(None) } else { Ok(Some(self.world_at(self.begins())?.at())) }
    }

    fn paired(&self, other: &Self, being: &Text, [own, others]: ApartDeeds<'_>) -> Result<PairedMoment, LoadError> {
        let told = |history: &Self, placed: Option<&PlacedDeed>| placed.map_or(Ok(None), |placed| history.told(placed.seq));
        let [n, other_n] = [own, others].map(|placed| placed.map(|placed| placed.n));
        let (one, two) = (told(self, own)?, told(other, others)?);
        let named = n.or(other_n).unwrap_or_default();
        Ok(PairedMoment { being: being.clone(), n: named, other_n: other_n.filter(|other| *other != named), one, other: two })
    }

    /// The moments behind an instant and below a world's newest frame.
    fn deeds(&self, world: &World, since: Option<Millis>) -> Result<DeedsByBeing, LoadError> {
        let mut deeds = DeedsByBeing::new();
        for frame in self.frames(self.begins())? {
            let frame = frame?;
            let draft = frame.draft();
            if draft.seq >= world.next_seq() {
                break;
            }
            let is_outside = draft.being == world.operator() || draft.being == BeingId::WORLD || is_asking(draft);
            let is_counted = !is_outside && since.is_none_or(|since| draft.at > since);
            let Some(being) = world.being(draft.being).filter(|_| is_counted) else { continue };
            let placed = PlacedDeed { at: draft.at, seq: draft.seq, n: draft.n, deed: digest(draft) };
            deeds.entry(being.name.clone()).or_default().push(placed);
        }
        Ok(deeds)
    }
}

/// The first moment that differs, or that only one of both has: where it lies, by which number it is named, and what it is in each.
fn first_apart<'d>(own: &'d [PlacedDeed], others: &'d [PlacedDeed]) -> Option<((Millis, Seq), N, ApartDeeds<'d>)> {
    let pairs = (0..own.len().max(others.len())).map(|at| [own.get(at), others.get(at)]);
    let apart = pairs.into_iter().find(|[own, others]| own.map(|placed| placed.deed) != others.map(|placed| placed.deed))?;
    let [earliest, named] = [apart.iter().flatten().min_by_key(|placed| (placed.at, placed.seq))?, apart.iter().flatten().next()?];
    Some(((earliest.at, earliest.seq), named.n, apart))
}

fn digest(draft: &Draft) -> Hash {
    let told = (draft.at, draft.wake.kind, &draft.stack, &draft.call, &draft.closing);
    Hash::of(format!("{told:?}").as_bytes())
}
