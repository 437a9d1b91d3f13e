//! Needs: what the extensions of a world need of each other, asked before one is enabled or disabled.
//!
//! A need is written as `name = "version"` in a manifest; `"name?"` is one that is met, too, where nothing of that name is enabled.

use std::collections::{BTreeMap, BTreeSet};

use semver::{Version, VersionReq};

use crate::fact::{Text, Value};
use crate::world::{Extension, Need};

/// How all extensions of a world stand, or would stand.
pub(super) type Extensions = BTreeMap<Text, Extension>;

/// The first need of an extension that is not met.
pub(super) fn unmet<'a>(all: &Extensions, extension: &'a Extension) -> Option<&'a str> {
    let fits = |need: &Need<'_>| match all.get(need.name).filter(|other| other.enabled) {
        None => need.can_do_without,
        Some(other) => {
            let version = other.manifest.get("version").and_then(Value::as_str).and_then(|version| version.parse::<Version>().ok());
            need.wanted.parse::<VersionReq>().ok().zip(version).is_some_and(|(wanted, version)| wanted.matches(&version))
        }
    };
    extension.needs().find(|need| !fits(need)).map(|need| need.name)
}

/// The names by which an extension comes to need itself, in order, if it does.
pub(super) fn circle(all: &Extensions, name: &str) -> Option<Vec<Text>> {
    let mut seen = BTreeSet::new();
    let mut ways: Vec<Vec<Text>> = vec![vec![name.into()]];
    while let Some(way) = ways.pop() {
        let Some(at) = way.last().and_then(|at| all.get(at)) else { continue };
        for need in at.needs() {
            if need.name == name {
                return Some(way);
            }
            if seen.insert(Text::from(need.name)) {
                ways.push(way.iter().cloned().chain([Text::from(need.name)]).collect());
            }
        }
    }
    None
}

/// Some extensions with all that they cannot do without.
pub(super) fn with_needs(all: &Extensions, names: impl IntoIterator<Item = Text>) -> BTreeSet<Text> {
    let mut open: Vec<Text> = names.into_iter().collect();
    let mut found = BTreeSet::new();
    while let Some(name) = open.pop() {
        if let Some(extension) = all.get(&name) {
            let needs = extension.needs().filter(|need| !need.can_do_without).map(|need| Text::from(need.name));
            open.extend(needs.filter(|need| !found.contains(need)));
        }
        found.insert(name);
    }
    found
}
