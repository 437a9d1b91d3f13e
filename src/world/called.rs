//! Called: the names by which a thing is called: its address, and all that an entry's glob may be compared with.

use crate::fact::Thing;

use super::whole::World;

/// The address by which a thing is called wherever one stands: its path, or a being's name.
pub fn address_of(world: &World, thing: Thing) -> String {
    match thing {
        Thing::Being(id) => world.being(id).map_or_else(|| id.to_string(), |being| format!("@{}", being.name)),
        Thing::Space(id) => world.path_of(id),
        Thing::Matter(id) => match world.matter(id) {
            None => id.to_string(),
            Some(matter) => {
                let holder = address_of(world, matter.place);
                format!("{}/{}", holder.trim_end_matches('/'), matter.name)
            }
        },
    }
}

/// What an entry's name may be compared with: the address, the bare name, the type; for a being also the roles it wears.
pub(super) fn names(world: &World, thing: Thing) -> Vec<String> {
    let mut names = vec![address_of(world, thing)];
    match thing {
        Thing::Being(id) => names.extend(world.being(id).into_iter().flat_map(|being| {
            let roles = being.default_role.iter().chain(being.wearing.iter());
            std::iter::once(&being.name).chain(roles).map(ToString::to_string).collect::<Vec<_>>()
        })),
        Thing::Space(id) => names.extend(world.space(id).into_iter().flat_map(|space| [space.name.to_string(), space.kind.to_string()])),
        Thing::Matter(id) => {
            names.extend(world.matter(id).into_iter().flat_map(|matter| [matter.name.to_string(), matter.kind.to_string()]))
        }
    }
    names
}

/// What a pattern such as `fitness/@coach` is compared with: place and name, place and each role.
pub(super) fn patterns(world: &World, thing: Thing) -> Vec<String> {
    let Thing::Being(id) = thing else { return vec![address_of(world, thing).trim_start_matches('/').to_owned()] };
    let Some(being) = world.being(id) else { return Vec::new() };
    let path = world.path_of(being.position);
    let place = path.trim_start_matches('/');
    let slash = if place.is_empty() { "" } else { "/" };
    let roles = being.default_role.iter().chain(being.wearing.iter());
    std::iter::once(&being.name).chain(roles).map(|name| format!("{place}{slash}@{name}")).collect()
}
