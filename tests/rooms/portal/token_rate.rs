//! Tests of `src/portal/token_rate.rs`.

use reelm::portal::token_rate::*;
use std::collections::VecDeque;
use std::time::{Duration, Instant};

#[test]
fn a_rate_is_read_as_it_is_written_and_nonsense_is_none() {
    for (text, words) in [
        ("1/s", "1 request a second"),
        ("30/m", "30 requests a minute"),
        ("2/h", "2 requests an hour"),
        ("10000/d", "10000 requests a day"),
    ] {
        let rate: TokenRate = text.parse().unwrap();
        assert_eq!((rate.to_string(), rate.in_words()), (text.to_owned(), words.to_owned()));
        assert_eq!(serde_json::from_value::<TokenRate>(serde_json::to_value(rate).unwrap()).unwrap(), rate);
    }
    for wrong in ["", "/", "30", "30/", "/m", "0/m", "10001/m", "30/w", "30/min", "-1/m", "+1/m", " 1/m", "1.5/m", "30/m/m"] {
        let told = wrong.parse::<TokenRate>().unwrap_err();
        assert!(told.contains("such as 30/m") && told.ends_with(&format!("found `{wrong}`")), "{told}");
    }
}

#[test]
fn no_span_of_the_unit_holds_more_requests_than_the_rate_and_a_refused_one_does_not_count() {
    let (rate, begin) = ("3/m".parse::<TokenRate>().unwrap(), Instant::now());
    let mut asked = VecDeque::new();
    let mut at = |second: u64| rate.admit(&mut asked, begin + Duration::from_secs(second));
    assert_eq!([0, 20, 50].map(&mut at), [Ok(()); 3]);
    assert_eq!([50, 59].map(&mut at), [Err(Duration::from_secs(10)), Err(Duration::from_secs(1))]);
    // As soon as the first is a minute old there is room for one more.
    assert_eq!([60, 61].map(&mut at), [Ok(()), Err(Duration::from_secs(19))]);
    assert_eq!([500, 500, 500, 500].map(&mut at), [Ok(()), Ok(()), Ok(()), Err(Duration::from_secs(60))]);
}
