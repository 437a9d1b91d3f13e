//! TOML table: one table of a world.toml as it is written.

use crate::fact::{Cognition, Coords, Panel, Value};
use crate::world::OwnSettings;

/// One table of the file: `key = value` lines, and nothing for what is not there.
pub(super) struct TomlTable(String);

impl TomlTable {
    pub(super) fn new(header: &str) -> Self {
        Self(format!("\n[[{header}]]\n"))
    }

    /// The lines of it.
    pub(super) fn into_text(self) -> String {
        self.0
    }

    pub(super) fn put(&mut self, key: &str, value: &Value) {
        if !value.is_null() {
            self.0 += &format!("{key} = {}\n", toml_value(value));
        }
    }

    pub(super) fn settings(&mut self, own: &OwnSettings) {
        if !own.is_empty() {
            self.put("settings", &Value::Map(own.iter().map(|(key, said)| (key.clone(), (*said.value).clone())).collect()));
        }
    }

    pub(super) fn text(&mut self, key: &str, text: Option<&str>) {
        self.put(key, &text.map_or(Value::Null, Value::text));
    }

    pub(super) fn mind(&mut self, cognition: Cognition, script: Option<&str>, panel: Option<&Panel>) {
        self.text("cognition", Some(cognition.word()));
        self.text("script", script);
        self.put("panel", &panel.map_or(Value::Null, Panel::to_value));
    }

    pub(super) fn coords(&mut self, key: &str, coords: Option<Coords>) {
        let axes =
            |at: Coords| Value::from(if at.z == 0 || (key == "size" && at.z == 1) { vec![at.x, at.y] } else { vec![at.x, at.y, at.z] });
        self.put(key, &coords.map_or(Value::Null, axes));
    }
}

/// A value in TOML, which has no null: a null in a list or map is left out.
pub(super) fn toml_value(value: &Value) -> String {
    match value {
        Value::Null => "\"\"".to_owned(),
        Value::Bool(b) => b.to_string(),
        Value::Int(n) => n.to_string(),
        Value::Float(x) => format!("{x:?}"),
        Value::Text(text) => toml::Value::String(text.to_string()).to_string(),
        Value::List(list) => format!("[{}]", list.iter().filter(|item| !item.is_null()).map(toml_value).collect::<Vec<_>>().join(", ")),
        Value::Map(map) => {
            let pairs = map.iter().filter(|(_, value)| !value.is_null());
            let pairs: Vec<String> =
                pairs.map(|(key, value)| format!("{} = {}", toml::Value::String(key.to_string()), toml_value(value))).collect();
            format!("{{ {} }}", pairs.join(", "))
        }
    }
}
