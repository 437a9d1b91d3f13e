//! Source: what people write down of a world (floor 9): read, compared with a world that is there, and written out of one.
//!
//! In reading order: [`item`] is what can stand in a world.toml, [`written`] all that stands in one, [`mod@read`] reads it with the [`files`] beside it, its [`rules`] and its
//! [`population`]s, each from a [`sheet`], and says by an [`error`] what is wrong there; [`scene`] is what it says must come out. [`lint`] says what may not be
//! meant by what is [`known`] and [`heard`], [`mod@plan`] what of it a world has
//! not yet, by what it [`said`] before what of it is [`measured`] and what the [`page`] is told, such as what is [`going_on`] ([`extending`]: of extensions; [`changing`]: one thing alone; [`recasting`]: only its code), and [`mod@write`] is the way back. [`adding`] takes an extension into a source that is written already, and [`pins`] its hash. [`mod@card`] reads a character card, in JSON
//! or in a [`picture`], [`macros`] its words, and [`mod@cast`] makes a source of several, each [`called`] as nobody is.

mod adding;
mod called;
mod card;
mod cast;
#[doc(hidden)]
pub mod changing;
mod error;
mod extending;
mod files;
mod going_on;
#[doc(hidden)]
pub mod heard;
mod item;
mod known;
mod lint;
mod lint_page;
mod lint_steps;
#[doc(hidden)]
pub mod macros;
mod measured;
mod page;
mod picture;
mod pins;
mod plan;
mod population;
mod read;
mod recasting;
mod rules;
#[doc(hidden)]
pub mod said;
mod scene;
#[doc(hidden)]
pub mod sheet;
mod write;
mod written;

pub use adding::{AddingError, TakenBack, add_extension, remove_extension};
pub use card::{Card, CardError};
pub use cast::{Cast, cast, world_name, write_cast};
pub use changing::{OtherReply, WantedChange};
pub use error::{PopulationError, SourceError};
pub use extending::steps_of;
pub use files::{find_extension, read_role};
pub use going_on::GoingOn;
pub use heard::unheard;
pub use item::{
    BeingItem, GivenItem, LookItem, MatterItem, MeasureItem, NowItem, OfPopulation, OnLine, PopulationItem, ScheduleItem, SignalItem,
    SpaceItem, TableItem, TestItem, TryItem,
};
pub use lint::{Doubted, flow_warnings, role_warnings, spec_warnings, warnings, world_warnings};
pub use measured::MeasureList;
pub use plan::{Step, edits, plan};
pub use read::ABOUT;
pub use recasting::{OtherCode, OtherName};
pub use rules::RuleFile;
pub use scene::{Staged, scenes};
pub use write::write_source;
pub use written::Source;
