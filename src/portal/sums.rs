//! Sums: the cost of models, summed as far as somebody asked for it, so that history is read for it once.

use crate::fact::Seq;
use crate::past::{Report, Usage};

/// The sums so far.
#[derive(Default)]
pub struct Summed {
    /// The first frame that is not in it.
    pub next: Seq,
    /// The cost of all frames before it.
    pub usage: Usage,
}

impl Summed {
    /// Adds moments that follow.
    pub fn hear<'a>(&mut self, reports: impl Iterator<Item = &'a Report>) {
        for report in reports {
            self.usage.hear(report);
            self.next = report.seq + 1;
        }
    }
}
