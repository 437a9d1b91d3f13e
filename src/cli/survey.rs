//! `survey`: the questions of an instrument to some beings at some points of the past, each in a fork of its own, into one table.

#[doc(hidden)]
pub mod answer;
mod cell;
mod dress;
mod instrument;
mod points;
mod sheet;
mod taken;
mod unclear;
mod whom;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args;
use serde_json::json;

use crate::fact::{Code, Cognition, Hash, Seq, Spend, Value};
use crate::minds::{AheadTerms, Guess, Minds, Purse, Pursed, SharedReplies, Sharing};
use crate::past::{History, Point};
use crate::run::{Interviewing, Living, Unsaid};

use super::door::{Door, Ended};
use super::given;
use super::ground::every_core;
use super::jobs::each;
use super::progress::Progress;
use super::scratch::Scratch;

pub(super) use answer::{AnswerKind, refusal};
use cell::{SurveyCell, asked_once, cells};
use instrument::{Instrument, SurveyItem};
use sheet::{AnswerRow, AnswerSheet, CellKey};
use taken::{Surveyed, TakenAnswers};
use whom::Whom;

/// Puts the questions of an instrument to beings, into one table
#[derive(Args)]
#[command(after_help = "Example: reelm survey mood.json --beings guest --at ~1h --at now --out mood.csv --budget calls=40

Each question is put in a fork of its own, as `reelm interview` does, so no question knows of another. The instrument is a JSON file:
{\"items\": [{\"id\": \"mood\", \"text\": \"How are you?\", \"kind\": \"scale\", \"from\": 1, \"to\": 7, \"labels\": {\"1\": \"bad\"}},
{\"id\": \"whom\", \"text\": …, \"kind\": \"choice\", \"options\": [\"Ada\", \"Ben\"]}, {\"id\": \"why\", \"text\": …, \"kind\": \"open\"}],
\"whom\": [\"@ada\", \"guest\", \"/salon\"], \"at\": [\"~1h\", \"now\"]}

A second run with the same --out goes on where the first one stopped, at the very points where that one asked.")]
pub struct Survey {
    /// The JSON file that says what is asked
    instrument: PathBuf,
    /// When: 120, @ada/7, @ada/7+, 2026-03-02T09:00, ~10m or now; may be said several times, instead of what the instrument says
    #[arg(long, value_name = "POINT")]
    at: Vec<Point>,
    /// Whom, instead of what the instrument says: @ada, @worker-*, a role, /salon, /factory/** or /salon@guest; may be said several times
    #[arg(long, value_name = "WHOM")]
    beings: Vec<Whom>,
    /// The CSV file that the answers go to
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// The most that models may cost in all, such as calls=40 or tokens=200000,money=0.5
    #[arg(long, value_name = "LIMITS", value_parser = given::budget)]
    budget: Option<Value>,
    /// Keep the replies of models in this file; where it has them, nobody is asked and nothing is paid
    #[arg(long, value_name = "FILE")]
    replies: Option<PathBuf>,
    /// Say what would be asked and about what it would cost, and stop
    #[arg(long)]
    plan: bool,
    /// How many forks are asked at once; the table is the same
    #[arg(long, value_name = "N", value_parser = given::count())]
    jobs: Option<usize>,
    /// Keep the forks in this directory, each under the name that stands in its row
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,
}

/// Out of what models are paid, and the replies that cost nothing.
struct Paying<'p> {
    purse: &'p Purse,
    replies: Option<&'p SharedReplies>,
}

impl Paying<'_> {
    /// The minds of a fork that begins at a seq: each question at each point is a draw of its own.
    fn minds(&self, seq: Seq) -> Result<Box<dyn Minds>> {
        let pursed = Pursed::new(Living::endpoints(None, AheadTerms::NONE)?, self.purse.clone(), || ());
        Ok(match self.replies {
            Some(replies) => Box::new(Sharing::new(Box::new(pursed), replies.clone(), &seq.to_string())),
            None => Box::new(pursed),
        })
    }
}

impl Survey {
    /// Runs.
    pub fn run(mut self, door: &Door) -> Result<Ended> {
        let instrument = Instrument::read(&self.instrument)?;
        let points = if self.at.is_empty() { instrument.at } else { std::mem::take(&mut self.at) };
        let points = if points.is_empty() { vec![Point::Now] } else { points };
        let whom = if self.beings.is_empty() { instrument.whom } else { std::mem::take(&mut self.beings) };
        if whom.is_empty() {
            bail!("expected whom to ask, as `whom` of the instrument or --beings, found nobody");
        }
        let history = door.history()?;
        let asked = identity(&history, &instrument.items);
        let mut sheet =
            self.out.as_deref().filter(|file| !self.plan || file.exists()).map(|file| AnswerSheet::open(file, &asked)).transpose()?;
        let (cells, stand) = cells(&history, (&points, &whom, &instrument.items), sheet.as_ref())?;
        sheet.as_mut().filter(|_| !self.plan).map_or(Ok(()), |sheet| sheet.keep_points(stand))?;
        let order: Vec<CellKey> = cells.iter().map(SurveyCell::key).collect();
        sheet.as_mut().filter(|_| !self.plan).map_or(Ok(()), |sheet| sheet.add_twins(&order))?;
        let left: Vec<SurveyCell<'_>> =
            cells.into_iter().filter(|cell| sheet.as_ref().is_none_or(|sheet| !sheet.holds(&cell.key()))).collect();
        let wanted = left.len();
        let (left, twins) = asked_once(left);
        if self.plan {
            return self.say_plan(door, &history, &left, (order.len(), wanted));
        }
        let models = left.iter().filter(|cell| cell.cognition == Cognition::Llm).count();
        if models > 0 && self.budget.is_none() && !self.has_replies() {
            bail!(
                "{models} of the answers are a model's, and a fork asks none without a budget: say --budget calls={models}; --plan says what it would cost"
            );
        }
        let mut taken = TakenAnswers { order, twins, sheet, rows: BTreeMap::new(), missing: BTreeMap::new() };
        let spent = self.ask(door, left, &mut taken)?;
        taken.tell(door, self.out.as_deref(), wanted, spent)
    }

    /// Has everything asked that is left, and writes it down; what it has cost.
    fn ask(&self, door: &Door, left: Vec<SurveyCell<'_>>, taken: &mut TakenAnswers) -> Result<Spend> {
        let scratch = Scratch::beside(&door.data)?;
        let purse = Purse::of(self.budget.clone().unwrap_or_else(given::no_calls));
        let replies = self.replies.as_deref().map(SharedReplies::of).transpose()?;
        let work = |worker: usize, cell: SurveyCell<'_>| {
            let paid = Paying { purse: &purse, replies: replies.as_ref() };
            self.work(door, &cell, &paid, &scratch.place(&worker.to_string())).map(Some)
        };
        let (progress, mut done) = (Progress::of(left.len() as u64, "asking", "answers"), 0);
        each(self.jobs.unwrap_or_else(every_core), left, work, |surveyed| {
            done += 1;
            progress.at(done);
            taken.take(surveyed)
        })?;
        Ok(purse.spent())
    }

    /// Whether there are replies of models that were kept before.
    fn has_replies(&self) -> bool {
        self.replies.as_ref().is_some_and(|replies| replies.exists())
    }

    /// Puts one question.
    fn work(&self, door: &Door, cell: &SurveyCell<'_>, paying: &Paying<'_>, place: &Path) -> Result<Surveyed> {
        let purse = paying.purse;
        if cell.cognition == Cognition::Llm && !self.has_replies() && !purse.has_room() {
            return Ok(Surveyed::Missing(cell.key().asked(), Code::NoBudget));
        }
        let SurveyCell { point, seq, instant, being, item, .. } = cell;
        // Replies that are kept cost nothing: the purse alone bounds what is asked.
        let is_free = self.has_replies() && self.keep.is_none();
        let budget = if is_free { Some(every_call()) } else { self.budget.as_ref().map(|_| purse.left()) };
        let interviewing = Interviewing { parent: &door.data, at: *seq, instant: *instant, being, question: &item.question, budget };
        let fork = interviewing.fork_name();
        let dir = self.keep.as_ref().map_or_else(|| place.to_owned(), |keep| keep.join(&fork));
        if let Some(keep) = &self.keep {
            std::fs::create_dir_all(keep).with_context(|| format!("cannot make `{}`", keep.display()))?;
        }
        // A fork left there by an interrupted survey is of no use.
        let _ = std::fs::remove_dir_all(&dir);
        let minds = paying.minds(*seq)?;
        let where_asked = || format!("@{being}, `{}` at {point}", item.id);
        let history = History::of(&door.data).with_context(where_asked)?;
        let told = interviewing.put(&history, &dir, minds).with_context(where_asked)?;
        let missing = told.missing();
        if self.keep.is_none() || missing.is_some() {
            let _ = std::fs::remove_dir_all(&dir);
        }
        if let Some(code) = missing {
            let is_unpaid = told.unsaid.as_ref().is_some_and(Unsaid::is_unpaid);
            if is_unpaid {
                purse.run_short();
            }
            return Ok(Surveyed::Missing(cell.key().asked(), if is_unpaid { Code::NoBudget } else { code }));
        }
        let answer = told.said.as_ref().and_then(|said| item.kind.read(said));
        Ok(Surveyed::Answered(Box::new(AnswerRow {
            point: point.to_string(),
            seq: *seq,
            time: cell.time.clone(),
            being: format!("@{being}"),
            item: item.id.clone(),
            refusal: refusal(&told, answer.as_ref()),
            answer: answer.unwrap_or_default(),
            raw: told.raw,
            spend: told.spend,
            role: told.role,
            moment: told.moment,
            fork,
            world: history.world_file().world,
            note: String::new(),
        })))
    }

    /// Says what would be asked: each model once for each point with a mind that makes its answer up, to know the size of its prompts.
    fn say_plan(&self, door: &Door, history: &History, left: &[SurveyCell<'_>], (all, wanted): (usize, usize)) -> Result<Ended> {
        let count = |cognition: Cognition| left.iter().filter(|cell| cell.cognition == cognition).count();
        let (scratch, mut guessed, mut about) = (Scratch::beside(&door.data)?, BTreeMap::new(), Spend::default());
        for cell in left.iter().filter(|cell| cell.cognition == Cognition::Llm) {
            let spend = match guessed.get(&(cell.instant, cell.seq, cell.being.as_str())) {
                Some(spend) => *spend,
                None => {
                    let (budget, place) = (Some(every_call()), scratch.place("guess"));
                    let interviewing = Interviewing {
                        parent: &door.data,
                        at: cell.seq,
                        instant: cell.instant,
                        being: &cell.being,
                        question: &cell.item.question,
                        budget,
                    };
                    let told = interviewing.put(history, &place, Box::new(Guess))?;
                    std::fs::remove_dir_all(&place)?;
                    guessed.insert((cell.instant, cell.seq, cell.being.as_str()), told.spend);
                    told.spend
                }
            };
            about = about.plus(spend);
        }
        let (scripts, models, people) =
            (count(Cognition::Script) + count(Cognition::Panel), count(Cognition::Llm), count(Cognition::Human));
        let json = json!({ "answers": all, "left": wanted, "scripts": scripts, "models": models, "people": people, "about": about });
        door.say(&json, || {
            let there = if all > wanted { format!("; {} are there already", all - wanted) } else { String::new() };
            let twins = if wanted > left.len() { format!("; {} more are the same by another name", wanted - left.len()) } else { String::new() };
            let nobody = if people > 0 { format!(", {people} of people, for whom nobody is there") } else { String::new() };
            let tokens = about.tokens();
            format!(
                "{} answers: {scripts} of scripts, {models} of models{nobody}{twins}{there}\nabout {} calls and {tokens} tokens, if nobody looks around before answering",
                left.len(),
                about.calls
            )
        })?;
        Ok(Ended::Well)
    }
}

/// The budget of a fork that asks whatever it wants to.
fn every_call() -> Value {
    Value::map([("calls", Value::Int(i64::from(u32::MAX)))])
}

/// The identity of answers to these questions in this world: a part of a hash over both.
fn identity(history: &History, items: &[SurveyItem]) -> String {
    let questions: Vec<String> = items.iter().map(|item| format!("{}\n{}\n{:?}\n", item.id, item.question, item.kind)).collect();
    let hash = Hash::of(format!("{}\n{}", history.world_file().world, questions.concat()).as_bytes()).to_string();
    hash.get(..16).unwrap_or(&hash).to_owned()
}
