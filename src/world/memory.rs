//! Memory: what the fold keeps of the past so that a face can recall it: a few of the newest happenings of each place, between each two
//! and of each mind, whose [`diary`](super::diary) holds the rest. All of it follows from the frames, so it is no part of the world hash.

use std::sync::Arc;

use imbl::OrdMap;

use crate::fact::{
    BeingId, Call, Canon, CanonError, Content, Draft, Fact, Made, Reader, Reason, SpaceId, Text, Thing, Value, Verb, Writer, plain,
};

use super::being::Attempted;
use super::diary::Diaries;
use super::happening::{Happened, Happening};

/// How many happenings of one place are kept.
pub const KEPT_OF_PLACE: usize = 24;
/// How many words between two beings.
pub const KEPT_BETWEEN: usize = 24;
/// How many of a mind's own acts.
pub const KEPT_OWN: usize = 16;
/// The longest words that are kept of a place and between two, in characters.
const WORDS: usize = 600;
/// The longest beginning of a deed's arguments.
const ARGS: usize = 80;
/// The longest that are kept in a diary.
const WORDS_IN_DIARY: usize = 4_000;

/// The newest happenings, the oldest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recent(Arc<Vec<Arc<Happening>>>);

impl Recent {
    fn push(&mut self, happening: &Arc<Happening>, most: usize) {
        let kept = Arc::make_mut(&mut self.0);
        if kept.len() >= most {
            kept.remove(0);
        }
        kept.push(in_short(happening));
    }

    /// All of them, the oldest first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Happening> {
        self.0.iter().map(AsRef::as_ref)
    }
}

impl Canon for Recent {
    fn put(&self, w: &mut Writer) {
        self.0.as_ref().put(w);
    }
    fn take(r: &mut Reader<'_>) -> Result<Self, CanonError> {
        Ok(Self(Arc::new(Vec::take(r)?)))
    }
}

/// The memory of places, between pairs of beings, and of each being with a mind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Memory {
    pub(super) places: OrdMap<SpaceId, Recent>,
    pub(super) between: OrdMap<(BeingId, BeingId), Recent>,
    pub(super) own: OrdMap<BeingId, Recent>,
    pub(super) diaries: Diaries,
}

/// The same two, whoever is named first.
fn pair(one: BeingId, other: BeingId) -> (BeingId, BeingId) {
    if one <= other { (one, other) } else { (other, one) }
}

/// The beginning of a text that is longer.
fn clipped(words: &str, most: usize) -> Option<Text> {
    let (end, _) = words.char_indices().nth(most)?;
    Some(format!("{}…", words.get(..end).unwrap_or_default()).into())
}

fn clip(words: &str, most: usize) -> Text {
    clipped(words, most).unwrap_or_else(|| words.into())
}

/// A happening without what is too long for a list of many.
fn in_short(happening: &Arc<Happening>) -> Arc<Happening> {
    let what = match &happening.what {
        Happened::Said { words } => clipped(words, WORDS).map(|words| Happened::Said { words }),
        Happened::Summoned { to, words, answers } => {
            clipped(words, WORDS).map(|words| Happened::Summoned { to: *to, words, answers: *answers })
        }
        Happened::Did { .. } | Happened::Tried { .. } | Happened::Went { .. } | Happened::Became { .. } => None,
    };
    what.map_or_else(|| happening.clone(), |what| Arc::new(Happening { what, ..Happening::clone(happening) }))
}

/// The beginning of the arguments of a call, in one line.
fn args_of(call: &Call) -> Text {
    match &call.args {
        Content::Here(Value::Null) => "".into(),
        Content::Here(Value::Map(map)) if map.is_empty() => "".into(),
        Content::Here(value) => clip(&plain(&value.to_string()).collect::<String>(), ARGS),
        Content::There { .. } | Content::Unread { .. } => "".into(),
    }
}

/// The parts of a frame that memory keeps, once its facts are folded.
pub(super) struct Left<'a> {
    /// The frame.
    pub draft: &'a Draft,
    /// Its call, with its arguments.
    pub call: &'a Call,
    /// To which root it belongs.
    pub root: Option<Made>,
    /// Where its being stood before.
    pub stood: Option<SpaceId>,
    /// Where it stands now.
    pub stands: Option<SpaceId>,
    /// The beings that it summoned, where a person or a model speaks or is spoken to.
    pub summoned: Vec<SpokenTo>,
    /// The other beings with a mind that stand where something is said aloud.
    pub hearers: Vec<(SpaceId, BeingId)>,
    /// Whether the world is only being planted: that is nobody's life.
    pub is_planting: bool,
    /// The sentence of its operation, where that has one.
    pub told: Text,
}

/// Somebody who was summoned.
pub(super) struct SpokenTo {
    pub to: BeingId,
    pub words: Text,
    /// The summons that it answers.
    pub answers: Option<Made>,
    /// The root that it belongs to, or begins.
    pub root: Made,
    /// Whether a person or a model thinks for them.
    pub has_mind: bool,
}

impl Memory {
    /// Remembers an act.
    pub(super) fn note(&mut self, left: &Left<'_>) {
        let (draft, call) = (left.draft, left.call);
        let (who, driver) = (draft.being, draft.driver);
        let happening = |what: Happened, root: Option<Made>| Arc::new(Happening { seq: draft.seq, at: draft.at, who, driver, root, what });
        let has_mind = draft.cognition.remembers();
        let mut noted: Vec<Arc<Happening>> = Vec::new();
        for SpokenTo { to, words, answers, root, has_mind } in &left.summoned {
            let summoned = happening(Happened::Summoned { to: *to, words: clip(words, WORDS_IN_DIARY), answers: *answers }, Some(*root));
            self.between.entry(pair(draft.being, *to)).or_default().push(&summoned, KEPT_BETWEEN);
            if *has_mind && *to != draft.being && !left.is_planting {
                self.diaries.write(*to, &summoned);
            }
            noted.push(summoned);
        }
        for fact in &draft.facts {
            if let Fact::Said { space, content } = fact {
                let said = happening(Happened::Said { words: clip(content, WORDS_IN_DIARY) }, left.root);
                self.places.entry(*space).or_default().push(&said, KEPT_OF_PLACE);
                let heard = left.hearers.iter().filter(|(heard_in, _)| heard_in == space);
                heard.for_each(|(_, hearer)| self.diaries.write(*hearer, &said));
                noted.push(said);
            }
        }
        if let (Some(from), Some(to)) = (left.stood, left.stands)
            && from != to
        {
            let went = happening(Happened::Went { from, to }, left.root);
            self.places.entry(from).or_default().push(&went, KEPT_OF_PLACE);
            self.places.entry(to).or_default().push(&went, KEPT_OF_PLACE);
            noted.push(went);
        }
        if noted.is_empty() {
            let what = match call.verb {
                Verb::Do => Happened::Did {
                    action: call.action.clone(),
                    target: clip(&call.target, WORDS),
                    args: if has_mind { args_of(call) } else { "".into() },
                    told: left.told.clone(),
                },
                Verb::Be => Happened::Became { operation: call.action.clone() },
                // A summons is between two; one that reached nobody is nothing to recall, and a look is no act.
                Verb::Summon | Verb::See => return,
            };
            let did = happening(what, left.root);
            if let Some(place) = left.stands.filter(|_| call.verb == Verb::Do) {
                self.places.entry(place).or_default().push(&did, KEPT_OF_PLACE);
            }
            noted.push(did);
        }
        if has_mind {
            self.note_own(draft.being, &noted, left.is_planting);
        }
    }

    /// Remembers, for whoever has a mind, that its call was refused.
    pub(super) fn note_refused(&mut self, draft: &Draft, call: Option<&Call>, root: Option<Made>, reason: &Reason) {
        let deed = call.map_or_else(|| "something".to_owned(), |call| format!("{} {}", Attempted::of(call), args_of(call)));
        let what = Happened::Tried { deed: clip(deed.trim_end(), WORDS), why: format!("{} {}", reason.code, reason.at).trim_end().into() };
        let tried = Happening { seq: draft.seq, at: draft.at, who: draft.being, driver: draft.driver, root, what };
        self.note_own(draft.being, &[Arc::new(tried)], false);
    }

    fn note_own(&mut self, being: BeingId, noted: &[Arc<Happening>], is_planting: bool) {
        let own = self.own.entry(being).or_default();
        for happening in noted {
            own.push(happening, KEPT_OWN);
            if !is_planting {
                self.diaries.write(being, happening);
            }
        }
    }

    /// The happenings in a space, the oldest first.
    pub fn of_place(&self, space: SpaceId) -> impl DoubleEndedIterator<Item = &Happening> {
        self.places.get(&space).into_iter().flat_map(Recent::iter)
    }

    /// The happenings between two beings.
    pub fn between(&self, one: BeingId, other: BeingId) -> impl DoubleEndedIterator<Item = &Happening> {
        self.between.get(&pair(one, other)).into_iter().flat_map(Recent::iter)
    }

    /// The deeds of a being while a person or a model thought for it.
    pub fn own(&self, being: BeingId) -> impl DoubleEndedIterator<Item = &Happening> {
        self.own.get(&being).into_iter().flat_map(Recent::iter)
    }

    /// All that a being with a mind did and heard.
    pub fn diaries(&self) -> &Diaries {
        &self.diaries
    }

    /// Forgets a being that has ended, and what nobody can ask for any more.
    pub(super) fn forget(&mut self, thing: Thing) {
        match thing {
            Thing::Being(being) => {
                self.own.remove(&being);
                self.diaries.forget(being);
            }
            Thing::Space(space) => drop(self.places.remove(&space)),
            Thing::Matter(_) => {}
        }
    }
}
