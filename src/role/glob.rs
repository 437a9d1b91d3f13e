//! Glob: the one pattern language, used by can* entries, by grants and allow lists, and by the `matches` operator.
//!
//! `*` is any run of characters but `/`, `**` any run at all, `?` one character but `/`; everything else is itself. There are no
//! escapes and no sets. Matching takes time in proportion to pattern + text, whatever either holds, and allocates nothing.

use std::fmt;

use crate::fact::Text;

/// The longest pattern, in characters; a bit each, and one for the end, is kept while matching.
const PATTERN_MAX: usize = 255;

/// The longest text, in bytes, through which a wildcard in the middle is looked for: names and addresses are shorter, and a flow that looks
/// through long texts would hold up its whole world.
pub const TEXT_MAX: usize = 512;

/// Why some text is not a glob.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GlobError {
    /// The pattern is empty.
    #[error("expected a pattern, found empty text; `**` matches everything")]
    Empty,
    /// The pattern is too long.
    #[error("expected a pattern of at most {PATTERN_MAX} characters, found {found}")]
    TooLong {
        /// How long it is.
        found: usize,
    },
    /// More than two stars stand in a row.
    #[error("expected `*` or `**`, found a longer run of stars in `{found}`")]
    Stars {
        /// The pattern.
        found: String,
    },
}

/// A checked pattern.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Glob(Text);

impl Glob {
    /// The pattern, if it is one.
    pub fn new(pattern: &str) -> Result<Self, GlobError> {
        check(pattern).map(|()| Self(pattern.into()))
    }

    /// The pattern as written.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether it matches the whole text.
    pub fn matches(&self, text: &str) -> bool {
        is_match(&self.0, text)
    }

    /// Whether it holds no wildcard and so matches itself only.
    pub fn is_literal(&self) -> bool {
        !self.0.contains(['*', '?'])
    }

    /// Whether a pattern that was found in a value at evaluation matches; one that is not a glob matches nothing.
    pub(super) fn found_matches(pattern: &str, text: &str) -> bool {
        check(pattern).is_ok() && is_match(pattern, text)
    }
}

impl fmt::Display for Glob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

fn check(pattern: &str) -> Result<(), GlobError> {
    let found = pattern.chars().count();
    if pattern.is_empty() {
        Err(GlobError::Empty)
    } else if found > PATTERN_MAX {
        Err(GlobError::TooLong { found })
    } else if pattern.contains("***") {
        Err(GlobError::Stars { found: pattern.to_owned() })
    } else {
        Ok(())
    }
}

/// One step of a pattern.
#[derive(Clone, Copy)]
enum GlobToken {
    /// `**`
    AnyRun,
    /// `*`
    Run,
    /// `?`
    One,
    /// Anything else.
    Literal(char),
}

/// The tokens of a checked pattern, read without memory of their own.
fn tokens(pattern: &str) -> impl Iterator<Item = GlobToken> {
    let mut chars = pattern.chars().peekable();
    std::iter::from_fn(move || {
        Some(match chars.next()? {
            '*' if chars.next_if_eq(&'*').is_some() => GlobToken::AnyRun,
            '*' => GlobToken::Run,
            '?' => GlobToken::One,
            other => GlobToken::Literal(other),
        })
    })
}

/// A bit for each place between two tokens of a pattern: whether what was read so far leads there.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Places<const W: usize>([u64; W]);

impl<const W: usize> Places<W> {
    const NONE: Self = Self([0; W]);

    fn set(&mut self, place: usize) {
        if let Some(word) = self.0.get_mut(place / 64) {
            *word |= 1 << (place % 64);
        }
    }

    fn has(self, place: usize) -> bool {
        self.0.get(place / 64).is_some_and(|word| word & (1 << (place % 64)) != 0)
    }

    fn and(self, other: Self) -> Self {
        let mut words = self.0;
        words.iter_mut().zip(other.0).for_each(|(word, other)| *word &= other);
        Self(words)
    }

    fn or(self, other: Self) -> Self {
        let mut words = self.0;
        words.iter_mut().zip(other.0).for_each(|(word, other)| *word |= other);
        Self(words)
    }

    /// Each place moved behind its token.
    fn next(self) -> Self {
        let (mut words, mut carry) = (self.0, 0);
        for word in &mut words {
            (*word, carry) = ((*word << 1) | carry, *word >> 63);
        }
        Self(words)
    }
}

/// A pattern's tokens by kind: the places before each.
struct Steps<const W: usize> {
    any_runs: Places<W>,
    runs: Places<W>,
    ones: Places<W>,
    /// Of the letters of ASCII.
    letters: [Places<W>; 128],
    end: usize,
}

impl<const W: usize> Steps<W> {
    fn of(pattern: &str) -> Self {
        let none = Places::NONE;
        let mut steps = Self { any_runs: none, runs: none, ones: none, letters: [none; 128], end: 0 };
        for (place, token) in tokens(pattern).enumerate() {
            match token {
                GlobToken::AnyRun => steps.any_runs.set(place),
                GlobToken::Run => steps.runs.set(place),
                GlobToken::One => steps.ones.set(place),
                GlobToken::Literal(letter) => {
                    if let Some(places) = steps.letters.get_mut(letter as usize) {
                        places.set(place);
                    }
                }
            }
            steps.end = place + 1;
        }
        steps
    }

    /// The places before a letter.
    fn before(&self, letter: char, pattern: &str) -> Places<W> {
        self.letters.get(letter as usize).copied().unwrap_or_else(|| {
            let mut places = Places::NONE;
            let found = tokens(pattern).enumerate().filter(|(_, token)| matches!(token, GlobToken::Literal(wanted) if *wanted == letter));
            found.for_each(|(place, _)| places.set(place));
            places
        })
    }

    /// A run may be empty: a place before one is a place behind it too. No two runs stand side by side: three stars are no pattern.
    fn pass_runs(&self, places: Places<W>) -> Places<W> {
        places.or(places.and(self.any_runs.or(self.runs)).next())
    }
}

/// The literal head is compared at once; the rest keeps every place that it may stand at, so that nothing is tried twice.
fn is_match(pattern: &str, text: &str) -> bool {
    let head = pattern.find(['*', '?']).unwrap_or(pattern.len());
    let (head, pattern) = pattern.split_at(head);
    let Some(text) = text.strip_prefix(head) else { return false };
    match pattern {
        "" => text.is_empty(),
        "**" => true,
        "*" => !text.contains('/'),
        _ if text.len() > TEXT_MAX => false,
        // A short pattern fits one word.
        _ if pattern.len() < 64 => walk::<1>(pattern, text),
        _ => walk::<4>(pattern, text),
    }
}

/// Every place at once, a letter at a time: what a pattern is made of changes nothing about what a letter costs.
fn walk<const W: usize>(pattern: &str, text: &str) -> bool {
    let steps = Steps::<W>::of(pattern);
    let mut places = Places::NONE;
    places.set(0);
    places = steps.pass_runs(places);
    for letter in text.chars() {
        let (mut stays, mut moves) = (steps.any_runs, steps.before(letter, pattern));
        if letter != '/' {
            (stays, moves) = (stays.or(steps.runs), moves.or(steps.ones));
        }
        places = steps.pass_runs(places.and(stays).or(places.and(moves).next()));
        if places == Places::NONE {
            return false;
        }
    }
    places.has(steps.end)
}
