//! Border: a point of a history at which a fork begins, exactly: what of the parent's log lies before it whole, what of a group does, and the
//! way from the head there to one that the parent has sealed.

use std::collections::BTreeSet;

use crate::fact::{Content, ForkOrigin, Frame, FrameError, Hash, Peaks, Reign, Seq, Signature, WithinGroup};
use crate::reel::WaysUp;
use crate::store::{Commit, Ending, Entries, Group, Position, Record, RecordPlace, Store, StoreError, Stored};

use super::checkpoint::reach;
use super::history::History;
use super::load::LoadError;

/// How many frames behind a point are looked through for the end of its round.
const ROUND_FRAMES: usize = 16_384;

/// Where a fork can begin.
pub struct ForkPoint {
    /// Its origin.
    pub origin: ForkOrigin,
    /// In the log, behind the last commit that lies before it whole.
    pub position: Position,
    /// The head there.
    pub head: Hash,
    /// The group between that commit and the point, without a seal; nothing: the commit ends there.
    pub group: Option<Group>,
}

/// The log around a point.
#[derive(Default)]
struct PointSurroundings {
    /// The last commit that lies before it whole.
    border: Option<PastBorder>,
    /// The large values behind that, and the frames up to the point.
    blobs: Vec<Record>,
    frames: Vec<Record>,
    /// Where the hashes begin, and the peaks of all frames before.
    ground: (Seq, Peaks),
    /// The hashes from there on.
    hashes: Vec<Hash>,
    /// The first commit that ends behind the point.
    beyond: Option<Commit>,
}

/// The end of a commit, as a fork may name it.
#[derive(Clone)]
struct PastBorder {
    seq: Seq,
    number: u64,
    commit: Hash,
    head: Hash,
    position: Position,
    /// The seal over its head, where it was read.
    seal: Option<[u8; 64]>,
}

impl History {
    /// The point at a seq, for a fork that begins there; nothing before the end of the first commit, with which a world is planted.
    pub fn fork_point(&self, at: Seq) -> Result<Option<ForkPoint>, LoadError> {
        reach(&self.store, at)?;
        if at > self.end() {
            return Ok(None);
        }
        if at == self.begins() && at > 0 {
            return Ok(self.border_before().filter(|point| self.may_begin_at(&point.origin)));
        }
        let around = self.around_point(at)?;
        let Some(border) = around.border.clone() else { return Ok(None) };
        let origin = ForkOrigin { number: border.number, commit: border.commit, ..self.parent(at) };
        let (position, head) = (border.position, border.head);
        match border.seal.filter(|_| around.frames.is_empty()) {
            Some(seal) => Ok(Some(ForkPoint { origin: ForkOrigin { head, seal: Signature(seal), ..origin }, position, head, group: None })),
            None => self.point_within(at, origin, border, around),
        }
        .map(|point| point.filter(|point| self.may_begin_at(&point.origin)))
    }

    /// Whether a fork at an origin can read with what the log begins: what was archived is sealed by a world of its lineage, and of the calls
    /// that were under way there nobody has to hear.
    fn may_begin_at(&self, origin: &ForkOrigin) -> bool {
        let Some(begun) = self.store.beginning() else { return true };
        let mut lineage = self.world_file().lineage().of_frame(origin.seq.saturating_sub(1));
        lineage.origins.push(origin.clone());
        let is_ours = lineage.signers(begun.seq()).iter().any(|(world, _)| *world == begun.said.world);
        is_ours && (origin.seq > begun.seq() || !self.ladder().is_some_and(|ladder| ladder.may_hold(begun.seq())))
    }

    /// Where forks can begin at the earliest, as far as is known before one is tried.
    pub fn first_point(&self) -> Result<Seq, LoadError> {
        let first = self.first_border()?.unwrap_or_default();
        let own = self.world_file().lineage().reign(Seq::MAX).began;
        let is_ours = first == 0 || self.begins() == 0 || self.fork_point(first)?.is_some();
        Ok(if is_ours { first } else { own.max(first) + 1 })
    }

    /// The log around a point, from the nearest checkpoint before its last frame on.
    fn around_point(&self, at: Seq) -> Result<PointSurroundings, LoadError> {
        let (ladder, mut below) = (self.ladder(), at.saturating_sub(1));
        let mut behind = None;
        while let Some((ending, peaks)) = ladder.as_ref().and_then(|ladder| ladder.ground(below)) {
            let border = self.past_border(&ending);
            behind = border.and_then(|border| Some((self.store.read_behind(&ending).ok()?, border, (ending.seq, peaks))));
            if behind.is_some() || ending.seq <= self.begins() {
                break;
            }
            below = ending.seq - 1;
        }
        let Some((entries, border, ground)) = behind else {
            return Ok(PointSurroundings::default().read(self.store.read(0)?, at, |commit| !self.is_of_fork(commit, at))?);
        };
        let around = PointSurroundings { border: Some(border), ground, ..PointSurroundings::default() };
        Ok(around.read(entries, at, |commit| !self.is_of_fork(commit, at))?)
    }

    /// The seq below which a fork at a point may have the checkpoints of its parent. One at the point itself serves only where no model was being
    /// asked: its call is released there.
    pub fn shared_below(&self, at: Seq) -> Seq {
        if self.ladder().is_some_and(|ladder| ladder.may_hold(at)) { at } else { at + 1 }
    }

    /// The seq behind which no moment closes that was open at a point.
    pub fn round_end(&self, at: Seq) -> Result<Seq, LoadError> {
        let mut end = at;
        for frame in self.frames(at)?.take(ROUND_FRAMES) {
            let frame = frame?;
            end = if frame.draft().opened < end { frame.draft().seq + 1 } else { end };
        }
        Ok(end)
    }

    /// Whether a commit is a fork's over what its parent has written, where the point is the parent's.
    fn is_of_fork(&self, commit: &Commit, at: Seq) -> bool {
        self.world_file().lineage().seals_for_others(commit.end_seq, at.saturating_sub(1))
    }

    /// A point within a group: the head there is proved beneath the next one that the world it is of has sealed.
    fn point_within(
        &self,
        at: Seq,
        origin: ForkOrigin,
        border: PastBorder,
        around: PointSurroundings,
    ) -> Result<Option<ForkPoint>, LoadError> {
        let place = RecordPlace { file: format!("the group of frame {at}").into(), offset: 0 };
        let records = around.records().map_err(|error| LoadError::at(place)(error.into()))?;
        let PointSurroundings { ground: (from, peaks), hashes, beyond: Some(beyond), .. } = around else { return Ok(None) };
        let lineage = self.world_file().lineage();
        // Of what a fork has kept of its parent's group, the parent's seal is the one that its own origin names.
        let above = lineage.origin_at(beyond.end_seq).filter(|_| self.is_of_fork(&beyond, at));
        let known = above.and_then(|origin| Some((origin.within.as_ref()?, origin.seq, origin.seal)));
        let (count, seal) = known.map_or((beyond.end_seq, Signature(beyond.seal)), |(within, _, seal)| (within.count, seal));
        let (leaf, mut below) = (at.saturating_sub(1), peaks.clone());
        let mut ways = WaysUp::going_on(&[leaf], count, &peaks);
        let mut last = Hash::NOTHING;
        for (seq, hash) in (from..).zip(hashes) {
            ways.pass(seq, hash);
            if seq < at {
                below.push(hash);
                last = hash;
            }
        }
        known.iter().for_each(|(within, seq, _)| ways.know(within.roots(*seq)));
        let (head, way) = (below.head(), ways.hashes().pop().unwrap_or_default());
        let origin = ForkOrigin { head, seal, within: Some(WithinGroup { border: border.seq, count, last, way }), ..origin };
        let group = Group { records, head, seal: [0; 64] };
        Ok(Some(ForkPoint { origin, position: border.position, head: border.head, group: Some(group) }))
    }

    /// The border on which a checkpoint stands, as a fork names it: where a segment begins, by the commit at the end of the one before; nothing where
    /// the checkpoint does not know that one's place.
    fn past_border(&self, ending: &Ending) -> Option<PastBorder> {
        let Ending { seq, head, commit, number, .. } = *ending;
        let linked = self.world_file().origins.iter().rfind(|linked| linked.origin.border() == seq);
        let begun = self.store.beginning().filter(|begun| begun.seq() == seq).map(|begun| {
            let said = &begun.said;
            (said.commit, Position { segment: said.segment, offset: said.offset })
        });
        let linked = linked.and_then(|linked| Some((linked.origin.commit, linked.position?)));
        let place = self.store.place_of(ending).ok().filter(|place| !place.begins_segment());
        let plain = place.map(|place| (commit, place));
        let (commit, position) = begun.or(linked).or(plain)?;
        Some(PastBorder { seq, number, commit, head, position, seal: None })
    }

    /// The seed that the first frame has set.
    pub fn seed(&self) -> Result<u64, LoadError> {
        let at = RecordPlace { file: "frame 0".into(), offset: 0 };
        if self.begins() > 0 {
            let seed = self.world_at(self.begins())?.world_setting("seed").as_int().unwrap_or_default();
            return Ok(u64::from_be_bytes(seed.to_be_bytes()));
        }
        let first = self.record(0)?.map(|(recorded, bytes)| recorded.read(&bytes)).transpose().map_err(LoadError::at(at))?;
        let seed = first.as_ref().and_then(|frame| frame.draft().first_config("seed")?.as_int()).unwrap_or_default();
        Ok(u64::from_be_bytes(seed.to_be_bytes()))
    }

    /// How many frames the first commit has: before it there is no border.
    pub fn first_border(&self) -> Result<Option<Seq>, LoadError> {
        if self.begins() > 0 {
            return Ok(Some(self.begins()));
        }
        for entry in self.store.read(0)? {
            if let Stored::Commit { commit, .. } = entry? {
                return Ok(Some(commit.end_seq));
            }
        }
        Ok(None)
    }

    /// The border with which the log begins, behind what was archived.
    fn border_before(&self) -> Option<ForkPoint> {
        let said = &self.store.beginning()?.said;
        let (seq, number, head, seal) = (said.at.seq, said.at.number, said.at.head, said.seal);
        let position = Position { segment: said.segment, offset: said.offset };
        let origin = ForkOrigin { number, commit: said.commit, head, seal, ..self.parent(seq) };
        Some(ForkPoint { origin, position, head, group: None })
    }

    /// An origin at a seq that says of nothing but the parent.
    fn parent(&self, seq: Seq) -> ForkOrigin {
        let lineage = self.world_file().lineage();
        let Reign { world, root_key, name, .. } = lineage.reign(seq.saturating_sub(1));
        let (root_key, name, seal) = (*root_key, name.to_owned(), Signature([0; 64]));
        ForkOrigin { world, root_key, name, seq, number: 0, commit: Hash::NOTHING, head: Hash::NOTHING, seal, within: None }
    }
}

impl PointSurroundings {
    /// Reads up to the first commit behind the point; `is_past` says of one at or before it whether a fork there can name it.
    fn read(mut self, entries: Entries<'_>, point: Seq, is_past: impl Fn(&Commit) -> bool) -> Result<Self, StoreError> {
        for entry in entries {
            match entry? {
                Stored::Blob { hash, bytes, .. } => self.blobs.push(Record::Blob { hash, bytes }),
                Stored::Frame { seq, being, n, bytes, .. } => {
                    self.hashes.push(Frame::hash_in(&bytes));
                    self.frames.extend((seq < point).then_some(Record::Frame { seq, being, n, bytes }));
                }
                Stored::Commit { commit, at } if commit.end_seq <= point && is_past(&commit) => {
                    (self.blobs, self.frames) = Default::default();
                    let Commit { end_seq: seq, number, hash: commit, head, seal, .. } = commit;
                    self.border = at.behind_commit().map(|position| PastBorder { seq, number, commit, head, position, seal: Some(seal) });
                    if seq == point {
                        break;
                    }
                }
                Stored::Commit { commit, .. } => {
                    self.beyond = Some(commit);
                    break;
                }
            }
        }
        Ok(self)
    }

    /// The frames up to the point, and before them the large values that they are the first to name.
    fn records(&self) -> Result<Vec<Record>, FrameError> {
        let mut named = BTreeSet::new();
        for record in &self.frames {
            let Record::Frame { bytes, .. } = record else { continue };
            let frame = Frame::read(bytes)?;
            named.extend(frame.draft().contents().filter_map(|content| match content {
                Content::There { hash, .. } => Some(*hash),
                Content::Here(_) | Content::Unread { .. } => None,
            }));
        }
        let is_named = |record: &&Record| matches!(record, Record::Blob { hash, .. } if named.contains(hash));
        Ok(self.blobs.iter().filter(is_named).chain(&self.frames).cloned().collect())
    }
}
