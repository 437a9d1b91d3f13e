//! Stems: the word behind the forms of a word, so that what was called *flowerpot* is found by *flowerpots*. The tables are those of Snowball.

use rust_stemmers::{Algorithm, Stemmer};

use crate::fact::{Text, Value};

/// The setting that says in which languages.
pub const LANGUAGES: &str = "recall.languages";
/// Where nothing is said.
const USUAL: &[&str] = &["english", "german"];

/// The languages whose stems are known, by their names.
static KNOWN: &[(&str, Algorithm)] = &[
    ("arabic", Algorithm::Arabic),
    ("danish", Algorithm::Danish),
    ("dutch", Algorithm::Dutch),
    ("english", Algorithm::English),
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
        let algorithms = KNOWN.iter().filter(|(name, _)| self.0.contains(name)).map(|(_, algorithm)| *algorithm);
        let mut stems: Vec<Text> = algorithms.map(|algorithm| Stemmer::create(algorithm).stem(word).as_ref().into()).collect();
        stems.sort_unstable();
        stems.dedup();
        stems
    }
}
