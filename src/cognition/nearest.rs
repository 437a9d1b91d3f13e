//! Nearest: what a model may do now that is most like what it was refused, chosen among what its prompt lists.

use crate::fact::Verb;
use crate::role::distance;
use crate::verb::{Asker, BE_OPERATIONS, Doable};
use crate::world::{Attempted, address_of};

use super::abilities::{at_hand, may_bind, targets};
use super::near::Near;

/// In words, such as `do sweep on /hall`; nothing where the verb reaches nothing.
pub(super) fn nearest(asker: &Asker<'_>, near: &Near, tried: &Attempted) -> Option<String> {
    let like = |wanted: &str, all: Vec<String>| all.into_iter().min_by_key(|one| distance(wanted, one));
    match tried.verb {
        Verb::Do => done(asker, near, tried),
        Verb::See | Verb::Summon => {
            let may = near.things.iter().filter(|thing| asker.may_reach(tried.verb, **thing).is_ok());
            let may =
                may.map(|thing| address_of(asker.world, *thing)).filter(|address| tried.verb == Verb::See || address.starts_with('@'));
            like(&tried.target, may.collect()).map(|address| format!("{} {address}", tried.verb))
        }
        Verb::Be => {
            let may = BE_OPERATIONS.iter().map(|(name, ..)| *name).filter(|name| may_bind(asker, name)).map(str::to_owned);
            like(&tried.action, may.collect()).map(|name| format!("be {name}"))
        }
    }
}

/// The operation of the nearest name that can be done to anything, and of what that is, the nearest address.
fn done(asker: &Asker<'_>, near: &Near, tried: &Attempted) -> Option<String> {
    let mut operations: Vec<Doable> = at_hand(asker);
    operations.sort_by_key(|operation| distance(&tried.action, &operation.name));
    operations.into_iter().find_map(|operation| {
        let addresses = targets(asker, &operation, near).into_iter().map(|thing| address_of(asker.world, thing));
        let target = addresses.min_by_key(|address| distance(&tried.target, address))?;
        Some(format!("do {} on {target}", operation.name))
    })
}
