//! Doing: what a call does, in the third person of the present and with addresses as they were written: `puts /line/board-00684 into /line/bin`.

use crate::fact::{Call, Content, Telling, Text, Value, Verb, with_article};
use crate::verb::{BE_OPERATIONS, GENESIS};
use crate::world::World;

use super::naming::readable;
use super::part::cut;
use super::tense::third_of;
use super::wording::{ToldCall, Wording, core_sentence};

/// The keys under which the content of a summons may say its words.
const SAYS: [&str; 7] = ["says", "text", "message", "question", "about", "claim", "content"];
/// How long the name of a kind is in a sentence, in characters.
const KIND_MAX: usize = 60;

/// The deed behind the name of whoever does it.
pub(super) fn deed(told: &ToldCall<'_>, words: Option<&str>, is_answer: bool, world: &World) -> String {
    match told.call.verb {
        Verb::See if told.call.target.is_empty() || told.is_to_oneself() => "looks around".to_owned(),
        Verb::See => format!("looks at {}", told.target()),
        Verb::Do => doing(told, world),
        Verb::Summon => summoning(told, words, is_answer),
        Verb::Be => being(told),
    }
}

/// An operation: in the words of its manifest or of the core, else by its name and its target.
fn doing(told: &ToldCall<'_>, world: &World) -> String {
    let is_read = matches!(told.call.args, Content::Here(_));
    let written = world.registry().operations.get(&told.call.action).and_then(|operation| operation.told.as_deref());
    let in_words = written.and_then(|written| Telling::parse(written).ok());
    // A sentence whose arguments nobody has at hand would have holes.
    let in_words = in_words.filter(|telling| is_read || telling.arguments().next().is_none());
    let in_words = in_words.map(|telling| telling.write(told.call)).filter(|told| !told.is_empty());
    in_words.or_else(|| core_sentence(told)).unwrap_or_else(|| by_name(told))
}

/// `court:call-to-order` calls to order; `town:mend` on a bridge mends the bridge.
fn by_name(told: &ToldCall<'_>) -> String {
    let name = readable(told.call.action.rsplit(':').next().unwrap_or_default());
    let (verb, rest) = name.split_once(' ').map_or((name.as_str(), ""), |(verb, rest)| (verb, rest));
    let target = Some(told.target()).filter(|target| !target.is_empty() && !told.is_to_oneself() && rest.is_empty());
    [third_of(verb).as_str(), rest, target.unwrap_or_default()].into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

fn being(told: &ToldCall<'_>) -> String {
    let action = told.call.action.as_ref();
    if action == GENESIS {
        return "begins".to_owned();
    }
    let sentences = BE_OPERATIONS.iter().find(|(name, ..)| *name == action).map_or(&[][..], |(.., sentences)| *sentences);
    sentences.iter().find_map(|sentence| Wording::parse(sentence)?.fill(told)).unwrap_or_else(|| by_name(told))
}

/// The words of a summons: its own, else those of its content that read as words.
pub(super) fn words_in(call: &Call) -> Option<Text> {
    let Content::Here(args) = &call.args else { return None };
    let content = args.get("content").unwrap_or(args);
    let said = |map: &Value| SAYS.iter().find_map(|key| map.get(key)?.as_text().filter(|text| !text.is_empty()).cloned());
    match content {
        Value::Text(text) => Some(text.clone()),
        Value::Map(_) => said(content).or_else(|| longest(content)),
        _ => None,
    }
    .filter(|words| !words.is_empty())
}

/// The longest text in a value that reads as words.
fn longest(value: &Value) -> Option<Text> {
    match value {
        Value::Text(text) => Some(text.clone()).filter(|text| text.trim().contains(' ')),
        Value::Map(map) => map.values().filter_map(longest).max_by_key(|text| text.len()),
        _ => None,
    }
}

/// The kind that the content of a summons says it is, such as a defect or a verdict, and the thing that it is about.
fn subject_of(told: &ToldCall<'_>) -> (String, String) {
    let content = told.arg("content").filter(|content| matches!(content, Value::Map(_))).or_else(|| told.arg(""));
    let text = |value: Option<&Value>| value.and_then(Value::as_text).filter(|text| !text.is_empty()).cloned();
    let kind = ["kind", "topic"].iter().find_map(|key| text(content?.get(key))).or_else(|| text(told.arg("intent")));
    let is_thing = |text: &str| {
        let inner = text.strip_prefix(['/', '@']).unwrap_or_default();
        inner.contains('/') && !text.chars().any(char::is_whitespace)
    };
    let about = match content {
        Some(Value::Map(map)) => {
            map.iter().filter(|(key, _)| key.as_ref() != "target").find_map(|(_, value)| value.as_text().filter(|text| is_thing(text)))
        }
        _ => None,
    };
    (kind.map(|kind| cut(&readable(&kind), KIND_MAX)).unwrap_or_default(), about.map(ToString::to_string).unwrap_or_default())
}

fn summoning(told: &ToldCall<'_>, words: Option<&str>, is_answer: bool) -> String {
    let target = match told.call.target.as_ref() {
        "" => "somebody",
        _ if told.is_to_oneself() => "itself",
        target => target,
    };
    if !matches!(told.call.args, Content::Here(_)) {
        return format!("{} {target} something long", if is_answer { "answers" } else { "tells" });
    }
    let (kind, about) = if words.is_some() { Default::default() } else { subject_of(told) };
    let said = words.map(str::to_owned).or_else(|| words_in(told.call).map(|words| words.to_string()));
    let is_question = said.as_deref().is_some_and(|said| said.trim_end().ends_with('?'));
    match (kind.is_empty(), about.is_empty(), said.is_some()) {
        (false, false, true) => format!("{} {target} {} on {about}", if is_answer { "gives" } else { "sends" }, with_article(&kind)),
        (false, false, false) => format!("sends {target} {}: {about}", with_article(&kind)),
        (_, _, true) if is_answer => format!("answers {target}"),
        (_, _, true) => format!("{} {target}", if is_question { "asks" } else { "tells" }),
        (false, ..) => format!("sends {target} {}", with_article(&kind)),
        _ if is_answer => format!("answers {target}"),
        _ => format!("calls on {target}"),
    }
}
