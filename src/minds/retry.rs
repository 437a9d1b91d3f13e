//! Retry: after how long a server says that it may be asked again, in the words of HTTP and of the providers.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use chrono::DateTime;
use reqwest::header::HeaderMap;

/// The headers of allowances: the rest of each, and when it is full again.
const ALLOWANCES: [(&str, &str); 6] = [
    ("x-ratelimit-remaining-requests", "x-ratelimit-reset-requests"),
    ("x-ratelimit-remaining-tokens", "x-ratelimit-reset-tokens"),
    ("anthropic-ratelimit-requests-remaining", "anthropic-ratelimit-requests-reset"),
    ("anthropic-ratelimit-tokens-remaining", "anthropic-ratelimit-tokens-reset"),
    ("anthropic-ratelimit-input-tokens-remaining", "anthropic-ratelimit-input-tokens-reset"),
    ("anthropic-ratelimit-output-tokens-remaining", "anthropic-ratelimit-output-tokens-reset"),
];
/// The units of a span such as `6m0s`, in seconds.
const UNITS: [(&str, f64); 5] = [("ms", 0.001), ("h", 3_600.0), ("m", 60.0), ("s", 1.0), ("d", 86_400.0)];

/// After how long the headers of a refusal say that it is worth asking again. `Retry-After` comes first (RFC 9110, 10.2.3: seconds or a date; some
/// say a fraction); behind it stand the allowances that are used up.
pub fn retry_after(headers: &HeaderMap, now: SystemTime) -> Option<Duration> {
    let said = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).map(str::trim);
    let own =
        said("retry-after-ms").and_then(|ms| seconds(ms, 0.001)).or_else(|| said("retry-after").and_then(|after| at_or_after(after, now)));
    let used_up = ALLOWANCES.iter().filter(|(left, _)| said(left).is_some_and(|left| left.parse() == Ok(0.0)));
    own.or_else(|| used_up.filter_map(|(_, full)| said(full).and_then(|full| at_or_after(full, now))).max())
}

/// So many of a unit.
fn seconds(number: &str, unit: f64) -> Option<Duration> {
    let number: f64 = number.parse().ok()?;
    Duration::try_from_secs_f64(number * unit).ok()
}

/// Seconds, a span, a date of HTTP or an instant of RFC 3339; what is over by now is at once.
fn at_or_after(said: &str, now: SystemTime) -> Option<Duration> {
    let from_now = |at: SystemTime| at.duration_since(now).unwrap_or_default();
    let instant = || DateTime::parse_from_rfc3339(said).ok().and_then(|at| u64::try_from(at.timestamp_millis()).ok());
    // A date of HTTP has whole seconds, and leaves out the fraction of the one that it names.
    let date = || httpdate::parse_http_date(said).ok().map(|at| from_now(at + Duration::from_secs(1)));
    seconds(said, 1.0).or_else(|| span(said)).or_else(date).or_else(|| instant().map(|ms| from_now(UNIX_EPOCH + Duration::from_millis(ms))))
}

/// A span such as `1s`, `6m0s` or `120ms`.
fn span(said: &str) -> Option<Duration> {
    let (mut rest, mut sum) = (said, Duration::ZERO);
    while !rest.is_empty() {
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.')?;
        let (number, behind) = rest.split_at_checked(end)?;
        let (unit, length) = UNITS.iter().find(|(unit, _)| behind.starts_with(unit))?;
        sum += seconds(number, *length)?;
        rest = behind.strip_prefix(unit)?;
    }
    (!said.is_empty()).then_some(sum)
}
