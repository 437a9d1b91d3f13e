//! Glance: things as a model is told of them, in lines: no ids, nothing that is empty, and of what a thing contains only what it is about.
//! A look at the thing itself shows its contents.

use crate::fact::{BeingId, Coords, MatterId, SpaceId, Text, Thing, Value, Verb, as_name, in_a_line, quoted, text_lines, with_article};
use crate::verb::{Asker, Claimant, ListPart, about, line_of};
use crate::world::{Being, KEPT, Matter, Qualities, World, address_of};

use super::abilities::told_claim;
use super::block::{Item, ItemGroup};
use super::near::{LISTED, NAMED, matter, others, where_from};

/// Of a text that is longer than so many bytes, its size is told.
const GLANCED: usize = 80;
/// How many bytes of what a thing contains one look shows.
pub(super) const PAGE: usize = 8 * 1024;
/// The shares of a space's room for its beings and for its ways out, in percent.
const OTHERS: usize = 45;
const WAYS: usize = 15;

/// A being that looks.
#[derive(Clone, Copy)]
pub(super) struct Onlooker<'a> {
    /// Its role judges what of a list it may see.
    pub(super) asker: Asker<'a>,
    /// Whether it only glances: that tells who and what is there, whatever its role lets it look at.
    pub(super) is_glance: bool,
}

impl Onlooker<'_> {
    /// A space: what it is; of who is there, where one can go, and what lies there, the part that is looked at.
    pub(super) fn space(self, id: SpaceId, part: &ListPart) -> Vec<ItemGroup> {
        let Some(space) = self.asker.world.space(id) else { return Vec::new() };
        let size = space.size.map(|size| format!(" Its grid is {} by {}.", size.x, size.y)).unwrap_or_default();
        let owner = space.owner.and_then(|owner| self.asker.world.being(owner)).map(|owner| self.owned_by(owner));
        let head = Item::of(format!("It is {}.{size}{}", with_article(&as_name(&space.kind)), owner.unwrap_or_default()));
        let own = self.claimed(Thing::Space(id)).into_iter().chain(self.qualities(&space.qualities));
        let is_here = self.asker.actor.position == id;
        let others: Box<dyn Iterator<Item = BeingId>> = if is_here {
            Box::new(others(self.asker.world, self.asker.actor, self.asker.caller))
        } else {
            Box::new(self.asker.world.beings_in(id))
        };
        let count = (space.count as usize).saturating_sub(usize::from(is_here));
        let around = space.parent.map(Thing::Space).into_iter();
        let ways = around.chain(self.asker.world.spaces_in(id).map(|(_, inside)| Thing::Space(inside)));
        let things: Box<dyn Iterator<Item = MatterId>> = if is_here {
            Box::new(matter(self.asker.world, self.asker.actor))
        } else {
            Box::new(self.asker.world.matter_in(Thing::Space(id)).map(|(_, id)| id))
        };
        let most = page_of(part);
        let head = if part.is_first() { std::iter::once(head).chain(own).collect() } else { Vec::new() };
        let [mut beings, mut ways, things] = [
            self.list(Thing::Space(id), others.map(Thing::Being), Some(count), (NAMED, part)),
            self.list(Thing::Space(id), ways, None, (most, part)),
            self.list(Thing::Space(id), things.map(Thing::Matter), Some(self.asker.world.matter_count(Thing::Space(id))), (most, part)),
        ];
        (beings.percent, ways.percent) = (OTHERS, WAYS);
        vec![ItemGroup { percent: 20, ..ItemGroup::of(head) }, beings, ways, things]
    }

    /// A part of a list of things in a thing, each told in its line.
    fn list(self, of: Thing, all: impl Iterator<Item = Thing>, total: Option<usize>, (most, part): (usize, &ListPart)) -> ItemGroup {
        let line = |thing: &Thing| line_of(self.asker.world, *thing, self.asker.at);
        let (sees_all, sees) = (self.asker.sees_all(), |thing: &Thing| self.asker.may_reach(Verb::See, *thing).is_ok());
        let parted = if self.is_glance || sees_all { part.of(all, total, most, line) } else { part.of(all.filter(sees), None, most, line) };
        let items = parted.items.into_iter().filter_map(|thing| self.item(thing, of)).collect();
        // The list of a look is another than that of a glance for whoever may not see all: it begins at its beginning.
        let from = (sees_all || !self.is_glance).then_some(part.from);
        ItemGroup { items, more: parted.more, from, unsought: parted.unsought, percent: 100 }
    }

    fn item(self, thing: Thing, of: Thing) -> Option<Item> {
        match thing {
            Thing::Being(id) => self.asker.world.being(id).map(|other| self.being(other)),
            Thing::Matter(id) => self.asker.world.matter(id).map(|matter| self.matter(matter)),
            Thing::Space(id) => {
                let is_inside = self.asker.world.space(id).is_some_and(|space| space.parent.map(Thing::Space) == Some(of));
                Some(Item::of(format!("- {}, {}", self.asker.world.path_of(id), if is_inside { "inside" } else { "around it" })))
            }
        }
    }

    /// Itself: what it is like, and what it holds.
    pub(super) fn oneself(self) -> Vec<ItemGroup> {
        let holds = self.holds(Thing::Being(self.asker.actor.id), &ListPart::default());
        vec![ItemGroup { percent: 60, ..ItemGroup::of(self.qualities(&self.asker.actor.qualities)) }, holds]
    }

    /// The claim on a thing that one looks at, or on what is around it, as far as one may see that.
    fn claimed(self, thing: Thing) -> Option<Item> {
        let (world, knows) = (self.asker.world, Claimant::of(&self.asker));
        let claimed = world.claims_over(thing, self.asker.at).find(|(on, _)| *on == thing || knows.sees(*on))?;
        Some(Item::of(told_claim("Claimed", &self.asker, claimed, None)))
    }

    /// Somebody whom one looks at.
    pub(super) fn somebody(self, other: &Being, part: &ListPart) -> Vec<ItemGroup> {
        let home = format!("Home: {}. In: {}.", self.asker.world.path_of(other.home), self.asker.world.path_of(other.position));
        let mut own = vec![Item::of(self.being_line(other)), Item::of(home)];
        own.extend(self.claimed(Thing::Being(other.id)));
        own.extend(self.qualities(&other.qualities));
        let own = if part.is_first() { own } else { Vec::new() };
        vec![ItemGroup { percent: 70, ..ItemGroup::of(own) }, self.holds(Thing::Being(other.id), part)]
    }

    /// A thing that one looks at, and a page of what it contains. Where that is a text, the page is a part of it, else of what lies in it.
    pub(super) fn thing(self, id: MatterId, part: &ListPart) -> Vec<ItemGroup> {
        let Some(matter) = self.asker.world.matter(id) else { return Vec::new() };
        let mut own = vec![Item::of(format!("It is {}.", with_article(&as_name(&matter.kind))))];
        own.extend(self.claimed(Thing::Matter(id)));
        own.extend(self.qualities(&matter.qualities));
        let is_text = matter.content.as_str().is_some_and(|text| !text.is_empty());
        // Beside a text `from` is a place in that.
        let holds = if is_text && !part.seeks() {
            ItemGroup { from: None, ..self.holds(Thing::Matter(id), &part.without_from()) }
        } else {
            self.holds(Thing::Matter(id), part)
        };
        vec![ItemGroup::of(own), ItemGroup::of(contents(&matter.content, part.from)), holds]
    }

    fn owned_by(self, owner: &Being) -> String {
        if owner.id == self.asker.actor.id { " It is yours.".to_owned() } else { format!(" It is @{}'s.", owner.name) }
    }

    fn being(self, other: &Being) -> Item {
        Item::or(self.being_line(other), format!("- @{}", other.name))
    }

    fn being_line(self, other: &Being) -> String {
        let wears = self.asker.world.wears(other.id, self.asker.at);
        let wearing: Vec<&str> = wears.iter().map(AsRef::as_ref).collect();
        let worn = if wearing.is_empty() { String::new() } else { format!(", as {}", wearing.join(" + ")) };
        format!("- @{} ({}){worn}{}", other.name, other.cognition.word(), self.where_at(other.coords))
    }

    fn where_at(self, coords: Option<Coords>) -> String {
        let Some(at) = coords else { return String::new() };
        let away = self.asker.actor.coords.map(|from| where_from(from, at)).map(|(away, bearing)| match bearing {
            Some(bearing) => format!("{away} away to the {bearing}, "),
            None => format!("{away} away, "),
        });
        let away = away.unwrap_or_default();
        format!(", {away}at ({}, {})", at.x, at.y)
    }

    fn holds(self, holder: Thing, part: &ListPart) -> ItemGroup {
        let things = self.asker.world.matter_in(holder).map(|(_, id)| Thing::Matter(id));
        self.list(holder, things, Some(self.asker.world.matter_count(holder)), (page_of(part), part))
    }

    fn matter(self, matter: &Matter) -> Item {
        let short = format!("- {}", address_of(self.asker.world, Thing::Matter(matter.id)));
        let about = about(matter).map(|about| format!(":\n{}", quoted(&about))).unwrap_or_default();
        Item::or(format!("{short} ({}{}){}{about}", as_name(&matter.kind), size(&matter.content), self.where_at(matter.coords)), short)
    }

    /// A being's private qualities are left out here: it alone is told of them, elsewhere.
    fn qualities(self, qualities: &Qualities) -> Vec<Item> {
        let mut read = qualities.read(self.asker.at);
        if let (Value::Map(map), Some((ns, _))) = (&mut read, KEPT.split_once('.')) {
            map.remove(ns);
        }
        entries(&read)
    }
}

/// How many things a page of a list tells: few at a glance, more to whoever looks further.
fn page_of(part: &ListPart) -> usize {
    if part.is_first() { LISTED } else { NAMED }
}

/// How much a thing contains, where that is more than a glance shows.
fn size(content: &Value) -> String {
    content.as_str().filter(|text| text.len() > GLANCED).map(|text| format!(", {} bytes", text.len())).unwrap_or_default()
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

/// Words, as far as a page goes.
pub(super) fn page(content: &Value) -> String {
    cut_to_page(content.as_str().map_or_else(|| content.to_string(), str::to_owned))
}

pub(super) fn cut_to_page(text: String) -> String {
    let to = text.floor_char_boundary(PAGE.min(text.len()));
    match text.get(..to) {
        Some(page) if to < text.len() => {
            format!("{page}\n… {} more {}", text.len() - to, if text.len() - to == 1 { "byte" } else { "bytes" })
        }
        _ => text,
    }
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
