//! Inline write: what stood in a world.toml itself, written back into one.

use crate::fact::Value;
use crate::world::World;

use super::toml_table::TomlTable;

/// The operations, resolvers and rules of a world's own world.toml.
pub(super) fn inline_tables(world: &World) -> String {
    let own = world.registry().extensions.values().filter(|extension| extension.is_own());
    let kinds = [("operation", "operations", "run"), ("resolver", "resolvers", "resolve"), ("rule", "rules", "judge")];
    own.flat_map(|extension| kinds.map(|(kind, list, function)| tables(world, &extension.manifest, kind, list, function))).collect()
}

fn tables(world: &World, manifest: &Value, kind: &str, list: &str, function: &str) -> String {
    let items = manifest.get(list).and_then(Value::as_list).unwrap_or_default();
    items.iter().map(|item| table(world, item, kind, function)).collect()
}

/// One of them: its names without the namespace, its script as text. Roles and places say themselves what they let be done.
fn table(world: &World, item: &Value, kind: &str, function: &str) -> String {
    let mut table = TomlTable::new(kind);
    for (key, value) in item.as_map().into_iter().flatten() {
        match (key.as_ref(), value.as_str()) {
            ("name", Some(name)) => table.text(key, name.split_once(':').map(|(_, bare)| bare)),
            ("script", Some(name)) => {
                table.text(function, world.registry().scripts.get(name).map(|script| script.source.as_ref()));
            }
            _ => table.put(key, value),
        }
    }
    if kind == "operation" {
        table.put("at", &Value::List(Vec::new()));
    }
    table.into_text()
}
