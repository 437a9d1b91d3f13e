//! Trial: a moment opened once more, on a world where some drafts were so. Nothing of it is sealed.

use std::sync::Arc;

use crate::cognition::{Request, deliberate, request, think};
use crate::fact::{BeingId, Call, Cognition, Credential, Draft, Fact, Millis, WakeKind};
use crate::moment::{Answer, Closer, Composer, Opening, Thinker, close, open};
use crate::script::{Limits, Sandbox};
use crate::verb::{Hands, RuleTrace};
use crate::world::{Wake, World};

/// A moment on a world that is only supposed.
pub struct Trial {
    /// That world.
    pub world: Arc<World>,
    /// The moment.
    pub opening: Opening,
}

/// The outcome of thinking in a trial.
pub enum Thinking {
    /// Nobody would be asked: a person acts, or the moment closes by itself.
    Nobody,
    /// A script, which has thought; or a panel, which has got as far as its members let it.
    Script(Box<Answer>),
    /// A model, which is to be asked.
    Model(Box<Request>),
    /// A model that cannot be asked, and the answer that this comes to.
    Silent(Box<Answer>),
}

impl Trial {
    /// A being's moment for a wake, where those facts were so; a person's own act brings its call.
    pub fn of(world: &World, being: BeingId, wake: &Arc<Wake>, at: Millis, call: Option<&Call>, facts: &[Fact]) -> Option<Self> {
        let world = world.imagine(being, (world.next_seq(), 0), at, facts);
        let being = world.being(being)?.clone();
        let opening = open(&world, &being, wake, at, call, &mut Composer::default());
        Some(Self { world: Arc::new(world), opening })
    }

    /// A recorded moment, on the world on which it opened.
    pub fn again(draft: &Draft, opened: &World, facts: &[Fact]) -> Option<Self> {
        let call = draft.call.as_ref().filter(|_| draft.wake.kind == WakeKind::Gesture);
        Self::of(opened, draft.being, &wake_of(draft, opened)?, draft.opened_at, call, facts)
    }

    /// Lets the mind think where it needs nobody outside.
    pub fn think(&self) -> Thinking {
        self.think_in(&mut Sandbox::new(Limits::default()))
    }

    /// The same in a sandbox that tells of it.
    pub fn think_in(&self, sandbox: &mut Sandbox) -> Thinking {
        match self.opening.thinker() {
            Thinker::Nobody | Thinker::Person => Thinking::Nobody,
            Thinker::Script => Thinking::Script(Box::new(think(&self.opening, &self.world, sandbox))),
            Thinker::Panel => Thinking::Script(Box::new(deliberate(&self.opening, &self.world, sandbox))),
            // A bridge is not tried: it may change something.
            Thinker::Outside if self.opening.cognition == Cognition::Bridge => Thinking::Nobody,
            Thinker::Outside => match request(&self.opening, &self.world, sandbox) {
                // A trial is tried once: who is not answered can try again.
                Ok(request) => Thinking::Model(Box::new(request.sparing())),
                Err(unasked) => Thinking::Silent(Box::new(unasked.answer())),
            },
        }
    }

    /// Closes the moment with an answer, and gives its draft.
    pub fn close(&self, answer: Answer) -> Draft {
        self.close_judged(answer).0
    }

    /// The same with the rules that would be asked about it, and what scripts would say to whoever watches.
    pub fn close_judged(&self, answer: Answer) -> (Draft, Vec<RuleTrace>, Vec<String>) {
        let mut closer = Closer { hands: Hands::new(Sandbox::new(Limits::default())), composer: Composer::default() };
        closer.hands.remember_rules();
        let draft = close(&self.opening, answer, &self.world, self.opening.opened_at, &|_| Credential::default(), &mut closer);
        (draft, closer.hands.rules(), closer.hands.notes())
    }
}

/// The wake of a recorded moment, in the world on which it opened.
pub fn wake_of(draft: &Draft, opened: &World) -> Option<Arc<Wake>> {
    match draft.wake.kind {
        WakeKind::Gesture => Some(Arc::new(Wake::gesture(draft.seq, draft.at))),
        _ => opened.inbox().get(draft.being, &draft.wake).cloned(),
    }
}
