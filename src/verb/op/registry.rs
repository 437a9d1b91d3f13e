//! What the whole world may use: roles, scripts, extensions, configuration. Each needs a right at the root.

use crate::fact::{Fact, Reason, SpaceId, Text, Value};
use crate::role::{RoleError, Spec};

use super::super::right::has_right;
use super::{Core, Deed, Rule};

pub(super) const OPS: &[Core] = &[
    Core {
        name: "role.set",
        about: "gives a role a new version; null takes it back",
        schema: r#"{"type":"object","required":["name","role"],"additionalProperties":false,"properties":{
            "name":{"type":"string"},"role":{"type":["object","null"]},"origin":{"type":"string"}}}"#,
        rule: Rule::Authority,
        draft: role,
    },
    Core {
        name: "script.set",
        about: "gives a script a new version",
        schema: r#"{"type":"object","required":["name","source"],"additionalProperties":false,"properties":{
            "name":{"type":"string"},"file":{"type":"string"},"source":{"type":"string"}}}"#,
        rule: Rule::Authority,
        draft: |deed| {
            at_root(deed)?;
            let name = deed.required("name")?;
            let file = deed.text("file").unwrap_or_else(|| name.clone());
            Ok(vec![Fact::ScriptSet { name, file, source: deed.value("source").into() }])
        },
    },
    Core {
        name: "extension.set",
        about: "enables or disables an extension; with a manifest, gives it a new version",
        schema: r#"{"type":"object","required":["name","enabled"],"additionalProperties":false,"properties":{
            "name":{"type":"string"},"enabled":{"type":"boolean"},"manifest":{"type":["object","null"]}}}"#,
        rule: Rule::Authority,
        draft: extension,
    },
    Core {
        name: "config.set",
        about: "sets a value of the world's own configuration",
        schema: r#"{"type":"object","required":["key","value"],"additionalProperties":false,"properties":{"key":{"type":"string"},"value":{}}}"#,
        rule: Rule::Authority,
        draft: config,
    },
];

fn at_root(deed: &Deed<'_>) -> Result<(), Reason> {
    if has_right(deed.world, deed.actor.id, SpaceId::ROOT) { Ok(()) } else { Err(Reason::new("gate-place", "/")) }
}

/// The key of a role that is malformed; its text is for people and not for a seal.
fn role_key(error: &RoleError) -> String {
    match error {
        RoleError::Key { key, .. } => format!("/role/{key}"),
        RoleError::Form { .. } => "/role".to_owned(),
    }
}

fn role(deed: &Deed<'_>) -> Result<Vec<Fact>, Reason> {
    at_root(deed)?;
    let (name, role) = (deed.required("name")?, deed.value("role"));
    if !role.is_null() {
        let spec = Spec::from_value(&role).map_err(|error| Reason::new("role-malformed", role_key(&error)))?;
        if spec.name != name {
            return Err(Reason::new("role-name", "/role/name"));
        }
    } else if !deed.world.registry().roles.contains_key(&name) {
        return Err(Reason::new("not-found", &name));
    }
    let origin = deed.text("origin").unwrap_or_else(|| "world".into());
    Ok(vec![Fact::RoleSet { name, origin, role: role.into() }])
}

fn extension(deed: &Deed<'_>) -> Result<Vec<Fact>, Reason> {
    at_root(deed)?;
    let (name, manifest) = (deed.required("name")?, deed.value("manifest"));
    if manifest.is_null() && !deed.world.registry().extensions.contains_key(&name) {
        return Err(Reason::new("not-found", &name));
    }
    let enabled = deed.args.get("enabled").and_then(Value::as_bool).unwrap_or(true);
    Ok(vec![Fact::ExtensionSet { name, enabled, manifest: manifest.into() }])
}

fn config(deed: &Deed<'_>) -> Result<Vec<Fact>, Reason> {
    at_root(deed)?;
    let (key, value): (Text, Value) = (deed.required("key")?, deed.value("value"));
    let is_zone = key.as_ref() != "zone" || value.as_str().is_some_and(|zone| zone.parse::<chrono_tz::Tz>().is_ok());
    if is_zone { Ok(vec![Fact::ConfigSet { key, value: value.into() }]) } else { Err(Reason::new("bad-zone", "/value")) }
}
