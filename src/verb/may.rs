//! May: what a being may do to a thing right now, and by which rule it may not: for forms that offer it before anybody tries.

use crate::fact::{Reason, Text, Thing, Value};

use super::admit::in_scope;
use super::be::OPERATIONS;
use super::gate::Asker;
use super::op::core;
use super::right::Rule;
use super::right::above;
use super::see::operations;

/// Something that could be done to a thing.
pub struct May {
    /// Which operation.
    pub action: Text,
    /// What it does.
    pub about: Text,
    /// The JSON Schema of its arguments.
    pub args: Value,
    /// Why it may not be done now; none: nothing that can be known before its arguments are speaks against it.
    pub why: Option<Reason>,
}

/// The operations that fit a thing.
pub fn may_do(asker: &Asker<'_>, thing: Thing) -> Vec<May> {
    let fitting = operations(asker.world).into_iter().filter(|operation| operation.fits(thing));
    let judged = fitting.map(|operation| {
        let rule = core(&operation.name).map_or(Rule::Place, |(core, _)| core.rule);
        let place = || rule.ask(asker.world, asker.actor, thing, &[&operation.name]);
        let scope = || in_scope(asker.world, &operation.name, [Some(asker.actor.position), asker.world.space_of(thing)]);
        let why = asker.could_do(&operation.name, thing).and_then(|()| scope()).and_then(|()| place()).err();
        May { action: operation.name, about: operation.about, args: operation.schema, why }
    });
    judged.collect()
}

/// The operations on identity, as far as they are about a being.
pub fn may_be(asker: &Asker<'_>, thing: Thing) -> Vec<May> {
    let judged = OPERATIONS.iter().map(|(name, about, schema)| {
        let of = if *name == "birth" { Thing::Being(asker.actor.id) } else { thing };
        let lineage = || match (of, *name) {
            (Thing::Being(being), "end" | "inhabit") => above(asker.world, asker.actor.id, being),
            _ => Ok(()),
        };
        May {
            action: (*name).into(),
            about: (*about).into(),
            args: serde_json::from_str(schema).unwrap_or_default(),
            why: asker.may_be(name, Some(of)).and_then(|()| lineage()).err(),
        }
    });
    judged.collect()
}
