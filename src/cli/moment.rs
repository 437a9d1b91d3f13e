//! Moment: a moment of the past as it is named on the command line: by its seq, or by its being and its place on the reel.

use anyhow::{Context, Result};

use crate::fact::Seq;
use crate::past::History;

use super::door::Door;

/// A moment as it is named on the command line.
#[derive(Clone)]
pub(super) enum MomentName {
    Seq(Seq),
    /// A being's, by its place on the reel.
    Of(String, u64),
}

impl std::str::FromStr for MomentName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Ok(seq) = text.trim_start_matches('#').parse() {
            return Ok(Self::Seq(seq));
        }
        let named = text.strip_prefix('@').and_then(|rest| rest.split_once('/'));
        let (name, n) = named.ok_or_else(|| format!("expected a seq such as 120, or @ada/7, found `{text}`"))?;
        let n = n.parse().map_err(|_| format!("expected a number behind `@{name}/`, found `{n}`"))?;
        Ok(Self::Of(name.to_owned(), n))
    }
}

impl MomentName {
    /// The history, and the seq of the moment in it.
    pub(super) fn find(&self, door: &Door) -> Result<(History, Seq)> {
        let (name, n) = match self {
            Self::Seq(seq) => return Ok((door.history()?, *seq)),
            Self::Of(name, n) => (name, *n),
        };
        let (history, world) = door.world(None)?;
        let being = world.being_named(name).with_context(|| format!("there is no being `@{name}` in this world"))?;
        let seq = if n < being.next_n { history.nth(being.id, n)? } else { None };
        Ok((history, seq.with_context(|| format!("the reel of @{name} has only {} frames", being.next_n))?))
    }
}
