//! Models: what the configuration says of them. A limit that is misspelt would be none, so its form is checked when it is set.

use std::ops::RangeInclusive;

use crate::dialect::{Dialect, UnknownDialect};
use crate::fact::{Code, Reason, Value};

/// What stands under `llm.` and is no connection.
pub const MODEL_SETTINGS: &[&str] = &["allow", "slots", "currency", "prices", "budget"];
/// How long a reply may be waited for, in milliseconds.
pub const CONNECTION_TIMEOUT_MS: RangeInclusive<i64> = 1..=3_600_000;
/// How many calls of one connection may be under way.
pub const CONNECTION_PARALLEL: RangeInclusive<i64> = 1..=1024;
/// Of whom a budget may be, beside a being or a space by its name.
pub const BUDGETED: &[(&str, &str)] =
    &[("world", "the world"), ("being", "each being"), ("root", "each root: all that goes back to one summons or act")];

/// What is wrong with a value of the configuration under `llm.`, by its place.
pub(super) fn wrong(key: &str, value: &Value) -> Option<Reason> {
    let name = key.strip_prefix("llm.")?;
    // Null takes it back.
    if value.is_null() {
        return None;
    }
    let place = match name {
        "allow" => is_texts(value).err(),
        "slots" => each(value, |_, name| if name.as_str().is_some() { Ok(()) } else { Err(String::new()) }).err(),
        "currency" => value.as_str().is_none().then(String::new),
        "prices" => each(value, |_, price| numbers(price, &["input", "output"])).err(),
        "budget" => each(value, |of, limits| if is_budgeted(of) { limits_of(limits) } else { Err(String::new()) }).err(),
        _ if dialect(value).is_err() => return Some(Reason::new(Code::ArgsEnum, "/value/dialect")),
        _ => connection(value).err(),
    };
    place.map(|place| Reason::new(Code::ArgsType, format!("/value{place}")))
}

/// The place of what is wrong, as a path.
type Checked = Result<(), String>;

fn is_budgeted(of: &str) -> bool {
    of == "/" || BUDGETED.iter().any(|(known, _)| *known == of) || (of.starts_with(['@', '/']) && of.len() > 1 && !of.ends_with('/'))
}

fn each(value: &Value, check: impl Fn(&str, &Value) -> Checked) -> Checked {
    for (key, item) in value.as_map().ok_or_else(String::new)? {
        check(key, item).map_err(|place| format!("/{key}{place}"))?;
    }
    Ok(())
}

fn limits_of(limits: &Value) -> Checked {
    each(limits, |period, limit| match period {
        "hour" | "day" => numbers(limit, &["calls", "tokens", "money"]),
        _ => Err(String::new()),
    })
}

fn numbers(value: &Value, known: &[&str]) -> Checked {
    each(value, |key, number| {
        let is_right = known.contains(&key) && number.as_float().is_some_and(|number| number >= 0.0);
        if is_right { Ok(()) } else { Err(String::new()) }
    })
}

fn is_texts(value: &Value) -> Checked {
    let all = value.as_list().is_some_and(|list| list.iter().all(|item| item.as_str().is_some()));
    if all { Ok(()) } else { Err(String::new()) }
}

/// The dialect that a connection names, or none by a word that is none.
fn dialect(connection: &Value) -> Result<&'static Dialect, UnknownDialect> {
    Dialect::named(connection.get("dialect").and_then(Value::as_str))
}

fn connection(value: &Value) -> Checked {
    let ours = dialect(value).map(|dialect| dialect.ours).unwrap_or_default();
    for needed in ["base_url", "model"] {
        value.get(needed).and_then(Value::as_str).ok_or_else(|| format!("/{needed}"))?;
    }
    each(value, |key, item| {
        let is_right = match key {
            "base_url" | "model" | "key" | "dialect" => item.as_str().is_some(),
            "timeout_ms" => item.as_int().is_some_and(|number| CONNECTION_TIMEOUT_MS.contains(&number)),
            "parallel" => item.as_int().is_some_and(|number| CONNECTION_PARALLEL.contains(&number)),
            "strict" => item.as_bool().is_some(),
            "tools" => matches!(item.as_str(), Some("native" | "json_schema")),
            // What is asked and what it costs is not sampling's to say.
            "sampling" => item.as_map().is_some_and(|sampling| ours.iter().all(|ours| !sampling.contains_key(*ours))),
            "failover" => is_texts(item).is_ok(),
            _ => false,
        };
        if is_right { Ok(()) } else { Err(String::new()) }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn says(key: &str, json: &str) -> Option<String> {
        wrong(key, &serde_json::from_str(json).unwrap()).map(|reason| reason.at.to_string())
    }

    #[test]
    fn a_misspelt_limit_or_connection_is_refused_with_its_place() {
        for (key, json, place) in [
            ("llm.small", r#"{"base_url":"http://127.0.0.1/v1","model":"m","failover":["b"],"tools":"native","strict":true}"#, None),
            ("llm.small", "null", None),
            ("llm.small", r#"{"base_url":"http://127.0.0.1/v1"}"#, Some("/value/model")),
            ("llm.small", r#"{"base_url":"u","model":"m","timeout":5}"#, Some("/value/timeout")),
            ("llm.small", r#"{"base_url":"u","model":"m","tools":"none"}"#, Some("/value/tools")),
            ("llm.small", r#"{"base_url":"u","model":"m","dialect":"openai","sampling":{"may":1}}"#, None),
            ("llm.small", r#"{"base_url":"u","model":"m","dialect":"opnai"}"#, Some("/value/dialect")),
            ("llm.small", r#"{"base_url":"u","model":"m","dialect":7}"#, Some("/value/dialect")),
            ("llm.small", r#"{"base_url":"u","model":"m","dialect":"other","sampling":{"may":1}}"#, Some("/value/sampling")),
            ("llm.small", r#"{"base_url":"u","model":"m","parallel":9223372036854775807}"#, Some("/value/parallel")),
            ("llm.small", r#"{"base_url":"u","model":"m","sampling":{"model":"dearer"}}"#, Some("/value/sampling")),
            ("llm.allow", r#"["a.example","10.0.0.0/8"]"#, None),
            ("llm.allow", r#"[7]"#, Some("/value")),
            ("llm.slots", r#"{"writer":"big"}"#, None),
            ("llm.slots", r#"{"writer":7}"#, Some("/value/writer")),
            ("llm.prices", r#"{"m":{"input":0.15,"output":1}}"#, None),
            ("llm.prices", r#"{"m":{"inputs":0.15}}"#, Some("/value/m/inputs")),
            ("llm.prices", r#"{"m":{"input":-1}}"#, Some("/value/m/input")),
            ("llm.budget", r#"{"world":{"day":{"money":5}},"@ada":{"hour":{"calls":1}},"/hall":{"hour":{"tokens":9}}}"#, None),
            ("llm.budget", r#"{"/hall/":{"day":{"money":5}}}"#, Some("/value//hall/")),
            ("llm.budget", r#"{"world":{"daily":{"money":5}}}"#, Some("/value/world/daily")),
            ("llm.budget", r#"{"ada":{"day":{"money":5}}}"#, Some("/value/ada")),
            ("llm.budget", r#"{"world":{"day":{"money":"5"}}}"#, Some("/value/world/day/money")),
            ("other", "7", None),
        ] {
            assert_eq!(says(key, json).as_deref(), place, "{key} {json}");
        }
    }
}
