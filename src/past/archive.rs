//! Archive: the old history of a world is moved out under a signed checkpoint, and brought back; nothing is removed that was not read back.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crate::fact::{Frame, Hash, Lineage, Master, Peaks, Seq, Signature, WorldId};
use crate::reel::AdmissionError;
use crate::store::{
    ArchiveFile, ArchiveName, Checkpoints, Commit, HeldBytes, Keystore, LogStore, Mode, NewBeginning, Options, RecordPlace, RungName,
    SignedBorder, Store, StoreError, Stored,
};

use super::checkpoint::resume;

use super::load::LoadError;
use super::rung_writer::{ToKeep, whole_rung};

/// Why nothing was archived, or brought back; nothing was changed.
#[derive(Debug, thiserror::Error)]
pub enum ArchivingError {
    /// Something cannot be read or written, or is no history.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// No commit of the log ends so early.
    #[error(
        "expected a point at or behind frame {first}, where the first commit of the log ends, found {found}: an archive ends where a commit \
         does, so choose a later point"
    )]
    TooEarly {
        /// The point.
        found: Seq,
        /// The first border.
        first: Seq,
    },
    /// A fork shares what lies before.
    #[error(
        "expected a point at or behind frame {began}, where this fork begins, found {found}: what lies before is its parent's, and no checkpoint \
         there could be signed with the fork's key"
    )]
    Parents {
        /// The point.
        found: Seq,
        /// Where the fork begins.
        began: Seq,
    },
    /// The file holds no archive.
    #[error("`{}` is no archive: expected a file that `reelm archive` wrote", file.display())]
    NotAnArchive {
        /// The file.
        file: PathBuf,
    },
    /// The world has all of its history.
    #[error("the log in `{}` begins with frame 0: nothing of it is archived, so nothing can be brought back", dir.display())]
    Whole {
        /// The world's directory.
        dir: PathBuf,
    },
    /// It is another world's.
    #[error("`{}` is an archive of the world {found}; this is the world {expected}", file.display())]
    World {
        /// The file.
        file: PathBuf,
        /// This world.
        expected: WorldId,
        /// Its world.
        found: WorldId,
    },
    /// It is not the one that lies right before the log.
    #[error("`{}` holds frames {from} to {last}; archives come back newest first, so import {expected}", file.display())]
    Order {
        /// The file.
        file: PathBuf,
        /// Its first frame.
        from: Seq,
        /// Its last frame.
        last: Seq,
        /// The one that comes next.
        expected: String,
    },
    /// Its last commit is not the one behind which the log begins.
    #[error("the last commit in `{}` is not the one behind which the log begins: seal, hash or place are another", file.display())]
    End {
        /// The file.
        file: PathBuf,
    },
    /// It is not the file that was written.
    #[error("`{}` is not the file that was archived: expected the BLAKE3 hash {expected}, found {found}; take another copy of it", file.display())]
    Other {
        /// The file.
        file: PathBuf,
        /// The hash that the world knows.
        expected: Hash,
        /// Its hash.
        found: Hash,
    },
}

impl From<StoreError> for ArchivingError {
    fn from(error: StoreError) -> Self {
        Self::Load(error.into())
    }
}

/// A world open for writing, so that nobody else writes it, and without an index or anything that works beside.
fn held(dir: &Path) -> Result<LogStore, StoreError> {
    let options = Options { index: false, compress_after: None::<Duration>, ..Options::default() };
    Ok(LogStore::open_with(dir, Mode::Write, options)?.0)
}

/// The values and the newest commit of an archive, read through.
struct Walked {
    values: BTreeMap<Hash, Arc<[u8]>>,
    newest: Option<(Commit, RecordPlace)>,
}

/// Reads an archive through. Every frame stands in a group that follows the one before, and each commit has the head that its frames come to.
fn walked(archive: &ArchiveFile, lineage: &Arc<Lineage>) -> Result<Walked, LoadError> {
    let from = &archive.said.from;
    let mut peaks = Peaks::going_on(from.seq, from.peaks.clone()).unwrap_or_default();
    let mut walked = Walked { values: BTreeMap::new(), newest: None };
    for entry in archive.entries(lineage) {
        match entry? {
            Stored::Blob { hash, bytes, .. } => drop(walked.values.insert(hash, bytes)),
            Stored::Frame { bytes, .. } => peaks.push(Frame::hash_in(&bytes)),
            Stored::Commit { commit, at } => {
                let (seq, found, sealed) = (commit.end_seq.saturating_sub(1), peaks.head(), commit.head);
                if found != sealed {
                    return Err(LoadError::at(at.clone())(AdmissionError::Head { seq, found, sealed }));
                }
                walked.newest = Some((commit, at));
            }
        }
    }
    Ok(walked)
}

/// Moves the history of a world up to the last commit before a seq into a file. In order: the file is written and read back, what lies behind
/// the border becomes a segment of its own, the checkpoint with which the log then begins is put in its place, and what was moved goes.
///
/// The same again does what is left to do of one that was cut off.
pub fn archive(dir: &Path, before: Seq, file: &Path) -> Result<ArchiveName, ArchivingError> {
    let mut store = held(dir)?;
    let world = store.world_file();
    let (lineage, began) = (world.lineage(), world.lineage().own_groups());
    if before < began {
        return Err(ArchivingError::Parents { found: before, began });
    }
    let Some(place) = store.border_before(before)? else {
        let first = store.first_border()?;
        return done_before(&store, dir, file)?.ok_or(ArchivingError::TooEarly { found: before, first });
    };
    let border = place.ending;
    let master = Master::new(*Keystore::of(dir, world)?.master);
    let then = resume(dir, &store, Some(border.seq), &mut |_| {})?;
    let to = SignedBorder::of(&border, then.chain.peaks().as_slice().to_vec());
    let former = store.beginning();
    let start = SignedBorder { seq: 0, number: 0, commit: Hash::of(&lineage.nth(0).world.0), head: Hash::NOTHING, peaks: Vec::new() };
    let from = former.map_or(start, |former| former.said.at.clone());
    let (archive, end) = store.archive(&place, (from.clone(), to.clone()), file, &master)?;
    let made = || -> Result<(ArchiveName, Vec<u8>, Vec<u8>), ArchivingError> {
        let HeldBytes { hash, len: size } = archive.sum()?;
        let Walked { mut values, newest } = walked(&archive, &lineage)?;
        let (newest, _) = newest.ok_or(ArchivingError::TooEarly { found: before, first: border.seq })?;
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let name = ArchiveName { from: from.seq, to: to.seq, name, hash, size };
        for hash in former.iter().flat_map(|former| former.value_names()) {
            values.extend(store.blob(&hash)?.map(|bytes| (hash, bytes)));
        }
        let archives = former.map(|former| former.said.archives.clone()).unwrap_or_default();
        let stand = ToKeep { world: Arc::new(then.world), chain: then.chain, blobs: then.blobs, border };
        let rung = whole_rung(&stand, lineage.world, &master);
        let beginning = NewBeginning {
            world: lineage.world,
            at: to,
            commit: (newest.hash, Signature(newest.seal), end),
            archives: archives.into_iter().chain([name.clone()]).collect(),
            rung: rung.clone(),
            values,
        };
        Ok((name, rung, beginning.bytes(&master)))
    };
    let (name, rung, beginning) = made().inspect_err(|_| {
        // Nothing stands on it.
        let _ = std::fs::remove_file(file);
    })?;
    store.begin_behind(&place, &beginning)?;
    store.close()?;
    keep_rung(dir, name.to, &rung);
    Ok(name)
}

/// The newest archive of a world, where a file is it: a command that was cut off had written it.
fn done_before(store: &LogStore, dir: &Path, file: &Path) -> Result<Option<ArchiveName>, StoreError> {
    let Some((begun, newest)) = store.beginning().and_then(|begun| Some((begun, begun.said.archives.last()?))) else { return Ok(None) };
    let is_named = file.file_name().is_some_and(|name| name.to_string_lossy() == newest.name);
    let found = if is_named && file.exists() { ArchiveFile::of(file)? } else { None };
    if !found.is_some_and(|found| found.sum().is_ok_and(|sum| sum.hash == newest.hash)) {
        return Ok(None);
    }
    keep_rung(dir, newest.to, &begun.rung()?);
    Ok(Some(newest.clone()))
}

/// Keeps the checkpoint with which a log begins: rungs that will stand on it must not miss it once the archive is back.
fn keep_rung(dir: &Path, seq: Seq, rung: &[u8]) {
    // It is a cache, and nothing waits for it.
    let _ = Checkpoints::of(dir).keep(RungName { seq, base: None }, rung);
}

/// Puts an archive back in front of the log that begins where it ends.
///
/// In order: it is an archive, of this world, the newest one; it is as long as it says, and signed; its frames are the history that was sealed; it
/// is byte for byte the file that the world knows.
pub fn bring_back(dir: &Path, file: &Path) -> Result<ArchiveName, ArchivingError> {
    let mut store = held(dir)?;
    let archive = ArchiveFile::of(file)?.ok_or_else(|| ArchivingError::NotAnArchive { file: file.to_owned() })?;
    let (lineage, said) = (store.world_file().lineage(), &archive.said);
    let Some(begun) = store.beginning().map(|begun| begun.said.clone()) else { return Err(ArchivingError::Whole { dir: dir.to_owned() }) };
    let is_ours = lineage.signers(said.to.seq).iter().any(|(world, _)| *world == said.world);
    if !is_ours {
        return Err(ArchivingError::World { file: file.to_owned(), expected: lineage.world, found: said.world });
    }
    let newest = begun.archives.last().filter(|newest| (newest.from, newest.to) == (said.from.seq, said.to.seq) && said.to == begun.at);
    let Some(newest) = newest.cloned() else {
        let expected = begun.archives.last().map(ToString::to_string).unwrap_or_default();
        let (from, last) = (said.from.seq, said.to.seq.saturating_sub(1));
        return Err(ArchivingError::Order { file: file.to_owned(), from, last, expected });
    };
    archive.check(&lineage)?;
    let ends = walked(&archive, &lineage)?.newest;
    if !ends.is_some_and(|(commit, at)| begun.ends_with(&commit, &at)) {
        return Err(ArchivingError::End { file: file.to_owned() });
    }
    let found = archive.sum()?.hash;
    if found != newest.hash {
        return Err(ArchivingError::Other { file: file.to_owned(), expected: newest.hash, found });
    }
    store.bring_back(&archive)?;
    store.close()?;
    Ok(newest)
}
