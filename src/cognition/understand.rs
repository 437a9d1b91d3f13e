//! Understand: what a language model said becomes at most one call, however a small open model wrote it.
//!
//! A call beside the text, as its [dialect](crate::dialect) found it, comes first; then the ways in which models write them into their text: tagged, fenced, or bare JSON, with the
//! arguments as an object or as text. The first call is the act, prose beside it is what is said; prose alone is a look. Nothing is
//! guessed from prose: text never counts as a deed.

use serde_json::{Map, Value as Json};

use crate::dialect::Spoken;
use crate::fact::{Call, Code, Content, Reason, Text, Value, Verb};
use crate::verb::LIFE;

/// What was understood of a reply.
#[derive(Clone, Debug, PartialEq)]
pub struct Understood {
    /// The first call, as it was written: a target that was left out is empty.
    pub call: Option<Call>,
    /// The text beside it.
    pub said: Option<Text>,
}

/// The names of the four tools.
const TOOLS: [(&str, Verb); 4] = [("see", Verb::See), ("do", Verb::Do), ("summon", Verb::Summon), ("be", Verb::Be)];

/// The name of a call by which whoever is asked for a vote answers.
pub(super) const VOTE: &str = "vote";

/// The name of a call that does nothing: a model that is held to a schema cannot be silent.
const NOTHING: &str = "nothing";

/// Understands what was said, or says by code and place why it cannot.
pub fn understand(spoken: &Spoken) -> Result<Understood, Reason> {
    if let Some(refusal) = &spoken.refusal {
        return Err(Reason::new(Code::ReplyRefused, start_of(refusal)));
    }
    let text = without_thinking(&spoken.text);
    // A call that does not parse in what was cut off is one that was cut off.
    let cut = |reason: Reason| spoken.cut.map_or(reason, |place| Reason::new(Code::ReplyCut, place));
    if let Some((object, place)) = &spoken.call {
        let written = named(object).unwrap_or_else(|| Err(Reason::new(Code::ReplyMalformed, *place)));
        let call = written.and_then(|(name, args)| call(&name, args)).map_err(cut)?;
        return Ok(Understood { call: Some(call), said: said(text) });
    }
    match (in_text(text), spoken.cut) {
        (Some((Ok((name, _)), prose)), _) if name == NOTHING => Ok(Understood { call: None, said: said(&prose) }),
        (Some((written, prose)), _) => {
            let call = written.and_then(|(name, args)| call(&name, args)).map_err(cut)?;
            Ok(Understood { call: Some(call), said: said(&prose) })
        }
        (None, Some(place)) => Err(Reason::new(Code::ReplyCut, place)),
        // Silence is a look.
        (None, None) => Ok(Understood { call: None, said: said(text) }),
    }
}

type Written = Result<(String, Json), Reason>;

/// A name with arguments, in any of the shapes that models write; nothing for an object that is no call.
fn named(object: &Json) -> Option<Written> {
    let object = object.as_object()?;
    if let Some(inner) = object.get("function").filter(|inner| inner.is_object()) {
        return named(inner);
    }
    let name = ["name", "tool", "tool_name", "function", "verb"].iter().find_map(|key| object.get(*key)?.as_str());
    let args = ["arguments", "parameters", "args", "input"].iter().find_map(|key| object.get(*key));
    if let Some(name) = name {
        // `{"verb": "do", "target": …, "args": {…}}`: the object itself holds the tool's arguments.
        let is_flat = object.contains_key("target") || object.contains_key("address") || object.contains_key("content");
        let args = if is_flat { Some(object.iter().filter(|(key, _)| key.as_str() != "verb").map(pair).collect()) } else { args.cloned() };
        return Some(arguments(args).map(|args| (name.to_owned(), args)));
    }
    // `{"do": {…}}`
    let mut pairs = object.iter();
    match (pairs.next(), pairs.next()) {
        (Some((name, args @ Json::Object(_))), None) if verb(name).is_some() => Some(Ok((name.clone(), args.clone()))),
        _ => None,
    }
}

fn pair((key, value): (&String, &Json)) -> (String, Json) {
    (key.clone(), value.clone())
}

/// Arguments as an object, or as the text of one.
fn arguments(args: Option<Json>) -> Result<Json, Reason> {
    match args {
        None | Some(Json::Null) => Ok(Json::Object(Map::new())),
        Some(Json::String(text)) if text.trim().is_empty() => Ok(Json::Object(Map::new())),
        Some(Json::String(text)) => match serde_json::from_str(&text) {
            Ok(args @ Json::Object(_)) => Ok(args),
            Ok(_) | Err(_) => Err(Reason::new(Code::ReplyArguments, start_of(&text))),
        },
        Some(args @ Json::Object(_)) => Ok(args),
        Some(other) => Err(Reason::new(Code::ReplyArguments, start_of(&other.to_string()))),
    }
}

/// The first call written into a text, and the prose around it.
fn in_text(text: &str) -> Option<(Written, String)> {
    for (open, close) in [
        ("<tool_call>", "</tool_call>"),
        ("<function_call>", "</function_call>"),
        ("<|python_tag|>", "<|eom_id|>"),
        ("[TOOL_CALLS]", "\u{0}"),
    ] {
        if let Some((before, rest)) = text.split_once(open) {
            let (inside, after) = rest.split_once(close).unwrap_or((rest, ""));
            let written = json_in(inside).and_then(|(json, ..)| named(&first_of(json)));
            let written = written.unwrap_or_else(|| Err(Reason::new(Code::ReplyMalformed, start_of(inside.trim()))));
            return Some((written, joined(before, after)));
        }
    }
    // `<function=do>{…}</function>`
    if let Some((before, rest)) = text.split_once("<function=")
        && let Some((name, rest)) = rest.split_once('>')
    {
        let (inside, after) = rest.split_once("</function>").unwrap_or((rest, ""));
        return Some((arguments(Some(Json::String(inside.to_owned()))).map(|args| (name.trim().to_owned(), args)), joined(before, after)));
    }
    let (json, from, to) = json_in(text)?;
    let written = named(&first_of(json))?;
    let (before, after) = (text.get(..from).unwrap_or_default(), text.get(to..).unwrap_or_default());
    // A fence belongs to the call, not to the prose.
    let before = before.trim_end().trim_end_matches("json").trim_end_matches("```");
    let after = after.trim_start().trim_start_matches("```");
    Some((written, joined(before, after)))
}

fn first_of(json: Json) -> Json {
    match json {
        Json::Array(mut list) if !list.is_empty() => list.swap_remove(0),
        other => other,
    }
}

fn joined(before: &str, after: &str) -> String {
    [before.trim(), after.trim()].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n")
}

/// The first JSON object or list of objects in a text that is a call, and where it begins and ends.
fn json_in(text: &str) -> Option<(Json, usize, usize)> {
    // So many places are tried: a text of nothing but braces must not cost the square of its length.
    let places = text.match_indices(['{', '[']).take(64);
    places.into_iter().find_map(|(from, _)| {
        let rest = text.get(from..)?;
        let mut stream = serde_json::Deserializer::from_str(rest).into_iter::<Json>();
        let json = stream.next()?.ok()?;
        let is_call = named(&first_of(json.clone())).is_some();
        is_call.then(|| (json, from, from + stream.byte_offset()))
    })
}

fn verb(name: &str) -> Option<Verb> {
    let name = name.rsplit(['.', ':']).next().unwrap_or(name).trim();
    TOOLS.iter().find(|(tool, _)| tool.eq_ignore_ascii_case(name)).map(|(_, verb)| *verb)
}

/// A call of one of the four tools.
fn call(name: &str, args: Json) -> Result<Call, Reason> {
    if name.trim().eq_ignore_ascii_case(VOTE) {
        return vote(args);
    }
    let verb = verb(name).ok_or_else(|| Reason::new(Code::ReplyUnknownTool, start_of(name)))?;
    let text = |key: &str| -> Result<Text, Reason> {
        match args.get(key) {
            None | Some(Json::Null) => Ok("".into()),
            Some(Json::String(text)) => Ok(text.as_str().into()),
            Some(_) => Err(Reason::new(Code::ReplyArguments, format!("/{key}"))),
        }
    };
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
    let here = |value: Value| Content::Here(if value.is_null() { Value::Map(Default::default()) } else { value });
    let blank = Call { verb, target: "".into(), action: "".into(), args: Content::Here(Value::Null), content: None };
    Ok(match verb {
        Verb::See => Call { target: sought(text("address")?, &args)?, args: Content::Here(from(&args)?), ..blank },
        Verb::Do => Call { target: text("target")?, action: text("action")?, args: here(value("args")?), ..blank },
        Verb::Summon => {
            let mut map = vec![("content", value("content")?)];
            for key in ["inReplyTo", "intent", "rank", "orientation", "role"] {
                let given = value(key)?;
                if !given.is_null() {
                    map.push((key, given));
                }
            }
            Call { target: text("target")?, args: Content::Here(Value::map(map)), ..blank }
        }
        Verb::Be => Call { action: text("operation")?, args: here(value("payload")?), ..blank },
    })
}

/// A vote is said to whoever asks for it: the call as its words.
fn vote(args: Json) -> Result<Call, Reason> {
    let mut ballot: Value = serde_json::from_value(args).map_err(|_| Reason::new(Code::ReplyArguments, "/"))?;
    // A model that is held to all keys fills those that do not count, and one that is not may write the arguments as text.
    if let Value::Map(map) = &mut ballot {
        let written = map.get("args").and_then(Value::as_str).map(serde_json::from_str::<Value>);
        if let Some(args) = written {
            map.insert("args".into(), args.map_err(|_| Reason::new(Code::ReplyArguments, "/args"))?);
        }
    }
    match Call::read(&ballot) {
        Ok(Some(_)) => Ok(Call::summon("", Value::map([("content", ballot)]))),
        Ok(None) => Err(Reason::new(Code::ReplyArguments, "/")),
        Err(place) => Err(Reason::new(Code::ReplyArguments, place)),
    }
}

/// The address of a look; words that are to be found in a life are the entry of its register.
fn sought(address: Text, args: &Json) -> Result<Text, Reason> {
    let wrong = || Reason::new(Code::ReplyArguments, "/words");
    match args.get("words") {
        None | Some(Json::Null) => Ok(address),
        Some(Json::String(words)) if words.trim().is_empty() => Ok(address),
        Some(Json::String(words)) => {
            let life = Some(address.trim_end_matches('/')).filter(|address| address.ends_with(LIFE)).ok_or_else(wrong)?;
            Ok(format!("{life}/{}", words.split_whitespace().collect::<Vec<_>>().join("+")).into())
        }
        Some(_) => Err(wrong()),
    }
}

/// From which byte of a long text a look goes on; nothing where it begins at its beginning.
fn from(args: &Json) -> Result<Value, Reason> {
    match args.get("from") {
        None | Some(Json::Null) => Ok(Value::Null),
        Some(from) => match from.as_i64() {
            Some(0) => Ok(Value::Null),
            Some(from) if from > 0 => Ok(Value::map([("from", Value::Int(from))])),
            Some(_) | None => Err(Reason::new(Code::ReplyArguments, "/from")),
        },
    }
}

/// What stands behind a model's reasoning aloud.
fn without_thinking(text: &str) -> &str {
    let Some((_, after)) = text.rsplit_once("</think>") else {
        return if text.trim_start().starts_with("<think>") { "" } else { text };
    };
    after
}

fn said(text: &str) -> Option<Text> {
    Some(text.trim()).filter(|text| !text.is_empty()).map(Text::from)
}

fn start_of(text: &str) -> String {
    text.chars().take(80).collect()
}
