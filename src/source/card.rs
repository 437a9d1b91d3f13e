//! Card: one character card, version 2 or 3, as JSON or in the text of a PNG.
//!
//! Checked in this order: its size, whether it is JSON or a PNG, the text of the PNG, the JSON, which card it says it is, each field.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use data_encoding::BASE64_NOPAD;
use serde_json::{Map, Value};

use super::picture::{PictureError, is_picture, texts};

/// The largest file that is read.
const FILE_MAX: u64 = 32 << 20;
/// The words under which a PNG carries a card, the newer first.
const KEYWORDS: [&str; 2] = ["ccv3", "chara"];
/// The names of the specifications that a card may claim.
const SPECS: [&str; 2] = ["chara_card_v2", "chara_card_v3"];
/// The fields of a card that become something.
const TOLD: [&str; 10] = [
    "name",
    "nickname",
    "description",
    "personality",
    "scenario",
    "first_mes",
    "alternate_greetings",
    "mes_example",
    "system_prompt",
    "post_history_instructions",
];
/// Those that are for people: they stand in the README.
const FOR_PEOPLE: [&str; 5] = ["creator", "character_version", "tags", "creator_notes", "source"];
/// Those of an entry of its book that become something, or say nothing that would be missed.
const ENTRY_TOLD: [&str; 10] =
    ["keys", "content", "name", "comment", "id", "enabled", "constant", "insertion_order", "priority", "secondary_keys"];

/// Why a file is no card.
#[derive(Debug, thiserror::Error)]
pub enum CardError {
    /// The file cannot be read.
    #[error("cannot read `{file}`: {source}")]
    Unread {
        /// The file.
        file: PathBuf,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// It is larger than any card.
    #[error("`{file}`: expected a card of at most {FILE_MAX} bytes, found {size}; make its picture smaller")]
    Huge {
        /// The file.
        file: PathBuf,
        /// Its size.
        size: u64,
    },
    /// It is neither JSON nor a PNG.
    #[error("`{file}`: expected a character card as JSON or in a PNG, found neither; export the card as one of them")]
    Kind {
        /// The file.
        file: PathBuf,
    },
    /// The picture is broken.
    #[error("`{file}`: {source}")]
    Picture {
        /// The file.
        file: PathBuf,
        /// How.
        #[source]
        source: PictureError,
    },
    /// The picture is no card.
    #[error(
        "`{file}`: expected a picture with a card in a tEXt chunk `ccv3` or `chara`, found {found}; export it as a card, since a copy of the picture alone carries none"
    )]
    Bare {
        /// The file.
        file: PathBuf,
        /// The text chunks that it has.
        found: String,
    },
    /// Something stands where something else has to.
    #[error("`{file}`: {at}: expected {expected}, found {found}")]
    Shape {
        /// The file.
        file: PathBuf,
        /// Where.
        at: String,
        /// The expected kind of value.
        expected: String,
        /// What stands there.
        found: String,
    },
    /// Nobody can be called so.
    #[error(
        "`{file}`: expected a name of letters and digits that nobody has, found `{name}`, which {why}; give another by `--name`, one for each card in their order"
    )]
    Name {
        /// The file.
        file: PathBuf,
        /// The name.
        name: String,
        /// Why not.
        why: String,
    },
}

/// An entry of the book that a card brings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LoreEntry {
    pub(super) name: String,
    pub(super) keys: Vec<String>,
    pub(super) content: String,
    /// Whether it is always told.
    pub(super) constant: bool,
}

/// A card as it was read; its texts as they were written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Card {
    /// The file that it was read from.
    pub file: PathBuf,
    /// The name of the character.
    pub name: String,
    /// The name that its words use for it.
    pub(super) character: String,
    pub(super) description: String,
    pub(super) personality: String,
    pub(super) scenario: String,
    pub(super) greetings: Vec<String>,
    pub(super) examples: String,
    pub(super) system: String,
    pub(super) last: String,
    /// The remarks for people: each with its field and its text.
    pub(super) for_people: Vec<(String, String)>,
    pub(super) lore: Vec<LoreEntry>,
    /// The parts that become nothing.
    pub(super) left_out: BTreeSet<String>,
}

impl Card {
    /// Reads a file.
    pub fn read(file: &Path) -> Result<Self, CardError> {
        let unread = |source| CardError::Unread { file: file.to_owned(), source };
        let size = std::fs::metadata(file).map_err(unread)?.len();
        if size > FILE_MAX {
            return Err(CardError::Huge { file: file.to_owned(), size });
        }
        Self::of(file, &std::fs::read(file).map_err(unread)?)
    }

    /// Reads what stands in a file.
    fn of(file: &Path, bytes: &[u8]) -> Result<Self, CardError> {
        let text = if is_picture(bytes) { &carried(file, bytes)? } else { bytes };
        let first = text.iter().find(|byte| !byte.is_ascii_whitespace() && !b"\xef\xbb\xbf".contains(byte));
        if first != Some(&b'{') {
            return Err(CardError::Kind { file: file.to_owned() });
        }
        let start = text.iter().position(|byte| *byte == b'{').unwrap_or(0);
        let json: Value = serde_json::from_slice(text.get(start..).unwrap_or_default()).map_err(|error| CardError::Shape {
            file: file.to_owned(),
            at: format!("line {}", error.line()),
            expected: "JSON".to_owned(),
            found: error.to_string(),
        })?;
        let spec = json.get("spec").and_then(Value::as_str);
        let data = json.get("data").and_then(Value::as_object);
        let (Some(_), Some(data)) = (spec.filter(|spec| SPECS.contains(spec)), data) else {
            let found = match (spec, data) {
                (None, _) => "none; save the card as version 2 in the program that wrote it".to_owned(),
                (Some(spec), None) => format!("`{}` without `data`", spec.chars().take(40).collect::<String>()),
                (Some(spec), Some(_)) => format!("`{}`", spec.chars().take(40).collect::<String>()),
            };
            let expected = format!("`{}` or `{}`, with the card under `data`", SPECS[0], SPECS[1]);
            return Err(CardError::Shape { file: file.to_owned(), at: "/spec".to_owned(), expected, found });
        };
        CardFields { file, at: "/data".to_owned(), map: data }.card()
    }
}

/// The JSON that a picture carries.
fn carried(file: &Path, bytes: &[u8]) -> Result<Vec<u8>, CardError> {
    let texts = texts(bytes).map_err(|source| CardError::Picture { file: file.to_owned(), source })?;
    let find = |keyword: &str| texts.iter().find(|text| text.kind == "tEXt" && text.keyword.eq_ignore_ascii_case(keyword));
    let Some(found) = KEYWORDS.iter().find_map(|keyword| find(keyword)) else {
        let shown =
            |text: &super::picture::PictureText<'_>| format!("{} `{}`", text.kind, text.keyword.chars().take(40).collect::<String>());
        let found = texts.iter().take(5).map(shown).collect::<Vec<_>>().join(", ");
        return Err(CardError::Bare { file: file.to_owned(), found: if found.is_empty() { "no text at all".to_owned() } else { found } });
    };
    let letters: Vec<u8> = found.text.iter().copied().filter(|byte| !byte.is_ascii_whitespace() && *byte != b'=').collect();
    BASE64_NOPAD.decode(&letters).map_err(|error| CardError::Shape {
        file: file.to_owned(),
        at: format!("the chunk `{}`", found.keyword),
        expected: "a card in base64".to_owned(),
        found: error.to_string(),
    })
}

/// An object of a card.
struct CardFields<'a> {
    file: &'a Path,
    at: String,
    map: &'a Map<String, Value>,
}

impl CardFields<'_> {
    fn card(&self) -> Result<Card, CardError> {
        let name = self.text("name")?;
        let nickname = self.text("nickname")?;
        let greetings: Vec<String> = std::iter::once(self.text("first_mes")?).chain(self.texts("alternate_greetings")?).collect();
        let (lore, mut left_out) = self.book()?;
        left_out.extend(self.strange(&[&TOLD[..], &FOR_PEOPLE, &["extensions", "character_book"]]));
        let extensions = self.object("extensions")?;
        left_out.extend(extensions.into_iter().flat_map(|map| map.keys()).map(|key| format!("extensions.{}", shown(key))));
        Ok(Card {
            file: self.file.to_owned(),
            character: if nickname.trim().is_empty() { name.clone() } else { nickname },
            name,
            description: self.text("description")?,
            personality: self.text("personality")?,
            scenario: self.text("scenario")?,
            greetings: greetings.into_iter().filter(|greeting| !greeting.trim().is_empty()).collect(),
            examples: self.text("mes_example")?,
            system: self.text("system_prompt")?,
            last: self.text("post_history_instructions")?,
            for_people: self.for_people(),
            lore,
            left_out,
        })
    }

    /// The entries of its book, and what of them becomes nothing.
    fn book(&self) -> Result<(Vec<LoreEntry>, BTreeSet<String>), CardError> {
        let (mut lore, mut left_out) = (Vec::new(), BTreeSet::new());
        let Some(map) = self.object("character_book")? else { return Ok((lore, left_out)) };
        let book = CardFields { file: self.file, at: format!("{}/character_book", self.at), map };
        left_out.extend(book.strange(&[&["name", "description", "entries", "extensions"]]).map(|key| format!("character_book.{key}")));
        left_out.extend(
            book.object("extensions")?.into_iter().flat_map(Map::keys).map(|key| format!("character_book.extensions.{}", shown(key))),
        );
        for (n, entry) in book.list("entries")?.iter().enumerate() {
            let at = format!("{}/entries/{n}", book.at);
            let map = entry.as_object().ok_or_else(|| self.wrong(&at, "an object", entry))?;
            let fields = CardFields { file: self.file, at, map };
            let one = fields.entry()?;
            // An entry that is off is off in other programs too.
            if !fields.is("enabled", true)? {
                left_out.insert(format!("character_book: the entry `{}`, which is not enabled", shown(&one.name)));
                continue;
            }
            left_out.extend(fields.unmet().map(|key| format!("character_book.entries: `{}`", shown(key))));
            lore.push(one);
        }
        Ok((lore, left_out))
    }

    fn entry(&self) -> Result<LoreEntry, CardError> {
        let keys: Vec<String> = self.texts("keys")?.into_iter().chain(self.texts("secondary_keys")?).collect();
        let named = [self.text("name")?, self.text("comment")?];
        let name = named.into_iter().find(|name| !name.trim().is_empty()).or_else(|| keys.first().cloned()).unwrap_or_default();
        // Version 3 lets an entry begin with lines that say when it is told; here whoever wants to know looks.
        let content = self.text("content")?;
        let is_told = |line: &&str| !line.trim_start().starts_with("@@");
        let content = content.lines().filter(is_told).collect::<Vec<_>>().join("\n");
        Ok(LoreEntry { name, keys, content, constant: self.is("constant", false)? })
    }

    /// The keys of an entry that say something that becomes nothing.
    fn unmet(&self) -> impl Iterator<Item = &str> {
        let says =
            |value: &Value| !matches!(value, Value::Null | Value::Bool(false)) && value.as_object().is_none_or(|map| !map.is_empty());
        let decorated = self
            .map
            .get("content")
            .and_then(Value::as_str)
            .is_some_and(|text| text.lines().any(|line| line.trim_start().starts_with("@@")));
        let keys =
            self.map.iter().filter(move |(key, value)| !ENTRY_TOLD.contains(&key.as_str()) && says(value)).map(|(key, _)| key.as_str());
        keys.chain(decorated.then_some("@@ decorators"))
    }

    /// The keys that say something and that are none of these.
    fn strange(&self, known: &[&[&str]]) -> impl Iterator<Item = String> {
        let says = |value: &Value| match value {
            Value::Null => false,
            Value::Array(list) => !list.is_empty(),
            Value::Object(map) => !map.is_empty(),
            Value::String(text) => !text.is_empty(),
            Value::Bool(_) | Value::Number(_) => true,
        };
        let is_known = |key: &str| known.iter().any(|known| known.contains(&key));
        let strange: Vec<String> =
            self.map.iter().filter(|(key, value)| !is_known(key) && says(value)).map(|(key, _)| shown(key)).collect();
        strange.into_iter()
    }

    fn for_people(&self) -> Vec<(String, String)> {
        let told = |value: &Value| match value {
            Value::String(text) => text.clone(),
            Value::Array(list) => {
                list.iter().map(|item| item.as_str().map_or_else(|| item.to_string(), str::to_owned)).collect::<Vec<_>>().join(", ")
            }
            other => other.to_string(),
        };
        let one = |key: &str| self.map.get(key).filter(|value| !value.is_null()).map(|value| (key.to_owned(), told(value)));
        FOR_PEOPLE.iter().filter_map(|key| one(key)).filter(|(_, text)| !text.trim().is_empty()).collect()
    }

    fn text(&self, key: &str) -> Result<String, CardError> {
        match self.map.get(key) {
            None | Some(Value::Null) => Ok(String::new()),
            Some(Value::String(text)) => Ok(text.clone()),
            Some(other) => Err(self.wrong(&format!("{}/{key}", self.at), "text", other)),
        }
    }

    fn texts(&self, key: &str) -> Result<Vec<String>, CardError> {
        let one = |(n, value): (usize, &Value)| {
            value.as_str().map(str::to_owned).ok_or_else(|| self.wrong(&format!("{}/{key}/{n}", self.at), "text", value))
        };
        self.list(key)?.iter().enumerate().map(one).collect()
    }

    fn list(&self, key: &str) -> Result<&[Value], CardError> {
        match self.map.get(key) {
            None | Some(Value::Null) => Ok(&[]),
            Some(Value::Array(list)) => Ok(list),
            Some(other) => Err(self.wrong(&format!("{}/{key}", self.at), "a list", other)),
        }
    }

    fn object(&self, key: &str) -> Result<Option<&Map<String, Value>>, CardError> {
        match self.map.get(key) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::Object(map)) => Ok(Some(map)),
            Some(other) => Err(self.wrong(&format!("{}/{key}", self.at), "an object", other)),
        }
    }

    fn is(&self, key: &str, default: bool) -> Result<bool, CardError> {
        match self.map.get(key) {
            None | Some(Value::Null) => Ok(default),
            Some(Value::Bool(is)) => Ok(*is),
            Some(other) => Err(self.wrong(&format!("{}/{key}", self.at), "true or false", other)),
        }
    }

    fn wrong(&self, at: &str, expected: &str, found: &Value) -> CardError {
        let found = match found {
            Value::Null => "nothing",
            Value::Bool(_) => "true or false",
            Value::Number(_) => "a number",
            Value::String(_) => "text",
            Value::Array(_) => "a list",
            Value::Object(_) => "an object",
        };
        CardError::Shape { file: self.file.to_owned(), at: at.to_owned(), expected: expected.to_owned(), found: found.to_owned() }
    }
}

/// A word of somebody else's, short enough for a line.
fn shown(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_control()).take(60).collect()
}
