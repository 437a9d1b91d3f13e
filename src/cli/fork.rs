//! `fork`: a world of its own that goes on from any point of this one.

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Args;

use crate::fact::{Seq, Value};
use crate::past::Point;
use crate::run::{Forked, Forking};
use crate::source::WantedChange;
use crate::store::{CopyKind, CopyNote};

use super::copies::note;
use super::door::{Door, Ended};
use super::given;

/// Makes a world of its own that goes on from a point of this one
#[derive(Args)]
#[command(after_help = "Example: reelm fork strict --at 120 --change roles/judge.md

It has an id and keys of its own, and shares the past by links: this world may run on, be compressed or be deleted. It begins exactly at
the point: a model that was being asked there is asked anew. Its world time stands at the instant that --at names, else at its last frame. What lies beside the log
(sessions, tokens) does not go along.

`--change 'reply:@ada/7={\"name\":\"do\",\"arguments\":{…}}'` has the model of a recorded moment answer something else: a call, prose in quotes, or the text
of a file, as a model writes it. The fork begins where that moment was opened, and opens it once more.")]
pub struct Fork {
    /// The new world's directory, absent or empty
    dir: PathBuf,
    /// Where it begins: 120, @ada/7, @ada/7+, 2026-03-02T09:00, ~10m
    #[arg(long, value_name = "POINT")]
    at: Option<Point>,
    /// Its name; that of its directory where nothing is said
    #[arg(long)]
    name: Option<String>,
    /// The most it may spend on models, such as calls=10 or tokens=20000,money=0.5; without it, it asks none
    #[arg(long, value_name = "LIMITS", value_parser = given::budget)]
    budget: Option<Value>,
    /// A change in it: a role (judge.md), a script (judge.rhai), the directory of a source, role:NAME=FILE or role:NAME={…}, script:NAME=FILE,
    /// flow:@being=FILE, signal:PATH=VALUE, setting:KEY=VALUE or reply:MOMENT=FILE; may be said several times
    #[arg(long, value_name = "CHANGE")]
    change: Vec<WantedChange>,
}

impl Fork {
    /// Runs.
    pub fn run(self, door: &Door) -> Result<Ended> {
        let history = door.history()?;
        if self.at.is_some() && self.change.iter().any(WantedChange::is_reply) {
            bail!("expected no --at beside `reply:MOMENT=…`: such a fork begins where that moment was opened");
        }
        let point = self.at.clone().unwrap_or_default();
        let at = history.seq_of(&point)?;
        let named = history.instant_of(&point, || Ok(history.world(None, &mut |_| {})?.zone()))?;
        let instant = if point == Point::Now { history.clock()? } else { named };
        let own = self.dir.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let name = self.name.as_deref().unwrap_or(&own);
        let forking = Forking { parent: &door.data, at, instant, name, budget: self.budget.clone(), changes: &self.change };
        let forked = forking.make(&history, &self.dir)?;
        note(door, &CopyNote::now(CopyKind::Fork, 0, forked.origin.seq).to_path(&self.dir));
        let round_ends = history.round_end(forked.origin.seq)?;
        door.say(&self.json(&forked, round_ends), || self.words(&forked, round_ends))?;
        Ok(Ended::Well)
    }

    fn json(&self, forked: &Forked, round_ends: Seq) -> serde_json::Value {
        let Forked { file, origin, linking, changed } = forked;
        serde_json::json!({
            "dir": self.dir, "world": file.world, "name": file.name, "origin": origin, "roundEnds": round_ends, "changed": changed,
            "linked": linking.linked, "copied": linking.copied, "copiedBytes": linking.copied_bytes,
        })
    }

    fn words(&self, forked: &Forked, round_ends: Seq) -> String {
        let Forked { file, origin, linking, changed } = forked;
        let (dir, seq) = (self.dir.display(), origin.seq);
        let mut words = format!("forked `{}` at {seq}: `{dir}` is the world {} of its own", file.name, file.world);
        if round_ends > seq {
            words += &format!(
                "\nmoments were open there, and open anew; from {round_ends} on, where their round ends, a fork without change goes on as its parent"
            );
        }
        if linking.copied > 0 {
            let (copied, bytes) = (linking.copied, linking.copied_bytes);
            words += &format!("\n{copied} segments of the log were copied ({bytes} bytes), because they cannot be linked from there");
        }
        changed.iter().for_each(|change| words += &format!("\n{change}"));
        if self.budget.is_none() {
            words += &format!("\nit asks no model; `reelm run --data {dir} --budget calls=10` gives it a budget of its own");
        }
        words
    }
}
