//! Tests of `src/portal/tokens.rs`.

use reelm::fact::BeingId;
use reelm::portal::tokens::*;
use std::time::Instant;

fn wanted(name: &str) -> Wanted {
    let only = "see".parse().unwrap();
    Wanted { being: BeingId::new(3, 0), name: name.to_owned(), only, since: 10, lasts: 100, rate: Some("2/d".parse().unwrap()) }
}

#[test]
fn a_token_is_kept_as_a_hash_and_lasts_until_its_time_is_over_or_it_is_taken_back() {
    let dir = tempfile::tempdir().unwrap();
    let mut tokens = Tokens::of(dir.path()).unwrap();
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

#[test]
fn a_use_costs_no_writing_and_is_written_once_when_it_is_time() {
    let (dir, at) = (tempfile::tempdir().unwrap(), Instant::now());
    let file = dir.path().join("tokens");
    let used = || Tokens::of(dir.path()).unwrap().list(None, 50).map(|token| token.used).collect::<Vec<_>>();
    let mut tokens = Tokens::of(dir.path()).unwrap();
    let id = tokens.make(wanted("one")).unwrap().0.id;
    let uses = [50, 70, 60].map(|now| tokens.use_once(&id, now, at).map_err(|often| often.rate.to_string()));
    assert_eq!(uses, [Ok(()), Ok(()), Err("2/d".to_owned())]);
    assert_eq!(used(), [None]);
    tokens.save_uses().unwrap();
    assert_eq!(used(), [Some(70)]);
    // Nothing was used since.
    std::fs::remove_file(&file).unwrap();
    tokens.save_uses().unwrap();
    assert!(!file.exists());
}

#[test]
fn tokens_of_before_there_were_rates_are_read() {
    let dir = tempfile::tempdir().unwrap();
    let kept = r#"[{"id":"a","hash":"b","being":"3.0","name":"old","only":["see"],"since":10,"until":110}]"#;
    std::fs::write(dir.path().join("tokens"), kept).unwrap();
    let mut tokens = Tokens::of(dir.path()).unwrap();
    assert_eq!(tokens.list(None, 50).map(|token| (token.rate, token.used)).collect::<Vec<_>>(), [(None, None)]);
    assert_eq!(tokens.use_once("a", 50, Instant::now()), Ok(()));
    assert_eq!(tokens.list(None, 50).map(|token| token.used).collect::<Vec<_>>(), [Some(50)]);
}
