//! Shape: what a role and a flow look like, in few words, for a mind that may write them.

use super::operator::Operator;
use super::path::Path;
use super::relation::Rel;
use super::spec::KEYS;

/// A role as an example.
pub const ROLE: &str = r#"{"name":"judge","description":"Keeps the peace.","canSee":["/court/**",{"rel":"here"}],"canDo":["say",{"action":"quality.set","on":{"rel":"self"},"ns":"mood"},{"action":"signal.set","ns":"court"}],"canSummon":[{"rel":"caller"},"@ada"],"triggerOn":["message"],"prompt":"You are a judge."}"#;
/// A flow as an example.
pub const FLOW: &str = r#"[{"when":{"space.name":"court","world.court.in-session":true},"role":"judge"},{"stack":true,"when":{"time.hour":{"gte":22}},"role":"tired"}]"#;

/// The form of a role, in words for a prompt.
pub fn role_shape() -> String {
    format!(
        "a role is an object of {}, such as {ROLE}. What is in no can* list it may not do; a {{rel}} is one of {}.",
        KEYS.join(", "),
        Rel::WORDS.join(", ")
    )
}

/// The form of a flow, in words for a prompt.
pub fn flow_shape() -> String {
    format!(
        "a flow is a list of clauses, such as {FLOW}. The first clause without `stack` whose `when` holds gives the role, each with `stack` \
         that holds one more. A `when` names paths ({}), each with a value or one of {{{}}}, beside and, or, not.",
        paths().join(", "),
        Operator::WORDS.join(", ")
    )
}

/// The paths that a condition may name.
fn paths() -> Vec<String> {
    let parts = Path::PARTS.iter().map(|(prefix, rest)| format!("{prefix}{rest}"));
    Path::WORDS.iter().map(|word| (*word).to_owned()).chain(parts).collect()
}
