//! Copy: do a log and its copy outside always come to one end, whichever of them was cut off, and is a copy that lies found before
//! anything of it is kept?

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use proptest::prelude::*;
use reelm::fact::Hash;
use reelm::run::{Course, Living, Pace, Reins, Until};
use reelm::store::{
    CopiedGroup, CopyEnd, CopyKeeper, Durability, Ending, Group, GroupTaker, Keeper, Lease, LogCopy, LogStore, Mode, Options, OwnerFile,
    Replica, ReplicaStatus, Store, StoreError, WorldFile,
};

use super::backup::groups;
use super::kit::{cases, source};

/// All that servers keep of one world.
#[derive(Default)]
struct CopyContents {
    groups: Vec<CopiedGroup>,
    lease: Option<Lease>,
}

/// A copy in memory, as one process holds it.
#[derive(Clone, Default)]
struct MemoryCopy {
    kept: Arc<Mutex<CopyContents>>,
    /// How many groups this process knows of.
    last: usize,
}

impl Replica for MemoryCopy {
    fn put(&mut self, group: &CopiedGroup) -> Result<(), StoreError> {
        let mut kept = self.kept.lock().unwrap();
        if kept.groups.len() != self.last {
            return Err(StoreError::Fenced { who: "another".into(), epoch: 2 });
        }
        kept.groups.push(group.clone());
        self.last += 1;
        Ok(())
    }
}

impl LogCopy for MemoryCopy {
    fn named(&self) -> PathBuf {
        "the copy".into()
    }

    fn end(&mut self) -> Result<Option<CopyEnd>, StoreError> {
        let kept = self.kept.lock().unwrap();
        self.last = kept.groups.len();
        Ok(kept.groups.last().map(|group| CopyEnd { number: group.number, commit: group.commit, seq: group.end_seq }))
    }

    fn commit(&self, number: u64) -> Result<Option<Hash>, StoreError> {
        Ok(self.kept.lock().unwrap().groups.iter().find(|group| group.number == number).map(|group| group.commit))
    }

    fn each(&self, behind: u64, each: GroupTaker<'_>) -> Result<(), StoreError> {
        let groups = self.kept.lock().unwrap().groups.clone();
        groups.iter().filter(|group| group.number > behind).try_for_each(|group| each(group.number, &group.bytes))
    }

    fn lease(&self) -> Result<Option<Lease>, StoreError> {
        Ok(self.kept.lock().unwrap().lease.clone())
    }

    fn fence(&mut self, end: CopyEnd) -> Result<bool, StoreError> {
        Ok(self.kept.lock().unwrap().groups.last().map_or(0, |group| group.number) == end.number)
    }

    fn take(&mut self, was: Option<&Lease>, owner: &str, name: &str) -> Result<u64, StoreError> {
        let epoch = was.map_or(0, |lease| lease.epoch) + 1;
        self.kept.lock().unwrap().lease = Some(Lease { epoch, owner: owner.into(), name: name.into(), left: false });
        Ok(epoch)
    }
}

/// A world that has lived for a while: its file and its groups.
fn lived() -> &'static (WorldFile, Vec<Group>) {
    static LIVED: std::sync::OnceLock<(WorldFile, Vec<Group>)> = std::sync::OnceLock::new();
    LIVED.get_or_init(|| {
        let home = tempfile::tempdir().unwrap();
        let dir = home.path().join("world");
        let text = "[[space]]\npath = \"/hall\"\n[[being]]\nname = \"ada\"\nhome = \"/hall\"\nrole = \"free\"\nscript = \"draw\"\n[[being.schedule]]\nname = \"tick\"\nevery = \"1m\"\n";
        let mut living = Living::plant(&source(text), Some(1), &dir, 1).unwrap();
        for _ in 0..12 {
            let until = Until { moments: Some(1), ..Until::default() };
            living.run(Course { pace: Pace::Virtual, until, reins: &Reins::default(), watch: None, measures: None }).unwrap();
        }
        living.stop().unwrap();
        let all = groups(&dir);
        assert!(all.len() > 8, "{}", all.len());
        (WorldFile::of(&dir).unwrap(), all)
    })
}

/// A directory whose log has so many of those groups.
fn log_of(dir: &Path, count: usize) -> LogStore {
    let (world, all) = lived();
    let mut log = LogStore::create_with(dir, world, Options { index: false, ..Options::default() }).unwrap();
    log.append(0, &all[..count]).unwrap();
    log
}

/// A copy that has so many of them.
fn copy_of(count: usize) -> MemoryCopy {
    let (home, copy) = (tempfile::tempdir().unwrap(), MemoryCopy::default());
    let log = log_of(&home.path().join("w"), count);
    let mut to = copy.clone();
    reelm::store::each_copied(&log, log.world_file().lineage(), &Ending::default(), |group| to.put(&group)).unwrap();
    copy
}

fn keeper(copy: &MemoryCopy, durability: Durability, takes_over: bool) -> CopyKeeper<MemoryCopy> {
    CopyKeeper {
        copy: copy.clone(),
        durability,
        status: Arc::<ReplicaStatus>::default(),
        verifies: Box::new(|_| Ok(())),
        takes_over,
        name: "here".into(),
        epoch: 0,
    }
}

/// The groups of a log again.
fn of_log(dir: &Path) -> Vec<Group> {
    let (log, _) = LogStore::open_with(dir, Mode::Read, Options { index: false, ..Options::default() }).unwrap();
    drop(log);
    groups(dir)
}

proptest! {
    #![proptest_config(cases(12, 64))]

    #[test]
    fn a_log_and_its_copy_come_to_one_end_and_go_on_together(here in 1..6usize, there in 0..6usize, local in any::<bool>()) {
        let (home, all) = (tempfile::tempdir().unwrap(), &lived().1);
        let dir = home.path().join("w");
        let (mut log, copy) = (log_of(&dir, here), copy_of(there));
        let durability = if local { Durability::Local } else { Durability::Both };
        let mut keeper = Box::new(keeper(&copy, durability, false));
        keeper.reconcile(&mut log).unwrap();
        let level = here.max(there);
        prop_assert_eq!(copy.kept.lock().unwrap().groups.len(), level);
        prop_assert_eq!(log.ending().number, level as u64);
        let kept = keeper.keep(log);
        prop_assert_eq!(kept.epoch, 1);
        let mut store = kept.store;
        for group in &all[level..] {
            store.append(store.ending().seq, std::slice::from_ref(group)).unwrap();
            if !local {
                prop_assert_eq!(copy.kept.lock().unwrap().groups.len() as u64, store.ending().number);
            }
        }
        // A copy that follows has all of it once the log is closed.
        drop(store);
        prop_assert_eq!(copy.kept.lock().unwrap().groups.len(), all.len());
        prop_assert_eq!(&of_log(&dir), all);
        let whole = copy_of(all.len());
        prop_assert_eq!(&copy.kept.lock().unwrap().groups, &whole.kept.lock().unwrap().groups);
    }

    #[test]
    fn a_copy_that_lies_is_found_and_nothing_of_it_is_kept(here in 1..5usize, behind in 1..4usize, at in any::<prop::sample::Index>(), bit in 0..8u32, hole in any::<bool>()) {
        let home = tempfile::tempdir().unwrap();
        let dir = home.path().join("w");
        let (mut log, copy) = (log_of(&dir, here), copy_of(here + behind));
        {
            let kept = &mut copy.kept.lock().unwrap().groups;
            let which = here + at.index(behind);
            if hole && which + 1 < kept.len() {
                kept.remove(which);
            } else {
                let mut bytes = kept[which].bytes.to_vec();
                // The last eight bytes say how a commit was written, and are no part of what it is.
                let place = at.index(bytes.len() - 8);
                bytes[place] ^= 1 << bit;
                kept[which].bytes = bytes.into();
            }
        }
        let refused = keeper(&copy, Durability::Both, false).reconcile(&mut log);
        let said = refused.unwrap_err().to_string();
        let is_hole = copy.kept.lock().unwrap().groups.len() < here + behind;
        prop_assert_eq!(said.contains("is missing; the next one there is"), is_hole, "{}", said);
        prop_assert_eq!(log.ending().number, here as u64);
        prop_assert_eq!(copy.lease().unwrap(), None, "nobody owns it by that");
    }
}

#[test]
fn whoever_was_replaced_writes_nothing_and_nobody_is_replaced_unasked() {
    let (home, all) = (tempfile::tempdir().unwrap(), &lived().1);
    let copy = copy_of(3);
    let [one, two] = ["one", "two"].map(|name| home.path().join(name));
    let mut first = log_of(&one, 3);
    let mut keeper_of_first = Box::new(keeper(&copy, Durability::Both, false));
    keeper_of_first.reconcile(&mut first).unwrap();
    let mut first = keeper_of_first.keep(first).store;

    // Another directory may not take it, unless it is told to, or was brought here from that owner.
    let mut second = log_of(&two, 2);
    let refused = keeper(&copy, Durability::Both, false).reconcile(&mut second).unwrap_err().to_string();
    assert!(refused.contains("`here` owns this world, since epoch 1") && refused.contains("--take-over"), "{refused}");
    OwnerFile { from: Some(1), ..OwnerFile::of(&two).unwrap() }.save(&two).unwrap();
    let mut keeper_of_second = Box::new(keeper(&copy, Durability::Both, false));
    keeper_of_second.reconcile(&mut second).unwrap();
    assert_eq!(OwnerFile::of(&two).unwrap().from, None, "that holds once");
    let kept = keeper_of_second.keep(second);
    assert_eq!(kept.epoch, 2);
    let mut second = kept.store;
    second.append(second.ending().seq, &all[3..4]).unwrap();

    let stale = first.append(first.ending().seq, &all[3..4]).unwrap_err();
    assert!(matches!(stale, StoreError::Fenced { epoch: 2, .. }), "{stale}");
    assert_eq!(first.ending().number, 3, "what was refused stands nowhere");
    assert!(matches!(first.append(first.ending().seq, &all[3..4]), Err(StoreError::Dead)));
    drop((first, second));
    assert_eq!(groups(&one).len(), 3);

    // Told to, it comes back, level with the copy. A directory that was its owner may always.
    let (mut again, _) = LogStore::open(&one, Mode::Write).unwrap();
    assert!(keeper(&copy, Durability::Both, false).reconcile(&mut again).is_err());
    keeper(&copy, Durability::Both, true).reconcile(&mut again).unwrap();
    assert_eq!((again.ending().number, copy.lease().unwrap().unwrap().epoch), (4, 3));
    keeper(&copy, Durability::Both, false).reconcile(&mut again).unwrap();
}

#[test]
fn two_histories_are_told_apart() {
    let home = tempfile::tempdir().unwrap();
    let (world, all) = lived();
    let dir = home.path().join("w");
    let mut log = LogStore::create_with(&dir, world, Options { index: false, ..Options::default() }).unwrap();
    // The same first two groups as one: other commits.
    let whole = Group { records: all[..2].iter().flat_map(|group| group.records.clone()).collect(), ..all[1].clone() };
    log.append(0, &[whole]).unwrap();
    for (count, more) in [(1, false), (3, false), (1, true)] {
        if more {
            log.append(log.ending().seq, &all[2..3]).unwrap();
        }
        let said = keeper(&copy_of(count), Durability::Both, false).reconcile(&mut log).unwrap_err().to_string();
        assert!(said.contains("two histories: group 1 is another there") && said.contains("reelm verify --nats"), "{said}");
    }
}
