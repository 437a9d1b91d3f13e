//! Approving: how a request waits for an approval while frames are folded. Its wake is due again as soon as somebody has said something, and
//! else when it is waited for no longer.

use std::sync::Arc;

use crate::fact::{BeingId, Closing, Code, Draft, Fact, Hash, Made, Millis, Text, Value, WakeKind};

use super::approval::{Approval, ApprovalAnswer};
use super::bridge::BRIDGES;
use super::fold::{Blobs, Cause, FoldError, read};
use super::wake::Wake;
use super::whole::World;

impl World {
    /// The requests that wait to be approved: of which bridge, its wake, and what is waited for.
    pub fn approvals(&self) -> impl Iterator<Item = (BeingId, &Wake, &Approval)> {
        let open = |(being, wake): (BeingId, _)| {
            let wake: &Wake = wake;
            wake.approval.as_deref().filter(|approval| approval.is_open()).map(|approval| (being, wake, approval))
        };
        self.inbox.all().filter_map(open)
    }

    /// The wake of a bridge by the fact that caused it, where its request waits to be approved.
    pub fn approval_of(&self, bridge: BeingId, cause: Made) -> Option<(&Arc<Wake>, &Approval)> {
        let is_it = |wake: &&Arc<Wake>| wake.id.cause == cause && wake.id.kind == WakeKind::Summons;
        let wake = self.inbox.of(bridge).find(is_it)?;
        wake.approval.as_deref().filter(|approval| approval.is_open()).map(|approval| (wake, approval))
    }

    /// Lets a wake wait for whoever the frame asks to approve its request.
    pub(super) fn submitted(&mut self, draft: &Draft, blobs: &dyn Blobs) -> Result<(), FoldError> {
        if !matches!(&draft.closing, Closing::Requeued(reason) if reason.code == Code::Approval) {
            return Ok(());
        }
        let petition = (0u32..).zip(&draft.facts).find_map(|(index, fact)| match fact {
            Fact::Asked(summons) if summons.is_petition() => Some((index, summons)),
            _ => None,
        });
        let Some((index, summons)) = petition else { return Ok(()) };
        let Some(open) = self.inbox.get(draft.being, &draft.wake).cloned() else { return Ok(()) };
        let told = Arc::new(read(&summons.content, draft.seq, blobs)?);
        let request = told.get("request").and_then(Value::as_str).and_then(|hash| hash.parse().ok()).unwrap_or(Hash::NOTHING);
        let (asked, until) = (Made { seq: draft.seq, index }, summons.until.unwrap_or(draft.at));
        let mut wake =
            Wake { approval: Some(Arc::new(Approval { asked, by: summons.to, request, until, told, said: None })), ..(*open).clone() };
        wake.id.due = until;
        self.replace_wake(draft.being, &open, wake);
        Ok(())
    }

    /// Takes in what somebody says to a request: its wake is due now.
    pub(super) fn answered(&mut self, bridge: BeingId, cause: Made, said: ApprovalAnswer, at: &Cause) {
        let Some((open, approval)) = self.approval_of(bridge, cause).map(|(wake, approval)| (wake.clone(), approval.clone())) else {
            return;
        };
        let mut wake = Wake { approval: Some(Arc::new(Approval { said: Some(said), ..approval })), ..(*open).clone() };
        wake.id.due = at.at;
        self.replace_wake(bridge, &open, wake);
    }

    /// Forgets what was approved and has not left yet. (A fork asks nothing before it has a budget, which is a frame of its own.)
    pub(super) fn unapprove(&mut self) {
        let is_approved = |wake: &Wake| wake.approval.as_ref().is_some_and(|approval| !approval.is_open());
        let approved: Vec<(BeingId, Wake)> =
            self.inbox.all().filter(|(_, wake)| is_approved(wake)).map(|(being, wake)| (being, wake.clone())).collect();
        for (being, wake) in approved {
            self.replace_wake(being, &wake, Wake { approval: None, ..wake.clone() });
        }
    }

    /// Has the requests that wait judged anew, and asked about anew, that this concerns: who approves them, or whether anybody has to, may be another now.
    pub(super) fn reconsider(&mut self, at: Millis, concerns: impl Fn(&Self, BeingId, &Approval) -> bool) {
        let waiting: Vec<(BeingId, Wake)> = self
            .approvals()
            .filter(|(being, _, approval)| concerns(self, *being, approval))
            .map(|(being, wake, _)| (being, wake.clone()))
            .collect();
        for (being, open) in waiting {
            let mut wake = Wake { approval: None, ..open.clone() };
            wake.id.due = at;
            self.replace_wake(being, &open, wake);
        }
    }

    /// Takes in that somebody has ended: others are asked what they were asked. In most worlds there is no bridge about which anybody is.
    pub(super) fn approver_ended(&mut self, by: BeingId, at: Millis) {
        if self.has_approvals() {
            self.reconsider(at, |_, _, approval| approval.by == by);
        }
    }

    /// Takes in that a setting of the world is another: the requests of a bridge of which it tells are judged anew.
    pub(super) fn bridge_changed(&mut self, key: &Text, at: Millis) {
        let tells =
            |world: &Self, being: BeingId| world.being(being).and_then(|being| world.bridge_of(being)).is_none_or(|(of, _)| of == *key);
        if key.starts_with(BRIDGES) {
            self.reconsider(at, |world, being, _| tells(world, being));
        }
    }

    /// Takes the question back that nobody has answered yet, whose wake waits no more.
    pub(super) fn withdraw(&mut self, wake: &Wake) {
        let Some(approval) = wake.approval.as_deref().filter(|approval| approval.is_open()) else { return };
        let is_it = |open: &&Arc<Wake>| open.id.cause == approval.asked;
        let asked = self.inbox.of(approval.by).find(is_it).cloned();
        if let Some(asked) = asked {
            self.drop_wake(approval.by, &asked);
        }
        // A mind may have failed over it, and nobody is to open it again.
        self.inbox.unbury(approval.by, approval.asked, WakeKind::Summons);
    }
}
