//! Quotation: what stands between marks of quotation in one line, or in elements that hold words of others.

/// The length of a quotation that a sign begins, with its marks, by the text before it: 0 where it does not end in its line, and nothing where
/// the sign begins none. Of an object inside only what stands behind it may end it, if that is asked for.
pub(super) fn closed_len(before: &str, rest: &str, (sign, is_deep): (char, bool)) -> Option<usize> {
    let closes = closes(sign)?;
    let line = rest.split('\n').next()?;
    let opens = sign.len_utf8();
    let next = line.get(opens..)?.chars().next();
    let last = before.chars().next_back();
    // A mark of inches stands behind a digit, an apostrophe beside a letter or before a digit.
    let is_apostrophe = matches!(sign, '\'' | '\u{2018}' | '\u{2019}') && (is_letter(last) || next.is_some_and(char::is_alphanumeric));
    if is_apostrophe || sign == '"' && last.is_some_and(|last| last.is_alphanumeric() || ".,!?;".contains(last)) {
        return None;
    }
    let (mut at, mut depth) = (opens, 0);
    while let Some(sign) = line.get(at..)?.chars().next() {
        let (from, follows) = (at, line.get(at + sign.len_utf8()..)?.chars().next());
        at += sign.len_utf8();
        let is_escaped = line.get(..from)?.ends_with('\\');
        let may_close = !matches!(sign, '"' | '\'' | '\u{2019}') || !follows.is_some_and(char::is_alphanumeric);
        // A string inside an object ends no quotation.
        depth += i32::from("{[".contains(sign)) - i32::from("}]".contains(sign));
        if closes.contains(sign) && may_close && !is_escaped && (depth <= 0 || !is_deep) {
            return Some(at);
        }
    }
    Some(0)
}

fn is_letter(sign: Option<char>) -> bool {
    sign.is_some_and(char::is_alphabetic)
}

/// The marks that close a quotation.
fn closes(sign: char) -> Option<&'static str> {
    match sign {
        '"' => Some("\""),
        '\'' => Some("'"),
        '\u{201c}' => Some("\u{201d}"),
        '\u{201d}' => Some("\u{201d}"),
        '\u{201e}' => Some("\u{201c}\u{201d}"),
        '\u{275d}' => Some("\u{275e}"),
        '\u{ff02}' => Some("\u{ff02}"),
        '\u{2018}' => Some("\u{2019}"),
        '\u{201a}' => Some("\u{2018}\u{2019}"),
        '\u{ab}' => Some("\u{bb}"),
        '\u{bb}' => Some("\u{ab}"),
        '\u{2039}' => Some("\u{203a}"),
        '\u{300c}' => Some("\u{300d}"),
        '\u{300e}' => Some("\u{300f}"),
        _ => None,
    }
}

/// The length of an element of code or of a comment that a text begins with.
pub(super) fn code_len(text: &str) -> Option<usize> {
    let lower = |from: &str| text.get(..from.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(from));
    let (opens, close) = if lower("<!--") {
        (4, "-->")
    } else if lower("<code>") || lower("<code ") {
        (5, "</code>")
    } else {
        return None;
    };
    let rest = text.get(opens..)?.to_ascii_lowercase();
    rest.find(close).map(|at| opens + at + close.len())
}

/// Where a run of exactly so many back-ticks stands.
pub(super) fn run_of(text: &str, count: usize) -> Option<usize> {
    let mut at = 0;
    loop {
        at += text.get(at..)?.find('`')?;
        let run = text.get(at..)?.bytes().take_while(|byte| *byte == b'`').count();
        if run == count {
            return Some(at);
        }
        at += run;
    }
}
