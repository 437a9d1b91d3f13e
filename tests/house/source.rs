//! Source: a Rust file as words with their lines, so that the house's rules see code and nothing else.
//!
//! Comments are left out and literals become an empty `"`; [`test_marks`] finds what only tests compile. [`paths`] writes out every
//! path that begins with a given word, `use a::{b, c::d}` as `a::b` and `a::c::d`, whatever lines it is spread over. It is no parser: it
//! knows no macros and no types.

/// One word of a file: an identifier, `::`, a literal as `"`, or a single sign.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    pub line: usize,
    pub text: String,
}

/// A path as written out in full, and the line of its last word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Path {
    pub line: usize,
    pub parts: Vec<String>,
    /// Where its first word stands among the words.
    pub at: usize,
}

/// The words of a file, without comments and without what literals say.
pub fn words(text: &str) -> Vec<Word> {
    let mut words = Vec::new();
    let mut line = 1;
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let (len, word) = match first {
            '/' if rest.starts_with("//") => (rest.find('\n').unwrap_or(rest.len()), None),
            '/' if rest.starts_with("/*") => (block_comment(rest), None),
            _ if literal(rest).is_some() => (literal(rest).unwrap(), Some("\"")),
            ':' if rest.starts_with("::") => (2, Some("::")),
            _ if is_name(first) => {
                // A raw identifier is the name it spells.
                let raw = if rest.starts_with("r#") { 2 } else { 0 };
                let len = raw + rest[raw..].find(|c| !is_name(c)).unwrap_or(rest.len() - raw);
                (len, Some(&rest[raw..len]))
            }
            _ if first.is_whitespace() => (first.len_utf8(), None),
            _ => (first.len_utf8(), Some(&rest[..first.len_utf8()])),
        };
        words.extend(word.map(|word| Word { line, text: word.to_owned() }));
        line += rest[..len].matches('\n').count();
        rest = &rest[len..];
    }
    words
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The length of the comment that begins here; Rust's block comments nest.
fn block_comment(text: &str) -> usize {
    let (mut depth, mut at) = (0, 0);
    while at < text.len() {
        match &text.as_bytes()[at..text.len().min(at + 2)] {
            b"/*" => (depth, at) = (depth + 1, at + 2),
            b"*/" => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            return at;
        }
    }
    text.len()
}

/// The length of the string or character literal that begins here, if one does.
fn literal(text: &str) -> Option<usize> {
    let prefix = ["br", "cr", "b", "c", "r", ""].into_iter().find(|prefix| {
        let after = text.strip_prefix(prefix).unwrap_or_default();
        let hashes = if prefix.ends_with('r') { after.trim_start_matches('#') } else { after };
        hashes.starts_with('"') || (matches!(*prefix, "b" | "") && after.starts_with('\''))
    })?;
    let after = &text[prefix.len()..];
    if prefix.ends_with('r') {
        let hashes = after.len() - after.trim_start_matches('#').len();
        let end = format!("\"{}", "#".repeat(hashes));
        let body = &after[hashes + 1..];
        return Some(body.find(&end).map_or(text.len(), |at| prefix.len() + hashes + 1 + at + end.len()));
    }
    let quote = after.chars().next()?;
    if quote == '\'' && !is_char(after) {
        return None;
    }
    let mut is_escaped = false;
    for (at, c) in after.char_indices().skip(1) {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            _ if c == quote => return Some(prefix.len() + at + 1),
            _ => {}
        }
    }
    Some(text.len())
}

/// Whether a quote begins a character and not a lifetime.
fn is_char(text: &str) -> bool {
    let mut chars = text.chars().skip(1);
    chars.next() == Some('\\') || chars.next() == Some('\'')
}

/// Whether these very words stand here.
pub fn reads(words: &[Word], at: usize, expected: &[&str]) -> bool {
    words.len() >= at + expected.len() && words[at..].iter().zip(expected).all(|(word, expected)| word.text == *expected)
}

/// The lines of what only tests compile: `#[cfg(test)]`, `#[cfg(all(test, …))]`, `#![cfg(test)]`, `#[test]`.
pub fn test_marks(words: &[Word]) -> Vec<usize> {
    let marks: [&[&str]; 4] = [
        &["[", "cfg", "(", "test", ")", "]"],
        &["[", "cfg", "(", "all", "(", "test"],
        &["[", "cfg", "(", "any", "(", "test"],
        &["[", "test", "]"],
    ];
    (0..words.len()).filter(|at| marks.iter().any(|mark| reads(words, *at, mark))).map(|at| words[at].line).collect()
}

/// Where the bracket that opens here has been closed.
fn group_end(words: &[Word], open: usize) -> usize {
    let mut depth = 0;
    for (at, word) in words.iter().enumerate().skip(open) {
        match word.text.as_str() {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at + 1;
        }
    }
    words.len()
}

/// The functions that have a body: the line of each, its name, and how many lines it has.
pub fn functions(words: &[Word]) -> Vec<(usize, String, usize)> {
    let mut found = Vec::new();
    for at in (0..words.len()).filter(|at| words[*at].text == "fn") {
        let Some(name) = words.get(at + 1).filter(|word| word.text.starts_with(is_name)) else { continue };
        let mut head = at + 2;
        while words.get(head).is_some_and(|word| !matches!(word.text.as_str(), "{" | ";" | "}" | ")" | "]")) {
            head = if matches!(words[head].text.as_str(), "(" | "[") { group_end(words, head) } else { head + 1 };
        }
        if reads(words, head, &["{"]) {
            let last = words.get(group_end(words, head) - 1).map_or(0, |word| word.line);
            found.push((words[at].line, name.text.clone(), last + 1 - words[at].line));
        }
    }
    found
}

/// Every path that begins with this word, in `use` or anywhere else, each branch of a `{…}` written out.
pub fn paths(words: &[Word], root: &str) -> Vec<Path> {
    let mut found = Vec::new();
    for at in 0..words.len() {
        // `a::std` is another's; `use ::std` is the same.
        let is_inside = at > 1 && words[at - 1].text == "::" && words[at - 2].text.starts_with(is_name) && words[at - 2].text != "use";
        if words[at].text == root && reads(words, at + 1, &["::"]) && !is_inside {
            let mut branches = Vec::new();
            branch(words, at, &[], &mut branches);
            found.extend(branches.into_iter().map(|(line, parts)| Path { line, parts, at }));
        }
    }
    found
}

/// How many modules written inside the file, `mod a { … }`, stand around this word.
pub fn modules_around(words: &[Word], at: usize) -> usize {
    (0..at).filter(|open| words[*open].text == "mod" && reads(words, open + 2, &["{"]) && group_end(words, open + 2) > at).count()
}

/// Follows one branch of a path and returns where it has ended.
fn branch(words: &[Word], mut at: usize, before: &[String], found: &mut Vec<(usize, Vec<String>)>) -> usize {
    let mut parts = before.to_vec();
    let mut line = words.get(at).map_or(0, |word| word.line);
    while let Some(word) = words.get(at) {
        match word.text.as_str() {
            "{" => {
                let end = group_end(words, at);
                at += 1;
                while at + 1 < end {
                    at = if words[at].text == "," { at + 1 } else { branch(words, at, &parts, found).max(at + 1) };
                }
                return end;
            }
            // `a::<T>` goes on behind its types, of which nothing is said here.
            "*" => parts.push("*".to_owned()),
            name if name.starts_with(is_name) => parts.push(name.to_owned()),
            _ => break,
        }
        line = word.line;
        at += 1;
        if !reads(words, at, &["::"]) {
            break;
        }
        at += 1;
    }
    found.push((line, parts));
    // `as other` belongs to the branch.
    while words.get(at).is_some_and(|word| word.text == "as") {
        at += 2;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spelled(text: &str) -> String {
        words(text).into_iter().map(|word| word.text).collect::<Vec<_>>().join(" ")
    }

    fn written_out(text: &str, root: &str) -> Vec<String> {
        paths(&words(text), root).into_iter().map(|path| format!("{}:{}", path.line, path.parts.join("::"))).collect()
    }

    #[test]
    fn comments_and_literals_say_nothing() {
        assert_eq!(spelled("a // b\n/* c /* d */ e */ f"), "a f");
        assert_eq!(
            spelled(r####"x("a \" // b", r#"c " d"#, b"e", br##"f"# g"##, 'h', '\'', b'"', '"') y"####),
            "x ( \" , \" , \" , \" , \" , \" , \" , \" ) y"
        );
        assert_eq!(spelled("fn f<'a>(b: &'a str, c: &'static C) {}"), "fn f < ' a > ( b : & ' a str , c : & ' static C ) { }");
        assert_eq!(spelled("r#type r b::c"), "type r b :: c");
    }

    #[test]
    fn a_word_knows_its_line() {
        let lines: Vec<usize> = words("a\n/* \n */ b \"\n\n\" c").into_iter().map(|word| word.line).collect();
        assert_eq!(lines, [1, 3, 3, 5]);
    }

    #[test]
    fn a_path_is_written_out_in_full() {
        assert_eq!(written_out("use crate::a::B;", "crate"), ["1:crate::a::B"]);
        assert_eq!(
            written_out("use crate::{\n  a,\n  b::{self, C as D, e::*},\n  f::G,\n};\nh(crate::i::j())", "crate"),
            ["2:crate::a", "3:crate::b::self", "3:crate::b::C", "3:crate::b::e::*", "4:crate::f::G", "6:crate::i::j"]
        );
        assert_eq!(written_out("pub(crate) fn f(a: other::crate::x) {}", "crate"), Vec::<String>::new());
        assert_eq!(written_out("let a = ::std::fs::read::<A>(b);", "std"), ["1:std::fs::read"]);
        assert_eq!(written_out("use ::std::fs;", "std"), ["1:std::fs"]);
    }

    #[test]
    fn modules_around_a_word_are_counted() {
        let words = words("mod a { mod b { c } d } mod e; f");
        let around = |name: &str| modules_around(&words, words.iter().position(|word| word.text == name).unwrap());
        assert_eq!((around("c"), around("d"), around("f")), (2, 1, 0));
    }

    #[test]
    fn what_only_tests_compile_is_found_by_its_mark() {
        let lines = |text: &str| test_marks(&words(text));
        assert_eq!(lines("a;\n#[cfg(test)] mod tests { fn b() { c } } d"), [2]);
        assert_eq!(lines("#[cfg(all(test, unix))] mod a;\n#[test] fn b() {} c\n#![cfg(test)]\n#[cfg(any(test, unix))] d;"), [1, 2, 3, 4]);
        assert_eq!(lines("#[cfg(not(test))] fn a() {} #[cfg(feature = \"test\")] fn test() {}"), [0; 0]);
    }
}
