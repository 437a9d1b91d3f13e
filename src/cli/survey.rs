//! `survey`: the questions of an instrument to some beings at some points of the past, each in a fork of its own, into one table.

#[doc(hidden)]
pub mod answer;
mod instrument;
mod sheet;
mod whom;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use serde_json::json;

use crate::fact::{Cognition, Hash, Seq, Spend, Value};
use crate::minds::{Guess, Purse, Pursed};
use crate::past::{History, Point};
use crate::run::{Interviewing, Living, Unsaid};
use crate::world::World;

use super::door::{Door, Ended};
use super::given;
use super::ground::every_core;
use super::jobs::each;
use super::scratch::{Scratch, border_of};

pub(super) use answer::{AnswerKind, refusal};
use instrument::{Instrument, SurveyItem};
use sheet::{AnswerRow, AnswerSheet, CellKey};
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
    /// What models may cost in all, such as calls=40 or tokens=200000,money=0.5
    #[arg(long, value_name = "LIMITS", value_parser = given::budget)]
    budget: Option<Value>,
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

/// One answer that is wanted.
struct SurveyCell<'s> {
    point: &'s Point,
    seq: Seq,
    /// The being, by its name.
    being: String,
    cognition: Cognition,
    item: &'s SurveyItem,
}

impl SurveyCell<'_> {
    fn key(&self) -> CellKey {
        (self.seq, format!("@{}", self.being), self.item.id.clone())
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
        let sheet =
            self.out.as_deref().filter(|file| !self.plan || file.exists()).map(|file| AnswerSheet::open(file, &asked)).transpose()?;
        let cells = cells(door, &history, (&points, &whom, &instrument.items), sheet.as_ref())?;
        let order: Vec<CellKey> = cells.iter().map(SurveyCell::key).collect();
        let left: Vec<SurveyCell<'_>> =
            cells.into_iter().filter(|cell| sheet.as_ref().is_none_or(|sheet| !sheet.holds(&cell.key()))).collect();
        if self.plan {
            return self.say_plan(door, &history, &left, order.len());
        }
        let models = left.iter().filter(|cell| cell.cognition == Cognition::Llm).count();
        if models > 0 && self.budget.is_none() {
            bail!(
                "{models} of the answers are a model's, and a fork asks none without a budget: say --budget calls={models}; --plan says what it would cost"
            );
        }
        self.ask(door, left, &order, sheet)
    }

    /// Has everything asked that is left, and writes it down.
    fn ask(&self, door: &Door, left: Vec<SurveyCell<'_>>, order: &[CellKey], mut sheet: Option<AnswerSheet>) -> Result<Ended> {
        let (scratch, wanted) = (Scratch::beside(&door.data)?, left.len());
        let purse = Purse::of(self.budget.clone().unwrap_or_default());
        let mut rows: BTreeMap<CellKey, AnswerRow> = BTreeMap::new();
        let work = |worker: usize, cell: SurveyCell<'_>| self.work(door, &cell, &purse, &scratch.place(&worker.to_string()));
        each(self.jobs.unwrap_or_else(every_core), left, work, |row| {
            sheet.as_mut().map_or(Ok(()), |sheet| sheet.add(&row))?;
            rows.insert(row.key(), row);
            Ok(())
        })?;
        let answered = rows.len();
        match (sheet, &self.out) {
            (Some(sheet), Some(file)) => {
                sheet.settle(order)?;
                let spent = purse.spent();
                let json = json!({ "out": file, "answers": order.len() - (wanted - answered), "new": answered, "left": wanted - answered, "spent": spent });
                door.say(&json, || summary(file, order.len(), wanted, answered, spent))?;
            }
            _ => order.iter().filter_map(|key| rows.get(key)).try_for_each(|row| door.say(row, || line(row)))?,
        }
        if answered < wanted {
            bail!("the budget had no room for {} of the questions; the same command with another --budget asks them", wanted - answered);
        }
        Ok(Ended::Well)
    }

    /// Puts one question; nothing where it could not be paid for.
    fn work(&self, door: &Door, cell: &SurveyCell<'_>, purse: &Purse, place: &Path) -> Result<Option<AnswerRow>> {
        if cell.cognition == Cognition::Llm && !purse.has_room() {
            return Ok(None);
        }
        let SurveyCell { point, seq, being, item, .. } = cell;
        let budget = self.budget.as_ref().map(|_| purse.left());
        let interviewing = Interviewing { parent: &door.data, at: *seq, being, question: &item.question, budget };
        let fork = interviewing.fork_name();
        let dir = self.keep.as_ref().map_or_else(|| place.to_owned(), |keep| keep.join(&fork));
        if let Some(keep) = &self.keep {
            std::fs::create_dir_all(keep).with_context(|| format!("cannot make `{}`", keep.display()))?;
        }
        // What a survey that was cut off has left there answers nothing.
        let _ = std::fs::remove_dir_all(&dir);
        let minds = Pursed::new(Living::endpoints(None, 0)?, purse.clone(), || ());
        let where_asked = || format!("@{being}, `{}` at {point}", item.id);
        let history = History::of(&door.data).with_context(where_asked)?;
        let told = interviewing.put(&history, &dir, Box::new(minds)).with_context(where_asked)?;
        let is_unpaid = told.unsaid.as_ref().is_some_and(Unsaid::is_unpaid);
        if self.keep.is_none() || is_unpaid {
            let _ = std::fs::remove_dir_all(&dir);
        }
        if is_unpaid {
            purse.run_short();
            return Ok(None);
        }
        let answer = told.said.as_ref().and_then(|said| item.kind.read(said));
        Ok(Some(AnswerRow {
            point: point.to_string(),
            seq: *seq,
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
        }))
    }

    /// Says what would be asked: each model once for each point with a mind that makes its answer up, to know the size of its prompts.
    fn say_plan(&self, door: &Door, history: &History, left: &[SurveyCell<'_>], all: usize) -> Result<Ended> {
        let count = |cognition: Cognition| left.iter().filter(|cell| cell.cognition == cognition).count();
        let (scratch, mut guessed, mut about) = (Scratch::beside(&door.data)?, BTreeMap::new(), Spend::default());
        for cell in left.iter().filter(|cell| cell.cognition == Cognition::Llm) {
            let spend = match guessed.get(&(cell.seq, cell.being.as_str())) {
                Some(spend) => *spend,
                None => {
                    let (budget, place) = (Some(Value::map([("calls", Value::Int(i64::from(u32::MAX)))])), scratch.place("guess"));
                    let interviewing =
                        Interviewing { parent: &door.data, at: cell.seq, being: &cell.being, question: &cell.item.question, budget };
                    let told = interviewing.put(history, &place, Box::new(Guess))?;
                    std::fs::remove_dir_all(&place)?;
                    guessed.insert((cell.seq, cell.being.as_str()), told.spend);
                    told.spend
                }
            };
            about = about.plus(spend);
        }
        let (scripts, models, people) =
            (count(Cognition::Script) + count(Cognition::Panel), count(Cognition::Llm), count(Cognition::Human));
        let json = json!({ "answers": all, "left": left.len(), "scripts": scripts, "models": models, "people": people, "about": about });
        door.say(&json, || {
            let there = if all > left.len() { format!("; {} are there already", all - left.len()) } else { String::new() };
            let nobody = if people > 0 { format!(", {people} of people, for whom nobody is there") } else { String::new() };
            let tokens = about.tokens();
            format!(
                "{} answers: {scripts} of scripts, {models} of models{nobody}{there}\nabout {} calls and {tokens} tokens, if nobody looks around before answering",
                left.len(),
                about.calls
            )
        })?;
        Ok(Ended::Well)
    }
}

/// By what answers to these questions, of this world, are known.
fn identity(history: &History, items: &[SurveyItem]) -> String {
    let questions: Vec<String> = items.iter().map(|item| format!("{}\n{}\n{:?}\n", item.id, item.question, item.kind)).collect();
    let hash = Hash::of(format!("{}\n{}", history.world_file().world, questions.concat()).as_bytes()).to_string();
    hash.get(..16).unwrap_or(&hash).to_owned()
}

/// The answers that are wanted, in the order of the table: by point, being, question.
fn cells<'s>(
    door: &Door,
    history: &History,
    (points, whom, items): (&'s [Point], &[Whom], &'s [SurveyItem]),
    sheet: Option<&AnswerSheet>,
) -> Result<Vec<SurveyCell<'s>>> {
    let (mut cells, mut seen) = (Vec::new(), BTreeSet::new());
    for point in points {
        let seq = sheet.and_then(|sheet| sheet.seq_of(&point.to_string())).map_or_else(|| border_of(door, history, point), Ok)?;
        // Two names for one point are one point.
        if !seen.insert(seq) {
            continue;
        }
        let world = history.world_at(seq)?;
        for (name, cognition) in asked_there(&world, whom, point)? {
            cells.extend(items.iter().map(|item| SurveyCell { point, seq, being: name.clone(), cognition, item }));
        }
    }
    if cells.is_empty() {
        let whom: Vec<String> = whom.iter().map(ToString::to_string).collect();
        bail!("there is nobody at those points whom `{}` names", whom.join("`, `"));
    }
    Ok(cells)
}

/// Whom a survey asks in a world, and what thinks for each.
fn asked_there(world: &World, whom: &[Whom], point: &Point) -> Result<Vec<(String, Cognition)>> {
    let (mut there, mut seen) = (Vec::new(), BTreeSet::new());
    for one in whom {
        let beings = one.beings(world).map_err(|what| anyhow!("{point}: {what}"))?;
        let new = beings.into_iter().filter(|being| seen.insert(*being)).filter_map(|being| world.being(being));
        there.extend(new.map(|being| (being.name.to_string(), being.cognition_at(world.now()))));
    }
    Ok(there)
}

fn summary(file: &Path, all: usize, wanted: usize, answered: usize, spent: Spend) -> String {
    let before = if all > wanted { format!(", {} were there already", all - wanted) } else { String::new() };
    let left = if wanted > answered { format!(", {} are left", wanted - answered) } else { String::new() };
    let cost = if spent.calls > 0 { format!("; {} calls, {} tokens", spent.calls, spent.tokens()) } else { String::new() };
    format!("`{}`: {answered} new answers{before}{left}{cost}", file.display())
}

fn line(row: &AnswerRow) -> String {
    let answer = row.answer.as_str().map_or_else(|| row.answer.to_string(), str::to_owned);
    let told = row.refusal.as_ref().map_or(answer, |refusal| format!("- ({refusal}) {}", row.raw));
    format!("{} {} {}: {told}", row.point, row.being, row.item)
}
