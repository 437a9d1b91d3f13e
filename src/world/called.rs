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

/// The names that an entry may mean a thing by: its address, its bare name, its type.
pub(super) fn names(world: &World, thing: Thing) -> Vec<String> {
    let mut names = vec![address_of(world, thing)];
    match thing {
        Thing::Being(id) => names.extend(world.being(id).map(|being| being.name.to_string())),
        Thing::Space(id) => names.extend(world.space(id).into_iter().flat_map(|space| [space.name.to_string(), space.kind.to_string()])),
        Thing::Matter(id) => {
            names.extend(world.matter(id).into_iter().flat_map(|matter| [matter.name.to_string(), matter.kind.to_string()]))
        }
    }
    names
}
