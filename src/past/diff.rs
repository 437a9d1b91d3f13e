//! Diff: what differs between two worlds: two points of one history, or two histories.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

use serde::Serialize;

use crate::fact::{BeingId, Made, Seq, Text, Thing, Value, visible};
use crate::role::Spec;
use crate::world::{Became, Being, Matter, Qualities, Space, World, address_of};

use super::checkpoint_policy::APART;
use super::history::History;
use super::load::LoadError;
use super::portrait::{of_being, of_claims, of_matter, of_registry, of_space, wearing};

/// How many characters of a value are told in words.
const TOLD: usize = 80;

/// One part of one thing that differs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DiffLine {
    /// being, space, matter, claim, role, script, rule, extension, setting or signal.
    pub kind: &'static str,
    /// Of what: an address, or a name.
    pub of: String,
    /// The part that differs, such as `position` or `qualities.t.n`; empty for the whole.
    pub what: String,
    /// As it was; null where it was not there.
    pub was: Value,
    /// As it is; null where it is not there.
    pub is: Value,
    /// How many lines of a text differ.
    pub lines: Option<usize>,
}

/// The rule by which things of two worlds are taken for the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Same {
    /// Those with the same id: both worlds are of one history, in which things get other names.
    Id,
    /// Those with the same id that were made below this seq, where both worlds share their past; later ones with the same name or path, since
    /// there an id says nothing of the other world.
    Below(Seq),
}

/// By what a thing of one world is known in the other.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum KnownBy {
    Made(Made),
    Name(Text),
}

/// Everything that differs, in one order: beings, spaces, matter, then what is registered, then signals.
pub fn differences(was: &World, is: &World, same: Same) -> Vec<DiffLine> {
    let mut found = Vec::new();
    let (then, now) = (was.now(), is.now());
    let mut note = |kind: &'static str, of: String, was: Value, is: Value| differ(kind, &of, "", &was, &is, &mut found);
    let beings = match same {
        Same::Id => beings_otherwise(was, is),
        Same::Below(shared) => {
            let known = |being: &Arc<Being>| known(being.id.0, shared, || being.name.clone());
            paired(was.beings(), is.beings(), known, known)
        }
    };
    for (before, after) in beings {
        let name = after.or(before).map(|being| format!("@{}", being.name)).unwrap_or_default();
        note("being", name, portrait(before, |of| of_being(was, of, then)), portrait(after, |of| of_being(is, of, now)));
    }
    let spaces = match same {
        Same::Id => with_faded(is.spaces_changed(was), was, is, is.spaces(), |space| (was.space(space.id), &space.qualities)),
        Same::Below(shared) => {
            let known = |world: &World, space: &Space| known(space.id.0, shared, || world.path_of(space.id).into());
            paired(was.spaces(), is.spaces(), |space| known(was, space), |space| known(is, space))
        }
    };
    for (before, after) in spaces {
        let path = after.map(|of| is.path_of(of.id)).or_else(|| before.map(|of| was.path_of(of.id))).unwrap_or_default();
        note("space", path, portrait(before, |of| of_space(was, of, then)), portrait(after, |of| of_space(is, of, now)));
    }
    let matter = match same {
        Same::Id => with_faded(is.matter_changed(was), was, is, is.all_matter(), |matter| (was.matter(matter.id), &matter.qualities)),
        Same::Below(shared) => {
            let known = |world: &World, matter: &Matter| known(matter.id.0, shared, || address_of(world, Thing::Matter(matter.id)).into());
            paired(was.all_matter(), is.all_matter(), |matter| known(was, matter), |matter| known(is, matter))
        }
    };
    for (before, after) in matter {
        let address = after.map(|of| address_of(is, Thing::Matter(of.id)));
        let address = address.or_else(|| before.map(|of| address_of(was, Thing::Matter(of.id)))).unwrap_or_default();
        note("matter", address, portrait(before, |of| of_matter(was, of, then)), portrait(after, |of| of_matter(is, of, now)));
    }
    let (claimed_then, claimed_now) = (of_claims(was), of_claims(is));
    for address in claimed_then.keys().chain(claimed_now.keys()).collect::<BTreeSet<_>>() {
        let at = |claims: &BTreeMap<String, Value>| claims.get(address).cloned().unwrap_or_default();
        note("claim", address.clone(), at(&claimed_then), at(&claimed_now));
    }
    if !Arc::ptr_eq(was.registry(), is.registry()) {
        of_registry(was).into_iter().zip(of_registry(is)).for_each(|((kind, was), (_, is))| registered(kind, was, is, &mut found));
    }
    differ("signal", "", "", &was.signals().to_value(), &is.signals().to_value(), &mut found);
    found
}

/// The beings of one history that are other, or wear something else because something else is other.
fn beings_otherwise<'a>(was: &'a World, is: &'a World) -> Vec<Became<'a, Being>> {
    let mut pairs: BTreeMap<BeingId, Became<'a, Being>> = BTreeMap::new();
    for pair in with_faded(is.beings_changed(was), was, is, is.living(), |being| (was.being(being.id), &being.qualities)) {
        pairs.extend(pair.1.or(pair.0).map(|being| (being.id, pair)));
    }
    let is_apart = !Arc::ptr_eq(was.registry(), is.registry()) || is.spaces_changed(was).next().is_some();
    let reads = |world: &World, being: &Being| world.reads_of(being.id).is_some_and(|reads| !reads.is_empty() || !reads.paths.is_empty());
    for after in is.living().filter(|being| !pairs.contains_key(&being.id)).collect::<Vec<_>>() {
        let may_differ = is_apart || after.driver.is_some() || reads(was, after) || reads(is, after);
        if let Some(before) = was.being(after.id).filter(|_| may_differ)
            && wearing(was, before, was.now()) != wearing(is, after, is.now())
        {
            pairs.insert(after.id, (Some(before), Some(after)));
        }
    }
    pairs.into_values().collect()
}

/// The things that are other, and those with numbers that fade: between two instants these have faded, though nobody wrote anything.
fn with_faded<'a, T>(
    changed: impl Iterator<Item = Became<'a, T>>,
    was: &World,
    is: &World,
    all: impl Iterator<Item = &'a Arc<T>>,
    before: impl Fn(&'a T) -> (Option<&'a Arc<T>>, &'a Qualities),
) -> Vec<Became<'a, T>> {
    let unwritten = |after: &&'a Arc<T>| {
        let (before, qualities) = before(after);
        before.is_some_and(|before| Arc::ptr_eq(before, after)) && !qualities.fadings().is_empty()
    };
    let faded = all.filter(|_| was.now() != is.now()).filter(unwritten).map(|after| (Some(after), Some(after)));
    changed.chain(faded).collect()
}

fn portrait<T>(of: Option<&Arc<T>>, paint: impl Fn(&T) -> Value) -> Value {
    of.map_or(Value::Null, |of| paint(of))
}

/// By what a thing is known: what was made in a past that both worlds share is one and the same, whatever it is called since.
fn known(made: Made, shared: Seq, name: impl FnOnce() -> Text) -> KnownBy {
    if made.seq < shared { KnownBy::Made(made) } else { KnownBy::Name(name()) }
}

/// The things of two worlds by what they are known by in each: what both share first, by its making, then by name.
fn paired<'a, T>(
    was: impl Iterator<Item = &'a Arc<T>>,
    is: impl Iterator<Item = &'a Arc<T>>,
    known: impl Fn(&Arc<T>) -> KnownBy,
    knows: impl Fn(&Arc<T>) -> KnownBy,
) -> Vec<Became<'a, T>> {
    let mut pairs: BTreeMap<KnownBy, Became<'a, T>> = was.map(|of| (known(of), (Some(of), None))).collect();
    is.for_each(|of| pairs.entry(knows(of)).or_insert((None, None)).1 = Some(of));
    pairs.into_values().collect()
}

fn registered(kind: &'static str, was: Vec<(String, Value)>, is: Vec<(String, Value)>, found: &mut Vec<DiffLine>) {
    let (mut was, is): (BTreeMap<String, Value>, BTreeMap<String, Value>) = (was.into_iter().collect(), is.into_iter().collect());
    let names: BTreeSet<String> = was.keys().chain(is.keys()).cloned().collect();
    for of in names {
        let (was, is) = (was.remove(&of).unwrap_or_default(), is.get(&of).cloned().unwrap_or_default());
        if was != is {
            let lines = lines_of(kind, &was).zip(lines_of(kind, &is)).map(|(was, is)| lines_differing(&was, &is));
            found.push(DiffLine { kind, of, what: String::new(), was, is, lines });
        }
    }
}

/// The text that people read, where it is one.
fn lines_of(kind: &str, value: &Value) -> Option<String> {
    match kind {
        "role" => Spec::from_value(value).ok().map(|spec| spec.to_markdown()),
        _ => value.as_str().map(str::to_owned),
    }
}

/// How many lines of one text are not in the other, of the one that has more of them.
fn lines_differing(was: &str, is: &str) -> usize {
    let mut counts: BTreeMap<&str, i64> = BTreeMap::new();
    was.lines().for_each(|line| *counts.entry(line).or_default() -= 1);
    is.lines().for_each(|line| *counts.entry(line).or_default() += 1);
    let more = |sign: i64| counts.values().map(|count| (count * sign).max(0)).sum::<i64>();
    usize::try_from(more(1).max(more(-1))).unwrap_or(0)
}

/// Notes where two values differ: maps by their keys, anything else as a whole.
fn differ(kind: &'static str, of: &str, what: &str, was: &Value, is: &Value, found: &mut Vec<DiffLine>) {
    match (was, is) {
        (was, is) if was == is => {}
        (Value::Map(was), Value::Map(is)) => {
            let keys: BTreeSet<&Text> = was.keys().chain(is.keys()).collect();
            for key in keys {
                let what = if what.is_empty() { key.to_string() } else { format!("{what}.{key}") };
                let side = |map: &crate::fact::Map| map.get(key).cloned().unwrap_or_default();
                differ(kind, of, &what, &side(was), &side(is), found);
            }
        }
        (was, is) => found.push(DiffLine { kind, of: of.to_owned(), what: what.to_owned(), was: was.clone(), is: is.clone(), lines: None }),
    }
}

impl DiffLine {
    /// Whether it is about a thing, or about something in it, by their addresses; of who stands there, by where they stood or stand.
    pub fn is_in(&self, address: &str, was: &World, is: &World) -> bool {
        let below =
            |path: &str| path.strip_prefix(address.trim_end_matches('/')).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        let stands = |world: &World| {
            let being = world.being_named(self.of.trim_start_matches('@')).filter(|_| self.kind == "being");
            being.is_some_and(|being| below(&world.path_of(being.position)))
        };
        let is_thing = matches!(self.kind, "being" | "space" | "matter");
        is_thing
            && (below(&self.of) || self.was.as_str().is_some_and(|was| self.what == "position" && below(was)) || stands(was) || stands(is))
    }
}

fn short(value: &Value) -> String {
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let text = visible(&text);
    if text.chars().count() <= TOLD { text } else { text.chars().take(TOLD - 1).chain(['…']).collect() }
}

/// A line as the command line prints it: `@ada moved from /a to /b`.
impl fmt::Display for DiffLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, of, what, was, is, lines } = self;
        let name = if matches!(*kind, "being" | "space" | "matter") { of.clone() } else { format!("{kind} {of}").trim_end().to_owned() };
        let (was, is, what) = (short(was), short(is), what.trim_start_matches("qualities."));
        match (what, self.was.is_null(), self.is.is_null(), lines) {
            ("", true, ..) if *kind == "being" => write!(f, "{name} was born"),
            ("", true, false, _) if *kind == "setting" => write!(f, "{name}: {is}"),
            ("", true, ..) => write!(f, "{name} is new"),
            ("", _, true, _) => write!(f, "{name} is gone"),
            ("", _, _, Some(1)) => write!(f, "{name}: 1 line differs"),
            ("", _, _, Some(lines)) => write!(f, "{name}: {lines} lines differ"),
            ("position", ..) => write!(f, "{name} moved from {was} to {is}"),
            ("ended", ..) => write!(f, "{name} {}", if self.is == Value::Bool(true) { "ended" } else { "lives" }),
            ("", ..) => write!(f, "{name}: {is}, was {was}"),
            (what, true, ..) => write!(f, "{name} {what}: {is}, was not there"),
            (what, _, true, _) => write!(f, "{name} {what}: gone, was {was}"),
            (what, ..) => write!(f, "{name} {what}: {is}, was {was}"),
        }
    }
}

impl History {
    /// The worlds at two seqs, sharing what has not changed where the folding from one to the other is short.
    pub fn two_worlds(&self, one: Seq, other: Seq) -> Result<(World, World), LoadError> {
        if one.abs_diff(other) > APART {
            return Ok((self.world_at(one)?, self.world_at(other)?));
        }
        let worlds = self.worlds_at(&BTreeSet::from([one, other]))?;
        let take = |seq: Seq| worlds.get(&seq).cloned().map_or_else(|| self.world_at(seq), Ok);
        Ok((take(one)?, take(other)?))
    }
}
