//! Worlds: does every world that ships live, repeat itself on any number of threads, and replay?

use std::path::{Path, PathBuf};

use reelm::fact::{Closing, Code, Frame};
use reelm::moment::is_asking;
use reelm::past::load;
use reelm::replay::{Thread, replay};
use reelm::run::{Course, Living, Pace, Reins, Until};
use reelm::source::{Source, warnings};
use reelm::store::{LogStore, Mode, Store, Stored};

use super::kit;

const WORLDS: &[&str] = &["committee", "court", "dance", "karate", "library", "skateco", "town"];
/// How many moments each lives.
fn moments_of_each() -> u64 {
    kit::size(30, 300)
}

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
    let all: Vec<String> = WORLDS.iter().chain(&["desk", "lighthouse", "salon"]).flat_map(|world| warnings(&source(world))).collect();
    assert!(all.is_empty(), "\n{}\n", all.join("\n"));
}

#[test]
fn every_world_comes_out_the_same_on_one_thread_on_four_and_in_pieces() {
    let temp = tempfile::tempdir().unwrap();
    for world in WORLDS {
        let dir = |name: &str| -> PathBuf { temp.path().join(format!("{world}-{name}")) };
        let whole = live(world, &dir("one"), 1, moments_of_each());
        assert_eq!(live(world, &dir("four"), 4, moments_of_each()), whole, "{world} on four threads");
        // A run stops at the end of the round in which its moments are full, wherever the run before it stopped.
        live(world, &dir("pieces"), 2, 0);
        let planted = moments(&dir("pieces"));
        live(world, &dir("pieces"), 2, moments_of_each() / 3);
        let left = moments_of_each().saturating_sub(moments(&dir("pieces")) - planted);
        let last = live(world, &dir("pieces"), 2, left);
        assert_eq!(last, whole, "{world} in pieces");
    }
}

#[test]
fn every_world_replays_and_folds_again_to_the_same_state() {
    let temp = tempfile::tempdir().unwrap();
    for world in WORLDS {
        let dir = temp.path().join(world);
        let lived = live(world, &dir, 2, moments_of_each());
        let (store, _) = LogStore::open(&dir, Mode::Read).unwrap();
        let id = store.world_file().world;
        let folded = load(&store, id, None, |_, _| {}).unwrap();
        assert_eq!(folded.world.hash().to_string(), lived, "{world} folded again");
        let replayed = replay(&store, id, Thread::default(), &mut |_| {}).unwrap();
        assert_eq!(replayed.difference, None, "{world}");
        assert_eq!((replayed.world.to_string(), replayed.moments), (lived, replayed.frames), "{world} replayed");
    }
}

/// A refusal that is meant: an action, a code, and the reason.
type IntendedRefusal = (&'static str, &'static str, &'static str);

/// How long each world that ships is run, in the quick tests and in the long ones, and what it refuses on purpose.
const INTENDED: &[(&str, [&str; 2], &[IntendedRefusal])] = &[
    ("committee", ["1d", "1d"], &[]),
    ("court", ["1h", "1d"], &[]),
    // Of two dancers who want one place in the same round the second is refused: the place is asked for when the step is taken.
    ("dance", ["1m", "10m"], &[("harmony:step", "operation-refused", "somebody stands there by now")]),
    ("karate", ["1h", "1d"], &[]),
    ("library", ["1h", "1d"], &[]),
    ("skateco", ["20m", "1d"], &[]),
    ("town", ["1m", "5m"], &[]),
];

#[test]
fn no_world_that_ships_refuses_what_its_author_did_not_mean_to_be_refused() {
    let mut found = Vec::new();
    for (world, [quick, long], intended) in INTENDED {
        let temp = tempfile::tempdir().unwrap();
        let mut living = Living::plant(&source(world), None, temp.path(), 2).unwrap();
        let until = Until { duration: reelm::fact::parse_duration(kit::size(quick, long)), ..Until::default() };
        let ran = living.run(Course { pace: Pace::Virtual, until, reins: &Reins::default(), watch: None, measures: None }).unwrap();
        living.stop().unwrap();
        assert!(ran.tally.moments() > 0 && ran.tally.failures().is_none(), "{world}: {}", ran.tally);
        assert_eq!(ran.held.get(&Code::BrakeTripped), None, "{world}: nobody is held");
        let (store, _) = LogStore::open(temp.path(), Mode::Read).unwrap();
        let mut seen = std::collections::BTreeSet::new();
        for entry in store.read(0).unwrap() {
            let Stored::Frame { bytes, .. } = entry.unwrap() else { continue };
            let frame = Frame::read(&bytes).unwrap();
            let draft = frame.draft();
            let Closing::Refused(reason) = &draft.closing else { continue };
            let (call, code) = (draft.call.as_ref().unwrap(), reason.code.word());
            let action = if call.action.is_empty() { call.verb.word() } else { call.action.as_ref() };
            match intended.iter().position(|(one, with, _)| *one == action && *with == code) {
                Some(at) => drop(seen.insert(at)),
                None => found.push(format!("{world}: #{} {action} on {} ({reason})", draft.seq, call.target)),
            }
        }
        assert_eq!(seen.len(), intended.len(), "{world}: what is listed as intended happens");
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn the_worlds_of_models_refuse_nothing_by_what_their_cassettes_answer() {
    for (world, long) in [("lighthouse", "1h"), ("salon", "3m")] {
        let terminal = super::terminal::Terminal::new();
        terminal.types(&format!("run $worlds/{world} --for {long} --quiet --from {}", cassette(world))).ok();
        assert_eq!(terminal.types("find --raw --closing refused").ok(), "", "{world}");
    }
}

fn cassette(world: &str) -> String {
    format!("{}/fixtures/cassettes/{world}.jsonl", env!("CARGO_MANIFEST_DIR"))
}
