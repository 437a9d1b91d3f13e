//! Point: a point of the past as people name it, and the seq that it stands for: the world there is all frames below that seq.
//!
//! Every command and every route that reads takes one, in one grammar. A name or a date is resolved from the nearest
//! checkpoints on: by bisecting them, and by reading the frames between two.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use chrono_tz::Tz;

use crate::fact::{Millis, N, Seq, parse_duration, write_duration};
use crate::role::or_meant;
use crate::store::{RungName, Store};
use crate::world::{Local, Timestamp, World, no_such_day};

use super::checkpoint::reach;
use super::history::History;
use super::load::{LoadError, NoFrame};

/// The most digits of a number in the name of a moment.
const DIGITS_MAX: usize = 19;

/// A moment as it is named: by its seq, or by its being and its place on the reel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MomentName {
    /// `120`.
    Seq(Seq),
    /// `@ada/7`.
    Of(String, N),
}

/// A point of the past.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Point {
    /// `120`: all frames below that seq; `@ada/7`: the world as that moment was opened on.
    Before(MomentName),
    /// `120+`, `@ada/7+`: right after that frame.
    After(MomentName),
    /// `2026-03-02T09:00`, also with an offset: all frames at or before that instant, in the world's zone where none is said.
    Instant(Timestamp),
    /// `~10m`: so much world time before the newest frame.
    Ago(Millis),
    /// `now`: all frames.
    #[default]
    Now,
}

/// Why there is no such point in a history.
#[derive(Debug, thiserror::Error)]
pub enum PointError {
    /// There is no frame of that seq.
    #[error(transparent)]
    NoFrame(#[from] NoFrame),
    /// The world has not come so far.
    #[error("the world ends before {end}, found {seq}; `{end}` and `now` name it as it is")]
    Beyond {
        /// The value that was asked for.
        seq: Seq,
        /// The first seq that there is not.
        end: Seq,
    },
    /// The world has not come to that instant.
    #[error("the world has come to {now}, found `{point}`; `now` names it as it is")]
    Later {
        /// How far it has come.
        now: String,
        /// The value that was asked for.
        point: Point,
    },
    /// A span ends before it begins.
    #[error(
        "expected a span that ends where it begins or behind that, found it from `{from}` (frame {begins}) to `{to}` (frame {ends}); put them the other way round"
    )]
    Backward {
        /// Where it begins.
        from: Point,
        /// The same as a seq.
        begins: Seq,
        /// Where it ends.
        to: Point,
        /// The same as a seq.
        ends: Seq,
    },
    /// Before the first frame there is nothing.
    #[error("before its first frame, of {first}, there is no world, found `{point}`; `1` shows it as that frame left it")]
    Nothing {
        /// When the first frame was.
        first: String,
        /// The value that was asked for.
        point: Point,
    },
    /// There is no being of that name.
    #[error("there is no being `@{name}` in this world{meant}")]
    NoBeing {
        /// The value that was asked for.
        name: String,
        /// The nearest name, as a question.
        meant: String,
    },
    /// Its reel is shorter.
    #[error("the reel of @{name} has only {next} frames, found `@{name}/{n}`{}", newest_of(name, *next))]
    ShortReel {
        /// Whose.
        name: String,
        /// The value that was asked for.
        n: N,
        /// How many there are.
        next: N,
    },
    /// The history cannot be read.
    #[error(transparent)]
    Load(#[from] LoadError),
}

fn newest_of(name: &str, next: N) -> String {
    next.checked_sub(1).map(|newest| format!("; its newest is `@{name}/{newest}`")).unwrap_or_default()
}

/// The moment that a text may mean which names none: one of a being without its `@`, or all that a being did.
fn moment_meant(text: &str) -> String {
    let is_name = |name: &str| name.starts_with(char::is_alphabetic) && name.chars().all(|sign| sign.is_alphanumeric() || sign == '-');
    let bare = text.trim_start_matches('@');
    match bare.split_once('/') {
        Some((name, n)) if is_name(name) && number(n).is_some() => format!("; did you mean `@{name}/{n}`?"),
        None if is_name(bare) => format!("; `reelm log @{bare}` lists the moments of a being, and `@{bare}/0` is its first"),
        _ => String::new(),
    }
}

/// A number as names of moments have it: digits alone, and no more of them than any number of frames has.
fn number(text: &str) -> Option<u64> {
    let is_one = !text.is_empty() && text.len() <= DIGITS_MAX && text.bytes().all(|digit| digit.is_ascii_digit());
    text.parse().ok().filter(|_| is_one)
}

/// Whether a text begins with a date of four, two and two digits, and goes on as an instant does.
fn is_dated(text: &str) -> bool {
    let is_date = |(at, byte): (usize, u8)| if matches!(at, 4 | 7) { byte == b'-' } else { byte.is_ascii_digit() };
    text.len() >= 10 && text.bytes().take(10).enumerate().all(is_date) && matches!(text.as_bytes().get(10), None | Some(b'T' | b't' | b' '))
}

impl FromStr for MomentName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Some(seq) = number(text.strip_prefix('#').unwrap_or(text)) {
            return Ok(Self::Seq(seq));
        }
        let named = text.strip_prefix('@').and_then(|rest| rest.split_once('/')).filter(|(name, _)| !name.is_empty());
        let (name, n) = named.ok_or_else(|| format!("expected a seq such as 120, or @ada/7, found `{text}`{}", moment_meant(text)))?;
        let n = number(n).ok_or_else(|| format!("expected a number behind `@{name}/`, found `{n}`"))?;
        Ok(Self::Of(name.to_owned(), n))
    }
}

impl fmt::Display for MomentName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Seq(seq) => write!(f, "{seq}"),
            Self::Of(name, n) => write!(f, "@{name}/{n}"),
        }
    }
}

impl FromStr for Point {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "now" {
            return Ok(Self::Now);
        }
        if let Some(span) = text.strip_prefix('~') {
            let ago = parse_duration(span).filter(|_| !span.contains(char::is_whitespace)).map(Self::Ago);
            return ago.ok_or_else(|| format!("expected a duration such as 10m or 1h30m behind `~`, found `{span}`"));
        }
        if text.starts_with('@') {
            return match text.strip_suffix('+') {
                Some(moment) => moment.parse().map(Self::After),
                None => text.parse().map(Self::Before),
            };
        }
        let seq = |text: &str| text.parse::<MomentName>().ok();
        let point = match text.strip_suffix('+') {
            Some(before) => seq(before).map(Self::After),
            None => seq(text).map(Self::Before).or_else(|| text.parse().ok().filter(|_| is_dated(text)).map(Self::Instant)),
        };
        point.ok_or_else(|| {
            if let Some(fault) = no_such_day(text).filter(|_| is_dated(text)) {
                return fault;
            }
            format!("expected a point such as 120, 120+, @ada/7, @ada/7+, 2026-03-02, 2026-03-02T09:00, ~10m or now, found `{text}`")
        })
    }
}

/// As it is read again.
impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Before(moment) => write!(f, "{moment}"),
            Self::After(moment) => write!(f, "{moment}+"),
            Self::Instant(at) => write!(f, "{at}"),
            Self::Ago(span) => write!(f, "~{}", write_duration(*span)),
            Self::Now => write!(f, "now"),
        }
    }
}

impl serde::Serialize for Point {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl<'de> serde::Deserialize<'de> for Point {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        String::deserialize(from)?.parse().map_err(serde::de::Error::custom)
    }
}

/// The frames between two points whose seqs are known; a span never goes back.
pub(super) fn forward((from, begins): (&Point, Seq), (to, ends): (&Point, Seq)) -> Result<Range<Seq>, PointError> {
    if begins > ends {
        return Err(PointError::Backward { from: from.clone(), begins, to: to.clone(), ends });
    }
    Ok(begins..ends)
}

impl History {
    /// The seq that a point stands for: the world there is all frames below it.
    pub fn seq_of(&self, point: &Point) -> Result<Seq, PointError> {
        self.seq_seen(point, || self.world(None, &mut |_| {}))
    }

    /// The frames between two points.
    pub fn span_of(&self, from: &Point, to: &Point) -> Result<Range<Seq>, PointError> {
        forward((from, self.seq_from(from)?), (to, self.seq_of(to)?))
    }

    /// The seq at which a span begins; `0` is where the history begins, though what lies before may have been archived.
    pub fn seq_from(&self, point: &Point) -> Result<Seq, PointError> {
        if *point == Point::Before(MomentName::Seq(0)) { Ok(self.begins()) } else { self.seq_of(point) }
    }

    /// The same, for whoever may have the newest world already: by it names, the zone and the newest instant are known.
    pub fn seq_seen(&self, point: &Point, newest: impl FnOnce() -> Result<World, LoadError>) -> Result<Seq, PointError> {
        let end = self.end();
        let seq = match point {
            Point::Now => Ok(end),
            Point::Before(MomentName::Seq(seq)) if *seq > end => Err(PointError::Beyond { seq: *seq, end }),
            Point::Before(MomentName::Seq(seq)) => Ok(*seq),
            Point::Before(moment) => {
                let seq = self.seq_of_moment_seen(moment, newest)?;
                Ok(self.opened(seq)?.ok_or(NoFrame { seq, end })?)
            }
            Point::After(moment) => Ok(self.seq_of_moment_seen(moment, newest)? + 1),
            Point::Instant(at) => {
                let newest = newest()?;
                if at.comes_twice(newest.zone()) {
                    let taken = Local::of(at.last_in_zone(newest.zone()), newest.zone()).iso();
                    tracing::warn!("{at} comes twice there: taken is the second, {taken}; write the offset for the other");
                }
                let at = at.last_in_zone(newest.zone());
                if at > newest.now() {
                    let now = Local::of(newest.now(), newest.zone()).iso();
                    return Err(PointError::Later { now, point: point.clone() });
                }
                Ok(self.seq_behind(at)?)
            }
            Point::Ago(span) => {
                let newest = newest()?;
                Ok(self.seq_behind(newest.at().saturating_sub(*span))?)
            }
        }?;
        reach(&self.store, seq).map_err(LoadError::from)?;
        Ok(seq)
    }

    /// The seq of a moment.
    pub fn seq_of_moment(&self, moment: &MomentName) -> Result<Seq, PointError> {
        self.seq_of_moment_seen(moment, || self.world_at(self.end()))
    }

    /// The same, for whoever may have the newest world already.
    pub fn seq_of_moment_seen(&self, moment: &MomentName, newest: impl FnOnce() -> Result<World, LoadError>) -> Result<Seq, PointError> {
        let end = self.end();
        let (name, n) = match moment {
            MomentName::Seq(seq) if *seq < end => return Ok(*seq),
            MomentName::Seq(seq) => return Err(NoFrame { seq: *seq, end }.into()),
            MomentName::Of(name, n) => (name, *n),
        };
        let world = newest()?;
        let being = world.being_named(name).ok_or_else(|| {
            let meant = or_meant("@", name, world.beings().map(|being| being.name.as_ref()));
            PointError::NoBeing { name: name.clone(), meant }
        })?;
        let seq = if n < being.next_n { self.nth(being.id, n)? } else { None };
        seq.ok_or_else(|| PointError::ShortReel { name: name.clone(), n, next: being.next_n })
    }

    /// Lets a world of a point stand at the instant that the point names: between two frames time has gone on, and what fades has faded.
    pub fn stand(&self, world: &mut World, point: &Point) -> Result<(), LoadError> {
        let zone = world.zone();
        if let Some(at) = self.instant_of(point, || Ok(zone))? {
            world.stand(at);
        }
        Ok(())
    }

    /// The instant that a point names beside its frames, in a zone that is asked for where the point needs one; none for a moment and for now.
    pub fn instant_of(&self, point: &Point, zone: impl FnOnce() -> Result<Tz, LoadError>) -> Result<Option<Millis>, LoadError> {
        match point {
            Point::Instant(at) => Ok(Some(at.last_in_zone(zone()?))),
            Point::Ago(span) => self.before_newest(*span),
            Point::Now | Point::Before(_) | Point::After(_) => Ok(None),
        }
    }

    /// So much world time before the newest frame.
    fn before_newest(&self, span: Millis) -> Result<Option<Millis>, LoadError> {
        let newest = self.frames(self.end().saturating_sub(1))?.next().transpose()?;
        Ok(newest.map(|frame| frame.draft().at.saturating_sub(span)))
    }

    /// The world at a point: at `now` standing where its clock stands, at an instant there, else where its last frame left it.
    pub fn world_of(&self, point: &Point, progress: &mut dyn FnMut(Seq)) -> Result<World, PointError> {
        self.world_seen(point, || self.world(None, &mut |_| {}), progress)
    }

    /// The same, for whoever may have the newest world already.
    pub fn world_seen(
        &self,
        point: &Point,
        newest: impl FnOnce() -> Result<World, LoadError>,
        progress: &mut dyn FnMut(Seq),
    ) -> Result<World, PointError> {
        if *point == Point::Now {
            return Ok(self.world(None, progress)?);
        }
        let seq = self.begun_seen(point, newest)?;
        let mut world = self.world(Some(seq), progress)?;
        self.stand(&mut world, point)?;
        Ok(world)
    }

    /// The seq of a point at which there is a world.
    pub fn begun(&self, point: &Point) -> Result<Seq, PointError> {
        self.begun_seen(point, || self.world(None, &mut |_| {}))
    }

    /// The same, for whoever may have the newest world already.
    pub fn begun_seen(&self, point: &Point, newest: impl FnOnce() -> Result<World, LoadError>) -> Result<Seq, PointError> {
        let seq = self.seq_seen(point, newest)?;
        if seq > 0 {
            return Ok(seq);
        }
        let first = self.world_at(1)?;
        Err(PointError::Nothing { first: Local::of(first.at(), first.zone()).iso(), point: point.clone() })
    }

    /// The seq at which the world stands at an instant: all frames at or before it.
    pub fn seq_at(&self, at: Millis) -> Result<Seq, LoadError> {
        self.seq_behind(at)
    }

    /// The first seq whose frame is later than an instant; frames never go back in time.
    fn seq_behind(&self, at: Millis) -> Result<Seq, LoadError> {
        let begins = self.ladder().and_then(|ladder| {
            let names: Vec<RungName> = ladder.names().into_iter().filter(|name| name.seq <= self.end()).collect();
            // A rung that cannot be read counts as later: what is found is only where to begin to read.
            let is_later = |name: &RungName| ladder.manifest(*name).is_none_or(|manifest| manifest.at > at);
            let begins = names.get(names.partition_point(is_later)).and_then(|name| ladder.manifest(*name));
            begins.filter(|manifest| manifest.at <= at).map(|manifest| manifest.seq)
        });
        let before = self.store.beginning().filter(|_| begins.is_none());
        if let Some(begun) = before {
            return Err(begun.lacks_all("an instant before that".to_owned(), begun.seq().saturating_sub(1)).into());
        }
        for frame in self.frames(begins.unwrap_or(0))? {
            let frame = frame?;
            if frame.draft().at > at {
                return Ok(frame.draft().seq);
            }
        }
        Ok(self.end())
    }
}
