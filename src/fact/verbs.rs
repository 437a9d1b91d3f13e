//! Verbs: some of the four, to which an act is narrowed.

use std::fmt;
use std::str::FromStr;

use super::canon::{Canon, CanonError, Reader, Writer};
use super::mind::Verb;
use super::words::UnknownWord;

/// Some of the four verbs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Verbs(u8);

impl Verbs {
    /// All four: nothing is narrowed.
    pub const ALL: Self = Self(0b1111);

    const fn bit(verb: Verb) -> u8 {
        1 << verb as u8
    }

    /// Whether a verb is one of them.
    pub const fn contains(self, verb: Verb) -> bool {
        self.0 & Self::bit(verb) != 0
    }

    /// The verbs of a caller that is to change nothing: see and summon.
    pub const ASKING: Self = Self(Self::bit(Verb::See) | Self::bit(Verb::Summon));

    /// Whether all of them are among others.
    pub const fn is_within(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    /// Those that are in both.
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Whether none of the four is missing.
    pub const fn is_all(self) -> bool {
        self.0 == Self::ALL.0
    }

    /// Each of them, in the order of the codes.
    pub fn each(self) -> impl Iterator<Item = Verb> {
        Verb::ALL.iter().copied().filter(move |verb| self.contains(*verb))
    }
}

impl Default for Verbs {
    fn default() -> Self {
        Self::ALL
    }
}

impl FromIterator<Verb> for Verbs {
    fn from_iter<I: IntoIterator<Item = Verb>>(verbs: I) -> Self {
        Self(verbs.into_iter().fold(0, |bits, verb| bits | Self::bit(verb)))
    }
}

impl fmt::Display for Verbs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<&str> = self.each().map(Verb::word).collect();
        f.write_str(&words.join(","))
    }
}

impl FromStr for Verbs {
    type Err = UnknownWord;
    fn from_str(text: &str) -> Result<Self, UnknownWord> {
        text.split(',').map(|word| word.trim().parse::<Verb>()).collect()
    }
}

impl serde::Serialize for Verbs {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_seq(self.each())
    }
}

impl<'de> serde::Deserialize<'de> for Verbs {
    fn deserialize<D: serde::Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        <Vec<Verb> as serde::Deserialize>::deserialize(d).map(|verbs| verbs.into_iter().collect())
    }
}

/// Of each of the four, whether it is one of them.
impl Canon for Verbs {
    fn put(&self, w: &mut Writer) {
        w.array(Verb::ALL.len());
        Verb::ALL.iter().for_each(|verb| self.contains(*verb).put(w));
    }
    fn take(r: &mut Reader<'_>) -> Result<Self, CanonError> {
        r.array_of(Verb::ALL.len())?;
        let mut verbs = Vec::new();
        for verb in Verb::ALL {
            if bool::take(r)? {
                verbs.push(*verb);
            }
        }
        Ok(verbs.into_iter().collect())
    }
}
