//! Tests of `src/store/ahead.rs`.

use reelm::store::StoreError;
use reelm::store::ahead::*;

#[test]
fn calls_are_read_as_they_were_written_and_a_file_that_was_changed_is_named() {
    let dir = tempfile::tempdir().unwrap();
    assert_eq!(AheadCall::load(dir.path()).unwrap(), []);
    let call = |reply: Option<&str>| AheadCall {
        being: "@ada".to_owned(),
        moment: "@ada:12.0".to_owned(),
        request: "ab".to_owned(),
        connection: "tiny".to_owned(),
        reply: reply.map(str::to_owned),
    };
    let calls = vec![call(None), call(Some("{\"body\":\"a \\\"b\\\"\\n\"}"))];
    AheadCall::save(&calls, dir.path()).unwrap();
    assert_eq!(AheadCall::load(dir.path()).unwrap(), calls);
    let whole = std::fs::read(dir.path().join(NAME)).unwrap();
    for at in 0..whole.len() {
        let mut changed = whole.clone();
        changed[at] ^= 1;
        std::fs::write(dir.path().join(NAME), changed).unwrap();
        assert!(matches!(AheadCall::load(dir.path()), Err(StoreError::BadFile { .. })), "byte {at}");
    }
    AheadCall::save(&[], dir.path()).unwrap();
    assert!(!dir.path().join(NAME).exists());
}
