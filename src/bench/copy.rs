//! Copy: what a moment costs the process that runs a world when servers keep a copy of its log, in turns with the same world without one.

use std::path::Path;

use crate::run::Living;
use crate::store::{LogStore, Mode, Store};

use super::figure::{Figure, median};
use super::ground::{BenchError, CopyMaking, Ground};
use super::size::Size;
use super::town::{Runs, lived};

/// How many moments one group has: so many beings act at one instant, and the next instant waits until that group is durable.
const GROUPS: [usize; 3] = [1, 16, 256];
/// So many groups a run at most.
const MOST_GROUPS: usize = 2_000;

/// Moments a second and processor time of a moment, by the size of a group, with a copy and without.
pub fn measure(size: &Size, ground: &Ground, keeping: CopyMaking) -> Result<Vec<Figure>, BenchError> {
    GROUPS.into_iter().map(|together| measured(together, size, ground, keeping)).collect::<Result<Vec<_>, _>>().map(|all| all.concat())
}

/// The rate and the processor time of the moments of one world.
fn figures(what: &str, runs: Runs) -> ([Figure; 2], f64) {
    let costs = median(runs.costs);
    let rate = Figure::new("copy", what, median(runs.rates), "/s");
    ([rate, Figure::new("copy", format!("{what}, processor time of this process"), costs, "µs")], costs)
}

fn measured(together: usize, size: &Size, ground: &Ground, keeping: CopyMaking) -> Result<Vec<Figure>, BenchError> {
    let count = (size.moments / together).clamp(1, MOST_GROUPS);
    let source = ground.town(together, true)?;
    let places = ["alone", "with-copy"].map(|name| ground.place(name));
    for (name, place) in ["alone", "with-copy"].iter().zip(&places) {
        ground.clear(name);
        Living::plant_secret(&source, None, place, size.threads)?.stop()?;
    }
    let groups_before = groups(&places[1])?;
    let [mut without, mut with] = [Runs::default(), Runs::default()];
    for _ in 0..size.runs {
        // Only one of them is open while it is measured.
        let mut alone = Living::open(&places[0], size.threads)?.0;
        without.take(|| in_groups(&mut alone, together, count))?;
        alone.stop()?;
        let keeper = keeping(&places[1]).map_err(BenchError::Copy)?;
        let mut kept = Living::open_kept(&places[1], size.threads, false, Some(keeper))?.0;
        with.take(|| in_groups(&mut kept, together, count))?;
        kept.stop()?;
    }
    let groups = (groups(&places[1])? - groups_before) / size.runs.max(1) as u64;
    ["alone", "with-copy"].iter().for_each(|name| ground.clear(name));
    let what = format!("moments, {together} a group");
    let (alone, without) = figures(&format!("{what}, without a copy"), without);
    let (kept, with) = figures(&format!("{what}, with a copy"), with);
    let more = Figure::new("copy", format!("more processor time of this process, {together} a group"), (with / without - 1.0) * 100.0, "%");
    let more = more.noting(format!("{} moments in one group of the log; aim: under 25", (count * together) as u64 / groups.max(1)));
    Ok(alone.into_iter().chain(kept).chain([more]).collect())
}

/// Lets a world go on by so many groups, one after the other; how many moments those were.
fn in_groups(living: &mut Living, together: usize, count: usize) -> Result<usize, BenchError> {
    (0..count).try_fold(0, |made, _| Ok(made + lived(living, together)?))
}

/// How many commit groups a log has.
fn groups(dir: &Path) -> Result<u64, BenchError> {
    Ok(LogStore::open(dir, Mode::Read)?.0.ending().number)
}
