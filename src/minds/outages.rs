//! Outages: the connections whose endpoints do not answer now: since when, why, and when one may be asked again; those that their providers
//! turn away; and those that cannot be asked at all as they are configured. The asking side writes them, and the watching side reads them. They belong to the process: nothing of them
//! is recorded.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::cognition::{Asking, Connection, Upshot};
use crate::dialect::sentence_of;
use crate::fact::{Code, Millis, Text};

/// How long an endpoint is left alone after the first time that it did not answer; each further time twice as long.
const FIRST_PROBE: Duration = Duration::from_millis(100);
/// The longest that it is left alone, whatever it asks for itself.
const LAST_PROBE: Duration = Duration::from_secs(30);
/// After how long an outage is told again at first, and at last.
const FIRST_TELLING: Duration = Duration::from_secs(10);
const LAST_TELLING: Duration = Duration::from_secs(300);

/// How long a connection is left alone that its provider turns away.
const TURNED_AWAY: Duration = Duration::from_secs(3_600);

/// How long nobody feels again whether a connection answers.
const FELT_AGAIN: Duration = Duration::from_secs(60);
/// So many moments are kept whose prompts are at fault.
const OF_PROMPTS_MAX: usize = 1_024;

/// A shared handle to the connections that do not answer; every clone is to the same.
#[derive(Clone, Debug, Default)]
pub struct Outages(Arc<Mutex<Board>>);

#[derive(Debug, Default)]
struct Board {
    /// The instant of the world that its newest round has come to.
    at: Millis,
    out: BTreeMap<Text, Outage>,
    turned: BTreeMap<Text, TurnedAway>,
    /// How often each connection has answered anybody, and when it was felt last whether it does.
    answers: BTreeMap<Text, u64>,
    felt: BTreeMap<Text, Instant>,
    /// The moments whose prompts their servers fail at.
    of_prompts: BTreeSet<Text>,
    /// The fault that keeps a connection from being asked as it is configured, and since when.
    held: BTreeMap<Text, (Code, Began)>,
    /// The faults that have been told already.
    told: BTreeSet<(Text, Code)>,
}

/// One connection that its provider turns away: its key, its money, its address or its model is wrong.
#[derive(Clone, Debug)]
struct TurnedAway {
    /// Where it led, with what key: as soon as one of these is another, it is asked again.
    way: WayThere,
    since: Began,
    status: Text,
    said: Option<Text>,
}

/// The beginning of an outage: by the wall clock, and in the world.
#[derive(Clone, Copy, Debug)]
struct Began {
    wall: Instant,
    world: Millis,
}

impl Began {
    fn elapsed(self) -> Duration {
        self.wall.elapsed()
    }
}

/// The dialect, the address, the model and the key of a connection.
type WayThere = (&'static str, Text, Text, Option<Text>);

fn way(connection: &Connection) -> WayThere {
    (connection.dialect.word, connection.base_url.clone(), connection.model.clone(), connection.key.clone())
}

/// One connection that does not answer.
#[derive(Clone, Debug)]
struct Outage {
    since: Began,
    why: Text,
    wait: Duration,
    probed: Instant,
    /// The wait that the endpoint has asked for itself.
    after: Duration,
    telling: Duration,
    told: Instant,
}

/// An outage, for whoever watches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutageNow {
    /// The connection.
    pub connection: Text,
    /// Why: a status, or a code.
    pub why: Text,
    /// The provider's sentence, where it turns the connection away.
    pub said: Option<Text>,
    /// Whether nobody asks it until it is mended.
    pub is_turned_away: bool,
    /// For how many seconds.
    pub seconds: u64,
    /// Since which instant of the world.
    pub at: Millis,
}

impl Board {
    /// The beginning of an outage that begins now.
    fn begins(&self) -> Began {
        Began { wall: Instant::now(), world: self.at }
    }
}

impl Outages {
    fn lock(&self) -> MutexGuard<'_, Board> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes how far the world has come: an outage that begins later begins there.
    pub fn note_time(&self, at: Millis) {
        let mut board = self.lock();
        board.at = board.at.max(at);
    }

    /// Every outage that there is now.
    pub fn now(&self) -> Vec<OutageNow> {
        let told = |(connection, out): (&Text, &Outage)| OutageNow {
            connection: connection.clone(),
            why: out.why.clone(),
            said: None,
            is_turned_away: false,
            seconds: out.since.elapsed().as_secs(),
            at: out.since.world,
        };
        let board = self.lock();
        let held = board.held.iter().map(|(connection, (why, since))| OutageNow {
            connection: connection.clone(),
            why: why.word().into(),
            said: None,
            is_turned_away: false,
            seconds: since.elapsed().as_secs(),
            at: since.world,
        });
        let turned = board.turned.iter().filter(|(_, turned)| turned.since.elapsed() < TURNED_AWAY).map(|(connection, turned)| OutageNow {
            connection: connection.clone(),
            why: turned.status.clone(),
            said: turned.said.clone(),
            is_turned_away: true,
            seconds: turned.since.elapsed().as_secs(),
            at: turned.since.world,
        });
        board.out.iter().map(told).chain(held).chain(turned).collect()
    }

    /// Notes that its provider turns a connection away, where an attempt says so: by which status and in which words.
    pub(super) fn note_turned_away(&self, connection: &Connection, attempt: &Asking) {
        let (Upshot::Unusable(status), None) = (Upshot::of(attempt, connection.dialect), attempt.error) else { return };
        let said = attempt.body.as_deref().and_then(sentence_of).map(Text::from);
        let mut board = self.lock();
        let turned = TurnedAway { way: way(connection), since: board.begins(), status: status.into(), said };
        let (status, said) = (turned.status.clone(), turned.said.clone().unwrap_or_default());
        // Calls that were under way together are turned away together, and it is said once.
        let is_new = board.turned.insert(connection.name.clone(), turned).is_none();
        drop(board);
        if is_new {
            let (connection, sentence) = (&connection.name, Code::ConnectionHeld.sentence());
            tracing::warn!(connection = %connection, %status, %said, "{sentence}; whoever thinks by it waits");
        }
    }

    /// The status by which a provider turns a connection away, at an instant. There is none once the connection is another than it was, after an hour,
    /// or when it is to be asked again.
    pub fn turned_away(&self, connection: &Connection, now: Instant) -> Option<Text> {
        let mut board = self.lock();
        let turned = board.turned.get(&connection.name)?;
        if turned.way == way(connection) && now.saturating_duration_since(turned.since.wall) < TURNED_AWAY {
            return Some(turned.status.clone());
        }
        board.turned.remove(&connection.name);
        None
    }

    /// Notes that a connection has answered somebody.
    pub(super) fn note_answer(&self, connection: &Text) {
        *self.lock().answers.entry(connection.clone()).or_default() += 1;
    }

    /// How often a connection has answered anybody.
    pub(super) fn answers(&self, connection: &Text) -> u64 {
        self.lock().answers.get(connection).copied().unwrap_or(0)
    }

    /// Whether a short request may feel whether a connection answers; then none may for a minute.
    pub(super) fn may_feel(&self, connection: &Text) -> bool {
        let (now, mut board) = (Instant::now(), self.lock());
        let may = board.felt.get(connection).is_none_or(|last| now.duration_since(*last) >= FELT_AGAIN);
        if may {
            board.felt.insert(connection.clone(), now);
        }
        may
    }

    /// Notes that a server fails at the prompts of a moment, and answers others.
    pub(super) fn note_of_prompt(&self, moment: &Text) {
        let mut board = self.lock();
        if board.of_prompts.len() >= OF_PROMPTS_MAX {
            board.of_prompts.clear();
        }
        board.of_prompts.insert(moment.clone());
    }

    /// Whether a server was found to fail at the prompts of a moment.
    pub(super) fn is_of_prompt(&self, moment: &str) -> bool {
        self.lock().of_prompts.contains(moment)
    }

    /// After how long a connection that is turned away is asked again by itself: the soonest.
    pub fn asked_again_after(&self) -> Option<Duration> {
        let mut board = self.lock();
        board.turned.retain(|_, turned| turned.since.elapsed() < TURNED_AWAY);
        board.turned.values().map(|turned| TURNED_AWAY.saturating_sub(turned.since.elapsed())).min()
    }

    /// Lets a connection be asked again that is turned away; whether there was one.
    pub fn retry(&self, connection: &str) -> bool {
        self.lock().turned.remove(connection).is_some()
    }

    /// Notes whether something keeps a connection from being asked as it is configured.
    pub fn note_held(&self, connection: &Text, why: Option<Code>) {
        let mut board = self.lock();
        let Some(why) = why else {
            board.held.remove(connection);
            return;
        };
        let begins = board.begins();
        board.held.entry(connection.clone()).or_insert((why, begins));
        if board.told.insert((connection.clone(), why)) {
            tracing::warn!(connection = %connection, %why, "{}; whoever thinks by this connection waits", why.sentence());
        }
    }

    /// Whether a connection does not answer now.
    pub fn is_out(&self, connection: &str) -> bool {
        self.lock().out.contains_key(connection)
    }

    /// Notes that a connection has not answered, and after how long it says that it may.
    pub(super) fn begin(&self, connection: &Text, why: Text, after: Option<Duration>) {
        let (now, mut board) = (Instant::now(), self.lock());
        let since = board.begins();
        let outages = &mut board.out;
        let after = after.unwrap_or_default().min(LAST_PROBE);
        let Some(out) = outages.get_mut(connection) else {
            tracing::warn!(connection = %connection, %why, "a connection does not answer; whoever thinks by it waits until it does, and loses no attempt");
            let (wait, telling) = (FIRST_PROBE, FIRST_TELLING);
            outages.insert(connection.clone(), Outage { since, why, wait, probed: now, after, telling, told: now });
            return;
        };
        (out.why, out.after, out.probed, out.wait) = (why, after, now, (out.wait * 2).min(LAST_PROBE));
        if now.duration_since(out.told) >= out.telling {
            let (seconds, why) = (out.since.elapsed().as_secs(), &out.why);
            tracing::warn!(connection = %connection, %why, seconds, "a connection still does not answer; it is waited for");
            (out.told, out.telling) = (now, (out.telling * 2).min(LAST_TELLING));
        }
    }

    /// Notes that a connection has answered.
    pub(super) fn end(&self, connection: &Text) {
        if let Some(out) = self.lock().out.remove(connection) {
            let seconds = out.since.elapsed().as_secs();
            tracing::warn!(connection = %connection, seconds, "a connection answers again");
        }
    }

    /// Whether a connection may be asked by whoever stands: it answers again, or has been left alone for long enough. Of all who stand one
    /// asks, and the others wait for what comes of it.
    pub(super) fn claims(&self, connection: &Text) -> bool {
        let (now, mut board) = (Instant::now(), self.lock());
        let Some(out) = board.out.get_mut(connection) else { return true };
        let may = now.duration_since(out.probed) >= out.wait.max(out.after);
        if may {
            out.probed = now;
        }
        may
    }
}
