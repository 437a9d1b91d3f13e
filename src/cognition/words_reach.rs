//! Words reach: whom the words of a model reach that makes no call.

use crate::fact::{Thing, Verb};
use crate::moment::Opening;
use crate::verb::Asker;
use crate::world::{Being, World};

/// The reach of words alone.
pub(super) enum WordsReach<'a> {
    /// Nobody: no answer is wanted.
    Nobody,
    /// Whoever asked.
    Asker(&'a Being),
    /// Nobody, though whoever asked waits: the worn role may not summon them.
    OutOfReach(&'a Being),
    /// A panel, which counts calls alone.
    Panel,
}

impl<'a> WordsReach<'a> {
    pub(super) fn of(opening: &Opening, world: &'a World) -> Self {
        if opening.votes() {
            return Self::Panel;
        }
        let waits =
            opening.caller.filter(|caller| opening.is_awaited() && *caller != opening.being.id).and_then(|caller| world.being(caller));
        let Some(asker) = waits.filter(|asker| !asker.ended) else { return Self::Nobody };
        let by = Asker { world, actor: &opening.being, worn: &opening.worn, caller: opening.caller, at: opening.opened_at };
        if by.may_reach(Verb::Summon, Thing::Being(asker.id)).is_ok() { Self::Asker(asker) } else { Self::OutOfReach(asker) }
    }

    /// The same in a sentence, for the model itself.
    pub(super) fn sentence(&self) -> String {
        match self {
            Self::Nobody => "Words alone reach nobody.".to_owned(),
            Self::Asker(asker) => format!("Words alone are your answer to @{}.", asker.name),
            Self::OutOfReach(asker) => format!("Words alone reach nobody: what you wear may not summon @{}.", asker.name),
            Self::Panel => "Words alone are no vote.".to_owned(),
        }
    }
}
