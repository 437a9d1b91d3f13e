//! Living: a world on disk that goes on: opened or planted, acted upon, run round by round, stopped at a border.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use crate::fact::{
    BeingId, Call, Cognition, Content, Draft, Hash, Master, Millis, Once, PublicKey, Reason, Seq, Text, Value, Verb, WakeId, WorldId,
};
use crate::moment::{genesis, operator_role, residents, unfit};
use crate::reel::Chain;
use crate::store::{FORMAT, Keystore, LogStore, Mode, Recovery, Store, StoreError, WorldFile};
use crate::verb::{may_grant, may_pass};
use crate::world::{FoldError, World};

use super::checkpoint::{Checkpointer, resume};
use super::clock::wall;
use super::engine::{Engine, RoundError, refusal};
use super::load::{LoadError, Loaded, load};
use super::logs;
use super::measure::MeasureError;
use super::plan::plan;
use super::report::{Report, report};
use super::seal::{Round, SealError, Sealer, Sealing};
use super::source::Source;

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
    /// A round came to nothing.
    #[error(transparent)]
    Round(#[from] RoundError),
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
    /// A being is driven by somebody else.
    #[error("`@{name}` is driven by `@{driver}`, not by `@{by}`; wait until it is released, or inhabit it")]
    Driven {
        /// The being.
        name: String,
        /// Who drives it.
        driver: String,
        /// Who wanted to act as it.
        by: String,
    },
    /// A visitor's act was refused.
    #[error("refused: {reason}")]
    Turned {
        /// Why.
        reason: Reason,
    },
    /// The wake that is to be answered is not open.
    #[error("no wake of `{wake}` is open in that inbox; it may have been answered already")]
    Answered {
        /// Its cause.
        wake: String,
    },
    /// The wake that is to be answered is not due.
    #[error("the wake of `{wake}` is not due yet; it can be answered when it is")]
    NotDue {
        /// Its cause.
        wake: String,
    },
    /// Nothing was to be done.
    #[error("nothing was said to be done, and no wake to be answered")]
    Nothing,
    /// The world in memory may differ from the one on disk.
    #[error("the world stopped, because a write failed ({0}); what was acknowledged is safe: start it again")]
    Broken(String),
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

impl RunError {
    /// Whether the world in memory can be of no use any more.
    pub(super) fn is_fatal(&self) -> bool {
        match self {
            Self::Load(_) | Self::Store(_) | Self::Seal(_) | Self::Fold(_) | Self::Round(_) | Self::Broken(_) => true,
            Self::Measure(_)
            | Self::Planting { .. }
            | Self::NotDriven { .. }
            | Self::Driven { .. }
            | Self::Answered { .. }
            | Self::Turned { .. }
            | Self::NotDue { .. }
            | Self::Nothing
            | Self::TooLarge { .. }
            | Self::Unfit { .. }
            | Self::NoBeing(_) => false,
        }
    }
}

/// The largest arguments of a person's act, in bytes of JSON.
const ARGS_MAX: usize = 4 << 20;

/// A world on disk that goes on.
pub struct Living {
    pub(super) engine: Engine,
    pub(super) sealing: Sealing<Told>,
    /// The next seq when the last checkpoint was asked for.
    pub(super) checkpointed: Seq,
    /// The instant of what people do between two rounds, where a clock says it.
    pub(super) instant: Option<Millis>,
}

/// What is said of a round once it is durable.
#[derive(Default)]
pub(super) struct Told {
    /// Its moments.
    pub(super) reports: Vec<Report>,
    /// The world after it, where somebody reads it while it runs.
    pub(super) world: Option<Arc<World>>,
}

/// An act of a person, or of a program that speaks for one.
pub struct Gesture {
    /// The being that acts.
    pub being: Text,
    /// What it does; none: it only looks, and closes the wake that it answers.
    pub call: Option<Call>,
    /// The open wake of its inbox that it answers and closes.
    pub wake: Option<WakeId>,
    /// Whose person acts: the being itself, or one that drives it; none: whoever holds the world's own files.
    pub by: Option<BeingId>,
    /// Whether a refusal is only said and not sealed: visitors shall not fill a history.
    pub metered: bool,
    /// By what it is known again, where whoever sends it gives it a key.
    pub once: Option<Once>,
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
        Self { engine, sealing: Sealing::start(sealer), checkpointed, instant: None }
    }

    /// Plants a source in a directory, as a simulated world: its keys follow from its seed. It is planted in memory first, so a source with
    /// any fault leaves nothing behind.
    pub fn plant(source: &Source, seed: Option<u64>, dir: &Path, threads: usize) -> Result<Self, RunError> {
        Self::plant_with(simulated(&source.name, seed.unwrap_or(source.seed)), true, source, seed, dir, threads)
    }

    /// The same with a random master and id: nobody but whoever holds the world's files can act in it, and its seals prove who did.
    pub fn plant_secret(source: &Source, seed: Option<u64>, dir: &Path, threads: usize) -> Result<Self, RunError> {
        let secret = match begun(dir)? {
            Some(secret) => secret,
            None => random().map_err(|source| StoreError::io("draw a secret for", dir, source))?,
        };
        Self::plant_with(secret, false, source, seed, dir, threads)
    }

    fn plant_with(
        (master, id): (Master, WorldId),
        simulated: bool,
        source: &Source,
        seed: Option<u64>,
        dir: &Path,
        threads: usize,
    ) -> Result<Self, RunError> {
        let (engine, drafts) = grow(source, seed.unwrap_or(source.seed), id, simulated, &master, threads)?;
        let root_key = root_key(&master, id).to_string();
        let file = WorldFile { format: FORMAT, world: id, root_key, simulated, name: source.name.clone() };
        // The secret comes first: a planting that is cut off can be gone on with by whoever finds it.
        std::fs::create_dir_all(dir).map_err(|source| StoreError::io("create", dir, source))?;
        if !dir.join("world.toml").exists() {
            Keystore { master: zeroize::Zeroizing::new(*master.reveal()) }.save(dir)?;
        }
        let store = Self::ground(dir, &file)?;
        // All that was ever said and done lies there, past every role: it is for its owner.
        let _ = std::fs::set_permissions(dir, std::os::unix::fs::PermissionsExt::from_mode(0o700));
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
        let (engine, drafts) = grow(source, seed, id, true, &master, threads)?;
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
        self.gesture(Gesture {
            being: name.trim_start_matches('@').into(),
            call: Some(call),
            wake: None,
            by: None,
            metered: false,
            once: None,
        })
    }

    /// A person's act, or their answer to an open wake: durable when this returns.
    ///
    /// An answer that the world refuses is recorded as an act of its own, so that the wake stays open for another.
    pub fn gesture(&mut self, gesture: Gesture) -> Result<Report, RunError> {
        let Gesture { being: name, call, wake, by, metered, once } = gesture;
        let no_being = || RunError::NoBeing(name.to_string());
        let being = self.world().being_named(&name).filter(|being| !being.ended).cloned().ok_or_else(no_being)?;
        let at = self.now();
        let (cognition, driver) = (being.cognition_at(at), being.driver_at(at));
        if cognition != Cognition::Human {
            return Err(RunError::NotDriven { name: name.to_string(), cognition });
        }
        if let Some(by) = by.filter(|by| *by != driver.unwrap_or(being.id)) {
            let name_of = |id: BeingId| self.world().being(id).map_or_else(|| id.to_string(), |being| being.name.to_string());
            return Err(RunError::Driven { name: name.to_string(), driver: name_of(driver.unwrap_or(being.id)), by: name_of(by) });
        }
        if let Some(Content::Here(args)) = call.as_ref().map(|call| &call.args) {
            let size = args.to_string().len();
            if size > ARGS_MAX {
                return Err(RunError::TooLarge { size });
            }
        }
        if let Some(reason) = call.as_ref().and_then(unfit) {
            return Err(RunError::Unfit { reason });
        }
        let before = self.world().clone();
        // Driving gives no more than the driver could give: also where the driven one was given more meanwhile.
        if let Some(driver) = driver.filter(|_| by.is_some()).and_then(|driver| self.world().being(driver)) {
            let roles = being.flow.roles().chain(being.default_role.as_deref());
            let covered = may_grant(driver, roles).and_then(|()| may_pass(driver, being.grants.iter().map(AsRef::as_ref)));
            covered.map_err(|reason| RunError::Turned { reason })?;
        }
        let draft = match wake {
            None => self.engine.gesture(being.id, call.ok_or(RunError::Nothing)?, once, at)?,
            Some(wake) => self.answer(being.id, &wake, call, once, at)?,
        };
        let draft = draft.ok_or_else(no_being)?;
        if let Some(reason) = refusal(&draft).filter(|_| metered).cloned() {
            self.engine.rewind(before);
            return Err(RunError::Turned { reason });
        }
        logs::closed(&draft, self.engine.world());
        let told = report(&draft, self.engine.world(), None);
        self.sealing.give(Round::new(vec![draft], Told::default()))?;
        self.sealing.durable(true)?;
        Ok(told)
    }

    fn answer(
        &mut self,
        being: BeingId,
        wake: &WakeId,
        call: Option<Call>,
        once: Option<Once>,
        at: Millis,
    ) -> Result<Option<Draft>, RunError> {
        if self.world().inbox().get(being, wake).is_none() {
            return Err(RunError::Answered { wake: wake.cause.to_string() });
        }
        if wake.due > at {
            return Err(RunError::NotDue { wake: wake.cause.to_string() });
        }
        // A moment that no mind is asked in is no person's either: it closes by itself, or not yet.
        if let Some(reason) = self.engine.verdict(being, wake, at) {
            return Err(RunError::Turned { reason });
        }
        let before = self.world().clone();
        let answered = self.engine.answer(being, wake, call.clone(), once, at)?;
        match (answered, call) {
            (Some(draft), Some(call)) if refusal(&draft).is_some() => {
                self.engine.rewind(before);
                Ok(self.engine.gesture(being, call, once, at)?)
            }
            (answered, _) => Ok(answered),
        }
    }

    /// The instant of an act: what the running clock says; without one, wall time in a real world, else the world's own.
    pub fn now(&self) -> Millis {
        if let Some(instant) = self.instant {
            return instant.max(self.world().at());
        }
        let is_real = self.world().config_text("clock") == Some("real");
        if is_real { wall().max(self.world().at()) } else { self.world().at() }
    }

    /// Stamps what differs between a source and the world, all of it or, where any of it is refused, nothing.
    pub fn apply(&mut self, source: &Source) -> Result<Vec<String>, RunError> {
        self.apply_told(source).map(|(done, _)| done)
    }

    /// The same, with a report of each act.
    pub fn apply_told(&mut self, source: &Source) -> Result<(Vec<String>, Vec<Report>), RunError> {
        let steps = plan(source, self.world());
        // Tried on a copy first: cloning a world copies a few pointers.
        let mut trial = Engine::new((**self.world()).clone(), self.engine.master().clone(), 1);
        let drafts = carry_out(&mut trial, source, None)?;
        let mut reports = Vec::new();
        for draft in &drafts {
            self.engine.begin(draft)?;
            reports.push(report(draft, self.engine.world(), None));
        }
        self.sealing.give(Round::new(drafts, Told::default()))?;
        self.sealing.durable(true)?;
        Ok((steps.into_iter().map(|step| step.why).collect(), reports))
    }

    /// Stops, with everything durable, and gives the sealer back.
    pub fn stop(self) -> Result<(Arc<World>, Sealer), RunError> {
        let world = self.engine.world().clone();
        let (sealer, _) = self.sealing.stop()?;
        Ok((world, sealer))
    }
}

/// The master and the id of a simulated world: both follow from its name and seed.
pub fn simulated(name: &str, seed: u64) -> (Master, WorldId) {
    let hash = blake3::derive_key("reelm 1 simulated world", &[name.as_bytes(), &seed.to_be_bytes()].concat());
    let mut id = [0u8; 16];
    id.iter_mut().zip(hash).for_each(|(to, from)| *to = from);
    (Master::simulated(seed), WorldId(id))
}

/// A master and an id that nobody can compute.
fn random() -> std::io::Result<(Master, WorldId)> {
    let (mut secret, mut id) = ([0u8; 32], [0u8; 16]);
    for bytes in [&mut secret[..], &mut id[..]] {
        getrandom::fill(bytes).map_err(|error| std::io::Error::other(error.to_string()))?;
    }
    Ok((Master::new(secret), WorldId(id)))
}

/// Those of a world whose planting was cut off before its first frame.
fn begun(dir: &Path) -> Result<Option<(Master, WorldId)>, RunError> {
    if !dir.join("world.toml").exists() {
        return Ok(None);
    }
    let (store, _) = LogStore::open(dir, Mode::Read)?;
    if store.ending().seq > 0 || store.world_file().simulated {
        return Ok(None);
    }
    Ok(Some((Master::new(*Keystore::load(dir)?.master), store.world_file().world)))
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
fn grow(
    source: &Source,
    seed: u64,
    id: WorldId,
    simulated: bool,
    master: &Master,
    threads: usize,
) -> Result<(Engine, Vec<Draft>), RunError> {
    let mut engine = Engine::new(World::new(id), master.clone(), threads);
    let args = Value::map([
        ("name", Value::text(&source.name)),
        ("seed", Value::Int(i64::from_be_bytes(seed.to_be_bytes()))),
        ("zone", Value::text(&source.zone)),
        ("simulated", Value::Bool(simulated)),
        ("role", operator_role()),
        ("residents", residents()),
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
        let Some(mut draft) = engine.gesture(operator, step.call.clone(), None, at)? else { continue };
        // What a source says of a place that somebody else owns is the world's own to carry out.
        if refusal(&draft).is_some_and(|reason| ["gate-place", "gate-owner"].contains(&reason.code.as_ref())) {
            engine.rewind(before);
            let Some(again) = engine.gesture(BeingId::WORLD, of_the_world(step.call), None, at)? else { continue };
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
