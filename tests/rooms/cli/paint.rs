//! Tests of `src/cli/paint.rs`.

use proptest::prelude::*;
use reelm::cli::paint::*;

/// A text without what paints it.
fn plain(text: &str) -> String {
    let mut parts = text.split("\u{1b}[");
    let first = parts.next().unwrap().to_owned();
    std::iter::once(first.as_str()).chain(parts.map(|part| part.split_once('m').unwrap().1)).collect()
}

#[test]
fn a_moment_is_painted_and_what_was_refused_stands_out() {
    let line = "#12 03-02 09:00:00 @ada in /hall as clerk ! refused (gate-role) do /hall say\n";
    let told = painted(line);
    assert!(told.contains("\u{1b}[1m@ada\u{1b}[0m") && told.contains("\u{1b}[31m ! refused"), "{told:?}");
    assert!(told.ends_with('\n') && plain(&told) == line, "{told:?}");
    let line = "09:04 Emil could not order tea: it is late (guest; gate-role)\n";
    let told = painted(line);
    assert!(told.contains("\u{1b}[2m09:04\u{1b}[0m") && told.contains("\u{1b}[31mEmil") && plain(&told) == line, "{told:?}");
    let said = "09:04:20 Emil said “Rosa could not come.” (guest)";
    assert!(!painted(said).contains("[31m") && plain(&painted(said)) == said);
    for line in ["done: 12 moments of @ada here\n", "#x @ada in\n", "# @ada in\n", "no moment"] {
        assert_eq!(painted(line), line);
    }
    // The quoted words hold no mark of ours.
    assert!(!painted("#1 03-02 09:00:00 @ada in /a as b > do /a say {\"content\":\"oh ! no\"}").contains("[31m"));
}

proptest! {
    #[test]
    fn whatever_is_painted_is_the_same_without_its_paint(lines in proptest::collection::vec("(#[0-9]{0,3} )?[ -~]{0,40}( @[a-z]{1,4} )?[ !.>a-z@#]{0,20}", 0..6)) {
        let text = lines.join("\n");
        prop_assert_eq!(plain(&painted(&text)), text);
    }
}
