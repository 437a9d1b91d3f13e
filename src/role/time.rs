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

const MINUTE_MS: Millis = 60_000;
const HOUR_MS: Millis = 3_600_000;
/// How many borders are looked at: more than the hours of a week with a jump in it, and than the minutes of an hour.
const LOOKS_MAX: usize = 240;

/// What a flow reads of time.
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
struct Stand {
    hour: u32,
    minute: u32,
    day: u32,
}

impl TimeReads {
    /// What some conditions read.
    pub(super) fn of(conditions: &[&Condition]) -> Self {
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

fn stand(at: Millis, zone: Tz) -> Option<Stand> {
    let local = local(at, zone)?;
    Some(Stand { hour: local.hour(), minute: local.minute(), day: local.weekday().num_days_from_sunday() })
}

/// What the zone adds to UTC at an instant.
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

/// What conditions read, gathered and sorted.
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

#[cfg(test)]
mod tests {
    use chrono::TimeZone as _;

    use super::super::flow::Flow;
    use super::*;

    fn reads(when: &str) -> TimeReads {
        Flow::compile(&serde_json::from_str(&format!(r#"[{{"when":{when},"role":"a"}}]"#)).unwrap()).unwrap().time().clone()
    }

    fn at(zone: Tz, text: &str) -> Millis {
        zone.from_local_datetime(&NaiveDateTime::parse_from_str(text, "%Y-%m-%d %H:%M:%S").unwrap()).earliest().unwrap().timestamp_millis()
    }

    const VIENNA: Tz = chrono_tz::Europe::Vienna;

    #[test]
    fn idle_for_a_minute_crosses_a_minute_after_the_last_act() {
        let reads = reads(r#"{"time.sinceLastMoment":{"gte":60}}"#);
        assert_eq!(reads.next_crossing(1_000, 500, VIENNA), Some(60_500));
        assert_eq!(reads.next_crossing(60_500, 500, VIENNA), None);
    }

    #[test]
    fn every_comparison_of_a_wait_crosses_where_it_can_change() {
        for (test, wanted) in [
            (r#"{"gte":60}"#, vec![60]),
            (r#"{"lt":60}"#, vec![60]),
            (r#"{"gt":60}"#, vec![61]),
            (r#"{"lte":59.5}"#, vec![60]),
            (r#"{"gte":59.5}"#, vec![60]),
            (r#"{"eq":60}"#, vec![60, 61]),
            ("[5,10]", vec![5, 6, 10, 11]),
            (r#"{"gte":0}"#, vec![]),
            (r#"{"gte":"60"}"#, vec![]),
            (r#"{"present":true}"#, vec![]),
        ] {
            assert_eq!(reads(&format!(r#"{{"time.sinceLastMoment":{test}}}"#)).since_s, wanted, "{test}");
        }
        assert!(reads(r#"{"time.sinceLastMoment":{"gte":{"path":"me.quality.a.b"}}}"#).opaque);
        assert!(reads(r#"{"time.iso":{"startsWith":"2026-"}}"#).opaque);
    }

    #[test]
    fn working_hours_cross_at_nine_and_at_five() {
        let reads = reads(r#"{"time.hour":{"gte":9,"lt":17}}"#);
        let next = |text: &str| reads.next_crossing(at(VIENNA, text), 0, VIENNA);
        assert_eq!(next("2026-01-05 03:10:00"), Some(at(VIENNA, "2026-01-05 09:00:00")));
        assert_eq!(next("2026-01-05 09:00:00"), Some(at(VIENNA, "2026-01-05 17:00:00")));
        // Both comparisons cross at midnight, though together they do not: an answer of one of them changes there.
        assert_eq!(next("2026-01-05 17:00:00"), Some(at(VIENNA, "2026-01-06 00:00:00")));
    }

    #[test]
    fn a_jump_of_the_zone_is_a_crossing_when_it_changes_an_answer() {
        // On 29 March 2026 Vienna goes from 01:59 to 03:00; on 25 October from 02:59 back to 02:00.
        let two = reads(r#"{"time.hour":2}"#);
        assert_eq!(two.next_crossing(at(VIENNA, "2026-03-28 03:00:00"), 0, VIENNA), Some(at(VIENNA, "2026-03-30 02:00:00")));
        let three = reads(r#"{"time.hour":{"gte":2}}"#);
        assert_eq!(three.next_crossing(at(VIENNA, "2026-03-29 00:30:00"), 0, VIENNA), Some(at(VIENNA, "2026-03-29 03:00:00")));
        let october = two.next_crossing(at(VIENNA, "2026-10-25 02:00:00"), 0, VIENNA).unwrap();
        assert_eq!(october, at(VIENNA, "2026-10-25 01:59:59") + 1000 + 2 * HOUR_MS);
        // St John's jumped at one minute past midnight.
        let zone = chrono_tz::America::St_Johns;
        let one = reads(r#"{"time.hour":1}"#);
        assert_eq!(one.next_crossing(at(zone, "2005-04-02 23:30:00"), 0, zone), Some(at(zone, "2005-04-03 01:01:00")));
    }

    #[test]
    fn days_and_minutes_cross_at_their_borders() {
        let sunday = reads(r#"{"time.dayOfWeek":0}"#);
        assert_eq!(sunday.next_crossing(at(VIENNA, "2026-01-05 03:10:00"), 0, VIENNA), Some(at(VIENNA, "2026-01-11 00:00:00")));
        let half = reads(r#"{"time.minute":{"gte":30}}"#);
        assert_eq!(half.next_crossing(at(VIENNA, "2026-01-05 03:10:07"), 0, VIENNA), Some(at(VIENNA, "2026-01-05 03:30:00")));
        let shift = reads(r#"{"me.quality.shift.start":{"lte":{"path":"time.hour"}}}"#);
        assert_eq!(shift.next_crossing(at(VIENNA, "2026-01-05 03:10:07"), 0, VIENNA), Some(at(VIENNA, "2026-01-05 04:00:00")));
        assert_eq!(shift.next_crossing(at(VIENNA, "2026-01-05 23:10:07"), 0, VIENNA), Some(at(VIENNA, "2026-01-06 00:00:00")));
        assert!(reads(r#"{"time.hour":{"lt":24}}"#).is_empty());
        assert_eq!(sunday.next_crossing(i64::MAX, 0, VIENNA), None);
    }

    #[test]
    fn a_crossing_is_exactly_the_first_instant_at_which_an_answer_differs() {
        let reads = reads(r#"{"or":[{"time.hour":[2,3,13]},{"time.dayOfWeek":{"gte":5}}]}"#);
        let answer = |at: Millis| {
            let stand = stand(at, VIENNA).unwrap();
            ([2, 3, 13].contains(&stand.hour), stand.day >= 5)
        };
        for start in ["2026-03-27 22:00:00", "2026-10-23 22:00:00"] {
            let mut from = at(VIENNA, start);
            for _ in 0..12 {
                let next = reads.next_crossing(from, 0, VIENNA).unwrap();
                assert_ne!(answer(next), answer(next - 1));
                assert!((from..next).step_by(MINUTE_MS as usize).all(|at| answer(at) == answer(from)));
                from = next;
            }
        }
    }
}
