//! Requested: what the conditions of an approval may ask of a request to the outside, of its cost, and of whoever asks.

use std::fmt;

use crate::fact::Text;

use super::name;
use super::party::Aspect;

/// The paths of a request and its cost, beside those below its body.
const OF_REQUEST: &[&str] =
    &["request.method", "request.url", "request.host", "request.type", "request.body", "cost.calls", "cost.bytes", "cost.money"];
/// The path of its body, below which all may be asked that the body has.
pub(super) const BODY: &str = "request.body";
/// The beginning of the paths of whoever asks.
const ASKER: &str = "asker.";

/// A property of a request to the outside that the conditions of its approval ask about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Requested {
    /// Of the request or its cost, by its path: `request.method`, `cost.money`.
    Part(Text),
    /// Of whoever asks.
    Asker(Aspect),
}

impl Requested {
    /// The one that is written so.
    pub(super) fn parse(text: &str) -> Option<Self> {
        if let Some(aspect) = text.strip_prefix(ASKER) {
            return Aspect::parse(aspect).map(Self::Asker);
        }
        let is_part = OF_REQUEST.contains(&text) || text.strip_prefix(BODY).is_some_and(|rest| rest.starts_with('.'));
        is_part.then(|| Self::Part(text.into()))
    }

    /// A hint at what may have been meant.
    pub(super) fn suggest(unknown: &str) -> String {
        let askers: Vec<String> = Aspect::WORDS.iter().map(|(word, _)| format!("{ASKER}{word}")).collect();
        let known = OF_REQUEST.iter().copied().chain(askers.iter().map(String::as_str));
        let all = "an approval asks about `request.method`, `.url`, `.host`, `.type`, `.body`, `asker.`, `cost.`, `world.` and `time.`";
        name::did_you_mean("", unknown, known).unwrap_or_else(|| all.to_owned())
    }
}

impl fmt::Display for Requested {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Part(path) => f.write_str(path),
            Self::Asker(aspect) => write!(f, "{ASKER}{aspect}"),
        }
    }
}
