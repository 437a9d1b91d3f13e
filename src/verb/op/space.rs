//! Spaces: made, changed, ended.

use crate::fact::{Code, Coords, Fact, Reason, SpaceId, Thing};

use super::{Core, Deed, Rule, check_name, coords};

pub(super) const OPS: &[Core] = &[
    Core {
        name: "space.make",
        target: &["space"],
        about: "makes a space in the target space",
        schema: r#"{"type":"object","required":["name"],"additionalProperties":false,"properties":{
            "name":{"type":"string"},"type":{"type":"string","maxLength":64},"size":{},"coords":{},"owner":{"type":"string"},"qualities":{"type":"object"}}}"#,
        rule: Rule::Place,
        draft: make,
    },
    Core {
        name: "space.set",
        target: &["space"],
        about: "gives the target space another name, type or size",
        schema: r#"{"type":"object","additionalProperties":false,"properties":{"name":{"type":"string"},"type":{"type":"string","maxLength":64},"size":{}}}"#,
        rule: Rule::Place,
        draft: set,
    },
    Core {
        name: "space.end",
        target: &["space"],
        about: "ends the target space, which must be empty",
        schema: r#"{"type":"object","additionalProperties":false}"#,
        rule: Rule::Place,
        draft: end,
    },
];

/// A grid of at least one place along each axis, if a size is given.
fn size(deed: &Deed<'_>) -> Result<Option<Coords>, Reason> {
    let Some(value) = deed.args.get("size").filter(|value| !value.is_null()) else { return Ok(None) };
    let size = coords(Some(value)).ok_or_else(|| Reason::new(Code::ArgsType, "/size"))?;
    let size = Coords { y: size.y.max(1), z: size.z.max(1), ..size };
    let fits = |len: i64| (1..=1_000_000).contains(&len);
    if fits(size.x) && fits(size.y) && fits(size.z) { Ok(Some(size)) } else { Err(Reason::new(Code::ArgsMaximum, "/size")) }
}

fn make(deed: &Deed<'_>) -> Result<Vec<Fact>, Reason> {
    let (parent, name) = (deed.space()?, deed.required("name")?);
    check_name(&name)?;
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
    let kind = deed.text("type").unwrap_or_else(|| "space".into());
    let made = Fact::SpaceMade { name, parent: Some(parent), kind, size: size(deed)?, coords: deed.coords_on("coords", parent)?, owner };
    let mut facts = vec![made];
    facts.extend(deed.qualities(Thing::Space(SpaceId(deed.made(0)))));
    Ok(facts)
}

fn set(deed: &Deed<'_>) -> Result<Vec<Fact>, Reason> {
    let id = deed.space()?;
    let space = deed.world.space(id).ok_or_else(|| deed.wrong_target())?;
    let mut facts = Vec::new();
    if deed.args.get("name").is_some() || deed.args.get("type").is_some() {
        let name = deed.text("name").unwrap_or_else(|| space.name.clone());
        check_name(&name)?;
        let taken = space.parent.is_some_and(|parent| {
            deed.world.child_space(parent, &name).is_some_and(|other| other != id)
                || deed.world.matter_named(Thing::Space(parent), &name).is_some()
        });
        if taken || (space.parent.is_none() && name != space.name) {
            return Err(Reason::new(Code::NameTaken, &name));
        }
        facts.push(Fact::Named { of: Thing::Space(id), name, kind: deed.text("type").unwrap_or_else(|| space.kind.clone()) });
    }
    if deed.args.get("size").is_some() {
        facts.push(Fact::Sized { space: id, size: size(deed)? });
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
