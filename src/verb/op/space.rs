//! Spaces: made, changed, ended.

use crate::fact::{Code, Coords, Fact, Reason, SpaceId, Thing, Value};
use crate::world::{Space, address_of};

use super::super::right::Rule;
use super::deed::{Core, Deed, fit_name};

/// The type of a space of which none is said.
pub(in crate::verb) const PLAIN_SPACE: &str = "space";

pub(super) const OPS: &[Core] = &[
    Core {
        name: "space.make",
        target: &["space"],
        about: "makes a space in the target space",
        told: &["opens {{the args.name}}[ in {{other}}]", "opens a place[ in {{other}}]"],
        schema: r#"{"type":"object","required":["name"],"additionalProperties":false,"properties":{
            "name":{"type":"string"},"type":{"type":"string","maxLength":64},"size":{},"coords":{},"owner":{"type":"string"},"qualities":{"type":"object"}}}"#,
        rule: Rule::Place,
        draft: make,
    },
    Core {
        name: "space.set",
        target: &["space"],
        about: "gives the target space another name, type or size",
        told: &["changes {{target}}"],
        schema: r#"{"type":"object","additionalProperties":false,"properties":{"name":{"type":"string"},"type":{"type":"string","maxLength":64},"size":{}}}"#,
        rule: Rule::Place,
        draft: set,
    },
    Core {
        name: "space.end",
        target: &["space"],
        about: "ends the target space, which must be empty",
        told: &["closes {{target}} for good"],
        schema: r#"{"type":"object","additionalProperties":false}"#,
        rule: Rule::Place,
        draft: end,
    },
];

/// The longest side of a grid.
const SIDE_MAX: i64 = 1_000_000;

/// A grid of at least one place along each axis, if a size is given: `[x, y]` or `[x, y, z]`.
fn size(deed: &Deed<'_>) -> Result<Option<Coords>, Reason> {
    let Some(value) = deed.args.get("size").filter(|value| !value.is_null()) else { return Ok(None) };
    let wrong = |code| Reason::new(code, "/size");
    let axes = match value {
        Value::List(axes) => axes.iter().map(Some).collect::<Vec<_>>(),
        Value::Map(axes) => {
            ["x", "y", "z"].map(|axis| axes.get(axis)).into_iter().filter(|axis| axis.is_some_and(|n| !n.is_null())).collect()
        }
        Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Text(_) => return Err(wrong(Code::ArgsType)),
    };
    if !(2..=3).contains(&axes.len()) {
        return Err(wrong(Code::ArgsItems));
    }
    let axes =
        axes.into_iter().map(|axis| axis.and_then(Value::as_int)).collect::<Option<Vec<_>>>().ok_or_else(|| wrong(Code::ArgsType))?;
    match axes.iter().find(|side| !(1..=SIDE_MAX).contains(side)) {
        Some(side) => Err(wrong(if *side < 1 { Code::ArgsMinimum } else { Code::ArgsMaximum })),
        None => {
            let side = |at: usize| axes.get(at).copied().unwrap_or(1);
            Ok(Some(Coords { x: side(0), y: side(1), z: side(2) }))
        }
    }
}

/// A thing that stands on a space's grid and would not fit one of another size.
fn outside(deed: &Deed<'_>, space: &Space, size: Option<Coords>) -> Option<Thing> {
    let (world, id) = (deed.world, space.id);
    let grid = Space { size, ..space.clone() };
    let is_off = |coords: Option<Coords>| coords.is_some_and(|coords| !grid.holds(coords));
    let being = world.beings_in(id).find(|being| is_off(world.being(*being).and_then(|being| being.coords))).map(Thing::Being);
    let matter = || world.matter_in(Thing::Space(id)).find(|(_, id)| is_off(world.matter(*id).and_then(|matter| matter.coords)));
    let inside = || world.spaces_in(id).find(|(_, id)| is_off(world.space(*id).and_then(|space| space.coords)));
    being.or_else(|| matter().map(|(_, id)| Thing::Matter(id))).or_else(|| inside().map(|(_, id)| Thing::Space(id)))
}

fn make(deed: &Deed<'_>) -> Result<Vec<Fact>, Reason> {
    let (parent, name) = (deed.space()?, deed.required("name")?);
    let name = fit_name(&name)?;
    if deed.world.child_space(parent, &name).is_some() || deed.world.matter_named(Thing::Space(parent), &name).is_some() {
        return Err(Reason::new(Code::NameTaken, &name));
    }
    let owner = match deed.text("owner") {
        Some(_) => Some(deed.living_named("owner")?),
        None => None,
    };
    // Making a space that somebody else owns gives authority away, which needs authority of one's own.
    if owner.is_some_and(|owner| owner != deed.actor.id) && !super::super::right::has_right(deed.world, deed.actor.id, parent) {
        return Err(Reason::new(Code::GateOwner, "/owner"));
    }
    let kind = deed.kind_or(PLAIN_SPACE)?;
    let made = Fact::SpaceMade { name, parent: Some(parent), kind, size: size(deed)?, coords: deed.coords_on("coords", parent)?, owner };
    let mut facts = vec![made];
    facts.extend(deed.qualities(Thing::Space(SpaceId(deed.made(0))))?);
    Ok(facts)
}

fn set(deed: &Deed<'_>) -> Result<Vec<Fact>, Reason> {
    let id = deed.space()?;
    let space = deed.world.space(id).ok_or_else(|| deed.wrong_target())?;
    let mut facts = Vec::new();
    if deed.args.get("name").is_some() || deed.args.get("type").is_some() {
        let name = deed.text("name").unwrap_or_else(|| space.name.clone());
        let name = fit_name(&name)?;
        let taken = space.parent.is_some_and(|parent| {
            deed.world.child_space(parent, &name).is_some_and(|other| other != id)
                || deed.world.matter_named(Thing::Space(parent), &name).is_some()
        });
        if taken || (space.parent.is_none() && name != space.name) {
            return Err(Reason::new(Code::NameTaken, &name));
        }
        facts.push(Fact::Named { of: Thing::Space(id), name, kind: deed.kind_or(&space.kind)? });
    }
    if deed.args.get("size").is_some() {
        let size = size(deed)?;
        if let Some(thing) = outside(deed, space, size) {
            return Err(Reason::new(Code::OffGrid, address_of(deed.world, thing)));
        }
        facts.push(Fact::Sized { space: id, size });
    }
    Ok(facts)
}

fn end(deed: &Deed<'_>) -> Result<Vec<Fact>, Reason> {
    let id = deed.space()?;
    let is_used = id == SpaceId::ROOT
        || deed.world.spaces_in(id).next().is_some()
        || deed.world.beings_in(id).next().is_some()
        || deed.world.matter_in(Thing::Space(id)).next().is_some()
        || deed.world.beings().any(|being| !being.ended && being.home == id);
    if is_used { Err(Reason::new(Code::NotEmpty, deed.world.path_of(id))) } else { Ok(vec![Fact::Ended { of: Thing::Space(id) }]) }
}
