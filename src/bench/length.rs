//! Length: what a moment costs when the reel, or the history of the world, has grown: it must not grow with them.

use super::figure::{median, micros, timed};
use super::ground::{BenchError, Ground, rounds};
use super::{Figure, Size};
use crate::run::{Engine, Sealer, simulated};

/// What grows.
pub(super) struct Growth {
    case: &'static str,
    beings: usize,
    lengths: [usize; 3],
}

/// One being whose reel grows.
pub(super) const REEL: Growth = Growth { case: "reel", beings: 1, lengths: [100, 10_000, 1_000_000] };
/// A hundred beings in a world whose history grows.
pub(super) const WORLD: Growth = Growth { case: "world", beings: 100, lengths: [1_000, 30_000, 1_000_000] };

/// How many frames are made durable with one sync.
const GROUP: usize = 512;

pub(super) fn measure(growth: &Growth, size: &Size, ground: &Ground) -> Result<Vec<Figure>, BenchError> {
    let mut figures = Vec::new();
    for length in growth.lengths.map(|length| length.min(size.longest)) {
        let cost = cost_at(growth, length, size, ground)?;
        figures.push(
            Figure::new(growth.case, format!("a moment after {length} frames"), cost, "µs")
                .noting("thought, closed, folded, signed, durable"),
        );
    }
    if let (Some(first), Some(last)) = (figures.first(), figures.last()) {
        let ratio = last.value / first.value;
        let note = if (ratio - 1.0).abs() <= 0.1 { "flat within 10 %" } else { "not flat within 10 %" };
        figures.push(Figure::new(growth.case, "longest against shortest", ratio, "×").noting(note));
    }
    Ok(figures)
}

fn cost_at(growth: &Growth, length: usize, size: &Size, ground: &Ground) -> Result<f64, BenchError> {
    let source = ground.town(growth.beings, false)?;
    let (world, mut sealer) = ground.plant(&source, growth.case, size.threads)?;
    let (master, _) = simulated(&source.name, source.seed);
    let mut engine = Engine::new(world, master, size.threads);
    let mut grown = 0;
    while grown < length {
        grown += go_on(&mut engine, &mut sealer, GROUP.min(length - grown))?;
    }
    let mut costs = Vec::new();
    for _ in 0..size.runs {
        let (count, took) = timed(|| go_on(&mut engine, &mut sealer, GROUP));
        costs.push(micros(took, count?));
    }
    drop(sealer);
    ground.clear(growth.case);
    Ok(median(costs))
}

fn go_on(engine: &mut Engine, sealer: &mut Sealer, count: usize) -> Result<usize, BenchError> {
    let rounds = rounds(engine, count)?;
    let count = rounds.iter().map(Vec::len).sum();
    sealer.seal(rounds)?;
    Ok(count)
}
