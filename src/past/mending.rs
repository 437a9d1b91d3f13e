//! Mending: the rungs and words that a past lacks, written one after another, each rung as it would have come about beside its writing.
//!
//! Rungs are signed by the world where its keys are here, else by whoever runs the program: nobody else believes those.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::fact::{Lineage, Master, Seq};
use crate::store::{Checkpoints, Commit, Ending, Keystore, LogStore, Store, Stored};
use crate::world::CHAPTER;

use super::checkpoint::resumed;
use super::checkpoint_policy::{APART, frames_between};
use super::history::History;
use super::ladder::Base;
use super::load::{LoadError, load_from};
use super::loaded::Loaded;
use super::rung_writer::{RungWriter, ToKeep};
use super::words::frames_of;

/// The rungs and chapters that the past of the world in a directory lacks.
pub(super) struct Mending {
    dir: PathBuf,
    /// The world's keys, where they are here.
    own: Option<Master>,
    borders: VecDeque<Ending>,
    chapters: VecDeque<u64>,
    /// The first chapter at which nobody has looked.
    unseen: u64,
    /// Up to where there are rungs.
    reached: Seq,
    /// A world with the rung on which the next one can stand, and that rung's seq.
    ground: Option<(Loaded, Option<Base>, Seq)>,
}

impl Mending {
    /// Looks what a past lacks that was written elsewhere.
    pub(super) fn anew(dir: &Path, own: Option<Master>) -> Result<Self, LoadError> {
        let history = History::of(dir)?;
        Ok(Self::with(&history, own, lacking(&history)?))
    }

    /// Looks what one lacks that was written here: rungs only where there is a gap between those that there are.
    pub(super) fn beside(dir: &Path, own: Master) -> Result<Self, LoadError> {
        let history = History::of(dir)?;
        let borders = if has_gap(&history) { lacking(&history)? } else { Vec::new() };
        Ok(Self::with(&history, Some(own), borders))
    }

    fn with(history: &History, own: Option<Master>, borders: Vec<Ending>) -> Self {
        let (unseen, reached) = (history.begins() / CHAPTER, history.checkpoints().first().copied().unwrap_or_default());
        Self { dir: history.dir().to_owned(), own, borders: borders.into(), chapters: VecDeque::new(), unseen, reached, ground: None }
    }

    /// Takes in that there is a rung at a seq: the whole chapters before it have words too.
    pub(super) fn reach(&mut self, seq: Seq) {
        self.reached = self.reached.max(seq);
    }

    /// Writes the next that it lacks; whether there was any.
    pub(super) fn step(&mut self) -> Result<bool, LoadError> {
        if let Some(border) = self.borders.pop_front() {
            self.write(border)?;
            return Ok(true);
        }
        self.ground = None;
        if self.unseen < self.reached / CHAPTER {
            let lacking = History::of(&self.dir)?.without_words()?;
            self.chapters.extend(lacking.into_iter().filter(|chapter| *chapter >= self.unseen));
            self.unseen = self.reached / CHAPTER;
        }
        let next = self.chapters.pop_front();
        Ok(next.map(|chapter| History::of(&self.dir)?.keep_words(frames_of(chapter))).transpose()?.is_some())
    }

    /// Writes the rung at a border, if it is far enough above the one before it, or the last one that is missing.
    fn write(&mut self, border: Ending) -> Result<(), LoadError> {
        let history = History::of(&self.dir)?;
        let (loaded, base, stood) = self.stand(&history, border.seq)?;
        let store = history.into_store();
        if !self.borders.is_empty() && border.seq - stood < frames_between(&loaded.world) {
            self.ground = Some((loaded, base, stood));
            return Ok(());
        }
        let loaded = load_from(&store, loaded, Some(border.seq), |_, _| {})?;
        let Loaded { world, chain, blobs, .. } = loaded.clone();
        let Some(master) = self.signer(&store.world_file().lineage(), border.seq) else {
            self.borders.clear();
            return Ok(());
        };
        let writer = RungWriter { checkpoints: Checkpoints::of(&self.dir), master };
        let base = writer.write(base.as_ref(), ToKeep { world: Arc::new(world), chain, blobs, border })?;
        self.ground = Some((loaded, Some(base), border.seq));
        self.reach(border.seq);
        Ok(())
    }

    /// The world at a seq or somewhat before it: the one in hand, unless a rung is nearer.
    fn stand(&mut self, history: &History, seq: Seq) -> Result<(Loaded, Option<Base>, Seq), LoadError> {
        let rungs = history.checkpoints();
        let is_nearest = |loaded: &Loaded| !rungs.iter().any(|rung| (loaded.chain.next() + 1..=seq).contains(rung));
        if let Some(ground) = self.ground.take().filter(|(loaded, ..)| is_nearest(loaded)) {
            return Ok(ground);
        }
        let (loaded, base) = resumed(&self.dir, &history.store, Some(seq), &mut |_| {}, |base| base)?;
        let stood = base.as_ref().map_or(history.begins(), |base| base.footing.seq);
        Ok((loaded, base, stood))
    }

    /// By whose keys a rung is signed: a fork's own are not those of its past.
    fn signer(&self, lineage: &Lineage, seq: Seq) -> Option<Master> {
        let is_own = lineage.origins.last().is_none_or(|origin| seq > origin.seq);
        let of_user = || Keystore::of_user(true).map(|keystore| Master::new(*keystore.master));
        self.own.clone().filter(|_| is_own).or_else(of_user)
    }
}

/// Whether two neighbouring rungs lie further apart than they were ever written, or there is none where there was one once.
fn has_gap(history: &History) -> bool {
    let (begins, end, mut seqs) = (history.begins(), history.end(), history.checkpoints());
    seqs.retain(|seq| *seq > begins);
    let is_bare = seqs.is_empty() && end - begins > APART;
    let all: Vec<Seq> = std::iter::once(end).chain(seqs).chain([begins]).collect();
    is_bare || all.windows(2).any(|two| matches!(two, [above, below] if above.saturating_sub(*below) > 2 * APART))
}

/// The borders in the gaps between its rungs on which others can stand.
fn lacking(history: &History) -> Result<Vec<Ending>, LoadError> {
    let rungs = history.checkpoints();
    let is_near = |seq: Seq| rungs.iter().any(|rung| rung.abs_diff(seq) < APART / 2);
    Ok(borders(&history.store)?.into_iter().filter(|border| !is_near(border.seq)).collect())
}

/// The borders on which rungs can stand, no nearer to each other than two ever are; and the last one.
fn borders(store: &LogStore) -> Result<Vec<Ending>, LoadError> {
    let (mut borders, mut last): (Vec<Ending>, Option<Ending>) = (Vec::new(), None);
    let mut before: Seq = store.begins();
    for entry in store.read(store.begins())? {
        let Stored::Commit { commit: Commit { end_seq: seq, number, hash: commit, head, .. }, at } = entry? else { continue };
        last = at.behind_commit().map(|position| Ending { seq, head, commit, number, position });
        if seq - before >= APART / 2 {
            borders.extend(last.take());
            before = seq;
        }
    }
    borders.extend(last);
    Ok(borders)
}
