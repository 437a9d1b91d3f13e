//! Cron: an expression of five fields, or a name for one, and what is wrong with a text that is neither.
//!
//! The grammar here is narrower than the library's, which drops empty entries and reads `JAN` as a minute. A text that passes here is
//! handed to the library, which finds the next instant. The sentences are for people: no seal holds them.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::str::FromStr as _;

use crate::fact::visible;

/// The most characters of an expression: every minute, hour, day and month written out need fewer.
const LENGTH_MAX: usize = 512;
/// The most characters of a text that a sentence repeats.
const SHOWN_MAX: usize = 40;
/// The largest step that is read.
const STEP_MAX: u16 = 9999;
/// The most expressions that a thread keeps as it read them.
const KEPT_MAX: usize = 256;
/// The names that stand for five fields.
const NAMES: [(&str, &str); 7] = [
    ("@hourly", "0 * * * *"),
    ("@daily", "0 0 * * *"),
    ("@midnight", "0 0 * * *"),
    ("@weekly", "0 0 * * 0"),
    ("@monthly", "0 0 1 * *"),
    ("@yearly", "0 0 1 1 *"),
    ("@annually", "0 0 1 1 *"),
];
const MONTHS: [&str; 12] = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];
const DAYS: [&str; 7] = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"];
const FIELDS: [Field; 5] = [
    Field { title: "minute", place: "first", least: 0, most: 59, names: &[], also: "" },
    Field { title: "hour", place: "second", least: 0, most: 23, names: &[], also: "; midnight is 0" },
    Field { title: "day of the month", place: "third", least: 1, most: 31, names: &[], also: "" },
    Field { title: "month", place: "fourth", least: 1, most: 12, names: &MONTHS, also: "" },
    Field { title: "day of the week", place: "fifth", least: 0, most: 7, names: &DAYS, also: "; 0 and 7 are Sunday" },
];
/// The days of the month in which each day of the week comes once, for the first time, the second and so on.
const WEEKS: [&str; 4] = ["1-7", "8-14", "15-21", "22-28"];
const EXPECTED: &str = "minute, hour, day of the month, month, day of the week, such as `0 6 * * MON-FRI`";

/// One of the five fields.
struct Field {
    title: &'static str,
    place: &'static str,
    least: u16,
    most: u16,
    /// The names of its values, the least first.
    names: &'static [&'static str],
    /// A remark on its highest value, for messages.
    also: &'static str,
}

/// The expression of a text, if it is one.
pub fn cron(text: &str) -> Option<croner::Cron> {
    croner::Cron::from_str(&five_fields(text).ok()?).ok()
}

/// The same, read once: a schedule asks at each of its instants.
pub(super) fn kept_cron(text: &str) -> Option<Rc<croner::Cron>> {
    thread_local! { static KEPT: RefCell<BTreeMap<String, Option<Rc<croner::Cron>>>> = RefCell::default(); }
    KEPT.with_borrow_mut(|kept| {
        if !kept.contains_key(text) {
            if kept.len() >= KEPT_MAX {
                kept.clear();
            }
            kept.insert(text.to_owned(), cron(text).map(Rc::new));
        }
        kept.get(text).cloned().flatten()
    })
}

/// The fault of a text that is no expression: the field, what stands there, and what to write.
pub fn cron_wrong(text: &str) -> Option<String> {
    match five_fields(text) {
        Err(what) => Some(what),
        Ok(fields) => cron(text).is_none().then(|| format!("{} is no cron expression; write {EXPECTED}", shown(&fields))),
    }
}

/// Why an expression never comes, for one that never does.
pub fn cron_never(text: &str) -> Option<String> {
    let fields = five_fields(text).ok()?;
    let mut fields = fields.split_whitespace().skip(2);
    let (day, month) = (fields.next()?, fields.next()?);
    Some(format!("no month of {} has the day {}; write a day and a month that come together", shown(month), shown(day)))
}

/// Warnings about an expression that is valid but hardly meant: steps that are longer than their field.
pub fn cron_doubts(text: &str) -> Vec<String> {
    let fields = five_fields(text).unwrap_or_default();
    let parts = fields.split_whitespace().zip(&FIELDS).flat_map(|(written, field)| written.split(',').map(move |part| (part, field)));
    parts.filter_map(|(part, field)| field.doubt(part)).collect()
}

/// The days of an expression that says one of the month and one of the week, and how to say both at once.
pub fn cron_either(text: &str) -> Option<(String, String)> {
    let fields = five_fields(text).ok()?;
    let [minute, hour, day, month, week] = fields.split_whitespace().collect::<Vec<_>>().try_into().ok()?;
    if [day, week].iter().any(|written| matches!(*written, "*" | "?")) || week.starts_with('+') {
        return None;
    }
    let both = match counted(day, week) {
        Some(counted) => format!("{minute} {hour} * {month} {counted}"),
        None => format!("{minute} {hour} {day} {month} +{week}"),
    };
    let (day, week) = (shown(day), shown(week));
    let what = format!("either day is enough: it comes on each day of the month that is {day}, and on each day of the week that is {week}");
    Some((what, format!("for both at once write {}, for either of them two schedules", shown(&both))))
}

/// `MON#1` for a Monday of the days 1 to 7, and so on: nothing where the days are no week of the month.
fn counted(day: &str, week: &str) -> Option<String> {
    let count = WEEKS.iter().position(|days| *days == day)? + 1;
    let is_plain = |part: &str| part.chars().all(|c| c.is_ascii_alphanumeric()) && !part.to_ascii_uppercase().ends_with('L');
    let parts: Vec<&str> = week.split(',').collect();
    parts.iter().all(|part| is_plain(part)).then(|| parts.iter().map(|part| format!("{part}#{count}")).collect::<Vec<_>>().join(","))
}

/// The five fields that a text says, or what is wrong with it.
pub fn five_fields(text: &str) -> Result<String, String> {
    let text = text.trim();
    if text.chars().count() > LENGTH_MAX {
        return Err(format!("expected at most {LENGTH_MAX} characters, found {}", text.chars().count()));
    }
    if text.starts_with('@') {
        return named(text).map(str::to_owned);
    }
    let fields: Vec<&str> = text.split_whitespace().collect();
    if let Some(zone) = fields.first().filter(|first| ["CRON_TZ=", "TZ="].iter().any(|key| first.to_ascii_uppercase().starts_with(key))) {
        return Err(format!("{}: a schedule goes by the world's own zone (`zone` in world.toml); leave this out", shown(zone)));
    }
    if fields.len() != FIELDS.len() {
        return Err(miscounted(&fields));
    }
    fields.iter().zip(&FIELDS).try_for_each(|(written, field)| field.check(written))?;
    Ok(fields.join(" "))
}

/// The fields for which a name stands.
fn named(text: &str) -> Result<&'static str, String> {
    if let Some((_, fields)) = NAMES.iter().find(|(name, _)| name.eq_ignore_ascii_case(text)) {
        return Ok(fields);
    }
    let mut words = text.split_whitespace();
    let name = words.next().unwrap_or_default().to_ascii_lowercase();
    Err(match (name.as_str(), words.next()) {
        ("@every", Some(every)) => format!("{}: an interval is said by `every`, here as every = {}", shown(text), quoted(every)),
        ("@every", None) => "`@every`: an interval is said by `every`, such as every = \"5m\"".to_owned(),
        ("@reboot", _) => {
            "`@reboot`: a world that goes on begins nothing anew; write the instant as `at`, or wake it by a summons".to_owned()
        }
        _ => {
            let known: Vec<&str> = NAMES.iter().map(|(name, _)| *name).collect();
            format!("{} is no name of a schedule; there are {}", shown(text), known.join(", "))
        }
    })
}

/// The advice for more or fewer than five fields.
fn miscounted(fields: &[&str]) -> String {
    let is_year = |field: &&&str| field.len() >= 4 && field.chars().take(4).all(|c| c.is_ascii_digit());
    let is_named =
        |field: &str| field.get(..3).is_some_and(|name| [&MONTHS[..], &DAYS[..]].concat().contains(&&*name.to_ascii_uppercase()));
    let is_clock = |field: &&str| field.starts_with(|c: char| c.is_ascii_digit() || "*?+LH".contains(c)) || is_named(field);
    let seconds = "seconds are said by `every`";
    match fields {
        [] => format!("empty: expected five fields: {EXPECTED}"),
        [five @ .., last] if five.len() == 5 && is_year(&last) => {
            format!("six fields, of which the last is a year; an instant of one year is said by `at`, and cron has five: {EXPECTED}")
        }
        ["0", rest @ ..] if rest.len() == 5 && rest.iter().all(is_clock) => {
            format!("six fields; {seconds}, and without them this is {}", shown(&rest.join(" ")))
        }
        six if six.len() == 6 && six.iter().all(is_clock) => format!("six fields; {seconds}, and cron has five: {EXPECTED}"),
        seven if seven.len() == 7 && seven.iter().all(is_clock) => {
            format!("seven fields; {seconds}, an instant of one year by `at`, and cron has five: {EXPECTED}")
        }
        other => format!("expected five fields, found {}: {EXPECTED}", other.len()),
    }
}

impl Field {
    fn check(&self, written: &str) -> Result<(), String> {
        let list = written.strip_prefix('+').filter(|_| self.is_of_the_week()).unwrap_or(written);
        list.split(',').try_for_each(|part| self.part(part)).map_err(|what| format!("{}: {what}", self.title))
    }

    /// One entry of a list: `*`, a value or a range, each but the value with a step.
    fn part(&self, part: &str) -> Result<(), String> {
        self.foreign(part)?;
        let Some((range, step)) = part.split_once('/') else { return self.without_step(part) };
        if !digits(step).is_some_and(|step| (1..=STEP_MAX).contains(&step)) {
            return Err(format!("expected a step from 1 to {STEP_MAX} behind the `/`, found {}", shown(part)));
        }
        match range {
            "" => Err(format!("{} steps from nowhere; write `*/{step}`", shown(part))),
            "*" => Ok(()),
            "?" if self.takes_anything() => Ok(()),
            _ if range.contains('-') => self.range(range),
            _ => {
                self.value(range)?;
                Err(format!("{} steps from one value; write `{range}-{}/{step}`", shown(part), self.last()))
            }
        }
    }

    fn without_step(&self, part: &str) -> Result<(), String> {
        match part {
            "*" => Ok(()),
            "" => Err("nothing stands beside a comma; leave the comma out".to_owned()),
            "?" if self.takes_anything() => Ok(()),
            "?" => Err("only the two fields of days take `?`; write `*`".to_owned()),
            _ if self.title == "day of the month" && part.to_ascii_uppercase().ends_with(['L', 'W']) => self.day_of_month(part),
            _ if self.is_of_the_week() && part.contains('#') => self.counted_day(part),
            _ if self.is_of_the_week() && part.to_ascii_uppercase().ends_with('L') => self.last_day(part),
            _ if part.contains('-') => self.range(part),
            _ => self.value(part).map(drop),
        }
    }

    /// Whether `?` stands for `*`.
    fn takes_anything(&self) -> bool {
        self.title.starts_with("day")
    }

    /// Refuses the dialects of other cron programs, and says what to write here.
    fn foreign(&self, part: &str) -> Result<(), String> {
        let is_hashed = part.strip_prefix(['H', 'h']).is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '(']));
        if is_hashed {
            return Err(format!(
                "{}: nothing is drawn from a name here; write a number (a population takes `every` with `spread = true`)",
                shown(part)
            ));
        }
        if part.contains('~') {
            return Err(format!("{}: nothing is drawn at random here; write a number", shown(part)));
        }
        match part.chars().find(|c| !c.is_ascii()) {
            Some(c) => Err(format!("{}: `{c}` is none of the plain digits, letters and signs; write those", shown(part))),
            None => Ok(()),
        }
    }

    /// The last of its values, where none is said twice.
    fn last(&self) -> u16 {
        if self.is_of_the_week() { 6 } else { self.most }
    }

    fn is_of_the_week(&self) -> bool {
        self.names.len() == DAYS.len()
    }

    fn range(&self, range: &str) -> Result<(), String> {
        let (from, to) =
            range.split_once('-').filter(|(from, to)| !from.is_empty() && !to.is_empty()).ok_or_else(|| self.neither(range))?;
        let (first, mut last) = (self.value(from)?, self.value(to)?);
        // A week that ends on Sunday ends on 7.
        if to.eq_ignore_ascii_case("SUN") {
            last = self.most;
        }
        if first <= last {
            return Ok(());
        }
        let (least, most) = (self.least, self.last());
        let forward = if first > most { format!("{least}-{last}") } else { format!("{first}-{most},{least}-{last}") };
        Err(format!("{} runs backwards; write `{forward}`", shown(range)))
    }

    fn day_of_month(&self, part: &str) -> Result<(), String> {
        let upper = part.to_ascii_uppercase();
        match upper.strip_suffix('W') {
            _ if upper == "L" => Ok(()),
            Some("L") => Ok(()),
            Some(day) => self.value(day).map(drop),
            None => Err(format!("{}: the last day of the month is `L` alone", shown(part))),
        }
    }

    /// `MON#2`: the second Monday.
    fn counted_day(&self, part: &str) -> Result<(), String> {
        let (day, count) = part.split_once('#').unwrap_or((part, ""));
        if !digits(count).is_some_and(|count| (1..=5).contains(&count)) {
            return Err(format!("expected 1 to 5 behind the `#`, as in `MON#2` for the second Monday, found {}", shown(part)));
        }
        if day.contains('-') { self.range(day) } else { self.value(day).map(drop) }
    }

    /// `5L`: the last Friday.
    fn last_day(&self, part: &str) -> Result<(), String> {
        match part.get(..part.len() - 1) {
            None | Some("") => Err(format!("{}: expected a day before the `L`, as in `FRIL` for the last Friday", shown(part))),
            Some(day) => self.value(day).map(drop),
        }
    }

    /// A number in its bounds, or a name.
    fn value(&self, text: &str) -> Result<u16, String> {
        if !text.is_empty() && text.chars().all(|c| c.is_ascii_digit()) {
            return match digits(text) {
                Some(value) if value < self.least => Err(format!("{} is less than {}", bare(text), self.least)),
                Some(value) if value <= self.most => Ok(value),
                _ => Err(format!("{} is more than {}{}", bare(text), self.most, self.also)),
            };
        }
        let upper = text.to_ascii_uppercase();
        let named = self.names.iter().zip(self.least..).find(|(name, _)| **name == upper);
        named.map(|(_, value)| value).ok_or_else(|| self.unnamed(text, &upper))
    }

    /// The fault of a word that is no name of this field.
    fn unnamed(&self, text: &str, upper: &str) -> String {
        let is_word = !upper.is_empty() && upper.chars().all(|c| c.is_ascii_alphabetic());
        let short = upper.get(..3).unwrap_or(upper);
        if let Some(name) = self.names.iter().find(|name| is_word && **name == short) {
            return format!("{} is written `{name}`", shown(text));
        }
        let other = FIELDS.iter().find(|field| is_word && field.names.contains(&short));
        match other {
            Some(field) => {
                format!("{} is a {}, which is the {} field", shown(text), field.title.replace("day of the week", "day"), field.place)
            }
            None if is_word && !self.names.is_empty() => {
                let names = self.names.join(", ");
                format!("{} is none of {names}, nor a number from {} to {}", shown(text), self.least, self.most)
            }
            None => self.neither(text),
        }
    }

    fn neither(&self, text: &str) -> String {
        format!("expected `*`, a number from {} to {}, a range or a list of them, found {}", self.least, self.most, shown(text))
    }

    fn doubt(&self, part: &str) -> Option<String> {
        let (range, step) = part.split_once('/')?;
        let step = digits(step)?;
        let (first, last) = match range.split_once('-') {
            Some((first, last)) => (self.value(first).ok()?, self.value(last).ok()?),
            None => (self.least, self.last()),
        };
        (step > last.saturating_sub(first)).then(|| {
            format!(
                "{}: {} steps past the end of its field, so it means {first} alone; a longer interval is said by `every`",
                self.title,
                shown(part)
            )
        })
    }
}

/// A number that is written in digits alone.
fn digits(text: &str) -> Option<u16> {
    text.chars().all(|c| c.is_ascii_digit()).then(|| text.parse().ok())?
}

/// A text of the user's in backticks, not longer than a reader needs.
fn shown(text: &str) -> String {
    format!("`{}`", bare(text))
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", bare(text))
}

fn bare(text: &str) -> String {
    let short: String = text.chars().take(SHOWN_MAX).collect();
    visible(&if short.len() < text.len() { short + "…" } else { short })
}
