//! Worlds: does every world that ships live, repeat itself on any number of threads, and replay?

use std::path::{Path, PathBuf};

use reelm::fact::Frame;
use reelm::moment::is_asking;
use reelm::past::load;
use reelm::replay::{Thread, replay};
use reelm::run::{Course, Living, Pace, Reins, Until};
use reelm::source::{Source, warnings};
use reelm::store::{LogStore, Mode, Store, Stored};

const WORLDS: &[&str] = &["committee", "court", "dance", "karate", "library", "skateco", "town"];
/// How long each lives.
const MOMENTS: u64 = 300;

fn source(world: &str) -> Source {
    Source::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/worlds").join(world)).unwrap()
}

/// Runs a world in a directory for so many more moments, and gives its hash.
fn live(world: &str, dir: &Path, threads: usize, moments: u64) -> String {
    let mut living = if Living::is_planted(dir).unwrap() {
        Living::open(dir, threads).unwrap().0
    } else {
        Living::plant(&source(world), None, dir, threads).unwrap()
    };
    let until = Until { moments: Some(moments), ..Until::default() };
    living.run(Course { pace: Pace::Virtual, until, reins: &Reins::default(), watch: None, measures: None }).unwrap();
    let (world, _) = living.stop().unwrap();
    world.hash().to_string()
}

/// How many moments have closed: what only says that others are asked is none.
fn moments(dir: &Path) -> u64 {
    let (store, _) = LogStore::open(dir, Mode::Read).unwrap();
    let is_moment = |entry: &Stored| matches!(entry, Stored::Frame { bytes, .. } if !is_asking(Frame::read(bytes).unwrap().draft()));
    store.read(0).unwrap().filter(|entry| is_moment(entry.as_ref().unwrap())).count() as u64
}

#[test]
fn every_world_that_ships_is_without_warnings() {
    // These live by models: cassettes and the real one let them.
    let all: Vec<String> = WORLDS.iter().chain(&["lighthouse", "salon"]).flat_map(|world| warnings(&source(world))).collect();
    assert!(all.is_empty(), "\n{}\n", all.join("\n"));
}

#[test]
fn every_world_comes_out_the_same_on_one_thread_on_four_and_in_pieces() {
    let temp = tempfile::tempdir().unwrap();
    for world in WORLDS {
        let dir = |name: &str| -> PathBuf { temp.path().join(format!("{world}-{name}")) };
        let whole = live(world, &dir("one"), 1, MOMENTS);
        assert_eq!(live(world, &dir("four"), 4, MOMENTS), whole, "{world} on four threads");
        // A run stops at the end of the round in which its moments are full, wherever the run before it stopped.
        live(world, &dir("pieces"), 2, 0);
        let planted = moments(&dir("pieces"));
        live(world, &dir("pieces"), 2, 100);
        let left = MOMENTS - (moments(&dir("pieces")) - planted).min(MOMENTS);
        let last = live(world, &dir("pieces"), 2, left);
        assert_eq!(last, whole, "{world} in pieces");
    }
}

#[test]
fn every_world_replays_and_folds_again_to_the_same_state() {
    let temp = tempfile::tempdir().unwrap();
    for world in WORLDS {
        let dir = temp.path().join(world);
        let lived = live(world, &dir, 2, MOMENTS);
        let (store, _) = LogStore::open(&dir, Mode::Read).unwrap();
        let id = store.world_file().world;
        let folded = load(&store, id, None, |_, _| {}).unwrap();
        assert_eq!(folded.world.hash().to_string(), lived, "{world} folded again");
        let replayed = replay(&store, id, Thread::default(), &mut |_| {}).unwrap();
        assert_eq!(replayed.difference, None, "{world}");
        assert_eq!((replayed.world.to_string(), replayed.moments), (lived, replayed.frames), "{world} replayed");
    }
}
