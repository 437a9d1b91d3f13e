//! Names of things inside a world, and the hashes and numbers by which the outside knows them.
//!
//! Inside a world a thing is named by its making: the (seq, index) of the fact that made it. These names are small, key-free and
//! the same for the same history, so all ordering, all ties and all random streams use them, never keys or hashes.

use std::fmt;
use std::str::FromStr;

use data_encoding::HEXLOWER;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A frame's place in the world's one commit order; genesis is 0.
pub type Seq = u64;
/// A frame's place on its own being's reel; the first is 0.
pub type N = u64;
/// World time: milliseconds since 1970-01-01T00:00:00Z.
pub type Millis = i64;

/// The instants that the calendar has: the years 1 to 9999.
pub const CALENDAR: std::ops::RangeInclusive<Millis> = -62_135_596_800_000..=253_402_300_799_999;

/// The (seq, index) of the fact that made a thing.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Made {
    /// The frame that holds the fact.
    pub seq: Seq,
    /// The fact's place in that frame.
    pub index: u32,
}

/// The text of an id or a hash has the wrong form.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected {expected}, found `{found}`")]
pub struct IdError {
    /// The form that was expected.
    pub expected: &'static str,
    /// The text as given.
    pub found: String,
}

macro_rules! made_id {
    ($(#[$doc:meta])* $name:ident, $letter:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
        pub struct $name(pub Made);

        impl $name {
            /// The id of the thing that fact `index` of frame `seq` makes.
            pub const fn new(seq: Seq, index: u32) -> Self {
                Self(Made { seq, index })
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($letter, "{}.{}"), self.0.seq, self.0.index)
            }
        }

        impl FromStr for $name {
            type Err = IdError;
            fn from_str(text: &str) -> Result<Self, IdError> {
                let wrong = || IdError { expected: concat!("`", $letter, "<seq>.<index>`"), found: text.to_owned() };
                text.strip_prefix($letter).and_then(|rest| rest.parse().ok()).map(Self).ok_or_else(wrong)
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
                s.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
                String::deserialize(d)?.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}

made_id!(
    /// A being, by its birth fact.
    BeingId, "b"
);
made_id!(
    /// A space, by the fact that made it.
    SpaceId, "s"
);
made_id!(
    /// A piece of matter, by the fact that made it.
    MatterId, "m"
);

impl BeingId {
    /// `@world`: born of nothing by the first fact of genesis.
    pub const WORLD: Self = Self::new(0, 0);
}

impl SpaceId {
    /// `/`: made by the second fact of genesis.
    pub const ROOT: Self = Self::new(0, 1);
}

impl FromStr for Made {
    type Err = IdError;

    fn from_str(text: &str) -> Result<Self, IdError> {
        let read = || {
            let (seq, index) = text.split_once('.')?;
            Some(Self { seq: plain(seq)?, index: plain(index)? })
        };
        read().ok_or_else(|| IdError { expected: "`<seq>.<index>`", found: text.to_owned() })
    }
}

/// A number in its one spelling: no sign, and no zeroes before it. Targets that are sealed can so be compared as text.
fn plain<T: FromStr>(digits: &str) -> Option<T> {
    let is_plain = digits == "0" || (!digits.starts_with('0') && digits.bytes().all(|byte| byte.is_ascii_digit()));
    digits.parse().ok().filter(|_| is_plain)
}

impl fmt::Display for Made {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.seq, self.index)
    }
}

impl Serialize for Made {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(self)
    }
}

/// The thing that a fact changes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Thing {
    /// A being.
    Being(BeingId),
    /// A space.
    Space(SpaceId),
    /// A piece of matter.
    Matter(MatterId),
}

impl fmt::Display for Thing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Being(id) => id.fmt(f),
            Self::Space(id) => id.fmt(f),
            Self::Matter(id) => id.fmt(f),
        }
    }
}

impl Serialize for Thing {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(self)
    }
}

/// A BLAKE3 hash.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Hash(pub [u8; 32]);

impl Hash {
    /// The previous hash of the very first frame: `@world` is born of nothing.
    pub const NOTHING: Self = Self([0; 32]);

    /// The hash of some bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self(*blake3::hash(bytes).as_bytes())
    }

    /// The first eight hex digits, for people.
    pub fn short(&self) -> String {
        self.to_string().chars().take(8).collect()
    }
}

/// A world's own 16 bytes, drawn at genesis; every frame carries them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct WorldId(pub [u8; 16]);

macro_rules! hex_bytes {
    ($name:ident, $len:literal, $expected:literal) => {
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}", HEXLOWER.encode_display(&self.0))
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        }

        impl FromStr for $name {
            type Err = IdError;
            fn from_str(text: &str) -> Result<Self, IdError> {
                let wrong = || IdError { expected: $expected, found: text.to_owned() };
                let mut bytes = [0u8; $len];
                // Its one spelling: small letters, and not one digit more or less.
                if text.len() != 2 * $len || HEXLOWER.decode_mut(text.as_bytes(), &mut bytes).is_err() {
                    return Err(wrong());
                }
                Ok(Self(bytes))
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
                s.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
                String::deserialize(d)?.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}

hex_bytes!(Hash, 32, "64 hex digits, small letters");
hex_bytes!(WorldId, 16, "32 hex digits, small letters");
