//! Given: what the values of options may be. They are read with the command line, so that a wrong one is a wrong command line (exit code 2).

use std::time::Duration;

use clap::Args;
use clap::builder::RangedU64ValueParser;

use crate::fact::{Millis, Value, parse_duration};
use crate::past::Point;
use crate::run::{Breakpoint, End, Pace};

/// At which point of the past a command looks.
#[derive(Args)]
pub(super) struct AtPoint {
    /// As of a point of the past: 120, 120+, @ada/7, @ada/7+, 2026-03-02T09:00, ~10m or now (`reelm see --help` says what each is)
    #[arg(long, value_name = "POINT", default_value_t)]
    pub(super) at: Point,
}

/// A span of world time: `8h`, `1d`.
pub(super) fn duration(text: &str) -> Result<Millis, String> {
    parse_duration(text).ok_or_else(|| format!("expected a duration such as 8h or 1d, found `{text}`"))
}

/// A span that may be none at all: `30s`, or `0`.
pub(super) fn span(text: &str) -> Result<Millis, String> {
    let millis = if text == "0" { Some(0) } else { parse_duration(text) };
    millis.ok_or_else(|| format!("expected a duration such as 30s, or 0, found `{text}`"))
}

/// How long something is waited for, by the clock on the wall.
pub(super) fn wait(text: &str) -> Result<Duration, String> {
    span(text).map(|millis| Duration::from_millis(millis.unsigned_abs()))
}

/// How many times the speed of the clock.
pub(super) fn pace(text: &str) -> Result<Pace, String> {
    let times = text.parse().ok().and_then(Pace::times);
    times.ok_or_else(|| format!("expected a number of at least {} and at most {}, found `{text}`", Pace::SLOWEST, Pace::FASTEST))
}

/// When a run ends: a condition, or an instant.
pub(super) fn end(text: &str) -> Result<End, String> {
    text.parse::<End>().map_err(|error| error.to_string())
}

/// Behind which moment a world stands still.
pub(super) fn breakpoint(text: &str) -> Result<Breakpoint, String> {
    text.parse::<Breakpoint>().map_err(|error| error.to_string())
}

/// What models may cost: `calls=10`, or `tokens=20000,money=0.5`.
pub(super) fn budget(text: &str) -> Result<Value, String> {
    let wrong = || format!("expected calls=N, tokens=N or money=N, several of them with commas between, found `{text}`");
    let limit = |part: &str| {
        let (key, most) = part.split_once('=').filter(|(key, _)| ["calls", "tokens", "money"].contains(key)).ok_or_else(wrong)?;
        let most = most.parse().ok().filter(|most| *most >= 0.0).and_then(Value::number).ok_or_else(wrong)?;
        Ok::<_, String>((key.to_owned(), most))
    };
    let limits = text.split(',').map(limit).collect::<Result<Vec<_>, _>>()?;
    Ok(Value::map(limits.iter().map(|(key, most)| (key.as_str(), most.clone()))))
}

/// How many of something of which there has to be one at least.
pub(super) fn count() -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(1..)
}

/// How many threads.
pub(super) fn threads() -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(1..=256)
}
