//! Everything that can go wrong in a store, said so that the reader knows what to do.
//!
//! Damage is an error of its own kind: it names the file, the byte and, where it can be told, the frame.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use crate::fact::{BeingId, N, Seq};

/// Bytes of acknowledged history that are not what was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// The file.
    pub file: PathBuf,
    /// The byte at which the record, header or group begins that does not check.
    pub offset: u64,
    /// The being of the frame there, if it can be told.
    pub being: Option<BeingId>,
    /// The frame's place on the being's reel, if it can be told.
    pub n: Option<N>,
    /// The check that fails.
    pub what: &'static str,
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` at byte {}", self.file.display(), self.offset)?;
        if let (Some(being), Some(n)) = (self.being, self.n) {
            write!(f, " (frame {n} of {being})")?;
        }
        write!(f, ": {}", self.what)
    }
}

/// Groups that were acknowledged and are not in the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lost {
    /// The seq of the first frame that is gone.
    pub from: Seq,
    /// How many groups are gone.
    pub groups: u64,
}

/// Why a store did not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Another process writes this world.
    #[error("the world in `{}` is in use by {}; stop that process, or ask it instead of opening the world a second time", dir.display(), owner(.pid))]
    Locked {
        /// The owner, if it left its pid.
        pid: Option<u32>,
        /// The world's directory.
        dir: PathBuf,
    },
    /// Nobody waits any more for a walk through history.
    #[error("nobody waits for this any more; ask again")]
    Unasked,
    /// More of history would have to be read than is read for one request.
    #[error("this reads more than {most} records of the world's history; ask for less of it at once, or ask beside the world's files")]
    TooFar {
        /// How many are read at most.
        most: u64,
    },
    /// There is no such directory.
    #[error("expected a world in `{}`, found no directory of that name; check the path, or `reelm run SOURCE` makes one there", dir.display())]
    NoDirectory {
        /// The path.
        dir: PathBuf,
    },
    /// The directory is not a world's.
    #[error("expected a world in `{}`, found no `world.toml`; check the path, or make a world there", dir.display())]
    NotAWorld {
        /// The path.
        dir: PathBuf,
    },
    /// The directory is what people write of a world.
    #[error(
        "`{path}` is a world source, and no world that lives: `reelm run {path} --data DIR` plants it, and DIR is what other commands take as --data",
        path = dir.display()
    )]
    ASource {
        /// The path.
        dir: PathBuf,
    },
    /// The secret of another world lies in a directory in which one should begin.
    #[error(
        "`{}/keystore` holds a secret, and there is no `world.toml` beside it: put that world's files back, or choose another path",
        dir.display()
    )]
    OtherSecret {
        /// The directory.
        dir: PathBuf,
    },
    /// The directory holds a world, or something else, already.
    #[error("expected an empty directory in `{}`, found `{found}`; choose another path", dir.display())]
    NotEmpty {
        /// The path.
        dir: PathBuf,
        /// What lies there.
        found: String,
    },
    /// The file is not an export.
    #[error("`{}` is no export: expected a file that `reelm export` wrote; check the path", file.display())]
    NotAnExport {
        /// The file.
        file: PathBuf,
    },
    /// The files were written by a newer version of this program.
    #[error("`{}` has format {found}, this version knows up to {known}; use a newer version", file.display())]
    NewerFormat {
        /// The file.
        file: PathBuf,
        /// Its format.
        found: u32,
        /// The newest known format.
        known: u32,
    },
    /// The files were written by a version before this one, whose format is not read any more.
    #[error(
        "`{}` has format {found}, this version reads {known} and none before it; nothing was changed: open the world with the version that \
         wrote it, or plant it anew from its source in another directory",
        file.display()
    )]
    FormerFormat {
        /// The file.
        file: PathBuf,
        /// Its format.
        found: u32,
        /// The format that is read.
        known: u32,
    },
    /// Acknowledged history does not check; nothing was cut or changed.
    #[error("damage in {0}; nothing was changed: restore the file from a copy; `reelm inspect` reads past it")]
    Damaged(Box<Damage>),
    /// The end of an acknowledged history is gone; nothing was cut or changed.
    #[error(
        "damage in {damage}; groups that are gone: {}, from frame {} on; nothing was changed: restore the file from a copy, or go on without \
         them by `reelm run --accept-loss`, which `@world` records",
        lost.groups,
        lost.from
    )]
    Lost {
        /// Where the history ends now.
        damage: Box<Damage>,
        /// The groups that are gone.
        lost: Lost,
    },
    /// The frames that are asked for were archived.
    #[error(
        "the frames before {begins} were archived: expected one from there on, found {found}; `reelm import FILE` brings them back: {archives}"
    )]
    Archived {
        /// The frames that were asked for.
        found: String,
        /// The first frame that is here.
        begins: Seq,
        /// The archives to import, in that order.
        archives: String,
    },
    /// A small file beside the log is not as it was written.
    #[error("`{}` is not as it was written: {what}; restore it from a copy", file.display())]
    BadFile {
        /// The file.
        file: PathBuf,
        /// The error in it.
        what: String,
    },
    /// The keystore is another world's.
    #[error(
        "`{}` holds the keys of another world: expected the key {expected} of @world, found {found}; put this world's own keystore back",
        file.display()
    )]
    ForeignKeys {
        /// The keystore.
        file: PathBuf,
        /// The key of `@world` that the world was made with.
        expected: String,
        /// The one that the keystore gives.
        found: String,
    },
    /// The file system lets us read, not write.
    #[error("cannot write `{}`: {source}; allow writing there, or open the world for reading", file.display())]
    NotWritable {
        /// The file.
        file: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// The disk is full.
    #[error("no space is left for `{}`; free some and try again: nothing acknowledged was lost", file.display())]
    Full {
        /// The file.
        file: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// Another failure of the file system.
    #[error("cannot {doing} `{}`: {source}", file.display())]
    Io {
        /// What was tried.
        doing: &'static str,
        /// The file.
        file: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// An earlier write or sync failed.
    #[error("an earlier write to this world failed, so what is on the disk is not known; close it and open it again")]
    Dead,
    /// Another process owns the world, which a copy of it keeps.
    #[error(
        "`{who}` owns this world now, since epoch {epoch}: nothing more is acknowledged here; `reelm restore` brings its history, or `serve --take-over` takes it back"
    )]
    Fenced {
        /// The owner, as people know it.
        who: String,
        /// The epoch that began with it.
        epoch: u64,
    },
    /// Another process owns the world, and was not told to leave it.
    #[error(
        "`{who}` owns this world, since epoch {epoch}; stop that one, or take it over with --take-over: it then stops at its next write"
    )]
    Owned {
        /// The owner, as people know it.
        who: String,
        /// The epoch that began with it.
        epoch: u64,
    },
    /// Sealed keys cannot be opened here.
    #[error("`{}`: {what}", file.display())]
    Sealed {
        /// The file.
        file: PathBuf,
        /// Why.
        what: String,
    },
    /// A copy of the world is kept, and it was not named.
    #[error("a copy of this world is kept on NATS, and would lack what is written here; serve it with --nats, or delete `{}` to go on without the copy", file.display())]
    HasCopy {
        /// The file that says so.
        file: PathBuf,
    },
    /// The copy of the log outside of this machine has failed.
    #[error("the copy on NATS: {what}")]
    Replica {
        /// How.
        what: String,
    },
    /// The store was opened for reading.
    #[error("the world is open for reading only; open it for writing")]
    OnlyReads,
    /// Somebody else appended, or the caller counts wrongly.
    #[error("expected seq {expected}, found {found}; nothing was written")]
    WrongSeq {
        /// The seq that the store expects next.
        expected: Seq,
        /// The seq that was given.
        found: Seq,
    },
    /// A blob is not what its name says.
    #[error("the blob named {named} does not hash to its name; nothing was written")]
    WrongBlob {
        /// Its name.
        named: crate::fact::Hash,
    },
    /// No reader takes a group without a frame.
    #[error("a group without a frame is no history; nothing was written")]
    EmptyGroup,
    /// A record is larger than the format allows.
    #[error("a record of {found} bytes is larger than {most}; nothing was written")]
    TooLarge {
        /// Its size.
        found: usize,
        /// The largest size.
        most: usize,
    },
    /// The index failed; it can be deleted and is rebuilt from the log.
    #[error("the index does not answer: {what}; delete `index` in the world's directory, it is rebuilt from the log")]
    Index {
        /// What it said.
        what: String,
    },
}

impl StoreError {
    /// The error of a failed file operation, told apart by what can be done about it.
    pub(crate) fn io(doing: &'static str, file: &Path, source: io::Error) -> Self {
        let file = file.to_owned();
        match source.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::Full { file, source },
            io::ErrorKind::ReadOnlyFilesystem | io::ErrorKind::PermissionDenied if doing != "read" => Self::NotWritable { file, source },
            _ => Self::Io { doing, file, source },
        }
    }

    pub(super) fn damaged(file: &Path, offset: u64, what: &'static str) -> Self {
        Self::Damaged(Box::new(Damage { file: file.to_owned(), offset, being: None, n: None, what }))
    }
}

fn owner(pid: &Option<u32>) -> String {
    pid.map_or_else(|| "another process".to_owned(), |pid| format!("process {pid}"))
}
