//! Reopened: a world that goes by the wall clock goes on after it stood still: only `@world` records that, when it is opened so.
//!
//! Effects that wait for a missed time, or for somebody who was not there, can begin from this act.

use crate::fact::{Code, Fact, Reason, Value};

use super::super::right::Rule;
use super::deed::Core;

/// Its name.
pub const REOPENED: &str = "reopened";

pub(super) const OPS: &[Core] = &[Core {
    name: REOPENED,
    target: &["space"],
    about: "says that a world which goes by the wall clock goes on after a stop or a restore; `@world` does, when it is opened again",
    schema: r#"{"type":"object","required":["since"],"additionalProperties":false,"properties":{
        "since":{"type":"integer","description":"the instant of the last frame before the stop, in milliseconds"}}}"#,
    rule: Rule::World,
    draft: |deed| {
        let clock = deed.world.registry().config.get("clock").cloned().unwrap_or_default();
        // A world whose time the program makes has missed nothing.
        if clock.as_str() != Some("real") {
            return Err(Reason::new(Code::ClockNotReal, "/"));
        }
        Ok(vec![Fact::ConfigSet { key: "clock".into(), value: Value::clone(&clock).into() }])
    },
}];
