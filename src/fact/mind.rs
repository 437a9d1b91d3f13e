//! The small closed lists that facts, roles and frames share: cognition, orientation, rank, trigger, respond mode, the verbs, kinds of wake.

use std::fmt;
use std::str::FromStr;

use super::canon::canon_code;

/// The name given for a member of a closed list is not on it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{found}` is not a known {list}; known are {known}")]
pub struct UnknownWord {
    /// The list.
    pub list: &'static str,
    /// The text as given.
    pub found: String,
    /// What the list holds.
    pub known: String,
}

/// An enum whose cases have one word each, the same in facts, roles, sources, errors and JSON.
macro_rules! words {
    (
        $(#[$doc:meta])* $name:ident, $list:literal { $($(#[$case_doc:meta])* $code:literal => $case:ident = $word:literal),* $(,)? }
        $(reserved { $($kept:literal => $later:literal),* $(,)? })?
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum $name { $($(#[$case_doc])* $case),* }

        impl $name {
            /// Every case, in order.
            pub const ALL: &[Self] = &[$(Self::$case),*];

            /// The word for it.
            pub const fn word(self) -> &'static str {
                match self { $(Self::$case => $word),* }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.word())
            }
        }

        impl FromStr for $name {
            type Err = UnknownWord;
            fn from_str(text: &str) -> Result<Self, UnknownWord> {
                match text {
                    $($word => Ok(Self::$case),)*
                    _ => Err(UnknownWord { list: $list, found: text.to_owned(), known: [$(concat!("`", $word, "`")),*].join(", ") }),
                }
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
                s.serialize_str(self.word())
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
                <String as serde::Deserialize>::deserialize(d)?.parse().map_err(serde::de::Error::custom)
            }
        }

        canon_code!($name { $($code => $case),* }, reserved { $($($kept => $later),*)? });
    };
}

words! {
    /// What turns a being's face into a thought.
    Cognition, "cognition" {
        /// A language model.
        0 => Llm = "llm",
        /// A person.
        1 => Human = "human",
        /// A Rhai script.
        2 => Script = "script",
    }
    reserved { 3 => "bridge", 4 => "panel" }
}

words! {
    /// What a moment folds in.
    Orientation, "orientation" {
        /// The world.
        0 => Forward = "forward",
        /// The world and causal recall of the being's own acts.
        1 => Half = "half",
        /// The being's own acts only.
        2 => Inward = "inward",
    }
}

words! {
    /// How urgent a wake is; an earlier rank is always taken first.
    Rank, "rank" {
        /// A person waits.
        0 => Person = "person",
        /// Before everything but people.
        1 => Urgent = "urgent",
        /// What a summons has unless it says otherwise.
        2 => Normal = "normal",
        /// When nothing else is to do.
        3 => Background = "background",
    }
}

words! {
    /// What may wake a being that wears, or may come to wear, a role.
    Trigger, "trigger" {
        /// A summons.
        0 => Message = "message",
        /// Something said in the space.
        1 => Hear = "hear",
        /// Coming into a space.
        2 => Enter = "enter",
        /// Somebody else coming into the space.
        3 => Arrival = "arrival",
    }
}

words! {
    /// Whether the one who summons awaits an answer.
    RespondMode, "respond mode" {
        /// The answer comes in its own time.
        0 => Async = "async",
        /// No answer is given.
        1 => None = "none",
    }
}

words! {
    /// The four doors.
    Verb, "verb" {
        /// Read.
        0 => See = "see",
        /// Change a thing by an operation.
        1 => Do = "do",
        /// Speak to a being.
        2 => Summon = "summon",
        /// Bind an identity: birth, end, inhabit, release.
        3 => Be = "be",
    }
}

words! {
    /// Why a moment opens.
    WakeKind, "kind of wake" {
        /// A summons.
        0 => Summons = "summons",
        /// A signal changed that the flow reads.
        1 => Signal = "signal",
        /// A schedule is due.
        2 => Schedule = "schedule",
        /// The being came into a space.
        3 => Enter = "enter",
        /// Somebody came to where the being is.
        4 => Arrival = "arrival",
        /// Something was said where the being is.
        5 => Hear = "hear",
        /// A condition over time can change now.
        6 => Crossing = "crossing",
        /// The role continues by itself after an act.
        7 => SelfContinue = "self-continue",
        /// A person acts.
        8 => Gesture = "gesture",
        /// The being has ended and writes its last frame.
        9 => End = "end",
    }
    reserved { 10 => "watch", 11 => "reply-due", 12 => "change" }
}
