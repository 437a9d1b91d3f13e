//! Receipt: the asker hears where no answer comes; it is the last fact of such a moment. A moment that acts for its asker tells of its act too.

use std::collections::BTreeSet;

use crate::fact::{
    Answering, BeingId, Closing, ClosingKind, Code, CodeKind, Cognition, Content, Draft, Fact, Made, MatterId, Reason, Receipt, SpaceId,
    Summons, Text, Thing,
};
use crate::verb::{Address, Asker, Named};
use crate::world::{Being, Body, CALLS, Wake, World, address_of};

use super::acting::worn_when_asking;
use super::open::{Composer, Opening};

/// The summons back to the asker, where one is due: from a moment that closes its wake for good without an answer, because its act was
/// refused, it was given up, or its words reach nobody; from one that acts for its asker; and once to a person from one whose model nobody can ask. None answers a receipt, none goes to oneself, and
/// none is due where no answer is wanted or given, or where the act itself summons the asker.
pub(super) fn receipt(opening: &Opening, world: &World, draft: &Draft, unspoken: bool, composer: &mut Composer) -> Option<Fact> {
    let Body::Summons { from, summons, .. } = &opening.wake.about().body else { return None };
    let is_unspoken = unspoken && draft.closing == Closing::See;
    let is_person = || world.being(*from).is_some_and(|asker| asker.cognition == Cognition::Human);
    let is_due = match &draft.closing {
        // A mind that hears of it would ask the same again.
        Closing::DeadLetter(reason) if reason.code == Code::BrakeRepeat => is_person(),
        Closing::Refused(_) | Closing::DeadLetter(_) => true,
        Closing::Act => opening.worn.acts_for_caller,
        Closing::See => is_unspoken,
        // A person hears once why an answer takes so long: it may take until somebody pays.
        Closing::Requeued(reason) if reason.code == Code::ConnectionHeld => is_person() && !opening.wake.is_held_by_its_connection(),
        Closing::Failed(_) | Closing::Requeued(_) | Closing::Ended => false,
    };
    let is_answered = draft.facts.iter().any(|fact| matches!(fact, Fact::Asked(back) if back.to == *from));
    let asker = world.being(*from).filter(|asker| !asker.ended)?;
    if !is_due || is_answered || !opening.is_awaited() || summons.is_receipt() || *from == draft.being {
        return None;
    }
    let worn = worn_when_asking(asker, summons, world, composer);
    let asker = Asker { world, actor: asker, worn: &worn, caller: None, at: draft.at };
    let reason = if is_unspoken { Some(Reason::new(Code::Unspoken, "")) } else { draft.closing.reason().cloned() };
    Some(Fact::Asked(Box::new(Summons {
        to: *from,
        content: content(world, draft, (&asker, reason)).to_value().into(),
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

/// The receipt to whoever began all this, in the first frame in which a model is asked for it no more.
pub(super) fn braked(opening: &Opening, world: &World, draft: &Draft) -> Option<Fact> {
    let root = world.root_of(draft.being, &opening.wake)?;
    let to = world.hears_of_brake(root, draft)?;
    let is_told = |fact: &Fact| matches!(fact, Fact::Asked(back) if back.to == to && back.is_receipt());
    if draft.facts.iter().any(is_told) {
        return None;
    }
    Some(given_up(opening, (to, None), Code::BrakeCalls, CALLS.into()))
}

/// How many hear that a thread was cut, or a being ended, of which they wait for an answer.
const HEAR_OF_A_CUT: usize = 16;

/// The receipts to persons who wait for an answer in a thread that is cut, once to each; a mind would only go on with it.
pub(super) fn cut_off(opening: &Opening, world: &World, draft: &Draft) -> Vec<Fact> {
    let Some((root, whose)) =
        draft.facts.iter().find_map(|fact| if let Fact::Cut { root, whose } = fact { Some((*root, *whose)) } else { None })
    else {
        return Vec::new();
    };
    let by = world.name_of(draft.being);
    let waits = |(being, wake): (BeingId, &Wake)| {
        // The wake that this moment closes is not cut.
        let is_own = being == draft.being && wake.id == draft.wake;
        waiting(world, wake).filter(|(asker, _)| !is_own && asker.cognition == Cognition::Human && asker.id != draft.being)
    };
    // A person who began it waits for what comes of it, also where they have asked somebody who has asked another.
    let is_waiting = |began: &BeingId| {
        *began != draft.being && world.being(*began).is_some_and(|began| began.cognition == Cognition::Human && !began.ended)
    };
    let began = world.root_count(root).and_then(|count| count.began).filter(|_| whose.is_none()).filter(is_waiting);
    let mut told = BTreeSet::new();
    let waiting = world
        .thread(root, whose)
        .filter_map(waits)
        .map(|(asker, asked)| (asker.id, asked))
        .chain(began.map(|began| (began, Some(root))))
        .filter(|(asker, _)| told.insert(*asker))
        .take(HEAR_OF_A_CUT);
    waiting.map(|waits| given_up(opening, waits, Code::Cut, by.as_text().cloned().unwrap_or_default())).collect()
}

/// The asker that waits for an answer by a wake, and the summons of theirs that it is.
fn waiting<'w>(world: &'w World, wake: &Wake) -> Option<(&'w Being, Option<Made>)> {
    let asker = world.being(wake.caller()?).filter(|asker| !asker.ended)?;
    let is_awaited = wake.summons().is_some_and(|summons| summons.wants_answer() && !summons.is_receipt());
    is_awaited.then(|| (&**asker, wake.answers()))
}

/// The receipts to those who wait for an answer of a being that ends in this frame, once to each.
pub(super) fn left_behind(opening: &Opening, world: &World, draft: &Draft) -> Vec<Fact> {
    let ended = draft.facts.iter().filter_map(|fact| if let Fact::Ended { of: Thing::Being(id) } = fact { Some(*id) } else { None });
    let ended: Vec<BeingId> = ended.collect();
    let mut told = BTreeSet::new();
    let mut receipts = Vec::new();
    for id in &ended {
        let left = world.inbox().of(*id).filter_map(|wake| waiting(world, wake));
        let left = left.filter(|(asker, _)| asker.id != draft.being && !ended.contains(&asker.id) && told.insert(asker.id));
        let receipt = |(asker, asked): (&Being, Option<Made>)| {
            given_up(opening, (asker.id, asked), Code::Ended, address_of(world, Thing::Being(*id)).into())
        };
        receipts.extend(left.take(HEAR_OF_A_CUT - receipts.len().min(HEAR_OF_A_CUT)).map(receipt).collect::<Vec<_>>());
    }
    receipts
}

/// A receipt that something was given up: to whom, and the summons of theirs that it was.
fn given_up(opening: &Opening, (to, in_reply_to): (BeingId, Option<Made>), code: Code, place: Text) -> Fact {
    let content = Receipt { closing: ClosingKind::DeadLetter.word().into(), code: Some(code), place: Some(place), ..Receipt::default() };
    let (intent, stack) = (Some(Summons::RECEIPT.into()), opening.stack.clone());
    let caller_role = Some(opening.worn.name.clone());
    Fact::Asked(Box::new(Summons { intent, in_reply_to, caller_role, stack, ..Summons::told(to, content.to_value()) }))
}

/// How the moment closed, why, where, and the addresses of what it made.
fn content(world: &World, draft: &Draft, (asker, reason): (&Asker<'_>, Option<Reason>)) -> Receipt {
    // The hash by which a draft is published, where there is one to publish.
    let hash = |fact: &Fact| if let Fact::Drafted { content: Content::Here(draft), .. } = fact { draft.get("hash").cloned() } else { None };
    Receipt {
        closing: draft.closing.word().into(),
        code: reason.as_ref().map(|reason| reason.code),
        place: reason.and_then(|reason| known_place(asker, draft.being, reason)).filter(|place| !place.is_empty()),
        made: made(world, draft),
        hash: draft.facts.iter().find_map(hash),
    }
}

/// The place as whoever asks may be told it, if they may. Why somebody declined a request they hear in any case, and who that was where they may
/// see them.
fn known_place(asker: &Asker<'_>, being: BeingId, reason: Reason) -> Option<Text> {
    if reason.code == Code::ApprovalDeclined {
        let (who, why) = reason.at.split_once(": ").unwrap_or((&reason.at, ""));
        let is_known = may_know(asker, &Reason::new(reason.code, who));
        return Some(if is_known { reason.at.clone() } else { why.into() });
    }
    // It is as it was written, whether anything lies there that they may not see or nothing.
    if reason.code == Code::NotFound {
        return Some(reason.at);
    }
    // The holder of a claim, and its purpose, are for those who may see the thing.
    if matches!(reason.code, Code::GateClaimed | Code::NotClaimed) {
        let (thing, _) = reason.at.split_once(": ").unwrap_or((&reason.at, ""));
        return may_know(asker, &Reason::new(reason.code, thing)).then_some(reason.at);
    }
    may_know(asker, &reason).then(|| place(asker, being, reason))
}

/// Whether whoever asks may be told where it was: the address of a thing, only if they may see that.
fn may_know(asker: &Asker<'_>, reason: &Reason) -> bool {
    let named = reason.at.parse::<Address>().ok().and_then(|address| address.resolve(asker.world, asker.actor, asker.at).ok());
    named.is_none_or(|named| asker.may_see(&named).is_ok())
}

/// The place as they may be told it: what a provider has said of a request may say back a part of it, and is for those who read the moment.
fn place(asker: &Asker<'_>, being: BeingId, reason: Reason) -> Text {
    let moments = Named::Register { of: Thing::Being(being), register: "moments".into(), entry: "".into() };
    match reason.at.split_once(" \"") {
        Some((place, _)) if is_said_by_provider(reason.code) && asker.may_see(&moments).is_err() => place.into(),
        _ => reason.at,
    }
}

/// Whether the place of a code may hold what a provider has said.
fn is_said_by_provider(code: Code) -> bool {
    code.kind() == CodeKind::Reply || code == Code::ConnectionHeld
}

fn made(world: &World, draft: &Draft) -> Vec<Text> {
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
    things.into_iter().map(|thing| address_of(&after, thing).into()).collect()
}
