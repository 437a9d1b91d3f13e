//! Dear words: what a word may cost where models hear each other, and how many calls a day models are asked for by themselves.

use std::collections::BTreeMap;

use crate::fact::{Cognition, Millis, SpaceId, Text, Thing, Trigger};
use crate::role::{Entry, LintCode, Spec, Warning};
use crate::world::{Being, CALLS, World, next_due};

/// The setting that says how many wakes one may cause after the other.
const DEPTH: &str = "brakes.depth";
/// The operation that lets all in a place hear.
const SAY: &str = "say";
/// A day of world time, in milliseconds.
const DAY: Millis = 86_400_000;
/// How often a schedule is counted in a day at most.
const TICKS: usize = 86_400;

/// Whether a being may come to wear a role that does something.
fn wears(world: &World, being: &Being, does: impl Fn(&Spec) -> bool) -> bool {
    let roles = world.may_wear(being);
    roles.iter().filter_map(|role| world.role_at(role, being.position)).any(|role| does(&role.spec))
}

fn may_say(spec: &Spec) -> bool {
    spec.can_do.iter().any(|entry| match entry {
        Entry::Name(glob) => glob.matches(SAY),
        Entry::Bound { action, .. } => action.matches(SAY),
        Entry::Rel(_) | Entry::Pattern(_) => false,
    })
}

fn hears(being: &Being) -> bool {
    being.cognition == Cognition::Llm && being.listens.contains(&Trigger::Hear)
}

/// The models that hear what is said in a space.
fn hearers(world: &World, space: SpaceId) -> impl Iterator<Item = &Being> {
    world.beings_in(space).filter_map(|id| world.being(id)).map(AsRef::as_ref).filter(|being| hears(being))
}

/// The most that a word may cost in a space.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct WordPrice {
    calls: u64,
    hearers: u64,
    depth: u64,
    most: u64,
    space: SpaceId,
}

/// The roles by which models that hear each other may speak where another such stands, unless somebody has said what a word may cost there.
pub(super) fn dear_words(world: &World) -> Vec<(Text, Warning)> {
    let mut dearest: BTreeMap<Text, WordPrice> = BTreeMap::new();
    for space in world.spaces() {
        let heard: Vec<&Being> = hearers(world, space.id).collect();
        if heard.len() < 2 {
            continue;
        }
        for being in heard.iter().filter(|being| !is_said(world, being)) {
            let count = |key: &str| world.count_setting(key, being);
            let (hearers, depth, most) = (heard.len() as u64, count(DEPTH), count(CALLS));
            let price = WordPrice { calls: hearers.saturating_mul(depth).min(most), hearers, depth, most, space: space.id };
            let speaks = |spec: &Spec| may_say(spec) && spec.trigger_on.contains(&Trigger::Hear);
            for role in world.may_wear(being).iter().filter(|role| world.role_at(role, space.id).is_some_and(|role| speaks(&role.spec))) {
                dearest.entry(role.clone()).and_modify(|known| *known = price.max(*known)).or_insert(price);
            }
        }
    }
    dearest.into_iter().map(|(role, price)| (role, warned(world, price))).collect()
}

/// Whether it is said what all may cost that begins with one word.
fn is_said(world: &World, being: &Being) -> bool {
    let around = world.upward(being.position).map(|space| Thing::Space(space.id));
    std::iter::once(Thing::Being(being.id)).chain(around).any(|of| world.said_at(CALLS, of).is_some())
}

fn warned(world: &World, WordPrice { calls, hearers, depth, most, space }: WordPrice) -> Warning {
    let place = world.path_of(space);
    Warning {
        place: "triggerOn".to_owned(),
        code: LintCode::DearWord,
        what: format!(
            "who wears it hears and may say, and {hearers} such models stand in {place}: one word there may cost {calls} calls \
             ({hearers} that hear × `{DEPTH}` {depth}, at most `{CALLS}` {most})"
        ),
        hint: Some(format!("say by `{CALLS}` what one word may cost there")),
    }
}

/// How many calls models are asked for in a day, as far as that can be told before anybody lives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CallsADay {
    /// By their schedules.
    pub scheduled: u64,
    /// By those who would answer, if each of them spoke once: whoever hears it, or is summoned and is heard in turn.
    pub answers: u64,
}

impl CallsADay {
    /// Of a world that has just been planted; none where no model lives.
    pub fn of(world: &World) -> Option<Self> {
        let models: Vec<_> = world.living().filter(|being| being.cognition == Cognition::Llm).collect();
        let mut sum = Self::default();
        for being in &models {
            let scheduled = if being.listens.contains(&Trigger::Schedule) { ticks(world, being) } else { 0 };
            sum.scheduled = sum.scheduled.saturating_add(scheduled);
            sum.answers = sum.answers.saturating_add(scheduled.saturating_mul(answers(world, being)));
        }
        (!models.is_empty()).then_some(sum)
    }
}

/// How often the schedules of a being are due in a day.
fn ticks(world: &World, being: &Being) -> u64 {
    let (from, zone) = (world.now(), world.zone());
    let of = |schedule: &crate::world::Schedule| {
        let due = |after: Millis| next_due(&schedule.timing, schedule.set_at, after, zone).filter(|at| *at <= from.saturating_add(DAY));
        std::iter::successors(due(from), |at| due(*at)).take(TICKS).count() as u64
    };
    being.schedules.values().map(of).sum()
}

/// How many calls follow if a model speaks once: by all who hear it, or by one whom it summons and by itself when it is answered.
pub fn answers(world: &World, being: &Being) -> u64 {
    let heard =
        if wears(world, being, may_say) { hearers(world, being.position).filter(|other| other.id != being.id).count() as u64 } else { 0 };
    let is_model = |other: &Being| other.id != being.id && other.cognition == Cognition::Llm;
    let has_others = || world.beings_in(being.position).filter_map(|id| world.being(id)).any(|other| is_model(other));
    let asked = if wears(world, being, |spec| !spec.can_summon.is_empty()) && has_others() { 2 } else { 0 };
    heard.max(asked)
}
