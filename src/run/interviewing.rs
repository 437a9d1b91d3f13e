//! Interviewing: one question put to one being in a fork of its own, in which nothing else goes on until it is answered.
//!
//! The fork's operator asks, with the rank of a person, and lets the being look and speak and no more. Only moments are opened that the
//! question leads to: the being's own, those of a panel's members, and of whoever it asks in turn. A thought that failed is not tried again:
//! each answer is one draw.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use crate::cognition::{NO_JSON, wrote};
use crate::fact::{
    BeingId, Call, Closing, Code, CodeKind, Cognition, Content, Draft, Fact, Hash, Made, Millis, Rank, Reason, Seq, Spend, Text, Thought,
    Value, Verb, Verbs, WakeId,
};
use crate::minds::Minds;
use crate::moment::is_asking;
use crate::past::History;
use crate::world::{Being, Wake, is_of_total};

use super::audience::Told;
use super::engine::Closed;
use super::forking::{ForkError, Forking};
use super::living::{Living, RunError};
use super::seal::Round;

/// The intent of the question's summons.
const INTENT: &str = "interview";
/// So many moments one question leads to at most.
const MOMENTS_MAX: usize = 64;

/// A question to a being at a point of the past.
pub struct Interviewing<'a> {
    /// The directory of the world whose being is asked.
    pub parent: &'a Path,
    /// The seq at which the fork begins.
    pub at: Seq,
    /// The instant at which it is asked: that of the point, where no frame may have been.
    pub instant: Millis,
    /// The being, by its name.
    pub being: &'a str,
    /// The text of the question.
    pub question: &'a str,
    /// The budget for models; `None`: no model is asked.
    pub budget: Option<Value>,
}

/// The outcome of a question.
#[derive(Clone, Debug, Default)]
pub struct Testimony {
    /// The fork's name.
    pub fork: String,
    /// The moment in which it was answered, or ended, as it is named in the fork; none where it came to none.
    pub moment: Option<String>,
    /// The role that was worn first in it.
    pub role: Option<Text>,
    /// The answer to the asker.
    pub said: Option<Value>,
    /// The output of the mind, letter for letter.
    pub raw: String,
    /// Why nothing was said.
    pub unsaid: Option<Unsaid>,
    /// The cost of models.
    pub spend: Spend,
    /// Why a model to which the question led was not heard: that of a panel's member too.
    pub unheard: Option<Code>,
}

impl Testimony {
    /// Why it is no answer at all, and worth another try: nothing was said, and a model was not asked or not heard.
    pub fn missing(&self) -> Option<Code> {
        let own = self.unsaid.as_ref().filter(|unsaid| unsaid.is_unheard()).and_then(Unsaid::code);
        own.or(self.unheard).filter(|_| self.said.is_none())
    }
}

/// Why nothing was said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unsaid {
    /// A person thinks for the being, and nobody is there in a fork.
    NobodyThere,
    /// It closed its moment and said nothing.
    Silent,
    /// It was refused, or it failed.
    Turned(Reason),
}

impl Unsaid {
    /// Its code; none where no rule and no fault is behind it.
    fn code(&self) -> Option<Code> {
        match self {
            Self::Turned(reason) => Some(reason.code),
            Self::NobodyThere | Self::Silent => None,
        }
    }

    /// The word for it.
    pub fn word(&self) -> &'static str {
        match self {
            Self::NobodyThere => "nobody-there",
            Self::Silent => "silent",
            Self::Turned(reason) => reason.code.word(),
        }
    }

    /// Whether its model was not asked, because what may be spent is spent.
    pub fn is_unpaid(&self) -> bool {
        match self {
            Self::Turned(reason) => is_of_total(reason) || matches!(reason.code, Code::GivenUp | Code::NoBudget),
            Self::NobodyThere | Self::Silent => false,
        }
    }

    /// Whether the being had no chance to answer: its model was not asked, or nobody heard its reply.
    pub fn is_unheard(&self) -> bool {
        match self {
            // An endpoint that sends a page of a proxy, or nothing, has not let the model answer.
            Self::Turned(reason) if reason.code == Code::ReplyMalformed => reason.at.starts_with(NO_JSON),
            Self::Turned(reason) => self.is_unpaid() || is_unheard(reason.code),
            Self::NobodyThere | Self::Silent => false,
        }
    }

    /// The same for people.
    pub fn sentence(&self) -> String {
        match self {
            Self::NobodyThere => "a person thinks for this being, and nobody is there to answer in a fork".to_owned(),
            Self::Silent => "it said nothing".to_owned(),
            Self::Turned(reason) => format!("{reason}: {}", reason.code.sentence()),
        }
    }
}

/// Whether a code says that a model was not asked, or that nobody heard its reply.
fn is_unheard(code: Code) -> bool {
    let is_lost = matches!(
        code,
        Code::ReplyLost
            | Code::ReplyTimeout
            | Code::ReplyBroken
            | Code::ReplyGivenUp
            | Code::ReplyError
            | Code::ReplyStatus
            | Code::ReplyRejected
            | Code::ReplyCut
    );
    let is_unasked = matches!(
        code,
        Code::Outage
            | Code::ConnectionHeld
            | Code::Unanswered
            | Code::Budget
            | Code::NoPrice
            | Code::NoConnection
            | Code::Paused
            | Code::BrakeTripped
    );
    is_lost || is_unasked || code.kind() == CodeKind::Endpoint
}

impl Interviewing<'_> {
    /// The name of its fork: the same for the same question to the same being at the same point.
    pub fn fork_name(&self) -> String {
        let hash = Hash::of(format!("{}\n{}\n{}", self.instant, self.being, self.question).as_bytes()).to_string();
        format!("ask-{}-{}", self.at, hash.get(..16).unwrap_or(&hash))
    }

    /// Puts it in a fork that is made in a directory, which is absent or empty, and stays there.
    pub fn put(&self, history: &History, dir: &Path, minds: Box<dyn Minds>) -> Result<Testimony, ForkError> {
        let name = self.fork_name();
        Forking { parent: self.parent, at: self.at, instant: None, name: &name, budget: None, changes: &[] }.make(history, dir)?;
        let (mut living, _) = Living::open(dir, 1)?;
        living.engine.stand(self.instant);
        living.asking(minds);
        let told = self.budget.as_ref().map_or(Ok(String::new()), |budget| living.grant(budget));
        let told = told.and_then(|_| living.inquire(self.being, self.question));
        // Nobody opens this world often enough to be saved anything by a checkpoint.
        living.checkpointed = living.world().next_seq();
        living.stop()?;
        Ok(Testimony { fork: name, ..told? })
    }
}

/// The state of a question that was asked.
struct OpenQuestion {
    being: BeingId,
    /// Its summons.
    made: Made,
    /// The wakes that it has led to.
    wakes: BTreeSet<(BeingId, WakeId)>,
    told: Testimony,
    is_over: bool,
}

impl Living {
    /// Asks a being something and lets it answer; nobody moves to whom the question does not lead.
    fn inquire(&mut self, name: &str, question: &str) -> Result<Testimony, RunError> {
        let now = self.world().now();
        let being = self.world().being_named(name).filter(|being| !being.ended).cloned();
        let being = being.ok_or_else(|| RunError::NoBeing(name.to_owned()))?;
        if being.cognition_at(now) == Cognition::Human {
            return Ok(Testimony { unsaid: Some(Unsaid::NobodyThere), ..Testimony::default() });
        }
        if being.cognition == Cognition::Bridge {
            return Ok(Testimony { unsaid: Some(Unsaid::Silent), ..Testimony::default() });
        }
        let wake = match self.question(&being, question)? {
            Ok(wake) => wake,
            Err(reason) => return Ok(Testimony { unsaid: Some(Unsaid::Turned(reason)), ..Testimony::default() }),
        };
        let told = Testimony::default();
        let mut asked = OpenQuestion { being: being.id, made: wake.id.cause, wakes: BTreeSet::new(), told, is_over: false };
        for _ in 0..MOMENTS_MAX {
            if asked.is_over || !self.lead_on(&mut asked)? {
                break;
            }
        }
        if !asked.is_over {
            asked.told.unsaid = Some(self.why_unsaid(&being, &wake));
        }
        Ok(asked.told)
    }

    /// Has the operator put the question: the wake that it is, or why it wakes nobody.
    fn question(&mut self, being: &Being, question: &str) -> Result<Result<Arc<Wake>, Reason>, RunError> {
        let operator = self.world().being(self.world().operator()).map(|operator| operator.name.clone());
        let operator = operator.ok_or_else(|| RunError::NoBeing("operator".to_owned()))?;
        let only = Verbs::ASKING.each().map(|verb| Value::text(verb.word())).collect();
        let words = [("content", question), ("intent", INTENT), ("rank", Rank::Person.word())];
        let args = words.into_iter().map(|(key, word)| (key, Value::text(word))).chain([("only", Value::List(only))]);
        // At the instant of the point, also where the wall clock counts.
        self.instant = Some(self.world().now());
        let asked = self.act(&operator, Call::summon(&format!("@{}", being.name), Value::map(args)));
        self.instant = None;
        let asked = asked?;
        let wake = self.world().inbox().of(being.id).find(|wake| wake.id.cause.seq == asked.seq).cloned();
        Ok(wake.ok_or_else(|| asked.reason.unwrap_or_else(|| Reason::new(Code::Unheard, ""))))
    }

    /// Opens the next moments to which the question leads; whether there were any.
    fn lead_on(&mut self, asked: &mut OpenQuestion) -> Result<bool, RunError> {
        let Some((at, due)) = self.engine.due_for(asked.made) else { return Ok(false) };
        asked.wakes =
            due.iter().filter(|(_, wake)| wake.root == Some(asked.made)).map(|(being, wake)| (being.id, wake.id.clone())).collect();
        let mut closed = Vec::new();
        let mut begun = self.engine.begin_for(due, at, &mut |one: Closed, _| closed.push(one.draft))?;
        // Durable before any request leaves, as in any run.
        self.keep(asked, &mut closed)?;
        let requests = begun.requests();
        if !requests.is_empty() {
            let replies = self.engine.minds.ask(&requests);
            begun.hear(replies);
        }
        self.engine.end_round(&mut begun, &mut |one, _| closed.push(one.draft))?;
        self.keep(asked, &mut closed)?;
        Ok(true)
    }

    /// Has what was closed sealed, and takes down what it says.
    fn keep(&mut self, asked: &mut OpenQuestion, closed: &mut Vec<Draft>) -> Result<(), RunError> {
        let drafts = std::mem::take(closed);
        if drafts.is_empty() {
            return Ok(());
        }
        for draft in drafts.iter().filter(|draft| !is_asking(draft)) {
            let name = self.world().being(draft.being).map(|being| being.name.clone());
            asked.hear(draft, name.as_deref().unwrap_or_default());
        }
        self.sealing.give(Round::new(drafts, Told::default()))?;
        self.sealing.durable(true)?;
        Ok(())
    }

    /// Why a question that lies open leads to no moment: it is held, or whom it has led to is paused.
    fn why_unsaid(&self, being: &Being, wake: &Wake) -> Unsaid {
        let world = self.world();
        let led_to = world.inbox().due().filter_map(|(_, id)| world.being(id));
        let asked = led_to.filter(|other| world.inbox().of(other.id).any(|open| open.root == Some(wake.id.cause)));
        let paused = world.being(being.id).into_iter().chain(asked).find_map(|other| world.still_at(other));
        if let Some(place) = paused {
            return Unsaid::Turned(Reason::new(Code::Paused, place));
        }
        let why = world.being(being.id).and_then(|being| self.engine.why_held(being, Some(wake), world.now()));
        why.map_or(Unsaid::Silent, |code| Unsaid::Turned(Reason::new(code, "")))
    }
}

impl OpenQuestion {
    /// Takes down what a moment came to.
    fn hear(&mut self, draft: &Draft, name: &str) {
        let spend = draft.cost().map(|spent| spent.spend).unwrap_or_default();
        self.told.spend = self.told.spend.plus(spend);
        if let Closing::Failed(reason) | Closing::DeadLetter(reason) | Closing::Requeued(reason) = &draft.closing
            && is_unheard(reason.code)
        {
            self.told.unheard = Some(reason.code);
        }
        if self.is_over || !self.wakes.contains(&(draft.being, draft.wake.clone())) {
            return;
        }
        let answer = draft.facts.iter().find_map(|fact| match fact {
            Fact::Asked(summons) if summons.in_reply_to == Some(self.made) && !summons.is_receipt() => Some(&summons.content),
            _ => None,
        });
        if answer.is_none() && draft.being != self.being {
            return;
        }
        let (raw, prose) = given(draft);
        (self.told.moment, self.told.raw) = (Some(format!("@{name}/{}", draft.n)), raw);
        self.told.role = draft.stack.first().map(|worn| worn.role.clone());
        (self.told.said, self.told.unsaid, self.is_over) = match (answer, &draft.closing) {
            (Some(Content::Here(content)), _) => (Some(content.clone()), None, true),
            // It goes on: it has looked, or a panel has asked its members.
            (_, Closing::Requeued(Reason { code: Code::Looked | Code::Asking, .. })) => (None, None, false),
            // Each answer is one draw: what was refused is not waited for once more.
            (_, closing) if closing.refusal().is_some() => (None, closing.refusal().map(Unsaid::Turned), true),
            (_, Closing::Refused(reason) | Closing::Failed(reason) | Closing::DeadLetter(reason) | Closing::Requeued(reason)) => {
                (None, Some(Unsaid::Turned(reason.clone())), true)
            }
            // It asks somebody else first.
            (_, Closing::Act) if draft.call.as_ref().is_some_and(|call| call.verb == Verb::Summon) => (None, None, false),
            // Plain prose in place of a call still counts as an answer.
            (_, Closing::See | Closing::Act | Closing::Ended) => {
                let said = prose.map(Value::from);
                (said.clone(), said.is_none().then_some(Unsaid::Silent), true)
            }
        };
    }
}

/// The output of a mind in a moment: all of it, and the part that was no call.
fn given(draft: &Draft) -> (String, Option<Text>) {
    if let Thought::Model { request: Content::Here(request), reply: Content::Here(reply) } = &draft.thought {
        return wrote(request, reply);
    }
    let args = draft.call.as_ref().map(|call| &call.args);
    let words = match args {
        Some(Content::Here(args)) => args.get("content").unwrap_or(args).clone(),
        Some(Content::There { .. } | Content::Unread { .. }) | None => Value::Null,
    };
    let text = words.as_str().map(str::to_owned).unwrap_or_else(|| if words.is_null() { String::new() } else { words.to_string() });
    (text, None)
}
