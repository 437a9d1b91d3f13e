//! Heard: whether anything in a world reads a signal, as far as what is written tells.

use crate::fact::{Closing, Content, Draft, Value};
use crate::role::{Entry, SIGNAL_SET, Spec, overlap, template_paths};
use crate::world::{NOW, World, entries};

use super::measured::MeasureList;

/// A warning about a signal that was just set and that nothing reads.
pub fn unheard(draft: &Draft, world: &World) -> Option<String> {
    let call = draft.call.as_ref().filter(|call| call.action.as_ref() == SIGNAL_SET && draft.closing == Closing::Act)?;
    let Content::Here(args) = &call.args else { return None };
    let path = args.get("path").and_then(Value::as_str).filter(|path| !is_heard(world, path))?;
    Some(format!("no flow, role, rule, measure or script of this world reads `{path}`, and nobody wakes by it"))
}

/// Whether a flow, a role's `when`, prompt or watch, a rule, a measure, a script or a sentence of what is going on reads a signal, a part of it or
/// what it is part of.
pub(super) fn is_heard(world: &World, path: &str) -> bool {
    is_heard_by(world, path, mentions)
}

/// The same, where a text must name the signal itself or the beginning that a script goes on with: a namespace in quotes may be any word.
pub(super) fn is_named(world: &World, path: &str) -> bool {
    is_heard_by(world, path, |text, path| {
        let above = || path.match_indices('.').filter_map(|(end, _)| path.get(..end));
        let said = |above: &str| [format!("\"{above}.\""), format!("`{above}.$"), format!("signal(\"{above}\")")];
        // A script need not read a signal that it sets.
        let is_read = |at: usize| !text.get(..at).is_some_and(|before| before.trim_end().ends_with("path:"));
        text.contains(path) || above().flat_map(said).any(|said| text.match_indices(&said).any(|(at, _)| is_read(at)))
    })
}

fn is_heard_by(world: &World, path: &str, mentions: fn(&str, &str) -> bool) -> bool {
    let registry = world.registry();
    let reads = |spec: &Spec| role_reads(spec, path);
    world.is_read(path)
        || registry.roles.values().chain(registry.local_roles.values().flat_map(|places| places.values())).any(|role| reads(&role.spec))
        || world.living().any(|being| being.flow.reads_signal(path))
        || world.spaces().filter_map(|space| space.flow.as_ref()).any(|flow| flow.flow.reads_signal(path))
        || registry.rules.values().any(|rule| mentions(&rule.source.to_string(), path))
        || registry.extensions.values().any(|extension| entries(&extension.manifest, "rules").any(|rule| mentions(&rule.to_string(), path)))
        || registry.scripts.values().any(|script| mentions(&script.source, path))
        || measured(world).iter().any(|text| mentions(text, path))
        || registry.page(NOW).iter().any(|said| mentions(&said.to_string(), path))
}

/// The expressions of measures and the columns of tables.
fn measured(world: &World) -> Vec<String> {
    let MeasureList { measures, tables, .. } = MeasureList::of_world(world);
    let columns = tables.into_iter().flat_map(|table| table.item.columns);
    measures.into_iter().map(|measure| measure.item.value).chain(columns).collect()
}

fn role_reads(spec: &Spec, path: &str) -> bool {
    let when = spec.when.as_ref().is_some_and(|guard| guard.reads().signals.iter().any(|read| overlap(read, path)));
    let told = || template_paths(&spec.prompt).iter().filter_map(|told| told.strip_prefix("world.")).any(|read| overlap(read, path));
    let namespace = path.split('.').next().unwrap_or_default();
    let is_watched = |entry: &Entry| {
        entry.covers_action(SIGNAL_SET)
            && match entry {
                Entry::Bound { ns: Some(ns), .. } => ns.matches(namespace),
                Entry::Bound { ns: None, .. } | Entry::Name(_) => true,
                Entry::Rel(_) | Entry::Pattern(_) => false,
            }
    };
    when || told() || spec.watch.iter().any(is_watched)
}

/// Whether a text names a signal, a part of it, or what it is part of.
pub fn mentions(text: &str, path: &str) -> bool {
    let above = || path.match_indices('.').filter_map(|(end, _)| path.get(..end));
    let said = |above: &str| {
        [format!("\"{above}\""), format!("\"{above}.\""), format!("`{above}`"), format!("`{above}.$"), format!("world.{above}\"")]
    };
    text.contains(path) || above().flat_map(said).any(|said| text.contains(&said))
}
