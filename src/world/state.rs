//! The world hash: one hash over all folded state without keys, the same on any machine for the same source and seed.
//!
//! Indexes that only speed reading up (who stands where, who reads what) are left out: they follow from what is hashed.

use std::collections::BTreeMap;

use crate::fact::{BeingId, Canon, Cognition, Coords, Hash, Millis, N, Panel, Seq, Text, Thing, Timing, Value, Writer};

use super::being::{Being, Looks, Missed, Schedule, Withheld};
use super::brake::BrakeCounts;
use super::quality::Qualities;
use super::setting::OwnSettings;
use super::space::{Matter, Space, SpaceFlow};
use super::wake::{Body, Wake};
use super::whole::World;

impl World {
    /// The hash of the folded state without keys.
    pub fn hash(&self) -> Hash {
        let mut hasher = blake3::Hasher::new();
        let mut add = |item: &dyn Fn(&mut Writer)| {
            let mut w = Writer::default();
            item(&mut w);
            hasher.update(&w.into_bytes());
        };
        add(&|w| {
            w.uint(self.next);
            w.int(self.at);
            self.paused.put(w);
            self.planted.put(w);
            self.signals.to_value().put(w);
            put_owner(self.owner.as_ref(), w);
        });
        self.beings.values().for_each(|being| add(&|w| put_being(being, w)));
        self.spaces.values().for_each(|space| add(&|w| put_space(space, w)));
        self.matter.values().for_each(|matter| add(&|w| put_matter(matter, w)));
        for (name, role) in &self.registry.roles {
            add(&|w| (name.put(w), role.origin.put(w), role.hash.put(w), role.version.put(w)).3);
        }
        for (name, places) in &self.registry.local_roles {
            for (space, role) in places {
                add(&|w| (space.put(w), name.put(w), role.origin.put(w), role.hash.put(w), role.version.put(w)).4);
            }
        }
        for (name, script) in &self.registry.scripts {
            add(&|w| (name.put(w), script.hash.put(w)).1);
        }
        for (name, extension) in &self.registry.extensions {
            add(&|w| (name.put(w), extension.enabled.put(w), extension.manifest.put(w)).2);
        }
        for (name, rule) in &self.registry.rules {
            add(&|w| (name.put(w), rule.source.put(w), rule.made.put(w)).2);
        }
        for (key, value) in &self.registry.config {
            add(&|w| (key.put(w), value.put(w)).1);
        }
        for (being, wake) in self.inbox.all() {
            add(&|w| (being.put(w), put_wake(wake, w)).1);
        }
        for (being, letter) in self.inbox.dead() {
            add(&|w| (being.put(w), put_wake(&letter.wake, w), letter.reason.put(w), letter.at.put(w)).3);
        }
        for (root, count) in &self.roots {
            add(&|w| (root.put(w), count.put(w)).1);
        }
        for (thing, claim) in &self.claims.of {
            add(&|w| (thing.put(w), claim.put(w)).1);
        }
        for ((account, period), count) in &self.ledger.counts {
            add(&|w| (account.put(w), period.put(w), count.of_use().put(w)).2);
        }
        for ((being, wake), held) in &self.ledger.held {
            add(&|w| (being.put(w), wake.put(w), held.put(w)).2);
        }
        Hash(*hasher.finalize().as_bytes())
    }
}

/// Writes who owns the world, only where that is said: most worlds have no copy.
fn put_owner(owner: Option<&(u64, Text)>, w: &mut Writer) {
    if let Some(owner) = owner {
        owner.put(w);
    }
}

fn put_being(being: &Being, w: &mut Writer) {
    // Named one by one, so that a new one is either hashed or left out on purpose.
    let Being {
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
        key: _,
        born_at,
        next_n,
        last_seq,
        counted_from,
        previous_role,
        wearing,
        driver,
        paused,
        ended,
        // Both follow from frames and roles that are hashed.
        bound_at: _,
        listens: _,
        schedules,
        looked,
        missed,
        moments,
        withheld,
        brakes,
    } = being;
    id.put(w);
    name.put(w);
    parent.put(w);
    home.put(w);
    position.put(w);
    coords.put(w);
    put_mind(*cognition, script.as_ref(), panel.as_deref(), w);
    default_role.put(w);
    flow.source().put(w);
    grants.put(w);
    put_open(qualities, settings, w);
    put_reel((*born_at, *next_n, *last_seq, *counted_from), w);
    previous_role.put(w);
    wearing.to_vec().put(w);
    put_driver(*driver, w);
    paused.put(w);
    ended.put(w);
    moments.put(w);
    put_schedules(schedules, w);
    put_marks(looked, missed.as_deref(), withheld, w);
    put_brakes(brakes, w);
}

/// Writes when a being was born, where its reel stands, and when it last acted.
fn put_reel((born_at, next_n, last_seq, counted_from): (Millis, N, Seq, Millis), w: &mut Writer) {
    w.int(born_at);
    w.uint(next_n);
    w.uint(last_seq);
    w.int(counted_from);
}

/// Writes the counts of a being, once anything was counted.
fn put_brakes(brakes: &BrakeCounts, w: &mut Writer) {
    if *brakes != BrakeCounts::default() {
        brakes.put(w);
    }
}

/// Writes the mind of a being: its kind, its script, and its panel where it has one.
fn put_mind(cognition: Cognition, script: Option<&Text>, panel: Option<&Panel>, w: &mut Writer) {
    cognition.put(w);
    script.cloned().put(w);
    if let Some(panel) = panel {
        panel.put(w);
    }
}

/// Writes the fields that hardly any being has, each only where it is set.
fn put_marks(looked: &Looks, missed: Option<&Missed>, withheld: &Withheld, w: &mut Writer) {
    if *withheld != Withheld::default() {
        withheld.put(w);
    }
    if *looked != Looks::default() {
        looked.put(w);
    }
    if let Some(missed) = missed {
        missed.put(w);
    }
}

fn put_driver(driver: Option<(BeingId, Millis)>, w: &mut Writer) {
    driver.map(|(driver, _)| driver).put(w);
    driver.map(|(_, until)| until).put(w);
}

fn put_open(qualities: &Qualities, settings: &OwnSettings, w: &mut Writer) {
    qualities.to_value().put(w);
    settings.put(w);
}

fn put_schedules(schedules: &BTreeMap<Text, Schedule>, w: &mut Writer) {
    w.array(schedules.len());
    for (name, Schedule { made, set_at, timing, content, rank }) in schedules {
        name.put(w);
        made.put(w);
        w.int(*set_at);
        Timing::put(timing, w);
        content.put(w);
        rank.put(w);
    }
}

fn put_space(space: &Space, w: &mut Writer) {
    let Space { id, name, parent, kind, size, coords, owner, contributors, allow, qualities, settings, paused, frozen, count, flow } =
        space;
    id.put(w);
    name.put(w);
    parent.put(w);
    kind.put(w);
    Option::<Coords>::put(size, w);
    coords.put(w);
    owner.put(w);
    contributors.iter().copied().collect::<Vec<_>>().put(w);
    allow.put(w);
    put_open(qualities, settings, w);
    paused.put(w);
    frozen.put(w);
    w.uint(*count);
    if let Some(SpaceFlow { flow, made }) = flow {
        flow.source().put(w);
        made.put(w);
    }
}

fn put_matter(matter: &Matter, w: &mut Writer) {
    let Matter { id, name, kind, place, coords, content, author, qualities, carried } = matter;
    id.put(w);
    name.put(w);
    kind.put(w);
    Thing::put(place, w);
    coords.put(w);
    content.put(w);
    author.put(w);
    qualities.to_value().put(w);
    if let Some(carried) = carried {
        carried.root.put(w);
        carried.depth.put(w);
    }
}

fn put_wake(wake: &Wake, w: &mut Writer) {
    let Wake { id, newest, failed, failure, looked, quiet, root, depth, asked, approval, body } = wake;
    id.put(w);
    newest.put(w);
    failed.put(w);
    looked.put(w);
    quiet.put(w);
    root.put(w);
    depth.put(w);
    if let Some(failure) = failure {
        failure.put(w);
    }
    if let Some(asked) = asked {
        asked.put(w);
    }
    if let Some(approval) = approval {
        approval.put(w);
    }
    match body {
        Body::Summons { from, driver, summons, content } => {
            from.put(w);
            if let Some(driver) = driver {
                driver.put(w);
            }
            content.put(w);
            summons.intent.put(w);
            summons.in_reply_to.put(w);
            summons.orientation.put(w);
            summons.role.put(w);
            summons.caller_role.put(w);
            summons.stack.put(w);
            summons.only.put(w);
            summons.answer.put(w);
            summons.until.put(w);
            summons.caller_only.put(w);
        }
        Body::Signal { path } => path.put(w),
        Body::Schedule { name, content } => (name.put(w), content.put(w)).1,
        Body::Enter { space } => space.put(w),
        Body::Arrival { who } => who.put(w),
        Body::Hear { hearing } => hearing.put(w),
        Body::Watch { who, action, target, place, entry, count } => {
            who.put(w);
            action.put(w);
            target.put(w);
            place.put(w);
            entry.put(w);
            count.put(w);
        }
        Body::Change { wore } => wore.to_vec().put(w),
        Body::SelfContinue { only } => only.put(w),
        Body::ReplyDue { about, poll } => {
            put_wake(about, w);
            poll.put(w);
        }
        Body::Boot { since } => since.put(w),
        Body::Crossing | Body::Gesture | Body::End => Value::Null.put(w),
    }
}
