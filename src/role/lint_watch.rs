//! Lint watch: what a role watches for that may not be meant: everything, nothing, or what nobody does.

use crate::fact::{Text, Trigger};

use super::entry::Entry;
use super::lint::{LintCode, Warning};
use super::name;
use super::relation::Rel;
use super::spec::Spec;

/// Every warning about what a role watches for, given the actions that are known; of a namespace of which none is known nothing is said.
pub fn lint_watch(spec: &Spec, actions: &[Text]) -> Vec<Warning> {
    let unheeded = !spec.watch.is_empty() && !spec.trigger_on.contains(&Trigger::Watch);
    let unheeded = unheeded.then(|| Warning {
        place: "triggerOn".to_owned(),
        code: LintCode::NeverTrue,
        what: "the role watches, and `watch` is not among what wakes its wearer".to_owned(),
        hint: Some("add `watch` to triggerOn".to_owned()),
    });
    let entries = spec.watch.iter().enumerate().flat_map(|(index, entry)| entry_warnings(index, entry, actions));
    unheeded.into_iter().chain(entries).collect()
}

fn entry_warnings(index: usize, entry: &Entry, actions: &[Text]) -> Vec<Warning> {
    let place = format!("watch[{index}]");
    let (Entry::Name(action) | Entry::Bound { action, .. }) = entry else { return Vec::new() };
    let on = if let Entry::Bound { on, .. } = entry { on.as_deref() } else { None };
    let mut warnings = Vec::new();
    let mut warn = |place: String, code, what: String, hint: Option<String>| warnings.push(Warning { place, code, what, hint });
    if on.is_none() && matches!(action.as_str(), "*" | "**") {
        let hint = Some("bind it to things, as {action: …, on: {rel: here}}".to_owned());
        warn(place.clone(), LintCode::WatchesAll, "this watches for everything that anybody does anywhere".to_owned(), hint);
    }
    if on == Some(&Entry::Rel(Rel::Caller)) {
        let what = "nobody has called whoever is only about to be woken, so this watches for nothing".to_owned();
        warn(format!("{place}.on"), LintCode::NeverTrue, what, None);
    }
    let namespace = action.as_str().split_once(':').map(|(ns, _)| format!("{ns}:"));
    let is_known = actions.iter().any(|known| action.matches(known));
    let could_be = namespace.is_none_or(|ns| actions.iter().any(|known| known.starts_with(&ns)));
    if !actions.is_empty() && !is_known && could_be {
        let hint = name::did_you_mean("", action.as_str(), actions.iter().map(AsRef::as_ref));
        warn(place, LintCode::UnknownAction, format!("nobody can do `{action}`, so this watches for nothing"), hint);
    }
    warnings
}
