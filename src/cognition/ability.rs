//! Ability: what a being may do now, verb by verb, in the words in which a model in the world is told: for models that drive it from outside.

use crate::fact::{Text, Thing, Verb};
use crate::moment::Opening;
use crate::verb::{Asker, BE_OPERATIONS, only_draws_up};
use crate::world::address_of;

use super::abilities::{at_hand, be_line, claimed, do_line, may_bind, moved_by, reached, shapes};
use super::near::Near;

/// The use that one verb has for a being now.
pub struct Ability {
    /// The verb.
    pub verb: Verb,
    /// The lines that tell it: what it reaches, or each operation with its arguments.
    pub lines: Vec<String>,
    /// The operations, of a do and a be.
    pub operations: Vec<Text>,
}

/// The verbs that a being may use now, and the things that it may see.
pub struct Abilities {
    /// The verbs of which its role lists anything.
    pub verbs: Vec<Ability>,
    /// The addresses near it that it may see, the nearest first.
    pub near: Vec<String>,
}

impl Abilities {
    /// The abilities of an asker in a moment with this opening.
    pub fn of(opening: &Opening, asker: &Asker<'_>) -> Self {
        let near = Near::of(opening, asker.world);
        let sees = |thing: &&Thing| asker.may_reach(Verb::See, **thing).is_ok();
        let seen = near.things.iter().filter(sees).map(|thing| address_of(asker.world, *thing)).collect();
        let reaching = [Verb::See, Verb::Summon].into_iter().filter(|verb| asker.worn.has(*verb));
        let mut verbs: Vec<Ability> =
            reaching.map(|verb| Ability { verb, lines: vec![reached(asker, verb, &near)], operations: Vec::new() }).collect();
        verbs.extend(asker.worn.has(Verb::Do).then(|| doing(asker, &near)));
        verbs.extend((!asker.worn.can_be.is_empty() && !only_draws_up(asker, "be.")).then(|| being(asker)));
        verbs.sort_by_key(|ability| ability.verb);
        Self { verbs, near: seen }
    }
}

/// The operations that its entries cover, each with what near it can be done to.
fn doing(asker: &Asker<'_>, near: &Near) -> Ability {
    let operations = at_hand(asker);
    let lines = operations.iter().filter_map(|operation| do_line(asker, operation, near)).chain(claimed(asker, near));
    Ability {
        verb: Verb::Do,
        lines: lines.chain(shapes(asker)).chain(moved_by(asker)).collect(),
        operations: operations.iter().map(|operation| operation.name.clone()).collect(),
    }
}

/// The operations on identity that are its own to do.
fn being(asker: &Asker<'_>) -> Ability {
    let may = BE_OPERATIONS.iter().filter(|(name, ..)| may_bind(asker, name));
    let (operations, lines) = may.map(|(name, about, schema, _)| (Text::from(*name), be_line(name, about, schema))).unzip();
    Ability { verb: Verb::Be, lines, operations }
}
