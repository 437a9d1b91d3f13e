//! Memory: what the fold keeps of the past so that a face can recall it: a few of the newest happenings of each place, between each two
//! and of each mind. All of it follows from the frames, so it is no part of the world hash.

use std::sync::Arc;

use imbl::OrdMap;

use crate::fact::canon::{canon_enum, canon_struct};
use crate::fact::{BeingId, Canon, CanonError, Cognition, Draft, Fact, Made, Millis, Reader, Seq, SpaceId, Text, Thing, Verb, Writer};

/// How many happenings of one place are kept.
const OF_A_PLACE: usize = 24;
/// How many words between two beings.
const BETWEEN: usize = 24;
/// How many of a mind's own acts.
const OWN: usize = 16;
/// The longest words that are kept, in characters.
const WORDS: usize = 600;

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Happening {
    /// In which frame.
    pub seq: Seq,
    /// When.
    pub at: Millis,
    /// Who did it.
    pub who: BeingId,
    /// Who drove whoever did it.
    pub driver: Option<BeingId>,
    /// What was done.
    pub what: Happened,
}

/// What was done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Happened {
    /// An operation, on what was named so.
    Did {
        /// Which.
        action: Text,
        /// On what.
        target: Text,
    },
    /// Something was said in the space.
    Said {
        /// What.
        words: Text,
    },
    /// A being was summoned.
    Summoned {
        /// Whom.
        to: BeingId,
        /// What was said.
        words: Text,
        /// The summons that it answers.
        answers: Option<Made>,
    },
    /// It went from one space to another.
    Went {
        /// From where.
        from: SpaceId,
        /// Where to.
        to: SpaceId,
    },
    /// An operation on identity.
    Became {
        /// Which.
        operation: Text,
    },
}

canon_struct!(Happening { seq, at, who, driver, what });
canon_enum!(Happened {
    0 => Did { action, target },
    1 => Said { words },
    2 => Summoned { to, words, answers },
    3 => Went { from, to },
    4 => Became { operation },
});

/// The newest happenings, the oldest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recent(Arc<Vec<Arc<Happening>>>);

impl Recent {
    fn push(&mut self, happening: &Arc<Happening>, most: usize) {
        let kept = Arc::make_mut(&mut self.0);
        if kept.len() >= most {
            kept.remove(0);
        }
        kept.push(happening.clone());
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

/// What is remembered of places, and between beings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Memory {
    pub(super) places: OrdMap<SpaceId, Recent>,
    pub(super) between: OrdMap<(BeingId, BeingId), Recent>,
    pub(super) own: OrdMap<BeingId, Recent>,
}

/// The same two, whoever is named first.
fn pair(one: BeingId, other: BeingId) -> (BeingId, BeingId) {
    if one <= other { (one, other) } else { (other, one) }
}

fn clip(words: &str) -> Text {
    match words.char_indices().nth(WORDS) {
        Some((end, _)) => format!("{}…", words.get(..end).unwrap_or_default()).into(),
        None => words.into(),
    }
}

/// What a frame leaves in memory, once its facts are folded.
pub(super) struct Left<'a> {
    /// The frame.
    pub draft: &'a Draft,
    /// Where its being stood before.
    pub stood: Option<SpaceId>,
    /// Where it stands now.
    pub stands: Option<SpaceId>,
    /// Whom it summoned, with what words, in answer to what: where a person or a model speaks or is spoken to.
    pub summoned: Vec<(BeingId, Text, Option<Made>)>,
}

impl Memory {
    /// Remembers an act.
    pub(super) fn note(&mut self, left: &Left<'_>) {
        let draft = left.draft;
        let Some(call) = &draft.call else { return };
        let happening = |what: Happened| Arc::new(Happening { seq: draft.seq, at: draft.at, who: draft.being, driver: draft.driver, what });
        let has_mind = draft.cognition != Cognition::Script;
        let mut noted: Vec<Arc<Happening>> = Vec::new();
        for (to, words, answers) in &left.summoned {
            let summoned = happening(Happened::Summoned { to: *to, words: clip(words), answers: *answers });
            self.between.entry(pair(draft.being, *to)).or_default().push(&summoned, BETWEEN);
            noted.push(summoned);
        }
        for fact in &draft.facts {
            if let Fact::Said { space, content } = fact {
                let said = happening(Happened::Said { words: clip(content) });
                self.places.entry(*space).or_default().push(&said, OF_A_PLACE);
                noted.push(said);
            }
        }
        if let (Some(from), Some(to)) = (left.stood, left.stands)
            && from != to
        {
            let went = happening(Happened::Went { from, to });
            self.places.entry(from).or_default().push(&went, OF_A_PLACE);
            self.places.entry(to).or_default().push(&went, OF_A_PLACE);
            noted.push(went);
        }
        if noted.is_empty() {
            let what = match call.verb {
                Verb::Do => Happened::Did { action: call.action.clone(), target: clip(&call.target) },
                Verb::Be => Happened::Became { operation: call.action.clone() },
                // A summons is between two; one that reached nobody is nothing to recall, and a look is no act.
                Verb::Summon | Verb::See => return,
            };
            let did = happening(what);
            if let Some(place) = left.stands.filter(|_| call.verb == Verb::Do) {
                self.places.entry(place).or_default().push(&did, OF_A_PLACE);
            }
            noted.push(did);
        }
        if has_mind {
            let own = self.own.entry(draft.being).or_default();
            noted.iter().for_each(|happening| own.push(happening, OWN));
        }
    }

    /// What happened and was said in a space.
    pub fn of_place(&self, space: SpaceId) -> Recent {
        self.places.get(&space).cloned().unwrap_or_default()
    }

    /// What passed between two beings.
    pub fn between(&self, one: BeingId, other: BeingId) -> Recent {
        self.between.get(&pair(one, other)).cloned().unwrap_or_default()
    }

    /// What a being did while a person or a model thought for it.
    pub fn own(&self, being: BeingId) -> Recent {
        self.own.get(&being).cloned().unwrap_or_default()
    }

    /// Forgets a being that has ended, and what nobody can ask for any more.
    pub(super) fn forget(&mut self, thing: Thing) {
        match thing {
            Thing::Being(being) => drop(self.own.remove(&being)),
            Thing::Space(space) => drop(self.places.remove(&space)),
            Thing::Matter(_) => {}
        }
    }
}
