//! Reopened: a world goes on after it stood still: only `@world` records that, when it is opened so.
//!
//! It wakes those who listen for it. Effects that wait for a missed time, or for somebody who was not there, can begin from this act.

use crate::fact::{Code, Fact, Reason, Value};

use super::super::right::Rule;
use super::deed::Core;

/// Its name.
pub const REOPENED: &str = "reopened";

pub(super) const OPS: &[Core] = &[Core {
    name: REOPENED,
    target: &["space"],
    about: "says that a world goes on after a stop or a restore, where it goes by the wall clock or somebody wakes by it; `@world` does, when it is opened again",
    told: &["goes on"],
    schema: r#"{"type":"object","required":["since"],"additionalProperties":false,"properties":{
        "since":{"type":"integer","description":"the instant of the last frame before the stop, in milliseconds"}}}"#,
    rule: Rule::World,
    draft: |deed| {
        let clock = deed.world.world_setting("clock");
        // A world whose time the program makes has missed nothing, and says so only to whoever asks for it.
        if clock.as_str() != Some("real") && !deed.world.boots() {
            return Err(Reason::new(Code::ClockNotReal, "/"));
        }
        let since = deed.args.get("since").and_then(Value::as_int).ok_or_else(|| Reason::new(Code::ArgsType, "/since"))?;
        Ok(vec![Fact::Reopened { since }])
    },
}];
