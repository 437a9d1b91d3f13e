//! Wakes: why a moment opens, and what the mind is told about it.

use std::borrow::Cow;
use std::sync::Arc;

use crate::fact::{BeingId, Code, Made, Millis, Orientation, Reason, SpaceId, Summons, Text, Thing, Value, Verbs, WakeId, WakeKind};

use super::approval::Approval;
use super::heard::{AskedAbout, HeardWords};
use super::poll::Poll;

/// An open wake of a being.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wake {
    /// Its identity and its place in the order.
    pub id: WakeId,
    /// The newest fact that it stands for: later signals join an open wake.
    pub newest: Made,
    /// How many attempts have failed.
    pub failed: u32,
    /// Why the last of them has failed, or why its model could not be asked.
    pub failure: Option<Reason>,
    /// How often its model has looked for it and gone on, over all its attempts.
    pub looked: u32,
    /// Whether it came for whoever drives the being, so that no model is asked about it.
    pub quiet: bool,
    /// The fact with which all this began; none: nobody's deed but time's.
    pub root: Option<Made>,
    /// How many wakes lie between the root and this one.
    pub depth: u32,
    /// Of several words the one for which its model is asked, while it is.
    pub asked: Option<AskedAbout>,
    /// Whether its request waits to be approved, or was.
    pub approval: Option<Arc<Approval>>,
    /// Its cause and content.
    pub body: Body,
}

/// The cause of a wake and its content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Body {
    /// A summons.
    Summons {
        /// The caller.
        from: BeingId,
        /// The being that drove the caller then, if any did.
        driver: Option<BeingId>,
        /// The summons as its fact records it.
        summons: Box<Summons>,
        /// Its content, read from its blob if it was large.
        content: Arc<Value>,
    },
    /// A signal changed.
    Signal {
        /// Which, as the flow reads it.
        path: Text,
    },
    /// A schedule is due.
    Schedule {
        /// Its name.
        name: Text,
        /// The content that it carries.
        content: Arc<Value>,
    },
    /// The being came into a space.
    Enter {
        /// Which.
        space: SpaceId,
    },
    /// Somebody came.
    Arrival {
        /// Who.
        who: BeingId,
    },
    /// Something was said.
    Hear {
        /// What, and by whom.
        hearing: Box<HeardWords>,
    },
    /// Something was done that the being watches for.
    Watch {
        /// By whom the newest.
        who: BeingId,
        /// What.
        action: Text,
        /// To what.
        target: Thing,
        /// The space in which that lay.
        place: SpaceId,
        /// The entry that it watches by, as it is written.
        entry: Text,
        /// How often since it last woke by that entry.
        count: u32,
    },
    /// The roles that the being wears with no wake have changed.
    Change {
        /// The roles that it wore before the first change since it last woke so.
        wore: Arc<[Text]>,
    },
    /// A condition over time can change now.
    Crossing,
    /// The role goes on by itself.
    SelfContinue {
        /// The verbs to which the moment was narrowed after which it goes on.
        only: Verbs,
    },
    /// A person acts.
    Gesture,
    /// The being has ended.
    End,
    /// The world was opened again.
    Boot {
        /// When its last frame before that had closed.
        since: Millis,
    },
    /// A panel has asked its members.
    ReplyDue {
        /// About which wake.
        about: Arc<Wake>,
        /// Whom, and how they voted.
        poll: Box<Poll>,
    },
}

/// A wake that nobody will open unless it is requeued.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeadLetter {
    /// The wake.
    pub wake: Wake,
    /// Why it was given up.
    pub reason: Reason,
    /// When.
    pub at: Millis,
}

impl Wake {
    /// Whether its model was not asked in its last moment, since its provider answers nobody over the connection.
    pub fn is_held_by_its_connection(&self) -> bool {
        self.failure.as_ref().is_some_and(|reason| reason.code == Code::ConnectionHeld)
    }

    /// A wake that nobody's deed has begun.
    pub fn by_nobody(id: WakeId, body: Body) -> Self {
        let newest = id.cause;
        Self { id, newest, failed: 0, failure: None, looked: 0, quiet: false, root: None, depth: 0, asked: None, approval: None, body }
    }

    /// The wake of a person's own act, which opens when it is submitted and never lies in an inbox.
    pub fn gesture(seq: u64, at: Millis) -> Self {
        let cause = Made { seq, index: 0 };
        let id = WakeId { rank: crate::fact::Rank::Person, due: at, cause, kind: WakeKind::Gesture };
        Self::by_nobody(id, Body::Gesture)
    }

    /// The wake that it is about: itself, or where a panel waits for its members, what it has asked them about.
    pub fn about(&self) -> &Self {
        if let Body::ReplyDue { about, .. } = &self.body { about } else { self }
    }

    /// The poll of a panel about it.
    pub fn poll(&self) -> Option<&Poll> {
        if let Body::ReplyDue { poll, .. } = &self.body { Some(poll) } else { None }
    }

    /// The being that caused it, if any.
    pub fn caller(&self) -> Option<BeingId> {
        match &self.about().body {
            Body::Summons { from, .. } => Some(*from),
            Body::Arrival { who } | Body::Watch { who, .. } => Some(*who),
            Body::Hear { hearing } => hearing.of_root(self.about().root).map(|heard| heard.who),
            Body::Signal { .. }
            | Body::Schedule { .. }
            | Body::Enter { .. }
            | Body::Change { .. }
            | Body::Crossing
            | Body::SelfContinue { .. }
            | Body::Gesture
            | Body::End
            | Body::Boot { .. }
            | Body::ReplyDue { .. } => None,
        }
    }

    /// The being that drove its cause then, if any did.
    pub fn caller_driver(&self) -> Option<BeingId> {
        if let Body::Summons { driver, .. } = &self.about().body { *driver } else { None }
    }

    /// The summons, where it is one.
    pub fn summons(&self) -> Option<&Summons> {
        if let Body::Summons { summons, .. } = &self.about().body { Some(summons) } else { None }
    }

    /// The content of a summons; of any other wake nothing.
    pub fn content(&self) -> Value {
        if let Body::Summons { content, .. } = &self.about().body { Value::clone(content) } else { Value::Null }
    }

    /// The words that it brings, if it brings any.
    pub fn words(&self) -> Option<Cow<'_, str>> {
        match &self.about().body {
            Body::Summons { content, .. } | Body::Schedule { content, .. } => {
                let words = content.as_str().map_or_else(|| content.to_string().into(), Cow::from);
                Some(words).filter(|_| !content.is_null())
            }
            Body::Hear { hearing } => Some(hearing.text()),
            _ => None,
        }
    }

    /// The summons that an answer to it answers.
    pub fn answers(&self) -> Option<Made> {
        self.summons().map(|_| self.id.cause)
    }

    /// The verbs to which its moment is narrowed.
    pub fn only(&self) -> Verbs {
        match &self.about().body {
            Body::Summons { summons, .. } => summons.only,
            Body::SelfContinue { only } => *only,
            Body::Signal { .. }
            | Body::Schedule { .. }
            | Body::Enter { .. }
            | Body::Arrival { .. }
            | Body::Hear { .. }
            | Body::Watch { .. }
            | Body::Change { .. }
            | Body::Crossing
            | Body::Gesture
            | Body::End
            | Body::Boot { .. }
            | Body::ReplyDue { .. } => Verbs::ALL,
        }
    }

    /// Whether somebody waits for what is said or done about it. A summons to which no answer is wanted is there to be known; one that asks for
    /// an approval is answered by a deed.
    pub fn is_waited_for(&self) -> bool {
        self.summons().is_none_or(|summons| summons.wants_answer() || summons.is_petition())
    }

    /// The orientation asked for.
    pub fn orientation(&self) -> Option<Orientation> {
        self.summons().and_then(|summons| summons.orientation)
    }
}
