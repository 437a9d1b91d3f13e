//! Oracle: how fast the calls of a run could be answered at best, from a trace of them in the order of their commits.
//!
//! The trace is of a run that asked nothing ahead. Only what a call truly needs holds it up; who asks is not part of it.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

/// A call as it was made.
#[derive(Clone, Debug, Default)]
pub struct TracedCall {
    /// The being of its moment.
    pub being: String,
    /// The room in which the being stood.
    pub room: String,
    /// The round in which it was made. The calls of a round see one world.
    pub round: usize,
    /// The frame that woke the being.
    pub cause: Option<u64>,
    /// The frame in which its moment closed.
    pub closed: Option<u64>,
    /// The spoken words that the prompt held.
    pub heard: BTreeSet<String>,
    /// The word that the answer spoke.
    pub spoken: Option<String>,
    /// The room to which the answer moved the being.
    pub moved_to: Option<String>,
    /// How long the answer took, in microseconds.
    pub latency_us: u64,
}

/// The time that no way of asking can beat, and the times of two simple ways: all in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CallBounds {
    /// Every call is made as soon as there is a slot and the calls that it needs are answered.
    pub oracle: f64,
    /// One round follows the other; the calls of a round are made at once.
    pub sync: f64,
    /// One call follows the other.
    pub alone: f64,
}

impl CallBounds {
    /// The bounds of a trace on so many slots.
    pub fn of(trace: &[TracedCall], slots: usize) -> Self {
        let latencies: Vec<u64> = trace.iter().map(|call| call.latency_us).collect();
        let mut rounds: BTreeMap<usize, Vec<u64>> = BTreeMap::new();
        for call in trace {
            rounds.entry(call.round).or_default().push(call.latency_us);
        }
        let free = |round: &Vec<u64>| scheduled(round, &vec![BTreeSet::new(); round.len()], slots);
        let seconds = |micros: u64| micros as f64 / 1e6;
        Self {
            oracle: seconds(scheduled(&latencies, &needs(trace), slots)),
            sync: seconds(rounds.values().map(free).sum()),
            alone: seconds(latencies.iter().sum()),
        }
    }
}

/// The calls that each call needs, by their places: the last of its being, the one that woke it, those that spoke the words in its prompt,
/// and those that moved somebody from or to its room.
fn needs(trace: &[TracedCall]) -> Vec<BTreeSet<usize>> {
    let (mut last, mut closed, mut spoken) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
    let mut moves: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    let mut needs: Vec<BTreeSet<usize>> = Vec::new();
    for (place, call) in trace.iter().enumerate() {
        let mut needed: BTreeSet<usize> = BTreeSet::new();
        needed.extend(last.insert(call.being.as_str(), place));
        needed.extend(call.cause.and_then(|cause| closed.get(&cause).copied()));
        needed.extend(call.heard.iter().filter_map(|word| spoken.get(word.as_str()).copied()));
        needed.extend(moves.get(call.room.as_str()).into_iter().flatten());
        // The calls of a round see nothing of each other.
        needed.retain(|other| trace.get(*other).is_some_and(|other| other.round < call.round));
        needs.push(needed);
        closed.extend(call.closed.map(|seq| (seq, place)));
        spoken.extend(call.spoken.as_deref().map(|word| (word, place)));
        if let Some(to) = call.moved_to.as_deref() {
            moves.entry(call.room.as_str()).or_default().push(place);
            moves.entry(to).or_default().push(place);
        }
    }
    needs
}

/// The calls of a list schedule: whenever a slot is free, the first call that may be made is made.
struct ListSchedule<'a> {
    latencies: &'a [u64],
    /// How many calls each still needs.
    lacking: Vec<usize>,
    /// The calls that need each.
    followers: Vec<Vec<usize>>,
    ready: BinaryHeap<Reverse<usize>>,
    /// The calls under way, by when they are answered.
    running: BinaryHeap<Reverse<(u64, usize)>>,
    now: u64,
}

/// When the last call is answered.
fn scheduled(latencies: &[u64], needs: &[BTreeSet<usize>], slots: usize) -> u64 {
    let lacking: Vec<usize> = needs.iter().map(BTreeSet::len).collect();
    let mut followers = vec![Vec::new(); latencies.len()];
    for (place, needed) in needs.iter().enumerate() {
        for other in needed {
            followers.get_mut(*other).into_iter().for_each(|followers: &mut Vec<usize>| followers.push(place));
        }
    }
    let ready = lacking.iter().enumerate().filter(|(_, lacking)| **lacking == 0).map(|(place, _)| Reverse(place)).collect();
    let mut schedule = ListSchedule { latencies, lacking, followers, ready, running: BinaryHeap::new(), now: 0 };
    schedule.fill(slots);
    while schedule.answers_next() {
        schedule.fill(slots);
    }
    schedule.now
}

impl ListSchedule<'_> {
    /// Makes calls while there are slots.
    fn fill(&mut self, slots: usize) {
        while self.running.len() < slots.max(1)
            && let Some(Reverse(place)) = self.ready.pop()
        {
            let latency = self.latencies.get(place).copied().unwrap_or_default();
            self.running.push(Reverse((self.now + latency, place)));
        }
    }

    /// Goes on to the next answer, and lets those follow that lack no other; whether there was an answer.
    fn answers_next(&mut self) -> bool {
        let Some(Reverse((end, place))) = self.running.pop() else { return false };
        self.now = end;
        for follower in self.followers.get_mut(place).map(std::mem::take).unwrap_or_default() {
            if let Some(lacking) = self.lacking.get_mut(follower) {
                *lacking -= 1;
                if *lacking == 0 {
                    self.ready.push(Reverse(follower));
                }
            }
        }
        true
    }
}
