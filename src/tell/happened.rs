//! Happened: what came of a moment, behind the name of whoever did it and in the past; of a refusal what they wanted, and why not.

use std::cell::Cell;

use crate::fact::{Call, Canon, Closing, Code, Content, Draft, Fact, Hash, INLINE_MAX, Reason, Text, Thing, Value, Verb, plain};
use crate::world::World;

use super::doing::{deed, words_in};
use super::naming::{MovedThing, named, named_among, titled};
use super::part::{ToldPart, cut};
use super::tense::{as_base, in_past};
use super::wording::{ToldCall, last_name};

/// How much of what was said a sentence carries, in characters; the moment itself has it whole.
const SAID_MAX: usize = 2000;
/// How long a value of a signal is in its sentence, in characters.
const VALUE_MAX: usize = 40;
/// The operation that publishes a signal of the world.
const SIGNAL: &str = "signal.set";
/// The operation by which somebody speaks aloud.
const SAY: &str = "say";

thread_local! {
    static TELLINGS: Cell<u64> = const { Cell::new(0) };
}

/// How many frames this thread has told of: none where nobody watches.
#[doc(hidden)]
pub fn tellings() -> u64 {
    TELLINGS.get()
}

/// A moment in words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ToldMoment {
    /// The sentence, behind the name of whoever did it.
    pub told: Vec<ToldPart>,
    /// The new value of a signal, as a sentence of its own: `The alarm is on`. Empty where nothing was published.
    pub turn: Vec<ToldPart>,
}

/// All that the sentence of a moment is made of.
#[derive(Clone, Copy)]
pub struct Moment<'a> {
    /// The name of whoever acted.
    pub being: &'a str,
    /// The space where they stood before, as its path; empty where that is not known.
    pub stood: &'a str,
    /// The call.
    pub call: Option<&'a Call>,
    /// How it closed.
    pub closing: &'a Closing,
    /// Whether it answers somebody.
    pub is_answer: bool,
    /// The things that it moved.
    pub moved: &'a [MovedThing],
}

impl ToldMoment {
    /// The sentence of a frame, in the world that it was folded into or a later one.
    pub fn of(draft: &Draft, world: &World) -> Self {
        TELLINGS.set(TELLINGS.get() + 1);
        let name = world.being(draft.being).map_or_else(|| draft.being.to_string(), |being| being.name.to_string());
        let stood = world.stood().filter(|_| world.next_seq() == draft.seq + 1).map(|(space, _)| world.path_of(space));
        let is_answer = draft.answers().is_some();
        let moved: Vec<MovedThing> = draft.facts.iter().filter_map(|fact| moved_by(fact, world)).collect();
        let (being, stood) = (name.as_str(), stood.unwrap_or_default());
        Self::told(Moment { being, stood: &stood, call: draft.call.as_ref(), closing: &draft.closing, is_answer, moved: &moved }, world)
    }

    /// The sentence of a moment, kept or only tried.
    pub fn told(moment: Moment<'_>, world: &World) -> Self {
        let Moment { being, stood, call, closing, is_answer, moved } = moment;
        // Arguments that are too large for a frame are told of no more before it is written than behind it.
        let shed = call
            .filter(|call| is_large(&call.args))
            .map(|call| Call { args: Content::Unread { hash: Hash::NOTHING, len: 0 }, ..call.clone() });
        let call = shed.as_ref().or(call);
        let heard = call.filter(|_| is_heard(closing)).and_then(words_of);
        let said = heard.clone().or_else(|| call.filter(|call| call.verb == Verb::Summon).and_then(words_in));
        let deed = call.map(|call| deed(&ToldCall { call, being, stood }, heard.as_deref(), is_answer, world));
        let mut told = named_among(&begun(deed.as_deref(), closing), world, moved);
        if let (Some(said), false) = (&said, matches!(closing, Closing::Requeued(_))) {
            told.extend([ToldPart::words(call.map_or("", before_words)), ToldPart::said(cut(said, SAID_MAX))]);
        }
        if let Some(reason) = closing.reason().filter(|_| !is_quiet(closing)) {
            told.push(ToldPart { is_why: true, ..ToldPart::words(format!(": {}", reason_words(reason, world))) });
        }
        Self { told, turn: call.filter(|_| *closing == Closing::Act).map(turn).unwrap_or_default() }
    }
}

/// The effect of a call, as a sentence of its own: `Asks Mo: “Take a break?”`.
pub fn does(call: &Call, being: &str, world: &World) -> Vec<ToldPart> {
    let words = words_of(call);
    let deed = deed(&ToldCall { call, being, stood: "" }, words.as_deref(), false, world);
    let mut letters = deed.chars();
    let deed: String = letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default();
    let said = words.or_else(|| words_in(call).filter(|_| call.verb == Verb::Summon));
    named(&deed, world)
        .into_iter()
        .chain(said.into_iter().flat_map(|said| [ToldPart::words(before_words(call)), ToldPart::said(said.to_string())]))
        .collect()
}

/// The thing that a fact has moved.
fn moved_by(fact: &Fact, world: &World) -> Option<MovedThing> {
    let Fact::Moved { of: Thing::Matter(id), .. } = fact else { return None };
    world.matter(*id).map(|matter| MovedThing { name: matter.name.clone(), kind: matter.kind.clone() })
}

/// Whether arguments are kept beside their frame.
pub fn is_large(args: &Content) -> bool {
    matches!(args, Content::Here(args) if args.to_canon().len() > INLINE_MAX)
}

/// The joint between a deed and the words that were said: they are all of it, or stand beside it.
fn before_words(call: &Call) -> &'static str {
    match call.verb {
        Verb::Do if call.action.as_ref() != SAY => ", and said ",
        Verb::See | Verb::Be => ", and said ",
        Verb::Do if !call.target.starts_with('@') => " ",
        Verb::Do | Verb::Summon => ": ",
    }
}

/// Whether it is only on its way to a deed.
fn is_quiet(closing: &Closing) -> bool {
    matches!(closing, Closing::Requeued(Reason { code: Code::Asking | Code::Looked, .. }))
}

/// The deed by how it closed, with addresses as they were written.
fn begun(deed: Option<&str>, closing: &Closing) -> String {
    let wanted = |deed: &str| as_base(deed).map_or_else(|| "could not do that".to_owned(), |deed| format!("could not {deed}"));
    match (closing, deed) {
        (Closing::Refused(_) | Closing::Failed(_), Some(deed)) => wanted(deed),
        (Closing::Refused(_), None) => "was refused".to_owned(),
        (Closing::Failed(_), None) => "could not think of anything to do".to_owned(),
        (Closing::DeadLetter(_), _) => "gave up after several attempts".to_owned(),
        (Closing::Requeued(Reason { code: Code::Asking, .. }), _) => "began to think".to_owned(),
        (Closing::Requeued(Reason { code: Code::Looked, .. }), _) => "looked closer".to_owned(),
        (Closing::Requeued(_), _) => "will try again".to_owned(),
        (Closing::Ended, _) => "ended".to_owned(),
        (Closing::Act | Closing::See, Some(deed)) => in_past(deed),
        (Closing::See, None) => "looked around".to_owned(),
        (Closing::Act, None) => "did nothing".to_owned(),
    }
}

/// A reason as it stands behind a colon: the sentence of its code, up to where it begins to explain.
pub fn reason_words(reason: &Reason, world: &World) -> String {
    // An operation says itself why it refuses.
    if reason.code == Code::OperationRefused && !reason.at.is_empty() {
        let (first, rest) = reason.at.split_once(' ').unwrap_or((&reason.at, ""));
        let name = world.being_named(first).map_or_else(|| first.to_owned(), |_| titled(first));
        return format!("{name} {rest}").trim_end().to_owned();
    }
    let sentence = reason.code.sentence();
    let end = [": ", "; "].iter().filter_map(|mark| sentence.find(mark)).min().unwrap_or(sentence.len());
    sentence.get(..end).unwrap_or(sentence).replace('`', "")
}

/// The new value of a signal in words.
fn turn(call: &Call) -> Vec<ToldPart> {
    let (true, Content::Here(args)) = (call.verb == Verb::Do && call.action.as_ref() == SIGNAL, &call.args) else { return Vec::new() };
    let Some(path) = args.get("path").and_then(Value::as_text) else { return Vec::new() };
    let said = match args.get("value") {
        Some(Value::Bool(true)) => "is on".to_owned(),
        Some(Value::Bool(false)) => "is over".to_owned(),
        Some(Value::Null) | None => "is no more".to_owned(),
        Some(Value::Text(text)) if text.chars().count() <= VALUE_MAX => format!("is now {text}"),
        Some(number @ (Value::Int(_) | Value::Float(_))) => format!("is now {number}"),
        Some(_) => "changed".to_owned(),
    };
    let line: String = plain(&format!("The {} {said}", last_name(path))).collect();
    vec![ToldPart::words(line)]
}

/// The words of a moment, as far as a report carries them; refused words were said to nobody.
pub fn heard_words(draft: &Draft) -> Option<Text> {
    let words = draft.call.as_ref().filter(|_| is_heard(&draft.closing)).and_then(words_of)?;
    Some(if words.chars().nth(SAID_MAX).is_some() { cut(&words, SAID_MAX + 1).into() } else { words })
}

/// Whether the words of a moment that closed so were said.
pub fn is_heard(closing: &Closing) -> bool {
    matches!(closing, Closing::Act | Closing::See)
}

/// The words of a call: those beside it, else those that it says or summons with, such as the text of a page.
pub fn words_of(call: &Call) -> Option<Text> {
    let told = match &call.args {
        Content::Here(args) if call.action.as_ref() == SAY || call.verb == Verb::Summon => {
            args.get("content").and_then(|content| content.as_text().or_else(|| content.get("text")?.as_text()).cloned())
        }
        Content::Here(_) | Content::There { .. } | Content::Unread { .. } => None,
    };
    call.content.clone().or(told)
}
