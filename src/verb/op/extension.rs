//! Extensions: enabled and disabled, one by one or all but some at once. Their data stays.
//!
//! Asked in this order: that there is such an extension, that none needs itself, that what it needs is there, that nobody else needs it, that
//! the operator keeps something to wear.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::fact::{Code, Fact, Reason, Text, Value};
use crate::world::{Extension, World};

use super::super::right::Rule;
use super::deed::{Core, Deed};
use super::needed::keeps_operator;
use super::needs::{Extensions, circle, unmet, with_needs};
use super::rule::check_manifest;

/// The key of the configuration under which a world has its profiles: each a name for some of its extensions.
pub const PROFILES: &str = "profiles";

pub(super) const OPS: &[Core] = &[
    Core {
        name: "extension.set",
        target: &["space"],
        about: "enables or disables an extension; with a manifest, gives it a new version",
        told: &["sets up the extension {{args.name}}", "sets up an extension"],
        schema: r#"{"type":"object","required":["name","enabled"],"additionalProperties":false,"properties":{
            "name":{"type":"string"},"enabled":{"type":"boolean"},"manifest":{"type":["object","null"]},
            "force":{"type":"boolean","description":"also disables whatever else needs it"}}}"#,
        rule: Rule::Operator,
        draft: set,
    },
    Core {
        name: "extension.only",
        target: &["space"],
        about: "enables these extensions, or those of a profile, with what they need, and disables all others",
        told: &["has only the extensions {{args.names}} go on", "chooses which extensions go on"],
        schema: r#"{"type":"object","required":["names"],"additionalProperties":false,"properties":{
            "names":{"type":"array","items":{"type":"string"},"maxItems":256}}}"#,
        rule: Rule::Operator,
        draft: |deed| {
            let names = deed.args.get("names").and_then(Value::as_list).unwrap_or_default();
            let names: Vec<Text> = names.iter().filter_map(|name| name.as_text().cloned()).collect();
            let changed = only(deed.world, &names)?;
            for (name, _) in changed.iter().filter(|(_, enabled)| *enabled) {
                let kept = deed.world.registry().extensions.get(name).map(|extension| extension.manifest.clone());
                check_manifest(deed, name, &kept.unwrap_or_default())?;
            }
            Ok(changed.into_iter().map(switched).collect())
        },
    },
];

fn set(deed: &Deed<'_>) -> Result<Vec<Fact>, Reason> {
    let (name, manifest) = (deed.required("name")?, deed.value("manifest"));
    let yes = |key: &str, default: bool| deed.args.get(key).and_then(Value::as_bool).unwrap_or(default);
    let enabled = yes("enabled", true);
    let mut after = deed.world.registry().extensions.clone();
    let kept = after.get(&name).map(|extension| (extension.manifest.clone(), extension.made));
    let Some((kept, made)) = kept.or_else(|| (!manifest.is_null()).then(|| (Arc::default(), deed.made(0)))) else {
        return Err(Reason::new(Code::NotFound, &name));
    };
    let given = if manifest.is_null() { kept } else { Arc::new(manifest.clone()) };
    if enabled {
        check_manifest(deed, &name, &given)?;
    }
    after.insert(name.clone(), Extension { name: name.clone(), enabled, manifest: given, made });
    let gone = settle(&mut after, &name)?;
    if !gone.is_empty() && !yes("force", false) {
        return Err(Reason::new(Code::ExtensionNeeded, gone.join(" ")));
    }
    // The extensions that need it go first.
    let others = gone.into_iter().map(|name| switched((name, false)));
    let facts: Vec<Fact> = others.chain([Fact::ExtensionSet { name, enabled, manifest: manifest.into() }]).collect();
    keeps_operator(deed.world, &facts)?;
    Ok(facts)
}

/// Disables whatever needs an extension that is not there any more, or not as it was; gives back what that is.
fn settle(after: &mut Extensions, name: &Text) -> Result<Vec<Text>, Reason> {
    if let Some(circle) = circle(after, name) {
        return Err(Reason::new(Code::ExtensionCircle, circle.join(" ")));
    }
    if let Some(need) = after.get(name).filter(|extension| extension.enabled).and_then(|extension| unmet(after, extension)) {
        return Err(Reason::new(Code::ExtensionNeeds, need));
    }
    let mut gone = Vec::new();
    let lacks =
        |after: &Extensions| after.values().find(|other| other.enabled && unmet(after, other).is_some()).map(|other| other.name.clone());
    while let Some(other) = lacks(after) {
        after.entry(other.clone()).and_modify(|other| other.enabled = false);
        gone.push(other);
    }
    Ok(gone)
}

/// An extension as it is, enabled or disabled.
fn switched((name, enabled): (Text, bool)) -> Fact {
    Fact::ExtensionSet { name, enabled, manifest: Value::Null.into() }
}

/// The extensions that `only` would enable or disable, given names of extensions and profiles; their dependencies are enabled too.
pub fn only(world: &World, names: &[Text]) -> Result<Vec<(Text, bool)>, Reason> {
    let all = &world.registry().extensions;
    let mut chosen: BTreeSet<Text> = BTreeSet::new();
    for name in names {
        match (all.contains_key(name), profile(world, name)) {
            (true, _) => drop(chosen.insert(name.clone())),
            (false, Some(listed)) => chosen.extend(listed),
            (false, None) => return Err(Reason::new(Code::NotFound, name)),
        }
    }
    let chosen = with_needs(all, chosen);
    let mut after = all.clone();
    after.values_mut().for_each(|extension| extension.enabled = chosen.contains(&extension.name));
    for extension in after.values().filter(|extension| extension.enabled) {
        if let Some(need) = unmet(&after, extension) {
            return Err(Reason::new(Code::ExtensionNeeds, need));
        }
    }
    let differs = |extension: &&Extension| all.get(&extension.name).is_some_and(|now| now.enabled != extension.enabled);
    let changed: Vec<_> = after.values().filter(differs).map(|extension| (extension.name.clone(), extension.enabled)).collect();
    let facts: Vec<Fact> = changed.iter().cloned().map(switched).collect();
    keeps_operator(world, &facts)?;
    Ok(changed)
}

/// The extensions of a profile.
fn profile(world: &World, name: &str) -> Option<Vec<Text>> {
    let listed = world.registry().config.get(PROFILES)?.get(name)?.as_list()?;
    Some(listed.iter().filter_map(|name| name.as_text().cloned()).collect())
}
