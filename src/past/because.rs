//! Because: why a moment was as it was, in one sentence: the nearest cause that carries the same thing or words, else the clause in force.

use crate::fact::{Draft, Seq, WakeKind};
use crate::tell::{ToldPart, carried, in_force};
use crate::world::World;

use super::history::History;
use super::load::LoadError;

/// How many wakes back a cause is looked for.
const NEAR: usize = 8;

impl History {
    /// Why the moment with that seq was as it was, behind *because*; nothing where no frame says so. Only those causes count that `may` lets through;
    /// the names are those of a world, which knows all beings.
    pub fn because(&self, seq: Seq, world: &World, may: impl Fn(&Draft) -> bool) -> Result<Vec<ToldPart>, LoadError> {
        let Some(frame) = self.frame(seq, world)? else { return Ok(Vec::new()) };
        let moment = frame.draft();
        let mut causes: Vec<Draft> = Vec::new();
        while causes.len() < NEAR {
            let at = causes.last().unwrap_or(moment);
            let woke = Some(at.wake.cause.seq).filter(|_| is_by_a_deed(at.wake.kind));
            // A person answers of their own accord, and says which question.
            let cause = at.answers().map(|made| made.seq).or(woke).filter(|cause| *cause < at.seq && *cause >= self.begins());
            let Some(frame) = cause.map(|cause| self.frame(cause, world)).transpose()?.flatten() else { break };
            causes.push(frame.draft().clone());
        }
        causes.retain(may);
        Ok(carried(moment, &causes, world).or_else(|| in_force(moment, world)).unwrap_or_default())
    }
}

/// Whether somebody's deed wakes so; a person, a schedule and time begin something by themselves.
fn is_by_a_deed(kind: WakeKind) -> bool {
    match kind {
        WakeKind::Summons
        | WakeKind::Hear
        | WakeKind::Watch
        | WakeKind::Signal
        | WakeKind::Arrival
        | WakeKind::Enter
        | WakeKind::Change
        | WakeKind::ReplyDue
        | WakeKind::SelfContinue => true,
        WakeKind::Schedule | WakeKind::Crossing | WakeKind::Gesture | WakeKind::End | WakeKind::Boot => false,
    }
}
