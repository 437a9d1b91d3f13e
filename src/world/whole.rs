//! Whole: one world as of one seq, and what anybody may read of it.

use std::collections::BTreeSet;
use std::ops::Bound;
use std::sync::Arc;

use chrono_tz::Tz;
use imbl::{OrdMap, OrdSet};

use crate::fact::{
    BeingId, Coords, Lineage, Made, MatterId, Millis, SEALS, SEALS_BATCH, Seq, SpaceId, Text, Thing, Trigger, Value, WorldId,
};
use crate::role::Path;

use super::aside::Aside;
use super::being::Being;
use super::brake::Repeats;
use super::chapter::Chapters;
use super::claim::Claims;
use super::density::Density;
use super::hue::Hues;
use super::in_force::InForce;
use super::inbox::Inbox;
use super::index::Concern;
use super::ledger::Ledger;
use super::look::looks;
use super::lookouts::Watchers;
use super::memo::WornMemo;
use super::memory::Memory;
use super::paid::Paid;
use super::placed::Placed;
use super::plot::Plots;
use super::quality::Qualities;
use super::questions::Questions;
use super::registry::Registry;
use super::space::{Matter, Space};

pub(super) const FIRST: Made = Made { seq: 0, index: 0 };
pub(super) const LAST: Made = Made { seq: u64::MAX, index: u32::MAX };

/// The key of the configuration that says how many moments a round holds at most; it is fixed when a world begins.
pub const ROUNDS_MAX: &str = "rounds.max";
/// How many where nothing else was said.
pub const ROUND_MOMENTS: i64 = 8192;

/// How many wakes of one root are open, and how many moments it has had while any was.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RootCount {
    /// Open wakes.
    pub open: u64,
    /// Moments closed.
    pub moments: u64,
    /// How often a model was asked in it.
    pub calls: u64,
    /// The being that began it; none where time did, or the world itself.
    pub began: Option<BeingId>,
    /// Whether it has heard that no model is asked any more.
    pub is_told: bool,
    /// How often each being went on by itself in it: set back by nothing but the root's end.
    pub continued: OrdMap<BeingId, u64>,
    /// The receipts that came to models in it: from whom, and to whom.
    pub receipts: BTreeSet<(BeingId, BeingId)>,
    /// The calls that each being has made in it, with how they ended.
    pub repeats: OrdMap<BeingId, Repeats>,
}

/// One world as of one seq.
#[derive(Clone, Debug)]
pub struct World {
    pub(super) lineage: Arc<Lineage>,
    pub(super) next: Seq,
    pub(super) at: Millis,
    pub(super) aside: Aside,
    pub(super) zone: Tz,
    pub(super) paused: bool,
    pub(super) planted: bool,
    pub(super) beings: OrdMap<BeingId, Arc<Being>>,
    pub(super) names: OrdMap<Text, BeingId>,
    pub(super) looks: OrdSet<Text>,
    pub(super) children: OrdSet<(BeingId, BeingId)>,
    pub(super) spaces: OrdMap<SpaceId, Arc<Space>>,
    pub(super) space_names: OrdMap<(SpaceId, Text), SpaceId>,
    pub(super) here: OrdSet<(SpaceId, BeingId)>,
    pub(super) driven: OrdSet<(BeingId, BeingId)>,
    pub(super) placed: Placed,
    pub(super) tallies: OrdMap<Thing, u64>,
    pub(super) minds: OrdSet<(SpaceId, BeingId)>,
    pub(super) listening: OrdSet<(SpaceId, Trigger, BeingId)>,
    pub(super) wearing: OrdMap<(SpaceId, Text), u64>,
    pub(super) matter: OrdMap<MatterId, Arc<Matter>>,
    pub(super) matter_names: OrdMap<(Thing, Text), MatterId>,
    pub(super) signals: Qualities,
    pub(super) readers: OrdSet<(Text, BeingId)>,
    pub(super) of_place: OrdSet<(SpaceId, Path, BeingId)>,
    pub(super) shared: OrdSet<(Path, BeingId)>,
    pub(super) heeding: u64,
    pub(super) watchers: Watchers,
    pub(super) wearers: OrdSet<(Text, BeingId)>,
    pub(super) listed: OrdMap<BeingId, Arc<Concern>>,
    pub(super) flowing: OrdSet<SpaceId>,
    pub(super) registry: Arc<Registry>,
    pub(super) held_world: Arc<InForce>,
    pub(super) held: OrdMap<SpaceId, Arc<InForce>>,
    pub(super) inbox: Inbox,
    pub(super) roots: OrdMap<Made, RootCount>,
    pub(super) claims: Claims,
    pub(super) memory: Memory,
    pub(super) questions: Questions,
    pub(super) owner: Option<(u64, Text)>,
    pub(super) ledger: Ledger,
    pub(super) paid: Paid,
    pub(super) chapters: Chapters,
    pub(super) density: Density,
    pub(super) plots: Plots,
    pub(super) hues: Hues,
    pub(super) worn_memo: WornMemo,
}

impl World {
    /// A world before its first frame.
    pub fn new(id: WorldId) -> Self {
        Self::of(Arc::new(Lineage::plain(id)))
    }

    /// A world before its first frame that is to come to be a fork, or none.
    pub fn of(lineage: Arc<Lineage>) -> Self {
        Self {
            lineage,
            next: 0,
            at: 0,
            aside: Aside::default(),
            zone: Tz::UTC,
            paused: false,
            planted: false,
            beings: OrdMap::new(),
            names: OrdMap::new(),
            looks: OrdSet::new(),
            children: OrdSet::new(),
            spaces: OrdMap::new(),
            space_names: OrdMap::new(),
            here: OrdSet::new(),
            driven: OrdSet::new(),
            placed: Placed::default(),
            tallies: OrdMap::new(),
            minds: OrdSet::new(),
            listening: OrdSet::new(),
            wearing: OrdMap::new(),
            matter: OrdMap::new(),
            matter_names: OrdMap::new(),
            signals: Qualities::default(),
            readers: OrdSet::new(),
            of_place: OrdSet::new(),
            shared: OrdSet::new(),
            heeding: 0,
            watchers: Watchers::default(),
            wearers: OrdSet::new(),
            listed: OrdMap::new(),
            flowing: OrdSet::new(),
            registry: Arc::default(),
            held_world: Arc::default(),
            held: OrdMap::new(),
            inbox: Inbox::default(),
            roots: OrdMap::new(),
            claims: Claims::default(),
            memory: Memory::default(),
            questions: Questions::default(),
            owner: None,
            ledger: Ledger::default(),
            paid: Paid::default(),
            chapters: Chapters::default(),
            density: Density::default(),
            plots: Plots::default(),
            hues: Hues::default(),
            worn_memo: WornMemo::default(),
        }
    }

    /// Its id outside: in the past of a fork, its parent's.
    pub fn id(&self) -> WorldId {
        self.lineage.reign(self.next).world
    }

    /// From which worlds it comes.
    pub fn lineage(&self) -> &Arc<Lineage> {
        &self.lineage
    }

    /// Whether it goes on from another world's past.
    pub fn is_fork(&self) -> bool {
        self.lineage.reign(self.next).began > 0
    }

    /// Whether a being has no key yet in the fork that the world now is: its next frame gives it one.
    pub fn lacks_key(&self, being: &Being) -> bool {
        being.last_seq < self.lineage.reign(self.next).began
    }

    /// The seq of the next frame: everything below it is folded in.
    pub fn next_seq(&self) -> Seq {
        self.next
    }

    /// World time: when the last frame closed.
    pub fn at(&self) -> Millis {
        self.at
    }

    /// World time: that of the last frame, or where the clock stands beyond it. Moments never ask it: theirs is the instant at which they open.
    pub fn now(&self) -> Millis {
        self.at.max(self.aside.clock)
    }

    /// Lets world time stand at an instant, unless it has come further.
    pub fn stand(&mut self, at: Millis) {
        self.aside.clock = self.aside.clock.max(at);
    }

    /// Where who wrote the last frame stood before it: what a being does may move it. Nothing where it was born by that frame.
    pub fn stood(&self) -> Option<(SpaceId, Option<Coords>)> {
        self.aside.stood
    }

    /// The world's zone.
    pub fn zone(&self) -> Tz {
        self.zone
    }

    /// Whether the whole world is paused.
    pub fn is_paused(&self) -> bool {
        self.paused
    }

    /// A being, ended ones too.
    pub fn being(&self, id: BeingId) -> Option<&Arc<Being>> {
        self.beings.get(&id)
    }

    /// The being of that name, ended ones too.
    pub fn being_named(&self, name: &str) -> Option<&Arc<Being>> {
        self.being(*self.names.get(name)?)
    }

    /// Whether its source has been planted.
    pub fn is_planted(&self) -> bool {
        self.planted
    }

    /// Whether some being's name, an ended one's too, looks like this one.
    pub fn looks_taken(&self, name: &str) -> bool {
        looks(name).iter().any(|look| self.looks.contains(look))
    }

    /// All beings in order of birth, ended ones too.
    pub fn beings(&self) -> impl ExactSizeIterator<Item = &Arc<Being>> {
        self.beings.values()
    }

    /// The living beings in order of birth, without those of genesis, which run the world and live in no place of it.
    pub fn living(&self) -> impl Iterator<Item = &Arc<Being>> {
        self.beings().filter(|being| !being.ended && being.id.0.seq > 0)
    }

    /// The being from whom the operator's rights flow: named by the configuration.
    pub fn operator(&self) -> BeingId {
        let name = self.registry.config.get("operator").and_then(|value| value.as_text().cloned());
        name.and_then(|name| self.names.get(&name).copied()).unwrap_or(BeingId::WORLD)
    }

    /// A being's living children, in order of birth.
    pub fn children_of(&self, parent: BeingId) -> impl Iterator<Item = BeingId> {
        let range = (Bound::Included((parent, BeingId(FIRST))), Bound::Included((parent, BeingId(LAST))));
        self.children.range(range).map(|(_, child)| *child)
    }

    /// The beings whose newest lease is that of a driver, in order of birth; it may have run out.
    pub fn driven_by(&self, driver: BeingId) -> impl Iterator<Item = &Arc<Being>> {
        let driven = self.driven.range((driver, BeingId(FIRST))..=(driver, BeingId(LAST)));
        driven.filter_map(|(_, being)| self.being(*being))
    }

    /// The living being born before another of the same parent; found at once, however many there are.
    pub fn predecessor(&self, being: &Being) -> Option<BeingId> {
        let parent = being.parent?;
        let before = (Bound::Included((parent, BeingId(FIRST))), Bound::Excluded((parent, being.id)));
        self.children.range(before).next_back().map(|(_, sibling)| *sibling)
    }

    /// Whether one being is above another in the tree of births.
    pub fn is_ancestor(&self, above: BeingId, below: BeingId) -> bool {
        let mut at = self.being(below).and_then(|being| being.parent);
        while let Some(parent) = at {
            if parent == above {
                return true;
            }
            at = self.being(parent).and_then(|being| being.parent);
        }
        false
    }

    /// The beings above one, its parent first.
    pub fn ancestors(&self, being: &Being) -> impl Iterator<Item = &Arc<Being>> {
        let above = |being: &Being| being.parent.and_then(|parent| self.being(parent));
        std::iter::successors(above(being), move |being| above(being))
    }

    /// A space that is there.
    pub fn space(&self, id: SpaceId) -> Option<&Arc<Space>> {
        self.spaces.get(&id)
    }

    /// All spaces, in the order of their making.
    pub fn spaces(&self) -> impl ExactSizeIterator<Item = &Arc<Space>> {
        self.spaces.values()
    }

    /// The space of that name in a space.
    pub fn child_space(&self, parent: SpaceId, name: &str) -> Option<SpaceId> {
        self.space_names.get(&(parent, Text::from(name))).copied()
    }

    /// The spaces in a space, by name.
    pub fn spaces_in(&self, parent: SpaceId) -> impl Iterator<Item = (&Text, SpaceId)> {
        let from = Bound::Included((parent, Text::from("")));
        self.space_names.range((from, Bound::Unbounded)).take_while(move |((of, _), _)| *of == parent).map(|((_, name), id)| (name, *id))
    }

    /// The beings that stand in a space, in order of birth.
    pub fn beings_in(&self, space: SpaceId) -> impl Iterator<Item = BeingId> {
        let range = (Bound::Included((space, BeingId(FIRST))), Bound::Included((space, BeingId(LAST))));
        self.here.range(range).map(|(_, being)| *being)
    }

    /// How many beings stand anywhere.
    pub fn standing(&self) -> usize {
        self.here.len()
    }

    /// Those of them for whom a person or a model thinks.
    pub(super) fn minds_in(&self, space: SpaceId) -> impl Iterator<Item = BeingId> {
        self.minds.range((space, BeingId(FIRST))..=(space, BeingId(LAST))).map(|(_, being)| *being)
    }

    /// How many beings in a space wore a role in their last moment.
    pub fn wearing(&self, space: SpaceId, role: &str) -> u64 {
        self.wearing.get(&(space, Text::from(role))).copied().unwrap_or(0)
    }

    /// A piece of matter that is there.
    pub fn matter(&self, id: MatterId) -> Option<&Arc<Matter>> {
        self.matter.get(&id)
    }

    /// All matter, in the order of its making.
    pub fn all_matter(&self) -> impl ExactSizeIterator<Item = &Arc<Matter>> {
        self.matter.values()
    }

    /// The matter of that name in a holder.
    pub fn matter_named(&self, holder: Thing, name: &str) -> Option<MatterId> {
        self.matter_names.get(&(holder, Text::from(name))).copied()
    }

    /// The matter in a holder, by name.
    pub fn matter_in(&self, holder: Thing) -> impl Iterator<Item = (&Text, MatterId)> {
        let from = Bound::Included((holder, Text::from("")));
        self.matter_names.range((from, Bound::Unbounded)).take_while(move |((of, _), _)| *of == holder).map(|((_, name), id)| (name, *id))
    }

    /// The qualities of a thing that is there.
    pub fn qualities(&self, of: Thing) -> Option<&Qualities> {
        match of {
            Thing::Being(id) => self.beings.get(&id).map(|being| &being.qualities),
            Thing::Space(id) => self.spaces.get(&id).map(|space| &space.qualities),
            Thing::Matter(id) => self.matter.get(&id).map(|matter| &matter.qualities),
        }
    }

    /// The space that a thing lies in, at whatever depth: a space lies in itself.
    pub fn space_of(&self, thing: Thing) -> Option<SpaceId> {
        let mut at = thing;
        loop {
            match at {
                Thing::Space(id) => return Some(id),
                Thing::Being(id) => return self.being(id).map(|being| being.position),
                Thing::Matter(id) => at = self.matter(id)?.place,
            }
        }
    }

    /// The being that holds a piece of matter, at whatever depth.
    pub fn holder_of(&self, matter: MatterId) -> Option<BeingId> {
        let mut at = Thing::Matter(matter);
        loop {
            match at {
                Thing::Space(_) => return None,
                Thing::Being(id) => return Some(id),
                Thing::Matter(id) => at = self.matter(id)?.place,
            }
        }
    }

    /// A space and those above it, up to the root.
    pub fn upward(&self, space: SpaceId) -> impl Iterator<Item = &Arc<Space>> {
        std::iter::successors(self.space(space), |space| self.space(space.parent?))
    }

    /// Where a space lies, as an address.
    pub fn path_of(&self, space: SpaceId) -> String {
        let mut names: Vec<&str> = self.upward(space).filter(|space| space.parent.is_some()).map(|space| space.name.as_ref()).collect();
        names.reverse();
        format!("/{}", names.join("/"))
    }

    /// The signals.
    pub fn signals(&self) -> &Qualities {
        &self.signals
    }

    /// The beings who may come to wear something else when a signal changes.
    pub fn readers_of(&self, path: &Text) -> impl Iterator<Item = BeingId> {
        let range = (Bound::Included((path.clone(), BeingId(FIRST))), Bound::Included((path.clone(), BeingId(LAST))));
        self.readers.range(range).map(|(_, being)| *being)
    }

    /// The signals that any flow reads.
    pub fn read_signals(&self) -> Vec<Text> {
        let mut paths: Vec<Text> = self.readers.iter().map(|(path, _)| path.clone()).collect();
        paths.dedup();
        paths
    }

    /// Whether what some being may wear hangs on a signal, on a part of it or on what it is part of.
    pub fn is_read(&self, signal: &str) -> bool {
        !self.paths_read_around(&signal.into()).is_empty()
    }

    /// The beings that may come to wear a role.
    pub fn wearers_of(&self, role: &Text) -> impl Iterator<Item = BeingId> {
        let range = (Bound::Included((role.clone(), BeingId(FIRST))), Bound::Included((role.clone(), BeingId(LAST))));
        self.wearers.range(range).map(|(_, being)| *being)
    }

    /// The registry of roles, scripts and extensions.
    pub fn registry(&self) -> &Arc<Registry> {
        &self.registry
    }

    /// The zone as the world says it.
    pub(super) fn zone_said(&self) -> Tz {
        self.world_setting("zone").as_str().and_then(|name| name.parse().ok()).unwrap_or(Tz::UTC)
    }

    /// Whether its seals cover the frames of scripts and models.
    pub fn seals_in_batches(&self) -> bool {
        self.registry.config.get(SEALS).and_then(|value| value.as_str()) == Some(SEALS_BATCH)
    }

    /// How many moments a round holds at most.
    pub fn round_moments(&self) -> usize {
        let said = self.registry.config.get(ROUNDS_MAX).and_then(|value| value.as_int());
        usize::try_from(said.unwrap_or(ROUND_MOMENTS)).unwrap_or(1).max(1)
    }

    /// The open wakes and dead letters.
    pub fn inbox(&self) -> &Inbox {
        &self.inbox
    }

    /// The epoch and the name of the process that owns it, where a copy outside keeps its history.
    pub fn owner(&self) -> Option<&(u64, Text)> {
        self.owner.as_ref()
    }

    /// The memory of places, of pairs of beings and of minds.
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// How much one root has caused while it is open.
    pub fn root_count(&self, root: Made) -> Option<&RootCount> {
        self.roots.get(&root)
    }

    /// How often a being went on by itself in one root, and how often it may.
    pub fn continued(&self, being: BeingId, root: Option<Made>) -> (u64, u64) {
        let count = root.and_then(|root| self.roots.get(&root)).and_then(|count| count.continued.get(&being));
        (count.copied().unwrap_or(0), self.beings.get(&being).map_or(0, |being| self.count_setting("brakes.continue", being)))
    }

    /// The ledger of spend on models, with the reservations for calls under way.
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// The chapters of the past.
    pub fn chapters(&self) -> &Chapters {
        &self.chapters
    }

    /// The hues of its roles.
    pub fn hues(&self) -> &Hues {
        &self.hues
    }

    /// How much there was in the past, and when.
    pub fn density(&self) -> &Density {
        &self.density
    }

    /// The costs of asking models since the world began.
    pub fn paid(&self) -> &Paid {
        &self.paid
    }

    /// Whether a being, a space that it stands in, or the world is paused.
    pub fn holds_still(&self, being: &Being) -> bool {
        self.paused || being.paused || self.upward(being.position).any(|space| space.paused)
    }

    /// The address of what is paused where a being holds still: the world, the space nearest to it, or the being.
    pub fn still_at(&self, being: &Being) -> Option<Text> {
        let space = || self.upward(being.position).find(|space| space.paused).map(|space| self.path_of(space.id).into());
        let own = || being.paused.then(|| format!("@{}", being.name).into());
        if self.paused { Some("/".into()) } else { space().or_else(own) }
    }

    /// The name of a being, as an address.
    pub fn name_of(&self, being: BeingId) -> Value {
        self.being(being).map_or(Value::Null, |being| Value::from(format!("@{}", being.name)))
    }

    /// The bare name of a thing.
    pub fn thing_name(&self, thing: Thing) -> Option<&Text> {
        match thing {
            Thing::Being(id) => self.beings.get(&id).map(|being| &being.name),
            Thing::Space(id) => self.spaces.get(&id).map(|space| &space.name),
            Thing::Matter(id) => self.matter.get(&id).map(|matter| &matter.name),
        }
    }
}
