//! Approvals: a request of a bridge that waits is let out or not, by the hash of the bytes that would leave.

use crate::fact::{BeingId, Code, Fact, Hash, Made, Reason, Text, Value, parse_duration};
use crate::role::Petition;
use crate::world::Approval;

use super::super::right::{Rule, is_operator};
use super::deed::{Core, Deed, malformed};

pub(super) const OPS: &[Core] = &[
    Core {
        name: "wake.approve",
        target: &["being"],
        about: "lets a request of the target bridge leave that waits to be approved: `request` is the hash of its bytes",
        schema: r#"{"type":"object","required":["wake","request"],"additionalProperties":false,"properties":{
            "wake":{"type":"string","pattern":"^[0-9]+\\.[0-9]+$","examples":["12.0"],"description":"the wake of the bridge, as `see /.outbox` lists it"},
            "request":{"type":"string","pattern":"^[0-9a-f]{64}$","description":"the hash of the bytes, as it stands there"}}}"#,
        rule: Rule::Approver,
        draft: |deed| {
            let (bridge, wake, request) = waiting(deed)?;
            Ok(vec![Fact::Approved { bridge, wake, request }])
        },
    },
    Core {
        name: "wake.decline",
        target: &["being"],
        about: "keeps a request of the target bridge from leaving that waits to be approved; whoever asked hears `why`",
        schema: r#"{"type":"object","required":["wake","request"],"additionalProperties":false,"properties":{
            "wake":{"type":"string","pattern":"^[0-9]+\\.[0-9]+$","examples":["12.0"],"description":"the wake of the bridge, as `see /.outbox` lists it"},
            "request":{"type":"string","pattern":"^[0-9a-f]{64}$","description":"the hash of the bytes, as it stands there"},
            "why":{"type":"string","maxLength":500}}}"#,
        rule: Rule::Approver,
        draft: |deed| {
            let (bridge, wake, request) = waiting(deed)?;
            Ok(vec![Fact::Declined { bridge, wake, request, why: deed.text("why").unwrap_or_else(|| "".into()) }])
        },
    },
];

/// What no schema can say of who approves what a bridge sends: how long it is waited for, and the conditions.
pub(super) fn wrong(deed: &Deed<'_>, bridge: &Value) -> Result<(), Reason> {
    let Some(approve) = bridge.get("approve") else { return Ok(()) };
    let waits = approve.get("for").and_then(Value::as_str);
    if waits.is_some_and(|waits| parse_duration(waits).is_none_or(|waits| waits <= 0)) {
        return Err(Reason::new(Code::BadDuration, "/value/approve/for"));
    }
    let Some(when) = approve.get("when") else { return Ok(()) };
    let compiled = Petition::compile(when).map(|_| ());
    compiled.map_err(|error| malformed(deed.tell, Code::FlowMalformed, format!("/value/approve/{}", error.place), &error))
}

/// The request that waits, where the actor may say something to it and names it as it is.
fn waiting(deed: &Deed<'_>) -> Result<(BeingId, Made, Hash), Reason> {
    let bridge = deed.being()?.id;
    let written = deed.required("wake")?;
    let wake: Made = written.parse().map_err(|_| Reason::new(Code::ArgsPattern, "/wake"))?;
    let (open, approval) = deed.world.approval_of(bridge, wake).ok_or_else(|| Reason::new(Code::ApprovalNone, &written))?;
    may_answer(deed, open.caller(), approval, &written)?;
    let request: Hash = deed.required("request")?.parse().map_err(|_| Reason::new(Code::ArgsPattern, "/request"))?;
    if request != approval.request {
        return Err(Reason::new(Code::ApprovalChanged, "/request"));
    }
    Ok((bridge, wake, request))
}

/// Whether the actor was asked and approves nothing of its own; neither does anybody whom it drives, or who drives it. The operator may, unless
/// another acts by it.
fn may_answer(deed: &Deed<'_>, asker: Option<BeingId>, approval: &Approval, written: &Text) -> Result<(), Reason> {
    let (actor, driver) = (deed.actor, deed.actor.driver_at(deed.at));
    let is_own = |being: BeingId| {
        let drives = asker.and_then(|asker| deed.world.being(asker)).and_then(|asker| asker.driver_at(deed.at));
        asker == Some(being) || drives == Some(being)
    };
    if is_operator(deed.world, actor.id) && driver.is_none_or(|driver| !is_own(driver)) {
        return Ok(());
    }
    if approval.by != actor.id {
        return Err(Reason::new(Code::GateApprover, written));
    }
    if is_own(actor.id) || driver.is_some_and(is_own) { Err(Reason::new(Code::GateOwnRequest, written)) } else { Ok(()) }
}
