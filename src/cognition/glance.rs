//! Glance: things as a model is told of them, in lines: no ids, nothing that is empty, and of what a thing contains only what it is about.
//! What it contains is for whoever looks at the thing itself.

use crate::fact::{BeingId, Coords, MatterId, Millis, SpaceId, Text, Thing, Value, in_a_line, quoted, text_lines, with_article};
use crate::world::{Being, KEPT, Matter, Qualities, World, address_of};

use super::block::{Item, ItemGroup};
use super::near::{LISTED, where_from};

/// How much of what it says stands for a thing that does not say what it is about.
const ABOUT: usize = 80;
/// How many bytes of what a thing contains one look shows.
pub(super) const PAGE: usize = 8 * 1024;
/// How many of those who are there are named.
const NAMED: usize = 64;
/// How many things are counted that no list names; where there are more, that is said of so many.
const COUNTED: usize = 1_000;
/// What of a space is told of who is there, and of where one can go from it, in parts of a hundred.
const OTHERS: usize = 45;
const WAYS: usize = 15;

/// Whoever looks: from where, and when.
#[derive(Clone, Copy)]
pub(super) struct Onlooker<'a> {
    pub(super) world: &'a World,
    pub(super) from: &'a Being,
    pub(super) at: Millis,
}

impl Onlooker<'_> {
    /// A space: what it is, who is there in the order given, where one can go, and what lies there.
    pub(super) fn space(self, id: SpaceId, others: &[BeingId]) -> Vec<ItemGroup> {
        let Some(space) = self.world.space(id) else { return Vec::new() };
        let size = space.size.map(|size| format!(" Its grid is {} by {}.", size.x, size.y)).unwrap_or_default();
        let owner = space.owner.and_then(|owner| self.world.being(owner)).map(|owner| self.owned_by(owner));
        let head = Item::of(format!("It is {}.{size}{}", with_article(&space.kind), owner.unwrap_or_default()));
        let own = self.qualities(&space.qualities);
        let others = others.get(..NAMED).unwrap_or(others);
        let named = others.iter().filter_map(|id| self.world.being(*id)).map(|other| self.being(other));
        let around = space.parent.map(|around| Item::of(format!("- {}, around it", self.world.path_of(around))));
        let ways = self.world.spaces_in(id).map(|(_, inside)| Item::of(format!("- {}, inside", self.world.path_of(inside))));
        let (ways, more_ways) = listed(around.into_iter().chain(ways));
        let unnamed = (space.count as usize).saturating_sub(others.len() + usize::from(self.from.position == id));
        let (things, more) = self.things(Thing::Space(id));
        vec![
            ItemGroup { items: std::iter::once(head).chain(own).collect(), more: 0, percent: 20 },
            ItemGroup { items: named.collect(), more: unnamed, percent: OTHERS },
            ItemGroup { items: ways, more: more_ways, percent: WAYS },
            ItemGroup { items: things, more, percent: 100 },
        ]
    }

    /// Itself: what it is like, and what it holds.
    pub(super) fn oneself(self) -> Vec<ItemGroup> {
        let (things, more) = self.things(Thing::Being(self.from.id));
        vec![ItemGroup { percent: 60, ..ItemGroup::of(self.qualities(&self.from.qualities)) }, ItemGroup { more, ..ItemGroup::of(things) }]
    }

    /// Somebody whom one looks at.
    pub(super) fn somebody(self, other: &Being) -> Vec<ItemGroup> {
        let home = format!("Home: {}. In: {}.", self.world.path_of(other.home), self.world.path_of(other.position));
        let (things, more) = self.things(Thing::Being(other.id));
        let mut own = vec![Item::of(self.being_line(other)), Item::of(home)];
        own.extend(self.qualities(&other.qualities));
        vec![ItemGroup { percent: 70, ..ItemGroup::of(own) }, ItemGroup { more, ..ItemGroup::of(things) }]
    }

    /// A thing that one looks at, and a page of what it contains.
    pub(super) fn thing(self, id: MatterId, from: usize) -> Vec<ItemGroup> {
        let Some(matter) = self.world.matter(id) else { return Vec::new() };
        let mut own = vec![Item::of(format!("It is {}.", with_article(&matter.kind)))];
        own.extend(self.qualities(&matter.qualities));
        let (things, more) = self.things(Thing::Matter(id));
        vec![ItemGroup::of(own), ItemGroup::of(contents(&matter.content, from)), ItemGroup { more, ..ItemGroup::of(things) }]
    }

    fn owned_by(self, owner: &Being) -> String {
        if owner.id == self.from.id { " It is yours.".to_owned() } else { format!(" It is @{}'s.", owner.name) }
    }

    fn being(self, other: &Being) -> Item {
        Item::or(self.being_line(other), format!("- @{}", other.name))
    }

    fn being_line(self, other: &Being) -> String {
        let wears = self.world.wears(other.id, self.at);
        let wearing: Vec<&str> = wears.iter().map(AsRef::as_ref).collect();
        let worn = if wearing.is_empty() { String::new() } else { format!(", as {}", wearing.join(" + ")) };
        format!("- @{} ({}){worn}{}", other.name, other.cognition.word(), self.where_at(other.coords))
    }

    fn where_at(self, coords: Option<Coords>) -> String {
        let Some(at) = coords else { return String::new() };
        let away = self.from.coords.map(|from| where_from(from, at)).map(|(away, bearing)| match bearing {
            Some(bearing) => format!("{away} away to the {bearing}, "),
            None => format!("{away} away, "),
        });
        let away = away.unwrap_or_default();
        format!(", {away}at ({}, {})", at.x, at.y)
    }

    fn things(self, holder: Thing) -> (Vec<Item>, usize) {
        let mut all = self.world.matter_in(holder);
        let items = all.by_ref().take(LISTED).filter_map(|(_, id)| self.world.matter(id)).map(|matter| self.matter(matter)).collect();
        (items, all.take(COUNTED).count())
    }

    fn matter(self, matter: &Matter) -> Item {
        let short = format!("- {}", address_of(self.world, Thing::Matter(matter.id)));
        let about = about(matter).map(|about| format!(":\n{}", quoted(&about))).unwrap_or_default();
        Item::or(format!("{short} ({}{}){}{about}", matter.kind, size(&matter.content), self.where_at(matter.coords)), short)
    }

    /// What a being keeps for itself is told to it alone, and elsewhere.
    fn qualities(self, qualities: &Qualities) -> Vec<Item> {
        let mut read = qualities.read(self.at);
        if let (Value::Map(map), Some((ns, _))) = (&mut read, KEPT.split_once('.')) {
            map.remove(ns);
        }
        entries(&read)
    }
}

fn listed(mut all: impl Iterator<Item = Item>) -> (Vec<Item>, usize) {
    (all.by_ref().take(LISTED).collect(), all.take(COUNTED).count())
}

/// What a thing says that it is about, else how what it contains begins.
pub(super) fn about(matter: &Matter) -> Option<String> {
    let said = matter.qualities.at("doc.about").and_then(Value::as_str);
    let begins = || matter.content.as_str().filter(|text| !text.trim().is_empty());
    let text = said.or_else(begins)?;
    let start: String = text.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(ABOUT).collect();
    Some(if start.len() < text.trim().len() { format!("{start}…") } else { start })
}

/// How much a thing contains, where that is more than a glance shows.
fn size(content: &Value) -> String {
    content.as_str().filter(|text| text.len() > ABOUT).map(|text| format!(", {} bytes", text.len())).unwrap_or_default()
}

/// Whether a page of what a thing contains, from a byte on, reaches its end.
pub(super) fn reaches(world: &World, id: MatterId, from: usize) -> bool {
    let length = world.matter(id).and_then(|matter| matter.content.as_str()).map_or(0, str::len);
    from.saturating_add(PAGE) >= length
}

/// A page of what a thing contains, from a byte on.
fn contents(content: &Value, from: usize) -> Vec<Item> {
    let Some(text) = content.as_str() else { return entries(content) };
    let from = text.ceil_char_boundary(from.min(text.len()));
    let to = text.floor_char_boundary(from.saturating_add(PAGE).min(text.len()));
    let page = text.get(from..to).unwrap_or_default();
    let rest = (to < text.len()).then(|| Item::of(format!("… {} more bytes: see it from {to}", text.len() - to)));
    Some(page).filter(|page| !page.is_empty()).map(|page| Item::of(quoted(page))).into_iter().chain(rest).collect()
}

/// A value that others have made, quoted, an item for each of its entries; what is empty is left out.
pub(super) fn entries(value: &Value) -> Vec<Item> {
    parts(value).into_iter().map(|part| Item::of(quoted(&part))).collect()
}

/// The same of a value that is the being's own, or of ours: as it is.
pub(super) fn own_entries(value: &Value) -> Vec<Item> {
    parts(value).into_iter().map(Item::of).collect()
}

/// A value in lines.
pub(super) fn parts(value: &Value) -> Vec<String> {
    match value {
        Value::Map(map) => {
            let told = map.iter().filter(|(_, value)| !is_empty(value));
            told.map(|(key, value)| format!("{}: {}", in_a_line(key), line(value))).collect()
        }
        Value::List(list) => list.iter().filter(|value| !is_empty(value)).map(|value| format!("- {}", line(value))).collect(),
        Value::Text(text) => text_lines(text).map(str::to_owned).collect(),
        Value::Null => Vec::new(),
        Value::Bool(_) | Value::Int(_) | Value::Float(_) => vec![line(value)],
    }
}

/// A value in one line: a text as it is, anything else as JSON without what is empty.
pub(super) fn line(value: &Value) -> String {
    match value {
        Value::Text(text) => in_a_line(text),
        Value::List(list) if list.iter().all(|item| matches!(item, Value::Text(_))) => list.iter().map(line).collect::<Vec<_>>().join(", "),
        value => in_a_line(&full(value).to_string()),
    }
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Text(text) => text.is_empty(),
        Value::List(list) => list.is_empty(),
        Value::Map(map) => map.values().all(is_empty),
        Value::Bool(_) | Value::Int(_) | Value::Float(_) => false,
    }
}

/// A value without what is empty in its maps.
fn full(value: &Value) -> Value {
    match value {
        Value::Map(map) => {
            let kept = map.iter().filter(|(_, value)| !is_empty(value)).map(|(key, value)| (Text::clone(key), full(value)));
            Value::Map(kept.collect())
        }
        Value::List(list) => Value::List(list.iter().map(full).collect()),
        value => value.clone(),
    }
}
