//! Resolver: the names of the see-resolvers that every world has.

use super::recall::RECALLED;

/// The things and beings near it, the nearest first.
pub const AROUND: &str = "around";
/// The world, with its places, signals and extensions.
pub const THE_WORLD: &str = "world";
/// The wakes that wait for the being, and when it will be woken.
pub const ACTING: &str = "acting";
/// The roles that it may give to others.
pub const ROLES: &str = "roles";
/// The newest of its life, as many as stand in brackets.
pub const RECENT: &str = "recent";
/// The things in or on a thing, whose address stands in brackets.
pub const SHELF: &str = "shelf";

/// All of them, without their brackets.
pub fn core_resolvers() -> impl Iterator<Item = &'static str> {
    RECALLED.iter().copied().chain([AROUND, THE_WORLD, ACTING, ROLES, RECENT, SHELF])
}

/// The name of a resolver, and what stands in brackets behind it.
pub fn in_brackets(written: &str) -> (&str, Option<&str>) {
    match written.strip_suffix(')').and_then(|written| written.split_once('(')) {
        Some((name, argument)) => (name, Some(argument.trim())),
        None => (written, None),
    }
}
