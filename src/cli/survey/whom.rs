//! Whom: who is asked: beings by name, by what they wear, or by where they stand, in the patterns of a can* list.

use std::fmt;
use std::str::FromStr;

use crate::fact::{BeingId, Thing};
use crate::role::{Entry, Glob};
use crate::world::{Standpoint, World};

/// Some of the beings of a world.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::cli) struct Whom {
    /// As it was written.
    text: String,
    /// Any of these.
    entries: Vec<Entry>,
    /// One being, which must be there.
    name: Option<String>,
}

impl fmt::Display for Whom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl FromStr for Whom {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (space, who) = text.split_once('@').unwrap_or((text, "*"));
        let is_written = !who.is_empty() && !who.contains(['@', '/']) && !text.contains(char::is_whitespace) && !text.is_empty();
        let entries = match (space.starts_with('/'), text.starts_with('@')) {
            _ if !is_written => None,
            (true, _) => Some([Some(space), space.strip_suffix("/**")].into_iter().flatten().map(|place| within(place, who)).collect()),
            (false, true) => Some(vec![Glob::new(text).map(Entry::Name)]),
            (false, false) if !text.contains(['/', '@']) => Some(vec![Glob::new(text).map(Entry::Name)]),
            (false, false) => None,
        };
        let wrong =
            |why: &str| format!("expected @ada, @worker-*, a role such as guest, /salon, /factory/** or /salon@guest, found `{text}`{why}");
        let entries: Result<Vec<Entry>, _> = entries.ok_or_else(|| wrong(""))?.into_iter().collect();
        let name = text.strip_prefix('@').filter(|name| !name.contains(['*', '?'])).map(str::to_owned);
        Ok(Self { text: text.to_owned(), entries: entries.map_err(|error| wrong(&format!(": {error}")))?, name })
    }
}

/// A pattern for beings in a place, by name or role.
fn within(place: &str, who: &str) -> Result<Entry, crate::role::GlobError> {
    let place = place.trim_matches('/');
    let slash = if place.is_empty() { "" } else { "/" };
    Glob::new(&format!("{place}{slash}@{who}")).map(Entry::Pattern)
}

impl Whom {
    /// Those of a world, in the order of their births. A being that stands in every world is asked only by name.
    pub(in crate::cli) fn beings(&self, world: &World) -> Result<Vec<BeingId>, String> {
        if let Some(name) = &self.name {
            let being = world.being_named(name).filter(|being| !being.ended);
            return being.map(|being| vec![being.id]).ok_or_else(|| format!("there is no living being `@{name}` at that point"));
        }
        let Some(operator) = world.being(world.operator()) else { return Ok(Vec::new()) };
        let stands = Standpoint { world, being: operator, caller: None, at: world.now() };
        let is_meant = |being: BeingId| self.entries.iter().any(|entry| stands.matches(entry, Thing::Being(being)));
        Ok(world.living().map(|being| being.id).filter(|being| is_meant(*being)).collect())
    }
}
