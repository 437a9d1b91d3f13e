//! Lint page: what a source tells the page and may not mean: something to try that nobody can do, a sentence that is too long for a glance.

use crate::fact::Value;
use crate::role::{LintCode, Warning, did_you_mean};
use crate::world::{NOW, TRIES, World};

use super::going_on::words_in;
use super::known::Nameable;

/// How many words of what is going on one reads at a glance.
const GLANCE: usize = 15;

/// Every warning about what a world's source tells the page.
pub(super) struct PageWarnings {
    /// Of each thing to try, in their order.
    pub(super) tries: Vec<Vec<Warning>>,
    /// Of each sentence of what is going on.
    pub(super) now: Vec<Vec<Warning>>,
}

impl PageWarnings {
    pub(super) fn of(world: &World, known: &Nameable<'_>) -> Self {
        let registry = world.registry();
        let tries = registry.page(TRIES).iter().map(|said| of_try(said, known)).collect();
        Self { tries, now: registry.page(NOW).iter().map(of_now).collect() }
    }
}

fn text<'v>(said: &'v Value, key: &str) -> &'v str {
    said.get(key).and_then(Value::as_str).unwrap_or_default()
}

fn of_try(said: &Value, known: &Nameable<'_>) -> Vec<Warning> {
    let (target, action) = (text(said, "target"), text(said, "action"));
    let mut warnings = Vec::new();
    if !known.is_address(target) {
        let what = format!("nothing stands at `{target}`, so nobody is asked to try it");
        let hint = target.strip_prefix('@').and_then(|name| did_you_mean("@", name, known.names()));
        warnings.push(Warning { place: "target".to_owned(), code: LintCode::UnknownName, what, hint });
    }
    if !action.is_empty() && !known.operations.contains(action) {
        let what = format!("no operation is called `{action}`");
        let hint = did_you_mean("", action, known.operations.iter().map(AsRef::as_ref));
        warnings.push(Warning { place: "action".to_owned(), code: LintCode::UnknownOperation, what, hint });
    }
    warnings
}

fn of_now(said: &Value) -> Vec<Warning> {
    let found = words_in(text(said, "say"));
    let what = format!("expected at most {GLANCE} words, which one reads at a glance, found {found}");
    let warning = Warning { place: "say".to_owned(), code: LintCode::LongSentence, what, hint: None };
    (found > GLANCE).then_some(warning).into_iter().collect()
}
