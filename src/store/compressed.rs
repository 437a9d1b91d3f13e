//! A compressed segment, read as the plain one that it was: every place in it is a byte of the plain file.
//!
//! A block that does not check is read as bytes that no record is made of, so whoever reads goes on behind it as behind any damage; the fault
//! is kept, and names the block's own byte in the file.

use std::collections::BTreeMap;
use std::io;
use std::ops::Range;
use std::sync::Arc;

use crate::fact::WorldId;

use super::block::{BLOCK_BYTES, BlockTable};
use super::disk::DiskFile;
use super::groups::{ByteSource, SourceFault};
use super::segment::HEADER_LEN;

/// No length begins so, and it is not the zero that means "nothing written here".
const NOTHING: u8 = 0xff;

/// The plain bytes of a compressed segment.
pub(super) struct CompressedSource {
    file: Arc<dyn DiskFile>,
    table: BlockTable,
    /// The block that was read last.
    held: Option<(usize, Vec<u8>)>,
    /// Blocks that do not check, and the byte at which each begins.
    bad: BTreeMap<usize, u64>,
}

impl CompressedSource {
    /// The file's bytes, if its table checks.
    pub(super) fn open(file: Arc<dyn DiskFile>, world: WorldId) -> io::Result<Result<Self, &'static str>> {
        let table = BlockTable::read(&*file, world)?;
        Ok(table.map(|table| Self { file, table, held: None, bad: BTreeMap::new() }))
    }

    /// How long the plain file was.
    pub(super) fn len(&self) -> u64 {
        self.table.raw_len
    }

    /// A block's raw bytes; read only if it is not the one that was read last.
    fn block(&mut self, index: usize) -> io::Result<&[u8]> {
        let held = match self.held.take().filter(|(held, _)| *held == index) {
            Some(held) => held,
            None => (index, self.read(index)?),
        };
        Ok(&self.held.insert(held).1)
    }

    fn read(&mut self, index: usize) -> io::Result<Vec<u8>> {
        if let Some(raw) = self.table.block(&*self.file, index)? {
            return Ok(raw);
        }
        self.bad.extend(self.table.rows.get(index).map(|row| (index, row.at)));
        Ok(vec![NOTHING; self.table.raw_bytes(index)])
    }
}

/// The block that holds a place behind the header.
fn index(at: u64) -> usize {
    (at.saturating_sub(HEADER_LEN as u64) / BLOCK_BYTES as u64) as usize
}

impl ByteSource for CompressedSource {
    fn read_at(&mut self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        if offset >= self.len() {
            return Ok(0);
        }
        let Some(behind) = offset.checked_sub(HEADER_LEN as u64) else {
            let most = buffer.len().min(HEADER_LEN - offset as usize);
            return self.file.read_at(offset, buffer.get_mut(..most).unwrap_or_default());
        };
        let block = self.block(index(offset))?;
        let mut rest = block.get((behind % BLOCK_BYTES as u64) as usize..).unwrap_or_default();
        rest.read_at(0, buffer)
    }

    fn fault(&self, places: Range<u64>) -> Option<SourceFault> {
        let mut bad = self.bad.range(index(places.start)..=index(places.end.saturating_sub(1)));
        bad.next().map(|(_, &offset)| SourceFault { offset, what: "the compressed block that begins here does not check" })
    }
}
