//! Found: a value as an error names it.

use crate::fact::Value;

/// Its kind, and itself where it is short.
pub(super) fn kind(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(b) => format!("`{b}`"),
        Value::Int(n) => format!("the number `{n}`"),
        Value::Float(x) => format!("the number `{x}`"),
        Value::Text(text) if text.chars().count() <= 60 => format!("the text `{text}`"),
        Value::Text(_) => "a long text".to_owned(),
        Value::List(list) => format!("a list of {}", list.len()),
        Value::Map(map) => match map.keys().next() {
            Some(key) => format!("an object with the key `{key}`"),
            None => "an empty object".to_owned(),
        },
    }
}
