//! Words: which words stand in each whole chapter of the past, so that a search for words passes over all others.
//!
//! Each chapter has a file beside the rungs, a cache as they are. It counts only where its root and those beside it come to the peaks of
//! this log: then each frame is the one whose words were gathered. The stretch from the last whole chapter to a rung has one too, which
//! counts where its root comes to the peaks of that rung.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::fact::canon::canon_struct;
use crate::fact::{Canon, Hash, Peaks, Seq, joined, middle_of};
use crate::moment::{SEMANTICS, is_asking};
use crate::store::{Checkpoints, Ending, Store};
use crate::world::CHAPTER;

use super::find::{Sought, line};
use super::history::History;
use super::load::LoadError;
use super::loaded::Loaded;
use super::report::untold;

/// The version of what these files hold; others are not read.
const FORMAT: u64 = 1;
/// A chapter with more bytes of words than this keeps none, and is always looked through.
const WORDS_MAX: usize = 1 << 20;
/// The end of a run catches up with so many whole chapters; mending has the others.
const LATE: usize = 2;

/// The frames of a chapter.
pub(super) fn frames_of(chapter: u64) -> Range<Seq> {
    chapter * CHAPTER..(chapter + 1) * CHAPTER
}

/// The beginning of a file of words: by which program they were gathered, the root of its frames, and the hash of the words.
struct LexiconHead {
    format: u64,
    semantics: i64,
    root: Hash,
    words: Hash,
}

canon_struct!(LexiconHead { format, semantics, root, words });

/// The words of one chapter, in small letters, a line each; none at all where they were too many.
#[derive(Clone, Debug)]
struct Lexicon {
    root: Hash,
    words: String,
}

impl Lexicon {
    fn to_bytes(&self) -> Vec<u8> {
        let words = Hash::of(self.words.as_bytes());
        let head = LexiconHead { format: FORMAT, semantics: SEMANTICS, root: self.root, words }.to_canon();
        [&(head.len() as u64).to_le_bytes(), head.as_slice(), self.words.as_bytes()].concat()
    }

    fn read(bytes: &[u8]) -> Option<Self> {
        let (len, rest) = bytes.split_first_chunk()?;
        let (head, words) = rest.split_at_checked(usize::try_from(u64::from_le_bytes(*len)).ok()?)?;
        let LexiconHead { format, semantics, root, words: hash } = LexiconHead::from_canon(head).ok()?;
        let is_whole = (format, semantics, hash) == (FORMAT, SEMANTICS, Hash::of(words));
        is_whole.then(|| Some(Self { root, words: str::from_utf8(words).ok()?.to_owned() })).flatten()
    }

    /// Whether something that is written so may stand in the chapter: each part of it between other signs stands in a word.
    fn may_hold(&self, wanted: &str) -> bool {
        self.words.is_empty() || parts(wanted).all(|part| self.words.contains(part))
    }
}

/// The words of a text: letters and digits that stand together.
fn parts(text: &str) -> impl Iterator<Item = &str> {
    text.split(|sign: char| !sign.is_alphanumeric()).filter(|part| !part.is_empty())
}

/// The frames from the beginning of a chapter up to a seq in it.
fn opened_to(end: Seq) -> Range<Seq> {
    end / CHAPTER * CHAPTER..end
}

/// The words of those chapters of which they are kept, and of the beginning of one that is not whole.
#[derive(Default)]
pub(super) struct Lexicons {
    whole: BTreeMap<u64, Lexicon>,
    open: Option<(Range<Seq>, Lexicon)>,
}

impl Lexicons {
    /// Whether there may be something among some frames with the words that are sought.
    pub(super) fn may_hold(&self, frames: &Range<Seq>, sought: &Sought) -> bool {
        let chapters = frames.start / CHAPTER..frames.end.div_ceil(CHAPTER);
        let is_in = |piece: Range<Seq>| piece.start < frames.end && frames.start < piece.end;
        self.that_may_hold(chapters.map(frames_of), sought).any(is_in)
    }

    /// The parts of some chapters that may have something with the words that are sought.
    pub(super) fn that_may_hold(&self, chapters: impl Iterator<Item = Range<Seq>>, sought: &Sought) -> impl Iterator<Item = Range<Seq>> {
        let is_in = |lexicon: &Lexicon| sought.text.is_none() || sought.words_hold(|word| lexicon.may_hold(word));
        chapters.flat_map(|frames| self.parted(frames)).filter(move |frames| self.of(frames).is_none_or(is_in))
    }

    /// A chapter, in two where the words of its beginning are known.
    fn parted(&self, frames: Range<Seq>) -> impl Iterator<Item = Range<Seq>> + use<> {
        let known = self.open.as_ref().map(|(known, _)| known.end).filter(|end| frames.contains(end));
        let middle = known.unwrap_or(frames.end);
        [frames.start..middle, middle..frames.end].into_iter().filter(|piece| !piece.is_empty())
    }

    /// The words of a chapter or a part of one.
    fn of(&self, frames: &Range<Seq>) -> Option<&Lexicon> {
        let open = self.open.as_ref().filter(|(known, _)| known.start <= frames.start && frames.end <= known.end);
        self.whole.get(&(frames.start / CHAPTER)).or(open.map(|(_, lexicon)| lexicon))
    }

    /// Whether the words behind the last whole chapter are known up to there.
    fn reach(&self, end: Seq) -> bool {
        end.is_multiple_of(CHAPTER) || self.open.as_ref().is_some_and(|(known, _)| known.end == end)
    }
}

impl History {
    /// The words of its chapters up to its newest checkpoint, where its frames come to the peaks there, and those behind them.
    pub(super) fn words(&self) -> Result<Lexicons, LoadError> {
        let Some(end) = self.stood(self.end()) else { return Ok(Lexicons::default()) };
        let kept = Checkpoints::of(self.dir());
        let chapter_of = |end: Seq| (end > 0 && end.is_multiple_of(CHAPTER)).then(|| end / CHAPTER - 1);
        let read = |end: Seq| Some((chapter_of(end)?, Lexicon::read(&kept.words(end)?)?));
        let mut lexicons: BTreeMap<u64, Lexicon> = kept.with_words().into_iter().filter_map(read).collect();
        let roots = lexicons.iter().map(|(chapter, lexicon)| (*chapter, lexicon.root)).collect();
        let whole = Proven { begun: self.peaks_before()?, roots }.below(&end);
        lexicons.retain(|chapter, _| whole.contains(chapter));
        Ok(Lexicons { whole: lexicons, open: self.open_words(&kept) })
    }

    /// The words of the newest stretch behind whole chapters whose root comes to the peaks of the checkpoint at its end.
    fn open_words(&self, kept: &Checkpoints) -> Option<(Range<Seq>, Lexicon)> {
        let mut ends = kept.with_words();
        ends.retain(|end| !end.is_multiple_of(CHAPTER) && *end <= self.end());
        ends.sort_unstable();
        ends.into_iter().rev().find_map(|end| {
            let (frames, lexicon) = (opened_to(end), Lexicon::read(&kept.words(end)?)?);
            let peaks = self.stood(end).filter(|peaks| peaks.count() == end)?;
            (peaks.within(&frames).root() == Some(lexicon.root)).then_some((frames, lexicon))
        })
    }

    /// The peaks of all frames before the newest checkpoint, at a seq or before it, that stands in this log.
    fn stood(&self, at: Seq) -> Option<Peaks> {
        let stands = |border: &Ending| self.store.read_behind(border).is_ok_and(|mut behind| behind.next().transpose().is_ok());
        self.ladder()?.grounds(at).find(|(border, _)| stands(border)).map(|(_, peaks)| peaks)
    }

    /// The first chapter that is whole here: words that were archived are none that could be gathered.
    fn first_whole(&self) -> u64 {
        self.begins().div_ceil(CHAPTER)
    }

    /// The whole chapters before its newest checkpoint whose words are not kept, the oldest first.
    pub(super) fn without_words(&self) -> Result<Vec<u64>, LoadError> {
        let words = self.words()?;
        let newest = self.checkpoints().first().copied().unwrap_or_default();
        let chapters = self.first_whole()..newest / CHAPTER;
        Ok(chapters.into_iter().filter(|chapter| !words.whole.contains_key(chapter)).collect())
    }

    /// Keeps the words up to its newest checkpoint, from the last whole chapter on that has them.
    pub(super) fn keep_newest_words(&self) -> Result<(), LoadError> {
        let Some(end) = self.stood(self.end()).map(|peaks| peaks.count()) else { return Ok(()) };
        let (words, open) = (self.words()?, end / CHAPTER);
        let late = (self.first_whole()..open).rev().take(LATE).take_while(|chapter| !words.whole.contains_key(chapter)).last();
        let is_lacking = late.is_some() || !words.reach(end);
        let from = late.unwrap_or(open);
        if is_lacking && from >= self.first_whole() { self.keep_words(from * CHAPTER..end) } else { Ok(()) }
    }

    /// Gathers the words of some frames from the beginning of a chapter on, in one pass, and keeps them chapter by chapter.
    pub(super) fn keep_words(&self, frames: Range<Seq>) -> Result<(), LoadError> {
        let (mut gathering, mut gathered) = (Gathering::default(), Vec::new());
        self.fold(frames.start, Some(frames.end), |frame, world| {
            gathering.peaks.push(frame.hash());
            if !is_asking(frame.draft()) {
                let written = self.written(frame.draft());
                gathering.take(&format!("{} {written}", line(&untold(frame.draft(), world))));
            }
            let end = frame.draft().seq + 1;
            if end == frames.end || end.is_multiple_of(CHAPTER) {
                gathered.extend(std::mem::take(&mut gathering).lexicon().map(|lexicon| (end, lexicon)));
            }
        })?;
        gathered.into_iter().try_for_each(|(end, lexicon)| self.keep_lexicon(end, &lexicon))
    }

    /// Keeps the words up to a seq; those of older stretches behind whole chapters are not needed any more.
    fn keep_lexicon(&self, end: Seq, lexicon: &Lexicon) -> Result<(), LoadError> {
        let kept = Checkpoints::of(self.dir());
        kept.keep_words(end, &lexicon.to_bytes())?;
        forget_open_words(&kept, end);
        Ok(())
    }

    /// The peaks of what lies before its first frame.
    fn peaks_before(&self) -> Result<Peaks, LoadError> {
        Ok(Loaded::beginning(&self.store, self.world_file().lineage())?.chain.peaks().clone())
    }
}

/// Deletes the words of all stretches behind whole chapters that end before a seq.
pub(super) fn forget_open_words(kept: &Checkpoints, before: Seq) {
    let is_older = |end: &Seq| *end < before && !end.is_multiple_of(CHAPTER);
    kept.with_words().into_iter().filter(is_older).for_each(|end| kept.remove_words(end));
}

/// The words of a chapter while it is read, and the peaks over its frames.
#[derive(Default)]
struct Gathering {
    peaks: Peaks,
    words: BTreeSet<String>,
    bytes: usize,
}

impl Gathering {
    fn take(&mut self, text: &str) {
        for word in parts(&text.to_lowercase()) {
            if self.bytes <= WORDS_MAX && !self.words.contains(word) {
                self.bytes += word.len() + 1;
                self.words.insert(word.to_owned());
            }
        }
    }

    fn lexicon(&self) -> Option<Lexicon> {
        Some(Lexicon { root: self.peaks.root()?, words: self.lines() })
    }

    fn lines(&self) -> String {
        if self.bytes > WORDS_MAX { String::new() } else { self.words.iter().map(String::as_str).collect::<Vec<_>>().join("\n") }
    }
}

/// The roots of chapters, and the peaks of what lies before the first of them.
struct Proven {
    begun: Peaks,
    roots: BTreeMap<u64, Hash>,
}

impl Proven {
    /// The chapters whose roots come, together with those beside them, to a mountain of these peaks.
    fn below(&self, end: &Peaks) -> BTreeSet<u64> {
        let mut whole = BTreeSet::new();
        let mut from = 0;
        for height in (CHAPTER.trailing_zeros()..u64::BITS).rev().filter(|height| end.count() >> height & 1 == 1) {
            let frames = from..from + (1 << height);
            if self.root_of(&frames).is_some_and(|root| end.within(&frames).root() == Some(root)) {
                whole.extend(frames.start / CHAPTER..frames.end / CHAPTER);
            }
            from = frames.end;
        }
        whole
    }

    /// The root above some chapters, whose number is a power of two.
    fn root_of(&self, frames: &Range<Seq>) -> Option<Hash> {
        let len = frames.end - frames.start;
        let before = self.begun.within(frames);
        if before.count() == len {
            return before.root();
        }
        if len == CHAPTER {
            return self.roots.get(&(frames.start / CHAPTER)).copied();
        }
        let middle = middle_of(frames);
        Some(joined(self.root_of(&(frames.start..middle))?, self.root_of(&(middle..frames.end))?))
    }
}
