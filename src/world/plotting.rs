//! Plotting: which fact gives a place its plot, and which takes it away.

use crate::fact::{Fact, Made, SpaceId, Thing};

use super::drawn::{AT, column_and_row};
use super::plot::{Plot, Plots};
use super::whole::World;

/// The paths inside that quality.
const OF_AT: &str = "look.at.";

impl World {
    /// The plots of its places.
    pub fn plots(&self) -> &Plots {
        &self.plots
    }

    /// Follows a fact that has been folded.
    pub(super) fn follow_plots(&mut self, fact: &Fact, made: Made) {
        match fact {
            Fact::SpaceMade { .. } => self.settle(SpaceId(made), made),
            // A step along the grid of the same place is none into another room.
            Fact::Moved { of: Thing::Space(space), .. } if !self.has_moved_out(*space) => {}
            Fact::Moved { of: Thing::Space(space), .. } => {
                let moved = self.within(*space);
                moved.iter().for_each(|place| self.plots.leave(*place, made.seq, self.planted));
                moved.into_iter().for_each(|place| self.settle(place, made));
            }
            Fact::Ended { of: Thing::Space(space) } => self.plots.leave(*space, made.seq, self.planted),
            Fact::QualitySet { of: Thing::Space(space), path, .. } | Fact::QualityUnset { of: Thing::Space(space), path }
                if path.as_ref() == AT || path.starts_with(OF_AT) =>
            {
                let at = self.asked_at(*space);
                self.plots.change(self.plots.under.get(space).copied(), made.seq, |plot| plot.at = at);
            }
            _ if self.planted => {}
            Fact::Sized { space, size } => self.plots.change(self.plots.under.get(space).copied(), made.seq, |plot| plot.size = *size),
            Fact::Born(birth) => self.plots.change(self.plots.under.get(&birth.home).copied(), made.seq, |plot| plot.homes += 1),
            Fact::MatterMade { place: Thing::Space(space), .. } => {
                self.plots.change(self.plots.under.get(space).copied(), made.seq, |plot| plot.things += 1);
            }
            _ => {}
        }
    }

    /// Gives a place a plot in that of its parent.
    fn settle(&mut self, place: SpaceId, made: Made) {
        let Some(space) = self.spaces.get(&place) else { return };
        let (size, parent) = (space.size, space.parent.map(|parent| self.plots.under.get(&parent).copied()));
        // Each place in the world lies in one that has a plot.
        let Some(parent) = parent.map_or(Some(None), |plot| plot.map(Some)) else { return };
        let at = self.asked_at(place);
        if let Some(free) = self.plots.vacant(parent, at).filter(|_| self.planted) {
            self.plots.free.remove(&(parent, free));
            return self.plots.change(Some(free), made.seq, |plot| plot.place = Some(place));
        }
        // A place that moves has another plot than the one that it left.
        let index = (made.index..).find(|index| !self.plots.plots.contains_key(&Made { index: *index, ..made }));
        let plot = Plot { parent, place: Some(place), size, at, homes: 0, things: 0, is_planted: !self.planted, changed: made.seq };
        self.plots.put(Made { index: index.unwrap_or(made.index), ..made }, plot);
    }

    /// Whether a place lies elsewhere than its plot does.
    fn has_moved_out(&self, place: SpaceId) -> bool {
        let of = |place: SpaceId| self.plots.under.get(&place);
        let lies_in = of(place).and_then(|made| self.plots.plots.get(made)).map(|plot| plot.parent);
        let parent = self.spaces.get(&place).and_then(|space| space.parent);
        lies_in != Some(parent.and_then(of).copied())
    }

    /// A place and all in it: each behind the one in which it lies, and those of one place as they were made.
    fn within(&self, place: SpaceId) -> Vec<SpaceId> {
        let (mut all, mut at) = (vec![place], 0);
        while let Some(place) = all.get(at) {
            let mut inner: Vec<SpaceId> = self.spaces_in(*place).map(|(_, inner)| inner).collect();
            inner.sort();
            all.append(&mut inner);
            at += 1;
        }
        all
    }

    /// The column and the row for which a place asks.
    fn asked_at(&self, place: SpaceId) -> Option<(u64, u64)> {
        column_and_row(self.spaces.get(&place)?.qualities.at(AT)?)
    }
}
