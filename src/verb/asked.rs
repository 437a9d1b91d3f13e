//! Asked: a rule that was asked about a deed, with what it saw and what it said.

use std::fmt;

use serde::Serialize;

use crate::fact::Text;
use crate::role::ConditionTrace;

/// The outcome of asking a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ruling {
    /// It has nothing against the deed.
    Silent,
    /// It refuses the deed.
    Refuses,
    /// It failed, which refuses the deed too.
    Fails,
}

/// A rule that was asked, for whoever wants to know why.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RuleTrace {
    /// `ns:name`.
    pub rule: Text,
    /// The action that it was asked about.
    pub action: Text,
    /// The target of that action.
    pub target: String,
    /// The verdict of the rule.
    pub verdict: Ruling,
    /// Its sentence, or why it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sentence: Option<Text>,
    /// Its conditions, each with what it saw.
    pub conditions: Vec<ConditionTrace>,
}

impl Ruling {
    /// The word for it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Silent => "silent",
            Self::Refuses => "refuses",
            Self::Fails => "fails",
        }
    }
}

impl fmt::Display for RuleTrace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rule, action, target, verdict, sentence, conditions } = self;
        write!(f, "rule {rule} on {action} {target}: {}", verdict.word())?;
        sentence.iter().try_for_each(|sentence| write!(f, ", \"{sentence}\""))?;
        // The deciding conditions: for a silent rule, those that did not hold.
        let held = *verdict != Ruling::Silent;
        conditions.iter().filter(|condition| condition.held == held).try_for_each(|condition| write!(f, "\n    {condition}"))
    }
}
