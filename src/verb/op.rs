//! Core operations: everything needed to build and change a world from inside it, one family a file.
//!
//! An operation reads the world as it is when the moment closes and drafts facts; it writes nothing. In reading order: [`deed`] is what all of them have in common, [`space`],
//! [`matter`], [`quality`], [`place`] (move, say, signal), [`being`] (flow, cognition, grants), [`own`], [`keep`] (what one wants to know always), [`time`] (schedules, pauses,
//! dead letters), [`thread`] (what goes back to one fact, and its end), [`approval`] (what a bridge may send), [`claim`] (who is at what), [`registry`] (roles, scripts), [`extension`] (with what they [need](needs)), [`setting`] with [`models`] and [`bridges`] (what holds where), [`rule`] (rules of the world's own), [`draft`] (what is drawn up, to be
//! published by whoever holds it), [`trial`] (what
//! trying a draft costs), [`loss`] (history that is gone), [`owner`] (whose a world is that has a copy outside), [`reopened`] (time that has passed without the world).

mod approval;
mod being;
mod bridges;
mod claim;
mod deed;
mod draft;
mod extension;
mod keep;
mod loss;
mod owner;
mod matter;
#[doc(hidden)]
pub mod models;
mod needed;
mod needs;
mod own;
mod place;
mod quality;
mod registry;
mod reopened;
mod rule;
mod setting;
mod space;
mod thread;
mod time;
mod trial;

use std::collections::BTreeMap;
use std::sync::OnceLock;

use super::schema::Schema;

pub(super) use being::checked_flow;
pub use claim::{CLAIM_END, CLAIM_SET};
pub(super) use claim::{claimed_things, may_end_claim};
pub(super) use deed::malformed;
pub use deed::{Core, Deed, coords, fit_name, is_of, thing_named};
pub(super) use draft::drafted_for;
pub use draft::{DRAFT_MAKE, DRAFT_PUBLISH};
pub use extension::{PROFILES, only};
pub use loss::LOSS_ACCEPT;
pub(super) use matter::PLAIN_MATTER;
pub use owner::OWNER_TAKE;
pub(super) use quality::first as first_qualities;
pub(super) use registry::is_named_after;
pub use registry::{WORDS, too_long};
pub use reopened::REOPENED;
pub(super) use rule::names_nothing;
pub use setting::CONFIG_SET;
pub use setting::may_say;
pub(super) use space::PLAIN_SPACE;
pub use time::{PAUSE_END, SCHEDULE_SET};
pub use trial::TRIALS;

/// All core operations, by family.
const FAMILIES: &[&[Core]] = &[
    space::OPS,
    matter::OPS,
    quality::OPS,
    place::OPS,
    being::OPS,
    own::OPS,
    keep::OPS,
    time::OPS,
    thread::OPS,
    approval::OPS,
    claim::OPS,
    registry::OPS,
    setting::OPS,
    rule::OPS,
    extension::OPS,
    draft::OPS,
    trial::OPS,
    loss::OPS,
    owner::OPS,
    reopened::OPS,
];

/// All core operations, in the order of their families.
pub fn core_operations() -> impl Iterator<Item = &'static Core> {
    FAMILIES.iter().copied().flatten()
}

/// The core operation of that name, and its schema.
pub fn core(name: &str) -> Option<(&'static Core, &'static Schema)> {
    static TABLE: OnceLock<BTreeMap<&'static str, (&'static Core, Schema)>> = OnceLock::new();
    let table = TABLE.get_or_init(|| core_operations().map(|op| (op.name, (op, Schema::of_text(op.schema)))).collect());
    table.get(name).map(|(core, schema)| (*core, schema))
}
