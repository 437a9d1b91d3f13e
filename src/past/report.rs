//! Report: one moment as people watch it, told only once it is durable.

use serde::Serialize;

use crate::fact::{
    Call, Closing, ClosingKind, Code, Content, Coords, Draft, Millis, Reason, Seq, SpaceId, Spent, Text, Thing, Thought, Value, Verb,
    WakeKind, visible,
};
use crate::tell::{ToldMoment, ToldPart, heard_words, is_large, plain_text, short_role, subjects};
use crate::verb::remedy;
use crate::world::{Local, World, address_of, iso};

use super::cause::kept_cause;

/// How much of what is said a line carries, in characters.
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
    /// The sentence that tells it, behind the name of whoever did it.
    pub told: Vec<ToldPart>,
    /// Why it was done, as a sentence behind *because*; only where that was asked for.
    #[serde(rename = "becauseOf", skip_serializing_if = "Vec::is_empty")]
    pub because_of: Vec<ToldPart>,
    /// The signal that it published, as a sentence of its own.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub turn: Vec<ToldPart>,
    /// What was said.
    pub said: Option<Text>,
    /// Whether it was said beside the act, so that the deed does not tell it.
    #[serde(skip)]
    pub is_beside: bool,
    /// How many further calls of the reply were left out.
    #[serde(skip)]
    pub left_out: Option<u64>,
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
    /// With which arguments, where they are at hand.
    #[serde(skip_serializing_if = "Value::is_null")]
    pub args: Value,
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

    /// The same with its sentence.
    pub(super) fn telling(self, draft: &Draft, world: &World) -> Self {
        let ToldMoment { told, turn } = ToldMoment::of(draft, world);
        Self { told, turn, ..self }
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
    Report { why, ..untold(draft, world) }.telling(draft, world)
}

/// The same without its sentence, which costs more than all the rest.
pub(super) fn untold(draft: &Draft, world: &World) -> Report {
    let being = world.being(draft.being);
    let DeedNames { said, verb, action, target } = DeedNames::of(draft);
    Report {
        seq: draft.seq,
        at: draft.at,
        time: iso(draft.at, draft.offset),
        being: being.map_or_else(|| Text::from(draft.being.to_string()), |being| being.name.clone()),
        place: place(draft, world),
        stack: draft.stack.iter().map(|worn| worn.role.clone()).collect(),
        clauses: draft.stack.iter().map(|worn| worn.clause).collect(),
        why: None,
        wake: draft.wake.kind,
        closing: draft.closing.kind(),
        reason: draft.closing.reason().cloned(),
        deed: with_left(deed(draft), draft),
        told: Vec::new(),
        because_of: Vec::new(),
        turn: Vec::new(),
        said,
        is_beside: draft.call.as_ref().is_some_and(|call| call.content.is_some()),
        left_out: draft.left_out(),
        comes_twice: Local::comes_twice(draft.at, world.zone()),
        space: being.map(|being| world.path_of(being.position)).unwrap_or_default(),
        coords: being.and_then(|being| being.coords),
        because: kept_cause(draft, world),
        cause: draft.wake.cause.to_string(),
        in_reply_to: draft.answers().map(|made| made.to_string()),
        verb,
        action,
        target,
        args: draft.call.as_ref().map(args_of).unwrap_or_default(),
        driver: draft.driver.and_then(|driver| world.being(driver)).map(|driver| format!("@{}", driver.name)),
        cognition: draft.cognition.word(),
        cost: draft.cost().cloned(),
        notes: Vec::new(),
        hints: hint(draft, world).into_iter().collect(),
    }
}

/// A deed, and how many further calls of the reply were left out.
fn with_left(deed: String, draft: &Draft) -> String {
    draft.left_out().map_or_else(|| deed.clone(), |count| format!("{deed} (left out: {count} more)"))
}

/// A deed by its verb and its names, and what was said.
pub(super) struct DeedNames {
    pub(super) said: Option<Text>,
    pub(super) verb: Option<Verb>,
    pub(super) action: Option<Text>,
    pub(super) target: Option<Text>,
}

impl DeedNames {
    pub(super) fn of(draft: &Draft) -> Self {
        let call = draft.call.as_ref();
        Self {
            said: heard_words(draft),
            verb: call.map(|call| call.verb),
            action: call.map(|call| call.action.clone()).filter(|action| !action.is_empty()),
            target: call.map(|call| call.target.clone()).filter(|target| !target.is_empty()),
        }
    }
}

/// The arguments of a call; nothing where they are too large to be in its frame.
fn args_of(call: &Call) -> Value {
    match &call.args {
        Content::Here(args) if !is_large(&call.args) => args.clone(),
        Content::Here(_) | Content::There { .. } | Content::Unread { .. } => Value::Null,
    }
}

/// The hint on a refused call or on a watch whose role cannot see its subject.
fn hint(draft: &Draft, world: &World) -> Option<String> {
    let is_unseen = draft.wake.kind == WakeKind::Watch && draft.closing == Closing::See && draft.thought == Thought::None;
    if is_unseen {
        return Some("no mind was asked: in what it wore it could not see what it watches for; add that to `canSee`".to_owned());
    }
    draft.call.as_ref().zip(draft.closing.reason()).and_then(|(call, reason)| remedy(world, call, reason))
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

fn cut(text: &str, most: usize) -> String {
    text.chars().take(most).chain(['…']).collect()
}

impl Report {
    /// When it was by the clock of its day: `09:04`, with its seconds where there are any; with its offset where the hour comes twice.
    pub fn clock(&self) -> String {
        let clock = self.time.get(11..19).unwrap_or(&self.time);
        let offset = if self.comes_twice { self.time.get(19..).unwrap_or_default() } else { "" };
        format!("{}{offset}", clock.strip_suffix(":00").unwrap_or(clock))
    }

    /// Its day: `2026-03-02`.
    pub fn day(&self) -> &str {
        self.time.get(..10).unwrap_or(&self.time)
    }

    /// The same with why it was done.
    pub fn reasoned(self, because_of: Vec<ToldPart>) -> Self {
        Self { because_of, ..self }
    }

    /// Its sentence: `Rosa served Theo coffee`; with why, where that is known: `…, because Theo ordered coffee`.
    pub fn sentence(&self) -> String {
        let because = (!self.because_of.is_empty()).then(|| ToldPart::words(", because "));
        let parts: Vec<ToldPart> = subjects(&[&self.being])
            .into_iter()
            .chain([ToldPart::words(" ")])
            .chain(self.told.iter().cloned())
            .chain(because)
            .chain(self.because_of.iter().cloned())
            .collect();
        plain_text(&parts, QUOTED_MAX)
    }

    /// With ids and the call as it was written: `#12 03-02 09:04:00 @rosa in /bar as barista > do @theo cafe:serve {"drink":"coffee"}`.
    pub fn raw_line(&self) -> String {
        let until = if self.comes_twice { self.time.len() } else { 19 };
        let clock = self.time.get(5..until).unwrap_or(&self.time).replace('T', " ");
        let stack: Vec<&str> = self.stack.iter().map(AsRef::as_ref).collect();
        let stack = if stack.is_empty() { "-".to_owned() } else { stack.join("+") };
        let deed = match (&self.reason, self.deed.as_str()) {
            (Some(reason), deed) => format!("! {} ({reason}) {deed}", self.closing),
            (None, "") => format!(". {} ({})", self.closing, self.wake),
            (None, deed) => format!("> {deed}"),
        };
        let said = self.said.as_deref().filter(|_| self.is_beside);
        let said = said.map(|said| format!(" {}", plain_text(&[ToldPart::said(said)], QUOTED_MAX))).unwrap_or_default();
        format!("#{} {clock} @{} in {} as {stack} {deed}{said}{}", self.seq, self.being, self.place, self.beside())
    }

    /// The lines below its own: hints, and what its scripts noted.
    fn beside(&self) -> String {
        self.hints.iter().chain(&self.notes).map(|note| format!("\n    | {note}")).collect()
    }

    /// Why it was refused or failed, as a code with its place; nothing of one that only thinks or looks.
    fn code(&self) -> Option<String> {
        let is_quiet = matches!(self.reason, Some(Reason { code: Code::Asking | Code::Looked, .. }));
        let reason = self.reason.as_ref().filter(|_| !is_quiet)?;
        // Its sentence says already what an operation has said.
        Some(if reason.code == Code::OperationRefused { reason.code.to_string() } else { reason.to_string() })
    }
}

/// A line for people: `09:04 Rosa served Theo coffee (barista)`. The reason of what was refused stands there with its code.
impl std::fmt::Display for Report {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let roles = self.stack.iter().map(|role| short_role(role)).collect::<Vec<_>>().join(", ");
        let driven = self.driver.as_ref().map(|driver| format!("driven by {driver}"));
        let left_out = self.left_out.map(|count| format!("left out: {count} more"));
        let beside: Vec<String> =
            [Some(roles).filter(|roles| !roles.is_empty()), driven, self.code(), left_out].into_iter().flatten().collect();
        write!(f, "{} {}", self.clock(), self.sentence())?;
        if !beside.is_empty() {
            write!(f, " ({})", beside.join("; "))?;
        }
        f.write_str(&self.beside())
    }
}
