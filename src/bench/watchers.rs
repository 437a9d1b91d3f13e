//! Watchers: what a moment costs while many elsewhere watch for just what is done in it, and read in their flows just what it changes: it must
//! not cost more than while nobody does.

use crate::fact::{Draft, simulated};
use crate::run::{Engine, Living};
use crate::source::Source;
use crate::store::MemoryStore;
use crate::world::{NoBlobs, World};

use super::figure::Figure;
use super::figure::{median, micros, timed};
use super::ground::{BenchError, Ground, rounds};
use super::size::Size;

/// How many citizens act.
const CITIZENS: usize = 100;
/// How many watch for each being of the town that was asked for.
const WATCHERS: usize = 10;
/// How many moments are folded at a time.
const PASS: usize = 2_000;

/// Where the watchers are, what they watch for and what they read: the citizens' own acts and what becomes of them, where no citizen is.
const ELSEWHERE: &str = r#"
[[space]]
path = "/elsewhere"

[[population]]
prefix = "watcher"
count = 1
home = "/elsewhere"
role = "guard"
flow = [{ when = { "space.count" = 1, "me.quality.town.steps" = { gte = 1 }, "space.wearing.citizen" = { gte = 1 } }, role = "guard" }]
"#;
const GUARD: &str = "---\nname: guard\ncanSee: ['**']\nwatch: [{action: 'quality.*', on: {rel: here}}, {action: move, on: {rel: here}}]\n---\n\nYou guard this place.\n";

pub(super) fn measure(size: &Size, ground: &Ground) -> Result<Vec<Figure>, BenchError> {
    let many = size.beings.saturating_mul(WATCHERS);
    let mut towns = [Folded::of(ground, 0)?, Folded::of(ground, many)?];
    for _ in 0..size.runs {
        // In turn, so that whatever else the machine does falls on both alike.
        for town in &mut towns {
            town.pass()?;
        }
    }
    let [none, some] = towns.map(|town| median(town.costs));
    Ok(vec![
        Figure::new("watch", "a moment folded, nobody watches", none, "µs"),
        Figure::new("watch", format!("the same while {many} watch for it and read it elsewhere"), some, "µs").noting("aim: the same"),
    ])
}

/// A town whose moments are folded again.
struct Folded {
    engine: Engine,
    shadow: World,
    costs: Vec<f64>,
}

impl Folded {
    fn of(ground: &Ground, watchers: usize) -> Result<Self, BenchError> {
        let source = town(ground, watchers)?;
        let (master, id) = simulated(&source.name, source.seed);
        let living = Living::plant_in(&source, None, Box::new(MemoryStore::new(id)), 1)?;
        let world = (**living.world()).clone();
        Ok(Self { engine: Engine::new(world.clone(), master, 1), shadow: world, costs: Vec::new() })
    }

    fn pass(&mut self) -> Result<(), BenchError> {
        let drafts: Vec<Draft> = rounds(&mut self.engine, PASS)?.into_iter().flatten().collect();
        let (folded, took) = timed(|| drafts.iter().try_for_each(|draft| self.shadow.apply(draft, &NoBlobs)));
        folded?;
        self.costs.push(micros(took, drafts.len()));
        Ok(())
    }
}

fn town(ground: &Ground, watchers: usize) -> Result<Source, BenchError> {
    let mut source = ground.town(CITIZENS, true)?;
    if watchers > 0 {
        source = ground.town_with(CITIZENS, &ELSEWHERE.replace("count = 1", &format!("count = {watchers}")), ("roles/guard.md", GUARD))?;
    }
    Ok(source)
}
