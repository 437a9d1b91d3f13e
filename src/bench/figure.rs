//! Figure: one measured number with its unit, and the clock that measures.

use std::time::{Duration, Instant};

use serde::Serialize;

/// One measured number.
#[derive(Clone, Debug, Serialize)]
pub struct Figure {
    /// The case that it belongs to.
    pub case: &'static str,
    /// What was measured.
    pub what: String,
    /// The median.
    pub value: f64,
    /// Of what it is so many.
    pub unit: &'static str,
    /// A remark on the figure, such as its conditions; empty if there is none.
    pub note: String,
}

impl Figure {
    /// A figure without a note.
    pub fn new(case: &'static str, what: impl Into<String>, value: f64, unit: &'static str) -> Self {
        Self { case, what: what.into(), value, unit, note: String::new() }
    }

    /// The same with a note.
    pub fn noting(self, note: impl Into<String>) -> Self {
        Self { note: note.into(), ..self }
    }

    /// The number as people read it.
    pub fn number(&self) -> String {
        match self.value.abs() {
            size if size >= 1000.0 => grouped(self.value.round() as i64),
            size if size >= 100.0 => format!("{:.0}", self.value),
            _ => format!("{:.2}", self.value),
        }
    }
}

fn grouped(n: i64) -> String {
    let digits = n.unsigned_abs().to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    if n < 0 { format!("-{text}") } else { text }
}

/// The processor time that this process has taken, where the system tells it: in hundredths of a second.
pub fn processor() -> Option<Duration> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name in brackets may hold anything; behind it the state is the third field, and user and system time are the 14th and 15th.
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = |at: usize| fields.get(at)?.parse::<u64>().ok();
    Some(Duration::from_millis(10 * (ticks(11)? + ticks(12)?)))
}

/// The middle of what was measured; of an even number the upper one.
pub fn median(values: Vec<f64>) -> f64 {
    quantile(values, 0.5)
}

/// The value below which so large a part of what was measured lies.
pub fn quantile(mut values: Vec<f64>, part: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get((values.len() as f64 * part) as usize).copied().unwrap_or(f64::NAN)
}

/// Does something, and says how long it took.
pub(super) fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let done = work();
    (done, start.elapsed())
}

/// Microseconds for each of so many.
pub(super) fn micros(took: Duration, count: usize) -> f64 {
    took.as_secs_f64() * 1e6 / count.max(1) as f64
}

/// So many a second.
pub(super) fn rate(took: Duration, count: usize) -> f64 {
    count as f64 / took.as_secs_f64().max(1e-9)
}
