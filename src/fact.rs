//! Fact: the words and bytes that everything else is made of (floor 1).
//!
//! In reading order: [`id`] names things, [`value`] is what they may hold, [`mind`], [`closing_kind`] and [`wake_kind`] the small closed
//! lists in their [`words`], [`verbs`] some of the four, [`act`] what is proposed, [`code`] why not, [`kind`] the kinds of fact, [`panel`]
//! how a being thinks that asks others, [`worn`] a role of a stack, [`frame`] what a moment stamps, [`spend`] what models cost, [`keys`]
//! how it is sealed, [`canon`] the one form in bytes, [`page`] many items in that form. [`duration`] reads and writes lengths of time,
//! [`fading`] numbers that change with it. [`mod@line`] says where in a text an error is, [`english`] has the small words of sentences,
//! [`masked`] keeps secrets out of them, [`telling`] the sentences of operations, [`schema`] the JSON Schemas of files.

mod act;
pub(crate) mod canon;
#[doc(hidden)]
mod closing_kind;
pub mod code;
#[doc(hidden)]
pub mod duration;
#[doc(hidden)]
pub mod english;
#[doc(hidden)]
pub mod fading;
mod frame;
#[doc(hidden)]
pub mod id;
#[doc(hidden)]
pub mod keys;
mod kind;
#[doc(hidden)]
pub mod line;
mod lineage;
mod masked;
mod mind;
mod name;
#[doc(hidden)]
pub mod page;
mod panel;
mod peaks;
mod silence_kind;
mod spend;
mod quote;
mod receipt;
mod schema;
#[doc(hidden)]
pub mod surrogate;
#[doc(hidden)]
pub mod telling;
#[doc(hidden)]
pub mod value;
#[doc(hidden)]
pub mod verbs;
mod wake_kind;
mod words;
mod worn;

pub use act::{Call, Closing, Content, INLINE_MAX, Reason, Thought, UNREAD_MAX, WakeId};
pub use canon::{Bytes, Canon, CanonError, Reader, Writer};
pub use closing_kind::ClosingKind;
pub use code::{Code, CodeKind};
pub use duration::{parse_duration, parse_plain_duration, write_duration, write_plain_duration};
pub use english::{in_threes, with_article};
pub use fading::{FADING_KEYS, Fading, FadingError};
pub use frame::{Draft, FORMAT, FRAME_MAX, Frame, FrameError, SEALS, SEALS_BATCH, SEALS_OWN};
pub use id::{BeingId, CALENDAR, Hash, IdError, Made, MatterId, Millis, N, Seq, SpaceId, Thing, WorldId};
pub use keys::{BirthKey, Credential, KeyError, KeyOf, Master, PublicKey, SecretKey, Signature, delegated, sign_all, simulated};
pub use kind::{Birth, Coords, Fact, Once, Summons, Timing};
pub use line::{column_of, harmless, harmless_json, line_of, plain, visible};
pub use lineage::{ForkOrigin, Lineage, Reign, WithinGroup};
pub use masked::{has_known_secret, masked};
pub use mind::{Answering, Cognition, Orientation, Rank, RespondMode, Trigger, Verb};
pub use name::{composed, dashed, is_name, is_name_sign, is_type, plain_letters, type_of};
pub use page::{Changes, read_change, read_changes, write_changes, write_few};
pub use panel::{Decide, Members, Panel, Turns};
pub use peaks::{Peaks, head_above, head_of_root, height, joined, middle_of, subtrees_beside};
pub use quote::{as_name, in_a_line, in_marks, quoted, says, text_lines, unquoted};
pub use receipt::Receipt;
pub(crate) use schema::{DurationText, OpenTable, described};
pub use schema::{file_schema, words_schema};
pub use silence_kind::SilenceKind;
pub use spend::{Settled, Spend, Spent};
pub use surrogate::whole_letters;
pub use telling::{Sentence, Telling, VALUE, marked};
pub use value::{DEPTH_MAX, Map, Text, Value};
pub use verbs::Verbs;
pub use wake_kind::WakeKind;
pub use words::UnknownWord;
pub use worn::WornRole;
