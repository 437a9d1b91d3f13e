//! Asking: whoever answers what models are asked, and whoever hears the answer.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

use crate::cognition::{Connection, Reply, Request};
use crate::fact::{Code, Millis};

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
}

/// What is under way is still waited for, and nothing is begun that would have to be waited for.
const LEAVING: u8 = 1;
/// Nothing is waited for any more.
const GIVEN_UP: u8 = 2;

impl AnswerWait {
    /// Calls stand for so long while no endpoint answers.
    pub fn standing(stand: Duration) -> Self {
        Self { stand, ..Self::default() }
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

    pub(super) fn is_leaving(&self) -> bool {
        self.state.load(Ordering::Relaxed) >= LEAVING
    }

    pub(super) fn has_given_up(&self) -> bool {
        self.state.load(Ordering::Relaxed) >= GIVEN_UP
    }
}

/// Who hears an answer; where none comes, it hears that, so that nobody waits for ever.
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

/// Whoever begins to answer before it is time.
pub trait Foresees {
    /// How far ahead of a moment it is asked.
    fn span(&self) -> Millis;

    /// How many more calls a connection takes ahead: as many as it answers at once, and as many again that wait for those, so that no answer
    /// leaves it idle.
    fn room(&self, connection: &Connection) -> usize;

    /// Whether a being was asked ahead in vain the last time.
    fn was_vain(&self, being: &str) -> bool;

    /// Whether any call ahead is under way.
    fn is_under_way(&self) -> bool;

    /// Begins to answer requests whose moments are still to come.
    fn foresee(&mut self, requests: Vec<Request>, patience: &AnswerWait, knock: &Knock);
}

/// Whoever answers requests.
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
