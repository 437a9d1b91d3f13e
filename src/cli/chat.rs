//! `chat`: a thread with somebody, a line at a time, until the input ends. Where nobody runs the world it goes on for as long as an answer
//! takes.

use std::io::{BufRead, IsTerminal, Write};
use std::time::{Duration, Instant};

use anyhow::Result;
use clap::Args;
use serde_json::{Value as Json, json};

use crate::fact::{Call, Made, Millis, Seq, Value};
use crate::past::Report;
use crate::run::{Course, Living, Pace, Reins, Stopped, Until};

use super::door::{Door, Ended};
use super::inbox::WaitingWake;
use super::line::{Reach, SocketLine};

/// Talks with somebody, a line at a time, until the input ends
#[derive(Args)]
#[command(after_help = "Example: reelm chat @foreman

Each line is a summons, and each but the first answers what they said last. Where nobody runs the world, it goes on until they have answered.")]
pub struct Chat {
    /// With whom
    target: String,
    /// Who speaks: @operator where nothing is said, or the being of the token
    #[arg(long = "as", value_name = "@BEING")]
    as_being: Option<String>,
}

/// How much world time an answer may take where nobody runs the world. A millisecond more than ten minutes, because `run --for 10m` would
/// otherwise take this for a run of its own that was cut off.
const WORLD_MS: Millis = 600_001;
/// How long it is waited for where somebody does, and how often it is looked for.
const WAIT: Duration = Duration::from_secs(60);
const LOOK: Duration = Duration::from_millis(200);

impl Chat {
    /// Runs.
    pub fn run(self, door: &Door) -> Result<Ended> {
        let (mut reach, mut ended) = (Reach::to(door)?, Ended::Well);
        self.begs(door);
        for line in std::io::stdin().lock().lines() {
            let line = line?;
            if !line.trim().is_empty() {
                ended = self.says(door, &mut reach, line.trim())?.unwrap_or(ended);
            }
            self.begs(door);
        }
        reach.close()?;
        Ok(ended)
    }

    /// Shows a person that it is their turn.
    fn begs(&self, door: &Door) {
        if !door.speech.is_for_programs() && std::io::stdin().is_terminal() && std::io::stdout().is_terminal() {
            // A terminal that is gone is no reason to end.
            let _ = write!(std::io::stdout(), "> ").and_then(|()| std::io::stdout().flush());
        }
    }

    /// Says a line, and shows what is answered.
    fn says(&self, door: &Door, reach: &mut Reach, line: &str) -> Result<Option<Ended>> {
        let being = self.as_being.as_deref();
        let done = reach.act(being, None, Call::summon(&self.target, Value::map([("content", Value::text(line))])))?;
        if let Some(reason) = &done.refused {
            door.say(&done.report, || format!("#{} refused: {reason}", done.seq))?;
            return Ok(Some(Ended::Refused));
        }
        match self.heard(reach, done.seq)? {
            LineUpshot::Words(answer) => {
                let told = json!({ "seq": answer.seq, "from": answer.from, "words": answer.words });
                let from = answer.from.as_deref().unwrap_or(&self.target);
                door.say(&told, || format!("{from}: {}", answer.words))?;
            }
            LineUpshot::Closed(closed) => {
                door.say(&json!({ "moment": closed.moment, "closing": closed.closing, "deed": closed.deed }), || closed.line())?
            }
            LineUpshot::Nothing => {
                door.warn(&format!("{} has not answered #{}; `reelm inbox` lists it once they do", self.target, done.seq))
            }
        }
        Ok(None)
    }

    /// Whether they have said it after a frame, of their own accord.
    fn is_told_later(&self, wake: &WaitingWake, said: Seq) -> bool {
        wake.seq > said && wake.from.as_deref() == Some(self.target.as_str())
    }

    /// The outcome of a line: an answer, also of a steward who answers for a space; or how the moment closed that gave none.
    fn heard(&self, reach: &mut Reach, said: Seq) -> Result<LineUpshot> {
        let (since, mut root, mut closed) = (Instant::now(), None, None);
        loop {
            let waiting = reach.inbox(self.as_being.as_deref())?;
            if let Some(answer) = waiting.into_iter().find(|wake| wake.in_reply_to == Some(said) || self.is_told_later(wake, said)) {
                return Ok(LineUpshot::Words(Box::new(answer)));
            }
            let goes_on = match &mut *reach {
                Reach::There(line) => {
                    closed = ClosedMoment::told(line, said);
                    let is_open = closed.is_none() && since.elapsed() < WAIT;
                    if is_open {
                        std::thread::sleep(LOOK);
                    }
                    is_open
                }
                Reach::Here(living, _) => goes_on(living, said, &mut root, &mut closed)?,
            };
            if !goes_on {
                // It may have answered between the two looks.
                let late = reach.inbox(self.as_being.as_deref())?.into_iter().find(|wake| wake.in_reply_to == Some(said));
                return Ok(late
                    .map(|answer| LineUpshot::Words(Box::new(answer)))
                    .or(closed.map(LineUpshot::Closed))
                    .unwrap_or(LineUpshot::Nothing));
            }
        }
    }
}

/// The outcome of a line.
enum LineUpshot {
    /// What was said.
    Words(Box<WaitingWake>),
    /// Nothing was said, and the moment is over.
    Closed(ClosedMoment),
    /// It is not over yet.
    Nothing,
}

/// A moment that closed what it was asked without an answer.
struct ClosedMoment {
    /// Its name, such as `@ada/7`.
    moment: String,
    closing: String,
    deed: String,
}

impl ClosedMoment {
    /// The moment that a frame woke, as the process tells it that serves the world.
    fn told(line: &SocketLine, said: Seq) -> Option<Self> {
        // Without the right to read moments one waits as before.
        let told = line.ask("GET", &format!("/api/causes?moment={said}&depth=1"), &Json::Null).ok()?;
        let text = |effect: &Json, key: &str| effect.get(key).and_then(Json::as_str).unwrap_or_default().to_owned();
        let effects = told.get("effects").and_then(Json::as_array)?;
        let closed = effects.iter().map(|effect| Self {
            moment: text(effect, "moment"),
            closing: text(effect, "closing"),
            deed: text(effect, "deed"),
        });
        closed.rev().find(Self::is_over)
    }

    /// The same of a moment that was seen here.
    fn seen(report: &Report, said: Seq) -> Option<Self> {
        let is_of_it = report.cause.split('.').next().and_then(|seq| seq.parse().ok()) == Some(said);
        let closed = Self { moment: format!("@{}", report.being), closing: report.closing.to_owned(), deed: report.deed.clone() };
        Some(closed).filter(|closed| is_of_it && closed.is_over())
    }

    /// Whether nothing more comes of it: it neither goes on nor asks somebody else first.
    fn is_over(&self) -> bool {
        !matches!(self.closing.as_str(), "requeued" | "failed") && !self.deed.starts_with("summon ")
    }

    fn line(&self) -> String {
        let who = self.moment.split('/').next().unwrap_or_default();
        match self.closing.as_str() {
            "act" => format!("({who} says nothing, and did this: {})", self.deed),
            "see" => format!("({who} has heard it and says nothing)"),
            closing => format!("({who} says nothing: {closing})"),
        }
    }
}

/// Lets a world take one round, where anything that began with a frame is still to come; whether it did. How the moment closed that the frame
/// woke is noted.
fn goes_on(living: &mut Living, said: Seq, root: &mut Option<(Made, Millis)>, closed: &mut Option<ClosedMoment>) -> Result<bool> {
    let world = living.world();
    if root.is_none() {
        let wakes = world.beings().flat_map(|being| world.inbox().of(being.id));
        let began = wakes.filter(|wake| wake.id.cause.seq == said).find_map(|wake| wake.root);
        *root = began.map(|root| (root, world.now().saturating_add(WORLD_MS)));
    }
    let Some((_, end)) = root.filter(|(root, end)| world.root_count(*root).is_some() && world.now() < *end) else { return Ok(false) };
    let until = Until { moments: Some(1), instant: Some(end), ..Until::default() };
    let pace = world.world_setting("clock").as_str().and_then(Pace::of_word).unwrap_or(Pace::Virtual);
    let reins = &Reins::default();
    let mut watch = |report: &Report| {
        if let Some(seen) = ClosedMoment::seen(report, said) {
            *closed = Some(seen);
        }
    };
    let ran = living.run(Course { pace, until, reins, watch: Some(&mut watch), measures: None })?;
    Ok(ran.stopped == Stopped::Done)
}
