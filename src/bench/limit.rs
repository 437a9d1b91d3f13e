//! Limit: what this machine could reach at most, by a program that has nothing of a world but its formats.
//!
//! In each round every one of its beings decides by a script, and what it does is encoded, chained and signed, on all cores, while the
//! round before is written in groups with a sync each. It imports nothing but `fact`: a slower world, sealer or store does not slow it down.

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::mpsc::{Receiver, sync_channel};

use rhai::{AST, Engine, Scope};

use crate::fact::{BeingId, Draft, Fact, Hash, Made, Master, SecretKey, Seq, Thing, Value, sign_all};

/// Frames that share one sync.
const GROUP: usize = 4096;
/// How many rounds may wait to be written.
const WAITING: usize = 2;
/// The mind of each being: it decides as a citizen of the town does, from its argument alone.
const SCRIPT: &str = r#"fn think(draw) { if draw < 0.7 { "town.steps" } else if draw < 0.97 { "town.walks" } else { "town.greetings" } }"#;

/// Why it cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum LimitError {
    /// The script.
    #[error("the limit's script: {0}")]
    Script(String),
    /// A frame.
    #[error(transparent)]
    Frame(#[from] crate::fact::FrameError),
    /// The file.
    #[error("the limit's file: {0}")]
    File(#[from] std::io::Error),
}

/// One being, as far as its frames need it.
struct Reel {
    being: BeingId,
    n: u64,
    prev: Hash,
    prev_seq: Seq,
    key: SecretKey,
}

/// A frame as it is written.
type LimitFrame = (Hash, Vec<u8>);

/// The beings, and what they do again and again.
pub struct Limit {
    template: Draft,
    reels: Vec<Reel>,
    world_key: SecretKey,
    engine: Engine,
    ast: AST,
    next: Seq,
}

impl Limit {
    /// So many beings, each of which does what the template does.
    pub fn of(template: Draft, master: &Master, beings: usize) -> Result<Self, LimitError> {
        let engine = Engine::new();
        let ast = engine.compile(SCRIPT).map_err(|error| LimitError::Script(error.to_string()))?;
        let reel = |n: u64| {
            let being = BeingId(Made { seq: n, index: 0 });
            Reel { being, n: 0, prev: Hash::NOTHING, prev_seq: 0, key: master.key(template.world, being) }
        };
        let world_key = master.key(template.world, BeingId::WORLD);
        Ok(Self { reels: (1..=beings as u64).map(reel).collect(), template, world_key, engine, ast, next: 0 })
    }

    /// Makes at least so many frames durable in a new file; how many it were.
    pub fn run(&mut self, frames: usize, threads: usize, file: &Path) -> Result<usize, LimitError> {
        let mut file = File::create(file)?;
        let key = self.world_key.clone();
        let (rounds, waiting) = sync_channel(WAITING);
        std::thread::scope(|scope| {
            let writing = scope.spawn(move || write(&mut file, &key, &waiting));
            let mut made = 0;
            while made < frames {
                let round = self.round(threads)?;
                made += round.len();
                // A writer that is gone says why when it is asked.
                if rounds.send(round).is_err() {
                    break;
                }
            }
            drop(rounds);
            writing.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)).map(|()| made)
        })
    }

    /// One frame of each, on all threads.
    fn round(&mut self, threads: usize) -> Result<Vec<LimitFrame>, LimitError> {
        let share = self.reels.len().div_ceil(threads.max(1)).max(1);
        let (template, engine, ast, next) = (&self.template, &self.engine, &self.ast, self.next);
        let parts: Vec<Result<Vec<LimitFrame>, LimitError>> = std::thread::scope(|scope| {
            let firsts = (next..).step_by(share);
            let shares = self.reels.chunks_mut(share).zip(firsts);
            let parts: Vec<_> = shares.map(|(reels, first)| scope.spawn(move || act(reels, first, template, engine, ast))).collect();
            parts.into_iter().map(|part| part.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))).collect()
        });
        self.next += self.reels.len() as u64;
        let mut round = Vec::with_capacity(self.reels.len());
        for part in parts {
            round.extend(part?);
        }
        Ok(round)
    }
}

/// Thinks, drafts and signs one moment of each being of a slice in a round.
fn act(reels: &mut [Reel], first: Seq, template: &Draft, engine: &Engine, ast: &AST) -> Result<Vec<LimitFrame>, LimitError> {
    let mut made = Vec::with_capacity(reels.len());
    for (reel, seq) in reels.iter_mut().zip(first..) {
        let draw = f64::from(reel.prev.0.first().copied().unwrap_or_default()) / 256.0;
        let path = engine.call_fn::<rhai::ImmutableString>(&mut Scope::new(), ast, "think", (draw,));
        let path = path.map_err(|error| LimitError::Script(error.to_string()))?;
        let fact = Fact::QualityInc { of: Thing::Being(reel.being), path: path.as_str().into(), by: Value::Int(1).into() };
        let Reel { being, n, prev, prev_seq, .. } = *reel;
        let draft = Draft { being, n, prev, prev_seq, seq, opened: first, facts: vec![fact], ..template.clone() };
        let body = draft.body();
        let hash = Hash::of(&body);
        (reel.n, reel.prev, reel.prev_seq) = (n + 1, hash, seq);
        made.push((draft, body, hash));
    }
    let signing: Vec<(&SecretKey, Hash)> = reels.iter().zip(&made).map(|(reel, (.., hash))| (&reel.key, *hash)).collect();
    let signed = sign_all(&signing);
    let frames =
        made.into_iter().zip(signed).map(|((draft, body, hash), seal)| Ok((hash, draft.with(body, hash, Some(seal))?.into_bytes())));
    frames.collect()
}

/// Writes rounds in groups, each under one seal of the world.
fn write(file: &mut File, key: &SecretKey, rounds: &Receiver<Vec<LimitFrame>>) -> Result<(), LimitError> {
    let mut head = Hash::NOTHING;
    while let Ok(round) = rounds.recv() {
        for group in round.chunks(GROUP) {
            let mut bytes = Vec::with_capacity(group.iter().map(|(_, frame)| 8 + frame.len()).sum::<usize>() + 96);
            for (hash, frame) in group {
                head = Hash::of(&[head.0, hash.0].concat());
                bytes.extend((frame.len() as u32).to_le_bytes());
                bytes.extend(crc32fast::hash(frame).to_le_bytes());
                bytes.extend(frame);
            }
            bytes.extend(head.0);
            bytes.extend(key.sign(&head).0);
            file.write_all(&bytes)?;
            file.sync_data()?;
        }
    }
    Ok(())
}
