//! Needs: what the extensions of a world need of each other, asked before one is enabled or disabled.
//!
//! A need is written as `name = "version"` in a manifest; `"name?"` is one that is met, too, where nothing of that name is enabled.

use std::collections::{BTreeMap, BTreeSet};

use semver::{Version, VersionReq};

use crate::fact::{Text, Value};
use crate::world::Extension;

/// How all extensions of a world stand, or would stand.
pub(super) type Extensions = BTreeMap<Text, Extension>;

/// What an extension needs: a name, the version that is wanted, and whether it can do without.
fn needs(extension: &Extension) -> impl Iterator<Item = (&str, Option<VersionReq>, bool)> {
    let written = extension.manifest.get("needs").and_then(Value::as_map);
    written.into_iter().flatten().map(|(name, wanted)| {
        let wanted = wanted.as_str().and_then(|wanted| wanted.parse().ok());
        (name.trim_end_matches('?'), wanted, name.ends_with('?'))
    })
}

/// The first need of an extension that is not met.
pub(super) fn unmet<'a>(all: &Extensions, extension: &'a Extension) -> Option<&'a str> {
    let fits = |name: &str, wanted: Option<VersionReq>, can_do_without: bool| match all.get(name).filter(|other| other.enabled) {
        None => can_do_without,
        Some(other) => {
            let version = other.manifest.get("version").and_then(Value::as_str).and_then(|version| version.parse::<Version>().ok());
            wanted.zip(version).is_some_and(|(wanted, version)| wanted.matches(&version))
        }
    };
    needs(extension).find(|(name, wanted, can_do_without)| !fits(name, wanted.clone(), *can_do_without)).map(|(name, ..)| name)
}

/// The names by which an extension comes to need itself, in order, if it does.
pub(super) fn circle(all: &Extensions, name: &str) -> Option<Vec<Text>> {
    let mut seen = BTreeSet::new();
    let mut ways: Vec<Vec<Text>> = vec![vec![name.into()]];
    while let Some(way) = ways.pop() {
        let Some(at) = way.last().and_then(|at| all.get(at)) else { continue };
        for (need, ..) in needs(at) {
            if need == name {
                return Some(way);
            }
            if seen.insert(Text::from(need)) {
                ways.push(way.iter().cloned().chain([Text::from(need)]).collect());
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
            open.extend(
                needs(extension)
                    .filter(|(_, _, can_do_without)| !can_do_without)
                    .map(|(need, ..)| Text::from(need))
                    .filter(|need| !found.contains(need)),
            );
        }
        found.insert(name);
    }
    found
}
