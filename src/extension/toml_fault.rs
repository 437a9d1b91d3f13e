//! TOML fault: an error of the TOML parser in one sentence, with its key and the text to write instead.

use std::ops::Range;

use crate::role::did_you_mean;

/// The reader's word for a value or a kind of value, and the word of people.
const FOUND: [(&str, &str); 6] = [
    ("string ", "the text "),
    ("integer ", "the number "),
    ("floating point ", "the number "),
    ("boolean ", ""),
    ("sequence", "a list"),
    ("map", "a table"),
];
const EXPECTED: [(&str, &str); 9] = [
    ("struct ScheduleItem", "a schedule"),
    ("array length 2", "a list"),
    ("a sequence", "a list"),
    ("a map", "a table"),
    ("a string", "a text"),
    ("a boolean", "`true` or `false`"),
    ("i64", "a whole number"),
    ("u64", "a whole number"),
    ("usize", "a whole number"),
];
/// What the reader finds malformed, and what that means.
const MALFORMED: [(&str, &str); 16] = [
    ("string values must be quoted", "a text stands in quotes"),
    ("invalid boolean", "a text stands in quotes, and truth is `true` or `false`"),
    ("invalid float", "a text stands in quotes"),
    ("invalid integer", "a text stands in quotes"),
    ("invalid basic string", "the text is not closed by the sign that opens it"),
    ("invalid literal string", "the text is not closed by the sign that opens it"),
    ("missing escaped value", "a `\\` in a text between `\"` begins a sign such as `\\n`"),
    ("unexpected key or value", "something stands behind the value"),
    ("invalid unquoted key", "a key is parted from its value by `=`"),
    ("key with no value", "a key is parted from its value by `=`"),
    ("missing assignment", "a key is parted from its value by `=`"),
    ("extra `=`", "one `=` parts a key from its value"),
    ("unclosed array table", "the header is not closed"),
    ("unclosed table", "the header is not closed"),
    ("unquoted keys cannot be empty", "the brackets of a header stand together"),
    ("invalid datetime", "a text stands in quotes"),
];
/// The keys that hold tables, of which those that stand once.
const OF_HEADERS: [&str; 16] = [
    "space",
    "matter",
    "role",
    "operation",
    "resolver",
    "rule",
    "being",
    "signal",
    "population",
    "measure",
    "table",
    "look",
    "try",
    "now",
    "test",
    "config",
];
const OF_ONE: [&str; 1] = ["config"];
/// The keys that list names.
const OF_NAMES: [&str; 9] = ["extensions", "only", "by", "grants", "contributors", "allow", "target", "touches", "columns"];
/// The key of a being's schedules.
const SCHEDULE: &str = "schedule";
/// The keys of places and sizes on a grid.
const OF_GRIDS: [&str; 2] = ["size", "coords"];
/// The keys of durations.
const OF_TIME: [&str; 5] = ["every", "offset", "run", "after", "thinks"];

/// The fault that the TOML reader found in a text, in one line, with what may be meant.
pub fn toml_fault(message: &str, span: Option<Range<usize>>, text: &str) -> String {
    let said = message.trim().replace('\n', "; ");
    let meant = said.strip_prefix("unknown field `").and_then(|rest| {
        let (found, known) = rest.split_once('`')?;
        did_you_mean("", found, known.split('`').skip(1).step_by(2))
    });
    if said == "duplicate key"
        && let Some(twice) = span.clone().and_then(|span| stands_twice(span, text))
    {
        return twice;
    }
    if meant.is_none()
        && let Some(told) = span.clone().and_then(|span| malformed(&said, span, text))
    {
        return told;
    }
    let is_header = |span: &Range<usize>| text.get(span.start..).is_some_and(|rest| rest.starts_with("[["));
    if said.contains("expected a map") && span.as_ref().is_some_and(is_header) {
        let name = span.and_then(|span| text.get(span.start..)?.lines().next()).unwrap_or_default().trim_matches(['[', ']', ' ']);
        return format!("`{name}` stands once: write `[{name}]`, not `[[{name}]]`");
    }
    match (meant, span.and_then(|span| TomlPair::at(span, text))) {
        (Some(meant), _) => format!("{said}; {meant}"),
        (None, Some(written)) => written.wrong_kind(&said).unwrap_or_else(|| plainly(&said)),
        (None, None) => plainly(&said),
    }
}

/// What the reader says of its own types, without them.
fn plainly(said: &str) -> String {
    let lacks = said.strip_prefix("missing field `").and_then(|rest| rest.strip_suffix('`'));
    if let Some(key) = lacks {
        return format!("`{key}` lacks; write `{key} = …`");
    }
    let variant = said.strip_prefix("unknown variant ").and_then(|rest| rest.split_once(", expected "));
    if let Some((found, known)) = variant {
        let word = found.trim_matches('`');
        let meant = did_you_mean("", word, known.split('`').skip(1).step_by(2)).map(|question| format!("; {question}"));
        return format!("expected {known}, found {found}{}", meant.unwrap_or_default());
    }
    said.to_owned()
}

/// The sentence for a key that the reader has met before, of a value or in the header of a table.
fn stands_twice(span: Range<usize>, text: &str) -> Option<String> {
    let (before, key) = (text.get(..span.start)?, text.get(span)?.trim());
    Some(match key {
        key if !is_key(key) => return None,
        key if before.ends_with("[[") => format!("`{key}` stands above as `[{key}]`: write `[[{key}]]` for each of them"),
        key if before.ends_with('[') => {
            format!("`[{key}]` stands twice: write all of it below one, or `[[{key}]]` for each where there may be many")
        }
        key => format!("`{key}` stands twice; leave one out"),
    })
}

/// A key of the text and its value, or the header of a table; an item of a list has no key of its own.
struct TomlPair<'t> {
    key: &'t str,
    value: &'t str,
    is_header: bool,
}

impl<'t> TomlPair<'t> {
    /// The text at a span: the reader gives that of a value, or that of the whole pair.
    fn at(span: Range<usize>, text: &'t str) -> Option<Self> {
        let (found, before) = (text.get(span.clone())?.trim(), text.get(..span.start)?.trim_end());
        if let Some(key) = found.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).filter(|key| is_key(key))
            && !before.ends_with('=')
        {
            return Some(Self { key, value: found, is_header: true });
        }
        let pair = found.split_once('=').map(|(key, value)| (key.trim(), value.trim())).filter(|(key, _)| is_key(key));
        let (key, value) = match pair {
            Some(pair) => pair,
            None => (before.strip_suffix('=').map(last_word).unwrap_or_default(), found),
        };
        Some(Self { key, value, is_header: false })
    }

    /// The sentence for a value of a wrong kind.
    fn wrong_kind(&self, said: &str) -> Option<String> {
        if let Some(found) = said.strip_prefix("invalid value: integer ").and_then(|rest| rest.split_once(", expected u")) {
            return Some(format!("{}expected a whole number from 0 on, found {}", self.before(), found.0));
        }
        let (found, expected) = said.strip_prefix("invalid type: ")?.split_once(", expected ")?;
        let expected = EXPECTED.iter().find(|(word, _)| *word == expected)?.1;
        if self.is_header && expected == "a list" {
            return Some(format!("`{}` may stand more than once: write `[[{0}]]`, not `[{0}]`", self.key));
        }
        let found = self.called(found)?;
        let cure = self.cure(expected);
        let before = self.before();
        Some(match (self.key, cure) {
            // What holds other tables has them below a header.
            (key, _) if OF_HEADERS.contains(&key) && !self.value.starts_with('{') => {
                format!("{before}expected {expected}, found {found}; write `{}`, and its keys below", headed(key))
            }
            ("", Some(cure)) => format!("expected {expected}, found {found}; write `{cure}`"),
            (key, Some(cure)) => format!("{before}expected {expected}, found {found}; write `{key} = {cure}`"),
            (_, None) => format!("{before}expected {expected}, found {found}"),
        })
    }

    /// The key, before what is said of it.
    fn before(&self) -> String {
        if self.key.is_empty() { String::new() } else { format!("{}: ", self.key) }
    }

    /// The value that was found, as people call it.
    fn called(&self, found: &str) -> Option<String> {
        // The reader takes an instant for a table.
        if found == "map" && !self.value.starts_with(['{', '[']) {
            return Some(format!("`{}` without quotation marks", self.value));
        }
        let (word, name) = FOUND.iter().find(|(word, _)| found.starts_with(word))?;
        Some(format!("{name}{}", found.strip_prefix(word)?.replace('"', "`")))
    }

    /// The value as it should be written, where that can be told.
    fn cure(&self, expected: &str) -> Option<String> {
        let bare = self.value.trim_matches(['"', '\'']);
        match expected {
            "a list" if OF_GRIDS.contains(&self.key) => Some(format!("[{}]", grid(bare))),
            "a list" if self.key == SCHEDULE && !self.value.starts_with('{') => Some(format!("[{}]", schedule(bare))),
            "a list" if OF_NAMES.contains(&self.key) && self.value.starts_with('{') => Some(format!("[{}]", keys(self.value))),
            "a list" => Some(format!("[{}]", self.value)),
            "a schedule" => Some(schedule(bare)),
            "a text" if OF_TIME.contains(&self.key) && bare.parse::<u64>().is_ok() => Some(format!("\"{bare}m\"")),
            "a text" => Some(format!("\"{bare}\"")).filter(|_| !bare.starts_with(['{', '['])),
            "a table" if self.key == "args" && self.value.starts_with('[') => Some(format!("{{ {} }}", of_arguments(self.value))),
            "a table" => Some("{ … }".to_owned()),
            "`true` or `false`" if ["true", "yes", "on", "1"].contains(&bare) => Some("true".to_owned()),
            "`true` or `false`" => ["false", "no", "off", "0"].contains(&bare).then(|| "false".to_owned()),
            "a whole number" => {
                bare.parse::<f64>().ok().filter(|number| number.is_finite() && number.abs() < 1e15).map(|number| format!("{number:.0}"))
            }
            _ => None,
        }
    }
}

/// The numbers of a size, however they are parted; one alone twice, and two others where there are none.
fn grid(written: &str) -> String {
    let numbers: Vec<&str> = written.split(|sign: char| !sign.is_ascii_digit()).filter(|part| !part.is_empty()).collect();
    match numbers.as_slice() {
        [one] => format!("{one}, {one}"),
        [_, _] | [_, _, _] => numbers.join(", "),
        _ => "6, 4".to_owned(),
    }
}

/// A schedule by what stands for one: `every 7m`, `7m`, `7`, or an hour of the day's expression.
fn schedule(written: &str) -> String {
    let words = written.trim().trim_start_matches("every").trim();
    let digits = words.find(|sign: char| !sign.is_ascii_digit()).unwrap_or(words.len());
    let every = match (words.get(..digits).unwrap_or_default(), words.get(digits..).unwrap_or_default().trim()) {
        (_, _) if words.split_whitespace().count() == 5 => return format!("{{ name = \"turn\", cron = \"{words}\" }}"),
        ("", _) => "5m".to_owned(),
        (number, unit) => format!("{number}{}", unit.chars().next().filter(|unit| "smhd".contains(*unit)).unwrap_or('m')),
    };
    format!("{{ name = \"turn\", every = \"{every}\" }}")
}

/// The keys of a table in braces, as texts.
fn keys(table: &str) -> String {
    let pairs = table.trim_matches(['{', '}', ' ']).split(',');
    let names = pairs.filter_map(|pair| pair.split_once('=')).map(|(key, _)| format!("\"{}\"", key.trim().trim_matches('"')));
    names.collect::<Vec<_>>().join(", ")
}

/// The arguments of a list of their names.
fn of_arguments(list: &str) -> String {
    let names = list.trim_matches(['[', ']', ' ']).split(',').map(|name| name.trim().trim_matches(['"', '\'']));
    names.filter(|name| is_key(name)).map(|name| format!("{name} = \"text\"")).collect::<Vec<_>>().join(", ")
}

/// The header of what stands below one: one table, or one of many.
fn headed(key: &str) -> String {
    if OF_ONE.contains(&key) { format!("[{key}]") } else { format!("[[{key}]]") }
}

/// What is wrong with the grammar of a line, with the line as it should be.
fn malformed(said: &str, span: Range<usize>, text: &str) -> Option<String> {
    let (_, what) = MALFORMED.iter().find(|(begins, _)| said.starts_with(begins))?;
    let start = text.get(..span.start)?.rfind('\n').map_or(0, |at| at + 1);
    let line = text.get(start..)?.lines().next()?.trim();
    let rest = text.get(span.start..)?.lines().next().unwrap_or_default().trim_start();
    let head = line.trim_matches(['[', ']', ' ']);
    if line.starts_with('[') && is_key(head) && !line.contains('=') {
        return Some(format!(
            "{what}; write `{}`",
            if line.contains("[[") || line.contains("[ [") { format!("[[{head}]]") } else { format!("[{head}]") }
        ));
    }
    let (key, value) = pair_of(line)?;
    let cure = |value: &str| format!("write `{key} = {value}`");
    Some(match () {
        () if rest.starts_with("//") => "a comment begins with `#`; write `#` for `//`".to_owned(),
        () if rest.starts_with("--") => "a comment begins with `#`; write `#` for `--`".to_owned(),
        () if rest == "," => format!("nothing parts the lines of a table; {}", cure(value.trim_end().trim_end_matches(',').trim_end())),
        () if said.starts_with("unexpected key or value") && rest.contains('=') && !value.contains("==") => {
            let (own, other) = line.split_at(line.len().saturating_sub(rest.len()));
            format!("each key has a line of its own; write `{}`, and `{}` below it", own.trim_end().trim_end_matches(','), other.trim())
        }
        () if ["none", "null", "nil"].contains(&value.to_lowercase().as_str()) => {
            format!("there is no value for nothing; leave `{key}` out")
        }
        () => format!("{what}; {}", cure(&quoted(value))),
    })
}

/// The key and the value of a line, whatever stands between them; what is no key has none.
fn pair_of(line: &str) -> Option<(&str, &str)> {
    let line = line.trim_start_matches("- ");
    let at = line.find(['=', ':'])?;
    let (key, value) = (line.get(..at)?.trim(), line.get(at..)?.trim_start_matches(['=', ':']).trim());
    (is_key(key.trim_matches('"')) && !value.starts_with(['{', '['])).then_some((key, value))
}

/// A value as TOML has it: a text in quotes that it does not hold itself.
fn quoted(value: &str) -> String {
    let value = value.trim_end_matches(',').trim();
    let inner = value.trim_matches(['"', '\'', '`', '“', '”', '„', '‟', '‘', '’', '«', '»']);
    match inner.to_lowercase().as_str() {
        "true" | "yes" if inner == value => "true".to_owned(),
        "false" | "no" if inner == value => "false".to_owned(),
        _ if !inner.contains(['"', '\\']) => format!("\"{inner}\""),
        _ if !inner.contains('\'') && (inner.len() < value.len() || !value.ends_with('"')) => format!("'{inner}'"),
        _ if !value.contains('\'') => format!("'{value}'"),
        _ => format!("'''{value}'''"),
    }
}

fn last_word(text: &str) -> &str {
    text.trim_end().rsplit(|sign: char| !is_of_key(sign)).next().unwrap_or_default()
}

fn is_of_key(sign: char) -> bool {
    sign.is_alphanumeric() || matches!(sign, '-' | '_' | '.')
}

fn is_key(text: &str) -> bool {
    !text.is_empty() && text.chars().all(is_of_key)
}
