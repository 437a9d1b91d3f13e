//! Pairs: an object whose keys stand bare and whose texts stand between marks: `{target:<|"|>/hall<|"|>,count:2}`.

use serde_json::{Map, Value as Json};

use super::mark::{mark_in, mark_len};

/// The marks between which a text stands.
const TEXT_MARKS: [&str; 3] = ["<|\"|>", "<escape>", "\""];
/// The deepest object that is read.
const DEPTH_MAX: usize = 24;

/// The object that a text begins with, and the byte behind it.
pub fn pairs(text: &str) -> Option<(Json, usize)> {
    let mut reader = Pairs { text, at: 0, depth: 0 };
    let value = reader.value().filter(Json::is_object)?;
    Some((value, reader.at))
}

struct Pairs<'t> {
    text: &'t str,
    at: usize,
    depth: usize,
}

impl<'t> Pairs<'t> {
    fn rest(&mut self) -> &'t str {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let trimmed = rest.trim_start();
        self.at += rest.len() - trimmed.len();
        trimmed
    }

    /// Goes behind a mark where it stands next.
    fn takes(&mut self, mark: &str) -> bool {
        let len = mark_len(self.rest(), mark);
        self.at += len.unwrap_or(0);
        len.is_some()
    }

    fn value(&mut self) -> Option<Json> {
        self.depth += 1;
        let value = match self.rest().chars().next()? {
            _ if self.depth > DEPTH_MAX => None,
            '{' => self.object(),
            '[' => self.list(),
            _ => self.text_or_word(),
        };
        self.depth -= 1;
        value
    }

    fn object(&mut self) -> Option<Json> {
        self.at += 1;
        let mut map = Map::new();
        while !self.takes("}") {
            let key = match self.text() {
                Some(key) => key,
                None => self.until([':', '}', ',', '\n'])?,
            };
            if !self.takes(":") {
                return None;
            }
            let value = self.value()?;
            map.insert(key, value);
            if !self.takes(",") && !self.rest().starts_with('}') {
                return None;
            }
        }
        Some(Json::Object(map))
    }

    fn list(&mut self) -> Option<Json> {
        self.at += 1;
        let mut list = Vec::new();
        while !self.takes("]") {
            list.push(self.value()?);
            if !self.takes(",") && !self.rest().starts_with(']') {
                return None;
            }
        }
        Some(Json::Array(list))
    }

    /// A text between two marks of one kind.
    fn text(&mut self) -> Option<String> {
        let rest = self.rest();
        let (mark, len) = TEXT_MARKS.iter().find_map(|mark| Some((*mark, mark_len(rest, mark)?)))?;
        let inside = rest.get(len..)?;
        let (end, behind) = mark_in(inside, mark)?;
        self.at += len + behind;
        Some(inside.get(..end)?.to_owned())
    }

    fn text_or_word(&mut self) -> Option<Json> {
        if let Some(text) = self.text() {
            return Some(Json::String(text));
        }
        let word = self.until([',', '}', ']', '\n'])?;
        Some(serde_json::from_str(&word).unwrap_or(Json::String(word)))
    }

    /// The word before the next of some signs, without marks.
    fn until(&mut self, signs: [char; 4]) -> Option<String> {
        let rest = self.rest();
        let word = rest.get(..rest.find(signs)?)?;
        self.at += word.len();
        Some(word.trim().to_owned()).filter(|word| !word.is_empty() && !word.contains('<'))
    }
}
