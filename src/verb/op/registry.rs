//! Operations on the roles and scripts of the whole world. Each needs a right at the root or is the operator's; a role of a space's own
//! may be written with a right there.

use std::sync::Arc;

use crate::fact::{Code, Fact, Reason, SpaceId, Value};
use crate::role::{RoleError, Spec};
use crate::script::Sandbox;
use crate::world::{Being, Space, World};

use super::super::right::{Rule, only_operator};
use super::super::short::tokens_of;
use super::deed::{Core, Deed, malformed};
use super::needed::keeps_operator;

pub(super) const OPS: &[Core] = &[
    Core {
        name: "role.set",
        target: &["space"],
        about: "gives a role a new version: at the root for the whole world, else for that space and those inside it alone; null takes it back. Without a right at the root only `<space>:<name>`, and nothing in it that one does not wear",
        told: &[
            "takes the role {{last args.name}} back{{null args.role}}",
            "publishes the role {{last args.name}}[ in {{other}}]",
            "publishes a role[ in {{other}}]",
        ],
        schema: r#"{"type":"object","required":["name","role"],"additionalProperties":false,"properties":{
            "name":{"type":"string"},"role":{"type":["object","null"]},"origin":{"type":"string"},
            "force":{"type":"boolean","description":"takes a role back though a flow, a default role or grants name it; gives the whole world a role by a name that a space has given to one of its own"},
            "base":{"type":"integer","description":"the version that this one was made from; refused if there is another by now"},
            "label":{"type":"string","maxLength":120,"description":"what this version is called"}}}"#,
        rule: Rule::Author,
        draft: role,
    },
    Core {
        name: "script.set",
        target: &["space"],
        about: "gives a script a new version",
        told: &["publishes the script {{last args.name}}", "publishes a script"],
        schema: r#"{"type":"object","required":["name","source"],"additionalProperties":false,"properties":{
            "name":{"type":"string"},"file":{"type":"string"},"source":{"type":"string"}}}"#,
        rule: Rule::Operator,
        draft: |deed| {
            let name = deed.required("name")?;
            let file = deed.text("file").unwrap_or_else(|| name.clone());
            let source = deed.required("source")?;
            // Any function will do: what the script is for is said where it is used.
            Sandbox::compiles(&source, &file).map_err(|error| malformed(deed.tell, error.code(), error.place(&file), &error))?;
            Ok(vec![Fact::ScriptSet { name, file, source: deed.value("source").into() }])
        },
    },
];

/// The key of a role that is malformed; its text is for people and not for a seal.
fn role_key(error: &RoleError) -> String {
    match error {
        RoleError::Key { key, .. } => format!("/role/{key}"),
        RoleError::Form { .. } => "/role".to_owned(),
    }
}

/// Whether a role's name is one of a space's own: `<space>:<name>`.
pub(in crate::verb) fn is_named_after(world: &World, space: SpaceId, name: &str) -> bool {
    let own = world.space(space).map(|space| space.name.clone()).filter(|name| !name.is_empty());
    own.is_some_and(|own| name.split_once(':').is_some_and(|(space, _)| space == own.as_ref()))
}

fn read_role(deed: &Deed<'_>, role: &Value, name: &str) -> Result<Spec, Reason> {
    let spec = Spec::from_value(role).map_err(|error| malformed(deed.tell, Code::RoleMalformed, role_key(&error), &error))?;
    if spec.name.as_ref() == name { Ok(spec) } else { Err(Reason::new(Code::RoleName, "/role/name")) }
}

/// The setting that says how many tokens the words of roles may take.
pub const WORDS: &str = "tokens.words";

/// How many tokens the words of a role take, where that is more than they may.
pub fn too_long(spec: &Spec, most: u64) -> Option<u64> {
    Some(tokens_of(&spec.prompt)).filter(|tokens| *tokens > most)
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
    let spec = if role.is_null() { None } else { Some(read_role(deed, &role, &name)?) };
    let most = deed.world.count_at(WORDS, space);
    if let Some(tokens) = spec.as_ref().and_then(|spec| too_long(spec, most)) {
        return Err(Reason::new(Code::RoleTooLong, format!("/role/prompt, {tokens} tokens of at most {most}")));
    }
    if spec.is_none() && here.is_none() {
        return Err(Reason::new(Code::NotFound, &name));
    }
    // Elsewhere it would be a role that nobody could wear; only what bears the name of its space is the space's alone.
    if space != SpaceId::ROOT && !registry.roles.contains_key(&name) && !is_named_after(deed.world, space, &name) {
        return Err(Reason::new(Code::NotFound, &name));
    }
    let around = deed.world.space(space).and_then(|space| space.parent);
    if role.is_null() && around.is_none_or(|around| deed.world.version_at(&name, around).is_none()) {
        may_drop(deed, &name)?;
    }
    // A name that spaces gave to roles of their own would then mean theirs there, and the world's everywhere else.
    let local = registry.local_roles.get(&name).filter(|_| space == SpaceId::ROOT && here.is_none() && spec.is_some());
    if let Some(&taken) = local.and_then(|places| places.keys().next()).filter(|_| !is_forced(deed)) {
        return Err(Reason::new(Code::NameTaken, deed.world.path_of(taken)));
    }
    // A role that acts for others lends them its lists, so only the operator may set it.
    if spec.as_ref().is_some_and(|spec| spec.acts_for_caller) {
        only_operator(deed.world, deed.actor.id, "/role/actsForCaller")?;
    }
    let (is_gone, origin, role) = (role.is_null(), deed.text("origin").unwrap_or_else(|| "world".into()), role.into());
    let facts = vec![match space {
        SpaceId::ROOT => Fact::RoleSet { name, origin, role },
        space => Fact::RoleSetIn { space, name, origin, role },
    }];
    if is_gone {
        keeps_operator(deed.world, &facts)?;
    }
    Ok(facts)
}

fn is_forced(deed: &Deed<'_>) -> bool {
    deed.args.get("force").and_then(Value::as_bool).unwrap_or(false)
}

/// Refuses to drop a role that beings, grants or flows still name, unless that is forced. A space that takes back its own
/// version of a role gets the one around it back, so nobody is left without.
fn may_drop(deed: &Deed<'_>, name: &str) -> Result<(), Reason> {
    let world = deed.world;
    let names = |being: &&Arc<Being>| being.own_roles().any(|role| role == name) || being.grants.iter().any(|grant| grant.as_ref() == name);
    let beings = world.beings().filter(|being| !being.ended).filter(names).map(|being| format!("@{}", being.name));
    let stacks = |space: &&Arc<Space>| space.flow.as_ref().is_some_and(|flow| flow.flow.roles().any(|role| role == name));
    let mut naming = beings.chain(world.spaces().filter(stacks).map(|space| world.path_of(space.id)));
    let shown: Vec<String> = naming.by_ref().take(SHOWN).collect();
    match (shown.is_empty() || is_forced(deed), naming.count()) {
        (true, _) => Ok(()),
        (false, 0) => Err(Reason::new(Code::RoleWorn, shown.join(" "))),
        (false, more) => Err(Reason::new(Code::RoleWorn, format!("{} and {more} more", shown.join(" ")))),
    }
}

/// How many of those who name a role are told of.
const SHOWN: usize = 5;
