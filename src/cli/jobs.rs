//! Jobs: many pieces of work at once, on a few threads; what comes of each is taken down as it comes.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError, mpsc};

use anyhow::Result;

/// Does a piece of work for each item, so many at once; `with` hears what comes of them, in the order in which they end. The first failure is
/// told; nothing is begun after it, and what was under way is heard to its end.
pub(super) fn each<T: Send, R: Send>(
    jobs: usize,
    items: Vec<T>,
    work: impl Fn(usize, T) -> Result<Option<R>> + Sync,
    mut with: impl FnMut(R) -> Result<()>,
) -> Result<()> {
    let (jobs, waiting, (tell, told)) = (jobs.min(items.len()), Mutex::new(VecDeque::from(items)), mpsc::channel());
    std::thread::scope(|scope| {
        for worker in 0..jobs {
            let (tell, waiting, work) = (tell.clone(), &waiting, &work);
            scope.spawn(move || {
                let next = || lock(waiting).pop_front();
                while let Some(item) = next() {
                    // The receiver takes every result, so no send fails.
                    let _ = tell.send(work(worker, item));
                }
            });
        }
        drop(tell);
        let mut failed = None;
        for done in told {
            if let Err(error) = done.and_then(|done| done.map_or(Ok(()), &mut with)) {
                failed.get_or_insert(error);
                lock(&waiting).clear();
            }
        }
        failed.map_or(Ok(()), Err)
    })
}

fn lock<T>(waiting: &Mutex<VecDeque<T>>) -> MutexGuard<'_, VecDeque<T>> {
    waiting.lock().unwrap_or_else(PoisonError::into_inner)
}
