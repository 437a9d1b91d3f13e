//! Rules of the world's own: set and taken back; and what is asked of every rule before it is let in, whoever brings it.

use crate::fact::{Code, Fact, Reason, SpaceId, Text, Value};
use crate::role::Judge;
use crate::script::Sandbox;
use crate::world::{OWN_RULES, Registry, entries};

use super::super::right::Rule;
use super::deed::{Core, Deed, check_name};

pub(super) const OPS: &[Core] = &[Core {
    name: "rule.set",
    target: &["space"],
    about: "gives the world a rule of its own, asked about every deed that it names; null takes it back",
    schema: r#"{"type":"object","required":["name","rule"],"additionalProperties":false,"properties":{
        "name":{"type":"string"},"rule":{"type":["object","null"],"description":"on: entries as in canDo; when: conditions; refuse: a sentence; script"}}}"#,
    rule: Rule::Operator,
    draft: rule,
}];

/// The most rules that may be asked about one action.
const RULES_MAX: usize = 100;

fn rule(deed: &Deed<'_>) -> Result<Vec<Fact>, Reason> {
    let (name, rule) = (deed.required("name")?, deed.value("rule"));
    if deed.space()? != SpaceId::ROOT {
        return Err(deed.wrong_target());
    }
    check_name(&name)?;
    let registry = deed.world.registry();
    if rule.is_null() {
        if !registry.rules.contains_key(&name) {
            return Err(Reason::new(Code::NotFound, &name));
        }
    } else {
        let full = format!("{OWN_RULES}:{name}");
        let judge = compiled(&full, &rule, "/rule")?;
        Letting { registry, replaces: &|other| other == full, known: (deed.actions)(registry) }.let_in(&[judge], |_| "/rule".to_owned())?;
    }
    Ok(vec![Fact::RuleSet { name, rule: rule.into() }])
}

/// Asks of an extension's manifest whether its rules may be let in.
pub(super) fn check_manifest(deed: &Deed<'_>, name: &str, manifest: &Value) -> Result<(), Reason> {
    let place = |index: usize| format!("/manifest/rules/{index}");
    let mut judges: Vec<Judge> = Vec::new();
    for (index, rule) in entries(manifest, "rules").enumerate() {
        let malformed = || Reason::new(Code::RuleMalformed, format!("{}/name", place(index)));
        let full = rule.get("name").and_then(Value::as_str).ok_or_else(malformed)?;
        // `world:` is what the operator's own rules are called by.
        let bare = full.strip_prefix(name).and_then(|rest| rest.strip_prefix(':')).filter(|_| name != OWN_RULES).ok_or_else(malformed)?;
        check_name(bare).map_err(|_| malformed())?;
        if judges.iter().any(|judge| judge.name().as_ref() == full) {
            return Err(malformed());
        }
        judges.push(compiled(full, rule, &place(index))?);
    }
    if judges.is_empty() {
        return Ok(());
    }
    let registry = deed.world.registry();
    let operations = entries(manifest, "operations").filter_map(|operation| operation.get("name")?.as_text().cloned());
    let known = (deed.actions)(registry).into_iter().chain(operations).collect();
    let replaces = |other: &str| other.strip_prefix(name).is_some_and(|rest| rest.starts_with(':'));
    Letting { registry, replaces: &replaces, known }.let_in(&judges, place)
}

fn compiled(name: &str, rule: &Value, place: &str) -> Result<Judge, Reason> {
    Judge::compile(name, rule).map_err(|error| Reason::new(Code::RuleMalformed, format!("{place}/{}", error.place)))
}

/// Where rules are to be let in.
struct Letting<'a> {
    registry: &'a Registry,
    /// Whether they take the place of a rule of that name.
    replaces: &'a dyn Fn(&str) -> bool,
    /// All that somebody could do there.
    known: Vec<Text>,
}

impl Letting<'_> {
    fn let_in(&self, judges: &[Judge], place: impl Fn(usize) -> String) -> Result<(), Reason> {
        for (index, judge) in judges.iter().enumerate() {
            for (at, entry) in judge.on().iter().enumerate() {
                if !self.known.iter().any(|action| entry.covers_action(action)) {
                    return Err(Reason::new(Code::RuleMalformed, format!("{}/on[{at}]", place(index))));
                }
            }
            if let Some(name) = judge.script() {
                let script = self.registry.scripts.get(name).ok_or_else(|| Reason::new(Code::UnknownScript, name))?;
                Sandbox::check(&script.source, &script.file, "judge", 1)
                    .map_err(|error| Reason::new(error.code(), error.place(&script.file)))?;
            }
        }
        let asks = |judge: &Judge, action: &str| judge.on().iter().any(|entry| entry.covers_action(action));
        for action in &self.known {
            let new = judges.iter().filter(|judge| asks(judge, action)).count();
            if new > 0 {
                let others = self.registry.judges.on(action).into_iter().filter(|judge| !(self.replaces)(judge.name())).count();
                if new + others > RULES_MAX {
                    return Err(Reason::new(Code::RuleMany, action));
                }
            }
        }
        Ok(())
    }
}
