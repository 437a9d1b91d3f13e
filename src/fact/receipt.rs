//! Receipt: what is said back to whoever asked, where no answer is: as it is recorded, and as a sentence.

use super::code::Code;
use super::value::{Text, Value};

/// How a moment closed that was asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Receipt {
    /// The word of its closing.
    pub closing: Text,
    /// Why, where there is a reason.
    pub code: Option<Code>,
    /// Where, as far as whoever asked may see it.
    pub place: Option<Text>,
    /// The addresses of what it made.
    pub made: Vec<Text>,
    /// By what a draft that it made is published.
    pub hash: Option<Value>,
}

impl Receipt {
    /// As it is recorded.
    pub fn to_value(&self) -> Value {
        let told = [
            ("closing", Value::from(&self.closing)),
            ("code", self.code.map(Code::word).into()),
            ("place", self.place.as_ref().into()),
            ("made", Value::List(self.made.iter().map(Value::from).collect())),
        ];
        Value::map(told.into_iter().chain(self.hash.clone().map(|hash| ("hash", hash))))
    }

    /// Reads one as it was recorded.
    pub fn read(content: &Value) -> Option<Self> {
        let text = |key: &str| content.get(key).and_then(Value::as_text).cloned();
        let made = content.get("made").and_then(Value::as_list).unwrap_or_default();
        Some(Self {
            closing: text("closing")?,
            code: text("code").and_then(|code| code.parse().ok()),
            place: text("place").filter(|place| !place.is_empty()),
            made: made.iter().filter_map(Value::as_text).cloned().collect(),
            hash: content.get("hash").cloned(),
        })
    }

    /// In a sentence, behind the name of whoever was asked.
    pub fn sentence(&self) -> String {
        let place = self.place.as_ref().map(|place| format!(" at `{place}`")).unwrap_or_default();
        let why = self.code.map(|code| format!(": {} [{code}]{place}", code.sentence())).unwrap_or_default();
        let made = if self.made.is_empty() { String::new() } else { format!(", and made {}", self.made.join(" ")) };
        match (self.closing.as_ref(), self.code) {
            ("act", _) => format!("did it{made}"),
            ("refused", _) => format!("could not do it{why}"),
            (_, Some(Code::BrakeCalls)) => format!("asks no model any more{why}"),
            (_, Some(Code::Unspoken)) => format!("gave an answer that does not reach you{why}"),
            ("requeued", _) => format!("waits, and answers later{why}"),
            ("see", _) => format!("looked and did nothing{why}"),
            _ => format!("gave no answer{why}"),
        }
    }
}
