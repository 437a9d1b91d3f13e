//! Hands: what the one who closes moments keeps from one to the next.

use crate::script::Sandbox;

use super::asked::RuleTrace;
use super::schema::Schemas;

/// The most steps of all rules' scripts of one act.
const RULES_STEPS: u64 = 50_000;

/// Compiled schemas, and the sandbox for extensions' operations.
pub struct Hands {
    pub(super) schemas: Schemas,
    pub(super) sandbox: Sandbox,
    /// The steps that rules may still take in this act.
    pub(super) rule_steps: u64,
    /// The rules that were asked in this act, where somebody wants to know.
    pub(super) asked: Option<Vec<RuleTrace>>,
}

impl Hands {
    /// Hands with a sandbox of their own.
    pub fn new(sandbox: Sandbox) -> Self {
        Self { schemas: Schemas::default(), sandbox, rule_steps: RULES_STEPS, asked: None }
    }

    /// Remembers from here on which rules are asked, and what they see.
    pub fn remember_rules(&mut self) {
        self.asked = Some(Vec::new());
    }

    /// The rules that were asked in the last act.
    pub fn rules(&mut self) -> Vec<RuleTrace> {
        self.asked.take().unwrap_or_default()
    }

    /// An act begins.
    pub(super) fn begin(&mut self) {
        self.rule_steps = RULES_STEPS;
        self.asked.iter_mut().for_each(Vec::clear);
    }

    /// Whether a stop ends the scripts of operations, while moments of a round are closed.
    pub fn heed(&mut self, heeds: bool) {
        self.sandbox.heed(heeds);
    }

    /// Whether a stop has ended the script of the last operation: nothing that came of it may be kept.
    pub fn was_stopped(&self) -> bool {
        self.sandbox.was_stopped()
    }

    /// Takes the notes that the script of the last operation left for watchers; a second call gives none.
    pub fn notes(&mut self) -> Vec<String> {
        self.sandbox.notes()
    }
}
