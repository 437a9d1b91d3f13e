//! Asking: whoever answers what models are asked, and whoever hears the answer.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::cognition::{Reply, Request};
use crate::fact::Code;

/// Why nobody can be asked at all; nothing has been stamped then.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Unready(pub String);

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

/// Whoever answers requests.
pub trait Minds: Send {
    /// Gives the next asking up as soon as this is true; what it answers then is of no use.
    fn heed(&mut self, stop: Arc<AtomicBool>) {
        let _ = stop;
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
