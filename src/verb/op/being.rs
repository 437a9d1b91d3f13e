//! What binds a being: its flow, default role, cognition, grants, home. All of it is authority.

use crate::fact::{Canon, Code, Fact, Hash, Reason, Text, Thing, Value};
use crate::role::{Flow, Overreach};
use crate::world::Being;

use super::super::right::Rule;
use super::super::right::{may_grant, may_pass};
use super::deed::{Core, Deed};

pub(super) const OPS: &[Core] = &[
    Core {
        name: "flow.set",
        target: &["being", "space"],
        about: "gives the target being another flow; or the target space one that stacks roles on whoever stands inside",
        schema: r#"{"type":"object","required":["flow"],"additionalProperties":false,"properties":{"flow":{"type":"array"},
            "base":{"type":"string","description":"the hash of the flow that this one was made from; refused if there is another by now"},
            "label":{"type":"string","maxLength":120,"description":"what this version is called"}}}"#,
        rule: Rule::Flow,
        draft: flow,
    },
    Core {
        name: "flow.default",
        target: &["being"],
        about: "gives the target being another default role, or none",
        schema: r#"{"type":"object","required":["role"],"additionalProperties":false,"properties":{"role":{"type":["string","null"]}}}"#,
        rule: Rule::Lineage,
        draft: default_role,
    },
    Core {
        name: "cognition.set",
        target: &["being"],
        about: "gives the target being another cognition, and the script that thinks for it",
        schema: r#"{"type":"object","required":["cognition"],"additionalProperties":false,"properties":{
            "cognition":{"enum":["llm","human","script"]},"script":{"type":["string","null"]}}}"#,
        rule: Rule::Lineage,
        draft: cognition,
    },
    Core {
        name: "grants.set",
        target: &["being"],
        about: "gives the target being other grants: the roles that it may give to others",
        schema: r#"{"type":"object","required":["grants"],"additionalProperties":false,"properties":{"grants":{"type":"array","items":{"type":"string"}}}}"#,
        rule: Rule::Lineage,
        draft: grants,
    },
    Core {
        name: "home.set",
        target: &["being"],
        about: "gives the target being another home",
        schema: r#"{"type":"object","required":["home"],"additionalProperties":false,"properties":{"home":{"type":"string"}}}"#,
        rule: Rule::Lineage,
        draft: home,
    },
];

/// A flow from its written form: well-formed, and naming only roles that the actor may give.
pub(in crate::verb) fn checked_flow(actor: &Being, written: &Value) -> Result<Flow, Reason> {
    let flow = Flow::compile(written).map_err(|error| Reason::new(Code::FlowMalformed, error.place))?;
    may_grant(actor, flow.roles())?;
    Ok(flow)
}

fn flow(deed: &Deed<'_>) -> Result<Vec<Fact>, Reason> {
    let flow = deed.value("flow");
    if let Thing::Space(space) = deed.target {
        let now = deed.world.space(space).and_then(|space| space.flow.as_ref()).map(|flow| flow.flow.source().clone());
        check_base(deed, &now.unwrap_or_else(|| Value::List(Vec::new())))?;
        let compiled = Flow::compile_for_space(&flow).map_err(|error| Reason::new(Code::FlowMalformed, error.place))?;
        may_grant(deed.actor, compiled.roles())?;
        return Ok(vec![Fact::FlowSetIn { space, flow: flow.into() }]);
    }
    let below = deed.being()?;
    check_base(deed, below.flow.source())?;
    if below.id == deed.actor.id {
        own_flow(below, &flow)?
    } else {
        checked_flow(deed.actor, &flow).map(drop)?
    }
    Ok(vec![Fact::FlowSet { being: below.id, flow: flow.into() }])
}

/// A being's own flow: it names freely its default role and whatever its grants cover, and what it has by a clause under that clause.
fn own_flow(being: &Being, written: &Value) -> Result<(), Reason> {
    let flow = Flow::compile(written).map_err(|error| Reason::new(Code::FlowMalformed, error.place))?;
    let is_free = |role: &str| being.default_role.as_deref() == Some(role) || may_grant(being, [role]).is_ok();
    flow.stays_within(&being.flow, is_free).map_err(|overreach| match overreach {
        Overreach::Role(role) => Reason::new(Code::GateGrants, role),
        Overreach::Clause(index) => Reason::new(Code::GateClause, format!("[{index}]")),
    })
}

/// Whether the flow is still the one that the new one was made from, where it says so.
fn check_base(deed: &Deed<'_>, now: &Value) -> Result<(), Reason> {
    let now = Hash::of(&now.to_canon()).to_string();
    if deed.text("base").is_some_and(|base| base.as_ref() != now) { Err(Reason::new(Code::BaseVersion, now)) } else { Ok(()) }
}

fn default_role(deed: &Deed<'_>) -> Result<Vec<Fact>, Reason> {
    let being = deed.being()?.id;
    let role = deed.text("role");
    may_grant(deed.actor, role.as_deref())?;
    Ok(vec![Fact::DefaultRoleSet { being, role }])
}

fn cognition(deed: &Deed<'_>) -> Result<Vec<Fact>, Reason> {
    let being = deed.being()?.id;
    let cognition = deed.required("cognition")?.parse().map_err(|_| Reason::new(Code::ArgsEnum, "/cognition"))?;
    Ok(vec![Fact::CognitionSet { being, cognition, script: deed.text("script") }])
}

fn grants(deed: &Deed<'_>) -> Result<Vec<Fact>, Reason> {
    let being = deed.being()?.id;
    let grants: Vec<Text> =
        deed.args.get("grants").and_then(Value::as_list).unwrap_or_default().iter().filter_map(|grant| grant.as_text().cloned()).collect();
    may_pass(deed.actor, grants.iter().map(AsRef::as_ref))?;
    Ok(vec![Fact::Granted { being, grants }])
}

fn home(deed: &Deed<'_>) -> Result<Vec<Fact>, Reason> {
    let being = deed.being()?.id;
    match deed.thing("home")? {
        Thing::Space(home) => Ok(vec![Fact::HomeSet { being, home }]),
        Thing::Being(_) | Thing::Matter(_) => Err(Reason::new(Code::WrongTarget, "/home")),
    }
}
