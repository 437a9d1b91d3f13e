//! Watch: the wakes of beings that watch a thing when something happens to it, and how such a wake goes on.
//!
//! A happening is an act, or one of its facts under the name of the core operation that does the same. A frame asks only the watchers
//! whose entry can mean that action at that place, however many watch elsewhere.

use std::collections::BTreeMap;

use crate::fact::{
    BeingId, Closing, Content, Draft, Fact, Made, MatterId, Millis, Rank, SpaceId, Text, Thing, Trigger, Value, Verb, WakeKind,
};

use super::address::{Address, Named};
use super::being::Being;
use super::called::address_of;
use super::fold::Cause;
use super::lookouts::{Scene, Watched};
use super::standpoint::Standpoint;
use super::wake::{Body, Wake};
use super::whole::World;

/// The most beings that one thing that happens wakes by their watches; of more, those born first.
const WOKEN_MAX: usize = 1_024;

/// Something that has happened to a thing.
struct Occurrence<'a> {
    action: &'a str,
    thing: Thing,
    ns: &'a str,
}

/// The beings that a happening concerns, each with the place of its first entry that means it; and the space where it happened.
#[derive(Default)]
pub(super) struct Concerned {
    who: BTreeMap<BeingId, usize>,
    space: Option<SpaceId>,
}

/// An act of which no fact bears the name, and whom it concerns.
pub(super) struct ActConcerned {
    action: Text,
    thing: Thing,
    concerned: Concerned,
}

/// The addresses at and above a thing; for a being, those of where it stands too.
fn paths_of(world: &World, thing: Thing) -> Vec<Text> {
    let mut addresses = vec![address_of(world, thing)];
    if let Thing::Being(id) = thing {
        addresses.extend(world.being(id).map(|being| world.path_of(being.position)));
    }
    let above = |address: &String| {
        let borders = address.match_indices('/').map(|(border, _)| border).filter(|border| *border > 0).chain([address.len()]);
        borders.filter_map(|border| address.get(..border).map(Text::from)).collect::<Vec<_>>()
    };
    addresses.iter().flat_map(above).collect()
}

/// The core operation that a fact does, on what, and in which namespace.
fn deed_of(fact: &Fact) -> Option<Occurrence<'_>> {
    let (action, thing, path) = match fact {
        Fact::QualitySet { of, path, .. } => ("quality.set", *of, Some(path)),
        Fact::QualityUnset { of, path } => ("quality.unset", *of, Some(path)),
        Fact::QualityInc { of, path, .. } => ("quality.inc", *of, Some(path)),
        Fact::QualityPush { of, path, .. } => ("quality.push", *of, Some(path)),
        Fact::Signalled { path, .. } => ("signal.set", Thing::Space(SpaceId::ROOT), Some(path)),
        Fact::Moved { of, .. } => ("move", *of, None),
        Fact::MatterMade { place, .. } => ("matter.make", *place, None),
        Fact::Filled { matter, .. } => ("matter.set", Thing::Matter(*matter), None),
        Fact::Named { of: of @ Thing::Matter(_), .. } => ("matter.set", *of, None),
        Fact::Named { of, .. } => ("space.set", *of, None),
        Fact::Sized { space, .. } => ("space.set", Thing::Space(*space), None),
        Fact::SpaceMade { parent: Some(parent), .. } => ("space.make", Thing::Space(*parent), None),
        Fact::Ended { of: of @ Thing::Matter(_) } => ("matter.end", *of, None),
        Fact::Ended { of: of @ Thing::Space(_) } => ("space.end", *of, None),
        Fact::Ended { of: of @ Thing::Being(_) } => ("be.end", *of, None),
        Fact::Claimed { of, .. } => ("claim.set", *of, None),
        Fact::ClaimEnded { of } => ("claim.end", *of, None),
        Fact::Said { space, .. } => ("say", Thing::Space(*space), None),
        // Changes to authority, to registries and to minds are known by the act alone.
        _ => return None,
    };
    let ns = path.and_then(|path| path.split('.').next()).unwrap_or_default();
    Some(Occurrence { action, thing, ns })
}

impl World {
    /// The watches of a being, over all roles that it may come to wear: also those that are out of scope, so that happenings meanwhile
    /// wait for it.
    fn watches(&self, being: &Being) -> Vec<Watched> {
        let specs = self.named_for(being).filter_map(|role| self.version_at(role, being.position)).map(|role| &role.spec);
        let mut watches: Vec<Watched> = Vec::new();
        for spec in specs {
            for entry in spec.watch.iter().filter(|_| spec.trigger_on.contains(&Trigger::Watch)) {
                if !watches.iter().any(|watched| watched.entry == *entry) {
                    watches.push(Watched { entry: entry.clone(), rest: spec.rest.unwrap_or(0) });
                }
            }
        }
        watches
    }

    /// Lists what a being watches for.
    pub(super) fn list_watches(&mut self, being: &Being) {
        let watched = self.watches(being);
        if !watched.is_empty() {
            self.watchers.list(being, watched);
        }
    }

    /// Takes off the list what a being watches for.
    pub(super) fn unlist_watches(&mut self, being: BeingId) {
        if self.is_watched() {
            self.watchers.unlist(being);
        }
    }

    /// Lists anew what a being watches for, which has come to stand or to live somewhere else.
    pub(super) fn relist_watches(&mut self, id: BeingId) {
        if self.watchers.listed.contains_key(&id)
            && let Some(being) = self.beings.get(&id).cloned()
        {
            self.unlist_watches(id);
            self.list_watches(&being);
        }
    }

    /// Whether anybody watches for anything.
    pub(super) fn is_watched(&self) -> bool {
        !self.watchers.listed.is_empty()
    }

    /// The beings that a deed concerns, without its doer, as the world is now.
    fn concerned(&self, deed: &Occurrence<'_>, by: BeingId) -> Concerned {
        let (mut scene, mut asked) = (self.scene(deed.thing), Vec::new());
        for lookouts in self.watchers.of(deed.action) {
            if lookouts.asks_paths() && scene.paths.is_empty() {
                scene.paths = paths_of(self, deed.thing);
            }
            lookouts.gather(&scene, &mut asked);
        }
        asked.sort_unstable();
        asked.dedup();
        let matches = |id: BeingId| {
            let being = self.beings.get(&id).filter(|being| !being.ended)?;
            let standpoint = Standpoint { world: self, being, caller: None, at: self.at };
            let covers = |watched: &Watched| standpoint.covers(&watched.entry, deed.action, deed.thing, Some(deed.ns));
            Some((id, self.watchers.listed.get(&id)?.watched.iter().position(covers)?))
        };
        let who = asked.into_iter().filter(|being| *being != by).filter_map(matches).take(WOKEN_MAX).collect();
        Concerned { who, space: scene.space }
    }

    /// A thing as the index asks for it; its addresses are told where they matter.
    fn scene(&self, thing: Thing) -> Scene {
        let being = match thing {
            Thing::Being(id) => Some(id),
            Thing::Matter(id) => self.holder_of(id),
            Thing::Space(_) => None,
        };
        let parent = if let Thing::Being(id) = thing { self.beings.get(&id).and_then(|being| being.parent) } else { None };
        Scene { space: self.space_of(thing), being, parent, paths: Vec::new() }
    }

    /// The beings that an ending or a move concerns before it is folded: afterwards the thing is gone from there.
    pub(super) fn concerned_before(&self, fact: &Fact, by: BeingId) -> Concerned {
        match deed_of(fact) {
            Some(deed) if matches!(fact, Fact::Ended { .. } | Fact::Moved { .. }) => self.concerned(&deed, by),
            _ => Concerned::default(),
        }
    }

    /// Opens the wakes of those whom a fact concerns, now that it is folded.
    pub(super) fn watched(&mut self, fact: &Fact, index: u32, cause: &Cause, before: Concerned) {
        let Some(deed) = deed_of(fact) else { return };
        let (mut concerned, now) = (before, self.concerned(&deed, cause.being));
        concerned.space = now.space.or(concerned.space);
        for (being, entry) in now.who {
            concerned.who.entry(being).and_modify(|first| *first = entry.min(*first)).or_insert(entry);
        }
        // The wake is about the new matter, which is carried on from here.
        let made = MatterId(Made { seq: cause.seq, index });
        let about = if matches!(fact, Fact::MatterMade { .. }) { Thing::Matter(made) } else { deed.thing };
        self.wake_watchers(&deed, about, (index, cause), &concerned);
    }

    /// Opens the wakes of those who watch for the end of a claim that ends with its holder or its thing, or since that is given away; the claims
    /// that one fact ends so are counted.
    pub(super) fn let_go_watched(&mut self, thing: Thing, count: u32, cause: &Cause) {
        let deed = Occurrence { action: "claim.end", thing, ns: "" };
        let concerned = self.concerned(&deed, cause.being);
        // No fact has such an index, and no two of these are the same wake.
        self.wake_watchers(&deed, thing, (u32::MAX - count, cause), &concerned);
    }

    /// An act that none of its facts stands for by name, and the beings that it concerns before any of them is folded.
    pub(super) fn concerned_by_act(&self, draft: &Draft) -> Option<ActConcerned> {
        let call = draft.call.as_ref().filter(|_| draft.closing == Closing::Act)?;
        let action: Text = match call.verb {
            Verb::Do => call.action.clone(),
            Verb::Be => format!("be.{}", call.action).into(),
            Verb::See | Verb::Summon => return None,
        };
        if self.watchers.of(&action).next().is_none() || draft.facts.iter().filter_map(deed_of).any(|deed| deed.action == action.as_ref()) {
            return None;
        }
        let thing = self.target_of(draft)?;
        let concerned = self.concerned(&Occurrence { action: &action, thing, ns: namespace(draft) }, draft.being);
        Some(ActConcerned { action, thing, concerned })
    }

    /// Opens the wakes of those whom an act concerns.
    pub(super) fn act_watched(&mut self, act: ActConcerned, cause: &Cause) {
        let ActConcerned { action, thing, concerned } = act;
        self.wake_watchers(&Occurrence { action: &action, thing, ns: "" }, thing, (u32::MAX, cause), &concerned);
    }

    /// The target of an act, resolved as its call names it for its maker.
    fn target_of(&self, draft: &Draft) -> Option<Thing> {
        let (call, being) = (draft.call.as_ref()?, self.beings.get(&draft.being)?);
        match call.verb {
            Verb::Do if call.target.is_empty() => Some(Thing::Space(SpaceId::ROOT)),
            Verb::Do => match call.target.parse::<Address>().ok()?.resolve(self, being, self.at) {
                Ok(Named::Thing(thing)) => Some(thing),
                _ => None,
            },
            Verb::Be => Some(Thing::Being(being.id)),
            Verb::See | Verb::Summon => None,
        }
    }

    fn wake_watchers(&mut self, deed: &Occurrence<'_>, about: Thing, (index, cause): (u32, &Cause), concerned: &Concerned) {
        for (id, at) in &concerned.who {
            let Some(being) = self.beings.get(id).cloned() else { continue };
            let Some(listed) = self.watchers.listed.get(id).cloned() else { continue };
            let Some(watched) = listed.watched.get(*at) else { continue };
            let body = Body::Watch {
                who: cause.being,
                action: deed.action.into(),
                target: deed.thing,
                place: concerned.space.unwrap_or(SpaceId::ROOT),
                entry: watched.entry.to_value().to_string().into(),
                count: 1,
            };
            let mut wake = cause.wake(WakeKind::Watch, Rank::Normal, index, body);
            (wake.root, wake.depth) = self.carried_by(about, &wake);
            wake.id.due = wake.id.due.max(being.counted_from.saturating_add(watched.rest));
            if let Body::Watch { entry, .. } = &wake.body {
                wake.id.due = self.watch_rested(&being, entry, wake.id.due);
            }
            self.add_wake(*id, wake);
        }
    }

    /// The wake of a watch as it goes on once a moment has closed it: after an act one less of what has happened is left, and what happened
    /// after it had opened has not been seen yet. A look ends it otherwise.
    ///
    /// Its rest is the one by which it acted: the act itself may have taken the watch off the list.
    pub(super) fn watches_on(&self, being: BeingId, open: &Wake, draft: &Draft) -> Option<Wake> {
        let Body::Watch { count, entry, .. } = &open.body else { return None };
        let (left, due) = match draft.closing {
            Closing::Act => (count.saturating_sub(1), draft.at.saturating_add(self.rest_of(being, entry))),
            _ if open.newest.seq >= draft.opened => (*count, draft.at),
            _ => (0, draft.at),
        };
        let mut wake = open.clone();
        if let Body::Watch { count, .. } = &mut wake.body {
            *count = left;
        }
        (wake.id.due, wake.id.cause, wake.failed, wake.failure, wake.looked) = (due, open.newest, 0, None, 0);
        (left > 0).then_some(wake)
    }

    /// Lets a being that has acted rest: what it watches for waits so long.
    pub(super) fn rest(&mut self, id: BeingId, at: Millis) {
        if self.watchers.listed.get(&id).is_none_or(|listed| listed.watched.iter().all(|watched| watched.rest == 0)) {
            return;
        }
        let open: Vec<Wake> = self.inbox.of(id).filter(|wake| wake.id.kind == WakeKind::Watch).map(|wake| (**wake).clone()).collect();
        for mut wake in open {
            let Body::Watch { entry, .. } = &wake.body else { continue };
            let due = at.saturating_add(self.rest_of(id, entry));
            if wake.id.due < due {
                self.inbox.remove(id, &wake.id);
                wake.id.due = due;
                self.inbox.add(id, wake);
            }
        }
    }

    /// How long a being rests after an act before a watch wakes it again.
    fn rest_of(&self, being: BeingId, entry: &str) -> Millis {
        let named = |watched: &&Watched| watched.entry.to_value().to_string() == entry;
        self.watchers.listed.get(&being).and_then(|listed| listed.watched.iter().find(named)).map_or(0, |watched| watched.rest)
    }

    /// The root and depth of what happens to a thing: its own, where it was brought in.
    fn carried_by(&self, thing: Thing, wake: &Wake) -> (Option<Made>, u32) {
        let carried = if let Thing::Matter(id) = thing { self.matter.get(&id).and_then(|matter| matter.carried) } else { None };
        carried.map_or((wake.root, wake.depth), |carried| (Some(carried.root), carried.depth.saturating_add(1)))
    }
}

/// The namespace that the arguments of an act name.
fn namespace(draft: &Draft) -> &str {
    let Some(Content::Here(args)) = draft.call.as_ref().map(|call| &call.args) else { return "" };
    args.get("path").and_then(Value::as_str).and_then(|path| path.split('.').next()).unwrap_or_default()
}
