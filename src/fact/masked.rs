//! Masked: a text that people read, without the secrets that somebody typed into it: each is an ellipsis with its length in characters.
//!
//! A value is a secret where it has a form that keys and tokens have, or where its name is that of a secret. References to one
//! (`env:NAME`), hashes, ids, public keys and the names of settings stay as they are.

use std::borrow::Cow;
use std::ops::Range;

/// A form of keys and tokens: what each begins with, and how long it is at least.
struct Form {
    begins: &'static str,
    least: usize,
}

/// The forms of those who run models, hosts of code, clouds and places to talk.
const FORMS: [Form; 19] = [
    Form { begins: "sk-", least: 16 },
    Form { begins: "sk_live_", least: 16 },
    Form { begins: "sk_test_", least: 16 },
    Form { begins: "rk_live_", least: 16 },
    Form { begins: "pk-lf-", least: 16 },
    Form { begins: "gsk_", least: 16 },
    Form { begins: "hf_", least: 16 },
    Form { begins: "xai-", least: 16 },
    Form { begins: "ghp_", least: 16 },
    Form { begins: "gho_", least: 16 },
    Form { begins: "ghs_", least: 16 },
    Form { begins: "ghu_", least: 16 },
    Form { begins: "github_pat_", least: 20 },
    Form { begins: "glpat-", least: 16 },
    Form { begins: "npm_", least: 16 },
    Form { begins: "AIza", least: 30 },
    Form { begins: "AKIA", least: 20 },
    Form { begins: "xoxb-", least: 16 },
    Form { begins: "xoxp-", least: 16 },
];
/// How the names of secrets end.
const NAMES: [&str; 8] = ["key", "token", "secret", "password", "passwd", "passphrase", "authorization", "bearer"];
/// Words that are written together with them.
const JOINED: [&str; 4] = ["api", "auth", "access", "secret"];
/// Names that end so and are those of no secret.
const PUBLIC: [&str; 5] = ["public", "root", "idempotency", "world", "primary"];
/// The signs between a name and its value; the last only before quotes, as in `cannot set it to "…"`.
const SIGNS: [&str; 3] = ["=", ":", "to "];
/// The least length of a value without quotes behind a name that ends in `:`, as YAML has it; words of a sentence are shorter or have spaces.
const BARE_LEAST: usize = 8;

/// A text with each secret in it masked.
pub fn masked(text: &str) -> Cow<'_, str> {
    let (mut out, mut copied) = (String::new(), 0);
    while let Some(secret) = next(text, copied) {
        out += text.get(copied..secret.start).unwrap_or_default();
        let length = text.get(secret.clone()).unwrap_or_default().chars().count();
        out += &format!("…({length})");
        copied = secret.end;
    }
    if copied == 0 { Cow::Borrowed(text) } else { Cow::Owned(out + text.get(copied..).unwrap_or_default()) }
}

/// Whether a text is itself a secret by its form, or holds one.
pub fn has_known_secret(text: &str) -> bool {
    words(text, 0).any(|word| text.get(word).is_some_and(is_of_form))
}

/// The next secret from a byte on.
fn next(text: &str, from: usize) -> Option<Range<usize>> {
    words(text, from).find_map(|word| {
        let found = text.get(word.clone())?;
        if is_of_form(found) {
            Some(word)
        } else {
            is_name(found).then(|| value(text, word.end)).flatten().or_else(|| of_url(text, word.end))
        }
    })
}

/// The words of a text from a byte on: runs of letters, digits and the signs of keys.
fn words(text: &str, from: usize) -> impl Iterator<Item = Range<usize>> {
    let is_of_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '+');
    let mut at = from;
    std::iter::from_fn(move || {
        let start = at + text.get(at..)?.find(is_of_word)?;
        let rest = text.get(start..)?;
        at = start + rest.find(|c| !is_of_word(c)).unwrap_or(rest.len());
        Some(start..at)
    })
}

/// Whether a word has a form of keys and tokens, or that of a JSON Web Token.
fn is_of_form(word: &str) -> bool {
    let is_long = |form: &Form| word.starts_with(form.begins) && word.trim_end_matches('.').len() >= form.least;
    let has_digit = word.chars().any(|c| c.is_ascii_digit());
    (has_digit && FORMS.iter().any(is_long)) || (word.starts_with("eyJ") && word.len() >= 20 && word.split('.').count() >= 3)
}

/// Whether a word is the name of a secret: `key`, `api_key`, `apiKey`, `OPENAI_API_KEY`, `llm.small.key`.
fn is_name(word: &str) -> bool {
    let last = word.rsplit('.').next().unwrap_or(word);
    let lower = last.to_ascii_lowercase();
    let Some(before) = NAMES.iter().find_map(|name| lower.strip_suffix(name)) else { return false };
    let is_joined = before.is_empty() || before.ends_with(['_', '-']) || JOINED.contains(&before);
    let is_camel = last.chars().nth(before.len()).is_some_and(char::is_uppercase);
    (is_joined || is_camel) && !PUBLIC.contains(&before.trim_end_matches(['_', '-']))
}

/// The value that a name is given behind it, where that is a secret.
fn value(text: &str, named: usize) -> Option<Range<usize>> {
    let rest = text.get(named..)?;
    // The name's own quotes, if it has any.
    let behind = rest.trim_start_matches(['\\', '"', '\'', '`']).trim_start_matches(' ');
    let (sign, behind) = SIGNS.iter().find_map(|sign| Some((*sign, behind.strip_prefix(sign)?)))?;
    let behind = behind.trim_start_matches([' ', '[']);
    let opened = behind.trim_start_matches('\\');
    let escapes = behind.len() - opened.len();
    let at = text.len() - opened.len();
    let found = match opened.chars().next()? {
        quote @ ('"' | '\'') => {
            // One that is not closed ends with its line.
            let line = opened.find('\n').unwrap_or(opened.len());
            at + 1..at + quoted(opened, quote, escapes).filter(|end| *end <= line).unwrap_or(line)
        }
        _ => {
            let end = opened.find(|c: char| c.is_whitespace() || ",;}])`\"'".contains(c)).unwrap_or(opened.len());
            let bare = opened.get(..end)?;
            let has = |is: fn(&char) -> bool| bare.chars().any(|c| is(&c));
            let is_value = has(char::is_ascii_digit) && has(char::is_ascii_alphabetic) && bare.chars().count() >= BARE_LEAST;
            (sign == "=" || sign == ":" && is_value).then_some(at..at + end)?
        }
    };
    is_secret(text.get(found.clone())?).then_some(found)
}

/// The part of an address before its host, `user:password`, where its scheme ends at a byte.
fn of_url(text: &str, scheme: usize) -> Option<Range<usize>> {
    let rest = text.get(scheme..)?.strip_prefix("://")?;
    let host = rest.split(|c: char| c.is_whitespace() || "/?#\"'`".contains(c)).next()?;
    let (user, _) = host.rsplit_once('@')?;
    let start = scheme + "://".len();
    (!user.starts_with('…')).then_some(start..start + user.len())
}

/// Where a quoted text ends: before a quote that is escaped as often as the first, or less often, which ends a text around it.
fn quoted(text: &str, quote: char, escapes: usize) -> Option<usize> {
    let mut escaped = 0;
    text.char_indices().skip(1).find_map(|(at, c)| {
        let end = (c == quote && escaped <= escapes).then_some(at - escaped);
        escaped = if c == '\\' { escaped + 1 } else { 0 };
        end
    })
}

/// Whether the value of a secret's name is one: it names no place where the secret lies, is no hash and no setting.
fn is_secret(value: &str) -> bool {
    let is_hash = value.len() == 64 && value.chars().all(|c| c.is_ascii_hexdigit());
    let is_setting = value.contains('.') && value.chars().all(|c| c.is_ascii_lowercase() || "._-".contains(c));
    !(value.is_empty() || value.starts_with("env:") || value.starts_with('…') || is_hash || is_setting)
}
