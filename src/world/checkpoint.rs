//! Checkpoint: the changes of the folded state since another seq, in pages; since nothing, all of it.
//!
//! Everything that is folded is written; the indexes that only speed reading up follow from it and are listed again where it is
//! gathered. The parts that two worlds of one history share are not compared, so that pages cost by what has changed.

use std::collections::BTreeMap;
use std::sync::Arc;

use imbl::OrdMap;

use crate::fact::canon::{canon_enum, canon_struct};
use crate::fact::{BeingId, Canon, CanonError, Hash, Made, Millis, Reader, Seq, SpaceId, Text, Value, Writer, write_changes, write_few};
use crate::role::{Flow, Spec};

use super::approval::{Approval, ApprovalAnswer};
use super::being::{Attempted, Being, LookedAt, Looks, Missed, Schedule, Withheld};
use super::poll::{Ballot, Poll, Polled};
use super::quality::Qualities;
use super::registry::{Extension, Registry, RoleVersion, RuleVersion, Script};
use super::space::{Carried, Matter, Space, SpaceFlow};
use super::wake::{Body, DeadLetter, Wake};
use super::whole::{RootCount, World};

/// The kind of entries in a page.
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
    /// The memory of places.
    Places,
    /// The spend on models by account and period.
    Spent,
    /// The reservations for calls under way.
    Held,
    /// Versions of roles in force in one space.
    LocalRoles,
    /// The world's own rules.
    Rules,
    /// The memory between beings.
    Between,
    /// The memory of minds.
    Own,
    /// The sums paid for models in all.
    Paid,
    /// The chapters of the past.
    Chapters,
    /// The entries of diaries.
    Diaries,
    /// The word index of diaries.
    Found,
    /// How much there was of the past.
    Density,
    /// Claims on things.
    Claims,
    /// The questions of people.
    Questions,
    /// The ground of each place on a map.
    Plots,
    /// The hues of roles.
    Hues,
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
    11 => Places,
    12 => Spent,
    13 => Held,
    14 => LocalRoles,
    15 => Rules,
    16 => Between,
    17 => Own,
    18 => Paid,
    19 => Chapters,
    20 => Diaries,
    21 => Found,
    22 => Density,
    23 => Claims,
    24 => Questions,
    25 => Plots,
    26 => Hues,
});

/// Where the world stands.
pub(super) struct Head {
    pub(super) next: Seq,
    pub(super) at: Millis,
    pub(super) paused: bool,
    pub(super) planted: bool,
    pub(super) signals: Qualities,
    pub(super) owner: Option<(u64, Text)>,
}

/// A version of a role without what follows from its source.
pub(super) struct KeptRole {
    origin: Text,
    source: Arc<Value>,
    made: Made,
    version: u32,
}

impl KeptRole {
    fn of(role: &RoleVersion) -> Self {
        Self { origin: role.origin.clone(), source: role.source.clone(), made: role.made, version: role.version }
    }

    /// The version again; none if the source is no role, which no page says.
    pub(super) fn version(self) -> Option<RoleVersion> {
        let Self { origin, source, made, version } = self;
        let spec = Spec::from_value(&source).ok()?;
        let hash = Hash::of(&source.to_canon());
        Some(RoleVersion { spec: Arc::new(spec), source, hash, origin, made, version })
    }
}

canon_struct!(Head { next, at, paused, planted, signals, owner });
canon_struct!(KeptRole { origin, source, made, version });
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
    panel,
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
    missed,
    moments,
    withheld,
    brakes,
});
canon_struct!(Withheld { last_change, changes, words });
canon_struct!(LookedAt { address, from, words });
canon_struct!(Looks { now, before });
canon_struct!(Missed { deed, reason });
canon_struct!(Attempted { verb, action, target });
canon_struct!(Space { id, name, parent, kind, size, coords, owner, contributors, allow, qualities, settings, paused, frozen, count, flow });
canon_struct!(Matter { id, name, kind, place, coords, content, author, qualities, carried });
canon_struct!(Carried { root, depth });
canon_struct!(SpaceFlow { flow, made });
canon_struct!(Wake { id, newest, failed, failure, looked, quiet, root, depth, asked, approval, body });
canon_struct!(Approval { asked, by, request, until, told, said });
canon_enum!(ApprovalAnswer { 0 => Yes { by }, 1 => No { by, why } });
canon_struct!(DeadLetter { wake, reason, at });
canon_struct!(RootCount { open, moments, calls, began, is_told, continued, receipts, repeats });
canon_enum!(Body {
    0 => Summons { from, driver, summons, content },
    1 => Signal { path },
    2 => Schedule { name, content },
    3 => Enter { space },
    4 => Arrival { who },
    5 => Hear { hearing },
    6 => Crossing,
    7 => SelfContinue { only },
    8 => Gesture,
    9 => End,
    10 => Watch { who, action, target, place, entry, count },
    11 => Change { wore },
    12 => ReplyDue { about, poll },
    13 => Boot { since },
});
canon_struct!(Poll { decide, asked, until });
canon_struct!(Polled { member, asked, ballot });
canon_struct!(Ballot { call, at });

/// As any map from what is no text.
impl<T: Canon + Clone> Canon for OrdMap<BeingId, T> {
    fn put(&self, w: &mut Writer) {
        w.array(self.len());
        self.iter().for_each(|(being, count)| (*being, count.clone()).put(w));
    }
    fn take(r: &mut Reader<'_>) -> Result<Self, CanonError> {
        BTreeMap::<BeingId, T>::take(r).map(|map| map.into_iter().collect())
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
    /// Writes what has changed since a world before it, page by page; since one without frames, all folded state.
    pub fn write_checkpoint(&self, since: &Self, page: &mut dyn FnMut(Section, Vec<u8>)) {
        let Self { next, at, paused, planted, signals, owner, .. } = self;
        let head = Head { next: *next, at: *at, paused: *paused, planted: *planted, signals: signals.clone(), owner: owner.clone() };
        write_few(std::iter::empty(), [(0u64, head)].into_iter(), &mut |b| page(Section::Head, b));
        // A change always makes a new one, so the pointers tell whether it changed.
        if !Arc::ptr_eq(&since.registry, &self.registry) {
            self.registry.write_checkpoint(&since.registry, page);
        }
        write_changes(&since.spaces, &self.spaces, &mut |bytes| page(Section::Spaces, bytes));
        write_changes(&since.beings, &self.beings, &mut |bytes| page(Section::Beings, bytes));
        write_changes(&since.matter, &self.matter, &mut |bytes| page(Section::Matter, bytes));
        write_changes(&since.inbox.open, &self.inbox.open, &mut |bytes| page(Section::Wakes, bytes));
        write_changes(&since.inbox.dead, &self.inbox.dead, &mut |bytes| page(Section::Dead, bytes));
        write_changes(&since.roots, &self.roots, &mut |bytes| page(Section::Roots, bytes));
        write_changes(&since.claims.of, &self.claims.of, &mut |bytes| page(Section::Claims, bytes));
        write_changes(&since.questions.0, &self.questions.0, &mut |bytes| page(Section::Questions, bytes));
        write_changes(&since.memory.places, &self.memory.places, &mut |bytes| page(Section::Places, bytes));
        write_changes(&since.memory.between, &self.memory.between, &mut |bytes| page(Section::Between, bytes));
        write_changes(&since.memory.own, &self.memory.own, &mut |bytes| page(Section::Own, bytes));
        let (was, is) = (&since.memory.diaries, &self.memory.diaries);
        write_changes(&was.entries, &is.entries, &mut |bytes| page(Section::Diaries, bytes));
        write_changes(&was.found, &is.found, &mut |bytes| page(Section::Found, bytes));
        write_changes(&since.ledger.counts, &self.ledger.counts, &mut |bytes| page(Section::Spent, bytes));
        write_changes(&since.paid.sums, &self.paid.sums, &mut |bytes| page(Section::Paid, bytes));
        write_changes(&since.ledger.held, &self.ledger.held, &mut |bytes| page(Section::Held, bytes));
        write_changes(&since.chapters.chapters, &self.chapters.chapters, &mut |bytes| page(Section::Chapters, bytes));
        write_changes(&since.density.stretches, &self.density.stretches, &mut |bytes| page(Section::Density, bytes));
        write_changes(&since.plots.plots, &self.plots.plots, &mut |bytes| page(Section::Plots, bytes));
        write_changes(&since.hues.0, &self.hues.0, &mut |bytes| page(Section::Hues, bytes));
    }
}

impl Registry {
    /// There are few of these, and they change seldom: one page for each kind.
    fn write_checkpoint(&self, since: &Self, page: &mut dyn FnMut(Section, Vec<u8>)) {
        fn all<K: Clone, V: Clone>(map: &BTreeMap<K, V>) -> impl Iterator<Item = (K, V)> {
            map.iter().map(|(key, value)| (key.clone(), value.clone()))
        }
        let roles = |of: &Self| of.roles.iter().map(|(name, role)| (name.clone(), KeptRole::of(role))).collect::<Vec<_>>();
        let local = |of: &Self| {
            let places = of.local_roles.iter().flat_map(|(name, places)| places.iter().map(move |(space, role)| (name, space, role)));
            places.map(|(name, space, role)| ((name.clone(), *space), KeptRole::of(role))).collect::<Vec<((Text, SpaceId), KeptRole)>>()
        };
        write_few(all(&since.config), all(&self.config), &mut |bytes| page(Section::Config, bytes));
        write_few(roles(since).into_iter(), roles(self).into_iter(), &mut |bytes| page(Section::Roles, bytes));
        write_few(local(since).into_iter(), local(self).into_iter(), &mut |bytes| page(Section::LocalRoles, bytes));
        write_few(all(&since.scripts), all(&self.scripts), &mut |bytes| page(Section::Scripts, bytes));
        write_few(all(&since.rules), all(&self.rules), &mut |bytes| page(Section::Rules, bytes));
        write_few(all(&since.extensions), all(&self.extensions), &mut |bytes| page(Section::Extensions, bytes));
    }
}
