//! One file with a whole world: what `world.toml` says, where the history ends, and all its groups.
//!
//! An export can be read as a store by itself, so a world can be replayed from it without being imported. It holds no keys. Two
//! stores with the same history, whose clocks stand at one place, give the same bytes.
//!
//! ```text
//! magic 8 | length u32 | world.toml, and its clock | a segment's header with the chain at the end of the history | groups
//! ```

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::fact::{BeingId, Hash, Lineage, N, Seq};

use super::clock::ClockFile;
use super::contract::{Entries, Store};
use super::copied_groups::each_copied;
use super::disk::{Disk, DiskFile, PlainDisk};
use super::entries::EntryStream;
use super::error::StoreError;
use super::groups::{Volume, read_blob};
use super::layout::{COMMIT_LEN, CommitChain, CommitRecord};
use super::record::{Ending, Group, Position, Record, Stored};
use super::segment::{self, Found, HEADER_LEN};
use super::world_file::WorldFile;

const MAGIC: &[u8; 8] = b"reelmexp";
/// No `world.toml` is nearly as long.
const WORLD_MAX: u32 = 1 << 20;

/// Writes a store's whole history, and where its clock stands.
pub fn export(store: &dyn Store, world: &WorldFile, clock: Option<&ClockFile>, out: &mut dyn Write) -> Result<(), StoreError> {
    let file = Path::new("the export");
    let mut put = |bytes: &[u8]| out.write_all(bytes).map_err(|error| StoreError::io("write", file, error));
    let (text, ending, lineage) = (world.unplaced().to_text(clock)?, store.ending(), world.lineage());
    put(MAGIC)?;
    put(&(text.len() as u32).to_le_bytes())?;
    put(text.as_bytes())?;
    put(&segment::header(world.world, &ending.chain()))?;
    each_copied(store, lineage, &Ending::default(), |group| put(&group.bytes))?;
    out.flush().map_err(|error| StoreError::io("write", file, error))
}

/// Writes an export of groups that come in the bytes of one. Nothing is checked: whoever opens the file does.
pub struct ExportWriter {
    path: PathBuf,
    file: BufWriter<File>,
    world: WorldFile,
    /// Where the header stands that says where the history ends.
    header: u64,
    /// The payload of the last commit.
    last: Vec<u8>,
}

impl ExportWriter {
    /// Begins a file with a `world.toml`.
    pub fn begin(path: &Path, text: &str) -> Result<Self, StoreError> {
        let (world, _) = WorldFile::from_bytes(text.as_bytes(), path)?;
        let file = File::create(path).map_err(|error| StoreError::io("write", path, error))?;
        let header = MAGIC.len() as u64 + 4 + text.len() as u64;
        let mut begun = Self { path: path.to_owned(), file: BufWriter::new(file), world, header, last: Vec::new() };
        for bytes in [MAGIC.as_slice(), &(text.len() as u32).to_le_bytes(), text.as_bytes(), &[0; HEADER_LEN]] {
            begun.put(bytes)?;
        }
        Ok(begun)
    }

    fn put(&mut self, bytes: &[u8]) -> Result<(), StoreError> {
        self.file.write_all(bytes).map_err(|error| StoreError::io("write", &self.path, error))
    }

    /// Adds a group.
    pub fn group(&mut self, bytes: &[u8]) -> Result<(), StoreError> {
        self.last = bytes.get(bytes.len().saturating_sub(COMMIT_LEN)..).unwrap_or_default().to_vec();
        self.put(bytes)
    }

    /// Says where the history ends, as the last commit does.
    pub fn end(mut self) -> Result<(), StoreError> {
        let first = self.world.lineage().nth(0).world;
        let chain = CommitRecord::read(&self.last).map_or_else(|| CommitChain::start(first), |commit| commit.chain());
        let header = segment::header(self.world.world, &chain.crossed(&self.world.lineage()));
        let at = self.header;
        let written = self.file.seek(SeekFrom::Start(at)).and_then(|_| self.file.write_all(&header)).and_then(|()| self.file.flush());
        written.map_err(|error| StoreError::io("write", &self.path, error))
    }
}

/// The header before the groups, and the byte at which they begin.
struct Preface {
    world: WorldFile,
    clock: Option<ClockFile>,
    chain: CommitChain,
    start: u64,
}

/// Reads it.
fn read_front(reader: &mut dyn Read, path: &Path) -> Result<Preface, StoreError> {
    let mut take = |len: usize| -> Result<Vec<u8>, StoreError> {
        let mut bytes = vec![0; len];
        reader.read_exact(&mut bytes).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => bad(path, "the file ends in its first part"),
            _ => StoreError::io("read", path, error),
        })?;
        Ok(bytes)
    };
    let none = || StoreError::NotAnExport { file: path.to_owned() };
    let magic = take(MAGIC.len()).map_err(|error| if matches!(error, StoreError::BadFile { .. }) { none() } else { error })?;
    if magic != MAGIC {
        return Err(none());
    }
    let len = super::layout::array(&take(4)?, 0).map_or(0, u32::from_le_bytes);
    if len > WORLD_MAX {
        return Err(bad(path, "what it says of its world is too long"));
    }
    let text = take(len as usize)?;
    let (world, clock) = WorldFile::from_bytes(&text, path)?;
    match segment::parse(&take(HEADER_LEN)?, path, world.world)? {
        Found::Header(chain) => Ok(Preface { world, clock, chain, start: 12 + u64::from(len) + HEADER_LEN as u64 }),
        Found::Bad(what) => Err(StoreError::damaged(path, 12 + u64::from(len), what)),
    }
}

fn bad(path: &Path, what: &str) -> StoreError {
    StoreError::BadFile { file: path.to_owned(), what: what.to_owned() }
}

/// An export file, read as a store.
pub struct StreamStore {
    path: PathBuf,
    file: Arc<dyn DiskFile>,
    len: u64,
    world: WorldFile,
    lineage: Arc<Lineage>,
    clock: Option<ClockFile>,
    start: u64,
    ending: Ending,
    /// Where the blobs lie.
    blobs: BTreeMap<Hash, u64>,
}

impl StreamStore {
    /// Opens an export and checks all of it.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let wrong = |error| StoreError::io("read", path, error);
        let Preface { world, clock, chain, start } = read_front(&mut std::fs::File::open(path).map_err(wrong)?, path)?;
        let file = PlainDisk.open(path, false).map_err(wrong)?;
        let len = file.len().map_err(wrong)?;
        let position = Position { segment: 0, offset: len };
        let ending = Ending { seq: chain.seq, head: chain.head, commit: chain.commit, number: chain.number, position };
        let lineage = world.lineage();
        let mut store = Self { path: path.to_owned(), file, len, world, lineage, clock, start, ending, blobs: BTreeMap::new() };
        let mut blobs = BTreeMap::new();
        for entry in store.read(0)? {
            if let Stored::Blob { hash, at, .. } = entry? {
                blobs.entry(hash).or_insert(at.offset);
            }
        }
        store.blobs = blobs;
        Ok(store)
    }

    /// Where the clock stood.
    pub fn clock(&self) -> Option<&ClockFile> {
        self.clock.as_ref()
    }

    /// What `world.toml` said.
    pub fn world_file(&self) -> &WorldFile {
        &self.world
    }

    /// All its groups.
    fn volume(&self) -> Volume<'static> {
        let (path, source, world) = (self.path.clone(), Box::new(self.file.clone()), self.lineage.nth(0).world);
        Volume { path, world, source, start: self.start, limit: self.len, chain: Some(CommitChain::start(world)), is_export: true }
    }
}

impl Store for StreamStore {
    fn ending(&self) -> &Ending {
        &self.ending
    }

    fn said(&self) -> Option<&WorldFile> {
        Some(&self.world)
    }

    fn append(&mut self, _: Seq, _: &[Group]) -> Result<(), StoreError> {
        Err(StoreError::OnlyReads)
    }

    fn read(&self, from: Seq) -> Result<Entries<'_>, StoreError> {
        let (lineage, volume) = (self.lineage.clone(), self.volume());
        Ok(Box::new(EntryStream::new(lineage, std::iter::once(Ok(volume)), None, from, false).until(self.ending.chain())))
    }

    fn frame(&self, seq: Seq) -> Result<Option<Record>, StoreError> {
        if seq >= self.ending.seq { Ok(None) } else { super::contract::scan_frame(self.read(seq)?, seq) }
    }

    fn reel(&self, being: BeingId, from_n: N) -> Result<Vec<Seq>, StoreError> {
        super::contract::scan_reel(self.read(0)?, being, from_n)
    }

    fn blob(&self, hash: &Hash) -> Result<Option<Arc<[u8]>>, StoreError> {
        let Some(&at) = self.blobs.get(hash) else { return Ok(None) };
        read_blob(Volume { start: at, ..self.volume() }, hash)
    }
}
