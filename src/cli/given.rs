//! Given: what the values of options may be. They are read with the command line, so that a wrong one is a wrong command line (exit code 2).

use std::path::Path;
use std::time::Duration;

use anyhow::{Result, bail};
use clap::Args;
use clap::builder::RangedU64ValueParser;

use crate::fact::{Millis, Value, parse_duration};
use crate::minds::AheadTerms;
use crate::past::Point;
use crate::run::{Breakpoint, End, Pace};

/// The point of the past at which a command looks.
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

/// How far models are asked ahead.
#[derive(Args)]
pub(super) struct AskedAhead {
    /// How many moments ahead models are asked, while others are waited for; 0 for none [default: four times what a connection answers at once]
    #[arg(long, value_name = "N", value_parser = moments_ahead)]
    ahead: Option<usize>,
    /// How many percent of these calls may be in vain, because somebody of the same place does something first; 0 for none
    #[arg(long, value_name = "PERCENT", value_parser = percent, default_value = "5")]
    ahead_waste: f64,
}

impl AskedAhead {
    pub(super) fn terms(&self) -> AheadTerms {
        AheadTerms { window: self.ahead, waste: self.ahead_waste / 100.0 }
    }
}

/// A number of moments.
fn moments_ahead(text: &str) -> Result<usize, String> {
    let why = parse_duration(text).map_or("", |_| ": moments are counted, not their time");
    text.parse().map_err(|_| format!("expected a number such as 64, or 0, found `{text}`{why}"))
}

/// A share of a hundred.
fn percent(text: &str) -> Result<f64, String> {
    let read = text.parse().ok().filter(|share| (0.0..=100.0).contains(share));
    read.ok_or_else(|| format!("expected a number of at least 0 and at most 100, found `{text}`"))
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

/// Parses a breakpoint: the moment behind which a world stands still.
pub(super) fn breakpoint(text: &str) -> Result<Breakpoint, String> {
    text.parse::<Breakpoint>().map_err(|error| error.to_string())
}

/// Parses the limits of a budget for models: `calls=10`, or `tokens=20000,money=0.5`.
pub(super) fn budget(text: &str) -> Result<Value, String> {
    let wrong = || format!("expected calls=N, tokens=N, bytes=N or money=N, several of them with commas between, found `{text}`");
    let limit = |part: &str| {
        let (key, most) = part.split_once('=').filter(|(key, _)| ["calls", "tokens", "bytes", "money"].contains(key)).ok_or_else(wrong)?;
        let most = most.parse().ok().filter(|most| *most >= 0.0).and_then(Value::number).ok_or_else(wrong)?;
        Ok::<_, String>((key.to_owned(), most))
    };
    let limits = text.split(',').map(limit).collect::<Result<Vec<_>, _>>()?;
    Ok(Value::map(limits.iter().map(|(key, most)| (key.as_str(), most.clone()))))
}

/// The budget of whoever said none: what costs nothing is done all the same.
pub(super) fn no_calls() -> Value {
    Value::map([("calls", Value::Int(0))])
}

/// How many of something of which there has to be one at least.
pub(super) fn count() -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(1..)
}

/// How many threads.
pub(super) fn threads() -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(1..=256)
}

/// Refuses to put a result in the place of a file that is nothing of its kind: one whose text does not begin so.
pub(super) fn may_replace(file: &Path, beginnings: &[&str], kind: &str) -> Result<()> {
    let text = match std::fs::metadata(file) {
        Ok(found) if found.is_file() && found.len() > 0 => std::fs::read(file).unwrap_or_default(),
        _ => return Ok(()),
    };
    if beginnings.iter().any(|beginning| text.starts_with(beginning.as_bytes())) {
        return Ok(());
    }
    bail!("`{}` is there already, and is not {kind}; choose another file", file.display())
}
