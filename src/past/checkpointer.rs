//! Checkpointer: writes rungs on a thread of its own and, while none waits, what the past lacks of rungs and words.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TryRecvError, TrySendError, sync_channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::fact::Master;
use crate::store::Checkpoints;

use super::checkpoint::Resumed;
use super::history::History;
use super::ladder::Base;
use super::load::LoadError;
use super::loaded::Loaded;
use super::mending::Mending;
use super::rung_writer::{RungWriter, ToKeep};

/// How many rungs may wait to be written; whoever runs a world waits for none of them.
const WAITING: usize = 2;
/// A command that is over by then is not kept waiting for what the past lacks.
const BRIEF: Duration = Duration::from_secs(1);

/// Writes checkpoints, one after another, on a thread of its own.
pub struct Checkpointer {
    stands: Option<SyncSender<ToKeep>>,
    thread: Option<JoinHandle<()>>,
}

impl Checkpointer {
    /// One for a new world in `dir`.
    pub fn new(dir: &Path, master: Master) -> Self {
        Self::start(Checkpoints::of(dir), master, None, Some(dir))
    }

    /// One for a new world whose checkpoints are kept there, and nothing else of it.
    pub fn over(checkpoints: Checkpoints, master: Master) -> Self {
        Self::start(checkpoints, master, None, None)
    }

    /// One for the world in `dir` as it was resumed, and what was loaded.
    pub fn going_on(dir: &Path, master: Master, resumed: Resumed) -> (Self, Loaded) {
        (Self::start(Checkpoints::of(dir), master, resumed.base, Some(dir)), resumed.loaded)
    }

    fn start(checkpoints: Checkpoints, master: Master, base: Option<Base>, dir: Option<&Path>) -> Self {
        let (stands, waiting) = sync_channel(WAITING);
        let writer = RungWriter { checkpoints, master };
        let mut work = RungWork { writer, base, dir: dir.map(Path::to_owned), mending: None, begun: Instant::now() };
        let thread = std::thread::spawn(move || work.go(&waiting));
        Self { stands: Some(stands), thread: Some(thread) }
    }

    /// Has something written beside whatever goes on; nothing of it where too much waits to be written already.
    pub fn write(&self, stand: ToKeep) {
        let Some(Err(TrySendError::Full(stand))) = self.stands.as_ref().map(|stands| stands.try_send(stand)) else { return };
        tracing::debug!(seq = stand.border.seq, "the checkpoints before this one are still being written; it is left out");
    }

    /// Has something written, and waits until it and all before it are there.
    pub fn finish(mut self, stand: Option<ToKeep>) {
        if let (Some(stands), Some(stand)) = (&self.stands, stand) {
            let _ = stands.send(stand);
        }
        self.rest();
    }

    fn rest(&mut self) {
        self.stands = None;
        if let Some(thread) = self.thread.take() {
            // A panic there has cost a cache, and was reported where it happened.
            let _ = thread.join();
        }
    }
}

impl Drop for Checkpointer {
    fn drop(&mut self) {
        self.rest();
    }
}

/// The thread's own.
struct RungWork {
    writer: RungWriter,
    base: Option<Base>,
    /// Where the world lies, if what its past lacks is written too.
    dir: Option<PathBuf>,
    mending: Option<Mending>,
    begun: Instant,
}

impl RungWork {
    fn go(&mut self, waiting: &Receiver<ToKeep>) {
        let mut is_tidy = false;
        while let Some(stand) = self.next(waiting) {
            let seq = stand.border.seq;
            let is_there = self.base.as_ref().is_some_and(|base| base.footing.seq == seq);
            if is_there || stand.world.next_seq() != seq || stand.chain.next() != seq {
                continue;
            }
            if !std::mem::replace(&mut is_tidy, true) {
                self.writer.checkpoints.tidy();
            }
            match self.writer.write(self.base.as_ref(), stand) {
                Ok(base) => self.base = Some(base),
                Err(error) => tracing::warn!(%error, "no checkpoint was written; the world goes on, and takes longer to open"),
            }
        }
        self.end();
    }

    /// Writes the words up to the newest rung, at the end of what was no brief command.
    fn end(&self) {
        let Some(dir) = self.dir.as_ref().filter(|_| self.begun.elapsed() >= BRIEF) else { return };
        if let Err(error) = History::of(dir).and_then(|history| history.keep_newest_words()) {
            tracing::warn!(%error, "the newest words are not kept; a search for words takes longer");
        }
    }

    /// The next that is to be written, at the end none; what the past lacks is written as long as nothing waits.
    fn next(&mut self, waiting: &Receiver<ToKeep>) -> Option<ToKeep> {
        match waiting.recv_timeout(BRIEF.saturating_sub(self.begun.elapsed())) {
            Err(RecvTimeoutError::Timeout) => {}
            come => return come.ok(),
        }
        loop {
            match waiting.try_recv() {
                Err(TryRecvError::Empty) if self.mend() => {}
                Err(TryRecvError::Empty) => return waiting.recv().ok(),
                come => return come.ok(),
            }
        }
    }

    /// Does one step of mending; whether there was any.
    fn mend(&mut self) -> bool {
        let Some(dir) = &self.dir else { return false };
        let newest = self.base.as_ref().map_or(0, |base| base.footing.seq);
        let stepped = (|| {
            let mending = match &mut self.mending {
                Some(mending) => mending,
                none => none.insert(Mending::beside(dir, self.writer.master.clone())?),
            };
            mending.reach(newest);
            mending.step()
        })();
        stepped.unwrap_or_else(|error: LoadError| {
            tracing::warn!(%error, "what the past lacks of checkpoints is not written; the world goes on");
            self.dir = None;
            false
        })
    }
}
