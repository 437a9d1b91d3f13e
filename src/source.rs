//! Source: what people write down of a world (floor 9): read, compared with a world that is there, and written out of one.
//!
//! In reading order: [`item`] is what can stand in a world.toml, [`written`] all that stands in one, [`mod@read`] reads it ([`reader`]: its text, lines and faults, by [`misread`] all of them, each at its [`sites`]) with the [`files`] beside it, its [`rules`], what stands [`inline`] in it and its
//! [`population`]s, each from a [`sheet`] whose [`column`]s are of one kind each, and says by an [`error`] what is wrong there; [`scene`] is what it says must come out. [`lint`] says what may not be
//! meant by what is [`known`] and [`heard`] and by the [`quality_writers`], [`mod@plan`] what of it a world has
//! not yet, by what it [`said`] before what of it is [`measured`] and what the [`page`] is told, such as what is [`going_on`] ([`extending`]: of extensions; [`changing`]: one thing alone, which is [`meeting`] something of the world, with values of a `signal_kind`; [`recasting`]: only its code), and [`mod@write`] is the way back ([`inline_write`]: of what stood [`inline`]; each [`toml_table`] by itself). [`adding`] takes an extension into a source that is written already, and [`pins`] its hash. [`mod@card`] reads a character card, in JSON
//! or in a [`picture`], [`macros`] its words, and [`mod@cast`] makes a source of several, each [`called`] as nobody is. [`schema`] is what editors know of a world.toml. [`shipped`] are the worlds that the program brings along; [`begin`] makes one's own of them or of a source, by [`renaming`] it.

mod adding;
mod begin;
mod called;
mod card;
mod cast;
#[doc(hidden)]
pub mod changing;
#[doc(hidden)]
pub mod column;
mod dear_words;
mod error;
mod extending;
mod files;
mod going_on;
mod gone;
#[doc(hidden)]
pub mod heard;
mod inline;
mod inline_write;
mod item;
mod known;
mod lint;
mod lint_args;
mod lint_kinds;
mod lint_page;
mod lint_scene;
mod lint_steps;
mod literal_sight;
#[doc(hidden)]
pub mod macros;
mod measured;
mod misread;
mod meeting;
mod page;
mod picture;
mod pins;
mod plan;
mod population;
mod quality_writers;
mod read;
mod reader;
mod recasting;
mod renaming;
mod rules;
#[doc(hidden)]
pub mod said;
mod scene;
mod schema;
#[doc(hidden)]
pub mod sheet;
mod shipped;
mod signal_kind;
mod sites;
mod toml_table;
mod write;
mod written;

pub use adding::{AddingError, TakenBack, add_extension, list_extension, remove_extension};
pub use begin::{BeginError, begin_extension, begin_role, begin_world};
pub use card::{Card, CardError};
pub use cast::{Cast, cast, world_name, write_cast};
pub use changing::{OtherReply, WantedChange};
pub use dear_words::{CallsADay, answers};
pub use error::{PopulationError, SourceError};
pub use extending::steps_of;
pub use files::{find_extension, read_role, read_text};
pub use going_on::GoingOn;
pub use heard::unheard;
pub use item::{
    BeingItem, GivenItem, LookItem, MatterItem, MeasureItem, NowItem, OfPopulation, OnLine, PopulationItem, ScheduleItem, SignalItem,
    SpaceItem, TableItem, TestItem, TryItem,
};
pub use lint::{Doubted, flow_warnings, role_warnings, spec_warnings, warnings, world_warnings};
pub use lint_scene::scene_warnings;
pub use measured::MeasureList;
pub use plan::{Step, edits, plan, unapplied};
pub use read::ABOUT;
pub use recasting::{OtherCode, OtherName};
pub use rules::RuleFile;
pub use scene::{Staged, scenes};
pub use sheet::other_separator;
pub use shipped::{beginnings, shipped_worlds};
pub use write::write_source;
pub use written::Source;
