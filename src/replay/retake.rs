//! Retake: each recorded moment is opened, thought and closed once more by other code, one by one, always on the world that was recorded.
//!
//! Nothing of it goes on: what comes out otherwise changes no later moment. A model is asked nothing; its recorded reply counts where it
//! would be asked the same, byte for byte, and where not, nobody knows what it would have done.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use serde::Serialize;

use crate::cognition::messages;
use crate::fact::{Call, Closing, Cognition, Content, Draft, Seq, Text, Thought, Value, visible};
use crate::moment::{SEMANTICS, is_asking};
use crate::past::{History, Kept, LoadError, call_line};
use crate::world::{Recast, World, iso};

use super::again::Again;
use super::compare::Difference;
use super::opened::OpenedWorlds;
use super::stage::{Stage, keys_of};
use super::walk::ReplayError;

/// How many moments that differ are told of, and of those of which nobody knows.
const TOLD: usize = 20;
/// How many characters of a value are told.
const SHOWN: usize = 120;

/// In what a moment comes out otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum RetakePart {
    /// It would not open, or not so.
    Wake,
    /// What is worn.
    Stack,
    /// What a model is asked.
    Request,
    /// What is done.
    Act,
    /// How it closes.
    Closing,
    /// What is stamped of the same act.
    Facts,
}

impl RetakePart {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Wake => "wake",
            Self::Stack => "stack",
            Self::Request => "request",
            Self::Act => "act",
            Self::Closing => "closing",
            Self::Facts => "facts",
        }
    }
}

/// One part of a moment, as it was and as it would be.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RetakeChange {
    /// Which.
    pub part: RetakePart,
    /// What was recorded.
    pub recorded: String,
    /// What would come of it.
    pub would: String,
}

/// A moment that comes out otherwise, or of which nobody knows.
#[derive(Clone, Debug, Serialize)]
pub struct Retake {
    /// Its frame.
    pub seq: Seq,
    /// Its name, as `explain` takes it.
    pub moment: String,
    /// When it was.
    pub time: String,
    /// The role that was worn first.
    pub role: Text,
    /// What is otherwise.
    pub changes: Vec<RetakeChange>,
}

impl Retake {
    /// Whether only what a model would answer is not known.
    fn is_unknown(&self) -> bool {
        self.changes.iter().all(|change| change.part == RetakePart::Request)
    }
}

impl std::fmt::Display for Retake {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} (#{}, {}) as {}", self.moment, self.seq, self.time, self.role)?;
        self.changes.iter().try_for_each(|RetakeChange { part, recorded, would }| write!(f, "\n  {}: {recorded} → {would}", part.word()))
    }
}

/// How many moments came out how.
#[derive(Clone, Debug, Default, Serialize)]
pub struct RetakeCount {
    /// As recorded.
    pub same: u64,
    /// Otherwise.
    pub differs: u64,
    /// A model would be asked something else.
    pub unknown: u64,
    /// The first that differs; where none does, the first that is not known.
    pub first: Option<String>,
}

/// What other code would have done.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Retakes {
    /// All of it.
    pub all: RetakeCount,
    /// By the role that was worn first.
    pub by_role: BTreeMap<Text, RetakeCount>,
    /// How often each part came out otherwise.
    pub by_part: BTreeMap<RetakePart, u64>,
    /// The first that differ.
    pub first: Vec<Retake>,
    /// The first of which nobody knows.
    pub first_unknown: Vec<Retake>,
}

impl Retakes {
    fn add(&mut self, role: &Text, retake: Option<Retake>) {
        let is_unknown = retake.as_ref().is_some_and(Retake::is_unknown);
        for count in [&mut self.all, self.by_role.entry(role.clone()).or_default()] {
            let of = match (&retake, is_unknown) {
                (None, _) => &mut count.same,
                (Some(_), false) => &mut count.differs,
                (Some(_), true) => &mut count.unknown,
            };
            *of += 1;
            // What is known goes before what is not.
            let is_first = count.first.is_none() || (!is_unknown && count.differs == 1);
            if let Some(retake) = retake.as_ref().filter(|_| is_first) {
                count.first = Some(retake.moment.clone());
            }
        }
        let Some(retake) = retake else { return };
        retake.changes.iter().for_each(|change| *self.by_part.entry(change.part).or_default() += 1);
        let told = if is_unknown { &mut self.first_unknown } else { &mut self.first };
        if told.len() < TOLD {
            told.push(retake);
        }
    }
}

/// What other code would have done in each moment of some frames.
pub fn retake(history: &History, recast: Recast, within: Range<Seq>) -> Result<Retakes, ReplayError> {
    let mut set = Set { history, recast, again: Again::new(), opened: OpenedWorlds::default(), far: None };
    let (mut retakes, mut before, mut failed) = (Retakes::default(), None::<World>, None::<ReplayError>);
    history.fold(within.start.saturating_sub(1), Some(within.end), |frame, world| {
        let now = before.replace(world.clone());
        // Genesis comes before all code.
        let Some(now) = now.filter(|now| failed.is_none() && now.next_seq() >= within.start) else { return };
        match set.moment(frame.draft(), &now) {
            Ok(taken) => taken.into_iter().for_each(|(role, retake)| retakes.add(&role, retake)),
            Err(error) => failed = Some(error),
        }
    })?;
    failed.map_or(Ok(retakes), Err)
}

/// Where moments are taken again.
struct Set<'a> {
    history: &'a History,
    recast: Recast,
    again: Again,
    /// Recast.
    opened: OpenedWorlds,
    /// The last world that was opened on before the first frame that was asked for, recast.
    far: Option<Arc<World>>,
}

impl Set<'_> {
    /// A recorded moment once more; what only asks a model is none.
    fn moment(&mut self, recorded: &Draft, now: &World) -> Result<Option<(Text, Option<Retake>)>, ReplayError> {
        if let Some(found) = now.registry().config.get("semantics").and_then(|value| value.as_int()).filter(|found| *found != SEMANTICS) {
            return Err(ReplayError::Semantics { found });
        }
        let name = now.being(recorded.being).map_or_else(|| recorded.being.to_string().into(), |being| being.name.clone());
        let now = Arc::new(self.recast.world(now));
        self.opened.note(recorded, &now);
        if is_asking(recorded) && recorded.cognition != Cognition::Panel {
            return Ok(None);
        }
        let opened = self.opened_on(recorded)?;
        let kept = self.history.kept(recorded)?;
        let stage = Stage { opened: &opened, now: &now, kept: &kept, key_of: &keys_of(recorded) };
        let changes = match self.again.moment(recorded, &stage) {
            Ok(computed) => changes(recorded, computed, &kept, self.again.unheard),
            Err(difference) => vec![unopened(*difference)],
        };
        let role = recorded.stack.first().map_or_else(|| "-".into(), |worn| worn.role.clone());
        let retake = (!changes.is_empty()).then(|| Retake {
            seq: recorded.seq,
            moment: format!("@{name}/{}", recorded.n),
            time: iso(recorded.at, recorded.offset),
            role: role.clone(),
            changes,
        });
        Ok(Some((role, retake)))
    }

    /// The world on which a moment was opened, recast.
    fn opened_on(&mut self, recorded: &Draft) -> Result<Arc<World>, LoadError> {
        if let Some(opened) = self.opened.of(recorded).or_else(|| self.far.as_ref().filter(|far| far.next_seq() == recorded.opened)) {
            return Ok(opened.clone());
        }
        let opened = Arc::new(self.recast.world(&self.history.world_at(recorded.opened)?));
        self.far = Some(opened.clone());
        Ok(opened)
    }
}

/// A moment that the run would not have opened so.
fn unopened(Difference { field, recorded, computed, .. }: Difference) -> RetakeChange {
    let part = match field {
        "thought" => RetakePart::Request,
        "call" => RetakePart::Act,
        "closing" => RetakePart::Closing,
        _ => RetakePart::Wake,
    };
    RetakeChange { part, recorded: short(&recorded), would: short(&computed) }
}

/// What comes out otherwise, in the order of the beats. What follows from something else that differs is not told again.
fn changes(recorded: &Draft, mut computed: Draft, kept: &Kept, unheard: bool) -> Vec<RetakeChange> {
    let mut changes = Vec::new();
    let mut differ = |part, recorded: String, would: String| changes.push(RetakeChange { part, recorded, would });
    if recorded.stack != computed.stack {
        let [was, is] = [recorded, &computed].map(stack);
        // The same roles by other clauses.
        let [was, is] = if was == is { [recorded, &computed].map(|draft| json(&draft.stack)) } else { [was, is] };
        differ(RetakePart::Stack, was, is);
    }
    if unheard {
        differ(RetakePart::Request, "no model was asked".to_owned(), "one would be".to_owned());
        return changes;
    }
    if let (Thought::Model { request: was, .. }, Thought::Model { request: Content::Here(is), .. }) = (&recorded.thought, &computed.thought)
    {
        let was = kept.value(was).unwrap_or_default();
        if was != *is {
            let (was, is) = prompts(&was, is);
            differ(RetakePart::Request, was, is);
            return changes;
        }
    }
    computed.shed();
    if recorded.call != computed.call {
        differ(RetakePart::Act, act(recorded.call.as_ref()), act(computed.call.as_ref()));
    }
    if recorded.closing != computed.closing {
        differ(RetakePart::Closing, closing(&recorded.closing), closing(&computed.closing));
    }
    if recorded.call == computed.call && recorded.closing == computed.closing && recorded.facts != computed.facts {
        let at = recorded.facts.iter().zip(&computed.facts).take_while(|(was, is)| was == is).count();
        let [was, is] = [recorded, &computed].map(|draft| draft.facts.get(at).map_or_else(|| "none".to_owned(), json));
        differ(RetakePart::Facts, format!("fact {at}: {was}"), is);
    }
    changes
}

fn stack(draft: &Draft) -> String {
    let roles: Vec<&str> = draft.stack.iter().map(|worn| worn.role.as_ref()).collect();
    if roles.is_empty() { "nothing".to_owned() } else { roles.join("+") }
}

fn act(call: Option<&Call>) -> String {
    call.map_or_else(|| "nothing".to_owned(), call_line)
}

fn closing(closing: &Closing) -> String {
    closing.reason().map_or_else(|| closing.word().to_owned(), |reason| format!("{} ({reason})", closing.word()))
}

/// Where two requests differ first: in which message, or in what stands beside them.
fn prompts(was: &Value, is: &Value) -> (String, String) {
    let (before, after) = (messages(was), messages(is));
    let at = before.iter().zip(&after).position(|(was, is)| was != is).unwrap_or(before.len().min(after.len()));
    match (before.get(at), after.get(at)) {
        (None, None) => apart(&was.to_string(), &is.to_string(), "beside its messages"),
        (was, is) => {
            let of = was.or(is).map(|(who, _)| who.as_str()).unwrap_or_default();
            let text = |message: Option<&(String, String)>| message.map(|(_, text)| text.clone()).unwrap_or_default();
            apart(&text(was), &text(is), of)
        }
    }
}

/// Two texts from a little before where they differ.
fn apart(was: &str, is: &str, place: &str) -> (String, String) {
    const BEFORE: usize = 24;
    let same = was.chars().zip(is.chars()).take_while(|(was, is)| was == is).count();
    let from = |text: &str| short(&text.chars().skip(same.saturating_sub(BEFORE)).collect::<String>());
    (format!("{place}: …{}", from(was)), format!("…{}", from(is)))
}

fn json<T: Serialize>(value: &T) -> String {
    short(&serde_json::to_string(value).unwrap_or_default())
}

/// On one line, and not too long.
fn short(text: &str) -> String {
    let text = visible(&text.replace('\n', "⏎"));
    if text.chars().count() <= SHOWN { text } else { text.chars().take(SHOWN).chain(['…']).collect() }
}
