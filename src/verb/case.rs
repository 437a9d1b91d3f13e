//! Case: a deed as the conditions of a rule see it: who is accountable, who did it, to what, where that goes, with which arguments.

use std::cell::OnceCell;

use crate::fact::{BeingId, Fact, Map, Millis, SpaceId, Text, Thing, Value, Verb};
use crate::role::{Aspect, ConditionTrace, Context, Entry, Judge, Party, Path, Petition, Requested, Seen, Worn};
use crate::world::{Being, Local, Qualities, Space, Standpoint, World, address_of};

use super::actions::SUMMON;
use super::actor::Actor;
use super::gate::namespace_of;
use super::see::{describe, describe_being};

/// The arguments of a summons: what is said alongside is its content, where it has no other.
pub(super) fn spoken(args: Value, said: Option<&Text>) -> Value {
    let Some(said) = said.filter(|_| args.get("content").is_none()) else { return args };
    match args {
        Value::Map(map) => Value::Map(map.into_iter().chain([("content".into(), Value::from(said))]).collect::<Map>()),
        other => other,
    }
}

/// A deed that has been drafted: what rules are asked about.
#[derive(Clone, Copy)]
pub(super) struct Drafted<'a> {
    /// How.
    pub(super) verb: Verb,
    /// The action: an operation, `summon`, or `be.` and an operation on identity.
    pub(super) action: &'a str,
    /// The target of the action.
    pub(super) target: Thing,
    /// Where the target goes.
    pub(super) to: Option<Thing>,
    /// The arguments.
    pub(super) args: &'a Value,
}

/// Where facts bring something: of a move, and of a birth.
pub(super) fn goes_to(facts: &[Fact]) -> Option<Thing> {
    facts.iter().find_map(|fact| match fact {
        Fact::Moved { to, .. } => Some(*to),
        Fact::Born(birth) => Some(Thing::Space(birth.home)),
        _ => None,
    })
}

/// The thing that a fact claims, or lets go.
pub(super) fn claimed_by(fact: &Fact) -> Option<Thing> {
    if let Fact::Claimed { of, .. } | Fact::ClaimEnded { of } = fact { Some(*of) } else { None }
}

/// The texts of a party that have to be written first.
#[derive(Default)]
struct Texts {
    address: OnceCell<String>,
    position: OnceCell<String>,
    home: OnceCell<String>,
    role: OnceCell<Option<Text>>,
}

/// A deed before its rules.
pub(super) struct Hearing<'a> {
    pub(super) world: &'a World,
    pub(super) deed: Drafted<'a>,
    pub(super) at: Millis,
    actor: &'a Being,
    by: &'a Being,
    worn: &'a Worn,
    caller: Option<BeingId>,
    local: OnceCell<Local>,
    /// Of the actor, of who did it, of the target, of where it goes.
    texts: (Texts, Texts, Texts, Texts),
}

/// Whether the conditions of a rule hold for a thing, with what each of them saw: as a being sees it that does nothing to it.
pub fn explain_of(judge: &Judge, world: &World, being: &Being, thing: Thing, at: Millis) -> (bool, Vec<ConditionTrace>) {
    let (worn, args) = (Worn::nothing(), Value::Null);
    let deed = Drafted { verb: Verb::See, action: "", target: thing, to: None, args: &args };
    let (local, texts) = (OnceCell::new(), Default::default());
    judge.explain(&Hearing { world, deed, at, actor: being, by: being, worn: &worn, caller: None, local, texts })
}

/// Whether a request of somebody to a bridge is one that has to be approved: `asked` has it under `request`, and what it may cost under `cost`.
pub fn has_to_be_approved(petition: &Petition, world: &World, (asker, bridge): (&Being, Thing), asked: &Value, at: Millis) -> bool {
    let worn = Worn::nothing();
    let deed = Drafted { verb: Verb::Summon, action: SUMMON, target: bridge, to: None, args: asked };
    let (local, texts) = (OnceCell::new(), Default::default());
    petition.holds(&Hearing { world, deed, at, actor: asker, by: asker, worn: &worn, caller: None, local, texts })
}

impl<'a> Hearing<'a> {
    pub(super) fn of(actor: &Actor<'a>, deed: Drafted<'a>) -> Self {
        Self {
            world: actor.world,
            deed,
            at: actor.at,
            actor: actor.accountable(),
            by: actor.being,
            worn: actor.worn,
            caller: actor.caller,
            local: OnceCell::new(),
            texts: Default::default(),
        }
    }

    /// Whether a rule is asked: one of its entries covers the deed, as it is done to the target or as that goes somewhere.
    pub(super) fn concerns(&self, judge: &Judge) -> bool {
        let point = Standpoint { world: self.world, being: self.by, caller: self.caller, at: self.at };
        let ns = namespace_of(self.deed.args);
        let covers = |entry: &Entry, thing: Thing| point.covers(entry, self.deed.action, thing, Some(ns));
        judge.on().iter().any(|entry| covers(entry, self.deed.target) || self.deed.to.is_some_and(|to| covers(entry, to)))
    }

    /// The deed as the script of a rule is shown it.
    pub(super) fn shown(&self) -> Value {
        let thing = |thing: Thing| match thing {
            Thing::Being(_) if self.is_by(thing) => describe_being(self.world, self.by, self.worn.stack.iter(), self.at),
            _ => describe(self.world, thing, self.at),
        };
        Value::map([
            ("verb", Value::from(self.deed.verb.word())),
            ("action", Value::text(self.deed.action)),
            ("actor", thing(Thing::Being(self.actor.id))),
            ("by", thing(Thing::Being(self.by.id))),
            ("target", thing(self.deed.target)),
            ("to", self.deed.to.map(thing).unwrap_or_default()),
            ("args", self.deed.args.clone()),
            ("at", Value::Int(self.at)),
        ])
    }

    fn party(&self, party: Party) -> (Option<Thing>, &Texts) {
        let (actor, by, target, to) = &self.texts;
        match party {
            Party::Actor => (Some(Thing::Being(self.actor.id)), actor),
            Party::By => (Some(Thing::Being(self.by.id)), by),
            Party::Target => (Some(self.deed.target), target),
            Party::To => (self.deed.to, to),
        }
    }

    fn being(&self, thing: Thing) -> Option<&'a Being> {
        if let Thing::Being(id) = thing { self.world.being(id).map(AsRef::as_ref) } else { None }
    }

    fn name_of(&self, being: BeingId) -> Option<&str> {
        self.world.being(being).map(|being| being.name.as_ref())
    }

    fn own_space(&self, thing: Thing) -> Option<&'a Space> {
        if let Thing::Space(id) = thing { self.world.space(id).map(AsRef::as_ref) } else { None }
    }

    fn space(&self, thing: Thing) -> Option<&'a Space> {
        self.world.space_of(thing).and_then(|id| self.world.space(id)).map(AsRef::as_ref)
    }

    /// The primary that a being wears: who did it, in this moment, and any other as it is found.
    fn role(&self, thing: Thing) -> Option<Text> {
        let worn = Some(&self.worn.name).filter(|name| self.is_by(thing) && !name.is_empty());
        worn.cloned().or_else(|| self.world.wears(self.being(thing)?.id, self.at).first().cloned())
    }

    fn is_by(&self, thing: Thing) -> bool {
        thing == Thing::Being(self.by.id)
    }

    fn holds(&self, thing: Thing, kind: &Text) -> i64 {
        let held = self.world.matter_in(thing).filter_map(|(_, id)| self.world.matter(id));
        held.filter(|matter| matter.kind == *kind).count() as i64
    }

    fn path(&self, space: Option<SpaceId>) -> String {
        space.map(|space| self.world.path_of(space)).unwrap_or_default()
    }

    /// A quality as it is at the instant of the deed: some numbers fade.
    fn quality<'q>(&self, qualities: Option<&'q Qualities>, path: &str) -> Seen<'q> {
        qualities.and_then(|qualities| qualities.found(path)).map_or(Seen::Null, |found| found.seen(self.at))
    }

    fn aspect(&self, party: Party, aspect: &Aspect) -> Seen<'_> {
        let (Some(thing), texts) = self.party(party) else { return Seen::Null };
        let count = |space: Option<&Space>| space.map_or(Seen::Null, |space| Seen::Int(space.count as i64));
        let owner = |space: Option<&Space>| space.and_then(|space| space.owner);
        match aspect {
            Aspect::Kind => Seen::Text(match thing {
                Thing::Being(_) => "being",
                Thing::Space(_) => "space",
                Thing::Matter(_) => "matter",
            }),
            Aspect::Name => match thing {
                Thing::Being(id) => self.name_of(id).into(),
                Thing::Space(_) => self.own_space(thing).map(|space| space.name.as_ref()).into(),
                Thing::Matter(id) => self.world.matter(id).map(|matter| matter.name.as_ref()).into(),
            },
            Aspect::Type => match thing {
                Thing::Being(_) => Seen::Null,
                Thing::Space(_) => self.own_space(thing).map(|space| space.kind.as_ref()).into(),
                Thing::Matter(id) => self.world.matter(id).map(|matter| matter.kind.as_ref()).into(),
            },
            Aspect::Address => Seen::Text(texts.address.get_or_init(|| address_of(self.world, thing))),
            Aspect::Position => Seen::Text(texts.position.get_or_init(|| self.path(self.world.space_of(thing)))),
            Aspect::Home => match self.being(thing) {
                Some(being) => Seen::Text(texts.home.get_or_init(|| self.path(Some(being.home)))),
                None => Seen::Null,
            },
            Aspect::Role => texts.role.get_or_init(|| self.role(thing)).as_deref().into(),
            Aspect::Cognition => self.being(thing).map(|being| being.cognition_at(self.at).word()).into(),
            Aspect::Parent => self.being(thing).and_then(|being| being.parent).and_then(|parent| self.name_of(parent)).into(),
            Aspect::Holder => match thing {
                Thing::Matter(id) => self.world.holder_of(id).and_then(|holder| self.name_of(holder)).into(),
                Thing::Being(_) | Thing::Space(_) => Seen::Null,
            },
            Aspect::Owner => owner(self.own_space(thing)).and_then(|owner| self.name_of(owner)).into(),
            Aspect::Count => count(self.own_space(thing)),
            Aspect::SpaceName => self.space(thing).map(|space| space.name.as_ref()).into(),
            Aspect::SpaceType => self.space(thing).map(|space| space.kind.as_ref()).into(),
            Aspect::SpaceOwner => owner(self.space(thing)).and_then(|owner| self.name_of(owner)).into(),
            Aspect::SpaceCount => count(self.space(thing)),
            Aspect::Quality(path) => self.quality(self.world.qualities(thing), path),
            Aspect::Content(path) => match thing {
                Thing::Matter(id) => self.world.matter(id).and_then(|matter| matter.content.at(path)).into(),
                Thing::Being(_) | Thing::Space(_) => Seen::Null,
            },
            Aspect::Holds(kind) => Seen::Int(self.holds(thing, kind)),
            Aspect::SpaceQuality(path) => self.quality(self.space(thing).map(|space| &space.qualities), path),
        }
    }
}

impl Context for Hearing<'_> {
    fn seen(&self, path: &Path) -> Seen<'_> {
        let local = || self.local.get_or_init(|| Local::of(self.at, self.world.zone()));
        match path {
            Path::Verb => Seen::Text(self.deed.verb.word()),
            Path::Action => Seen::Text(self.deed.action),
            Path::TimeHour => Seen::Int(local().hour),
            Path::TimeMinute => Seen::Int(local().minute),
            Path::TimeDayOfWeek => Seen::Int(local().day_of_week),
            Path::World(signal) => self.world.signals().at(signal).into(),
            Path::Args(path) => self.deed.args.at(path).into(),
            Path::Of(party, aspect) => self.aspect(*party, aspect),
            Path::Request(Requested::Part(path)) => self.deed.args.at(path).into(),
            Path::Request(Requested::Asker(aspect)) => self.aspect(Party::Actor, aspect),
            // No rule is compiled that asks for anything else.
            _ => Seen::Null,
        }
    }
}
