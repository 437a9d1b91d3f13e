//! Deed: what a core operation is, and all that it may read.

use crate::fact::{
    BeingId, Code, Coords, Fact, Made, MatterId, Millis, Reason, Seq, SpaceId, Text, Thing, Value, composed, in_a_line, is_name, is_type,
    type_of,
};
use crate::role::Worn;
use crate::world::{Being, Registry, World, address_of};

use super::super::address::{Address, Named};
use super::super::right::{Rule, at_place};

/// The context of an operation: the world, the actor, the target, the arguments and the instant.
pub struct Deed<'a> {
    /// The world as it is.
    pub world: &'a World,
    /// The being that acts.
    pub actor: &'a Being,
    /// The stack that the accountable being wears: a role that it writes gives nobody more than that.
    pub author: Option<&'a Worn>,
    /// The target of the operation.
    pub target: Thing,
    /// The operation's arguments, checked against its schema.
    pub args: &'a Value,
    /// The names under which it may stand in an allow list: its own, and of the extension's operation that it is part of.
    pub names: &'a [&'a str],
    /// When.
    pub at: Millis,
    /// The frame that is being drafted.
    pub seq: Seq,
    /// How many facts the frame has already.
    pub base: u32,
    /// Tells whoever watches what no seal holds: a refusal in whole sentences.
    pub tell: &'a dyn Fn(&str),
    /// Names all that can be done in a world.
    pub actions: fn(&Registry) -> Vec<Text>,
}

/// A core operation.
pub struct Core {
    /// Its name.
    pub name: &'static str,
    /// The kinds of thing it can be done to; none: any.
    pub target: &'static [&'static str],
    /// The sentence on what it does, for people and models.
    pub about: &'static str,
    /// The sentences in which it is told, in the third person of the present and behind the name of whoever does it: the first that fits.
    pub told: &'static [&'static str],
    /// The JSON Schema of its arguments.
    pub schema: &'static str,
    /// The rule that decides whether it may be done.
    pub rule: Rule,
    /// Drafts its facts.
    pub draft: fn(&Deed<'_>) -> Result<Vec<Fact>, Reason>,
}

/// Something is written wrongly: where, for the seal, and how, for whoever watches.
pub(in crate::verb) fn malformed(tell: &dyn Fn(&str), code: Code, place: impl AsRef<str>, how: impl std::fmt::Display) -> Reason {
    tell(&how.to_string());
    Reason::new(code, place)
}

impl Deed<'_> {
    /// The name that the fact at this place of the operation's own list will give to what it makes.
    pub(super) fn made(&self, index: usize) -> Made {
        Made { seq: self.seq, index: self.base.saturating_add(index as u32) }
    }

    pub(super) fn text(&self, key: &str) -> Option<Text> {
        self.args.get(key).and_then(Value::as_text).cloned()
    }

    pub(in crate::verb) fn required(&self, key: &str) -> Result<Text, Reason> {
        self.text(key).ok_or_else(|| Reason::new(Code::ArgsRequired, format!("/{key}")))
    }

    /// The type that is asked for, or else the one that there is.
    pub(super) fn kind_or(&self, kept: &str) -> Result<Text, Reason> {
        self.text("type").map_or_else(|| Ok(kept.into()), |kind| fit_type(&kind))
    }

    pub(in crate::verb) fn value(&self, key: &str) -> Value {
        self.args.get(key).cloned().unwrap_or_default()
    }

    pub(super) fn number(&self, key: &str) -> Result<u64, Reason> {
        let number = self.args.get(key).and_then(Value::as_int).and_then(|number| u64::try_from(number).ok());
        number.ok_or_else(|| Reason::new(Code::ArgsType, format!("/{key}")))
    }

    pub(super) fn being(&self) -> Result<&Being, Reason> {
        match self.target {
            Thing::Being(id) => self.living(id),
            Thing::Space(_) | Thing::Matter(_) => Err(self.wrong_target()),
        }
    }

    pub(super) fn living(&self, id: BeingId) -> Result<&Being, Reason> {
        let being = self.world.being(id).ok_or_else(|| Reason::new(Code::NotFound, id.to_string()))?;
        if being.ended { Err(Reason::new(Code::Ended, address_of(self.world, Thing::Being(id)))) } else { Ok(being) }
    }

    pub(super) fn space(&self) -> Result<SpaceId, Reason> {
        if let Thing::Space(id) = self.target { Ok(id) } else { Err(self.wrong_target()) }
    }

    pub(super) fn matter(&self) -> Result<MatterId, Reason> {
        if let Thing::Matter(id) = self.target { Ok(id) } else { Err(self.wrong_target()) }
    }

    pub(in crate::verb) fn wrong_target(&self) -> Reason {
        Reason::new(Code::WrongTarget, address_of(self.world, self.target))
    }

    /// The thing that an argument names.
    pub(in crate::verb) fn thing(&self, key: &str) -> Result<Thing, Reason> {
        thing_named(self.world, self.actor, self.at, &self.required(key)?)
    }

    /// The living being that an argument names.
    pub(super) fn living_named(&self, key: &str) -> Result<BeingId, Reason> {
        match self.thing(key)? {
            Thing::Being(id) => Ok(self.living(id)?.id),
            Thing::Space(_) | Thing::Matter(_) => Err(Reason::new(Code::WrongTarget, format!("/{key}"))),
        }
    }

    pub(super) fn may_change(&self, thing: Thing) -> Result<(), Reason> {
        at_place(self.world, self.actor, thing, self.names)
    }

    /// Coordinates from an argument, on the grid of a space.
    pub(super) fn coords_on(&self, key: &str, space: SpaceId) -> Result<Option<Coords>, Reason> {
        let Some(coords) = coords(self.args.get(key)) else { return Ok(None) };
        let grid = self.world.space(space).ok_or_else(|| Reason::new(Code::NotFound, space.to_string()))?;
        if grid.holds(coords) { Ok(Some(coords)) } else { Err(Reason::new(Code::OffGrid, format!("/{key}"))) }
    }
}

/// The thing that an address names at an instant, for whoever speaks.
pub fn thing_named(world: &World, speaker: &Being, at: Millis, address: &str) -> Result<Thing, Reason> {
    let parsed: Address = address.parse().map_err(|_| Reason::new(Code::BadAddress, address.chars().take(80).collect::<String>()))?;
    match parsed.resolve(world, speaker, at)? {
        Named::Thing(thing) => Ok(thing),
        Named::Register { .. } => Err(Reason::new(Code::WrongTarget, address)),
    }
}

/// The kind of thing that is the root alone, and that of the space where one stands.
pub(super) const WORLD: &str = "world";
pub(super) const HERE: &str = "here";

/// Whether a thing is of one of these kinds to a being; where none is named, any will do.
pub fn is_of<'a>(kinds: impl ExactSizeIterator<Item = &'a str>, actor: &Being, thing: Thing) -> Result<(), Code> {
    let (is_any, mut code) = (kinds.len() == 0, Code::WrongTarget);
    for kind in kinds {
        let fits = match (kind, thing) {
            (WORLD, thing) => thing == Thing::Space(SpaceId::ROOT),
            (HERE, Thing::Space(space)) => {
                code = Code::NotHere;
                space == actor.position
            }
            ("being", Thing::Being(_)) | ("space", Thing::Space(_)) | ("matter", Thing::Matter(_)) => true,
            _ => false,
        };
        if fits {
            return Ok(());
        }
    }
    if is_any { Ok(()) } else { Err(code) }
}

/// Coordinates from `[x, y]`, `[x, y, z]` or `{x, y, z}`.
pub fn coords(value: Option<&Value>) -> Option<Coords> {
    let axis = |value: Option<&Value>| value.and_then(Value::as_int);
    match value? {
        Value::List(list) => Some(Coords { x: axis(list.first())?, y: axis(list.get(1)).unwrap_or(0), z: axis(list.get(2)).unwrap_or(0) }),
        map @ Value::Map(_) => {
            Some(Coords { x: axis(map.get("x"))?, y: axis(map.get("y")).unwrap_or(0), z: axis(map.get("z")).unwrap_or(0) })
        }
        Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Text(_) => None,
    }
}

/// A type as it is kept, if it is one; else with the type to write.
fn fit_type(kind: &str) -> Result<Text, Reason> {
    let kind = composed(kind);
    if is_type(&kind) {
        return Ok(Text::from(kind.as_ref()));
    }
    let shown = in_a_line(&kind.chars().take(64).collect::<String>());
    let wanted = Some(type_of(&kind)).filter(|kind| is_type(kind)).map(|kind| format!("; write {kind}")).unwrap_or_default();
    Err(Reason::new(Code::BadType, format!("{shown}{wanted}")))
}

/// A name as it is kept, if it may stand in an address: letters, marks and digits, `-` and `_`, at most 64 bytes.
pub fn fit_name(name: &str) -> Result<Text, Reason> {
    let name = composed(name);
    if is_name(&name) { Ok(Text::from(name.as_ref())) } else { Err(Reason::new(Code::BadName, name.chars().take(64).collect::<String>())) }
}
