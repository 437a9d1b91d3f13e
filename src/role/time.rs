//! Time reads: what a flow asks about time, and the next instant at which an answer can change by itself.
//!
//! Each condition over a clock is tried for every hour, minute or day when its flow is compiled, and kept as one bit each; so the next
//! crossing is found by looking, not by solving. The zone's own jumps are instants like any other. Conditions that no such table can
//! hold (`time.iso`, a wait that is compared with another path) are opaque: nothing wakes for them, and the lint says so.

use std::collections::BTreeSet;

use chrono::{DateTime, Datelike as _, NaiveDateTime, Timelike as _};
use chrono_tz::Tz;

use crate::fact::{Millis, Value};

use super::condition::Condition;
use super::operator::Asks;
use super::path::Path;
use super::seen::Seen;

pub const MINUTE_MS: Millis = 60_000;
pub const HOUR_MS: Millis = 3_600_000;
/// How many borders are looked at: more than the hours of a week with a jump in it, and than the minutes of an hour.
const LOOKS_MAX: usize = 240;

/// The parts of time that a flow reads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TimeReads {
    /// Whole seconds of `time.sinceLastMoment` at which an answer can change, sorted.
    pub since_s: Vec<i64>,
    /// Answers by the hour: bit h is the answer at hour h. None is the same at all hours.
    pub hours: Vec<u32>,
    /// Answers by the minute: bit m is the answer at minute m.
    pub minutes: Vec<u64>,
    /// Answers by the day of the week: bit 0 is Sunday's.
    pub days: Vec<u8>,
    /// Whether something is read that no wake can be computed for.
    pub opaque: bool,
}

/// Where a clock stands: one bit of each kind of answer.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Stand {
    pub hour: u32,
    minute: u32,
    pub day: u32,
}

impl TimeReads {
    /// The parts of time that some conditions read.
    pub fn of(conditions: &[&Condition]) -> Self {
        let mut reads = TimeGathered::default();
        conditions.iter().for_each(|condition| reads.condition(condition));
        Self {
            since_s: reads.since.into_iter().filter(|seconds| *seconds > 0).collect(),
            hours: reads.hours.into_iter().map(|bits| bits as u32).collect(),
            minutes: reads.minutes.into_iter().collect(),
            days: reads.days.into_iter().map(|bits| bits as u8).collect(),
            opaque: reads.opaque,
        }
    }

    /// The same together with what others read.
    pub(super) fn add(&mut self, other: &Self) {
        merge(&mut self.since_s, &other.since_s);
        merge(&mut self.hours, &other.hours);
        merge(&mut self.minutes, &other.minutes);
        merge(&mut self.days, &other.days);
        self.opaque |= other.opaque;
    }

    /// Whether no wake is needed for it.
    pub fn is_empty(&self) -> bool {
        self.since_s.is_empty() && !self.reads_clock()
    }

    fn reads_clock(&self) -> bool {
        !(self.hours.is_empty() && self.minutes.is_empty() && self.days.is_empty())
    }

    /// The first instant after `after` at which an answer can change; `counted_from` is the being's last act or its birth.
    pub fn next_crossing(&self, after: Millis, counted_from: Millis, zone: Tz) -> Option<Millis> {
        let since = self.next_since(after, counted_from);
        let clock = self.next_clock(after, zone);
        match (since, clock) {
            (Some(since), Some(clock)) => Some(since.min(clock)),
            (since, clock) => since.or(clock),
        }
    }

    fn next_since(&self, after: Millis, counted_from: Millis) -> Option<Millis> {
        let at = |seconds: &i64| seconds.checked_mul(1000)?.checked_add(counted_from);
        self.since_s.iter().filter_map(at).find(|at| *at > after)
    }

    fn next_clock(&self, after: Millis, zone: Tz) -> Option<Millis> {
        if !self.reads_clock() {
            return None;
        }
        let unit = if self.minutes.is_empty() { HOUR_MS } else { MINUTE_MS };
        let before = stand(after, zone)?;
        let mut at = after;
        for _ in 0..LOOKS_MAX {
            at = next_border(at, unit, zone)?;
            if self.differs(before, stand(at, zone)?) {
                return Some(at);
            }
        }
        None
    }

    /// Whether any answer differs between two stands of the clock.
    fn differs(&self, a: Stand, b: Stand) -> bool {
        let bit = |bits: u64, place: u32| bits >> place & 1;
        self.hours.iter().any(|bits| bit(u64::from(*bits), a.hour) != bit(u64::from(*bits), b.hour))
            || self.minutes.iter().any(|bits| bit(*bits, a.minute) != bit(*bits, b.minute))
            || self.days.iter().any(|bits| bit(u64::from(*bits), a.day) != bit(u64::from(*bits), b.day))
    }
}

/// Adds what is not there yet, sorted.
fn merge<T: Copy + Ord>(into: &mut Vec<T>, other: &[T]) {
    into.extend_from_slice(other);
    into.sort_unstable();
    into.dedup();
}

fn local(at: Millis, zone: Tz) -> Option<NaiveDateTime> {
    Some(DateTime::from_timestamp_millis(at)?.with_timezone(&zone).naive_local())
}

pub fn stand(at: Millis, zone: Tz) -> Option<Stand> {
    let local = local(at, zone)?;
    Some(Stand { hour: local.hour(), minute: local.minute(), day: local.weekday().num_days_from_sunday() })
}

/// The zone's offset from UTC at an instant.
fn offset(at: Millis, zone: Tz) -> Option<Millis> {
    local(at, zone)?.and_utc().timestamp_millis().checked_sub(at)
}

/// The next instant at which the local clock comes to a whole unit or jumps.
fn next_border(at: Millis, unit: Millis, zone: Tz) -> Option<Millis> {
    let here = offset(at, zone)?;
    let border = at.checked_add(unit - at.checked_add(here)?.rem_euclid(unit))?;
    if offset(border, zone)? == here {
        return Some(border);
    }
    // The zone jumps on the way: its first instant with another offset, by halving.
    let (mut old, mut new) = (at, border);
    while new - old > 1 {
        let middle = old + (new - old) / 2;
        if offset(middle, zone)? == here { old = middle } else { new = middle }
    }
    Some(new)
}

/// The times that conditions read, gathered and sorted.
#[derive(Default)]
struct TimeGathered {
    since: BTreeSet<i64>,
    hours: BTreeSet<u64>,
    minutes: BTreeSet<u64>,
    days: BTreeSet<u64>,
    opaque: bool,
}

impl TimeGathered {
    fn condition(&mut self, condition: &Condition) {
        let asks = condition.operator.asks();
        let is_constant = condition.operand.is_constant();
        match &condition.path {
            // The clock always stands somewhere.
            Path::TimeHour | Path::TimeMinute | Path::TimeDayOfWeek | Path::TimeIso | Path::TimeSinceLastMoment
                if asks == Asks::Presence => {}
            Path::TimeHour => add(&mut self.hours, 24, Some(condition)),
            Path::TimeMinute => add(&mut self.minutes, 60, Some(condition)),
            Path::TimeDayOfWeek => add(&mut self.days, 7, Some(condition)),
            Path::TimeSinceLastMoment if is_constant => self.since.extend(thresholds(condition)),
            Path::TimeIso | Path::TimeSinceLastMoment => self.opaque = true,
            _ => {}
        }
        let mut operands = Vec::new();
        condition.operand.paths(&mut operands);
        for path in operands {
            match path {
                Path::TimeHour => add(&mut self.hours, 24, None),
                Path::TimeMinute => add(&mut self.minutes, 60, None),
                Path::TimeDayOfWeek => add(&mut self.days, 7, None),
                Path::TimeIso | Path::TimeSinceLastMoment => self.opaque = true,
                _ => {}
            }
        }
    }
}

/// The answers of a condition for every stand of a clock; where they hang on something else, the answer may change at every step.
fn add(tables: &mut BTreeSet<u64>, stands: u8, condition: Option<&Condition>) {
    let table = |is: &dyn Fn(u8) -> bool| (0..stands).filter(|stand| is(*stand)).fold(0u64, |bits, stand| bits | 1 << stand);
    let all = table(&|_| true);
    match condition.filter(|condition| condition.operand.is_constant()) {
        Some(condition) => {
            let bits = table(&|stand| condition.holds_for(Seen::Int(i64::from(stand))).unwrap_or(false));
            if bits != 0 && bits != all {
                tables.insert(bits);
            }
        }
        None => {
            // Neighbours differ in one table or the other, the last and the first too.
            tables.insert(table(&|stand| stand % 2 == 0));
            tables.insert(table(&|stand| stand == 0));
        }
    }
}

/// The whole seconds at which a comparison with a number can change.
fn thresholds(condition: &Condition) -> Vec<i64> {
    // A cast from float to integer stops at the integer's own ends.
    let up = |number: f64| number.ceil() as i64;
    let above = |number: f64| (number.floor() as i64).saturating_add(1);
    let values = condition.operand.values().into_iter();
    match condition.operator.asks() {
        Asks::Above { or_same: true } | Asks::Below { or_same: false } => values.filter_map(Value::as_float).map(up).collect(),
        Asks::Above { or_same: false } | Asks::Below { or_same: true } => values.filter_map(Value::as_float).map(above).collect(),
        Asks::Same | Asks::Other => values.filter_map(Value::as_int).flat_map(|n| [n, n.saturating_add(1)]).collect(),
        Asks::Presence | Asks::Form => Vec::new(),
    }
}
