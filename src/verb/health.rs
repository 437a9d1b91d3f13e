//! Health: what is held back in a place and those inside it, and why, as `see /.health` shows it: each count beside its limit, and no score.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::fact::{Code, Cognition, Map, Millis, Reason, SpaceId, Text, Thing, Value};
use crate::world::{Being, Brake, Claim, Local, Tripped, Wake, World, address_of, iso};

use super::claims::MayKnow;
use super::short::{LOOKED_AT, PAGE, number};
use super::threads::{dearest, opened, told};

/// Of how many of those that come nearest to a limit, wait longest or cost most it tells.
const FEW: usize = 8;

/// A place at an instant, with those who stand inside it in order of birth.
struct HealthSight<'a> {
    world: &'a World,
    space: SpaceId,
    beings: Vec<&'a Arc<Being>>,
    at: Millis,
}

/// The value of a space's `.health`. Any further kind of thing that is held back gets its part here.
pub(super) fn health(world: &World, space: SpaceId, at: Millis, knows: MayKnow<'_>) -> Value {
    let is_inside = |being: &&Arc<Being>| world.upward(being.position).any(|around| around.id == space);
    let place = HealthSight { world, space, beings: world.living().take(LOOKED_AT).filter(is_inside).collect(), at };
    let stopped = (world.standing() > LOOKED_AT).then_some(("stopped", Value::Bool(true)));
    let told = [
        ("undressed", place.undressed()),
        ("tripped", place.each(|being| place.tripped(being))),
        ("held", place.each(|being| place.held(being))),
        ("outOfBudget", place.each(|being| place.out_of_budget(being))),
        ("resting", place.each(|being| place.resting(being))),
        ("withheld", place.each(|being| counted(being.withheld.changes))),
        ("unheard", place.each(|being| counted(being.withheld.words))),
        ("nearest", place.nearest()),
        ("failures", place.failures()),
        ("waits", place.waits()),
        ("connections", place.connections()),
        ("threads", place.threads()),
        ("claims", place.claims(knows)),
    ];
    Value::map(told.into_iter().chain(stopped))
}

/// The beings that are held back in the whole world, by numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HealthCounts {
    /// How many beings are held, by why: a brake's setting, a connection's or a budget's code, or that they have nothing to wear.
    pub held: BTreeMap<&'static str, u64>,
    /// How often beings failed or were refused in this hour, by code.
    pub failures: BTreeMap<Code, u64>,
    /// For how long the oldest wake has been due, in milliseconds of world time.
    pub waits: u64,
    /// How many threads are not over.
    pub threads: u64,
    /// How many wakes and words did not wake anybody, of those who live.
    pub withheld: u64,
}

/// The same numbers of the whole world, as `.health` of `/` lists them.
pub fn health_counts(world: &World, at: Millis) -> HealthCounts {
    let place = HealthSight { world, space: SpaceId::ROOT, beings: world.living().take(LOOKED_AT).collect(), at };
    let mut counts = HealthCounts { threads: world.threads().count() as u64, ..HealthCounts::default() };
    for being in &place.beings {
        let mut holds = |why: Option<&'static str>| why.into_iter().for_each(|why| *counts.held.entry(why).or_default() += 1);
        holds(world.tripped(being, at).map(|tripped| tripped.brake.key()));
        holds(world.stands_undressed(being, at).then_some(Code::Undressed.word()));
        holds(place.failed_wakes(being).find(|(_, reason)| out(reason).is_some()).map(|(_, reason)| reason.code.word()));
        holds(place.failed_wakes(being).find(|(_, reason)| reason.code == Code::Budget).map(|_| Code::Budget.word()));
        world.faults(being, at).for_each(|(code, count)| *counts.failures.entry(code).or_default() += count);
        let is_person = being.cognition_at(at) == Cognition::Human;
        let due = world.inbox().of(being.id).map(|wake| wake.id.due).min().filter(|_| !is_person);
        counts.waits = counts.waits.max(due.map_or(0, |due| u64::try_from(at.saturating_sub(due)).unwrap_or(0)));
        counts.withheld += being.withheld.changes + being.withheld.words;
    }
    counts
}

impl HealthSight<'_> {
    /// Something of some of the beings, by address.
    fn each(&self, of: impl Fn(&Being) -> Option<Value>) -> Value {
        let told = |being: &&Arc<Being>| Some((address(being), of(being)?));
        Value::Map(self.beings.iter().filter_map(told).take(PAGE).collect())
    }

    /// Those who have nothing to wear because of scopes or the roles' own conditions.
    fn undressed(&self) -> Value {
        let undressed = self.beings.iter().filter(|being| self.world.stands_undressed(being, self.at));
        Value::List(undressed.take(PAGE).map(|being| self.world.name_of(being.id)).collect())
    }

    /// The brake that holds a being, its count and limit, and until when.
    fn tripped(&self, being: &Being) -> Option<Value> {
        let Tripped { brake, count, most, until } = self.world.tripped(being, self.at)?;
        Some(Value::map([
            ("brake", Value::from(brake.key())),
            ("count", number(count)),
            ("most", number(most)),
            ("until", self.instant(until)),
        ]))
    }

    /// The watches of a being that rest since they failed, each with when it is asked again.
    fn resting(&self, being: &Being) -> Option<Value> {
        let resting = self.world.resting(being, self.at);
        let told: Map = resting.map(|(entry, until)| (entry.clone(), self.instant(until))).collect();
        (!told.is_empty()).then_some(Value::Map(told))
    }

    /// The connection over which nobody answers the being now, and why.
    fn held(&self, being: &Being) -> Option<Value> {
        self.failed_wakes(being).find_map(|(_, reason)| {
            let (connection, why) = out(reason)?;
            Some(Value::map([
                ("connection", Value::from(connection)),
                ("code", Value::from(reason.code.word())),
                ("why", Value::from(why)),
            ]))
        })
    }

    /// The budget that has no room for what the being would think, and until when.
    fn out_of_budget(&self, being: &Being) -> Option<Value> {
        let (wake, reason) = self.failed_wakes(being).find(|(_, reason)| reason.code == Code::Budget)?;
        Some(Value::map([("budget", Value::from(&reason.at)), ("until", self.instant(wake.id.due))]))
    }

    fn failed_wakes<'b>(&'b self, being: &Being) -> impl Iterator<Item = (&'b Arc<Wake>, &'b Reason)> {
        self.world.inbox().of(being.id).filter_map(|wake| Some((wake, wake.failure.as_ref()?)))
    }

    /// By each limit the beings that have come nearest to it, with the count beside it.
    fn nearest(&self) -> Value {
        let brakes = Brake::ALL.into_iter().map(|brake| (brake.key(), self.near(|being| self.world.braked(being, brake, self.at))));
        let most = |key: &str, being: &Being| self.world.count_setting(key, being);
        let inbox = self.near(|being| (self.world.inbox().of(being.id).count() as u64, most("limits.inbox", being)));
        let dead = self.near(|being| (self.world.inbox().dead_of(being.id).count() as u64, most("limits.dead", being)));
        let inside = self.world.spaces().take(LOOKED_AT).filter(|space| self.world.upward(space.id).any(|around| around.id == self.space));
        let spaces = inside.map(|space| (self.world.path_of(space.id), self.world.things_in(Thing::Space(space.id))));
        let held = self.beings.iter().map(|being| (format!("@{}", being.name), self.world.things_in(Thing::Being(being.id))));
        let things = few(spaces.chain(held));
        Value::map(brakes.chain([("limits.inbox", inbox), ("limits.dead", dead), ("limits.things", things)]))
    }

    fn near(&self, of: impl Fn(&Being) -> (u64, u64)) -> Value {
        few(self.beings.iter().map(|being| (format!("@{}", being.name), of(being))))
    }

    /// How often those here failed or were refused in the hour, by code.
    fn failures(&self) -> Value {
        let mut codes: BTreeMap<Code, u64> = BTreeMap::new();
        self.beings
            .iter()
            .flat_map(|being| self.world.faults(being, self.at))
            .for_each(|(code, count)| *codes.entry(code).or_default() += count);
        Value::Map(codes.into_iter().map(|(code, count)| (Text::from(code.word()), number(count))).collect())
    }

    /// The wakes that are due and have waited longest. A person may leave theirs as long as they like.
    fn waits(&self) -> Value {
        let due = |being: &&Arc<Being>| {
            if being.cognition_at(self.at) == Cognition::Human {
                return None;
            }
            let due = self.world.inbox().of(being.id).filter(|wake| wake.id.due <= self.at);
            due.min_by_key(|wake| wake.id.due).map(|wake| (wake.id.due, being.id, wake.id.kind))
        };
        let mut all: Vec<_> = self.beings.iter().filter_map(due).collect();
        all.sort();
        let told = |(due, being, kind): (Millis, _, crate::fact::WakeKind)| {
            Value::map([("being", self.world.name_of(being)), ("wake", Value::from(kind.word())), ("since", self.instant(due))])
        };
        Value::List(all.into_iter().take(FEW).map(told).collect())
    }

    /// The connections over which nobody is answered, each with how many here wait for it, and why.
    fn connections(&self) -> Value {
        let mut all: BTreeMap<&str, (u64, &Reason)> = BTreeMap::new();
        for being in &self.beings {
            let named: BTreeMap<&str, &Reason> =
                self.failed_wakes(being).filter_map(|(_, reason)| Some((out(reason)?.0, reason))).collect();
            named.into_iter().for_each(|(name, reason)| all.entry(name).or_insert((0, reason)).0 += 1);
        }
        let told = |(name, (beings, reason)): (&str, (u64, &Reason))| {
            (Text::from(name), Value::map([("beings", number(beings)), ("code", Value::from(reason.code.word()))]))
        };
        Value::Map(all.into_iter().map(told).collect::<Map>())
    }

    /// The dearest of the threads of which something is open here.
    fn threads(&self) -> Value {
        let open = opened(self.beings.iter().flat_map(|being| self.world.inbox().of(being.id)));
        Value::List(dearest(self.world, open).take(FEW).map(|(root, count, open)| told(self.world, root, count, open)).collect())
    }

    /// The claims of those here who do nothing now, on what the reader may know of: each stays until its time.
    fn claims(&self, knows: MayKnow<'_>) -> Value {
        let is_inside = |being: &Being| self.world.upward(being.position).any(|around| around.id == self.space);
        let told = |(on, claim): (Thing, &Claim)| {
            let holder = self.world.being(claim.by).filter(|being| is_inside(being))?;
            let why = self.idle(holder)?;
            Some(Value::map([
                ("on", Value::from(address_of(self.world, on))),
                ("by", self.world.name_of(claim.by)),
                ("until", self.instant(claim.until)),
                ("holder", Value::from(why)),
            ]))
        };
        let known = self.world.claims(self.at).filter(|(on, _)| knows.is_none_or(|knows| knows(*on)));
        Value::List(known.filter_map(told).take(PAGE).collect())
    }

    /// Why a being does nothing now, where something holds it.
    fn idle(&self, being: &Being) -> Option<&'static str> {
        let is_out = |code: &Code| self.failed_wakes(being).any(|(_, reason)| reason.code == *code);
        if self.world.holds_still(being) {
            Some("paused")
        } else if self.world.tripped(being, self.at).is_some() {
            Some("tripped")
        } else if self.world.stands_undressed(being, self.at) {
            Some(Code::Undressed.word())
        } else {
            [Code::Budget, Code::Outage, Code::ConnectionHeld].into_iter().find(is_out).map(Code::word)
        }
    }

    fn instant(&self, at: Millis) -> Value {
        Value::from(iso(at, Local::of(at, self.world.zone()).offset))
    }
}

/// Of some counts beside their limits those that come nearest, each by an address.
fn few(counted: impl Iterator<Item = (String, (u64, u64))>) -> Value {
    let mut all: Vec<_> = counted.filter(|(_, (count, _))| *count > 0).collect();
    // By the share of its limit: a / b < c / d where a × d < c × b.
    all.sort_by(|(_, a), (_, b)| (u128::from(b.0) * u128::from(a.1)).cmp(&(u128::from(a.0) * u128::from(b.1))));
    let told = |(address, (count, most)): (String, (u64, u64))| {
        (Text::from(address), Value::map([("count", number(count)), ("most", number(most))]))
    };
    Value::Map(all.into_iter().take(FEW).map(told).collect())
}

/// The connection that a wake waits for, and what is known of why.
fn out(reason: &Reason) -> Option<(&str, &str)> {
    let is_out = matches!(reason.code, Code::Outage | Code::ConnectionHeld);
    is_out.then(|| reason.at.split_once(": ").unwrap_or((&reason.at, "")))
}

fn address(being: &Being) -> Text {
    format!("@{}", being.name).into()
}

fn counted(count: u64) -> Option<Value> {
    (count > 0).then(|| number(count))
}
