//! Cut: a thread, which is all that goes back to one fact; and how it ends where somebody cuts it: its open wakes are dead letters from then on.

use std::sync::Arc;

use crate::fact::{BeingId, Code, Made, Millis, Reason, Summons, WakeKind};

use super::fold::Cause;
use super::wake::{Body, Wake};
use super::whole::{RootCount, World};

impl Wake {
    /// The words that it stands for beside those of a root that is cut: its wake from now on, which a fact makes another one. A panel asks about
    /// them anew.
    fn without(&self, root: Made, (made, at): (Made, Millis)) -> Option<Self> {
        let mut wake = self.about().clone().unasked();
        let Body::Hear { hearing } = &mut wake.body else { return None };
        let before = hearing.words.len();
        hearing.words.retain(|heard| heard.root != root);
        hearing.count = hearing.count.saturating_sub((before - hearing.words.len()) as u64);
        hearing.words.last()?;
        (wake.id.due, wake.id.cause, wake.failed, wake.failure, wake.looked) = (at, made, 0, None, 0);
        Some(wake.unasked())
    }
}

impl World {
    /// The threads of which anything is open, each by the fact with which it began.
    pub fn threads(&self) -> impl Iterator<Item = (Made, &RootCount)> {
        self.roots.iter().map(|(root, count)| (*root, count))
    }

    /// The open wakes of a thread: those of one being, or of everybody. That a being has ended is nothing that can be cut.
    pub fn thread(&self, root: Made, whose: Option<BeingId>) -> impl Iterator<Item = (BeingId, &Wake)> {
        let is_meant = move |(being, wake): &(BeingId, &Wake)| {
            whose.is_none_or(|whose| whose == *being) && wake.about().roots().contains(&root) && wake.id.kind != WakeKind::End
        };
        self.inbox.all().filter(is_meant)
    }

    /// Closes the open wakes of a thread. Words of other threads that one of them stands for are heard in a wake of their own.
    pub(super) fn cut(&mut self, root: Made, whose: Option<BeingId>, index: u32, cause: &Cause) {
        let open: Vec<(BeingId, Arc<Wake>)> = self.thread(root, whose).map(|(being, wake)| (being, Arc::new(wake.clone()))).collect();
        let by = self.beings.get(&cause.being).map_or_else(String::new, |being| format!("@{}", being.name));
        let reason = Reason::new(Code::Cut, by);
        for (being, wake) in open {
            // With the request of a bridge the question about it is gone too.
            if whose.is_none() && wake.summons().is_some_and(Summons::is_petition) {
                self.drop_wake(being, &wake);
                continue;
            }
            match wake.without(root, (Made { seq: cause.seq, index }, cause.at)) {
                Some(rest) => {
                    self.replace_wake(being, &wake, rest);
                    self.call_off(&wake);
                }
                None => {
                    self.drop_wake(being, &wake);
                    self.call_off(&wake);
                    self.bury(being, wake.about(), &reason, cause.at);
                }
            }
        }
    }
}
