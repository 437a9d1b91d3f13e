//! Living: a world on disk that goes on: opened or planted, acted upon, run round by round, stopped at a border.

use std::path::Path;
use std::sync::Arc;

use crate::fact::{BeingId, Call, Code, Cognition, Content, Draft, Master, Millis, Once, Reason, Seq, Text, Value, Verb, Verbs, WakeId};
use crate::minds::{Ahead, AheadTerms, Endpoints, Minds, Outages};
use crate::moment::{Terms, unfit};
use crate::past::{Checkpointer, LoadError, Loaded, Report, forget_beyond, frames_between, report, resume_to_go_on};
use crate::source::unheard;
use crate::store::{Keeper, KeptStore, Keystore, LogStore, Mode, Options, OwnerFile, Recovery, Store, StoreError, WorldFile};
use crate::verb::{LOSS_ACCEPT, OWNER_TAKE, driver_of};
use crate::world::{FoldError, World};

use super::audience::Told;
use super::breaks::Lookout;
use super::clock::wall;
use super::engine::{Engine, Next, RoundError, refusal};
use super::logs::{LogLine, Logs};
use super::measure::MeasureError;
use super::seal::{Round, SealError, Sealer, Sealing};
use super::term::Term;

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
    /// Steps of the source were refused; nothing was written.
    #[error("{}", refusals.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    Planting {
        /// Each of them.
        refusals: Vec<RefusedStep>,
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
    #[error("{}", not_driving(name, driver, by))]
    Driven {
        /// The being.
        name: String,
        /// Its driver; its own name where nobody drives it.
        driver: String,
        /// The being that wanted to act as it.
        by: String,
    },
    /// Somebody wanted to act as `@world`.
    #[error("nobody acts as `@world`: what it does the world does by itself; act as `@operator`")]
    NobodysWorld,
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
    /// The token by which it was asked for is of no use any more.
    #[error("the token is unknown, has ended or was taken back; `reelm token make` makes another")]
    TokenLost,
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
        /// The limit that it exceeds.
        reason: Reason,
    },
    /// Nobody of that name lives.
    #[error("there is no living being `@{0}` in this world")]
    NoBeing(String),
}

/// A step of a source that is refused.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{place}: cannot {why}: {reason}; nothing was written")]
pub struct RefusedStep {
    /// The file, line and column.
    pub place: String,
    /// The step, as words that follow "cannot".
    pub why: String,
    /// Why it was refused.
    pub reason: String,
}

/// The advice on an act that cannot be recorded.
fn hint(reason: &Reason) -> &'static str {
    match reason.code {
        Code::Secret => {
            "what is recorded is there for ever: write `key = \"env:NAME\"`, with the name of the environment variable that holds it"
        }
        Code::ArgsDepth => "nest its arguments less",
        _ => "write shorter addresses and words",
    }
}

/// The one way in which it is said that somebody cannot act as a being.
fn not_driving(name: &str, driver: &str, by: &str) -> String {
    match driver {
        none if none == name || none == by => format!("`@{by}` does not drive `@{name}`; inhabit it first"),
        other => format!("`@{name}` is driven by `@{other}`, not by `@{by}`; wait until it is released, and inhabit it"),
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
            | Self::NobodysWorld
            | Self::Answered { .. }
            | Self::Turned { .. }
            | Self::NotDue { .. }
            | Self::TokenLost
            | Self::Nothing
            | Self::TooLarge { .. }
            | Self::Unfit { .. }
            | Self::NoBeing(_) => false,
        }
    }
}

fn number(number: u64) -> Value {
    Value::Int(i64::try_from(number).unwrap_or(i64::MAX))
}

/// The largest arguments of a person's act, in bytes of JSON.
const ARGS_MAX: usize = 4 << 20;

/// A world on disk that goes on.
pub struct Living {
    /// The engine that takes its rounds.
    pub engine: Engine,
    pub(super) sealing: Sealing<Told>,
    /// The next seq when the last checkpoint was asked for.
    pub(super) checkpointed: Seq,
    /// The instant of what people do between two rounds, where a clock says it.
    pub(super) instant: Option<Millis>,
    /// Whether what people do between two rounds is something behind which the world is to stand still.
    pub(super) lookout: Lookout,
    pub(super) logs: Logs,
    /// Where its history was opened and it has not run since: the instant of the last frame before.
    pub(super) stood_since: Option<Millis>,
    /// Where the newest run was to end, and where world time stands.
    pub(super) term: Term,
}

/// An act of a person, or of a program that speaks for one.
pub struct Gesture {
    /// The being that acts.
    pub being: Text,
    /// Its call; `None`: it only looks, and closes the wake that it answers.
    pub call: Option<Call>,
    /// The open wake of its inbox that it answers and closes.
    pub wake: Option<WakeId>,
    /// The being whose person acts: itself or its driver; `None`: the holder of the world's own files.
    pub by: Option<BeingId>,
    /// Whether a refusal is only said and not sealed: visitors shall not fill a history.
    pub metered: bool,
    /// By what it is known again, where whoever sends it gives it a key.
    pub once: Option<Once>,
    /// The verbs that whoever sends it may use, of those that the worn role has.
    pub only: Verbs,
}

impl Living {
    /// Opens a world's directory to go on with it.
    pub fn open(dir: &Path, threads: usize) -> Result<(Self, Recovery), RunError> {
        Self::open_with(dir, threads, false)
    }

    /// The same; `accept_loss`: also where history is gone that was acknowledged, which `@world` then records first of all.
    pub fn open_with(dir: &Path, threads: usize, accept_loss: bool) -> Result<(Self, Recovery), RunError> {
        Self::open_kept(dir, threads, accept_loss, None)
    }

    /// The same; with a keeper that has a say in where it is kept, and has `@world` record who owns it.
    pub fn open_kept(
        dir: &Path,
        threads: usize,
        accept_loss: bool,
        mut keeper: Option<Box<dyn Keeper>>,
    ) -> Result<(Self, Recovery), RunError> {
        if keeper.is_none() {
            OwnerFile::refuse(dir)?;
        }
        // The keys first: what they cannot go on with is not even opened for writing.
        let keystore = Keystore::of(dir, &WorldFile::of(dir)?)?;
        let (mut store, mut recovery) = LogStore::open_with(dir, Mode::Write, Options { accept_loss, ..Options::default() })?;
        if let Some(lost) = recovery.lost {
            forget_beyond(dir, lost.from);
        }
        if let Some(keeper) = &mut keeper {
            let before = store.ending().number;
            keeper.reconcile(&mut store)?;
            // A copy may have brought back all that was gone here.
            recovery.lost = recovery.lost.filter(|lost| store.ending().number < before + lost.groups);
        }
        let resumed = resume_to_go_on(dir, &store)?;
        let checkpointed = resumed.stood();
        let master = Master::new(*keystore.master);
        let (checkpointer, loaded) = Checkpointer::going_on(dir, master.clone(), resumed);
        let (store, owner): (Box<dyn Store>, _) = match keeper {
            Some(keeper) => {
                let KeptStore { store, epoch, by } = keeper.keep(store);
                (store, Some((epoch, by)))
            }
            None => (Box::new(store), None),
        };
        let sealer = Sealer::new(loaded.chain, store, master.clone(), threads, loaded.blobs).keeping(checkpointer);
        let stood_since = Some(loaded.world.at());
        let begun = Self::begin(Engine::new(loaded.world, master, threads), sealer, Term::of(dir)?);
        let mut living = Self { stood_since, checkpointed, ..begun };
        living.asking(Self::endpoints(Some(dir), AheadTerms::NONE)?);
        if let Some((epoch, by)) = owner {
            living.records(Call::doing("/", OWNER_TAKE, Value::map([("epoch", number(epoch)), ("by", Value::from(by))])))?;
        }
        if let Some(lost) = recovery.lost {
            living.records(Call::doing("/", LOSS_ACCEPT, Value::map([("from", number(lost.from)), ("groups", number(lost.groups))])))?;
        }
        Ok((living, recovery))
    }

    /// Has `@world` record something of the opening, before anything else happens.
    fn records(&mut self, call: Call) -> Result<(), RunError> {
        let Some(draft) = self.engine.gesture(BeingId::WORLD, call, Terms::default(), self.now())? else {
            return Ok(());
        };
        if let Some(reason) = refusal(&draft).cloned() {
            return Err(RunError::Turned { reason });
        }
        self.sealing.give(Round::new(vec![draft], Told::default()))?;
        self.sealing.durable(true)?;
        Ok(())
    }

    /// Goes on from a folded history.
    pub fn over(store: Box<dyn Store>, master: Master, loaded: Loaded, threads: usize) -> Self {
        let sealer = Sealer::new(loaded.chain, store, master.clone(), threads, loaded.blobs);
        let stood_since = Some(loaded.world.at());
        Self { stood_since, ..Self::begin(Engine::new(loaded.world, master, threads), sealer, Term::default()) }
    }

    pub(super) fn begin(engine: Engine, sealer: Sealer, term: Term) -> Self {
        let (sealing, lookout) = (Sealing::start(sealer), Lookout::default());
        Self { engine, sealing, checkpointed: 0, instant: None, lookout, logs: Logs::default(), stood_since: None, term }
    }

    /// Until when world time may pass by itself: what is due next; no further where the world waits for somebody.
    pub(super) fn until(&self) -> Millis {
        match self.engine.next() {
            Next::At(due) => due,
            Next::WaitsFor(_) => self.world().now(),
            Next::Nothing if self.world().is_paused() => self.world().now(),
            Next::Nothing => Millis::MAX,
        }
    }

    /// The world, if so many frames have been folded since the last checkpoint that another one is due.
    pub(super) fn checkpoint(&mut self) -> Option<Arc<World>> {
        let next = self.world().next_seq();
        if next - self.checkpointed < frames_between(self.world()) {
            return None;
        }
        self.checkpointed = next;
        Some(self.world().clone())
    }

    /// The world as it is in memory.
    pub fn world(&self) -> &Arc<World> {
        self.engine.world()
    }

    /// The endpoints that connections name, asked ahead on these terms; what that cost in the world of a directory is booked in it.
    pub fn endpoints(dir: Option<&Path>, ahead: AheadTerms) -> Result<Box<dyn Minds>, RunError> {
        Ok(Box::new(Ahead::new(Box::new(Endpoints::default()), ahead, dir)?))
    }

    /// Asks other minds than the endpoints that connections name: for tests, and for what was recorded.
    pub fn asking(&mut self, mut minds: Box<dyn Minds>) {
        let world = self.engine.world();
        if let Some(ahead) = minds.ahead() {
            ahead.reconcile(&|being| world.being_named(being).map(|being| being.next_n));
        }
        self.engine.asking(minds);
    }

    /// The connections whose endpoints do not answer now, as they come and go.
    pub fn outages(&self) -> &Outages {
        self.engine.outages()
    }

    /// Whether somebody drives a being and has not given it back.
    pub fn is_driven_by(&self, driven: BeingId, driver: BeingId) -> Result<(), RunError> {
        let Some(being) = self.world().being(driven) else { return Err(RunError::NoBeing(driven.to_string())) };
        match being.driver {
            Some((who, _)) if who == driver => Ok(()),
            other => Err(self.driven(&being.name, other.map_or(being.id, |(who, _)| who), driver)),
        }
    }

    fn driven(&self, name: &str, driver: BeingId, by: BeingId) -> RunError {
        let name_of = |id: BeingId| self.world().being(id).map_or_else(|| id.to_string(), |being| being.name.to_string());
        RunError::Driven { name: name.to_owned(), driver: name_of(driver), by: name_of(by) }
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
            only: Verbs::ALL,
        })
    }

    /// A person's act, or their answer to an open wake: durable when this returns.
    ///
    /// An answer that the world refuses is recorded as an act of its own, so that the wake stays open for another.
    pub fn gesture(&mut self, gesture: Gesture) -> Result<Report, RunError> {
        let Gesture { being: name, call, wake, by, metered, once, only } = gesture;
        let terms = Terms { once, only };
        let no_being = || RunError::NoBeing(name.to_string());
        let being = self.world().being_named(&name).filter(|being| !being.ended).cloned().ok_or_else(no_being)?;
        // Even the holder of the files is refused: the program alone acts in the name of the world.
        if being.id == BeingId::WORLD {
            return Err(RunError::NobodysWorld);
        }
        let at = self.now();
        let (cognition, driver) = (being.cognition_at(at), being.driver_at(at));
        if cognition != Cognition::Human {
            return Err(RunError::NotDriven { name: name.to_string(), cognition });
        }
        if let Some(by) = by.filter(|by| *by != driver.unwrap_or(being.id)) {
            return Err(self.driven(&name, driver.unwrap_or(being.id), by));
        }
        call.as_ref().map_or(Ok(()), fits)?;
        let before = self.world().clone();
        driver_of(self.world(), &being, at).map_err(|outgrown| RunError::Turned { reason: outgrown.reason })?;
        let draft = match wake {
            None => self.engine.gesture(being.id, call.ok_or(RunError::Nothing)?, terms, at)?,
            Some(wake) => self.answer(being.id, &wake, call, terms, at)?,
        };
        let draft = draft.ok_or_else(no_being)?;
        if let Some(reason) = refusal(&draft).filter(|_| metered).cloned() {
            self.engine.rewind(before);
            return Err(RunError::Turned { reason });
        }
        self.sealed(draft)
    }

    /// Something that comes in by a bridge that hears: an act of that, as whoever its setting says a sender is; durable when this returns.
    pub fn comes_in(&mut self, bridge: &str, call: Call, once: Once) -> Result<Report, RunError> {
        let no_being = || RunError::NoBeing(bridge.to_owned());
        let being = self.world().being_named(bridge).filter(|being| !being.ended).cloned().ok_or_else(no_being)?;
        let at = self.now();
        let cognition = being.cognition_at(at);
        if !self.world().comes_in_by(&being, cognition, &call) {
            return Err(RunError::NotDriven { name: bridge.to_owned(), cognition });
        }
        let turned = |code| Err(RunError::Turned { reason: Reason::new(code, "") });
        if self.world().holds_still(&being) {
            return turned(Code::Paused);
        }
        if self.world().tripped(&being, at).is_some() {
            return turned(Code::BrakeTripped);
        }
        fits(&call)?;
        let draft = self.engine.gesture(being.id, call, Terms { once: Some(once), ..Terms::default() }, at)?;
        self.sealed(draft.ok_or_else(no_being)?)
    }

    /// Seals what somebody did, and waits until it is durable.
    fn sealed(&mut self, draft: Draft) -> Result<Report, RunError> {
        LogLine::of(&draft, self.engine.world()).into_iter().for_each(|line| self.logs.say(line));
        let told = report(&draft, self.engine.world(), None).noting(self.engine.notes()).hinting(unheard(&draft, self.engine.world()));
        self.lookout.see(&draft, self.engine.world());
        self.sealing.give(Round::new(vec![draft], Told::default()))?;
        self.sealing.durable(true)?;
        Ok(told)
    }

    fn answer(&mut self, being: BeingId, wake: &WakeId, call: Option<Call>, terms: Terms, at: Millis) -> Result<Option<Draft>, RunError> {
        let Some(narrowed) = self.world().inbox().get(being, wake).map(|wake| wake.only()) else {
            return Err(RunError::Answered { wake: wake.cause.to_string() });
        };
        if wake.due > at {
            return Err(RunError::NotDue { wake: wake.cause.to_string() });
        }
        // To close a wake without an act is to look; who may not look leaves it open.
        if call.is_none() && !terms.only.contains(Verb::See) {
            return Err(RunError::Turned { reason: Reason::new(Code::GateNarrowed, Verb::See.word()) });
        }
        // A moment that no mind is asked in is no person's either: it closes by itself, or not yet.
        if let Some(reason) = self.engine.verdict(being, wake, at) {
            return Err(RunError::Turned { reason });
        }
        let before = self.world().clone();
        let answered = self.engine.answer(being, wake, call.clone(), terms, at)?;
        match (answered, call) {
            (Some(draft), Some(call)) if refusal(&draft).is_some() => {
                self.engine.rewind(before);
                // A verb that the caller has excluded is excluded for an act of one's own too.
                let terms = Terms { only: terms.only.and(narrowed), ..terms };
                Ok(self.engine.gesture(being, call, terms, at)?)
            }
            (answered, _) => Ok(answered),
        }
    }

    /// The instant of an act: what the running clock says; without one, wall time in a real world, else the world's own.
    pub fn now(&self) -> Millis {
        if let Some(instant) = self.instant {
            return instant.max(self.world().now());
        }
        let is_real = self.world().world_setting("clock").as_str() == Some("real");
        if is_real { wall().max(self.world().now()) } else { self.world().now() }
    }

    /// Stops, with everything durable, and gives the sealer back.
    pub fn stop(self) -> Result<(Arc<World>, Sealer), RunError> {
        let world = self.engine.world().clone();
        let (mut sealer, _) = self.sealing.stop()?;
        // The next opening is saved its fold.
        sealer.last_checkpoint(Some(world.clone()).filter(|world| world.next_seq() > self.checkpointed));
        Ok((world, sealer))
    }
}

/// Whether a call can stand in a frame.
fn fits(call: &Call) -> Result<(), RunError> {
    if let Content::Here(args) = &call.args {
        let size = args.to_string().len();
        if size > ARGS_MAX {
            return Err(RunError::TooLarge { size });
        }
    }
    unfit(call).map_or(Ok(()), |reason| Err(RunError::Unfit { reason }))
}
