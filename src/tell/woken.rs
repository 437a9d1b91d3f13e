//! Woken: what waits in an inbox, as a sentence for whoever it wakes: who did what, and what it is about.

use crate::fact::{BeingId, Call, Closing, ClosingKind, Code, Content, Hash, Receipt, SpaceId, Summons, Thing, Value};
use crate::world::{Body, HeardWords, Wake, World, address_of};

use super::happened::{Moment, ToldMoment};
use super::naming::{named, short_role, subjects};
use super::part::ToldPart;
use super::wording::last_name;

/// The address of the signals of a world, and of its roles.
const SIGNALS: &str = "/.signals";
const ROLES: &str = "/.roles";

/// A wake of a being as a sentence.
pub fn woken(world: &World, being: BeingId, wake: &Wake) -> Vec<ToldPart> {
    let me = address_of(world, Thing::Being(being));
    let you = || ToldPart { is_who: true, ..ToldPart::naming("You", &me) };
    let plain = |text: &str| vec![ToldPart::words(text)];
    match &wake.body {
        Body::Summons { from, summons, content, .. } => summoned(world, &me, (*from, summons, content)),
        Body::Hear { hearing } => heard(world, hearing),
        Body::Watch { who, action, target, place, count, .. } => {
            let args = Content::Unread { hash: Hash::NOTHING, len: 0 };
            let call = Call { args, ..Call::doing(&address_of(world, *target), action, Value::Null) };
            let times = (*count > 1).then(|| ToldPart::words(format!(", {count} times")));
            let there = [ToldPart::words(" in ")].into_iter().chain(named(&world.path_of(*place), world));
            deed(world, *who, &call, false).into_iter().chain(times).chain(there).collect()
        }
        Body::Arrival { who } => by(world, *who, " came in"),
        Body::Enter { space } if *space == SpaceId::ROOT => vec![you(), ToldPart::words(" came into "), ToldPart::naming("the world", "/")],
        Body::Enter { space } => [you(), ToldPart::words(" came into ")].into_iter().chain(named(&world.path_of(*space), world)).collect(),
        Body::Signal { path } => {
            let name = ToldPart::naming(last_name(path), SIGNALS);
            vec![ToldPart::words("The signal "), name, ToldPart::words(" changed")]
        }
        Body::Schedule { name, .. } => plain(&format!("The schedule {} is due", last_name(name))),
        Body::Change { wore } => changed(&me, wore.iter().map(AsRef::as_ref)),
        Body::ReplyDue { .. } => plain("All members have voted, or their time is over"),
        Body::Boot { .. } => plain("The world was opened again"),
        Body::Crossing => plain("Time crossed a border of the flow"),
        Body::SelfContinue { .. } => plain("It goes on by itself"),
        Body::Gesture => plain("A person acts"),
        Body::End => plain("It has ended"),
    }
}

fn name_of(world: &World, who: BeingId) -> String {
    world.being(who).map_or_else(|| who.to_string(), |being| being.name.to_string())
}

/// Who, and what they did.
fn by(world: &World, who: BeingId, did: &str) -> Vec<ToldPart> {
    let mut parts = subjects(&[&name_of(world, who)]);
    parts.push(ToldPart::words(did));
    parts
}

/// Somebody's call, which was done.
fn deed(world: &World, who: BeingId, call: &Call, is_answer: bool) -> Vec<ToldPart> {
    let being = name_of(world, who);
    let moment = Moment { being: &being, stood: "", call: Some(call), closing: &Closing::Act, is_answer, moved: &[] };
    subjects(&[&being]).into_iter().chain([ToldPart::words(" ")]).chain(ToldMoment::told(moment, world).told).collect()
}

fn summoned(world: &World, me: &str, (from, summons, content): (BeingId, &Summons, &Value)) -> Vec<ToldPart> {
    if let Some(receipt) = Receipt::read(content).filter(|_| summons.is_receipt()) {
        return received(world, from, &receipt);
    }
    let intent = summons.intent.as_deref();
    if summons.is_petition() {
        let asker = content.get("asker").and_then(Value::as_str).map(|asker| asker.trim_start_matches('@').to_owned());
        let mut parts = subjects(&[&asker.unwrap_or_else(|| name_of(world, from))]);
        parts.push(ToldPart::words(" asks for something from outside, and waits for your yes"));
        return parts;
    }
    let args = Value::map([("content", content.clone())].into_iter().chain(intent.map(|intent| ("intent", Value::text(intent)))));
    deed(world, from, &Call::summon(me, args), summons.in_reply_to.is_some())
}

/// How a question closed that got no words.
fn received(world: &World, from: BeingId, receipt: &Receipt) -> Vec<ToldPart> {
    let made = receipt.made.iter().enumerate().flat_map(|(at, made)| {
        let before = if at == 0 { None } else { Some(ToldPart::words(if at + 1 == receipt.made.len() { " and " } else { ", " })) };
        before.into_iter().chain(named(made, world))
    });
    if let Some(draft) = receipt.made.first().filter(|_| receipt.hash.is_some()) {
        return by(world, from, " drew up ").into_iter().chain([ToldPart::naming("a draft", draft), ToldPart::words(" for you")]).collect();
    }
    let code = receipt.code.map(|code| format!(": {}", code.sentence().replace('`', ""))).unwrap_or_default();
    // The reason of a refusal, in the words of whoever declined.
    let said = receipt.place.as_deref().filter(|_| receipt.code == Some(Code::ApprovalDeclined));
    let said = said.map(|said| format!(" ({said})")).unwrap_or_default();
    match receipt.closing.parse::<ClosingKind>() {
        Ok(ClosingKind::Act) if receipt.made.is_empty() => by(world, from, " did it"),
        Ok(ClosingKind::Act) => by(world, from, " did it, and made ").into_iter().chain(made).collect(),
        Ok(ClosingKind::Refused) => by(world, from, &format!(" could not do it{code}{said}")),
        Ok(ClosingKind::See) => by(world, from, &format!(" looked and did nothing{code}")),
        _ => by(world, from, &format!(" gave no answer{code}")),
    }
}

/// The newest of the words that it stands for, and how many there were before.
fn heard(world: &World, hearing: &HeardWords) -> Vec<ToldPart> {
    let Some(newest) = hearing.words.last() else { return Vec::new() };
    let said = newest.content.to_string();
    let more = (hearing.count > 1).then(|| ToldPart::words(format!(", the newest of {} words", hearing.count)));
    by(world, newest.who, " said ").into_iter().chain([ToldPart::said(said)]).chain(more).collect()
}

/// The change of a role, with those worn before.
fn changed<'a>(me: &str, wore: impl Iterator<Item = &'a str>) -> Vec<ToldPart> {
    let roles: Vec<ToldPart> = wore.map(|role| ToldPart::naming(short_role(role), &format!("{ROLES}/{role}"))).collect();
    let mut parts = vec![ToldPart::words("The role of "), ToldPart::naming("you", me), ToldPart::words(" changed")];
    for (at, role) in roles.iter().enumerate() {
        let before = if at == 0 {
            ": it was "
        } else if at + 1 == roles.len() {
            " and "
        } else {
            ", "
        };
        parts.extend([ToldPart::words(before), role.clone()]);
    }
    parts
}
