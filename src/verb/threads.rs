//! Threads: what goes back to one fact and is not over, as `see /.threads` shows it.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::fact::{BeingId, Code, Made, Reason, Text, Value};
use crate::world::{PaidBy, RootCount, World};

use super::short::{LOOKED_AT, PAGE};

/// All threads of which anything is open, the dearest first.
pub(super) fn threads(world: &World) -> Value {
    let mut open: BTreeMap<Made, u64> = BTreeMap::new();
    let roots = world.living().take(LOOKED_AT).flat_map(|being| world.inbox().of(being.id)).flat_map(|wake| wake.roots());
    roots.for_each(|root| *open.entry(root).or_default() += 1);
    Value::List(dearest(world, open).map(|(root, count, open)| told(world, root, count, open)).collect())
}

/// The threads that are given, with how much of each is open, the dearest first.
pub(super) fn dearest(world: &World, open: BTreeMap<Made, u64>) -> impl Iterator<Item = (Made, &RootCount, u64)> {
    let counted = |(root, open)| Some((root, world.root_count(root)?, open));
    let mut all: Vec<(Made, &RootCount, u64)> = open.into_iter().filter_map(counted).collect();
    all.sort_by_cached_key(|(root, count, _)| Reverse((paid(world, *root).dearness(), count.calls, count.moments)));
    all.into_iter()
}

/// One thread, with its open wakes.
pub(super) fn thread(world: &World, written: &str) -> Result<Value, Reason> {
    let missing = || Reason::new(Code::ThreadEnded, written);
    let root: Made = written.parse().map_err(|_| missing())?;
    let count = world.root_count(root).ok_or_else(missing)?;
    let open = world.thread(root, None).count() as u64;
    let wake = |(being, wake): (BeingId, &_)| Value::map([("being", world.name_of(being)), ("wake", world.told(wake))]);
    let wakes = Value::List(world.thread(root, None).take(PAGE).map(wake).collect());
    let Value::Map(mut told) = told(world, root, count, open) else { return Err(missing()) };
    told.insert("wakes".into(), wakes);
    Ok(Value::Map(told))
}

/// A thread in a line: who began it, how much came of it, what it has cost, and how much is open.
pub(super) fn told(world: &World, root: Made, count: &RootCount, open: u64) -> Value {
    let number = |number: u64| Value::Int(i64::try_from(number).unwrap_or(i64::MAX));
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
