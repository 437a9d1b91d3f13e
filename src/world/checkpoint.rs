//! Checkpoint: the folded state in pages, and a world again from them.
//!
//! Everything that is folded is written; the indexes that only speed reading up follow from it and are listed again. A world that
//! has been read goes on exactly as the one that was written.

use std::collections::BTreeMap;
use std::sync::Arc;

use imbl::OrdMap;

use crate::fact::canon::{canon_enum, canon_struct};
use crate::fact::{
    BeingId, Canon, CanonError, Hash, Made, Millis, Reader, Seq, SpaceId, Text, Value, WakeId, Writer, read_page, write_pages,
};
use crate::role::{Flow, Spec};

use super::being::{Being, ChangeCount, Schedule};
use super::ledger::{Account, Period, Reservation, Spending};
use super::memory::{Recent, Remembered};
use super::quality::Qualities;
use super::registry::{Extension, RoleVersion, RuleVersion, Script};
use super::space::{Carried, Matter, Space, SpaceFlow};
use super::wake::{Body, DeadLetter, Wake};
use super::whole::{RootCount, World};

/// What a page holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Section {
    /// Where the world stands, and its signals.
    Head,
    /// The world's own configuration.
    Config,
    /// Roles.
    Roles,
    /// Scripts.
    Scripts,
    /// Extensions.
    Extensions,
    /// Beings.
    Beings,
    /// Spaces.
    Spaces,
    /// Matter.
    Matter,
    /// Open wakes.
    Wakes,
    /// Dead letters.
    Dead,
    /// Roots that still have open wakes.
    Roots,
    /// What of the past can be recalled.
    Memory,
    /// What models have cost.
    Spent,
    /// What is held back for calls.
    Held,
    /// Versions of roles in force in one space.
    LocalRoles,
    /// The world's own rules.
    Rules,
}

crate::fact::canon::canon_code!(Section {
    0 => Head,
    1 => Config,
    2 => Roles,
    3 => Scripts,
    4 => Extensions,
    5 => Beings,
    6 => Spaces,
    7 => Matter,
    8 => Wakes,
    9 => Dead,
    10 => Roots,
    11 => Memory,
    12 => Spent,
    13 => Held,
    14 => LocalRoles,
    15 => Rules,
});

struct Head {
    next: Seq,
    at: Millis,
    paused: bool,
    planted: bool,
    signals: Qualities,
}

struct KeptRole {
    name: Text,
    origin: Text,
    source: Arc<Value>,
    made: Made,
    version: u32,
}

impl KeptRole {
    fn of(name: &Text, role: &RoleVersion) -> Self {
        let (origin, source) = (role.origin.clone(), role.source.clone());
        Self { name: name.clone(), origin, source, made: role.made, version: role.version }
    }

    fn version(self) -> Option<(Text, RoleVersion)> {
        let Self { name, origin, source, made, version } = self;
        let spec = Spec::from_value(&source).ok()?;
        let hash = Hash::of(&source.to_canon());
        Some((name, RoleVersion { spec: Arc::new(spec), source, hash, origin, made, version }))
    }
}

canon_struct!(Head { next, at, paused, planted, signals });
canon_struct!(KeptRole { name, origin, source, made, version });
canon_struct!(RuleVersion { source, made });
canon_struct!(Script { name, file, source, hash, set_at });
canon_struct!(Extension { name, enabled, manifest, made });
canon_struct!(Schedule { made, set_at, timing, content, rank });
canon_struct!(Being {
    id,
    name,
    parent,
    home,
    position,
    coords,
    cognition,
    script,
    default_role,
    flow,
    grants,
    qualities,
    settings,
    key,
    born_at,
    next_n,
    last_seq,
    counted_from,
    previous_role,
    wearing,
    driver,
    paused,
    ended,
    bound_at,
    listens,
    schedules,
    looked,
    moments,
    changes,
});
canon_struct!(ChangeCount { last, withheld });
canon_struct!(Space { id, name, parent, kind, size, coords, owner, contributors, allow, qualities, settings, paused, count, flow });
canon_struct!(Matter { id, name, kind, place, coords, content, author, qualities, carried });
canon_struct!(Carried { root, depth });
canon_struct!(SpaceFlow { flow, made });
canon_struct!(Wake { id, newest, failed, root, depth, body });
canon_struct!(DeadLetter { wake, reason, at });
canon_struct!(RootCount { open, moments, continued });
canon_enum!(Body {
    0 => Summons { from, summons, content },
    1 => Signal { path },
    2 => Schedule { name, content },
    3 => Enter { space },
    4 => Arrival { who },
    5 => Hear { who, content },
    6 => Crossing,
    7 => SelfContinue,
    8 => Gesture,
    9 => End,
    10 => Watch { who, action, target, place, entry, count },
    11 => Change { wore },
});

/// As any map from what is no text.
impl Canon for OrdMap<BeingId, u64> {
    fn put(&self, w: &mut Writer) {
        w.array(self.len());
        self.iter().for_each(|(being, count)| (*being, *count).put(w));
    }
    fn take(r: &mut Reader<'_>) -> Result<Self, CanonError> {
        BTreeMap::<BeingId, u64>::take(r).map(|map| map.into_iter().collect())
    }
}

impl Canon for Qualities {
    fn put(&self, w: &mut Writer) {
        self.to_value().put(w);
    }
    fn take(r: &mut Reader<'_>) -> Result<Self, CanonError> {
        Ok(Self::from_value(&Value::take(r)?))
    }
}

impl Canon for Flow {
    fn put(&self, w: &mut Writer) {
        self.source().put(w);
    }
    fn take(r: &mut Reader<'_>) -> Result<Self, CanonError> {
        let at = r.at();
        Self::compile(&Value::take(r)?).map_err(|_| CanonError::WrongType { at, expected: "a flow" })
    }
}

impl World {
    /// Writes all folded state, page by page.
    pub fn write_checkpoint(&self, page: &mut dyn FnMut(Section, Vec<u8>)) {
        let (next, at, paused, planted, signals) = (self.next, self.at, self.paused, self.planted, self.signals.clone());
        let head = Head { next, at, paused, planted, signals };
        let first = Made::default();
        write_pages([(first, head)], &mut |bytes| page(Section::Head, bytes));
        let registry = &self.registry;
        // There are few of these, and they change seldom: one page each.
        write_pages(registry.config.iter().map(|(key, value)| (first, (key.clone(), value.clone()))), &mut |b| page(Section::Config, b));
        let roles = registry.roles.iter().map(|(name, role)| (first, KeptRole::of(name, role)));
        write_pages(roles, &mut |bytes| page(Section::Roles, bytes));
        let local = registry.local_roles.iter();
        let local = local.flat_map(|(name, places)| places.iter().map(move |(space, role)| (first, (*space, KeptRole::of(name, role)))));
        write_pages(local, &mut |bytes| page(Section::LocalRoles, bytes));
        write_pages(registry.scripts.values().map(|script| (first, script.clone())), &mut |bytes| page(Section::Scripts, bytes));
        write_pages(registry.rules.iter().map(|(name, rule)| (first, (name.clone(), rule.clone()))), &mut |b| page(Section::Rules, b));
        write_pages(registry.extensions.values().map(|item| (first, item.clone())), &mut |bytes| page(Section::Extensions, bytes));
        // Before the beings: which versions of roles are in force for them depends on where they stand.
        write_pages(self.spaces.values().map(|space| (space.id.0, space.clone())), &mut |bytes| page(Section::Spaces, bytes));
        write_pages(self.beings.values().map(|being| (being.id.0, being.clone())), &mut |bytes| page(Section::Beings, bytes));
        write_pages(self.matter.values().map(|matter| (matter.id.0, matter.clone())), &mut |bytes| page(Section::Matter, bytes));
        let wakes = self.inbox.all().map(|(being, wake)| (being.0, (being, wake.clone())));
        write_pages(wakes, &mut |bytes| page(Section::Wakes, bytes));
        let dead = self.inbox.dead().map(|(being, letter)| (being.0, (being, letter.clone())));
        write_pages(dead, &mut |bytes| page(Section::Dead, bytes));
        write_pages(self.roots.iter().map(|(root, count)| (*root, (*root, count.clone()))), &mut |bytes| page(Section::Roots, bytes));
        write_pages(self.memory.all().map(|part| (first, part)), &mut |bytes| page(Section::Memory, bytes));
        let counts = self.ledger.counts.iter().map(|(key, count)| (first, (*key, *count)));
        write_pages(counts, &mut |bytes| page(Section::Spent, bytes));
        let held = self.ledger.held.iter().map(|(key, held)| (key.0.0, (key.clone(), held.clone())));
        write_pages(held, &mut |bytes| page(Section::Held, bytes));
    }

    /// Takes one page of a checkpoint into a world without frames; the pages come in the order in which they were written.
    pub fn read_checkpoint(&mut self, section: Section, bytes: &[u8]) -> Result<(), CanonError> {
        match section {
            Section::Head => read_page(bytes, |head: Head| {
                (self.next, self.at, self.paused, self.planted) = (head.next, head.at, head.paused, head.planted);
                self.signals = head.signals;
            }),
            Section::Config => {
                let config = &mut Arc::make_mut(&mut self.registry).config;
                read_page(bytes, |(key, value)| {
                    config.insert(key, value);
                })?;
                self.hold();
                self.zone = self.zone_said();
                Ok(())
            }
            Section::Roles => {
                let roles = &mut Arc::make_mut(&mut self.registry).roles;
                read_page(bytes, |role: KeptRole| {
                    if let Some((name, version)) = role.version() {
                        roles.insert(name, version);
                    }
                })
            }
            Section::LocalRoles => {
                let roles = &mut Arc::make_mut(&mut self.registry).local_roles;
                read_page(bytes, |(space, role): (SpaceId, KeptRole)| {
                    if let Some((name, version)) = role.version() {
                        roles.entry(name).or_default().insert(space, version);
                    }
                })
            }
            Section::Scripts => {
                let scripts = &mut Arc::make_mut(&mut self.registry).scripts;
                read_page(bytes, |script: Arc<Script>| {
                    scripts.insert(script.name.clone(), script);
                })
            }
            Section::Rules => {
                let registry = Arc::make_mut(&mut self.registry);
                read_page(bytes, |(name, rule): (Text, RuleVersion)| {
                    registry.rules.insert(name, rule);
                })?;
                registry.rejudge();
                Ok(())
            }
            Section::Extensions => {
                let registry = Arc::make_mut(&mut self.registry);
                read_page(bytes, |extension: Extension| {
                    registry.extensions.insert(extension.name.clone(), extension);
                })?;
                registry.relist();
                Ok(())
            }
            Section::Beings => read_page(bytes, |being: Arc<Being>| self.place_being(being)),
            Section::Spaces => read_page(bytes, |space: Arc<Space>| {
                if let Some(parent) = space.parent {
                    self.space_names.insert((parent, space.name.clone()), space.id);
                }
                if space.flow.is_some() {
                    self.flowing.insert(space.id);
                }
                self.spaces.insert(space.id, space);
            }),
            Section::Matter => read_page(bytes, |matter: Arc<Matter>| {
                self.matter_names.insert((matter.place, matter.name.clone()), matter.id);
                self.matter.insert(matter.id, matter);
            }),
            Section::Wakes => read_page(bytes, |(being, wake): (BeingId, Wake)| {
                self.inbox.add(being, wake);
            }),
            Section::Dead => read_page(bytes, |(being, letter): (BeingId, DeadLetter)| self.inbox.bury(being, letter)),
            Section::Roots => read_page(bytes, |(root, count): (Made, RootCount)| {
                self.roots.insert(root, count);
            }),
            Section::Memory => read_page(bytes, |(of, recent): (Remembered, Recent)| self.memory.put_back(of, recent)),
            Section::Spent => read_page(bytes, |(key, count): ((Account, Period), Spending)| {
                self.ledger.counts.insert(key, count);
            }),
            Section::Held => read_page(bytes, |(key, held): ((BeingId, WakeId), Reservation)| {
                self.ledger.held.insert(key, held);
            }),
        }
    }

    /// Puts a being back, and lists what follows from it.
    fn place_being(&mut self, being: Arc<Being>) {
        let id = being.id;
        self.name(&being.name, id);
        if !being.ended {
            if let Some(parent) = being.parent {
                self.children.insert((parent, id));
            }
            self.here.insert((being.position, id));
            self.count_wearing(being.position, &being.wearing, true);
        }
        self.beings.insert(id, being);
        self.list(id);
    }
}
