//! Again: one recorded moment is opened, thought and closed again: a script thinks anew, what came from outside is what was recorded.

use std::sync::Arc;

use crate::cognition::{Reply, Request, afford, deliberate, hear, request, think};
use crate::fact::{Draft, Spend, Thought};
use crate::moment::{Answer, Closer, Composer, Opening, Thinker, ask, close, is_asking, open};
use crate::script::{Limits, Sandbox};
use crate::verb::Hands;
use crate::world::World;

use super::compare::{Difference, differs};
use super::stage::Stage;
use super::woken::{Brought, Woken, woken};

/// The composer, sandbox and closer with which each moment is opened, thought and closed.
pub(super) struct Again {
    composer: Composer,
    closer: Closer,
    sandbox: Sandbox,
    /// The reply of a model that was asked anew; the next moment hears it in place of the recorded one.
    pub anew: Option<Reply>,
    /// The request of the last moment to its model, if it makes one.
    pub request: Option<Request>,
    /// Whether that request has no reply.
    pub is_unheard: bool,
}

impl Again {
    pub(super) fn new() -> Self {
        let closer = Closer { hands: Hands::new(Sandbox::new(Limits::default())), composer: Composer::default() };
        let sandbox = Sandbox::new(Limits::default());
        Self { composer: Composer::default(), closer, sandbox, anew: None, request: None, is_unheard: false }
    }

    /// The draft that comes out, or why the run would never have opened such a moment.
    pub(super) fn moment(&mut self, recorded: &Draft, stage: &Stage<'_>) -> Result<Draft, Box<Difference>> {
        (self.request, self.is_unheard) = (None, false);
        let Woken { brought, world, being, wake } = woken(recorded, stage)?;
        let call = recorded.call.as_ref().map(|call| stage.whole(call));
        // A person's answer opens and closes its moment at once.
        let opened_at = if brought == Brought::ByTheEngine { recorded.opened_at } else { recorded.at };
        let shown = call.as_ref().filter(|_| brought == Brought::AsAGesture);
        let opening = open(world, &being, &wake, opened_at, shown, &mut self.composer);
        if brought == Brought::ByTheEngine {
            let (answer, most) = self.thought(recorded, stage, &opening, world)?;
            return Ok(match most {
                Some(most) => ask(&opening, stage.now, recorded.at, most, stage.key_of),
                None => close(&opening, answer, stage.now, recorded.at, stage.key_of, &mut self.closer),
            });
        }
        if let Some(verdict) = opening.verdict.as_ref().filter(|_| brought == Brought::AsAnAnswer) {
            return Err(differs(
                recorded,
                "intake",
                "wake",
                &recorded.wake,
                format!("no answer: it closes by itself ({})", verdict.word()),
            ));
        }
        // One that closes by itself has dropped its act.
        if brought == Brought::AsAGesture && recorded.call.is_none() && opening.verdict.is_none() {
            return Err(differs(recorded, "think", "call", &recorded.call, "an act: a gesture is one"));
        }
        // An act that a person or a program sent may have been narrowed, which the frame says; nobody else's is.
        let opening = opening.narrowed(recorded.narrowed().unwrap_or_default());
        let call = call.map(|call| {
            let bound = opening.bind(world, &call);
            (call, bound)
        });
        let answer = Answer { thought: Thought::Given, call, once: recorded.once(), ..Answer::none() };
        let draft = close(&opening, answer, stage.now, recorded.at, stage.key_of, &mut self.closer);
        match draft.closing.reason() {
            // An answer that the world refuses is an act of its own, so that the wake stays open.
            Some(reason) if brought == Brought::AsAnAnswer => {
                Err(differs(recorded, "momentum", "closing", &recorded.closing, format!("no answer: it is refused ({reason})")))
            }
            _ => Ok(draft),
        }
    }

    /// The answer of the being's own mind, and the amount to hold back where a model is yet to be asked.
    fn thought(
        &mut self,
        recorded: &Draft,
        stage: &Stage<'_>,
        opening: &Opening,
        world: &Arc<World>,
    ) -> Result<(Answer, Option<Spend>), Box<Difference>> {
        // Only what came from outside is taken as it came; a script thinks again, whatever the frame says of its thought.
        let answer = match (opening.thinker(), &recorded.thought) {
            (Thinker::Nobody | Thinker::Person, _) => Answer::none(),
            (Thinker::Script, _) => think(opening, world, &mut self.sandbox),
            (Thinker::Panel, _) => deliberate(opening, world, &mut self.sandbox),
            (Thinker::Outside, Thought::Model { reply, .. }) => {
                let kept = || stage.kept.value(reply).ok_or_else(|| differs(recorded, "think", "thought", &recorded.thought, "nothing"));
                let reply = self.anew.take().map_or_else(|| kept().map(Reply::from), Ok)?;
                match request(opening, world, &mut self.sandbox) {
                    Ok(request) => {
                        let answer = hear(opening, world, &request, reply);
                        self.request = Some(request);
                        answer
                    }
                    Err(unasked) => unasked.answer(),
                }
            }
            // It was not asked yet, or could not be: what it may cost is judged on the world as it is.
            (Thinker::Outside, Thought::None | Thought::Script | Thought::Given) => {
                let request = request(opening, world, &mut self.sandbox);
                match request.and_then(|request| Ok(afford(opening, stage.now, request)?)) {
                    Ok((_, most)) if is_asking(recorded) => return Ok((Answer::none(), Some(most))),
                    Ok((request, _)) => {
                        let heard = self.anew.take().map(|reply| hear(opening, world, &request, reply));
                        (self.request, self.is_unheard) = (Some(request), heard.is_none());
                        heard.unwrap_or_else(Answer::none)
                    }
                    Err(unasked) => unasked.answer(),
                }
            }
        };
        Ok((answer, None))
    }
}
