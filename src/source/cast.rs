//! Cast: a world source made of character cards: a room, a being and a role for each card, and its lore as matter beside the room.
//!
//! A character's words, greetings and way of talking are the words of its role. Lore that a card always tells stands there too; the rest
//! lies in a library of its own, of which the role shows the table of contents.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::Path;

use crate::fact::{Text, Value};
use crate::role::Spec;
use crate::verb::{WORDS, tokens_of};

use super::called::{Called, NAME_MAX, ascii, head_of, slug, unique};
use super::card::{Card, CardError, LoreEntry};
use super::files::words_most;
use super::known::built_in;
use super::macros::{role_words, thing_words};
use super::toml_table::TomlTable;

/// Where they are.
const ROOM: &str = "/parlour";
/// The most bytes of a role's words that are made: what a prompt is filled in to holds no more.
const WORDS_MAX: usize = 60 * 1024;
/// The most bytes of one entry of lore: what an act may carry.
const CONTENT_MAX: usize = 512 * 1024;

/// A source that is not written yet.
#[derive(Debug, Default)]
pub struct Cast {
    /// Its files, by their paths in its folder.
    pub files: BTreeMap<String, String>,
    /// Who lives there.
    pub beings: Vec<String>,
    /// The parts that become nothing, each with its card.
    pub left_out: Vec<(String, String)>,
}

/// Makes a source of cards, for a world of that name; the beings are called by these names, in the cards' order, else as the cards say.
pub fn cast(cards: &[Card], names: &[String], world: &str) -> Result<Cast, CardError> {
    let mut cast = Cast::default();
    let (mut called, mut tables, mut most) = (CastNames::new(), String::new(), 0);
    let mut people = String::new();
    for (n, card) in cards.iter().enumerate() {
        let mut part = CastPart::of(card, names.get(n).map(String::as_str), &mut called)?;
        let lore = part.lore();
        let spec = part.role()?;
        most = most.max(tokens_of(&spec.prompt));
        tables += &part.being(&spec.name);
        tables += &lore;
        cast.files.insert(format!("roles/{}.md", spec.name), spec.to_markdown());
        people += &part.for_people();
        cast.left_out.extend(part.left_out.into_iter().map(|what| (card.file.display().to_string(), what)));
        cast.beings.push(part.name);
    }
    cast.files.insert("README.md".to_owned(), readme(world, &people, &cast.left_out));
    cast.files.insert("world.toml".to_owned(), format!("{}{tables}", head(world, most)));
    Ok(cast)
}

/// Writes a source into a new directory.
pub fn write_cast(cast: &Cast, dir: &Path) -> io::Result<()> {
    fs::create_dir(dir)?;
    fs::create_dir(dir.join("roles"))?;
    cast.files.iter().try_for_each(|(path, text)| fs::write(dir.join(path), text))
}

/// How the name of a world is written: letters, digits and `-`.
pub fn world_name(text: &str) -> String {
    let name = ascii(&slug(text));
    if name.is_empty() { "cards".to_owned() } else { name }
}

fn head(world: &str, most: u64) -> String {
    let mut text = format!(
        "name = \"{world}\"\nabout = \"Characters from cards\"\n\n[config]\n# Where their model is: any OpenAI-compatible endpoint will do.\n\"llm.connection\" = \"small\"\n\"llm.small\" = {{ base_url = \"http://127.0.0.1:8080/v1\", model = \"small\" }}\n# They answer each other too.\n\"brakes.depth\" = 8\n"
    );
    if most > words_most(None) {
        text += &format!("# Their cards say more than a role does otherwise.\n\"{WORDS}\" = {}\n", most.next_multiple_of(100));
    }
    text += &format!("\n[[space]]\npath = \"{ROOM}\"\ntype = \"room\"\nallow = [\"say\"]\n");
    text
}

fn readme(world: &str, people: &str, left_out: &[(String, String)]) -> String {
    let lines: String = left_out.iter().map(|(file, what)| format!("- `{file}`: {what}\n")).collect();
    let lines = if lines.is_empty() { "Nothing.\n".to_owned() } else { lines };
    format!("# {world}\n\nMade from character cards by `reelm source from`.\n\n{people}\n## Not carried over\n\n{lines}")
}

/// The names that are given already.
struct CastNames {
    beings: Called,
    roles: BTreeSet<Text>,
}

impl CastNames {
    fn new() -> Self {
        Self { beings: Called::new(), roles: built_in().into_iter().map(|spec| spec.name).chain([Text::from("operator")]).collect() }
    }

    /// The name of a being, as a card or the command line says it.
    fn being(&mut self, card: &Card, given: Option<&str>) -> Result<String, CardError> {
        let said = given.unwrap_or(&card.name);
        let name = slug(said);
        self.beings.take(&name, &format!("which `{}` is called", card.file.display())).map_err(|why| CardError::Name {
            file: card.file.clone(),
            name: said.chars().filter(|letter| !letter.is_control()).take(NAME_MAX).collect(),
            why,
        })?;
        Ok(name)
    }

    /// A role of its own for a being.
    fn role(&mut self, being: &str) -> Text {
        let stem = Some(ascii(being)).filter(|stem| !stem.is_empty()).unwrap_or_else(|| "character".to_owned());
        unique(&stem, |name| self.roles.insert(name.into())).into()
    }
}

/// A card on its way into a source.
struct CastPart<'a> {
    card: &'a Card,
    name: String,
    role: Text,
    /// Where its lore lies.
    library: Option<String>,
    left_out: BTreeSet<String>,
}

impl<'a> CastPart<'a> {
    fn of(card: &'a Card, given: Option<&str>, called: &mut CastNames) -> Result<Self, CardError> {
        let name = called.being(card, given)?;
        let role = called.role(&name);
        let library = card.lore.iter().any(|entry| !entry.constant).then(|| format!("{ROOM}/{}-lore", head_of(&name, NAME_MAX - 5)));
        Ok(Self { card, name, role, library, left_out: card.left_out.clone() })
    }

    fn being(&self, role: &str) -> String {
        let mut table = TomlTable::new("being");
        table.text("name", Some(&self.name));
        table.text("home", Some(ROOM));
        table.text("cognition", Some("llm"));
        table.text("role", Some(role));
        table.into_text()
    }

    /// The role of the character.
    fn role(&mut self) -> Result<Spec, CardError> {
        let names = |list: &[&str]| Value::List(list.iter().map(|name| Value::text(*name)).collect());
        let rel = |rel: &str| Value::map([("rel", Value::text(rel))]);
        let see = Value::List(vec![Value::text(ROOM), Value::text(format!("{ROOM}/**")), rel("self"), rel("caller")]);
        let words = self.words();
        let about =
            format!("{}, from a character card", self.card.character.chars().filter(|letter| !letter.is_control()).collect::<String>());
        let shelf = self.library.as_ref().map(|library| ("see", Value::List(vec![Value::text(format!("shelf({library})"))])));
        let pairs = [
            ("name", Value::from(&self.role)),
            ("description", Value::text(about)),
            ("canSee", see),
            ("canDo", names(&["say", "keep"])),
            ("canSummon", Value::List(vec![rel("caller"), rel("here")])),
            ("triggerOn", names(&["message", "arrival"])),
            ("prompt", Value::text(&words)),
        ];
        let shape =
            |expected: String, found: String| CardError::Shape { file: self.card.file.clone(), at: "/data".to_owned(), expected, found };
        if words.len() > WORDS_MAX {
            return Err(shape(format!("at most {WORDS_MAX} bytes of words in all"), format!("{}; make some of it lore", words.len())));
        }
        Spec::from_value(&Value::map(pairs.into_iter().chain(shelf)))
            .map_err(|error| shape("words that a role can have".to_owned(), error.to_string()))
    }

    /// The words of the role: who the character is, what it knows always, how it greets and how it talks.
    fn words(&mut self) -> String {
        let card = self.card;
        let constant: Vec<&str> = card.lore.iter().filter(|entry| entry.constant).map(|entry| entry.content.as_str()).collect();
        let examples = card.examples.split("<START>").map(str::trim).filter(|example| !example.is_empty()).collect::<Vec<_>>().join("\n\n");
        let parts = [
            ("", card.system.clone()),
            ("", card.description.clone()),
            ("How you are", card.personality.clone()),
            ("Where you are and why", card.scenario.clone()),
            ("What you know", constant.join("\n\n")),
            ("How you greet whoever comes", card.greetings.join("\n\nOr:\n\n")),
            ("How you talk", examples),
            ("Keep in mind", card.last.clone()),
        ];
        let character = &card.character;
        let told = |(title, text): (&str, String)| {
            let words = role_words(&text, character, &mut self.left_out);
            if words.is_empty() || title.is_empty() { words } else { format!("## {title}\n\n{words}") }
        };
        let told: Vec<String> = parts.into_iter().map(told).filter(|words| !words.is_empty()).collect();
        let who = role_words("You are {{char}}.", character, &mut self.left_out);
        std::iter::once(who).chain(told).collect::<Vec<_>>().join("\n\n")
    }

    /// The library of its lore.
    fn lore(&mut self) -> String {
        let Some(library) = self.library.clone() else { return String::new() };
        let mut table = TomlTable::new("space");
        table.text("path", Some(&library));
        table.text("type", Some("library"));
        let (mut text, mut taken) = (table.into_text(), BTreeSet::new());
        for entry in self.card.lore.iter().filter(|entry| !entry.constant) {
            if entry.content.len() > CONTENT_MAX {
                let size = entry.content.len();
                self.left_out.insert(format!(
                    "character_book: the entry `{}`: {size} bytes are more than a thing holds",
                    head_of(&entry.name, NAME_MAX)
                ));
                continue;
            }
            text += &self.thing(&library, entry, &mut taken);
        }
        text
    }

    fn thing(&mut self, library: &str, entry: &LoreEntry, taken: &mut BTreeSet<String>) -> String {
        let mut words = |text: &str| thing_words(text, &self.card.character, &mut self.left_out);
        let keys = entry.keys.iter().map(|key| words(key)).filter(|key| !key.is_empty()).collect::<Vec<_>>().join(", ");
        let stem = Some(slug(&words(&entry.name))).filter(|stem| !stem.is_empty()).unwrap_or_else(|| "entry".to_owned());
        let mut table = TomlTable::new("matter");
        table.text("at", Some(library));
        table.text("name", Some(&unique(&stem, |name| taken.insert(name.to_owned()))));
        table.text("type", Some("lore"));
        table.text("content", Some(&words(&entry.content)));
        if !keys.is_empty() {
            table.put("quality", &Value::map([("doc", Value::map([("about", Value::text(keys))]))]));
        }
        table.into_text()
    }

    /// The remarks of the card for people, as a part of the README.
    fn for_people(&self) -> String {
        let line = |(key, text): &(String, String)| format!("- {key}: {}\n", text.split_whitespace().collect::<Vec<_>>().join(" "));
        let lines: String = self.card.for_people.iter().map(line).collect();
        format!("## @{}\n\n- from: `{}`\n{lines}\n", self.name, self.card.file.display())
    }
}
