//! Stack: the roles of a moment, each with why it is worn, and what can become of a role that is considered.

use serde::Serialize;

use crate::fact::{Cognition, SpaceId, Text};

/// The input of a being to its own flow.
#[derive(Clone, Copy, Debug)]
pub struct Own<'a> {
    /// Its default role.
    pub default_role: Option<&'a Text>,
    /// Its effective cognition: human while somebody drives it.
    pub cognition: Cognition,
    /// The role that the summoner asked for.
    pub requested: Option<&'a Text>,
}

/// Why a role is worn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum By {
    /// The clause of this index matched.
    Clause(u16),
    /// It is the default role.
    Default,
    /// The summoner asked for it.
    Requested,
    /// A clause of the flow of a space around matched.
    Space {
        /// The space.
        space: SpaceId,
        /// The index of the clause.
        clause: u16,
    },
}

/// One role of a stack, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Choice {
    /// The role.
    pub role: Text,
    /// Why it is worn.
    pub by: By,
}

impl Choice {
    /// The clause that chose it, in the flow of the being or of the space; none for a default role and for one asked for.
    pub fn clause(&self) -> Option<u16> {
        match self.by {
            By::Clause(index) | By::Space { clause: index, .. } => Some(index),
            By::Default | By::Requested => None,
        }
    }

    /// The space by whose flow it came, where it did.
    pub fn space(&self) -> Option<SpaceId> {
        if let By::Space { space, .. } = self.by { Some(space) } else { None }
    }
}

/// The roles of a moment: the primary, then its modifiers in order. Reused from moment to moment.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Stack {
    choices: Vec<Choice>,
}

impl Stack {
    /// The primary; none: the moment fails as `no-role`.
    pub fn primary(&self) -> Option<&Choice> {
        self.choices.first()
    }

    /// The roles stacked on the primary.
    pub fn modifiers(&self) -> &[Choice] {
        self.choices.get(1..).unwrap_or_default()
    }

    /// All of it, the primary first.
    pub fn choices(&self) -> &[Choice] {
        &self.choices
    }

    /// The names, the primary first.
    pub fn roles(&self) -> impl Iterator<Item = &Text> {
        self.choices.iter().map(|choice| &choice.role)
    }

    /// Whether nothing is worn.
    pub fn is_empty(&self) -> bool {
        self.choices.is_empty()
    }

    /// Takes everything off, and keeps the room for it.
    pub(super) fn clear(&mut self) {
        self.choices.clear();
    }

    pub(super) fn wears(&self, role: &str) -> bool {
        self.choices.iter().any(|choice| choice.role.as_ref() == role)
    }

    pub(super) fn wear(&mut self, role: &Text, by: By) {
        self.choices.push(Choice { role: role.clone(), by });
    }
}

/// The outcome of a clause, or of a role considered beside the clauses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// It is the primary.
    Primary,
    /// It was added to the stack.
    Stacked,
    /// Its conditions do not all hold.
    NoMatch,
    /// It matches, but the primary was found before.
    Shadowed,
    /// Its role is not registered.
    UnknownRole,
    /// Its role requires another cognition.
    WrongCognition {
        /// Which.
        required: Cognition,
    },
    /// Its role guards itself, and what it asks for does not hold.
    RoleWhen,
    /// Its role is worn already.
    AlreadyWorn,
    /// It matches, but there is no primary to stack on.
    NoPrimary,
    /// Neither the flow nor the default names the role that was asked for.
    NotNamed,
}

impl Outcome {
    /// Every outcome, in order; the cognition that a role requires stands for any.
    pub const ALL: &[Self] = &[
        Self::Primary,
        Self::Stacked,
        Self::NoMatch,
        Self::Shadowed,
        Self::UnknownRole,
        Self::WrongCognition { required: Cognition::Human },
        Self::RoleWhen,
        Self::AlreadyWorn,
        Self::NoPrimary,
        Self::NotNamed,
    ];

    /// The word for it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Primary => "primary",
            Self::Stacked => "stacked",
            Self::NoMatch => "no-match",
            Self::Shadowed => "shadowed",
            Self::UnknownRole => "unknown-role",
            Self::WrongCognition { .. } => "wrong-cognition",
            Self::RoleWhen => "role-when",
            Self::AlreadyWorn => "already-worn",
            Self::NoPrimary => "no-primary",
            Self::NotNamed => "not-named",
        }
    }
}
