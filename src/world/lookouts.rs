//! Lookouts: an index from actions over places to beings: a frame asks only the watchers that it can concern.

use std::ops::Bound::Included;
use std::sync::Arc;

use imbl::{OrdMap, OrdSet};

use crate::fact::{BeingId, Made, Millis, SpaceId, Text};
use crate::role::{Entry, Glob, Rel};

use super::being::Being;

/// Stands for actions of any name.
const ANY: &str = "*";
/// The first and the last name of anything.
const FIRST: Made = Made { seq: 0, index: 0 };
const LAST: Made = Made { seq: u64::MAX, index: u32::MAX };

/// The beings that watch, by action and place.
#[derive(Clone, Debug, Default)]
pub(super) struct Watchers {
    actions: OrdMap<Text, Lookouts>,
    /// The entries of each being in the index.
    pub(super) listed: OrdMap<BeingId, Arc<WatchList>>,
}

/// The watches of a being in order, and the places where it is listed for them.
#[derive(Clone, Debug)]
pub(super) struct WatchList {
    pub(super) watched: Vec<Watched>,
    places: Vec<(Text, Spot)>,
}

/// The watchers of one action, or of one namespace, by where it is done.
#[derive(Clone, Debug, Default)]
pub(super) struct Lookouts {
    anywhere: OrdSet<BeingId>,
    spaces: OrdSet<(SpaceId, BeingId)>,
    beings: OrdSet<(BeingId, BeingId)>,
    kin: OrdSet<(BeingId, BeingId)>,
    paths: OrdSet<(Text, BeingId)>,
}

/// Where an entry looks.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Spot {
    Anywhere,
    Nowhere,
    Space(SpaceId),
    Being(BeingId),
    Kin(BeingId),
    Path(Text),
}

/// One watch, and how long its wearer rests after an act before the watch wakes it.
#[derive(Clone, Debug)]
pub(super) struct Watched {
    pub(super) entry: Entry,
    pub(super) rest: Millis,
}

impl Watchers {
    /// The keys under which an action is listed: its name, its namespace, or any.
    fn key(entry: &Entry) -> Option<Text> {
        let (Entry::Name(action) | Entry::Bound { action, .. }) = entry else { return None };
        Some(match action.as_str().split_once(':') {
            _ if action.is_literal() => action.as_str().into(),
            Some((ns, _)) if !ns.contains(['*', '?']) => format!("{ns}:").into(),
            _ => ANY.into(),
        })
    }

    pub(super) fn list(&mut self, being: &Being, watched: Vec<Watched>) {
        let places: Vec<_> =
            watched.iter().filter_map(|watched| Some((Self::key(&watched.entry)?, place(&watched.entry, being)))).collect();
        for (key, place) in &places {
            put(self.actions.entry(key.clone()).or_default(), place, being.id, true);
        }
        self.listed.insert(being.id, Arc::new(WatchList { watched, places }));
    }

    pub(super) fn unlist(&mut self, being: BeingId) {
        let Some(listed) = self.listed.remove(&being) else { return };
        for (key, place) in &listed.places {
            let Some(watching) = self.actions.get_mut(key) else { continue };
            put(watching, place, being, false);
            if watching.is_empty() {
                self.actions.remove(key);
            }
        }
    }

    pub(super) fn of(&self, action: &str) -> impl Iterator<Item = &Lookouts> {
        let ns = action.split_once(':').map(|(ns, _)| format!("{ns}:"));
        let named = [self.actions.get(action), ns.and_then(|ns| self.actions.get(ns.as_str())), self.actions.get(ANY)];
        named.into_iter().flatten()
    }
}

fn put(watching: &mut Lookouts, place: &Spot, being: BeingId, yes: bool) {
    macro_rules! put {
        ($set:expr, $key:expr) => {
            if yes { $set.insert($key).is_some() } else { $set.remove(&$key).is_some() }
        };
    }
    let _ = match place {
        Spot::Nowhere => false,
        Spot::Anywhere => put!(watching.anywhere, being),
        Spot::Space(space) => put!(watching.spaces, (*space, being)),
        Spot::Being(of) => put!(watching.beings, (*of, being)),
        Spot::Kin(parent) => put!(watching.kin, (*parent, being)),
        Spot::Path(path) => put!(watching.paths, (path.clone(), being)),
    };
}

impl Lookouts {
    fn is_empty(&self) -> bool {
        self.anywhere.is_empty() && self.spaces.is_empty() && self.beings.is_empty() && self.kin.is_empty() && self.paths.is_empty()
    }
}

/// Where something has happened: all that an index is asked by.
pub(super) struct Scene {
    /// The space in which it lies.
    pub(super) space: Option<SpaceId>,
    /// The being that it is, or that holds it.
    pub(super) being: Option<BeingId>,
    /// Its parent, where it is a being.
    pub(super) parent: Option<BeingId>,
    /// The addresses at and above it.
    pub(super) paths: Vec<Text>,
}

impl Lookouts {
    /// Whether any address matters.
    pub(super) fn asks_paths(&self) -> bool {
        !self.paths.is_empty()
    }

    /// Everybody who may mean what has happened in a scene.
    pub(super) fn gather(&self, scene: &Scene, into: &mut Vec<BeingId>) {
        into.extend(self.anywhere.iter().copied());
        into.extend(scene.space.into_iter().flat_map(|space| at(&self.spaces, space)));
        into.extend(scene.being.into_iter().flat_map(|being| at(&self.beings, being)));
        into.extend(scene.parent.into_iter().flat_map(|parent| at(&self.kin, parent)));
        if self.asks_paths() {
            into.extend(scene.paths.iter().flat_map(|path| at(&self.paths, path.clone())));
        }
    }
}

fn at<K: Ord + Clone>(set: &OrdSet<(K, BeingId)>, key: K) -> impl Iterator<Item = BeingId> {
    set.range((Included((key.clone(), BeingId(FIRST))), Included((key, BeingId(LAST))))).map(|(_, being)| *being)
}

fn place(entry: &Entry, being: &Being) -> Spot {
    let parent = being.parent;
    let Entry::Bound { on: Some(on), .. } = entry else { return Spot::Anywhere };
    match on.as_ref() {
        Entry::Rel(Rel::Here) => Spot::Space(being.position),
        Entry::Rel(Rel::Home) => Spot::Space(being.home),
        Entry::Rel(Rel::SelfRel) => Spot::Being(being.id),
        Entry::Rel(Rel::Parent) => parent.map_or(Spot::Nowhere, Spot::Being),
        Entry::Rel(Rel::Children | Rel::AnyChild) => Spot::Kin(being.id),
        Entry::Rel(Rel::Predecessor) => parent.map_or(Spot::Nowhere, Spot::Kin),
        // Nobody has called whoever is only about to be woken.
        Entry::Rel(Rel::Caller) => Spot::Nowhere,
        Entry::Name(glob) => anchor(glob).map_or(Spot::Anywhere, Spot::Path),
        Entry::Pattern(glob) => Glob::new(&format!("/{glob}")).ok().and_then(|glob| anchor(&glob)).map_or(Spot::Anywhere, Spot::Path),
        Entry::Bound { .. } => Spot::Nowhere,
    }
}

/// The address below which all lies that a glob over addresses can match, where it names one.
fn anchor(glob: &Glob) -> Option<Text> {
    let text = glob.as_str();
    if !text.starts_with(['/', '@']) {
        return None;
    }
    let head = text.find(['*', '?']).unwrap_or(text.len());
    let fixed = text.get(..head)?;
    let end = if head == text.len() { head } else { fixed.rfind('/')? };
    // A pattern names whoever stands somewhere behind the place.
    let end = fixed.get(1..end).and_then(|rest| rest.find('@')).map_or(end, |at| at + 1);
    text.get(..end).map(|anchor| anchor.trim_end_matches('/')).filter(|anchor| !anchor.is_empty()).map(Text::from)
}
