//! Questions: what people have asked and nobody has answered yet, and which of it was heard without an answer.

use std::sync::Arc;

use imbl::OrdMap;

use crate::fact::canon::canon_struct;
use crate::fact::{BeingId, Closing, Draft, Made, Millis, N, SilenceKind, Summons, Verb};

/// How many questions of one person are kept: the newest.
pub const QUESTIONS_KEPT: usize = 64;

/// A question of a person to which no answer has come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unanswered {
    /// The summons.
    pub asked: Made,
    /// The being that was asked.
    pub to: BeingId,
    /// The moment that heard it; nothing while it is open.
    pub silence: Option<Silence>,
}

/// A moment that heard a question and gave no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Silence {
    /// When it closed.
    pub at: Millis,
    /// Its number among the moments of its being.
    pub n: N,
    /// All that is told of it.
    pub how: SilenceKind,
}

canon_struct!(Unanswered { asked, to, silence });
canon_struct!(Silence { at, n, how });

impl Silence {
    fn of(draft: &Draft) -> Self {
        let asks = draft.call.as_ref().is_some_and(|call| call.verb == Verb::Summon);
        let how = match draft.closing == Closing::Act {
            true if asks => SilenceKind::Asked,
            true => SilenceKind::Did,
            false => SilenceKind::Looked,
        };
        Self { at: draft.at, n: draft.n, how }
    }
}

/// The questions of all people.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Questions(pub(super) OrdMap<BeingId, Arc<Vec<Unanswered>>>);

impl Questions {
    /// Those of one person, the oldest first.
    pub(super) fn of(&self, person: BeingId) -> impl Iterator<Item = &Unanswered> {
        self.0.get(&person).into_iter().flat_map(|all| all.iter())
    }

    /// Forgets somebody who has ended: their questions, and what others asked them.
    pub(super) fn forget(&mut self, being: BeingId) {
        self.0.remove(&being);
        let asked: Vec<BeingId> =
            self.0.iter().filter(|(_, all)| all.iter().any(|question| question.to == being)).map(|(who, _)| *who).collect();
        asked.into_iter().for_each(|person| self.drop(person, |question| question.to == being));
    }

    /// A question was heard; of an answer nothing is known yet.
    pub(super) fn heard(&mut self, person: BeingId, asked: Made, draft: &Draft) {
        let Some(at) = self.0.get(&person).and_then(|all| all.iter().position(|question| question.asked == asked)) else { return };
        if let Some(question) = self.0.get_mut(&person).and_then(|all| Arc::make_mut(all).get_mut(at)) {
            question.silence = Some(Silence::of(draft));
        }
    }

    /// Words come back: to the question that they answer, or to all that the same being has heard. A receipt answers nothing; it says itself
    /// how the moment closed, and another attempt may follow.
    pub(super) fn answered(&mut self, by: BeingId, summons: &Summons) {
        let names = |question: &Unanswered| match summons.in_reply_to {
            Some(asked) => question.asked == asked,
            None => question.to == by && question.silence.is_some(),
        };
        if !summons.is_receipt() {
            return self.drop(summons.to, names);
        }
        if let Some(all) = self.0.get_mut(&summons.to)
            && all.iter().any(names)
        {
            Arc::make_mut(all).iter_mut().filter(|question| names(question)).for_each(|question| question.silence = None);
        }
    }

    /// A person speaks to somebody: all that was asked of them before, and heard, is over.
    pub(super) fn spoken(&mut self, person: BeingId, to: BeingId) {
        self.drop(person, |question| question.to == to && question.silence.is_some());
    }

    /// A person asks a question.
    pub(super) fn asked(&mut self, person: BeingId, asked: Made, to: BeingId) {
        let all = Arc::make_mut(self.0.entry(person).or_default());
        all.push(Unanswered { asked, to, silence: None });
        let over = all.len().saturating_sub(QUESTIONS_KEPT);
        all.drain(..over);
    }

    fn drop(&mut self, person: BeingId, is_over: impl Fn(&Unanswered) -> bool) {
        if !self.of(person).any(&is_over) {
            return;
        }
        if let Some(all) = self.0.get_mut(&person) {
            Arc::make_mut(all).retain(|question| !is_over(question));
        }
    }
}
