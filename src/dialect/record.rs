//! Record: the functions by which a dialect describes its provider, and the types that they take and give.

use std::fmt;

use serde_json::Value as Json;

use crate::fact::{Reason, Value};

use super::ends::EndedBy;

/// How a provider is spoken to.
pub struct Dialect {
    /// The word for it in a connection.
    pub word: &'static str,
    /// The keys of a body that are written from the moment: no sampling sets them.
    pub ours: &'static [&'static str],
    /// Where a request goes, by a base URL without a slash at its end.
    pub url: fn(&str) -> String,
    /// The header that carries a key.
    pub key: fn(&str) -> (&'static str, String),
    /// The headers that each request has beside that.
    pub headers: &'static [(&'static str, &'static str)],
    /// Writes the body of a request.
    pub body: fn(&Question<'_>) -> Json,
    /// The messages of a body: each its role and its content.
    pub messages: fn(&Json) -> Vec<(String, String)>,
    /// The most tokens that an answer to a body can have; what has no end cannot be reserved.
    pub longest: fn(&Json) -> u64,
    /// The body that asks for twice as long an answer, or for one as long as this where that is less; nothing where it asks for so much already.
    pub longer: fn(Json, Option<u64>) -> Option<Json>,
    /// The body that asks once more, so many further: nothing where the model draws anew by itself.
    pub varied: fn(Json, u64) -> Option<Json>,
    /// The error that an answer is, though its status says that it is none.
    pub fault: fn(&Json) -> Option<InnerError>,
    /// The content of an answer, or the code and place of what is wrong with it.
    pub hear: fn(&Json) -> Result<Spoken, Reason>,
    /// The model and the tokens that an answer states.
    pub usage: fn(&Json) -> Used,
    /// An answer that is this text alone, where one is made up.
    pub says: fn(&str) -> Json,
}

/// The longest answer, in tokens, where nothing sets another end.
pub const ANSWER_TOKENS: i64 = 1024;

/// The types of the parts of an answer's content that are reasoning, which nobody hears.
pub const REASONING_PARTS: &[&str] = &["reasoning", "thinking", "reasoning_text", "redacted_thinking", "thought"];

/// The request of a moment to a model.
pub struct Question<'a> {
    /// The model, as the provider names it.
    pub model: &'a str,
    /// The system prompt: who and where the being is, and what it may do.
    pub system: &'a str,
    /// Why it woke.
    pub user: &'a str,
    /// How it can act.
    pub acts: Means,
    /// Parameters that are sent as they are: a map, or nothing.
    pub sampling: &'a Value,
    /// Whether it says that one call is wanted, where it lists tools.
    pub one_call: bool,
}

/// A body in which the keys of the greatest length, where they stand, ask for twice as much, `most` at most; nothing where none of them grows.
pub(super) fn twice_as_long(mut body: Json, keys: &[&str], most: Option<u64>) -> Option<Json> {
    let map = body.as_object_mut()?;
    let mut has_grown = false;
    for key in keys {
        let Some(value) = map.get_mut(*key) else { continue };
        let Some(now) = value.as_u64() else { continue };
        let twice = now.saturating_mul(2).min(most.unwrap_or(u64::MAX));
        if twice > now {
            (*value, has_grown) = (Json::from(twice), true);
        }
    }
    has_grown.then_some(body)
}

/// How a model can act.
pub enum Means {
    /// By a call of one of these tools.
    Tools(Vec<Tool>),
    /// The same, and the provider holds each call to its tool's schema.
    Held(Vec<Tool>),
    /// By JSON that is held to this schema.
    Schema(Json),
}

/// A tool that a model can call.
#[derive(Clone, Debug, PartialEq)]
pub struct Tool {
    /// Its name.
    pub name: &'static str,
    /// Its description, for the model.
    pub about: &'static str,
    /// The JSON Schema of its arguments.
    pub parameters: Json,
}

/// The content of an answer: a refusal, a call or text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Spoken {
    /// That it will not answer, in its words.
    pub refusal: Option<String>,
    /// The first call that stands beside the text, an object with a name and arguments, and where it stands.
    pub call: Option<(Json, &'static str)>,
    /// The calls that stand beside the text behind it.
    pub more: Vec<Json>,
    /// The text.
    pub text: String,
    /// How it ended.
    pub ended: EndedBy,
}

/// An error inside an answer whose status is well.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InnerError {
    /// The status that it should have had, where it says.
    pub status: Option<i64>,
}

/// The model and the tokens that an answer states.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Used {
    /// The model that answered.
    pub model: Option<String>,
    /// The tokens that were used.
    pub usage: Option<TokenCount>,
}

/// Tokens that were used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TokenCount {
    /// Of the prompt, those that were read from a cache among them.
    pub input: u64,
    /// Of the prompt, read from the provider's cache.
    pub cached: u64,
    /// Of the answer.
    pub output: u64,
}

impl PartialEq for Dialect {
    fn eq(&self, other: &Self) -> bool {
        self.word == other.word
    }
}

impl fmt::Debug for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word)
    }
}
