//! BundledMoment: one moment of a bundle, explained without its world: by the checkpoint that the bundle carries or, without one, by the frame alone.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::fact::{Frame, Seq};
use crate::reel::FrameBundle;
use crate::world::World;

use super::bundled::{BundledError, begun_in};
use super::explain::{ExplainError, Explained, MomentWorlds, name_in};
use super::knew::Knew;
use super::load::{Kept, LoadError};
use super::point::MomentName;

/// Why nothing can be told of a moment of a bundle.
#[derive(Debug, thiserror::Error)]
pub enum BundledMomentError {
    /// The bundle has no such frame.
    #[error("expected one of its {many} frames, from {from} to {last}, found `{moment}`; `reelm log --file` lists its moments{hint}")]
    Outside {
        /// How many frames it carries.
        many: usize,
        /// The first of them.
        from: Seq,
        /// The last of them.
        last: Seq,
        /// The moment that was asked for.
        moment: MomentName,
        /// How its beings are named, where no checkpoint says their names.
        hint: String,
    },
    /// The world there is not in the bundle.
    #[error(transparent)]
    Bundled(#[from] BundledError),
    /// Its frames cannot be folded.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// The moment cannot be explained.
    #[error(transparent)]
    Explain(#[from] ExplainError),
}

/// One moment of a bundle that was checked.
pub struct BundledMoment<'a> {
    frame: &'a Frame,
    kept: Kept,
    /// A world of which nothing is known.
    nobody: World,
    worlds: Result<MomentWorlds, BundledError>,
}

impl<'a> BundledMoment<'a> {
    /// Finds a moment by its seq or by its name, and folds the worlds around it.
    ///
    /// A bundle whose checkpoint is missing, or of another version, has the frame alone. One that was damaged is an error.
    pub fn of(bundle: &FrameBundle, frames: &'a [Frame], moment: &MomentName) -> Result<Self, BundledMomentError> {
        let folding = Folding::of(bundle, frames)?;
        let frame = folding.found(moment)?.ok_or_else(|| folding.outside(moment))?;
        let worlds = folding.around(frame)?;
        let Folding { kept, nobody, .. } = folding;
        Ok(Self { frame, kept, nobody, worlds })
    }

    /// All that the bundle says of it.
    pub fn explain(self) -> Result<Explained, BundledMomentError> {
        let frame = self.frame.clone();
        Ok(match &self.worlds {
            Ok(worlds) => Explained::of(frame, worlds, &self.kept)?,
            Err(why) => Explained::alone(frame, &self.nobody, &self.kept, untold(why))?,
        })
    }

    /// Tells how its being saw an address when it opened.
    pub fn knew(self, address: &str) -> Result<Knew, BundledMomentError> {
        let MomentWorlds { opened, after, .. } = self.worlds?;
        let seq = self.frame.draft().seq;
        Knew::of(self.frame, &opened, &after, address).ok_or_else(|| BundledError::Unborn { seq }.into())
    }
}

fn untold(why: &BundledError) -> String {
    format!("by which clauses it wore its roles, what it saw, by which settings it went and which rules were asked, is not told: {why}")
}

/// The frames of a bundle, folded onto the world of its checkpoint.
pub(super) struct Folding<'a> {
    pub(super) frames: &'a [Frame],
    kept: Kept,
    /// A world of which nothing is known.
    nobody: World,
    pub(super) begun: Result<World, BundledError>,
}

impl<'a> Folding<'a> {
    /// Takes the checkpoint of a bundle, or the reason why there is none to use. A damaged checkpoint is an error.
    pub(super) fn of(bundle: &FrameBundle, frames: &'a [Frame]) -> Result<Self, BundledError> {
        let begun = match begun_in(bundle) {
            Err(error @ BundledError::Other { .. }) => return Err(error),
            begun => begun.map(|loaded| loaded.world),
        };
        let mut kept = Kept::default();
        kept.0.extend(bundle.values().map(|(hash, value)| (hash, value.0.clone())));
        Ok(Self { frames, kept, nobody: World::of(Arc::new(bundle.lineage.clone())), begun })
    }

    /// The frame of a moment. Without a checkpoint a being is called by its name inside.
    pub(super) fn found(&self, moment: &MomentName) -> Result<Option<&'a Frame>, LoadError> {
        let MomentName::Of(name, n) = moment else {
            return Ok(self.frames.iter().find(|frame| MomentName::Seq(frame.draft().seq) == *moment));
        };
        let newest = match &self.begun {
            Ok(_) => self.at(&[Seq::MAX])?.into_values().next(),
            Err(_) => None,
        };
        let (newest, wanted) = (newest.as_ref().unwrap_or(&self.nobody), format!("@{name}"));
        Ok(self.frames.iter().find(|frame| frame.draft().n == *n && name_in(newest, frame.draft().being) == wanted))
    }

    /// That no frame of the bundle is that moment.
    pub(super) fn outside(&self, moment: &MomentName) -> BundledMomentError {
        let ends = [self.frames.first(), self.frames.last()];
        let [from, last] = ends.map(|frame| frame.map_or(0, |frame| frame.draft().seq));
        let named = self.frames.first().map(|frame| format!("@{}/{}", frame.draft().being, frame.draft().n));
        let named = named.filter(|_| self.begun.is_err() && matches!(moment, MomentName::Of(..)));
        let hint = named
            .map(|named| format!(", and without a checkpoint they have no names of beings: `{named}` is the first"))
            .unwrap_or_default();
        BundledMomentError::Outside { many: self.frames.len(), from, last, moment: moment.clone(), hint }
    }

    /// The worlds around a frame, if the bundle reaches back to where it opened.
    fn around(&self, frame: &Frame) -> Result<Result<MomentWorlds, BundledError>, LoadError> {
        let (seq, opened) = (frame.draft().seq, frame.draft().opened);
        if let Err(error) = &self.begun {
            return Ok(Err(error.clone()));
        }
        let mut worlds = self.at(&[opened, seq, seq + 1])?;
        let (open, before) = (worlds.get(&opened).cloned().map(Arc::new), worlds.get(&seq).cloned().map(Arc::new));
        Ok(match (open, before, worlds.remove(&(seq + 1))) {
            (Some(opened), Some(before), Some(after)) => Ok(MomentWorlds { opened, before, after }),
            _ => Err(BundledError::Opened { seq, opened }),
        })
    }

    /// The worlds below some seqs that the bundle reaches; the one behind its last frame is that of any seq beyond.
    pub(super) fn at(&self, seqs: &[Seq]) -> Result<BTreeMap<Seq, World>, LoadError> {
        let mut worlds = BTreeMap::new();
        let Ok(mut world) = self.begun.clone() else { return Ok(worlds) };
        for frame in self.frames {
            if seqs.contains(&frame.draft().seq) {
                worlds.insert(frame.draft().seq, world.clone());
            }
            world.apply(frame.draft(), &self.kept)?;
        }
        worlds.extend(seqs.iter().filter(|seq| **seq >= world.next_seq()).map(|seq| (*seq, world.clone())));
        Ok(worlds)
    }
}
