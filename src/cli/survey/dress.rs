//! Dress: what stands around an answer and says nothing, in tables, and the answer with less and less of it.

/// Signs around an answer that say nothing, also on one side of it.
const AROUND: &[char] = &['"', '\'', '`', '*', '_', '(', ')', '[', ']', '“', '”', '„', '‘', '’', '«', '»'];
/// Signs at its end that say nothing.
const STOPS: &[char] = &['.', '!', ','];
/// The mark of a list that is also a minus.
const DASH: &str = "- ";
/// Marks that begin a line: of a list, as which the options of a choice are listed, and of a heading.
const MARKS: &[&str] = &[DASH, "* ", "• ", "# ", "## ", "### ", "[x] "];
/// A box that nobody has ticked.
pub(super) const UNTICKED: &str = "[ ]";
/// Words before an answer, with a colon or an equals sign behind them.
const BEFORE: &[&str] = &["answer", "my answer", "the answer", "final answer", "my final answer", "response", "my response"];
/// The signs that stand around a whole answer in pairs.
const PAIRS: &[(&str, &str)] = &[
    ("\"", "\""),
    ("'", "'"),
    ("`", "`"),
    ("*", "*"),
    ("_", "_"),
    ("(", ")"),
    ("[", "]"),
    ("“", "”"),
    ("„", "“"),
    ("„", "”"),
    ("‘", "'"),
    ("«", "»"),
    ("»", "«"),
    ("<answer>", "</answer>"),
    ("<final>", "</final>"),
    ("<final_answer>", "</final_answer>"),
    ("<response>", "</response>"),
    ("\\boxed{", "}"),
    ("\\text{", "}"),
    ("\\mathbf{", "}"),
    ("$", "$"),
    ("\\(", "\\)"),
    ("\\[", "\\]"),
];
/// The zeros of the scripts that have digits of their own; the other nine follow each.
const ZEROS: &[u32] = &[
    0x30, 0x660, 0x6F0, 0x7C0, 0x966, 0x9E6, 0xA66, 0xAE6, 0xB66, 0xBE6, 0xC66, 0xCE6, 0xD66, 0xDE6, 0xE50, 0xED0, 0xF20, 0x1040, 0x1090,
    0x17E0, 0x1810, 0x1946, 0x19D0, 0x1A80, 0x1A90, 0x1B50, 0x1BB0, 0x1C40, 0x1C50, 0xA620, 0xA8D0, 0xA900, 0xA9D0, 0xA9F0, 0xAA50, 0xABF0,
    0xFF10, 0x104A0, 0x10D30, 0x11066, 0x110F0, 0x11136, 0x111D0, 0x112F0, 0x11450, 0x114D0, 0x11650, 0x116C0, 0x11730, 0x118E0, 0x11950,
    0x11C50, 0x11D50, 0x11DA0, 0x11F50, 0x16A60, 0x16AC0, 0x16B50, 0x1D7CE, 0x1D7D8, 0x1D7E2, 0x1D7EC, 0x1D7F6, 0x1E140, 0x1E2F0, 0x1E4F0,
    0x1E950, 0x1FBF0,
];

/// A text in small letters, each space single.
pub(super) fn small(text: &str) -> String {
    text.replace('’', "'").to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A text in small letters, each space single, without the signs around it.
pub(super) fn bare(text: &str) -> String {
    let is_around = |c: char| c.is_whitespace() || AROUND.contains(&c);
    small(text).trim_start_matches(is_around).trim_end_matches(|c: char| is_around(c) || STOPS.contains(&c)).to_owned()
}

/// A text, and the same with less and less around it. With `dashes` a dash before it is the mark of a list, else it may be a minus.
pub(super) fn spellings(text: &str, dashes: bool) -> Vec<String> {
    let small = small(unfenced(text));
    let mut found = vec![small.clone()];
    let mut rest = small;
    while let Some(less) = less(&rest, dashes) {
        rest = less;
        found.push(rest.clone());
    }
    found
}

/// A text with one thing less around it.
fn less(text: &str, dashes: bool) -> Option<String> {
    let mark = || MARKS.iter().filter(|mark| dashes || **mark != DASH).find_map(|mark| text.strip_prefix(mark));
    let pair = || PAIRS.iter().find_map(|(open, close)| text.strip_prefix(open)?.strip_suffix(close));
    let less = mark().or_else(|| text.strip_suffix(STOPS)).or_else(pair).or_else(|| behind_words(text));
    let less = less.map(str::to_owned).or_else(|| only_value(text)).or_else(|| text.strip_prefix('@').map(str::to_owned));
    less.map(|less| less.trim().to_owned())
}

/// The text inside a fence, whatever language it says.
fn unfenced(text: &str) -> &str {
    let fenced = text.trim().strip_prefix("```").and_then(|text| text.strip_suffix("```"));
    let inside = fenced.and_then(|text| text.split_once('\n')).filter(|(language, _)| !language.contains('`'));
    inside.map_or(text, |(_, inside)| inside)
}

/// The text behind `answer:`, however that is set off.
fn behind_words(text: &str) -> Option<&str> {
    let is_emphasis = |c: char| c == '*' || c == '_';
    let plain = text.trim_start_matches(is_emphasis);
    let behind =
        BEFORE.iter().find_map(|word| plain.strip_prefix(word)?.trim_start_matches(is_emphasis).trim_start().strip_prefix([':', '=']))?;
    Some(behind.trim_start_matches(is_emphasis).trim_start()).filter(|behind| !behind.is_empty())
}

/// The keys of a JSON object under which its one value is the answer.
const KEYS: &[&str] = &["answer", "final_answer", "response", "choice", "option", "value", "number", "rating", "score"];

/// The one value of a JSON object, under a key that says that it is the answer.
fn only_value(text: &str) -> Option<String> {
    let object: serde_json::Map<String, serde_json::Value> = serde_json::from_str(text).ok()?;
    // A key that is said twice is in the object once.
    let is_one = object.len() == 1 && text.matches("\":").chain(text.matches("\" :")).count() == 1;
    let (_, value) = object.iter().next().filter(|(key, _)| is_one && KEYS.contains(&key.as_str()))?;
    match value {
        serde_json::Value::String(text) => Some(text.clone()),
        serde_json::Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// The whole number that a text is, in the digits of any script: `6`, `+6`, `6.0`.
pub(super) fn whole(text: &str) -> Option<i64> {
    let plain: String = text.trim().chars().filter(|c| !matches!(c, '\u{fe0f}' | '\u{20e3}')).map(western).collect();
    let (sign, digits) = match plain.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, plain.strip_prefix('+').unwrap_or(&plain)),
    };
    let digits = match digits.split_once(['.', ',']) {
        // Three zeros may part thousands.
        Some((digits, "0" | "00")) => digits,
        Some(_) => return None,
        None => digits,
    };
    let is_whole = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse::<i64>().ok().filter(|_| is_whole).map(|number| sign * number)
}

/// A digit of any script, a minus and a plus of full width as ASCII has them.
fn western(c: char) -> char {
    let digit = || {
        let at = ZEROS.partition_point(|zero| *zero <= c as u32).checked_sub(1)?;
        char::from_digit((c as u32).checked_sub(*ZEROS.get(at)?)?, 10)
    };
    match c {
        '\u{2212}' | '\u{ff0d}' => '-',
        '\u{ff0b}' => '+',
        '\u{ff0e}' => '.',
        c => digit().unwrap_or(c),
    }
}
