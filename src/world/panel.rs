//! Panel: how the wake of a panel waits for its members, takes up their ballots, and lets go of those who are not needed any more.

use std::sync::Arc;

use crate::fact::{BeingId, Decide, Draft, Fact, Made, Value, WakeId, WakeKind};

use super::fold::Cause;
use super::poll::{Ballot, Poll, Polled};
use super::wake::{Body, Wake};
use super::whole::World;

impl World {
    /// Lets the wake about which a panel has asked its members wait for them: it is due when they have answered, or when they are waited for no
    /// longer.
    pub(super) fn await_members(&mut self, draft: &Draft, open: &Wake) {
        let asks = (0u32..).zip(&draft.facts).filter_map(|(index, fact)| match fact {
            Fact::Asked(summons) if summons.is_ballot() => Some((Made { seq: draft.seq, index }, summons)),
            _ => None,
        });
        let decide =
            || self.beings.get(&draft.being).and_then(|being| being.panel.as_ref()).map_or(Decide::Majority, |panel| panel.decide.clone());
        let (about, mut poll) = match &open.body {
            Body::ReplyDue { about, poll } => (about.clone(), (**poll).clone()),
            _ => (Arc::new(open.clone()), Poll { decide: decide(), asked: Vec::new(), until: draft.at }),
        };
        for (asked, summons) in asks {
            poll.until = poll.until.max(summons.until.unwrap_or(draft.at));
            poll.asked.push(Polled { member: summons.to, asked, ballot: None });
        }
        let id = WakeId { due: poll.until, kind: WakeKind::ReplyDue, ..open.id.clone() };
        let waiting = Wake { id, body: Body::ReplyDue { about, poll: Box::new(poll) }, ..open.clone() };
        self.drop_wake(draft.being, open);
        self.add_wake(draft.being, waiting);
    }

    /// Takes up the answer of a member. One that comes too late is answered by nobody and wakes nobody.
    pub(super) fn take_ballot(&mut self, (panel, asked): (BeingId, Made), said: &Value, cause: &Cause) {
        let Some(open) = self.inbox.poll_of(panel, asked).cloned() else { return };
        let mut wake = (*open).clone();
        let Body::ReplyDue { poll, .. } = &mut wake.body else { return };
        poll.take(cause.being, asked, Ballot::read(said, cause.at));
        if poll.is_ready() {
            wake.id.due = wake.id.due.min(cause.at);
        }
        self.drop_wake(panel, &open);
        self.add_wake(panel, wake);
    }

    /// Lets go of the members that have been asked and not answered, once nobody waits for them; of one that is a panel itself, of its own too.
    pub(super) fn call_off(&mut self, wake: &Wake) {
        let mut over = vec![Arc::new(wake.clone())];
        while let Some(wake) = over.pop() {
            let Body::ReplyDue { poll, .. } = &wake.body else { continue };
            for polled in poll.asked.iter().filter(|polled| polled.ballot.is_none()) {
                let open = self.inbox.of(polled.member).find(|open| open.id.cause == polled.asked && open.summons().is_some()).cloned();
                if let Some(open) = open {
                    self.drop_wake(polled.member, &open);
                    over.push(open);
                }
            }
        }
    }
}
