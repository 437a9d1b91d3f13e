//! Checkpoint: a world, its reels and the blobs that its store has, as of one seq: written beside the log, read instead of its beginning.
//!
//! A checkpoint is a cache and never believed against the log: the border between two groups on which it stands must be one of this log.
//! Else it counts as not there, and the one before it is looked at.

use std::path::Path;

use crate::fact::Seq;
use crate::store::{Checkpoints, ClockFile, LogStore, Store, StoreError};

use super::ladder::{Base, Ladder};
use super::load::{LoadError, load_from};
use super::loaded::Loaded;

/// A history that is folded to be gone on with, and the rung from which the folding began.
pub struct Resumed {
    /// It.
    pub loaded: Loaded,
    /// The rung on which the next one can stand.
    pub(super) base: Option<Base>,
}

impl Resumed {
    /// The seq of the rung from which the folding began.
    pub fn stood(&self) -> Seq {
        self.base.as_ref().map_or(0, |base| base.footing.seq)
    }
}

/// Folds the history of the world in `dir` up to its end, or all frames below a seq, from the nearest checkpoint on; `progress` hears of
/// each frame.
pub fn resume(dir: &Path, store: &LogStore, below: Option<Seq>, progress: &mut dyn FnMut(Seq)) -> Result<Loaded, LoadError> {
    Ok(resumed(dir, store, below, progress, |_| ())?.0)
}

/// The same up to the end, for whoever goes on writing.
pub fn resume_to_go_on(dir: &Path, store: &LogStore) -> Result<Resumed, LoadError> {
    let (loaded, base) = resumed(dir, store, None, &mut |_| {}, |base| base)?;
    Ok(Resumed { loaded, base })
}

/// All frames below a seq, folded from a rung that was read before, where that is the nearest one; and the rung from which it began.
pub(super) fn resume_on(
    dir: &Path,
    store: &LogStore,
    below: Seq,
    read_before: Option<Loaded>,
) -> Result<(Loaded, Option<Loaded>), LoadError> {
    reach(store, below)?;
    let names = Ladder::of(dir, store.world_file()).map(|ladder| ladder.names()).unwrap_or_default();
    let nearest_seq = names.into_iter().map(|name| name.seq).find(|seq| *seq <= below);
    let ground = read_before.filter(|read| Some(read.chain.next()) == nearest_seq);
    let ground = ground.or_else(|| nearest(dir, store, below).map(|(loaded, _)| loaded));
    if let Some(ground) = ground
        && let Ok(loaded) = fold(store, ground.clone(), Some(below), &mut |_| {})
    {
        return Ok((loaded, Some(ground)));
    }
    // An error there is dropped: reading the log itself reports it.
    Ok((resume(dir, store, Some(below), &mut |_| {})?, None))
}

/// `keep` says what of the rung is kept while what follows is folded: a world that is held is copied where it changes.
pub(super) fn resumed<T>(
    dir: &Path,
    store: &LogStore,
    below: Option<Seq>,
    progress: &mut dyn FnMut(Seq),
    keep: impl FnOnce(Base) -> T,
) -> Result<(Loaded, Option<T>), LoadError> {
    reach(store, below.unwrap_or(Seq::MAX))?;
    if let Some((begun, base)) = nearest(dir, store, below.unwrap_or(Seq::MAX)) {
        let (seq, kept) = (base.footing.seq, keep(base));
        match fold(store, begun, below, progress) {
            // An error there is dropped: reading the log itself reports it.
            Err(error @ (LoadError::Refused { .. } | LoadError::Fold(_))) => {
                tracing::warn!(seq, %error, "a checkpoint does not fit the log; everything is folded from the beginning");
            }
            done => return Ok((standing(dir, done?, below)?, Some(kept))),
        }
    }
    let loaded = fold(store, Loaded::beginning(store, store.world_file().lineage())?, below, progress)?;
    Ok((standing(dir, loaded, below)?, None))
}

/// Whether there is a world as of a seq: what lies before it may have been archived.
pub(super) fn reach(store: &dyn Store, seq: Seq) -> Result<(), StoreError> {
    store.beginning().filter(|begun| seq < begun.seq()).map_or(Ok(()), |begun| Err(begun.lacks(seq)))
}

/// The newest rung at a seq or before it that is whole and of this log.
fn nearest(dir: &Path, store: &LogStore, at: Seq) -> Option<(Loaded, Base)> {
    let most = store.ending().seq.min(at);
    let ladder = Ladder::of(dir, store.world_file())?;
    for name in ladder.names().into_iter().filter(|name| name.seq <= most) {
        let Some((loaded, base)) = ladder.loaded(name) else {
            tracing::warn!(seq = name.seq, "a checkpoint has pages that are missing or damaged; it is not used");
            continue;
        };
        match stands(store, &loaded) {
            Ok(()) => return Some((loaded, base)),
            Err(error) => tracing::warn!(seq = name.seq, %error, "a checkpoint does not fit the log; it is not used"),
        }
    }
    None
}

/// Whether the log goes on, or ends, where a checkpoint stands: each group names the commit before it, and that one all before it.
fn stands(store: &LogStore, loaded: &Loaded) -> Result<(), LoadError> {
    let Some(border) = &loaded.border else { return Ok(()) };
    store.read_behind(border)?.next().transpose()?;
    Ok(())
}

fn fold(store: &LogStore, begun: Loaded, below: Option<Seq>, progress: &mut dyn FnMut(Seq)) -> Result<Loaded, LoadError> {
    if below == Some(begun.chain.next()) && begun.border.is_some() {
        tracing::debug!(from = begun.chain.next(), below, "folded");
        return Ok(begun);
    }
    load_from(store, begun, below, |frame, _| progress(frame.draft().seq))
}

/// A world as it is stands where its clock does; one as it was stands where its last frame left it.
fn standing(dir: &Path, mut loaded: Loaded, below: Option<Seq>) -> Result<Loaded, LoadError> {
    if let Some(clock) = ClockFile::load(dir)?.filter(|_| below.is_none()) {
        loaded.world.stand(clock.position);
    }
    Ok(loaded)
}

/// Takes away what tells of a past that is gone from a seq on: frames that come later take its place.
pub fn forget_beyond(dir: &Path, seq: Seq) {
    Checkpoints::of(dir).remove_beyond(seq);
}
