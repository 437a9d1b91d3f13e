//! Woken: why a recorded moment opened, found again; one that the run would not have opened is a difference.

use std::sync::Arc;

use crate::cognition::Connection;
use crate::fact::{BeingId, Cognition, Draft, Verb, WakeId, WakeKind};
use crate::verb::{Outgrown, driver_of};
use crate::world::{Being, Wake, World};

use super::compare::{Difference, differs};
use super::stage::Stage;

/// The origin of a moment: a person's own act, a person's answer, or the engine.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Brought {
    /// A person, or the world itself, by an act of their own.
    AsAGesture,
    /// A person who answers an open wake.
    AsAnAnswer,
    /// The engine: the being thinks by itself, or has ended.
    ByTheEngine,
}

/// A moment that the run could have opened.
pub(super) struct Woken<'a> {
    pub brought: Brought,
    /// The world on which it opened.
    pub world: &'a Arc<World>,
    pub being: Arc<Being>,
    pub wake: Arc<Wake>,
}

/// Finds it.
pub(super) fn woken<'a>(recorded: &Draft, stage: &Stage<'a>) -> Result<Woken<'a>, Box<Difference>> {
    if recorded.wake.kind == WakeKind::Gesture {
        return by_a_person(recorded, stage, Brought::AsAGesture);
    }
    let being = known(recorded, stage.opened)?;
    match being.cognition_at(recorded.opened_at) {
        Cognition::Human if !being.ended => by_a_person(recorded, stage, Brought::AsAnAnswer),
        Cognition::Human | Cognition::Llm | Cognition::Script | Cognition::Bridge | Cognition::Panel => {
            by_the_engine(recorded, stage.opened, being)
        }
    }
}

fn known(recorded: &Draft, world: &World) -> Result<Arc<Being>, Box<Difference>> {
    world.being(recorded.being).cloned().ok_or_else(|| differs(recorded, "intake", "being", &recorded.being, "nobody"))
}

/// In order: the being lives; it is a person's or somebody drives it, or it is the world itself; who drives it may; an
/// answer is to a wake that is open and due; and whoever may not look closes none by looking.
fn by_a_person<'a>(recorded: &Draft, stage: &Stage<'a>, brought: Brought) -> Result<Woken<'a>, Box<Difference>> {
    let (world, at) = (stage.now, recorded.at);
    let being = known(recorded, world)?;
    let no = |why: String| differs(recorded, "intake", "wake", &recorded.wake, why);
    if being.ended {
        return Err(no(format!("nothing: @{} has ended", being.name)));
    }
    let cognition = being.cognition_at(at);
    let call = recorded.call.as_ref().filter(|_| brought == Brought::AsAGesture);
    let is_own = brought == Brought::AsAGesture && being.id == BeingId::WORLD;
    let comes_in = call.is_some_and(|call| world.comes_in_by(&being, cognition, call) && recorded.once().is_some());
    if cognition != Cognition::Human && !is_own && !comes_in {
        return Err(no(format!("nothing: @{} thinks by itself ({cognition}), and nobody acts as it", being.name)));
    }
    if let Err(Outgrown { driver, reason }) = driver_of(world, &being, at) {
        return Err(differs(recorded, "intake", "driver", &recorded.driver, format!("@{driver} may not drive it: {reason}")));
    }
    if brought == Brought::AsAGesture {
        let wake = Arc::new(Wake::gesture(recorded.seq, at));
        return Ok(Woken { brought, world, being, wake });
    }
    let wake = world.inbox().get(being.id, &recorded.wake).cloned().ok_or_else(|| no(shown(None)))?;
    if wake.id.due > at {
        return Err(no("nothing: it is not due yet".to_owned()));
    }
    if recorded.call.is_none() && recorded.narrowed().is_some_and(|only| !only.contains(Verb::See)) {
        return Err(differs(recorded, "think", "call", &recorded.call, "an act: who may not look leaves the wake open"));
    }
    Ok(Woken { brought, world, being, wake })
}

/// In order: the wake is the being's next one that is due; unless it has ended, neither it nor where it is, nor the world, is paused, it has
/// something to wear, and a connection reaches its model; and the world had not come further.
fn by_the_engine<'a>(recorded: &Draft, world: &'a Arc<World>, being: Arc<Being>) -> Result<Woken<'a>, Box<Difference>> {
    let (at, no) = (recorded.opened_at, |why: String| differs(recorded, "intake", "wake", &recorded.wake, why));
    let wake = match world.inbox().next(being.id, at) {
        Some(next) if next.id == recorded.wake => next.clone(),
        other => return Err(no(shown(other.map(|wake| &wake.id)))),
    };
    if !being.ended && world.holds_still(&being) {
        return Err(no(format!("nothing: @{}, where it is or the world is paused", being.name)));
    }
    if world.is_undressed(&being, Some(&wake), at) {
        return Err(no(format!("nothing: all that @{} could wear is out of scope or asks for something", being.name)));
    }
    let is_unreached = match being.cognition {
        Cognition::Llm => !Connection::reaches(world, &being),
        // One of which nothing says what it reaches ends its moments by that.
        Cognition::Bridge => Connection::of(world, &being, None).is_some() && !world.may_ask_models(),
        Cognition::Script | Cognition::Human | Cognition::Panel => false,
    };
    if !being.ended && is_unreached {
        return Err(no(format!("nothing: no connection reaches what @{} asks", being.name)));
    }
    if at < world.at() {
        return Err(differs(recorded, "intake", "opened_at", &at, format!("not before {}", world.at())));
    }
    Ok(Woken { brought: Brought::ByTheEngine, world, being, wake })
}

fn shown(wake: Option<&WakeId>) -> String {
    serde_json::to_string(&wake).unwrap_or_default()
}
