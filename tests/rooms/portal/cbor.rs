//! Tests of `src/portal/cbor.rs`.

use axum::http::header::ACCEPT;
use axum::http::{HeaderMap, HeaderValue};
use reelm::portal::cbor::*;

#[test]
fn cbor_is_answered_to_whoever_names_it_and_likes_json_no_better() {
    let rows = [
        ("", false),
        ("*/*", false),
        ("application/json", false),
        ("application/cbor", true),
        ("Application/CBOR", true),
        ("application/cbor, application/json", true),
        ("application/json, application/cbor;q=0.9", false),
        ("application/json;q=0.8, application/cbor;q=0.9", true),
        ("application/cbor;q=0", false),
        ("text/html, application/cbor;q=0.5, */*;q=0.1", true),
        ("nonsense, application/cbor", true),
        ("application/cbor;q=much", false),
    ];
    for (line, wanted) in rows {
        let headers = HeaderMap::from_iter([(ACCEPT, HeaderValue::from_str(line).unwrap())]);
        assert_eq!(is_wanted(&headers), wanted, "{line}");
    }
}
