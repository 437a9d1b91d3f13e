//! Party: what a rule may ask about a deed beside time and signals: who is accountable, who did it, what it was done to and where that goes.
//!
//! A closed list, as that of [`path`](super::path) is: there an unknown path is a doubt, in a rule it is an error.

use std::fmt;

use crate::fact::Text;

macro_rules! parties {
    ($($(#[$doc:meta])* $case:ident = $word:literal);* $(;)?) => {
        /// A party to a deed: a being or thing that has to do with it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Party { $($(#[$doc])* $case),* }

        impl Party {
            /// Every party, in order.
            pub const ALL: &[Self] = &[$(Self::$case),*];

            /// The word for it.
            pub const fn word(self) -> &'static str {
                match self { $(Self::$case => $word),* }
            }
        }
    };
}

parties! {
    /// The being that is accountable: the asker, where a deputy acts.
    Actor = "actor";
    /// The being that did it.
    By = "by";
    /// The thing that it is done to.
    Target = "target";
    /// Where the target goes: of a `move` and a birth.
    To = "to";
}

macro_rules! aspects {
    (
        words { $($(#[$doc:meta])* $case:ident = $word:literal, $says:literal);* $(;)? }
        parts { $($(#[$part_doc:meta])* $part:ident = $prefix:literal, $rest:literal, $part_says:literal);* $(;)? }
    ) => {
        /// A property of a party that a rule may ask about.
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Aspect {
            $($(#[$doc])* $case,)*
            $($(#[$part_doc])* $part(Text),)*
        }

        impl Aspect {
            /// Every aspect that is a whole word, and what it says.
            pub const WORDS: &[(&str, &str)] = &[$(($word, $says)),*];
            /// Every aspect that goes on with a part of its own, what that part is, and what it says.
            pub const PARTS: &[(&str, &str, &str)] = &[$(($prefix, $rest, $part_says)),*];

            /// The aspect of that word.
            pub(super) fn parse(text: &str) -> Option<Self> {
                match text {
                    $($word => return Some(Self::$case),)*
                    _ => {}
                }
                $(if let Some(rest) = text.strip_prefix($prefix) && !rest.is_empty() {
                    return Some(Self::$part(rest.into()));
                })*
                None
            }
        }

        impl fmt::Display for Aspect {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self {
                    $(Self::$case => f.write_str($word),)*
                    $(Self::$part(rest) => write!(f, "{}{rest}", $prefix),)*
                }
            }
        }
    };
}

aspects! {
    words {
        /// Being, space or matter.
        Kind = "kind", "`being`, `space` or `matter`";
        /// Its name.
        Name = "name", "its name";
        /// The type of a space or matter.
        Type = "type", "the type of a space or matter";
        /// Its address.
        Address = "address", "its address, such as `/court` or `@ada`";
        /// The primary that a being wears.
        Role = "role", "the primary that a being wears";
        /// A being's effective cognition.
        Cognition = "cognition", "a being's effective cognition";
        /// The name of a being's parent.
        Parent = "parent", "the name of a being's parent";
        /// The address of a being's home.
        Home = "home", "the address of a being's home";
        /// The name of the being that holds matter.
        Holder = "holder", "the name of the being that holds matter";
        /// The name of who owns a space.
        Owner = "owner", "the name of who owns a space";
        /// How many beings are in a space.
        Count = "count", "how many beings are in a space";
        /// The address of the space that it lies in; a space lies in itself.
        Position = "position", "the address of the space that it lies in; a space lies in itself";
        /// The name of that space.
        SpaceName = "space.name", "the name of that space";
        /// The type of that space.
        SpaceType = "space.type", "its type";
        /// The name of who owns that space.
        SpaceOwner = "space.owner", "the name of its owner";
        /// How many beings are in that space.
        SpaceCount = "space.count", "how many beings are in it";
    }
    parts {
        /// A quality of its own.
        Quality = "quality.", "<namespace>.<key>", "a quality of its own";
        /// A part of what matter is.
        Content = "content.", "<key>", "a part of what matter is, where that is a map";
        /// How much matter of a type it holds itself.
        Holds = "holds.", "<type>", "how many things of a type it holds itself";
        /// A quality of the space that it lies in.
        SpaceQuality = "space.quality.", "<namespace>.<key>", "a quality of the space that it lies in";
    }
}
