//! Opening a log: finds where its history ends, and tells a torn tail from damage.
//!
//! All headers are read, and the last segment; older segments are checked whenever they are read. Bytes that do not check, with no
//! commit behind them that was written after they were durable, are a torn tail: cut. With such a commit, or short of the mark of a
//! clean close, they are damage: nothing is cut.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::fact::{Hash, Lineage, Seq, WorldId};

use super::beginning::Beginning;
use super::clean::{self, Clean};
use super::disk::{Disk, DiskFile};
use super::entries::EntryStream;
use super::error::{Damage, Lost, StoreError};
use super::groups::{GroupReader, Volume, VolumeStep, read_blob};
use super::known;
use super::layout::CommitChain;
use super::lock::Lock;
use super::mode::{Mode, Options};
use super::record::{Ending, Position};
use super::replace::take_away;
use super::segment::{self, Found, HEADER_LEN, Segment, SegmentForm};
use super::volumes;
use super::world_file::WorldFile;

/// A group's beginning is remembered every so many bytes of the last segment.
const MARK_BYTES: u64 = 256 << 10;

/// How often a reader looks before it believes that a history is torn or damaged: somebody may be writing it.
const LOOKS: u32 = 5;

/// The report of an opening: the history found and the repairs done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recovery {
    /// How many commits the history holds.
    pub groups: u64,
    /// How many bytes of a torn write were cut, or passed over where the world is open for reading.
    pub cut_bytes: u64,
    /// Where they were.
    pub cut_at: Option<(PathBuf, u64)>,
    /// Whether the world had been closed cleanly.
    pub was_clean: bool,
    /// The groups that were acknowledged and are gone.
    pub lost: Option<Lost>,
    /// Whether the index was made anew from the log.
    pub index_rebuilt: bool,
    /// The damage passed over, where it is being inspected: that of the headers and of the last segment.
    pub damage: Vec<Damage>,
}

/// The files of a history, as far as it is known.
pub(super) struct HistoryFiles {
    pub disk: Arc<dyn Disk>,
    pub dir: PathBuf,
    /// The world that is written here.
    pub world: WorldId,
    /// From which worlds it comes, and where in the log what each of them wrote ends.
    pub lineage: Arc<Lineage>,
    pub pasts: Vec<Position>,
    /// With what the log begins, where its earlier history was archived.
    pub beginning: Option<Beginning>,
    pub segments: Vec<Segment>,
    pub ending: Ending,
    pub inspect: bool,
    /// A border that was seen before.
    seen: Option<Ending>,
    /// Beginnings of groups in the last segment, by the seq there.
    marks: BTreeMap<Seq, (u64, CommitChain)>,
}

/// The state of the last segment: the end of its chain, and its end in bytes.
struct LastSegment {
    chain: CommitChain,
    at: u64,
    marks: BTreeMap<Seq, (u64, CommitChain)>,
    cut_bytes: u64,
}

impl HistoryFiles {
    /// Finds the history in a world's directory; changes files only in [`Mode::Write`].
    pub(super) fn recover(options: &Options, dir: &Path, world: &WorldFile, mode: Mode) -> Result<(Self, Recovery), StoreError> {
        let mut tries = if mode == Mode::Read { LOOKS } else { 1 };
        loop {
            let mut found = Self::look(options, dir, world, mode);
            let is_written = mode == Mode::Read && Lock::is_held(dir);
            // Nobody writes now: once more, for somebody may just have ended.
            tries = if is_written { tries - 1 } else { tries.min(2) - 1 };
            match &mut found {
                // A process that opened, wrote or closed the world between two of our looks makes a whole history seem damaged or torn.
                Err(StoreError::Damaged(_)) if tries > 0 => {}
                Ok((_, recovery)) if (recovery.cut_bytes > 0 || recovery.lost.is_some()) && !is_written && tries > 0 => {}
                // The bytes behind the last whole group are being written by that process.
                Ok((_, recovery)) if is_written => {
                    (recovery.cut_bytes, recovery.cut_at) = (0, None);
                    return found;
                }
                Ok(_) | Err(_) => return found,
            }
            if is_written {
                std::thread::sleep(std::time::Duration::from_millis(5));
            }
        }
    }

    fn look(options: &Options, dir: &Path, file: &WorldFile, mode: Mode) -> Result<(Self, Recovery), StoreError> {
        let disk = options.disk.clone();
        let mut recovery = Recovery::default();
        let (world, lineage) = (file.world, file.lineage());
        let pasts = file.origins.iter().filter_map(|linked| linked.position).collect();
        let ending = CommitChain::start(world).ending(Position::default());
        let inspect = mode == Mode::Inspect;
        let mut log = Self {
            disk,
            dir: dir.to_owned(),
            world,
            lineage,
            pasts,
            beginning: None,
            segments: Vec::new(),
            ending,
            inspect,
            seen: options.seen,
            marks: BTreeMap::new(),
        };
        log.find_beginning(mode, &mut recovery)?;
        let torn = log.find_segments(mode, &mut recovery)?;
        let tail = log.read_tail(mode, &mut recovery)?;
        log.check_end(mode, options.accept_loss, &tail, &mut recovery)?;
        recovery.cut_bytes += tail.cut_bytes;
        recovery.groups = tail.chain.number;
        let Some(last) = log.last().cloned() else { return Err(StoreError::damaged(dir, 0, "the log has no segments")) };
        if tail.cut_bytes > 0 {
            recovery.cut_at = Some((last.path.clone(), tail.at));
        }
        if mode == Mode::Write {
            // Until `@world` has recorded a loss it stays known, also where a crash comes first.
            if recovery.lost.is_some() {
                known::keep(&log.dir, world, clean::read(&*log.disk, &log.dir)?.as_ref())?;
            }
            log.cut(torn.as_deref(), &last, &tail)?;
        }
        log.moved(&tail.chain, Position { segment: last.first, offset: tail.at });
        log.marks = tail.marks;
        Ok((log, recovery))
    }

    pub(super) fn last(&self) -> Option<&Segment> {
        self.segments.last()
    }

    pub(super) fn log_dir(&self) -> PathBuf {
        self.dir.join("log")
    }

    /// The history now ends here.
    pub(super) fn moved(&mut self, chain: &CommitChain, position: Position) {
        self.ending = chain.ending(position);
    }

    /// Remembers a group's beginning, if none is remembered close before.
    pub(super) fn mark(&mut self, chain: &CommitChain, offset: u64) {
        mark(&mut self.marks, chain, offset);
    }

    /// Begins a new last segment where the history ends, which is durable; gives its file.
    pub(super) fn begin_segment(&mut self, chain: CommitChain) -> Result<(PathBuf, Arc<dyn DiskFile>), StoreError> {
        let (segment, file) = segment::create(&*self.disk, &self.log_dir(), self.world, chain)?;
        let path = segment.path.clone();
        self.marks.clear();
        self.segments.push(segment);
        self.moved(&chain, Position { segment: chain.seq, offset: HEADER_LEN as u64 });
        Ok((path, file))
    }

    /// Begins a new segment where the last one is compressed: the one behind it is gone, and nothing is ever written into that one.
    pub(super) fn begin_behind_compressed(&mut self) -> Result<(), StoreError> {
        if self.last().is_some_and(|last| last.form == SegmentForm::Compressed) {
            self.begin_segment(self.ending.chain())?;
        }
        Ok(())
    }

    /// The closed segments that are not compressed; leftovers of compressions that were cut off are removed.
    pub(super) fn closed_plain(&self) -> Result<Vec<Seq>, StoreError> {
        segment::tidy(&*self.disk, &self.log_dir())?;
        let mut plain = segment::plain(&*self.disk, &self.log_dir())?;
        let began = self.lineage.own_groups();
        // A linked segment is shared with the parent as long as it stays plain.
        plain.retain(|first| *first >= began && self.last().is_some_and(|last| *first < last.first));
        Ok(plain)
    }

    /// Gives the newest segment where its header is torn: it holds nothing.
    fn find_segments(&mut self, mode: Mode, recovery: &mut Recovery) -> Result<Option<PathBuf>, StoreError> {
        let dir = self.log_dir();
        let begins = self.begins();
        if mode == Mode::Write {
            segment::settle(&*self.disk, &dir, begins)?;
        }
        // Segments before the beginning are in the archive; moving them out or back was cut off.
        let firsts = segment::list_from(&*self.disk, &dir, begins)?;
        let began = self.lineage.own_groups();
        if !firsts.contains(&began) && mode != Mode::Inspect && began > begins {
            return Err(StoreError::damaged(
                &segment::path(&dir, began, SegmentForm::Plain),
                0,
                "the first segment of the fork itself is missing",
            ));
        }
        if firsts.first() != Some(&begins) && mode != Mode::Inspect {
            return Err(StoreError::damaged(&dir, 0, "the first segment is missing"));
        }
        let (last, mut torn) = (firsts.last().copied(), None);
        for first in firsts {
            let (segment, file) = segment::open(&*self.disk, &dir, first)?;
            let found = match segment::read_header(&*file, &segment.path, self.world_of(first), first)? {
                Found::Header(chain) if self.parts_from_archive(&chain) => Found::Bad("it does not begin where the archived history ends"),
                found => found,
            };
            let what = match found {
                Found::Header(chain) => {
                    self.segments.push(Segment { chain: Some(chain), ..segment });
                    continue;
                }
                Found::Bad(what) => what,
            };
            if mode == Mode::Inspect {
                recovery.damage.push(Damage { file: segment.path.clone(), offset: 0, being: None, n: None, what });
                self.segments.push(segment);
            } else if Some(first) != last || !self.is_torn(&segment)? {
                return Err(StoreError::damaged(&segment.path, 0, what));
            } else {
                recovery.cut_bytes += file.len().map_err(|error| StoreError::io("read", &segment.path, error))?;
                recovery.cut_at = Some((segment.path.clone(), 0));
                torn = Some(segment.path);
            }
        }
        Ok(torn)
    }

    fn find_beginning(&mut self, mode: Mode, recovery: &mut Recovery) -> Result<(), StoreError> {
        self.beginning = match Beginning::read(&*self.disk, &self.dir, &self.lineage) {
            Err(StoreError::BadFile { file, .. }) if mode == Mode::Inspect => {
                let what = "the checkpoint with which the log begins does not check";
                recovery.damage.push(Damage { file, offset: 0, being: None, n: None, what });
                None
            }
            read => read?,
        };
        Ok(())
    }

    /// The first seq that the log has.
    pub(super) fn begins(&self) -> Seq {
        self.beginning.as_ref().map_or(0, Beginning::seq)
    }

    /// Whether a segment's header says that the log begins elsewhere than the archived history ends.
    fn parts_from_archive(&self, header: &CommitChain) -> bool {
        self.beginning
            .as_ref()
            .is_some_and(|begun| header.seq == begun.seq() && !begun.said.at.chain().crossed(&self.lineage).is_where(header))
    }

    /// Takes away the segments that lie before the beginning: they are in an archive.
    pub(super) fn drop_archived(&self) -> Result<(), StoreError> {
        let (log, begins) = (self.log_dir(), self.begins());
        let archived: Vec<Seq> = segment::list(&*self.disk, &log)?.into_iter().filter(|first| *first < begins).collect();
        for first in &archived {
            for form in SegmentForm::ALL {
                take_away(&*self.disk, &segment::path(&log, *first, form))?;
            }
        }
        if archived.is_empty() { Ok(()) } else { self.disk.sync_dir(&log).map_err(|error| StoreError::io("sync", &log, error)) }
    }

    /// The world that has written a segment.
    pub(super) fn world_of(&self, first: Seq) -> WorldId {
        self.lineage.writer(first).world
    }

    /// Whether a segment holds what a fork's parent has written: nobody writes there any more.
    fn is_linked(&self, segment: &Segment) -> bool {
        segment.first < self.lineage.own_groups()
    }

    /// Whether the newest segment's header, which does not check, may never have been durable: so it is before the first group behind it is
    /// written, and before the segment before it is compressed.
    fn is_torn(&self, newest: &Segment) -> Result<bool, StoreError> {
        let was_plain = self.last().is_some_and(|before| before.form == SegmentForm::Plain && !self.is_linked(before));
        Ok(was_plain && newest.form == SegmentForm::Plain && !self.holds_commit(newest)?)
    }

    fn holds_commit(&self, segment: &Segment) -> Result<bool, StoreError> {
        let volume = self.volume(segment, 0, None, None)?;
        Ok(GroupReader::new(volume).seek_commit(0, |_| true)?.is_some())
    }

    pub(super) fn volume<'a>(
        &self,
        of: &Segment,
        start: u64,
        limit: Option<u64>,
        chain: Option<CommitChain>,
    ) -> Result<Volume<'a>, StoreError> {
        let whole = volumes::open(&*self.disk, &self.log_dir(), of.first, self.world_of(of.first))?;
        Ok(Volume { start, limit: limit.unwrap_or(whole.limit).min(whole.limit), chain, ..whole })
    }

    fn read_tail(&self, mode: Mode, recovery: &mut Recovery) -> Result<LastSegment, StoreError> {
        let Some(last) = self.last().cloned() else {
            return Err(StoreError::damaged(&self.log_dir(), 0, "the log has no segments"));
        };
        let tail = self.scan(&last, mode, recovery)?;
        // The last write of another process, as seen here, is made durable before it is shown.
        if mode == Mode::Read && Lock::is_held(&self.dir) {
            let (_, file) = segment::open(&*self.disk, &self.log_dir(), last.first)?;
            file.sync().map_err(|error| StoreError::io("sync", &last.path, error))?;
        }
        Ok(tail)
    }

    fn scan(&self, last: &Segment, mode: Mode, recovery: &mut Recovery) -> Result<LastSegment, StoreError> {
        let (begin, mut chain) = match self.seen_in(last)? {
            Some(seen) => (seen.position.offset, Some(seen.chain())),
            None => (HEADER_LEN as u64, last.chain),
        };
        let volume = self.volume(last, begin, None, None)?;
        let mut reader = GroupReader::new(volume);
        let mut marks = BTreeMap::new();
        loop {
            let at = reader.at;
            let (damage, is_forged) = match reader.step(chain.as_ref())? {
                VolumeStep::Group { offset, record } => {
                    if let Some(chain) = &chain {
                        mark(&mut marks, chain, offset);
                    }
                    chain = Some(record.chain());
                    continue;
                }
                VolumeStep::End => {
                    (Damage { file: last.path.clone(), offset: at, being: None, n: None, what: "a group is missing here" }, false)
                }
                VolumeStep::Torn(damage) => (damage, false),
                VolumeStep::Forged(damage) => (damage, true),
            };
            let number = chain.map_or(0, |chain| chain.number);
            if mode == Mode::Inspect {
                let Some(record) = reader.seek_commit(at, |record| record.commit.number > number)? else {
                    let chain = chain.unwrap_or(CommitChain { seq: last.first, ..CommitChain::start(self.world) });
                    return Ok(LastSegment { chain, at, marks, cut_bytes: 0 });
                };
                recovery.damage.push(damage);
                chain = Some(record.chain());
                continue;
            }
            // No crash leaves a whole group that is not the next one, nor anything in a file that is compressed; and behind a commit that was
            // written when a later group was durable already, these bytes were durable, too.
            let is_end = at >= reader.volume.limit;
            if is_forged
                || (last.form == SegmentForm::Compressed && !is_end)
                || reader.seek_commit(at, |record| record.acked > number)?.is_some()
            {
                return Err(StoreError::Damaged(Box::new(damage)));
            }
            let cut_bytes = reader.last_written(at)?.map_or(0, |last| last + 1 - at);
            let Some(chain) = chain else { return Err(StoreError::Damaged(Box::new(damage))) };
            return Ok(LastSegment { chain, at, marks, cut_bytes });
        }
    }

    /// The border that was seen before, if it lies in a segment and the commit before it still stands there.
    fn seen_in(&self, last: &Segment) -> Result<Option<Ending>, StoreError> {
        let Some(seen) = self.seen.filter(|seen| seen.position.segment == last.first && !self.inspect) else { return Ok(None) };
        let volume = self.volume(last, HEADER_LEN as u64, None, None)?;
        let is_there = GroupReader::new(volume).commit_before(seen.position.offset)?.is_some_and(|record| {
            let commit = &record.commit;
            (commit.hash, commit.number, commit.end_seq, commit.head) == (seen.commit, seen.number, seen.seq, seen.head)
        });
        Ok(is_there.then_some(seen))
    }

    /// Compares where the history ends with where it is known to have ended: by the mark of the clean close, and by what was noted behind the
    /// last sync.
    fn check_end(&self, mode: Mode, accept_loss: bool, tail: &LastSegment, recovery: &mut Recovery) -> Result<(), StoreError> {
        let clean = match clean::read(&*self.disk, &self.dir) {
            Err(StoreError::BadFile { file, .. }) if mode == Mode::Inspect => {
                recovery.damage.push(Damage { file, offset: 0, being: None, n: None, what: "the mark of the clean close does not check" });
                None
            }
            read => read?,
        };
        // The clean close of a fork without a commit of its own noted the last one of its past.
        let end = tail.chain.uncrossed(&self.lineage);
        recovery.was_clean = clean.as_ref().is_some_and(|clean| clean.fits(&end));
        if mode == Mode::Read && Lock::is_held(&self.dir) {
            return Ok(());
        }
        let here = tail.chain.number;
        // Its last group, or the header of its newest segment, which is then no part of the log any more.
        let is_torn = tail.cut_bytes > 0 || recovery.cut_at.is_some();
        let is_longer = clean.as_ref().is_some_and(|clean| clean.number < here || (clean.number == here && is_torn));
        let noted = if self.disk.is_plain() { known::read(&self.dir, self.world) } else { None };
        let ends: Vec<Clean> = clean.into_iter().chain(noted).collect();
        let groups = ends.iter().map(|end| end.number.saturating_sub(here)).max().unwrap_or(0);
        let lost = (groups > 0).then_some(Lost { from: tail.chain.seq, groups });
        let what = if ends.iter().any(|noted| noted.number == here && !noted.fits(&end)) {
            "the last group is another than the one that was acknowledged"
        } else if lost.is_some() && (accept_loss || (mode == Mode::Read && tail.cut_bytes == 0)) {
            recovery.lost = lost;
            return Ok(());
        } else if lost.is_some() && tail.cut_bytes > 0 {
            "acknowledged history does not check from here to its end"
        } else if lost.is_some() {
            "the history was longer when it was acknowledged"
        } else if is_longer {
            "something stands behind the end that the history had when the world was closed"
        } else {
            return Ok(());
        };
        let file = self.last().map(|last| last.path.clone()).unwrap_or_default();
        let damage = Damage { file, offset: tail.at, being: None, n: None, what };
        match (mode, lost) {
            (Mode::Inspect, _) => recovery.damage.push(damage),
            (_, Some(lost)) => return Err(StoreError::Lost { damage: Box::new(damage), lost }),
            (_, None) => return Err(StoreError::Damaged(Box::new(damage))),
        }
        Ok(())
    }

    /// Takes torn writes and the zeroes behind them away, makes the rest durable, and removes the mark of the clean close. Only once nothing
    /// says that the history was longer.
    fn cut(&self, torn: Option<&Path>, last: &Segment, tail: &LastSegment) -> Result<(), StoreError> {
        if let Some(torn) = torn {
            self.disk.remove(torn).map_err(|error| StoreError::io("remove", torn, error))?;
            self.disk.sync_dir(&self.log_dir()).map_err(|error| StoreError::io("sync", torn, error))?;
        }
        if last.form == SegmentForm::Plain {
            self.cut_plain(&last.path, tail)?;
        }
        clean::remove(&*self.disk, &self.dir)
    }

    fn cut_plain(&self, path: &Path, tail: &LastSegment) -> Result<(), StoreError> {
        let file = self.disk.open(path, true).map_err(|error| StoreError::io("open", path, error))?;
        if tail.cut_bytes > 0 {
            file.set_len(tail.at).map_err(|error| StoreError::io("cut", path, error))?;
        }
        // A killed process may have left whole groups that were never synced: they are history from now on.
        file.sync().map_err(|error| StoreError::io("sync", path, error))
    }

    /// Everything from the group that holds `from`.
    pub(super) fn entries<'a>(&'a self, from: Seq) -> EntryStream<'a, impl Iterator<Item = Result<Volume<'a>, StoreError>> + Send + 'a> {
        let begin = self.segments.partition_point(|segment| segment.first <= from).saturating_sub(1);
        let in_last = begin + 1 >= self.segments.len();
        let mark = self.marks.range(..=from).next_back().map(|(_, mark)| *mark).filter(|_| in_last);
        let volumes = self.segments.iter().skip(begin).map(move |segment| {
            let (start, chain) = mark.map_or((HEADER_LEN as u64, segment.chain), |(offset, chain)| (offset, Some(chain)));
            self.volume(segment, start, self.limit(segment), chain)
        });
        let entries = EntryStream::new(self.lineage.clone(), volumes, None, from, self.inspect);
        if self.inspect { entries } else { entries.until(self.ending.chain()) }
    }

    /// Everything behind a border between two groups, which the next group or the end of the history has to follow.
    pub(super) fn entries_behind<'a>(
        &'a self,
        border: &Ending,
    ) -> Result<EntryStream<'a, impl Iterator<Item = Result<Volume<'a>, StoreError>> + Send + 'a>, StoreError> {
        let Position { segment: first, offset } = self.place_of(border)?;
        let chain = border.chain().crossed(&self.lineage);
        let begin = self.segments.iter().position(|segment| segment.first == first);
        let missing = || segment::path(&self.log_dir(), first, SegmentForm::Plain);
        let begin = begin.ok_or_else(|| StoreError::damaged(&missing(), offset, "the segment is missing"))?;
        let volumes = self.segments.iter().skip(begin).map(move |segment| {
            let (start, chain) = if segment.first == first { (offset, Some(chain)) } else { (HEADER_LEN as u64, segment.chain) };
            self.volume(segment, start, self.limit(segment), chain)
        });
        Ok(EntryStream::new(self.lineage.clone(), volumes, None, 0, false).until(self.ending.chain()))
    }

    /// The place of a border that was seen before. Its segment may have been cut in two since then.
    pub(super) fn place_of(&self, border: &Ending) -> Result<Position, StoreError> {
        if let Some(begun) = self.beginning.as_ref().filter(|begun| border.seq < begun.seq()) {
            return Err(begun.lacks(border.seq));
        }
        let Position { segment: said, offset } = border.position;
        let missing = || StoreError::damaged(&segment::path(&self.log_dir(), said, SegmentForm::Plain), offset, "the segment is missing");
        let mut until = self.segments.iter().rev().skip_while(|segment| segment.first > border.seq);
        let holds = until.next().ok_or_else(missing)?;
        // The segment in which the last archived commit ended is not here; its border is.
        let is_known = border.seq != self.begins()
            && (said == holds.first || (border.seq == holds.first && until.next().is_some_and(|before| before.first == said)));
        if is_known {
            return Ok(border.position);
        }
        let (chain, offset) = self.border_in(holds, border.seq)?;
        if chain.seq == border.seq { Ok(Position { segment: holds.first, offset }) } else { Err(missing()) }
    }

    /// The last border between two groups of a segment at a seq or before it, and the byte at which it lies.
    pub(super) fn border_in(&self, segment: &Segment, before: Seq) -> Result<(CommitChain, u64), StoreError> {
        let is_last = self.last().is_some_and(|last| last.first == segment.first);
        let mark = self.marks.range(..=before).next_back().map(|(_, mark)| *mark).filter(|_| is_last);
        let begins = segment.chain.map(|chain| (HEADER_LEN as u64, chain));
        let header = || StoreError::damaged(&segment.path, 0, "the header does not check");
        let (mut at, mut chain) = mark.or(begins).ok_or_else(header)?;
        let mut reader = GroupReader::new(self.volume(segment, at, self.limit(segment), None)?);
        loop {
            match reader.step(Some(&chain))? {
                VolumeStep::Group { record, .. } if record.commit.end_seq <= before => (chain, at) = (record.chain(), reader.at),
                VolumeStep::Torn(damage) | VolumeStep::Forged(damage) => return Err(StoreError::Damaged(Box::new(damage))),
                VolumeStep::Group { .. } | VolumeStep::End => return Ok((chain, at)),
            }
        }
    }

    /// The group at a position that an index gave, and those behind it in its segment; nothing is known of the chain there.
    pub(super) fn entries_at(&self, position: Position) -> Option<EntryStream<'_, std::iter::Once<Result<Volume<'static>, StoreError>>>> {
        let segment = self.segments.iter().rfind(|segment| segment.first == position.segment)?;
        let volume = self.volume(segment, position.offset, self.limit(segment), None);
        Some(EntryStream::new(self.lineage.clone(), std::iter::once(volume), None, 0, false))
    }

    /// The blob at a place that an index gave, if it is there.
    pub(super) fn blob_at(&self, position: Position, hash: &Hash) -> Option<Arc<[u8]>> {
        let segment = self.segments.iter().rfind(|segment| segment.first == position.segment)?;
        let volume = self.volume(segment, position.offset, None, None).ok()?;
        read_blob(volume, hash).ok()?
    }

    pub(super) fn limit(&self, segment: &Segment) -> Option<u64> {
        if let Some(past) = self.pasts.iter().find(|past| past.segment == segment.first) {
            return Some(past.offset);
        }
        Some(self.ending.position.offset).filter(|_| segment.first == self.ending.position.segment)
    }
}

fn mark(marks: &mut BTreeMap<Seq, (u64, CommitChain)>, chain: &CommitChain, offset: u64) {
    let close = marks.last_key_value().is_some_and(|(_, (before, _))| offset < before + MARK_BYTES);
    if !close {
        marks.entry(chain.seq).or_insert((offset, *chain));
    }
}
