//! Prompt: what a language model is told in one moment: a system message and a user message, and the tools that it may use.
//!
//! A pure function of the opening, the world as of it and what the see-resolvers answered. The most stable parts stand first, so that two
//! prompts of one being share a prefix: who it is, the worn role's prompt, its abilities. The blocks under `[name]` follow, each within its
//! budget of tokens, then the result of the last deed and the time. The user message is the wake.

use std::fmt::Write;

use crate::dialect::Tool;
use crate::fact::{BeingId, Orientation, Text, Thing, Value, in_a_line};
use crate::moment::Opening;
use crate::verb::{
    ABOUT_CALLER, Address, Asker, HANDOVER, ListPart, Named, OWN_ACTS, RECALL, RECALLED, RECENT_HERE, SeenValue, THREAD, tokens_of,
};
use crate::world::{KEPT, Local, LookedAt, World};

use super::abilities::abilities;
use super::block::{Block, Item, ItemGroup};
use super::glance::{Onlooker, entries, own_entries};
use super::near::Near;
use super::nearest::nearest;
use super::resolvers::{rest, told};
use super::script::recall;
use super::tools::tools;
use super::woken::{acquainted, missed, woken};
use super::words_reach::WordsReach;

/// How the end of a system message begins.
pub(super) const IT_IS: &str = "\nIt is ";

/// How the title of a look begins.
pub(super) const LOOKED_AT: &str = "you looked at";

/// The prompt of one moment of a model.
#[derive(Clone, Debug, PartialEq)]
pub struct Prompt {
    /// The system message.
    pub system: String,
    /// The user message.
    pub user: String,
    /// The tools whose can* list is not empty.
    pub tools: Vec<Tool>,
}

/// Writes the prompt of a moment; `seen` maps the name of each see-resolver to its answer, `words`
/// are the worn role's own. Strictly: the tools take only what is near, so
/// that a small model whose server holds it to their schemas cannot name what is not there.
pub fn prompt(opening: &Opening, world: &World, seen: &Value, words: &str, strict: bool) -> Prompt {
    let asker = Asker { world, actor: &opening.being, worn: &opening.worn, caller: opening.caller, at: opening.opened_at };
    let near = Near::of(opening, world);
    let mut system = identity(opening, world);
    system += &role_words(words);
    system += &kept(opening, world);
    system += &abilities(&asker, &near, opening.votes());
    let told = blocks(&mut system, opening, &asker, seen);
    system += &missed(opening, |tried| nearest(&asker, &near, tried));
    let local = Local::of(opening.opened_at, world.zone());
    let since = opening.opened_at.saturating_sub(opening.being.counted_from).max(0) / 1000;
    // Before the first act it is counted from birth.
    let acted = opening.being.previous_role.as_ref().map_or(String::new(), |_| format!(" You last acted {since} seconds ago."));
    let _ = writeln!(system, "{IT_IS}{}, a {}.{acted}", local.iso(), weekday(local.day_of_week));
    let _ = writeln!(system, "Answer with one tool call, or with nothing to do. {}", WordsReach::of(opening, world).sentence());
    Prompt { system, user: woken(opening, world), tools: tools(opening, &asker, &near, &told, strict) }
}

/// The words of the worn role.
pub(super) fn role_words(words: &str) -> String {
    if words.trim().is_empty() { String::new() } else { format!("\n{}\n", words.trim()) }
}

/// Its name, its place, and its roles.
pub(super) fn identity(opening: &Opening, world: &World) -> String {
    let being = &opening.being;
    let name = |id: BeingId| world.being(id).map(|being| format!("@{}", being.name)).unwrap_or_default();
    let mut text = format!("You are @{}", being.name);
    if let Some(world) = world.world_said("name").and_then(Value::as_str) {
        let _ = write!(text, ", in the world `{world}`");
    }
    // Turned inward, it is nowhere.
    if opening.orientation != Orientation::Inward {
        let _ = write!(text, ". You stand in {}", world.path_of(being.position));
        if let Some(at) = being.coords {
            let _ = write!(text, " at ({}, {})", at.x, at.y);
        }
        if being.home != being.position {
            let _ = write!(text, ". Your home is {}", world.path_of(being.home));
        }
    }
    if let Some(parent) = being.parent {
        let _ = write!(text, ". You were born of {}", name(parent));
    }
    let stack: Vec<&str> = opening.stack.iter().map(|worn| worn.role.as_ref()).collect();
    let _ = writeln!(text, ". You wear {}.", stack.join(" + "));
    text
}

/// The note that the being keeps before itself always, in its own words.
pub(super) fn kept(opening: &Opening, world: &World) -> String {
    let (kept, most) = (opening.being.qualities.at(KEPT), world.count_setting("tokens.keep", &opening.being));
    // A note that was accepted is told whole, however long its lines; it is cut only if the limit has shrunk since.
    let has_room = kept.and_then(Value::as_str).is_some_and(|words| tokens_of(words) <= most);
    let block = Block::new("keep", vec![ItemGroup::of(kept.map(own_entries).unwrap_or_default())]);
    block.seen_at(format!("@{}", opening.being.name)).within(if has_room { u64::MAX } else { most })
}

/// Appends the blocks, each under its name and within its budget: the place if it may be seen, itself, its memories, resolvers and looks.
/// Returns the addresses of which a look would show nothing more.
fn blocks(text: &mut String, opening: &Opening, asker: &Asker<'_>, seen: &Value) -> Vec<Text> {
    let (being, world) = (&opening.being, asker.world);
    let budget = |key: &str| world.count_setting(key, being);
    let glance = Onlooker { asker: *asker, is_glance: true };
    // Inward, a being is alone with what it did; half turned, it has that beside the world.
    let mut told: Vec<Text> = Vec::new();
    let is_outward = opening.orientation != Orientation::Inward;
    if is_outward && asker.may_see(&Named::Thing(Thing::Space(being.position))).is_ok() {
        let place = Block::new("place", glance.space(being.position, &ListPart::default())).seen_at(world.path_of(being.position));
        let (place, is_whole) = place.fitted(budget("tokens.place"));
        *text += &place;
        told.extend(is_whole.then(|| world.path_of(being.position).into()));
    }
    let (me, is_whole) = oneself(opening, asker);
    *text += &me;
    told.extend(is_whole.then(|| format!("@{}", being.name).into()));
    let recall = recall(opening, world);
    let mut names: Vec<&str> = vec![HANDOVER];
    names.extend(is_outward.then_some([RECENT_HERE, ABOUT_CALLER, THREAD]).into_iter().flatten());
    names.extend((opening.orientation != Orientation::Forward).then_some(OWN_ACTS));
    names.push(RECALL);
    // Half turned, its own acts stand there by themselves, and not once more among what happened here.
    let own = names.contains(&OWN_ACTS).then(|| recall.of(OWN_ACTS)).flatten();
    let is_told =
        |name: &str, item: &Value| name == RECENT_HERE && own.as_ref().and_then(Value::as_list).is_some_and(|own| own.contains(item));
    // A resolver that the role names stands with its other resolvers.
    for name in names.into_iter().filter(|name| seen.get(name).is_none()) {
        let value = recall.of(name).map(|value| match value {
            Value::List(list) => Value::List(list.into_iter().filter(|item| !is_told(name, item)).collect()),
            value => value,
        });
        *text += &recalled(name, value, asker.world);
    }
    for (name, value) in seen.as_map().into_iter().flatten() {
        let items = ItemGroup::of(answered(name, value, asker.world));
        let block = match rest(name, asker) {
            Some((more, address, goes_on)) => {
                let from = goes_on.then_some(0);
                Block::new(name.as_ref(), vec![ItemGroup { more, from, ..items }]).seen_at(address)
            }
            None => Block::new(name.as_ref(), vec![items]),
        };
        *text += &block.within(budget("tokens.see"));
    }
    *text += &looks(opening, asker, budget("tokens.see"), &mut told);
    told
}

/// Its qualities and the things that it holds; and whether all of them are told.
pub(super) fn oneself(opening: &Opening, asker: &Asker<'_>) -> (String, bool) {
    let being = &opening.being;
    let (world, glance) = (asker.world, Onlooker { asker: *asker, is_glance: true });
    Block::new("me", glance.oneself()).seen_at(format!("@{}", being.name)).fitted(world.count_setting("tokens.me", being))
}

/// A block of recall, which was kept within its budget when it was gathered.
pub(super) fn recalled(name: &str, value: Option<Value>, world: &World) -> String {
    value.map(|value| Block::new(name, vec![ItemGroup::of(answered(name, &value, world))]).within(u64::MAX)).unwrap_or_default()
}

/// A resolver's answer in lines. The resolvers of every world are told in words of ours, with quotations; an extension's answer is quoted whole.
fn answered(name: &str, value: &Value, world: &World) -> Vec<Item> {
    let list = |value: &Value| {
        value.as_list().unwrap_or_default().iter().filter_map(Value::as_str).map(|line| Item::of(format!("- {line}"))).collect::<Vec<_>>()
    };
    match (name, value) {
        (ABOUT_CALLER, Value::Map(_)) => vec![Item::of(acquainted(value))],
        (HANDOVER, Value::Map(map)) => {
            let note = map.get("note").and_then(Value::as_str).map(|note| Item::of(format!("{note}.")));
            note.into_iter().chain(map.get("acts").map(list).unwrap_or_default()).collect()
        }
        (name, Value::List(_)) if RECALLED.contains(&name) => list(value),
        (name, value) => told(name, value, world).unwrap_or_else(|| entries(value)),
    }
}

/// The things that the being has looked at, each once, the newest last, as they are now. The looks of this wake share a budget, and the
/// newest is served first; those of wakes before share what they leave, no more than a quarter of it.
fn looks(opening: &Opening, asker: &Asker<'_>, tokens: u64, told: &mut Vec<Text>) -> String {
    let being = &opening.being;
    let (mut texts, mut left) = (Vec::new(), tokens);
    let now = being.looked.now.iter().rev().map(|look| (look, false));
    // Inward, a being is alone with what it did.
    let is_shown = |look: &&LookedAt| opening.orientation != Orientation::Inward && !being.looked.now.contains(look);
    let before = being.looked.before.iter().rev().filter(is_shown).map(|look| (look, true));
    let mut served: Vec<&LookedAt> = Vec::new();
    for (look, is_before) in now.chain(before) {
        if served.contains(&look) {
            continue;
        }
        left = if is_before { left.min(tokens / 4) } else { left };
        let title = if is_before { "you looked before at" } else { LOOKED_AT };
        let (text, is_whole) = looked_at(opening, asker, (look, title)).fitted(left);
        left = left.saturating_sub(tokens_of(&text));
        // A look of this wake is not repeated for it, whether or not it had room.
        told.extend((is_whole || !is_before).then(|| look.address.clone()));
        served.push(look);
        texts.push(text);
    }
    texts.into_iter().rev().collect()
}

fn looked_at(opening: &Opening, asker: &Asker<'_>, (look, title): (&LookedAt, &str)) -> Block {
    let LookedAt { address, from, words } = look;
    let parsed = address.parse::<Address>().ok();
    let named = parsed.map(|parsed| parsed.resolve(asker.world, &opening.being, asker.at));
    let shown = named.map(|named| named.and_then(|named| asker.may_see(&named).map(|()| named)));
    let parts = match shown {
        Some(Ok(named)) => seen_parts(asker, &named, &ListPart::new(*from, words.as_deref())),
        Some(Err(reason)) => vec![ItemGroup::of(vec![Item::of(reason.to_string())])],
        None => Vec::new(),
    };
    Block::new(title_of(title, address, *from, words.as_deref()), parts).seen_at(further(address, words.as_deref()))
}

/// The title of a look.
pub(super) fn title_of(title: &str, address: &str, from: u64, words: Option<&str>) -> String {
    let from = if from > 0 { format!(" from {from}") } else { String::new() };
    let words = words.map(|words| format!(" by the words {}", in_a_line(words))).unwrap_or_default();
    format!("{title} {}{from}{words}", in_a_line(address))
}

/// Where a look goes on.
pub(super) fn further(address: &str, words: Option<&str>) -> String {
    let address = in_a_line(address);
    if words.is_some() { format!("{address} by these words") } else { address }
}

/// A named thing in lines: a thing as a glance shows it, a register as a quotation.
pub(super) fn seen_parts(asker: &Asker<'_>, named: &Named, part: &ListPart) -> Vec<ItemGroup> {
    let (world, glance) = (asker.world, Onlooker { asker: *asker, is_glance: false });
    let parts = match named {
        Named::Thing(Thing::Space(space)) => glance.space(*space, part),
        Named::Thing(Thing::Being(other)) => world.being(*other).map(|other| glance.somebody(other, part)).unwrap_or_default(),
        Named::Thing(Thing::Matter(thing)) => glance.thing(*thing, part),
        named => match asker.look(named, part.clone()) {
            Ok(SeenValue { value, rest }) => {
                let items = entries(&value);
                let from = rest.map(|_| part.from);
                let (more, unsought) = rest.map_or((0, 0), |rest| (rest.more, rest.unsought));
                vec![ItemGroup { more, from, unsought, ..ItemGroup::of(items) }]
            }
            Err(reason) => vec![ItemGroup::of(vec![Item::of(reason.to_string())])],
        },
    };
    if parts.iter().all(ItemGroup::is_empty) { vec![ItemGroup::of(vec![Item::of("Nothing.")])] } else { parts }
}

fn weekday(day: i64) -> &'static str {
    ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"].get(day as usize).copied().unwrap_or("day")
}
