//! Offers: the names by which a model can call what it was offered, each with the keys that it takes.

use std::cell::OnceCell;

use crate::fact::Verb;

use super::spelling::written::{TOOLS, VOTE};

/// An operation that was offered to a model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OfferedDeed {
    /// Its name.
    pub name: String,
    /// The arguments that it takes.
    pub keys: Vec<String>,
    /// Those of them that are texts.
    pub texts: Vec<String>,
    /// Whether it can be done to the place where it is said.
    pub takes_place: bool,
}

/// All that a model was offered. The operations are gathered when they are first asked for.
pub struct Offers<'a> {
    gather: Box<dyn Fn() -> Vec<OfferedDeed> + 'a>,
    deeds: OnceCell<Vec<OfferedDeed>>,
}

impl<'a> Offers<'a> {
    /// Those that a function gathers.
    pub fn of(gather: impl Fn() -> Vec<OfferedDeed> + 'a) -> Self {
        Self { gather: Box::new(gather), deeds: OnceCell::new() }
    }

    /// The tools alone.
    pub fn none() -> Self {
        Self::of(Vec::new)
    }

    /// The operations.
    pub fn deeds(&self) -> &[OfferedDeed] {
        self.deeds.get_or_init(&self.gather)
    }

    /// The operation of a name.
    pub fn deed(&self, name: &str) -> Option<&OfferedDeed> {
        self.deeds().iter().find(|deed| deed.name == name)
    }
}

/// The keys that a tool takes.
pub fn keys_of(tool: &str) -> &'static [&'static str] {
    let verb = TOOLS.iter().find(|(name, _)| name.eq_ignore_ascii_case(tool)).map(|(_, verb)| *verb);
    match verb {
        Some(Verb::See) => &["address", "words", "from"],
        Some(Verb::Do) => &["target", "action", "args"],
        Some(Verb::Summon) => &["target", "content"],
        Some(Verb::Be) => &["operation", "payload"],
        None if tool.eq_ignore_ascii_case(VOTE) => &["verb", "target", "action", "args"],
        None => &[],
    }
}
