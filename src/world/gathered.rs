//! Gathered: the folded state again from the pages of checkpoints: those of all of it first, then of what has changed since, one after another.
//!
//! Pages are read into plain maps, so that several threads can read at once and a thing that changed often is placed once. A world that
//! has been gathered goes on exactly as the one that was written.

use std::collections::BTreeMap;
use std::sync::Arc;

use imbl::{OrdMap, OrdSet};

use crate::fact::{BeingId, CanonError, Changes, Lineage, Made, MatterId, SpaceId, Text, Thing, Value, WakeId, WakeKind, read_changes};

use super::being::Being;
use super::chapter::Chapter;
use super::checkpoint::{Head, KeptRole, Section};
use super::claim::Claim;
use super::density::Stretch;
use super::diary::Mention;
use super::happening::Happening;
use super::hue::{Hue, Hues};
use super::inbox::Inbox;
use super::ledger::{Account, Period, Reservation, Spending};
use super::look::looks;
use super::memory::Recent;
use super::paid::{PaidBy, Sum};
use super::plot::{Plot, Plots};
use super::questions::{Questions, Unanswered};
use super::registry::{Extension, RuleVersion, Script};
use super::space::{Matter, Space};
use super::stems::{LANGUAGES, StemLanguages};
use super::wake::{DeadLetter, Wake};
use super::whole::{RootCount, World};

/// As many beings as are worth a second thread.
const MANY: usize = 1_000;

/// The folded state in parts.
#[derive(Default)]
pub struct Gathered {
    head: Changes<u64, Head>,
    config: Changes<Text, Arc<Value>>,
    roles: Changes<Text, KeptRole>,
    local_roles: Changes<(Text, SpaceId), KeptRole>,
    scripts: Changes<Text, Arc<Script>>,
    rules: Changes<Text, RuleVersion>,
    extensions: Changes<Text, Extension>,
    spaces: Changes<SpaceId, Arc<Space>>,
    beings: Changes<BeingId, Arc<Being>>,
    matter: Changes<MatterId, Arc<Matter>>,
    wakes: Changes<(BeingId, WakeId), Arc<Wake>>,
    dead: Changes<(BeingId, Made, WakeKind), Arc<DeadLetter>>,
    roots: Changes<Made, RootCount>,
    places: Changes<SpaceId, Recent>,
    between: Changes<(BeingId, BeingId), Recent>,
    own: Changes<BeingId, Recent>,
    diaries: Changes<(BeingId, u32), Arc<Happening>>,
    found: Changes<(BeingId, Text, u32), Arc<Vec<Mention>>>,
    spent: Changes<(Account, Period), Spending>,
    held: Changes<(BeingId, WakeId), Reservation>,
    paid: Changes<(PaidBy, Text), Sum>,
    chapters: Changes<u64, Arc<Chapter>>,
    density: Changes<u64, Stretch>,
    claims: Changes<Thing, Claim>,
    questions: Changes<BeingId, Arc<Vec<Unanswered>>>,
    plots: Changes<Made, Plot>,
    hues: Changes<Text, Hue>,
}

/// The changed entries that are still there.
fn stands<K, V>(changes: Changes<K, V>) -> impl Iterator<Item = (K, V)> {
    changes.into_iter().filter_map(|(key, value)| Some((key, value?)))
}

impl Gathered {
    /// Takes one page.
    pub fn take(&mut self, section: Section, bytes: &[u8]) -> Result<(), CanonError> {
        match section {
            Section::Head => read_changes(bytes, &mut self.head),
            Section::Config => read_changes(bytes, &mut self.config),
            Section::Roles => read_changes(bytes, &mut self.roles),
            Section::LocalRoles => read_changes(bytes, &mut self.local_roles),
            Section::Scripts => read_changes(bytes, &mut self.scripts),
            Section::Rules => read_changes(bytes, &mut self.rules),
            Section::Extensions => read_changes(bytes, &mut self.extensions),
            Section::Spaces => read_changes(bytes, &mut self.spaces),
            Section::Beings => read_changes(bytes, &mut self.beings),
            Section::Matter => read_changes(bytes, &mut self.matter),
            Section::Wakes => read_changes(bytes, &mut self.wakes),
            Section::Dead => read_changes(bytes, &mut self.dead),
            Section::Roots => read_changes(bytes, &mut self.roots),
            Section::Places => read_changes(bytes, &mut self.places),
            Section::Between => read_changes(bytes, &mut self.between),
            Section::Own => read_changes(bytes, &mut self.own),
            Section::Diaries => read_changes(bytes, &mut self.diaries),
            Section::Found => read_changes(bytes, &mut self.found),
            Section::Spent => read_changes(bytes, &mut self.spent),
            Section::Held => read_changes(bytes, &mut self.held),
            Section::Paid => read_changes(bytes, &mut self.paid),
            Section::Chapters => read_changes(bytes, &mut self.chapters),
            Section::Density => read_changes(bytes, &mut self.density),
            Section::Claims => read_changes(bytes, &mut self.claims),
            Section::Questions => read_changes(bytes, &mut self.questions),
            Section::Plots => read_changes(bytes, &mut self.plots),
            Section::Hues => read_changes(bytes, &mut self.hues),
        }
    }

    /// Takes what others have read of later pages.
    pub fn follow(&mut self, mut later: Self) {
        self.head.append(&mut later.head);
        self.config.append(&mut later.config);
        self.roles.append(&mut later.roles);
        self.local_roles.append(&mut later.local_roles);
        self.scripts.append(&mut later.scripts);
        self.rules.append(&mut later.rules);
        self.extensions.append(&mut later.extensions);
        self.spaces.append(&mut later.spaces);
        self.beings.append(&mut later.beings);
        self.matter.append(&mut later.matter);
        self.wakes.append(&mut later.wakes);
        self.dead.append(&mut later.dead);
        self.roots.append(&mut later.roots);
        self.places.append(&mut later.places);
        self.between.append(&mut later.between);
        self.own.append(&mut later.own);
        self.diaries.append(&mut later.diaries);
        self.found.append(&mut later.found);
        self.spent.append(&mut later.spent);
        self.held.append(&mut later.held);
        self.paid.append(&mut later.paid);
        self.chapters.append(&mut later.chapters);
        self.density.append(&mut later.density);
        self.claims.append(&mut later.claims);
        self.questions.append(&mut later.questions);
        self.plots.append(&mut later.plots);
        self.hues.append(&mut later.hues);
    }

    /// The world of which these are the parts; none if they do not say where it stands.
    pub fn world(mut self, lineage: Arc<Lineage>) -> Option<World> {
        let head = self.head.remove(&0)??;
        let mut world = World::of(lineage);
        (world.next, world.at, world.paused, world.planted) = (head.next, head.at, head.paused, head.planted);
        (world.signals, world.owner) = (head.signals, head.owner);
        self.register(&mut world);
        stands(self.spaces).for_each(|(_, space)| world.place_space(space));
        world.hold();
        let beings: Vec<Arc<Being>> = stands(self.beings).map(|(_, being)| being).collect();
        let (wakes, dead) = (self.wakes, self.dead);
        // Independent parts are put together at the same time, where there is much of them.
        let inbox = || inbox(wakes, dead);
        if beings.len() < MANY {
            world.inbox = inbox();
            (world.names, world.looks) = names(&beings);
            world.place_beings(&beings);
        } else {
            std::thread::scope(|scope| {
                let others = scope.spawn(|| (inbox(), names(&beings)));
                world.place_beings(&beings);
                (world.inbox, (world.names, world.looks)) = others.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            });
        }
        // The versions of roles in force for beings depend on where they stand, and their watches on what there is.
        beings.iter().for_each(|being| world.list(being.id));
        for (id, matter) in stands(self.matter) {
            world.matter_names.insert((matter.place, matter.name.clone()), id);
            world.placed.moved(Thing::Matter(id), None, Some((matter.place, matter.coords)));
            world.matter.insert(id, matter);
        }
        world.tally_all();
        world.roots = stands(self.roots).collect();
        world.memory.places = stands(self.places).collect();
        world.memory.between = stands(self.between).collect();
        world.memory.own = stands(self.own).collect();
        if let Some(languages) = world.registry.config.get(LANGUAGES) {
            world.memory.diaries.languages = StemLanguages::read(languages);
        }
        world.memory.diaries.entries = stands(self.diaries).collect();
        world.memory.diaries.found = stands(self.found).collect();
        world.ledger.counts = stands(self.spent).collect();
        world.ledger.held = stands(self.held).collect();
        world.paid.sums = stands(self.paid).collect();
        world.chapters.chapters = stands(self.chapters).collect();
        world.density.stretches = stands(self.density).collect();
        world.claims = stands(self.claims).collect();
        world.questions = Questions(stands(self.questions).collect());
        world.plots = Plots::gathered(stands(self.plots).collect());
        world.hues = Hues(stands(self.hues).collect());
        Some(world)
    }

    /// Puts back what may be used.
    fn register(&mut self, world: &mut World) {
        let registry = Arc::make_mut(&mut world.registry);
        registry.config = stands(std::mem::take(&mut self.config)).collect();
        let roles = stands(std::mem::take(&mut self.roles));
        registry.roles = roles.filter_map(|(name, role)| Some((name, role.version()?))).collect();
        for ((name, space), role) in stands(std::mem::take(&mut self.local_roles)) {
            if let Some(version) = role.version() {
                registry.local_roles.entry(name).or_default().insert(space, version);
            }
        }
        registry.scripts = stands(std::mem::take(&mut self.scripts)).collect();
        registry.rules = stands(std::mem::take(&mut self.rules)).collect();
        registry.extensions = stands(std::mem::take(&mut self.extensions)).collect();
        registry.rejudge();
        registry.relist();
        world.hold();
        world.zone = world.zone_said();
    }
}

impl World {
    /// Puts a space back, and lists what follows from it.
    fn place_space(&mut self, space: Arc<Space>) {
        if let Some(parent) = space.parent {
            self.space_names.insert((parent, space.name.clone()), space.id);
        }
        if space.flow.is_some() {
            self.flowing.insert(space.id);
        }
        self.spaces.insert(space.id, space);
    }

    /// Puts beings back; what they may come to wear is listed when all of them stand.
    fn place_beings(&mut self, beings: &[Arc<Being>]) {
        let mut wearing: BTreeMap<(SpaceId, Text), u64> = BTreeMap::new();
        for being in beings.iter().filter(|being| !being.ended) {
            if let Some(parent) = being.parent {
                self.children.insert((parent, being.id));
            }
            self.here.insert((being.position, being.id));
            self.placed.moved(Thing::Being(being.id), None, Some((Thing::Space(being.position), being.coords)));
            if being.cognition.remembers() {
                self.minds.insert((being.position, being.id));
            }
            being.wearing.iter().for_each(|role| *wearing.entry((being.position, role.clone())).or_default() += 1);
        }
        self.driven = beings.iter().filter_map(|being| Some((being.driver?.0, being.id))).collect();
        self.wearing = wearing.into_iter().collect();
        self.beings = beings.iter().map(|being| (being.id, being.clone())).collect();
    }
}

/// The beings by their names, and the looks that are taken.
fn names(beings: &[Arc<Being>]) -> (OrdMap<Text, BeingId>, OrdSet<Text>) {
    let names = beings.iter().map(|being| (being.name.clone(), being.id)).collect();
    (names, beings.iter().flat_map(|being| looks(&being.name)).collect())
}

fn inbox(wakes: Changes<(BeingId, WakeId), Arc<Wake>>, dead: Changes<(BeingId, Made, WakeKind), Arc<DeadLetter>>) -> Inbox {
    let mut inbox = Inbox::default();
    for ((being, _), wake) in stands(wakes) {
        inbox.add(being, Arc::unwrap_or_clone(wake));
    }
    inbox.dead = stands(dead).collect();
    inbox
}
