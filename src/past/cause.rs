//! Cause: what woke a being, in a few words for people. The ids beside it are for programs.

use crate::fact::{BeingId, Draft, Text, WakeKind};
use crate::world::{Body, HeardWords, Wake, World};

/// How many are named of those who were heard.
const NAMED: usize = 3;

/// The cause of a moment in words, from the wake as it lay in the inbox.
pub fn cause_of(wake: &Wake, draft: &Draft, world: &World) -> String {
    let name = |being| world.being(being).map_or_else(|| "somebody".to_owned(), |being| format!("@{}", being.name));
    match &wake.body {
        Body::Summons { from, .. } if *from == draft.being => "a summons by itself".to_owned(),
        Body::Summons { from, .. } => format!("a summons by {}", name(*from)),
        Body::Signal { path } => format!("the signal `{path}`, which changed"),
        Body::Schedule { name, .. } => format!("its schedule `{name}`"),
        Body::Enter { space } => format!("coming into `{}`", world.path_of(*space)),
        Body::Arrival { who } => format!("{}, who came in", name(*who)),
        Body::Hear { hearing } => format!("what {} said", said_by(hearing, name)),
        Body::Watch { who, action, .. } => format!("`{action}` by {}, which it watches for", name(*who)),
        Body::Change { wore } if wore.is_empty() => "a change: it wore nothing before".to_owned(),
        Body::Change { wore } => format!("a change: it wore `{}` before", wore.join("`, `")),
        Body::ReplyDue { about, .. } => format!("the ballots of its members about {}", cause_of(about, draft, world)),
        Body::Crossing | Body::SelfContinue { .. } | Body::Gesture | Body::End | Body::Boot { .. } => kept_cause(draft, world),
    }
}

/// Those whose words were heard, each once, in the order of their newest.
fn said_by(hearing: &HeardWords, name: impl Fn(BeingId) -> String) -> String {
    let mut names: Vec<String> = Vec::new();
    for heard in hearing.words.iter().rev() {
        let name = name(heard.who);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    match names.len().saturating_sub(NAMED) {
        0 => names.join(" and "),
        others => format!("{} and {others} more", names.get(..NAMED).unwrap_or_default().join(", ")),
    }
}

/// The cause of a moment in words, as far as its frame and the world after it still tell.
pub(super) fn kept_cause(draft: &Draft, world: &World) -> String {
    match draft.wake.kind {
        WakeKind::Summons => "a summons".to_owned(),
        WakeKind::Signal => "a signal that its flow reads".to_owned(),
        WakeKind::Schedule => schedule(draft, world).map_or_else(|| "a schedule".to_owned(), |name| format!("its schedule `{name}`")),
        WakeKind::Enter => "coming into a space".to_owned(),
        WakeKind::Arrival => "somebody who came in".to_owned(),
        WakeKind::Hear => "something that was said".to_owned(),
        WakeKind::Watch => "something that it watches for".to_owned(),
        WakeKind::Change => "a change by which it wears something else".to_owned(),
        WakeKind::Crossing => "the time, which a condition of its flow reads".to_owned(),
        WakeKind::SelfContinue => "itself: its role goes on after an act".to_owned(),
        WakeKind::Gesture => match draft.driver.and_then(|driver| world.being(driver)) {
            Some(driver) => format!("a gesture of @{}, who drives it", driver.name),
            None => "a gesture".to_owned(),
        },
        WakeKind::End => "its end".to_owned(),
        WakeKind::Boot => "the world, which was opened again".to_owned(),
        WakeKind::ReplyDue => "the ballots of its members".to_owned(),
    }
}

/// The schedule that was due, if it is still there.
fn schedule<'a>(draft: &Draft, world: &'a World) -> Option<&'a Text> {
    let schedules = &world.being(draft.being)?.schedules;
    schedules.iter().find(|(_, schedule)| schedule.made == draft.wake.cause).map(|(name, _)| name)
}
