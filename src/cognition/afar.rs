//! Afar: what the entries of a role reach beyond what is near, each by its address: what they name, and what their patterns match as far as
//! a bounded part of the world shows it.

use crate::fact::{SpaceId, Thing};
use crate::role::{Entry, Rel};
use crate::verb::{Address, Asker, Named};
use crate::world::World;

use super::near::{LISTED, Near};

/// How many things are looked through for what a pattern matches.
pub(super) const LOOKED_THROUGH: usize = 256;

/// The things that entries reach beyond those near by.
#[derive(Default)]
pub(super) struct Afar<'e> {
    pub(super) things: Vec<Thing>,
    /// Those that may match more.
    pub(super) more: Vec<&'e Entry>,
}

impl<'e> Afar<'e> {
    /// Things that entries reach far away: no more than can be listed. Near things take none of that room, so the only thing that an
    /// entry reaches always stands there.
    pub(super) fn of(asker: &Asker<'_>, near: &Near, entries: impl Iterator<Item = &'e Entry>, fits: impl Fn(Thing) -> bool) -> Self {
        let mut afar = Self::default();
        if !near.has_afar {
            return afar;
        }
        let near = &near.things;
        for entry in entries {
            let Some(sought) = sought(asker, entry, afar.things.len() < LISTED) else {
                afar.more.push(entry);
                continue;
            };
            let mut is_all = sought.len() <= LOOKED_THROUGH;
            for thing in sought.into_iter().filter(|thing| !near.contains(thing) && fits(*thing)) {
                is_all &= afar.things.len() < LISTED;
                if is_all && !afar.things.contains(&thing) {
                    afar.things.push(thing);
                }
            }
            if !is_all {
                afar.more.push(entry);
            }
        }
        afar
    }
}

/// The things that an entry reaches, searched up to a limit; `None` where it cannot be enumerated or has no room.
fn sought(asker: &Asker<'_>, entry: &Entry, has_room: bool) -> Option<Vec<Thing>> {
    let world = asker.world;
    let (glob, is_place) = match entry {
        Entry::Rel(Rel::Children | Rel::AnyChild) => {
            return Some(world.children_of(asker.actor.id).take(LOOKED_THROUGH + 1).map(Thing::Being).collect());
        }
        Entry::Rel(Rel::Predecessor) => return Some(world.predecessor(asker.actor).map(Thing::Being).into_iter().collect()),
        // All other relations lead to things near by.
        Entry::Rel(_) => return Some(Vec::new()),
        Entry::Name(glob) => (glob, false),
        Entry::Pattern(glob) => (glob, true),
        Entry::Bound { .. } => return None,
    };
    match glob.as_str() {
        name if glob.is_literal() && !is_place => name.starts_with(['/', '@']).then(|| named(asker, name).into_iter().collect()),
        // An address below a thing, such as `@ada/.flow`, names no thing.
        name if !has_room || name.contains("/.") => None,
        name if name.starts_with('@') && !is_place => {
            Some(world.living().take(LOOKED_THROUGH + 1).map(|being| Thing::Being(being.id)).collect())
        }
        name if name.starts_with('/') || is_place => {
            let top = name.split(['*', '?', '@']).next().unwrap_or_default();
            let top = top.rsplit_once('/').map_or("/", |(top, _)| if top.is_empty() { "/" } else { top });
            let top = if top.starts_with('/') { top.to_owned() } else { format!("/{top}") };
            match named(asker, &top) {
                Some(Thing::Space(space)) => Some(below(world, space, is_place)),
                _ => Some(Vec::new()),
            }
        }
        _ => None,
    }
}

/// The thing that an address names, if it exists and is not the asker.
fn named(asker: &Asker<'_>, address: &str) -> Option<Thing> {
    match address.parse::<Address>().ok()?.resolve(asker.world, asker.actor, asker.at) {
        Ok(Named::Thing(thing)) if thing != Thing::Being(asker.actor.id) => Some(thing),
        _ => None,
    }
}

/// A space and what is in it, the nearest to it first; with those who are there, if they are asked for.
fn below(world: &World, top: SpaceId, with_beings: bool) -> Vec<Thing> {
    let (mut things, mut at) = (vec![Thing::Space(top)], 0);
    while let Some(thing) = things.get(at).copied().filter(|_| things.len() <= LOOKED_THROUGH) {
        things.extend(world.matter_in(thing).take(LOOKED_THROUGH).map(|(_, id)| Thing::Matter(id)));
        if let Thing::Space(space) = thing {
            things.extend(world.spaces_in(space).take(LOOKED_THROUGH).map(|(_, id)| Thing::Space(id)));
            let beings = world.beings_in(space).filter(|_| with_beings);
            things.extend(beings.take(LOOKED_THROUGH).map(Thing::Being));
        }
        at += 1;
    }
    things
}
