//! Logs: a line for each moment, under one name from the wake to the seal: `@ada:120.0`, whose it is and which fact woke it.
//!
//! No line holds what was said, asked or answered: that stands in the world, for those who may read it.

use crate::fact::{Closing, Draft};
use crate::verb::core;
use crate::world::World;

/// Says how a moment closed.
pub(super) fn closed(draft: &Draft, world: &World) {
    macro_rules! say {
        ($level:ident) => {
            if tracing::enabled!(tracing::Level::$level) {
                let name = world.being(draft.being).map(|being| being.name.as_ref()).unwrap_or_default();
                let reason = draft.closing.reason().map(|reason| reason.code.word()).unwrap_or_default();
                let verb = draft.call.as_ref().map(|call| call.verb.word()).unwrap_or_default();
                // Whatever else a mind has named stands in the world alone.
                let known = |action: &str| core(action).is_some() || world.registry().operations.contains_key(action);
                let action = draft.call.as_ref().map(|call| call.action.as_ref()).filter(|action| known(action)).unwrap_or_default();
                let (wake, closing) = (draft.wake.kind.word(), draft.closing.word());
                tracing::event!(
                    tracing::Level::$level, moment = %format_args!("@{name}:{}", draft.wake.cause), seq = draft.seq, wake, closing, reason, verb, action, "closed"
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
