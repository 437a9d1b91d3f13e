//! Archive: one file with the closed segments of a log that lie before a border, byte for byte, signed by their world.
//!
//! ```text
//! magic 8 | length u64 | what it says, signed, canonical | the beginning that the log had before, if any | the segments, one behind the other
//! ```
//!
//! A segment keeps the form that it had in the log. Where the border lies within a segment, the archive gets its plain bytes up to there, and
//! the bytes behind it become a segment of their own. Whether the frames are the history that was sealed, its reader says.

use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::fact::canon::canon_struct;
use crate::fact::{BeingId, Canon, Hash, Lineage, Master, Seq, Signature, WorldId};

use super::beginning::{self, HeldBytes, SignedBorder, front, fronted, read_part};
use super::clean;
use super::compress::fill;
use super::contract::Entries;
use super::disk::{Disk, DiskFile, PlainDisk};
use super::entries::EntryStream;
use super::error::StoreError;
use super::groups::{ByteSource, Volume};
use super::log::LogStore;
use super::record::{Ending, Position, Stored};
use super::recover::HistoryFiles;
use super::replace::{beside, sync_above, take_away};
use super::segment::{self, Found, HEADER_LEN, Segment, SegmentForm};
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

/// The signed header of an archive.
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

/// A border between two groups at which an archive can end.
pub struct ArchiveBorder {
    /// It, as the segment behind it says it or will say it.
    pub ending: Ending,
    /// Its place in the segment that is cut there; none where a segment begins.
    cut: Option<Position>,
}

/// A segment as it goes into an archive.
struct TakenSegment {
    said: ArchivedSegment,
    source: Box<dyn ByteSource>,
    /// Where its last group ends.
    end: Position,
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
        (*self.file).read_at(self.at.saturating_add(offset), buffer.get_mut(..room).unwrap_or_default())
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
            let world = worlds.writer(segment.first).world;
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
        sum_of(&mut self.file.clone(), at, len).map_err(|error| StoreError::io("read", &self.path, error))
    }

    fn bad(&self, what: String) -> StoreError {
        StoreError::BadFile { file: self.path.clone(), what }
    }
}

fn sum_of(source: &mut dyn ByteSource, at: u64, len: u64) -> io::Result<Hash> {
    let mut hasher = blake3::Hasher::new();
    each_part(source, at, len, |_, bytes| {
        hasher.update(bytes);
        Ok(())
    })?;
    Ok(Hash(*hasher.finalize().as_bytes()))
}

/// Tells of a part of a source, piece by piece, each with its place in the part.
fn each_part(source: &mut dyn ByteSource, at: u64, len: u64, mut hear: impl FnMut(u64, &[u8]) -> io::Result<()>) -> io::Result<()> {
    let (mut done, mut bytes) = (0, vec![0; STRIDE.min(len) as usize]);
    while done < len {
        let room = bytes.get_mut(..STRIDE.min(len - done) as usize).unwrap_or_default();
        let filled = fill(source, at + done, room)?;
        if filled == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        hear(done, room.get(..filled).unwrap_or_default())?;
        done += filled as u64;
    }
    Ok(())
}

impl LogStore {
    /// The newest border between two groups at a seq or before it, at which an archive can end; none where the log begins so late.
    pub fn border_before(&self, before: Seq) -> Result<Option<ArchiveBorder>, StoreError> {
        let Some(segment) = self.log.segments.iter().rfind(|segment| segment.first <= before) else { return Ok(None) };
        let (chain, offset) = self.log.border_in(segment, before)?;
        let ending = chain.ending(Position { segment: chain.seq, offset: HEADER_LEN as u64 });
        let cut = (chain.seq > segment.first).then_some(Position { segment: segment.first, offset });
        Ok((chain.seq > self.log.begins()).then_some(ArchiveBorder { ending, cut }))
    }

    /// The first border between two groups behind which a log can begin.
    pub fn first_border(&self) -> Result<Seq, StoreError> {
        for entry in self.log.entries(self.log.begins()) {
            if let Stored::Commit { commit, .. } = entry? {
                return Ok(commit.end_seq);
            }
        }
        Ok(self.log.ending.seq + 1)
    }

    /// Writes the history before a border into a file that is not there yet: durable, read back, compared by hash, and only then in its place.
    /// The same archive may be there already. Nothing of the log is changed. With it, where the history in it ended.
    pub fn archive(
        &self,
        border: &ArchiveBorder,
        (from, to): (SignedBorder, SignedBorder),
        path: &Path,
        master: &Master,
    ) -> Result<(ArchiveFile, Position), StoreError> {
        let disk = &*self.log.disk;
        let wrong = |error| StoreError::io("write", path, error);
        let former = self.log.beginning.as_ref().map(|begun| begun.bytes()).transpose()?;
        let before = self.log.segments.iter().filter(|segment| segment.first < to.seq);
        let mut taken = before.map(|segment| self.log.take(segment, border)).collect::<Result<Vec<_>, _>>()?;
        let end = taken.last().map_or_else(Position::default, |last| last.end);
        let said = ArchiveSaid {
            format: ArchiveSaid::FORMAT,
            world: self.log.world,
            from,
            to,
            former: former.as_deref().map(HeldBytes::of),
            segments: taken.iter().map(|taken| taken.said.clone()).collect(),
        };
        if disk.open(path, false).is_ok() {
            return Ok((self.written_before(path, &said)?, end));
        }
        let beside = beside(path);
        let written = write(disk, &beside, &said, (former.as_deref(), &mut taken), master).and_then(|()| {
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

    /// The same archive, which a command has written that was cut off behind that; any other file stays as it is.
    fn written_before(&self, path: &Path, said: &ArchiveSaid) -> Result<ArchiveFile, StoreError> {
        let found = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let other = || StoreError::NotEmpty { dir: path.parent().unwrap_or(path).to_owned(), found };
        let archive = ArchiveFile::open(&*self.log.disk, path)?.filter(|archive| archive.said == *said).ok_or_else(other)?;
        archive.check(&self.log.lineage)?;
        archive.sum()?;
        // Whether its name is durable, nobody knows who was not there.
        sync_above(&*self.log.disk, path).map_err(|error| StoreError::io("write", path, error))?;
        Ok(archive)
    }

    /// Begins the log behind what was archived: at once with the file in its place, and then the segments before it go. The second part of a
    /// segment that is cut is durable before that.
    pub fn begin_behind(&mut self, border: &ArchiveBorder, beginning: &[u8]) -> Result<(), StoreError> {
        self.forget_index()?;
        self.anew(|log| {
            log.cut_off(border)?;
            beginning::put(&*log.disk, &log.dir, beginning)
        })
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
                each_part(&mut archive.file.clone(), at, segment.held.len, |at, bytes| out.write_at(at, bytes))?;
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

    /// Marks the index as stale, for its places have changed; it is rebuilt at the next opening.
    fn forget_index(&self) -> Result<(), StoreError> {
        if self.log.disk.is_plain() { clean::remove(&PlainDisk, &self.log.dir.join("index")) } else { Ok(()) }
    }
}

impl HistoryFiles {
    /// A segment as it goes into an archive: as it lies in the log; where it is cut or a fork shares it, its plain bytes up to there.
    fn take(&self, segment: &Segment, border: &ArchiveBorder) -> Result<TakenSegment, StoreError> {
        let wrong = |error| StoreError::io("read", &segment.path, error);
        let cut = border.cut.filter(|cut| cut.segment == segment.first);
        let volume = self.volume(segment, 0, cut.map(|cut| cut.offset).or(self.limit(segment)), None)?;
        let end = Position { segment: segment.first, offset: volume.limit };
        let (found, file) = segment::open(&*self.disk, &self.log_dir(), segment.first)?;
        let is_compressed = found.form == SegmentForm::Compressed && cut.is_none();
        let len = if is_compressed { file.len().map_err(wrong)? } else { end.offset };
        let mut source = if is_compressed { Box::new(file) } else { volume.source };
        let held = HeldBytes { hash: sum_of(&mut *source, 0, len).map_err(wrong)?, len };
        is_sound(&*source, &segment.path, 0..len)?;
        Ok(TakenSegment { said: ArchivedSegment { first: segment.first, is_compressed, held }, source, end })
    }

    /// Writes what stands behind a border within a segment beside the place of the segment that it becomes: durable, and read back.
    fn cut_off(&self, border: &ArchiveBorder) -> Result<(), StoreError> {
        let segment = border.cut.and_then(|cut| self.segments.iter().find(|segment| segment.first == cut.segment).zip(Some(cut.offset)));
        let Some((segment, offset)) = segment else { return Ok(()) };
        let beside = segment::cut_off(&self.log_dir(), border.ending.seq);
        let Volume { mut source, limit, .. } = self.volume(segment, 0, self.limit(segment), None)?;
        let (begins, len) = (HEADER_LEN as u64, limit.saturating_sub(offset));
        let mut written = || {
            let out = self.disk.create(&beside)?;
            out.write_at(0, &segment::header(self.world_of(border.ending.seq), &border.ending.chain()))?;
            each_part(&mut *source, offset, len, |at, bytes| out.write_at(begins + at, bytes))?;
            out.sync()?;
            self.disk.sync_dir(&self.log_dir())?;
            let is_same = sum_of(&mut self.disk.open(&beside, false)?, begins, len)? == sum_of(&mut *source, offset, len)?;
            if is_same { Ok(()) } else { Err(io::Error::other("it was not read back as it was written")) }
        };
        let written = written().map_err(|error| StoreError::io("write", &beside, error));
        written.and_then(|()| is_sound(&*source, &segment.path, offset..limit)).inspect_err(|_| {
            // Half a segment holds room that a full disk may need.
            let _ = self.disk.remove(&beside);
        })
    }
}

/// Whether a source itself was sound where it was read.
fn is_sound(source: &dyn ByteSource, path: &Path, places: Range<u64>) -> Result<(), StoreError> {
    source.fault(places).map_or(Ok(()), |fault| Err(StoreError::damaged(path, fault.offset, fault.what)))
}

fn write(
    disk: &dyn Disk,
    path: &Path,
    said: &ArchiveSaid,
    (former, taken): (Option<&[u8]>, &mut [TakenSegment]),
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
        for TakenSegment { said, source, .. } in taken {
            each_part(&mut **source, 0, said.held.len, |at, bytes| out.write_at(place + at, bytes))?;
            place += said.held.len;
        }
        out.sync()
    };
    written().map_err(|error| StoreError::io("write", path, error))
}
