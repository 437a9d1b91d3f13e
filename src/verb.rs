//! Verb: the four doors and their gate (floor 6).
//!
//! In reading order: [`address`] says what is meant, [`mod@see`] shows it, [`short`] the things in it, [`part`] those of a list that are asked for, [`shown`] what is set there, [`threads`] what goes back to one fact, [`outbox`] what waits to leave, [`claims`] who is at what, and [`registers`] which registers there are; [`actor`] is who acts, with its
//! [`hands`]; [`admit`] judges one call before its arguments are read, [`frozen`] whether the place lets anything be changed, [`claimed`] whether somebody else is at it, [`perform`] with them, and carries it out: [`gate`] asks the worn
//! role, [`right`] the place and the lineage, [`author`] what one writes from inside, [`panel`] whom one asks who thinks by asking others, [`schema`] the arguments, [`expand`] writes out what a schema refers to, [`op`] and [`be`] draft the facts, [`operate`] those of an
//! extension's operation, [`consent`] whether that may move another being, [`draw()`] gives the chance. [`drafted`] is what somebody may publish, [`draftable`] who only draws up what and how that is checked. [`rule`] then asks the rules
//! about what was drafted: [`case`] is the deed as they see it, [`asked`] what one of them said. [`mod@remedy`] says what to write instead of what was refused, of a schedule by its [`cure`]. [`may`] says beforehand what could be done, [`health`] what is held back, and
//! [`repair`] says what arguments mean that are nearly JSON, [`notation`] reads them, [`fit`] makes of them what the operation takes. [`recall`] is what a being remembers, [`life`] how that is told.
//!
//! Nothing here knows why a moment opened or how a being thinks.

mod actions;
mod actor;
mod address;
mod admit;
mod asked;
mod author;
mod be;
mod case;
mod claimed;
mod claims;
mod consent;
mod cure;
mod draftable;
mod drafted;
mod draw;
#[doc(hidden)]
pub mod expand;
mod fit;
mod frozen;
mod gate;
mod hands;
mod health;
mod life;
mod may;
#[doc(hidden)]
pub mod notation;
#[doc(hidden)]
pub mod op;
mod operate;
mod outbox;
mod panel;
mod part;
mod perform;
mod recall;
#[doc(hidden)]
pub mod repair;
mod registers;
mod resolver;
mod remedy;
mod right;
mod rule;
mod schema;
mod see;
#[doc(hidden)]
pub mod short;
mod shown;
mod threads;

pub use actions::doubt;
pub use actor::{Actor, Errand};
pub use address::{ADDRESS_MAX, Address, AddressError, Named, address_meant};
pub use admit::{ARGS_MAX, Admitted, addressee};
pub use asked::{RuleTrace, Ruling};
pub use be::{GENESIS, LEASE_MAX, OPERATIONS as BE_OPERATIONS, is_reserved};
pub use case::{explain_of, has_to_be_approved};
pub use claimed::Claimant;
pub use claims::{claim_value, claims, clock};
pub use drafted::{DraftChange, DraftedCall};
pub use draw::draw;
pub use expand::{ExpandError, expanded};
pub use fit::{fitted, payload_takes};
pub use gate::Asker;
pub use hands::Hands;
pub use health::{HealthCounts, health_counts};
pub use life::LIFE;
pub use may::{May, could_act, may_be, may_do, only_draws_up};
pub use notation::{JsonFault, Notation, first_value};
pub use op::{
    Core, DRAFT_MAKE, DRAFT_PUBLISH, LOSS_ACCEPT, OWNER_TAKE, PROFILES, REOPENED, TRIALS, WORDS, core, core_operations, fit_name, may_say,
    only, thing_named, too_long,
};
pub use outbox::outbox;
pub use panel::members;
pub use part::{ListPart, Parted, about, line_of, unsought_from};
pub use perform::{Performed, SUMMON_SCHEMA, bind_target};
pub use recall::{ABOUT_CALLER, HANDOVER, ONESELF, OWN_ACTS, RECALL, RECALLED, RECENT_HERE, Recall, THREAD};
pub use remedy::remedy;
pub use repair::{behind_brace, object_of};
pub use resolver::{ACTING, AROUND, RECENT, ROLES, SHELF, THE_WORLD, core_resolvers, in_brackets};
pub use right::{Outgrown, Rule, above, driver_of, has_right, is_operator, may_drive};
pub use schema::{Schema, SchemaError, Schemas};
pub use see::{
    AT_THE_EDGE, Doable, ListRest, SeeReader, SeenValue, actions, answer, describe, describe_being, here, looks_for, named, operations,
    operations_of, see, show, time_value,
};
pub use short::{CROWD, LOOKED_AT, PAGE, TOKEN, tokens_of};
pub use shown::{SaidThere, Shown};
