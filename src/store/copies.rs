//! Copies: what has left a world, a line each in a file beside its log, so that whoever answers for it knows what of it is elsewhere.
//!
//! A line says what, of which frames, and by which bytes it is known again. Of the place it went to it says the file's own name alone: where
//! in a machine people keep things is nobody's business who gets the directory.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use crate::fact::{Hash, Seq};

use super::error::StoreError;

/// One copy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CopyNote {
    /// When, by the clock on the wall, in UTC.
    pub at: String,
    /// What it is.
    pub what: CopyKind,
    /// Its first frame.
    pub from: Seq,
    /// Behind its last frame.
    pub to: Seq,
    /// The name of the being, where the frames are those of one being.
    pub being: Option<String>,
    /// The file's or directory's own name; none where it went to the command's output.
    pub name: Option<String>,
    /// The hash of its bytes; none of a directory.
    pub hash: Option<Hash>,
    /// How many they are.
    pub size: Option<u64>,
}

/// The kind of a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CopyKind {
    /// A whole history in a file.
    Export,
    /// A world written out as a source.
    Source,
    /// Some frames that prove themselves.
    Bundle,
    /// A line of JSON for each fact.
    Facts,
    /// A line of JSON for each moment.
    Moments,
    /// A line of JSON for each prompt.
    Prompts,
    /// A line of JSON for each reply.
    Replies,
    /// A world of its own that goes on from here.
    Fork,
    /// The world itself, with its keys.
    Backup,
    /// Old history, moved out.
    Archive,
}

/// What `copies` holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CopyList {
    /// The copies, the oldest first.
    pub notes: Vec<CopyNote>,
    /// How many lines cannot be read.
    pub unreadable: usize,
}

impl CopyNote {
    /// That of a copy that has just been made of some frames.
    pub fn now(what: CopyKind, from: Seq, to: Seq) -> Self {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let at = chrono::DateTime::from_timestamp(since.as_secs() as i64, 0).unwrap_or_default();
        let at = at.to_rfc3339_opts(chrono::SecondsFormat::Secs, true);
        Self { at, what, from, to, being: None, name: None, hash: None, size: None }
    }

    /// The same, in a file or directory.
    pub fn to_path(self, path: &Path) -> Self {
        Self { name: path.file_name().map(|name| name.to_string_lossy().into_owned()), ..self }
    }

    /// The same, with what its bytes are known by.
    pub fn of_bytes(self, (hash, size): (Hash, u64)) -> Self {
        Self { hash: Some(hash), size: Some(size), ..self }
    }
}

impl CopyList {
    pub fn path(dir: &Path) -> PathBuf {
        dir.join("copies")
    }

    /// Notes a copy of the world in a directory, durably.
    pub fn note(dir: &Path, note: &CopyNote) -> Result<(), StoreError> {
        let path = Self::path(dir);
        append(&path, note).map_err(|error| StoreError::io("write", &path, error))
    }

    /// The copies of the world in a directory that are noted.
    pub fn of(dir: &Path) -> Result<Self, StoreError> {
        let path = Self::path(dir);
        let text = match std::fs::read(&path) {
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(StoreError::io("read", &path, error)),
        };
        let lines: Vec<Option<CopyNote>> = text.lines().map(|line| serde_json::from_str(line).ok()).collect();
        let unreadable = lines.iter().filter(|line| line.is_none()).count();
        Ok(Self { notes: lines.into_iter().flatten().collect(), unreadable })
    }
}

/// Puts a line behind the others; behind one that was cut off it begins anew.
fn append(path: &Path, note: &CopyNote) -> io::Result<()> {
    let mut file = OpenOptions::new().read(true).append(true).create(true).mode(0o600).open(path)?;
    let mut line = serde_json::to_string(note)? + "\n";
    let mut last = [b'\n'];
    if file.seek(SeekFrom::End(0))? > 0 {
        file.seek(SeekFrom::End(-1))?;
        file.read_exact(&mut last)?;
    }
    if last != [b'\n'] {
        line.insert(0, '\n');
    }
    file.write_all(line.as_bytes())?;
    file.sync_data()?;
    File::open(path.parent().unwrap_or(path))?.sync_all()
}

/// Passes bytes on, and knows by what they are known again.
pub struct HashedWriter<W> {
    to: W,
    hasher: blake3::Hasher,
    size: u64,
}

impl<W: Write> HashedWriter<W> {
    /// One that writes to this.
    pub fn new(to: W) -> Self {
        Self { to, hasher: blake3::Hasher::new(), size: 0 }
    }

    /// The hash of what went by, and how many bytes that was.
    pub fn sum(&self) -> (Hash, u64) {
        (Hash(*self.hasher.finalize().as_bytes()), self.size)
    }

    /// Where it wrote to.
    pub fn into_inner(self) -> W {
        self.to
    }
}

impl<W: Write> Write for HashedWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.to.write(bytes)?;
        self.hasher.update(bytes.get(..written).unwrap_or_default());
        self.size += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}
