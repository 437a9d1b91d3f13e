//! Pulse: the moments of a stream that is not to carry them all: those that matter most whole, and the count of the others.
//!
//! While few happen in view, each is sent at once. Else half a second is gathered, the best of it are sent in order, and one pulse counts
//! all that came since the event before it that has an id. So whoever goes on behind an id misses nothing and counts nothing twice.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;
use utoipa::ToSchema;

use crate::fact::{ClosingKind, Code, Coords, Made, Millis, Seq, Text};
use crate::past::Report;

/// How long is gathered.
pub const WINDOW: Duration = Duration::from_millis(500);
/// How many whole moments a second may be asked for.
const MOST: usize = 1000;
/// How many children of the view a pulse counts.
const PLACES: usize = 64;
/// How many beings a pulse says something of.
const BEINGS: usize = 500;

/// A being that is known to the world, and where it stands now: by numbers, which are short.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Stands {
    /// The being.
    pub being: u64,
    /// The space.
    pub space: u64,
}

/// A being or a space by a number that a page keeps in eight bytes: the frame that made it, and which of that frame's facts.
pub fn number(made: Made) -> u64 {
    (made.seq << 20) | u64::from(made.index)
}

/// A being that has moved: the being, the space, and where on its grid.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Moved(pub Vec<i64>);

/// A being that wears something else: its number, and its primary role.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Wears(pub u64, #[schema(value_type = String)] pub Text);

/// How many moments a place had: its address, and the number.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Busy(pub String, pub u64);

/// A count of the moments since the event before it that has an id.
#[derive(Clone, Debug, Default, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Pulse {
    /// The first seq that it does not count.
    #[schema(value_type = u64)]
    pub seq: Seq,
    /// When its last moment was, in milliseconds of world time.
    #[schema(value_type = i64)]
    pub at: Millis,
    /// The same, as people read it.
    pub time: String,
    /// How many moments: all that one may know of, also those that were sent whole without an id.
    pub moments: u64,
    /// How many of them acted.
    pub acts: u64,
    /// How many looked.
    pub looks: u64,
    /// How many were refused.
    pub refused: u64,
    /// How many failed, or were given up.
    pub failed: u64,
    /// How many frames were not sent whole.
    pub skipped: u64,
    /// The view and the places right in it, each with its moments; the busiest 64.
    #[schema(value_type = Vec<Vec<serde_json::Value>>)]
    pub places: Vec<Busy>,
    /// The beings that stand elsewhere in view: `[being, space]`, on a grid `[being, space, x, y]`; numbers as `/api/crowd` tells them.
    #[schema(value_type = Vec<Vec<i64>>)]
    pub moved: Vec<Moved>,
    /// The beings in view that wear another role: `[being, role]`.
    #[schema(value_type = Vec<Vec<serde_json::Value>>)]
    pub worn: Vec<Wears>,
    /// Whether there were more places or beings than it tells.
    pub is_cut: bool,
}

/// An event to be sent.
#[derive(Clone, Debug)]
pub enum Outgoing {
    /// A moment; with an id where nothing before it was left out.
    Moment {
        /// The moment.
        report: Arc<Report>,
        /// Whether whoever asks may go on behind it.
        has_id: bool,
    },
    /// The count of the moments left out.
    Pulse(Box<Pulse>),
}

/// The rank of a moment in a sample: the lowest matters most.
fn rank(report: &Report, is_own: bool) -> u8 {
    match report.closing {
        _ if is_own => 0,
        ClosingKind::Failed | ClosingKind::DeadLetter => 0,
        _ if report.is_refused() => 0,
        _ if report.said.is_some() => 1,
        _ if report.cognition == "human" || report.driver.is_some() => 2,
        _ => 3,
    }
}

/// One that waits for the end of its half second. Of equal ones any is as good, so they are taken from all over it.
type Ranked = (u8, u64, Arc<Report>);

/// A stream's moments.
pub struct Pulsing {
    /// The address of the view, which ends in a stroke.
    view: String,
    most: usize,
    before: usize,
    now: usize,
    held: Vec<Ranked>,
    /// How many were held, also of those that were dropped for better ones.
    gathered: usize,
    counts: Pulse,
    places: BTreeMap<String, u64>,
    moved: BTreeMap<u64, Moved>,
    worn: BTreeMap<u64, Text>,
}

impl Pulsing {
    /// A stream that shows a space, and at most so many moments a second.
    pub fn new(view: &str, most: Option<usize>) -> Self {
        Self {
            view: format!("{}/", view.trim_end_matches('/')),
            most: most.unwrap_or(MOST).clamp(1, MOST),
            before: 0,
            now: 0,
            held: Vec::new(),
            gathered: 0,
            counts: Pulse::default(),
            places: BTreeMap::new(),
            moved: BTreeMap::new(),
            worn: BTreeMap::new(),
        }
    }

    /// Whether anything waits for the end of the half second.
    pub fn is_open(&self) -> bool {
        self.counts.seq > 0 || self.now > 0
    }

    fn holds(&self, place: &str) -> bool {
        self.view == "/" || place == self.view.trim_end_matches('/') || place.starts_with(&self.view)
    }

    /// Takes up a moment; sends it at once where few happen. An act of the watcher's own is in view wherever it is.
    pub fn take(&mut self, report: Arc<Report>, stands: Option<Stands>, is_own: bool) -> Option<Outgoing> {
        let is_in = is_own || self.holds(&report.space) || self.holds(&report.place);
        let is_at_once = is_in && self.gathered == 0 && 4 * (self.before + self.now) < self.most;
        let has_id = is_at_once && self.counts.skipped == 0;
        if is_at_once {
            self.now += 1;
        }
        if has_id {
            self.counts = Pulse::default();
            self.forget();
            return Some(Outgoing::Moment { report, has_id });
        }
        self.count(&report, stands);
        if is_at_once {
            return Some(Outgoing::Moment { report, has_id });
        }
        if is_in {
            self.gathered += 1;
            self.held.push((rank(&report, is_own), report.seq.wrapping_mul(0x9E37_79B9_7F4A_7C15), report));
            if self.held.len() > 8 * self.most {
                self.best(self.most);
            }
        } else {
            self.counts.skipped += 1;
        }
        None
    }

    /// Keeps the best of those that wait.
    fn best(&mut self, most: usize) {
        self.held.sort_by_key(|(rank, spread, _)| (*rank, *spread));
        let before = self.held.len();
        self.held.truncate(most);
        self.counts.skipped += (before - self.held.len()) as u64;
    }

    fn forget(&mut self) {
        self.places.clear();
        self.moved.clear();
        self.worn.clear();
    }

    fn count(&mut self, report: &Report, stands: Option<Stands>) {
        let counts = &mut self.counts;
        (counts.seq, counts.at) = (report.seq + 1, report.at);
        counts.time.clone_from(&report.time);
        let is_asking = report.closing == ClosingKind::Requeued && report.reason.as_ref().is_some_and(|reason| reason.code == Code::Asking);
        counts.moments += u64::from(!is_asking);
        counts.acts += u64::from(report.closing == ClosingKind::Act);
        counts.looks += u64::from(report.closing == ClosingKind::See);
        counts.refused += u64::from(report.is_refused());
        counts.failed += u64::from(matches!(report.closing, ClosingKind::Failed | ClosingKind::DeadLetter));
        if !self.holds(&report.space) && !self.holds(&report.place) {
            return;
        }
        if !is_asking && self.holds(&report.space) {
            *self.places.entry(self.child(&report.space)).or_default() += 1;
        }
        let Some(stands) = stands else { return };
        if report.place != report.space || report.action.as_deref() == Some("move") {
            self.counts.is_cut |= !noted(&mut self.moved, stands.being, moved(stands, report.coords));
        }
        if let (Some(_), Some(role)) = (&report.why, report.stack.first()) {
            self.counts.is_cut |= !noted(&mut self.worn, stands.being, role.clone());
        }
    }

    /// The place right in the view in which an address lies; the view itself, where it is that.
    fn child(&self, space: &str) -> String {
        let below = space.strip_prefix(&self.view).and_then(|rest| rest.split('/').next()).filter(|name| !name.is_empty());
        below.map_or_else(|| space.to_owned(), |name| format!("{}{name}", self.view))
    }

    /// Ends a half second: what is to be sent of it.
    pub fn turn(&mut self) -> Vec<Outgoing> {
        let spare = self.most.saturating_sub(self.before + self.now);
        if self.gathered > spare {
            self.best(spare.min(self.most.div_ceil(2).saturating_sub(self.now)));
        }
        let is_whole = self.counts.skipped == 0;
        let mut sent: Vec<Arc<Report>> = std::mem::take(&mut self.held).into_iter().map(|(_, _, report)| report).collect();
        sent.sort_by_key(|report| report.seq);
        self.before = self.now + sent.len();
        (self.now, self.gathered) = (0, 0);
        let mut sent: Vec<Outgoing> = sent.into_iter().map(|report| Outgoing::Moment { report, has_id: is_whole }).collect();
        let counts = std::mem::take(&mut self.counts);
        if !is_whole {
            sent.push(Outgoing::Pulse(Box::new(self.told(counts))));
        }
        self.forget();
        sent
    }

    fn told(&mut self, counts: Pulse) -> Pulse {
        let mut places: Vec<Busy> = std::mem::take(&mut self.places).into_iter().map(|(place, moments)| Busy(place, moments)).collect();
        places.sort_by_key(|Busy(_, moments)| std::cmp::Reverse(*moments));
        let is_cut = counts.is_cut || places.len() > PLACES;
        places.truncate(PLACES);
        let moved = std::mem::take(&mut self.moved).into_values().collect();
        let worn = std::mem::take(&mut self.worn).into_iter().map(|(being, role)| Wears(being, role)).collect();
        Pulse { places, moved, worn, is_cut, ..counts }
    }
}

fn moved(stands: Stands, coords: Option<Coords>) -> Moved {
    let number = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
    let mut told = vec![number(stands.being), number(stands.space)];
    told.extend(coords.into_iter().flat_map(|Coords { x, y, .. }| [x, y]));
    Moved(told)
}

/// Notes the newest of a being, where there is room; whether there was.
fn noted<T>(notes: &mut BTreeMap<u64, T>, being: u64, note: T) -> bool {
    let has_room = notes.len() < BEINGS || notes.contains_key(&being);
    if has_room {
        notes.insert(being, note);
    }
    has_room
}
