//! `chat`: a thread with somebody, a line at a time, until the input ends. Where nobody runs the world it goes on for as long as an answer
//! takes.

use std::io::{BufRead, IsTerminal, Write};
use std::time::{Duration, Instant};

use anyhow::Result;
use clap::Args;
use serde::Deserialize;
use serde_json::{Value as Json, json};

use crate::fact::{Call, ClosingKind, Made, Millis, Seq, SilenceKind, Value, Verb};
use crate::past::Report;
use crate::run::{Course, Living, Pace, Reins, Stopped, Until};
use crate::tell::{ToldPart, plain_text};

use super::door::{Door, Ended};
use super::inbox::WaitingWake;
use super::line::{Reach, SocketLine};

/// Talks with somebody, a line at a time, until the input ends
#[derive(Args)]
#[command(after_help = "Example: reelm chat @foreman

Each line is a summons, and each but the first answers what they said last. Where nobody runs the world, it goes on until they have answered.")]
pub struct Chat {
    /// With whom
    pub target: String,
    /// The being that speaks: @operator where none is named, or the being of the token
    #[arg(long = "as", value_name = "@BEING")]
    pub as_being: Option<String>,
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

    /// Asks once, and waits for what is answered.
    pub fn once(self, door: &Door, call: Call) -> Result<Ended> {
        let mut reach = Reach::to(door)?;
        let ended = self.asks(door, &mut reach, call)?.unwrap_or(Ended::Well);
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
        self.asks(door, reach, Call::summon(&self.target, Value::map([("content", Value::text(line))])))
    }

    /// Asks, and shows what is answered.
    fn asks(&self, door: &Door, reach: &mut Reach, call: Call) -> Result<Option<Ended>> {
        let done = reach.act(self.as_being.as_deref(), None, call)?;
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
                door.say(&json!({ "moment": closed.moment, "closing": closed.closing, "told": closed.told }), || closed.line())?
            }
            LineUpshot::Nothing => {
                door.warn(&format!("{} has not answered #{}; `reelm inbox` lists it once they do", self.target, done.seq))
            }
        }
        Ok(None)
    }

    /// Whether they have said it after a frame, of their own accord.
    fn is_told_later(&self, wake: &WaitingWake, said: Seq) -> bool {
        wake.seq > said && wake.in_reply_to.is_none() && wake.from.as_deref() == Some(self.target.as_str())
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
                    closed = ClosedMoment::told(line, self.as_being.as_deref(), said);
                    let is_open = !closed.as_ref().is_some_and(ClosedMoment::is_over) && since.elapsed() < WAIT;
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
    /// The words of an answer.
    Words(Box<WaitingWake>),
    /// Nothing was said, and the moment is over.
    Closed(ClosedMoment),
    /// It is not over yet.
    Nothing,
}

/// How much of what was said is repeated, in characters.
const SAID_MAX: usize = 400;

/// A moment that closed what it was asked without an answer.
#[derive(Deserialize)]
struct ClosedMoment {
    /// Its name, such as `@ada/7`.
    moment: String,
    closing: ClosingKind,
    verb: Option<Verb>,
    #[serde(default)]
    told: Vec<ToldPart>,
}

impl ClosedMoment {
    /// The moment that a frame woke, as the process tells it that serves the world. A reader who may not read moments is told less of it.
    fn told(line: &SocketLine, being: Option<&str>, said: Seq) -> Option<Self> {
        let Ok(told) = line.ask("GET", &format!("/api/causes?moment={said}&depth=1"), &Json::Null) else {
            return Self::told_to_anybody(line, being, said);
        };
        let effects = told.get("effects").and_then(Json::as_array)?;
        let closed = effects.iter().filter_map(|effect| Self::deserialize(effect).ok());
        closed.rev().find(Self::is_final)
    }

    /// All that the asker may know in any case: that it was heard and got no answer.
    fn told_to_anybody(line: &SocketLine, being: Option<&str>, said: Seq) -> Option<Self> {
        let named = line.speaker(being).map(|name| format!("?as={name}")).unwrap_or_default();
        let told = line.ask("GET", &format!("/api/unanswered{named}"), &Json::Null).ok()?;
        let text = |one: &Json, key: &str| one.get(key).and_then(Json::as_str).map(str::to_owned);
        let is_it = |one: &&Json| text(one, "cause").is_some_and(|cause| cause.split('.').next() == Some(said.to_string().as_str()));
        let one = told.as_array()?.iter().find(is_it)?;
        let how: SilenceKind = text(one, "how")?.parse().ok()?;
        let closing = if how == SilenceKind::Looked { ClosingKind::See } else { ClosingKind::Act };
        let verb = (how == SilenceKind::Asked).then_some(Verb::Summon);
        Some(Self { moment: text(one, "to")?, closing, verb, told: Vec::new() })
    }

    /// The same of a moment that was seen here.
    fn seen(report: &Report, said: Seq) -> Option<Self> {
        let is_of_it = report.cause.split('.').next().and_then(|seq| seq.parse().ok()) == Some(said);
        let Report { closing, verb, .. } = *report;
        let closed = Self { moment: format!("@{}", report.being), closing, verb, told: report.told.clone() };
        Some(closed).filter(|closed| is_of_it && closed.is_final())
    }

    /// Whether its wake is closed.
    fn is_final(&self) -> bool {
        !matches!(self.closing, ClosingKind::Requeued | ClosingKind::Failed)
    }

    /// Whether nothing more comes of it: it has not asked somebody else first.
    fn is_over(&self) -> bool {
        self.is_final() && self.verb != Some(Verb::Summon)
    }

    fn line(&self) -> String {
        let who = self.moment.split('/').next().unwrap_or_default();
        let told = plain_text(&self.told, SAID_MAX);
        match self.closing {
            ClosingKind::Act if self.verb == Some(Verb::Summon) && told.is_empty() => {
                format!("({who} {}; `reelm inbox` lists what comes of it)", SilenceKind::Asked.sentence())
            }
            ClosingKind::Act if self.verb == Some(Verb::Summon) => {
                format!("({who} first {told}; `reelm inbox` lists what comes of it)")
            }
            ClosingKind::Act if told.is_empty() => format!("({who} {})", SilenceKind::Did.sentence()),
            ClosingKind::Act => format!("({who} {}: {told})", SilenceKind::Did.sentence()),
            ClosingKind::See => format!("({who} {})", SilenceKind::Looked.sentence()),
            _ if told.is_empty() => format!("({who} says nothing: {})", self.closing),
            _ => format!("({who} {told})"),
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
