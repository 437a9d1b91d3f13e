//! Seal: drafts are chained and signed, groups sealed and appended; only then does anybody outside hear of them.
//!
//! One thread owns the chain and the store. It takes whatever rounds wait for it, hashes them in order, signs them on many threads,
//! appends all with one sync, and only then acknowledges. The queue before it is bounded, so that thinking never runs away from it.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;

use imbl::OrdMap;

use crate::fact::{BeingId, Draft, Frame, FrameError, Hash, Master, SecretKey, sign_all};
use crate::past::{Checkpointer, ToKeep};
use crate::reel::{Chain, ChainError};
use crate::store::{Group, Record, Store, StoreError};
use crate::world::World;

/// How many rounds may wait to be sealed: many small ones, so that they share a sync and a seal.
const QUEUE: usize = 2048;
/// About how many frames may wait to be sealed.
const AHEAD: usize = 16_384;
/// About how many frames are appended with one sync at most.
const BATCH: usize = 4096;
/// Below this many frames a thread of its own does not pay.
const ALONE: usize = 24;

/// Why frames could not be made durable.
#[derive(Debug, thiserror::Error)]
pub enum SealError {
    /// A frame cannot be sealed.
    #[error(transparent)]
    Frame(#[from] FrameError),
    /// A frame does not continue the world.
    #[error(transparent)]
    Chain(#[from] ChainError),
    /// The store refused it.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The sealing thread is gone.
    #[error("the sealing thread has stopped; nothing more can be made durable in this run")]
    Gone,
}

/// Drafts that are committed together, and what to say when they are durable.
pub struct Round<T> {
    /// The drafts, in seq order.
    pub drafts: Vec<Draft>,
    /// Handed back when they are durable.
    pub told: T,
    /// The world after them, where it is to be kept as a checkpoint.
    pub checkpoint: Option<Arc<World>>,
}

impl<T> Round<T> {
    /// A round after which no checkpoint is kept.
    pub fn new(drafts: Vec<Draft>, told: T) -> Self {
        Self { drafts, told, checkpoint: None }
    }
}

/// Everything that sealing owns.
pub struct Sealer {
    chain: Chain,
    store: Box<dyn Store>,
    master: Master,
    threads: usize,
    kept: OrdMap<Hash, u64>,
    world_key: Option<SecretKey>,
    checkpointer: Option<Checkpointer>,
    keys: imbl::HashMap<BeingId, SecretKey>,
}

impl Sealer {
    /// A sealer that goes on from where a chain and a store stand; `kept` are the blobs that the store has, with their lengths.
    pub fn new(chain: Chain, store: Box<dyn Store>, master: Master, threads: usize, kept: OrdMap<Hash, u64>) -> Self {
        Self { chain, store, master, threads: threads.max(1), kept, world_key: None, checkpointer: None, keys: imbl::HashMap::new() }
    }

    /// The same, keeping checkpoints.
    pub fn keeping(self, checkpointer: Checkpointer) -> Self {
        Self { checkpointer: Some(checkpointer), ..self }
    }

    /// Has a world that is durable written as a checkpoint, beside what goes on.
    fn checkpoint(&self, world: Arc<World>) {
        if let Some(checkpointer) = &self.checkpointer {
            checkpointer.write(self.stand(world));
        }
    }

    /// The same at the end, when it is waited for.
    pub(super) fn last_checkpoint(&mut self, world: Option<Arc<World>>) {
        let stand = world.map(|world| self.stand(world));
        if let Some(checkpointer) = self.checkpointer.take() {
            checkpointer.finish(stand);
        }
    }

    fn stand(&self, world: Arc<World>) -> ToKeep {
        ToKeep { world, chain: self.chain.clone(), blobs: self.kept.clone(), border: *self.store.ending() }
    }

    /// Where the chain stands.
    pub fn chain(&self) -> &Chain {
        &self.chain
    }

    /// The store, for reading.
    pub fn store(&self) -> &dyn Store {
        self.store.as_ref()
    }

    fn key(&mut self, draft: &Draft) -> SecretKey {
        let (world, master) = (draft.world, &self.master);
        self.keys.entry(draft.being).or_insert_with(|| master.key(world, draft.being)).clone()
    }

    /// Chains, signs and appends rounds as one group: with one seal over the head and one sync, all of them or none.
    pub fn seal(&mut self, rounds: Vec<Vec<Draft>>) -> Result<(), SealError> {
        let first = self.chain.next();
        let mut hashed = Vec::with_capacity(rounds.iter().map(Vec::len).sum());
        let mut shed: Vec<(Hash, Vec<u8>)> = Vec::new();
        for mut draft in rounds.into_iter().flatten() {
            shed.extend(draft.shed());
            self.chain.link(&mut draft);
            self.chain.check(&draft)?;
            let body = draft.body();
            let hash = Hash::of(&body);
            self.chain.advance(&draft, hash)?;
            let key = (!self.chain.is_covered(&draft)).then(|| self.key(&draft));
            hashed.push((draft, body, hash, key));
        }
        let Some(world) = hashed.first().map(|(draft, ..)| draft.world) else { return Ok(()) };
        let (master, head) = (&self.master, self.chain.head());
        let seal = self.world_key.get_or_insert_with(|| master.key(world, BeingId::WORLD)).sign(&head).0;
        let fresh = shed.into_iter().filter(|(hash, bytes)| self.kept.insert(*hash, bytes.len() as u64).is_none());
        let mut records: Vec<Record> = fresh.map(|(hash, bytes)| Record::Blob { hash, bytes: bytes.into() }).collect();
        records.extend(sign(hashed, self.threads)?.into_iter().map(|frame| {
            let draft = frame.draft();
            let (seq, being, n) = (draft.seq, draft.being, draft.n);
            Record::Frame { seq, being, n, bytes: frame.into_bytes().into() }
        }));
        Ok(self.store.append(first, &[Group { records, head, seal }])?)
    }
}

/// A draft, its body and its hash, and by which key it is signed; none where the seal over the head covers it.
type Hashed = (Draft, Vec<u8>, Hash, Option<SecretKey>);

fn sign_share(hashed: Vec<Hashed>) -> Result<Vec<Frame>, FrameError> {
    let signing: Vec<(&SecretKey, Hash)> = hashed.iter().filter_map(|(_, _, hash, key)| Some((key.as_ref()?, *hash))).collect();
    let mut signatures = sign_all(&signing).into_iter();
    let signed = hashed.into_iter().map(|(draft, body, hash, key)| draft.with(body, hash, key.and_then(|_| signatures.next())));
    signed.collect()
}

fn sign(hashed: Vec<Hashed>, threads: usize) -> Result<Vec<Frame>, SealError> {
    if threads < 2 || hashed.len() < ALONE {
        return Ok(sign_share(hashed)?);
    }
    let share = hashed.len().div_ceil(threads);
    let mut parts = Vec::new();
    let mut rest = hashed;
    while rest.len() > share {
        let tail = rest.split_off(share);
        parts.push(std::mem::replace(&mut rest, tail));
    }
    let frames = std::thread::scope(|scope| {
        let others: Vec<_> = parts.into_iter().map(|part| scope.spawn(move || sign_share(part))).collect();
        let last = sign_share(rest);
        let mut all: Vec<Result<Vec<Frame>, FrameError>> =
            others.into_iter().map(|other| other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))).collect();
        all.push(last);
        all
    });
    let mut sealed = Vec::new();
    for part in frames {
        sealed.extend(part?);
    }
    Ok(sealed)
}

/// A sealer on a thread of its own.
pub struct Sealing<T> {
    rounds: Option<SyncSender<Round<T>>>,
    done: Receiver<Result<Durable<T>, SealError>>,
    thread: Option<JoinHandle<Sealer>>,
    /// How many rounds were handed over and are not known to be durable, and how many frames they have.
    waiting: (usize, usize),
    /// The values of durable rounds that were not asked for yet.
    told: Vec<T>,
}

/// Rounds that have become durable together.
struct Durable<T> {
    frames: usize,
    told: Vec<T>,
}

impl<T: Send + 'static> Sealing<T> {
    /// Starts it.
    pub fn start(sealer: Sealer) -> Self {
        let (rounds, incoming) = sync_channel::<Round<T>>(QUEUE);
        let (outgoing, done) = std::sync::mpsc::channel();
        let thread = std::thread::spawn(move || work(sealer, &incoming, &outgoing));
        Self { rounds: Some(rounds), done, thread: Some(thread), waiting: (0, 0), told: Vec::new() }
    }

    /// Hands a round over; waits while too much is waiting.
    pub fn give(&mut self, round: Round<T>) -> Result<(), SealError> {
        while self.waiting.1 > AHEAD {
            let durable = self.done.recv().map_err(|_| SealError::Gone)??;
            self.note(durable);
        }
        self.waiting = (self.waiting.0 + 1, self.waiting.1 + round.drafts.len());
        self.rounds.as_ref().ok_or(SealError::Gone)?.send(round).map_err(|_| self.why_gone())
    }

    fn note(&mut self, durable: Durable<T>) {
        self.waiting = (self.waiting.0.saturating_sub(durable.told.len()), self.waiting.1.saturating_sub(durable.frames));
        self.told.extend(durable.told);
    }

    fn why_gone(&self) -> SealError {
        while let Ok(done) = self.done.try_recv() {
            if let Err(error) = done {
                return error;
            }
        }
        SealError::Gone
    }

    /// The values of the rounds that have become durable since the last call; with `wait`, all that was handed over.
    pub fn durable(&mut self, wait: bool) -> Result<Vec<T>, SealError> {
        loop {
            let next = if wait && self.waiting.0 > 0 {
                self.done.recv().map_err(|_| SealError::Gone)?
            } else if let Ok(next) = self.done.try_recv() {
                next
            } else {
                return Ok(std::mem::take(&mut self.told));
            };
            self.note(next?);
        }
    }

    /// Whether all that was handed over is known to be durable.
    pub fn is_durable(&self) -> bool {
        self.waiting.0 == 0
    }

    /// Stops the thread once everything is durable, and gives the sealer back.
    pub fn stop(mut self) -> Result<(Sealer, Vec<T>), SealError> {
        let told = self.durable(true)?;
        self.rounds = None;
        match self.thread.take().map(JoinHandle::join) {
            Some(Ok(sealer)) => Ok((sealer, told)),
            Some(Err(panic)) => std::panic::resume_unwind(panic),
            None => Err(SealError::Gone),
        }
    }
}

fn work<T>(mut sealer: Sealer, incoming: &Receiver<Round<T>>, outgoing: &std::sync::mpsc::Sender<Result<Durable<T>, SealError>>) -> Sealer {
    while let Ok(first) = incoming.recv() {
        let mut count = first.drafts.len();
        let (mut rounds, mut told, mut checkpoint) = (vec![first.drafts], vec![first.told], first.checkpoint);
        while count < BATCH && checkpoint.is_none() {
            let Ok(next) = incoming.try_recv() else { break };
            count += next.drafts.len();
            rounds.push(next.drafts);
            told.push(next.told);
            checkpoint = next.checkpoint;
        }
        let sealed = sealer.seal(rounds).map(|()| Durable { frames: count, told });
        let is_over = sealed.is_err();
        if let Some(world) = checkpoint.filter(|_| !is_over) {
            sealer.checkpoint(world);
        }
        if outgoing.send(sealed).is_err() || is_over {
            break;
        }
    }
    sealer
}
