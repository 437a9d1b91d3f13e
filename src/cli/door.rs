//! Door: what every command has in common: where the world lies, how to speak, how to open it.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::Args;
use serde::Serialize;

use crate::fact::{Seq, Value, harmless_json};
use crate::past::{History, Point};
use crate::run::{Living, RunError};
use crate::source::SourceError;
use crate::store::Lost;
use crate::world::World;

use super::excerpt::excerpt;
use super::progress::Progress;
use super::speech::Speech;

/// The options that every command takes.
#[derive(Args)]
pub struct Door {
    /// The world's directory
    #[arg(long, global = true, env = "REELM_DATA", default_value = "world", value_name = "DIR")]
    pub data: PathBuf,
    #[command(flatten)]
    pub speech: Speech,
    /// A token by which acts are done, as its being and with its verbs
    #[arg(long, global = true, env = "REELM_TOKEN", hide_env_values = true, value_name = "TOKEN")]
    pub token: Option<String>,
}

impl Door {
    /// The world's history, for reading only; a process that runs it is not disturbed.
    pub fn history(&self) -> Result<History> {
        let history = History::of(&self.data)?;
        if let Some(Lost { from, groups }) = history.lost() {
            tracing::warn!(
                from,
                groups,
                "acknowledged history is gone: what is left can be read; `reelm run --accept-loss` goes on without it"
            );
        }
        if history.torn_bytes() > 0 {
            tracing::warn!(
                bytes = history.torn_bytes(),
                "the log ends in a torn group, which is not read; if nothing but a crash cut it, it was never acknowledged"
            );
        }
        if history.end() == 0 {
            bail!(
                "no world was planted in `{}`: it was begun and cut off before its first frame; `reelm run SOURCE` plants it",
                self.data.display()
            );
        }
        Ok(history)
    }

    /// The world as it is, with its history.
    pub fn world(&self) -> Result<(History, World)> {
        self.world_at(&Point::Now)
    }

    /// The source in the folder where one is, for a world that is not there yet.
    pub fn source_here(&self) -> Result<Option<PathBuf>> {
        let is_source = std::path::Path::new("world.toml").is_file() && !std::path::Path::new("log").is_dir();
        Ok(if is_source && !Living::is_planted(&self.data)? { Some(PathBuf::from(".")) } else { None })
    }

    /// The world at a point, with its history.
    pub fn world_at(&self, point: &Point) -> Result<(History, World)> {
        let history = self.history()?;
        let progress = Progress::of(history.end(), "folding", "frames");
        let world = history.world_of(point, &mut |seq| progress.at(seq))?;
        Ok((history, world))
    }

    /// The world, to act in it.
    pub fn living(&self) -> Result<Living> {
        let (living, _) = Living::open(&self.data, 1)?;
        Ok(living)
    }

    /// Says something: in the form that was asked for, or in words.
    pub fn say<T: Serialize>(&self, item: &T, words: impl FnOnce() -> String) -> Result<()> {
        let mut out = std::io::stdout().lock();
        self.speech.write(&mut out, item, words)?;
        Ok(out.flush()?)
    }

    /// Warns, on the other stream.
    pub fn warn(&self, warning: &str) {
        self.speech.aside("warning", warning, || format!("warning: {warning}"));
    }

    /// Warns of what was archived, where somebody looks from the beginning of the log on.
    pub fn warn_unread(&self, history: &History, from: Seq) {
        let unread = if from <= history.begins() { history.unread(0) } else { None };
        unread.iter().for_each(|unread| self.warn(unread));
    }

    /// Says what was made fit, on the other stream.
    pub fn note(&self, note: &str) {
        self.speech.aside("note", note, || format!("note: {note}"));
    }

    /// Says what went wrong, on the other stream.
    pub fn complain(&self, error: &anyhow::Error) {
        let all = faults(error);
        for whole in &all {
            self.speech.aside("error", whole, || match excerpt(whole) {
                Some(line) => format!("reelm: {whole}\n{line}"),
                None => format!("reelm: {whole}"),
            });
        }
        if let Some(many) = Some(all.len()).filter(|many| *many > 1 && !self.speech.is_for_programs()) {
            self.speech.aside("error", "", || format!("reelm: {many} errors"));
        }
    }
}

/// Each fault of a source by itself, else the error as a whole.
fn faults(error: &anyhow::Error) -> Vec<String> {
    let of_source = || error.downcast_ref::<SourceError>().map(|error| error.each().iter().map(ToString::to_string).collect());
    match error.downcast_ref::<RunError>() {
        Some(RunError::Planting { refusals }) => refusals.iter().map(ToString::to_string).collect(),
        _ => of_source().unwrap_or_else(|| vec![told(error)]),
    }
}

/// An error and its causes; a cause that the text before it tells already is not told again.
fn told(error: &anyhow::Error) -> String {
    error.chain().map(ToString::to_string).fold(String::new(), |text, cause| match text.as_str() {
        "" => cause,
        before if before.contains(&cause) => text,
        _ => format!("{text}: {cause}"),
    })
}

/// Whether an error is only that nobody reads our output any more.
pub fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| cause.downcast_ref::<std::io::Error>().is_some_and(|io| io.kind() == std::io::ErrorKind::BrokenPipe))
}

/// A value in JSON, spread over lines for people.
pub fn pretty(value: &Value) -> String {
    harmless_json(&serde_json::to_string_pretty(value).unwrap_or_default()).into_owned()
}

/// A JSON file.
pub fn json_file(path: &std::path::Path) -> Result<Value> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read `{}`", path.display()))?;
    serde_json::from_str(&text).with_context(|| format!("`{}` is not JSON", path.display()))
}

/// How a command ended, where it did not fail.
pub enum Ended {
    /// Done.
    Well,
    /// A replay differs, history is damaged, or a lint warns.
    Differs,
    /// The world refused the act.
    Refused,
}
