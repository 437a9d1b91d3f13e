//! Report: one moment as people watch it, told only once it is durable.

use serde::Serialize;

use crate::fact::{
    Call, Closing, ClosingKind, Content, Coords, Draft, Fact, Millis, Reason, Seq, SpaceId, Spent, Telling, Text, Thing, Thought, ToldCall,
    Value, Verb, WakeKind, plain, visible,
};
use crate::verb::cure;
use crate::world::{Local, World, address_of, iso};

use super::cause::kept_cause;

/// How much of what is said a report carries, in characters; the moment itself has it whole.
const SAID_MAX: usize = 2000;
/// How much of what is said beside an act its line carries, in characters.
const QUOTED_MAX: usize = 120;

/// One moment, for people.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The frame.
    pub seq: Seq,
    /// When, in the world's own time.
    pub at: Millis,
    /// The same, as people read it.
    pub time: String,
    /// Who.
    pub being: Text,
    /// Where it stood when it acted, before what it did moved it.
    pub place: String,
    /// The stack that it wore, the primary first.
    pub stack: Vec<Text>,
    /// The clause that chose each role.
    pub clauses: Vec<Option<u16>>,
    /// Why it wears that, where it wore something else before.
    pub why: Option<String>,
    /// Why the moment opened.
    pub wake: WakeKind,
    /// How it closed.
    pub closing: ClosingKind,
    /// Why, where there is a reason.
    pub reason: Option<Reason>,
    /// The deed, in a line.
    pub deed: String,
    /// The same in the words of its operation, behind the name of whoever did it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub told: Option<String>,
    /// The things that are named there, in their order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub things: Vec<ToldThing>,
    /// What was said.
    pub said: Option<Text>,
    /// Whether it was said beside the act, so that the deed does not tell it.
    #[serde(skip)]
    pub is_beside: bool,
    /// Whether its hour comes twice, so that its time of day tells nobody when it was.
    #[serde(skip)]
    pub comes_twice: bool,
    /// The space where it stood when the moment closed.
    pub space: String,
    /// Where on that space's grid.
    pub coords: Option<Coords>,
    /// The cause of the wake, in words.
    pub because: String,
    /// The fact that woke it, as `seq.index`: for an answer, the summons that it answers.
    pub cause: String,
    /// The summons that what it says answers, as `seq.index`.
    #[serde(rename = "inReplyTo")]
    pub in_reply_to: Option<String>,
    /// By which of the four doors it acted.
    pub verb: Option<Verb>,
    /// The operation that it called.
    pub action: Option<Text>,
    /// To what.
    pub target: Option<Text>,
    /// Its driver, as an address.
    pub driver: Option<String>,
    /// The kind of mind that thought.
    pub cognition: &'static str,
    /// The cost of asking a model, as the frame settles it.
    pub cost: Option<Spent>,
    /// The lines of its scripts for those who watch: `log` and the engine's own sentence of a failure; no seal holds them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// Hints: the call to write instead of a refused one, and doubts about the deed; no seal holds them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hints: Vec<String>,
}

/// A thing as a sentence names it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ToldThing {
    /// As it is named: `board 684`.
    pub text: String,
    /// Where it is.
    pub address: Text,
}

impl Report {
    /// Whether its call was refused, whether its wake is closed by that or stays open.
    pub fn is_refused(&self) -> bool {
        self.closing == ClosingKind::Refused || self.refusal().is_some()
    }

    /// Why its call was refused, whether its wake is closed by that or stays open.
    pub fn refusal(&self) -> Option<Reason> {
        let reason = self.reason.clone()?;
        match self.closing {
            ClosingKind::Refused => Some(reason),
            ClosingKind::Requeued => Closing::Requeued(reason).refusal(),
            _ => None,
        }
    }

    /// The same with what its scripts have said.
    pub fn noting(self, notes: Vec<String>) -> Self {
        Self { notes, ..self }
    }

    /// The same with what may not be meant in it.
    pub fn hinting(mut self, hints: impl IntoIterator<Item = String>) -> Self {
        self.hints.extend(hints);
        self
    }
}

/// The report of a draft that has just been folded into a world.
pub fn report(draft: &Draft, world: &World, why: Option<String>) -> Report {
    let being = world.being(draft.being);
    let DeedWords { told, things, said, verb, action, target } = DeedWords::of(draft, world);
    Report {
        seq: draft.seq,
        at: draft.at,
        time: iso(draft.at, draft.offset),
        being: being.map_or_else(|| Text::from(draft.being.to_string()), |being| being.name.clone()),
        place: place(draft, world),
        stack: draft.stack.iter().map(|worn| worn.role.clone()).collect(),
        clauses: draft.stack.iter().map(|worn| worn.clause).collect(),
        why,
        wake: draft.wake.kind,
        closing: draft.closing.kind(),
        reason: draft.closing.reason().cloned(),
        deed: with_left(deed(draft), draft),
        told,
        things,
        said,
        is_beside: draft.call.as_ref().is_some_and(|call| call.content.is_some()),
        comes_twice: Local::comes_twice(draft.at, world.zone()),
        space: being.map(|being| world.path_of(being.position)).unwrap_or_default(),
        coords: being.and_then(|being| being.coords),
        because: kept_cause(draft, world),
        cause: draft.wake.cause.to_string(),
        in_reply_to: draft
            .facts
            .iter()
            .find_map(|fact| if let Fact::Asked(summons) = fact { summons.in_reply_to } else { None })
            .map(|made| made.to_string()),
        verb,
        action,
        target,
        driver: draft.driver.and_then(|driver| world.being(driver)).map(|driver| format!("@{}", driver.name)),
        cognition: draft.cognition.word(),
        cost: draft.cost().cloned(),
        notes: Vec::new(),
        hints: hint(draft).into_iter().collect(),
    }
}

/// A deed, and how many further calls of the reply were left out.
fn with_left(deed: String, draft: &Draft) -> String {
    draft.left_out().map_or_else(|| deed.clone(), |count| format!("{deed} (left out: {count} more)"))
}

/// A deed in the words from which a page makes its sentence.
pub(super) struct DeedWords {
    pub(super) told: Option<String>,
    things: Vec<ToldThing>,
    pub(super) said: Option<Text>,
    pub(super) verb: Option<Verb>,
    pub(super) action: Option<Text>,
    pub(super) target: Option<Text>,
}

impl DeedWords {
    pub(super) fn of(draft: &Draft, world: &World) -> Self {
        let (told, things) = told(draft, world);
        let call = draft.call.as_ref();
        Self {
            told,
            things,
            said: said(draft),
            verb: call.map(|call| call.verb),
            action: call.map(|call| call.action.clone()).filter(|action| !action.is_empty()),
            target: call.map(|call| call.target.clone()).filter(|target| !target.is_empty()),
        }
    }
}

/// The hint on a refused call or on a watch whose role cannot see its subject.
fn hint(draft: &Draft) -> Option<String> {
    let is_unseen = draft.wake.kind == WakeKind::Watch && draft.closing == Closing::See && draft.thought == Thought::None;
    if is_unseen {
        return Some("no mind was asked: in what it wore it could not see what it watches for; add that to `canSee`".to_owned());
    }
    draft.call.as_ref().zip(draft.closing.reason()).and_then(|(call, reason)| cure(call, reason))
}

/// Where the moment's being stood before its frame; one that did not live before it, where it stands.
fn place(draft: &Draft, world: &World) -> String {
    world.stood().map_or_else(|| standing(draft, world), |stood| place_named(stood, world))
}

/// Where the moment's being stands.
pub(super) fn standing(draft: &Draft, world: &World) -> String {
    world.being(draft.being).map(|being| place_named((being.position, being.coords), world)).unwrap_or_default()
}

fn place_named((space, coords): (SpaceId, Option<Coords>), world: &World) -> String {
    let path = address_of(world, Thing::Space(space));
    coords.map_or(path.clone(), |at| format!("{path} ({},{})", at.x, at.y))
}

/// The operation, target and arguments of a call, in a line.
pub fn call_line(call: &Call) -> String {
    let args = match &call.args {
        Content::Here(Value::Null) => String::new(),
        Content::Here(Value::Map(map)) if map.is_empty() => String::new(),
        Content::Here(value) => short(&value.to_string()),
        Content::There { len, .. } => format!("({len} bytes)"),
        Content::Unread { len, .. } => format!("({len} bytes, which nothing read and nobody kept)"),
    };
    // A model writes what it likes: nothing of it moves the cursor of whoever reads.
    let line = match call.verb {
        Verb::See => format!("see {}", call.target),
        Verb::Do => format!("do {} {} {args}", call.target, call.action),
        Verb::Summon => format!("summon {} {args}", call.target),
        Verb::Be => format!("be {} {args}", call.action),
    };
    visible(line.trim_end())
}

fn short(text: &str) -> String {
    if text.chars().count() <= 100 { text.to_owned() } else { cut(text, 99) }
}

fn deed(draft: &Draft) -> String {
    match (&draft.call, &draft.closing) {
        (Some(call), _) => call_line(call),
        (None, Closing::Ended) => "ended".to_owned(),
        (None, _) => String::new(),
    }
}

/// The sentence of a call's operation, and the things that it names.
fn told(draft: &Draft, world: &World) -> (Option<String>, Vec<ToldThing>) {
    let of = |call: &Call| {
        let operation = world.registry().operations.get(&call.action).filter(|_| call.verb == Verb::Do)?;
        Telling::parse(operation.told.as_deref()?).ok().map(|telling| telling.tell(call))
    };
    let Some(ToldCall { text, things }) = draft.call.as_ref().and_then(of) else { return (None, Vec::new()) };
    (Some(text), things.into_iter().map(|(text, address)| ToldThing { text, address }).collect())
}

/// The words of a moment, as far as a report carries them; refused words were said to nobody.
fn said(draft: &Draft) -> Option<Text> {
    let words = draft.call.as_ref().filter(|_| is_heard(&draft.closing)).and_then(words_of)?;
    Some(if words.chars().nth(SAID_MAX).is_some() { cut(&words, SAID_MAX).into() } else { words })
}

/// Whether the words of a moment that closed so were said.
pub fn is_heard(closing: &Closing) -> bool {
    matches!(closing, Closing::Act | Closing::See)
}

/// The words of a call: those beside it, else those that it says or summons with, such as the text of a page.
pub fn words_of(call: &Call) -> Option<Text> {
    let told = match &call.args {
        Content::Here(args) if call.action.as_ref() == "say" || call.verb == Verb::Summon => {
            args.get("content").and_then(|content| content.as_text().or_else(|| content.get("text")?.as_text()).cloned())
        }
        Content::Here(_) | Content::There { .. } | Content::Unread { .. } => None,
    };
    call.content.clone().or(told)
}

/// Words as one line in quotation marks: nothing of them moves the cursor of whoever reads.
pub fn quoted(words: &str) -> String {
    let line: String = plain(words).collect();
    format!("“{}”", line.split_whitespace().collect::<Vec<_>>().join(" "))
}

fn cut(text: &str, most: usize) -> String {
    text.chars().take(most).chain(['…']).collect()
}

/// A line as the command line prints it: when, who, where, what it wears, what it did.
impl std::fmt::Display for Report {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let until = if self.comes_twice { self.time.len() } else { 19 };
        let clock = self.time.get(5..until).unwrap_or(&self.time).replace('T', " ");
        let stack: Vec<&str> = self.stack.iter().map(AsRef::as_ref).collect();
        write!(
            f,
            "#{} {clock} @{} in {} as {}",
            self.seq,
            self.being,
            self.place,
            if stack.is_empty() { "-".to_owned() } else { stack.join("+") }
        )?;
        match (&self.reason, self.deed.as_str()) {
            (Some(reason), deed) => write!(f, " ! {} ({reason}) {deed}", self.closing),
            (None, "") => write!(f, " . {} ({})", self.closing, self.wake),
            (None, deed) => write!(f, " > {deed}"),
        }?;
        if let Some(said) = self.said.as_deref().filter(|_| self.is_beside) {
            // Long words are cut to the most that is allowed, and the line is cleaned of invisible characters.
            let line = if said.chars().nth(QUOTED_MAX).is_some() { cut(said, QUOTED_MAX - 1) } else { said.to_owned() };
            write!(f, " {}", quoted(&line))?;
        }
        self.hints.iter().chain(&self.notes).try_for_each(|note| write!(f, "\n    | {note}"))
    }
}
