//! Woken: what opened a moment, as a model is told it, and what became of its last deed if that came to nothing.

use crate::fact::{BeingId, Code, CodeKind, Receipt, Thing, Value, Verb, in_a_line, in_marks, says};
use crate::moment::Opening;
use crate::verb::ONESELF;
use crate::world::{Attempted, Body, HeardWords, Missed, World, address_of};

use super::ballot::question;
use super::glance::{line, page};
use super::petition::petition;

/// Why the moment opened, as the user message.
pub(super) fn woken(opening: &Opening, world: &World) -> String {
    let name = |id: &BeingId| world.being(*id).map_or_else(|| id.to_string(), |being| format!("@{}", being.name));
    match &opening.wake.about().body {
        Body::Summons { from, summons, content, .. } if summons.is_ballot() => {
            format!("{} asks for your vote: which call shall it make?\n{}Vote with the tool `vote`.", name(from), question(content, world))
        }
        Body::Summons { from, summons, content, .. } if summons.is_receipt() => {
            let receipt = Receipt::read(content).unwrap_or_default();
            format!("What became of what you asked of {0}: {0} {1}; no answer is wanted.", name(from), receipt.sentence())
        }
        Body::Summons { summons, content, .. } if summons.is_petition() => petition(content),
        Body::Summons { from, summons, content, .. } => {
            let role = summons.caller_role.as_ref().map(|role| format!(", as {role},")).unwrap_or_default();
            let intent = summons.intent.as_ref().map(|intent| format!(" ({})", in_marks(intent))).unwrap_or_default();
            let who = match *from == opening.being.id {
                true => format!("You{role} have summoned yourself"),
                false => format!("{}{role} summons you", name(from)),
            };
            let head = format!("{who}{intent}{}", terms(opening));
            // Its own words are no others'.
            if *from == opening.being.id { format!("{head}: {}", page(content)) } else { says(&head, &page(content)) }
        }
        Body::Signal { path } => {
            says(&format!("The signal {path} has changed. It is now"), &line(&world.signals().at(path).cloned().unwrap_or_default()))
        }
        Body::Schedule { name, content } if content.is_null() => format!("It is time for `{name}`."),
        Body::Schedule { name, content } => says(&format!("It is time for `{name}`"), &page(content)),
        Body::Enter { space } => format!("You have come into {}.", world.path_of(*space)),
        Body::Arrival { who } => format!("{} has come.", name(who)),
        Body::Hear { hearing } => heard(hearing, name),
        Body::Watch { who, action, target, count, .. } => {
            let more = if *count > 1 { format!(", {count} times by now") } else { String::new() };
            let target = match target {
                Thing::Being(id) if *id == opening.being.id => "you".to_owned(),
                Thing::Being(id) if id == who => "itself".to_owned(),
                target => address_of(world, *target),
            };
            format!("{} has done {action} to {target}{more}.", name(who))
        }
        Body::Change { wore } if wore.is_empty() => "Something has changed: you wear a role again.".to_owned(),
        Body::Change { wore } => format!("Something has changed: you were {} before.", wore.join(", ")),
        Body::Crossing => "Time has passed.".to_owned(),
        Body::SelfContinue { .. } => format!("Go on with what you are doing{}.", terms(opening)),
        Body::Boot { .. } => "The world goes on again.".to_owned(),
        Body::Gesture | Body::End | Body::ReplyDue { .. } => String::new(),
    }
}

/// All that it has heard since it woke last, as far as that is kept.
fn heard(hearing: &HeardWords, name: impl Fn(&BeingId) -> String) -> String {
    let words =
        hearing.words.iter().map(|heard| says(&format!("{} says", name(&heard.who)), &heard.content)).collect::<Vec<_>>().join("\n");
    match (hearing.count, hearing.more()) {
        (0 | 1, _) => words,
        (count, 0) => format!("You have heard {count} things, the newest last.\n{words}"),
        (count, more) => format!("You have heard {count} things, the newest last; {more} before these are not told here.\n{words}"),
    }
}

/// The caller's terms: its restriction to verbs, and whether an answer is expected; empty by default.
fn terms(opening: &Opening) -> String {
    let only = opening.wake.only();
    let words: Vec<&str> = only.each().map(Verb::word).collect();
    let narrowed = if only.is_all() { String::new() } else { format!("; for this you may only {}", words.join(" or ")) };
    let is_summons = opening.wake.summons().is_some();
    let is_deputy = is_summons && opening.worn.acts_for_caller;
    let deputy = if is_deputy { "; what you do for it counts as done by them, with their rights and not yours" } else { "" };
    let unanswered = if is_summons && !opening.is_awaited() { "; no answer is wanted" } else { "" };
    format!("{narrowed}{deputy}{unanswered}")
}

/// A being as another knows it: `@bob (human), as clerk, is here; no kin of yours. You remember 24 messages between you, since …`.
pub(super) fn acquainted(about: &Value) -> String {
    let text = |key: &str| about.get(key).and_then(Value::as_str).unwrap_or_default();
    let wearing: Vec<&str> = about.get("wearing").and_then(Value::as_list).unwrap_or_default().iter().filter_map(Value::as_str).collect();
    let worn = if wearing.is_empty() { String::new() } else { format!(", as {},", wearing.join(" + ")) };
    let place = if about.get("isHere").and_then(Value::as_bool) == Some(true) { "is here" } else { "is not here" };
    let is_oneself = text("kin") == ONESELF;
    let between = if is_oneself { "to yourself" } else { "between you" };
    let known = match about.get("words").and_then(Value::as_int).unwrap_or(0) {
        // The one that the being hears now.
        0 | 1 => String::new(),
        count => format!(" You remember {count} messages {between}, since {}.", text("firstOfThem")),
    };
    if is_oneself {
        return format!("{} is you.{known}", text("name"));
    }
    format!("{} ({}){worn} {place}; {}.{known}", text("name"), text("cognition"), text("kin"))
}

/// The fate of its last call: a model that hears of no refusal does the same again.
pub(super) fn missed(opening: &Opening, near: impl FnOnce(&Attempted) -> Option<String>) -> String {
    let Some(missed) = &opening.being.missed else { return String::new() };
    let Missed { deed, reason } = &**missed;
    let why = |nearest: Option<String>| refused_words(reason.code.sentence(), (reason.code, &reason.at), nearest.as_deref());
    match deed {
        None if reason.code == Code::LeftOut => {
            let calls = if &*reason.at == "1" { "one more call".to_owned() } else { format!("{} more calls", reason.at) };
            format!("\n[left out]\nYour last reply held {calls} than was done: only the first counts. Do one thing at a time.\n")
        }
        Some(deed) => format!("\n[refused]\nYou tried to {}. It was refused: {}\n", in_a_line(&deed.to_string()), why(near(deed))),
        None if reason.code.kind() == CodeKind::Reply => format!("\n[not understood]\nYour last reply did nothing: {}\n", why(None)),
        None => format!("\n[refused]\nYour last call was refused: {}\n", why(None)),
    }
}

/// Why a call was refused and where, what to do, and the nearest that would be allowed.
pub fn refused_words(why: &str, (code, place): (Code, &str), nearest: Option<&str>) -> String {
    let place = if place.is_empty() { String::new() } else { format!(" (at `{place}`)") };
    let nearest = nearest.map(|nearest| format!(" The nearest that you may do now: {nearest}.")).unwrap_or_default();
    format!("{why} [{code}]{place}. {}{nearest}", todo(code.kind()))
}

/// How to say it right.
const fn todo(kind: CodeKind) -> &'static str {
    match kind {
        CodeKind::Gate => "Choose among what you may do now, or ask somebody who may.",
        CodeKind::Call => "Look at it as it is now, then name it as it is called there.",
        CodeKind::Args => "Give the arguments that the operation names, each of its kind.",
        CodeKind::Reply => "Call one of your tools, by its name and with its arguments.",
        CodeKind::Script | CodeKind::Mind | CodeKind::Brake | CodeKind::Endpoint | CodeKind::Beat | CodeKind::Door => "Do something else.",
    }
}
