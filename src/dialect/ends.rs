//! Ends: how an answer ended, by the word that its server says for it. One table serves every dialect, since routers pass on the words of others.

/// How an answer ended, each with the place where it says so.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EndedBy {
    /// It is whole.
    #[default]
    Whole,
    /// It says that it makes a call.
    Calling(&'static str),
    /// It was cut off before its end.
    Cut(&'static str),
    /// Its server could not read the call in it.
    Malformed(&'static str),
    /// The model, or its provider, refuses to go on.
    Refused,
}

const WHOLE: [&str; 7] = ["", "stop", "end_turn", "eos", "eos_token", "stop_sequence", "complete"];
const CALLING: [&str; 3] = ["tool_calls", "function_call", "tool_use"];
const MALFORMED: [&str; 2] = ["malformed_function_call", "unexpected_tool_call"];
const REFUSED: [&str; 9] =
    ["content_filter", "refusal", "sensitive", "spii", "safety", "prohibited_content", "blocklist", "recitation", "guardrail_intervened"];

impl EndedBy {
    /// By its word in any letters, which stands at a place; every word that nobody knows is one of a reply that was cut.
    pub fn by(word: Option<&str>, place: &'static str) -> Self {
        let is_of = |words: &[&str]| words.iter().any(|known| known.eq_ignore_ascii_case(word.unwrap_or_default().trim()));
        if is_of(&WHOLE) {
            Self::Whole
        } else if is_of(&CALLING) {
            Self::Calling(place)
        } else if is_of(&MALFORMED) {
            Self::Malformed(place)
        } else if is_of(&REFUSED) {
            Self::Refused
        } else {
            Self::Cut(place)
        }
    }
}

/// The words of a model that refused, or the word of its server where it has none.
pub(super) fn refused(ended: EndedBy, word: Option<&str>, text: &str) -> Option<String> {
    let said = if text.trim().is_empty() { word.unwrap_or_default() } else { text };
    (ended == EndedBy::Refused).then(|| said.to_owned())
}
