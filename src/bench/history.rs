//! History: what was written is walked again, folded and weighed.

use std::path::Path;

use crate::fact::{Draft, Frame, simulated};
use crate::past::{Checkpointer, ToKeep, load, resume};
use crate::replay::{Thread, replay};
use crate::run::Engine;
use crate::store::{Commit, Group, LogStore, Mode, Options, Record, Store, Stored};
use crate::world::{NoBlobs, World};

use super::figure::Figure;
use super::figure::{median, rate, timed};
use super::ground::{BenchError, Ground, rounds};
use super::size::Size;

/// How long the measured histories are.
const LENGTH: usize = 100_000;

/// How large segments are of which the closed ones are weighed: of a whole one a short history closes none.
const CLOSED_BYTES: u64 = 1 << 20;

/// Grows a town on disk, and opens its history for reading.
fn grown(ground: &Ground, name: &str, beings: usize, size: &Size) -> Result<LogStore, BenchError> {
    let source = ground.town(beings, false)?;
    let (world, mut sealer) = ground.plant(&source, name, size.threads)?;
    let (master, _) = simulated(&source.name, source.seed);
    let mut engine = Engine::new(world, master, size.threads);
    let (mut count, length) = (0, LENGTH.min(size.longest));
    while count < length {
        let rounds = rounds(&mut engine, 2048.min(length - count))?;
        count += rounds.iter().map(Vec::len).sum::<usize>();
        sealer.seal(rounds)?;
    }
    drop(sealer);
    Ok(LogStore::open(&ground.place(name), Mode::Read)?.0)
}

/// Replay and verification, frames a second.
pub(super) fn replayed(size: &Size, ground: &Ground) -> Result<Vec<Figure>, BenchError> {
    let store = grown(ground, "replay", 200, size)?;
    let id = store.world_file().world;
    let mut figures = Vec::new();
    for (what, only_verify) in
        [("replay: every moment computed again, every signature checked", false), ("verify: chain, fold and every signature", true)]
    {
        let mut rates = Vec::new();
        for _ in 0..size.runs {
            let (walked, took) = timed(|| replay(&store, id, Thread { only_verify, ..Thread::default() }, &mut |_| {}));
            let walked = walked?;
            if walked.difference.is_some() {
                return Err(BenchError::Nothing("the town does not replay"));
            }
            rates.push(rate(took, walked.frames as usize));
        }
        figures.push(Figure::new("replay", what, median(rates), "frames/s"));
    }
    ground.clear("replay");
    Ok(figures)
}

/// Folding one long reel, with and without reading it.
pub(super) fn folded(size: &Size, ground: &Ground) -> Result<Vec<Figure>, BenchError> {
    let store = grown(ground, "fold", 1, size)?;
    let id = store.world_file().world;
    let mut drafts: Vec<Draft> = Vec::new();
    // The memory of its source is too large for the frame of a planting, and lies beside it.
    let mut planted: Option<World> = None;
    load(&store, id, None, |frame, world| match &planted {
        Some(_) => drafts.push(frame.draft().clone()),
        None => planted = Some(world.clone()).filter(World::is_planted),
    })?;
    let planted = planted.ok_or(BenchError::Nothing("the world was not planted"))?;
    let (mut loads, mut folds) = (Vec::new(), Vec::new());
    for _ in 0..size.runs {
        let (loaded, took) = timed(|| load(&store, id, None, |_, _| {}));
        loaded?;
        loads.push(took.as_secs_f64() * 1e3);
        let mut world = planted.clone();
        let (done, took) = timed(|| drafts.iter().try_for_each(|draft| world.apply(draft, &NoBlobs)));
        done?;
        folds.push(took.as_secs_f64() * 1e3);
    }
    ground.clear("fold");
    let count = drafts.len();
    Ok(vec![
        Figure::new("fold", format!("fold of a reel of {count} frames, without signatures"), median(folds), "ms").noting("aim: under 100"),
        Figure::new("fold", format!("the same read from disk: checksum, decode, chain, fold ({count} frames)"), median(loads), "ms"),
    ])
}

/// Opening a town, from its beginning and from a checkpoint at its end.
pub(super) fn opened(size: &Size, ground: &Ground) -> Result<Vec<Figure>, BenchError> {
    let store = grown(ground, "open", size.beings, size)?;
    let (id, dir) = (store.world_file().world, ground.place("open"));
    let (mut whole, mut resumed) = (Vec::new(), Vec::new());
    for _ in 0..size.runs {
        let (loaded, took) = timed(|| load(&store, id, None, |_, _| {}));
        loaded?;
        whole.push(took.as_secs_f64() * 1e3);
    }
    let loaded = load(&store, id, None, |_, _| {})?;
    let source = ground.town(size.beings, false)?;
    let (master, _) = simulated(&source.name, source.seed);
    let (hash, frames) = (loaded.world.hash(), loaded.world.next_seq());
    let stand = ToKeep { world: loaded.world.into(), chain: loaded.chain, blobs: loaded.blobs, border: *store.ending() };
    Checkpointer::new(&dir, master).finish(Some(stand));
    for _ in 0..size.runs {
        let (loaded, took) = timed(|| resume(&dir, &store, None, &mut |_| {}));
        if loaded?.world.hash() != hash {
            return Err(BenchError::Nothing("the checkpoint is not the world"));
        }
        resumed.push(took.as_secs_f64() * 1e3);
    }
    ground.clear("open");
    let beings = size.beings;
    Ok(vec![
        Figure::new("open", format!("a town of {beings} after {frames} frames, from its beginning"), median(whole), "ms"),
        Figure::new("open", "the same from a checkpoint at its end", median(resumed), "ms").noting("however long the history is"),
    ])
}

/// Bytes on disk.
pub(super) fn bytes(size: &Size, ground: &Ground) -> Result<Vec<Figure>, BenchError> {
    let size = Size { longest: size.longest.min(20_000), ..*size };
    let store = grown(ground, "bytes", 200, &size)?;
    let (mut frames, mut bytes) = (0usize, 0usize);
    for entry in store.read(0)? {
        if let Stored::Frame { bytes: sealed, .. } = entry?
            && Frame::read(&sealed)?.draft().facts.len() == 1
        {
            (frames, bytes) = (frames + 1, bytes + sealed.len());
        }
    }
    let log = size_of(&ground.place("bytes").join("log"));
    let all = store.ending().seq as usize;
    let (plain, closed) = compressed(&store, &ground.place("closed"))?;
    ground.clear("closed");
    ground.clear("bytes");
    Ok(vec![
        Figure::new("bytes", "a frame with one fact, sealed", bytes as f64 / frames.max(1) as f64, "B")
            .noting(format!("{frames} frames of a town; aim: under 350")),
        Figure::new("bytes", "the log, for each of all frames", log as f64 / all.max(1) as f64, "B")
            .noting("with record heads, commits, blobs and genesis"),
        Figure::new("bytes", "the same once its segment is closed", closed, "B")
            .noting(format!("of {plain:.0} before; compressed with zstd")),
    ])
}

/// The bytes of a frame in closed segments, uncompressed and compressed, measured on a copy of the history in smaller segments.
fn compressed(store: &LogStore, dir: &Path) -> Result<(f64, f64), BenchError> {
    let options = Options { index: false, segment_bytes: CLOSED_BYTES, compress_after: None, ..Options::default() };
    let mut copy = LogStore::create_with(dir, store.world_file(), options)?;
    let mut records = Vec::new();
    for entry in store.read(0)? {
        match entry? {
            Stored::Blob { hash, bytes, .. } => records.push(Record::Blob { hash, bytes }),
            Stored::Frame { seq, being, n, bytes, .. } => records.push(Record::Frame { seq, being, n, bytes }),
            Stored::Commit { commit: Commit { head, seal, .. }, .. } => {
                copy.append(copy.ending().seq, &[Group { records: std::mem::take(&mut records), head, seal }])?;
            }
        }
    }
    // Where the newest segment begins, the closed ones end.
    let frames = copy.ending().position.segment.max(1) as f64;
    let weighed = || size_of(&dir.join("log")) as f64;
    let open = std::fs::metadata(dir.join("log").join(format!("{:016x}.seg", copy.ending().position.segment)));
    let open = open.map(|file| file.len()).unwrap_or_default() as f64;
    let plain = weighed() - open;
    copy.compress_closed()?;
    Ok((plain / frames, (weighed() - open) / frames))
}

fn size_of(dir: &Path) -> u64 {
    let files = std::fs::read_dir(dir).into_iter().flatten().flatten();
    files.filter_map(|file| file.metadata().ok()).map(|file| file.len()).sum()
}
