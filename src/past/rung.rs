//! Rung: the bytes of one checkpoint: a manifest that `@world` has signed, and behind it the pages that the manifest names.
//!
//! A rung holds everything, or what has changed since the rung on which it stands, which it names by seq and hash.

use std::sync::Arc;

use crate::fact::canon::{canon_enum, canon_struct};
use crate::fact::{BeingId, Canon, Hash, Master, Millis, Peaks, PublicKey, Seq, Signature, WorldId, read_change};
use crate::reel::{Chain, ReelHead};
use crate::store::{Ending, Position, RungName};
use crate::world::{Being, Section};

/// The version of what pages hold; others are not read.
const FORMAT: u64 = 32;

/// Of what a page tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// The folded state.
    World {
        /// Which of it.
        section: Section,
    },
    /// Where reels stand.
    Reels,
    /// The blobs that the log has.
    Blobs,
}

canon_enum!(Part { 0 => World { section }, 1 => Reels, 2 => Blobs });

/// A page, by what it tells of and by its hash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PageName {
    pub(super) part: Part,
    pub(super) hash: Hash,
    len: u64,
}

/// A rung and the hash of its manifest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Footing {
    pub(super) seq: Seq,
    pub(super) hash: Hash,
}

/// The manifest of a rung: its seq, the rung on which it stands, and its pages in order.
#[derive(Clone, Debug)]
pub(super) struct PageList {
    format: u64,
    pub(super) world: WorldId,
    pub(super) seq: Seq,
    pub(super) at: Millis,
    head: Hash,
    /// From which the head goes on, the highest first.
    peaks: Vec<Hash>,
    /// The last commit before it, and where the log goes on behind that.
    commit: Hash,
    number: u64,
    segment: u64,
    offset: u64,
    pub(super) base: Option<Footing>,
    pub(super) pages: Vec<PageName>,
}

struct Signed {
    manifest: PageList,
    signature: Signature,
}

canon_struct!(PageName { part, hash, len });
canon_struct!(Footing { seq, hash });
canon_struct!(PageList { format, world, seq, at, head, peaks, commit, number, segment, offset, base, pages });
canon_struct!(Signed { manifest, signature });

impl PageList {
    /// The hash that is signed; its context keeps it apart from those of frames and heads.
    pub(super) fn hash(&self) -> Hash {
        Hash(blake3::derive_key("reelm 1 checkpoint", &self.to_canon()))
    }

    /// Where the pages begin behind it, as the first bytes of a rung say.
    pub(super) fn end(rung: &[u8]) -> Option<usize> {
        usize::try_from(u64::from_le_bytes(*rung.first_chunk()?)).ok()?.checked_add(8)
    }

    /// The version of a rung's pages and its name, as it claims them, unproven.
    pub(super) fn claimed(rung: &[u8]) -> Option<(u64, RungName)> {
        let Signed { manifest, .. } = Signed::from_canon(rung.get(8..Self::end(rung)?)?).ok()?;
        Some((manifest.format, RungName { seq: manifest.seq, base: manifest.base.map(|base| base.seq) }))
    }

    /// As its file is called.
    pub(super) fn name(&self) -> RungName {
        RungName { seq: self.seq, base: self.base.map(|base| base.seq) }
    }

    /// Reads one from the bytes with which a rung begins: it is what its name says, of this version and of a world that may have
    /// written it, and `@world` signed it.
    pub(super) fn read(rung: &[u8], name: RungName, signers: &[(WorldId, PublicKey)]) -> Option<Self> {
        let Signed { manifest, signature } = Signed::from_canon(rung.get(8..Self::end(rung)?)?).ok()?;
        let is_named = manifest.seq == name.seq && manifest.base.map(|base| base.seq) == name.base && name.seq > 0;
        let has_signed = |(world, key): &(WorldId, PublicKey)| *world == manifest.world && key.verify(&manifest.hash(), &signature).is_ok();
        if manifest.format != FORMAT || !is_named || !signers.iter().any(has_signed) {
            return None;
        }
        Some(manifest)
    }

    /// Whether this program reads pages of a version.
    pub(super) const fn reads(format: u64) -> bool {
        format == FORMAT
    }

    /// The peaks from which its head goes on; none if they come to another.
    pub(super) fn peaks(&self) -> Option<Peaks> {
        Peaks::going_on(self.seq, self.peaks.clone()).filter(|peaks| peaks.head() == self.head)
    }

    /// The border in the log on which it stands.
    pub(super) fn border(&self) -> Ending {
        let position = Position { segment: self.segment, offset: self.offset };
        Ending { seq: self.seq, head: self.head, commit: self.commit, number: self.number, position }
    }
}

/// Pages, as they are written one after another.
#[derive(Default)]
pub(super) struct Pages {
    names: Vec<PageName>,
    bytes: Vec<u8>,
}

impl Pages {
    pub(super) fn add(&mut self, part: Part, page: &[u8]) {
        self.names.push(PageName { part, hash: Hash::of(page), len: page.len() as u64 });
        self.bytes.extend_from_slice(page);
    }

    pub(super) fn len(&self) -> u64 {
        self.bytes.len() as u64
    }

    pub(super) fn into_names(self) -> Vec<PageName> {
        self.names
    }

    /// The rung that holds them, of a world whose reels stand so, and the hash of its manifest.
    pub(super) fn rung(
        self,
        (world, at): (WorldId, Millis),
        stood: (&Ending, &Chain),
        base: Option<Footing>,
        master: &Master,
    ) -> (Hash, Vec<u8>) {
        let (border, peaks) = (stood.0, stood.1.peaks().as_slice().to_vec());
        let Ending { seq, head, commit, number, position } = *border;
        let Position { segment, offset } = position;
        let manifest = PageList { format: FORMAT, world, seq, at, head, peaks, commit, number, segment, offset, base, pages: self.names };
        let hash = manifest.hash();
        let signature = master.key(world, BeingId::WORLD).sign(&hash);
        let signed = Signed { manifest, signature }.to_canon();
        let mut bytes = (signed.len() as u64).to_le_bytes().to_vec();
        bytes.extend(signed);
        bytes.extend(self.bytes);
        (hash, bytes)
    }
}

/// A rung whose manifest `@world` signed; its pages are looked at when they are read.
pub(super) struct Rung {
    pub(super) manifest: PageList,
    bytes: Vec<u8>,
    /// Where the pages begin.
    begin: usize,
}

impl Rung {
    /// Reads one.
    pub(super) fn read(bytes: Vec<u8>, name: RungName, signers: &[(WorldId, PublicKey)]) -> Option<Self> {
        let manifest = PageList::read(&bytes, name, signers)?;
        Some(Self { begin: PageList::end(&bytes)?, manifest, bytes })
    }

    /// Its pages, none of them looked at; none if there are not as many bytes as they have.
    pub(super) fn pages(&self) -> Option<Vec<(&PageName, &[u8])>> {
        let mut rest = self.bytes.get(self.begin..)?;
        let mut pages = Vec::with_capacity(self.manifest.pages.len());
        for name in &self.manifest.pages {
            let (page, behind) = rest.split_at_checked(usize::try_from(name.len).ok()?)?;
            pages.push((name, page));
            rest = behind;
        }
        rest.is_empty().then_some(pages)
    }

    /// Where a being's reel stands, if it has gone on since the rung below; nothing at all if a page of it is missing or damaged.
    pub(super) fn reel(&self, being: BeingId) -> Option<Option<ReelHead>> {
        self.changed(Part::Reels, being)
    }

    /// A being as it stands here, if it has changed since the rung below; nothing at all if a page of it is missing or damaged.
    pub(super) fn being(&self, being: BeingId) -> Option<Option<Arc<Being>>> {
        self.changed(Part::World { section: Section::Beings }, being)
    }

    fn changed<V: Canon>(&self, part: Part, being: BeingId) -> Option<Option<V>> {
        for (name, page) in self.pages()?.into_iter().filter(|(name, _)| name.part == part) {
            if Hash::of(page) != name.hash {
                return None;
            }
            if let Some(found) = read_change(page, &being).ok()? {
                return Some(found);
            }
        }
        Some(None)
    }

    /// All of it, as it is kept.
    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// How many bytes its pages have.
    pub(super) fn len(&self) -> u64 {
        self.bytes.len().saturating_sub(self.begin) as u64
    }
}
