//! The open-context: the values that a being's flow reads about a moment, answered from the world without copying it.
//!
//! The moment opens for a wake, or there is none: so a being is asked about from outside.

use std::cell::OnceCell;

use crate::fact::{Call, Cognition, Map, Millis, SpaceId, Value, Verb, WakeKind};
use crate::role::{Context, Path, Seen, Spec, Wardrobe};

use super::being::Being;
use super::local::Local;
use super::quality::Qualities;
use super::wake::{Body, Wake};
use super::whole::World;

/// One moment as conditions see it.
pub struct OpenContext<'a> {
    world: &'a World,
    being: &'a Being,
    wake: Option<&'a Wake>,
    call: Option<&'a Call>,
    caller: Option<&'a Being>,
    cognition: Cognition,
    at: Millis,
    local: OnceCell<Local>,
    iso: OnceCell<String>,
    position: OnceCell<String>,
    home: OnceCell<String>,
}

impl<'a> OpenContext<'a> {
    /// The context of a wake that opens at an instant; a person's own act brings its call.
    pub fn new(world: &'a World, being: &'a Being, wake: &'a Wake, at: Millis, call: Option<&'a Call>) -> Self {
        Self::of(world, being, Some(wake), at, call)
    }

    /// The context of a being that nothing has woken, at an instant.
    pub fn unwoken(world: &'a World, being: &'a Being, at: Millis) -> Self {
        Self::of(world, being, None, at, None)
    }

    fn of(world: &'a World, being: &'a Being, wake: Option<&'a Wake>, at: Millis, call: Option<&'a Call>) -> Self {
        // A panel that has heard its members wears what it wears for what it asked them about.
        let wake = wake.map(Wake::about);
        let caller = wake.and_then(Wake::caller).and_then(|caller| world.being(caller)).map(AsRef::as_ref);
        let (cognition, local) = (being.cognition_at(at), OnceCell::new());
        let (iso, position, home) = (OnceCell::new(), OnceCell::new(), OnceCell::new());
        Self { world, being, wake, call, caller, cognition, at, local, iso, position, home }
    }

    /// When the moment opens.
    pub fn at(&self) -> Millis {
        self.at
    }

    /// The kind of mind that thinks for it.
    pub fn cognition(&self) -> Cognition {
        self.cognition
    }

    /// Time in the world's zone.
    pub fn local(&self) -> &Local {
        self.local.get_or_init(|| Local::of(self.at, self.world.zone()))
    }

    /// Whole seconds since the being last acted, or was born.
    pub fn since(&self) -> i64 {
        self.at.saturating_sub(self.being.counted_from).max(0) / 1000
    }

    /// All of it as one nested value, for the templates of prompts.
    pub fn to_value(&self) -> Value {
        let mut whole = Value::Map(Map::new());
        for word in Path::WORDS {
            if let Ok(path) = Path::parse(word) {
                put(&mut whole, word, self.seen(&path).to_value());
            }
        }
        put(&mut whole, "me.quality", self.being.qualities.read(self.at));
        put(
            &mut whole,
            "space.quality",
            self.world.space(self.being.position).map(|space| space.qualities.read(self.at)).unwrap_or_default(),
        );
        put(&mut whole, "world", self.world.signals().to_value());
        whole
    }

    fn verb(&self) -> Option<&str> {
        match (self.call, self.wake.map(|wake| wake.id.kind)) {
            (Some(call), _) => Some(call.verb.word()),
            (None, Some(WakeKind::Summons)) => Some(Verb::Summon.word()),
            (None, _) => None,
        }
    }

    fn caller_role(&self) -> Option<&str> {
        match &self.wake?.body {
            Body::Summons { summons, .. } => summons.caller_role.as_deref(),
            Body::Arrival { .. } | Body::Hear { .. } | Body::Watch { .. } => {
                self.caller.and_then(|caller| caller.wearing.first()).map(AsRef::as_ref)
            }
            Body::Signal { .. }
            | Body::Schedule { .. }
            | Body::Enter { .. }
            | Body::Change { .. }
            | Body::Crossing
            | Body::SelfContinue { .. }
            | Body::Gesture
            | Body::End
            | Body::Boot { .. }
            | Body::ReplyDue { .. } => None,
        }
    }

    fn caller_is(&self, test: impl Fn(&Being) -> bool) -> Seen<'_> {
        self.caller.map_or(Seen::Null, |caller| Seen::Bool(test(caller)))
    }

    /// The value at a path of qualities now: a fading number is the number that it has come to.
    fn quality<'q>(&self, qualities: &'q Qualities, path: &str) -> Seen<'q> {
        qualities.found(path).map_or(Seen::Null, |found| found.seen(self.at))
    }

    fn called(&self, verb: Verb) -> Option<&str> {
        self.call.filter(|call| call.verb == verb).map(|call| call.action.as_ref())
    }
}

impl Context for OpenContext<'_> {
    fn stays(&self, path: &Path) -> bool {
        // A being that was heard, met or watched may wear something else by then; a summons says what its caller wore.
        path.is_of_wake() && (*path != Path::CallerRole || self.wake.is_none_or(|wake| wake.summons().is_some()))
    }

    fn seen(&self, path: &Path) -> Seen<'_> {
        let (world, me) = (self.world, self.being);
        let space = world.space(me.position);
        let int = |n: i64| Seen::Int(n);
        match path {
            Path::Verb => self.verb().into(),
            Path::Action => self.called(Verb::Do).into(),
            Path::Operation => self.called(Verb::Be).into(),
            Path::Intent => self.wake.and_then(Wake::summons).and_then(|summons| summons.intent.as_deref()).into(),
            Path::CallerName => self.caller.map(|caller| caller.name.as_ref()).into(),
            Path::CallerRole => self.caller_role().into(),
            Path::CallerCognition => self.caller.map(|caller| caller.cognition_at(self.at).word()).into(),
            Path::CallerIsSelf => self.caller_is(|caller| caller.id == me.id),
            Path::CallerIsParent => self.caller_is(|caller| me.parent == Some(caller.id)),
            Path::CallerIsAncestor => self.caller_is(|caller| world.is_ancestor(caller.id, me.id)),
            Path::CallerIsDescendant => self.caller_is(|caller| world.is_ancestor(me.id, caller.id)),
            Path::SpaceName => space.map(|space| space.name.as_ref()).into(),
            Path::SpaceType => space.map(|space| space.kind.as_ref()).into(),
            Path::SpaceOwner => {
                space.and_then(|space| space.owner).and_then(|owner| world.being(owner)).map(|owner| owner.name.as_ref()).into()
            }
            Path::SpaceCount => space.map_or(Seen::Null, |space| int(space.count as i64)),
            Path::SpaceQuality(quality) => space.map_or(Seen::Null, |space| self.quality(&space.qualities, quality)),
            Path::SpaceWearing(role) => int(world.wearing(me.position, role) as i64),
            Path::CoordsX => me.coords.map_or(Seen::Null, |at| int(at.x)),
            Path::CoordsY => me.coords.map_or(Seen::Null, |at| int(at.y)),
            Path::CoordsZ => me.coords.map_or(Seen::Null, |at| int(at.z)),
            Path::InHomeSpace => Seen::Bool(me.position == me.home),
            Path::InTreeOf(name) => match world.being_named(name) {
                Some(other) => Seen::Bool(other.id == me.id || world.is_ancestor(other.id, me.id)),
                None => Seen::Null,
            },
            Path::MeName => Seen::Text(&me.name),
            Path::MeDefaultRole => me.default_role.as_deref().into(),
            Path::MePreviousRole => me.previous_role.as_deref().into(),
            Path::MeCognition => Seen::Text(self.cognition.word()),
            Path::MeInhabitedBy => me.driver_at(self.at).and_then(|driver| world.being(driver)).map(|driver| driver.name.as_ref()).into(),
            Path::MePosition => Seen::Text(self.position.get_or_init(|| world.path_of(me.position))),
            Path::MeHome => Seen::Text(self.home.get_or_init(|| world.path_of(me.home))),
            Path::MeQuality(quality) => self.quality(&me.qualities, quality),
            Path::TimeHour => int(self.local().hour),
            Path::TimeMinute => int(self.local().minute),
            Path::TimeDayOfWeek => int(self.local().day_of_week),
            Path::TimeIso => Seen::Text(self.iso.get_or_init(|| self.local().iso())),
            Path::TimeSinceLastMoment => int(self.since()),
            Path::World(signal) => world.signals().at(signal).into(),
            Path::Of(..) | Path::Args(_) | Path::Moment(_) | Path::Request(_) | Path::Unknown(_) => Seen::Null,
        }
    }
}

/// Puts a value at a dotted path of nested maps.
fn put(whole: &mut Value, path: &str, value: Value) {
    let Value::Map(map) = whole else { return };
    match path.split_once('.') {
        None => drop(map.insert(path.into(), value)),
        Some((first, rest)) => put(map.entry(first.into()).or_insert_with(|| Value::Map(Map::new())), rest, value),
    }
}

/// The roles as a flow's evaluator asks for them where its being stands.
pub struct Registered<'a> {
    /// The world.
    pub world: &'a World,
    /// Where.
    pub at: SpaceId,
}

impl Wardrobe for Registered<'_> {
    fn role(&self, name: &str) -> Option<&Spec> {
        self.world.role_at(name, self.at).map(|role| role.spec.as_ref())
    }
}
