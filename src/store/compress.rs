//! Compressing a closed segment: written beside, made durable, compared with the plain file, and only then in its place.
//!
//! The plain file is the truth as long as it is there: whatever cuts this off, opening reads it and it is begun anew. Its bytes are taken as
//! they are; whether they check is for whoever reads them.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::fact::WorldId;

use super::block::{BLOCK_BYTES, BlockTable};
use super::compressed::CompressedSource;
use super::disk::{Disk, read_full};
use super::error::StoreError;
use super::groups::ByteSource;
use super::segment::{self, HEADER_LEN, SegmentForm};

/// A closed segment, and where it lies.
#[derive(Clone)]
pub(super) struct ClosedSegment {
    pub disk: Arc<dyn Disk>,
    pub log: PathBuf,
    pub world: WorldId,
    pub first: u64,
}

impl ClosedSegment {
    /// Puts the compressed segment in the place of the plain one; no, where it was told to stop on the way.
    ///
    /// In order: the compressed file is written beside its place, synced and renamed, and the directory synced; it is read back and compared
    /// with the plain one; the plain one goes.
    pub(super) fn compress(&self, goes_on: &dyn Fn() -> bool) -> Result<bool, StoreError> {
        let (plain, place) = (self.path(SegmentForm::Plain), self.path(SegmentForm::Compressed));
        let beside = segment::beside(&place);
        let wrong = |error| StoreError::io("compress", &plain, error);
        match self.write(&beside, goes_on) {
            Ok(true) => {}
            other => {
                // Half a file holds room that a full disk may need.
                let _ = self.disk.remove(&beside);
                return other.map_err(wrong);
            }
        }
        self.disk.rename(&beside, &place).and_then(|()| self.disk.sync_dir(&self.log)).map_err(wrong)?;
        if !self.is_same().map_err(wrong)? {
            self.disk.remove(&place).map_err(wrong)?;
            return Err(StoreError::damaged(
                &place,
                0,
                "the compressed segment was not read back as it was written; the plain one is kept",
            ));
        }
        self.disk.remove(&plain).map_err(wrong)?;
        Ok(true)
    }

    fn path(&self, form: SegmentForm) -> PathBuf {
        segment::path(&self.log, self.first, form)
    }

    /// Writes the blocks behind the room of their table, and then the table.
    fn write(&self, beside: &Path, goes_on: &dyn Fn() -> bool) -> io::Result<bool> {
        let plain = self.disk.open(&self.path(SegmentForm::Plain), false)?;
        let mut table = BlockTable::new(self.world, plain.len()?).ok_or_else(|| io::Error::other("it has no header"))?;
        let mut header = [0; HEADER_LEN];
        read_full(&*plain, 0, &mut header)?;
        let out = self.disk.create(beside)?;
        let (mut at, mut raw) = (HEADER_LEN as u64, vec![0; BLOCK_BYTES]);
        while at < table.raw_len {
            let filled = read_full(&*plain, at, &mut raw)?;
            let place = table.end();
            out.write_at(place, &table.put(raw.get(..filled).unwrap_or_default())?)?;
            at += BLOCK_BYTES as u64;
            if !goes_on() {
                return Ok(false);
            }
        }
        out.write_at(0, &[&header[..], &table.to_bytes()].concat())?;
        out.sync()?;
        Ok(true)
    }

    /// Whether what is read back is the plain file, byte for byte.
    fn is_same(&self) -> io::Result<bool> {
        let mut plain = self.disk.open(&self.path(SegmentForm::Plain), false)?;
        let file = self.disk.open(&self.path(SegmentForm::Compressed), false)?;
        let Ok(mut compressed) = CompressedSource::open(file, self.world)? else { return Ok(false) };
        let len = plain.len()?;
        let (mut one, mut other, mut at) = (vec![0; BLOCK_BYTES], vec![0; BLOCK_BYTES], 0);
        while at < len && compressed.len() == len {
            let (from, to) = (fill(&mut plain, at, &mut one)?, fill(&mut compressed, at, &mut other)?);
            if from == 0 || one.get(..from) != other.get(..to) {
                return Ok(false);
            }
            at += from as u64;
        }
        Ok(at == len && compressed.fault(0..len).is_none())
    }
}

/// Reads until the buffer is full or the source ends.
pub(super) fn fill(source: &mut dyn ByteSource, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while let Some(rest) = buffer.get_mut(filled..).filter(|rest| !rest.is_empty()) {
        match source.read_at(offset + filled as u64, rest)? {
            0 => break,
            count => filled += count,
        }
    }
    Ok(filled)
}
