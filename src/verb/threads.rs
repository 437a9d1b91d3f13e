//! Threads: what goes back to one fact and is not over, as `see /.threads` shows it.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::fact::{BeingId, Code, Made, Reason, Text, Value};
use crate::world::{PaidBy, RootCount, Wake, World};

use super::right::is_operator;
use super::short::{LOOKED_AT, PAGE, number};

/// All threads of which anything is open, the dearest first.
pub(super) fn threads(world: &World) -> Value {
    let beings = world.beings().filter(|being| !being.ended).take(LOOKED_AT);
    let open = opened(beings.flat_map(|being| world.inbox().of(being.id)));
    Value::List(dearest(world, open).map(|(root, count, open)| told(world, root, count, open)).collect())
}

/// How many of some open wakes belong to each thread.
pub(super) fn opened<'w>(wakes: impl Iterator<Item = &'w Arc<Wake>>) -> BTreeMap<Made, u64> {
    let roots = wakes.flat_map(|wake| wake.roots().into_iter().collect::<BTreeSet<Made>>());
    roots.fold(BTreeMap::new(), |mut open, root| {
        *open.entry(root).or_default() += 1;
        open
    })
}

/// The threads that are given, with how much of each is open, the dearest first.
pub(super) fn dearest(world: &World, open: BTreeMap<Made, u64>) -> impl Iterator<Item = (Made, &RootCount, u64)> {
    let counted = |(root, open)| Some((root, world.root_count(root)?, open));
    let mut all: Vec<(Made, &RootCount, u64)> = open.into_iter().filter_map(counted).collect();
    all.sort_by_cached_key(|(root, count, _)| Reverse((paid(world, *root).dearness(), count.calls, count.moments)));
    all.into_iter()
}

/// One thread, with its open wakes.
///
/// The being that began it may look at it, and is told the words of its own wakes alone. The operator, and a reader who is nobody in the world,
/// is told all.
pub(super) fn thread(world: &World, written: &str, reader: Option<BeingId>) -> Result<Value, Reason> {
    let shows = |being: BeingId| reader.is_none_or(|reader| reader == being || is_operator(world, reader));
    let missing = || Reason::new(Code::ThreadEnded, written);
    let root: Made = written.parse().map_err(|_| missing())?;
    let count = world.root_count(root).ok_or_else(missing)?;
    let open = world.thread(root, None).count() as u64;
    let wake = |(being, wake): (BeingId, &Wake)| {
        let (kind, due) = (("kind", Value::from(wake.id.kind.word())), ("due", Value::Int(wake.id.due)));
        let told = if shows(being) { world.told(wake) } else { Value::map([kind, due]) };
        Value::map([("being", world.name_of(being)), ("wake", told)])
    };
    let wakes = Value::List(world.thread(root, None).take(PAGE).map(wake).collect());
    let Value::Map(mut told) = told(world, root, count, open) else { return Err(missing()) };
    told.insert("wakes".into(), wakes);
    Ok(Value::Map(told))
}

/// A thread in a line: who began it, how much came of it, what it has cost, and how much is open.
pub(super) fn told(world: &World, root: Made, count: &RootCount, open: u64) -> Value {
    let sum = paid(world, root);
    let told = [
        ("root", Value::from(root.to_string())),
        ("began", count.began.map_or(Value::Null, |began| world.name_of(began))),
        ("open", number(open)),
        ("moments", number(count.moments)),
        ("calls", number(count.calls)),
        ("tokens", number(sum.spend.tokens())),
        ("money", Value::number(sum.spend.money as f64 / 1e6).unwrap_or_default()),
    ];
    Value::map(told)
}

fn paid(world: &World, root: Made) -> crate::world::Sum {
    world.paid().of(PaidBy::Root, &Text::from(root.to_string()))
}
