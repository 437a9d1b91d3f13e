//! Lint: what the author of a source may not have meant, with the line at which it stands.

use std::collections::{BTreeMap, BTreeSet};

use crate::fact::{Cognition, Text, Value};
use crate::moment::OPERATOR;
use crate::role::{Basis, Flow, Spec, Warning, lint, lint_spec, lint_watch};
use crate::verb::actions;
use crate::world::{Being, World};

use super::read::Source;

/// Warnings on the flows and default roles of a source: unknown paths, unknown roles, clauses that can never be reached or woken.
pub fn warnings(source: &Source) -> Vec<String> {
    let roles: BTreeMap<Text, Option<Cognition>> =
        source.extensions.iter().flat_map(|package| package.specs()).chain(&source.roles).map(required).collect();
    let known_role = |name: &str| if name == OPERATOR { Some(None) } else { roles.get(name).copied() };
    let mut seen = BTreeSet::new();
    let mut warnings = watch_warnings(source);
    let is_one = |value: &Value| value.get("base_url").is_some() && value.get("model").is_some();
    let has_connection = source.config.iter().any(|(key, value)| key.starts_with("llm.") && is_one(value));
    for being in &source.beings {
        let item = &being.item;
        let place = format!("{}:{}: @{}", source.file, being.line, item.name);
        if let Some(role) = item.role.as_deref().filter(|role| item.flow.is_null() && known_role(role).is_none()) {
            warnings.push(format!("{place}: role: no role `{role}`; it is neither in `roles/` nor in an extension that the source names"));
        }
        if item.cognition.as_deref() == Some("llm") && !has_connection {
            warnings.push(format!(
                "{place}: cognition: no connection to a model is configured, so it waits; see `llm.connection` and `llm.<name>` under `[config]`"
            ));
        }
        // The beings of a population share a flow; it is warned of once.
        if item.flow.is_null() || !seen.insert((being.line, item.flow.to_string())) {
            continue;
        }
        let Ok(flow) = Flow::compile(&item.flow) else { continue };
        let default: Option<Text> = item.role.as_deref().map(Text::from);
        let cognition = item.cognition.as_deref().and_then(|word| word.parse().ok()).or(Some(Cognition::Script));
        let known = Basis { roles: &known_role, signals: None, cognition, default_role: default.as_deref() };
        warnings.extend(lint(&flow, &known).into_iter().map(|warning| format!("{place}: flow: {warning}")));
    }
    warnings
}

/// Warnings on a flow by the roles of a world; where it is one being's, by its cognition and default role too.
pub fn flow_warnings(world: &World, flow: &Flow, being: Option<&Being>) -> Vec<Warning> {
    let roles = &world.registry().roles;
    let required = |name: &str| roles.get(name).map(|role| role.spec.required_cognition);
    let known = Basis {
        roles: &required,
        signals: None,
        cognition: being.map(|being| being.cognition),
        default_role: being.and_then(|being| being.default_role.as_deref()),
    };
    lint(flow, &known)
}

/// Warnings on a role by the operations of a world.
pub fn role_warnings(world: &World, spec: &Spec) -> Vec<Warning> {
    let known: Vec<Text> = actions().into_iter().chain(world.registry().operations.keys().cloned()).collect();
    let mut warnings = lint_spec(spec);
    warnings.extend(lint_watch(spec, &known));
    warnings
}

/// Warnings on what the roles of a source watch for.
fn watch_warnings(source: &Source) -> Vec<String> {
    let packages = source.extensions.iter();
    let brought = packages.flat_map(|package| &package.operations).filter_map(|item| item.get("name")?.as_text().cloned());
    let known: Vec<Text> = actions().into_iter().chain(brought).collect();
    let specs = source.extensions.iter().flat_map(|package| package.specs()).chain(&source.roles);
    let told =
        |spec: &Spec| lint_watch(spec, &known).into_iter().map(|warning| format!("role {}: {warning}", spec.name)).collect::<Vec<_>>();
    specs.flat_map(told).collect()
}

fn required(spec: &Spec) -> (Text, Option<Cognition>) {
    (spec.name.clone(), spec.required_cognition)
}
