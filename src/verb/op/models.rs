//! Models: what no schema can say of a connection: that its dialect is one, and that its sampling leaves alone what is not its to say.

use crate::dialect::Dialect;
use crate::fact::{Code, Reason, Value};

/// What is wrong with a connection whose form is right, by its place.
pub(super) fn wrong(connection: &Value) -> Option<Reason> {
    let Ok(dialect) = Dialect::named(connection.get("dialect").and_then(Value::as_str)) else {
        return Some(Reason::new(Code::ArgsEnum, "/value/dialect"));
    };
    // What is asked and what it costs is not sampling's to say.
    let sampling = connection.get("sampling").and_then(Value::as_map);
    let taken = sampling.is_some_and(|sampling| dialect.ours.iter().any(|ours| sampling.contains_key(*ours)));
    taken.then(|| Reason::new(Code::ArgsType, "/value/sampling"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dialect_that_is_none_and_a_sampling_that_says_what_is_not_its_to_say_are_refused() {
        for (json, place) in [
            (r#"{"base_url":"u","model":"m","sampling":{"may":1}}"#, None),
            (r#"{"base_url":"u","model":"m","dialect":"openai","sampling":{"may":1}}"#, None),
            (r#"{"base_url":"u","model":"m","dialect":"opnai"}"#, Some("/value/dialect")),
            (r#"{"base_url":"u","model":"m","dialect":"other","sampling":{"may":1}}"#, Some("/value/sampling")),
            (r#"{"base_url":"u","model":"m","sampling":{"model":"dearer"}}"#, Some("/value/sampling")),
        ] {
            let found = wrong(&serde_json::from_str(json).unwrap()).map(|reason| reason.at.to_string());
            assert_eq!(found.as_deref(), place, "{json}");
        }
    }
}
