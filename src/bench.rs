//! Bench: what this machine reaches (floor 11): the figures that the docs promise, measured on real worlds and a real disk.
//!
//! In reading order: [`figure`] is one measured number, [`ground`] plants the worlds that are measured, [`town`] is the whole pipeline
//! against what a program without a world reaches ([`limit`]), [`length`] the cost of a moment as reels and worlds grow, [`flow`] one evaluation, [`setting`] one lookup, [`rule`] the rules asked about one act, [`watchers`] a moment while
//! many watch elsewhere, [`history`] replay, fold
//! and bytes on disk, [`past`] looks at a long past ([`copied`]: after an import), [`drawn`] at any point of that of a large world ([`land`]), [`prompt`] what a model is told and
//! [`models`] how far asking ahead is from an [`oracle`]: [`rooms`] of [`guests`] behind the [`slots`] of a server, after a [`trace`], by [`dice`]; [`copy`] is what a copy on other machines costs. It measures what others do and does none of it itself.

mod copied;
mod copy;
mod dice;
mod drawn;
#[doc(hidden)]
pub mod figure;
mod flow;
mod ground;
mod guests;
mod history;
mod land;
mod length;
mod limit;
mod models;
#[doc(hidden)]
pub mod oracle;
mod past;
mod prompt;
mod rooms;
mod rule;
mod setting;
mod size;
mod slots;
mod town;
mod trace;
mod watchers;

pub use copy::measure as measure_copy;
pub use figure::{Figure, median};
pub use flow::{FIVE, with_context};
pub use ground::{BenchError, CopyMaking, Ground};
pub use size::Size;

/// A benchmark that `reelm bench` can run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Case {
    /// Durable signed scripted moments a second, against the limit program.
    Town,
    /// The cost of a moment as one reel grows.
    Reel,
    /// The cost of a moment as a world's history grows.
    World,
    /// One evaluation of a flow of five clauses.
    Flow,
    /// The cost of a moment while many watch elsewhere.
    Watch,
    /// One lookup of a setting.
    Setting,
    /// Three rules of a thousand, asked about an act.
    Rule,
    /// Replay with full verification.
    Replay,
    /// Folding a reel without its signatures.
    Fold,
    /// Opening a world with a past.
    Open,
    /// Looks at a long past.
    Past,
    /// Writing what a model is told, after a short and a long life.
    Prompt,
    /// How far models asked ahead are from an oracle.
    Models,
    /// Bytes on disk.
    Bytes,
}

impl Case {
    /// All of them, as they are printed.
    pub const ALL: [Case; 14] = [
        Case::Town,
        Case::Reel,
        Case::World,
        Case::Flow,
        Case::Watch,
        Case::Setting,
        Case::Rule,
        Case::Replay,
        Case::Fold,
        Case::Open,
        Case::Past,
        Case::Prompt,
        Case::Models,
        Case::Bytes,
    ];

    /// Its word on the command line.
    pub fn word(self) -> &'static str {
        match self {
            Self::Town => "town",
            Self::Reel => "reel",
            Self::World => "world",
            Self::Flow => "flow",
            Self::Watch => "watch",
            Self::Setting => "setting",
            Self::Rule => "rule",
            Self::Replay => "replay",
            Self::Fold => "fold",
            Self::Open => "open",
            Self::Past => "past",
            Self::Prompt => "prompt",
            Self::Models => "models",
            Self::Bytes => "bytes",
        }
    }

    /// Measures it.
    pub fn measure(self, size: &Size, ground: &Ground) -> Result<Vec<Figure>, BenchError> {
        match self {
            Self::Town => town::measure(size, ground),
            Self::Reel => length::measure(&length::REEL, size, ground),
            Self::World => length::measure(&length::WORLD, size, ground),
            Self::Flow => flow::measure(size, ground),
            Self::Watch => watchers::measure(size, ground),
            Self::Setting => setting::measure(size, ground),
            Self::Rule => rule::measure(size, ground),
            Self::Replay => history::replayed(size, ground),
            Self::Fold => history::folded(size, ground),
            Self::Open => history::opened(size, ground),
            Self::Past => past::measure(size, ground),
            Self::Prompt => prompt::measure(size, ground),
            Self::Models => models::measure(size, ground),
            Self::Bytes => history::bytes(size, ground),
        }
    }
}
