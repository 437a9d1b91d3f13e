//! Plot: the ground on which each place of a world's map stands, in the order in which places were made.
//!
//! A plot remembers how much room its first place asked for, and keeps it. A place that ends leaves its plot, and the next place made beside
//! it takes that. So a map follows from the list of plots alone. Like [`density`](super::density) it follows from the frames, is no part of
//! the world hash, and stands in checkpoints.

use imbl::{OrdMap, OrdSet};

use crate::fact::canon::canon_struct;
use crate::fact::{Coords, Made, Seq, SpaceId};

/// All that is made lies between these.
const EVER: [Made; 2] = [Made { seq: 0, index: 0 }, Made { seq: u64::MAX, index: u32::MAX }];

/// The ground of one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plot {
    /// The plot in which it lies; only that of the world lies nowhere.
    pub parent: Option<Made>,
    /// The place that stands on it now.
    pub place: Option<SpaceId>,
    /// The grid for which it has room.
    pub size: Option<Coords>,
    /// The column and the row for which its source asks.
    pub at: Option<(u64, u64)>,
    /// How many beings have their home in it by the source.
    pub homes: u64,
    /// How many pieces of matter the source puts in it.
    pub things: u64,
    /// Whether the source makes it; all others take room from a neighbour.
    pub is_planted: bool,
    /// The frame that last changed it.
    pub changed: Seq,
}

canon_struct!(Plot { parent, place, size, at, homes, things, is_planted, changed });

/// All plots of a world, each by the fact that made its first place.
#[derive(Clone, Debug, Default)]
pub struct Plots {
    pub(super) plots: OrdMap<Made, Plot>,
    pub(super) under: OrdMap<SpaceId, Made>,
    pub(super) free: OrdSet<(Option<Made>, Made)>,
    since: Seq,
}

impl Plots {
    /// All of them, the oldest first.
    pub fn all(&self) -> impl Iterator<Item = (Made, &Plot)> {
        self.plots.iter().map(|(made, plot)| (*made, plot))
    }

    /// The frame from which all of them are as they are.
    pub fn since(&self) -> Seq {
        self.since
    }

    /// Puts plots back, and lists what follows from them.
    pub(super) fn gathered(plots: OrdMap<Made, Plot>) -> Self {
        let mut all = Self::default();
        plots.iter().for_each(|(made, plot)| all.list(*made, plot));
        Self { plots, ..all }
    }

    fn list(&mut self, made: Made, plot: &Plot) {
        self.since = self.since.max(plot.changed);
        match plot.place {
            Some(place) => drop(self.under.insert(place, made)),
            None => drop(self.free.insert((plot.parent, made))),
        }
    }

    pub(super) fn put(&mut self, made: Made, plot: Plot) {
        self.list(made, &plot);
        self.plots.insert(made, plot);
    }

    /// The free plot that a place takes: that at its column and row, else the oldest.
    pub(super) fn vacant(&self, parent: Option<Made>, at: Option<(u64, u64)>) -> Option<Made> {
        let [first, last] = EVER;
        let free = self.free.range((parent, first)..=(parent, last)).map(|(_, made)| *made);
        let is_meant = |made: &Made| self.plots.get(made).is_some_and(|plot| plot.at == at);
        let mut free = free.peekable();
        let oldest = free.peek().copied();
        let meant = free.find(is_meant);
        meant.or(oldest.filter(|_| at.is_none()))
    }

    /// Changes a plot in a frame.
    pub(super) fn change(&mut self, made: Option<Made>, seq: Seq, change: impl FnOnce(&mut Plot)) {
        let Some((made, mut plot)) = made.and_then(|made| Some((made, self.plots.get(&made)?.clone()))) else { return };
        let before = plot.clone();
        change(&mut plot);
        if plot != before {
            plot.changed = seq;
            self.put(made, plot);
        }
    }

    /// A place leaves its plot; while a world is planted, nothing is left of that.
    pub(super) fn leave(&mut self, place: SpaceId, seq: Seq, is_planted: bool) {
        let made = self.under.remove(&place);
        if is_planted {
            self.change(made, seq, |plot| plot.place = None);
        } else if let Some(made) = made {
            self.plots.remove(&made);
        }
    }
}
