//! The border between our values and Rhai's: everything goes in, only values come out.

use rhai::{Array, Dynamic, ImmutableString, Map as RhaiMap};

use crate::fact::{DEPTH_MAX, Map, Value, with_article};

/// Converts a value for a script. It takes the value, so that a face is walked once and not a second time to free it.
pub fn to_dynamic(value: Value) -> Dynamic {
    match value {
        Value::Null => Dynamic::UNIT,
        Value::Bool(b) => Dynamic::from_bool(b),
        Value::Int(n) => Dynamic::from_int(n),
        Value::Float(x) => Dynamic::from_float(x),
        Value::Text(text) => Dynamic::from(ImmutableString::from(text.as_ref())),
        Value::List(list) => Dynamic::from_array(list.into_iter().map(to_dynamic).collect::<Array>()),
        Value::Map(map) => {
            Dynamic::from_map(map.into_iter().map(|(key, value)| (key.as_ref().into(), to_dynamic(value))).collect::<RhaiMap>())
        }
    }
}

/// A result that is not a value: its type, and its path.
#[derive(Debug, PartialEq, Eq)]
pub struct NotAValue {
    /// Its type.
    pub found: String,
    /// The path to it.
    pub path: String,
}

/// The value that a script gave.
pub fn to_value(dynamic: Dynamic) -> Result<Value, NotAValue> {
    inner(dynamic, 0).map_err(|(found, mut path)| {
        path.reverse();
        NotAValue { found, path: path.concat() }
    })
}

type Misfit = (String, Vec<String>);

fn inner(dynamic: Dynamic, depth: usize) -> Result<Value, Misfit> {
    if depth > DEPTH_MAX {
        return Err((format!("lists and maps deeper than {DEPTH_MAX}"), Vec::new()));
    }
    let dynamic = dynamic.flatten();
    if dynamic.is_unit() {
        Ok(Value::Null)
    } else if let Ok(b) = dynamic.as_bool() {
        Ok(Value::Bool(b))
    } else if let Ok(n) = dynamic.as_int() {
        Ok(Value::Int(n))
    } else if let Ok(x) = dynamic.as_float() {
        Value::number(x).ok_or_else(|| ("a number that is not finite".to_owned(), Vec::new()))
    } else if let Ok(c) = dynamic.as_char() {
        Ok(Value::from(c.to_string()))
    } else if dynamic.is_string() {
        Ok(Value::from(dynamic.into_string().unwrap_or_default()))
    } else if dynamic.is_array() {
        let list = dynamic.into_array().unwrap_or_default();
        list.into_iter()
            .enumerate()
            .map(|(at, item)| inner(item, depth + 1).map_err(|lost| below(lost, format!("[{at}]"))))
            .collect::<Result<_, _>>()
            .map(Value::List)
    } else if dynamic.is_map() {
        let map = dynamic.try_cast::<RhaiMap>().unwrap_or_default();
        let pairs = map.into_iter().map(|(key, item)| {
            let value = inner(item, depth + 1).map_err(|lost| below(lost, format!(".{key}")))?;
            Ok((key.as_str().into(), value))
        });
        pairs.collect::<Result<Map, Misfit>>().map(Value::Map)
    } else {
        Err((with_article(dynamic.type_name()), Vec::new()))
    }
}

fn below((found, mut path): Misfit, step: String) -> Misfit {
    path.push(step);
    (found, path)
}
