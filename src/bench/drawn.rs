//! Drawn: what a look at any point of a long past costs whoever has just come: at points that a seed draws, the median and the slowest in a hundred.

use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::Duration;

use crate::fact::Seq;
use crate::past::{History, Stepper, Way};
use crate::run::Forking;

use super::figure::{Figure, quantile, timed};
use super::ground::{BenchError, Ground};

/// How many points are drawn.
const DRAWS: u64 = 100;
/// How large a block is of which the system counts a file's.
const BLOCK: u64 = 512;

/// One look at a point: what it is, what it is to cost at most, and the look itself, which says what of it counts.
struct DrawnLook {
    what: &'static str,
    aim: &'static str,
    ask: fn(&Path, Seq) -> Result<Duration, BenchError>,
}

const LOOKS: [DrawnLook; 3] = [
    DrawnLook {
        what: "opening the world at a point",
        aim: "50",
        ask: |dir, seq| {
            let (world, took) = timed(|| History::of(dir)?.world_at(seq));
            world?;
            Ok(took)
        },
    },
    DrawnLook {
        what: "`explain` of a moment",
        aim: "100",
        ask: |dir, seq| {
            let (explained, took) = timed(|| History::of(dir).map(|history| history.explain(seq).map(drop)));
            explained?.map_err(|_| BenchError::Nothing("a moment was not explained"))?;
            Ok(took)
        },
    },
    DrawnLook {
        what: "a step back from where one stands",
        aim: "20",
        ask: |dir, seq| {
            let mut stepper = Stepper::new(History::of(dir)?, None, seq);
            stepper.here()?;
            let (here, took) = timed(|| {
                stepper.step_world(Way::Back);
                stepper.here()
            });
            here?;
            Ok(took)
        },
    },
];

/// Looks at points of the history in a directory.
pub(super) fn measure(dir: &Path, ground: &Ground, cold: bool) -> Result<Vec<Figure>, BenchError> {
    let history = History::of(dir)?;
    // Within the first commit, which is that of the planting, nothing can be forked.
    let span = (history.first_border()?.unwrap_or_default(), history.end());
    let end = span.1;
    drop(history);
    // A look into what is in memory already is none at what lies on a disk.
    let (is_cold, state) = if cold && forget() { (true, "read from the disk") } else { (false, "what lies on the disk may be in memory") };
    let mut figures = Vec::new();
    for DrawnLook { what, aim, ask } in LOOKS {
        let mut times = Vec::new();
        for seq in points(span) {
            let _ = is_cold && forget();
            times.push(ask(dir, seq)?.as_secs_f64() * 1e3);
        }
        figures.extend(told(what, end, times, "ms", &format!("aim: {aim}; {state}")));
    }
    figures.extend(forked(dir, ground, span, (is_cold, state))?);
    Ok(figures)
}

fn forked(dir: &Path, ground: &Ground, span: (Seq, Seq), (is_cold, state): (bool, &str)) -> Result<Vec<Figure>, BenchError> {
    let (mut times, mut sizes) = (Vec::new(), Vec::new());
    for seq in points(span) {
        ground.clear("forked");
        let _ = is_cold && forget();
        let to = ground.place("forked");
        let forking = Forking { parent: dir, at: seq, instant: None, name: "forked", budget: None, changes: &[] };
        let (made, took) = timed(|| History::of(dir).map(|history| forking.make(&history, &to).map(drop)));
        made?.map_err(|_| BenchError::Nothing("no fork was made"))?;
        times.push(took.as_secs_f64() * 1e3);
        sizes.push(own_bytes(&to) as f64 / 1024.0);
    }
    ground.clear("forked");
    let mut figures = told("a fork at a point", span.1, times, "ms", &format!("aim: 100; {state}"));
    figures.extend(told("what such a fork takes beside its links", span.1, sizes, "KiB", "aim: 1,024"));
    Ok(figures)
}

fn told(what: &str, end: Seq, values: Vec<f64>, unit: &'static str, note: &str) -> Vec<Figure> {
    let (median, slowest) = (quantile(values.clone(), 0.5), quantile(values, 0.99));
    vec![
        Figure::new("past", format!("{what} of {end} frames, the median of {DRAWS}"), median, unit).noting(note),
        Figure::new("past", format!("{what} of {end} frames, the slowest in a hundred"), slowest, unit),
    ]
}

/// The points: always the same of a history so long.
fn points((first, end): (Seq, Seq)) -> impl Iterator<Item = Seq> {
    let drawn = |at: u64| blake3::hash(&at.to_le_bytes()).as_bytes().iter().take(8).fold(0, |sum: u64, byte| sum << 8 | u64::from(*byte));
    (0..DRAWS).map(move |at| first + drawn(at) % (end - first).max(1))
}

/// Has the system forget what it has read from files; whether it let us.
fn forget() -> bool {
    std::fs::write("/proc/sys/vm/drop_caches", "1").is_ok()
}

/// How many bytes lie below a directory that nothing else holds too.
fn own_bytes(dir: &Path) -> u64 {
    let entries = std::fs::read_dir(dir).into_iter().flatten().flatten();
    entries
        .map(|entry| match entry.metadata() {
            Ok(meta) if meta.is_dir() => own_bytes(&entry.path()),
            Ok(meta) if meta.nlink() == 1 => meta.blocks() * BLOCK,
            _ => 0,
        })
        .sum()
}
