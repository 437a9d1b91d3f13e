//! Work: what a moment's scripts have taken so far, counted in grains, and never timed.
//!
//! Every step of evaluation is counted where the engine reports it, also inside callbacks of native functions, and every function that
//! walks, copies or makes something says so before it does it. Of two texts or lists the engine adds and compares by itself: what it reads
//! for that is weighed as it is read. The sum follows from the values alone, so a script ends at the same
//! place on any machine under any load. Only a stop ends a script elsewhere, and nothing of it is kept then.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use rhai::{Dynamic, EvalAltResult, Map, Position};

use crate::fact::Value;

/// The grains of one step of evaluation. A grain is about what it costs to copy one item of a list.
pub const STEP: u64 = 50;
/// An item that is made or moved.
const ITEM: usize = 8;
/// An entry of a map weighs as much as so many items: it has a key and a place in a tree.
const ENTRY: usize = 4;
/// The bytes of text that are walked or copied for one grain.
const BYTES: usize = 16;
/// A call of a script's function by a function of the language, which looks that function up each time.
const CALLBACK: usize = 100;
/// The first steps of a call are too few to copy much: what they read of variables is not weighed, so that short scripts pay nothing.
const FREE: u64 = 500;
/// How deep a value may nest; deeper ones weigh more than any call may take.
pub(super) const DEPTH: usize = 64;

pub(super) type Worked<T> = Result<T, Box<EvalAltResult>>;

/// A counter of one sandbox's work; shared with the functions that it offers.
#[derive(Clone)]
pub struct Work(Arc<Meter>);

struct Meter {
    spent: AtomicU64,
    /// The limit for the scripts that run now.
    most: AtomicU64,
    /// The limit for the scripts of a moment.
    whole: u64,
    /// Below this sum variables are read unweighed.
    free: AtomicU64,
    stop: Arc<AtomicBool>,
    heeds: AtomicBool,
    stopped: AtomicBool,
}

fn terminated() -> Box<EvalAltResult> {
    EvalAltResult::ErrorTerminated(Dynamic::UNIT, Position::NONE).into()
}

impl Work {
    /// Work of so many steps at most, ended early once `stop` is true.
    pub fn new(steps: u64, stop: Arc<AtomicBool>) -> Self {
        let most = steps.saturating_mul(STEP);
        Self(Arc::new(Meter {
            spent: AtomicU64::new(0),
            most: AtomicU64::new(most),
            whole: most,
            free: AtomicU64::new(0),
            stop,
            heeds: AtomicBool::new(true),
            stopped: AtomicBool::new(false),
        }))
    }

    /// A moment begins.
    pub fn begin(&self) {
        self.count_from_here(self.0.whole);
        self.0.stopped.store(false, Ordering::Relaxed);
    }

    /// Something begins in a moment that has a bound of its own, in steps.
    pub fn begin_within(&self, steps: u64) {
        self.count_from_here(steps.saturating_mul(STEP));
    }

    /// Leaves half of what may still be taken for later; gives back what there was.
    pub fn halve(&self) -> u64 {
        let most = self.0.most.load(Ordering::Relaxed);
        let spent = self.spent();
        self.0.most.store(spent.saturating_add(most.saturating_sub(spent) / 2), Ordering::Relaxed);
        most
    }

    /// Gives what was left for later; what was asked for beyond the half is not charged.
    pub fn restore(&self, most: u64) {
        let half = self.0.most.swap(most, Ordering::Relaxed);
        self.0.spent.store(self.spent().min(half), Ordering::Relaxed);
    }

    fn count_from_here(&self, most: u64) {
        self.0.most.store(most, Ordering::Relaxed);
        self.0.spent.store(0, Ordering::Relaxed);
        self.0.free.store(FREE * STEP, Ordering::Relaxed);
    }

    /// Whether a stop ends its scripts from here on; what somebody waits for is finished. Clears a stop that came before.
    pub fn heed(&self, heeds: bool) {
        self.0.heeds.store(heeds, Ordering::Relaxed);
        self.0.stopped.store(false, Ordering::Relaxed);
    }

    /// How many steps have been begun since.
    pub fn steps(&self) -> u64 {
        self.spent().div_ceil(STEP)
    }

    /// The work that has been spent since then.
    pub fn spent(&self) -> u64 {
        self.0.spent.load(Ordering::Relaxed)
    }

    /// Whether more was asked for than there is.
    pub fn is_over(&self) -> bool {
        self.spent() > self.0.most.load(Ordering::Relaxed)
    }

    /// Whether a stop has ended a script since the moment began.
    pub fn was_stopped(&self) -> bool {
        self.0.stopped.load(Ordering::Relaxed)
    }

    fn add(&self, grains: u64) -> bool {
        // One thread alone counts here.
        let sum = self.spent().saturating_add(grains);
        self.0.spent.store(sum, Ordering::Relaxed);
        sum <= self.0.most.load(Ordering::Relaxed)
    }

    /// Counts a step of evaluation; whether another may follow.
    pub fn step(&self) -> bool {
        if self.0.stop.load(Ordering::Relaxed) && self.0.heeds.load(Ordering::Relaxed) {
            self.0.stopped.store(true, Ordering::Relaxed);
            return false;
        }
        self.add(STEP)
    }

    /// Counts grains before they are spent.
    pub fn take(&self, grains: usize) -> Worked<()> {
        if self.add(grains as u64) { Ok(()) } else { Err(terminated()) }
    }

    /// Counts items that are walked or moved.
    pub fn items(&self, count: usize) -> Worked<()> {
        self.take(count.saturating_mul(ITEM))
    }

    /// Counts text that is walked or copied.
    pub fn text(&self, bytes: usize) -> Worked<()> {
        self.take(ITEM + bytes / BYTES)
    }

    /// Counts callbacks.
    pub fn callbacks(&self, count: usize) -> Worked<()> {
        self.take(count.saturating_mul(CALLBACK))
    }

    /// Counts a value that is copied or walked as a whole.
    pub fn whole(&self, value: &Dynamic) -> Worked<()> {
        self.take(weight(value, 0))
    }

    /// Counts lists that are copied or walked as a whole.
    pub fn list(&self, list: &[Dynamic]) -> Worked<()> {
        self.take(ITEM + list_weight(list, 0))
    }

    /// Counts maps that are copied or walked as a whole.
    pub fn map(&self, map: &Map) -> Worked<()> {
        self.take(ITEM + map_weight(map, 0))
    }

    /// Counts a value of ours that is made for a script.
    pub fn value(&self, value: &Value) -> Worked<()> {
        self.take(value_weight(value))
    }

    /// Counts an argument against the free reading, and not as work: the larger it is, the sooner reads are weighed.
    pub fn given(&self, value: &Value) {
        let free = self.0.free.load(Ordering::Relaxed);
        self.0.free.store(free.saturating_sub(value_weight(value) as u64), Ordering::Relaxed);
    }

    /// Counts a variable that is read: reading may copy it.
    pub fn read(&self, variable: impl FnOnce() -> Option<usize>) -> Worked<()> {
        if self.spent() < self.0.free.load(Ordering::Relaxed) {
            return Ok(());
        }
        variable().map_or(Ok(()), |weight| self.take(weight / 2))
    }
}

/// The weight of a variable; `None` where it weighs nothing.
pub(super) fn heavy(value: &Dynamic) -> Option<usize> {
    if value.is_array() || value.is_map() {
        return Some(weight(value, 0));
    }
    value.as_immutable_string_ref().ok().map(|text| text.len() / BYTES / 2)
}

fn weight(value: &Dynamic, depth: usize) -> usize {
    if depth > DEPTH {
        // More than anything may take: the sum stays far from overflowing.
        return usize::MAX >> 16;
    }
    if value.is_array() {
        return value.as_array_ref().map_or(1, |list| ITEM + list_weight(&list, depth));
    }
    if value.is_map() {
        return value.as_map_ref().map_or(1, |map| ITEM + map_weight(&map, depth));
    }
    1
}

fn list_weight(list: &[Dynamic], depth: usize) -> usize {
    list.iter().fold(0, |sum: usize, item| sum.saturating_add(weight(item, depth + 1)))
}

fn map_weight(map: &Map, depth: usize) -> usize {
    map.iter().fold(0, |sum: usize, (key, item)| sum.saturating_add(ENTRY + key.len() / BYTES + weight(item, depth + 1)))
}

fn value_weight(value: &Value) -> usize {
    match value {
        Value::List(list) => list.iter().fold(ITEM, |sum, item| sum.saturating_add(value_weight(item))),
        Value::Map(map) => map.values().fold(ITEM, |sum, item| sum.saturating_add(value_weight(item))),
        Value::Text(text) => ITEM + text.len() / BYTES,
        Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) => ITEM,
    }
}

/// The bytes of all texts in a value.
fn bytes(value: &Dynamic, depth: usize) -> usize {
    if depth > DEPTH {
        return usize::MAX >> 16;
    }
    let sum = |sum: usize, item: &Dynamic| sum.saturating_add(bytes(item, depth + 1));
    if value.is_array() {
        return value.as_array_ref().map_or(0, |list| list.iter().fold(0, sum));
    }
    if value.is_map() {
        return value.as_map_ref().map_or(0, |map| map.values().fold(0, sum));
    }
    value.as_immutable_string_ref().map_or(0, |text| text.len())
}

/// The room left for a value that a function builds, checked before the engine itself checks it.
pub(super) struct Growing {
    left: usize,
    bytes_left: usize,
}

impl Growing {
    /// Nothing has been made yet.
    pub fn new() -> Self {
        Self { left: 64 * 1024, bytes_left: 64 * 1024 }
    }

    /// Another item is kept.
    pub fn keep(&mut self, item: &Dynamic) -> Worked<()> {
        self.left = self.left.checked_sub(weight(item, 0)).ok_or_else(|| too_large("Size of array/BLOB"))?;
        self.bytes_left = self.bytes_left.checked_sub(bytes(item, 0)).ok_or_else(|| too_large("Length of string"))?;
        Ok(())
    }
}

/// The engine's own error for a value that is too large.
pub(super) fn too_large(what: &str) -> Box<EvalAltResult> {
    EvalAltResult::ErrorDataTooLarge(what.to_owned(), Position::NONE).into()
}
