//! Crowd: the connections that are open, whose they are, and which of them gives way where there are too many.
//!
//! A connection on which nobody works gives way: half a request, a body that does not come, a browser that only keeps the line. It is the
//! oldest of whoever has the most. The operator's never does, and for the operator some places are kept on top.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

use super::origin::Origin;

/// How many connections are open at one time, but for those kept for the operator. Well below what a process may open by default, since
/// each holds a file descriptor, and the world's own log needs some as well.
pub const LINES: usize = 512;
/// How many of them one address may have.
const OF_ONE: usize = 256;
/// How many more there are, on which only the operator, and whoever logs in, is answered.
pub const KEPT: usize = 32;

/// One connection among them.
pub struct Member {
    origin: Origin,
    /// Whether it has a place of its own, or one of those kept for the operator.
    is_kept: bool,
    /// Whether it counts for whoever a proxy names, and not yet for anybody.
    is_proxy: bool,
    /// Whether the operator has asked something on it.
    is_operator: bool,
    /// When it was touched last, counted in touches of any.
    touched: u64,
    /// How many bodies are being read.
    hearing: usize,
    /// How many answers are worked on.
    working: usize,
    /// How many streams go out.
    streaming: usize,
    /// Dropped with it, which ends the connection.
    _ends: oneshot::Sender<()>,
}

#[derive(Default)]
pub struct Guests {
    pub members: BTreeMap<u64, Member>,
    touches: u64,
}

/// The connections.
#[derive(Clone, Default)]
pub struct Crowd(Arc<Mutex<Guests>>);

/// A connection's place among them, until it is dropped.
pub struct Place {
    ticket: Ticket,
    /// Ends when the place was given to another.
    pub lost: oneshot::Receiver<()>,
}

/// A connection as those know it who answer.
#[derive(Clone)]
pub struct Ticket {
    number: u64,
    crowd: Crowd,
}

/// A guard that counts work on a connection, until it is dropped.
pub struct Doing {
    ticket: Ticket,
    what: fn(&mut Member) -> &mut usize,
}

impl Crowd {
    pub fn lock(&self) -> MutexGuard<'_, Guests> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A place for one more connection; another may lose its own for it.
    pub fn enter(&self, origin: Origin, is_proxy: bool) -> Option<Place> {
        let mut inside = self.lock();
        let is_full = inside.members.len() >= LINES;
        let has_share = !is_proxy && inside.of(origin) >= OF_ONE;
        let victim = match (has_share, is_full) {
            (false, false) => None,
            (true, _) => inside.idle(origin),
            (false, true) => inside.victim(),
        };
        let is_kept = (has_share || is_full) && victim.is_none();
        if let Some(victim) = victim {
            inside.members.remove(&victim);
        }
        if is_kept && inside.members.values().filter(|member| member.is_kept).count() >= KEPT {
            return None;
        }
        let (ends, lost) = oneshot::channel();
        let number = inside.touch();
        let member =
            Member { origin, is_kept, is_proxy, is_operator: false, touched: number, hearing: 0, working: 0, streaming: 0, _ends: ends };
        inside.members.insert(number, member);
        Some(Place { ticket: Ticket { number, crowd: self.clone() }, lost })
    }
}

impl Guests {
    fn touch(&mut self) -> u64 {
        self.touches += 1;
        self.touches
    }

    /// How many connections an address has.
    fn of(&self, origin: Origin) -> usize {
        self.members.values().filter(|member| !member.is_proxy && member.origin == origin).count()
    }

    /// The oldest connection of an address on which nobody works.
    fn idle(&self, origin: Origin) -> Option<u64> {
        let idle = self.members.iter().filter(|(_, member)| member.origin == origin && member.is_idle());
        idle.min_by_key(|(_, member)| member.touched).map(|(number, _)| *number)
    }

    /// The oldest connection on which nobody works, of the address that has the most.
    fn victim(&self) -> Option<u64> {
        let mut counts: BTreeMap<Origin, usize> = BTreeMap::new();
        self.members.values().for_each(|member| *counts.entry(member.origin).or_default() += 1);
        let mut greedy: Vec<(usize, Origin)> = counts.into_iter().map(|(origin, count)| (count, origin)).collect();
        greedy.sort_by(|one, other| other.cmp(one));
        greedy.into_iter().find_map(|(_, origin)| self.idle(origin))
    }
}

impl Member {
    fn is_idle(&self) -> bool {
        self.working == 0 && self.streaming == 0 && !self.is_operator
    }
}

impl Place {
    /// As those know it who answer.
    pub fn ticket(&self) -> Ticket {
        self.ticket.clone()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.ticket.crowd.lock().members.remove(&self.ticket.number);
    }
}

impl Ticket {
    /// A whole head has come; whether more than logging in may be answered to whoever sent it.
    pub fn asks(&self, origin: Origin, is_operator: bool) -> bool {
        let mut inside = self.crowd.lock();
        let touched = inside.touch();
        let has_room = inside.members.len() <= LINES && inside.of(origin) <= OF_ONE;
        // A connection that was lost meanwhile: its connection ends.
        let Some(member) = inside.members.get_mut(&self.number) else { return is_operator };
        (member.origin, member.touched) = (origin, touched);
        member.is_operator |= is_operator;
        member.is_kept &= !has_room;
        is_operator || !member.is_kept
    }

    /// Whether anybody reads a body or works on an answer.
    pub fn is_busy(&self) -> bool {
        self.crowd.lock().members.get(&self.number).is_some_and(|member| member.working + member.hearing > 0)
    }

    /// A body is being read.
    pub fn hears(&self) -> Doing {
        self.does(|member| &mut member.hearing)
    }

    /// An answer is worked on.
    pub fn works(&self) -> Doing {
        self.does(|member| &mut member.working)
    }

    /// A stream goes out.
    pub fn streams(&self) -> Doing {
        self.does(|member| &mut member.streaming)
    }

    fn does(&self, what: fn(&mut Member) -> &mut usize) -> Doing {
        if let Some(member) = self.crowd.lock().members.get_mut(&self.number) {
            *what(member) += 1;
        }
        Doing { ticket: self.clone(), what }
    }
}

impl Drop for Doing {
    fn drop(&mut self) {
        let mut inside = self.ticket.crowd.lock();
        let touched = inside.touch();
        if let Some(member) = inside.members.get_mut(&self.ticket.number) {
            let count = (self.what)(member);
            *count = count.saturating_sub(1);
            member.touched = touched;
        }
    }
}
