//! One file with a whole world: what `world.toml` says, where the history ends, and all its groups.
//!
//! An export can be read as a store by itself, so a world can be replayed from it without being imported. It holds no keys. Two
//! stores with the same history give the same bytes.
//!
//! ```text
//! magic 8 | length u32 | world.toml | a segment's header with the chain at the end of the history | groups
//! ```

use std::collections::BTreeMap;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::fact::{BeingId, Hash, N, Seq};

use super::contract::{Entries, Store};
use super::disk::{Disk, DiskFile, PlainDisk};
use super::entries::{EntryStream, Source, Volume};
use super::error::StoreError;
use super::layout::{Chain, Writer};
use super::log::{LogStore, Options};
use super::record::{Commit, Ending, Entry, Group, Position, Record};
use super::segment::{self, Found, HEADER_LEN};
use super::world_file::WorldFile;

const MAGIC: &[u8; 8] = b"reelmexp";
/// No `world.toml` is nearly as long.
const WORLD_MAX: u32 = 1 << 20;
/// How many bytes an import gathers before it makes them durable.
const BATCH_BYTES: usize = 8 << 20;

/// Writes a store's whole history.
pub fn export(store: &dyn Store, world: &WorldFile, out: &mut dyn Write) -> Result<(), StoreError> {
    let file = Path::new("the export");
    let mut put = |bytes: &[u8]| out.write_all(bytes).map_err(|error| StoreError::io("write", file, error));
    let (text, ending) = (world.to_text()?, store.ending());
    put(MAGIC)?;
    put(&(text.len() as u32).to_le_bytes())?;
    put(text.as_bytes())?;
    put(&segment::header(world.world, &ending.chain()))?;
    let mut writer = Writer::new(world.world, Chain::start(world.world));
    let mut bytes = Vec::new();
    for_each_group(store.read(0)?, |group, _| {
        bytes.clear();
        writer.acked = writer.chain.number;
        writer.group(&group, &mut bytes, |_| ());
        put(&bytes)
    })?;
    out.flush().map_err(|error| StoreError::io("write", file, error))
}

/// Makes a new world of an export, every group checked; what is in `dir` after an error is no world.
pub fn import(reader: &mut (dyn Read + Send), dir: &Path) -> Result<(WorldFile, Ending), StoreError> {
    import_with(reader, dir, Options::default())
}

pub(super) fn import_with(reader: &mut (dyn Read + Send), dir: &Path, options: Options) -> Result<(WorldFile, Ending), StoreError> {
    let path = PathBuf::from("the export");
    let (world, chain, start) = read_front(reader, &path)?;
    let source = Sequence(Mutex::new((reader, start)));
    let volume = Volume { path, source: Box::new(source), start, limit: u64::MAX, chain: Some(Chain::start(world.world)) };
    let entries = EntryStream::new(world.world, std::iter::once(Ok(volume)), None, 0, false).until(chain);
    let disk = options.disk.clone();
    let store = LogStore::begin(dir, &world, options)?;
    let taken = fill(store, entries);
    if taken.is_err() {
        // What was begun is no world; it is taken away, so that the next try finds the directory as this one did.
        unmake(&*disk, dir);
    }
    taken.map(|ending| (world, ending))
}

fn unmake(disk: &dyn Disk, dir: &Path) {
    let log = dir.join("log");
    for name in disk.names(&log).unwrap_or_default() {
        let _ = disk.remove(&log.join(name));
    }
    if disk.is_plain() {
        let _ = std::fs::remove_dir(&log);
    }
    for name in ["clean", "lock"] {
        let _ = disk.remove(&dir.join(name));
    }
}

fn fill<'a>(mut store: LogStore, entries: impl Iterator<Item = Result<Entry, StoreError>> + Send + 'a) -> Result<Ending, StoreError> {
    let (mut batch, mut size) = (Vec::new(), 0);
    for_each_group(Box::new(entries), |group, bytes| {
        batch.push(group);
        size += bytes;
        if size < BATCH_BYTES {
            return Ok(());
        }
        size = 0;
        store.append(store.ending().seq, &std::mem::take(&mut batch))
    })?;
    store.append(store.ending().seq, &batch)?;
    let ending = *store.ending();
    store.finish()?;
    Ok(ending)
}

/// Calls with each group and its size in bytes.
fn for_each_group(entries: Entries<'_>, mut each: impl FnMut(Group, usize) -> Result<(), StoreError>) -> Result<(), StoreError> {
    let (mut records, mut size) = (Vec::new(), 0);
    for entry in entries {
        match entry? {
            Entry::Frame { seq, being, n, bytes, .. } => {
                size += bytes.len();
                records.push(Record::Frame { seq, being, n, bytes });
            }
            Entry::Blob { hash, bytes, .. } => {
                size += bytes.len();
                records.push(Record::Blob { hash, bytes });
            }
            Entry::Commit(Commit { head, seal, .. }) => {
                each(Group { records: std::mem::take(&mut records), head, seal }, std::mem::take(&mut size))?;
            }
        }
    }
    Ok(())
}

/// What stands before the groups, and the byte at which they begin.
fn read_front(reader: &mut dyn Read, path: &Path) -> Result<(WorldFile, Chain, u64), StoreError> {
    let mut take = |len: usize| -> Result<Vec<u8>, StoreError> {
        let mut bytes = vec![0; len];
        reader.read_exact(&mut bytes).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => bad(path, "the file ends in its first part"),
            _ => StoreError::io("read", path, error),
        })?;
        Ok(bytes)
    };
    let front = take(12)?;
    let len = super::layout::array(&front, 8).map_or(0, u32::from_le_bytes);
    if !front.starts_with(MAGIC) || len > WORLD_MAX {
        return Err(bad(path, "it does not begin as an export"));
    }
    let world = WorldFile::from_bytes(&take(len as usize)?, path)?;
    match segment::parse(&take(HEADER_LEN)?, path, world.world)? {
        Found::Header(chain) => Ok((world, chain, 12 + u64::from(len) + HEADER_LEN as u64)),
        Found::Bad(what) => Err(StoreError::damaged(path, 12 + u64::from(len), what)),
    }
}

fn bad(path: &Path, what: &str) -> StoreError {
    StoreError::BadFile { file: path.to_owned(), what: what.to_owned() }
}

/// A reader that gives its bytes once, and the place of the next one.
struct Sequence<'a>(Mutex<(&'a mut (dyn Read + Send), u64)>);

impl Source for Sequence<'_> {
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let mut guard = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (reader, at) = &mut *guard;
        if *at != offset {
            return Err(io::Error::other("the bytes before were read already"));
        }
        let count = reader.read(buffer)?;
        *at += count as u64;
        Ok(count)
    }
}

/// An export file, read as a store.
pub struct StreamStore {
    path: PathBuf,
    file: Arc<dyn DiskFile>,
    len: u64,
    world: WorldFile,
    start: u64,
    ending: Ending,
    /// Where the blobs lie.
    blobs: BTreeMap<Hash, u64>,
}

impl StreamStore {
    /// Opens an export and checks all of it.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let wrong = |error| StoreError::io("read", path, error);
        let (world, chain, start) = read_front(&mut std::fs::File::open(path).map_err(wrong)?, path)?;
        let file = PlainDisk.open(path, false).map_err(wrong)?;
        let len = file.len().map_err(wrong)?;
        let position = Position { segment: 0, offset: len };
        let ending = Ending { seq: chain.seq, head: chain.head, commit: chain.commit, number: chain.number, position };
        let mut store = Self { path: path.to_owned(), file, len, world, start, ending, blobs: BTreeMap::new() };
        let mut blobs = BTreeMap::new();
        for entry in store.read(0)? {
            if let Entry::Blob { hash, at, .. } = entry? {
                blobs.entry(hash).or_insert(at.offset);
            }
        }
        store.blobs = blobs;
        Ok(store)
    }

    /// What `world.toml` said.
    pub fn world_file(&self) -> &WorldFile {
        &self.world
    }
}

impl Store for StreamStore {
    fn ending(&self) -> &Ending {
        &self.ending
    }

    fn append(&mut self, _: Seq, _: &[Group]) -> Result<(), StoreError> {
        Err(StoreError::OnlyReads)
    }

    fn read(&self, from: Seq) -> Result<Entries<'_>, StoreError> {
        let world = self.world.world;
        let (path, source) = (self.path.clone(), Box::new(self.file.clone()));
        let volume = Volume { path, source, start: self.start, limit: self.len, chain: Some(Chain::start(world)) };
        Ok(Box::new(EntryStream::new(world, std::iter::once(Ok(volume)), None, from, false).until(self.ending.chain())))
    }

    fn frame(&self, seq: Seq) -> Result<Option<Record>, StoreError> {
        if seq >= self.ending.seq { Ok(None) } else { super::contract::scan_frame(self.read(seq)?, seq) }
    }

    fn reel(&self, being: BeingId, from_n: N) -> Result<Vec<Seq>, StoreError> {
        super::contract::scan_reel(self.read(0)?, being, from_n)
    }

    fn blob(&self, hash: &Hash) -> Result<Option<Arc<[u8]>>, StoreError> {
        let Some(&at) = self.blobs.get(hash) else { return Ok(None) };
        super::entries::read_blob(&self.file, &self.path, at, self.world.world, hash)
    }
}
