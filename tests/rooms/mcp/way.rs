//! Tests of `src/mcp/way.rs`.

use reelm::mcp::way::*;
use serde_json::json;

#[test]
fn what_is_asked_for_in_a_query_comes_through_whatever_it_is() {
    assert_eq!(
        path_with("/api/see", [("address", "/a b&c/ü@ada"), ("as", "@ada")]),
        "/api/see?address=%2Fa%20b%26c%2F%C3%BC%40ada&as=%40ada"
    );
    assert_eq!(path_with("/api/see", []), "/api/see");
    assert_eq!(escaped("@ada/.inbox", true), "@ada/.inbox");
}

#[test]
fn an_event_is_its_name_and_what_it_says_and_a_sign_of_life_is_none() {
    assert_eq!(read_event("event: seen\ndata: {\"hash\":1}\n\n"), Some(("seen".to_owned(), json!({ "hash": 1 }))));
    assert_eq!(read_event(": here\n\n"), None);
}
