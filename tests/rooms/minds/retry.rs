//! Retry: is it read in each of its forms after how long a server may be asked again?

use std::time::{Duration, UNIX_EPOCH};

use reelm::minds::retry::retry_after;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};

/// Monday, 2 March 2026, 08:00:00 UTC, in seconds.
const NOW: u64 = 1_772_438_400;

/// Headers, and the wait in milliseconds that they say.
type Row = (&'static [(&'static str, &'static str)], Option<u64>);

const ROWS: [Row; 22] = [
    (&[], None),
    (&[("retry-after", "8")], Some(8_000)),
    (&[("retry-after", "0")], Some(0)),
    (&[("retry-after", " 2 ")], Some(2_000)),
    (&[("retry-after", "0.25")], Some(250)),
    (&[("retry-after", "-1")], None),
    (&[("retry-after", "soon")], None),
    (&[("retry-after", "1e300")], None),
    (&[("retry-after", "NaN")], None),
    (&[("retry-after", "Mon, 02 Mar 2026 08:00:08 GMT")], Some(9_000)),
    (&[("retry-after", "Monday, 02-Mar-26 08:00:08 GMT")], Some(9_000)),
    (&[("retry-after", "Wed, 21 Oct 2015 07:28:00 GMT")], Some(0)),
    (&[("retry-after-ms", "350"), ("retry-after", "8")], Some(350)),
    (&[("x-ratelimit-remaining-requests", "0"), ("x-ratelimit-reset-requests", "6m0s")], Some(360_000)),
    (&[("x-ratelimit-remaining-requests", "0"), ("x-ratelimit-reset-requests", "120ms")], Some(120)),
    (&[("x-ratelimit-remaining-requests", "9"), ("x-ratelimit-reset-requests", "6m0s")], None),
    (
        &[
            ("x-ratelimit-remaining-requests", "9"),
            ("x-ratelimit-reset-requests", "6m0s"),
            ("x-ratelimit-remaining-tokens", "0"),
            ("x-ratelimit-reset-tokens", "1m2.5s"),
        ],
        Some(62_500),
    ),
    (&[("x-ratelimit-remaining-tokens", "0"), ("x-ratelimit-reset-tokens", "soon")], None),
    (&[("anthropic-ratelimit-requests-remaining", "0"), ("anthropic-ratelimit-requests-reset", "2026-03-02T08:00:03Z")], Some(3_000)),
    (
        &[("anthropic-ratelimit-output-tokens-remaining", "0"), ("anthropic-ratelimit-output-tokens-reset", "2026-03-02T09:00:03+01:00")],
        Some(3_000),
    ),
    (
        &[
            ("retry-after", "1"),
            ("anthropic-ratelimit-requests-remaining", "0"),
            ("anthropic-ratelimit-requests-reset", "2026-03-02T09:00:00Z"),
        ],
        Some(1_000),
    ),
    (&[("anthropic-ratelimit-tokens-remaining", "0"), ("anthropic-ratelimit-tokens-reset", "2026-03-02T07:59:00Z")], Some(0)),
];

#[test]
fn a_server_says_in_seconds_in_a_fraction_by_a_date_or_by_an_allowance_when_it_may_be_asked_again() {
    for (said, ms) in ROWS {
        let pairs = said.iter().map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value)));
        let headers: HeaderMap = pairs.collect();
        let after = retry_after(&headers, UNIX_EPOCH + Duration::from_secs(NOW));
        assert_eq!(after, ms.map(Duration::from_millis), "{said:?}");
    }
}
