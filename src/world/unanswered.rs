//! Unanswered: how questions of people are noted while a frame is folded, and how it is told that one was heard without an answer. It follows
//! from the frames, so it is no part of the world hash.

use crate::fact::{BeingId, Closing, Cognition, Draft, Fact, Made, Summons, Value};

use super::questions::{Silence, Unanswered};
use super::wake::{Body, Wake};
use super::whole::World;

/// The kind of an entry of an inbox that tells of such a question.
pub const UNANSWERED: &str = "unanswered";

/// Whether a person says it to somebody else.
fn is_spoken(summons: &Summons, draft: &Draft) -> bool {
    draft.cognition == Cognition::Human && !summons.is_receipt() && summons.to != draft.being
}

impl World {
    /// Notes which questions a frame closes, answers and asks; given the wake that it closes.
    pub(super) fn note_questions(&mut self, draft: &Draft, closed: Option<&Wake>) {
        if matches!(draft.closing, Closing::Requeued(_) | Closing::Failed(_)) {
            return;
        }
        if let Some(about) = closed.map(Wake::about)
            && let Body::Summons { from, .. } = &about.body
        {
            self.questions.heard(*from, about.id.cause, draft);
        }
        for (index, fact) in (0u32..).zip(&draft.facts) {
            if let Fact::Asked(summons) = fact {
                self.questions.answered(draft.being, summons);
                if is_spoken(summons, draft) {
                    self.questions.spoken(draft.being, summons.to);
                    if summons.wants_answer() {
                        self.questions.asked(draft.being, Made { seq: draft.seq, index }, summons.to);
                    }
                }
            }
        }
    }

    /// All that a being asked as a person and somebody heard without an answer, the oldest first.
    pub fn unanswered(&self, of: BeingId) -> impl Iterator<Item = (&Unanswered, &Silence)> {
        self.questions.of(of).filter_map(|question| Some((question, question.silence.as_ref()?)))
    }

    /// The same as an entry of an inbox. Of a moment that did something else it says no more than that.
    pub fn told_unanswered(&self, (question, silence): (&Unanswered, &Silence)) -> Value {
        Value::map([
            ("kind", Value::from(UNANSWERED)),
            ("from", self.name_of(question.to)),
            ("cause", Value::from(question.asked.to_string())),
            ("due", Value::Int(silence.at)),
            ("how", Value::from(silence.how.word())),
        ])
    }
}
