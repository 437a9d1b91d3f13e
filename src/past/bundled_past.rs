//! BundledPast: the points of a bundle: which of its frames lie between two of them, and the world at one.
//!
//! A point means what it means in the world itself. It has to lie among the frames that the bundle carries.

use std::ops::{Range, RangeInclusive};

use crate::fact::{Frame, Millis, Seq};
use crate::reel::FrameBundle;
use crate::world::{Local, Timestamp, World, iso};

use super::bundled::BundledError;
use super::bundled_moment::{BundledMomentError, Folding};
use super::load::LoadError;
use super::point::{MomentName, Point, PointError, forward};

/// Why a bundle has no such point.
#[derive(Debug, thiserror::Error)]
pub enum BundledPointError {
    /// The point lies before its frames or behind them.
    #[error("expected a point of this bundle, found `{point}`; it has the frames {from} to {last}, of {begins} to {ends}")]
    Outside {
        /// The point that was asked for.
        point: Point,
        /// The first frame.
        from: Seq,
        /// The last frame.
        last: Seq,
        /// When the first frame was.
        begins: String,
        /// When the last frame was.
        ends: String,
    },
    /// There is no such moment in it.
    #[error(transparent)]
    Moment(#[from] BundledMomentError),
    /// There is no world, or no such span.
    #[error(transparent)]
    Point(#[from] PointError),
}

impl From<LoadError> for BundledPointError {
    fn from(error: LoadError) -> Self {
        Self::Moment(error.into())
    }
}

/// The past that a bundle carries, which was checked.
pub struct BundledPast<'a> {
    bundle: &'a FrameBundle,
    folding: Folding<'a>,
}

impl<'a> BundledPast<'a> {
    /// Takes the frames of a bundle. A damaged checkpoint is an error.
    pub fn of(bundle: &'a FrameBundle, frames: &'a [Frame]) -> Result<Self, BundledError> {
        Ok(Self { bundle, folding: Folding::of(bundle, frames)? })
    }

    /// The world of its checkpoint, if it carries one.
    pub fn begun(&self) -> Result<Option<&World>, BundledError> {
        match &self.folding.begun {
            Ok(world) => Ok(Some(world)),
            Err(BundledError::None) => Ok(None),
            Err(error) => Err(error.clone()),
        }
    }

    /// The frames between two points; `0` is where the bundle begins. From a moment of it on, nothing before the bundle is asked for.
    pub fn span(&self, from: &Point, to: &Point) -> Result<Range<Seq>, BundledPointError> {
        let among = self.bundle.from..=self.bundle.to;
        let begins = match from {
            Point::Before(MomentName::Seq(0)) => self.bundle.from,
            Point::Before(moment @ MomentName::Of(..)) if self.found(moment)?.draft().seq >= self.bundle.from => {
                self.seq_of(from, &(0..=self.bundle.to))?.max(self.bundle.from)
            }
            from => self.seq_of(from, &among)?,
        };
        Ok(forward((from, begins), (to, self.seq_of(to, &among)?))?)
    }

    /// The world at a point, standing where [`History`](super::History) lets it stand.
    pub fn world_at(&self, point: &Point) -> Result<World, BundledPointError> {
        let begun = self.folding.begun.as_ref().map_err(|error| BundledMomentError::from(error.clone()))?;
        let seq = self.seq_of(point, &(begun.next_seq()..=self.bundle.to))?;
        let mut world = self.folding.at(&[seq])?.remove(&seq).unwrap_or_else(|| begun.clone());
        if world.next_seq() == 0 {
            let first = self.folding.frames.first().map(|frame| Local::of(frame.draft().at, world.zone()).iso()).unwrap_or_default();
            return Err(PointError::Nothing { first, point: point.clone() }.into());
        }
        if let Some(instant) = self.instant(point) {
            world.stand(instant);
        }
        Ok(world)
    }

    /// The seq of a point that lies in a span.
    fn seq_of(&self, point: &Point, among: &RangeInclusive<Seq>) -> Result<Seq, BundledPointError> {
        let found = match point {
            Point::Now => Some(self.bundle.to),
            Point::Before(MomentName::Seq(seq)) => Some(*seq),
            Point::Before(moment) => Some(self.found(moment)?.draft().opened),
            Point::After(moment) => Some(self.found(moment)?.draft().seq + 1),
            Point::Instant(_) | Point::Ago(_) => self.instant(point).and_then(|at| self.seq_behind(at)),
        };
        found.filter(|seq| among.contains(seq)).ok_or_else(|| self.outside(point, among))
    }

    fn found(&self, moment: &MomentName) -> Result<&'a Frame, BundledPointError> {
        Ok(self.folding.found(moment)?.ok_or_else(|| self.folding.outside(moment))?)
    }

    /// The instant that a point names.
    fn instant(&self, point: &Point) -> Option<Millis> {
        match point {
            Point::Instant(at) => Some(self.in_zone(*at)),
            Point::Ago(span) => Some(self.folding.frames.last()?.draft().at.saturating_sub(*span)),
            Point::Now | Point::Before(_) | Point::After(_) => None,
        }
    }

    /// An instant in the world's zone. Without a checkpoint the first frame says how far its clocks are from UTC.
    fn in_zone(&self, at: Timestamp) -> Millis {
        let offset = self.folding.frames.first().map_or(0, |frame| frame.draft().offset);
        match (&self.folding.begun, at) {
            (Ok(world), at) if world.next_seq() > 0 => at.last_in_zone(world.zone()),
            (_, Timestamp::Exact(at)) => at,
            (_, Timestamp::Local(local)) => local.and_utc().timestamp_millis().saturating_sub(offset.saturating_mul(60_000)),
        }
    }

    /// The first seq whose frame is later than an instant, if its frames reach from before that to behind it.
    fn seq_behind(&self, at: Millis) -> Option<Seq> {
        let frames = self.folding.frames;
        let (first, last) = (frames.first()?.draft(), frames.last()?.draft());
        let behind = frames.iter().map(Frame::draft).find(|draft| draft.at > at).map_or(last.seq + 1, |draft| draft.seq);
        (first.at..=last.at).contains(&at).then_some(behind)
    }

    fn outside(&self, point: &Point, among: &RangeInclusive<Seq>) -> BundledPointError {
        let (from, last) = (*among.start(), among.end().saturating_sub(1));
        let inside = |frame: &&Frame| (from..=last).contains(&frame.draft().seq);
        let time = |frame: Option<&Frame>| frame.map(|frame| iso(frame.draft().at, frame.draft().offset)).unwrap_or_default();
        let (first, newest) = (self.folding.frames.iter().find(inside), self.folding.frames.iter().rfind(inside));
        BundledPointError::Outside { point: point.clone(), from, last, begins: time(first), ends: time(newest) }
    }
}
