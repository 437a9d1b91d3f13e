//! Rules of the world's own: set and taken back; and what is asked of every rule before it is let in, whoever brings it.

use crate::fact::{Code, Fact, Reason, Text, Value};
use crate::role::{Entry, FlowError, Judge, or_meant};
use crate::script::Sandbox;
use crate::world::{OWN_RULES, entries};

use super::super::right::Rule;
use super::deed::{Core, Deed, WORLD, fit_name, malformed};

pub(super) const OPS: &[Core] = &[Core {
    name: "rule.set",
    target: &[WORLD],
    about: "gives the world a rule of its own, asked about every deed that it names; null takes it back",
    told: &["takes the rule {{last args.name}} back{{null args.rule}}", "sets the rule {{last args.name}}", "sets a rule"],
    schema: r#"{"type":"object","required":["name","rule"],"additionalProperties":false,"properties":{
        "name":{"type":"string"},"rule":{"type":["object","null"],"description":"on: entries as in canDo; when: conditions; refuse: a sentence; script"}}}"#,
    rule: Rule::Operator,
    draft: rule,
}];

/// The most rules that may be asked about one action.
const RULES_MAX: usize = 100;

fn rule(deed: &Deed<'_>) -> Result<Vec<Fact>, Reason> {
    let (name, rule) = (deed.required("name")?, deed.value("rule"));
    let name = fit_name(&name)?;
    let registry = deed.world.registry();
    if rule.is_null() {
        if !registry.rules.contains_key(&name) {
            return Err(Reason::new(Code::NotFound, &name));
        }
    } else {
        let full = format!("{OWN_RULES}:{name}");
        let judge = compiled(deed, &full, &rule, "/rule")?;
        Letting { deed, replaces: &|other| other == full, known: (deed.actions)(registry) }.let_in(&[judge], |_| "/rule".to_owned())?;
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
        fit_name(bare).map_err(|_| malformed())?;
        if judges.iter().any(|judge| judge.name().as_ref() == full) {
            return Err(malformed());
        }
        judges.push(compiled(deed, full, rule, &place(index))?);
    }
    if judges.is_empty() {
        return Ok(());
    }
    let registry = deed.world.registry();
    let operations = entries(manifest, "operations").filter_map(|operation| operation.get("name")?.as_text().cloned());
    let known = (deed.actions)(registry).into_iter().chain(operations).collect();
    let replaces = |other: &str| other.strip_prefix(name).is_some_and(|rest| rest.starts_with(':'));
    Letting { deed, replaces: &replaces, known }.let_in(&judges, place)
}

fn compiled(deed: &Deed<'_>, name: &str, rule: &Value, place: &str) -> Result<Judge, Reason> {
    let wrong = |error: FlowError| malformed(deed.tell, Code::RuleMalformed, format!("{place}/{}", error.place), &error);
    Judge::compile(name, rule).map_err(wrong)
}

/// The fault of an entry of a rule that covers no known action.
pub(in crate::verb) fn names_nothing(entry: &Entry, known: &[Text]) -> Option<String> {
    if known.iter().any(|action| entry.covers_action(action)) {
        return None;
    }
    let (Entry::Name(action) | Entry::Bound { action, .. }) = entry else { return Some("expected an action".to_owned()) };
    let meant = or_meant("", action.as_str(), known.iter().map(AsRef::as_ref));
    Some(format!("expected an action, found `{action}`, which nobody can do{meant}"))
}

/// Where rules are to be let in.
struct Letting<'a> {
    deed: &'a Deed<'a>,
    /// Whether they take the place of a rule of that name.
    replaces: &'a dyn Fn(&str) -> bool,
    /// All that somebody could do there.
    known: Vec<Text>,
}

impl Letting<'_> {
    fn let_in(&self, judges: &[Judge], place: impl Fn(usize) -> String) -> Result<(), Reason> {
        let registry = self.deed.world.registry();
        for (index, judge) in judges.iter().enumerate() {
            for (at, entry) in judge.on().iter().enumerate() {
                if let Some(how) = names_nothing(entry, &self.known) {
                    return Err(malformed(self.deed.tell, Code::RuleMalformed, format!("{}/on[{at}]", place(index)), how));
                }
            }
            if let Some(name) = judge.script() {
                let script = registry.scripts.get(name).ok_or_else(|| Reason::new(Code::UnknownScript, name))?;
                Sandbox::check(&script.source, &script.file, "judge", 1)
                    .map_err(|error| malformed(self.deed.tell, error.code(), error.place(&script.file), &error))?;
            }
        }
        let asks = |judge: &Judge, action: &str| judge.on().iter().any(|entry| entry.covers_action(action));
        for action in &self.known {
            let new = judges.iter().filter(|judge| asks(judge, action)).count();
            if new > 0 {
                let others = registry.judges.on(action).into_iter().filter(|judge| !(self.replaces)(judge.name())).count();
                if new + others > RULES_MAX {
                    return Err(Reason::new(Code::RuleMany, action));
                }
            }
        }
        Ok(())
    }
}
