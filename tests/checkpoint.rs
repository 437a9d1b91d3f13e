//! Checkpoints: does a world that is opened in the middle of its history go on as the one that was folded from its beginning?

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use proptest::prelude::*;
use reelm::fact::{BeingId, Call, Fact, Master, Seq, Value};
use reelm::past::{Checkpointer, History, Loaded, ToKeep, load, load_from, resume};
use reelm::run::{Course, Living, Pace, Reins, Until};
use reelm::source::Source;
use reelm::store::{Checkpoints, Disk, DiskFile, Keystore, LogStore, Mode, PlainDisk, Store, Stored};
use reelm::world::World;

use super::kit::{self, Small};
use super::terminal::{Terminal, package};

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

/// Goes on, and leaves a checkpoint at its end as every clean stop does.
pub fn go_on(dir: &Path, moments: u64) {
    let mut living = Living::open(dir, 1).unwrap().0;
    run(&mut living, moments);
    living.stop().unwrap();
}

/// Goes on as a process that was killed: no checkpoint is left.
pub fn go_on_unkept(dir: &Path, moments: u64) {
    unkept(dir, || go_on(dir, moments));
}

/// Does something of which no checkpoint is left.
pub fn unkept(dir: &Path, work: impl FnOnce()) {
    let kept: Vec<(PathBuf, Vec<u8>)> = files(dir).into_iter().map(|file| (file.clone(), std::fs::read(&file).unwrap())).collect();
    work();
    files(dir).into_iter().for_each(|file| std::fs::remove_file(file).unwrap());
    kept.into_iter().for_each(|(file, bytes)| std::fs::write(file, bytes).unwrap());
}

fn store(dir: &Path) -> LogStore {
    LogStore::open(dir, Mode::Read).unwrap().0
}

fn whole(dir: &Path) -> Loaded {
    let store = store(dir);
    load(&store, store.world_file().world, None, |_, _| {}).unwrap()
}

/// Keeps one checkpoint, of the world as it is, and no other.
pub fn keep(dir: &Path) {
    let _ = std::fs::remove_dir_all(dir.join("checkpoints"));
    keep_as(dir, master(dir), stand(dir));
}

fn master(dir: &Path) -> Master {
    Master::new(*Keystore::load(dir).unwrap().master)
}

/// The world as it is, to be kept.
fn stand(dir: &Path) -> ToKeep {
    let Loaded { world, chain, blobs, .. } = whole(dir);
    ToKeep { world: world.into(), chain, blobs, border: *store(dir).ending() }
}

fn keep_as(dir: &Path, master: Master, kept: ToKeep) {
    Checkpointer::new(dir, master).finish(Some(kept));
}

/// The seqs of a world's checkpoints, newest first.
fn rungs(dir: &Path) -> Vec<Seq> {
    History::of(dir).unwrap().checkpoints()
}

/// All that a world is: what its checkpoint would hold, and what follows from that.
fn picture(world: &World) -> (String, Vec<Vec<u8>>) {
    let mut pages = Vec::new();
    world.write_checkpoint(&World::new(world.id()), &mut |_, page| pages.push(page));
    (format!("{world:?}"), pages)
}

/// How many frames are folded when the world is opened, after which its state must be that of the whole history.
fn folded(dir: &Path) -> u64 {
    let mut frames = 0;
    let resumed = resume(dir, &store(dir), None, &mut |_| frames += 1).unwrap();
    let whole = whole(dir);
    assert_eq!((resumed.world.hash(), resumed.chain.head(), resumed.blobs), (whole.world.hash(), whole.chain.head(), whole.blobs));
    let ((one, pages), (other, others)) = (picture(&resumed.world), picture(&whole.world));
    let at = one.bytes().zip(other.bytes()).take_while(|(one, other)| one == other).count().saturating_sub(80);
    let around = |text: &str| text.get(at..(at + 240).min(text.len())).unwrap_or_default().to_owned();
    assert!(one == other, "an index differs:\n{}\n{}", around(&one), around(&other));
    assert!(pages == others, "what a checkpoint would hold differs");
    frames
}

pub fn end(dir: &Path) -> Seq {
    store(dir).ending().seq
}

/// The files of the checkpoints, the oldest first.
pub fn files(dir: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(dir.join("checkpoints")).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

#[test]
fn every_world_that_ships_goes_on_from_a_checkpoint_as_from_its_beginning() {
    let temp = tempfile::tempdir().unwrap();
    for world in ["court", "dance", "karate", "library", "skateco", "town"] {
        let dir = temp.path().join(world);
        plant(world, &dir, kit::size(30, 300));
        assert_eq!(folded(&dir), 0, "{world}: a clean stop leaves one");
        let mut living = Living::open(&dir, 1).unwrap().0;
        run(&mut living, kit::size(20, 200));
        let (world_after, _) = living.stop().unwrap();
        assert_eq!(folded(&dir), 0, "{world}");
        // The memory is no part of the world hash: it is compared by itself.
        assert_eq!(whole(&dir).world.memory(), world_after.memory(), "{world}");
    }
}

#[test]
fn the_past_is_folded_from_the_checkpoint_before_it() {
    let temp = tempfile::tempdir().unwrap();
    plant("skateco", temp.path(), 200);
    keep(temp.path());
    let at = end(temp.path());
    go_on_unkept(temp.path(), 200);
    let count = |below: Seq| {
        let mut frames = 0;
        let resumed = resume(temp.path(), &store(temp.path()), Some(below), &mut |_| frames += 1).unwrap();
        assert_eq!(resumed.world.next_seq(), below);
        frames
    };
    assert_eq!((count(at), count(at + 10), count(at - 10)), (0, 10, at - 10));
}

/// A world that was stopped often, so that its ladder has many rungs, some of everything and some of what changed.
fn climbed(dir: &Path, stops: u64) {
    plant("skateco", dir, 60);
    for stop in 0..stops {
        go_on(dir, 5 + stop * 7 % 13);
    }
}

#[test]
fn the_state_at_any_seq_is_the_same_whichever_rungs_are_left() {
    let temp = tempfile::tempdir().unwrap();
    let dir = temp.path().join("world");
    climbed(&dir, 14);
    let all = files(&dir);
    let is_on_another = |file: &PathBuf| file.file_name().unwrap().to_str().unwrap().contains('-');
    assert!(all.iter().any(is_on_another) && all.len() > 5, "{all:?}");
    let bytes: Vec<Vec<u8>> = all.iter().map(|file| std::fs::read(file).unwrap()).collect();
    let (store, end) = (store(&dir), end(&dir));
    let id = store.world_file().world;
    proptest!(kit::cases(2, 24), |(at in 0..=end, left in prop::collection::vec(any::<bool>(), all.len()))| {
        for ((file, bytes), is_left) in all.iter().zip(&bytes).zip(&left) {
            let _ = std::fs::remove_file(file);
            if *is_left {
                std::fs::write(file, bytes).unwrap();
            }
        }
        let resumed = resume(&dir, &store, Some(at), &mut |_| {}).unwrap();
        let folded = load(&store, id, Some(at), |_, _| {}).unwrap();
        prop_assert_eq!((resumed.world.hash(), resumed.chain.head(), &resumed.blobs), (folded.world.hash(), folded.chain.head(), &folded.blobs));
        prop_assert!(picture(&resumed.world) == picture(&folded.world), "another picture at {}", at);
    });
}

#[test]
fn a_rung_that_is_damaged_cut_gone_or_of_another_world_is_not_used_and_the_next_below_it_is() {
    let temp = tempfile::tempdir().unwrap();
    let (dir, other) = (temp.path().join("world"), temp.path().join("other"));
    climbed(&dir, 6);
    plant("court", &other, 40);
    let (newest, below) = (files(&dir).pop().unwrap(), rungs(&dir)[1]);
    let whole = std::fs::read(&newest).unwrap();
    let foreign = std::fs::read(files(&other).pop().unwrap()).unwrap();
    let mut spoilt: Vec<(String, Option<Vec<u8>>)> = vec![("gone".into(), None), ("of another world".into(), Some(foreign))];
    for at in (0..whole.len()).step_by(1 + whole.len() / kit::size(10, 40)) {
        let mut flipped = whole.clone();
        flipped[at] ^= 0x10;
        spoilt.push((format!("flipped at {at}"), Some(flipped)));
        spoilt.push((format!("cut at {at}"), Some(whole[..at].to_vec())));
    }
    spoilt.push(("with something behind it".into(), Some([whole.as_slice(), b"more"].concat())));
    let end = end(&dir);
    for (what, bytes) in spoilt {
        std::fs::remove_file(&newest).unwrap();
        bytes.into_iter().for_each(|bytes| std::fs::write(&newest, bytes).unwrap());
        let mut frames = 0;
        let resumed = resume(&dir, &store(&dir), None, &mut |_| frames += 1).unwrap();
        assert_eq!((frames, resumed.world.next_seq()), (end - below, end), "{what}");
        std::fs::write(&newest, &whole).unwrap();
    }
    assert_eq!(folded(&dir), 0);
}

#[test]
fn what_stands_on_a_rung_that_is_gone_or_was_replaced_is_not_used() {
    let temp = tempfile::tempdir().unwrap();
    let dir = temp.path();
    climbed(dir, 14);
    let all = files(dir);
    let name = |file: &PathBuf| file.file_name().unwrap().to_str().unwrap().to_owned();
    // The newest that holds everything, with something on it.
    let whole = all.iter().rfind(|file| all.iter().any(|above| name(above).contains(&format!("-{}", name(file))))).unwrap();
    let bytes = std::fs::read(whole).unwrap();
    std::fs::remove_file(whole).unwrap();
    assert!(folded(dir) > 0);
    std::fs::write(whole, bytes).unwrap();
    assert_eq!(folded(dir), 0);
    // Another rung of the same world under its name: whoever stands on a rung names it by its hash.
    std::fs::copy(all.iter().rfind(|file| !name(file).contains('-') && file != &whole).unwrap_or(&all[0]), whole).unwrap();
    assert!(folded(dir) > 0);
}

#[test]
fn a_rung_stands_on_the_one_that_it_names_and_on_no_other_of_that_seq() {
    let temp = tempfile::tempdir().unwrap();
    let [one, other] = ["one", "other"].map(|name| temp.path().join(name));
    for dir in [&one, &other] {
        plant("karate", dir, 60);
    }
    let touch = |dir: &Path, path: &str| {
        let mut living = Living::open(dir, 1).unwrap().0;
        let args = serde_json::from_str(&format!(r#"{{"path":"{path}"}}"#)).unwrap();
        living.act("operator", Call::doing("@operator", "quality.inc", args)).unwrap();
        living.stop().unwrap();
    };
    // Two pasts of one world with the same keys, which part for one act.
    for (dir, path) in [(&one, "t.n"), (&one, "t.n"), (&other, "t.m"), (&other, "t.n")] {
        touch(dir, path);
    }
    let below = files(&one).len() - 2;
    assert_eq!(files(&one)[below].file_name(), files(&other)[below].file_name());
    assert_eq!(folded(&one), 0);
    std::fs::copy(&files(&other)[below], &files(&one)[below]).unwrap();
    assert!(folded(&one) > 0);
}

#[test]
fn a_checkpoint_that_cannot_be_written_costs_time_and_nothing_else() {
    let temp = tempfile::tempdir().unwrap();
    let dir = temp.path();
    plant("karate", dir, 100);
    // No file can be put where a file already lies in the way of their directory.
    std::fs::remove_dir_all(dir.join("checkpoints")).unwrap();
    std::fs::write(dir.join("checkpoints"), "in the way").unwrap();
    go_on(dir, 50);
    assert_eq!(folded(dir), end(dir));
    std::fs::remove_file(dir.join("checkpoints")).unwrap();
    go_on(dir, 1);
    assert_eq!(folded(dir), 0);
}

#[test]
fn what_a_killed_process_has_half_written_is_no_rung_and_is_cleared_away() {
    let temp = tempfile::tempdir().unwrap();
    let dir = temp.path();
    plant("karate", dir, 100);
    let rung = files(dir).pop().unwrap();
    let half = std::fs::read(&rung).unwrap();
    let mut beside = rung.clone().into_os_string();
    beside.push(".new");
    std::fs::write(&beside, &half[..half.len() / 2]).unwrap();
    assert_eq!(folded(dir), 0);
    go_on(dir, 5);
    assert!(!Path::new(&beside).exists());
}

#[test]
fn many_short_runs_do_not_pile_up_files() {
    let temp = tempfile::tempdir().unwrap();
    let dir = temp.path();
    plant("court", dir, 20);
    let mut most = 0;
    for _ in 0..90 {
        let mut living = Living::open(dir, 1).unwrap().0;
        living.act("operator", Call::doing("@operator", "quality.inc", serde_json::from_str(r#"{"path":"t.n"}"#).unwrap())).unwrap();
        living.stop().unwrap();
        most = most.max(files(dir).len());
    }
    assert!(most <= 70, "{most}");
    assert_eq!(folded(dir), 0);
    let taken: BTreeSet<Seq> = rungs(dir).into_iter().collect();
    assert!(taken.contains(&end(dir)));
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
    std::fs::remove_dir_all(one.join("checkpoints")).unwrap();
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
        let spec = format!(
            r#"{{"name":"{role}","role":{{"name":"{role}","triggerOn":["message","signal","schedule","watch","hear","enter","arrival"]}}}}"#
        );
        Call::doing("/factory", "role.set", serde_json::from_str(&spec).unwrap())
    };
    for role in &worn {
        assert_eq!(living.act("operator", local(role)).unwrap().closing.word(), "act");
    }
    let heard = living.world().beings().filter(|being| being.listens.len() > 1).count();
    assert!(heard > 1, "nobody came to listen by it");
    living.stop().unwrap();
    assert_eq!(folded(temp.path()), 0);
}

#[test]
fn a_checkpoint_that_holds_another_world_than_the_log_is_named_by_whoever_walks_all_of_it() {
    let terminal = Terminal::with_world("court", 20);
    let dir = terminal.path("world");
    go_on(&dir, 10);
    terminal.types("verify").ok();
    std::fs::remove_dir_all(dir.join("checkpoints")).unwrap();
    let Loaded { world, chain, blobs, .. } = whole(&dir);
    let paused = world.imagine(BeingId::WORLD, (world.next_seq(), 0), world.at(), &[Fact::Paused { of: None, writes: false }]);
    let master = Master::new(*Keystore::load(&dir).unwrap().master);
    keep_as(&dir, master, ToKeep { world: paused.into(), chain, blobs, border: *store(&dir).ending() });
    let said = terminal.types("verify").fails(3);
    assert!(said.out.contains("the checkpoint of frame"), "{}", said.out);
}

#[test]
#[ignore = "long: each hundredth byte of a checkpoint is turned"]
fn no_byte_of_a_rung_can_be_another() {
    let temp = tempfile::tempdir().unwrap();
    let dir = temp.path();
    plant("court", dir, 10);
    keep(dir);
    let rung = files(dir).remove(0);
    let bytes = std::fs::read(&rung).unwrap();
    let (store, end) = (store(dir), end(dir));
    let mut frames = 0;
    // Its beginning, and of the rest here and there: all of it is under the signature, or under a hash that is.
    for at in (0..64).chain((64..bytes.len()).step_by(1 + bytes.len() / 100)) {
        let mut flipped = bytes.clone();
        flipped[at] ^= 0x10;
        std::fs::write(&rung, flipped).unwrap();
        frames = 0;
        resume(dir, &store, None, &mut |_| frames += 1).unwrap();
        assert_eq!(frames, end, "byte {at}");
    }
    assert_ne!(frames, 0);
}

#[test]
fn a_rung_that_says_another_seq_than_its_name_is_not_believed() {
    let temp = tempfile::tempdir().unwrap();
    plant("court", temp.path(), 50);
    keep(temp.path());
    let rung = files(temp.path()).remove(0);
    let name = rung.file_stem().unwrap().to_str().unwrap();
    let digit = if name.ends_with('1') { '0' } else { '1' };
    let other = rung.with_file_name(format!("{}{digit}.rung", &name[..name.len() - 1]));
    assert_ne!(rung, other);
    std::fs::rename(&rung, &other).unwrap();
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
    std::fs::remove_dir_all(one.path().join("checkpoints")).unwrap();
    std::fs::rename(other.path().join("checkpoints"), one.path().join("checkpoints")).unwrap();
    assert_eq!(folded(one.path()), end(one.path()));
}

#[test]
fn a_rung_costs_what_has_changed_and_not_the_world() {
    let temp = tempfile::tempdir().unwrap();
    plant("town", temp.path(), 300);
    let size = |file: &PathBuf| std::fs::metadata(file).unwrap().len();
    keep(temp.path());
    let whole = size(&files(temp.path())[0]);
    go_on(temp.path(), 5);
    let above = files(temp.path()).pop().unwrap();
    assert!(size(&above) * 5 < whole, "{} of {whole}", size(&above));
    assert_eq!(folded(temp.path()), 0);
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
    assert_eq!(rungs(&dir).len(), 2);
    let segment = std::fs::OpenOptions::new().write(true).open(dir.join("log/0000000000000000.seg")).unwrap();
    segment.set_len(cut).unwrap();

    Living::open_with(&dir, 1, true).unwrap().0.stop().unwrap();
    go_on(&dir, 60);
    let known = rungs(&dir);
    assert!(known.contains(&kept) && known.iter().all(|seq| *seq >= kept), "{known:?}");
    assert_eq!(folded(&dir), 0, "what tells of the other past is gone, and what the two have in common stays");
}

/// The disk, on which there is no room as long as it is full: what is written then is there in part.
struct FullDisk {
    is_full: AtomicBool,
    has_failed: Arc<AtomicBool>,
}

struct FullFile(Arc<dyn DiskFile>, Arc<AtomicBool>);

impl DiskFile for FullFile {
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read_at(offset, buffer)
    }

    fn write_at(&self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        self.0.write_at(offset, &bytes[..bytes.len() / 2])?;
        self.1.store(true, Ordering::Release);
        Err(io::ErrorKind::StorageFull.into())
    }

    fn sync(&self) -> io::Result<()> {
        self.0.sync()
    }

    fn len(&self) -> io::Result<u64> {
        self.0.len()
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        self.0.set_len(len)
    }
}

impl Disk for FullDisk {
    fn open(&self, path: &Path, write: bool) -> io::Result<Arc<dyn DiskFile>> {
        PlainDisk.open(path, write)
    }

    fn create(&self, path: &Path) -> io::Result<Arc<dyn DiskFile>> {
        let file = PlainDisk.create(path)?;
        Ok(if self.is_full.load(Ordering::Acquire) { Arc::new(FullFile(file, self.has_failed.clone())) } else { file })
    }

    fn names(&self, dir: &Path) -> io::Result<Vec<String>> {
        PlainDisk.names(dir)
    }

    fn create_dir(&self, dir: &Path) -> io::Result<()> {
        PlainDisk.create_dir(dir)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        PlainDisk.remove(path)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        PlainDisk.rename(from, to)
    }

    fn sync_dir(&self, dir: &Path) -> io::Result<()> {
        PlainDisk.sync_dir(dir)
    }

    fn is_dir(&self, dir: &Path) -> bool {
        PlainDisk.is_dir(dir)
    }
}

#[test]
fn on_a_full_disk_a_rung_is_left_out_the_world_goes_on_and_a_later_one_is_written() {
    let temp = tempfile::tempdir().unwrap();
    let dir = temp.path();
    plant("dance", dir, 50);
    let disk = Arc::new(FullDisk { is_full: true.into(), has_failed: Arc::default() });
    let _ = std::fs::remove_dir_all(dir.join("checkpoints"));
    let checkpointer = Checkpointer::over(Checkpoints::on(disk.clone(), dir), master(dir));
    checkpointer.write(stand(dir));
    kit::until("a rung is begun and given up", || disk.has_failed.load(Ordering::Acquire) && files(dir).is_empty());
    assert!(folded(dir) > 50, "half of one is none, and goes");
    go_on_unkept(dir, 20);
    disk.is_full.store(false, Ordering::Release);
    checkpointer.write(stand(dir));
    checkpointer.finish(None);
    assert_eq!((files(dir).len(), folded(dir)), (1, 0), "the next one holds everything");
}
