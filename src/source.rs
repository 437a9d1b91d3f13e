//! Source: what people write down of a world (floor 9): read, compared with a world that is there, and written out of one.
//!
//! In reading order: [`item`] is what can stand in a world.toml, [`mod@read`] reads it with the [`files`] beside it, its [`rules`] and its
//! [`population`]s, and says by an [`error`] what is wrong there; [`scene`] is what it says must come out. [`lint`] says what may not be
//! meant by what is [`known`], [`mod@plan`] what of it a world has
//! not yet ([`extending`]: of extensions; [`changing`]: one thing alone; [`recasting`]: only its code), and [`mod@write`] is the way back. [`adding`] takes an extension into a source that is written already, and [`pins`] its hash. [`mod@card`] reads a character card, in JSON
//! or in a [`picture`], [`macros`] its words, and [`mod@cast`] makes a source of several.

mod adding;
mod card;
mod cast;
mod changing;
mod error;
mod extending;
mod files;
mod item;
mod known;
mod lint;
mod lint_steps;
mod macros;
mod picture;
mod pins;
mod plan;
mod population;
mod read;
mod recasting;
mod rules;
mod scene;
mod write;

pub use adding::{AddingError, TakenBack, add_extension, remove_extension};
pub use card::{Card, CardError};
pub use cast::{Cast, cast, world_name, write_cast};
pub use changing::{OtherReply, WantedChange};
pub use error::{PopulationError, SourceError};
pub use extending::steps_of;
pub use files::{find_extension, read_role};
pub use item::{
    BeingItem, GivenItem, MatterItem, MeasureItem, OnLine, PopulationItem, ScheduleItem, SignalItem, SpaceItem, TableItem, TestItem,
};
pub use lint::{Doubted, flow_warnings, role_warnings, spec_warnings, warnings, world_warnings};
pub use plan::{Step, edits, plan};
pub use read::Source;
pub use recasting::{OtherCode, OtherName};
pub use rules::RuleFile;
pub use scene::{Staged, scenes};
pub use write::write_source;
