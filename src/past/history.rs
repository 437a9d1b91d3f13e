//! History: the past of a world, opened for reading: the one door to it, for the command line, the portal and all others.
//!
//! It is opened as it is durable now, beside whoever writes it, and nothing of it is changed. Every frame it shows is admitted as
//! any reader admits it, and lies under a seal that holds; torn or damaged bytes are an error that names their place. Where an answer needs
//! the world as of some seq, the folding begins at the nearest checkpoint before it; a method that needs the whole says so, and why.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::fact::{BeingId, Canon, Content, Draft, Frame, Millis, N, Seq, Value};
use crate::reel::Recorded;
use crate::store::{
    ArchiveName, ClockFile, Interest, LogStore, Lost, Mode, Options, Record, Recovery, Store, StoreError, Stored, WorldFile,
};
use crate::world::World;

use super::checkpoint::resume;
use super::compare::Compared;
use super::ladder::Ladder;
use super::load::{Kept, LoadError, frame_of, load_from};
use super::loaded::Loaded;

/// The header of a frame's record, and the frame's bytes.
type RawFrame = (Recorded, Arc<[u8]>);

/// The history of the world in a directory.
pub struct History {
    dir: PathBuf,
    pub(super) store: LogStore,
    recovery: Recovery,
}

impl History {
    /// Opens it.
    pub fn of(dir: &Path) -> Result<Self, LoadError> {
        Self::while_asked(dir, Interest::default())
    }

    /// Where the world's clock stands; nothing where no run has left one.
    pub fn clock(&self) -> Result<Option<Millis>, LoadError> {
        Ok(ClockFile::load(&self.dir)?.map(|clock| clock.position))
    }

    /// Opens it for somebody: once they wait no more, whatever walks through it ends with an error.
    pub fn while_asked(dir: &Path, interest: Interest) -> Result<Self, LoadError> {
        // The part of the log behind the newest checkpoint's border is scanned; the rest is checked when it is read.
        let ladder = Ladder::of(dir, &WorldFile::of(dir)?);
        let seen = ladder.and_then(|ladder| ladder.border(Seq::MAX));
        let (store, recovery) = LogStore::open_with(dir, Mode::Read, Options { seen, interest, ..Options::default() })?;
        Ok(Self { dir: dir.to_owned(), store, recovery })
    }

    /// Where it lies.
    pub(super) fn dir(&self) -> &Path {
        &self.dir
    }

    /// Its checkpoints; none if `world.toml` does not say a key.
    pub(super) fn ladder(&self) -> Option<Ladder> {
        Ladder::of(&self.dir, self.world_file())
    }

    /// What `world.toml` says.
    pub fn world_file(&self) -> &WorldFile {
        self.store.world_file()
    }

    /// The first seq that there is not.
    pub fn end(&self) -> Seq {
        self.store.ending().seq
    }

    /// The first seq that there is: what lies before may have been archived.
    pub fn begins(&self) -> Seq {
        self.store.begins()
    }

    /// The archives with what lies before, the oldest first.
    pub fn archives(&self) -> &[ArchiveName] {
        self.store.beginning().map_or(&[], |begun| &begun.said.archives)
    }

    /// The notice that frames from a seq on were archived, so that no search reads them; none where all are here.
    pub fn unread(&self, from: Seq) -> Option<String> {
        let archives: Vec<String> = self.archives().iter().rev().filter(|archive| archive.to > from).map(ToString::to_string).collect();
        let begins = self.begins();
        let import = "`reelm import FILE` brings them back, in this order";
        (!archives.is_empty())
            .then(|| format!("the frames before {begins} were archived and are not looked through; {import}: {}", archives.join(", then ")))
    }

    /// The groups that were acknowledged once and are gone.
    pub fn lost(&self) -> Option<Lost> {
        self.recovery.lost
    }

    /// How many bytes of a torn group stand behind the end; they are not read.
    pub fn torn_bytes(&self) -> u64 {
        self.recovery.cut_bytes
    }

    /// The records themselves, for whoever walks all of them: a replay, an export.
    pub fn into_store(self) -> LogStore {
        self.store
    }

    /// The seqs of its checkpoints, newest first, as their files say.
    pub fn checkpoints(&self) -> Vec<Seq> {
        let names = self.ladder().map(|ladder| ladder.names()).unwrap_or_default();
        names.into_iter().map(|name| name.seq).filter(|seq| *seq <= self.end()).collect()
    }

    /// Its checkpoints, to be compared with what a walk through all of it comes to.
    pub fn compared(&self) -> Compared {
        Compared::of(self.ladder())
    }

    /// The world as of a seq: all frames below it.
    pub fn world_at(&self, seq: Seq) -> Result<World, LoadError> {
        self.world(Some(seq), &mut |_| {})
    }

    /// The world as it is now, standing where its clock stands, or as of a seq; `progress` hears of each frame that is folded.
    pub fn world(&self, below: Option<Seq>, progress: &mut dyn FnMut(Seq)) -> Result<World, LoadError> {
        Ok(resume(&self.dir, &self.store, below, progress)?.world)
    }

    /// Folds up to the end, or up to a seq; `step` hears of each frame from another seq on, with the world after it.
    ///
    /// Callers may trust the frames it hears only once this has returned: the seal is checked behind the last one.
    pub fn fold(&self, from: Seq, below: Option<Seq>, step: impl FnMut(&Frame, &World)) -> Result<World, LoadError> {
        let begins = below.map_or(from, |below| from.min(below));
        let begun = resume(&self.dir, &self.store, Some(begins), &mut |_| {})?;
        let Loaded { world, .. } = load_from(&self.store, begun, below, step)?;
        Ok(world)
    }

    /// The world as it was once its source had been planted, which is near its beginning; nothing where that never came to its end.
    pub fn planted(&self) -> Result<Option<World>, LoadError> {
        const FIRST: Seq = 256;
        let mut until = FIRST.min(self.end());
        loop {
            let mut planted = None;
            self.fold(0, Some(until), |_, world| {
                if planted.is_none() && world.is_planted() {
                    planted = Some(world.clone());
                }
            })?;
            if planted.is_some() || until >= self.end() {
                return Ok(planted);
            }
            until = until.saturating_mul(8).min(self.end());
        }
    }

    /// The worlds as of some seqs, folded once from the first to the last.
    pub fn worlds_at(&self, seqs: &BTreeSet<Seq>) -> Result<BTreeMap<Seq, World>, LoadError> {
        let (Some(first), Some(last)) = (seqs.first(), seqs.last()) else { return Ok(BTreeMap::new()) };
        let begun = resume(&self.dir, &self.store, Some(*first), &mut |_| {})?;
        let mut worlds = BTreeMap::from([(*first, begun.world.clone())]);
        load_from(&self.store, begun, Some(*last), |frame, world| {
            let next = frame.draft().seq + 1;
            if seqs.contains(&next) {
                worlds.insert(next, world.clone());
            }
        })?;
        Ok(worlds)
    }

    /// One frame by itself, signed by its being, whom the given world knows, or covered by the seal behind it.
    pub fn frame(&self, seq: Seq, world: &World) -> Result<Option<Frame>, LoadError> {
        let Some((recorded, bytes)) = self.record(seq)? else { return Ok(None) };
        // In a fork a being has one key before its first frame there, and another from that frame on.
        let reign = |seq: Seq| world.lineage().reign(seq).began;
        let has_other_key = world.being(recorded.being).is_some_and(|being| reign(being.last_seq) != reign(seq));
        let then = if has_other_key { Some(self.world_at(seq + 1)?) } else { None };
        let frame = Some(frame_of(recorded, &bytes, then.as_ref().unwrap_or(world))?);
        if let Some(frame) = frame.as_ref().filter(|frame| frame.signature().is_none()) {
            self.covered(frame)?;
        }
        Ok(frame)
    }

    /// The bytes of one frame, found from the nearest checkpoint on; nothing is checked but that its group is one of this log.
    pub(super) fn record(&self, wanted: Seq) -> Result<Option<RawFrame>, LoadError> {
        for entry in self.behind(wanted)? {
            match entry {
                Ok(Stored::Frame { seq, being, n, bytes, .. }) if seq == wanted => return Ok(Some((Recorded { seq, being, n }, bytes))),
                Ok(_) => {}
                // The log itself is asked, and says it better.
                Err(_) => break,
            }
        }
        match self.store.frame(wanted)? {
            Some(Record::Frame { seq, being, n, bytes }) => Ok(Some((Recorded { seq, being, n }, bytes))),
            Some(Record::Blob { .. }) | None => Ok(None),
        }
    }

    /// The seqs of a being's frames from the nearest checkpoint up to one of them, the oldest first, and where the one before them lies: each
    /// stretch is read once, however many of them are in it.
    pub(super) fn of_being_behind(&self, being: BeingId, newest: Seq) -> Result<(Vec<Seq>, Option<Seq>), LoadError> {
        let (mut seqs, mut first) = (Vec::new(), None);
        for entry in self.behind(newest)? {
            match entry {
                Ok(Stored::Frame { seq, being: whose, bytes, .. }) if whose == being && seq <= newest => {
                    seqs.push(seq);
                    first.get_or_insert(bytes);
                }
                Ok(Stored::Frame { seq, .. }) if seq > newest => break,
                Ok(_) => {}
                Err(_) => break,
            }
        }
        if seqs.last() != Some(&newest) {
            (seqs, first) = (vec![newest], self.record(newest)?.map(|(_, bytes)| bytes));
        }
        let first = first.and_then(|bytes| Frame::read(&bytes).ok());
        let before = first.filter(|frame| frame.draft().being == being && frame.draft().n > 0).map(|frame| frame.draft().prev_seq);
        Ok((seqs, before))
    }

    /// The entries from the nearest checkpoint before a frame on; none where there is no such checkpoint or frame.
    fn behind(&self, wanted: Seq) -> Result<impl Iterator<Item = Result<Stored, StoreError>>, LoadError> {
        let border = self.ladder().and_then(|ladder| ladder.border(wanted));
        let border = border.filter(|_| wanted < self.end());
        Ok(border.map(|border| self.store.read_behind(&border)).transpose()?.into_iter().flatten())
    }

    /// The seq of a being's n-th frame.
    pub fn nth(&self, being: BeingId, n: N) -> Result<Option<Seq>, LoadError> {
        let ladder = self.ladder();
        let archived = self.store.beginning().filter(|_| ladder.as_ref().and_then(|ladder| ladder.archived_of(being)) > Some(n));
        if let Some(begun) = archived {
            return Err(begun.lacks_all(format!("frame {n} of {being}"), 0).into());
        }
        let (border, below) = ladder.map(|ladder| ladder.around(being, n, self.end())).unwrap_or_default();
        for entry in self.entries_behind(border, 0)? {
            match entry {
                Ok(Stored::Frame { seq, being: whose, n: at, .. }) if (whose, at) == (being, n) => return Ok(Some(seq)),
                Ok(Stored::Frame { seq, .. }) if below.is_some_and(|below| seq >= below) => break,
                Ok(_) => {}
                // The log itself is asked, and says it better.
                Err(_) => break,
            }
        }
        Ok(self.reel(being, n)?.first().copied())
    }

    /// The seqs of a being's frames, from its n-th on; those that were archived are left out.
    pub fn reel(&self, being: BeingId, from: N) -> Result<Vec<Seq>, LoadError> {
        Ok(self.store.reel(being, from)?)
    }

    /// The large values that a draft names.
    pub fn kept(&self, draft: &Draft) -> Result<Kept, LoadError> {
        let mut kept = Kept::default();
        for content in draft.contents() {
            if let Content::There { hash, .. } = content
                && let Some(bytes) = self.store.blob(hash)?
            {
                kept.0.insert(*hash, bytes);
            }
        }
        Ok(kept)
    }

    /// A recorded value, read from its blob if it was large; none if it was not kept or is no value.
    pub(super) fn content(&self, content: &Content) -> Result<Option<Value>, LoadError> {
        Ok(match content {
            Content::Here(value) => Some(value.clone()),
            Content::There { hash, .. } => self.store.blob(hash)?.and_then(|bytes| Value::from_canon(&bytes).ok()),
            Content::Unread { .. } => None,
        })
    }
}
