//! Narrow: whether one entry of a can* list surely covers no more than another.
//!
//! Only what can be proved counts: two globs that happen to match the same things, but not by their letters, are two things.

use super::entry::{Entry, SIGNAL_SET};
use super::glob::Glob;

impl Entry {
    /// Whether it covers nothing that the other does not cover in the same list.
    pub fn is_within(&self, other: &Self) -> bool {
        if self == other {
            return true;
        }
        match (self, other) {
            (Self::Name(own), Self::Name(other)) => is_glob_within(own, other),
            // Two stars alone match whatever has an address, and there is nothing without one.
            (Self::Rel(_) | Self::Pattern(_), Self::Name(other)) => other.as_str() == "**",
            (Self::Pattern(own), Self::Pattern(other)) => is_glob_within(own, other),
            (Self::Bound { action, .. }, Self::Name(other)) => !self.covers_action(SIGNAL_SET) && is_glob_within(action, other),
            (Self::Name(own), Self::Bound { action, on: None, ns: None }) => is_glob_within(own, action),
            (Self::Bound { action: own, on: own_on, ns: own_ns }, Self::Bound { action, on, ns }) => {
                let on_within = on.as_ref().is_none_or(|on| own_on.as_ref().is_some_and(|own| own.is_within(on)));
                let ns_within = ns.as_ref().is_none_or(|ns| own_ns.as_ref().is_some_and(|own| is_glob_within(own, ns)));
                let signals = !self.covers_action(SIGNAL_SET) || other.covers_action(SIGNAL_SET);
                is_glob_within(own, action) && on_within && ns_within && signals
            }
            (Self::Name(_) | Self::Rel(_) | Self::Pattern(_) | Self::Bound { .. }, _) => false,
        }
    }
}

/// Whether one glob surely matches nothing that the other does not match.
pub fn is_glob_within(own: &Glob, other: &Glob) -> bool {
    let (own, other) = (own.as_str(), other.as_str());
    let is_register = |glob: &str| glob == "**" || glob.contains("/.");
    if own == other {
        return true;
    }
    // A glob matches a name that begins with a dot only where it has the dot itself.
    if is_register(own) && !is_register(other) {
        return false;
    }
    if !own.contains(['*', '?']) {
        return Glob::found_matches(other, own);
    }
    let tail = |stars: &str| other.strip_suffix(stars).filter(|head| !head.contains(['*', '?'])).and_then(|head| own.strip_prefix(head));
    match (tail("**"), tail("*")) {
        (Some(_), _) => true,
        (None, Some(rest)) => !rest.contains('/') && !rest.contains("**"),
        (None, None) => false,
    }
}
