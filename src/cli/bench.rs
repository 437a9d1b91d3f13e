//! `bench`: what this machine reaches.

use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Args;

use crate::bench::{Case, Figure, Ground, Size, measure_copy};

use super::copied::KeptCopy;
use super::door::{Door, Ended};
use super::given;

/// Measures what this machine reaches: moments a second, replay, fold, bytes
#[derive(Args)]
#[command(after_help = "Example: reelm bench town --beings 10000 --runs 5

With --nats it measures what a copy on those servers costs, and nothing else.")]
pub struct Bench {
    /// The case to measure; all of them if none is named
    #[arg(value_parser = Case::ALL.map(Case::word), conflicts_with = "nats")]
    case: Option<String>,
    /// Beings in the town
    #[arg(long, default_value_t = Size::default().beings, value_parser = given::count())]
    beings: usize,
    /// Moments of the town in each run
    #[arg(long, default_value_t = Size::default().moments, value_parser = given::count())]
    moments: usize,
    /// Threads
    #[arg(long, default_value_t = Size::default().threads, value_parser = given::count())]
    threads: usize,
    /// The longest reel and history
    #[arg(long, default_value_t = Size::default().longest, value_parser = given::count())]
    longest: usize,
    /// How often each is measured; the median is given
    #[arg(long, default_value_t = Size::default().runs, value_parser = given::count())]
    runs: usize,
    /// Have the system forget what it has read before each look at a point of the past; only root can
    #[arg(long)]
    cold: bool,
    /// Where `past` leaves its large world once it is measured: a directory that there is not yet, on the same disk; else it is removed
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,
    /// Where the measured worlds lie while they are measured
    #[arg(long, value_name = "DIR", default_value = ".")]
    dir: PathBuf,
    #[command(flatten)]
    copy: KeptCopy,
}

impl Bench {
    /// Runs.
    pub fn run(self, door: &Door) -> Result<Ended> {
        let Self { case, beings, moments, threads, longest, runs, cold, keep, dir, copy } = self;
        let size = Size { beings, moments, threads, longest, runs, cold };
        let ground = Ground::new(&dir)?.keeping(keep);
        if copy.is_wanted() {
            let keeping = |data: &Path| copy.keeper(data).map(|(keeper, _)| keeper).map_err(|error| format!("{error:#}"));
            let figures = measure_copy(&size, &ground, &keeping)?;
            return door.say(&figures, || table(&figures)).map(|()| Ended::Well);
        }
        for measured in Case::ALL.into_iter().filter(|each| case.as_deref().is_none_or(|word| word == each.word())) {
            let figures = measured.measure(&size, &ground)?;
            door.say(&figures, || table(&figures))?;
        }
        Ok(Ended::Well)
    }
}

fn table(figures: &[Figure]) -> String {
    let wide = figures.iter().map(|figure| figure.what.chars().count()).max().unwrap_or(0);
    let row = |figure: &Figure| {
        let Figure { case, what, unit, note, .. } = figure;
        let line = format!("{case:<7} {what:<wide$} {:>12} {unit:<9} {note}", figure.number());
        line.trim_end().to_owned() + "\n"
    };
    figures.iter().map(row).collect()
}
