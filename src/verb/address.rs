//! Addresses: how anybody names a thing. The world defines what an address is and what it names to whom,
//! because it finds the target of an act by it.

use crate::role::may_mean;
use crate::world::World;

pub use crate::world::{ADDRESS_MAX, Address, AddressError, Named};

/// How many spaces are looked through for one that was meant.
pub(super) const NEAR: usize = 4096;

/// The question after the address that is most like one that names nothing: of a living being, or of a space.
pub fn address_meant(world: &World, address: &str) -> Option<String> {
    if let Some(name) = address.strip_prefix('@') {
        let name = name.split_once('/').map_or(name, |(name, _)| name);
        if world.being_named(name).is_some() {
            return None;
        }
        let names: Vec<&str> = world.living().map(|being| being.name.as_ref()).collect();
        return may_mean("@", name, &names);
    }
    let paths: Vec<String> = world.spaces().take(NEAR).map(|space| world.path_of(space.id)).collect();
    may_mean("", address, &paths.iter().map(String::as_str).collect::<Vec<_>>())
}
