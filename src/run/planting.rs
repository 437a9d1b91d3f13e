//! Planting: a source becomes a new world, or what of it a living world has not yet is stamped: all by acts of its operator.

use std::path::Path;

use imbl::OrdMap;

use crate::fact::{
    BeingId, Call, Code, Cognition, Content, Draft, Hash, Master, Reason, SEALS, SEALS_BATCH, SEALS_OWN, Value, Verb, WorldId, simulated,
};
use crate::moment::{Terms, genesis, operator_role, residents, unfit};
use crate::past::{Checkpointer, Report, load, report};
use crate::reel::Chain;
use crate::source::{ABOUT, Source, Step, plan};
use crate::store::{FORMAT, Keystore, LogStore, Mode, Store, StoreError, WorldFile};
use crate::verb::remedy;
use crate::world::{Being, LANGUAGES, ROUND_MOMENTS, ROUNDS_MAX, World};

use super::audience::Told;
use super::engine::{Engine, refusal};
use super::living::{Living, RefusedStep, RunError};
use super::seal::{Round, Sealer};
use super::term::Term;

impl Living {
    /// Plants a source in a directory, as a simulated world: its keys follow from its seed. It is planted in memory first, so a source with
    /// any fault leaves nothing behind.
    pub fn plant(source: &Source, seed: Option<u64>, dir: &Path, threads: usize) -> Result<Self, RunError> {
        Self::plant_with(simulated(&source.name, seed.unwrap_or(source.seed)), true, source, seed, dir, threads)
    }

    /// The same with a random master and id: nobody but whoever holds the world's files can act in it, and its seals prove who did.
    pub fn plant_secret(source: &Source, seed: Option<u64>, dir: &Path, threads: usize) -> Result<Self, RunError> {
        let secret = match begun(dir)? {
            Some(secret) => secret,
            // The secret of a planting that was cut off, or of a world that lost its files, is never lost to another.
            None if dir.join("keystore").exists() => {
                LogStore::may_begin(dir)?;
                let (_, id) = random().map_err(|source| StoreError::io("draw an id for", dir, source))?;
                (Master::new(*Keystore::load(dir)?.master), id)
            }
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
        let file = WorldFile { format: FORMAT, world: id, root_key, simulated, name: source.name.clone(), origins: Vec::new() };
        // The secret comes first: a planting that is cut off can be gone on with by whoever finds it.
        std::fs::create_dir_all(dir).map_err(|source| StoreError::io("create", dir, source))?;
        if !dir.join("world.toml").exists() {
            LogStore::may_begin(dir)?;
            keep_key(dir, &master)?;
        }
        let store = Self::ground(dir, &file)?;
        // All that was ever said and done lies there, past every role: it is for its owner.
        let _ = std::fs::set_permissions(dir, std::os::unix::fs::PermissionsExt::from_mode(0o700));
        let checkpointer = Checkpointer::new(dir, master.clone());
        let sealer = Sealer::new(Chain::new(id), Box::new(store), master, threads, OrdMap::new()).keeping(checkpointer);
        Self::settle(engine, drafts, sealer, Term::of(dir)?)
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
        Self::settle(engine, drafts, Sealer::new(Chain::new(id), store, master, threads, OrdMap::new()), Term::default())
    }

    /// The world as it would be planted, and nothing of it kept.
    pub fn imagine(source: &Source) -> Result<World, RunError> {
        let (master, id) = simulated(&source.name, source.seed);
        let (engine, _) = grow(source, source.seed, id, true, &master, 1)?;
        Ok((**engine.world()).clone())
    }

    fn settle(engine: Engine, drafts: Vec<Draft>, mut sealer: Sealer, term: Term) -> Result<Self, RunError> {
        // One group: a world is planted whole or not at all.
        sealer.seal(vec![drafts])?;
        Ok(Self::begin(engine, sealer, term))
    }

    /// Stamps what differs between a source and the world, all of it or, where any of it is refused, nothing.
    pub fn apply(&mut self, source: &Source) -> Result<Vec<String>, RunError> {
        self.apply_told(source).map(|(done, _)| done)
    }

    /// The same, with a report of each act.
    pub fn apply_told(&mut self, source: &Source) -> Result<(Vec<String>, Vec<Report>), RunError> {
        self.stamp(plan(source, self.world())).map_err(|refused| located(source, refused))
    }

    /// Gives the world so much to spend on models beyond what was spent before: `calls`, `tokens`, `money`; says so in words.
    pub fn grant(&mut self, budget: &Value) -> Result<String, RunError> {
        let (key, value) = self.world().total_beyond(budget);
        let call = Call::doing("/", "config.set", Value::map([("key", Value::from(key)), ("value", value)]));
        let (why, place) = (format!("let it spend {budget} on models"), "--budget".to_owned());
        self.stamp(vec![Step { call, why: why.clone(), place }]).map(|_| why)
    }

    /// Has the operator do something step by step, all of it or, where any of it is refused, nothing: why each was done, and its report.
    pub fn stamp(&mut self, steps: Vec<Step>) -> Result<(Vec<String>, Vec<Report>), RunError> {
        // Tried on a copy first: cloning a world copies a few pointers.
        let mut trial = Engine::new((**self.world()).clone(), self.engine.master().clone(), 1);
        let drafts = carry_out(&mut trial, &steps)?;
        let mut reports = Vec::new();
        for draft in &drafts {
            self.engine.begin(draft)?;
            reports.push(report(draft, self.engine.world(), None));
        }
        self.sealing.give(Round::new(drafts, Told::default()))?;
        self.sealing.durable(true)?;
        Ok((steps.into_iter().map(|step| step.why).collect(), reports))
    }
}

/// A master and an id that nobody can compute.
fn random() -> std::io::Result<(Master, WorldId)> {
    let (mut secret, mut id) = ([0u8; 32], [0u8; 16]);
    for bytes in [&mut secret[..], &mut id[..]] {
        getrandom::fill(bytes).map_err(|error| std::io::Error::other(error.to_string()))?;
    }
    Ok((Master::new(secret), WorldId(id)))
}

/// Keeps a secret beside a world that begins; refuses to put it in the place of another.
fn keep_key(dir: &Path, master: &Master) -> Result<(), RunError> {
    let keystore = Keystore { master: zeroize::Zeroizing::new(*master.reveal()) };
    if !dir.join("keystore").exists() {
        return Ok(keystore.save(dir)?);
    }
    if Keystore::load(dir).is_ok_and(|there| there.master == keystore.master) {
        return Ok(());
    }
    Err(StoreError::OtherSecret { dir: dir.to_owned() }.into())
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
    Ok(Some((Master::new(*Keystore::of(dir, store.world_file())?.master), store.world_file().world)))
}

/// Gives an imported world its keys back, if it is simulated and they are those that its history was sealed with.
pub fn restore_keys(dir: &Path) -> Result<bool, RunError> {
    let (store, _) = LogStore::open(dir, Mode::Read)?;
    let file = store.world_file().clone();
    let loaded = load(&store, file.world, None, |_, _| {})?;
    let seed = u64::from_be_bytes(loaded.world.world_setting("seed").as_int().unwrap_or(0).to_be_bytes());
    let master = if file.origins.is_empty() { Master::simulated(seed) } else { Master::simulated_fork(seed, file.world) };
    if root_key(&master, file.world).to_string() != file.root_key {
        return Ok(false);
    }
    Keystore { master: zeroize::Zeroizing::new(*master.reveal()) }.save(dir)?;
    Ok(true)
}

/// The key of `@world`, as world.toml records it.
fn root_key(master: &Master, world: WorldId) -> Hash {
    master.public(world, BeingId::WORLD)
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
    let seals = source.config.get(SEALS).and_then(Value::as_str).unwrap_or(SEALS_OWN);
    let about = source.config.get(ABOUT).map(|about| (ABOUT, about.clone()));
    let args = Value::map(
        [
            ("name", Value::text(&source.name)),
            ("seed", Value::Int(i64::from_be_bytes(seed.to_be_bytes()))),
            ("zone", Value::text(&source.zone)),
            ("simulated", Value::Bool(simulated)),
            (ROUNDS_MAX, source.config.get(ROUNDS_MAX).cloned().unwrap_or(Value::Int(ROUND_MOMENTS))),
            (SEALS, Value::text(seals)),
            ("role", operator_role()),
            ("residents", residents()),
        ]
        .into_iter()
        .chain(source.config.get(LANGUAGES).map(|languages| (LANGUAGES, languages.clone())))
        .chain(about),
    );
    let first = genesis(id, &args, source.start, &|being| master.credential(id, being, seals == SEALS_BATCH));
    engine.begin(&first)?;
    let steps = plan(source, engine.world());
    let mut drafts = vec![first];
    drafts.extend(carry_out(&mut engine, &steps).map_err(|refused| located(source, refused))?);
    Ok((engine, drafts))
}

/// Tries on a copy of a world what applying a source would do; the first act that would be refused is an error.
pub fn rehearse(source: &Source, world: &World) -> Result<(), RunError> {
    // The keys of newborn beings make no difference to refusals.
    let drafts = carry_out(&mut Engine::new(world.clone(), Master::simulated(0), 1), &plan(source, world));
    drafts.map(drop).map_err(|refused| located(source, refused))
}

/// Tries acts of a being, or of the operator, on a copy of a world: the first that would be refused, by its place among them, and why.
pub fn first_refused<'c>(
    world: &World,
    being: Option<&str>,
    calls: impl IntoIterator<Item = &'c Call>,
) -> Result<Option<(usize, Reason)>, RunError> {
    let name = being.map(|name| name.trim_start_matches('@'));
    let being = name.map_or(Some(world.operator()), |name| world.being_named(name).map(|being| being.id));
    let nobody = || RunError::NoBeing(name.unwrap_or("operator").to_owned());
    let (being, mut engine) = (being.ok_or_else(nobody)?, Engine::new(world.clone(), Master::simulated(0), 1));
    for (at, call) in calls.into_iter().enumerate() {
        if let Some(reason) = unfit(call) {
            return Ok(Some((at, reason)));
        }
        let now = engine.world().now();
        let draft = engine.gesture(being, call.clone(), Terms::default(), now)?.ok_or_else(nobody)?;
        if let Some(reason) = refusal(&draft) {
            return Ok(Some((at, reason.clone())));
        }
    }
    Ok(None)
}

/// The most steps whose refusals are told at once.
const REFUSALS_MAX: usize = 50;

/// Carries a plan out, step by step, all of it or nothing; each step that is refused is told, but not those that only follow from one.
fn carry_out(engine: &mut Engine, steps: &[Step]) -> Result<Vec<Draft>, RunError> {
    let (mut drafts, mut refusals, mut lost) = (Vec::new(), Vec::new(), Vec::<String>::new());
    for step in steps {
        if refusals.len() == REFUSALS_MAX {
            break;
        }
        let before = engine.world().clone();
        let reason = match unfit(&step.call) {
            Some(reason) => reason,
            None => {
                let draft = act(engine, &step.call)?;
                let Some(reason) = refusal(&draft).cloned() else {
                    drafts.push(draft);
                    continue;
                };
                reason
            }
        };
        let follows = |address: &str| {
            lost.iter().any(|lost| address.strip_prefix(lost.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('/')))
        };
        let is_told = reason.code == Code::NotFound && follows(&reason.at) || follows(&step.call.target);
        if !is_told {
            let reason = format!("{reason}: {}", meaning(&before, &step.call, &reason));
            refusals.push(RefusedStep { place: step.place.clone(), why: step.why.clone(), reason });
        }
        lost.extend(made_by(&step.call));
        engine.rewind(before);
    }
    if refusals.is_empty() { Ok(drafts) } else { Err(RunError::Planting { refusals }) }
}

/// The address of what an act would have made.
fn made_by(call: &Call) -> Option<String> {
    let Content::Here(args) = &call.args else { return None };
    let name = args.get("name").and_then(Value::as_str)?;
    match (call.verb, call.action.as_ref()) {
        (Verb::Be, "birth") => Some(format!("@{name}")),
        (Verb::Do, "space.make" | "matter.make") => Some(format!("{}/{name}", call.target.trim_end_matches('/'))),
        _ => None,
    }
}

/// Refusals of a source's steps, each at its key and column.
fn located(source: &Source, error: RunError) -> RunError {
    match error {
        RunError::Planting { mut refusals } => {
            for refused in &mut refusals {
                refused.place = source.located(&refused.place, &format!("{}: {}", refused.why, refused.reason));
            }
            refusals.sort_by_cached_key(|refused| in_order(&refused.place));
            RunError::Planting { refusals }
        }
        other => other,
    }
}

/// A place as places are sorted: the file, and the numbers of line and column.
fn in_order(place: &str) -> (String, Vec<u64>) {
    let mut parts = place.split(':');
    (parts.next().unwrap_or_default().to_owned(), parts.map(|number| number.parse().unwrap_or(0)).collect())
}

/// The meaning of a refusal, and the words to write instead.
fn meaning(world: &World, call: &Call, reason: &Reason) -> String {
    let sentence = reason.code.sentence();
    match remedy(world, call, reason) {
        Some(question) if reason.code == Code::NotFound => format!("{sentence} ({question})"),
        told => told.unwrap_or_else(|| sentence.to_owned()),
    }
}

/// An act of the operator. Where it is no person who acts for itself, or the place is somebody else's, the act is the world's own.
fn act(engine: &mut Engine, call: &Call) -> Result<Draft, RunError> {
    let (before, at) = (engine.world().clone(), engine.world().now());
    let acts = |being: &Being| !being.ended && being.cognition == Cognition::Human && being.driver_at(at).is_none();
    if let Some(operator) = before.being(before.operator()).filter(|being| acts(being))
        && let Some(draft) = engine.gesture(operator.id, call.clone(), Terms::default(), at)?
        && !refusal(&draft).is_some_and(|reason| matches!(reason.code, Code::GatePlace | Code::GateOwner))
    {
        return Ok(draft);
    }
    engine.rewind(before);
    let draft = engine.gesture(BeingId::WORLD, of_the_world(call.clone()), Terms::default(), at)?;
    draft.ok_or_else(|| RunError::NoBeing("world".to_owned()))
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
