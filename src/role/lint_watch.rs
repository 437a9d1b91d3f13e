//! Lint watch: what a role watches for that may not be meant: everything, nothing, or what nobody does.

use crate::fact::{Text, Trigger};

use super::entry::{Entry, SIGNAL_SET};
use super::glob::Glob;
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

/// A warning for each thing that a role watches for and that its wearer cannot see, given the canSee of all that it may wear with it.
pub fn lint_unseen(spec: &Spec, can_see: &[Entry]) -> Vec<Warning> {
    let unseen = spec.watch.iter().enumerate().filter(|(_, entry)| !may_be_seen(can_see, entry)).map(|(index, _)| Warning {
        place: format!("watch[{index}]"),
        code: LintCode::UnseenWatch,
        what: "the role does not let its wearer see what this watches for, so no mind is asked".to_owned(),
        hint: Some("add it to canSee".to_owned()),
    });
    unseen.collect()
}

/// Whether canSee may cover what an entry watches for: only what cannot is doubted.
fn may_be_seen(can_see: &[Entry], entry: &Entry) -> bool {
    let root = Glob::new("/").ok().map(Entry::Name);
    let on = match entry {
        Entry::Bound { on: Some(on), .. } => Some(on.as_ref()),
        // A signal is set at the root.
        Entry::Bound { action, on: None, .. } if action.as_str() == SIGNAL_SET => root.as_ref(),
        Entry::Bound { .. } | Entry::Name(_) | Entry::Rel(_) | Entry::Pattern(_) => None,
    };
    can_see.iter().any(|seen| on.is_none_or(|on| may_cover(seen, on)))
}

/// Whether one entry may mean a thing that another means too.
fn may_cover(seen: &Entry, on: &Entry) -> bool {
    let is_place = |rel: &Rel| matches!(rel, Rel::Here | Rel::Home);
    match (seen, on) {
        (Entry::Rel(seen), Entry::Rel(on)) => seen == on || (is_place(seen) && is_place(on)),
        (Entry::Rel(seen), Entry::Name(on)) => is_place(seen) || !on.as_str().starts_with('/'),
        (Entry::Name(seen), Entry::Name(on)) => may_meet(seen, on),
        _ => true,
    }
}

/// Whether two globs may match one name: of a place by its address, or of two things of which one is not called by its address.
fn may_meet(one: &Glob, other: &Glob) -> bool {
    let kind = |glob: &Glob| glob.as_str().chars().next().filter(|first| matches!(first, '/' | '@'));
    let head = |glob: &Glob| glob.as_str().split(['*', '?']).next().unwrap_or_default().to_owned();
    match (one.is_literal(), other.is_literal()) {
        _ if kind(one) != kind(other) => true,
        (true, _) => other.matches(one.as_str()),
        (_, true) => one.matches(other.as_str()),
        (false, false) => head(one).starts_with(&head(other)) || head(other).starts_with(&head(one)),
    }
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
