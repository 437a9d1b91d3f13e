//! Replying: a fork begins where a recorded moment was opened, opens it once more, and its model answers something else.
//!
//! The model is asked what it was asked then. Where that would be something else, no reply stands in the place of the recorded one.

use crate::cognition::{Asking, Reply, Request};
use crate::dialect::TokenCount;
use crate::fact::{Content, Draft, Seq, Thought};
use crate::minds::Guess;
use crate::moment::is_asking;
use crate::past::{History, LoadError, MomentName, PointError, report};
use crate::source::OtherReply;

use super::audience::Told;
use super::living::{Living, RunError};
use super::seal::Round;

/// The answerer, as the recorded reply names it.
const GIVEN: &str = "given by the operator of the fork";
/// How many frames of its own a being has between asking and hearing at most.
const APART_MAX: u64 = 8;

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
    /// Its wake does not lie open where it began.
    #[error(
        "reply:{moment}=…: expected a moment that a wake of its being has begun, found one that began otherwise; `reelm explain {moment}` shows it"
    )]
    NotWoken {
        /// As it was named.
        moment: String,
    },
    /// Its model would be asked something else.
    #[error(
        "reply:{moment}=…: its model would be asked something else than was recorded, or the budget has no room for it, so no reply stands in the \
         place of the recorded one; `reelm replay` says whether this program comes to the same history"
    )]
    AsksOtherwise {
        /// As it was named.
        moment: String,
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
    /// The seq behind which it began: the world of all frames below is the one on which it was opened.
    pub(super) opened: Seq,
    /// How it closed then.
    closed: Draft,
    /// The text that its model is to have written.
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
        let opened = asked.ok_or_else(|| not_answered("one in which none was asked"))?.opened;
        Ok(Self { moment, opened, closed, text })
    }
}

impl Living {
    /// Has a recorded moment opened again, on the world on which it was, and its model answer otherwise; what came of it, in words.
    pub(super) fn retell(&mut self, replied: &RepliedMoment) -> Result<String, ReplyError> {
        let RepliedMoment { moment, closed, text, .. } = replied;
        // Nobody is asked: what is heard is given.
        self.asking(Box::new(Guess));
        let world = self.world();
        let woken = || Some((world.being(closed.being)?.clone(), world.inbox().get(closed.being, &closed.wake)?.clone()));
        let woken = woken().ok_or_else(|| ReplyError::NotWoken { moment: moment.clone() })?;
        let mut drafts = Vec::new();
        let begun = self.engine.begin_for(vec![woken], closed.opened_at, &mut |one, _| drafts.push(one.draft));
        let mut begun = begun.map_err(RunError::from)?;
        let requests = begun.requests();
        let Thought::Model { request: Content::Here(recorded), .. } = &closed.thought else {
            return Err(ReplyError::AsksOtherwise { moment: moment.clone() });
        };
        let [request] = requests.as_slice() else { return Err(ReplyError::AsksOtherwise { moment: moment.clone() }) };
        if request.to_value() != *recorded {
            return Err(ReplyError::AsksOtherwise { moment: moment.clone() });
        }
        begun.hear(vec![given(request, text)]);
        self.engine.end_round(&mut begun, &mut |one, _| drafts.push(one.draft)).map_err(RunError::from)?;
        self.sealing.give(Round::new(drafts.clone(), Told::default())).map_err(RunError::from)?;
        self.sealing.durable(true).map_err(RunError::from)?;
        let closed = drafts.iter().rfind(|draft| !is_asking(draft)).ok_or_else(|| ReplyError::NotWoken { moment: moment.clone() })?;
        let told = report(closed, self.world(), None);
        let deed = if told.deed.is_empty() { told.closing.word().to_owned() } else { format!("{} {}", told.closing, told.deed) };
        Ok(format!("let {moment} answer otherwise, in frame {}: {deed}", closed.seq))
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
