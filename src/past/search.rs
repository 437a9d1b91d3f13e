//! Search: where in the past something can be that is sought. Chapters that hold nothing of it are passed over; what is left is folded, each
//! stretch from the checkpoint before it on.

use std::collections::VecDeque;
use std::ops::Range;

use crate::fact::Seq;
use crate::moment::is_asking;
use crate::world::{Chapter, Chapters, World};

use super::find::{Names, Sought};
use super::history::History;
use super::load::LoadError;
use super::report::{Report, report};

/// The stretches of some frames whose chapters may hold something, the oldest first.
pub(super) fn stretches(chapters: &Chapters, within: Range<Seq>, may_hold: impl Fn(&Range<Seq>, &Chapter) -> bool) -> Vec<Range<Seq>> {
    let mut stretches: Vec<Range<Seq>> = Vec::new();
    for (frames, _) in chapters.all().filter(|(frames, chapter)| may_hold(frames, chapter)) {
        let frames = frames.start.max(within.start)..frames.end.min(within.end);
        match stretches.last_mut() {
            Some(last) if last.end == frames.start => last.end = frames.end,
            _ if frames.is_empty() => {}
            _ => stretches.push(frames),
        }
    }
    stretches
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
    /// Tells of the moments among some frames that are sought, the oldest first.
    pub fn found(&self, sought: &Sought, within: Range<Seq>, mut hear: impl FnMut(Report)) -> Result<(), LoadError> {
        let end = self.end();
        let whole = self.world_at(end)?;
        let being = sought.being_name().map(|name| whole.being_named(name));
        let lived = being.map_or(0..end, |being| being.map_or(0..0, |being| being.id.0.seq..being.last_seq.saturating_add(1)));
        let within = within.start.max(lived.start).max(self.begins())..within.end.min(end).min(lived.end);
        for frames in stretches(whole.chapters(), within, |_, chapter| sought.could_be_in(chapter)) {
            self.moments(frames.start, Some(frames.end), |_, report| {
                if sought.fits(&report) {
                    hear(report);
                }
            })?;
        }
        Ok(())
    }

    /// The newest moments among some frames that are sought and of which something is kept, the newest first.
    ///
    /// It goes back from checkpoint to checkpoint until it has enough; words alone are looked for in all of it.
    pub fn newest<T>(
        &self,
        sought: &Sought,
        within: Range<Seq>,
        most: usize,
        mut keep: impl FnMut(Report) -> Option<T>,
    ) -> Result<Vec<T>, LoadError> {
        let within = within.start.max(self.begins())..within.end.min(self.end());
        let (mut found, mut below) = (Vec::new(), within.end);
        // What the newest stretch has told of all before it.
        let mut known: Option<World> = None;
        let mut trail = Trail::of(sought);
        let begins = self.checkpoints().into_iter().filter(|seq| *seq > within.start).chain([within.start]);
        for begins in begins {
            if found.len() >= most || begins >= below {
                continue;
            }
            let frames = begins..below;
            below = begins;
            let is_in = |world: &World| world.chapters().of(frames.clone()).any(|chapter| sought.could_be_in(chapter));
            if known.as_ref().is_some_and(|world| !is_in(world)) || trail.as_ref().is_some_and(|trail| !trail.is_in(&frames)) {
                continue;
            }
            let room = most - found.len();
            let (mut kept, mut before_first) = (VecDeque::new(), None);
            let world = self.fold(frames.start, Some(frames.end), |frame, world| {
                let draft = frame.draft();
                let is_of = |trail: &Trail<'_>| world.being(draft.being).is_some_and(|being| being.name.as_ref() == trail.name);
                if before_first.is_none() && trail.as_ref().is_some_and(is_of) {
                    before_first = Some((draft.n > 0).then_some(draft.prev_seq));
                }
                if !is_asking(draft) {
                    kept.extend(Some(report(draft, world, None)).filter(|report| sought.fits(report)).and_then(&mut keep));
                }
                if kept.len() > room {
                    kept.pop_front();
                }
            })?;
            found.extend(kept.into_iter().rev());
            if let Some(trail) = &mut trail {
                trail.pass(before_first, &world);
            }
            known.get_or_insert(world);
        }
        Ok(found)
    }

    /// What is sought by a name that nothing ever had, if anything is, for when nothing was found.
    ///
    /// What the world has now mostly says so; for a name that it has not, its chapters are asked: it may have been one once.
    pub fn missing(&self, sought: &Sought) -> Result<Option<String>, LoadError> {
        let world = self.world_at(self.end())?;
        let mut names = Names::of(&world);
        if names.missing(sought).is_some() {
            for (frames, chapter) in world.chapters().all().filter(|(frames, _)| frames.start >= self.begins()) {
                if !names.note(chapter) {
                    self.moments(frames.start, Some(frames.end), |_, report| names.hear(&report))?;
                }
            }
        }
        Ok(names.missing(sought))
    }
}
