//! Stems: the word behind the forms of a word, so that what was called *flowerpot* is found by *flowerpots*. The tables are those of Snowball.

use rust_stemmers::{Algorithm, Stemmer};

use crate::fact::{Text, Value, plain_letters};

/// The setting that says in which languages.
pub const LANGUAGES: &str = "recall.languages";
/// Where nothing is said.
const USUAL: &[&str] = &[ENGLISH, "german"];
const ENGLISH: &str = "english";

/// The languages whose stems are known, by their names.
static KNOWN: &[(&str, Algorithm)] = &[
    ("arabic", Algorithm::Arabic),
    ("danish", Algorithm::Danish),
    ("dutch", Algorithm::Dutch),
    (ENGLISH, Algorithm::English),
    ("finnish", Algorithm::Finnish),
    ("french", Algorithm::French),
    ("german", Algorithm::German),
    ("greek", Algorithm::Greek),
    ("hungarian", Algorithm::Hungarian),
    ("italian", Algorithm::Italian),
    ("norwegian", Algorithm::Norwegian),
    ("portuguese", Algorithm::Portuguese),
    ("romanian", Algorithm::Romanian),
    ("russian", Algorithm::Russian),
    ("spanish", Algorithm::Spanish),
    ("swedish", Algorithm::Swedish),
    ("tamil", Algorithm::Tamil),
    ("turkish", Algorithm::Turkish),
];

/// English words whose plural no ending makes.
static IRREGULAR: &[(&str, &str)] = &[
    ("mouse", "mice"),
    ("louse", "lice"),
    ("goose", "geese"),
    ("foot", "feet"),
    ("tooth", "teeth"),
    ("man", "men"),
    ("woman", "women"),
    ("child", "children"),
    ("person", "people"),
    ("ox", "oxen"),
    ("leaf", "leaves"),
    ("loaf", "loaves"),
    ("shelf", "shelves"),
    ("half", "halves"),
    ("calf", "calves"),
    ("wolf", "wolves"),
    ("knife", "knives"),
    ("wife", "wives"),
    ("life", "lives"),
    ("thief", "thieves"),
    ("scarf", "scarves"),
];

/// The other forms of an English word that no ending tells.
pub fn other_forms(word: &str) -> impl Iterator<Item = &'static str> {
    let pairs = IRREGULAR.iter().flat_map(|(one, many)| [(*one, *many), (*many, *one)]);
    pairs.filter_map(move |(form, other)| (form == word).then_some(other))
}

/// The names of all languages whose stems are known.
pub fn stem_languages() -> impl Iterator<Item = &'static str> {
    KNOWN.iter().map(|(name, _)| *name)
}

/// The languages in which the words of a world are found by their stems.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StemLanguages(Vec<&'static str>);

impl Default for StemLanguages {
    fn default() -> Self {
        Self(USUAL.to_vec())
    }
}

impl StemLanguages {
    /// Those that a value names; of others nothing is known.
    pub fn read(value: &Value) -> Self {
        let names: Vec<&str> = value.as_list().unwrap_or_default().iter().filter_map(Value::as_str).collect();
        Self(stem_languages().filter(|known| names.contains(known)).collect())
    }

    /// The stems of a word in small letters, each once.
    pub fn stems(&self, word: &str) -> Vec<Text> {
        let algorithms: Vec<Algorithm> = KNOWN.iter().filter(|(name, _)| self.0.contains(name)).map(|(_, algorithm)| *algorithm).collect();
        let plain = plain_letters(word);
        let one = other_forms(&plain).filter(|_| self.0.contains(&ENGLISH)).collect::<Vec<_>>();
        let written = std::iter::once(word).chain((plain != word).then_some(plain.as_str())).chain(one);
        let stem = |word| algorithms.iter().map(move |algorithm| Stemmer::create(*algorithm).stem(word).as_ref().into());
        let mut stems: Vec<Text> = written.flat_map(stem).collect();
        stems.sort_unstable();
        stems.dedup();
        stems
    }
}
