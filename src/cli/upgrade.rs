//! `upgrade`: whether this program can go on with a world that another version of it wrote, tried on a copy.

use std::path::Path;
use std::time::Instant;

use anyhow::{Result, bail};
use clap::Args;
use serde::Serialize;

use crate::fact::Seq;
use crate::moment::SEMANTICS;
use crate::past::{Backup, History, Rewritten};
use crate::replay::{Difference, Replayed, Thread, replay};
use crate::run::Living;
use crate::store::{Keystore, Store};

use super::door::{Door, Ended};
use super::scratch::Scratch;

/// Says whether this program can go on with the world
#[derive(Args)]
#[command(after_help = "Example: reelm upgrade --plan --data /srv/skateco

There is no step of its own: the new program goes on with the world when it is started. --plan copies the world beside it, opens the copy as
`run` would, verifies every hash and signature, computes each moment again where it follows the rules of this program, and takes the copy away.
The world itself is not touched, and may run meanwhile under the old program. Exit code 0 if one can upgrade; 1 says what stands against it.")]
pub struct Upgrade {
    /// Try it on a copy, and say what would happen
    #[arg(long)]
    plan: bool,
}

/// Frames of which the same can be said.
#[derive(Serialize)]
struct PlannedSpan {
    from: Seq,
    to: Seq,
    semantics: Option<i64>,
    /// The way in which this program treats them.
    how: SpanFate,
    moments: u64,
}

#[derive(Clone, Copy, Serialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum SpanFate {
    /// It computes them again, and comes to the same.
    Computed,
    /// They follow other rules: only hashes, chains and signatures are looked at.
    Verified,
    /// They are in archives, which were not looked at.
    Archived,
    /// They do not hold, or come out otherwise.
    Failed,
}

/// The result of the trial on a copy.
#[derive(Serialize)]
struct UpgradePlan {
    version: &'static str,
    semantics: i64,
    frames: Seq,
    spans: Vec<PlannedSpan>,
    rewritten: Vec<Rewritten>,
    against: Vec<String>,
    can: bool,
    seconds: f64,
    bytes: u64,
}

impl Upgrade {
    /// Runs.
    pub fn run(self, door: &Door) -> Result<Ended> {
        let history = door.history()?;
        if !self.plan {
            history.world_at(history.end())?;
            door.say(&serde_json::json!({ "needed": [] }), || {
                format!(
                    "nothing is to be done but to start this program with the world: `reelm serve --data {0}`\n`reelm upgrade --plan --data {0}` tries it on a copy first",
                    door.data.display()
                )
            })?;
            return Ok(Ended::Well);
        }
        let plan = UpgradePlan::tried(door, &history)?;
        door.say(&plan, || plan.words())?;
        if !plan.can {
            bail!("this program cannot go on with the world in `{}`: {}", door.data.display(), plan.against.join("; "));
        }
        Ok(Ended::Well)
    }
}

impl UpgradePlan {
    fn tried(door: &Door, history: &History) -> Result<Self> {
        let (began, scratch) = (Instant::now(), Scratch::beside(&door.data)?);
        let copy = scratch.place("copy");
        let (frames, begins) = (history.end(), history.begins());
        let archived = PlannedSpan { from: 0, to: begins, semantics: None, how: SpanFate::Archived, moments: 0 };
        let mut plan = Self {
            version: env!("CARGO_PKG_VERSION"),
            semantics: SEMANTICS,
            frames,
            spans: if begins > 0 { vec![archived] } else { Vec::new() },
            rewritten: history.rewritten(&door.data),
            against: Vec::new(),
            can: false,
            seconds: 0.0,
            bytes: 0,
        };
        if history.lost().is_some() {
            plan.against.push("acknowledged history is gone; `reelm run --accept-loss` goes on without it".to_owned());
        }
        match plan.on_copy(&door.data, &copy) {
            Ok(span) => {
                plan.frames = span.to;
                plan.spans.push(span);
            }
            Err(error) => {
                plan.against.push(format!("{error:#}"));
                plan.spans.push(PlannedSpan { from: begins, to: frames, semantics: None, how: SpanFate::Failed, moments: 0 });
            }
        }
        plan.bytes = size_of(&copy);
        plan.seconds = began.elapsed().as_secs_f64();
        plan.can = plan.against.is_empty();
        Ok(plan)
    }

    /// Copies the world, opens the copy to go on with it, and walks all of it.
    fn on_copy(&mut self, world: &Path, copy: &Path) -> Result<PlannedSpan> {
        Backup::of(world, copy)?.go_on()?;
        // A world without its keys is only read.
        if Keystore::load(copy).is_ok() {
            Living::open(copy, 1)?.0.stop()?;
        }
        let history = History::of(copy)?;
        let semantics = history.world_at(history.end())?.world_setting("semantics").as_int();
        let (from, to, id) = (history.begins(), history.end(), history.world_file().world);
        let computes = semantics == Some(SEMANTICS);
        let store = history.into_store();
        let walked = replay(&store as &dyn Store, id, Thread { only_verify: !computes, ..Thread::default() }, &mut |_| {})?;
        let Replayed { moments, difference, .. } = walked;
        let how = match (&difference, computes) {
            (Some(_), _) => SpanFate::Failed,
            (None, true) => SpanFate::Computed,
            (None, false) => SpanFate::Verified,
        };
        self.against.extend(difference.map(|Difference { seq, being, n, field, .. }| {
            format!("frame {seq} ({being}, its moment {n}) comes out otherwise, first in the field `{field}`; `reelm replay` says how")
        }));
        Ok(PlannedSpan { from, to, semantics, how, moments })
    }

    fn words(&self) -> String {
        let Self { version, semantics, frames, spans, rewritten, seconds, bytes, can, against } = self;
        let mut lines =
            vec![format!("reelm {version}, semantics {semantics}, tried on a copy of {frames} frames: {bytes} bytes, {seconds:.1} s")];
        lines.extend(spans.iter().map(PlannedSpan::words));
        lines.extend(
            rewritten.iter().map(|Rewritten { what, files, why }| format!("written anew at the first start: {what} ({files}): {why}")),
        );
        lines.extend(against.iter().map(|against| format!("against it: {against}")));
        lines.push(if *can { "you can upgrade".to_owned() } else { "do not upgrade yet".to_owned() });
        lines.join("\n")
    }
}

impl PlannedSpan {
    fn words(&self) -> String {
        let Self { from, to, semantics, how, moments } = self;
        let frames = format!("frames {from} to {}", to.saturating_sub(1));
        let rules = semantics.map_or_else(String::new, |semantics| format!(" (semantics {semantics})"));
        match how {
            SpanFate::Computed => format!("{frames}{rules}: {moments} moments computed again, identical"),
            SpanFate::Verified => {
                format!("{frames}{rules}: they hold, and can only be verified; `replay` of them needs the program that they were run with")
            }
            SpanFate::Archived => format!("{frames}: archived; not looked at"),
            SpanFate::Failed => format!("{frames}{rules}: they do not hold, or come out otherwise"),
        }
    }
}

/// How many bytes the files below a directory are long.
fn size_of(dir: &Path) -> u64 {
    let entries = std::fs::read_dir(dir).into_iter().flatten().flatten();
    let size = |entry: std::fs::DirEntry| match entry.metadata() {
        Ok(meta) if meta.is_dir() => size_of(&entry.path()),
        Ok(meta) => meta.len(),
        Err(_) => 0,
    };
    entries.map(size).sum()
}
