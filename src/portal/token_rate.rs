//! Token rate: how many requests one token may make within a second, a minute, an hour or a day, as its maker wants it: `30/m`.

use std::collections::VecDeque;
use std::fmt;
use std::str::FromStr;
use std::time::{Duration, Instant};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The most requests of a rate: the instant of each is remembered.
const COUNT_MAX: u32 = 10_000;

/// How many requests a token may make within any span of its unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TokenRate {
    count: u32,
    unit: RateUnit,
}

/// The span in which requests are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RateUnit {
    Second,
    Minute,
    Hour,
    Day,
}

impl TokenRate {
    /// Lets a request through and remembers it among those that were `asked`; else says how long to wait.
    pub fn admit(self, asked: &mut VecDeque<Instant>, now: Instant) -> Result<(), Duration> {
        admit((self.count as usize, self.unit.span()), asked, now)
    }

    /// The rate in words: `30 requests a minute`.
    pub fn in_words(self) -> String {
        let plural = if self.count == 1 { "" } else { "s" };
        format!("{} request{plural} {}", self.count, self.unit.words())
    }
}

/// Lets one more through and remembers it, where no more than so many came within a span; else says how long to wait.
pub fn admit((count, span): (usize, Duration), asked: &mut VecDeque<Instant>, now: Instant) -> Result<(), Duration> {
    let passed = |first: &Instant| now.saturating_duration_since(*first);
    while asked.front().is_some_and(|first| passed(first) >= span) {
        asked.pop_front();
    }
    match asked.front() {
        Some(first) if asked.len() >= count => Err(span.saturating_sub(passed(first))),
        _ => {
            asked.push_back(now);
            Ok(())
        }
    }
}

impl RateUnit {
    const ALL: [Self; 4] = [Self::Second, Self::Minute, Self::Hour, Self::Day];

    fn letter(self) -> &'static str {
        match self {
            Self::Second => "s",
            Self::Minute => "m",
            Self::Hour => "h",
            Self::Day => "d",
        }
    }

    fn words(self) -> &'static str {
        match self {
            Self::Second => "a second",
            Self::Minute => "a minute",
            Self::Hour => "an hour",
            Self::Day => "a day",
        }
    }

    fn span(self) -> Duration {
        let seconds = match self {
            Self::Second => 1,
            Self::Minute => 60,
            Self::Hour => 60 * 60,
            Self::Day => 24 * 60 * 60,
        };
        Duration::from_secs(seconds)
    }
}

impl FromStr for TokenRate {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let read = || {
            let (count, letter) = text.split_once('/')?;
            let unit = RateUnit::ALL.into_iter().find(|unit| unit.letter() == letter)?;
            let is_plain = count.bytes().all(|byte| byte.is_ascii_digit());
            let count = count.parse().ok().filter(|count| is_plain && (1..=COUNT_MAX).contains(count))?;
            Some(Self { count, unit })
        };
        read().ok_or_else(|| format!("expected a rate such as 30/m: 1 to {COUNT_MAX} requests, then /s, /m, /h or /d; found `{text}`"))
    }
}

impl fmt::Display for TokenRate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.count, self.unit.letter())
    }
}

impl Serialize for TokenRate {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for TokenRate {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}
