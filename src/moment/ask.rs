//! Asking: the frame that stands before a model is called. It holds back what the call can cost, so that a crash in the middle is counted.

use crate::fact::{Closing, Code, Draft, Fact, KeyOf, Millis, Reason, Spend, Thought};
use crate::world::World;

use super::close::{blank, rekeyed};
use super::open::Opening;

/// Drafts the frame: the wake stays open, and the moment is closed by another frame once the model has answered.
pub fn ask(opening: &Opening, world: &World, at: Millis, most: Spend, key_of: KeyOf<'_>) -> Draft {
    let closing = Closing::Requeued(Reason::new(Code::Asking, ""));
    let facts = [Fact::Reserved(Box::new(most))].into_iter().chain(rekeyed(opening, world, key_of)).collect();
    Draft { closing, facts, ..blank(opening, world, at, Thought::None) }
}

/// Whether a draft is such a frame, and no moment's end.
pub fn is_asking(draft: &Draft) -> bool {
    matches!(&draft.closing, Closing::Requeued(reason) if reason.code == Code::Asking)
}
