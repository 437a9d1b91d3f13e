//! Copied: what looks at the past cost after an export and an import, by turns with the world that was exported.

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};

use crate::fact::Seq;
use crate::past::{History, build_ladder};
use crate::run::restore_keys;
use crate::store::{LogStore, Mode, StoreError, StreamStore, export, import};

use super::figure::{Figure, median, timed};
use super::ground::{BenchError, Ground};

/// At how many points of the past each look is taken.
const POINTS: Seq = 9;

/// A look at a point of the past.
struct PointLook {
    what: &'static str,
    ask: fn(&History, Seq) -> Result<usize, BenchError>,
}

const LOOKS: [PointLook; 2] = [
    PointLook { what: "`see --at`", ask: |history, at| Ok(history.world_at(at)?.beings().len()) },
    PointLook { what: "`explain`", ask: |history, at| Ok(history.explain(at).map_or(0, |explained| explained.frame.bytes().len())) },
];

/// Each look at nine points of a world in `dir`, and at the same of its copy.
pub(super) fn measure(dir: &Path, runs: usize, ground: &Ground) -> Result<Vec<Figure>, BenchError> {
    let copy = copied(dir, ground)?;
    let mut figures = Vec::new();
    for PointLook { what, ask } in LOOKS {
        let [own, other] = by_turns([dir, &copy], runs, ask)?;
        let times = format!("{:.2} of the original; aim: under 1.5", other / own);
        figures.push(Figure::new("past", format!("{what} at {POINTS} points, each"), own, "ms"));
        figures.push(Figure::new("past", format!("{what} at the same points after `import`"), other, "ms").noting(times));
    }
    ground.clear("copy");
    Ok(figures)
}

/// The medians of a look at the past of both, in milliseconds; what disturbs one disturbs the other.
fn by_turns(dirs: [&Path; 2], runs: usize, ask: fn(&History, Seq) -> Result<usize, BenchError>) -> Result<[f64; 2], BenchError> {
    let (mut times, end) = ([Vec::new(), Vec::new()], History::of(dirs[0])?.end());
    for at in (0..runs).flat_map(|_| (1..=POINTS).map(|nth| end * nth / (POINTS + 1))) {
        for (dir, times) in dirs.into_iter().zip(&mut times) {
            let (answer, took) = timed(|| ask(&History::of(dir)?, at));
            if answer? == 0 {
                return Err(BenchError::Nothing("the past did not answer"));
            }
            times.push(took.as_secs_f64() * 1e3);
        }
    }
    Ok(times.map(median))
}

/// The copy of a world, made as `reelm export` and `reelm import` make it.
fn copied(dir: &Path, ground: &Ground) -> Result<PathBuf, BenchError> {
    let (file, copy) = (ground.place("copy.reelm"), ground.place("copy"));
    ground.clear("copy");
    let (store, _) = LogStore::open(dir, Mode::Read)?;
    let wrong = |error| StoreError::io("write", &file, error);
    let mut out = BufWriter::new(File::create(&file).map_err(wrong)?);
    export(&store, store.world_file(), None, &mut out)?;
    out.flush().map_err(wrong)?;
    let made = import(&StreamStore::open(&file)?, &copy)?;
    restore_keys(made.beside())?;
    made.settle()?;
    build_ladder(&copy)?;
    Ok(copy)
}
