//! Trace: the calls of a run that asks nothing ahead and waits for no answer, in the order of their commits.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::cognition::{Asking, Reply, Request};
use crate::fact::{Millis, Seq, Text, simulated};
use crate::minds::Minds;
use crate::past::Report;
use crate::run::{Course, Living, Pace, Reins, Tally, Until};
use crate::source::Source;
use crate::store::MemoryStore;

use super::ground::BenchError;
use super::guests::{GuestDeed, GuestTurn, latency_us, words_in};
use super::oracle::TracedCall;
use super::rooms::RoomWorld;

/// A run of a world whose models answer at once.
pub(super) struct TracedRun {
    /// Its calls.
    pub(super) calls: Vec<TracedCall>,
    /// How its moments closed.
    pub(super) tally: Tally,
}

/// Models that answer at once, and note what they were asked.
#[derive(Clone)]
struct NotingMinds {
    world: &'static RoomWorld,
    divisor: u64,
    noted: Arc<Mutex<NotedCalls>>,
}

#[derive(Default)]
struct NotedCalls {
    calls: Vec<TracedCall>,
    rounds: usize,
    /// How long answering took.
    took: Duration,
}

impl Minds for NotingMinds {
    fn ask(&mut self, requests: &[Request]) -> Vec<Reply> {
        let begun = Instant::now();
        let mut noted = self.noted.lock().unwrap_or_else(PoisonError::into_inner);
        noted.rounds += 1;
        let round = noted.rounds;
        let mut answer = |request: &Request| {
            let turn = GuestTurn::of(&request.body, self.world)?;
            let body = turn.body();
            noted.calls.push(traced(request, turn, round, self.divisor));
            Some(Reply::of(Asking { status: Some(200), body: Some(body.into()), ..Asking::default() }))
        };
        let replies = requests.iter().map(|request| answer(request).unwrap_or_default()).collect();
        noted.took += begun.elapsed();
        replies
    }
}

/// A call as it is noted. The frame in which its moment closes is not known yet.
fn traced(request: &Request, turn: GuestTurn, round: usize, divisor: u64) -> TracedCall {
    let cause = request.moment.rsplit_once(':').and_then(|(_, cause)| cause.split('.').next()?.parse().ok());
    let (spoken, moved_to) = match turn.deed {
        GuestDeed::Nothing => (None, None),
        GuestDeed::Speaks { word, .. } => (Some(word), None),
        GuestDeed::Moves(to) => (None, Some(to)),
    };
    let heard = words_in(&request.body).map(str::to_owned).collect();
    let latency_us = latency_us(&request.body, divisor);
    TracedCall { being: turn.name, room: turn.room, round, cause, closed: None, heard, spoken, moved_to, latency_us }
}

impl TracedRun {
    /// Runs a world for so long.
    pub(super) fn of(world: &'static RoomWorld, source: &Source, duration: Millis, divisor: u64) -> Result<Self, BenchError> {
        let minds = NotingMinds { world, divisor, noted: Arc::default() };
        let mut closed: BTreeMap<Text, VecDeque<Seq>> = BTreeMap::new();
        let mut watch = |report: &Report| {
            if report.cost.is_some() {
                closed.entry(report.being.clone()).or_default().push_back(report.seq);
            }
        };
        let mut living = planted(source)?;
        living.asking(Box::new(minds.clone()));
        let until = Until { duration: Some(duration), ..Until::default() };
        let course = Course { pace: Pace::Virtual, until, reins: &Reins::default(), watch: Some(&mut watch), measures: None };
        let tally = living.run(course)?.tally;
        let mut calls = std::mem::take(&mut minds.noted.lock().unwrap_or_else(PoisonError::into_inner).calls);
        for call in &mut calls {
            call.closed = closed.get_mut(call.being.as_str()).and_then(VecDeque::pop_front);
        }
        if calls.iter().any(|call| call.closed.is_none()) {
            return Err(BenchError::Nothing("a moment of a model has closed in no frame"));
        }
        Ok(Self { calls, tally })
    }
}

/// A world in memory: what is measured is no disk.
fn planted(source: &Source) -> Result<Living, BenchError> {
    let (_, id) = simulated(&source.name, source.seed);
    Ok(Living::plant_in(source, None, Box::new(MemoryStore::new(id)), 1)?)
}

/// How many moments a second there are where every reply is there at once, and the time that replying takes is not counted.
pub(super) fn moments_a_second(world: &'static RoomWorld, source: &Source, duration: Millis) -> Result<f64, BenchError> {
    let minds = NotingMinds { world, divisor: 1, noted: Arc::default() };
    let mut living = planted(source)?;
    living.asking(Box::new(minds.clone()));
    let until = Until { duration: Some(duration), ..Until::default() };
    let begun = Instant::now();
    let ran = living.run(Course { pace: Pace::Virtual, until, reins: &Reins::default(), watch: None, measures: None })?;
    let took = begun.elapsed().saturating_sub(minds.noted.lock().unwrap_or_else(PoisonError::into_inner).took);
    Ok(ran.tally.moments() as f64 / took.as_secs_f64().max(1e-9))
}
