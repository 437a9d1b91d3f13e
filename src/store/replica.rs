//! Replica: a copy of the log outside of this machine, group by group, and the fence that lets one process write it.
//!
//! The log stays the truth. A copy takes a group only behind the last one that its writer knows, so a writer that another has replaced is
//! refused at its first write. Each group has the bytes that an export gives it: they are the same whoever writes them.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::fact::{BeingId, Hash, Lineage, N, Seq};

use super::beginning::Beginning;
use super::contract::{Entries, Store};
use super::copied_groups::{CopiedGroup, Copying, each_copied, for_each_group};
use super::entries::EntryStream;
use super::error::StoreError;
use super::groups::Volume;
use super::layout::check_groups;
use super::log::LogStore;
use super::mode::{Mode, Options};
use super::record::{Ending, Group, Record, Stored};
use super::replica_status::ReplicaStatus;
use super::world_file::WorldFile;

/// How many bytes may wait in memory for a copy that is behind; what lies further back is read from the log.
const WAITING_MAX: u64 = 64 << 20;
/// How long a copy that is behind and hears of nothing new waits until it looks at the log.
const LOOK: Duration = Duration::from_secs(1);

/// A copy of a world's log.
pub trait Replica: Send {
    /// Puts a group behind the last one, and returns once the copy has it for good. While the copy cannot be reached it waits; it is refused
    /// where another writes it now.
    fn put(&mut self, group: &CopiedGroup) -> Result<(), StoreError>;
}

/// Takes the number and the bytes of a group.
pub type GroupTaker<'a> = &'a mut dyn FnMut(u64, &[u8]) -> Result<(), StoreError>;

/// A copy that can be read, and whose owner is known.
pub trait LogCopy: Replica {
    /// A name for errors about it.
    fn named(&self) -> PathBuf;

    /// Looks where it ends now: its last whole group, if it has any.
    fn end(&mut self) -> Result<Option<CopyEnd>, StoreError>;

    /// The commit of a group that it has.
    fn commit(&self, number: u64) -> Result<Option<Hash>, StoreError>;

    /// Calls with each whole group behind a number of commits, in order, with the bytes as they came: nothing of them is checked.
    fn each(&self, behind: u64, each: GroupTaker<'_>) -> Result<(), StoreError>;

    /// The lease of the world, if somebody ever had it.
    fn lease(&self) -> Result<Option<Lease>, StoreError>;

    /// Has nobody write behind a last group but this process; false where somebody has written since that was looked at.
    fn fence(&mut self, end: CopyEnd) -> Result<bool, StoreError>;

    /// Takes the lease with the next epoch, which it gives back, unless another lease than the one that was read is there.
    fn take(&mut self, was: Option<&Lease>, owner: &str, name: &str) -> Result<u64, StoreError>;
}

/// The lease of a world: who writes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lease {
    /// Counts the owners.
    pub epoch: u64,
    /// The mark of the directory that owns it.
    pub owner: String,
    /// That owner as people know it: a host and a directory.
    pub name: String,
    /// Whether the owner has closed the world and left it.
    pub left: bool,
}

/// Where a copy ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CopyEnd {
    /// The number of its last commit.
    pub number: u64,
    /// The hash of that commit.
    pub commit: Hash,
    /// The next free seq behind it, as its message says.
    pub seq: Seq,
}

/// When an act is acknowledged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Durability {
    /// Once the log and the copy have it.
    #[default]
    Both,
    /// Once the log has it; the copy follows.
    Local,
}

/// The records of groups that a copy gave, checked one by one behind a place in a history; a fault names the copy and the byte in them.
pub fn copied_entries<'a>(bytes: &'a [u8], lineage: Arc<Lineage>, behind: &Ending, named: &Path) -> Entries<'a> {
    let world = lineage.writer(behind.seq).world;
    let volume = Volume {
        path: named.to_owned(),
        world,
        source: Box::new(bytes),
        start: 0,
        limit: bytes.len() as u64,
        chain: Some(behind.chain()),
        is_export: true,
    };
    Box::new(EntryStream::new(lineage, std::iter::once(Ok(volume)), Some(behind.chain()), 0, false))
}

/// A log whose groups a copy gets, too.
pub struct Replicated {
    log: LogStore,
    copying: Copying,
    way: CopyOrder,
    status: Arc<ReplicaStatus>,
    /// Whether an append has failed: what the copy has is not known then.
    dead: bool,
}

/// How the copy gets them.
enum CopyOrder {
    /// Before the log: what is refused there stands nowhere.
    Before(Box<dyn Replica>),
    /// Behind it.
    Behind(Follower),
}

impl Replicated {
    /// A log and its copy, which end with the same group.
    pub fn new(log: LogStore, replica: Box<dyn Replica>, durability: Durability, status: Arc<ReplicaStatus>) -> Self {
        let lineage = log.world_file().lineage();
        let copying = Copying::behind(lineage, log.ending());
        let way = match durability {
            Durability::Both => CopyOrder::Before(replica),
            Durability::Local => CopyOrder::Behind(Follower::start(replica, &log, status.clone())),
        };
        status.ends_with(log.ending().number, log.ending().number);
        Self { log, copying, way, status, dead: false }
    }
}

impl Store for Replicated {
    fn ending(&self) -> &Ending {
        self.log.ending()
    }

    fn beginning(&self) -> Option<&Beginning> {
        self.log.beginning()
    }

    fn said(&self) -> Option<&WorldFile> {
        self.log.said()
    }

    fn append(&mut self, expected_seq: Seq, groups: &[Group]) -> Result<(), StoreError> {
        if self.dead {
            return Err(StoreError::Dead);
        }
        check_groups(self.log.ending().seq, expected_seq, groups)?;
        let appended = self.append_both(expected_seq, groups);
        self.dead = appended.is_err();
        appended
    }

    fn read(&self, from: Seq) -> Result<Entries<'_>, StoreError> {
        self.log.read(from)
    }

    fn read_behind(&self, border: &Ending) -> Result<Entries<'_>, StoreError> {
        self.log.read_behind(border)
    }

    fn frame(&self, seq: Seq) -> Result<Option<Record>, StoreError> {
        self.log.frame(seq)
    }

    fn reel(&self, being: BeingId, from_n: N) -> Result<Vec<Seq>, StoreError> {
        self.log.reel(being, from_n)
    }

    fn blob(&self, hash: &Hash) -> Result<Option<Arc<[u8]>>, StoreError> {
        self.log.blob(hash)
    }
}

impl Replicated {
    fn append_both(&mut self, expected_seq: Seq, groups: &[Group]) -> Result<(), StoreError> {
        let copied: Vec<CopiedGroup> = groups.iter().map(|group| self.copying.group(group)).collect();
        match &mut self.way {
            CopyOrder::Before(replica) => {
                copied.iter().try_for_each(|group| replica.put(group))?;
                self.log.append(expected_seq, groups)?;
                self.status.ends_with(self.log.ending().number, self.log.ending().number);
            }
            CopyOrder::Behind(follower) => {
                follower.is_well()?;
                self.log.append(expected_seq, groups)?;
                self.status.log_ends_with(self.log.ending().number);
                copied.into_iter().for_each(|group| follower.push(group));
            }
        }
        Ok(())
    }
}

/// A thread that hands groups to a copy that may be behind.
struct Follower {
    groups: Option<Sender<CopiedGroup>>,
    /// How many bytes wait in memory.
    waiting: Arc<AtomicU64>,
    status: Arc<ReplicaStatus>,
    thread: Option<JoinHandle<()>>,
}

impl Follower {
    fn start(replica: Box<dyn Replica>, log: &LogStore, status: Arc<ReplicaStatus>) -> Self {
        let (groups, incoming) = channel();
        let waiting = Arc::new(AtomicU64::new(0));
        let follows = Follows {
            dir: log.log.dir.clone(),
            lineage: log.world_file().lineage(),
            last: *log.ending(),
            replica,
            status: status.clone(),
            waiting: waiting.clone(),
        };
        let thread = std::thread::Builder::new().name("replica".to_owned()).spawn(move || follows.work(&incoming));
        if let Err(error) = &thread {
            status.failed(format!("no thread can be had for it: {error}"));
        }
        Self { groups: Some(groups), waiting, status, thread: thread.ok() }
    }

    /// Whether the log may go on: not where another writes the copy now.
    fn is_well(&self) -> Result<(), StoreError> {
        self.status.fence().map_or(Ok(()), Err)
    }

    fn push(&self, group: CopiedGroup) {
        let len = group.bytes.len() as u64;
        // It is read from the log, once what waits is through.
        if self.waiting.load(Ordering::Acquire).saturating_add(len) > WAITING_MAX {
            return;
        }
        self.waiting.fetch_add(len, Ordering::AcqRel);
        let _ = self.groups.as_ref().map(|groups| groups.send(group));
    }
}

impl Drop for Follower {
    fn drop(&mut self) {
        self.groups = None;
        self.status.leaves();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// The state of that thread.
struct Follows {
    dir: PathBuf,
    lineage: Arc<Lineage>,
    /// Where the copy ends.
    last: Ending,
    replica: Box<dyn Replica>,
    status: Arc<ReplicaStatus>,
    waiting: Arc<AtomicU64>,
}

impl Follows {
    fn work(mut self, incoming: &Receiver<CopiedGroup>) {
        loop {
            let done = match incoming.recv_timeout(LOOK) {
                Ok(group) => {
                    self.waiting.fetch_sub(group.bytes.len() as u64, Ordering::AcqRel);
                    self.reaches(&group)
                }
                Err(RecvTimeoutError::Timeout) => self.catches_up(),
                Err(RecvTimeoutError::Disconnected) => {
                    let _ = self.catches_up();
                    return;
                }
            };
            if let Err(error) = done {
                self.status.failed(error.to_string());
                // A process that leaves waits for nobody: the log has all of it, and the next opening brings it to the copy.
                if self.status.fence().is_some() || self.status.is_leaving() {
                    return;
                }
            }
        }
    }

    /// Puts a group, and before it what memory had no room for.
    fn reaches(&mut self, group: &CopiedGroup) -> Result<(), StoreError> {
        if group.number > self.last.number + 1 {
            self.catches_up()?;
        }
        if group.number <= self.last.number { Ok(()) } else { self.put(group) }
    }

    fn put(&mut self, group: &CopiedGroup) -> Result<(), StoreError> {
        self.replica.put(group)?;
        (self.last.number, self.last.commit, self.last.seq) = (group.number, group.commit, group.end_seq);
        self.status.copy_ends_with(group.number);
        Ok(())
    }

    /// Puts all that the log has and the copy has not.
    fn catches_up(&mut self) -> Result<(), StoreError> {
        if self.status.is_level() {
            return Ok(());
        }
        let (log, _) = LogStore::open_with(&self.dir, Mode::Read, Options { index: false, ..Options::default() })?;
        let behind = self.last;
        each_copied(&log, self.lineage.clone(), &behind, |group| self.put(&group))
    }
}

/// A log and what a copy has behind its end, as one history, for whoever checks all of it before anything is kept.
pub struct Lengthened<'a> {
    log: &'a LogStore,
    bytes: &'a [u8],
    named: &'a Path,
    ending: Ending,
}

impl<'a> Lengthened<'a> {
    /// Of groups that a copy named so has behind the log's end; each is checked.
    pub fn new(log: &'a LogStore, bytes: &'a [u8], named: &'a Path) -> Result<Self, StoreError> {
        let mut ending = *log.ending();
        for entry in copied_entries(bytes, log.world_file().lineage(), log.ending(), named) {
            if let Stored::Commit { commit, .. } = entry? {
                (ending.seq, ending.head, ending.commit, ending.number) = (commit.end_seq, commit.head, commit.hash, commit.number);
            }
        }
        Ok(Self { log, bytes, named, ending })
    }

    /// Its groups behind the log's end.
    pub fn groups(&self) -> Result<Vec<Group>, StoreError> {
        let mut groups = Vec::new();
        for_each_group(copied_entries(self.bytes, self.log.world_file().lineage(), self.log.ending(), self.named), |group, _| {
            groups.push(group);
            Ok(())
        })?;
        Ok(groups)
    }
}

impl Store for Lengthened<'_> {
    fn ending(&self) -> &Ending {
        &self.ending
    }

    fn beginning(&self) -> Option<&Beginning> {
        self.log.beginning()
    }

    fn said(&self) -> Option<&WorldFile> {
        self.log.said()
    }

    fn append(&mut self, _: Seq, _: &[Group]) -> Result<(), StoreError> {
        Err(StoreError::OnlyReads)
    }

    fn read(&self, from: Seq) -> Result<Entries<'_>, StoreError> {
        let behind = copied_entries(self.bytes, self.log.world_file().lineage(), self.log.ending(), self.named);
        Ok(Box::new(self.log.read(from.min(self.log.ending().seq))?.chain(behind)))
    }

    fn frame(&self, seq: Seq) -> Result<Option<Record>, StoreError> {
        super::contract::scan_frame(self.read(seq)?, seq)
    }

    fn reel(&self, being: BeingId, from_n: N) -> Result<Vec<Seq>, StoreError> {
        super::contract::scan_reel(self.read(self.begins())?, being, from_n)
    }

    fn blob(&self, hash: &Hash) -> Result<Option<Arc<[u8]>>, StoreError> {
        super::contract::scan_blob(self.read(self.begins())?, hash)
    }
}
