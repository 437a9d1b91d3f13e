//! Past: what a history says: folded to any point of it, begun in the middle, searched, counted and told (floor 9).
//!
//! [`History`] is the one door: `History::of(dir)` opens a world's history for reading, and every question about it is a method of it. In
//! reading order: `history` opens, folds to a seq and shows single frames; [`point`] finds the seq that people mean, [`revisited`] keeps
//! what was looked at lately; `moments` tells of them, `search` finds some of them again, `words` says where there is nothing of what is
//! sought; `versions` lists what a role or a flow ever was, `whole` puts large values in their places, `border` is where a fork can begin;
//! [`mod@load`] is the folding itself, `loaded` what comes of it, [`checkpoint`] begins it in the middle. [`mod@report`] shows a moment in
//! short with its [`cause`], [`find`] is the filter of a search for them, [`usage`] sums what their models cost. [`trial`] opens one again,
//! on the world as it was or as it might have been; by it [`mod@retell`] gives the lines of its scripts, [`used`] the settings that it went
//! by, and [`mod@explain`] all of it. [`prove`] shows one to readers without the history, [`bundle`] many, with their `companions`;
//! [`bundled`] is the world on which those go on, `bundled_moment` explains one of them, `bundled_past` finds its points. [`looking`] is a
//! condition that is asked of the past, and [`bisect`] finds the first moment after which it holds; [`rehearse`] tries a script in a
//! moment; [`step`] walks to and fro with the worlds of a [`span`] in hand, and a [`gauge`] is a value that it watches. [`holdings`] says
//! what all of it costs, [`mod@archive`] moves the old part of it out and brings it back, `readiness` says which caches this program would
//! write anew, [`anchored`] whether it is the history of which somebody has kept an anchor. [`diff`] compares two worlds by the `portrait`
//! of each thing, [`diverge`] two histories, [`aligned`] two lives, moment by moment. [`timeline`] says how much happened when, `along`
//! shows the worlds along it, [`lanes`] the life of one being meanwhile. [`causes`] leads from wake to wake, [`making`] to the facts that
//! made a value, [`knew`] says what a being could see when it answered.

mod aligned;
mod along;
mod anchored;
mod archive;
mod backup;
mod because;
mod bisect;
mod border;
mod bundle;
mod bundled;
mod bundled_moment;
mod bundled_past;
mod cause;
mod causes;
mod checkpoint;
#[doc(hidden)]
pub mod checkpoint_policy;
mod checkpointer;
mod companions;
mod compare;
mod covered;
mod dear;
mod diff;
mod diverge;
mod explain;
mod find;
mod frames;
#[doc(hidden)]
pub mod gauge;
mod history;
mod holdings;
mod ladder;
mod laddered;
mod lanes;
mod load;
mod loaded;
mod looking;
mod moments;
#[doc(hidden)]
pub mod point;
mod knew;
mod making;
mod mending;
mod portrait;
mod prove;
mod readiness;
mod rehearse;
mod report;
mod retell;
mod revisited;
mod rung;
mod rung_writer;
mod search;
mod span;
mod step;
mod there;
#[doc(hidden)]
pub mod timeline;
mod trial;
mod usage;
mod used;
mod values;
mod versions;
mod whole;
mod words;

pub use aligned::{AlignedBeing, Alignment, PairedMoment};
pub use anchored::{AnchoredError, hold_against};
pub use archive::{ArchivingError, archive, bring_back};
pub use backup::{Backup, BackupError};
pub use bisect::{Bisected, RoleThen, Shift, Turned};
pub use border::ForkPoint;
pub use bundle::{BundleWanted, BundlingError};
pub use bundled::{BundledError, begun_in};
pub use bundled_moment::{BundledMoment, BundledMomentError};
pub use bundled_past::{BundledPast, BundledPointError};
pub use cause::cause_of;
pub use causes::{Causes, Effects, Link};
pub use checkpoint::{Resumed, forget_beyond, resume, resume_to_go_on};
pub use checkpoint_policy::{APART, frames_between};
pub use checkpointer::Checkpointer;
pub use compare::Compared;
pub use dear::DearRoot;
pub use diff::{DiffLine, Same, differences};
pub use diverge::Divergence;
pub use explain::{ExplainError, Explained, Why};
pub use find::Sought;
pub use gauge::{Gauge, GaugeError};
pub use history::History;
pub use holdings::{FileKind, Holding, Holdings, RecordSum};
pub use knew::Knew;
pub use laddered::build_ladder;
pub use lanes::{LaneBand, LaneGap, LaneMark, Lanes};
pub use load::{Kept, LoadError, NoFrame, identity, load, load_from};
pub use loaded::Loaded;
pub use looking::LookedFor;
pub use making::{Making, Makings, WhyOf};
pub use point::{MomentName, Point, PointError};
pub use prove::ProveError;
pub use readiness::Rewritten;
pub use rehearse::{Rehearsal, RehearseError, TriedScript};
pub use report::{Report, call_line, report};
pub use retell::{Retold, has_sentence, retell};
pub use revisited::Revisited;
pub use rung_writer::ToKeep;
pub use search::Newest;
pub use step::{Here, Horizon, Sighted, Stepper, Stop, StopError, WatchedValue, Way};
pub use timeline::{TimePart, Timeline};
pub use trial::{Thinking, Trial, wake_of};
pub use usage::Usage;
pub use used::UsedSetting;
pub use values::{MadeValue, MadeValues};
pub use versions::{Version, Versions};
