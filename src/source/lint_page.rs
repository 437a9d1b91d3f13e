//! Lint page: what a source tells the page and may not mean: something to try that nobody can do, a sentence that is too long for a glance.

use std::collections::BTreeSet;

use crate::fact::{Sentence, Value};
use crate::role::{LintCode, Warning, did_you_mean, one_brace, operator_meant};
use crate::verb::address_meant;
use crate::world::{NOW, TRIES, World};

use super::going_on::{GoingOn, words_in};
use super::known::Nameable;
use super::lint_args::strange_arguments;

/// How many words of what is going on one reads at a glance.
const GLANCE: usize = 15;

/// How many characters of a title the page has room for.
const TITLE: usize = 24;

/// A title that the page has to cut.
pub(super) fn long_title(title: &str) -> Option<Warning> {
    let found = title.chars().count();
    let what = format!("expected at most {TITLE} characters, since the page cuts a longer title, found {found}");
    (found > TITLE).then(|| Warning { place: "title".to_owned(), code: LintCode::LongTitle, what, hint: None })
}

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
        Self { tries, now: registry.page(NOW).iter().map(|said| of_now(said, known)).collect() }
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
        let hint = address_meant(known.world, target);
        warnings.push(Warning { place: "target".to_owned(), code: LintCode::UnknownName, what, hint });
    }
    if !action.is_empty() && !known.operations.contains(action) {
        let what = format!("no operation is called `{action}`");
        let hint = did_you_mean("", action, known.operations.iter().map(AsRef::as_ref));
        warnings.push(Warning { place: "action".to_owned(), code: LintCode::UnknownOperation, what, hint });
    }
    let given = said.get("args").and_then(Value::as_map).into_iter().flat_map(|map| map.keys());
    warnings.extend(strange_arguments(known.world, "args", action, given.map(AsRef::as_ref)));
    warnings
}

fn of_now(said: &Value, known: &Nameable<'_>) -> Vec<Warning> {
    let found = words_in(text(said, "say"));
    let what = format!("expected at most {GLANCE} words, which one reads at a glance, found {found}");
    let warning = Warning { place: "say".to_owned(), code: LintCode::LongSentence, what, hint: None };
    let mut signals = BTreeSet::new();
    said.get("when").into_iter().for_each(|when| signals_named(when, &mut signals));
    let unset = signals.iter().filter_map(|signal| known.signal("when", signal));
    let mut misspelt = Vec::new();
    said.get("when").into_iter().for_each(|when| operators_meant(when, &mut misspelt));
    let compared = said.get("when").map(GoingOn::when_doubts).unwrap_or_default();
    let warnings = (found > GLANCE).then_some(warning).into_iter().chain(misspelt).chain(unset);
    let is_place = |path: &str| ["measure.", "world.", "count."].iter().any(|begins| path.starts_with(begins));
    let single = one_brace("say", text(said, "say"), is_place);
    let kinds = said.get("when").into_iter().flat_map(|when| known.kinds("when", when));
    warnings.chain(compared).chain(kinds).chain(places(text(said, "say"), known)).chain(single).collect()
}

/// The places of a sentence that tell a signal that nobody sets, or count those who wear a role that there is not.
fn places(say: &str, known: &Nameable<'_>) -> Vec<Warning> {
    let sentence = Sentence::parse(say, |place| Ok(place.to_owned()));
    let told = |place: &String| match place.split_once('.') {
        Some(("world", signal)) => known.signal("say", signal),
        Some(("count", role)) => known.role_named("say", role),
        _ => None,
    };
    sentence.iter().flat_map(Sentence::places).filter_map(told).collect()
}

/// The keys of conditions that are no operators and were most likely meant as such.
fn operators_meant(when: &Value, found: &mut Vec<Warning>) {
    when.as_list().into_iter().flatten().for_each(|part| operators_meant(part, found));
    for (key, value) in when.as_map().into_iter().flatten() {
        let last = key.rsplit('.').next().unwrap_or_default();
        if let Some(meant) = operator_meant(last).filter(|_| value.as_map().is_none()) {
            let (what, hint) = (format!("`{last}` is no operator, so it is read as the end of a path"), format!("did you mean `{meant}`?"));
            found.push(Warning { place: "when".to_owned(), code: LintCode::UnknownPath, what, hint: Some(hint) });
        }
        operators_meant(value, found);
    }
}

/// The signals that conditions name.
fn signals_named(when: &Value, found: &mut BTreeSet<String>) {
    let Some(map) = when.as_map() else {
        return when.as_list().into_iter().flatten().for_each(|part| signals_named(part, found));
    };
    for (key, value) in map {
        found.extend(key.strip_prefix("world.").map(str::to_owned));
        signals_named(value, found);
    }
}
