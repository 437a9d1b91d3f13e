//! Bridges: what no schema can say of a bridge: which keys its kind has, and what of them must be said; how long an approval is waited for, and
//! its conditions.

use crate::fact::{Code, Reason, Value, parse_duration};
use crate::role::Petition;
use crate::world::HOOK;

/// The longest time that something is waited for, in milliseconds: a year.
const LONGEST: i64 = 366 * 86_400_000;
/// The keys that only a bridge to the web has, and those that only one of webhooks has.
const OF_WEB: &[&str] = &["hosts", "methods", "key", "again"];
const OF_HOOK: &[&str] = &["url", "secret", "sign", "deliver", "wears", "id", "window"];

/// The fault of a bridge that its schema lets pass.
pub(super) fn wrong(bridge: &Value) -> Result<(), Reason> {
    let has = |key: &str| bridge.get(key).is_some();
    let is_hook = bridge.get("kind").and_then(Value::as_str) == Some(HOOK);
    let (others, needed): (_, &[&str]) = if is_hook { (OF_WEB, &["secret"]) } else { (OF_HOOK, &["hosts"]) };
    if let Some(strange) = others.iter().find(|key| has(key)) {
        return Err(Reason::new(Code::ArgsUnknown, format!("/value/{strange}")));
    }
    let sends_or_hears = if is_hook && !has("deliver") { Some("url") } else { None };
    if let Some(missing) = needed.iter().copied().chain(sends_or_hears).find(|key| !has(key)) {
        return Err(Reason::new(Code::ArgsRequired, format!("/value/{missing}")));
    }
    let lasts = [
        bridge.get("window").map(|window| (window, "window")),
        bridge.get("approve").and_then(|approve| Some((approve.get("for")?, "approve/for"))),
    ];
    for (lasting, place) in lasts.into_iter().flatten() {
        if lasting.as_str().and_then(parse_duration).is_none_or(|lasting| !(1..=LONGEST).contains(&lasting)) {
            return Err(Reason::new(Code::BadDuration, format!("/value/{place}")));
        }
    }
    let Some(when) = bridge.get("approve").and_then(|approve| approve.get("when")) else { return Ok(()) };
    let compiled = Petition::compile(when).map(|_| ());
    compiled.map_err(|error| Reason::new(Code::ArgsFormat, format!("/value/approve/{error}")))
}
