//! Models: what no schema can say of a connection: that its dialect is one, and that its sampling leaves alone what is not its to say.

use crate::dialect::Dialect;
use crate::fact::{Code, Reason, Value};

/// The fault of a connection that its schema lets pass: an unknown dialect, or a reserved key in `sampling`.
pub fn wrong(connection: &Value) -> Option<Reason> {
    let Ok(dialect) = Dialect::named(connection.get("dialect").and_then(Value::as_str)) else {
        return Some(Reason::new(Code::ArgsEnum, "/value/dialect"));
    };
    // Sampling may not set the keys that say what is asked and what it costs.
    let sampling = connection.get("sampling").and_then(Value::as_map);
    let taken = sampling.is_some_and(|sampling| dialect.ours.iter().any(|ours| sampling.contains_key(*ours)));
    taken.then(|| Reason::new(Code::ArgsType, "/value/sampling"))
}
