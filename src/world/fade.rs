//! Fade: what decides on a stack and changes by itself, and when it does next: the clock, and numbers that fade.

use crate::fact::{Fading, Made, Millis, Text, Thing};
use crate::role::{Context, Passing, Path, Seen};

use super::being::Being;
use super::quality::{AtPath, Qualities};
use super::whole::World;

/// A being in a world in which nothing happens but that time passes.
struct Alone<'w> {
    world: &'w World,
    being: &'w Being,
}

/// The same at an instant.
struct AloneAt<'w> {
    alone: &'w Alone<'w>,
    at: Millis,
}

impl Alone<'_> {
    fn found(&self, path: &Path) -> Option<AtPath<'_>> {
        let of_space = || self.world.space(self.being.position).map(|space| &space.qualities);
        let (qualities, path): (&Qualities, &Text) = match path {
            Path::MeQuality(path) => (&self.being.qualities, path),
            Path::SpaceQuality(path) => (of_space()?, path),
            _ => return None,
        };
        qualities.found(path)
    }
}

impl Passing for Alone<'_> {
    fn at(&self, at: Millis) -> impl Context {
        AloneAt { alone: self, at }
    }

    fn fading(&self, path: &Path) -> Option<Fading> {
        if let Some(AtPath::Fading(fading)) = self.found(path) { Some(fading) } else { None }
    }
}

impl Context for AloneAt<'_> {
    fn seen(&self, path: &Path) -> Seen<'_> {
        self.alone.found(path).map_or(Seen::Null, |found| found.seen(self.at))
    }
}

impl World {
    /// The next instant after another at which what a being wears can change by itself.
    pub(super) fn next_crossing(&self, being: &Being, after: Millis) -> Option<Millis> {
        let reads = self.reads_of(being.id)?;
        let clock = if reads.time.is_empty() { None } else { reads.time.next_crossing(after, being.counted_from, self.zone) };
        clock.into_iter().chain(reads.fades.next(after, &Alone { world: self, being })).min()
    }

    /// Looks again when what those wear changes by itself for whom a quality counts that has changed.
    pub(super) fn quality_changed(&mut self, of: Thing, path: &str, made: Made) {
        match of {
            Thing::Being(id) => {
                if self.reads_of(id).is_some_and(|reads| !reads.fades.is_empty()) {
                    self.look_ahead(id, made);
                }
            }
            Thing::Space(space) => self.quality_readers(space, path).into_iter().for_each(|being| self.look_ahead(being, made)),
            Thing::Matter(_) => {}
        }
    }
}
