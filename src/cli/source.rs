//! `source from`: a world source made of what another program wrote.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::{Args, Subcommand, ValueEnum};

use crate::fact::visible;
use crate::source::{Card, cast, world_name, write_cast};

use super::door::{Door, Ended};

/// World sources: made from the files of other programs
#[derive(Subcommand)]
#[command(after_help = "Example: reelm source from ada.png ben.json --as cards --to guests")]
pub enum SourceCommand {
    From(SourceFrom),
}

/// The format of the files.
#[derive(Clone, Copy, ValueEnum)]
enum Shape {
    /// Character cards of version 2 or 3, as JSON or in a PNG
    Cards,
}

/// Makes one world source of some files
#[derive(Args)]
#[command(after_help = "Example: reelm source from ada.png ben.json --as cards --to guests

Each card becomes a being that a language model thinks for, and a role with its words; its lore lies in a library beside the room. What
could not be carried over is said, and stands in the README.md of the source. `reelm check` looks it through, `reelm run` plants it.")]
pub struct SourceFrom {
    /// The files: one world is made of all of them
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The kind of the files
    #[arg(long = "as", value_name = "SHAPE")]
    shape: Shape,
    /// The directory to make; it must not be there yet. By default it is called as the first file is, without its ending
    #[arg(long, value_name = "DIR")]
    to: Option<PathBuf>,
    /// The names of the beings, one for each file in their order; by default as the files say
    #[arg(long = "name", value_name = "NAME")]
    names: Vec<String>,
}

impl SourceCommand {
    /// Runs.
    pub fn run(self, door: &Door) -> Result<Ended> {
        match self {
            Self::From(from) => from.run(door),
        }
    }
}

impl SourceFrom {
    fn run(self, door: &Door) -> Result<Ended> {
        let Shape::Cards = self.shape;
        let beside = || self.files.first().and_then(|file| file.file_stem()).map(PathBuf::from).unwrap_or_default();
        let dir = self.to.clone().unwrap_or_else(beside);
        if dir.exists() {
            bail!("`{}` is there already; choose another directory with --to", dir.display());
        }
        if self.names.len() > self.files.len() {
            bail!("expected a --name for each file at most, found {} for {}", self.names.len(), self.files.len());
        }
        let cards = self.files.iter().map(|file| Card::read(file)).collect::<Result<Vec<_>, _>>()?;
        let world = world_name(&dir.file_name().unwrap_or_default().to_string_lossy());
        let cast = cast(&cards, &self.names, &world)?;
        write_cast(&cast, &dir).with_context(|| format!("cannot write `{}`", dir.display()))?;
        let left_out: Vec<_> = cast.left_out.iter().map(|(file, what)| serde_json::json!({ "file": file, "what": what })).collect();
        door.say(&serde_json::json!({ "source": dir, "world": world, "beings": cast.beings, "leftOut": left_out }), || {
            let lines: String =
                cast.left_out.iter().map(|(file, what)| format!("\nnot carried over from {file}: {}", visible(what))).collect();
            format!(
                "wrote the world `{world}` with {} to `{}`; `reelm run {}` plants it{lines}",
                named(&cast.beings),
                dir.display(),
                dir.display()
            )
        })?;
        Ok(Ended::Well)
    }
}

fn named(beings: &[String]) -> String {
    beings.iter().map(|being| format!("@{being}")).collect::<Vec<_>>().join(", ")
}
