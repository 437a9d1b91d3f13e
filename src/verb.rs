//! Verb: the four doors and their gate (floor 6).
//!
//! In reading order: [`address`] says what is meant, [`mod@see`] shows it, [`short`] the things in it and [`shown`] what is set there; [`actor`] is who acts, with its
//! [`hands`]; [`admit`] judges one call before its arguments are read, [`perform`] with them, and carries it out: [`gate`] asks the worn
//! role, [`right`] the place and the lineage, [`author`] what one writes from inside, [`schema`] the arguments, [`op`] and [`be`] draft the facts, [`operate`] those of an
//! extension's operation, [`draw()`] gives the chance. [`may`] says beforehand what could be done, and [`recall`] what a being remembers.
//!
//! Nothing here knows why a moment opened or how a being thinks.

mod actor;
mod address;
mod admit;
mod author;
mod be;
mod draw;
mod gate;
mod hands;
mod may;
mod op;
mod operate;
mod perform;
mod recall;
mod right;
mod schema;
mod see;
mod short;
mod shown;

pub use actor::Actor;
pub use address::{ADDRESS_MAX, Address, AddressError, Named};
pub use admit::Admitted;
pub use be::{LEASE_MAX, OPERATIONS as BE_OPERATIONS};
pub use draw::draw;
pub use gate::Asker;
pub use hands::Hands;
pub use may::{May, may_be, may_do};
pub use op::{CORE, Core, LOSS_ACCEPT, REOPENED, TRIALS, check_name, core, may_say, thing_named};
pub use perform::{Performed, SUMMON_SCHEMA, bind_target};
pub use recall::{ABOUT_CALLER, HANDOVER, OWN_ACTS, RECALLED, RECENT_HERE, Recall, THREAD};
pub use right::{Outgrown, Rule, above, driver_of, has_right, is_operator, may_drive};
pub use schema::{Schema, SchemaError, Schemas};
pub use see::{Doable, actions, answer, describe, describe_self, here, operations, see, show, time_value};
pub use shown::{SaidThere, Shown};
