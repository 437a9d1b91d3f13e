//! Archive: one file with the closed segments of a log that lie before a border, byte for byte, signed by their world.
//!
//! ```text
//! magic 8 | length u64 | what it says, signed, canonical | the beginning that the log had before, if any | the segments, one behind the other
//! ```
//!
//! A segment keeps the form that it had in the log, so the log is the same once it is brought back. Whether the frames are the history that was
//! sealed, its reader says.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::fact::canon::canon_struct;
use crate::fact::{BeingId, Canon, Hash, Lineage, Master, Seq, Signature, WorldId};

use super::beginning::{self, HeldBytes, SignedBorder, front, fronted, read_part};
use super::clean;
use super::contract::Entries;
use super::disk::{Disk, DiskFile, PlainDisk};
use super::entries::EntryStream;
use super::error::StoreError;
use super::groups::Volume;
use super::log::LogStore;
use super::record::{Ending, Position};
use super::replace::{beside, sync_above, take_away};
use super::segment::{self, Found, HEADER_LEN, SegmentForm};
use super::volumes;

const MAGIC: &[u8; 8] = b"reelmarc";
/// How many bytes are copied at once.
const STRIDE: u64 = 1 << 20;

/// A segment in an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArchivedSegment {
    first: Seq,
    is_compressed: bool,
    held: HeldBytes,
}

/// What an archive says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArchiveSaid {
    format: u64,
    /// The world that signed it.
    pub world: WorldId,
    /// Where its history begins.
    pub from: SignedBorder,
    /// Where it ends.
    pub to: SignedBorder,
    /// The beginning that the log had before, where older history was archived already.
    former: Option<HeldBytes>,
    segments: Vec<ArchivedSegment>,
}

struct SignedArchive {
    said: ArchiveSaid,
    signature: Signature,
}

canon_struct!(ArchivedSegment { first, is_compressed, held });
canon_struct!(ArchiveSaid { format, world, from, to, former, segments });
canon_struct!(SignedArchive { said, signature });

impl ArchiveSaid {
    const FORMAT: u64 = 1;

    fn hash(&self) -> Hash {
        Hash(blake3::derive_key("reelm 1 archive", &self.to_canon()))
    }

    /// How many bytes lie behind what is said.
    fn len(&self) -> u64 {
        let held = self.segments.iter().map(|segment| segment.held.len).chain(self.former.map(|former| former.len));
        held.fold(0, u64::saturating_add)
    }
}

impl ArchivedSegment {
    fn form(&self) -> SegmentForm {
        if self.is_compressed { SegmentForm::Compressed } else { SegmentForm::Plain }
    }
}

/// An archive, opened.
pub struct ArchiveFile {
    /// What it says.
    pub said: ArchiveSaid,
    signature: Signature,
    path: PathBuf,
    file: Arc<dyn DiskFile>,
    /// Where its files begin.
    begins: u64,
}

/// A part of a file, as a file.
struct FilePart {
    file: Arc<dyn DiskFile>,
    at: u64,
    len: u64,
}

impl DiskFile for FilePart {
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let room = usize::try_from(self.len.saturating_sub(offset)).unwrap_or(usize::MAX).min(buffer.len());
        self.file.read_at(self.at.saturating_add(offset), buffer.get_mut(..room).unwrap_or_default())
    }

    fn write_at(&self, _: u64, _: &[u8]) -> io::Result<()> {
        Err(io::ErrorKind::ReadOnlyFilesystem.into())
    }

    fn sync(&self) -> io::Result<()> {
        Ok(())
    }

    fn len(&self) -> io::Result<u64> {
        Ok(self.len)
    }

    fn set_len(&self, _: u64) -> io::Result<()> {
        Err(io::ErrorKind::ReadOnlyFilesystem.into())
    }
}

impl ArchiveFile {
    /// Opens a file; none if it is no archive.
    pub fn of(path: &Path) -> Result<Option<Self>, StoreError> {
        Self::open(&PlainDisk, path)
    }

    /// The same on some disk. Nothing of it is believed yet.
    pub fn open(disk: &dyn Disk, path: &Path) -> Result<Option<Self>, StoreError> {
        let wrong = |error| StoreError::io("read", path, error);
        let file = disk.open(path, false).map_err(wrong)?;
        if !read_part(&*file, 0, MAGIC.len() as u64).map_err(wrong)?.starts_with(MAGIC) {
            return Ok(None);
        }
        let bad = |what: &str| StoreError::BadFile { file: path.to_owned(), what: what.to_owned() };
        let (SignedArchive { said, signature }, begins) =
            front(&*file, MAGIC).map_err(wrong)?.ok_or_else(|| bad("what it says of itself cannot be read"))?;
        if said.format != ArchiveSaid::FORMAT {
            return Err(bad("it is an archive of another version"));
        }
        Ok(Some(Self { said, signature, path: path.to_owned(), file, begins }))
    }

    /// Checks what can be checked without its frames. In order: it is as long as it says, and a world of the lineage that may have written it has
    /// signed it.
    pub fn check(&self, lineage: &Lineage) -> Result<(), StoreError> {
        let (found, expected) = (self.len()?, self.begins.saturating_add(self.said.len()));
        if found != expected {
            return Err(self.bad(format!("expected {expected} bytes, found {found}")));
        }
        if !lineage.has_signed(self.said.world, self.said.to.seq, &self.said.hash(), &self.signature) {
            return Err(self.bad("expected the signature of @world over what it says, found another".to_owned()));
        }
        Ok(())
    }

    /// Its groups, each checked, from where it begins to where it ends.
    pub fn entries(&self, lineage: &Arc<Lineage>) -> Entries<'_> {
        let worlds = lineage.clone();
        let [from, to] = [&self.said.from, &self.said.to].map(|border| border.chain().crossed(lineage));
        let volumes = self.placed().map(move |(segment, at)| {
            let world = worlds.reign(segment.first).world;
            let path = segment::path(&self.path, segment.first, segment.form());
            let file: Arc<dyn DiskFile> = Arc::new(FilePart { file: self.file.clone(), at, len: segment.held.len });
            let chain = match segment::read_header(&*file, &path, world, segment.first)? {
                Found::Header(chain) => Some(chain),
                Found::Bad(what) => return Err(StoreError::damaged(&path, 0, what)),
            };
            Ok(Volume { chain, ..volumes::of(path, segment.form(), file, world)? })
        });
        Box::new(EntryStream::new(lineage.clone(), volumes, Some(from), 0, false).until(to))
    }

    /// Checks each file in it by its hash; gives the hash of all of it, and how many bytes it has.
    pub fn sum(&self) -> Result<HeldBytes, StoreError> {
        let former = self.said.former.map(|held| ("the beginning in it".to_owned(), held, self.begins));
        let segments = self.placed().map(|(segment, at)| (format!("the segment of frame {}", segment.first), segment.held, at));
        for (what, held, at) in former.into_iter().chain(segments) {
            if self.sum_of(at, held.len)? != held.hash {
                return Err(self.bad(format!("{what} is another than the one that was archived")));
            }
        }
        let len = self.len()?;
        Ok(HeldBytes { hash: self.sum_of(0, len)?, len })
    }

    /// Its segments, and where each begins.
    fn placed(&self) -> impl Iterator<Item = (&ArchivedSegment, u64)> + Send {
        let mut at = self.begins.saturating_add(self.said.former.map_or(0, |former| former.len));
        self.said.segments.iter().map(move |segment| {
            let begins = at;
            at = at.saturating_add(segment.held.len);
            (segment, begins)
        })
    }

    fn len(&self) -> Result<u64, StoreError> {
        self.file.len().map_err(|error| StoreError::io("read", &self.path, error))
    }

    fn sum_of(&self, at: u64, len: u64) -> Result<Hash, StoreError> {
        sum_of(&*self.file, at, len).map_err(|error| StoreError::io("read", &self.path, error))
    }

    fn bad(&self, what: String) -> StoreError {
        StoreError::BadFile { file: self.path.clone(), what }
    }
}

fn sum_of(file: &dyn DiskFile, at: u64, len: u64) -> io::Result<Hash> {
    let mut hasher = blake3::Hasher::new();
    each_part(file, at, len, |_, bytes| {
        hasher.update(bytes);
        Ok(())
    })?;
    Ok(Hash(*hasher.finalize().as_bytes()))
}

/// Tells of a part of a file, piece by piece, each with its place in the part.
fn each_part(file: &dyn DiskFile, at: u64, len: u64, mut hear: impl FnMut(u64, &[u8]) -> io::Result<()>) -> io::Result<()> {
    let mut done = 0;
    while done < len {
        let bytes = read_part(file, at + done, STRIDE.min(len - done))?;
        if bytes.is_empty() {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        hear(done, &bytes)?;
        done += bytes.len() as u64;
    }
    Ok(())
}

impl LogStore {
    /// The newest border between two segments at a seq or before it, as the one behind it says; none where no closed segment ends so early.
    pub fn segment_border(&self, before: Seq) -> Option<Ending> {
        let segment = self.log.segments.iter().rfind(|segment| segment.first <= before && segment.first > self.log.begins())?;
        Some(segment.chain?.ending(Position { segment: segment.first, offset: HEADER_LEN as u64 }))
    }

    /// Where the first border lies that a closed segment has, or will have once the newest one is ended.
    pub fn first_segment_border(&self) -> Seq {
        let behind = self.log.segments.iter().map(|segment| segment.first).find(|first| *first > self.log.begins());
        behind.unwrap_or(self.log.ending.seq)
    }

    /// Writes the segments before a border into a file that is not there yet: durable, read back, compared by hash, and only then in its place.
    /// Nothing of the log is changed. With it, where the history in it ended.
    pub fn archive(
        &self,
        from: SignedBorder,
        to: SignedBorder,
        path: &Path,
        master: &Master,
    ) -> Result<(ArchiveFile, Position), StoreError> {
        let disk = &*self.log.disk;
        let wrong = |error| StoreError::io("write", path, error);
        if disk.open(path, false).is_ok() {
            let found = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            return Err(StoreError::NotEmpty { dir: path.parent().unwrap_or(path).to_owned(), found });
        }
        let (mut sources, mut segments, mut end) = (Vec::new(), Vec::new(), Position::default());
        let former = self.log.beginning.as_ref().map(|begun| begun.bytes()).transpose()?;
        for segment in self.log.segments.iter().filter(|segment| segment.first < to.seq) {
            let limit = self.log.limit(segment);
            end = Position { segment: segment.first, offset: self.log.volume(segment, 0, limit, None)?.limit };
            let (found, file) = segment::open(disk, &self.log.log_dir(), segment.first)?;
            let len = file.len().map_err(wrong)?;
            let is_compressed = found.form == SegmentForm::Compressed;
            // Of a segment that a fork shares with its parent, who may go on writing there, as much as is the fork's past.
            let len = if is_compressed { len } else { len.min(end.offset) };
            let held = HeldBytes { hash: sum_of(&*file, 0, len).map_err(wrong)?, len };
            segments.push(ArchivedSegment { first: segment.first, is_compressed, held });
            sources.push(file);
        }
        let said = ArchiveSaid {
            format: ArchiveSaid::FORMAT,
            world: self.log.world,
            from,
            to,
            former: former.as_deref().map(HeldBytes::of),
            segments,
        };
        let beside = beside(path);
        let written = write(disk, &beside, &said, (former.as_deref(), &sources), master).and_then(|()| {
            let back = ArchiveFile::open(disk, &beside)?.filter(|back| back.said == said);
            back.ok_or_else(|| StoreError::damaged(&beside, 0, "the archive was not read back as it was written"))?.sum()?;
            disk.rename(&beside, path).and_then(|()| sync_above(disk, path)).map_err(wrong)
        });
        if let Err(error) = written {
            let _ = disk.remove(&beside);
            return Err(error);
        }
        let archive = ArchiveFile::open(disk, path)?;
        Ok((archive.ok_or_else(|| StoreError::damaged(path, 0, "the archive was not read back as it was written"))?, end))
    }

    /// Begins the log behind what was archived: at once with the file in its place, and then the segments before it go.
    pub fn begin_behind(&mut self, beginning: &[u8]) -> Result<(), StoreError> {
        let disk = self.log.disk.clone();
        self.forget_index()?;
        beginning::put(&*disk, &self.log.dir, beginning)?;
        self.log.beginning = beginning::Beginning::read(&*disk, &self.log.dir, &self.log.lineage)?;
        self.log.drop_archived()
    }

    /// Puts the segments of an archive that was checked back into the log: as long as the beginning is there they are no part of it; it goes last.
    pub fn bring_back(&mut self, archive: &ArchiveFile) -> Result<(), StoreError> {
        let (disk, log) = (self.log.disk.clone(), self.log.log_dir());
        self.forget_index()?;
        segment::tidy(&*disk, &log)?;
        for (segment, at) in archive.placed() {
            let place = segment::path(&log, segment.first, segment.form());
            let beside = beside(&place);
            let put = || {
                let out = disk.create(&beside)?;
                each_part(&*archive.file, at, segment.held.len, |at, bytes| out.write_at(at, bytes))?;
                out.sync()?;
                disk.rename(&beside, &place)
            };
            put().map_err(|error| StoreError::io("write", &place, error))?;
        }
        disk.sync_dir(&log).map_err(|error| StoreError::io("sync", &log, error))?;
        let dir = &self.log.dir;
        match archive.said.former {
            Some(former) => {
                let bytes = read_part(&*archive.file, archive.begins, former.len);
                beginning::put(&*disk, dir, &bytes.map_err(|error| StoreError::io("read", &archive.path, error))?)?;
            }
            None => {
                take_away(&*disk, &dir.join(beginning::NAME))?;
                disk.sync_dir(dir).map_err(|error| StoreError::io("sync", dir, error))?;
            }
        }
        self.log.beginning = beginning::Beginning::read(&*disk, dir, &self.log.lineage)?;
        Ok(())
    }

    /// What the index says of places is no longer so; it is rebuilt at the next opening.
    fn forget_index(&self) -> Result<(), StoreError> {
        if self.log.disk.is_plain() { clean::remove(&PlainDisk, &self.log.dir.join("index")) } else { Ok(()) }
    }
}

fn write(
    disk: &dyn Disk,
    path: &Path,
    said: &ArchiveSaid,
    (former, sources): (Option<&[u8]>, &[Arc<dyn DiskFile>]),
    master: &Master,
) -> Result<(), StoreError> {
    let signature = master.key(said.world, BeingId::WORLD).sign(&said.hash());
    let mut bytes = fronted(MAGIC, &SignedArchive { said: said.clone(), signature });
    bytes.extend(former.unwrap_or_default());
    let written = || {
        // All that was ever said and done lies there, past every role: it is for its owner.
        let out = disk.create_secret(path)?;
        out.write_at(0, &bytes)?;
        let mut place = bytes.len() as u64;
        for (source, segment) in sources.iter().zip(&said.segments) {
            each_part(&**source, 0, segment.held.len, |at, bytes| out.write_at(place + at, bytes))?;
            place += segment.held.len;
        }
        out.sync()
    };
    written().map_err(|error| StoreError::io("write", path, error))
}
