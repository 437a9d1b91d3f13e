//! Mark: how a mark is found in a text, however its bars, blanks and letters are written.
//!
//! A server's template, a tokenizer and a model each write the bars and blanks of one mark in their own way: `<｜tool▁call▁begin｜>`,
//! `<|tool_call_begin|>`, `<｜｜tool_call_begin｜｜>`, `< | tool_call_begin | >`. The table names a mark once, in ASCII.

/// The length of a mark that a text begins with.
///
/// In a mark `|` is one bar or two, with blanks around them; `_` is any of the signs that stand for a blank in a name, a blank itself only between bars; `¤` is the name of a
/// namespace or nothing; `"` is a quotation mark of either kind; a blank is any space or none. Letters count in either case.
pub fn mark_len(text: &str, mark: &str) -> Option<usize> {
    // Nearly every mark differs in its first two signs from what stands here.
    let (own, found) = (mark.as_bytes(), text.as_bytes());
    let is_plain = |at: usize| own.get(at).is_some_and(|sign| sign.is_ascii_alphanumeric() || b"<[]{/".contains(sign));
    let differs = |at: usize| {
        is_plain(0) && is_plain(at) && !found.get(at).is_some_and(|sign| own.get(at).is_some_and(|own| own.eq_ignore_ascii_case(sign)))
    };
    if differs(0) || differs(1) {
        return None;
    }
    let (head, tail) = mark.split_once('¤').map_or((mark, None), |(head, tail)| (head, Some(tail)));
    let has_bars = mark.contains('|');
    let head = head.chars().try_fold(0, |at, sign| Some(at + sign_len(text.get(at..)?, sign, has_bars)?))?;
    let Some(tail) = tail else { return Some(head) };
    let rest = text.get(head..)?;
    let named = || {
        // Behind a name only a colon and a further one may stand.
        let name = if head > 0 && mark_ends_in_a_name(mark) { suffix(rest) } else { namespace(rest) };
        mark_len(rest.get(name..)?, tail).filter(|_| name > 0).map(|len| name + len)
    };
    mark_len(rest, tail).or_else(named).map(|len| head + len)
}

/// The first place of a mark in a text, and the byte behind it.
pub fn mark_in(text: &str, mark: &str) -> Option<(usize, usize)> {
    let begins = mark.chars().next()?;
    let is_begin = |c: char| if begins.is_ascii_alphabetic() { c.eq_ignore_ascii_case(&begins) } else { c == begins };
    text.match_indices(is_begin).find_map(|(at, _)| Some((at, at + mark_len(text.get(at..)?, mark)?)))
}

fn sign_len(text: &str, sign: char, has_bars: bool) -> Option<usize> {
    let next = text.chars().next();
    match sign {
        '|' => bars(text),
        '_' => next
            .filter(|c| matches!(c, '_' | '\u{2581}') || *c == ' ' && has_bars)
            .map(char::len_utf8)
            .or_else(|| text.starts_with("\\_").then_some(2)),
        '"' => next.filter(|c| matches!(c, '"' | '\'')).map(char::len_utf8),
        ' ' => Some(text.len() - text.trim_start().len()),
        sign => next.filter(|c| c.eq_ignore_ascii_case(&sign)).map(char::len_utf8),
    }
}

/// One bar or two, with blanks around them.
fn bars(text: &str) -> Option<usize> {
    let blanks = |text: &str| text.len() - text.trim_start_matches(' ').len();
    let before = blanks(text);
    let rest = text.get(before..)?;
    let one = rest.chars().next().filter(|c| is_bar(*c))?.len_utf8();
    let behind = rest.get(one..)?;
    let second = behind.trim_start_matches(' ').chars().next().filter(|c| is_bar(*c)).map_or(0, |c| blanks(behind) + c.len_utf8());
    Some(before + one + second + blanks(behind.get(second..).unwrap_or_default()))
}

/// Whether a sign is a bar of a mark.
pub fn is_bar(sign: char) -> bool {
    matches!(sign, '|' | '\u{ff5c}')
}

/// Whether a mark has a name before its first place for a namespace.
fn mark_ends_in_a_name(mark: &str) -> bool {
    mark.split('¤').next().is_some_and(|head| head.ends_with(|c: char| c.is_ascii_alphanumeric()))
}

/// The byte behind the word that stands in a text from a byte on.
fn behind_word(text: &str, from: usize) -> Option<usize> {
    let rest = text.get(from..)?;
    let len = rest.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'))).unwrap_or(rest.len());
    (len > 0 && len <= 32).then_some(from + len)
}

/// The length of a colon and a name behind it; nothing where none stands there.
fn suffix(text: &str) -> usize {
    text.strip_prefix(':').and_then(|_| behind_word(text, 1)).unwrap_or(0)
}

/// The length of the name of a namespace: between bars, or before a bar or a colon; nothing where none stands there.
fn namespace(text: &str) -> usize {
    let behind = |end: usize| {
        let rest = text.get(end..)?;
        let end = end + bars(rest).or_else(|| rest.starts_with(':').then_some(1))?;
        let blank = text.get(end..)?.strip_prefix('_').and_then(bars).map_or(0, |len| 1 + len);
        Some(end + blank)
    };
    let before = || behind_word(text, bars(text).unwrap_or(0)).and_then(behind);
    let blank = || ["DSML ", "DSM "].iter().find(|name| text.starts_with(**name)).map(|name| name.len());
    before().or_else(blank).unwrap_or(0)
}
