//! Tests of `src/source/sheet.rs`.

use reelm::source::sheet::*;

fn lines(text: &str) -> Vec<usize> {
    parse(text).unwrap_or_else(|fault| panic!("{fault:?}")).rows.iter().map(|row| row.line).collect()
}

#[test]
fn a_row_knows_its_line_however_lines_end() {
    assert_eq!(lines("a,b\n1,2\n\n3,4\n"), [2, 4]);
    assert_eq!(lines("a,b\r\n1,2\r\n\r\n3,4\r\n"), [2, 4]);
    assert_eq!(lines("a,b\r1,2\r3,4"), [2, 3]);
    assert_eq!(lines("\n\na,b\n\"1\n1\",2\n,\n3,4\n"), [4, 7]);
}

#[test]
fn a_header_that_another_separator_parts_is_named() {
    for (text, found) in [
        ("a;b", Some("`;` between 2 columns")),
        ("a\tb;c\td", Some("tabs between 3 columns")),
        ("a|b\n1,2", Some("`|` between 2 columns")),
        ("a,b;c", None),
        ("a", None),
        ("a\nb;c", None),
        ("\"a;b\",c", None),
        ("\"a;b\"", None),
        ("\"a,b\";c", Some("`;` between 2 columns")),
    ] {
        let told = other_separator(text);
        assert_eq!(told.is_some(), found.is_some(), "{text}: {told:?}");
        assert!(found.is_none_or(|found| told.as_ref().is_some_and(|told| told.contains(found))), "{text}: {told:?}");
    }
}
