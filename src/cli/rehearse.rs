//! `try`: what a script would do in a moment of the past: its act, the verdict on it, what it took, and each statement.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::Args;

use crate::past::{Point, Rehearsal, TriedScript};
use crate::script::ScriptStep;

use super::bisect::being_of;
use super::door::{Door, Ended};

/// Tries a script in a moment of the past; nothing is written
#[derive(Args)]
#[command(after_help = "Example: reelm try @ada think.rhai --at 899
         reelm try @ada --at @ada/7      (her own script)

The moment is her first that opened or closed at the point or after it; behind her last one it is the wake that waits next. A draw of
chance gives what it gave then.")]
pub struct TryScript {
    /// Who: @ada
    being: String,
    /// The script, with a function think(face); the being's own where none is named
    script: Option<PathBuf>,
    /// In which moment
    #[arg(long, value_name = "POINT", default_value = "now")]
    at: Point,
}

impl TryScript {
    /// Runs.
    pub fn run(self, door: &Door) -> Result<Ended> {
        let history = door.history()?;
        let script = self.script.as_deref().map(script_in).transpose()?;
        let at = history.seq_of(&self.at).context("--at")?;
        let being = being_of(&history.world_at(history.end())?, &self.being)?;
        let rehearsal = history.rehearse(being, at, script.as_ref())?;
        door.say(&rehearsal, || words(&rehearsal))?;
        Ok(Ended::Well)
    }
}

/// The script in a file.
pub(super) fn script_in(file: &Path) -> Result<TriedScript> {
    let source = std::fs::read_to_string(file).with_context(|| format!("cannot read `{}`", file.display()))?;
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    Ok(TriedScript { file: name.as_ref().into(), source: source.into() })
}

/// All of a trial in words.
pub(super) fn words(rehearsal: &Rehearsal) -> String {
    let Rehearsal { opened, moment, rules, taken, most, steps, left_out, recorded, facts } = rehearsal;
    let mut lines: Vec<String> = steps.iter().map(step_line).collect();
    if *left_out > 0 {
        lines.push(format!("… {left_out} more"));
    }
    lines.push(format!("it took {taken} of {most} steps, on the world below #{opened}"));
    lines.push(format!("would be {}", moment.raw_line()));
    lines.extend(rules.iter().map(|rule| format!("  {rule}")));
    let told = |fact| serde_json::to_string(fact).unwrap_or_default();
    lines.extend(facts.iter().map(|fact| format!("  fact: {}", told(fact))));
    lines.push(
        recorded
            .as_ref()
            .map_or_else(|| "nothing is recorded of this moment: it is not over".to_owned(), |was| format!("was {}", was.raw_line())),
    );
    lines.join("\n")
}

/// `think.rhai:3    n += bag[0];    n = 2`, further in for each call around it.
fn step_line(step: &ScriptStep) -> String {
    let changed: Vec<String> = step.changed.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    let place = format!("{}{}:{}", "  ".repeat(step.depth), step.file, step.line);
    format!("{place:<20} {:<40} {}", step.source, changed.join(", ")).trim_end().to_owned()
}
