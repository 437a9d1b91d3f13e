//! Length: what a moment costs when the reel, or the history of the world, has grown: it must not grow with them.

use crate::fact::simulated;
use crate::run::{Engine, Sealer};

use super::figure::Figure;
use super::figure::{median, micros, timed};
use super::ground::{BenchError, Ground, rounds};
use super::size::Size;

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

/// How many frames are made durable with one sync while it grows.
const GROUP: usize = 512;
/// How many moments are measured at a time: few, so that a short reel stays short.
const PASS: usize = 128;
/// How many passes stand for each run that was asked for: a pass is a few milliseconds, and anything else of the machine disturbs it.
const PASSES: usize = 8;

pub(super) fn measure(growth: &Growth, size: &Size, ground: &Ground) -> Result<Vec<Figure>, BenchError> {
    let lengths = growth.lengths.map(|length| length.min(size.longest));
    let names: Vec<String> = lengths.iter().map(|length| format!("{}-{length}", growth.case)).collect();
    let mut grown = Vec::new();
    for (length, name) in lengths.into_iter().zip(&names) {
        grown.push(Grown::to(growth, length, name, size, ground)?);
    }
    // In turn, so that whatever else the machine does falls on all of them alike.
    for _ in 0..size.runs * PASSES {
        for grown in &mut grown {
            let (count, took) = timed(|| go_on(&mut grown.engine, &mut grown.sealer, PASS));
            grown.costs.push(micros(took, count?));
        }
    }
    let mut figures = Vec::new();
    for grown in grown {
        figures.push(
            Figure::new(growth.case, format!("a moment after {} frames", grown.length), median(grown.costs), "µs")
                .noting("thought, closed, folded, signed, durable"),
        );
    }
    names.iter().for_each(|name| ground.clear(name));
    if let (Some(first), Some(last)) = (figures.first(), figures.last()) {
        let ratio = last.value / first.value;
        let note = if (ratio - 1.0).abs() <= 0.1 { "flat within 10 %" } else { "not flat within 10 %" };
        figures.push(Figure::new(growth.case, "longest against shortest", ratio, "×").noting(note));
    }
    Ok(figures)
}

/// A world whose history has a length.
struct Grown {
    length: usize,
    engine: Engine,
    sealer: Sealer,
    costs: Vec<f64>,
}

impl Grown {
    fn to(growth: &Growth, length: usize, name: &str, size: &Size, ground: &Ground) -> Result<Self, BenchError> {
        let source = ground.town(growth.beings, false)?;
        let (world, mut sealer) = ground.plant(&source, name, size.threads)?;
        let (master, _) = simulated(&source.name, source.seed);
        let mut engine = Engine::new(world, master, size.threads);
        let mut grown = 0;
        while grown < length {
            grown += go_on(&mut engine, &mut sealer, GROUP.min(length - grown))?;
        }
        Ok(Self { length, engine, sealer, costs: Vec::new() })
    }
}

fn go_on(engine: &mut Engine, sealer: &mut Sealer, count: usize) -> Result<usize, BenchError> {
    let rounds = rounds(engine, count)?;
    let count = rounds.iter().map(Vec::len).sum();
    sealer.seal(rounds)?;
    Ok(count)
}
