//! Tests of `src/portal/words.rs`.

use reelm::portal::words::*;

#[test]
fn the_words_that_the_pages_own_tests_learn_are_those_that_the_server_tells() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/page/words.json");
    let told = format!("{}\n", serde_json::to_string_pretty(&serde_json::to_value(told()).unwrap()).unwrap());
    if std::env::var_os("REMAKE").is_some() {
        std::fs::write(path, &told).unwrap();
    }
    let kept = std::fs::read_to_string(path).unwrap_or_default();
    assert!(kept == told, "it differs: `REMAKE=1 cargo test --lib portal::words` writes it anew");
}
