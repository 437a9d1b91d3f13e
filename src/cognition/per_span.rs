//! Per span: how many of something may be within a span of real time, as a setting writes it: `60/m`.

use std::time::Duration;

/// So many within a span of real time: `60/m`, `200k/m`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PerSpan {
    /// How many.
    pub count: u64,
    /// Within how long.
    pub span: Duration,
}

impl PerSpan {
    /// Reads one.
    pub(super) fn read(text: &str) -> Option<Self> {
        let (count, unit) = text.split_once('/')?;
        let (count, times) = [("k", 1_000), ("M", 1_000_000)]
            .iter()
            .find_map(|(sign, times)| Some((count.strip_suffix(sign)?, *times)))
            .unwrap_or((count, 1));
        let seconds = match unit {
            "s" => 1,
            "m" => 60,
            "h" => 3_600,
            "d" => 86_400,
            _ => return None,
        };
        let count = count.parse::<u64>().ok().filter(|count| *count > 0)?.checked_mul(times)?;
        Some(Self { count, span: Duration::from_secs(seconds) })
    }
}
