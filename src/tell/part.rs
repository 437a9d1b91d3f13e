//! Part: a piece of a sentence: words, the name of a thing with its address, or what somebody said.

use serde::{Deserialize, Serialize};

use crate::fact::plain;

/// A piece of a sentence.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ToldPart {
    /// Its words; of what was said the words themselves, without quotation marks.
    pub text: String,
    /// The address of the thing, the place or the being that it names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// Whether somebody said it.
    #[serde(skip_serializing_if = "is_not")]
    pub is_said: bool,
    /// Whether it names whoever did what is told.
    #[serde(skip_serializing_if = "is_not")]
    pub is_who: bool,
    /// Whether it says why it was not done.
    #[serde(skip_serializing_if = "is_not")]
    pub is_why: bool,
}

fn is_not(flag: &bool) -> bool {
    !flag
}

impl ToldPart {
    /// Words that name nothing.
    pub fn words(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// The name of what stands at an address.
    pub fn naming(text: impl Into<String>, to: &str) -> Self {
        Self { to: Some(to.to_owned()), ..Self::words(text) }
    }

    /// What somebody said.
    pub fn said(text: impl Into<String>) -> Self {
        Self { is_said: true, ..Self::words(text) }
    }
}

/// A sentence as one line of bare words; of what was said at most so many characters.
pub fn plain_text(parts: &[ToldPart], most_said: usize) -> String {
    let text = |part: &ToldPart| if part.is_said { quoted(&cut(&part.text, most_said)) } else { part.text.clone() };
    plain(&parts.iter().map(text).collect::<String>()).collect()
}

/// Words as one line in quotation marks: nothing of them moves the cursor of whoever reads.
pub fn quoted(words: &str) -> String {
    let line: String = plain(words).collect();
    format!("“{}”", line.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// At most so many characters of a text.
pub(super) fn cut(text: &str, most: usize) -> String {
    if text.chars().nth(most).is_none() { text.to_owned() } else { text.chars().take(most.saturating_sub(1)).chain(['…']).collect() }
}
