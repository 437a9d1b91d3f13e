//! Draftable: what is drawn up before it is done, and how that is checked when it is: what cannot be read by anybody is no draft.

use crate::fact::{Code, Cognition, Reason, Thing, Value};
use crate::role::{Flow, SIGNAL_SET, Spec, Worn};

use super::be::payload_schema;
use super::drafted::BE;
use super::op::{Core, DRAFT_MAKE, DRAFT_PUBLISH, Deed, LOSS_ACCEPT, OWNER_TAKE, REOPENED, TRIALS, core, drafted_for, is_of, malformed};

/// Whether whoever wears a role only draws up what changes authority: it acts for others, and a model thinks for it or votes in it, which may have
/// read anything.
pub(super) fn only_drafts(worn: &Worn, cognition: Cognition) -> bool {
    worn.acts_for_caller && cognition.is_persuadable()
}

/// Whether an operation is one that such a one does not do: it changes authority, or publishes a signal. To draw up is no change.
pub(super) fn is_guarded(core: &Core) -> bool {
    core.name != DRAFT_MAKE && (core.rule.is_authority() || core.name == SIGNAL_SET)
}

/// Whether arguments give a space an owner of its own, which is authority too.
pub(super) fn gives_authority(action: &str, args: &Value) -> bool {
    action == SPACE_MAKE && args.get("owner").is_some_and(|owner| !owner.is_null())
}

const SPACE_MAKE: &str = "space.make";

/// Whether an operation can be drafted. An operation by which the world itself states something cannot be published later.
fn is_draftable(core: &Core) -> bool {
    let is_other = core.name == DRAFT_PUBLISH
        || core.name == LOSS_ACCEPT
        || core.name == OWNER_TAKE
        || core.name == REOPENED
        || TRIALS.contains(&core.name);
    core.name == SPACE_MAKE || (is_guarded(core) && !is_other)
}

/// Asks of what a draft would do, in this order: whether it can be drafted, its target, its arguments, and whether the role or flow in them is
/// well formed. Whether it may be done is asked of whoever publishes it.
pub(super) fn check(deed: &Deed<'_>) -> Result<(), Reason> {
    let (action, args) = (deed.required("action")?, deed.value("args"));
    let inside = |reason: Reason| Reason::new(reason.code, format!("/args{}", reason.at));
    if let Some(operation) = action.strip_prefix(BE) {
        let schema = payload_schema(operation).ok_or_else(|| Reason::new(Code::UnknownOperation, &action))?;
        schema.check(&args).map_err(inside)?;
        return formed_flow(deed, args.get("flow"), |flow| Flow::compile(flow).map(drop));
    }
    let (core, schema) = core(&action).ok_or_else(|| Reason::new(Code::UnknownOperation, &action))?;
    if !is_draftable(core) {
        return Err(Reason::new(Code::DraftAction, &action));
    }
    let of = drafted_for(deed)?.ok_or_else(|| deed.wrong_target())?;
    is_of(core.target.iter().copied(), deed.actor, of).map_err(|code| Reason::new(code, "/target"))?;
    schema.check(&args).map_err(inside)?;
    formed_role(deed, &args)?;
    match of {
        Thing::Space(_) => formed_flow(deed, args.get("flow"), |flow| Flow::compile_for_space(flow).map(drop)),
        Thing::Being(_) | Thing::Matter(_) => formed_flow(deed, args.get("flow"), |flow| Flow::compile(flow).map(drop)),
    }
}

fn formed_role(deed: &Deed<'_>, args: &Value) -> Result<(), Reason> {
    let role = args.get("role").filter(|role| role.as_map().is_some());
    let read = role.map(Spec::from_value).transpose();
    let spec = read.map_err(|error| malformed(deed.tell, Code::RoleMalformed, "/args/role", &error))?;
    match spec.filter(|spec| args.get("name").and_then(Value::as_str) != Some(&spec.name)) {
        Some(_) => Err(Reason::new(Code::RoleName, "/args/role/name")),
        None => Ok(()),
    }
}

fn formed_flow(
    deed: &Deed<'_>,
    flow: Option<&Value>,
    compile: impl Fn(&Value) -> Result<(), crate::role::FlowError>,
) -> Result<(), Reason> {
    let Some(flow) = flow.filter(|flow| !flow.is_null()) else { return Ok(()) };
    compile(flow).map_err(|error| malformed(deed.tell, Code::FlowMalformed, &error.place, &error))
}
