//! Claims: who is at what, as `see /.claims` lists it, as a look at a thing shows it, and in a line.

use crate::fact::{BeingId, Millis, SpaceId, Thing, Value, as_name};
use crate::world::{Claim, Local, World, address_of};

/// The claims in a place that its reader may see, the first to end first. One's own are always among them.
pub fn claims<'w>(world: &'w World, within: SpaceId, reader: Option<BeingId>, at: Millis, knows: MayKnow<'_>) -> Vec<(Thing, &'w Claim)> {
    let is_inside = |thing: Thing| within == SpaceId::ROOT || world.enclosing(Some(thing)).any(|around| around == Thing::Space(within));
    let is_told = |thing: Thing, claim: &Claim| Some(claim.by) == reader || knows.is_none_or(|knows| knows(thing));
    let mut open: Vec<_> = world.claims(at).filter(|(thing, claim)| is_inside(*thing) && is_told(*thing, claim)).collect();
    open.sort_by_key(|(thing, claim)| (claim.until, *thing));
    open
}

/// A claim as a map.
pub fn claim_value(world: &World, (thing, claim): (Thing, &Claim)) -> Value {
    Value::map([
        ("on", Value::from(address_of(world, thing))),
        ("by", Value::from(address_of(world, Thing::Being(claim.by)))),
        ("since", Value::Int(claim.since)),
        ("until", Value::Int(claim.until)),
        ("why", Value::from(&claim.why)),
    ])
}

/// Whether a reader may know of a thing; nothing: of each.
pub type MayKnow<'a> = Option<&'a dyn Fn(Thing) -> bool>;

/// Of a thing, that it is claimed itself, and nothing of what is around it.
pub(super) const ITSELF: MayKnow<'static> = Some(&|_| false);

/// The claim that a look at a thing shows: on it, or on what is around it as far as its reader may know of that.
pub fn claimed(world: &World, thing: Thing, at: Millis, knows: MayKnow<'_>) -> Option<(&'static str, Value)> {
    let is_known = |on: Thing| on == thing || knows.is_none_or(|knows| knows(on));
    world.claims_over(thing, at).find(|(on, _)| is_known(*on)).map(|claimed| ("claimed", claim_value(world, claimed)))
}

/// A claim in a line: `/press: @ada until 10:20, repairing it`.
pub fn told(world: &World, thing: Thing, claim: &Claim, at: Millis) -> String {
    let why = if claim.why.is_empty() { String::new() } else { format!(", {}", as_name(&claim.why)) };
    let (who, until) = (address_of(world, Thing::Being(claim.by)), clock(world, claim.until, at));
    format!("{}: {who} until {until}{why}", address_of(world, thing))
}

/// An instant as a clock on the wall shows it; of another day, with its date.
pub fn clock(world: &World, instant: Millis, at: Millis) -> String {
    let (text, today) = (Local::of(instant, world.zone()).iso(), Local::of(at, world.zone()).iso());
    let (date, time) = text.split_once('T').unwrap_or(("", &text));
    let time = time.get(..8).unwrap_or(time);
    let time = time.strip_suffix(":00").unwrap_or(time);
    if today.starts_with(date) { time.to_owned() } else { format!("{date} {time}") }
}
