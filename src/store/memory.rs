//! The store of tests and of worlds that need not outlive the process: the same bytes, in memory.
//!
//! It writes and reads groups through the same layout as the log, so an export of it is an export like any other.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use crate::fact::{BeingId, Hash, Lineage, N, Seq, WorldId};

use super::contract::{Entries, Store};
use super::entries::EntryStream;
use super::error::StoreError;
use super::groups::Volume;
use super::layout::{CommitChain, GroupWriter, HEAD_LEN, Note, RecordHead, blob_payload, check_groups, frame_payload};
use super::record::{Ending, Group, Position, Record};

/// A history in memory.
#[derive(Debug)]
pub struct MemoryStore {
    world: WorldId,
    bytes: Vec<u8>,
    writer: GroupWriter,
    ending: Ending,
    /// Where each frame begins, by seq.
    frames: Vec<u64>,
    /// Where each group begins, by its first seq, and the chain there.
    groups: BTreeMap<Seq, (u64, CommitChain)>,
    reels: BTreeMap<(BeingId, N), Seq>,
    blobs: BTreeMap<Hash, u64>,
}

impl MemoryStore {
    /// An empty store for a world.
    pub fn new(world: WorldId) -> Self {
        let chain = CommitChain::start(world);
        let ending = chain.ending(Position::default());
        Self {
            world,
            bytes: Vec::new(),
            writer: GroupWriter::new(world, chain),
            ending,
            frames: Vec::new(),
            groups: BTreeMap::new(),
            reels: BTreeMap::new(),
            blobs: BTreeMap::new(),
        }
    }

    fn payload(&self, at: u64) -> Option<&[u8]> {
        let record = self.bytes.get(usize::try_from(at).ok()?..)?;
        record.get(HEAD_LEN..)?.get(..RecordHead::read(record)?.len)
    }
}

impl Store for MemoryStore {
    fn ending(&self) -> &Ending {
        &self.ending
    }

    fn append(&mut self, expected_seq: Seq, groups: &[Group]) -> Result<(), StoreError> {
        check_groups(self.ending.seq, expected_seq, groups)?;
        for group in groups {
            let mut seq = self.writer.chain.seq;
            self.groups.entry(seq).or_insert((self.bytes.len() as u64, self.writer.chain));
            let (frames, reels, blobs) = (&mut self.frames, &mut self.reels, &mut self.blobs);
            self.writer.group(group, &mut self.bytes, |note| match note {
                Note::Frame { being, n, at } => {
                    frames.push(at);
                    reels.insert((being, n), seq);
                    seq += 1;
                }
                Note::Blob { hash, at } => {
                    blobs.entry(hash).or_insert(at);
                }
            });
        }
        self.writer.acked = self.writer.chain.number;
        self.ending = self.writer.chain.ending(Position { segment: 0, offset: self.bytes.len() as u64 });
        Ok(())
    }

    fn read(&self, from: Seq) -> Result<Entries<'_>, StoreError> {
        let (start, chain) = match self.groups.range(..=from).next_back() {
            Some((_, (start, chain))) => (*start, *chain),
            None => (0, CommitChain::start(self.world)),
        };
        let limit = self.bytes.len() as u64;
        let (path, source) = (PathBuf::from("memory"), Box::new(self.bytes.as_slice()));
        let volume = Volume { path, world: self.world, source, start, limit, chain: Some(chain), is_export: false };
        Ok(Box::new(EntryStream::new(Arc::new(Lineage::plain(self.world)), std::iter::once(Ok(volume)), None, from, false)))
    }

    fn frame(&self, seq: Seq) -> Result<Option<Record>, StoreError> {
        let at = usize::try_from(seq).ok().and_then(|seq| self.frames.get(seq));
        let frame = at.and_then(|&at| self.payload(at)).and_then(frame_payload);
        Ok(frame.map(|(being, n, bytes)| Record::Frame { seq, being, n, bytes: Arc::from(bytes) }))
    }

    fn reel(&self, being: BeingId, from_n: N) -> Result<Vec<Seq>, StoreError> {
        Ok(self.reels.range((being, from_n)..=(being, N::MAX)).map(|(_, seq)| *seq).collect())
    }

    fn blob(&self, hash: &Hash) -> Result<Option<Arc<[u8]>>, StoreError> {
        let at = self.blobs.get(hash);
        Ok(at.and_then(|&at| self.payload(at)).and_then(blob_payload).map(|(_, bytes)| Arc::from(bytes)))
    }
}
