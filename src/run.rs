//! Run: a world goes on (floor 10): who is next, the pipeline, the clock.
//!
//! In reading order: [`living`] ties everything together and [`planting`] begins it, or [`forking`] from a place in the past of another; [`engine`] opens and closes rounds, [`seal`] makes them
//! durable; [`course`] is how a run is to go, by a [`clock`] and for a [`term`], [`going`] how it goes, before an [`audience`] and with its
//! [`logs`]; [`reins`] hold it, [`seats`] hold the people who act meanwhile, and a [`feed`] tells what has become durable. [`tally`] counts
//! how moments closed, [`refusals`] which operations were refused, and [`waits`] how long they were waited for; [`measure`], [`table`] and [`until`] ask about the world. [`play`](mod@play) plays a scene in a world of its own, [`interviewing`] puts a question to somebody in a fork.

mod audience;
mod breaks;
mod clock;
mod course;
mod engine;
mod feed;
mod foresight;
mod forking;
mod going;
mod interviewing;
mod living;
#[doc(hidden)]
pub mod logs;
mod measure;
mod planting;
mod play;
mod refusals;
#[doc(hidden)]
pub mod reins;
mod replying;
mod request_cache;
mod seal;
mod seats;
mod table;
#[doc(hidden)]
pub mod tally;
mod term;
#[doc(hidden)]
pub mod until;
mod waits;

pub use breaks::{Breakpoint, Broken};
pub use clock::Pace;
pub use course::{Course, Ran, Stopped, Until};
pub use engine::{Begun, Closed, Engine, Next, RoundError, refusal};
pub use feed::{Feed, Since, Standing};
pub use forking::{ForkError, Forked, Forking};
pub use interviewing::{Interviewing, Testimony, Unsaid};
pub use living::{Gesture, Living, RefusedStep, RunError};
pub use measure::{MeasureError, Measures, Sample};
pub use planting::{first_refused, rehearse, restore_keys};
pub use play::{play, retape, scene_faults};
pub use refusals::{CalledOperations, MostlyRefused};
pub use reins::Reins;
pub use replying::ReplyError;
pub use seal::{Round, SealError, Sealer, Sealing};
pub use seats::Seats;
pub use table::{Row, Table};
pub use tally::Tally;
pub use until::{End, EndError, When, WhenError};
pub use waits::{WaitFigures, Waits};
