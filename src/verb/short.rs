//! Short: a thing among others, as a list shows it: whole where there is room, else with what does not fit left out and counted.
//!
//! A script holds only so much in one value, and lists of things are what it is shown of others. So a list has one bound, shared out fairly:
//! whoever carries much is shown with less of it, and takes no room from anybody else.

use crate::fact::{BeingId, Coords, MatterId, Millis, Thing, Value};
use crate::world::{Qualities, World, address_of};

use super::claims::{MayKnow, claimed};

/// About how many bytes a token has: by this what a model is told is kept within its budgets, whatever the model counts.
pub const TOKEN: usize = 4;

/// About how many tokens a text takes.
pub fn tokens_of(text: &str) -> u64 {
    text.len().div_ceil(TOKEN) as u64
}

/// How many of anything one see shows; what lies beyond is counted.
pub const PAGE: usize = 64;
/// Through how many others one looks for those that one may see: in a crowd a moment costs no more for who may see few of it.
pub const CROWD: usize = 4 * PAGE;
/// How many beings a register of many looks at one by one; where there are more, it says that it stopped.
pub const LOOKED_AT: usize = 250_000;

/// A count as a value.
pub(super) fn number(count: u64) -> Value {
    Value::Int(i64::try_from(count).unwrap_or(i64::MAX))
}

/// How much a list may weigh that is shown beside others, in a space.
pub(super) const BESIDE: usize = 26 * 1024;
/// How much one may weigh that is shown by itself.
pub(super) const ALONE: usize = 2 * BESIDE;

/// An item of a list weighs as much as so many bytes of text, and so does a key of a map: in one value a script may hold 64 KiB of text,
/// or 2,000 items, or 4,000 keys.
pub const ITEM: usize = 33;
pub const KEY: usize = 17;

/// A thing, in short.
pub(super) struct Short<'a> {
    /// The parts that are always shown.
    own: Vec<(&'static str, Value)>,
    /// A list of which the first are shown.
    names: (&'static str, Vec<Value>),
    /// Of matter, what it is.
    content: Option<&'a Value>,
    qualities: &'a Qualities,
    /// The instant at which it is read.
    at: Millis,
}

/// The weight of what has been shown so far: text, items and keys are counted by themselves, since each has a bound of its own.
#[derive(Clone, Copy, Default)]
pub struct Weight {
    text: usize,
    items: usize,
    keys: usize,
}

impl<'a> Short<'a> {
    /// A being: what one sees of another at a glance, at an instant.
    pub fn being(world: &'a World, id: BeingId, at: Millis, knows: MayKnow<'_>) -> Option<Self> {
        let being = world.being(id)?;
        let own = [
            ("name", Value::from(&being.name)),
            ("address", Value::from(address_of(world, Thing::Being(id)))),
            ("coords", coords_value(being.coords)),
            ("cognition", Value::from(being.cognition.word())),
        ];
        let own = own.into_iter().chain(claimed(world, Thing::Being(id), at, knows)).collect();
        let wearing = world.wears(id, at).iter().map(Value::from).collect();
        Some(Self { own, names: ("wearing", wearing), content: None, qualities: &being.qualities, at })
    }

    /// Matter.
    pub fn matter(world: &'a World, id: MatterId, at: Millis, knows: MayKnow<'_>) -> Option<Self> {
        let matter = world.matter(id)?;
        let own = [
            ("kind", Value::from("matter")),
            ("id", Value::from(id.to_string())),
            ("name", Value::from(&matter.name)),
            ("address", Value::from(address_of(world, Thing::Matter(id)))),
            ("type", Value::from(&matter.kind)),
            ("coords", coords_value(matter.coords)),
            ("author", world.name_of(matter.author)),
        ];
        let own = own.into_iter().chain(claimed(world, Thing::Matter(id), at, knows)).collect();
        let holds = world.matter_in(Thing::Matter(id)).take(PAGE).map(|(name, _)| Value::from(name)).collect();
        Some(Self { own, names: ("holds", holds), content: Some(&matter.content), qualities: &matter.qualities, at })
    }

    /// All of it.
    pub fn whole(self) -> Value {
        self.within(usize::MAX)
    }

    /// So much of it as fits: the names, the content, then each namespace of its qualities.
    fn within(self, room: usize) -> Value {
        let (mut weight, mut left_out) = (Weight::default(), 0);
        self.own.iter().for_each(|(_, value)| weight.count(value, usize::MAX));
        let mut fits = |value: &Value| {
            let after = weight.and(value, room);
            left_out += i64::from(after.is_none());
            weight = after.unwrap_or(weight);
            after.is_some()
        };
        let (key, mut names) = self.names;
        names.retain(&mut fits);
        let content = self.content.map(|content| ("content", if fits(content) { content.clone() } else { Value::Null }));
        let qualities = self.qualities.iter().filter(|(_, value)| fits(value));
        let qualities = Value::Map(qualities.map(|(ns, value)| (ns.clone(), value.read_at(self.at))).collect());
        let left_out = (left_out > 0).then_some(("leftOut", Value::Int(left_out)));
        let open = [(key, Value::List(names)), ("qualities", qualities)];
        Value::map(self.own.into_iter().chain(open).chain(content).chain(left_out))
    }

    /// The weight of all of it; counting stops beyond the room.
    fn weight(&self, room: usize) -> usize {
        let mut weight = Weight::default();
        let own = self.own.iter().map(|(_, value)| value).chain(&self.names.1).chain(self.content);
        own.chain(self.qualities.iter().map(|(_, value)| value)).for_each(|value| weight.count(value, room));
        weight.sum()
    }
}

impl Weight {
    pub fn sum(&self) -> usize {
        self.text.max(self.items.saturating_mul(ITEM)).max(self.keys.saturating_mul(KEY))
    }

    /// With another value, which has a key or a place in a list; nothing where that is more than there is room for.
    pub fn and(mut self, value: &Value, room: usize) -> Option<Self> {
        self.count(value, room);
        (self.sum() <= room).then_some(self)
    }

    /// Counts a value, and stops as soon as there is no room for it.
    fn count(&mut self, value: &Value, room: usize) {
        self.keys += 1;
        self.inside(value, room);
    }

    fn inside(&mut self, value: &Value, room: usize) {
        match value {
            Value::Text(text) => self.text += text.len(),
            Value::List(list) => {
                for item in list {
                    self.items += 1;
                    self.inside(item, room);
                    if self.sum() > room {
                        return;
                    }
                }
            }
            Value::Map(map) => {
                for (key, value) in map {
                    self.text += key.len();
                    self.count(value, room);
                    if self.sum() > room {
                        return;
                    }
                }
            }
            Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) => {}
        }
    }
}

/// Where a thing stands on a grid, if it stands on one.
pub(super) fn coords_value(coords: Option<Coords>) -> Value {
    coords.map_or(Value::Null, |at| Value::map([("x", Value::Int(at.x)), ("y", Value::Int(at.y)), ("z", Value::Int(at.z))]))
}

/// A page of things, within a bound for all of them.
pub(super) fn list<'a>(all: impl Iterator<Item = Short<'a>>, room: usize) -> Value {
    let all: Vec<Short<'a>> = all.take(PAGE).collect();
    let mut weights: Vec<usize> = all.iter().map(|one| one.weight(room)).collect();
    weights.sort_unstable();
    let share = share(&weights, room);
    Value::List(all.into_iter().map(|one| one.within(share)).collect())
}

/// The largest share with which all of them fit, the lightest first: who needs less leaves the rest to the others.
pub fn share(weights: &[usize], room: usize) -> usize {
    let mut left = room;
    for (at, weight) in weights.iter().enumerate() {
        let fair = left / (weights.len() - at);
        if *weight > fair {
            return fair;
        }
        left -= weight;
    }
    usize::MAX
}
