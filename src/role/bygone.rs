//! Bygone: what only a look back can ask of a moment: whose it was, what was done in it and how it closed.
//!
//! A closed list, as that of [`path`](super::path) is: an unknown word behind `moment.` is an error with its place.

use std::fmt;

macro_rules! bygone {
    ($($(#[$doc:meta])* $case:ident = $word:literal);* $(;)?) => {
        /// A property of a closed moment that a look back may ask about.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Bygone { $($(#[$doc])* $case),* }

        impl Bygone {
            /// Every path of this kind.
            pub const WORDS: &[&str] = &[$($word),*];

            /// The one that is written so.
            pub fn parse(text: &str) -> Option<Self> {
                match text {
                    $($word => Some(Self::$case),)*
                    _ => None,
                }
            }
        }

        impl fmt::Display for Bygone {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(match self { $(Self::$case => $word),* })
            }
        }
    };
}

bygone! {
    /// The name of the being whose moment it was.
    Being = "moment.being";
    /// The verb of its call.
    Verb = "moment.verb";
    /// The operation that it called.
    Action = "moment.action";
    /// The target, as its call names it.
    Target = "moment.target";
    /// How it closed: `act`, `see`, `refused`, `failed`, ….
    Closing = "moment.closing";
    /// The code of the refusal or failure.
    Reason = "moment.reason";
    /// The primary role that was worn.
    Role = "moment.role";
    /// The kind of wake that opened it.
    Wake = "moment.wake";
    /// The cognition that thought.
    Cognition = "moment.cognition";
    /// Its seq.
    Seq = "moment.seq";
}
