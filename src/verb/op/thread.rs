//! Threads: all that goes back to one fact, and how a person stops it.

use crate::fact::{Code, Fact, Made, Reason};

use super::super::right::{Rule, is_operator};
use super::deed::{Core, Deed};

pub(super) const OPS: &[Core] = &[Core {
    name: "thread.cut",
    target: &["space"],
    about: "ends all that goes back to one fact and is still open; who did not begin it ends their own part",
    told: &["cuts the thread of {{moment args.root}}", "cuts a thread"],
    schema: r#"{"type":"object","required":["root"],"additionalProperties":false,"properties":{
        "root":{"type":"string","pattern":"^[0-9]+\\.[0-9]+$","examples":["12.0"],"description":"the fact with which it began, such as 12.0"}}}"#,
    rule: Rule::Thread,
    draft: cut,
}];

fn cut(deed: &Deed<'_>) -> Result<Vec<Fact>, Reason> {
    let written = deed.required("root")?;
    let root: Made = written.parse().map_err(|_| Reason::new(Code::ArgsPattern, "/root"))?;
    let count = deed.world.root_count(root).ok_or_else(|| Reason::new(Code::ThreadEnded, &written))?;
    let is_whole = is_operator(deed.world, deed.actor.id) || count.began == Some(deed.actor.id);
    let whose = (!is_whole).then_some(deed.actor.id);
    match deed.world.thread(root, whose).next() {
        Some(_) => Ok(vec![Fact::Cut { root, whose }]),
        None if is_whole => Err(Reason::new(Code::ThreadEnded, &written)),
        None => Err(Reason::new(Code::GateThread, &written)),
    }
}
