//! Progress: how far a long command has come, shown on a terminal once it has taken a second.

use std::io::IsTerminal;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::fact::Millis;
use crate::run::Reins;

/// How long a command is at work before it shows how far it has come.
const PATIENCE: Duration = Duration::from_secs(1);
/// How often a run is looked at.
const LOOK: Duration = Duration::from_millis(250);

/// How far a command has come; nothing is left on the terminal once it is dropped.
pub struct Progress {
    bar: ProgressBar,
    began: Instant,
}

impl Progress {
    /// Of so many things: `folding ████ 12,288/33,090 frames, 4s left`.
    pub fn of(count: u64, what: &'static str, things: &str) -> Self {
        let template = format!("{{msg}} {{wide_bar}} {{human_pos}}/{{human_len}} {things}, {{eta}} left");
        Self::new(ProgressBar::with_draw_target(Some(count), ProgressDrawTarget::hidden()), &template).saying(what)
    }

    /// Of a stretch of world time; without an end, only where it stands.
    fn of_time(span: Option<Millis>) -> Self {
        let span = span.map(|span| u64::try_from(span).unwrap_or_default());
        let template = if span.is_some() { "{msg} {wide_bar} {percent}%, {eta} left" } else { "{msg} {spinner}" };
        Self::new(ProgressBar::with_draw_target(span, ProgressDrawTarget::hidden()), template)
    }

    fn new(bar: ProgressBar, template: &str) -> Self {
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        Self { bar, began: Instant::now() }
    }

    fn saying(self, what: &'static str) -> Self {
        self.bar.set_message(what);
        self
    }

    /// So many are done.
    pub fn at(&self, done: u64) {
        if self.bar.is_hidden() && self.began.elapsed() >= PATIENCE && std::io::stderr().is_terminal() {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        self.bar.set_position(done);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// A run whose progress is shown, as long as this is held.
#[must_use]
pub struct ShownRun {
    goes_on: Option<Sender<()>>,
    shows: Option<JoinHandle<()>>,
}

impl ShownRun {
    /// Shows how far a run has come from an instant, on the way to another where it has an end; `tell` writes an instant.
    pub fn new(reins: Reins, (from, end): (Millis, Option<Millis>), tell: impl Fn(Millis) -> String + Send + 'static) -> Self {
        let (goes_on, over) = channel();
        let shows = move || {
            let progress = Progress::of_time(end.map(|end| end.saturating_sub(from)));
            while over.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
                let at = reins.reached().max(from);
                progress.bar.set_message(tell(at));
                progress.at(u64::try_from(at.saturating_sub(from)).unwrap_or_default());
            }
        };
        Self { goes_on: Some(goes_on), shows: Some(std::thread::spawn(shows)) }
    }
}

impl Drop for ShownRun {
    fn drop(&mut self) {
        drop(self.goes_on.take());
        // A thread that only shows has nothing to lose.
        let _ = self.shows.take().map(JoinHandle::join);
    }
}
