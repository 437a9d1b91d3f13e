//! Hearing: the words that a mind hears between two of its moments are one wake, and all that began with one deed has a price.
//!
//! Further words join the open wake where they are said. A word that joins while its model is asked has not been seen: it opens the wake anew.

use std::sync::Arc;

use crate::fact::{BeingId, Closing, Code, Cognition, Draft, Fact, Made, Millis, Rank, SpaceId, Text, Trigger, WakeId, WakeKind};

use super::being::Being;
use super::fold::Cause;
use super::heard::{AskedAbout, HeardWord, HeardWords};
use super::wake::{Body, Wake};
use super::whole::World;

/// The setting that says how many calls of models all may cost that began with one deed.
pub const CALLS: &str = "brakes.calls";

impl Wake {
    /// The words that it stands for, if some woke it.
    pub fn hearing(&self) -> Option<&HeardWords> {
        if let Body::Hear { hearing } = &self.body { Some(hearing) } else { None }
    }

    /// The roots that it keeps open.
    pub fn roots(&self) -> Vec<Made> {
        let words = self.hearing().map(|hearing| hearing.words.iter().map(|heard| heard.root));
        let asked = self.asked.map(|asked| asked.root);
        match words {
            Some(words) => words.chain(asked).collect(),
            None => self.root.into_iter().collect(),
        }
    }

    /// The same once its model is asked no more: it stands for the newest of its words again.
    pub(super) fn unasked(mut self) -> Self {
        self.asked = None;
        let newest = self.hearing().and_then(|hearing| hearing.words.last()).map(|heard| (heard.made, heard.root, heard.depth));
        if let Some((made, root, depth)) = newest {
            (self.newest, self.root, self.depth) = (made, Some(root), depth);
        }
        self
    }

    /// The same as it begins a root of its own, by a fact that opens it again: no further words join it.
    pub(super) fn of_its_own(mut self, made: Made) -> Self {
        (self.root, self.depth, self.asked) = (Some(made), 0, None);
        if let Body::Hear { hearing } = &mut self.body {
            hearing.joins = None;
            hearing.words.iter_mut().for_each(|heard| (heard.root, heard.depth) = (made, 0));
        }
        self
    }
}

impl World {
    /// Whether all that goes back to one fact has cost as many calls as it may, for a being.
    pub fn is_spent(&self, root: Made, being: &Being) -> bool {
        self.roots.get(&root).is_some_and(|count| count.calls >= self.count_setting(CALLS, being))
    }

    /// A wake with the root that it stands for: of several words the newest whose root is not spent, and while its model is asked the one by
    /// which it is.
    pub fn rooted(&self, being: &Being, wake: &Arc<Wake>) -> Arc<Wake> {
        let Some(hearing) = wake.hearing() else { return wake.clone() };
        let other = match wake.asked {
            Some(asked) => Some((asked.root, asked.depth)),
            None if wake.root.is_none_or(|root| !self.is_spent(root, being)) => None,
            None => hearing.words.iter().rev().find(|heard| !self.is_spent(heard.root, being)).map(|heard| (heard.root, heard.depth)),
        };
        match other {
            Some((root, depth)) if wake.root != Some(root) || wake.depth != depth => {
                Arc::new(Wake { root: Some(root), depth, ..Wake::clone(wake) })
            }
            _ => wake.clone(),
        }
    }

    /// An open wake with the root that it stands for.
    pub(super) fn rooted_of(&self, being: BeingId, id: &WakeId) -> Option<Arc<Wake>> {
        let open = self.inbox.get(being, id)?;
        Some(self.beings.get(&being).map_or_else(|| open.clone(), |being| self.rooted(being, open)))
    }

    /// The root to which the moment of a wake belongs.
    pub fn root_of(&self, being: BeingId, wake: &Wake) -> Option<Made> {
        self.rooted_of(being, &wake.id).map_or(wake.root, |rooted| rooted.root)
    }

    /// Wakes those who hear a word: a mind once for all that it hears until it wakes, whoever else once for each. A word of a root that is spent
    /// wakes no model.
    pub(super) fn said(&mut self, space: SpaceId, content: &Text, index: u32, cause: &Cause) {
        for other in self.listeners(space, Trigger::Hear, cause.being) {
            let Some(being) = self.beings.get(&other) else { continue };
            let thinks = being.cognition_at(cause.at);
            if thinks == Cognition::Llm && cause.root.is_some_and(|root| self.is_spent(root, being)) {
                self.being_mut(other, |being| being.withheld.words = being.withheld.words.saturating_add(1));
                continue;
            }
            let joins = matches!(thinks, Cognition::Llm | Cognition::Panel).then_some(space);
            let hearing = Box::new(HeardWords { words: Vec::new(), count: 1, joins });
            let mut wake = cause.wake(WakeKind::Hear, Rank::Normal, index, Body::Hear { hearing });
            if let (Body::Hear { hearing }, Some(root)) = (&mut wake.body, wake.root) {
                let (who, content, made, depth) = (cause.being, content.clone(), wake.newest, wake.depth);
                hearing.words.push(HeardWord { who, content, made, root, depth });
            }
            self.add_wake(other, wake);
        }
    }

    /// Notes that the model of a wake is asked: the call counts to the root that the wake stands for.
    pub(super) fn note_call(&mut self, being: BeingId, open: &Wake) {
        if let Some(count) = open.root.and_then(|root| self.roots.get_mut(&root)) {
            count.calls = count.calls.saturating_add(1);
        }
        if let (Some(root), Some(hearing)) = (open.root, open.hearing()) {
            let asked = Some(AskedAbout { root, depth: open.depth, count: hearing.count });
            self.replace_wake(being, open, Wake { asked, ..open.clone() });
        }
    }

    /// The wake of the words that came after its moment had opened, once that has closed.
    pub(super) fn hears_on(&self, open: &Wake, draft: &Draft) -> Option<Wake> {
        let hearing = open.hearing().filter(|hearing| hearing.joins.is_some())?;
        let unseen = hearing.since(draft.opened, open.asked.map(|asked| asked.count))?;
        let mut wake =
            Wake { failed: 0, failure: None, looked: 0, body: Body::Hear { hearing: Box::new(unseen) }, ..open.clone() }.unasked();
        (wake.id.due, wake.id.cause) = (draft.at, wake.newest);
        Some(wake)
    }

    /// The being that is to hear that a root is spent: whoever began it, once, where a model is asked no more for it in a frame, or would hear
    /// what is said there.
    pub fn hears_of_brake(&self, root: Made, draft: &Draft) -> Option<BeingId> {
        let count = self.roots.get(&root).filter(|count| !count.is_told)?;
        let began = count.began.filter(|began| *began != draft.being)?;
        let being = self.beings.get(&began).filter(|being| !being.ended)?;
        let is_heard = matches!(being.cognition_at(draft.at), Cognition::Human | Cognition::Script);
        let is_asked_no_more = matches!(&draft.closing, Closing::DeadLetter(reason) if reason.code == Code::BrakeCalls);
        let is_unheard = |fact: &Fact| matches!(fact, Fact::Said { space, .. } if self.is_unheard(*space, root, draft));
        (is_heard && (is_asked_no_more || draft.facts.iter().any(is_unheard))).then_some(began)
    }

    /// Whether what is said in a space wakes a model there no more.
    fn is_unheard(&self, space: SpaceId, root: Made, draft: &Draft) -> bool {
        let models = self.listeners(space, Trigger::Hear, draft.being).into_iter().filter_map(|other| self.beings.get(&other));
        models.filter(|being| is_model(being, draft.at)).any(|being| self.is_spent(root, being))
    }
}

fn is_model(being: &Being, at: Millis) -> bool {
    being.cognition_at(at) == Cognition::Llm
}
