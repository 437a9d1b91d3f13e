//! `sweep`: worlds that differ in one thing, run from the same seeds, and what their measures come to, in one table.

mod counted;
mod experiment;
mod grid;
mod outcome;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args;
use serde_json::json;

use crate::fact::{Hash, Spend, Value};
use crate::minds::{AheadTerms, Guess, Purse, Pursed, SharedReplies, Sharing};
use crate::run::{Course, Living, Measures, Pace, Reins, Stopped};
use crate::source::MeasureList;
use crate::store::keep;
use crate::world::{Local, World};

use super::door::{Door, Ended};
use super::given;
use super::ground::every_core;
use super::jobs::each;
use super::progress::Progress;
use counted::{FaultCounts, Uncounted, why_uncounted};
use experiment::{Arm, Experiment};
use outcome::{SweepOutcome, keep_rows, write_tables};

/// Runs worlds that differ in one thing from the same seeds, into one table
#[derive(Args)]
#[command(after_help = "Example: reelm sweep court.json --out court --replicates 2 --budget calls=500

The experiment is a JSON file; what it names lies from its own folder on:
{\"source\": \"worlds/court\", \"arms\": [{\"name\": \"as-is\"}, {\"name\": \"strict\", \"change\": [\"role:court:judge=strict.md\"]},
{\"name\": \"warm\", \"change\": [\"setting:llm.sampling.temperature=1\"]}], \"seeds\": [1, 2, 3], \"replicates\": 1, \"for\": \"1d\"}
A change is what `reelm fork --change` takes; instead of `for` it may say `moments` or `until`, as `reelm run` does.

Without `seeds` each arm has that of its source. Parameters are varied by a grid, or by samples of ranges:
{\"source\": \"worlds/lab\", \"grid\": {\"setting:brakes.depth\": [8, 64], \"signal:lab.mood\": {\"from\": 0, \"to\": 1, \"step\": 0.5}},
\"samples\": {\"count\": 20, \"of\": {\"signal:lab.load\": {\"from\": 0, \"to\": 10}}}, \"for\": \"1d\"}

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
    /// The most that models may cost in all, such as calls=500 or tokens=2000000,money=5
    #[arg(long, value_name = "LIMITS", value_parser = given::budget)]
    budget: Option<Value>,
    /// Say how many worlds would be run and about what they would cost, and stop
    #[arg(long)]
    plan: bool,
    /// Take no run into the tables in which a thought failed, a wake was given up or an act was refused
    #[arg(long)]
    strict: bool,
    /// How many worlds are run at once; the table is the same
    #[arg(long, value_name = "N", value_parser = given::count())]
    jobs: Option<usize>,
}

/// The replies of models, for all runs.
const REPLIES: &str = "replies.jsonl";

/// One world that is to be run.
struct SweepRun<'e> {
    arm: &'e Arm,
    seed: u64,
    replicate: u64,
    /// Its folder.
    world: String,
}

/// The state that all runs of a sweep share.
struct Common<'e> {
    experiment: &'e Experiment,
    purse: Purse,
    replies: SharedReplies,
    /// For each arm, a hash of the world that its source makes.
    sources: &'e [String],
    /// The worlds that have no row, and why.
    uncounted: Uncounted,
}

/// An experiment that was looked at before anything is run.
struct KnownExperiment {
    /// The identity of its worlds.
    identity: String,
    /// Whether models think in any of them.
    thinks: bool,
    /// For each arm as it is written, a hash of the world that its source makes.
    sources: Vec<String>,
}

impl Sweep {
    /// Runs.
    pub fn run(self, door: &Door) -> Result<Ended> {
        let experiment = Experiment::read(&self.experiment)?;
        let replicates = self.replicates.unwrap_or(experiment.replicates);
        let runs: Vec<SweepRun<'_>> = runs(&experiment, replicates)?;
        let looked = look_at(&experiment)?;
        if replicates > 1 && !looked.thinks {
            bail!(
                "expected one replicate, found {replicates}: no model thinks in these worlds, so another run from the same seed is a copy; \
                 take more `seeds`"
            );
        }
        let left = |run: &&SweepRun<'_>| SweepOutcome::kept(&self.out, &run.world).is_none();
        if self.plan {
            return say_plan(door, &experiment, &runs, &runs.iter().filter(left).collect::<Vec<_>>());
        }
        if looked.thinks && self.budget.is_none() && !self.out.join(REPLIES).exists() {
            bail!("models think in these worlds: say what they may cost in all, as --budget calls=500; --plan says what it would be");
        }
        begin(&self.out, &looked.identity)?;
        let replies = SharedReplies::of(&self.out.join(REPLIES))?;
        let purse = Purse::of(self.budget.clone().unwrap_or_else(given::no_calls));
        let common = Common { experiment: &experiment, purse, replies, sources: &looked.sources, uncounted: Uncounted::default() };
        let waiting: Vec<&SweepRun<'_>> = runs.iter().filter(left).collect();
        let new: BTreeSet<&str> = waiting.iter().map(|run| run.world.as_str()).collect();
        let jobs = self.jobs.unwrap_or_else(every_core);
        let progress = Progress::of(waiting.len() as u64, "running", "worlds");
        let mut done = 0;
        each(
            jobs,
            waiting,
            |_, run| run.live(&self.out, &common),
            |outcome: SweepOutcome| {
                done += 1;
                progress.at(done);
                outcome.keep(&self.out)
            },
        )?;
        drop(progress);
        let kept: Vec<SweepOutcome> = runs.iter().filter_map(|run| SweepOutcome::kept(&self.out, &run.world)).collect();
        let (spent, left) = (common.purse.spent(), runs.len() - kept.len());
        let (faulty, outcomes): (Vec<_>, Vec<_>) = kept.into_iter().partition(|outcome| self.strict && outcome.faults.told().is_some());
        let before = outcomes.iter().filter(|outcome| !new.contains(outcome.world.as_str())).count();
        let new = outcomes.len() + faulty.iter().filter(|outcome| new.contains(outcome.world.as_str())).count() - before;
        let table = self.out.join("measures.csv");
        write_tables(&self.out, &experiment.parameters, &outcomes)?;
        let json = json!({ "table": table, "runs": outcomes.len(), "new": new, "left": left, "faulty": faulty.len(), "spent": spent });
        door.say(&json, || summary(&table, outcomes.len(), before, spent))?;
        all_counted(&common.uncounted, &faulty, left)
    }
}

/// Ends well if each run has its row; else the error says which have none, and why.
fn all_counted(uncounted: &Uncounted, faulty: &[SweepOutcome], left: usize) -> Result<Ended> {
    let (count, lines) = uncounted.told().unwrap_or_default();
    let unpaid = left.saturating_sub(count);
    let told = [
        (count > 0).then(|| format!("{count} of the runs have no row; the same command runs them again:{lines}")),
        (unpaid > 0)
            .then(|| format!("the budget had no room for {unpaid} of the runs; the same command with another --budget goes on with them")),
        (!faulty.is_empty()).then(|| {
            let line = |outcome: &SweepOutcome| format!("\n  {}: {}", outcome.world, outcome.faults.told().unwrap_or_default());
            let lines: String = faulty.iter().map(line).collect();
            format!(
                "--strict: {} of the runs are not in the tables; `reelm find --data DIR/WORLD` lists their moments:{lines}",
                faulty.len()
            )
        }),
    ];
    let told: Vec<String> = told.into_iter().flatten().collect();
    if told.is_empty() { Ok(Ended::Well) } else { bail!(told.join("\n")) }
}

/// Every world, in the order of the table.
fn runs(experiment: &Experiment, replicates: u64) -> Result<Vec<SweepRun<'_>>> {
    let mut runs = Vec::new();
    for arm in &experiment.arms {
        for seed in experiment.seeds_of(arm)? {
            let run = |replicate| SweepRun { arm, seed, replicate, world: format!("{}-s{seed}-r{replicate}", arm.name) };
            runs.extend((1..=replicates).map(run));
        }
    }
    Ok(runs)
}

/// Looks at the worlds of an experiment as they begin; what is wrong with one is said before anything is run.
fn look_at(experiment: &Experiment) -> Result<KnownExperiment> {
    let (mut text, mut thinks, mut sources) = (experiment.ends.clone(), false, Vec::new());
    for arm in &experiment.arms {
        if sources.len() == arm.base {
            sources.push(arm.source_hash()?);
        }
        let (source, living) = arm.imagine(0)?;
        let measures = Measures::new(&MeasureList::of_source(&source))?;
        if measures.intervals().count() == 1 && source.measures.is_empty() {
            bail!("`{}` has no [[measure]], and measures are what a sweep compares; write one", arm.source.display());
        }
        let world = living.world();
        begins_before_its_end(experiment, &living)?;
        thinks |= world.beings().any(|being| being.cognition.is_asked_outside());
        let measured: Vec<String> = source.measures.iter().map(|measure| format!("{} {}", measure.item.name, measure.item.value)).collect();
        text += &format!("\n{} {} {}", arm.name, world.hash(), measured.join("\n"));
    }
    Ok(KnownExperiment { identity: Hash::of(text.as_bytes()).to_string(), thinks, sources })
}

/// Refuses an instant as the end that a world has behind it as it begins.
fn begins_before_its_end(experiment: &Experiment, living: &Living) -> Result<()> {
    let (now, zone) = (living.world().now(), living.world().zone());
    let told = |at| Local::of(at, zone).iso();
    match experiment.until(living).instant.filter(|instant| *instant <= now) {
        Some(instant) => bail!("until: expected an instant behind the start of the world, {}, found {}", told(now), told(instant)),
        None => Ok(()),
    }
}

/// Begins a sweep in a folder, or goes on with the same one.
fn begin(out: &Path, identity: &str) -> Result<()> {
    let (file, cannot) = (out.join("experiment"), || format!("cannot write into `{}`", out.display()));
    std::fs::create_dir_all(out).with_context(cannot)?;
    match std::fs::read_to_string(&file) {
        Ok(found) if found.trim() == identity => Ok(()),
        Ok(_) => bail!("--out: `{}` holds the runs of another experiment, or of other sources; name another folder", out.display()),
        // The replies of models alone make the same tables again, without a model.
        Err(_) if std::fs::read_dir(out).with_context(cannot)?.flatten().any(|entry| entry.file_name() != REPLIES) => {
            bail!("--out: expected an empty folder, or one of this sweep, in `{}`", out.display())
        }
        Err(_) => keep(&file, identity.as_bytes()).with_context(cannot),
    }
}

impl SweepRun<'_> {
    /// Lets it live to its end; nothing where models could not be paid for, or were not heard.
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
        let pursed = Pursed::new(Living::endpoints(None, AheadTerms::NONE)?, common.purse.clone(), move || {
            stops.stop();
        });
        // Each replicate draws anew.
        let among = format!("{} {}", self.seed, self.replicate);
        let (unheard, world, stops) = (common.uncounted.clone(), self.world.clone(), reins.clone());
        let sharing = Sharing::new(Box::new(pursed), common.replies.clone(), &among).telling(move |request, why| {
            unheard.note(&world, format!("a model was not heard: {}: {why}", request.who));
            stops.stop();
        });
        living.asking(Box::new(sharing));
        let until = common.experiment.until(&living);
        let ran =
            living.run(Course { pace: Pace::Virtual, until: until.clone(), reins: &reins, watch: None, measures: Some(&mut measures) });
        let stopped = living.stop();
        let (ran, (world, _)) = (ran.with_context(|| format!("`{}`", self.world))?, stopped?);
        if let Some(why) = why_uncounted(&ran, &until, &world) {
            common.uncounted.note(&self.world, why);
        }
        if ran.stopped == Stopped::Told || common.uncounted.has(&self.world) {
            let _ = std::fs::remove_dir_all(&dir);
            return Ok(None);
        }
        let (moment, spend) = (world.next_seq().saturating_sub(1), spent(&world));
        keep_rows(out, &self.world, &measures)?;
        let mut outcome = SweepOutcome::of((&self.arm.name, self.seed, self.replicate), &self.world, moment, spend, &measures);
        outcome.parameters = self.arm.parameters.clone();
        outcome.source = common.sources.get(self.arm.base).cloned().unwrap_or_default();
        outcome.faults = FaultCounts::of(&ran.tally);
        Ok(Some(outcome))
    }
}

/// The cost of models in a world, including what another world has paid for.
fn spent(world: &World) -> Spend {
    world.paid().total().spend
}

/// Says how many worlds would be run, and about what their models would cost: each arm lives once in memory with minds that do nothing.
fn say_plan(door: &Door, experiment: &Experiment, runs: &[SweepRun<'_>], left: &[&SweepRun<'_>]) -> Result<Ended> {
    let mut about = Spend::default();
    // Parameters change little of what is asked: one point of the grid stands for all.
    let first = |at: usize| left.iter().find(|run| run.arm.base == at);
    for run in (0..experiment.arms.len()).filter_map(first) {
        let own = left.iter().filter(|other| other.arm.base == run.arm.base).count() as u64;
        let (_, mut living) = run.arm.imagine(run.seed)?;
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
