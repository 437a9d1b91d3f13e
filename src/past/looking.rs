//! Looking: a moment and the world that it left, as conditions that are asked of the past see them.

use crate::fact::{BeingId, Draft};
use crate::role::{Bygone, ConditionTrace, Context, Inquiry, Path, Seen};
use crate::world::{OpenContext, World};

/// A condition that is asked of the past, and whose eyes it has: `me` is that being.
#[derive(Clone, Debug)]
pub struct LookedFor {
    /// The condition.
    pub inquiry: Inquiry,
    /// The being whose standpoint it has; none: the being of the moment.
    pub me: Option<BeingId>,
}

/// The view of a condition: a world as it is, and the moment that left it so.
struct LookBack<'a> {
    world: &'a World,
    draft: Option<&'a Draft>,
    /// Nobody has woken it: it is only looked at. None where `me` is not born.
    open: Option<OpenContext<'a>>,
}

impl LookedFor {
    /// Whether it holds in a world that a moment has just left; before the first moment there is none.
    pub fn holds(&self, world: &World, draft: Option<&Draft>) -> bool {
        let back = self.look(world, draft);
        back.open.is_some() && self.inquiry.holds(&back)
    }

    /// Whether it has come to hold by a moment; one that asks about the moment itself, each time that it holds.
    pub fn comes_to_hold(&self, before: &World, draft: &Draft, after: &World) -> bool {
        self.holds(after, Some(draft)) && (self.inquiry.is_of_moments() || !self.held(before, draft))
    }

    /// Whether it held already in the world in which a moment closed, before its frame.
    fn held(&self, world: &World, draft: &Draft) -> bool {
        let back = self.look_of(world, None, Some(draft.being));
        back.open.is_some() && self.inquiry.holds(&back)
    }

    /// The values that each of its conditions sees there.
    pub fn explain(&self, world: &World, draft: Option<&Draft>) -> Vec<ConditionTrace> {
        self.inquiry.explain(&self.look(world, draft)).1
    }

    fn look<'a>(&self, world: &'a World, draft: Option<&'a Draft>) -> LookBack<'a> {
        self.look_of(world, draft, draft.map(|draft| draft.being))
    }

    fn look_of<'a>(&self, world: &'a World, draft: Option<&'a Draft>, whose: Option<BeingId>) -> LookBack<'a> {
        let me = self.me.or(whose).and_then(|me| world.being(me));
        LookBack { world, draft, open: me.map(|me| OpenContext::unwoken(world, me, world.now())) }
    }
}

impl LookBack<'_> {
    fn bygone(&self, asked: Bygone) -> Seen<'_> {
        let Some(draft) = self.draft else { return Seen::Null };
        let called = |text: &'_ str| (!text.is_empty()).then_some(());
        match asked {
            Bygone::Being => self.world.being(draft.being).map(|being| being.name.as_ref()).into(),
            Bygone::Verb => draft.call.as_ref().map(|call| call.verb.word()).into(),
            Bygone::Action => draft.call.as_ref().and_then(|call| called(&call.action).map(|()| call.action.as_ref())).into(),
            Bygone::Target => draft.call.as_ref().and_then(|call| called(&call.target).map(|()| call.target.as_ref())).into(),
            Bygone::Closing => Seen::Text(draft.closing.word()),
            Bygone::Reason => draft.closing.reason().map(|reason| reason.code.word()).into(),
            Bygone::Role => draft.stack.first().map(|worn| worn.role.as_ref()).into(),
            Bygone::Wake => Seen::Text(draft.wake.kind.word()),
            Bygone::Cognition => Seen::Text(draft.cognition.word()),
            Bygone::Seq => i64::try_from(draft.seq).map_or(Seen::Null, Seen::Int),
        }
    }
}

impl Context for LookBack<'_> {
    fn seen(&self, path: &Path) -> Seen<'_> {
        match (path, &self.open) {
            (Path::Moment(asked), _) => self.bygone(*asked),
            (path, Some(open)) => open.seen(path),
            (_, None) => Seen::Null,
        }
    }
}
