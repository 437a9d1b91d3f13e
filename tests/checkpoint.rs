//! Checkpoints: does a world that is opened in the middle of its history go on as the one that was folded from its beginning?

use std::path::{Path, PathBuf};

use reelm::fact::{Call, Master, Seq, Value};
use reelm::past::{Checkpointer, Loaded, checkpointed, load, load_from, resume};
use reelm::run::{Course, Living, Pace, Reins, Until};
use reelm::source::Source;
use reelm::store::{Keystore, LogStore, Mode, Store, Stored};

use super::kit::Small;
use super::terminal::package;

fn run(living: &mut Living, moments: u64) {
    let until = Until { moments: Some(moments), ..Until::default() };
    living.run(Course { pace: Pace::Virtual, until, reins: &Reins::default(), watch: None, measures: None }).unwrap();
}

fn plant(world: &str, dir: &Path, moments: u64) {
    let source = Source::read(&package().join("fixtures/worlds").join(world)).unwrap();
    let mut living = Living::plant(&source, None, dir, 1).unwrap();
    run(&mut living, moments);
    living.stop().unwrap();
}

pub fn go_on(dir: &Path, moments: u64) {
    let mut living = Living::open(dir, 1).unwrap().0;
    run(&mut living, moments);
    living.stop().unwrap();
}

fn store(dir: &Path) -> LogStore {
    LogStore::open(dir, Mode::Read).unwrap().0
}

fn whole(dir: &Path) -> Loaded {
    let store = store(dir);
    load(&store, store.world_file().world, None, |_, _| {}).unwrap()
}

/// Keeps a checkpoint of the world as it is.
pub fn keep(dir: &Path) {
    let master = Master::new(*Keystore::load(dir).unwrap().master);
    let Loaded { world, chain, blobs } = whole(dir);
    Checkpointer::new(dir, master).write(world.into(), chain, blobs);
}

/// How many frames are folded when the world is opened, after which its state must be that of the whole history.
fn folded(dir: &Path) -> u64 {
    let mut frames = 0;
    let resumed = resume(dir, &store(dir), None, &mut |_| frames += 1).unwrap();
    let whole = whole(dir);
    assert_eq!((resumed.world.hash(), resumed.chain.head(), resumed.blobs), (whole.world.hash(), whole.chain.head(), whole.blobs));
    assert!(format!("{:?}", resumed.world) == format!("{:?}", whole.world), "an index differs");
    frames
}

pub fn end(dir: &Path) -> Seq {
    store(dir).ending().seq
}

pub fn files(dir: &Path, kind: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(dir.join("checkpoints")).unwrap().map(|entry| entry.unwrap().path());
    entries.filter(|path| path.extension().is_some_and(|extension| extension == kind)).collect()
}

#[test]
fn every_world_that_ships_goes_on_from_a_checkpoint_as_from_its_beginning() {
    let temp = tempfile::tempdir().unwrap();
    for world in ["court", "dance", "karate", "library", "skateco", "town"] {
        let dir = temp.path().join(world);
        plant(world, &dir, 300);
        keep(&dir);
        assert_eq!(folded(&dir), 0, "{world}");
        let mut living = Living::open(&dir, 1).unwrap().0;
        run(&mut living, 200);
        let (world_after, _) = living.stop().unwrap();
        assert!(folded(&dir) < end(&dir), "{world}");
        // What is recalled is no part of the world hash: it is compared by itself.
        let (store, _) = LogStore::open(&dir, Mode::Read).unwrap();
        let whole = load(&store, store.world_file().world, None, |_, _| {}).unwrap();
        assert_eq!(whole.world.memory(), world_after.memory(), "{world}");
    }
}

#[test]
fn the_past_is_folded_from_the_checkpoint_before_it() {
    let temp = tempfile::tempdir().unwrap();
    plant("skateco", temp.path(), 200);
    keep(temp.path());
    let at = end(temp.path());
    run(&mut Living::open(temp.path(), 1).unwrap().0, 200);
    let count = |below: Seq| {
        let mut frames = 0;
        let resumed = resume(temp.path(), &store(temp.path()), Some(below), &mut |_| frames += 1).unwrap();
        assert_eq!(resumed.world.next_seq(), below);
        frames
    };
    assert_eq!((count(at), count(at + 10), count(at - 10)), (0, 10, at - 10));
}

#[test]
fn a_checkpoint_of_another_past_is_used_for_no_seq_not_even_for_its_own() {
    let temp = tempfile::tempdir().unwrap();
    let (one, two) = (temp.path().join("one"), temp.path().join("two"));
    plant("skateco", &one, 300);
    // The same keys, and another history, which ends inside a group of the first.
    plant("skateco", &two, 100);
    let opened = store(&one);
    let entries = opened.read(0).unwrap().map(Result::unwrap);
    let ends: Vec<Seq> =
        entries.filter_map(|entry| if let Stored::Commit { commit, .. } = entry { Some(commit.end_seq) } else { None }).collect();
    let mut living = Living::open(&two, 1).unwrap().0;
    let act = || Call::doing("@operator", "quality.inc", serde_json::from_str(r#"{"path":"t.n"}"#).unwrap());
    living.act("operator", act()).unwrap();
    while ends.contains(&living.world().next_seq()) {
        living.act("operator", act()).unwrap();
    }
    living.stop().unwrap();
    keep(&two);
    std::fs::rename(two.join("checkpoints"), one.join("checkpoints")).unwrap();
    let (store, below) = (store(&one), end(&two));
    assert!(below < end(&one));
    let own = load(&store, store.world_file().world, Some(below), |_, _| {}).unwrap();
    assert_eq!(resume(&one, &store, Some(below), &mut |_| {}).unwrap().world.hash(), own.world.hash());
}

#[test]
fn who_listens_by_a_version_of_a_role_for_one_space_listens_after_a_checkpoint_too() {
    let temp = tempfile::tempdir().unwrap();
    plant("skateco", temp.path(), 200);
    let mut living = Living::open(temp.path(), 1).unwrap().0;
    let worn: Vec<String> = living.world().beings().flat_map(|being| being.wearing.iter().map(|role| role.to_string())).collect();
    let local = |role: &String| {
        let spec = format!(r#"{{"name":"{role}","role":{{"name":"{role}","triggerOn":["message","hear","enter","arrival"]}}}}"#);
        Call::doing("/factory", "role.set", serde_json::from_str(&spec).unwrap())
    };
    for role in &worn {
        assert_eq!(living.act("operator", local(role)).unwrap().closing, "act");
    }
    let heard = living.world().beings().filter(|being| being.listens.len() > 1).count();
    assert!(heard > 1, "nobody came to listen by it");
    living.stop().unwrap();
    keep(temp.path());
    assert_eq!(folded(temp.path()), 0);
}

#[test]
fn a_page_that_is_damaged_or_gone_costs_time_and_nothing_else() {
    let temp = tempfile::tempdir().unwrap();
    plant("karate", temp.path(), 200);
    keep(temp.path());
    let pages = files(temp.path(), "page");
    assert!(pages.len() > 4);
    for page in pages {
        let bytes = std::fs::read(&page).unwrap();
        let mut flipped = bytes.clone();
        flipped[bytes.len() / 2] ^= 1;
        std::fs::write(&page, flipped).unwrap();
        assert_eq!(folded(temp.path()), end(temp.path()));
        std::fs::remove_file(&page).unwrap();
        assert_eq!(folded(temp.path()), end(temp.path()));
        std::fs::write(&page, bytes).unwrap();
    }
    assert_eq!(folded(temp.path()), 0);
}

#[test]
fn no_byte_of_a_manifest_can_be_another() {
    let temp = tempfile::tempdir().unwrap();
    plant("court", temp.path(), 50);
    keep(temp.path());
    let manifest = files(temp.path(), "manifest").remove(0);
    let bytes = std::fs::read(&manifest).unwrap();
    assert_eq!(checkpointed(temp.path(), &store(temp.path())).len(), 1);
    for at in 0..bytes.len() {
        let mut flipped = bytes.clone();
        flipped[at] ^= 0x10;
        std::fs::write(&manifest, flipped).unwrap();
        assert_eq!(checkpointed(temp.path(), &store(temp.path())), [], "byte {at}");
    }
}

#[test]
fn a_manifest_that_says_another_seq_than_its_name_is_not_believed() {
    let temp = tempfile::tempdir().unwrap();
    plant("court", temp.path(), 50);
    keep(temp.path());
    let manifest = files(temp.path(), "manifest").remove(0);
    let name = manifest.file_stem().unwrap().to_str().unwrap();
    let digit = if name.ends_with('1') { '2' } else { '1' };
    let other = manifest.with_file_name(format!("{}{digit}.manifest", &name[..name.len() - 1]));
    assert_ne!(manifest, other);
    std::fs::rename(&manifest, &other).unwrap();
    assert_eq!(checkpointed(temp.path(), &store(temp.path())), []);
    assert_eq!(folded(temp.path()), end(temp.path()));
}

#[test]
fn a_checkpoint_of_another_history_is_not_believed() {
    let (one, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    // The same world with the same keys, one of them with an operator's act that the other has not.
    for dir in [one.path(), other.path()] {
        plant("court", dir, 50);
    }
    let say = |dir: &Path, what: &str| {
        let args = serde_json::from_value(serde_json::json!({ "content": what })).unwrap();
        let mut living = Living::open(dir, 1).unwrap().0;
        living.act("operator", reelm::fact::Call::doing("/", "say", args)).unwrap();
        living.stop().unwrap();
    };
    say(one.path(), "this");
    say(other.path(), "that");
    assert_eq!(end(one.path()), end(other.path()));
    keep(other.path());
    std::fs::rename(other.path().join("checkpoints"), one.path().join("checkpoints")).unwrap();
    assert_eq!(folded(one.path()), end(one.path()));
}

#[test]
fn a_long_run_leaves_checkpoints_that_share_pages() {
    let temp = tempfile::tempdir().unwrap();
    plant("karate", temp.path(), 300);
    keep(temp.path());
    let first = files(temp.path(), "page").len();
    let mut living = Living::open(temp.path(), 1).unwrap().0;
    run(&mut living, 10);
    living.stop().unwrap();
    keep(temp.path());
    assert_eq!(checkpointed(temp.path(), &store(temp.path())).len(), 2);
    assert!(files(temp.path(), "page").len() < 2 * first, "nothing is shared");
}

#[test]
fn a_history_that_is_read_in_two_parts_is_the_same_wherever_they_meet() {
    let mut small = Small::plant("");
    for letter in ["a", "b"] {
        let long = Value::from(letter.repeat(5_000));
        small.operate("/", "quality.set", Value::map([("path", Value::from("t.long")), ("value", long)]));
    }
    let whole = load(&small.shelf, small.id, None, |_, _| {}).unwrap();
    for meet in 0..=whole.chain.next() {
        let first = load(&small.shelf, small.id, Some(meet), |_, _| {}).unwrap();
        let both = load_from(&small.shelf, first, None, |_, _| {}).unwrap_or_else(|error| panic!("from {meet} on: {error}"));
        assert_eq!((both.world.hash(), both.chain.head(), &both.blobs), (whole.world.hash(), whole.chain.head(), &whole.blobs), "{meet}");
    }
}

#[test]
fn a_checkpoint_of_a_past_that_is_gone_goes_with_it_when_the_loss_is_accepted() {
    let temp = tempfile::tempdir().unwrap();
    let dir = temp.path().join("court");
    plant("court", &dir, 20);
    keep(&dir);
    let (kept, cut) = (end(&dir), store(&dir).ending().position.offset);
    go_on(&dir, 40);
    keep(&dir);
    assert_eq!(checkpointed(&dir, &store(&dir)).len(), 2);
    let segment = std::fs::OpenOptions::new().write(true).open(dir.join("log/0000000000000000.seg")).unwrap();
    segment.set_len(cut).unwrap();

    Living::open_with(&dir, 1, true).unwrap().0.stop().unwrap();
    go_on(&dir, 60);
    let known: Vec<Seq> = checkpointed(&dir, &store(&dir)).into_iter().map(|(seq, _)| seq).collect();
    assert_eq!(known, [kept], "what tells of the other past is gone, and what the two have in common stays");
    assert!(folded(&dir) > 0);
}
