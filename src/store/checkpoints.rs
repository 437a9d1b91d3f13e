//! Checkpoints: a directory of rungs, each a file named by the seq that it is of, and by that of the rung on which it stands. The words of
//! chapters lie beside them.
//!
//! It is a cache: all of it can be deleted at any time, and nothing in it is synced. The content of a rung, and
//! the check that it is whole, are its writer's business.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::fact::Seq;

use super::disk::{Disk, PlainDisk, read_all, read_full};
use super::error::StoreError;
use super::replace::{Keep, replace};

const RUNG: &str = ".rung";
const WORDS: &str = ".words";

/// The name of a rung: its seq, and that of the rung on which it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RungName {
    /// Of which seq: all frames below it.
    pub seq: Seq,
    /// On which rung it stands; nothing if it holds everything itself.
    pub base: Option<Seq>,
}

impl RungName {
    fn file(&self) -> String {
        match self.base {
            None => format!("{:020}{RUNG}", self.seq),
            Some(base) => format!("{:020}-{base:020}{RUNG}", self.seq),
        }
    }

    /// Parses a file's name; a rung has one name.
    fn read(file: &str) -> Option<Self> {
        let stem = file.strip_suffix(RUNG)?;
        let (seq, base) = match stem.split_once('-') {
            None => (stem.parse().ok()?, None),
            Some((seq, base)) => (seq.parse().ok()?, Some(base.parse().ok()?)),
        };
        Some(Self { seq, base }).filter(|name| name.file() == file)
    }
}

/// How the words are called of the frames that end there.
fn words_file(end: Seq) -> String {
    format!("{end:020}{WORDS}")
}

/// Where the frames end whose words a file of that name holds.
fn words_end(file: &str) -> Option<Seq> {
    let end = file.strip_suffix(WORDS)?.parse().ok()?;
    Some(end).filter(|end| words_file(*end) == file)
}

/// The checkpoints of the world in a directory.
#[derive(Clone)]
pub struct Checkpoints {
    disk: Arc<dyn Disk>,
    dir: PathBuf,
}

impl Checkpoints {
    /// Those of the world in `dir`, whether or not there are any.
    pub fn of(dir: &Path) -> Self {
        Self::on(Arc::new(PlainDisk), dir)
    }

    /// The same on some other disk.
    pub fn on(disk: Arc<dyn Disk>, dir: &Path) -> Self {
        Self { disk, dir: dir.join("checkpoints") }
    }

    /// The rungs, newest first.
    pub fn rungs(&self) -> Vec<RungName> {
        let names = self.disk.names(&self.dir).unwrap_or_default();
        let mut rungs: Vec<RungName> = names.iter().filter_map(|name| RungName::read(name)).collect();
        rungs.sort_by(|a, b| b.cmp(a));
        rungs
    }

    /// The bytes of a rung, if they can be read.
    pub fn rung(&self, name: RungName) -> Option<Vec<u8>> {
        read_all(&*self.disk, &self.path(name)).ok()
    }

    /// The first bytes of a rung, so many at most.
    pub fn beginning(&self, name: RungName, len: usize) -> Option<Vec<u8>> {
        let file = self.disk.open(&self.path(name), false).ok()?;
        let mut bytes = vec![0; len];
        let filled = read_full(&*file, 0, &mut bytes).ok()?;
        bytes.truncate(filled);
        Some(bytes)
    }

    /// Puts a rung in its place.
    pub fn keep(&self, name: RungName, bytes: &[u8]) -> Result<(), StoreError> {
        self.put(&self.path(name), bytes)
    }

    fn put(&self, path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
        let made = self.disk.create_dir(&self.dir);
        made.and_then(|()| replace(&*self.disk, path, bytes, Keep::Cache)).map_err(|error| StoreError::io("write", path, error))
    }

    /// Gives a copy of the world those of its rungs and words that lie at a seq or before it; a file is never written in its place.
    pub fn share(&self, with: &Path, at: Seq) {
        let others = Self::of(with);
        let rungs = self.rungs().into_iter().filter(|name| name.seq <= at).map(|name| name.file());
        let words = self.with_words().into_iter().filter(|end| *end <= at).map(words_file);
        let there = self.disk.names(&others.dir).unwrap_or_default();
        // One that is there already may be this very file, by another name: to copy it onto itself would empty both.
        for name in rungs.chain(words).filter(|name| !there.contains(name)) {
            let (own, other) = (self.dir.join(&name), others.dir.join(&name));
            // A cache: what cannot be shared is made anew.
            let _ = self.disk.create_dir(&others.dir);
            let _ = std::fs::hard_link(&own, &other).or_else(|_| std::fs::copy(&own, &other).map(drop));
        }
    }

    /// Where the stretches of frames end whose words are kept.
    pub fn with_words(&self) -> Vec<Seq> {
        self.disk.names(&self.dir).unwrap_or_default().iter().filter_map(|name| words_end(name)).collect()
    }

    /// The words of the frames that end there, if they can be read.
    pub fn words(&self, end: Seq) -> Option<Vec<u8>> {
        read_all(&*self.disk, &self.dir.join(words_file(end))).ok()
    }

    /// Puts the words of the frames that end there in their place.
    pub fn keep_words(&self, end: Seq, bytes: &[u8]) -> Result<(), StoreError> {
        self.put(&self.dir.join(words_file(end)), bytes)
    }

    /// Deletes the words of the frames that end there.
    pub fn remove_words(&self, end: Seq) {
        // As with rungs.
        let _ = self.disk.remove(&self.dir.join(words_file(end)));
    }

    /// Deletes a rung.
    pub fn remove(&self, name: RungName) {
        // A file that cannot be deleted costs disk space and nothing else.
        let _ = self.disk.remove(&self.path(name));
    }

    /// Deletes all that tells of frames from a seq on.
    pub fn remove_beyond(&self, seq: Seq) {
        self.rungs().into_iter().filter(|rung| rung.seq > seq).for_each(|rung| self.remove(rung));
        self.with_words().into_iter().filter(|end| *end > seq).for_each(|end| self.remove_words(end));
    }

    /// Deletes what is neither rung nor words: what a version before this one has kept, and what was cut off while it was written.
    pub fn tidy(&self) {
        for name in self.disk.names(&self.dir).unwrap_or_default() {
            if RungName::read(&name).is_none() && words_end(&name).is_none() {
                let _ = self.disk.remove(&self.dir.join(&name));
            }
        }
    }

    fn path(&self, name: RungName) -> PathBuf {
        self.dir.join(name.file())
    }
}
