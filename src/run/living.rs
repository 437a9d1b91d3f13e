//! Living: a world on disk that goes on: opened or planted, acted upon, run round by round, stopped at a border.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use crate::fact::{BeingId, Call, Cognition, Content, Draft, Hash, Master, Millis, PublicKey, Reason, Seq, Value, Verb, WorldId};
use crate::moment::{genesis, operator_role, unfit};
use crate::reel::Chain;
use crate::store::{FORMAT, Keystore, LogStore, Mode, Recovery, Store, StoreError, WorldFile};
use crate::world::{FoldError, World};

use super::checkpoint::{Checkpointer, resume};
use super::engine::{Engine, Next, refusal};
use super::load::{LoadError, Loaded, load};
use super::measure::{MeasureError, Measures};
use super::plan::plan;
use super::reins::{Order, Reins};
use super::report::{Report, report};
use super::seal::{Round, SealError, Sealer, Sealing};
use super::source::Source;
use super::until::When;

/// Why a world does not live.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// Its history cannot be read.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// The store refused.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Frames could not be made durable.
    #[error(transparent)]
    Seal(#[from] SealError),
    /// A draft could not be folded.
    #[error(transparent)]
    Fold(#[from] FoldError),
    /// A measure is wrong.
    #[error(transparent)]
    Measure(#[from] MeasureError),
    /// What a source asks for was refused; nothing was written.
    #[error("{place}: cannot {why}: {reason}; nothing was written")]
    Planting {
        /// The file and line.
        place: String,
        /// What was to be done.
        why: String,
        /// Why it was refused.
        reason: String,
    },
    /// A person cannot act as a being that thinks by itself.
    #[error("`@{name}` thinks by itself ({cognition}); inhabit it first: `reelm be inhabit '{{\"being\":\"@{name}\"}}'`")]
    NotDriven {
        /// The being.
        name: String,
        /// Its cognition.
        cognition: Cognition,
    },
    /// An act's arguments are too large for any moment.
    #[error("the arguments have about {size} bytes; at most {ARGS_MAX} are taken: put less in one act")]
    TooLarge {
        /// About how many.
        size: usize,
    },
    /// An act cannot stand in any frame.
    #[error("such an act cannot be recorded: {reason}; {}", hint(reason))]
    Unfit {
        /// Which limit it passes.
        reason: Reason,
    },
    /// Nobody of that name lives.
    #[error("there is no living being `@{0}` in this world")]
    NoBeing(String),
}

/// What to do about an act that cannot be recorded.
fn hint(reason: &Reason) -> &'static str {
    match reason.code.as_ref() {
        "secret" => "what is recorded is there for ever: name where the key lies, as in `env:MODEL_KEY`",
        "args-depth" => "nest its arguments less",
        _ => "write shorter addresses and words",
    }
}

/// The largest arguments of a person's act, in bytes of JSON.
const ARGS_MAX: usize = 4 << 20;

/// How fast world time passes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pace {
    /// As fast as it can.
    Virtual,
    /// So many times as fast as the wall clock.
    Times(f64),
    /// With the wall clock, at the wall clock's own time.
    Real,
}

impl Pace {
    /// As the clock switch records it.
    fn word(self) -> String {
        match self {
            Self::Virtual => "virtual".to_owned(),
            Self::Times(times) => format!("paced {times}"),
            Self::Real => "real".to_owned(),
        }
    }
}

/// When a run stops by itself.
#[derive(Clone, Debug, Default)]
pub struct Until {
    /// After so much world time.
    pub duration: Option<Millis>,
    /// After the round in which so many moments have closed.
    pub moments: Option<u64>,
    /// As soon as a condition over the world holds.
    pub when: Option<When>,
}

/// Why a run stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// What was asked for was reached.
    Done,
    /// Nobody has anything to do any more.
    Quiet,
    /// It was told to stop.
    Told,
    /// The world waits for a person.
    WaitsFor(String),
}

/// What a run came to.
#[derive(Clone, Debug)]
pub struct Ran {
    /// Why it stopped.
    pub stopped: Stopped,
    /// How many moments closed.
    pub moments: u64,
    /// The next seq.
    pub seq: Seq,
    /// World time at the end.
    pub at: Millis,
}

/// How a run goes and who watches.
pub struct Course<'a> {
    /// How fast.
    pub pace: Pace,
    /// How long.
    pub until: Until,
    /// Pulled from outside to stop, pause or step.
    pub reins: &'a Reins,
    /// Told of each moment once it is durable; none: nobody watches.
    pub watch: Option<&'a mut dyn FnMut(&Report)>,
    /// Sampled on the way.
    pub measures: Option<&'a mut Measures>,
}

/// A world on disk that goes on.
pub struct Living {
    engine: Engine,
    sealing: Sealing<Vec<Report>>,
    /// The next seq when the last checkpoint was asked for.
    checkpointed: Seq,
}

impl Living {
    /// Opens a world's directory to go on with it.
    pub fn open(dir: &Path, threads: usize) -> Result<(Self, Recovery), RunError> {
        let (store, recovery) = LogStore::open(dir, Mode::Write)?;
        let keystore = Keystore::load(dir)?;
        let loaded = resume(dir, &store, None, &mut |_| {})?;
        let master = Master::new(*keystore.master);
        let checkpointer = Checkpointer::new(dir, master.clone());
        let sealer = Sealer::new(loaded.chain, Box::new(store), master.clone(), threads, loaded.blobs).keeping(checkpointer);
        Ok((Self::begin(Engine::new(loaded.world, master, threads), sealer), recovery))
    }

    /// Goes on from a folded history.
    pub fn over(store: Box<dyn Store>, master: Master, loaded: Loaded, threads: usize) -> Self {
        let sealer = Sealer::new(loaded.chain, store, master.clone(), threads, loaded.blobs);
        Self::begin(Engine::new(loaded.world, master, threads), sealer)
    }

    fn begin(engine: Engine, sealer: Sealer) -> Self {
        let checkpointed = engine.world().next_seq();
        Self { engine, sealing: Sealing::start(sealer), checkpointed }
    }

    /// Plants a source in a directory. It is planted in memory first, so a source with any fault leaves nothing behind.
    pub fn plant(source: &Source, seed: Option<u64>, dir: &Path, threads: usize) -> Result<Self, RunError> {
        let seed = seed.unwrap_or(source.seed);
        let (master, id) = simulated(&source.name, seed);
        let (engine, drafts) = grow(source, seed, id, &master, threads)?;
        let root_key = root_key(&master, id).to_string();
        let file = WorldFile { format: FORMAT, world: id, root_key, simulated: true, name: source.name.clone() };
        let store = Self::ground(dir, &file)?;
        Keystore { master: zeroize::Zeroizing::new(*master.reveal()) }.save(dir)?;
        let checkpointer = Checkpointer::new(dir, master.clone());
        Self::settle(engine, drafts, Sealer::new(Chain::new(id), Box::new(store), master, threads, BTreeSet::new()).keeping(checkpointer))
    }

    /// An empty log in a directory: a new one, or one whose planting was cut off before its first frame.
    fn ground(dir: &Path, file: &WorldFile) -> Result<LogStore, RunError> {
        if dir.join("world.toml").exists() {
            let (store, _) = LogStore::open(dir, Mode::Write)?;
            if store.ending().seq == 0 && store.world_file() == file {
                return Ok(store);
            }
        }
        Ok(LogStore::create(dir, file)?)
    }

    /// Whether a directory holds a world with a beginning.
    pub fn is_planted(dir: &Path) -> Result<bool, RunError> {
        if !dir.join("world.toml").exists() {
            return Ok(false);
        }
        let (store, _) = LogStore::open(dir, Mode::Read)?;
        Ok(store.ending().seq > 0)
    }

    /// The same into any store: memory, for tests and measurements.
    pub fn plant_in(source: &Source, seed: Option<u64>, store: Box<dyn Store>, threads: usize) -> Result<Self, RunError> {
        let seed = seed.unwrap_or(source.seed);
        let (master, id) = simulated(&source.name, seed);
        let (engine, drafts) = grow(source, seed, id, &master, threads)?;
        Self::settle(engine, drafts, Sealer::new(Chain::new(id), store, master, threads, BTreeSet::new()))
    }

    fn settle(engine: Engine, drafts: Vec<Draft>, mut sealer: Sealer) -> Result<Self, RunError> {
        // One group: a world is planted whole or not at all.
        sealer.seal(vec![drafts])?;
        Ok(Self::begin(engine, sealer))
    }

    /// The world as it is in memory.
    pub fn world(&self) -> &Arc<World> {
        self.engine.world()
    }

    /// Asks other minds than the endpoints that connections name: for tests, and for what was recorded.
    pub fn asking(&mut self, minds: Box<dyn super::Minds>) {
        self.engine.asking(minds);
    }

    /// A person's act: durable when this returns.
    pub fn act(&mut self, name: &str, call: Call) -> Result<Report, RunError> {
        let name = name.trim_start_matches('@');
        let being =
            self.world().being_named(name).filter(|being| !being.ended).cloned().ok_or_else(|| RunError::NoBeing(name.to_owned()))?;
        let cognition = being.cognition_at(self.world().at());
        if cognition != Cognition::Human {
            return Err(RunError::NotDriven { name: name.to_owned(), cognition });
        }
        let size = if let Content::Here(args) = &call.args { args.to_string().len() } else { 0 };
        if size > ARGS_MAX {
            return Err(RunError::TooLarge { size });
        }
        if let Some(reason) = unfit(&call) {
            return Err(RunError::Unfit { reason });
        }
        let at = self.now();
        let draft = self.engine.gesture(being.id, call, at)?.ok_or_else(|| RunError::NoBeing(name.to_owned()))?;
        let told = report(&draft, self.engine.world(), None);
        self.sealing.give(Round::new(vec![draft], vec![told.clone()]))?;
        self.sealing.durable(true)?;
        Ok(told)
    }

    /// The instant of an act: wall time in a real world, else the world's own.
    fn now(&self) -> Millis {
        let is_real = self.world().config_text("clock") == Some("real");
        if is_real { wall().max(self.world().at()) } else { self.world().at() }
    }

    /// Stamps what differs between a source and the world, all of it or, where any of it is refused, nothing.
    pub fn apply(&mut self, source: &Source) -> Result<Vec<String>, RunError> {
        let steps = plan(source, self.world());
        // Tried on a copy first: cloning a world copies a few pointers.
        let mut trial = Engine::new((**self.world()).clone(), self.engine.master().clone(), 1);
        let drafts = carry_out(&mut trial, source, None)?;
        for draft in &drafts {
            self.engine.begin(draft)?;
        }
        self.sealing.give(Round::new(drafts, Vec::new()))?;
        self.sealing.durable(true)?;
        Ok(steps.into_iter().map(|step| step.why).collect())
    }

    /// Runs rounds until the course says stop. Everything is durable when it returns.
    pub fn run(&mut self, course: Course<'_>) -> Result<Ran, RunError> {
        let Course { mut pace, until, reins, mut watch, mut measures } = course;
        self.engine.watched(watch.is_some());
        self.switch_clock(pace)?;
        let start = self.world().at();
        if let Some(measures) = &mut measures {
            measures.begin(start);
        }
        let end = until.duration.map(|duration| start.saturating_add(duration));
        let mut clock = WallClock::new(pace, start);
        let mut moments = 0u64;
        let stopped = loop {
            let order = reins.order();
            match order {
                Order::Stop => break Stopped::Told,
                Order::Pace(other) => {
                    pace = other;
                    self.switch_clock(pace)?;
                    clock = WallClock::new(pace, self.world().at());
                    continue;
                }
                Order::Hold => {
                    // Everything that has happened is shown before the world stands still.
                    tell(self.sealing.durable(true)?, &mut watch);
                    reins.hold();
                    clock = WallClock::new(pace, self.world().at());
                    continue;
                }
                Order::Step | Order::Go => {}
            }
            if until.moments.is_some_and(|most| moments >= most) || until.when.as_ref().is_some_and(|when| when.holds(self.world())) {
                break Stopped::Done;
            }
            let due = match self.engine.next() {
                Next::At(due) if end.is_some_and(|end| due > end) => break Stopped::Done,
                Next::At(due) => due,
                Next::WaitsFor(being) => {
                    break Stopped::WaitsFor(self.world().being(being).map(|being| being.name.to_string()).unwrap_or_default());
                }
                Next::Nothing => break Stopped::Quiet,
            };
            if order == Order::Go && clock.must_wait(due) {
                tell(self.sealing.durable(true)?, &mut watch);
                if !reins.wait(clock.left(due)) {
                    continue;
                }
            }
            if let Some(measures) = &mut measures {
                measures.until(self.engine.world(), due)?;
            }
            let at = clock.instant(due);
            let (mut drafts, mut told) = (Vec::new(), Vec::new());
            let is_watched = watch.is_some();
            self.engine.round(at, &mut |closed, world| {
                if is_watched {
                    told.push(report(&closed.draft, world, closed.why));
                }
                drafts.push(closed.draft);
            })?;
            moments += drafts.len() as u64;
            let checkpoint = self.checkpoint(1);
            self.sealing.give(Round { drafts, told, checkpoint })?;
            tell(self.sealing.durable(false)?, &mut watch);
        };
        // At the end a shorter tail is worth one too: the world is at rest, and the next opening is saved its fold.
        if let Some(world) = self.checkpoint(4) {
            self.sealing.give(Round { checkpoint: Some(world), ..Round::new(Vec::new(), Vec::new()) })?;
        }
        tell(self.sealing.durable(true)?, &mut watch);
        if let Some(measures) = &mut measures {
            measures.end(self.engine.world())?;
        }
        Ok(Ran { stopped, moments, seq: self.world().next_seq(), at: self.world().at() })
    }

    /// The world, if a `part` of the frames between two checkpoints has been folded since the last.
    fn checkpoint(&mut self, part: u64) -> Option<Arc<World>> {
        let next = self.world().next_seq();
        if next - self.checkpointed < Checkpointer::every(self.world()) / part {
            return None;
        }
        self.checkpointed = next;
        Some(self.world().clone())
    }

    /// A clock switch is a fact.
    fn switch_clock(&mut self, pace: Pace) -> Result<(), RunError> {
        if self.world().config_text("clock").unwrap_or("virtual") == pace.word() {
            return Ok(());
        }
        let args = Value::map([("key", Value::text("clock")), ("value", Value::from(pace.word()))]);
        let at = if pace == Pace::Real { wall().max(self.world().at()) } else { self.world().at() };
        if let Some(draft) = self.engine.gesture(BeingId::WORLD, Call::doing("/", "config.set", args), at)? {
            self.sealing.give(Round::new(vec![draft], Vec::new()))?;
        }
        Ok(())
    }

    /// Stops, with everything durable, and gives the sealer back.
    pub fn stop(self) -> Result<(Arc<World>, Sealer), RunError> {
        let world = self.engine.world().clone();
        let (sealer, _) = self.sealing.stop()?;
        Ok((world, sealer))
    }
}

fn tell(durable: Vec<Vec<Report>>, watch: &mut Option<&mut dyn FnMut(&Report)>) {
    if let Some(watch) = watch {
        durable.iter().flatten().for_each(watch);
    }
}

/// The master and the id of a simulated world: both follow from its name and seed.
pub fn simulated(name: &str, seed: u64) -> (Master, WorldId) {
    let hash = blake3::derive_key("reelm 1 simulated world", &[name.as_bytes(), &seed.to_be_bytes()].concat());
    let mut id = [0u8; 16];
    id.iter_mut().zip(hash).for_each(|(to, from)| *to = from);
    (Master::simulated(seed), WorldId(id))
}

/// Gives an imported world its keys back, if it is simulated and they are those that its history was sealed with.
pub fn restore_keys(dir: &Path) -> Result<bool, RunError> {
    let (store, _) = LogStore::open(dir, Mode::Read)?;
    let file = store.world_file().clone();
    let loaded = load(&store, file.world, None, |_, _| {})?;
    let seed = u64::from_be_bytes(loaded.world.config_int("seed", 0).to_be_bytes());
    let master = Master::simulated(seed);
    if root_key(&master, file.world).to_string() != file.root_key {
        return Ok(false);
    }
    Keystore { master: zeroize::Zeroizing::new(*master.reveal()) }.save(dir)?;
    Ok(true)
}

/// The key of `@world`, as world.toml records it.
fn root_key(master: &Master, world: WorldId) -> Hash {
    let key: PublicKey = master.key(world, BeingId::WORLD).public();
    key.to_hash()
}

/// A new world in memory: genesis, and then everything that the source asks for.
fn grow(source: &Source, seed: u64, id: WorldId, master: &Master, threads: usize) -> Result<(Engine, Vec<Draft>), RunError> {
    let mut engine = Engine::new(World::new(id), master.clone(), threads);
    let args = Value::map([
        ("name", Value::text(&source.name)),
        ("seed", Value::Int(i64::from_be_bytes(seed.to_be_bytes()))),
        ("zone", Value::text(&source.zone)),
        ("simulated", Value::Bool(true)),
        ("role", operator_role()),
    ]);
    let first = genesis(id, &args, source.start, &|being| master.key(id, being).public().to_hash());
    engine.begin(&first)?;
    let drafts = carry_out(&mut engine, source, Some(first))?;
    Ok((engine, drafts))
}

/// Tries on a copy of a world what applying a source would do; the first act that would be refused is an error.
pub fn rehearse(source: &Source, world: &World) -> Result<(), RunError> {
    // Whose keys the newly born have makes no difference to what is refused.
    carry_out(&mut Engine::new(world.clone(), Master::simulated(0), 1), source, None).map(drop)
}

/// Carries a source's plan out, step by step; the first refusal ends it.
fn carry_out(engine: &mut Engine, source: &Source, first: Option<Draft>) -> Result<Vec<Draft>, RunError> {
    let mut drafts: Vec<Draft> = first.into_iter().collect();
    let at = engine.world().at();
    for step in plan(source, &engine.world().clone()) {
        let operator = engine.world().operator();
        if let Some(reason) = unfit(&step.call) {
            return Err(RunError::Planting { place: step.place, why: step.why, reason: reason.to_string() });
        }
        let before = engine.world().clone();
        let Some(mut draft) = engine.gesture(operator, step.call.clone(), at)? else { continue };
        // What a source says of a place that somebody else owns is the world's own to carry out.
        if refusal(&draft).is_some_and(|reason| ["gate-place", "gate-owner"].contains(&reason.code.as_ref())) {
            engine.rewind(before);
            let Some(again) = engine.gesture(BeingId::WORLD, of_the_world(step.call), at)? else { continue };
            draft = again;
        }
        if let Some(reason) = refusal(&draft) {
            return Err(RunError::Planting { place: step.place, why: step.why, reason: reason.to_string() });
        }
        drafts.push(draft);
    }
    Ok(drafts)
}

/// The same call as `@world` makes it: who is born is still a child of the operator.
fn of_the_world(mut call: Call) -> Call {
    if call.verb == Verb::Be
        && call.action.as_ref() == "birth"
        && let Content::Here(Value::Map(args)) = &mut call.args
    {
        args.entry("parent".into()).or_insert_with(|| Value::text("@operator"));
    }
    call
}

fn wall() -> Millis {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as Millis)
}

/// World time beside wall time: the one place of a run that looks at a clock.
struct WallClock {
    pace: Pace,
    world: Millis,
    began: Instant,
}

impl WallClock {
    fn new(pace: Pace, world: Millis) -> Self {
        Self { pace, world, began: Instant::now() }
    }

    /// How long the wall clock has to go until an instant of the world.
    fn left(&self, due: Millis) -> Duration {
        let wait = match self.pace {
            Pace::Virtual => return Duration::ZERO,
            Pace::Real => return Duration::from_millis(due.saturating_sub(wall()).max(0) as u64),
            Pace::Times(times) => {
                Duration::from_secs_f64((due.saturating_sub(self.world).max(0) as f64 / 1000.0 / times.max(f64::MIN_POSITIVE)).min(1e9))
            }
        };
        wait.saturating_sub(self.began.elapsed())
    }

    fn must_wait(&self, due: Millis) -> bool {
        !self.left(due).is_zero()
    }

    /// The world's instant of a round that was due: later than due only in real time.
    fn instant(&self, due: Millis) -> Millis {
        if self.pace == Pace::Real { due.max(wall()) } else { due }
    }
}
