//! Rehearse: what a script would do in a moment of the past, on the world that the moment opened on. Nothing of it is sealed.

use std::sync::Arc;

use serde::Serialize;

use crate::fact::{BeingId, Call, Closing, Cognition, Draft, Fact, Seq, Text, Value, WakeKind};
use crate::script::{Limits, Sandbox, ScriptError, ScriptStep};
use crate::verb::RuleTrace;
use crate::world::{Wake, World};

use super::history::History;
use super::load::LoadError;
use super::report::{Report, report, standing};
use super::trial::{Thinking, Trial, wake_of};

/// The name of a script for a being that has none.
const TRIED: &str = "tried";

/// A script as it lies in a file.
#[derive(Clone, Debug)]
pub struct TriedScript {
    /// The file, for messages.
    pub file: Text,
    /// Its text.
    pub source: Text,
}

/// The outcome of a script that is tried in a moment.
#[derive(Clone, Debug, Serialize)]
pub struct Rehearsal {
    /// The world was read below this seq.
    pub opened: Seq,
    /// The moment as it would close.
    pub moment: Report,
    /// The facts that it would stamp.
    pub facts: Vec<Fact>,
    /// The rules that would be asked about its act, each with what it saw.
    pub rules: Vec<RuleTrace>,
    /// How many steps its scripts took, and how many a moment may take.
    pub taken: u64,
    /// The most that they may take.
    pub most: u64,
    /// The statements that were run, each with the variables that it changed.
    pub steps: Vec<ScriptStep>,
    /// How many of them are too many to be told.
    #[serde(rename = "leftOut")]
    pub left_out: u64,
    /// The report of this moment as it was, if it has been.
    pub recorded: Option<Report>,
}

/// Why a script cannot be tried.
#[derive(Debug, thiserror::Error)]
pub enum RehearseError {
    /// The history cannot be read.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// It is no script that thinks.
    #[error(transparent)]
    Script(#[from] ScriptError),
    /// There is no moment that it could be tried in.
    #[error("@{0} has no moment at or after that point, and no open wake there; name an earlier point")]
    NoMoment(Text),
    /// It was not born yet.
    #[error("the being is not born at that point; name a later one")]
    Unborn,
    /// No script thinks in it.
    #[error("@{name} does not think by a script in this moment (it is {cognition}); name one: `reelm try @{name} FILE.rhai --at POINT`")]
    NoScript {
        /// Whose.
        name: Text,
        /// What thinks.
        cognition: Cognition,
    },
    /// A person drives it.
    #[error("somebody drives @{0} in this moment, so no script thinks for it")]
    Driven(Text),
    /// It closes before anybody thinks.
    #[error("the moment closes before anybody thinks: {0}")]
    Closed(String),
}

/// The moment that is tried: its wake, what was recorded of it, and the world on which it opens.
struct Rehearsed {
    world: World,
    wake: Arc<Wake>,
    draft: Option<Draft>,
    /// The report of the recorded moment.
    told: Option<Report>,
}

impl History {
    /// Tries a script, or the being's own, in the first moment of a being that opened or closed at a seq or after it; behind its last one, for
    /// the wake that is open there.
    pub fn rehearse(&self, being: BeingId, at: Seq, script: Option<&TriedScript>) -> Result<Rehearsal, RehearseError> {
        if let Some(TriedScript { file, source }) = script {
            Sandbox::check(source, file, "think", 1)?;
        }
        let stage = self.stage_of(being, at)?;
        let trial = stage.open(being, script)?;
        let mut sandbox = Sandbox::stepping(Limits::default());
        let Thinking::Script(answer) = trial.think_in(&mut sandbox) else { return Err(refused(&trial)) };
        let (draft, rules, notes) = trial.close_judged(*answer);
        let (steps, left_out) = sandbox.steps();
        let notes = sandbox.notes().into_iter().chain(notes).collect();
        let moment = report(&draft, &trial.world, None).noting(notes);
        Ok(Rehearsal {
            opened: trial.opening.opened,
            // The last frame of this world was somebody else's: nobody has moved yet.
            moment: Report { place: standing(&draft, &trial.world), ..moment },
            rules,
            taken: sandbox.taken(),
            most: Limits::default().operations,
            steps,
            left_out,
            recorded: stage.told,
            facts: draft.facts,
        })
    }

    fn stage_of(&self, being: BeingId, at: Seq) -> Result<Rehearsed, RehearseError> {
        let world = self.world_at(at)?;
        let me = world.being(being).ok_or(RehearseError::Unborn)?.clone();
        if let Some(seq) = self.nth(being, me.next_n)? {
            let after = self.world_at(seq + 1)?;
            let frame = self.frame(seq, &after)?;
            let draft = frame.map(|frame| frame.draft().clone()).ok_or_else(|| RehearseError::NoMoment(me.name.clone()))?;
            let world = if draft.opened == at { world } else { self.world_at(draft.opened)? };
            let wake = wake_of(&draft, &world).ok_or_else(|| RehearseError::NoMoment(me.name.clone()))?;
            let told = Some(report(&draft, &after, None));
            return Ok(Rehearsed { world, wake, draft: Some(draft), told });
        }
        let wake = world.inbox().next(being, i64::MAX).cloned().ok_or_else(|| RehearseError::NoMoment(me.name.clone()))?;
        Ok(Rehearsed { world, wake, draft: None, told: None })
    }
}

impl Rehearsed {
    /// Opens the moment, where that script thinks.
    fn open(&self, being: BeingId, script: Option<&TriedScript>) -> Result<Trial, RehearseError> {
        let trial = self.trial(being, &[])?;
        let Some(TriedScript { file, source }) = script else { return Ok(trial) };
        // A script that the worn role names goes before the being's own.
        let named = trial.opening.worn.script.clone().or_else(|| trial.opening.being.script.clone());
        let name = named.unwrap_or_else(|| TRIED.into());
        let set = Fact::ScriptSet { name: name.clone(), file: file.clone(), source: Value::from(source).into() };
        let cognition = Fact::CognitionSet { being, cognition: Cognition::Script, script: Some(name) };
        let is_script = trial.opening.being.cognition == Cognition::Script && trial.opening.being.script.is_some();
        let facts: Vec<Fact> = std::iter::once(set).chain((!is_script).then_some(cognition)).collect();
        self.trial(being, &facts)
    }

    fn trial(&self, being: BeingId, facts: &[Fact]) -> Result<Trial, RehearseError> {
        let at = self.draft.as_ref().map_or_else(|| self.wake.id.due.max(self.world.at()), |draft| draft.opened_at);
        let call: Option<&Call> =
            self.draft.as_ref().filter(|draft| draft.wake.kind == WakeKind::Gesture).and_then(|draft| draft.call.as_ref());
        Trial::of(&self.world, being, &self.wake, at, call, facts).ok_or(RehearseError::Unborn)
    }
}

/// Why no script has thought.
fn refused(trial: &Trial) -> RehearseError {
    let opening = &trial.opening;
    let name = opening.being.name.clone();
    match &opening.verdict {
        Some(verdict) => RehearseError::Closed(closed(verdict)),
        None if opening.driver.is_some() => RehearseError::Driven(name),
        None => RehearseError::NoScript { name, cognition: opening.cognition },
    }
}

fn closed(verdict: &Closing) -> String {
    verdict.reason().map_or_else(|| verdict.word().to_owned(), |reason| format!("{} ({reason})", verdict.word()))
}
