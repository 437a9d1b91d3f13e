//! Receipt: whoever asks somebody who acts for them hears what came of it, also where nothing did: the last thing that such a moment does.
//! So does whoever asks a model that could not be heard.

use crate::fact::{Answering, BeingId, Closing, CodeKind, Content, Draft, Fact, Made, MatterId, SpaceId, Summons, Thing, Value};
use crate::world::{Body, World, address_of};

use super::open::Opening;

/// The summons back to the asker, where one is due: from a moment that acts for its asker and closes its wake for good, or that gives it up
/// because no endpoint has answered with what can be heard. None answers a receipt, none goes to oneself, and none is due where no answer is wanted or given, or where the act itself summons the asker.
pub(super) fn receipt(opening: &Opening, world: &World, draft: &Draft) -> Option<Fact> {
    let Body::Summons { from, summons, .. } = &opening.wake.about().body else { return None };
    let is_due = matches!(draft.closing, Closing::Act | Closing::Refused(_) | Closing::DeadLetter(_));
    let is_heard_by_nobody =
        matches!(&draft.closing, Closing::DeadLetter(reason) if matches!(reason.code.kind(), CodeKind::Endpoint | CodeKind::Reply));
    let is_answered = draft.facts.iter().any(|fact| matches!(fact, Fact::Asked(back) if back.to == *from));
    let is_there = world.being(*from).is_some_and(|asker| !asker.ended);
    if !is_due
        || is_answered
        || !is_there
        || !(opening.worn.acts_for_caller || is_heard_by_nobody)
        || !opening.is_awaited()
        || summons.is_receipt()
        || *from == draft.being
    {
        return None;
    }
    Some(Fact::Asked(Box::new(Summons {
        to: *from,
        content: content(world, draft).into(),
        intent: Some(Summons::RECEIPT.into()),
        rank: summons.rank,
        in_reply_to: opening.wake.answers(),
        orientation: None,
        role: None,
        caller_role: Some(opening.worn.name.clone()),
        stack: opening.stack.clone(),
        only: summons.caller_only,
        answer: Answering::None,
        until: None,
        caller_only: summons.only,
    })))
}

/// How the moment closed, why, where, and the addresses of what it made.
fn content(world: &World, draft: &Draft) -> Value {
    let reason = draft.closing.reason();
    let told = [
        ("closing", Value::from(draft.closing.word())),
        ("code", reason.map(|reason| reason.code.word()).into()),
        ("place", reason.map(|reason| &reason.at).into()),
        ("made", Value::List(made(world, draft))),
    ];
    // By what it is published: told where there is something to publish.
    let hash = |fact: &Fact| if let Fact::Drafted { content: Content::Here(draft), .. } = fact { draft.get("hash").cloned() } else { None };
    let hash = draft.facts.iter().find_map(hash).map(|hash| ("hash", hash));
    Value::map(told.into_iter().chain(hash))
}

fn made(world: &World, draft: &Draft) -> Vec<Value> {
    let thing = |(index, fact): (u32, &Fact)| {
        let made = Made { seq: draft.seq, index };
        match fact {
            Fact::Born(_) => Some(Thing::Being(BeingId(made))),
            Fact::SpaceMade { .. } => Some(Thing::Space(SpaceId(made))),
            Fact::MatterMade { .. } | Fact::Drafted { .. } => Some(Thing::Matter(MatterId(made))),
            _ => None,
        }
    };
    let things: Vec<Thing> = (0u32..).zip(&draft.facts).filter_map(thing).collect();
    if things.is_empty() {
        return Vec::new();
    }
    // Addresses as they will be: one thing may lie in another that is made with it.
    let after = world.imagine(draft.being, (draft.seq, 0), draft.at, &draft.facts);
    things.into_iter().map(|thing| Value::from(address_of(&after, thing))).collect()
}
