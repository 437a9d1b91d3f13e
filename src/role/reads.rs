//! Reads: what conditions read that can wake a being: signals, time, numbers that fade, and whatever else a fact can change.

use std::collections::BTreeSet;

use crate::fact::Text;

use super::condition::Condition;
use super::fade::Fades;
use super::path::Path;
use super::time::TimeReads;

/// The changeable state that some conditions read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reads {
    /// The signals, without `world.`.
    pub signals: BTreeSet<Text>,
    /// The parts of time.
    pub time: TimeReads,
    /// The conditions on numbers that may fade.
    pub fades: Fades,
    /// The paths into the world that are no signals.
    pub paths: BTreeSet<Path>,
}

impl Reads {
    pub(super) fn of(conditions: &[&Condition]) -> Self {
        let read = paths_of(conditions);
        let paths = read.iter().copied().filter(|path| path.is_standing()).cloned().collect();
        let signals = read.into_iter().filter_map(signal_of).cloned().collect();
        Self { signals, time: TimeReads::of(conditions), fades: Fades::of(conditions), paths }
    }

    /// The same together with what others read.
    pub fn add(&mut self, other: &Self) {
        self.signals.extend(other.signals.iter().cloned());
        self.time.add(&other.time);
        self.fades.add(&other.fades);
        self.paths.extend(other.paths.iter().cloned());
    }

    /// Whether nothing of it wakes whoever reads it: neither a signal nor time.
    pub fn is_empty(&self) -> bool {
        self.signals.is_empty() && self.time.is_empty() && self.fades.is_empty()
    }
}

/// Every path that conditions read, operands included, each once.
pub(super) fn paths_of<'a>(conditions: &[&'a Condition]) -> BTreeSet<&'a Path> {
    let mut paths = Vec::new();
    for condition in conditions {
        paths.push(&condition.path);
        condition.operand.paths(&mut paths);
    }
    paths.into_iter().collect()
}

fn signal_of(path: &Path) -> Option<&Text> {
    if let Path::World(signal) = path { Some(signal) } else { None }
}
