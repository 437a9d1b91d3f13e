//! Moment line: how a command shows a moment: as a sentence below its day, or as it was written, with ids.

use clap::Args;

use crate::past::Report;

/// How moments are shown
#[derive(Args, Clone, Copy)]
pub(super) struct MomentWriting {
    /// Show each moment with its seq, place and call as it was written, instead of a sentence
    #[arg(long)]
    raw: bool,
}

impl MomentWriting {
    /// Lines of moments that come one after the other.
    pub fn lines(self) -> MomentLines {
        MomentLines { writing: self, day: String::new() }
    }
}

/// Moments one after the other: a sentence says no day but where another begins.
pub(super) struct MomentLines {
    writing: MomentWriting,
    day: String,
}

impl MomentLines {
    /// The next of them.
    pub fn line(&mut self, report: &Report) -> String {
        if self.writing.raw {
            return report.raw_line();
        }
        let is_new = self.day != report.day();
        report.day().clone_into(&mut self.day);
        if is_new { format!("{}\n{report}", report.day()) } else { report.to_string() }
    }
}
