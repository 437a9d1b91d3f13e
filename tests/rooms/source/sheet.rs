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
fn the_separator_is_the_headers() {
    for (text, sign) in [
        ("a;b", Some(';')),
        ("a\tb;c\td", Some('\t')),
        ("a|b", Some('|')),
        ("a,b;c", None),
        ("a", None),
        ("\"a;b\",c", None),
        ("\"a,b\";c", Some(';')),
    ] {
        let found = char::from(separator(text));
        assert_eq!(Some(found).filter(|sign| *sign != ','), sign, "{text}");
    }
}
