//! `compare`: two worlds at one instant, aligned by being and moment: where they go apart first, what they cost, what their measures come to.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use clap::Args;
use serde::Serialize;

use crate::fact::{Millis, Spend, Value};
use crate::past::{Alignment, History, Point, Report};
use crate::run::Measures;
use crate::source::MeasureList;
use crate::world::{Local, World};

use super::diff::line;
use super::door::{Door, Ended};
use super::given;

/// Compares two worlds at one instant: where they go apart first, cost, measures
#[derive(Args)]
#[command(after_help = "Example: reelm compare out/as-is-s1-r1 out/strict-s1-r1
         reelm compare world ../fork --at 2026-03-02T12:00

Moments are aligned by being and number, so `@ada/12` of the one stands beside `@ada/12` of the other. What operators did is left out, and so
are frames that only ask a model. The archived past of one is left out of both.
Without --at both are compared at the last instant to which both have come; with --ends each as it is now.")]
pub struct Compare {
    /// The directory of the one world
    #[arg(value_name = "A")]
    one: PathBuf,
    /// The directory of the other
    #[arg(value_name = "B")]
    other: PathBuf,
    /// The instant at which both are compared, as a date
    #[arg(long, value_name = "INSTANT", conflicts_with = "ends")]
    at: Option<Point>,
    /// Compare each world at its own end
    #[arg(long)]
    ends: bool,
    /// How many beings are told at most
    #[arg(long, value_name = "N", default_value = "20", value_parser = given::count())]
    most: usize,
}

/// One world at its instant.
struct ComparedSide<'c> {
    dir: &'c Path,
    history: History,
    world: Arc<World>,
    at: Millis,
}

/// One measure in both worlds.
#[derive(Serialize)]
struct ComparedMeasure {
    measure: String,
    one: Value,
    other: Value,
    /// How much more it is in the other, where both are numbers.
    more: Option<f64>,
}

impl Compare {
    /// Runs.
    pub fn run(self, door: &Door) -> Result<Ended> {
        let [one, other] = self.sides()?;
        [&one, &other].into_iter().for_each(|side| side.warn_unread(door));
        let mut alignment = one.history.aligned(&other.history, (&one.world, &other.world))?;
        let (differ, measures) = (alignment.beings.len(), measured(&one, &other)?);
        alignment.beings.truncate(self.most);
        let cost = [one.spend(), other.spend()];
        let side = |side: &ComparedSide<'_>| serde_json::json!({ "world": side.dir, "at": side.time(), "seq": side.world.next_seq() });
        let json = serde_json::json!({
            "one": side(&one), "other": side(&other), "first": alignment.first, "beings": alignment.beings, "differ": differ,
            "same": alignment.same, "since": alignment.since.map(|since| one.iso(since)), "cost": { "one": cost[0], "other": cost[1] }, "measures": measures,
        });
        door.say(&json, || {
            let head = format!("A: `{}` at {}\nB: `{}` at {}", one.dir.display(), one.time(), other.dir.display(), other.time());
            let since = alignment.since.map(|since| format!("aligned only behind {}: what lies before is archived", one.iso(since)));
            [vec![head], since.into_iter().collect(), told(&alignment, differ), told_cost(cost), told_measures(&measures)]
                .concat()
                .join("\n")
        })?;
        Ok(Ended::Well)
    }

    /// Both worlds at the instant at which they are compared.
    fn sides(&self) -> Result<[ComparedSide<'_>; 2]> {
        let [one, other] = [&self.one, &self.other].map(|dir| ComparedSide::at_its_end(dir));
        let sides = [one?, other?];
        let common = sides.iter().map(|side| side.at).min().unwrap_or_default();
        let at = match &self.at {
            None if self.ends => return Ok(sides),
            None => common,
            Some(Point::Instant(instant)) => instant.last_in_zone(sides[0].world.zone()),
            Some(point) => bail!("--at: expected an instant such as 2026-03-02T12:00, which both worlds have, found `{point}`"),
        };
        let [one, other] = sides.map(|side| side.at_instant(at));
        Ok([one?, other?])
    }
}

impl<'c> ComparedSide<'c> {
    fn at_its_end(dir: &'c Path) -> Result<Self> {
        let told = || format!("`{}`", dir.display());
        let history = History::of(dir).with_context(told)?;
        let world = history.world_of(&Point::Now, &mut |_| {}).with_context(told)?;
        Ok(Self { dir, history, at: world.now(), world: Arc::new(world) })
    }

    /// The same at an instant that it has come to.
    fn at_instant(self, at: Millis) -> Result<Self> {
        if at > self.at {
            bail!("--at: expected an instant to which both worlds have come, and `{}` stands at {}", self.dir.display(), self.time());
        }
        let seq = self.history.seq_at(at).with_context(|| format!("`{}`", self.dir.display()))?;
        if seq == 0 {
            let begins = self.iso(self.history.world_at(1)?.at());
            let found = self.iso(at);
            bail!(
                "--at: expected an instant at which both worlds are there, found {found}, and `{}` begins at {begins}",
                self.dir.display()
            );
        }
        let mut world = self.history.world_at(seq)?;
        world.stand(at);
        Ok(Self { world: Arc::new(world), at, ..self })
    }

    fn time(&self) -> String {
        self.iso(self.at)
    }

    fn iso(&self, at: Millis) -> String {
        Local::of(at, self.world.zone()).iso()
    }

    /// Warns of what of it was archived.
    fn warn_unread(&self, door: &Door) {
        self.history.unread(0).iter().for_each(|unread| door.warn(&format!("`{}`: {unread}", self.dir.display())));
    }

    fn spend(&self) -> Spend {
        self.world.paid().total().spend
    }

    /// The value of each measure of the world.
    fn measures(&self) -> Result<Vec<(String, Value)>> {
        let list = MeasureList::of_world(&self.world);
        let values = Measures::now(&list, &self.world, self.at)?;
        Ok(list.measures.into_iter().map(|measure| measure.item.name).zip(values).collect())
    }
}

/// The measures that both worlds have, in the order of the one.
fn measured(one: &ComparedSide<'_>, other: &ComparedSide<'_>) -> Result<Vec<ComparedMeasure>> {
    let others = other.measures()?;
    let both = one.measures()?.into_iter().filter_map(|(measure, value)| {
        let (_, other) = others.iter().find(|(name, _)| *name == measure)?;
        let more = value.as_float().zip(other.as_float()).map(|(one, other)| other - one);
        Some(ComparedMeasure { measure, one: value, other: other.clone(), more })
    });
    Ok(both.collect())
}

fn told(alignment: &Alignment, differ: usize) -> Vec<String> {
    let mut lines = match &alignment.first {
        None => vec!["no being goes another way".to_owned()],
        Some(first) => {
            let other = first.other_n.map(|n| format!(", in B @{}/{n}", first.being)).unwrap_or_default();
            // A report's own line leaves the milliseconds out.
            let both = first.one.as_ref().zip(first.other.as_ref());
            let is_of_time = both.is_some_and(|(one, other)| one.deed == other.deed && one.at != other.at);
            let at = |told: &Option<Report>| told.as_ref().filter(|_| is_of_time).map(|told| format!("{} ", told.time)).unwrap_or_default();
            vec![format!(
                "first apart: @{}/{}{other}\n  A: {}{}\n  B: {}{}",
                first.being,
                first.n,
                at(&first.one),
                line(&first.one),
                at(&first.other),
                line(&first.other)
            )]
        }
    };
    lines.push(format!("{differ} beings differ, {} are the same", alignment.same));
    lines.extend(
        alignment
            .beings
            .iter()
            .map(|being| format!("  @{} from {} on: {} and {} moments", being.being, being.apart, being.one, being.other)),
    );
    if differ > alignment.beings.len() {
        lines.push(format!("  … {} more; `--most` tells more", differ - alignment.beings.len()));
    }
    lines
}

fn told_cost([one, other]: [Spend; 2]) -> Vec<String> {
    vec![format!("cost: {} and {} calls, {} and {} tokens", one.calls, other.calls, one.tokens(), other.tokens())]
}

fn told_measures(measures: &[ComparedMeasure]) -> Vec<String> {
    let shown = |value: &Value| if value.is_null() { "-".to_owned() } else { value.to_string() };
    let of = |measure: &ComparedMeasure| {
        let more = measure.more.map(|more| format!(" ({more:+})")).unwrap_or_default();
        format!("measure {}: {} and {}{more}", measure.measure, shown(&measure.one), shown(&measure.other))
    };
    measures.iter().map(of).collect()
}
