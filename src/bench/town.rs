//! Town: durable, signed, scripted moments a second, against what the disk and the signatures alone would allow.
//!
//! One world runs as `reelm run` would run it. In turns with it runs the limit program, which has nothing of a world but its formats, so that a
//! busy machine disturbs both. Beside them the same moments are made by an engine on one thread, stage by stage.

use std::sync::Arc;
use std::time::Duration;

use crate::cognition::think;
use crate::fact::{BeingId, Credential, Draft, Fact, Hash, Master, SEALS, SEALS_BATCH, Value, sign_all, simulated};
use crate::moment::{Closer, Composer, close, open};
use crate::run::{Course, Engine, Living, Next, Pace, Reins, Until};
use crate::script::{Limits, Sandbox};
use crate::store::{Group, LogStore, Options, Record, Store};
use crate::verb::Hands;
use crate::world::{NoBlobs, World};

use super::figure::{Figure, median, micros, processor, rate, timed};
use super::ground::{BenchError, Ground, rounds};
use super::limit::Limit;
use super::size::Size;

/// Frames that share one sync where they are appended by themselves.
const GROUP: usize = 4096;
/// Frames that are sealed with a sync each.
const SINGLY: usize = 2_000;

pub(super) fn measure(size: &Size, ground: &Ground) -> Result<Vec<Figure>, BenchError> {
    let mut figures = pipeline(size, ground)?;
    figures.push(spread(size, ground)?);
    Ok(figures)
}

fn until(moments: usize) -> Until {
    Until { moments: Some(moments as u64), ..Until::default() }
}

/// Runs of one thing: how many a second, and what each takes of the processor, in microseconds.
#[derive(Default)]
pub(super) struct Runs {
    pub rates: Vec<f64>,
    pub costs: Vec<f64>,
}

impl Runs {
    /// Takes in a run, which says how many it made.
    pub fn take(&mut self, run: impl FnOnce() -> Result<usize, BenchError>) -> Result<(), BenchError> {
        let before = processor();
        let (made, took) = timed(run);
        let made = made?;
        self.rates.push(rate(took, made));
        self.costs.extend(before.zip(processor()).map(|(before, after)| micros(after.saturating_sub(before), made)));
        Ok(())
    }
}

/// A run of the living world.
pub(super) fn lived(living: &mut Living, moments: usize) -> Result<usize, BenchError> {
    let course = Course { pace: Pace::Virtual, until: until(moments), reins: &Reins::default(), watch: None, measures: None };
    Ok(living.run(course)?.tally.moments() as usize)
}

fn pipeline(size: &Size, ground: &Ground) -> Result<Vec<Figure>, BenchError> {
    let source = ground.town(size.beings, true)?;
    let (master, _) = simulated(&source.name, source.seed);
    ground.clear("whole");
    let (living, planting) = timed(|| Living::plant(&source, None, &ground.place("whole"), size.threads).map_err(BenchError::from));
    let mut living = living?;
    let mut batched = in_batches(size, ground)?;
    let (world, mut bare) = ground.plant(&source, "bare", size.threads)?;
    let mut stages = Stages::new(world, master.clone());
    let (mut whole, mut batch, mut limit, mut singly) = (Runs::default(), Runs::default(), Runs::default(), f64::NAN);
    let mut program: Option<Limit> = None;
    for run in 0..size.runs {
        whole.take(|| lived(&mut living, size.moments))?;
        batch.take(|| lived(&mut batched, size.moments))?;
        let mut drafts = stages.run(size.moments)?;
        let program = match &mut program {
            Some(program) => program,
            None => program.insert(Limit::of(an_act(&drafts)?, &master, size.beings)?),
        };
        limit.take(|| Ok(program.run(size.moments, size.threads, &ground.place("limit"))?))?;
        stages.weigh(&drafts, &master, ground)?;
        if run == 0 {
            drafts.truncate(SINGLY);
            let count = drafts.len();
            let (done, took) = timed(|| drafts.into_iter().try_for_each(|draft| bare.seal(vec![vec![draft]])));
            done?;
            singly = rate(took, count);
        }
    }
    drop((living.stop()?, batched.stop()?, bare));
    ["whole", "batched", "bare"].iter().for_each(|name| ground.clear(name));
    let (costs, of_limit) = (median(whole.costs), median(limit.costs));
    let (whole, limit) = (median(whole.rates), median(limit.rates));
    let (batch, batch_costs) = (median(batch.rates), median(batch.costs));
    let mut figures = vec![
        Figure::new("town", format!("durable signed scripted moments, {} beings, {} threads", size.beings, size.threads), whole, "/s"),
        Figure::new("town", "the same in a world that seals in batches, in turns with it", batch, "/s"),
        Figure::new("town", "of those that carry a signature each", batch / whole * 100.0, "%").noting("aim: 200"),
        Figure::new("town", "processor time of a moment in batches, all threads together", batch_costs, "µs"),
        Figure::new("town", "the limit: a script, encode, chain, sign, append in groups, no world", limit, "/s")
            .noting("the same threads, in turns"),
        Figure::new("town", "of the limit", whole / limit * 100.0, "%").noting("aim: 50"),
        Figure::new("town", "processor time of one of those moments, all threads together", costs, "µs"),
        Figure::new("town", "processor time of one frame of the limit", of_limit, "µs"),
        Figure::new("town", "one frame a sync, no world", singly, "/s"),
        Figure::new("town", format!("planting {} beings", size.beings), planting.as_secs_f64(), "s"),
    ];
    figures.extend(stages.figures());
    Ok(figures)
}

/// The same town in a world that seals in batches.
fn in_batches(size: &Size, ground: &Ground) -> Result<Living, BenchError> {
    let mut source = ground.town(size.beings, true)?;
    source.config.insert(SEALS.to_owned(), Value::from(SEALS_BATCH));
    ground.clear("batched");
    Ok(Living::plant(&source, None, &ground.place("batched"), size.threads)?)
}

/// One of the drafts that changes a quality, as most of the town's do.
fn an_act(drafts: &[Draft]) -> Result<Draft, BenchError> {
    let is_one = |draft: &&Draft| matches!(draft.facts[..], [Fact::QualityInc { .. }]);
    drafts.iter().find(is_one).cloned().ok_or(BenchError::Nothing("nobody in the town took a step"))
}

/// The same town when nobody is due at the same instant: each round is one moment.
fn spread(size: &Size, ground: &Ground) -> Result<Figure, BenchError> {
    let source = ground.town(size.beings, false)?;
    let mut living = Living::plant(&source, None, &ground.place("spread"), size.threads)?;
    let mut runs = Runs::default();
    (0..size.runs).try_for_each(|_| runs.take(|| lived(&mut living, size.moments)))?;
    living.stop()?;
    ground.clear("spread");
    Ok(Figure::new("town", "the same with every being at an instant of its own", median(runs.rates), "/s")
        .noting("rounds of one moment: thought about on one thread"))
}

/// The cost of each stage on one thread, in microseconds a moment.
struct Stages {
    engine: Engine,
    /// Folds the same drafts and nothing else.
    shadow: World,
    composer: Composer,
    sandbox: Sandbox,
    closer: Closer,
    costs: [(&'static str, Vec<f64>); 7],
}

impl Stages {
    fn new(world: World, master: Master) -> Self {
        let costs = [
            ("open: flow, stack, worn role", Vec::new()),
            ("think: face, script, call", Vec::new()),
            ("close: gate, operation, draft", Vec::new()),
            ("apply: the fold", Vec::new()),
            ("encode and hash", Vec::new()),
            ("sign", Vec::new()),
            ("append, durable", Vec::new()),
        ];
        let shadow = world.clone();
        let closer = Closer { hands: Hands::new(Sandbox::new(Limits::default())), composer: Composer::default() };
        Self {
            engine: Engine::new(world, master, 1),
            shadow,
            composer: Composer::default(),
            sandbox: Sandbox::new(Limits::default()),
            closer,
            costs,
        }
    }

    fn note(&mut self, stage: usize, took: Duration, count: usize) {
        if let Some((_, costs)) = self.costs.get_mut(stage) {
            costs.push(micros(took, count));
        }
    }

    /// Makes the next moments, and times what can be told apart.
    fn run(&mut self, moments: usize) -> Result<Vec<Draft>, BenchError> {
        self.ponder();
        let drafts: Vec<Draft> = rounds(&mut self.engine, moments)?.into_iter().flatten().collect();
        let (done, folded) = timed(|| drafts.iter().try_for_each(|draft| self.shadow.apply(draft, &NoBlobs)));
        done?;
        self.note(3, folded, drafts.len());
        Ok(drafts)
    }

    /// Opens, thinks and closes the next round's moments on the world as it is, and throws the drafts away.
    fn ponder(&mut self) {
        let world: Arc<World> = self.engine.world().clone();
        let Next::At(at) = self.engine.next() else { return };
        let mut due = Vec::new();
        for (_, id) in world.inbox().due().take_while(|(due, _)| *due <= at) {
            if let (Some(being), Some(wake)) = (world.being(id), world.inbox().next(id, at)) {
                due.push((being, wake));
            }
        }
        let (composer, sandbox, closer) = (&mut self.composer, &mut self.sandbox, &mut self.closer);
        let (openings, opened) =
            timed(|| due.iter().map(|(being, wake)| open(&world, being, wake, at, None, composer)).collect::<Vec<_>>());
        let (answers, thought) = timed(|| openings.iter().map(|opening| think(opening, &world, sandbox)).collect::<Vec<_>>());
        let no_key = |_: BeingId| Credential::default();
        let (_, closed) =
            timed(|| openings.iter().zip(answers).for_each(|(opening, answer)| drop(close(opening, answer, &world, at, &no_key, closer))));
        for (stage, took) in [opened, thought, closed].into_iter().enumerate() {
            self.note(stage, took, due.len());
        }
    }

    /// Encodes, signs and appends drafts, each by itself.
    fn weigh(&mut self, drafts: &[Draft], master: &Master, ground: &Ground) -> Result<(), BenchError> {
        let drafts = drafts.get(..10_000.min(drafts.len())).unwrap_or_default();
        let keys: Vec<_> = drafts.iter().map(|draft| master.key(draft.world, draft.being)).collect();
        let (hashed, encoded) = timed(|| {
            drafts.iter().map(|draft| (draft.body(), draft)).map(|(body, draft)| (Hash::of(&body), body, draft)).collect::<Vec<_>>()
        });
        let signing: Vec<_> = keys.iter().zip(&hashed).map(|(key, (hash, ..))| (key, *hash)).collect();
        let (signed, signing) = timed(|| sign_all(&signing));
        let mut records = Vec::new();
        for ((seq, (hash, body, draft)), signature) in (0..).zip(hashed).zip(signed) {
            let frame = draft.clone().with(body, hash, Some(signature))?;
            records.push(Record::Frame { seq, being: draft.being, n: draft.n, bytes: frame.into_bytes().into() });
        }
        let groups: Vec<Group> =
            records.chunks(GROUP).map(|records| Group { records: records.to_vec(), head: Hash::NOTHING, seal: [0; 64] }).collect();
        let dir = ground.place("append");
        let file = crate::store::WorldFile {
            format: crate::store::FORMAT,
            world: drafts.first().map(|draft| draft.world).ok_or(BenchError::Nothing("there are no drafts"))?,
            root_key: String::new(),
            simulated: true,
            name: "append".into(),
            origins: Vec::new(),
        };
        let mut store = LogStore::create_with(&dir, &file, Options::default())?;
        let mut seq = 0;
        let (done, appended) = timed(|| {
            groups.iter().try_for_each(|group| store.append(seq, std::slice::from_ref(group)).map(|()| seq += group.records.len() as u64))
        });
        done?;
        drop(store);
        ground.clear("append");
        let count = drafts.len();
        self.note(4, encoded, count);
        self.note(5, signing, count);
        self.note(6, appended, count);
        Ok(())
    }

    fn figures(self) -> Vec<Figure> {
        let mut sum = 0.0;
        let stage = |(what, costs): (&'static str, Vec<f64>)| {
            let cost = median(costs);
            sum += cost;
            Figure::new("town", format!("  {what}"), cost, "µs").noting("a moment, one thread")
        };
        let mut figures: Vec<Figure> = self.costs.into_iter().map(stage).collect();
        figures.push(Figure::new("town", "  all stages", sum, "µs").noting("a moment, one thread"));
        figures
    }
}
