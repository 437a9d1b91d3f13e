//! Operations that bind a being: its flow, default role, cognition, grants, home. All of it is authority.

use crate::fact::{Canon, Code, Fact, Hash, Reason, Text, Thing, Value};
use crate::role::{Flow, FlowError, Overreach};
use crate::world::Being;

use super::super::panel::panel_of;
use super::super::right::Rule;
use super::super::right::{may_grant, may_pass};
use super::deed::{Core, Deed, malformed};
use super::needed::keeps_operator;

pub(super) const OPS: &[Core] = &[
    Core {
        name: "flow.set",
        target: &["being", "space"],
        about: "gives the target being another flow; or the target space one that stacks roles on whoever stands inside",
        told: &["publishes the flow of {{target}}"],
        schema: r#"{"type":"object","required":["flow"],"additionalProperties":false,"properties":{"flow":{"type":"array"},
            "base":{"type":["string","array"],"description":"the flow that this one was made from, or its hash; refused if there is another by now"},
            "label":{"type":"string","maxLength":120,"description":"what this version is called"}}}"#,
        rule: Rule::Flow,
        draft: flow,
    },
    Core {
        name: "flow.default",
        target: &["being"],
        about: "gives the target being another default role, or none",
        told: &[
            "removes the default role of {{target}}{{null args.role}}",
            "sets what {{target}} wears by default to {{last args.role}}",
            "sets what {{target}} wears by default",
        ],
        schema: r#"{"type":"object","required":["role"],"additionalProperties":false,"properties":{"role":{"type":["string","null"]}}}"#,
        rule: Rule::Lineage,
        draft: default_role,
    },
    Core {
        name: "cognition.set",
        target: &["being"],
        about: "gives the target being another cognition, script or panel",
        told: &["sets who thinks for {{target}}"],
        schema: r#"{"type":"object","required":["cognition"],"additionalProperties":false,"properties":{
            "cognition":{"enum":["llm","human","script","bridge","panel"]},"script":{"type":["string","null"]},
            "panel":{"type":"object","description":"whom a panel asks: {of: [\"@a\", \"@b\"] or {rel: children}, ask: parallel or in-turn, decide: majority, first or a script, until: 10m}"}}}"#,
        rule: Rule::LineageOrOperator,
        draft: cognition,
    },
    Core {
        name: "grants.set",
        target: &["being"],
        about: "gives the target being other grants: the roles that it may give to others",
        told: &["sets which roles {{target}} may give"],
        schema: r#"{"type":"object","required":["grants"],"additionalProperties":false,"properties":{"grants":{"type":"array","items":{"type":"string"}}}}"#,
        rule: Rule::Lineage,
        draft: grants,
    },
    Core {
        name: "home.set",
        target: &["being"],
        about: "gives the target being another home",
        told: &["gives {{target}} a home in {{args.home}}", "gives {{target}} a home"],
        schema: r#"{"type":"object","required":["home"],"additionalProperties":false,"properties":{"home":{"type":"string"}}}"#,
        rule: Rule::Lineage,
        draft: home,
    },
];

/// A flow from its written form: well-formed, and naming only roles that the actor may give.
pub(in crate::verb) fn checked_flow(actor: &Being, written: &Value, tell: &dyn Fn(&str)) -> Result<Flow, Reason> {
    let flow = Flow::compile(written).map_err(|error| wrong(tell, error))?;
    may_grant(actor, flow.roles())?;
    Ok(flow)
}

fn wrong(tell: &dyn Fn(&str), error: FlowError) -> Reason {
    malformed(tell, Code::FlowMalformed, &error.place, &error)
}

fn flow(deed: &Deed<'_>) -> Result<Vec<Fact>, Reason> {
    let flow = deed.value("flow");
    if let Thing::Space(space) = deed.target {
        let now = deed.world.space(space).and_then(|space| space.flow.as_ref()).map(|flow| flow.flow.source().clone());
        check_base(deed, &now.unwrap_or_else(|| Value::List(Vec::new())))?;
        let compiled = Flow::compile_for_space(&flow).map_err(|error| wrong(deed.tell, error))?;
        may_grant(deed.actor, compiled.roles())?;
        return Ok(vec![Fact::FlowSetIn { space, flow: flow.into() }]);
    }
    let below = deed.being()?;
    check_base(deed, below.flow.source())?;
    if below.id == deed.actor.id {
        own_flow(below, &flow, deed.tell)?
    } else {
        checked_flow(deed.actor, &flow, deed.tell).map(drop)?
    }
    dressing(deed, below, Fact::FlowSet { being: below.id, flow: flow.into() })
}

/// A being's own flow: it names freely its default role and whatever its grants cover, and what it has by a clause under that clause.
fn own_flow(being: &Being, written: &Value, tell: &dyn Fn(&str)) -> Result<(), Reason> {
    let flow = Flow::compile(written).map_err(|error| wrong(tell, error))?;
    let is_free = |role: &str| being.default_role.as_deref() == Some(role) || may_grant(being, [role]).is_ok();
    flow.stays_within(&being.flow, is_free).map_err(|overreach| match overreach {
        Overreach::Role(role) => Reason::new(Code::GateGrants, role),
        Overreach::Clause(index) => Reason::new(Code::GateClause, format!("[{index}]")),
    })
}

/// Whether the flow is still the one that the new one was made from, where it says so.
fn check_base(deed: &Deed<'_>, now: &Value) -> Result<(), Reason> {
    let hash_of = |flow: &Value| Hash::of(&flow.to_canon()).to_string();
    let (now, base) = (hash_of(now), deed.value("base"));
    let base = if base.as_list().is_some() { Some(hash_of(&base)) } else { base.as_str().map(str::to_owned) };
    if base.is_some_and(|base| base != now) { Err(Reason::new(Code::BaseVersion, now)) } else { Ok(()) }
}

fn default_role(deed: &Deed<'_>) -> Result<Vec<Fact>, Reason> {
    let being = deed.being()?;
    let role = deed.text("role");
    may_grant(deed.actor, role.as_deref())?;
    dressing(deed, being, Fact::DefaultRoleSet { being: being.id, role })
}

/// Drafts a change of what a being wears; refuses one that would leave the operator with nothing.
fn dressing(deed: &Deed<'_>, being: &Being, fact: Fact) -> Result<Vec<Fact>, Reason> {
    let facts = vec![fact];
    if being.id == deed.world.operator() {
        keeps_operator(deed.world, &facts)?;
    }
    Ok(facts)
}

fn cognition(deed: &Deed<'_>) -> Result<Vec<Fact>, Reason> {
    let being = deed.being()?;
    let cognition = deed.required("cognition")?.parse().map_err(|_| Reason::new(Code::ArgsEnum, "/cognition"))?;
    let panel = panel_of(deed.world, (&being.name, Some(being.id)), cognition, deed.args)?;
    let set = Fact::CognitionSet { being: being.id, cognition, script: deed.text("script") };
    Ok([set].into_iter().chain(panel.map(|panel| Fact::PanelSet { being: being.id, panel: Box::new(panel) })).collect())
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
