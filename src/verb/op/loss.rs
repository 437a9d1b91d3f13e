//! Loss: history that was acknowledged is gone, and the world goes on without it: only `@world` records that, when it is opened so.

use crate::fact::Fact;

use super::super::right::Rule;
use super::deed::Core;

/// Its name.
pub const LOSS_ACCEPT: &str = "loss.accept";

pub(super) const OPS: &[Core] = &[Core {
    name: LOSS_ACCEPT,
    target: &["space"],
    about: "records that history which was acknowledged is gone; `@world` does, where the world is opened with `--accept-loss`",
    told: &["records that history is gone[ from moment {{args.from}} on]"],
    schema: r#"{"type":"object","required":["from","groups"],"additionalProperties":false,"properties":{
        "from":{"type":"integer","minimum":0,"description":"the seq of the first frame that is gone"},
        "groups":{"type":"integer","minimum":1,"description":"how many groups are gone"}}}"#,
    rule: Rule::World,
    draft: |deed| Ok(vec![Fact::LossAccepted { from: deed.number("from")?, groups: deed.number("groups")? }]),
}];
