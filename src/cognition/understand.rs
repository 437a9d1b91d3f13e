//! Understand: what a language model said becomes at most one call, however a small open model wrote it.
//!
//! A call beside the text, as its [dialect](crate::dialect) found it, comes first. Then come the [spellings](super::spelling) in which models
//! write calls into their text. The first call is the act, and prose beside it is what is said. Prose alone is a look: text never counts as a deed.

use std::cell::OnceCell;

use serde_json::{Map, Value as Json};

use crate::dialect::{EndedBy, Spoken};
use crate::fact::{Call, Code, Content, Reason, Text, Value, Verb};
use crate::verb::object_of;

use super::calls::CallReader;
use super::in_text::{ReadBy, scan};
use super::levels::levelled;
use super::offers::{OfferedDeed, Offers};
use super::spelling::mark::mark_in;
use super::spelling::row::SpelledAs;
use super::spelling::written::{NOTHING, NamedCall, TOOLS, VOTE, is_tool, named, plain_name};
use super::spelling::{CALL_PATTERNS, rows_of};
use super::spoken_words::without_reasoning;

/// The content of a reply, parsed.
#[derive(Clone, Debug, PartialEq)]
pub struct Understood {
    /// The first call, as it was written: a target that was left out is empty.
    pub call: Option<Call>,
    /// The text beside it.
    pub said: Option<Text>,
    /// How many further calls there were: a moment does one.
    pub more: u64,
}

/// The sign behind words that were cut off.
const GOES_ON: char = '…';

/// The being whose reply is understood, and what else is known.
pub struct ReplyContext<'a> {
    /// The being's own name, which it may write before its words.
    pub name: &'a str,
    /// The words of others in the same prompt: a call that stands in them is prose.
    pub foreign: &'a [&'a str],
    /// The names that were offered to it.
    pub offers: &'a Offers<'a>,
}

/// Whether a text that was cut may have been on its way to a call: its last line holds the mark of one, or ends in the beginning of one.
fn begins_a_call(text: &str) -> bool {
    let line = text.rsplit('\n').next().unwrap_or_default();
    let tagged = CALL_PATTERNS.iter().filter(|row| row.reads == SpelledAs::Tagged).flat_map(|row| &row.pattern.begins);
    let is_begun = |mark: &str| (2..mark.len()).filter_map(|len| mark.get(..len)).any(|begin| line.ends_with(begin));
    tagged
        .filter(|mark| mark.starts_with(['<', '[', ']']) && mark.len() > 2)
        .any(|mark| mark_in(line, mark).is_some() || is_begun(&mark.replace('\u{a4}', "")))
}

/// Understands what was said, or says by code and place why it cannot. Words that were cut off end in `…`.
pub fn understand(spoken: &Spoken, context: &ReplyContext<'_>) -> Result<Understood, Reason> {
    if let Some(refusal) = &spoken.refusal {
        return Err(Reason::new(Code::ReplyRefused, start_of(refusal)));
    }
    if let EndedBy::Malformed(place) = spoken.ended {
        return Err(Reason::new(Code::ReplyMalformed, place));
    }
    // A reply that was cut is not mended, and a call in it that does not parse was cut off.
    let cut_at = if let EndedBy::Cut(place) = spoken.ended { Some(place) } else { None };
    let mends = cut_at.is_none();
    let cut = |reason: Reason| match cut_at {
        // A name that nobody knows is no half of one.
        Some(place) if reason.code != Code::ReplyUnknownTool => Reason::new(Code::ReplyCut, place),
        _ => reason,
    };
    let reasoned = without_reasoning(&spoken.text);
    let foreign = OnceCell::new();
    let is_foreign = |written: &NamedCall| is_foreign(written, foreign.get_or_init(|| foreign_calls(context)), context);
    let reading = ReadBy { mends, offers: context.offers, is_foreign: &is_foreign };
    let scanned = scan(&reasoned.words, &reading);
    let words = said(&scanned.prose, context.name);
    if let Some((object, place)) = &spoken.call {
        let has_name = |(name, _): &NamedCall| !name.trim().is_empty();
        let written = named(object).filter(has_name).ok_or_else(|| Reason::new(Code::ReplyMalformed, *place));
        let call = written.and_then(|written| call(written, mends, context.offers)).map_err(cut)?;
        // A call in the text beside it is that call once more, and no words.
        return Ok(Understood { call: Some(call), said: words, more: spoken.more.len() as u64 });
    }
    if reasoned.opens && scanned.call.as_ref().is_some_and(Result::is_ok) {
        return Err(cut(Reason::new(Code::ReplyMalformed, UNFINISHED)));
    }
    match (scanned.call, spoken.ended) {
        (Some(found), _) => {
            let written = found.map_err(cut)?;
            let is_nothing = plain_name(&written.0).eq_ignore_ascii_case(NOTHING);
            let call = if is_nothing { None } else { Some(call(written, mends, context.offers).map_err(cut)?) };
            Ok(Understood { call, said: words, more: scanned.more })
        }
        (None, EndedBy::Cut(place)) => match words.filter(|text| !begins_a_call(text)) {
            Some(words) => Ok(Understood { call: None, said: Some(format!("{words}{GOES_ON}").into()), more: 0 }),
            None => Err(Reason::new(Code::ReplyCut, place)),
        },
        // It names a call, and has lost it.
        (None, EndedBy::Calling(place)) => Err(Reason::new(Code::ReplyMalformed, place)),
        (None, _) if reasoned.is_unfinished && holds_a_call(reasoned.hidden.last(), &reading) => {
            Err(Reason::new(Code::ReplyMalformed, UNFINISHED))
        }
        (None, _) if scanned.prose.is_empty() && reasoned.hidden.iter().any(|hidden| holds_a_call(Some(hidden), &reading)) => {
            Err(Reason::new(Code::ReplyMalformed, THOUGHT))
        }
        // Silence is a look.
        (None, EndedBy::Whole | EndedBy::Malformed(_) | EndedBy::Refused) => Ok(Understood { call: None, said: words, more: 0 }),
    }
}

/// How a call that stands in reasoning alone is told.
const THOUGHT: &str = "a call inside reasoning, and nothing behind it";
/// How a call inside reasoning that never ended is told.
const UNFINISHED: &str = "a call inside reasoning that never ends";

/// Whether reasoning holds a call behind the mark that begins it.
fn holds_a_call(hidden: Option<&&str>, reading: &ReadBy<'_>) -> bool {
    let inside = hidden.and_then(|text| text.split_once(['>', ']', '\u{25b7}'])).map(|(_, inside)| inside);
    inside.is_some_and(|text| scan(text, reading).call.is_some_and(|call| call.is_ok()))
}

/// So often an escaped text is looked at once more without its escapes.
const ESCAPED_MAX: usize = 3;
/// Escapes, and the signs that they stand for.
const ESCAPES: [(&str, &str); 14] = [
    ("\\\"", "\""),
    ("\\n", "\n"),
    ("\\t", " "),
    ("\\\\", "\\"),
    ("\\/", "/"),
    ("\\u0022", "\""),
    ("\\u003c", "<"),
    ("\\u003e", ">"),
    ("&quot;", "\""),
    ("&#34;", "\""),
    ("&lt;", "<"),
    ("&gt;", ">"),
    ("&apos;", "'"),
    ("&amp;", "&"),
];

/// The calls of others in the same prompt.
#[derive(Default)]
struct ForeignCalls {
    /// Their calls, quoted or not, in whatever spelling, also where they are escaped.
    calls: Vec<Call>,
    /// The letters and digits of texts that hold more than is read: any call of which all words stand there counts as theirs.
    unread: Vec<String>,
}

fn foreign_calls(context: &ReplyContext<'_>) -> ForeignCalls {
    let mut foreign = ForeignCalls::default();
    for words in context.foreign {
        let mut text = (*words).to_owned();
        for _ in 0..=ESCAPED_MAX {
            let (found, is_whole) = CallReader::of(&text, true, context.offers).anywhere(&text);
            foreign.calls.extend(found.into_iter().filter_map(|written| call(written, true, context.offers).ok()));
            foreign.unread.extend((!is_whole).then(|| letters(&text)));
            let bare = ESCAPES
                .iter()
                .fold(text.clone(), |text, (escape, sign)| if text.contains(escape) { text.replace(escape, sign) } else { text });
            if bare == text {
                break;
            }
            text = bare;
        }
    }
    foreign
}

/// The letters and digits of a text.
fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).collect()
}

/// Whether another has made a call that changes something.
fn is_foreign(written: &NamedCall, foreign: &ForeignCalls, context: &ReplyContext<'_>) -> bool {
    let Some(own) = call(written.clone(), true, context.offers).ok().filter(|own| own.verb != Verb::See) else { return false };
    let words = || {
        let args = serde_json::to_value(&own.args).unwrap_or_default();
        texts_of(&args).into_iter().chain([own.action.to_string()]).map(|text| letters(&text)).collect::<Vec<_>>()
    };
    let may_be_there = |unread: &String| words().iter().all(|word| unread.contains(word));
    foreign.calls.iter().any(|other| is_same(&own, other)) || foreign.unread.iter().any(may_be_there)
}

/// The texts in a value.
fn texts_of(value: &Json) -> Vec<String> {
    match value {
        Json::String(text) => vec![text.clone()],
        Json::Array(list) => list.iter().flat_map(texts_of).collect(),
        Json::Object(map) => map.values().flat_map(texts_of).collect(),
        Json::Null | Json::Bool(_) | Json::Number(_) => Vec::new(),
    }
}

/// Whether two calls are one, but for space in their texts.
fn is_same(own: &Call, other: &Call) -> bool {
    fn bare(value: &Content) -> String {
        let text = serde_json::to_string(value).unwrap_or_default();
        text.replace("\\n", "").replace("\\t", "").split_whitespace().collect()
    }
    (own.verb, &own.action) == (other.verb, &other.action)
        && (own.target == other.target || own.target.is_empty() || other.target.is_empty())
        && bare(&own.args) == bare(&other.args)
}

/// The arguments of a tool: an object, or the text of one, which may stand once more under a key that the tool does not have.
pub fn tool_arguments(args: Option<Json>, name: &str, mends: bool) -> Result<Map<String, Json>, Reason> {
    let map = match args {
        None | Some(Json::Null) => Map::new(),
        Some(Json::String(text)) if text.trim().is_empty() => Map::new(),
        Some(Json::String(text)) => object_of(&text, mends).map_err(|fault| Reason::new(Code::ReplyArguments, fault.to_string()))?,
        Some(Json::Object(map)) => map,
        Some(other) => {
            return Err(Reason::new(Code::ReplyArguments, format!("expected an object, found `{}`", start_of(&other.to_string()))));
        }
    };
    let has_args = [Verb::Do.word(), VOTE].iter().any(|tool| tool.eq_ignore_ascii_case(name));
    let mut pairs = map.iter();
    match (pairs.next(), pairs.next()) {
        (Some((key, inner @ (Json::Object(_) | Json::String(_)))), None) if mends && (key == "arguments" || key == "args" && !has_args) => {
            tool_arguments(Some(inner.clone()), name, false)
        }
        _ => Ok(map),
    }
}

/// An argument that is an object, or the text of one.
fn object_at(key: &str, args: &Map<String, Json>, mends: bool) -> Result<Value, Reason> {
    let wrong = |what: String| Reason::new(Code::ReplyArguments, format!("/{key} {what}").trim());
    let json = match args.get(key) {
        Some(Json::String(text)) if text.trim().is_empty() => Json::Null,
        Some(Json::String(text)) if text.trim_start().starts_with(['{', '"', '`']) => {
            object_of(text, mends).map(Json::Object).map_err(|fault| wrong(fault.to_string()))?
        }
        Some(json) => json.clone(),
        None => Json::Null,
    };
    let value: Value = serde_json::from_value(json).map_err(|_| wrong(String::new()))?;
    Ok(if value.is_null() { Value::Map(Default::default()) } else { value })
}

/// A call of one of the four tools.
fn call((name, args): NamedCall, mends: bool, offers: &Offers<'_>) -> Result<Call, Reason> {
    // An operation may be called by its whole name as if it were a tool.
    let deed = offers.deed(&name).filter(|_| !is_tool(&name));
    let name = if deed.is_some() { &*name } else { plain_name(&name) };
    let args = tool_arguments(args, name, mends)?;
    if name.eq_ignore_ascii_case(VOTE) {
        return vote(args, mends);
    }
    let verb = TOOLS.iter().find(|(tool, _)| tool.eq_ignore_ascii_case(name)).map(|(_, verb)| *verb);
    let Some(verb) = verb else {
        let deed = deed.or_else(|| offers.deed(name)).ok_or_else(|| Reason::new(Code::ReplyUnknownTool, start_of(name)))?;
        return deed_of(deed, args);
    };
    let args = if mends { levelled(verb, args, offers)? } else { args };
    let text = |key: &str| -> Result<Text, Reason> {
        match args.get(key) {
            None | Some(Json::Null) => Ok("".into()),
            Some(Json::String(text)) => Ok(text.as_str().into()),
            Some(_) => Err(Reason::new(Code::ReplyArguments, format!("/{key}"))),
        }
    };
    // A call without its subject would reach nobody, and nobody would learn why.
    let required = match verb {
        Verb::See => "address",
        Verb::Do => "action",
        Verb::Summon => "content",
        Verb::Be => "operation",
    };
    if args.get(required).is_none_or(Json::is_null) {
        let found: Vec<&str> = args.keys().map(String::as_str).collect();
        let found = if found.is_empty() { "nothing".to_owned() } else { format!("the keys {}", found.join(", ")) };
        return Err(Reason::new(Code::ReplyArguments, format!("expected `{required}`, found {found}")));
    }
    let blank = Call { verb, target: "".into(), action: "".into(), args: Content::Here(Value::Null), content: None };
    Ok(match verb {
        Verb::See => {
            let (target, beside) = look(text("address")?, &args)?;
            Call { target, args: Content::Here(beside), ..blank }
        }
        Verb::Do => {
            Call { target: text("target")?, action: text("action")?, args: Content::Here(object_at("args", &args, mends)?), ..blank }
        }
        Verb::Summon => Call { target: text("target")?, args: Content::Here(spoken_to(&args)?), ..blank },
        Verb::Be => Call { action: text("operation")?, args: Content::Here(object_at("payload", &args, mends)?), ..blank },
    })
}

/// An operation that is called as if it were a tool: its target may stand among its arguments, or may be left out.
fn deed_of(deed: &OfferedDeed, mut args: Map<String, Json>) -> Result<Call, Reason> {
    let takes = |key: &str| deed.keys.iter().any(|own| own == key);
    let target = match if takes("target") { None } else { args.remove("target") } {
        None | Some(Json::Null) => String::new(),
        Some(Json::String(target)) => target,
        Some(_) => return Err(Reason::new(Code::ReplyArguments, "/target")),
    };
    let inner = if args.len() == 1 && !takes("args") { args.get("args").and_then(Json::as_object).cloned() } else { None };
    let args: Value = serde_json::from_value(Json::Object(inner.unwrap_or(args))).map_err(|_| Reason::new(Code::ReplyArguments, "/"))?;
    Ok(Call { verb: Verb::Do, target: target.into(), action: deed.name.as_str().into(), args: Content::Here(args), content: None })
}

/// The arguments of a summons.
fn spoken_to(args: &Map<String, Json>) -> Result<Value, Reason> {
    let value = |key: &str| -> Result<Value, Reason> {
        let json = match args.get(key) {
            Some(Json::String(text)) if text.trim_start().starts_with('{') => {
                serde_json::from_str(text).unwrap_or_else(|_| Json::String(text.clone()))
            }
            Some(json) => json.clone(),
            None => Json::Null,
        };
        serde_json::from_value(json).map_err(|_| Reason::new(Code::ReplyArguments, format!("/{key}")))
    };
    let mut map = vec![("content", value("content")?)];
    for key in ["inReplyTo", "intent", "rank", "orientation", "role"] {
        let given = value(key)?;
        if !given.is_null() {
            map.push((key, given));
        }
    }
    Ok(Value::map(map))
}

/// A vote is said to whoever asks for it: the call as its words.
fn vote(args: Map<String, Json>, mends: bool) -> Result<Call, Reason> {
    // A model may write the arguments of what it votes for as text.
    let written = args.get("args").is_some_and(Json::is_string).then(|| object_at("args", &args, mends)).transpose()?;
    let mut ballot: Value = serde_json::from_value(Json::Object(args)).map_err(|_| Reason::new(Code::ReplyArguments, "/"))?;
    if let (Value::Map(map), Some(args)) = (&mut ballot, written) {
        map.insert("args".into(), args);
    }
    match Call::read(&ballot) {
        Ok(Some(_)) => Ok(Call::summon("", Value::map([("content", ballot)]))),
        Ok(None) => Err(Reason::new(Code::ReplyArguments, "/")),
        Err(place) => Err(Reason::new(Code::ReplyArguments, place)),
    }
}

/// A look: words, and where it begins, stand beside its address.
fn look(address: Text, args: &Map<String, Json>) -> Result<(Text, Value), Reason> {
    let words = match args.get("words") {
        None | Some(Json::Null) => None,
        Some(Json::String(words)) => Some(words.trim()).filter(|words| !words.is_empty()),
        Some(_) => return Err(Reason::new(Code::ReplyArguments, "/words")),
    };
    let words = words.map(|words| ("words", Value::from(words)));
    let beside: Vec<(&str, Value)> = from(args)?.map(|from| ("from", Value::Int(from))).into_iter().chain(words).collect();
    Ok((address, if beside.is_empty() { Value::Null } else { Value::map(beside) }))
}

/// From which byte of a long text, or from which item of a list, a look goes on; nothing where it begins at its beginning.
fn from(args: &Map<String, Json>) -> Result<Option<i64>, Reason> {
    match args.get("from") {
        None | Some(Json::Null) => Ok(None),
        // A number as text, where no text is taken.
        Some(from) => match from.as_i64().or_else(|| from.as_str()?.parse().ok()) {
            Some(0) => Ok(None),
            Some(from) if from > 0 => Ok(Some(from)),
            Some(_) | None => Err(Reason::new(Code::ReplyArguments, "/from")),
        },
    }
}

/// The words of a text: without the being's own name before them, and none where they only say that there are none.
fn said(text: &str, name: &str) -> Option<Text> {
    let text = text.trim();
    let bare = without_name(text, name).unwrap_or(text);
    let is_silence = rows_of(SpelledAs::Silence).flat_map(|row| row.marks).any(|mark| bare.eq_ignore_ascii_case(mark));
    Some(bare).filter(|bare| !bare.is_empty() && !is_silence).map(Text::from)
}

/// A text behind the being's own name and a colon.
fn without_name<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let bare = text.trim_start_matches('*');
    let stars = text.len() - bare.len();
    let (own, rest) = bare.strip_prefix('@').unwrap_or(bare).split_at_checked(name.len()).filter(|_| !name.is_empty())?;
    let stars = text.get(..stars)?;
    // The colon may stand before or behind the marks that close the bold name.
    let rest = rest.strip_prefix(':').and_then(|rest| rest.strip_prefix(stars)).or_else(|| rest.strip_prefix(stars)?.strip_prefix(':'))?;
    own.eq_ignore_ascii_case(name).then(|| rest.trim_start())
}

fn start_of(text: &str) -> String {
    text.chars().take(80).collect()
}
