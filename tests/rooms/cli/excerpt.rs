//! Tests of `src/cli/excerpt.rs`.

use reelm::cli::excerpt::*;

#[test]
fn the_line_is_shown_with_a_mark_below_what_was_found() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("a world.toml");
    std::fs::write(&file, "name = \"x\"\n\tkind = \"büro\" # über\n\n").unwrap();
    let shown = file.display();
    let of = |text: String| excerpt(&text).map(|told| told.lines().skip(1).map(str::to_owned).collect::<Vec<_>>());
    // The last word in marks is what was found; a sign that takes two bytes is one sign.
    let told = of(format!("cannot: {shown}:2: kind: expected `kind`, found `über`")).unwrap();
    assert_eq!(told, ["2 |  kind = \"büro\" # über", "  |                  ^^^^"]);
    assert_eq!(of(format!("{shown}:1: nothing of it")).unwrap(), ["1 | name = \"x\"", "  | ^^^^^^^^^^"]);
    // A line that is empty or is not there, and a file that is not there, have no mark.
    for text in [format!("{shown}:3: x"), format!("{shown}:9: x"), format!("{shown}:0: x"), "nowhere:1: x".into(), "no place".into()] {
        assert_eq!(of(text.clone()), None, "{text}");
    }
}
