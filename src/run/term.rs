//! Term: from where to where a run is to go. It is kept beside the log, so that a run that was cut off is taken up by the same command,
//! and one run or ten stamp the same frames.

use std::path::{Path, PathBuf};

use crate::fact::Millis;
use crate::store::{ClockFile, StoreError};
use crate::world::World;

use super::clock::{Pace, wall};
use super::course::Until;

/// The newest run's term, and where it is kept; in memory alone where a world has no directory.
#[derive(Default)]
pub(super) struct Term {
    dir: Option<PathBuf>,
    clock: Option<ClockFile>,
}

impl Term {
    /// That of the world in a directory.
    pub(super) fn of(dir: &Path) -> Result<Self, StoreError> {
        Ok(Self { dir: Some(dir.to_owned()), clock: ClockFile::load(dir)? })
    }

    /// Begins a run: where world time stands, and where it is to end. It is durable before anything happens.
    pub(super) fn begin(&mut self, until: &Until, pace: Pace, world: &World) -> Result<(Millis, Option<Millis>), StoreError> {
        let now = if pace == Pace::Real { wall().max(world.now()) } else { world.now() };
        let from = self.taken_up(until).or_else(|| self.ended(pace)).unwrap_or(now);
        let ends = [until.duration.map(|duration| from.saturating_add(duration)), until.instant];
        // Whichever comes first; within the years that a clock can be read in.
        let target = ends.into_iter().flatten().min().map(|end| end.clamp(*ClockFile::CALENDAR.start(), *ClockFile::CALENDAR.end()));
        let position = self.position().map_or(from, |position| position.max(from));
        self.keep(ClockFile { from, target, position, done: false })?;
        Ok((now, target))
    }

    /// Where the run began that the same words ask to be gone on with.
    fn taken_up(&self, until: &Until) -> Option<Millis> {
        let clock = self.clock.filter(|clock| !clock.done)?;
        let is_the_same = until.duration.is_some_and(|duration| clock.target == Some(clock.from.saturating_add(duration)));
        is_the_same.then_some(clock.from)
    }

    /// Where the newest run ended as it was told to: a thought that takes long may have closed beyond it, and the next span begins here all the
    /// same.
    fn ended(&self, pace: Pace) -> Option<Millis> {
        let clock = self.clock.filter(|clock| clock.done && clock.target == Some(clock.position) && pace != Pace::Real)?;
        Some(clock.position)
    }

    /// Ends a run where world time stands then. With the wall clock it goes on by itself.
    pub(super) fn end(&mut self, position: Millis, done: bool, pace: Pace) -> Result<(), StoreError> {
        let Some(clock) = self.clock else { return Ok(()) };
        let target = clock.target.filter(|_| !done || pace != Pace::Real);
        self.keep(ClockFile { target, position: position.max(clock.position).min(*ClockFile::CALENDAR.end()), done, ..clock })
    }

    fn position(&self) -> Option<Millis> {
        self.clock.map(|clock| clock.position)
    }

    fn keep(&mut self, clock: ClockFile) -> Result<(), StoreError> {
        self.clock = Some(clock);
        self.dir.as_deref().map_or(Ok(()), |dir| clock.save(dir))
    }
}
