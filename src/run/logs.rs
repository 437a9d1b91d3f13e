//! Logs: a line for each moment, under one name from the wake to the seal: `@ada:120.0`, whose it is and which fact woke it.
//!
//! No line holds what was said, asked or answered: that stands in the world, for those who may read it.

use crate::fact::{Closing, Draft};
use crate::world::World;

/// Says how a moment closed.
pub(super) fn closed(draft: &Draft, world: &World) {
    // Almost nobody listens: nothing is made for nobody.
    if !tracing::enabled!(tracing::Level::WARN) {
        return;
    }
    macro_rules! say {
        ($level:ident) => {
            if tracing::enabled!(tracing::Level::$level) {
                let name = world.being(draft.being).map(|being| being.name.as_ref()).unwrap_or_default();
                let reason = draft.closing.reason().map(ToString::to_string).unwrap_or_default();
                let action = draft.call.as_ref().map(|call| format!("{} {}", call.verb.word(), call.action)).unwrap_or_default();
                let (wake, closing) = (draft.wake.kind.word(), draft.closing.word());
                tracing::event!(
                    tracing::Level::$level, moment = %format_args!("@{name}:{}", draft.wake.cause), seq = draft.seq, wake, closing, reason, action, "closed"
                );
            }
        };
    }
    match draft.closing {
        Closing::DeadLetter(_) => say!(WARN),
        Closing::Failed(_) => say!(INFO),
        Closing::Act | Closing::See | Closing::Refused(_) | Closing::Requeued(_) | Closing::Ended => say!(DEBUG),
    }
}
