//! What the whole world may use: roles, scripts, extensions. Each needs a right at the root.

use std::sync::Arc;

use crate::fact::{Code, Fact, Reason, SpaceId, Value};
use crate::role::{RoleError, Spec};
use crate::script::Sandbox;
use crate::world::Being;

use super::super::right::Rule;
use super::deed::{Core, Deed};

pub(super) const OPS: &[Core] = &[
    Core {
        name: "role.set",
        target: &["space"],
        about: "gives a role a new version: at the root for the whole world, else for that space and those inside it alone; null takes it back",
        schema: r#"{"type":"object","required":["name","role"],"additionalProperties":false,"properties":{
            "name":{"type":"string"},"role":{"type":["object","null"]},"origin":{"type":"string"},
            "force":{"type":"boolean","description":"takes a role back though somebody's flow, default role or grants name it"},
            "base":{"type":"integer","description":"the version that this one was made from; refused if there is another by now"},
            "label":{"type":"string","maxLength":120,"description":"what this version is called"}}}"#,
        rule: Rule::Root,
        draft: role,
    },
    Core {
        name: "script.set",
        target: &["space"],
        about: "gives a script a new version",
        schema: r#"{"type":"object","required":["name","source"],"additionalProperties":false,"properties":{
            "name":{"type":"string"},"file":{"type":"string"},"source":{"type":"string"}}}"#,
        rule: Rule::Root,
        draft: |deed| {
            let name = deed.required("name")?;
            let file = deed.text("file").unwrap_or_else(|| name.clone());
            let source = deed.required("source")?;
            // Any function will do: what the script is for is said where it is used.
            Sandbox::compiles(&source, &file).map_err(|error| Reason::new(error.code(), error.place(&file)))?;
            Ok(vec![Fact::ScriptSet { name, file, source: deed.value("source").into() }])
        },
    },
    Core {
        name: "extension.set",
        target: &["space"],
        about: "enables or disables an extension; with a manifest, gives it a new version",
        schema: r#"{"type":"object","required":["name","enabled"],"additionalProperties":false,"properties":{
            "name":{"type":"string"},"enabled":{"type":"boolean"},"manifest":{"type":["object","null"]}}}"#,
        rule: Rule::Root,
        draft: extension,
    },
];

/// The key of a role that is malformed; its text is for people and not for a seal.
fn role_key(error: &RoleError) -> String {
    match error {
        RoleError::Key { key, .. } => format!("/role/{key}"),
        RoleError::Form { .. } => "/role".to_owned(),
    }
}

fn role(deed: &Deed<'_>) -> Result<Vec<Fact>, Reason> {
    let (name, role) = (deed.required("name")?, deed.value("role"));
    let (space, registry) = (deed.space()?, deed.world.registry());
    let here = match space {
        SpaceId::ROOT => registry.roles.get(&name),
        space => registry.local_role(&name, space),
    };
    let version = here.map_or(0, |role| i64::from(role.version));
    if deed.args.get("base").and_then(Value::as_int).is_some_and(|base| base != version) {
        return Err(Reason::new(Code::BaseVersion, version.to_string()));
    }
    if !role.is_null() {
        let spec = Spec::from_value(&role).map_err(|error| Reason::new(Code::RoleMalformed, role_key(&error)))?;
        if spec.name != name {
            return Err(Reason::new(Code::RoleName, "/role/name"));
        }
    } else if here.is_none() {
        return Err(Reason::new(Code::NotFound, &name));
    }
    // Elsewhere it would be a role that nobody could wear.
    if space != SpaceId::ROOT && !registry.roles.contains_key(&name) {
        return Err(Reason::new(Code::NotFound, &name));
    }
    if role.is_null() && space == SpaceId::ROOT {
        may_drop(deed, &name)?;
    }
    let (origin, role) = (deed.text("origin").unwrap_or_else(|| "world".into()), role.into());
    Ok(vec![match space {
        SpaceId::ROOT => Fact::RoleSet { name, origin, role },
        space => Fact::RoleSetIn { space, name, origin, role },
    }])
}

/// What the world has no role for any more nobody can wear or give: whoever still names it is told of, unless that is meant. Where a space
/// takes its own version back, that of the place around it comes into force again, and nobody is left without.
fn may_drop(deed: &Deed<'_>, name: &str) -> Result<(), Reason> {
    let world = deed.world;
    // Whoever could do nothing any more could not mend it either.
    let operator = world.being(world.operator()).filter(|operator| may_wear(operator, |role| role == name));
    if let Some(operator) =
        operator.filter(|operator| !may_wear(operator, |role| role != name && world.registry().roles.contains_key(role)))
    {
        return Err(Reason::new(Code::Needed, format!("@{}", operator.name)));
    }
    let is_forced = deed.args.get("force").and_then(Value::as_bool).unwrap_or(false);
    let names = |being: &&Arc<Being>| may_wear(being, |role| role == name) || being.grants.iter().any(|grant| grant.as_ref() == name);
    let mut naming = world.beings().filter(|being| !being.ended).filter(names);
    let shown: Vec<String> = naming.by_ref().take(SHOWN).map(|being| format!("@{}", being.name)).collect();
    match (shown.is_empty() || is_forced, naming.count()) {
        (true, _) => Ok(()),
        (false, 0) => Err(Reason::new(Code::RoleWorn, shown.join(" "))),
        (false, more) => Err(Reason::new(Code::RoleWorn, format!("{} and {more} more", shown.join(" ")))),
    }
}

/// Whether any role that a being may come to wear is such a one.
fn may_wear(being: &Being, is_such: impl Fn(&str) -> bool) -> bool {
    being.flow.roles().chain(being.default_role.as_deref()).any(is_such)
}

/// How many of those who name a role are told of.
const SHOWN: usize = 5;

fn extension(deed: &Deed<'_>) -> Result<Vec<Fact>, Reason> {
    let (name, manifest) = (deed.required("name")?, deed.value("manifest"));
    if manifest.is_null() && !deed.world.registry().extensions.contains_key(&name) {
        return Err(Reason::new(Code::NotFound, &name));
    }
    let enabled = deed.args.get("enabled").and_then(Value::as_bool).unwrap_or(true);
    Ok(vec![Fact::ExtensionSet { name, enabled, manifest: manifest.into() }])
}
