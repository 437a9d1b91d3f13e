//! Models: a run that asks models ahead, in rooms full of guests, beside an oracle that no way of asking can beat.

use std::time::Instant;

use crate::fact::Millis;
use crate::minds::AheadTerms;
use crate::run::{Course, Living, Pace, Reins, Until};
use crate::source::Source;

use super::figure::{Figure, median};
use super::ground::{BenchError, Ground};
use super::oracle::CallBounds;
use super::rooms::{ROLE, RoomWorld, WORLDS};
use super::size::Size;
use super::slots::SlotServer;
use super::trace::{TracedRun, moments_a_second};

/// How much of each world is measured.
struct RoomTime {
    /// The times that a world lives are divided by this.
    shorter: Millis,
    /// Latencies are divided by this. The engine's own time is not: with shorter latencies it weighs more.
    divisor: u64,
}

impl RoomTime {
    /// The whole takes some four minutes; fewer moments than usual take less than one.
    fn of(size: &Size) -> Self {
        let is_whole = size.moments >= Size::default().moments;
        let (shorter, divisor) = if is_whole { (1, 1) } else { (3, 2) };
        Self { shorter, divisor }
    }

    /// How long a world lives, in its own time.
    fn of_world(&self, world: &RoomWorld) -> Millis {
        world.minutes * 60_000 / self.shorter
    }
}

/// A run that asked ahead.
struct AheadRun {
    /// How long it took, in seconds.
    took: f64,
    /// How many calls the server had.
    calls: usize,
}

fn source(world: &RoomWorld, url: &str, ground: &Ground) -> Result<Source, BenchError> {
    ground.source("rooms", &[("world.toml", &world.source(url)), ("roles/guest.md", ROLE)])
}

/// Runs a world on disk for so long, as `reelm run` does. It has to come to the same moments as a run that asked nothing ahead.
fn asked_ahead(
    (source, traced): (&Source, &TracedRun),
    server: &SlotServer,
    (duration, threads): (Millis, usize),
    ground: &Ground,
) -> Result<AheadRun, BenchError> {
    let dir = ground.place("rooms-world");
    let mut living = Living::plant(source, None, &dir, threads)?;
    living.asking(Living::endpoints(Some(&dir), AheadTerms::default())?);
    let until = Until { duration: Some(duration), ..Until::default() };
    let begun = Instant::now();
    let ran = living.run(Course { pace: Pace::Virtual, until, reins: &Reins::default(), watch: None, measures: None })?;
    let took = begun.elapsed().as_secs_f64();
    living.stop()?;
    ground.clear("rooms-world");
    if ran.tally != traced.tally {
        return Err(BenchError::Nothing("a run that asks ahead has another history than one that does not"));
    }
    Ok(AheadRun { took, calls: server.asked() })
}

/// The figures of one world.
fn world_figures(world: &'static RoomWorld, time: &RoomTime, size: &Size, ground: &Ground) -> Result<Vec<Figure>, BenchError> {
    let server = SlotServer::open(world, time.divisor)?;
    let source = source(world, &server.url(), ground)?;
    let duration = time.of_world(world);
    let traced = TracedRun::of(world, &source, duration, time.divisor)?;
    let CallBounds { oracle, sync, alone } = CallBounds::of(&traced.calls, world.slots);
    let AheadRun { took, calls } = asked_ahead((&source, &traced), &server, (duration, size.threads), ground)?;
    let moments = traced.calls.len();
    let note =
        format!("{moments} moments, {} slots; oracle {oracle:.1} s, parallel-sync {sync:.1} s, one by one {alone:.1} s", world.slots);
    let aims = world.aims();
    let figure = |what: &str, value: f64, unit: &'static str| Figure::new("models", format!("{}: {what}", world.what), value, unit);
    Ok(vec![
        figure("asked ahead", took, "s").noting(note),
        figure("of the oracle's time", took / oracle.max(1e-9), "times").noting(aims.oracle),
        figure("calls a moment", calls as f64 / moments.max(1) as f64, "calls").noting(aims.calls),
        figure("faster than parallel-sync", sync / took.max(1e-9), "times").noting(aims.sync),
    ])
}

/// The aims of a world, as the notes of its figures say them.
struct RoomAims {
    oracle: &'static str,
    calls: &'static str,
    sync: &'static str,
}

impl RoomWorld {
    /// Its aims.
    fn aims(&self) -> RoomAims {
        let (oracle, calls) =
            if self.moved > 0.0 { ("aim: at most 1.9", "aim: at most 1.35") } else { ("aim: at most 1.7", "aim: at most 1.05") };
        RoomAims { oracle, calls, sync: if self.is_in_steps { "aim: at least 2.5" } else { "" } }
    }
}

pub(super) fn measure(size: &Size, ground: &Ground) -> Result<Vec<Figure>, BenchError> {
    let time = RoomTime::of(size);
    let mut figures = Vec::new();
    for world in &WORLDS {
        figures.extend(world_figures(world, &time, size, ground)?);
    }
    let [_, world, ..] = &WORLDS;
    let source = source(world, "http://127.0.0.1:9/v1", ground)?;
    let runs = (0..size.runs).map(|_| moments_a_second(world, &source, time.of_world(world))).collect::<Result<Vec<_>, _>>()?;
    let note = format!("{}, in memory; what the models take is not counted", world.what);
    figures.push(Figure::new("models", "moments where every reply is there at once", median(runs), "/s").noting(note));
    Ok(figures)
}
