//! Ownership: who may change what lies in a space. Authority, changed only here, and only by the owner.

use crate::fact::{BeingId, Code, Fact, Reason, SpaceId, Text, Thing, Value};

use super::{Core, Deed, Rule};
use crate::role::Glob;

pub(super) const OPS: &[Core] = &[
    Core {
        name: "own.set",
        target: &["space"],
        about: "gives the target space an owner of its own, or with null none",
        schema: r#"{"type":"object","required":["owner"],"additionalProperties":false,"properties":{"owner":{"type":["string","null"]}}}"#,
        rule: Rule::Authority,
        draft: |deed| {
            let space = owned(deed)?;
            let owner = if deed.value("owner").is_null() { None } else { Some(being(deed, "owner")?) };
            Ok(vec![Fact::OwnerSet { space, owner }])
        },
    },
    Core {
        name: "own.contribute",
        target: &["space"],
        about: "makes a being a contributor of the target space, or with `yes: false` one no more",
        schema: r#"{"type":"object","required":["being"],"additionalProperties":false,"properties":{"being":{"type":"string"},"yes":{"type":"boolean"}}}"#,
        rule: Rule::Authority,
        draft: |deed| {
            let yes = deed.args.get("yes").and_then(Value::as_bool).unwrap_or(true);
            Ok(vec![Fact::ContributorSet { space: owned(deed)?, being: being(deed, "being")?, yes }])
        },
    },
    Core {
        name: "own.allow",
        target: &["space"],
        about: "replaces the list of actions that anybody may do on things in the target space",
        schema: r#"{"type":"object","required":["allow"],"additionalProperties":false,"properties":{"allow":{"type":"array","items":{"type":"string"}}}}"#,
        rule: Rule::Authority,
        draft: |deed| {
            let list = deed.args.get("allow").and_then(Value::as_list).unwrap_or_default();
            let allow: Vec<Text> = list.iter().filter_map(|glob| glob.as_text().cloned()).collect();
            match allow.iter().position(|glob| Glob::new(glob).is_err()) {
                Some(at) => Err(Reason::new(Code::BadGlob, format!("/allow/{at}"))),
                None => Ok(vec![Fact::AllowSet { space: owned(deed)?, allow }]),
            }
        },
    },
];

/// The target space, if the actor owns it: by itself or by the nearest owned space above.
fn owned(deed: &Deed<'_>) -> Result<SpaceId, Reason> {
    let id = deed.space()?;
    let nearest = deed.world.upward(id).find_map(|space| space.owner);
    let is_owner = deed.actor.id == BeingId::WORLD || nearest == Some(deed.actor.id);
    if is_owner { Ok(id) } else { Err(Reason::new(Code::GateOwner, deed.world.path_of(id))) }
}

fn being(deed: &Deed<'_>, key: &str) -> Result<BeingId, Reason> {
    match deed.thing(key)? {
        Thing::Being(id) => Ok(deed.living(id)?.id),
        Thing::Space(_) | Thing::Matter(_) => Err(Reason::new(Code::WrongTarget, format!("/{key}"))),
    }
}
