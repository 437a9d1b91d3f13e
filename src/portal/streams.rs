//! Streams: how many may watch the moments at one time: so many people, so many visitors, of each so many, and some kept for the operator.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::crowd::{Doing, Ticket};
use super::origin::Origin;
use super::rate::Counted;
use super::share::{Share, Shares};
use super::who::Who;

/// How many streams of people there are.
const PEOPLE: usize = 192;
/// And of visitors, who shall not take the people's places.
const VISITORS: usize = 32;
/// And of the operator, which nobody else takes.
const OPERATOR: usize = 32;
/// How many one person may have.
const OF_PERSON: usize = 16;
/// How many the visitors of one address may have.
const OF_VISITORS: usize = 8;
/// How many people may have from one address, all together.
const OF_ADDRESS: usize = 96;

/// The streams.
pub struct Streams {
    people: Arc<Semaphore>,
    visitors: Arc<Semaphore>,
    operator: Arc<Semaphore>,
    askers: Shares<Counted>,
    addresses: Shares<Origin>,
}

/// One of them, until it is dropped.
pub struct Watching {
    _permit: OwnedSemaphorePermit,
    _share: Share<Counted>,
    _of_address: Option<Share<Origin>>,
    _line: Option<Doing>,
}

impl Default for Streams {
    fn default() -> Self {
        let [people, visitors, operator] = [PEOPLE, VISITORS, OPERATOR].map(|most| Arc::new(Semaphore::new(most)));
        Self { people, visitors, operator, askers: Shares::default(), addresses: Shares::default() }
    }
}

impl Streams {
    /// A stream for somebody, if there is one.
    pub fn watch(&self, who: &Who) -> Option<Watching> {
        let (all, own) = match (who.goes_first(), who.is_visitor) {
            (true, _) => (&self.operator, OPERATOR),
            (false, true) => (&self.visitors, OF_VISITORS),
            (false, false) => (&self.people, OF_PERSON),
        };
        let share = self.askers.take(&who.counted(), own)?;
        let is_counted = !who.goes_first() && !who.is_visitor;
        let of_address = if is_counted { Some(self.addresses.take(&who.origin, OF_ADDRESS)?) } else { None };
        let permit = all.clone().try_acquire_owned().ok()?;
        Some(Watching { _permit: permit, _share: share, _of_address: of_address, _line: who.ticket.as_ref().map(Ticket::streams) })
    }
}
