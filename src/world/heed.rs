//! Heed: an index of the beings that a fact may leave wearing something else, so that no other is asked.
//!
//! A path of a place is listed by the place and the path, and a path that belongs to nobody by the path alone. Each being is asked
//! what it wears before the first fact that may concern it: no fact before that has changed it.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound::{Included, Unbounded};
use std::sync::Arc;

use crate::fact::{BeingId, Closing, Code, Draft, Fact, SpaceId, Text, Thing};
use crate::role::{Path, overlap};

use super::scope::EXTENSIONS;
use super::whole::{FIRST, LAST, World};

/// The roles that each being wore before the first fact that may concern it.
#[derive(Default)]
pub(super) struct Wore(BTreeMap<BeingId, Arc<[Text]>>);

impl Wore {
    /// Each with what it wore, in order of birth.
    pub(super) fn all(self) -> impl Iterator<Item = (BeingId, Arc<[Text]>)> {
        self.0.into_iter()
    }
}

/// Whether a path is no being's own and lies in no one space.
fn is_shared(path: &Path) -> bool {
    matches!(path, Path::MePosition | Path::MeHome | Path::InTreeOf(_) | Path::SpaceOwner)
}

impl World {
    /// Lists a being under what it reads of the space in which it stands, or takes it out.
    pub(super) fn list_paths_in(&mut self, space: SpaceId, id: BeingId, paths: &BTreeSet<Path>, yes: bool) {
        for path in paths.iter().filter(|path| path.is_of_place()) {
            let key = (space, path.clone(), id);
            let _ = if yes { self.of_place.insert(key) } else { self.of_place.remove(&key) };
        }
    }

    /// The same of what is nobody's own; whoever reads anything at all is counted.
    pub(super) fn list_shared(&mut self, id: BeingId, paths: &BTreeSet<Path>, yes: bool) {
        if !paths.is_empty() {
            self.heeding = if yes { self.heeding.saturating_add(1) } else { self.heeding.saturating_sub(1) };
        }
        for path in paths.iter().filter(|path| is_shared(path)) {
            let key = (path.clone(), id);
            let _ = if yes { self.shared.insert(key) } else { self.shared.remove(&key) };
        }
    }

    /// Those in a space who read this of it.
    fn readers_in(&self, space: SpaceId, path: Path) -> impl Iterator<Item = BeingId> {
        let range = (Included((space, path.clone(), BeingId(FIRST))), Included((space, path, BeingId(LAST))));
        self.of_place.range(range).map(|(_, _, being)| *being)
    }

    /// Those in a space who read a quality of it at, above or below a path.
    pub(super) fn quality_readers(&self, space: SpaceId, path: &str) -> Vec<BeingId> {
        let above = path.match_indices('.').filter_map(|(end, _)| path.get(..end));
        let at = above.chain([path]).flat_map(|path| self.readers_in(space, Path::SpaceQuality(path.into())));
        let prefix = format!("{path}.");
        let from = Included((space, Path::SpaceQuality(prefix.as_str().into()), BeingId(FIRST)));
        let below = self.of_place.range((from, Unbounded)).map_while(|(of, path, being)| match path {
            Path::SpaceQuality(path) if *of == space && path.starts_with(&prefix) => Some(*being),
            _ => None,
        });
        at.chain(below).collect()
    }

    fn sharers(&self, path: Path) -> impl Iterator<Item = BeingId> {
        let range = (Included((path.clone(), BeingId(FIRST))), Included((path, BeingId(LAST))));
        self.shared.range(range).map(|(_, being)| *being)
    }

    /// Those who may come to wear a role of an extension.
    fn wearers_from(&self, extension: &str) -> Vec<BeingId> {
        let prefix = format!("{extension}:");
        let from = (Included((Text::from(prefix.as_str()), BeingId(FIRST))), Unbounded);
        self.wearers.range(from).take_while(|(role, _)| role.starts_with(&prefix)).map(|(_, being)| *being).collect()
    }

    fn reads_any(&self, id: BeingId, is_meant: impl Fn(&Path) -> bool) -> Option<BeingId> {
        // In most worlds hardly anybody reads anything.
        if self.heeding == 0 {
            return None;
        }
        self.reads_of(id).filter(|reads| reads.paths.iter().any(is_meant)).map(|_| id)
    }

    /// Asks all whom a fact may concern what they wear, before it is folded.
    pub(super) fn heed(&self, fact: &Fact, draft: &Draft, wore: &mut Wore) {
        let mut asked = Vec::new();
        match fact {
            Fact::QualitySet { of, path, .. }
            | Fact::QualityUnset { of, path }
            | Fact::QualityInc { of, path, .. }
            | Fact::QualityPush { of, path, .. } => match of {
                Thing::Being(id) => asked.extend(self.reads_any(*id, |read| matches!(read, Path::MeQuality(read) if overlap(read, path)))),
                Thing::Space(space) => asked = self.quality_readers(*space, path),
                Thing::Matter(_) => {}
            },
            Fact::Moved { of: Thing::Being(id), to: Thing::Space(to), .. } => self.heed_walk(*id, *to, &mut asked),
            Fact::Moved { of: Thing::Space(space), .. } => {
                asked = self.beings_within(*space);
                asked.extend(self.sharers(Path::MeHome));
            }
            Fact::Named { of: Thing::Space(space), .. } => {
                let of_place = self.readers_in(*space, Path::SpaceName).chain(self.readers_in(*space, Path::SpaceType));
                asked.extend(of_place.chain(self.sharers(Path::MePosition)).chain(self.sharers(Path::MeHome)));
            }
            Fact::OwnerSet { space, .. } => asked.extend(self.readers_in(*space, Path::SpaceOwner)),
            Fact::Born(birth) => {
                asked.extend(self.readers_in(birth.home, Path::SpaceCount));
                asked.extend(self.sharers(Path::InTreeOf(birth.name.clone())));
            }
            Fact::Ended { of: Thing::Being(id) } => self.heed_end(*id, &mut asked),
            Fact::HomeSet { being, .. } => {
                asked.extend(self.reads_any(*being, |read| matches!(read, Path::MeHome | Path::InHomeSpace)));
            }
            // These change what it wears, whatever its flow reads.
            Fact::FlowSet { being, .. }
            | Fact::DefaultRoleSet { being, .. }
            | Fact::CognitionSet { being, .. }
            | Fact::Inhabited { being, .. }
            | Fact::Released { being } => asked.push(*being),
            Fact::RoleSet { name, .. } => asked.extend(self.wearers_of(name)),
            Fact::RoleSetIn { space, name, .. } => {
                let is_inside =
                    |id: &BeingId| self.beings.get(id).is_some_and(|being| self.upward(being.position).any(|around| around.id == *space));
                asked.extend(self.wearers_of(name).filter(is_inside));
            }
            Fact::FlowSetIn { space, .. } | Fact::Ended { of: Thing::Space(space) } => asked = self.beings_within(*space),
            Fact::ExtensionSet { name, .. } => asked = self.wearers_from(name),
            Fact::ConfigSet { key, .. } if key.as_ref() == EXTENSIONS => asked = self.beings_within(SpaceId::ROOT),
            Fact::ConfigSetIn { of: Thing::Space(space), key, .. } if key.as_ref() == EXTENSIONS => asked = self.beings_within(*space),
            _ => {}
        }
        self.ask(asked, draft, wore);
    }

    /// Asks those for whom what every frame changes of its own being may count: what it wore, which is counted where it stands.
    pub(super) fn heed_stamp(&self, draft: &Draft, wore: &mut Wore) {
        let Some(being) = self.beings.get(&draft.being) else { return };
        if matches!(&draft.closing, Closing::Requeued(reason) if reason.code == Code::Asking) {
            return;
        }
        let mut asked = Vec::new();
        if draft.closing == Closing::Act {
            asked.extend(self.reads_any(being.id, |read| *read == Path::MePreviousRole));
        }
        let new = draft.stack.iter().map(|worn| &worn.role);
        if !being.wearing.iter().eq(new.clone()) {
            asked
                .extend(being.wearing.iter().chain(new).flat_map(|role| self.readers_in(being.position, Path::SpaceWearing(role.clone()))));
        }
        self.ask(asked, draft, wore);
    }

    fn ask(&self, asked: Vec<BeingId>, draft: &Draft, wore: &mut Wore) {
        for id in asked {
            if let Some(being) = self.beings.get(&id).filter(|being| !being.ended)
                && !wore.0.contains_key(&id)
            {
                let waits = || self.reads_of(id).is_some_and(|reads| reads.time.opaque || !reads.time.since_s.is_empty());
                // That it has acted now, and so waits anew, time says: it is no change.
                let worn = if id == draft.being && draft.closing == Closing::Act && waits() {
                    let mut acted = (**being).clone();
                    acted.counted_from = draft.at;
                    self.unwoken(&acted, draft.at).roles().cloned().collect()
                } else {
                    self.worn_now(being, draft.at)
                };
                wore.0.insert(id, worn);
            }
        }
    }

    fn heed_walk(&self, id: BeingId, to: SpaceId, asked: &mut Vec<BeingId>) {
        let Some(being) = self.beings.get(&id) else { return };
        if being.position == to {
            asked.extend(self.reads_any(id, |read| matches!(read, Path::CoordsX | Path::CoordsY | Path::CoordsZ)));
            return;
        }
        // Where roles or flows are a place's own, going there may be all that is needed.
        if !self.registry.local_roles.is_empty() || !self.flowing.is_empty() {
            asked.push(id);
        }
        let is_own = |read: &Path| {
            read.is_of_place() || matches!(read, Path::CoordsX | Path::CoordsY | Path::CoordsZ | Path::InHomeSpace | Path::MePosition)
        };
        asked.extend(self.reads_any(id, is_own));
        self.heed_count(being.position, &being.wearing, asked);
        self.heed_count(to, &being.wearing, asked);
    }

    /// Those in a space who count who is there, and what of it they wear.
    fn heed_count(&self, space: SpaceId, wearing: &[Text], asked: &mut Vec<BeingId>) {
        asked.extend(self.readers_in(space, Path::SpaceCount));
        asked.extend(wearing.iter().flat_map(|role| self.readers_in(space, Path::SpaceWearing(role.clone()))));
    }

    /// Those for whom a being's end may count: who stands with it, on its ground, and whom it drives.
    fn heed_end(&self, id: BeingId, asked: &mut Vec<BeingId>) {
        let Some(being) = self.beings.get(&id) else { return };
        self.heed_count(being.position, &being.wearing, asked);
        asked.extend(self.sharers(Path::SpaceOwner));
        if being.cognition == crate::fact::Cognition::Human {
            asked.extend(self.driven_by(id).map(|being| being.id));
        }
    }
}
