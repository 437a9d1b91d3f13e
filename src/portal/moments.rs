//! Moments: the world's history: found again, opened one by one, and streamed as it happens.

use std::collections::{BTreeMap, VecDeque};
use std::convert::Infallible;
use std::path::Path as Dir;
use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::future::ready;
use futures_util::stream::{self, Stream, StreamExt};
use serde::{Deserialize, Serialize};
use tokio::time::Instant;
use utoipa::{IntoParams, ToSchema};

use crate::fact::{BeingId, ClosingKind, Once, Seq, Text, Thing, Value, Verb};
use crate::past::{History, LoadError, Report, Sought};
use crate::run::Since;
use crate::store::Interest;
use crate::verb::{Named, Rule, core};

use super::clocks::Clocks;
use super::entrance::Departures;
use super::hall::Hall;
use super::pulse::{Outgoing, Pulsing, Stands, WINDOW, number};
use super::sent::Asked;
use super::shapes::{ExplainedShape, ReportShape};
use super::sight::Sight;
use super::spelled::AddressShape;
use super::streams::Watching;
use super::trouble::{Trouble, Wrong};
use super::who::{As, Who};

/// The most moments of one answer.
const PAGE: usize = 500;
/// Of how many moments of one answer it is said why they were done.
const REASONED: usize = 50;
/// How many moments are read from the log at once: each reading folds from the nearest checkpoint on.
const READ: u64 = 4096;
/// How many events are sent at once.
const BATCH: usize = 256;
/// How long a stream that counts lets moments come before it takes them up.
const BREATH: Duration = Duration::from_millis(50);

/// How far back, how many, and as whom; which of them, [`Sought`] says.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Back {
    /// Only moments below this seq: the `before` of an earlier answer.
    #[param(value_type = Option<i64>, minimum = 0)]
    before: Option<Seq>,
    /// How many, at most 500; without it 50.
    limit: Option<usize>,
    /// Whether each says why it was done, as far as frames say it that one may read; at most 50 do.
    because: Option<bool>,
    #[serde(rename = "as")]
    #[param(rename = "as")]
    speaker: Option<String>,
}

/// Moments, the newest first.
#[derive(Serialize, ToSchema)]
#[schema(as = Moments)]
pub struct MomentsTold {
    #[schema(value_type = Vec<ReportShape>)]
    moments: Vec<Arc<Report>>,
    /// The seq from which to go on further back; none: there are no more.
    #[schema(value_type = Option<i64>, minimum = 0)]
    before: Option<Seq>,
}

/// The moments that a being may know of: all of those whose `.moments` it may read; of others what they do openly where it stands itself,
/// and what they tell it.
struct Knows {
    sight: Sight,
    seen: BTreeMap<Text, (bool, bool)>,
    stands: String,
    name: String,
}

impl Knows {
    fn of(sight: Sight) -> Self {
        let (stands, name) = (sight.world.path_of(sight.being.position), format!("@{}", sight.being.name));
        Self { sight, seen: BTreeMap::new(), stands, name }
    }

    /// Whether it may see a being, and read the being's moments.
    fn of_being(&mut self, being: &Text) -> (bool, bool) {
        if let Some(may) = self.seen.get(being) {
            return *may;
        }
        let id = self.sight.world.being_named(being).map(|being| being.id);
        let sees = |named: Named| self.sight.may_see(&named).is_ok();
        let may = id.map_or((false, false), |id| (sees(Named::Thing(Thing::Being(id))), self.sight.reads(id, "moments").is_ok()));
        self.seen.insert(being.clone(), may);
        may
    }

    /// The moment as it may be known, if it may be: its arguments, what it cost and what its scripts noted are for those who may read all of it.
    fn shown(&mut self, report: Arc<Report>) -> Option<Arc<Report>> {
        if !self.may(&report) {
            return None;
        }
        let (_, is_read) = self.of_being(&report.being);
        let is_whole = is_read || (report.cost.is_none() && report.notes.is_empty() && report.args.is_null());
        Some(if is_whole { report } else { Arc::new(Report { cost: None, notes: Vec::new(), args: Value::Null, ..(*report).clone() }) })
    }

    /// The being that acted and the space where it stands now, by their numbers.
    fn stands(&self, report: &Report) -> Option<Stands> {
        let world = &self.sight.world;
        let being = world.being_named(&report.being)?;
        Some(Stands { being: number(being.id.0), space: number(being.position.0) })
    }

    /// Whether it is what whoever looks has done itself, or drove somebody to do.
    fn is_own(&self, report: &Report) -> bool {
        report.being == self.sight.being.name || report.driver.as_deref() == Some(self.name.as_str())
    }

    fn may(&mut self, report: &Report) -> bool {
        let (is_seen, is_read) = self.of_being(&report.being);
        let is_authority = || {
            report
                .action
                .as_deref()
                .and_then(core)
                .is_some_and(|(core, _)| !matches!(core.rule, Rule::Place | Rule::Move) && core.name != "say")
        };
        let is_open =
            || report.closing == ClosingKind::Act && report.verb == Some(Verb::Do) && report.space == self.stands && !is_authority();
        let is_told = || {
            report.closing == ClosingKind::Act && report.verb == Some(Verb::Summon) && report.target.as_deref() == Some(self.name.as_str())
        };
        is_read || (is_seen && (is_open() || is_told()))
    }
}

/// Moments, the newest first
#[utoipa::path(get, path = "/api/moments", params(Sought, Back), responses((status = 200, body = MomentsTold), (status = 400, body = Wrong), (status = 401, body = Wrong),
    (status = 403, body = Wrong), (status = 404, body = Wrong), (status = 500, body = Wrong)))]
pub async fn moments(
    State(hall): State<Arc<Hall>>,
    who: Who,
    Asked(sought): Asked<Sought>,
    Asked(asked): Asked<Back>,
) -> Result<Json<MomentsTold>, Trouble> {
    let mut knows = Knows::of(hall.sight_now(&who, asked.speaker.as_deref())?);
    let most = asked.limit.unwrap_or(50).clamp(1, PAGE);
    let below = asked.before.unwrap_or(Seq::MAX);
    let mut found: Vec<Arc<Report>> = Vec::new();
    let (mut edge, mut stopped) = (below, None);
    let begins = hall.feed.begins();
    while found.len() < most && edge > begins {
        let batch = hall.feed.find(&sought, edge, PAGE);
        edge = if batch.len() < PAGE { begins } else { batch.last().map_or(begins, |report| report.seq) };
        found.extend(batch.into_iter().filter_map(|report| knows.shown(report)));
    }
    // Reading further back folds history: that is for those who may read the world's moments, and not for whoever comes.
    if found.len() < most && begins > 0 && knows.sight.register("moments").is_ok() {
        let (dir, edge) = (hall.dir.clone(), edge.min(begins));
        let mut shown = move |report: Report| knows.shown(Arc::new(report));
        let room = most - found.len();
        let older = move |interest| Ok(History::while_asked(&dir, interest)?.newest(&sought, 0..edge, room, &mut shown)?);
        let older = hall.recall(&who, older).await?;
        found.extend(older.found);
        stopped = older.stopped;
    }
    let more = found.len() > most;
    found.truncate(most);
    let next = found.last().map(|report| report.seq).filter(|seq| *seq > 0 && (more || found.len() == most)).or(stopped);
    if asked.because == Some(true) {
        found = reasoned(&hall, &who, asked.speaker.as_deref(), found).await?;
    }
    Ok(Json(MomentsTold { moments: found, before: next }))
}

/// The first of some moments with why they were done, by the causes that one may read.
async fn reasoned(hall: &Hall, who: &Who, speaker: Option<&str>, moments: Vec<Arc<Report>>) -> Result<Vec<Arc<Report>>, Trouble> {
    let (sight, dir) = (hall.sight_now(who, speaker)?, hall.dir.clone());
    hall.recall(who, move |interest| {
        let history = History::while_asked(&dir, interest)?;
        let may = |being| may_read(&sight, being).is_ok();
        let one = |(at, report): (usize, Arc<Report>)| {
            let is_read = at < REASONED && sight.world.being_named(&report.being).is_some_and(|being| may(being.id));
            if !is_read {
                return Ok(report);
            }
            let because = history.because(report.seq, &sight.world, |cause| may(cause.being))?;
            Ok(Arc::new(Report::clone(&report).reasoned(because)))
        };
        moments.into_iter().enumerate().map(one).collect()
    })
    .await
}

/// Moments from a seq on, read from the log, at most a batch.
fn between(dir: &Dir, interest: Interest, from: Seq, below: Seq) -> Result<Vec<Report>, Trouble> {
    let mut reports = Vec::new();
    let history = History::while_asked(dir, interest)?;
    history.moments(from, Some(below.min(from + READ)), |_, report| reports.push(report))?;
    Ok(reports)
}

/// The newest moments, which a server has at hand when it starts.
#[derive(Default)]
pub struct AtHand {
    /// All of them.
    pub reports: Vec<Report>,
    /// Those that were sent under a key.
    pub keyed: Vec<(Once, Report)>,
}

/// Reads the moments of so many of the newest frames that the log still has.
pub fn newest(dir: &Dir, most: u64) -> Result<AtHand, LoadError> {
    let history = History::of(dir)?;
    let mut at_hand = AtHand::default();
    history.moments(history.end().saturating_sub(most).max(history.begins()), None, |frame, told| {
        at_hand.keyed.extend(frame.draft().once().map(|once| (once, told.clone())));
        at_hand.reports.push(told);
    })?;
    Ok(at_hand)
}

/// A moment that needs no reading of the past.
fn at_hand(hall: &Hall, seq: Seq) -> Option<Arc<Report>> {
    let Since::Here(reports) = hall.feed.since(seq, 1) else { return None };
    reports.into_iter().next().filter(|report| report.seq == seq)
}

/// Refuses a moment of a being that the reader may not see, or whose moments it may not read.
fn may_read(sight: &Sight, being: BeingId) -> Result<(), Trouble> {
    sight.may_see(&Named::Thing(Thing::Being(being)))?;
    sight.reads(being, "moments")
}

/// One moment, with everything that led to it
#[utoipa::path(get, path = "/api/moment/{seq}", params(("seq" = i64, Path, minimum = 0), As), responses((status = 200, body = ExplainedShape), (status = 400, body = Wrong),
    (status = 401, body = Wrong), (status = 403, body = Wrong), (status = 404, body = Wrong), (status = 500, body = Wrong)))]
pub async fn moment(
    State(hall): State<Arc<Hall>>,
    who: Who,
    path: Result<Path<Seq>, axum::extract::rejection::PathRejection>,
    Asked(asked): Asked<As>,
) -> Result<Json<serde_json::Value>, Trouble> {
    let Path(seq) = path?;
    let sight = hall.sight_now(&who, asked.speaker.as_deref())?;
    if seq >= sight.world.next_seq() {
        return Err(Trouble::not_found(&format!("#{seq}")));
    }
    // Asked before the past is opened, which costs: of what is at hand one knows whose it is, and further back all of it is one book.
    match at_hand(&hall, seq).and_then(|report| sight.world.being_named(&report.being)) {
        Some(being) => may_read(&sight, being.id)?,
        None => sight.register("moments")?,
    }
    let dir = hall.dir.clone();
    let told = hall.recall(&who, move |interest| {
        let history = History::while_asked(&dir, interest)?;
        let found = history.frame(seq, &sight.world)?;
        may_read(&sight, found.ok_or_else(|| Trouble::not_found(&format!("#{seq}")))?.draft().being)?;
        let mut explained = history.explain(seq).map_err(Trouble::inside)?;
        explained.report.because_of = history.because(seq, &sight.world, |cause| may_read(&sight, cause.being).is_ok())?;
        Ok(explained.to_json())
    });
    told.await.map(Json)
}

/// The beginning of a stream, and its sample.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct From {
    /// The first seq; without it and without a Last-Event-ID, the next that comes.
    #[param(value_type = Option<i64>, minimum = 0)]
    from: Option<Seq>,
    /// A space: of what happens elsewhere no moment is sent, and a `pulse` counts it.
    #[serde(rename = "in")]
    #[param(rename = "in", value_type = Option<AddressShape>, inline)]
    view: Option<String>,
    /// How many whole moments a second are sent at most, up to 1,000; of more those that matter first, and a `pulse` counts the others.
    most: Option<usize>,
    #[serde(rename = "as")]
    #[param(rename = "as")]
    speaker: Option<String>,
}

impl From {
    /// The selection of the moments to send; none where all are sent.
    fn pulsing(&self, sight: &Sight) -> Result<Option<Pulsing>, Trouble> {
        if self.view.is_none() && self.most.is_none() {
            return Ok(None);
        }
        let view = match self.view.as_deref() {
            None => "/".to_owned(),
            Some(address) => match sight.named(address)? {
                Named::Thing(Thing::Space(space)) => sight.world.path_of(space),
                _ => return Err(Trouble::bad(format!("expected a space, found `{address}`")).at("in")),
            },
        };
        Ok(Some(Pulsing::new(&view, self.most)))
    }
}

struct Watcher {
    hall: Arc<Hall>,
    who: Who,
    pulsing: Option<Pulsing>,
    /// When the half second ends.
    turns: Instant,
    speaker: Option<String>,
    next: Seq,
    waiting: VecDeque<Event>,
    changes: tokio::sync::watch::Receiver<u64>,
    stopping: tokio::sync::watch::Receiver<bool>,
    departures: Departures,
    _watching: Watching,
}

/// The moments as they happen; `clock` (ClockEvent) when it changes, and at least every two seconds, with the numbers of the world; with `in` or `most` a sample of them, and a `pulse` (Pulse) each half second that counts the others
#[utoipa::path(get, path = "/api/events", params(From), responses((status = 200, content_type = "text/event-stream", body = String), (status = 400, body = Wrong),
    (status = 401, body = Wrong), (status = 403, body = Wrong), (status = 404, body = Wrong), (status = 429, body = Wrong), (status = 500, body = Wrong)))]
pub async fn events(
    State(hall): State<Arc<Hall>>,
    who: Who,
    headers: HeaderMap,
    Asked(asked): Asked<From>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Trouble> {
    let sight = hall.sight_now(&who, asked.speaker.as_deref())?;
    let pulsing = asked.pulsing(&sight)?;
    let watching = hall.streams.watch(&who).ok_or_else(Trouble::too_many_streams)?;
    let last = headers.get("last-event-id").and_then(|id| id.to_str().ok()?.parse::<Seq>().ok());
    let next = last.map(|last| last.saturating_add(1)).or(asked.from).unwrap_or(Seq::MAX).min(hall.feed.world().next_seq());
    // As far back as is at hand, or as far as there is anything for those who may read the world's moments.
    let next = if sight.register("moments").is_ok() { next } else { next.max(hall.feed.begins()) };
    let (changes, stopping) = (hall.feed.changes(), hall.stopping.clone());
    let departures = hall.entrance.departures();
    let clocks = Clocks::of(hall.clone(), who.clone(), asked.speaker.clone());
    let mut watcher = Watcher {
        hall,
        who,
        pulsing,
        turns: Instant::now() + WINDOW,
        speaker: asked.speaker,
        next,
        waiting: VecDeque::new(),
        changes,
        stopping,
        departures,
        _watching: watching,
    };
    // The moments behind are read before anything is answered: a stream that began and ended at once would be asked for again for ever.
    let _ = watcher.changes.borrow_and_update();
    watcher.gather().await?;
    let moments = stream::unfold(watcher, |mut watcher| async move { watcher.event().await.map(|event| (Some(event), watcher)) });
    let clocks = stream::unfold(clocks, |mut clocks| async move { clocks.next().await.map(|event| (Some(event), clocks)) });
    // Where the moments end the stream ends. Their reading does not hold up the clock, which is polled beside it.
    let events = stream::select(clocks, moments.chain(stream::once(ready(None)))).scan((), |(), event| ready(event.map(Ok)));
    Ok(Sse::new(events).keep_alive(KeepAlive::new().interval(Duration::from_secs(15)).text("here")))
}

impl Watcher {
    /// The next event; none when the server stops or the watcher has lost its right to watch.
    async fn event(&mut self) -> Option<Event> {
        loop {
            if let Some(event) = self.waiting.pop_front() {
                return Some(event);
            }
            if *self.stopping.borrow() || !self.hall.entrance.knows_still(&self.who) {
                return None;
            }
            let _ = self.changes.borrow_and_update();
            let has_moved = self.gather().await.ok()?;
            self.turn().ok()?;
            if self.waiting.is_empty() && !has_moved {
                let is_open = self.pulsing.as_ref().is_some_and(Pulsing::is_open);
                tokio::select! {
                    changed = self.changes.changed() => changed.ok()?,
                    () = tokio::time::sleep_until(self.turns), if is_open => {}
                    () = self.departures.next() => {}
                    _ = self.stopping.changed() => {}
                }
                // Moments that come while much is gathered need not be looked at one by one.
                if is_open {
                    tokio::time::sleep_until(self.turns.min(Instant::now() + BREATH)).await;
                }
            }
        }
    }

    /// Ends a half second that is over.
    fn turn(&mut self) -> Result<(), Trouble> {
        let now = Instant::now();
        let Some(pulsing) = self.pulsing.as_mut().filter(|_| now >= self.turns) else { return Ok(()) };
        let mut sent = pulsing.turn();
        if now >= self.turns + WINDOW {
            // Nothing was looked at for longer than that, so nothing was sent lately.
            sent.extend(pulsing.turn());
        }
        self.turns = now + WINDOW;
        sent.into_iter().try_for_each(|sent| self.send(sent))
    }

    fn send(&mut self, sent: Outgoing) -> Result<(), Trouble> {
        let (name, id, data) = match &sent {
            Outgoing::Moment { report, has_id } => ("moment", has_id.then_some(report.seq), serde_json::to_string(report)),
            Outgoing::Pulse(pulse) => ("pulse", pulse.seq.checked_sub(1), serde_json::to_string(pulse)),
        };
        let event = Event::default().event(name).data(data.map_err(Trouble::inside)?);
        self.waiting.push_back(match id {
            Some(id) => event.id(id.to_string()),
            None => event,
        });
        Ok(())
    }

    /// Takes up what has happened since; whether anything has, also where nothing of it may be seen.
    async fn gather(&mut self) -> Result<bool, Trouble> {
        let mut is_read = false;
        let reports: Vec<Arc<Report>> = match self.hall.feed.since(self.next, if self.pulsing.is_some() { READ as usize } else { BATCH }) {
            Since::Here(reports) => reports,
            Since::Before(begins) => {
                let (dir, from) = (self.hall.dir.clone(), self.next);
                let read = self.hall.recall(&self.who, move |interest| between(&dir, interest, from, begins)).await?;
                // Not all frames are moments: what was read counts as read though nothing of it is shown.
                self.next = begins.min(from + READ);
                is_read = true;
                read.into_iter().map(Arc::new).collect()
            }
        };
        let Some(last) = reports.last() else { return Ok(is_read) };
        self.next = self.next.max(last.seq + 1);
        let mut knows = Knows::of(self.hall.sight_now(&self.who, self.speaker.as_deref())?);
        for report in reports {
            let Some(report) = knows.shown(report) else { continue };
            let sent = match self.pulsing.as_mut() {
                None => Some(Outgoing::Moment { report, has_id: true }),
                Some(pulsing) => {
                    let (stands, is_own) = (knows.stands(&report), knows.is_own(&report));
                    pulsing.take(report, stands, is_own)
                }
            };
            sent.into_iter().try_for_each(|sent| self.send(sent))?;
        }
        Ok(true)
    }
}
