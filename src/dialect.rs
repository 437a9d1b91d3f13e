//! Dialect: how a provider of language models is spoken to (floor 3): one file a provider, and nobody else knows the keys of its JSON.
//!
//! Cognition says what a moment asks ([`Question`]) and understands what was said ([`Spoken`]); minds carry the one out and the other back.
//! A [`Dialect`] translates between them and the provider's own words: a record of pure functions.

#[doc(hidden)]
pub mod answered;
#[doc(hidden)]
pub mod anthropic;
#[doc(hidden)]
pub mod ends;
#[doc(hidden)]
pub mod held;
mod openai;
mod record;
mod web;

pub use answered::{BodyFault, body_of, sentence_of};
pub use ends::EndedBy;
pub use held::{ACT, as_held, freed};
pub use record::{ANSWER_TOKENS, Dialect, InnerError, Means, Question, REASONING_PARTS, Spoken, TokenCount, Tool, Used};
pub use web::WEB;

/// Every dialect, a line each; the first is what a connection speaks that names none.
pub static DIALECTS: &[&Dialect] = &[USUAL, &anthropic::DIALECT];

/// The usual one.
pub static USUAL: &Dialect = &openai::DIALECT;

impl Dialect {
    /// The dialect of that word; the usual one where nothing is said.
    pub fn named(word: Option<&str>) -> Result<&'static Self, UnknownDialect> {
        let Some(word) = word else { return Ok(USUAL) };
        DIALECTS.iter().find(|dialect| dialect.word == word).copied().ok_or_else(|| UnknownDialect { found: word.to_owned() })
    }

    /// The one of that word in a record; the usual one where none is written.
    pub fn recorded(word: Option<&str>) -> Option<&'static Self> {
        let Some(word) = word else { return Some(USUAL) };
        DIALECTS.iter().copied().chain([&WEB]).find(|dialect| dialect.word == word)
    }

    /// Its word, where it has to be said.
    pub fn unusual(&self) -> Option<&'static str> {
        (self != USUAL).then_some(self.word)
    }
}

/// A word that is no dialect.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a dialect ({}), found `{found}`", known())]
pub struct UnknownDialect {
    /// The unknown word.
    pub found: String,
}

fn known() -> String {
    DIALECTS.iter().map(|dialect| format!("`{}`", dialect.word)).collect::<Vec<_>>().join(", ")
}
