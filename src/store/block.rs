//! The bytes of a compressed segment: the plain header, a table, and blocks of which each is decompressed by itself.
//!
//! ```text
//! header 112 | magic 8 | raw length u64 | of each block: length u32, crc u32 | crc u32 | the blocks, one behind the other
//! ```
//!
//! The blocks hold what stands behind the header in the plain file, whose length is the raw length: [`BLOCK_BYTES`] each, the rest in the
//! last, as a zstd frame. Checksums begin with the world's id, as those of records do; that of the table is over all from the magic on.

use std::io;

use crate::fact::WorldId;

use super::disk::{DiskFile, read_full};
use super::layout::array;
use super::segment::HEADER_LEN;

/// How much of a segment one block holds. Four times as much saves two bytes of a hundred, and makes reading one record four times as dear.
pub(super) const BLOCK_BYTES: usize = 64 << 10;
/// Higher levels take three times as long and more, for one byte of a hundred: most of what is left are hashes and signatures.
pub const LEVEL: i32 = 3;
/// The limit for the length of a compressed block; bytes that do not compress become a little longer, never so much.
const BLOCK_MAX: usize = 66_560;
const MAGIC: &[u8; 8] = b"reelmzst";
/// The magic of a zstd frame with content; a skippable frame begins otherwise.
const FRAME_MAGIC: [u8; 4] = 0xfd2f_b528_u32.to_le_bytes();
/// Magic and raw length.
const FRONT_LEN: usize = 16;
/// A block's length and checksum.
const ROW_LEN: usize = 8;

/// Where a block lies in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BlockRow {
    pub at: u64,
    len: u32,
    crc: u32,
}

/// The table of blocks of a compressed segment.
pub(super) struct BlockTable {
    world: WorldId,
    /// How long the plain file was.
    pub raw_len: u64,
    pub rows: Vec<BlockRow>,
}

impl BlockTable {
    /// That of a plain file of so many bytes, of which no block is there yet; nothing where it has not even a header.
    pub(super) fn new(world: WorldId, raw_len: u64) -> Option<Self> {
        Some(Self { world, raw_len, rows: Vec::with_capacity(count(raw_len)?) })
    }

    /// The byte at which the next block begins.
    pub(super) fn end(&self) -> u64 {
        let first = || blocks_at(count(self.raw_len).unwrap_or_default());
        self.rows.last().map_or_else(first, |row| row.at + u64::from(row.len))
    }

    /// How many raw bytes a block holds.
    pub(super) fn raw_bytes(&self, index: usize) -> usize {
        let before = (HEADER_LEN + index * BLOCK_BYTES) as u64;
        self.raw_len.saturating_sub(before).min(BLOCK_BYTES as u64) as usize
    }

    /// Compresses the next block, notes it, and gives its bytes.
    pub(super) fn put(&mut self, raw: &[u8]) -> io::Result<Vec<u8>> {
        let bytes = zstd::bulk::compress(raw, LEVEL)?;
        let row = BlockRow { at: self.end(), len: bytes.len() as u32, crc: crc(self.world, &bytes) };
        self.rows.push(row);
        Ok(bytes)
    }

    /// The bytes between the header and the blocks.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend_from_slice(&self.raw_len.to_le_bytes());
        for BlockRow { len, crc, .. } in &self.rows {
            bytes.extend_from_slice(&len.to_le_bytes());
            bytes.extend_from_slice(&crc.to_le_bytes());
        }
        bytes.extend_from_slice(&crc(self.world, &bytes).to_le_bytes());
        bytes
    }

    /// Reads the table of a file, or says what is wrong with it.
    ///
    /// In order: the file is long enough for a table of the blocks that it says; the table begins as one and its checksum holds; each block has
    /// a length that a block can have; the last one ends the file. So nothing is reserved that the file does not hold.
    pub(super) fn read(file: &dyn DiskFile, world: WorldId) -> io::Result<Result<Self, &'static str>> {
        let len = file.len()?;
        let mut front = [0; FRONT_LEN];
        let is_whole = read_full(file, HEADER_LEN as u64, &mut front)? == FRONT_LEN;
        let raw_len = array(&front, 8).map_or(0, u64::from_le_bytes);
        let blocks = count(raw_len).filter(|&blocks| is_whole && blocks_at(blocks) <= len);
        let Some(blocks) = blocks else { return Ok(Err("the table of the compressed segment is cut off or does not check")) };
        let mut table = vec![0; (blocks_at(blocks) as usize) - HEADER_LEN];
        read_full(file, HEADER_LEN as u64, &mut table)?;
        Ok(Self::parse(&table, world, raw_len, len))
    }

    fn parse(table: &[u8], world: WorldId, raw_len: u64, len: u64) -> Result<Self, &'static str> {
        let (above, sum) = table.split_at_checked(table.len().saturating_sub(4)).unwrap_or_default();
        if !table.starts_with(MAGIC) || sum != crc(world, above).to_le_bytes() {
            return Err("the table of the compressed segment does not check");
        }
        let mut found = Self::new(world, raw_len).ok_or("the compressed segment has no header")?;
        for row in above.get(FRONT_LEN..).unwrap_or_default().chunks_exact(ROW_LEN) {
            let number = |at| array(row, at).map_or(0, u32::from_le_bytes);
            let (at, len, crc) = (found.end(), number(0), number(4));
            found.rows.push(BlockRow { at, len, crc });
        }
        let can_be = |row: &BlockRow| (1..=BLOCK_MAX).contains(&(row.len as usize));
        if !found.rows.iter().all(can_be) || found.end() != len {
            return Err("the blocks of the compressed segment are not those of its table");
        }
        Ok(found)
    }

    /// The raw bytes of a block: as many as it must hold, or nothing.
    pub(super) fn block(&self, file: &dyn DiskFile, index: usize) -> io::Result<Option<Vec<u8>>> {
        let Some(row) = self.rows.get(index) else { return Ok(None) };
        let mut bytes = vec![0; row.len as usize];
        let filled = read_full(file, row.at, &mut bytes)?;
        if filled < bytes.len() || crc(self.world, &bytes) != row.crc || !is_one_frame(&bytes) {
            return Ok(None);
        }
        let mut raw = vec![0; self.raw_bytes(index)];
        // Into room of the right size: whatever the block says of itself, it makes nothing larger.
        let made = zstd::bulk::decompress_to_buffer(&bytes, raw.as_mut_slice());
        Ok(made.ok().filter(|&len| len == raw.len()).map(|_| raw))
    }
}

/// Whether some bytes are one frame of zstd from the first byte to the last: what is skipped would be bytes of which nothing says anything.
pub fn is_one_frame(bytes: &[u8]) -> bool {
    bytes.starts_with(&FRAME_MAGIC) && zstd::zstd_safe::find_frame_compressed_size(bytes) == Ok(bytes.len())
}

/// How many blocks a plain file of so many bytes comes to.
fn count(raw_len: u64) -> Option<usize> {
    let behind = raw_len.checked_sub(HEADER_LEN as u64)?;
    // Far beyond any disk, and far from where counting bytes goes wrong.
    usize::try_from(behind.div_ceil(BLOCK_BYTES as u64)).ok().filter(|&blocks| blocks < 1 << 40)
}

/// The byte at which the first block begins.
fn blocks_at(blocks: usize) -> u64 {
    (HEADER_LEN + FRONT_LEN + blocks * ROW_LEN + 4) as u64
}

fn crc(world: WorldId, bytes: &[u8]) -> u32 {
    let mut crc = crc32fast::Hasher::new();
    crc.update(&world.0);
    crc.update(bytes);
    crc.finalize()
}
