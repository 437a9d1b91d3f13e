//! Purse: a spending limit that several worlds share: each request to a model is paid for out of it, whichever world asks.
//!
//! The highest cost of a request is held back while it is under way, so that worlds which ask at once do not spend more than there is.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use crate::cognition::{Connection, Reply, Request};
use crate::fact::{Code, Spend, Value};
use crate::world::exceeded;

use super::asking::{AnswerWait, Minds, Unready};
use super::outages::Outages;

/// A budget that is shared; each copy is the same purse.
#[derive(Clone)]
pub struct Purse(Arc<SharedPurse>);

struct SharedPurse {
    /// `calls`, `tokens`, `bytes`, `money`.
    limit: Value,
    holding: Mutex<PurseState>,
    /// Told whenever something that was held back is settled.
    settled: Condvar,
}

#[derive(Default)]
struct PurseState {
    spent: Spend,
    held: Spend,
    is_short: bool,
}

impl Purse {
    /// A purse with so much in it.
    pub fn of(limit: Value) -> Self {
        Self(Arc::new(SharedPurse { limit, holding: Mutex::default(), settled: Condvar::new() }))
    }

    /// The sum that was spent out of it.
    pub fn spent(&self) -> Spend {
        self.lock().spent
    }

    /// Whether there is something left for another call, and none had to be left out.
    pub fn has_room(&self) -> bool {
        let holding = self.lock();
        !holding.is_short && exceeded(&self.0.limit, holding.spent.plus(Spend { calls: 1, ..Spend::default() })).is_none()
    }

    /// Whether a call was left out, because there was no room for it.
    pub fn is_short(&self) -> bool {
        self.lock().is_short
    }

    /// Notes that a call was left out, because there was no room for it.
    pub fn run_short(&self) {
        self.lock().is_short = true;
    }

    /// The limits of what is left in it, for a world that asks out of it.
    pub fn left(&self) -> Value {
        let spent = self.spent();
        let own = |key: &str| self.0.limit.get(key).and_then(Value::as_float);
        let of = |key: &'static str, spent: f64| Some((key, Value::number((own(key)? - spent).max(0.0))?));
        let limits = [
            of("calls", spent.calls as f64),
            of("tokens", spent.tokens() as f64),
            of("bytes", spent.bytes as f64),
            of("money", spent.money as f64 / 1e6),
        ];
        Value::map(limits.into_iter().flatten())
    }

    fn lock(&self) -> MutexGuard<'_, PurseState> {
        self.0.holding.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Holds back what a request can cost: with all its attempts or, where nobody else holds anything back, with one. It is given back as
    /// it is to be sent; nothing where there is no room for it, once nobody whose calls are under way could leave some.
    fn hold(&self, request: &Request, waits: bool) -> Option<Request> {
        let mut holding = self.lock();
        loop {
            let is_alone = holding.held == Spend::default();
            let has_room = |most: Spend| exceeded(&self.0.limit, holding.spent.plus(holding.held).plus(most)).is_none();
            let sparing = request.sparing();
            let asked = if has_room(request.reserve()) {
                Some(request.clone())
            } else {
                Some(sparing).filter(|one| is_alone && has_room(one.reserve()))
            };
            if let Some(asked) = asked {
                holding.held = holding.held.plus(asked.reserve());
                return Some(asked);
            }
            holding.is_short |= is_alone;
            if is_alone || !waits {
                return None;
            }
            holding = self.0.settled.wait(holding).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn settle(&self, request: &Request, reply: &Reply) {
        let mut holding = self.lock();
        holding.held = holding.held.minus(request.reserve());
        holding.spent = holding.spent.plus(request.spent(reply).spend);
        self.0.settled.notify_all();
    }
}

/// Minds that are asked out of a purse.
pub struct Pursed {
    inner: Box<dyn Minds>,
    purse: Purse,
    /// Told when there is no room for a request.
    short: Box<dyn Fn() + Send>,
}

impl Pursed {
    /// Lets these be asked as long as there is something in the purse.
    pub fn new(inner: Box<dyn Minds>, purse: Purse, short: impl Fn() + Send + 'static) -> Self {
        Self { inner, purse, short: Box::new(short) }
    }

    /// Asks as many of them at once as there is room for, each by its place.
    fn ask_some(&mut self, waiting: &mut VecDeque<(usize, &Request)>, replies: &mut [Reply]) {
        let mut held = Vec::new();
        while let Some((place, request)) = waiting.front().copied()
            // A caller that holds something back itself would wait for itself.
            && let Some(asked) = self.purse.hold(request, held.is_empty())
        {
            waiting.pop_front();
            held.push((place, asked));
        }
        let asked: Vec<Request> = held.iter().map(|(_, asked)| asked.clone()).collect();
        if asked.is_empty() {
            (self.short)();
            // As if the run was stopped: the wake waits, and no attempt is used up.
            waiting.pop_front();
            return;
        }
        for ((place, asked), reply) in held.into_iter().zip(self.inner.ask(&asked)) {
            self.purse.settle(&asked, &reply);
            if let Some(slot) = replies.get_mut(place) {
                *slot = reply;
            }
        }
    }
}

impl Minds for Pursed {
    fn heed(&mut self, patience: AnswerWait) {
        self.inner.heed(patience);
    }

    fn outages(&self) -> Outages {
        self.inner.outages()
    }

    fn lacks_key(&self, connection: &Connection) -> bool {
        self.inner.lacks_key(connection)
    }

    fn ask(&mut self, requests: &[Request]) -> Vec<Reply> {
        let mut replies = vec![Reply::failed(Code::GivenUp); requests.len()];
        let mut waiting: VecDeque<(usize, &Request)> = requests.iter().enumerate().collect();
        while !waiting.is_empty() {
            self.ask_some(&mut waiting, &mut replies);
        }
        replies
    }

    fn ready(&self, requests: &[&Request]) -> Result<(), Unready> {
        self.inner.ready(requests)
    }
}
