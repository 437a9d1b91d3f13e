//! Past: what a history says: folded to any point of it, begun in the middle, searched, counted and told (floor 9).
//!
//! In reading order: [`mod@load`] folds a history and reads single frames of it, [`checkpoint`] begins in the middle of one; [`mod@report`]
//! shows a moment in short with its [`cause`], [`find`] looks for some of them, [`usage`] sums what their models cost. [`trial`] opens one
//! again, on the world as it was or as it might have been; by it [`mod@retell`] says what its scripts said, and [`mod@explain`] all of it.

mod cause;
mod checkpoint;
mod explain;
mod find;
mod load;
mod report;
mod retell;
mod trial;
mod usage;

pub use cause::cause_of;
pub use checkpoint::{Checkpointer, checkpointed, forget_beyond, resume};
pub use explain::{ExplainError, Explained, Why, explain};
pub use find::{Names, Sought};
pub use load::{Kept, LoadError, Loaded, frame_at, identity, load, load_from, skim};
pub use report::{Report, call_line, report, spent};
pub use retell::{has_sentence, retell};
pub use trial::{Thinker, Trial, wake_of};
pub use usage::{Sum, Usage};
