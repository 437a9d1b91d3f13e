//! Operations in a place: moving, saying, publishing a signal.

use crate::fact::{Code, Fact, Reason, Thing, Value};
use crate::world::{Change, World, address_of};

use super::super::right::Rule;
use super::deed::{Core, Deed, HERE, WORLD};
use super::needed::keeps_operator;
use super::quality;

pub(super) const OPS: &[Core] = &[
    Core {
        name: "move",
        target: &[],
        about: "moves the target (oneself, a descendant, matter or a space) to another place, or along its grid",
        told: &[
            "{{oneself}}goes to {{elsewhere args.to}}",
            "{{oneself}}stays in {{args.to}}",
            "{{oneself}}{{given args.coords}}takes some steps",
            "{{oneself}}moves",
            "moves {{target}}[ to {{args.to}}]",
        ],
        schema: r#"{"type":"object","additionalProperties":false,"properties":{"to":{"type":"string"},"coords":{}}}"#,
        rule: Rule::Move,
        draft: go,
    },
    Core {
        name: "say",
        target: &[HERE],
        about: "says something aloud where one stands; all there who listen hear it",
        told: &["tells {{being}}", "says"],
        schema: r#"{"type":"object","required":["content"],"additionalProperties":false,"properties":{"content":{"type":"string","maxLength":4000}}}"#,
        rule: Rule::Role,
        draft: say,
    },
    Core {
        name: "signal.set",
        target: &[WORLD],
        about: "publishes a signal of the world at `<namespace>.<key>`; null takes it back",
        told: &["clears {{last args.path}}{{null args.value}}", "sets {{last args.path}}[ to {{args.value}}]", "sets a signal"],
        schema: r#"{"type":"object","required":["path","value"],"additionalProperties":false,"properties":{"path":{"type":"string"},"value":{}}}"#,
        rule: Rule::Role,
        draft: signal,
    },
];

fn go(deed: &Deed<'_>) -> Result<Vec<Fact>, Reason> {
    let world = deed.world;
    let now = match deed.target {
        Thing::Being(_) => Thing::Space(deed.being()?.position),
        Thing::Matter(id) => world.matter(id).ok_or_else(|| deed.wrong_target())?.place,
        Thing::Space(id) => Thing::Space(world.space(id).and_then(|space| space.parent).ok_or_else(|| deed.wrong_target())?),
    };
    let to = if deed.args.get("to").is_some() { deed.thing("to")? } else { now };
    let coords = match to {
        Thing::Space(space) => deed.coords_on("coords", space)?,
        Thing::Being(_) | Thing::Matter(_) => None,
    };
    match (deed.target, to) {
        // Anybody may come; what may be done there is another question.
        (Thing::Being(_), Thing::Space(_)) => {}
        (Thing::Matter(_), Thing::Being(other)) if other != deed.actor.id => {
            let receiver = deed.living(other)?;
            if receiver.position != deed.actor.position {
                return Err(Reason::new(Code::NotHere, address_of(world, to)));
            }
        }
        (Thing::Matter(_) | Thing::Space(_), _) if to == now => {}
        (Thing::Matter(_) | Thing::Space(_), _) => deed.may_change(to)?,
        (Thing::Being(_), Thing::Being(_) | Thing::Matter(_)) => return Err(Reason::new(Code::WrongTarget, "/to")),
    }
    let facts = vec![Fact::Moved { of: deed.target, to, coords }];
    if to != now {
        check_tree(deed, to)?;
        if is_operator_in(world, deed.target) {
            keeps_operator(world, &facts)?;
        }
    }
    Ok(facts)
}

/// Whether the operator is what is moved, or stands in it.
fn is_operator_in(world: &World, moved: Thing) -> bool {
    match moved {
        Thing::Being(id) => id == world.operator(),
        Thing::Space(id) => world.being(world.operator()).is_some_and(|being| world.upward(being.position).any(|around| around.id == id)),
        Thing::Matter(_) => false,
    }
}

/// Nothing moves into itself, and no name stands twice in one place.
fn check_tree(deed: &Deed<'_>, to: Thing) -> Result<(), Reason> {
    let world = deed.world;
    let (name, is_inside) = match deed.target {
        Thing::Being(_) => return Ok(()),
        Thing::Space(id) => {
            let Thing::Space(parent) = to else { return Err(Reason::new(Code::WrongTarget, "/to")) };
            let name = world.space(id).map(|space| space.name.clone()).unwrap_or_else(|| "".into());
            (name, world.upward(parent).any(|space| space.id == id))
        }
        Thing::Matter(id) => {
            let mut at = to;
            let mut is_inside = at == deed.target;
            while let Thing::Matter(holder) = at {
                let Some(matter) = world.matter(holder) else { break };
                at = matter.place;
                is_inside |= at == deed.target;
            }
            (world.matter(id).map(|matter| matter.name.clone()).unwrap_or_else(|| "".into()), is_inside)
        }
    };
    let in_space = if let Thing::Space(space) = to { world.child_space(space, &name).is_some() } else { false };
    if is_inside {
        Err(Reason::new(Code::InsideItself, address_of(world, deed.target)))
    } else if in_space || world.matter_named(to, &name).is_some() {
        Err(Reason::new(Code::NameTaken, &name))
    } else {
        Ok(())
    }
}

fn say(deed: &Deed<'_>) -> Result<Vec<Fact>, Reason> {
    Ok(vec![Fact::Said { space: deed.space()?, content: deed.required("content")? }])
}

fn signal(deed: &Deed<'_>) -> Result<Vec<Fact>, Reason> {
    let path = deed.required("path")?;
    let value: Value = deed.value("value");
    deed.world.signals().clone().change(&path, &Change::Set(&value), true).map_err(|error| quality::reason(&error, &path))?;
    Ok(vec![Fact::Signalled { path, value: value.into() }])
}
