//! The stream that a store gives when it is read: what its groups hold, in commit order, through all its volumes.
//!
//! Each volume must begin where the one before it ends, and end with its last group; the history must end where it is said to.

use std::path::PathBuf;
use std::sync::Arc;

use crate::fact::{Lineage, Seq};

use super::error::StoreError;
use super::groups::{GroupReader, Volume, VolumeStep};
use super::layout::{CommitChain, HEAD_LEN, Kind, blob_payload, frame_payload};
use super::record::{Commit, RecordPlace, Stored};

/// The group that is being given.
struct Current {
    at: u64,
    seq: Seq,
    commit: Commit,
}

/// The stream that `read` gives.
pub(super) struct EntryStream<'a, V> {
    pub lineage: Arc<Lineage>,
    pub volumes: V,
    /// Where the chain stands, as far as it is known.
    pub chain: Option<CommitChain>,
    /// Groups that end before it are not given.
    pub from: Seq,
    /// Go on behind damage.
    pub inspect: bool,
    /// Where the chain must stand at the end of the last volume.
    ends: Option<CommitChain>,
    reader: Option<GroupReader<'a>>,
    path: PathBuf,
    file: Arc<str>,
    end: u64,
    current: Option<Current>,
    over: bool,
}

impl<'a, V: Iterator<Item = Result<Volume<'a>, StoreError>>> EntryStream<'a, V> {
    pub(super) fn new(lineage: Arc<Lineage>, volumes: V, chain: Option<CommitChain>, from: Seq, inspect: bool) -> Self {
        Self {
            lineage,
            volumes,
            chain,
            from,
            inspect,
            ends: None,
            reader: None,
            path: PathBuf::new(),
            file: Arc::from(""),
            end: 0,
            current: None,
            over: false,
        }
    }

    /// Makes it an error to end anywhere else.
    pub(super) fn until(mut self, chain: CommitChain) -> Self {
        self.ends = Some(chain);
        self
    }

    fn turn(&mut self) -> Result<Option<Stored>, StoreError> {
        loop {
            if self.current.is_some() {
                return self.give();
            }
            let Some(reader) = self.reader.as_mut() else {
                match self.volumes.next() {
                    None => return self.check_end(),
                    Some(Ok(volume)) => self.enter(volume)?,
                    Some(Err(error)) => {
                        // The chain is broken here: later groups cannot be checked against it.
                        self.chain = None;
                        return Err(error);
                    }
                }
                continue;
            };
            match reader.step(self.chain.as_ref())? {
                VolumeStep::End => {
                    self.end = reader.at;
                    let is_over = reader.at >= reader.volume.limit;
                    self.reader = None;
                    if !is_over {
                        return Err(StoreError::damaged(&self.path, self.end, "bytes stand behind the last group"));
                    }
                }
                VolumeStep::Torn(damage) | VolumeStep::Forged(damage) => {
                    if self.inspect {
                        let (from, number) = (reader.at, self.chain.map_or(0, |chain| chain.number));
                        let found = reader.seek_commit(from, |record| record.commit.number > number)?;
                        self.chain = found.map(|record| record.chain());
                    }
                    return Err(StoreError::Damaged(Box::new(damage)));
                }
                VolumeStep::Group { offset, record } => {
                    let chain = record.chain().crossed(&self.lineage);
                    if chain.commit != record.commit.hash {
                        reader.turn_to(self.lineage.writer(chain.seq).world);
                    }
                    self.chain = Some(chain);
                    let commit = record.commit;
                    if self.from == 0 || commit.end_seq > self.from {
                        self.from = 0;
                        // A commit that stands alone in the chain was counted by nothing: its seq may be anything.
                        let seq = commit.end_seq.saturating_sub(u64::from(commit.frames));
                        self.current = Some(Current { at: offset, seq, commit });
                    }
                }
            }
        }
    }

    fn check_end(&mut self) -> Result<Option<Stored>, StoreError> {
        match self.ends.take().zip(self.chain) {
            Some((said, stands)) if !said.is_where(&stands) => {
                Err(StoreError::damaged(&self.path, self.end, "the history goes on, but nothing stands here"))
            }
            _ => Ok(None),
        }
    }

    /// Goes on with the next volume, which must begin where the last one ended.
    fn enter(&mut self, volume: Volume<'a>) -> Result<(), StoreError> {
        self.path.clone_from(&volume.path);
        self.file = Arc::from(self.path.file_name().unwrap_or_default().to_string_lossy());
        let (said, stands) = (volume.chain, self.chain);
        self.reader = Some(GroupReader::new(volume));
        let fits = said.zip(stands).is_none_or(|(said, stands)| said.is_where(&stands));
        self.chain = stands.filter(|_| fits).or(said);
        if fits { Ok(()) } else { Err(StoreError::damaged(&self.path, 0, "the file does not begin where the one before it ends")) }
    }

    fn give(&mut self) -> Result<Option<Stored>, StoreError> {
        let Some((current, reader)) = self.current.as_mut().zip(self.reader.as_mut()) else { return Ok(None) };
        let at = RecordPlace { file: self.file.clone(), offset: current.at };
        let damaged = || StoreError::damaged(&self.path, at.offset, "the record changed while it was read");
        // The group was checked, so its records are there; the window may have to be read again.
        let behind = reader.at;
        reader.at = reader.at.min(current.at);
        let read = reader.record(current.at);
        let (kind, bytes) = read?.ok_or_else(damaged)?;
        let payload = bytes.get(HEAD_LEN..).unwrap_or_default();
        current.at += bytes.len() as u64;
        let entry = match kind {
            Kind::Frame => {
                let (being, n, bytes) = frame_payload(payload).ok_or_else(damaged)?;
                let seq = current.seq;
                current.seq += 1;
                Stored::Frame { seq, being, n, bytes: Arc::from(bytes), at }
            }
            Kind::Blob => {
                let (hash, bytes) = blob_payload(payload).ok_or_else(damaged)?;
                Stored::Blob { hash, bytes: Arc::from(bytes), at }
            }
            Kind::Commit => {
                let commit = current.commit.clone();
                self.current = None;
                Stored::Commit { commit, at }
            }
        };
        reader.at = behind;
        Ok(Some(entry))
    }
}

impl<'a, V: Iterator<Item = Result<Volume<'a>, StoreError>>> Iterator for EntryStream<'a, V> {
    type Item = Result<Stored, StoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.over {
            return None;
        }
        let entry = self.turn().transpose();
        let goes_on = match &entry {
            Some(Ok(_)) => true,
            Some(Err(StoreError::Damaged(_))) => self.inspect,
            _ => false,
        };
        self.over = !goes_on;
        entry
    }
}
