//! Past: what a look at a long past costs, and opening a world that was stopped: as the command line asks, from opening the history on.

use std::ops::Range;
use std::path::Path;

use crate::fact::{ClosingKind, Seq};
use crate::past::{History, Sought, Usage, load};
use crate::run::{Course, Living, Pace, Reins, Until};
use crate::store::{LogStore, Mode};
use crate::world::Paid;

use super::figure::{Figure, median, timed};
use super::ground::{BenchError, Ground};
use super::size::Size;

/// How many live in the town whose past is long.
const CITIZENS: usize = 200;
/// How many lines are asked for.
const LINES: usize = 10;

/// One look at the past: what it is, what it is to cost at most, what it cost when it folded from far away, and the look itself.
struct PastLook {
    what: &'static str,
    note: &'static str,
    ask: fn(&History) -> Result<usize, BenchError>,
}

const QUESTIONS: [PastLook; 10] = [
    PastLook {
        what: "`see --at` in the middle",
        note: "aim: 50; was 2,450",
        ask: |history| Ok(history.world_at(history.end() / 2)?.beings().len()),
    },
    PastLook {
        what: "`explain` in the middle",
        note: "aim: 100; was 4,850",
        ask: |history| Ok(history.explain(history.end() / 2).map_or(0, |explained| explained.frame.bytes().len())),
    },
    PastLook {
        what: "the last ten lines of `log`",
        note: "aim: 50; was 5,500 to 7,400",
        ask: |history| {
            let (mut told, seqs) = (0, history.newest_frames(None, 0, history.end(), LINES)?);
            history.retold_of(&seqs, |_, _, _| told += 1)?;
            Ok(told)
        },
    },
    PastLook {
        what: "the last ten lines of `find --closing act`",
        note: "aim: 50; was 5,500 to 7,400",
        ask: |history| last_lines(history, &Sought { closing: Some(ClosingKind::Act), ..Sought::default() }),
    },
    PastLook {
        what: "the last ten lines of `find --action role.set`, all of them at the beginning",
        note: "aim: 50; was all of it",
        ask: |history| last_lines(history, &Sought { action: Some("role.set".to_owned()), ..Sought::default() }),
    },
    PastLook {
        what: "finding the moment of `explain @being/n`, in the middle",
        note: "aim: 100; was all of it",
        ask: |history| {
            let world = history.world_at(history.end())?;
            let being = world.beings().find(|being| being.name.starts_with("citizen")).ok_or(BenchError::Nothing("nobody lives there"))?;
            Ok(history.nth(being.id, being.next_n / 2)?.map_or(0, |_| 1))
        },
    },
    PastLook { what: "the lanes of a being over all of it", note: "aim: 100", ask: |history| lanes(history, 0..history.end()) },
    PastLook {
        what: "the lanes of a being over 8,192 frames in the middle",
        note: "aim: 100",
        ask: |history| lanes(history, history.end() / 2..history.end() / 2 + 8_192),
    },
    PastLook {
        what: "the versions of a role",
        note: "aim: 50; was all of it",
        ask: |history| {
            let world = history.world_at(history.end())?;
            Ok(history.versions_of_role(&"citizen".into(), &world, u64::MAX)?.newest.len())
        },
    },
    PastLook {
        what: "`usage`",
        note: "aim: 50; was 5,500 to 7,400 where a model was ever asked",
        ask: |history| {
            let mut usage = Usage::default();
            let world = history.world(None, &mut |_| {})?;
            usage.pay(world.paid(), &Paid::default());
            Ok(world.beings().len())
        },
    },
];

/// How many marks there are on the lanes of a being; the server, which serves them, has the newest world at hand.
fn lanes(history: &History, span: Range<Seq>) -> Result<usize, BenchError> {
    let newest = history.world_at(history.end())?;
    let being = newest.beings().find(|being| being.name.starts_with("citizen")).ok_or(BenchError::Nothing("nobody lives there"))?;
    Ok(history.lanes(being.id, span, 240, &newest)?.marks.len())
}

/// How many of the last lines of `find` there are.
fn last_lines(history: &History, sought: &Sought) -> Result<usize, BenchError> {
    Ok(history.newest(sought, 0..history.end(), LINES, Some)?.found.len())
}

/// Looks at a long past, and openings.
pub(super) fn measure(size: &Size, ground: &Ground) -> Result<Vec<Figure>, BenchError> {
    let mut figures = looked(size, ground)?;
    figures.extend(super::land::measure(size, ground)?);
    figures.extend(opened(size, ground)?);
    Ok(figures)
}

fn lived(living: &mut Living, moments: usize) -> Result<(), BenchError> {
    let until = Until { moments: Some(moments as u64), ..Until::default() };
    living.run(Course { pace: Pace::Virtual, until, reins: &Reins::default(), watch: None, measures: None })?;
    Ok(())
}

fn looked(size: &Size, ground: &Ground) -> Result<Vec<Figure>, BenchError> {
    let (dir, source) = (ground.place("past"), ground.town(CITIZENS, false)?);
    ground.clear("past");
    let mut living = Living::plant(&source, None, &dir, size.threads)?;
    lived(&mut living, size.longest)?;
    living.stop()?;
    let (frames, rungs) = (History::of(&dir)?.end(), History::of(&dir)?.checkpoints().len());
    let mut figures = Vec::new();
    for PastLook { what, note, ask } in QUESTIONS {
        let mut times = Vec::new();
        for _ in 0..size.runs {
            let (answer, took) = timed(|| ask(&History::of(&dir)?));
            if answer? == 0 {
                return Err(BenchError::Nothing("the past did not answer"));
            }
            times.push(took.as_secs_f64() * 1e3);
        }
        figures.push(Figure::new("past", format!("{what} of {frames} frames"), median(times), "ms").noting(note));
    }
    let (store, _) = LogStore::open(&dir, Mode::Read)?;
    let (whole, took) = timed(|| load(&store, store.world_file().world, Some(frames / 2), |_, _| {}));
    whole?;
    figures.push(Figure::new("past", "folding to the middle from the beginning, as without a ladder", took.as_secs_f64() * 1e3, "ms"));
    figures.push(Figure::new("past", format!("{rungs} rungs, for each frame"), held(&dir) as f64 / frames.max(1) as f64, "B"));
    figures.extend(super::copied::measure(&dir, size.runs, ground)?);
    ground.clear("past");
    Ok(figures)
}

/// Opening a town that has been stopped, to go on with it.
fn opened(size: &Size, ground: &Ground) -> Result<Vec<Figure>, BenchError> {
    let (dir, source) = (ground.place("stopped"), ground.town(size.beings, false)?);
    ground.clear("stopped");
    let mut living = Living::plant(&source, None, &dir, size.threads)?;
    lived(&mut living, 20_000)?;
    living.stop()?;
    let (mut to_act, mut to_read) = (Vec::new(), Vec::new());
    for _ in 0..size.runs {
        let (opened, took) = timed(|| Living::open(&dir, size.threads));
        opened?.0.stop()?;
        to_act.push(took.as_secs_f64() * 1e3);
        let (read, took) = timed(|| History::of(&dir)?.world(None, &mut |_| {}));
        read?;
        to_read.push(took.as_secs_f64() * 1e3);
    }
    ground.clear("stopped");
    let of = size.beings;
    Ok(vec![
        Figure::new("past", format!("opening {of} beings after a clean stop, to act"), median(to_act), "ms")
            .noting("aim for 100,000: 500; was 3,500 to 8,200"),
        Figure::new("past", format!("the same {of}, to read"), median(to_read), "ms"),
    ])
}

fn held(dir: &Path) -> u64 {
    let files = std::fs::read_dir(dir.join("checkpoints")).into_iter().flatten().flatten();
    files.filter_map(|file| file.metadata().ok()).map(|file| file.len()).sum()
}
