//! Chapter: a summary, by column, of each so many frames of the past: a search passes over those without a match.
//!
//! Chapters follow from the frames, so they are no part of the world hash; checkpoints hold them, and with the newest of those all of the
//! past's are at hand.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use imbl::OrdMap;

use crate::fact::canon::{canon_code, canon_struct};
use crate::fact::{ClosingKind, Draft, Fact, Seq, SpaceId, Text, Thing};

/// So many frames have a chapter together.
pub const CHAPTER: u64 = 4_096;
/// A column of so many values says no more what there was not.
pub const VALUES: usize = 256;
/// The milliseconds of a minute and of a day.
const MINUTE: i64 = 60_000;
const DAY: i64 = 1_440 * MINUTE;
/// Under what a refused try is found beside its own closing.
const REFUSED: &str = ClosingKind::Refused.word();

/// The subject of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Of {
    /// The roles that were worn.
    Roles,
    /// The operations that were called.
    Actions,
    /// How moments closed.
    Closings,
    /// With which codes they were refused or failed.
    Reasons,
    /// The models that thought.
    Models,
    /// The spaces where beings stood, by their paths.
    Spaces,
    /// The roles that were put in a place, and whose flow was: beings and spaces by their ids.
    Put,
}

canon_code!(Of { 0 => Roles, 1 => Actions, 2 => Closings, 3 => Reasons, 4 => Models, 5 => Spaces, 6 => Put });

/// The values of one kind that there were.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Column {
    pub values: BTreeSet<Text>,
}

canon_struct!(Column { values });

impl Column {
    fn is_full(&self) -> bool {
        self.values.len() >= VALUES
    }

    fn has(&self, value: &str) -> bool {
        self.is_full() || self.values.contains(value)
    }

    pub fn note(&mut self, value: &str) {
        if !self.has(value) {
            self.values.insert(value.into());
        }
    }
}

/// A summary of some frames: counts by subject, and the days that they span.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Chapter {
    pub columns: BTreeMap<Of, Column>,
    /// The first and the last day, each in the zone of its moment, counted from 1970.
    pub days: Option<(i64, i64)>,
    /// The most that one moment has cost, in millionths of the currency, and the most tokens that one has taken.
    pub money: u64,
    pub tokens: u64,
    /// The spaces whose path is in their column as it is now.
    pub stood: BTreeSet<SpaceId>,
}

canon_struct!(Chapter { columns, days, money, tokens, stood });

/// The entries that a frame adds to columns, as far as the frame alone says.
fn told(draft: &Draft) -> impl Iterator<Item = (Of, Cow<'_, str>)> {
    let roles = draft.stack.iter().map(|worn| (Of::Roles, Cow::from(&*worn.role)));
    // A look is a call of no operation.
    let action = draft.call.iter().filter(|call| !call.action.is_empty()).map(|call| (Of::Actions, Cow::from(&*call.action)));
    let closing = std::iter::once((Of::Closings, Cow::from(draft.closing.word())));
    let reason = draft.closing.reason().map(|reason| (Of::Reasons, Cow::from(reason.code.word())));
    let refusal = draft.closing.refusal();
    let refused = refusal.iter().flat_map(|reason| [(Of::Closings, Cow::from(REFUSED)), (Of::Reasons, Cow::from(reason.code.word()))]);
    let refused: Vec<_> = refused.collect();
    let model = draft.cost().map(|cost| (Of::Models, Cow::from(&*cost.model)));
    let put = draft.facts.iter().filter_map(|fact| match fact {
        Fact::RoleSet { name, .. } | Fact::RoleSetIn { name, .. } => Some((Of::Put, Cow::from(&**name))),
        Fact::FlowSet { being, .. } => Some((Of::Put, Cow::from(being.to_string()))),
        Fact::FlowSetIn { space, .. } => Some((Of::Put, Cow::from(space.to_string()))),
        _ => None,
    });
    roles.chain(action).chain(closing).chain(reason).chain(refused).chain(model).chain(put)
}

/// Whether a frame gives spaces other paths.
fn moves_spaces(draft: &Draft) -> bool {
    draft.facts.iter().any(|fact| matches!(fact, Fact::Named { of: Thing::Space(_), .. } | Fact::Moved { of: Thing::Space(_), .. }))
}

impl Chapter {
    /// Whether there may have been something in a column of which something holds.
    pub fn may_hold(&self, of: Of, is_it: impl Fn(&str) -> bool) -> bool {
        self.columns.get(&of).is_some_and(|column| column.is_full() || column.values.iter().any(|value| is_it(value)))
    }

    /// All that there was in a column; none if there was too much to be told.
    pub fn values(&self, of: Of) -> Option<impl Iterator<Item = &Text>> {
        let column = self.columns.get(&of);
        (!column.is_some_and(Column::is_full)).then(|| column.into_iter().flat_map(|column| &column.values))
    }

    /// Whether it has moments of a day, counted from 1970.
    pub fn has_day(&self, day: i64) -> bool {
        self.days.is_some_and(|(first, last)| (first..=last).contains(&day))
    }

    /// The most that one moment has cost, in millionths of the currency, and the most tokens that one has taken.
    pub fn most(&self) -> (u64, u64) {
        (self.money, self.tokens)
    }

    fn has(&self, of: Of, value: &str) -> bool {
        self.columns.get(&of).is_some_and(|column| column.has(value))
    }

    fn is_full(&self, of: Of) -> bool {
        self.columns.get(&of).is_some_and(Column::is_full)
    }

    /// Whether a frame, of a being that stands there, adds nothing.
    fn knows(&self, draft: &Draft, stands: Option<SpaceId>) -> bool {
        let (money, tokens) = cost(draft);
        self.has_day(day(draft))
            && self.money >= money
            && self.tokens >= tokens
            && stands.is_none_or(|space| self.stood.contains(&space) || self.is_full(Of::Spaces))
            && told(draft).all(|(of, value)| self.has(of, &value))
            && !moves_spaces(draft)
    }

    fn note(&mut self, draft: &Draft, stands: Option<(SpaceId, String)>) {
        let ((money, tokens), day) = (cost(draft), day(draft));
        self.days = Some(self.days.map_or((day, day), |(first, last)| (first.min(day), last.max(day))));
        (self.money, self.tokens) = (self.money.max(money), self.tokens.max(tokens));
        told(draft).for_each(|(of, value)| self.columns.entry(of).or_default().note(&value));
        if moves_spaces(draft) {
            self.stood.clear();
        }
        if let Some((space, path)) = stands.filter(|_| !self.is_full(Of::Spaces)) {
            self.columns.entry(Of::Spaces).or_default().note(&path);
            self.stood.insert(space);
        }
    }
}

fn day(draft: &Draft) -> i64 {
    draft.at.saturating_add(draft.offset.saturating_mul(MINUTE)).div_euclid(DAY)
}

fn cost(draft: &Draft) -> (u64, u64) {
    draft.cost().map_or((0, 0), |cost| (cost.spend.money, cost.spend.tokens()))
}

/// The chapters of a world.
#[derive(Clone, Debug, Default)]
pub struct Chapters {
    pub chapters: OrdMap<u64, Arc<Chapter>>,
}

impl Chapters {
    /// All of them, each with the seqs of its frames.
    pub fn all(&self) -> impl Iterator<Item = (Range<Seq>, &Chapter)> {
        self.chapters.iter().map(|(at, chapter)| {
            let begins = at.saturating_mul(CHAPTER);
            (begins..begins.saturating_add(CHAPTER), &**chapter)
        })
    }

    /// Those in which some frames lie.
    pub fn of(&self, frames: Range<Seq>) -> impl Iterator<Item = &Chapter> {
        let last = frames.end.saturating_sub(1) / CHAPTER;
        self.chapters.range(frames.start / CHAPTER..=last).map(|(_, chapter)| &**chapter)
    }

    /// Notes a frame, of a being that stands in a space of that path. Mostly there is nothing new in it: then the chapter stays the one that
    /// others hold too.
    pub(super) fn note(&mut self, draft: &Draft, stands: Option<SpaceId>, path_of: impl FnOnce(SpaceId) -> String) {
        let at = draft.seq / CHAPTER;
        if self.chapters.get(&at).is_some_and(|chapter| chapter.knows(draft, stands)) {
            return;
        }
        let stands = stands.map(|space| (space, path_of(space)));
        Arc::make_mut(self.chapters.entry(at).or_default()).note(draft, stands);
    }
}
