//! Copy keeper: brings a log and its copy to one end when a world is opened, and has this process own the world from then on.

use std::path::PathBuf;
use std::sync::Arc;

use super::contract::Store;
use super::copied_groups::each_copied;
use super::error::StoreError;
use super::log::LogStore;
use super::owner_file::OwnerFile;
use super::record::{Commit, Ending, Stored};
use super::replica::{CopyEnd, Durability, Lease, Lengthened, LogCopy, Replicated};
use super::replica_status::ReplicaStatus;

/// How often a copy that goes on is looked at.
const TRIES: usize = 100;

/// Has a say while a world is opened for writing.
pub trait Keeper {
    /// Before anything of the log is folded.
    fn reconcile(&mut self, log: &mut LogStore) -> Result<(), StoreError>;

    /// The store that the world then writes.
    fn keep(self: Box<Self>, log: LogStore) -> KeptStore;
}

/// A store for a world, and the owner that it has with it.
pub struct KeptStore {
    /// The store.
    pub store: Box<dyn Store>,
    /// Counts the owners.
    pub epoch: u64,
    /// This owner, as people know it.
    pub by: String,
}

/// Checks a history of which nothing is kept yet: every signature and every seal.
pub type Verifies = Box<dyn Fn(&dyn Store) -> Result<(), String>>;

/// Keeps a copy level with a log.
pub struct CopyKeeper<C> {
    /// The copy.
    pub copy: C,
    /// When an act is acknowledged.
    pub durability: Durability,
    /// Where it is said how far the copy is.
    pub status: Arc<ReplicaStatus>,
    /// Checks what the copy has and the log has not.
    pub verifies: Verifies,
    /// Whether the world is taken from whoever owns it.
    pub takes_over: bool,
    /// This owner, as people know it.
    pub name: String,
    /// The epoch that began with this process.
    pub epoch: u64,
}

impl<C: LogCopy> CopyKeeper<C> {
    /// Whether the world may be taken, by its lease and what is known of this directory.
    fn may_take(&self, lease: Option<&Lease>, own: &OwnerFile) -> Result<(), StoreError> {
        match lease {
            Some(lease) if !(lease.left || lease.owner == own.mark || own.from == Some(lease.epoch) || self.takes_over) => {
                Err(StoreError::Owned { who: lease.name.clone(), epoch: lease.epoch })
            }
            _ => Ok(()),
        }
    }

    /// Brings to the log what the copy has behind its end, and says where the copy ends.
    fn lengthen(&mut self, log: &mut LogStore) -> Result<CopyEnd, StoreError> {
        let Some(end) = self.copy.end()? else { return Ok(CopyEnd::default()) };
        let (number, named) = (log.ending().number, self.copy.named());
        if end.number < number {
            return self.is_of_log(log, end);
        }
        if number > 0 && self.copy.commit(number)? != Some(log.last_commit()) {
            return Err(self.differs(number));
        }
        let mut bytes = Vec::new();
        let mut next = number;
        self.copy.each(number, &mut |found, group| {
            next += 1;
            if found != next {
                return Err(StoreError::Replica {
                    what: format!("{}: group {next} is missing; the next one there is {found}", named.display()),
                });
            }
            bytes.extend_from_slice(group);
            Ok(())
        })?;
        if end.number == number {
            return Ok(end);
        }
        let lengthened = Lengthened::new(log, &bytes, &named)?;
        let ending = lengthened.ending();
        if (ending.number, ending.commit, ending.seq) != (end.number, end.commit, end.seq) {
            return Err(StoreError::Replica { what: format!("{}: it ends otherwise than its last message says", named.display()) });
        }
        (self.verifies)(&lengthened).map_err(|what| StoreError::Replica { what: format!("{}: {what}", named.display()) })?;
        let groups = lengthened.groups()?;
        log.append(log.ending().seq, &groups)?;
        Ok(end)
    }

    /// Has nobody else write from now on. The owner before may write until then, so its end is looked at again and again.
    fn fenced(&mut self, log: &mut LogStore) -> Result<CopyEnd, StoreError> {
        for _ in 0..TRIES {
            let end = self.lengthen(log)?;
            if self.copy.fence(end)? {
                return Ok(end);
            }
        }
        let what = format!("{}: whoever owns it writes faster than its end can be read; stop that one first", self.copy.named().display());
        Err(StoreError::Replica { what })
    }

    /// That the log has the last group of a copy that is behind it.
    fn is_of_log(&self, log: &LogStore, end: CopyEnd) -> Result<CopyEnd, StoreError> {
        let mut entries = log.read(end.seq.saturating_sub(1))?;
        let is_it = |commit: &Commit| (commit.number, commit.hash, commit.end_seq) == (end.number, end.commit, end.seq);
        let found = entries.find_map(|entry| match entry {
            Ok(Stored::Commit { commit, .. }) => Some(Ok(is_it(&commit))),
            Ok(_) => None,
            Err(error) => Some(Err(error)),
        });
        if found.transpose()? == Some(true) { Ok(end) } else { Err(self.differs(end.number)) }
    }

    fn differs(&self, number: u64) -> StoreError {
        let named: PathBuf = self.copy.named();
        StoreError::Replica {
            what: format!(
                "{} and the log here are two histories: group {number} is another there; `reelm verify --nats` says from where on, and `reelm restore --nats` into an empty --data brings the other one",
                named.display()
            ),
        }
    }
}

impl<C: LogCopy + 'static> Keeper for CopyKeeper<C> {
    fn reconcile(&mut self, log: &mut LogStore) -> Result<(), StoreError> {
        if log.begins() > 0 {
            let what = format!(
                "the history before frame {} was archived; a copy has all of it, so bring it back first: `reelm import FILE`",
                log.begins()
            );
            return Err(StoreError::Replica { what });
        }
        let dir = log.log.dir.clone();
        let own = OwnerFile::of(&dir)?;
        let lease = self.copy.lease()?;
        self.may_take(lease.as_ref(), &own)?;
        self.lengthen(log)?;
        self.epoch = self.copy.take(lease.as_ref(), &own.mark, &self.name)?;
        let end = self.fenced(log)?;
        OwnerFile { from: None, ..own }.save(&dir)?;
        if end.number < log.ending().number {
            let behind = Ending { seq: end.seq, commit: end.commit, number: end.number, ..Ending::default() };
            each_copied(log, log.world_file().lineage(), &behind, |group| self.copy.put(&group))?;
        }
        Ok(())
    }

    fn keep(self: Box<Self>, log: LogStore) -> KeptStore {
        let Self { copy, durability, status, name, epoch, .. } = *self;
        let store = Box::new(Replicated::new(log, Box::new(copy), durability, status));
        KeptStore { store, epoch, by: name }
    }
}
