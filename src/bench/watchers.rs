//! Watchers: what a moment costs while many elsewhere watch for just what is done in it, and read in their flows just what it changes: it must
//! not cost more than while as many are there and none of them does.

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
"#;
const READS: &str = r#"flow = [{ when = { "space.count" = 1, "me.quality.town.steps" = { gte = 1 }, "space.wearing.citizen" = { gte = 1 } }, role = "guard" }]"#;
const GUARD: &str = "---\nname: guard\ncanSee: ['**']\n---\n\nYou guard this place.\n";
const WATCHES: &str = "watch: [{action: 'quality.*', on: {rel: here}}, {action: move, on: {rel: here}}]\n";

/// The connections that a case opens beside the citizens.
#[derive(Clone, Copy)]
enum Beside {
    Nobody,
    /// So many, who neither watch nor read.
    Idlers(usize),
    Watchers(usize),
}

pub(super) fn measure(size: &Size, ground: &Ground) -> Result<Vec<Figure>, BenchError> {
    let many = size.beings.saturating_mul(WATCHERS);
    let mut towns =
        [Folded::of(ground, Beside::Nobody)?, Folded::of(ground, Beside::Idlers(many))?, Folded::of(ground, Beside::Watchers(many))?];
    for _ in 0..size.runs {
        // In turn, so that whatever else the machine does falls on all alike.
        for town in &mut towns {
            town.pass()?;
        }
    }
    let [none, idle, some] = towns.map(|town| median(town.costs));
    Ok(vec![
        Figure::new("watch", "a moment folded, nobody else is there", none, "µs"),
        Figure::new("watch", format!("the same while {many} others are elsewhere"), idle, "µs"),
        Figure::new("watch", "the same while they watch for it and read it there", some, "µs").noting("aim: as the line above"),
    ])
}

/// A town whose moments are folded again.
struct Folded {
    engine: Engine,
    shadow: World,
    costs: Vec<f64>,
}

impl Folded {
    fn of(ground: &Ground, beside: Beside) -> Result<Self, BenchError> {
        let source = town(ground, beside)?;
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

fn town(ground: &Ground, beside: Beside) -> Result<Source, BenchError> {
    let there = |count: usize| ELSEWHERE.replace("count = 1", &format!("count = {count}"));
    match beside {
        Beside::Nobody => ground.town(CITIZENS, true),
        Beside::Idlers(count) => ground.town_with(CITIZENS, &there(count), ("roles/guard.md", GUARD)),
        Beside::Watchers(count) => {
            let guard = GUARD.replacen("---\n\n", &format!("{WATCHES}---\n\n"), 1);
            ground.town_with(CITIZENS, &(there(count) + READS), ("roles/guard.md", &guard))
        }
    }
}
