//! The world hash: one hash over all folded state without keys, the same on any machine for the same source and seed.
//!
//! Indexes that only speed reading up (who stands where, who reads what) are left out: they follow from what is hashed.

use crate::fact::{Canon, Coords, Hash, Thing, Timing, Value, Writer};

use super::World;
use super::being::Being;
use super::space::{Matter, Space};
use super::wake::{Body, Wake};

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
        for ((account, period), count) in &self.ledger.counts {
            add(&|w| (account.put(w), period.put(w), count.put(w)).2);
        }
        for ((being, wake), held) in &self.ledger.held {
            add(&|w| (being.put(w), wake.put(w), held.put(w)).2);
        }
        Hash(*hasher.finalize().as_bytes())
    }
}

fn put_being(being: &Being, w: &mut Writer) {
    being.id.put(w);
    being.name.put(w);
    being.parent.put(w);
    being.home.put(w);
    being.position.put(w);
    being.coords.put(w);
    being.cognition.put(w);
    being.script.put(w);
    being.default_role.put(w);
    being.flow.source().put(w);
    being.grants.put(w);
    being.qualities.to_value().put(w);
    w.int(being.born_at);
    w.uint(being.next_n);
    w.uint(being.last_seq);
    w.int(being.counted_from);
    being.previous_role.put(w);
    being.wearing.to_vec().put(w);
    being.driver.map(|(driver, _)| driver).put(w);
    being.driver.map(|(_, until)| until).put(w);
    being.paused.put(w);
    being.ended.put(w);
    being.moments.put(w);
    w.array(being.schedules.len());
    for (name, schedule) in &being.schedules {
        name.put(w);
        schedule.made.put(w);
        w.int(schedule.set_at);
        Timing::put(&schedule.timing, w);
        schedule.content.put(w);
        schedule.rank.put(w);
    }
    if !being.looked.is_empty() {
        being.looked.put(w);
    }
}

fn put_space(space: &Space, w: &mut Writer) {
    space.id.put(w);
    space.name.put(w);
    space.parent.put(w);
    space.kind.put(w);
    Option::<Coords>::put(&space.size, w);
    space.coords.put(w);
    space.owner.put(w);
    space.contributors.iter().copied().collect::<Vec<_>>().put(w);
    space.allow.put(w);
    space.qualities.to_value().put(w);
    space.paused.put(w);
    w.uint(space.count);
}

fn put_matter(matter: &Matter, w: &mut Writer) {
    matter.id.put(w);
    matter.name.put(w);
    matter.kind.put(w);
    Thing::put(&matter.place, w);
    matter.coords.put(w);
    matter.content.put(w);
    matter.author.put(w);
    matter.qualities.to_value().put(w);
}

fn put_wake(wake: &Wake, w: &mut Writer) {
    wake.id.put(w);
    wake.newest.put(w);
    wake.failed.put(w);
    wake.root.put(w);
    wake.depth.put(w);
    match &wake.body {
        Body::Summons { from, summons, content } => {
            from.put(w);
            content.put(w);
            summons.intent.put(w);
            summons.in_reply_to.put(w);
            summons.orientation.put(w);
            summons.role.put(w);
            summons.caller_role.put(w);
        }
        Body::Signal { path } => path.put(w),
        Body::Schedule { name, content } => (name.put(w), content.put(w)).1,
        Body::Enter { space } => space.put(w),
        Body::Arrival { who } => who.put(w),
        Body::Hear { who, content } => (who.put(w), content.put(w)).1,
        Body::Crossing | Body::SelfContinue | Body::Gesture | Body::End => Value::Null.put(w),
    }
}
