//! Search: where in the past something can be that is sought. Chapters that hold nothing of it are passed over; what is left is folded, each
//! stretch from the checkpoint before it on.

use std::collections::VecDeque;
use std::ops::Range;

use crate::cognition::wrote;
use crate::fact::{Content, Draft, Seq, Thought};
use crate::moment::is_asking;
use crate::world::{CHAPTER, Chapter, Chapters, Local, World};

use super::find::{Names, Sought};
use super::history::History;
use super::load::LoadError;
use super::report::{Report, untold};
use super::words::{Lexicons, frames_of};

/// The stretches of some frames whose chapters may hold something, the oldest first.
pub(super) fn stretches(chapters: &Chapters, within: Range<Seq>, may_hold: impl Fn(&Range<Seq>, &Chapter) -> bool) -> Vec<Range<Seq>> {
    merged(chapters.all().filter(|(frames, chapter)| may_hold(frames, chapter)).map(|(frames, _)| frames), within)
}

/// Ranges of frames in their order, clipped to some frames; neighbours become one stretch.
fn merged(ranges: impl Iterator<Item = Range<Seq>>, within: Range<Seq>) -> Vec<Range<Seq>> {
    let mut stretches: Vec<Range<Seq>> = Vec::new();
    for range in ranges {
        let frames = range.start.max(within.start)..range.end.min(within.end);
        match stretches.last_mut() {
            Some(last) if last.end == frames.start => last.end = frames.end,
            _ if frames.is_empty() => {}
            _ => stretches.push(frames),
        }
    }
    stretches
}

/// The newest of what was sought.
pub struct Newest<T> {
    /// The newest first.
    pub found: Vec<T>,
    /// The seq before which nothing was looked at, since more would have had to be read than may be.
    pub stopped: Option<Seq>,
}

/// Back along the reel of one being, as far as anybody has come.
struct Trail<'a> {
    name: &'a str,
    /// Where its newest frame before all those that were read lies, if it has one; nothing as long as nothing was read.
    before: Option<Option<Seq>>,
}

impl<'a> Trail<'a> {
    fn of(sought: &'a Sought) -> Option<Self> {
        sought.being_name().map(|name| Self { name, before: None })
    }

    /// Takes in a stretch: what the first frame in it that is of the being says of the one before, if any is of it, and the world behind it.
    fn pass(&mut self, before_first: Option<Option<Seq>>, behind: &World) {
        let ended = || behind.being_named(self.name).filter(|being| being.next_n > 0).map(|being| being.last_seq);
        self.before = before_first.or(self.before).or_else(|| Some(ended()));
    }

    fn is_in(&self, frames: &Range<Seq>) -> bool {
        self.before.is_none_or(|before| before.is_some_and(|seq| seq >= frames.start))
    }
}

impl History {
    /// All that was written in a moment: its arguments, what was said beside them, and what its model wrote. Unreadable values are left out.
    pub(super) fn written(&self, draft: &Draft) -> String {
        let value = |content: &Content| self.content(content).ok().flatten();
        let mut written: Vec<String> = draft.call.iter().filter_map(|call| value(&call.args)).map(|args| args.to_string()).collect();
        written.extend(draft.call.iter().filter_map(|call| call.content.as_ref()).map(ToString::to_string));
        if let Thought::Model { request, reply } = &draft.thought {
            written.extend(value(request).zip(value(reply)).map(|(request, reply)| wrote(&request, &reply).0));
        }
        written.join(" ")
    }

    /// The words of its chapters, where words are sought.
    fn words_for(&self, sought: &Sought) -> Result<Lexicons, LoadError> {
        sought.text.as_ref().map_or_else(|| Ok(Lexicons::default()), |_| self.words())
    }

    /// Tells of the moments among some frames that are sought, the oldest first.
    pub fn found(&self, sought: &Sought, within: Range<Seq>, mut hear: impl FnMut(Report)) -> Result<(), LoadError> {
        for frames in self.may_hold(sought, within)? {
            self.moments(frames.start, Some(frames.end), |frame, report| {
                if sought.fits_with(&report, || self.written(frame.draft())) {
                    hear(report);
                }
            })?;
        }
        Ok(())
    }

    /// The stretches of some frames that may hold something that is sought. Words alone need no world.
    fn may_hold(&self, sought: &Sought, within: Range<Seq>) -> Result<Vec<Range<Seq>>, LoadError> {
        let (end, words) = (self.end(), self.words_for(sought)?);
        let within = within.start.max(self.begins())..within.end.min(end);
        if sought.is_words_alone() {
            let chapters = (within.start / CHAPTER..within.end.div_ceil(CHAPTER)).map(frames_of);
            return Ok(merged(words.that_may_hold(chapters, sought), within));
        }
        let whole = self.world_at(end)?;
        let being = sought.being_name().map(|name| whole.being_named(name));
        let lived = being.map_or(0..end, |being| being.map_or(0..0, |being| being.id.0.seq..being.last_seq.saturating_add(1)));
        let within = within.start.max(lived.start)..within.end.min(lived.end);
        let chapters = whole.chapters().all().filter(|(_, chapter)| sought.could_be_in(chapter)).map(|(frames, _)| frames);
        Ok(merged(words.that_may_hold(chapters, sought), within))
    }

    /// The newest moments among some frames that are sought and of which something is kept, the newest first.
    ///
    /// It goes back from checkpoint to checkpoint until it has enough, and passes over those between which there is nothing of it.
    pub fn newest<T>(
        &self,
        sought: &Sought,
        within: Range<Seq>,
        most: usize,
        mut keep: impl FnMut(Report) -> Option<T>,
    ) -> Result<Newest<T>, LoadError> {
        let within = within.start.max(self.begins())..within.end.min(self.end());
        let (mut found, mut below) = (Vec::new(), within.end);
        // The world at the newest stretch, whose chapters cover all before it.
        let mut known: Option<World> = None;
        let mut trail = Trail::of(sought);
        let words = self.words_for(sought)?;
        let begins = self.checkpoints().into_iter().filter(|seq| *seq > within.start).chain([within.start]);
        for begins in begins {
            if found.len() >= most || begins >= below {
                continue;
            }
            let frames = begins..below;
            below = begins;
            let is_in = |world: &World| world.chapters().of(frames.clone()).any(|chapter| sought.could_be_in(chapter));
            let is_elsewhere =
                known.as_ref().is_some_and(|world| !is_in(world)) || trail.as_ref().is_some_and(|trail| !trail.is_in(&frames));
            if is_elsewhere || !words.may_hold(&frames, sought) {
                continue;
            }
            let room = most - found.len();
            let (mut kept, mut before_first) = (VecDeque::new(), None);
            let folded = self.fold(frames.start, Some(frames.end), |frame, world| {
                let draft = frame.draft();
                let is_of = |trail: &Trail<'_>| world.being(draft.being).is_some_and(|being| being.name.as_ref() == trail.name);
                if before_first.is_none() && trail.as_ref().is_some_and(is_of) {
                    before_first = Some((draft.n > 0).then_some(draft.prev_seq));
                }
                if !is_asking(draft) {
                    let found = Some(untold(draft, world)).filter(|report| sought.fits_with(report, || self.written(draft)));
                    let found = found.map(|report| report.telling(draft, world));
                    kept.extend(found.and_then(&mut keep));
                }
                if kept.len() > room {
                    kept.pop_front();
                }
            });
            let world = match folded {
                // The moments behind were read, and are told.
                Err(error) if error.is_too_far() && frames.end < within.end => return Ok(Newest { found, stopped: Some(frames.end) }),
                folded => folded?,
            };
            found.extend(kept.into_iter().rev());
            if let Some(trail) = &mut trail {
                trail.pass(before_first, &world);
            }
            known.get_or_insert(world);
        }
        Ok(Newest { found, stopped: None })
    }

    /// The message on the first sought name that nothing ever had, for a search without results.
    ///
    /// The names that the world has now are asked first; its chapters then tell of those that it had once.
    pub fn missing(&self, sought: &Sought) -> Result<Option<String>, LoadError> {
        if !sought.names_anything() {
            return self.outside(sought);
        }
        let world = self.world_at(self.end())?;
        let mut names = Names::of(&world);
        if names.missing(sought).is_some() {
            for (frames, chapter) in world.chapters().all().filter(|(frames, _)| frames.start >= self.begins()) {
                if !names.note(chapter) {
                    self.moments(frames.start, Some(frames.end), |_, report| names.hear(&report))?;
                }
            }
        }
        names.missing(sought).map_or_else(|| self.outside(sought), |missing| Ok(Some(missing)))
    }

    /// Why nothing can have happened on the day that is sought, where it lies outside of what the world has lived through.
    fn outside(&self, sought: &Sought) -> Result<Option<String>, LoadError> {
        let Some(day) = sought.day.as_deref() else { return Ok(None) };
        let world = self.world(None, &mut |_| {})?;
        let iso = |at| Local::of(at, world.zone()).iso();
        let is_before = |one: &str, other: &str| one.get(..day.len()) < other.get(..day.len());
        let now = iso(world.now());
        if is_before(&now, day) {
            return Ok(Some(format!("the world has come to {now}, found the day `{day}`")));
        }
        // All that lies before an archive's end is told as archived.
        let began = if self.begins() == 0 { iso(self.world_at(1)?.at()) } else { return Ok(None) };
        Ok(is_before(day, &began).then(|| format!("the world begins at {began}, found the day `{day}`")))
    }
}
