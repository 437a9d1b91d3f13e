//! Quote: words that neither the system, nor the role, nor the being itself has written, as they stand in a prompt: each line begins with `> `.
//!
//! So whatever somebody says, a line of theirs never looks like one of ours; and what they said can be told apart again from the prompt.

/// The mark that a quoted line begins with.
const MARK: &str = "> ";

/// The lines of a text, at the mandatory line breaks of Unicode (UAX 14).
pub fn text_lines(text: &str) -> impl Iterator<Item = &str> {
    let is_break = |c: char| matches!(c, '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}');
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let whole = rest?;
        let Some((at, broken)) = whole.char_indices().find(|(_, c)| is_break(*c)) else {
            rest = None;
            return Some(whole);
        };
        let (line, after) = (whole.get(..at)?, whole.get(at + broken.len_utf8()..)?);
        // A carriage return and a line feed are one break.
        rest = Some(if broken == '\r' { after.strip_prefix('\n').unwrap_or(after) } else { after });
        Some(line)
    })
}

/// A text as it is quoted.
pub fn quoted(text: &str) -> String {
    text_lines(text).map(|line| format!("{MARK}{line}")).collect::<Vec<_>>().join("\n")
}

/// The same behind a line of ours.
pub fn says(who: &str, text: &str) -> String {
    format!("{who}:\n{}", quoted(text))
}

/// All in one line.
pub fn in_a_line(text: &str) -> String {
    text_lines(text).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
}

/// A name that others have chosen, within a line of ours: as it is where it is one of letters and digits, else in quotation marks that nothing
/// in it closes.
pub fn as_name(text: &str) -> String {
    let line = in_a_line(text);
    let is_one_word = !line.contains(' ');
    if line.chars().all(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_' | '/') || is_one_word && matches!(c, ':' | '.')) {
        return line;
    }
    in_marks(&line)
}

/// Words that others have chosen, in one line and in quotation marks that nothing in them closes.
pub fn in_marks(text: &str) -> String {
    format!("“{}”", in_a_line(text).replace(['“', '”', '"'], "'"))
}

/// The quotations of a prompt, each run of lines as one text.
pub fn unquoted(prompt: &str) -> Vec<String> {
    let mut texts: Vec<String> = Vec::new();
    let mut goes_on = false;
    for line in prompt.split('\n') {
        let Some(words) = line.strip_prefix(MARK) else {
            goes_on = false;
            continue;
        };
        match texts.last_mut().filter(|_| goes_on) {
            Some(text) => *text += &format!("\n{words}"),
            None => texts.push(words.to_owned()),
        }
        goes_on = true;
    }
    texts
}
