//! Ladder: the rungs through the past of a world, each believed only if `@world` signed it and its pages are what they are named.

use std::path::Path;
use std::sync::Arc;
use std::thread::available_parallelism;

use imbl::OrdMap;

use crate::fact::{BeingId, Changes, Hash, Lineage, Master, Millis, N, Peaks, PublicKey, Seq, WorldId, read_changes};
use crate::reel::{Chain, ReelHead};
use crate::store::{Beginning, Checkpoints, Ending, Keystore, RungName, WorldFile};
use crate::world::{Being, Gathered, Section, World};

use super::loaded::Loaded;
use super::rung::{Footing, PageList, PageName, Part, Rung};

/// On how many rungs one may stand, one below another.
pub(super) const DEPTH_MAX: u32 = 64;
/// Fewer bytes than this are read by one thread.
const SHARE: usize = 256 << 10;

/// As much as most manifests have, and as much as any may have.
const BEGINS: usize = 16 << 10;
const MANIFEST_MAX: usize = 64 << 20;

/// The ladder of one world.
pub(super) struct Ladder {
    checkpoints: Checkpoints,
    /// The rung below all others, where older history was archived.
    beginning: Option<Beginning>,
    /// The world and its ancestors by `world.toml`, and whether it is simulated.
    lineage: Arc<Lineage>,
    simulated: bool,
    /// The master of the user who runs the program: rungs signed by its keys are believed too.
    own: Option<Master>,
}

/// A rung on which others can be put, with its world.
pub(super) struct Base {
    pub(super) footing: Footing,
    pub(super) world: World,
    pub(super) chain: Chain,
    pub(super) blobs: OrdMap<Hash, u64>,
    /// On how many it stands.
    pub(super) depth: u32,
    /// How many bytes lie in those of them that hold changes, and in the one that holds everything.
    pub(super) changed: u64,
    pub(super) whole: u64,
}

impl Ladder {
    /// That of the world in `dir`; none if `world.toml` does not say a key.
    pub(super) fn of(dir: &Path, file: &WorldFile) -> Option<Self> {
        let lineage = file.lineage();
        PublicKey::from_hash(&lineage.root_key).ok()?;
        // One that is damaged is named by whoever opens the log.
        let beginning = Beginning::of(dir, &lineage).ok().flatten();
        let own = Keystore::of_user(false).map(|own| Master::new(*own.master));
        Some(Self { checkpoints: Checkpoints::of(dir), beginning, lineage, simulated: file.simulated, own })
    }

    /// The rungs by the names of their files, newest first; where the log has a beginning, that is the last.
    pub(super) fn names(&self) -> Vec<RungName> {
        let begins = self.begins();
        let names = self.checkpoints.rungs().into_iter().filter(|name| begins.is_none_or(|begins| name.seq > begins.seq));
        names.chain(begins).collect()
    }

    /// The keys of the worlds that may have signed a rung that is believed here.
    fn signers(&self, seq: Seq) -> Vec<(WorldId, PublicKey)> {
        let mut signers = self.lineage.signers(seq);
        let own =
            |master: &Master, world: WorldId| PublicKey::from_hash(&master.public(world, BeingId::WORLD)).ok().map(|key| (world, key));
        signers.extend(self.own.iter().flat_map(|master| signers.iter().filter_map(|(world, _)| own(master, *world))).collect::<Vec<_>>());
        signers
    }

    fn begins(&self) -> Option<RungName> {
        self.beginning.as_ref().map(|begun| RungName { seq: begun.seq(), base: None })
    }

    fn rung(&self, name: RungName) -> Option<Rung> {
        match &self.beginning {
            Some(begun) if self.begins() == Some(name) => self.read(begun.rung().ok()?, name),
            _ => self.read(self.checkpoints.rung(name)?, name),
        }
    }

    fn read(&self, bytes: Vec<u8>, name: RungName) -> Option<Rung> {
        Rung::read(bytes, name, &self.signers(name.seq))
    }

    /// How many frames a being had where the log begins.
    pub(super) fn archived_of(&self, being: BeingId) -> Option<N> {
        Some(self.rung(self.begins()?)?.reel(being)??.next_n)
    }

    /// The manifest of a rung.
    pub(super) fn manifest(&self, name: RungName) -> Option<PageList> {
        if self.begins() == Some(name) {
            return Some(self.rung(name)?.manifest);
        }
        let mut begins = self.checkpoints.beginning(name, BEGINS)?;
        let end = PageList::end(&begins)?;
        if end > begins.len() && begins.len() == BEGINS {
            begins = self.checkpoints.beginning(name, end.min(MANIFEST_MAX))?;
        }
        PageList::read(&begins, name, &self.signers(name.seq))
    }

    /// The newest border in the log, at a seq or before it, that any rung stands on.
    pub(super) fn border(&self, at: Seq) -> Option<Ending> {
        self.names().into_iter().filter(|name| name.seq <= at).find_map(|name| self.manifest(name)).map(|manifest| manifest.border())
    }

    /// The same, and the peaks of all frames before it.
    pub(super) fn ground(&self, at: Seq) -> Option<(Ending, Peaks)> {
        self.grounds(at).next()
    }

    /// All of them, newest first.
    pub(super) fn grounds(&self, at: Seq) -> impl Iterator<Item = (Ending, Peaks)> {
        let names = self.names().into_iter().filter(move |name| name.seq <= at);
        names.filter_map(|name| self.manifest(name)).filter_map(|manifest| Some((manifest.border(), manifest.peaks()?)))
    }

    /// Whether a rung at a seq, or one on which it stands, tells of calls that nobody had answered yet.
    pub(super) fn may_hold(&self, at: Seq) -> bool {
        let names = self.names();
        let manifest = |seq: Seq| names.iter().filter(|name| name.seq == seq).find_map(|name| self.manifest(*name));
        let mut next = manifest(at);
        while let Some(PageList { pages, base, .. }) = next {
            if pages.iter().any(|page| page.part == Part::World { section: Section::Held }) {
                return true;
            }
            let Some(base) = base else { return false };
            // Of one that cannot be asked nobody knows.
            next = manifest(base.seq).filter(|_| base.seq < at);
            if next.is_none() {
                return true;
            }
        }
        false
    }

    /// Between which rungs a being's n-th frame lies, of those up to a seq: where the log goes on behind the one before it, and the seq of the
    /// one after it.
    pub(super) fn around(&self, being: BeingId, n: N, end: Seq) -> (Option<Ending>, Option<Seq>) {
        let (mut below, mut unchanged_since) = (None, end);
        for name in self.names() {
            if name.seq > unchanged_since {
                continue;
            }
            let Some(rung) = self.rung(name) else { continue };
            match (rung.reel(being), rung.manifest.base) {
                (Some(Some(reel)), _) if reel.next_n > n => below = Some(name.seq),
                (Some(None), Some(base)) => unchanged_since = base.seq,
                (Some(_), _) => return (Some(rung.manifest.border()), below),
                (None, _) => {}
            }
        }
        (None, below)
    }

    /// When a rung stands, and a being as it was there: as it was written there, or on the nearest rung below that says anything of it. None if
    /// it did not live yet, or one of them is missing or is not the one that was meant.
    pub(super) fn being(&self, name: RungName, being: BeingId) -> Option<(Millis, Arc<Being>)> {
        let mut rung = self.rung(name)?;
        let at = rung.manifest.at;
        for _ in 0..=DEPTH_MAX {
            if let Some(found) = rung.being(being)? {
                return Some((at, found));
            }
            rung = self.below(rung.manifest.base?)?;
        }
        None
    }

    /// The newest rung at a seq or before it that is whole, and those on which it stands, as they are kept: the lowest first.
    pub(super) fn whole_stack(&self, at: Seq) -> Option<(Seq, Vec<Vec<u8>>)> {
        let names = self.names().into_iter().filter(|name| name.seq <= at);
        names.into_iter().find_map(|name| {
            let stack = self.stack(name)?;
            standing_on(&self.lineage, &stack)?;
            let rungs: Vec<(RungName, Vec<u8>)> = stack.into_iter().map(|rung| (rung.manifest.name(), rung.into_bytes())).collect();
            // Others believe those alone that their world has signed.
            let is_signed = |(name, bytes): &(RungName, Vec<u8>)| PageList::read(bytes, *name, &self.lineage.signers(name.seq)).is_some();
            rungs.iter().all(is_signed).then(|| (name.seq, rungs.into_iter().map(|(_, bytes)| bytes).collect()))
        })
    }

    /// A rung and those on which it stands, the lowest first; none if one of them is missing or is not the one that was meant.
    fn stack(&self, name: RungName) -> Option<Vec<Rung>> {
        let mut stack = vec![self.rung(name)?];
        while let Some(footing) = stack.last()?.manifest.base {
            let below = self.below(footing)?;
            if below.manifest.seq >= stack.last()?.manifest.seq || stack.len() > DEPTH_MAX as usize {
                return None;
            }
            stack.push(below);
        }
        stack.reverse();
        Some(stack)
    }

    /// The rung on which others stand; none if it is missing or is not the one that was meant.
    fn below(&self, Footing { seq, hash }: Footing) -> Option<Rung> {
        // One from before the beginning of the log may still carry others.
        let names = self.checkpoints.rungs().into_iter().filter(|name| name.seq == seq);
        let kept = names.filter_map(|name| self.read(self.checkpoints.rung(name)?, name));
        let begun = self.begins().filter(|name| name.seq == seq).and_then(|name| self.rung(name));
        begun.into_iter().chain(kept).find(|rung| rung.manifest.hash() == hash)
    }

    /// Everything as of a rung; none if a page is missing or damaged.
    pub(super) fn loaded(&self, name: RungName) -> Option<(Loaded, Base)> {
        let stack = self.stack(name)?;
        let top = &stack.last()?.manifest;
        let Loaded { world, chain, blobs, .. } = standing_on(&self.lineage, &stack)?;
        // A rung of a world of which `world.toml` says something else stands in for no frame: the first one is to be read, and says so.
        let said = (world.world_setting("name").as_str(), world.world_setting("simulated").as_bool());
        if said != (Some(self.lineage.nth(0).name), Some(self.simulated)) {
            return None;
        }
        let (first, above) = stack.split_first()?;
        let base = Base {
            footing: Footing { seq: top.seq, hash: top.hash() },
            world: world.clone(),
            chain: chain.clone(),
            blobs: blobs.clone(),
            depth: above.len() as u32,
            changed: above.iter().map(Rung::len).sum(),
            whole: first.len(),
        };
        Some((Loaded { world, chain, blobs, border: Some(top.border()) }, base))
    }
}

/// Everything as of the last of some rungs, each of which stands on the one before it; none if a page is missing or damaged.
pub(super) fn standing_on(lineage: &Arc<Lineage>, stack: &[Rung]) -> Option<Loaded> {
    let top = &stack.last()?.manifest;
    let mut pages = Vec::new();
    for rung in stack {
        pages.extend(rung.pages()?);
    }
    let (Read { gathered, reels, blobs }, peaks) = (read_all(&pages)?, top.peaks()?);
    let (world, chain) = std::thread::scope(|scope| {
        let chain = scope.spawn(|| Chain::going_on(lineage.clone(), top.seq, top.at, peaks, reels));
        (gathered.world(lineage.clone()), chain.join())
    });
    let (world, chain) = (world.filter(|world| world.next_seq() == top.seq)?, chain.ok()?);
    let blobs = blobs.into_iter().filter_map(|(hash, len)| Some((hash, len?))).collect();
    Some(Loaded { world, chain, blobs, border: Some(top.border()) })
}

/// The changes that were read from pages.
#[derive(Default)]
struct Read {
    gathered: Gathered,
    reels: Changes<BeingId, ReelHead>,
    blobs: Changes<Hash, u64>,
}

impl Read {
    /// Takes pages in their order; none if one is not what it is named.
    fn of(pages: &[(&PageName, &[u8])]) -> Option<Self> {
        let mut read = Self::default();
        for (name, bytes) in pages {
            if Hash::of(bytes) != name.hash {
                return None;
            }
            let taken = match name.part {
                Part::World { section } => read.gathered.take(section, bytes),
                Part::Reels => read_changes(bytes, &mut read.reels),
                Part::Blobs => read_changes(bytes, &mut read.blobs),
            };
            taken.ok()?;
        }
        Some(read)
    }

    fn follow(&mut self, mut later: Self) {
        self.gathered.follow(later.gathered);
        self.reels.append(&mut later.reels);
        self.blobs.append(&mut later.blobs);
    }
}

/// Reads all pages, on several threads where there are many.
fn read_all(pages: &[(&PageName, &[u8])]) -> Option<Read> {
    let bytes: usize = pages.iter().map(|(_, bytes)| bytes.len()).sum();
    let threads = available_parallelism().map_or(1, |threads| threads.get()).min(1 + bytes / SHARE);
    let share = bytes / threads + 1;
    let mut parts: Vec<&[(&PageName, &[u8])]> = Vec::new();
    let mut rest = pages;
    while !rest.is_empty() {
        let mut sum = 0;
        let count = rest.iter().take_while(|(_, bytes)| (sum < share, sum += bytes.len()).0).count();
        let (part, behind) = rest.split_at_checked(count.max(1))?;
        parts.push(part);
        rest = behind;
    }
    std::thread::scope(|scope| {
        let (last, others) = parts.split_last()?;
        let others: Vec<_> = others.iter().map(|part| scope.spawn(|| Read::of(part))).collect();
        let last = Read::of(last);
        let mut all = Read::default();
        for other in others {
            all.follow(other.join().ok()??);
        }
        all.follow(last?);
        Some(all)
    })
}
