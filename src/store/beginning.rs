//! `beginning`: the signed checkpoint with which a log begins whose earlier history was moved into archives; it is truth, not a cache.
//!
//! ```text
//! magic 8 | length u64 | what it says, signed, canonical | the whole checkpoint | the large values of what was moved, one behind the other
//! ```
//!
//! The values stay because later frames may name them. Checkpoint and values are read when they are asked for, and checked by their hashes.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::fact::canon::canon_struct;
use crate::fact::{BeingId, Canon, Hash, Lineage, Master, Peaks, PublicKey, Seq, Signature, WorldId};

use super::disk::{Disk, DiskFile, PlainDisk, read_full};
use super::error::StoreError;
use super::layout::{COMMIT_LEN, CommitChain, HEAD_LEN};
use super::record::{Commit, Ending, Position, RecordPlace};
use super::replace::{Keep, replace};
use super::segment::HEADER_LEN;

const MAGIC: &[u8; 8] = b"reelmbeg";
pub(super) const NAME: &str = "beginning";
/// The limit for the length of a signed header; a real one is far shorter.
const SAID_MAX: u64 = 1 << 30;

/// An archive, as the world knows it that moved its history there.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct ArchiveName {
    /// Its first frame.
    pub from: Seq,
    /// Behind its last frame.
    pub to: Seq,
    /// The file's own name, when it was written.
    pub name: String,
    /// The hash of its bytes.
    pub hash: Hash,
    /// How many they are.
    pub size: u64,
}

/// Bytes that stand in a file, by what they are known by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeldBytes {
    /// Their hash.
    pub hash: Hash,
    /// How many they are.
    pub len: u64,
}

/// A border between two commits, as it is signed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignedBorder {
    /// The next seq.
    pub seq: Seq,
    /// How many commits lie before it.
    pub number: u64,
    /// The hash of the last of them, or of the origin there.
    pub commit: Hash,
    /// The head over all frames before it.
    pub head: Hash,
    /// From which it goes on, the highest first.
    pub peaks: Vec<Hash>,
}

/// The signed header of a beginning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BeginningSaid {
    format: u64,
    /// The world that signed it.
    pub world: WorldId,
    /// Where the log begins.
    pub at: SignedBorder,
    /// The last commit before it as it stands there: its own hash, the seal over its head, and where it ended.
    pub commit: Hash,
    /// The seal.
    pub seal: Signature,
    /// The segment in which it ended.
    pub segment: u64,
    /// The byte behind it there.
    pub offset: u64,
    /// Where the history before it is, the oldest first.
    pub archives: Vec<ArchiveName>,
    /// The checkpoint.
    pub rung: HeldBytes,
    /// The large values of what was moved.
    pub values: Vec<HeldBytes>,
}

struct SignedBeginning {
    said: BeginningSaid,
    signature: Signature,
}

canon_struct!(ArchiveName { from, to, name, hash, size });
canon_struct!(HeldBytes { hash, len });
canon_struct!(SignedBorder { seq, number, commit, head, peaks });
canon_struct!(BeginningSaid { format, world, at, commit, seal, segment, offset, archives, rung, values });
canon_struct!(SignedBeginning { said, signature });

impl HeldBytes {
    /// The hash and length of some bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self { hash: Hash::of(bytes), len: bytes.len() as u64 }
    }
}

impl SignedBorder {
    /// A border, and the peaks of the head there.
    pub fn of(border: &Ending, peaks: Vec<Hash>) -> Self {
        Self { seq: border.seq, number: border.number, commit: border.commit, head: border.head, peaks }
    }

    pub(super) fn chain(&self) -> CommitChain {
        CommitChain { number: self.number, commit: self.commit, head: self.head, seq: self.seq, acked: 0 }
    }
}

impl BeginningSaid {
    const FORMAT: u64 = 1;

    /// The hash that is signed; its context keeps it apart from those of frames, heads and checkpoints.
    fn hash(&self) -> Hash {
        Hash(blake3::derive_key("reelm 1 beginning", &self.to_canon()))
    }

    /// Whether a commit in an archive is the last one before the log.
    pub fn ends_with(&self, commit: &Commit, at: &RecordPlace) -> bool {
        let segment = Path::new(at.file.as_ref()).file_stem().and_then(|stem| u64::from_str_radix(stem.to_str()?, 16).ok());
        let place = (segment, at.offset.saturating_add((HEAD_LEN + COMMIT_LEN) as u64));
        (commit.hash, commit.seal, place) == (self.commit, self.seal.0, (Some(self.segment), self.offset))
    }

    /// Whether what is said of the last commit before it can be: the seal over the head is that of the world that wrote the commit, its hash is the one from
    /// which the log goes on, and it ended in a segment before.
    fn commit_fits(&self, lineage: &Lineage) -> Result<(), String> {
        let SignedBorder { seq, head, .. } = &self.at;
        let before = PublicKey::from_hash(lineage.sealer(*seq).root_key);
        if !before.is_ok_and(|key| key.verify(head, &self.seal).is_ok()) {
            return Err("expected the seal of @world over the head before the log, found another".to_owned());
        }
        let expected = self.at.chain().uncrossed(lineage).commit;
        if expected != self.commit {
            return Err(format!("expected {expected} as the last commit before the log, found {}", self.commit));
        }
        let least = (HEADER_LEN + HEAD_LEN + COMMIT_LEN) as u64;
        if self.segment >= *seq || self.offset < least {
            return Err(format!(
                "expected the last commit before frame {seq} to end in a segment before that, at byte {least} or behind it; found segment {} and byte {}",
                self.segment, self.offset
            ));
        }
        Ok(())
    }
}

/// The beginning of a log, opened.
#[derive(Clone)]
pub struct Beginning {
    /// Its header, signed by its world.
    pub said: BeginningSaid,
    path: PathBuf,
    file: Arc<dyn DiskFile>,
    /// Where the checkpoint stands in the file.
    rung_at: u64,
    /// Where each value does, and how long it is.
    values: BTreeMap<Hash, (u64, u64)>,
}

/// The parts of a beginning that is to be written.
pub struct NewBeginning {
    /// The world that signs it.
    pub world: WorldId,
    /// Where the log will begin.
    pub at: SignedBorder,
    /// The last commit before it, the seal, and where it ended.
    pub commit: (Hash, Signature, Position),
    /// Where the history before it is, the oldest first.
    pub archives: Vec<ArchiveName>,
    /// The whole checkpoint.
    pub rung: Vec<u8>,
    /// The large values of what was moved.
    pub values: BTreeMap<Hash, Arc<[u8]>>,
}

impl NewBeginning {
    /// The bytes of the file, signed by `@world`.
    pub fn bytes(self, master: &Master) -> Vec<u8> {
        let (commit, seal, Position { segment, offset }) = self.commit;
        let said = BeginningSaid {
            format: BeginningSaid::FORMAT,
            world: self.world,
            at: self.at,
            commit,
            seal,
            segment,
            offset,
            archives: self.archives,
            rung: HeldBytes::of(&self.rung),
            values: self.values.values().map(|value| HeldBytes::of(value)).collect(),
        };
        let signature = master.key(self.world, BeingId::WORLD).sign(&said.hash());
        let mut bytes = fronted(MAGIC, &SignedBeginning { said, signature });
        bytes.extend(self.rung);
        self.values.values().for_each(|value| bytes.extend(value.iter()));
        bytes
    }
}

/// Puts the beginning of a world in its place.
pub(super) fn put(disk: &dyn Disk, dir: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    let path = dir.join(NAME);
    replace(disk, &path, bytes, Keep::Durable).map_err(|error| StoreError::io("write", &path, error))
}

impl Beginning {
    /// That of the world in a directory; none where its log has all of its history.
    ///
    /// In order: it has the form of one, a world of the lineage that may have written it has signed it, the last commit before it can be the one that it
    /// says, and its lengths add up to the file's.
    pub(super) fn read(disk: &dyn Disk, dir: &Path, lineage: &Lineage) -> Result<Option<Self>, StoreError> {
        let path = dir.join(NAME);
        let wrong = |error| StoreError::io("read", &path, error);
        let file = match disk.open(&path, false) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            opened => opened.map_err(wrong)?,
        };
        let bad = |what: &str| StoreError::BadFile { file: path.clone(), what: what.to_owned() };
        let len = file.len().map_err(wrong)?;
        let (SignedBeginning { said, signature }, rung_at) =
            front(&*file, MAGIC).map_err(wrong)?.ok_or_else(|| bad("it does not begin as the beginning of a log"))?;
        if said.format != BeginningSaid::FORMAT {
            return Err(bad("it is of another version"));
        }
        if said.at.seq == 0 || !lineage.has_signed(said.world, said.at.seq, &said.hash(), &signature) {
            return Err(bad("expected the signature of @world over what it says, found another"));
        }
        said.commit_fits(lineage).map_err(|what| bad(&what))?;
        let mut at = rung_at.saturating_add(said.rung.len);
        let mut values = BTreeMap::new();
        for HeldBytes { hash, len } in &said.values {
            values.insert(*hash, (at, *len));
            at = at.saturating_add(*len);
        }
        if at != len {
            return Err(bad("it is not as long as it says"));
        }
        Ok(Some(Self { said, path, file, rung_at, values }))
    }

    /// The seq of the first frame that the log has.
    pub fn seq(&self) -> Seq {
        self.said.at.seq
    }

    /// The peaks over the frames before it; none if they come to another head.
    pub fn peaks(&self) -> Option<Peaks> {
        let SignedBorder { seq, head, peaks, .. } = &self.said.at;
        Peaks::going_on(*seq, peaks.clone()).filter(|peaks| peaks.head() == *head)
    }

    /// The checkpoint.
    pub fn rung(&self) -> Result<Vec<u8>, StoreError> {
        self.held(self.rung_at, &self.said.rung)
    }

    /// The hashes and lengths of its values.
    pub fn value_names(&self) -> impl Iterator<Item = Hash> + '_ {
        self.values.keys().copied()
    }

    /// A large value of what was moved, if it is one.
    pub fn value(&self, hash: &Hash) -> Result<Option<Arc<[u8]>>, StoreError> {
        let Some((at, len)) = self.values.get(hash) else { return Ok(None) };
        self.held(*at, &HeldBytes { hash: *hash, len: *len }).map(|bytes| Some(bytes.into()))
    }

    /// All of the file.
    pub(super) fn bytes(&self) -> Result<Vec<u8>, StoreError> {
        let len = self.file.len().map_err(|error| StoreError::io("read", &self.path, error))?;
        self.read_at(0, len)
    }

    /// The error of whoever needs a frame that is not here.
    pub fn lacks(&self, seq: Seq) -> StoreError {
        self.lacks_all(format!("frame {seq}"), seq)
    }

    /// The same, of something that is told in words; the archives from the newest back to the one that holds a seq bring it back.
    pub fn lacks_all(&self, found: String, back_to: Seq) -> StoreError {
        let newest_first: Vec<String> =
            self.said.archives.iter().rev().filter(|archive| archive.to > back_to).map(ArchiveName::to_string).collect();
        StoreError::Archived { found, begins: self.seq(), archives: newest_first.join(", then ") }
    }

    /// That of the world in a directory, on the operating system's disk.
    pub fn of(dir: &Path, lineage: &Lineage) -> Result<Option<Self>, StoreError> {
        Self::read(&PlainDisk, dir, lineage)
    }

    fn held(&self, at: u64, said: &HeldBytes) -> Result<Vec<u8>, StoreError> {
        let bytes = self.read_at(at, said.len)?;
        if Hash::of(&bytes) == said.hash {
            Ok(bytes)
        } else {
            Err(StoreError::damaged(&self.path, at, "the bytes do not hash to their name"))
        }
    }

    fn read_at(&self, at: u64, len: u64) -> Result<Vec<u8>, StoreError> {
        read_part(&*self.file, at, len).map_err(|error| StoreError::io("read", &self.path, error))
    }
}

impl std::fmt::Display for ArchiveName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "`{}` (BLAKE3 {}, frames {} to {})", self.name, self.hash, self.from, self.to.saturating_sub(1))
    }
}

/// So many bytes of a file, from one on; fewer where it ends.
pub(super) fn read_part(file: &dyn DiskFile, at: u64, len: u64) -> io::Result<Vec<u8>> {
    let len = len.min(file.len()?.saturating_sub(at));
    let mut bytes = vec![0; usize::try_from(len).map_err(io::Error::other)?];
    let filled = read_full(file, at, &mut bytes)?;
    bytes.truncate(filled);
    Ok(bytes)
}

/// A magic, a length, and behind them what is so long, canonically.
pub(super) fn fronted<T: Canon>(magic: &[u8; 8], said: &T) -> Vec<u8> {
    let said = said.to_canon();
    [magic.as_slice(), &(said.len() as u64).to_le_bytes(), &said].concat()
}

/// Reads the canonical value behind a magic and a length, and the offset behind it; none if it is not there.
pub(super) fn front<T: Canon>(file: &dyn DiskFile, magic: &[u8; 8]) -> io::Result<Option<(T, u64)>> {
    let begins = read_part(file, 0, 16)?;
    let len = begins.strip_prefix(magic).and_then(|len| Some(u64::from_le_bytes(*len.first_chunk()?)));
    let Some(len) = len.filter(|len| *len <= SAID_MAX) else { return Ok(None) };
    Ok(T::from_canon(&read_part(file, 16, len)?).ok().map(|said| (said, 16 + len)))
}
