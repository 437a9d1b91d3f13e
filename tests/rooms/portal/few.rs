//! Tests of `src/portal/few.rs`.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use reelm::past::{History, LoadError};
use reelm::portal::few::*;
use reelm::store::WalkCount;

use crate::terminal::Terminal;

#[test]
fn a_place_is_free_again_when_its_work_ends_and_not_when_its_asker_goes() {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let (few, gate, left) =
        (Arc::new(Few::of(2, u64::MAX, &Arc::default())), Arc::new((Mutex::new(false), Condvar::new())), Arc::new(AtomicUsize::new(0)));
    let works = |few: Arc<Few>| {
        let (gate, left) = (gate.clone(), left.clone());
        async move {
            let work = few.work(move |interest| {
                drop(gate.1.wait_while(gate.0.lock().unwrap(), |is_open| !*is_open).unwrap());
                left.fetch_add(usize::from(interest.is_gone()), Ordering::SeqCst);
            });
            work.await.unwrap();
        }
    };
    let busy = runtime.block_on(async {
        let askers: Vec<_> = (0..12).map(|_| tokio::spawn(works(few.clone()))).collect();
        while few.at_work() < 2 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        for asker in askers {
            asker.abort();
            assert!(asker.await.unwrap_err().is_cancelled());
        }
        let busy = few.at_work();
        let stays = tokio::spawn(works(few.clone()));
        *gate.0.lock().unwrap() = true;
        gate.1.notify_all();
        stays.await.unwrap();
        busy
    });
    drop(runtime);
    assert_eq!(busy, 2, "two are at work still, and nobody took the place of one who went");
    assert_eq!(
        (left.load(Ordering::SeqCst), few.at_work()),
        (2, 0),
        "those at work heard that nobody waits; whoever stayed was waited for"
    );
}

#[test]
fn no_piece_of_work_reads_more_records_than_its_kind_may_and_what_it_read_is_counted() {
    let terminal = Terminal::with_world("court", 100);
    let (dir, walked) = (terminal.path("world"), Arc::<WalkCount>::default());
    let runtime = tokio::runtime::Runtime::new().unwrap();
    for (most, is_too_far) in [(50, true), (u64::MAX, false)] {
        let (few, dir, had) = (Few::of(1, most, &walked), dir.clone(), walked.records());
        let work = few.work(move |interest| History::while_asked(&dir, interest).and_then(|history| history.fold(0, None, |_, _| {})));
        let read = runtime.block_on(work).unwrap();
        assert_eq!(read.as_ref().err().map(LoadError::is_too_far), is_too_far.then_some(true));
        let walked = walked.records() - had;
        assert!(if is_too_far { walked == most } else { walked > 100 }, "{walked}");
    }
}
