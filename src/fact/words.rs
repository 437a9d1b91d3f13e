//! Words: how a closed list is written down: an enum whose cases have one word each.

/// The name given for a member of a closed list is not on it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{found}` is not a known {list}; known are {known}")]
pub struct UnknownWord {
    /// The list.
    pub list: &'static str,
    /// The text as given.
    pub found: String,
    /// The words on the list.
    pub known: String,
}

/// An enum whose cases have one word each, the same in facts, roles, sources, errors and JSON.
macro_rules! words {
    (
        $(#[$doc:meta])* $name:ident, $list:literal { $($(#[$case_doc:meta])* $code:literal => $case:ident = $word:literal),* $(,)? }
        $(reserved { $($kept:literal => $later:literal),* $(,)? })?
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, schemars::JsonSchema)]
        pub enum $name { $($(#[$case_doc])* #[schemars(rename = $word)] $case),* }

        impl $name {
            /// Every case, in order.
            pub const ALL: &[Self] = &[$(Self::$case),*];

            /// The word for it.
            pub const fn word(self) -> &'static str {
                match self { $(Self::$case => $word),* }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.word())
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::fact::UnknownWord;
            fn from_str(text: &str) -> Result<Self, $crate::fact::UnknownWord> {
                match text {
                    $($word => Ok(Self::$case),)*
                    _ => Err($crate::fact::UnknownWord { list: $list, found: text.to_owned(), known: [$(concat!("`", $word, "`")),*].join(", ") }),
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

        $crate::fact::canon::canon_code!($name { $($code => $case),* }, reserved { $($($kept => $later),*)? });
    };
}

pub(super) use words;
