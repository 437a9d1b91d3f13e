//! Tests of `src/portal/tokens.rs`.

use reelm::fact::BeingId;
use reelm::portal::tokens::*;

#[test]
fn a_token_is_kept_as_a_hash_and_lasts_until_its_time_is_over_or_it_is_taken_back() {
    let dir = tempfile::tempdir().unwrap();
    let mut tokens = Tokens::of(dir.path()).unwrap();
    let wanted =
        |name: &str| Wanted { being: BeingId::new(3, 0), name: name.to_owned(), only: "see".parse().unwrap(), since: 10, lasts: 100 };
    let (token, secret) = tokens.make(wanted("one")).unwrap();
    let (other, _) = tokens.make(wanted("two")).unwrap();
    let again = Tokens::of(dir.path()).unwrap();
    let found = again.find(&secret, 50).unwrap();
    assert_eq!((&found.id, found.being(), found.only), (&token.id, Some(BeingId::new(3, 0)), "see".parse().unwrap()));
    assert!(again.find(&secret, 110).is_none() && again.find(&secret.replace('_', "-"), 50).is_none() && again.find("", 50).is_none());
    let text = std::fs::read_to_string(dir.path().join("tokens")).unwrap();
    assert!(!text.contains(secret.trim_start_matches(MARK)), "a token is not kept");
    assert!(!tokens.take(&token.id, Some(BeingId::new(4, 0))).unwrap(), "another's is not one's own to take back");
    assert!(tokens.take(&token.id, Some(BeingId::new(3, 0))).unwrap() && !tokens.is_open(&token.id, 50));
    assert!(Tokens::of(dir.path()).unwrap().find(&secret, 50).is_none() && tokens.is_open(&other.id, 50));
}
