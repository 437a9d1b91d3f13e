//! `sweep`: worlds that differ in one thing, run from the same seeds, and what their measures come to, in one table.

mod experiment;
mod outcome;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args;
use serde_json::json;

use crate::fact::{Cognition, Hash, Spend, Text, Value};
use crate::minds::{Guess, Purse, Pursed, SharedReplies, Sharing};
use crate::run::{Course, Living, Measures, Pace, Reins, Stopped};
use crate::source::MeasureList;
use crate::store::keep;
use crate::world::{PaidBy, World};

use super::door::{Door, Ended};
use super::given;
use super::ground::every_core;
use super::jobs::each;
use experiment::{Arm, Experiment};
use outcome::{SweepOutcome, write_table};

/// Runs worlds that differ in one thing from the same seeds, into one table
#[derive(Args)]
#[command(after_help = "Example: reelm sweep court.json --out court --replicates 2 --budget calls=500

The experiment is a JSON file; what it names lies from its own folder on:
{\"source\": \"worlds/court\", \"arms\": [{\"name\": \"as-is\"}, {\"name\": \"strict\", \"change\": [\"role:court:judge=strict.md\"]},
{\"name\": \"warm\", \"change\": [\"setting:llm.sampling.temperature=1\"]}], \"seeds\": [1, 2, 3], \"replicates\": 1, \"for\": \"1d\"}
A change is what `reelm fork --change` takes; instead of `for` it may say `moments` or `until`, as `reelm run` does.

Each run is a world of its own under DIR. A second run with the same DIR goes on: what has come to its end is not run again, and what
models have answered is asked no second time.")]
pub struct Sweep {
    /// The JSON file that says what is compared
    experiment: PathBuf,
    /// The folder that the worlds and the table `measures.csv` go to
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// How often each arm is run from each seed, instead of what the experiment says: models draw anew each time
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=10_000))]
    replicates: Option<u64>,
    /// What models may cost in all, such as calls=500 or tokens=2000000,money=5
    #[arg(long, value_name = "LIMITS", value_parser = given::budget)]
    budget: Option<Value>,
    /// Say how many worlds would be run and about what they would cost, and stop
    #[arg(long)]
    plan: bool,
    /// How many worlds are run at once; the table is the same
    #[arg(long, value_name = "N", value_parser = given::count())]
    jobs: Option<usize>,
}

/// One world that is to be run.
struct SweepRun<'e> {
    arm: &'e Arm,
    seed: u64,
    replicate: u64,
    /// Its folder.
    world: String,
}

/// What all runs of a sweep share.
struct Common<'e> {
    experiment: &'e Experiment,
    purse: Purse,
    replies: SharedReplies,
}

impl Sweep {
    /// Runs.
    pub fn run(self, door: &Door) -> Result<Ended> {
        let experiment = Experiment::read(&self.experiment)?;
        let replicates = self.replicates.unwrap_or(experiment.replicates);
        let runs: Vec<SweepRun<'_>> = runs(&experiment, replicates);
        let (identity, thinks) = look_at(&experiment)?;
        let left = |run: &&SweepRun<'_>| SweepOutcome::kept(&self.out, &run.world).is_none();
        if self.plan {
            return say_plan(door, &experiment, &runs, &runs.iter().filter(left).collect::<Vec<_>>());
        }
        if thinks && self.budget.is_none() {
            bail!("models think in these worlds: say what they may cost in all, as --budget calls=500; --plan says what it would be");
        }
        begin(&self.out, &identity)?;
        let replies = SharedReplies::of(&self.out.join("replies.jsonl"))?;
        let common = Common { experiment: &experiment, purse: Purse::of(self.budget.clone().unwrap_or_default()), replies };
        let waiting: Vec<&SweepRun<'_>> = runs.iter().filter(left).collect();
        let (before, jobs) = (runs.len() - waiting.len(), self.jobs.unwrap_or_else(every_core));
        each(jobs, waiting, |_, run| run.live(&self.out, &common), |outcome: SweepOutcome| outcome.keep(&self.out))?;
        let outcomes: Vec<SweepOutcome> = runs.iter().filter_map(|run| SweepOutcome::kept(&self.out, &run.world)).collect();
        let table = self.out.join("measures.csv");
        write_table(&table, &outcomes)?;
        let (spent, left) = (common.purse.spent(), runs.len() - outcomes.len());
        let json = json!({ "table": table, "runs": outcomes.len(), "new": outcomes.len() - before, "left": left, "spent": spent });
        door.say(&json, || summary(&table, outcomes.len(), before, spent))?;
        if left > 0 {
            bail!("the budget had no room for {left} of the runs; the same command with another --budget goes on with them");
        }
        Ok(Ended::Well)
    }
}

/// Every world, in the order of the table.
fn runs(experiment: &Experiment, replicates: u64) -> Vec<SweepRun<'_>> {
    let mut runs = Vec::new();
    for arm in &experiment.arms {
        for seed in experiment.seeds.iter().copied() {
            let run = |replicate| SweepRun { arm, seed, replicate, world: format!("{}-s{seed}-r{replicate}", arm.name) };
            runs.extend((1..=replicates).map(run));
        }
    }
    runs
}

/// By what the worlds of an experiment are known, and whether models think in any; what is wrong with one is said before anything is run.
fn look_at(experiment: &Experiment) -> Result<(String, bool)> {
    let (mut text, mut thinks) = (experiment.ends.clone(), false);
    for arm in &experiment.arms {
        let (source, living) = arm.imagine(0)?;
        let measures = Measures::new(&MeasureList::of_source(&source))?;
        if measures.intervals().count() == 1 && source.measures.is_empty() {
            bail!("`{}` has no [[measure]], and measures are what a sweep compares; write one", arm.source.display());
        }
        let world = living.world();
        thinks |= world.beings().any(|being| being.cognition == Cognition::Llm);
        let measured: Vec<String> = source.measures.iter().map(|measure| format!("{} {}", measure.item.name, measure.item.value)).collect();
        text += &format!("\n{} {} {}", arm.name, world.hash(), measured.join("\n"));
    }
    Ok((Hash::of(text.as_bytes()).to_string(), thinks))
}

/// Begins a sweep in a folder, or goes on with the same one.
fn begin(out: &Path, identity: &str) -> Result<()> {
    let (file, cannot) = (out.join("experiment"), || format!("cannot write into `{}`", out.display()));
    std::fs::create_dir_all(out).with_context(cannot)?;
    match std::fs::read_to_string(&file) {
        Ok(found) if found.trim() == identity => Ok(()),
        Ok(_) => bail!("--out: `{}` holds the runs of another experiment, or of other sources; name another folder", out.display()),
        Err(_) if std::fs::read_dir(out).with_context(cannot)?.next().is_some() => {
            bail!("--out: expected an empty folder, or one of this sweep, in `{}`", out.display())
        }
        Err(_) => keep(&file, identity.as_bytes()).with_context(cannot),
    }
}

impl SweepRun<'_> {
    /// Lets it live to its end; nothing where models could not be paid for.
    fn live(&self, out: &Path, common: &Common<'_>) -> Result<Option<SweepOutcome>> {
        if common.purse.is_short() {
            return Ok(None);
        }
        let dir = out.join(&self.world);
        // One that was cut off begins anew; what its models have said is kept.
        let _ = std::fs::remove_dir_all(&dir);
        let (source, mut living) = self.arm.plant(self.seed, &dir)?;
        let (mut measures, reins) = (Measures::new(&MeasureList::of_source(&source))?, Reins::default());
        let stops = reins.clone();
        let pursed = Pursed::new(Living::endpoints(None, 0)?, common.purse.clone(), move || {
            stops.stop();
        });
        // Each replicate draws anew.
        let among = format!("{} {}", self.seed, self.replicate);
        living.asking(Box::new(Sharing::new(Box::new(pursed), common.replies.clone(), &among)));
        let until = common.experiment.until(&living);
        let ran = living.run(Course { pace: Pace::Virtual, until, reins: &reins, watch: None, measures: Some(&mut measures) });
        let stopped = living.stop();
        let (ran, (world, _)) = (ran.with_context(|| format!("`{}`", self.world))?, stopped?);
        if ran.stopped == Stopped::Told {
            let _ = std::fs::remove_dir_all(&dir);
            return Ok(None);
        }
        let (moment, spend) = (world.next_seq().saturating_sub(1), spent(&world));
        Ok(Some(SweepOutcome::of((&self.arm.name, self.seed, self.replicate), &self.world, moment, spend, &measures)))
    }
}

/// What models have cost in a world, also where another world has paid for it.
fn spent(world: &World) -> Spend {
    world.paid().of(PaidBy::All, &Text::from("")).spend
}

/// Says how many worlds would be run, and about what their models would cost: each arm lives once in memory with minds that do nothing.
fn say_plan(door: &Door, experiment: &Experiment, runs: &[SweepRun<'_>], left: &[&SweepRun<'_>]) -> Result<Ended> {
    let mut about = Spend::default();
    for arm in &experiment.arms {
        let own = left.iter().filter(|run| run.arm.name == arm.name).count() as u64;
        let Some(seed) = experiment.seeds.first().filter(|_| own > 0) else { continue };
        let (_, mut living) = arm.imagine(*seed)?;
        living.asking(Box::new(Guess));
        let until = experiment.until(&living);
        living.run(Course { pace: Pace::Virtual, until, reins: &Reins::default(), watch: None, measures: None })?;
        about = about.plus(spent(living.world()).times(own));
    }
    let json = json!({ "runs": runs.len(), "left": left.len(), "about": about });
    door.say(&json, || {
        let there =
            if left.len() < runs.len() { format!(", {} of them are there already", runs.len() - left.len()) } else { String::new() };
        format!("{} runs{there}\nabout {} calls and {} tokens, if models only look", runs.len(), about.calls, about.tokens())
    })?;
    Ok(Ended::Well)
}

fn summary(table: &Path, runs: usize, before: usize, spent: Spend) -> String {
    let there = if before > 0 { format!(", {before} of them were there already") } else { String::new() };
    let cost = if spent.calls > 0 { format!("; {} calls, {} tokens", spent.calls, spent.tokens()) } else { String::new() };
    format!("`{}`: {runs} runs{there}{cost}", table.display())
}
