//! Breaks: conditions behind whose moment a living world stands still, as breakpoints do on a walk through the past.

use std::sync::Arc;

use serde::Serialize;

use crate::fact::{Draft, Seq};
use crate::past::LookedFor;
use crate::role::{Inquiry, InquiryError};
use crate::world::World;

/// A condition behind whose moment a world stands still; it has the eyes of whoever's moment it is.
#[derive(Clone, Debug)]
pub struct Breakpoint {
    text: String,
    wanted: LookedFor,
}

/// The moment behind which a world stands still.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Broken {
    /// Its seq.
    pub seq: Seq,
    /// Its name: `@ada/7`.
    pub moment: String,
    /// The condition that came to hold with it, as it was written.
    pub when: String,
}

impl std::fmt::Display for Broken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} (#{}): {}", self.moment, self.seq, self.when)
    }
}

impl std::str::FromStr for Breakpoint {
    type Err = InquiryError;

    fn from_str(text: &str) -> Result<Self, InquiryError> {
        let inquiry: Inquiry = text.parse()?;
        Ok(Self { text: text.trim().to_owned(), wanted: LookedFor { inquiry, me: None } })
    }
}

impl Breakpoint {
    /// As it was written.
    pub fn text(&self) -> &str {
        &self.text
    }
}

/// Looks for the first of some moments behind which a world is to stand still.
#[derive(Default)]
pub(super) struct Lookout {
    breaks: Arc<[Breakpoint]>,
    /// The world as the moment before left it; none where nothing is looked for.
    before: Option<World>,
    broken: Option<Broken>,
}

impl Lookout {
    /// From a world on.
    pub(super) fn of(breaks: Arc<[Breakpoint]>, world: &World) -> Self {
        let before = (!breaks.is_empty()).then(|| world.clone());
        Self { breaks, before, broken: None }
    }

    /// Sees a moment and the world that it left.
    pub(super) fn see(&mut self, draft: &Draft, after: &World) {
        let Some(before) = &mut self.before else { return };
        let name = |world: &World| world.being(draft.being).map(|being| format!("@{}/{}", being.name, draft.n)).unwrap_or_default();
        if self.broken.is_none()
            && let Some(at) = self.breaks.iter().find(|at| at.wanted.comes_to_hold(before, draft, after))
        {
            self.broken = Some(Broken { seq: draft.seq, moment: name(after), when: at.text.clone() });
        }
        *before = after.clone();
    }

    /// What was found.
    pub(super) fn into_broken(self) -> Option<Broken> {
        self.broken
    }
}
