//! Timestamp: an instant as people write it, with an offset or in the world's zone.

use std::fmt;

use chrono::offset::LocalResult;
use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime, SecondsFormat, TimeDelta, TimeZone, Utc};
use chrono_tz::Tz;

use crate::fact::Millis;

/// An instant as people write it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timestamp {
    /// With an offset, or `Z`.
    Exact(Millis),
    /// In the world's zone.
    Local(NaiveDateTime),
}

impl std::str::FromStr for Timestamp {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        if let Ok(exact) = DateTime::parse_from_rfc3339(text) {
            return Ok(Self::Exact(exact.timestamp_millis()));
        }
        // An offset also where the seconds are left out, or its minutes.
        if let Some(exact) = ["%Y-%m-%dT%H:%M%#z", "%Y-%m-%dT%H:%M:%S%#z"].iter().find_map(|form| DateTime::parse_from_str(text, form).ok())
        {
            return Ok(Self::Exact(exact.timestamp_millis()));
        }
        let local = text.parse::<NaiveDateTime>().or_else(|_| NaiveDateTime::parse_from_str(text, "%Y-%m-%dT%H:%M"));
        let local = local.or_else(|_| text.parse::<NaiveDate>().map(|day| day.and_time(NaiveTime::MIN)));
        local.map(Self::Local).map_err(|_| ())
    }
}

/// As it is read again.
impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exact(at) => {
                let at = DateTime::<Utc>::from_timestamp_millis(*at).unwrap_or_default();
                write!(f, "{}", at.to_rfc3339_opts(SecondsFormat::AutoSi, true))
            }
            Self::Local(at) if at.time() == NaiveTime::MIN => write!(f, "{}", at.date()),
            Self::Local(at) => write!(f, "{}", at.format("%Y-%m-%dT%H:%M:%S%.f")),
        }
    }
}

/// The fault of the day at the beginning of a text, if the calendar has no such day.
pub fn no_such_day(text: &str) -> Option<String> {
    let (day, _) = text.split_at_checked(10).filter(|(day, _)| day.split('-').map(str::len).eq([4, 2, 2]))?;
    let [year, month, wanted] = day.split('-').map(|part| part.parse::<i32>().ok()).collect::<Option<Vec<_>>>()?.try_into().ok()?;
    if NaiveDate::from_ymd_opt(year, u32::try_from(month).ok()?, u32::try_from(wanted).ok()?).is_some() {
        return None;
    }
    let has = |day: &u32| u32::try_from(month).ok().and_then(|month| NaiveDate::from_ymd_opt(year, month, *day)).is_some();
    Some(match (28..=31).rev().find(has) {
        Some(last) => format!("there is no day {day}: that month has {last} days"),
        None => format!("there is no day {day}: a year has the months 01 to 12"),
    })
}

impl Timestamp {
    /// The instant in a zone. A local time that the clocks leap over there is the next that they show, whole hours later; of one that comes
    /// twice it is the first.
    pub fn in_zone(self, zone: Tz) -> Millis {
        self.resolved(zone, LocalResult::earliest)
    }

    /// The same, but of a local time that comes twice the second.
    pub fn last_in_zone(self, zone: Tz) -> Millis {
        self.resolved(zone, LocalResult::latest)
    }

    /// Whether it is a local time that comes twice in a zone.
    pub fn comes_twice(self, zone: Tz) -> bool {
        matches!(self, Self::Local(local) if matches!(zone.from_local_datetime(&local), LocalResult::Ambiguous(..)))
    }

    fn resolved(self, zone: Tz, pick: fn(LocalResult<DateTime<Tz>>) -> Option<DateTime<Tz>>) -> Millis {
        let local = match self {
            Self::Exact(at) => return at,
            Self::Local(local) => local,
        };
        // The longest leap was a day: Samoa went over the date line.
        let later = (0..=24).filter_map(|hours| local.checked_add_signed(TimeDelta::hours(hours)));
        let found = later.filter_map(|local| pick(zone.from_local_datetime(&local)));
        found.map(|at| at.timestamp_millis()).next().unwrap_or_else(|| local.and_utc().timestamp_millis())
    }
}
