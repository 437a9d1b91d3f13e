//! Tests of `src/world/address.rs`.

use reelm::world::address::*;

#[test]
fn every_form_reads_and_writes_back() {
    for text in [
        "/",
        "/a/b",
        ".",
        "./a",
        "~",
        "~/a",
        "@ada",
        "@ada/bag/coin",
        "/court@judge",
        "/.roles/emotions:bored",
        "@ada/.flow",
        "/a/.moments",
        "b7.1",
        "s0.1",
    ] {
        let address: Address = text.parse().unwrap();
        assert_eq!(address.to_string(), text);
    }
    assert_eq!("/~".parse::<Address>().unwrap().to_string(), "~");
}

#[test]
fn what_is_no_address_says_why() {
    for text in ["", "a b", "ada", "world/x", "//", "/a//b", "@", "@a@b", "/..", "/.roles@x", "\u{0}"] {
        assert!(text.parse::<Address>().is_err(), "{text:?} was accepted");
    }
}
