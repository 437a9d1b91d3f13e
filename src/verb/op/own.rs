//! Ownership: who may change what lies in a space. It is authority, changed by the owner, and taken back by the owner of the ground above.
//! Nobody is held to it: whoever contributes may leave.

use crate::fact::{Code, Fact, Reason, SpaceId, Text, Value};
use crate::role::Glob;

use super::super::right::Rule;
use super::deed::{Core, Deed};

pub(super) const OPS: &[Core] = &[
    Core {
        name: "own.set",
        target: &["space"],
        about: "gives the target space an owner of its own, or with null none; also for the owner of the ground above",
        told: &["gives {{target}} to nobody{{null args.owner}}", "gives {{target}} to {{args.owner}}", "sets who owns {{target}}"],
        schema: r#"{"type":"object","required":["owner"],"additionalProperties":false,"properties":{"owner":{"type":["string","null"]}}}"#,
        rule: Rule::GroundAbove,
        draft: |deed| {
            let space = deed.space()?;
            let owner = if deed.value("owner").is_null() { None } else { Some(deed.living_named("owner")?) };
            // There is no ground above the root to which it could fall.
            if owner.is_none() && space == SpaceId::ROOT {
                return Err(Reason::new(Code::Needed, "/owner"));
            }
            Ok(vec![Fact::OwnerSet { space, owner }])
        },
    },
    Core {
        name: "own.contribute",
        target: &["space"],
        about: "makes a being a contributor of the target space, or with `yes: false` one no more; a contributor may leave by itself",
        told: &["sets that {{args.being}} contributes to {{target}}", "sets who contributes to {{target}}"],
        schema: r#"{"type":"object","required":["being"],"additionalProperties":false,"properties":{"being":{"type":"string"},"yes":{"type":"boolean"}}}"#,
        rule: Rule::GroundOrLeave,
        draft: contribute,
    },
    Core {
        name: "own.allow",
        target: &["space"],
        about: "replaces the list of actions that anybody may do on things in the target space",
        told: &["sets what everybody may do in {{target}}"],
        schema: r#"{"type":"object","required":["allow"],"additionalProperties":false,"properties":{"allow":{"type":"array","items":{"type":"string"}}}}"#,
        rule: Rule::Ground,
        draft: |deed| {
            let list = deed.args.get("allow").and_then(Value::as_list).unwrap_or_default();
            let allow: Vec<Text> = list.iter().filter_map(|glob| glob.as_text().cloned()).collect();
            match allow.iter().position(|glob| Glob::new(glob).is_err()) {
                Some(at) => Err(Reason::new(Code::BadGlob, format!("/allow/{at}"))),
                None => Ok(vec![Fact::AllowSet { space: deed.space()?, allow }]),
            }
        },
    },
];

fn contribute(deed: &Deed<'_>) -> Result<Vec<Fact>, Reason> {
    let (space, being) = (deed.space()?, deed.living_named("being")?);
    let yes = deed.args.get("yes").and_then(Value::as_bool).unwrap_or(true);
    // A mere contributor may only take itself out.
    if yes || being != deed.actor.id {
        Rule::Ground.ask(deed.world, deed.actor, deed.target, deed.names)?;
    }
    Ok(vec![Fact::ContributorSet { space, being, yes }])
}
