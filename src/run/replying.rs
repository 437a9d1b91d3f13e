//! Replying: a fork comes to a recorded moment once more, and its model answers something else.
//!
//! A fork begins where a commit ends, which may be some moments before that one asked. Those on the way are lived once more, round by round,
//! with the replies that were recorded. Where a model would be asked something else than then, no reply stands in the place of the recorded one.

use crate::cognition::{Asking, Reply, Request};
use crate::dialect::TokenCount;
use crate::fact::{Content, Draft, Seq, Thought, Value};
use crate::minds::Guess;
use crate::moment::is_asking;
use crate::past::{History, LoadError, MomentName, PointError, report};
use crate::source::OtherReply;

use super::audience::Told;
use super::living::{Living, RunError};
use super::seal::Round;

/// Who answered, as the recorded reply says it.
const GIVEN: &str = "given by the operator of the fork";
/// How many frames of its own a being has between asking and hearing at most.
const APART_MAX: u64 = 8;
/// How many frames the way to a moment has at most.
const WAY_MAX: u64 = 4096;

/// Why no recorded moment was answered otherwise.
#[derive(Debug, thiserror::Error)]
pub enum ReplyError {
    /// The moment that is to be answered otherwise is named as none.
    #[error("reply:{moment}=…: {error}")]
    MomentName {
        /// As it was named.
        moment: String,
        /// What is wrong.
        error: String,
    },
    /// There is no such moment.
    #[error(transparent)]
    Point(#[from] Box<PointError>),
    /// The history cannot be read.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// The moments on the way cannot be lived.
    #[error(transparent)]
    Run(#[from] Box<RunError>),
    /// No model answered in it.
    #[error("reply:{moment}=…: expected a moment that a model has answered, found {found}; `reelm explain {moment}` shows it")]
    NotAnswered {
        /// As it was named.
        moment: String,
        /// What it is.
        found: &'static str,
    },
    /// Only one can be answered otherwise.
    #[error("expected one change of a reply at most, found `reply:{first}=…` and `reply:{second}=…`: a fork of the fork takes the second")]
    TwoReplies {
        /// The first.
        first: String,
        /// The second.
        second: String,
    },
    /// A moment between the border and the one that is to be answered otherwise does not come about again.
    #[error(
        "reply:{moment}=…: the fork begins before frame {asked}, where a commit ends, and does not come to frame {seq} by itself: a person acted there, \
         or it follows from one; choose a moment that a commit stands right before"
    )]
    NotRelived {
        /// As it was named.
        moment: String,
        /// Where it asked.
        asked: Seq,
        /// The frame.
        seq: Seq,
    },
    /// Its model would be asked something else.
    #[error(
        "reply:{moment}=…: on the way to it the model of frame {seq} would be asked something else than was recorded, or the budget has no room for it, \
         so no reply stands in the place of the recorded one"
    )]
    AsksOtherwise {
        /// As it was named.
        moment: String,
        /// The frame.
        seq: Seq,
    },
}

impl From<RunError> for ReplyError {
    fn from(error: RunError) -> Self {
        Self::Run(Box::new(error))
    }
}

/// A recorded moment that is to be answered otherwise.
pub(super) struct RepliedMoment {
    /// As it was named.
    moment: String,
    /// The seq of the frame by which it asked.
    pub(super) asked: Seq,
    /// How it closed then.
    closed: Draft,
    /// What its model is to have written.
    text: String,
}

/// The whole draft of a frame.
fn whole(history: &History, seq: Seq) -> Result<Option<Draft>, LoadError> {
    let mut found = None;
    history.whole_drafts(seq..seq.saturating_add(1), |draft| found = Some(draft))?;
    Ok(found)
}

impl RepliedMoment {
    /// The one that is to be, if any: of several none is.
    pub(super) fn of(history: &History, replies: Vec<OtherReply>) -> Result<Option<Self>, ReplyError> {
        let mut replies = replies.into_iter();
        match (replies.next(), replies.next()) {
            (Some(first), Some(second)) => Err(ReplyError::TwoReplies { first: first.moment, second: second.moment }),
            (reply, _) => reply.map(|reply| Self::found(history, reply)).transpose(),
        }
    }

    /// Finds the moment: it may be named by the frame in which it asked, or by the one in which it closed.
    fn found(history: &History, other: OtherReply) -> Result<Self, ReplyError> {
        let OtherReply { moment, text } = other;
        let not_answered = |found| ReplyError::NotAnswered { moment: moment.clone(), found };
        let name: MomentName = moment.parse().map_err(|error: String| ReplyError::MomentName { moment: moment.clone(), error })?;
        let seq = history.seq_of_moment(&name).map_err(Box::new)?;
        let named = whole(history, seq)?.ok_or_else(|| not_answered("nothing"))?;
        // The frames of one moment lie beside one another on its being's reel.
        let of_one = |n: u64| -> Result<Option<Draft>, ReplyError> {
            let Some(seq) = history.nth(named.being, n)? else { return Ok(None) };
            Ok(whole(history, seq)?.filter(|draft| draft.wake == named.wake))
        };
        let is_answered = |draft: &Draft| matches!(draft.thought, Thought::Model { .. });
        let (mut asked, mut closed) = (None, None);
        for apart in 0..APART_MAX {
            let (before, after) = (named.n.checked_sub(apart), named.n + apart);
            if closed.is_none() {
                closed = of_one(after)?.filter(is_answered);
            }
            if asked.is_none() {
                asked = before.map_or(Ok(None), of_one)?.filter(is_asking);
            }
        }
        let closed = closed.ok_or_else(|| not_answered("one in which none did"))?;
        let asked = asked.ok_or_else(|| not_answered("one in which none was asked"))?.seq;
        Ok(Self { moment, asked, closed, text })
    }

    /// From where it can be come to, and the recorded moments on the way, without those that only asked: none of them was opened before that.
    pub(super) fn way(&self, history: &History) -> Result<(Seq, Vec<Draft>), ReplyError> {
        let mut from = self.asked;
        loop {
            let Some((origin, _)) = history.border(from)? else { return Ok((from, Vec::new())) };
            let mut way = Vec::new();
            history.whole_drafts(origin.seq..self.asked, |draft| way.push(draft))?;
            way.retain(|draft| !is_asking(draft));
            let opened = way.iter().map(|draft| draft.opened).min().unwrap_or(origin.seq);
            if opened >= origin.seq {
                return Ok((origin.seq, way));
            }
            if self.asked - opened > WAY_MAX {
                return Err(self.not_relived(opened));
            }
            from = opened;
        }
    }
}

/// How many calls some moments have cost: attempts that failed, or were in vain, count too.
pub(super) fn calls(drafts: &[Draft]) -> u64 {
    drafts.iter().filter_map(Draft::spent).map(|spent| spent.spend.calls).fold(0, u64::saturating_add)
}

impl Living {
    /// Lives recorded moments once more, and then the one that is answered otherwise; what came of it, in words.
    pub(super) fn retell(&mut self, replied: &RepliedMoment, way: &[Draft]) -> Result<String, ReplyError> {
        // Nobody is asked: what is heard was recorded, or is given.
        self.asking(Box::new(Guess));
        for round in way.chunk_by(|one, next| (one.opened, one.opened_at) == (next.opened, next.opened_at)) {
            let lived = self.relive(round, replied, None)?;
            let mut lived = lived.iter().filter(|draft| !is_asking(draft));
            let mut is_as_was = |was: &&Draft| lived.next().is_some_and(|is| (&is.call, &is.closing) == (&was.call, &was.closing));
            if let Some(other) = round.iter().find(|was| !is_as_was(was)) {
                return Err(replied.not_relived(other.seq));
            }
        }
        let closed = self.relive(std::slice::from_ref(&replied.closed), replied, Some(&replied.text))?;
        let closed = closed.iter().rfind(|draft| !is_asking(draft)).ok_or_else(|| replied.not_relived(replied.closed.seq))?;
        let told = report(closed, self.world(), None);
        let deed = if told.deed.is_empty() { told.closing.to_owned() } else { format!("{} {}", told.closing, told.deed) };
        Ok(format!("let {} answer otherwise, in frame {}: {deed}", replied.moment, closed.seq))
    }

    /// The moments of a round that was recorded, once more: each model answers what it answered then, or something else.
    fn relive(&mut self, round: &[Draft], replied: &RepliedMoment, other: Option<&str>) -> Result<Vec<Draft>, ReplyError> {
        let Some(first) = round.first() else { return Ok(Vec::new()) };
        let world = self.world();
        let due = round.iter().map(|draft| {
            let (being, wake) = (world.being(draft.being)?, world.inbox().get(draft.being, &draft.wake)?);
            Some((being.clone(), wake.clone()))
        });
        let due = due.collect::<Option<Vec<_>>>().ok_or_else(|| replied.not_relived(first.seq))?;
        let mut closed = Vec::new();
        let begun = self.engine.begin_for(due, first.opened_at, &mut |one, _| closed.push(one.draft));
        let mut begun = begun.map_err(RunError::from)?;
        let recorded = round.iter().filter_map(|draft| match &draft.thought {
            Thought::Model { request: Content::Here(request), reply: Content::Here(reply) } => Some((request, reply)),
            Thought::Model { .. } | Thought::None | Thought::Script | Thought::Given => None,
        });
        let (requests, recorded) = (begun.requests(), recorded.collect::<Vec<_>>());
        let differs = requests.len() != recorded.len()
            || requests.iter().zip(&recorded).any(|(request, (recorded, _))| request.to_value() != **recorded);
        if differs {
            return Err(ReplyError::AsksOtherwise { moment: replied.moment.clone(), seq: first.seq });
        }
        let reply = |(request, (_, recorded)): (&Request, &(&Value, &Value))| {
            other.map_or_else(|| Reply::from((*recorded).clone()), |text| given(request, text))
        };
        begun.hear(requests.iter().zip(&recorded).map(reply).collect());
        self.engine.end_round(&mut begun, &mut |one, _| closed.push(one.draft)).map_err(RunError::from)?;
        self.sealing.give(Round::new(closed.clone(), Told::default())).map_err(RunError::from)?;
        self.sealing.durable(true).map_err(RunError::from)?;
        Ok(closed)
    }
}

impl RepliedMoment {
    fn not_relived(&self, seq: Seq) -> ReplyError {
        ReplyError::NotRelived { moment: self.moment.clone(), asked: self.asked, seq }
    }
}

/// The reply of a model that has written a text; it has cost nothing.
fn given(request: &Request, text: &str) -> Reply {
    let body = (request.connection.dialect.says)(text).to_string();
    Reply::of(Asking {
        status: Some(200),
        body: Some(body.into()),
        model: Some(GIVEN.into()),
        usage: Some(TokenCount { input: 0, cached: 0, output: 0 }),
        ..Asking::default()
    })
}
