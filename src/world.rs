//! World: every fold together (floor 5): beings, spaces, matter, qualities, signals, inbox, roles and flows as of a seq.
//!
//! A [`World`] is a persistent value: cloning it copies a few pointers, and a clone is a handle that reads the world as of its seq
//! while the original goes on. [`World::apply`] is the one reducer; it does no I/O and knows no extension. In reading order:
//! [`being`], [`space`] and [`quality`] are what is folded, [`wake`] and [`inbox`] why moments open, [`poll`] what a panel has asked and [`mod@panel`] how it waits, [`told`] how that is told, [`registry`]
//! what may be used, [`touch`] what of it an operation may change, [`drawn`] how a thing is drawn, [`recast`] the same with other code and [`otherwise`] other things, and [`scope`] where, with [`judges`], [`setting`] and [`register`] what of it can be set, [`in_force`], [`held`] and [`whence`]
//! what of that holds where, [`ledger`] and [`budget`] what models cost, [`local`] time in the world's zone, [`mod@cron`] its schedules, [`mod@context`] what a flow reads,
//! [`worn`] what others find a being wearing, [`undressed`] who has nothing to wear, [`fade`] when what a flow reads changes by itself, [`heed`]
//! whom a fact may concern and [`change`] who wakes because it wears something else, [`watch`] who wakes by what happens to things, by
//! [`lookouts`], [`repeat`] what somebody does again and again, and [`carried`] what they pass on, [`fold`] the reducer, with [`rouse`], [`cut`] and [`lives`] for what happens to wakes and to things and
//! [`listed`] for whom it concerns ([`index`]), [`memory`] what of what [happened](happening) can be recalled, with each mind's [`diary`], [`chapter`] what there was in it, [`density`] how much of it, [`plot`] the ground of each place on a map, with [`plotting`], and [`hue`] the colour of each role, [`questions`] what people have asked, [`unanswered`] what of it in vain, [`claim`] who is at what and [`claiming`] how that goes on, [`state`] the world hash, [`checkpoint`] the
//! folded state in pages, [`aside`] and [`memo`] what is kept beside the state, [`tally`] how many things lie in a place; [`whole`] is all of it as one value. [`called`] says by what
//! names a thing is called, and [`standpoint`] whether an entry of a list covers it.

#[doc(hidden)]
pub mod address;
mod approval;
mod approving;
mod aside;
mod being;
mod bridge;
mod brake;
mod budget;
mod called;
mod carried;
mod change;
mod changed;
mod claim;
mod claiming;
#[doc(hidden)]
pub mod chapter;
#[doc(hidden)]
pub mod density;
#[doc(hidden)]
pub mod drawn;
mod checkpoint;
mod context;
mod cut;
#[doc(hidden)]
pub mod cron;
#[doc(hidden)]
pub mod diary;
mod fade;
mod fold;
mod gathered;
mod happening;
mod heard;
mod hearing;
mod heed;
mod held;
mod hue;
mod in_force;
mod inbox;
mod timestamp;
mod index;
#[doc(hidden)]
pub mod judges;
mod ledger;
mod limits;
mod listed;
mod lives;
mod local;
#[doc(hidden)]
pub mod look;
mod lookouts;
mod memo;
mod memory;
mod paid;
mod panel;
mod poll;
#[doc(hidden)]
pub mod quality;
mod nearest;
mod otherwise;
mod placed;
mod plot;
mod plotting;
mod questions;
mod recast;
mod repeat;
#[doc(hidden)]
pub mod register;
#[doc(hidden)]
pub mod registry;
mod rouse;
mod scope;
#[doc(hidden)]
pub mod setting;
mod space;
mod standpoint;
mod state;
mod stems;
mod tally;
mod told;
#[doc(hidden)]
pub mod touch;
mod tripped;
mod unanswered;
mod undressed;
mod wake;
mod watch;
mod whence;
mod whole;
mod worn;

pub use address::{ADDRESS_MAX, Address, AddressError, Named, thing_at};
pub use approval::{Approval, ApprovalAnswer};
pub use being::{Attempted, Being, LookedAt, Looks, Missed, Schedule, Withheld};
pub use brake::{Brake, BrakeCounts, CodeCounts, RepeatCount, Tripped};
pub use bridge::HOOK;
pub use budget::{Budget, exceeded, is_of_total};
pub use called::address_of;
pub use changed::Became;
pub use chapter::{CHAPTER, Chapter, Chapters, Of};
pub use checkpoint::Section;
pub use claim::{CLAIMS_MAX, Claim};
pub use context::{OpenContext, Registered};
pub use cron::{cron, cron_doubts, cron_either, cron_never, cron_wrong};
pub use density::{Counts, Density, STRETCH, Stretch};
pub use diary::{Diaries, KEPT, Mention, Topic};
pub use drawn::{AT, COLUMN_AND_ROW, HIDDEN, LOOK, Look, column_and_row};
pub use fold::{Blobs, FoldError, NoBlobs};
pub use gathered::Gathered;
pub use happening::{Happened, Happening};
pub use heard::{AskedAbout, HEARD, HeardWord, HeardWords};
pub use hearing::CALLS;
pub use hue::{HUES, Hue, Hues};
pub use in_force::{ENFORCE, OFFERED, STEWARD};
pub use inbox::Inbox;
pub use judges::Judges;
pub use ledger::{Account, Ledger, Period};
pub use local::{Local, instant, iso, next_due};
pub use look::looks;
pub use memory::{KEPT_BETWEEN, KEPT_OF_PLACE, KEPT_OWN, Memory, Recent};
pub use otherwise::{OtherBeing, OtherSpace, OtherThings};
pub use paid::{Paid, PaidBy, Sum};
pub use placed::{PlacedKind, apart};
pub use plot::{Plot, Plots};
pub use poll::{Ballot, Poll, Polled};
pub use quality::{AtPath, Change, NAMESPACE_MAX, QUALITIES_MAX, Qualities, QualityError, is_path};
pub use questions::{QUESTIONS_KEPT, Silence, Unanswered};
pub use recast::{OtherExtension, OtherScript, Recast};
pub use register::{is_core, model_words, register_hash, settings};
pub use registry::{
    Extension, LOOKS, MEASURED, MEASURES, NOW, Need, OWN, OWN_RULES, Operation, PAGE, Registry, Resolver, RoleVersion, RuleVersion, SOURCE,
    Script, TABLES, TRIES, entries,
};
pub use repeat::REPEAT;
pub use rouse::HELD_WAIT;
pub use scope::{EXTENSIONS, extension_of};
pub use setting::{Merge, OwnSettings, SaidSetting, Sayer, Setting, SettingPlace};
pub use space::{Carried, DRAFT, Matter, Space, SpaceFlow};
pub use standpoint::Standpoint;
pub use stems::{LANGUAGES, StemLanguages, other_forms, stem_languages};
pub use timestamp::{Timestamp, no_such_day};
pub use touch::{Touch, Touched};
pub use unanswered::UNANSWERED;
pub use wake::{Body, DeadLetter, Wake};
pub use whence::{Stated, ToldSetting};
pub use whole::{ROUND_MOMENTS, ROUNDS_MAX, RootCount, World};
