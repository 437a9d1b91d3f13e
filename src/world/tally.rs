//! Tally: how many spaces and pieces of matter lie in a place, or with a being, at whatever depth. It follows from where things lie.

use std::collections::BTreeMap;

use crate::fact::Thing;

use super::whole::World;

impl World {
    /// How many things lie in another.
    pub fn tally(&self, within: Thing) -> u64 {
        self.tallies.get(&within).copied().unwrap_or_default()
    }

    /// A thing and all that it lies in; what a being carries is not in the place where it stands.
    pub(super) fn outward(&self, thing: Thing) -> impl Iterator<Item = Thing> {
        std::iter::successors(Some(thing), |at| match at {
            Thing::Space(id) => self.spaces.get(id)?.parent.map(Thing::Space),
            Thing::Matter(id) => Some(self.matter.get(id)?.place),
            Thing::Being(_) => None,
        })
    }

    /// A thing lies elsewhere than before, or not there any more, with all that lies in it.
    pub(super) fn tally_moved(&mut self, thing: Thing, from: Option<Thing>, to: Option<Thing>) {
        let all = self.tally(thing).saturating_add(1);
        let left: Vec<Thing> = from.into_iter().flat_map(|from| self.outward(from)).collect();
        let entered: Vec<Thing> = to.into_iter().flat_map(|to| self.outward(to)).collect();
        for place in left.iter().filter(|place| !entered.contains(place)) {
            let count = self.tally(*place).saturating_sub(all);
            if count == 0 {
                self.tallies.remove(place)
            } else {
                self.tallies.insert(*place, count)
            };
        }
        for place in entered.iter().filter(|place| !left.contains(place)) {
            *self.tallies.entry(*place).or_default() += all;
        }
    }

    /// Counts all anew, once it is known where everything lies.
    pub(super) fn tally_all(&mut self) {
        let mut all: BTreeMap<Thing, u64> = BTreeMap::new();
        let matter = self.placed.matter.iter().map(|(holder, count)| (*holder, *count as u64));
        let spaces = self.spaces.values().filter_map(|space| Some((Thing::Space(space.parent?), 1)));
        for (place, count) in matter.chain(spaces) {
            self.outward(place).for_each(|around| *all.entry(around).or_default() += count);
        }
        self.tallies = all.into_iter().collect();
    }
}
