//! Asking: the interface of minds, which answer requests to models, and the callbacks that hear the answers.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

use serde::Serialize;

use crate::cognition::{Connection, Reply, Request};
use crate::fact::{Code, N};

use super::outages::Outages;

/// Why nobody can be asked at all; nothing has been stamped then.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Unready(pub String);

/// How long answers are waited for, as whoever waits says and may change while they are under way.
#[derive(Clone, Debug, Default)]
pub struct AnswerWait {
    /// How long a call stands while no endpoint of its connections answers.
    stand: Duration,
    state: Arc<AtomicU8>,
    /// How long all are waited for of whom it is one.
    of_all: Option<Arc<AtomicU8>>,
}

/// Requests under way are still waited for, and no new one is begun.
const LEAVING: u8 = 1;
/// Nothing is waited for any more.
const GIVEN_UP: u8 = 2;

impl AnswerWait {
    /// Calls stand for so long while no endpoint answers.
    pub fn standing(stand: Duration) -> Self {
        Self { stand, ..Self::default() }
    }

    /// For one of those that are waited for so: it can be given up alone.
    pub(super) fn one(&self) -> Self {
        Self { stand: self.stand, state: Arc::default(), of_all: Some(self.state.clone()) }
    }

    /// How long a call stands.
    pub(super) fn stand(&self) -> Duration {
        self.stand
    }

    /// Lets no call stand any more: only what an endpoint works on is waited for.
    pub fn leave(&self) {
        self.state.fetch_max(LEAVING, Ordering::Relaxed);
    }

    /// Gives up whatever is under way; what it answers then is of no use.
    pub fn give_up(&self) {
        self.state.store(GIVEN_UP, Ordering::Relaxed);
    }

    fn is_at(&self, state: u8) -> bool {
        let is_so = |one: &AtomicU8| one.load(Ordering::Relaxed) >= state;
        is_so(&self.state) || self.of_all.as_deref().is_some_and(is_so)
    }

    pub(super) fn is_leaving(&self) -> bool {
        self.is_at(LEAVING)
    }

    pub(super) fn has_given_up(&self) -> bool {
        self.is_at(GIVEN_UP)
    }
}

/// The callback of an answer; it also hears where none comes, so that nobody waits for ever.
pub struct Heard(Option<Box<dyn FnOnce(Reply) + Send>>);

impl Heard {
    /// Hears by this.
    pub fn new(hears: impl FnOnce(Reply) + Send + 'static) -> Self {
        Self(Some(Box::new(hears)))
    }

    /// Tells the answer.
    pub fn tell(mut self, reply: Reply) {
        if let Some(hears) = self.0.take() {
            hears(reply);
        }
    }
}

impl Drop for Heard {
    fn drop(&mut self) {
        if let Some(hears) = self.0.take() {
            hears(Reply::failed(Code::ReplyLost));
        }
    }
}

/// Told of each answer that comes.
pub type Knock = Arc<dyn Fn() + Send + Sync>;

/// How far a request was answered before its moment has come.
pub enum Foreseen {
    /// Nobody was asked it.
    Not,
    /// The model is being asked.
    UnderWay,
    /// The model has answered.
    Replied(Reply),
}

/// A mind that begins to answer before it is asked.
pub trait Foresees {
    /// How many moments ahead of the one that is waited for are looked at, where a connection answers so many at once; 0: none.
    fn window(&self, parallel: usize) -> usize;

    /// How many more calls a connection takes, beside those whose moments have come.
    fn room(&self, connection: &Connection) -> usize;

    /// How far a request was answered.
    fn foreseen(&self, request: &Request) -> Foreseen;

    /// Whether a being may be asked though somebody of its place is still to answer before it: as far as what was asked in vain, of it and of all, allows.
    fn dares(&self, being: &str) -> bool;

    /// Whether a being's last call ahead was of no use.
    fn was_in_vain(&self, being: &str) -> bool;

    /// Whether any call ahead is under way.
    fn is_under_way(&self) -> bool;

    /// Whether anything was answered since this was asked last.
    fn has_news(&mut self) -> bool;

    /// Gives up what a being is asked that is not this request.
    fn give_up_others(&mut self, request: &Request);

    /// Begins to answer requests whose moments are still to come.
    fn foresee(&mut self, requests: Vec<Request>, patience: &AnswerWait, knock: &Knock);

    /// How many calls were begun ahead.
    fn count(&self) -> AheadCount;

    /// Takes in that every frame is durable that books calls which were begun ahead.
    fn settle(&mut self);

    /// Finds out which calls of an earlier run the log has booked, by the `n` of each being's next frame in it.
    fn reconcile(&mut self, next_n: &dyn Fn(&str) -> Option<N>);

    /// Asks again where an answer that was waited for is of no use.
    fn ask_again(&mut self);
}

/// Calls that were begun ahead of their moments.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AheadCount {
    /// How many.
    pub calls: u64,
    /// How many of them were of no use.
    pub in_vain: u64,
}

/// A mind: it answers the requests of moments.
pub trait Minds: Send {
    /// How long the next answers are waited for.
    fn heed(&mut self, patience: AnswerWait) {
        let _ = patience;
    }

    /// These, where they can be asked ahead of the moments that they are asked for.
    fn ahead(&mut self) -> Option<&mut dyn Foresees> {
        None
    }

    /// The connections whose endpoints do not answer now, as they come and go.
    fn outages(&self) -> Outages {
        Outages::default()
    }

    /// Whether a connection cannot be asked, because its key is not there.
    fn lacks_key(&self, connection: &Connection) -> bool {
        let _ = connection;
        false
    }

    /// Answers all of them, each in its place.
    fn ask(&mut self, requests: &[Request]) -> Vec<Reply>;

    /// Begins to answer one and comes back; `heard` hears the answer.
    fn begin(&mut self, request: Request, heard: Heard) {
        let reply = self.ask(&[request]).pop();
        heard.tell(reply.unwrap_or_else(|| Reply::failed(Code::ReplyLost)));
    }

    /// Whether all of them can be asked; looked at before anything of the round is stamped.
    fn ready(&self, _requests: &[&Request]) -> Result<(), Unready> {
        Ok(())
    }
}
