//! Renaming: the files of a source under another name: in operations, signals and qualities, and where the source speaks of itself.
//!
//! A word is the name where it opens a name of that kind, and nowhere else: a place, a type or a sentence that has the same word keeps it.

use std::path::Path;

use toml::Spanned;

/// A source's name, and the one that it is to have.
pub(super) struct Renaming<'n> {
    pub(super) from: &'n str,
    pub(super) to: &'n str,
    /// The folder in which it is to lie.
    pub(super) folder: &'n str,
}

/// The folders below which a text names a source, as in `reelm test docs/cookbook/queue`.
const FOLDERS: [&str; 2] = ["docs/cookbook/", "fixtures/worlds/"];
/// What stands before a name that is whole there, as in `extensions = ["hello"]`.
const BEFORE_WHOLE: [&str; 6] = ["extensions = [\"", "script: ", "extensions/", "ns: ", "ns = \"", "ns\": \""];
/// What stands before a namespace of signals or of qualities.
const BEFORE_SPACE: [&str; 5] = ["world.", "quality.", "qualities.", "qualities?.", "qualities[\""];
/// The endings of files: `queue.flow.json` is none of the queue's signals.
const FILES: [&str; 8] = [".json", ".jsonl", ".csv", ".md", ".rhai", ".toml", ".py", ".txt"];

/// The files that say the name of what lies beside them.
const NAMING: [&str; 2] = ["world.toml", "manifest.toml"];

/// The key of such a file that says it.
#[derive(serde::Deserialize)]
struct SaysName {
    name: Spanned<String>,
}

fn is_of_word(sign: char) -> bool {
    sign.is_alphanumeric() || "-_".contains(sign)
}

impl Renaming<'_> {
    /// A file under the other name.
    pub(super) fn file(&self, path: &Path, bytes: Vec<u8>) -> Vec<u8> {
        self.title(path, self.change(bytes, |text| self.names(text, is_prose(path))))
    }

    /// A file in which the source itself alone has the other name, and the paths to it are those that lead there now.
    pub(super) fn title(&self, path: &Path, bytes: Vec<u8>) -> Vec<u8> {
        let says_name = NAMING.iter().any(|name| path == Path::new(name));
        self.change(bytes, |text| if says_name { self.own(&self.paths(text)) } else { self.paths(text) })
    }

    /// Whether a file has anything that would be renamed.
    pub(super) fn is_named_in(&self, path: &Path, bytes: &[u8]) -> bool {
        std::str::from_utf8(bytes).is_ok_and(|text| !self.from.is_empty() && self.names(text, is_prose(path)) != text)
    }

    /// A text, changed; what is no text stays as it is.
    fn change(&self, bytes: Vec<u8>, change: impl Fn(&str) -> String) -> Vec<u8> {
        match std::str::from_utf8(&bytes) {
            Ok(text) if !self.from.is_empty() => change(text).into_bytes(),
            _ => bytes,
        }
    }

    /// A world.toml or a manifest with its other name.
    fn own(&self, text: &str) -> String {
        let span = toml::from_str::<SaysName>(text).ok().filter(|named| named.name.get_ref() == self.from).map(|named| named.name.span());
        let around = span.and_then(|span| Some((text.get(..span.start)?, text.get(span.end..)?)));
        around.map_or_else(|| text.to_owned(), |(before, behind)| format!("{before}\"{}\"{behind}", self.to))
    }

    /// A text with its operations, signals and qualities under the other name.
    fn names(&self, text: &str, is_prose: bool) -> String {
        let quoted = if is_plain(self.to) { text.to_owned() } else { self.quoted(text) };
        replaced(&quoted, self.from, self.to, |before, behind| opens(before, behind, is_prose))
    }

    /// A text whose scripts name the qualities in quotes, as they must where the other name is none that stands behind a dot.
    fn quoted(&self, text: &str) -> String {
        let dots = [("qualities.", "qualities["), ("qualities?.", "qualities?[")];
        dots.iter().fold(text.to_owned(), |text, (dot, bracket)| {
            replaced(&text, &format!("{dot}{}", self.from), &format!("{bracket}\"{}\"]", self.to), |_, _| true)
        })
    }

    /// A text with the paths to the source as they are now.
    fn paths(&self, text: &str) -> String {
        FOLDERS.iter().fold(text.to_owned(), |text, folder| replaced(&text, &format!("{folder}{}", self.from), self.folder, |_, _| true))
    }
}

/// Whether a script may have a name behind a dot.
fn is_plain(name: &str) -> bool {
    name.starts_with(|sign: char| sign.is_ascii_alphabetic()) && !name.contains('-')
}

/// A text with a word replaced wherever it is whole and what stands before and behind it is as is asked.
fn replaced(text: &str, word: &str, by: &str, is_meant: impl Fn(&str, &str) -> bool) -> String {
    let (mut replaced, mut at) = (String::with_capacity(text.len()), 0);
    for (found, _) in text.match_indices(word) {
        let end = found + word.len();
        let (before, behind) = (text.get(..found).unwrap_or_default(), text.get(end..).unwrap_or_default());
        if !before.ends_with(is_of_word) && !behind.starts_with(is_of_word) && is_meant(before, behind) {
            replaced += text.get(at..found).unwrap_or_default();
            replaced += by;
            at = end;
        }
    }
    replaced + text.get(at..).unwrap_or_default()
}

/// Whether a file is written in Markdown, where what is named stands without quotes.
fn is_prose(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "md")
}

/// Whether the word between two parts of a text opens an operation, a signal or a quality, or is the name as a whole.
fn opens(before: &str, behind: &str, is_prose: bool) -> bool {
    let goes_on = |rest: &str| rest.starts_with(char::is_alphanumeric);
    if BEFORE_SPACE.iter().chain(&BEFORE_WHOLE).any(|opens| before.ends_with(opens)) {
        return true;
    }
    // A title, as in `# queue: …` and in `# queue`.
    if (before == "# " || before.ends_with("\n# ")) && behind.starts_with([':', '\n']) {
        return true;
    }
    let begins = before.ends_with(['"', '\'', '`', ':']) || (is_prose && before.ends_with([' ', '[', '{', '(', '\n']));
    match (behind.strip_prefix(':'), behind.strip_prefix('.')) {
        (Some(rest), _) => rest.starts_with('*') || goes_on(rest),
        (None, Some(rest)) => goes_on(rest) && begins && !is_file(behind),
        (None, None) => false,
    }
}

/// Whether what a word goes on with makes a file of it.
fn is_file(behind: &str) -> bool {
    let end = behind.find(|sign: char| !is_of_word(sign) && sign != '.').unwrap_or(behind.len());
    let word = behind.get(..end).unwrap_or_default();
    FILES.iter().any(|ending| word.ends_with(ending))
}
