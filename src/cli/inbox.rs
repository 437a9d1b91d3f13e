//! `inbox`: what waits for a person, and which of it an act answers.

use std::str::FromStr;

use anyhow::{Context, Result, bail};
use clap::Args;
use serde::Serialize;
use serde_json::Value as Json;

use crate::fact::{Call, Millis, Receipt, Seq, SilenceKind, Summons};
use crate::portal::{UnansweredQuestion, inbox_of, unanswered_of};
use crate::world::{Local, UNANSWERED, World, iso};

use super::door::{Door, Ended};
use super::given::AtPoint;

/// Lists what waits for a person: summonses, and whatever else woke them
#[derive(Args)]
#[command(after_help = "Example: reelm inbox @pat

`reelm summon @foreman 'twelve boards' --as @pat --answers 120` answers what frame 120 asked.")]
pub struct Inbox {
    /// Whose
    #[arg(value_name = "@BEING", default_value = "@operator")]
    being: String,
    #[command(flatten)]
    then: AtPoint,
}

impl Inbox {
    /// Runs.
    pub fn run(self, door: &Door) -> Result<Ended> {
        let (_, world) = door.world_at(&self.then.at)?;
        let name = self.being.trim_start_matches('@');
        if world.being_named(name).is_none() {
            bail!("there is no being `@{name}` in this world; `reelm see /` shows who is there");
        }
        let waiting = WaitingWake::of(&world, name, world.now())?;
        let unanswered = UnansweredLine::of(&world, name);
        if waiting.is_empty() && unanswered.is_empty() && !door.speech.is_for_programs() {
            door.say(&Json::Null, || format!("nothing waits for @{name}"))?;
        }
        for wake in &waiting {
            door.say(wake, || wake.line())?;
        }
        for line in &unanswered {
            door.say(line, || line.line())?;
        }
        Ok(Ended::Well)
    }
}

/// A wake that is due in the inbox of somebody who answers by hand.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct WaitingWake {
    /// The frame that caused it.
    pub seq: Seq,
    /// The index of the fact in that frame.
    index: u32,
    /// The kind of the wake, as a word.
    kind: String,
    /// The name of the being behind it, if one is.
    pub from: Option<String>,
    /// Since when, in world time.
    when: Option<String>,
    /// The words that it carries.
    pub words: String,
    /// The receipt, where it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    receipt: Option<Json>,
    /// The verbs that it may be answered by, where they are not all.
    #[serde(skip_serializing_if = "Option::is_none")]
    only: Option<Vec<String>>,
    /// Whether whoever is behind it waits for an answer.
    is_awaited: bool,
    /// The frame whose summons it answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub in_reply_to: Option<Seq>,
    /// How an answer names it.
    pub wake: String,
    /// Whether it asks for an approval, which is answered by a deed.
    #[serde(skip)]
    is_petition: bool,
}

impl WaitingWake {
    /// The wakes that are due in an inbox, from a world opened in this process.
    pub fn of(world: &World, name: &str, now: Millis) -> Result<Vec<Self>> {
        let Some(being) = world.being_named(name) else { return Ok(Vec::new()) };
        Self::read(&serde_json::to_value(inbox_of(world, being.id, now))?, |due| Local::of(due, world.zone()).iso())
    }

    /// The same of an inbox as the process tells it that serves the world.
    pub fn told(inbox: &Json) -> Result<Vec<Self>> {
        Self::read(inbox, |due| iso(due, 0))
    }

    fn read(inbox: &Json, time: impl Fn(Millis) -> String) -> Result<Vec<Self>> {
        let entries = inbox.as_array().context("expected an inbox, found something else")?;
        let due = entries.iter().filter(|entry| entry.get("isDue") == Some(&Json::Bool(true)));
        let mut waiting: Vec<Self> = due.filter_map(|entry| Self::entry(entry, &time)).collect();
        waiting.sort_by_key(|wake| (wake.seq, wake.index));
        Ok(waiting)
    }

    fn entry(entry: &Json, time: impl Fn(Millis) -> String) -> Option<Self> {
        let text = |key: &str| entry.get(key).and_then(Json::as_str).map(str::to_owned);
        let (seq, index) = entry.get("cause")?.as_str()?.split_once('.')?;
        let receipt = entry.get("content").filter(|_| text("intent").as_deref() == Some(Summons::RECEIPT));
        let receipt = receipt.and_then(|content| Receipt::read(&serde_json::from_value(content.clone()).ok()?));
        let words = match entry.get("content").or_else(|| entry.get("path")).or_else(|| entry.get("action")) {
            None | Some(Json::Null) => String::new(),
            _ if let Some(receipt) = &receipt => receipt.sentence(),
            Some(question) if text("intent").as_deref() == Some(Summons::BALLOT) => vote_on(question),
            Some(asked) if text("intent").as_deref() == Some(Summons::PETITION) => to_approve(asked),
            Some(Json::String(text)) => text.clone(),
            Some(other) => other.to_string(),
        };
        let only = entry.get("only").and_then(Json::as_array);
        Some(Self {
            seq: seq.parse().ok()?,
            index: index.parse().ok()?,
            kind: text("kind")?,
            from: text("from"),
            when: entry.get("due").and_then(Json::as_i64).map(time),
            words,
            receipt: receipt.and_then(|_| entry.get("content").cloned()),
            only: only.map(|verbs| verbs.iter().filter_map(Json::as_str).map(str::to_owned).collect()),
            is_awaited: text("kind")? == "summons" && text("answer").is_none(),
            in_reply_to: text("inReplyTo").and_then(|made| made.split_once('.')?.0.parse().ok()),
            wake: text("wake")?,
            is_petition: text("intent").as_deref() == Some(Summons::PETITION),
        })
    }

    fn line(&self) -> String {
        let from = self.from.as_deref().unwrap_or(&self.kind);
        let only = self.only.as_ref().map(|verbs| format!("  (to be answered by {} alone)", verbs.join(" or "))).unwrap_or_default();
        let known = if self.from.is_some() && !self.is_awaited && !self.is_petition { "  (no answer is wanted)" } else { "" };
        format!("#{}  {}  {from}: {}{only}{known}", self.seq, self.when.as_deref().unwrap_or_default(), self.words)
    }

    fn lets(&self, call: &Call) -> bool {
        self.only.as_ref().is_none_or(|verbs| verbs.iter().any(|verb| verb == call.verb.word()))
    }
}

/// A question of one's own that was heard and got no answer.
#[derive(Serialize)]
pub(super) struct UnansweredLine {
    /// The frame that asked it.
    seq: Seq,
    /// Always `unanswered`.
    kind: &'static str,
    /// The being that was asked.
    from: String,
    /// When it was heard, in world time.
    when: String,
    /// The outcome, as a sentence.
    words: String,
    /// The moment that did something else.
    #[serde(skip_serializing_if = "Option::is_none")]
    moment: Option<String>,
}

impl UnansweredLine {
    /// Those of a being, the oldest first.
    fn of(world: &World, name: &str) -> Vec<Self> {
        let Some(being) = world.being_named(name) else { return Vec::new() };
        let line = |told: UnansweredQuestion| Self {
            seq: told.cause.seq,
            kind: UNANSWERED,
            when: Local::of(told.at, world.zone()).iso(),
            words: told.words,
            moment: told.moment.filter(|_| told.how != SilenceKind::Looked),
            from: told.to,
        };
        unanswered_of(world, being.id, |_| true).into_iter().map(line).collect()
    }

    fn line(&self) -> String {
        let explained = self.moment.as_ref().map(|moment| format!("  (`reelm explain {moment}` shows what)")).unwrap_or_default();
        format!("#{}  {}  {}: {}{explained}", self.seq, self.when, self.from, self.words)
    }
}

/// The question of a panel, in a line.
fn vote_on(question: &Json) -> String {
    let about = question.pointer("/about/content").filter(|about| !about.is_null());
    let about = about.map(|about| about.as_str().map_or_else(|| about.to_string(), str::to_owned));
    format!("asks for your vote{}", about.map(|about| format!(" on: {about}")).unwrap_or_default())
}

/// A request that waits to be approved, in a line.
fn to_approve(asked: &Json) -> String {
    let asker = asked.get("asker").and_then(Json::as_str).unwrap_or("somebody");
    format!("asks you to approve a request of {asker}; `reelm outbox` shows what would leave")
}

/// The wake that an act answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answers {
    /// None: the act is one of its own.
    Nothing,
    /// The one that a frame caused; where that caused several, by its fact.
    Cause(Seq, Option<u32>),
}

impl FromStr for Answers {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("expected the seq of what is answered, such as 120, or `none`, found `{text}`; `reelm inbox` lists them");
        if text == "none" {
            return Ok(Self::Nothing);
        }
        let (seq, index) = match text.trim_start_matches('#').split_once('.') {
            Some((seq, index)) => (seq.to_owned(), Some(index.parse().map_err(|_| wrong())?)),
            None => (text.trim_start_matches('#').to_owned(), None),
        };
        Ok(Self::Cause(seq.parse().map_err(|_| wrong())?, index))
    }
}

impl Answers {
    /// The wake that an act answers: the one that is said, else the oldest from whoever the act is done to that waits for an answer.
    pub fn pick<'w>(said: Option<Self>, call: &Call, waiting: &'w [WaitingWake]) -> Result<Option<&'w WaitingWake>> {
        match said {
            Some(Self::Nothing) => Ok(None),
            Some(Self::Cause(seq, index)) => {
                let is_it = |wake: &&WaitingWake| wake.seq == seq && index.is_none_or(|index| index == wake.index);
                let found = waiting.iter().find(is_it);
                found.map(Some).with_context(|| format!("--answers: nothing of #{seq} waits there; `reelm inbox` lists what does"))
            }
            None => {
                let is_theirs = |wake: &&WaitingWake| wake.from.as_deref() == Some(call.target.as_ref());
                Ok(waiting.iter().find(|wake| is_theirs(wake) && wake.is_awaited && wake.lets(call)))
            }
        }
    }
}
