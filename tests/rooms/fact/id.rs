//! Tests of `src/fact/id.rs`.

use reelm::fact::id::*;

#[test]
fn an_id_has_one_spelling() {
    for id in ["s0.1", "s10.0", "s18446744073709551615.4294967295"] {
        assert_eq!(id.parse::<SpaceId>().unwrap().to_string(), id);
    }
    for id in [
        "s+0.+1",
        "s0.+1",
        "s+0.1",
        "s00.1",
        "s0.01",
        "s00.01",
        "s0.1 ",
        "s-0.1",
        "s.1",
        "s0.",
        "s",
        "S0.1",
        "s0.1.2",
        "s18446744073709551616.0",
        "s0.4294967296",
    ] {
        assert!(id.parse::<SpaceId>().is_err(), "{id}");
        assert!(id.trim_start_matches('s').parse::<Made>().is_err(), "{id}");
    }
}

#[test]
fn a_hash_has_one_spelling() {
    let hash = Hash::of(b"one").to_string();
    assert!(hash.parse::<Hash>().is_ok());
    assert_eq!(Hash([0x0f; 32]).to_string(), "0f".repeat(32));
    assert_eq!("0f".repeat(16).parse::<WorldId>().unwrap(), WorldId([0x0f; 16]));
    let capital = hash.to_uppercase();
    let others = [capital, format!("+{}", &hash[1..]), format!("{} ", &hash[1..]), format!("0x{}", &hash[2..]), format!("g{}", &hash[1..])];
    for other in
        others.into_iter().chain([format!("{hash}0"), format!("{hash}00"), hash[1..].to_owned(), hash[2..].to_owned(), String::new()])
    {
        let error = other.parse::<Hash>().unwrap_err().to_string();
        assert!(error.contains("64 hex digits, small letters"), "{other}: {error}");
    }
}
