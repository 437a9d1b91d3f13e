//! Time as people in the world's zone read it: an instant as hour, day and text, and the next instant of a schedule.

use chrono::offset::LocalResult;
use chrono::{DateTime, Datelike, NaiveDateTime, Offset, TimeZone, Timelike, Utc};
use chrono_tz::Tz;

use crate::fact::{Millis, Timing};

use super::cron::kept_cron;

/// An instant in a zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Local {
    /// 0 to 23.
    pub hour: i64,
    /// 0 to 59.
    pub minute: i64,
    /// 0 is Sunday.
    pub day_of_week: i64,
    /// The zone's offset from UTC, in minutes.
    pub offset: i64,
    at: Millis,
}

impl Local {
    /// Reads an instant in a zone; one beyond the calendar reads as 1970.
    pub fn of(at: Millis, zone: Tz) -> Self {
        let utc = DateTime::<Utc>::from_timestamp_millis(at).unwrap_or_default();
        let local = utc.with_timezone(&zone);
        Self {
            hour: i64::from(local.hour()),
            minute: i64::from(local.minute()),
            day_of_week: i64::from(local.weekday().num_days_from_sunday()),
            offset: i64::from(local.offset().fix().local_minus_utc() / 60),
            at,
        }
    }

    /// Whether its hour comes twice in the zone, since the clocks are set back: its time of day alone does not tell which of the two it is.
    pub fn comes_twice(at: Millis, zone: Tz) -> bool {
        let local = DateTime::<Utc>::from_timestamp_millis(at).unwrap_or_default().with_timezone(&zone).naive_local();
        matches!(zone.from_local_datetime(&local), LocalResult::Ambiguous(..))
    }

    /// As RFC 3339 with the zone's offset, to the millisecond where it has any.
    pub fn iso(&self) -> String {
        iso(self.at, self.offset)
    }
}

/// An instant at an offset in minutes, as RFC 3339.
pub fn iso(at: Millis, offset: i64) -> String {
    let seconds = i32::try_from(offset.saturating_mul(60)).unwrap_or(0);
    let utc = DateTime::<Utc>::from_timestamp_millis(at).unwrap_or_default();
    match chrono::FixedOffset::east_opt(seconds) {
        Some(zone) => zone.from_utc_datetime(&utc.naive_utc()).to_rfc3339_opts(chrono::SecondsFormat::AutoSi, true),
        None => utc.to_rfc3339_opts(chrono::SecondsFormat::AutoSi, true),
    }
}

/// The instant of a local time such as `2026-03-02T06:00:00`; nothing where the zone has no such time.
pub fn instant(text: &str, zone: Tz) -> Option<Millis> {
    let local: NaiveDateTime = text.parse().ok()?;
    zone.from_local_datetime(&local).earliest().map(|at| at.timestamp_millis())
}

/// The first instant after `after` at which a schedule is due. Missed ticks become one, for only the next is asked for.
pub fn next_due(timing: &Timing, set_at: Millis, after: Millis, zone: Tz) -> Option<Millis> {
    match timing {
        Timing::Every { ms, offset } => {
            let (ms, start) = ((*ms).max(1), set_at.checked_add(*offset)?);
            if after < start {
                return Some(start);
            }
            let passed = after.saturating_sub(start) / ms;
            start.checked_add(passed.checked_add(1)?.checked_mul(ms)?)
        }
        Timing::Cron { expression } => {
            let cron = kept_cron(expression)?;
            let from = DateTime::<Utc>::from_timestamp_millis(after)?.with_timezone(&zone);
            cron.find_next_occurrence(&from, false).ok().map(|next| next.timestamp_millis())
        }
        Timing::At { at } => Some(*at).filter(|at| *at > after),
    }
}
