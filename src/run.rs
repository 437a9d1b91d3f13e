//! Run: a world goes on (floor 9): who is next, the pipeline, the clock, genesis and sources.
//!
//! In reading order: [`source`] and [`population`] read what people write, [`mod@plan`] says what of it a world has not yet, [`planting`]
//! carries that out, [`living`] ties everything together, [`course`] is how a run is to go, by a [`clock`] and for a [`term`], [`going`] how
//! it goes, before an [`audience`]; [`reins`] hold it, [`seats`] hold the people who act meanwhile, and a [`feed`] tells what has become
//! durable, to be searched by what [`find`] knows. [`engine`] opens and closes rounds, [`minds`] asks language models at an [`endpoint`],
//! [`cassette`] keeps what they answer, [`seal`] makes moments durable, [`mod@load`] folds a history, [`checkpoint`] begins in the middle of
//! one, [`mod@report`] shows a moment in short and [`mod@explain`] all of it, [`mod@retell`] what its scripts said, [`tally`] counts how
//! moments closed, [`measure`] and [`until`] ask about the world, [`usage`] sums what models cost, [`mod@write`] writes it back out as a
//! source.

mod cassette;
mod cause;
mod checkpoint;
mod clock;
mod audience;
mod course;
mod endpoint;
mod engine;
mod explain;
mod feed;
mod find;
#[cfg(test)]
mod given_up;
mod going;
mod lint;
mod living;
mod logs;
mod load;
mod measure;
mod minds;
mod plan;
mod planting;
mod population;
mod reins;
mod report;
mod retell;
mod seal;
mod seats;
mod source;
mod table;
mod tally;
mod term;
mod trial;
mod until;
mod usage;
mod write;

pub use cassette::{Cassette, CassetteError, Recorder};
pub use cause::cause_of;
pub use checkpoint::{Checkpointer, checkpointed, resume};
pub use clock::Pace;
pub use course::{Course, Ran, Stopped, Until};
pub use engine::{Begun, Closed, Engine, Next, RoundError, refusal};
pub use explain::{ExplainError, Explained, Why, explain};
pub use feed::{Feed, Since, Standing};
pub use find::{Names, Sought};
pub use lint::{flow_warnings, warnings};
pub use living::{Gesture, Living, RunError};
pub use load::{Kept, LoadError, Loaded, frame_at, identity, load, load_from, skim};
pub use measure::{MeasureError, Measures, Sample};
pub use minds::{Endpoints, Heard, Minds, Unready};
pub use plan::{Step, edits, plan, steps_of};
pub use planting::{rehearse, restore_keys};
pub use reins::Reins;
pub use report::{Report, call_line, report, spent};
pub use retell::{has_sentence, retell};
pub use seal::{Round, SealError, Sealer, Sealing};
pub use seats::Seats;
pub use source::{Source, SourceError, find_extension, read_role};
pub use table::{Row, Table};
pub use tally::Tally;
pub use trial::{Thinker, Trial, wake_of};
pub use until::{End, EndError, Instant, When, WhenError};
pub use usage::{Guess, Sum, Usage};
pub use write::write_source;
