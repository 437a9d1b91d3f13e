//! Holdings: what the directory of a world holds and what that costs, by kind; and what of it could go.

use std::collections::BTreeMap;
use std::fs::{self, Metadata};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::store::{ArchiveName, COMMIT_LEN, CopyList, Store, StoreError, Stored, half_made};

use super::history::History;
use super::load::LoadError;

/// The bytes of a block of a file system, in which it says what a file takes.
const BLOCK: u64 = 512;

/// The content of a world's directory, in numbers.
#[derive(Clone, Debug, Serialize)]
pub struct Holdings {
    /// How many frames.
    pub frames: u64,
    /// How many bytes all files are long.
    pub bytes: u64,
    /// How many bytes of the log come to a frame.
    #[serde(rename = "bytesPerFrame")]
    pub bytes_per_frame: f64,
    /// By kind of file.
    pub parts: Vec<Holding>,
    /// By what the log holds, before it is compressed.
    pub records: Vec<RecordSum>,
    /// Where older history is that was moved out, the oldest first.
    pub archived: Vec<ArchiveName>,
    /// How many copies of it are noted, `reelm copies` lists them.
    pub copies: u64,
}

/// Files of one kind.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Holding {
    /// Of which kind.
    pub part: FileKind,
    /// How many.
    pub files: u64,
    /// How many bytes they are long.
    pub bytes: u64,
    /// How many the disk gives them.
    #[serde(rename = "onDisk")]
    pub on_disk: u64,
    /// Why they could go, if they could.
    #[serde(rename = "mayGo")]
    pub may_go: Option<&'static str>,
}

/// Records of one kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RecordSum {
    /// Of which kind.
    pub record: &'static str,
    /// How many.
    pub count: u64,
    /// How many bytes they are long.
    pub bytes: u64,
}

/// The kinds of files of a world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum FileKind {
    /// The segment that is written to.
    Newest,
    /// Closed segments as they were written.
    Plain,
    /// Closed segments, compressed.
    Compressed,
    /// The rungs of the ladder.
    Checkpoints,
    /// The index.
    Index,
    /// The signed checkpoint with which the log begins, where older history was archived.
    Beginning,
    /// Remains of a write that was cut off.
    Leftover,
    /// Worlds beside it whose making was cut off.
    HalfMade,
    /// All else: keys, the clock, logins, tokens, the list of copies.
    Beside,
}

impl FileKind {
    /// Of which kind a file is, by its path below the world's directory.
    fn of(path: &str, newest: Option<&str>) -> Self {
        match path.split('/').next() {
            Some(first) if first == ".." || first.starts_with("..made-") => Self::HalfMade,
            _ if path.ends_with(".new") => Self::Leftover,
            Some("log") if Some(path) == newest => Self::Newest,
            Some("log") if path.ends_with(".segz") => Self::Compressed,
            Some("log") => Self::Plain,
            Some("checkpoints") => Self::Checkpoints,
            Some("index") => Self::Index,
            Some("beginning") => Self::Beginning,
            _ => Self::Beside,
        }
    }

    /// Why files of this kind could go.
    const fn may_go(self) -> Option<&'static str> {
        match self {
            Self::Plain => Some("the next run compresses them"),
            Self::Checkpoints => Some("a cache: looks at the past are slow without them, and new ones come only with new frames"),
            Self::Index => Some("it is rebuilt from the log at the next opening"),
            Self::Leftover => Some("a write was cut off; the next opening removes what it left"),
            Self::HalfMade => Some("a fork, an import or a backup was cut off beside it; the same command takes that away"),
            Self::Newest | Self::Compressed | Self::Beginning | Self::Beside => None,
        }
    }

    /// Whether it is part of the log.
    const fn is_log(self) -> bool {
        matches!(self, Self::Newest | Self::Plain | Self::Compressed)
    }
}

impl History {
    /// Counts the content of this world's directory; every record of its log is read once.
    pub fn holdings(&self) -> Result<Holdings, LoadError> {
        let mut files = files(self.dir())?;
        files.extend(half_made_beside(self.dir())?);
        let newest = files.iter().map(|(path, _)| path.as_str()).filter(|path| path.starts_with("log/") && !path.ends_with(".new")).max();
        let mut parts: BTreeMap<FileKind, Holding> = BTreeMap::new();
        for (path, meta) in &files {
            let part = FileKind::of(path, newest);
            let held = parts.entry(part).or_insert(Holding { part, files: 0, bytes: 0, on_disk: 0, may_go: part.may_go() });
            held.files += 1;
            held.bytes += meta.len();
            held.on_disk += meta.blocks() * BLOCK;
        }
        let parts: Vec<Holding> = parts.into_values().collect();
        let log: u64 = parts.iter().filter(|held| held.part.is_log()).map(|held| held.bytes.min(held.on_disk.max(1))).sum();
        let frames = self.end();
        Ok(Holdings {
            frames,
            bytes: parts.iter().map(|held| held.bytes).sum(),
            bytes_per_frame: (log as f64 / (frames - self.begins()).max(1) as f64).round(),
            parts,
            records: self.records()?,
            archived: self.archives().to_vec(),
            copies: CopyList::of(self.dir())?.notes.len() as u64,
        })
    }

    fn records(&self) -> Result<Vec<RecordSum>, LoadError> {
        let mut sums = ["frames", "contents", "commits"].map(|record| RecordSum { record, count: 0, bytes: 0 });
        let [frames, contents, commits] = &mut sums;
        for entry in self.store.read(self.begins())? {
            let (sum, bytes) = match entry? {
                Stored::Frame { bytes, .. } => (&mut *frames, bytes.len() as u64),
                Stored::Blob { bytes, .. } => (&mut *contents, bytes.len() as u64),
                Stored::Commit { .. } => (&mut *commits, COMMIT_LEN as u64),
            };
            sum.count += 1;
            sum.bytes += bytes;
        }
        Ok(sums.into())
    }
}

/// Every file of the worlds beside this one whose making was cut off, as from its directory.
fn half_made_beside(dir: &Path) -> Result<Vec<(String, Metadata)>, StoreError> {
    let dir = std::path::absolute(dir).map_err(|error| StoreError::io("find", dir, error))?;
    let mut found = Vec::new();
    for left in half_made(&dir).into_iter().filter(|left| left.parent() != Some(&dir)) {
        found.extend(files(&left)?.into_iter().map(|(path, meta)| (format!("../{path}"), meta)));
    }
    Ok(found)
}

/// Every file below a directory, by its path there.
fn files(dir: &Path) -> Result<Vec<(String, Metadata)>, StoreError> {
    let (mut found, mut open) = (Vec::new(), vec![PathBuf::new()]);
    while let Some(below) = open.pop() {
        let folder = dir.join(&below);
        let failed = |error| StoreError::io("read", &folder, error);
        for entry in fs::read_dir(&folder).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let path = below.join(entry.file_name());
            match entry.metadata() {
                Ok(meta) if meta.is_dir() => open.push(path),
                Ok(meta) => found.push((path.to_string_lossy().into_owned(), meta)),
                // The process that runs the world has removed it meanwhile.
                Err(_) => {}
            }
        }
    }
    found.sort_by(|(one, _), (other, _)| one.cmp(other));
    Ok(found)
}
