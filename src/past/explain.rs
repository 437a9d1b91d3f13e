//! Explain: one moment of the past, opened again: why it woke, what was worn and by which clauses, what was seen, asked and answered.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::json;

use crate::cognition::{PromptPart, Reply, messages, split};
use crate::fact::{BeingId, Call, Content, Draft, Frame, Seq, Thought, Value, WakeKind};
use crate::moment::{Composer, open};
use crate::role::Trace;
use crate::store::StoreError;
use crate::tell::{ToldPart, woken};
use crate::verb::RuleTrace;
use crate::world::{Ballot, Polled, World, iso};

use super::cause::cause_of;
use super::history::History;
use super::load::{Kept, LoadError, NoFrame};
use super::report::{Report, report};
use super::retell::retell;
use super::trial::wake_of;
use super::used::{UsedSetting, used};

/// Why a moment cannot be explained.
#[derive(Debug, thiserror::Error)]
pub enum ExplainError {
    /// There is none of that seq.
    #[error(transparent)]
    NoFrame(#[from] NoFrame),
    /// The history cannot be read.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// The log cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A large value is missing or damaged.
    #[error("the log has no blob {0}, or it is damaged; `reelm verify` says more")]
    Blob(crate::fact::Hash),
}

/// A moment, with everything that led to it.
pub struct Explained {
    /// Its frame.
    pub frame: Frame,
    /// The address of its being.
    pub name: String,
    /// The moment in short.
    pub report: Report,
    /// Why it was as it was, as far as the world then holds it.
    pub why: Option<Why>,
    /// The rules that were asked about its act, each with what it saw.
    pub rules: Vec<RuleTrace>,
    /// The request to a model, and its raw reply.
    pub said: Option<(Value, Value)>,
    /// The sentence on the parts that a bundle cannot tell; none where all is told.
    pub untold: Option<String>,
}

/// The worlds around a moment.
pub(super) struct MomentWorlds {
    /// On which it opened.
    pub opened: Arc<World>,
    /// On which it closed.
    pub before: Arc<World>,
    /// As its frame left it.
    pub after: World,
}

/// The reasons of a moment: its wake, votes, clauses, face and settings.
pub struct Why {
    /// The cause of the wake, in words.
    pub because: String,
    /// The same, as its mind is told.
    pub wake: Value,
    /// The same as a sentence for people.
    pub woken_by: Vec<ToldPart>,
    /// How the members of a panel had voted, each by their address; nothing of one who had not answered.
    pub votes: Vec<(String, Option<Ballot>)>,
    /// Each clause, each condition, and the value that it saw.
    pub trace: Trace,
    /// Its face: all that the being was told at once.
    pub face: Value,
    /// The settings that it went by, and where each came from.
    pub settings: Vec<UsedSetting>,
}

impl History {
    /// Explains the moment with that seq.
    pub fn explain(&self, seq: Seq) -> Result<Explained, ExplainError> {
        let end = self.end();
        if seq >= end {
            return Err(NoFrame { seq, end }.into());
        }
        // Where it opened is only where to begin here: what its frame says is checked below.
        let opens = self.opened(seq)?.unwrap_or(seq).min(seq);
        let mut worlds = self.worlds_at(&BTreeSet::from([opens, seq, seq + 1]))?;
        let mut world = |at: Seq| worlds.remove(&at).map_or_else(|| self.world_at(at), Ok);
        let after = world(seq + 1)?;
        let frame = self.frame(seq, &after)?.ok_or(NoFrame { seq, end })?;
        let draft = frame.draft();
        let opened = Arc::new(world(draft.opened)?);
        let before = if draft.opened == seq { opened.clone() } else { Arc::new(world(seq)?) };
        let kept = self.kept(draft)?;
        Explained::of(frame, &MomentWorlds { opened, before, after }, &kept)
    }
}

impl Explained {
    /// Explains a frame by the worlds around it.
    pub(super) fn of(frame: Frame, worlds: &MomentWorlds, kept: &Kept) -> Result<Self, ExplainError> {
        let MomentWorlds { opened, before, after } = worlds;
        let draft = frame.draft();
        let retold = retell(&whole(draft, kept)?, opened, before);
        let why = why(draft, opened, &retold.rules);
        let said = said(draft, kept)?;
        let mut report = report(draft, after, None).noting(retold.notes);
        if let Some(why) = &why {
            report.because = why.because.clone();
        }
        Ok(Self { name: name_in(after, draft.being), report, why, rules: retold.rules, said, untold: None, frame })
    }

    /// Explains a frame by itself, with a sentence that says why its worlds are not there.
    pub(super) fn alone(frame: Frame, nobody: &World, kept: &Kept, untold: String) -> Result<Self, ExplainError> {
        let (draft, report) = (frame.draft(), report(frame.draft(), nobody, None));
        let said = said(draft, kept)?;
        let name = name_in(nobody, draft.being);
        Ok(Self { name, report, why: None, rules: Vec::new(), said, untold: Some(untold), frame })
    }
}

/// The address of a being; where a world does not know it, its name inside.
pub(super) fn name_in(world: &World, being: BeingId) -> String {
    world.being(being).map_or_else(|| format!("@{being}"), |being| format!("@{}", being.name))
}

/// The moment opened again.
fn why(draft: &Draft, world: &World, rules: &[RuleTrace]) -> Option<Why> {
    let being = world.being(draft.being)?;
    let wake = wake_of(draft, world)?;
    let call: Option<&Call> = draft.call.as_ref().filter(|_| draft.wake.kind == WakeKind::Gesture);
    let opening = open(world, being, &wake, draft.opened_at, call, &mut Composer::default());
    let polled = wake.poll().map(|poll| poll.asked.as_slice()).unwrap_or_default();
    let vote = |polled: &Polled| (world.name_of(polled.member).as_str().unwrap_or_default().to_owned(), polled.ballot.clone());
    Some(Why {
        votes: polled.iter().map(vote).collect(),
        because: cause_of(&wake, draft, world),
        wake: world.told(&wake),
        woken_by: woken(world, draft.being, &wake),
        trace: opening.trace(world, call),
        face: opening.face(world),
        settings: used(draft, &opening, world, rules),
    })
}

/// A draft whose call has its arguments, read from their blob where they were large.
fn whole(draft: &Draft, kept: &Kept) -> Result<Draft, ExplainError> {
    let mut draft = draft.clone();
    if let Some(call) = &mut draft.call {
        // Arguments that were refused unread are not kept, and ran no script.
        if !matches!(call.args, Content::Unread { .. }) {
            call.args = Content::Here(content(&call.args, kept)?);
        }
    }
    Ok(draft)
}

fn content(content: &Content, kept: &Kept) -> Result<Value, ExplainError> {
    match content {
        Content::Here(value) => Ok(value.clone()),
        Content::There { hash, .. } | Content::Unread { hash, .. } => kept.value(content).ok_or(ExplainError::Blob(*hash)),
    }
}

fn said(draft: &Draft, kept: &Kept) -> Result<Option<(Value, Value)>, ExplainError> {
    let Thought::Model { request, reply } = &draft.thought else { return Ok(None) };
    Ok(Some((content(request, kept)?, content(reply, kept)?)))
}

impl Explained {
    /// The messages that a model was sent: each its role and its content.
    pub fn prompt(&self) -> Vec<(String, String)> {
        let Some((request, _)) = &self.said else { return Vec::new() };
        messages(request)
    }

    /// The tokens of each part of that, by our own count.
    pub fn split(&self) -> Vec<PromptPart> {
        let Some((request, _)) = &self.said else { return Vec::new() };
        let body = request.get("body").and_then(Value::as_str).map_or(0, str::len);
        split(&messages(request), body)
    }

    /// The tokens that the model counted of that.
    pub fn counted(&self) -> Option<u64> {
        let (_, reply) = self.said.as_ref()?;
        Reply::from(reply.clone()).last.usage.map(|usage| usage.input)
    }

    /// The signer that answers for it: `being`, or `world`, whose seal covers it.
    pub fn signed_by(&self) -> &'static str {
        if self.frame.signature().is_some() { "being" } else { "world" }
    }

    /// All of it, for programs.
    pub fn to_json(&self) -> serde_json::Value {
        let draft = self.frame.draft();
        let prompt: Vec<_> = self.prompt().into_iter().map(|(role, content)| json!({ "role": role, "content": content })).collect();
        json!({
            "seq": draft.seq, "being": self.name, "n": draft.n, "hash": self.frame.hash(), "signedBy": self.signed_by(), "openedAt": iso(draft.opened_at, draft.offset),
            "report": self.report,
            "wake": self.why.as_ref().map(|why| &why.wake), "wokenBy": self.why.as_ref().map(|why| why.woken_by.as_slice()).unwrap_or_default(), "trace": self.why.as_ref().map(|why| &why.trace), "face": self.why.as_ref().map(|why| &why.face), "settings": self.why.as_ref().map(|why| &why.settings),
            "thought": self.said.as_ref().map(|(request, reply)| json!({ "request": request, "reply": reply })),
            "prompt": if prompt.is_empty() { None } else { Some(prompt) }, "split": self.split(), "counted": self.counted(),
            "rules": self.rules, "stack": draft.stack, "call": draft.call, "closing": draft.closing, "facts": draft.facts,
        })
    }
}
