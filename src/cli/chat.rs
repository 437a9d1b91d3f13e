//! `chat`: a thread with somebody, a line at a time, until the input ends. Where nobody runs the world it goes on for as long as an answer
//! takes.

use std::io::{BufRead, IsTerminal, Write};
use std::time::{Duration, Instant};

use anyhow::Result;
use clap::Args;
use serde_json::json;

use crate::fact::{Call, Made, Millis, Seq, Value};
use crate::run::{Course, Living, Pace, Reins, Stopped, Until};

use super::door::{Door, Ended};
use super::inbox::WaitingWake;
use super::line::Reach;

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
        match self.answer(reach, done.seq)? {
            Some(answer) => {
                let told = json!({ "seq": answer.seq, "from": answer.from, "words": answer.words });
                let from = answer.from.as_deref().unwrap_or(&self.target);
                door.say(&told, || format!("{from}: {}", answer.words))?;
            }
            None => door.warn(&format!("{} has not answered #{}; `reelm inbox` lists it once they do", self.target, done.seq)),
        }
        Ok(None)
    }

    /// Whether they have said it after a frame, of their own accord.
    fn is_told_later(&self, wake: &WaitingWake, said: Seq) -> bool {
        wake.seq > said && wake.from.as_deref() == Some(self.target.as_str())
    }

    /// The answer to what was said in a frame: whoever gives it, as a space answers by its steward.
    fn answer(&self, reach: &mut Reach, said: Seq) -> Result<Option<WaitingWake>> {
        let (since, mut root) = (Instant::now(), None);
        loop {
            let waiting = reach.inbox(self.as_being.as_deref())?;
            let answer = waiting.into_iter().find(|wake| wake.in_reply_to == Some(said) || self.is_told_later(wake, said));
            let goes_on = match (&answer, &mut *reach) {
                (Some(_), _) => false,
                (None, Reach::There(_)) => {
                    std::thread::sleep(LOOK);
                    since.elapsed() < WAIT
                }
                (None, Reach::Here(living, _)) => goes_on(living, said, &mut root)?,
            };
            if !goes_on {
                return Ok(answer);
            }
        }
    }
}

/// Lets a world take one round, where anything that began with a frame is still to come; whether it did.
fn goes_on(living: &mut Living, said: Seq, root: &mut Option<(Made, Millis)>) -> Result<bool> {
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
    let ran = living.run(Course { pace, until, reins, watch: None, measures: None })?;
    Ok(ran.stopped == Stopped::Done)
}
