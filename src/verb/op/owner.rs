//! Owner: a process takes the world over, whose history a copy outside keeps: only `@world` records that, first of all in each epoch.
//!
//! Every seal that follows covers it, so a history says who wrote each part of it.

use crate::fact::{Code, Fact, Reason};

use super::super::right::Rule;
use super::deed::Core;

/// Its name.
pub const OWNER_TAKE: &str = "owner.take";

pub(super) const OPS: &[Core] = &[Core {
    name: OWNER_TAKE,
    target: &["space"],
    about: "says which process owns the world from now on; `@world` does, when it is served with a copy on NATS",
    told: &["records that {{text args.by}} owns it from now on", "records who owns it from now on"],
    schema: r#"{"type":"object","required":["epoch","by"],"additionalProperties":false,"properties":{
        "epoch":{"type":"integer","minimum":1,"description":"counts the owners; greater than that of the one before"},
        "by":{"type":"string","maxLength":200,"description":"the owner: a host and a directory"}}}"#,
    rule: Rule::World,
    draft: |deed| {
        let (epoch, before) = (deed.number("epoch")?, deed.world.owner().map_or(0, |(epoch, _)| *epoch));
        if epoch <= before {
            return Err(Reason::new(Code::OwnerEpoch, format!("{epoch}, behind {before}")));
        }
        Ok(vec![Fact::Owned { epoch, by: deed.required("by")? }])
    },
}];
