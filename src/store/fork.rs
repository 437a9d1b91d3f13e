//! Fork: the directory of a world that goes on from a point of another. The segments of its past are hard links to the parent's.
//!
//! A segment only ever grows, and what lies before a commit that was acknowledged never changes. So a link to the one that the parent is still
//! writing serves as well as one to a closed one: the fork reads it up to its origin, and writes into files of its own alone. The parent may go
//! on, compress its segments, move or be deleted: each name of a file keeps it. Where the point lies within a group of the parent, the frames
//! of that group up to it are the first group of the fork: they stand as the parent has written them, and the fork's `@world` seals their head.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::fact::{ForkOrigin, Hash, Seq};

use super::beginning::{self, Beginning};
use super::checkpoints::Checkpoints;
use super::clean;
use super::disk::{Disk, PlainDisk};
use super::error::StoreError;
use super::keystore::Keystore;
use super::layout::{CommitChain, GroupWriter};
use super::pending::PendingWorld;
use super::record::{Group, Position};
use super::segment::{self, SegmentForm};
use super::world_file::{LinkedOrigin, WorldFile};

/// A fork that is to be made.
pub struct ForkPlan<'a> {
    /// The parent's directory.
    pub parent: &'a Path,
    /// The parent's `world.toml`.
    pub file: &'a WorldFile,
    /// Where the fork goes on.
    pub origin: ForkOrigin,
    /// In the parent's log, the place behind the last commit that lies before it whole.
    pub position: Position,
    /// The head behind that commit.
    pub head: Hash,
    /// The parent's frames between that commit and the point, if there are any.
    pub group: Option<Group>,
    /// The seq below which the parent's checkpoints serve the fork.
    pub shares: Seq,
    /// The fork's own name.
    pub name: &'a str,
    /// Its secret.
    pub keystore: Keystore,
    /// The key of its `@world`.
    pub root_key: Hash,
}

/// How many segments of the past are linked, and how many had to be copied.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Linking {
    /// Hard links.
    pub linked: usize,
    /// Copies, and how many bytes they hold.
    pub copied: usize,
    /// How many bytes those hold.
    pub copied_bytes: u64,
}

impl ForkPlan<'_> {
    /// Makes it beside a directory that is absent or empty.
    pub fn make(self, dir: &Path) -> Result<(PendingWorld, Linking), StoreError> {
        let mut made = PendingWorld::begin(dir)?;
        let beside = made.beside().to_owned();
        let log = beside.join("log");
        fs::create_dir(&log).map_err(|error| StoreError::io("create", &log, error))?;
        let file = self.world_file();
        let linking = self.link(&log)?;
        let past = self.past();
        let chain = past.crossed(&file.lineage());
        let (own, segment) = segment::create(&PlainDisk, &log, file.world, chain)?;
        let mut writer = GroupWriter::new(file.world, chain);
        let mut bytes = Vec::new();
        self.group.iter().for_each(|group| writer.group(group, &mut bytes, |_| {}));
        let begins = segment::HEADER_LEN as u64;
        let written = segment.write_at(begins, &bytes).and_then(|()| segment.sync());
        written.map_err(|error| StoreError::io("write", &own.path, error))?;
        Checkpoints::of(self.parent).share(&beside, self.shares.saturating_sub(1));
        share_beginning(self.parent, &beside)?;
        self.keystore.save(&beside)?;
        clean::write(&PlainDisk, &beside, if self.group.is_some() { &writer.chain } else { &past })?;
        file.write(&PlainDisk, &beside)?;
        made.ending = writer.chain.ending(Position { segment: own.first, offset: begins + bytes.len() as u64 });
        Ok((made, linking))
    }

    /// Where the parent's commits stand that are its past.
    fn past(&self) -> CommitChain {
        let ForkOrigin { number, commit, .. } = self.origin;
        CommitChain { number, commit, head: self.head, seq: self.origin.border(), acked: number }
    }

    /// The fork's own `world.toml`.
    fn world_file(&self) -> WorldFile {
        let before = self.file.origins.iter().filter(|linked| linked.origin.seq < self.origin.seq).cloned();
        let own = LinkedOrigin { origin: self.origin.clone(), position: Some(self.position) };
        let origins = before.chain([own]).collect();
        WorldFile {
            world: self.origin.fork(self.name),
            root_key: self.root_key.to_string(),
            name: self.name.to_owned(),
            origins,
            ..self.file.clone()
        }
    }

    /// Links the segments of the past, or copies them where they cannot be linked.
    fn link(&self, log: &Path) -> Result<Linking, StoreError> {
        let from = self.parent.join("log");
        let mut linking = Linking::default();
        let begins = Beginning::of(self.parent, &self.file.lineage())?.map_or(0, |begun| begun.seq());
        for first in segment::list_from(&PlainDisk, &from, begins)?.into_iter().filter(|first| *first < self.origin.border()) {
            let limit = (first == self.position.segment).then_some(self.position.offset);
            match take(&from, log, first, limit)? {
                None => linking.linked += 1,
                Some(bytes) => (linking.copied, linking.copied_bytes) = (linking.copied + 1, linking.copied_bytes + bytes),
            }
        }
        PlainDisk.sync_dir(log).map_err(|error| StoreError::io("sync", log, error))?;
        Ok(linking)
    }
}

/// Gives a copy of a world with what its log begins; it is never written in its place.
pub(super) fn share_beginning(from: &Path, to: &Path) -> Result<(), StoreError> {
    let (there, here) = (from.join(beginning::NAME), to.join(beginning::NAME));
    match fs::hard_link(&there, &here).or_else(|_| copy(&there, &here, None).map(drop)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(StoreError::io("copy", &there, error)),
        _ => Ok(()),
    }
}

/// Gives one segment a second name; where that cannot be, how many bytes were copied. It may be compressed while we look, or wait beside its place.
fn take(from: &Path, to: &Path, first: Seq, limit: Option<u64>) -> Result<Option<u64>, StoreError> {
    let look = |form| (segment::path(from, first, form), form);
    let [plain, compressed] = SegmentForm::ALL.map(look);
    let mut looks = [plain.clone(), compressed, plain, (segment::cut_off(from, first), SegmentForm::Plain)].into_iter().peekable();
    while let Some((there, form)) = looks.next() {
        let here = segment::path(to, first, form);
        let taken = match fs::hard_link(&there, &here) {
            Ok(()) => Ok(None),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Err(error),
            // Another file system, or one that knows no links.
            Err(_) => copy(&there, &here, limit.filter(|_| form == SegmentForm::Plain)).map(Some),
        };
        match taken {
            Err(error) if error.kind() == io::ErrorKind::NotFound && looks.peek().is_some() => {}
            taken => return taken.map_err(|error| StoreError::io("copy", &there, error)),
        }
    }
    Ok(None)
}

/// Copies a file, durably; up to a byte, if one is given.
fn copy(from: &PathBuf, to: &PathBuf, limit: Option<u64>) -> io::Result<u64> {
    let (source, mut out) = (fs::File::open(from)?, fs::File::create_new(to)?);
    let copied = io::copy(&mut io::Read::take(source, limit.unwrap_or(u64::MAX)), &mut out)?;
    out.sync_all()?;
    Ok(copied)
}
