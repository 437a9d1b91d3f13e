//! Compressor: compresses closed segments one by one on a thread of its own; whoever runs the world never waits for it.
//!
//! A segment that was unfinished when the world was closed is begun anew at the next opening. Closing waits for one block or, where all are
//! written, for their sync and their comparison.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use super::compress::ClosedSegment;

/// How long after a failure it is tried again, if no other segment is closed before: the disk may be full.
const AGAIN: Duration = Duration::from_secs(60);

/// The way to the thread.
pub(super) struct Compressor {
    closed: Option<Sender<ClosedSegment>>,
    is_over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Compressor {
    /// Begins a thread that compresses a segment once it is left alone so long: an act of a moment is not to pay for it.
    pub(super) fn start(after: Duration) -> Self {
        let (closed, waiting) = channel();
        let is_over = Arc::new(AtomicBool::new(false));
        let theirs = is_over.clone();
        let thread = std::thread::Builder::new().name("compress".to_owned()).spawn(move || work(&waiting, &theirs, after));
        if let Err(error) = &thread {
            tracing::warn!(%error, "no segment is compressed: no thread can be had for it; the world goes on");
        }
        Self { closed: Some(closed), is_over, thread: thread.ok() }
    }

    /// Has a segment compressed that is closed.
    pub(super) fn push(&self, closed: ClosedSegment) {
        // Without its thread nothing is compressed, which costs room and nothing else.
        let _ = self.closed.as_ref().map(|sender| sender.send(closed));
    }
}

impl Drop for Compressor {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Release);
        self.closed = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn work(closed: &Receiver<ClosedSegment>, is_over: &AtomicBool, after: Duration) {
    let (mut waiting, mut wait) = (VecDeque::new(), after);
    loop {
        let next = if waiting.is_empty() { closed.recv().map_err(RecvTimeoutError::from) } else { closed.recv_timeout(wait) };
        match next {
            Err(RecvTimeoutError::Disconnected) => return,
            Ok(next) => {
                waiting.push_back(next);
                wait = after;
            }
            Err(RecvTimeoutError::Timeout) => wait = if turn(&mut waiting, is_over) { after } else { AGAIN },
        }
    }
}

/// Compresses the segment that waits longest; no, where that failed: then it waits behind the others.
fn turn(waiting: &mut VecDeque<ClosedSegment>, is_over: &AtomicBool) -> bool {
    let Some(closed) = waiting.pop_front() else { return true };
    let done = closed.compress(&|| !is_over.load(Ordering::Acquire));
    if let Err(error) = &done {
        tracing::warn!(%error, "a closed segment is not compressed; the world goes on, and it is tried again");
        waiting.push_back(closed);
    }
    done.is_ok()
}
