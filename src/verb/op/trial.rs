//! Trial: what trying a draft with a model costs: held back by one act of whoever tries, and settled by another.

use crate::fact::{Code, Fact, Reason, Seq, Settled, Spend, Spent, Text};
use crate::world::Local;

use super::super::right::Rule;
use super::deed::{Core, Deed};

/// The names of both.
pub const TRIALS: [&str; 2] = ["model.reserve", "model.settle"];

pub(super) const OPS: &[Core] = &[
    Core {
        name: "model.reserve",
        target: &["being"],
        about: "holds back what trying a draft with a model can cost; the actor pays",
        told: &["sets aside what trying a draft on {{target}} can cost"],
        schema: r#"{"type":"object","required":["calls","input","output","money"],"additionalProperties":false,"properties":{
            "calls":{"type":"integer","minimum":1},"input":{"type":"integer","minimum":0},"output":{"type":"integer","minimum":0},
            "money":{"type":"integer","minimum":0,"description":"in millionths of the currency"}}}"#,
        rule: Rule::Root,
        draft: |deed| {
            let (spend, offset) = (spend(deed)?, Local::of(deed.at, deed.world.zone()).offset);
            deed.world.affords(deed.actor, None, (deed.at, offset), spend)?;
            Ok(vec![Fact::Reserved(Box::new(spend))])
        },
    },
    Core {
        name: "model.settle",
        target: &["being"],
        about: "says what a trial has cost, in place of what was held back for it",
        told: &["tries a draft on {{target}}"],
        schema: r#"{"type":"object","required":["of","connection","model","calls","input","output","money","ms"],"additionalProperties":false,"properties":{
            "of":{"type":"integer","minimum":0,"description":"the seq of the act that held it back"},
            "connection":{"type":"string"},"model":{"type":"string"},"ms":{"type":"integer","minimum":0},
            "calls":{"type":"integer","minimum":0},"input":{"type":"integer","minimum":0},"output":{"type":"integer","minimum":0},
            "money":{"type":"integer","minimum":0}}}"#,
        rule: Rule::Root,
        draft: |deed| {
            let (of, spend): (Seq, Spend) = (deed.number("of")?, spend(deed)?);
            let wake = deed.world.ledger().held_at(deed.actor.id, of).ok_or_else(|| Reason::new(Code::NotFound, "/of"))?;
            let held = deed.world.ledger().held(deed.actor.id, wake).unwrap_or_default();
            // Nothing costs more than the most that it could cost.
            if spend.minus(held) != Spend::default() {
                return Err(Reason::new(Code::ArgsMaximum, "/"));
            }
            let text = |key: &str| deed.text(key).unwrap_or_else(|| Text::from(""));
            let spent =
                Spent { connection: text("connection"), model: text("model"), spend, vain: Spend::default(), ms: deed.number("ms")? };
            Ok(vec![Fact::Settled(Box::new(Settled { of, spent }))])
        },
    },
];

fn spend(deed: &Deed<'_>) -> Result<Spend, Reason> {
    let of = |key| deed.number(key);
    Ok(Spend { calls: of("calls")?, input: of("input")?, output: of("output")?, money: of("money")?, ..Spend::default() })
}
