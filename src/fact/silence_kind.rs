//! Silence kind: all that whoever asked is told of a moment that heard a question and gave no answer.

use super::words::words;

words! {
    /// All that whoever asked is told of a moment that gave no answer.
    SilenceKind, "silence" {
        /// It did nothing.
        0 => Looked = "looked",
        /// It did something else.
        1 => Did = "did",
        /// It asked somebody else first: an answer may still come.
        2 => Asked = "asked",
    }
}

impl SilenceKind {
    /// The outcome in words, behind the name of the being that heard the question.
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::Looked => "heard it and gave no answer",
            Self::Did => "heard it, did something else, and gave no answer",
            Self::Asked => "heard it and asked somebody else first",
        }
    }
}
