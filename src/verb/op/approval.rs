//! Approvals: a request of a bridge that waits is let out or not, by the hash of the bytes that would leave.

use crate::fact::{BeingId, Code, Fact, Hash, Made, Reason};

use super::super::right::{Rule, is_operator};
use super::deed::{Core, Deed};

/// The arguments by which a request is named, and some more.
macro_rules! naming {
    ($more:literal) => {
        concat!(
            r#"{"type":"object","required":["wake","request"],"additionalProperties":false,"properties":{
            "wake":{"type":"string","pattern":"^[0-9]+\\.[0-9]+$","examples":["12.0"],"description":"the wake of the bridge, as `see /.outbox` lists it"},
            "request":{"type":"string","pattern":"^[0-9a-f]{64}$","description":"the hash of the bytes, as it stands there"}"#,
            $more,
            "}}"
        )
    };
}

pub(super) const OPS: &[Core] = &[
    Core {
        name: "wake.approve",
        target: &["being"],
        about: "lets a request of the target bridge leave that waits to be approved: `request` is the hash of its bytes",
        told: &["lets a request of {{target}} leave"],
        schema: naming!(""),
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
        told: &["keeps a request of {{target}} back[: {{text args.why}}]"],
        schema: naming!(r#","why":{"type":"string","maxLength":500}"#),
        rule: Rule::Approver,
        draft: |deed| {
            let (bridge, wake, request) = waiting(deed)?;
            Ok(vec![Fact::Declined { bridge, wake, request, why: deed.text("why").unwrap_or_else(|| "".into()) }])
        },
    },
];

/// The request that waits, where the actor may say something to it and names it as it is.
fn waiting(deed: &Deed<'_>) -> Result<(BeingId, Made, Hash), Reason> {
    let bridge = deed.being()?.id;
    let written = deed.required("wake")?;
    let wake: Made = written.parse().map_err(|_| Reason::new(Code::ArgsPattern, "/wake"))?;
    let (_, approval) = deed.world.approval_of(bridge, wake).ok_or_else(|| Reason::new(Code::ApprovalNone, &written))?;
    if deed.at >= approval.until {
        return Err(Reason::new(Code::ApprovalExpired, &written));
    }
    // The asker is never the one who is asked: lineage decides that, and stays as it is.
    if approval.by != deed.actor.id && !is_operator(deed.world, deed.actor.id) {
        return Err(Reason::new(Code::GateApprover, &written));
    }
    let request: Hash = deed.required("request")?.parse().map_err(|_| Reason::new(Code::ArgsPattern, "/request"))?;
    if request != approval.request {
        return Err(Reason::new(Code::ApprovalChanged, "/request"));
    }
    Ok((bridge, wake, request))
}
