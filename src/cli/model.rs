//! `model`: the connections to language models of a served world.

use anyhow::{Result, bail};
use clap::Subcommand;
use serde_json::{Value as Json, json};

use super::door::{Door, Ended};
use super::line::SocketLine;

/// Connections to models of a served world
#[derive(Subcommand)]
#[command(after_help = "Example: reelm model retry small")]
pub enum Model {
    /// Lets a connection be asked again that its provider has turned away, before the hour is over
    #[command(after_help = "Example: reelm model retry small")]
    Retry {
        /// Its name: `llm.small` is `small`
        #[arg(value_name = "CONNECTION")]
        name: String,
    },
}

impl Model {
    /// Runs.
    pub fn run(self, door: &Door) -> Result<Ended> {
        let Self::Retry { name } = self;
        let Some(line) = SocketLine::of(door) else {
            bail!("nothing serves or runs `{}`, so no connection is held; the next `reelm run` asks each of them", door.data.display());
        };
        let told = line.ask("POST", "/api/model/retry", &json!({ "connection": name }))?;
        let was_held = told.get("wasHeld").and_then(Json::as_bool) == Some(true);
        door.say(&told, || match was_held {
            true => format!("`{name}` is asked again"),
            false => format!("`{name}` was not held; nothing has changed"),
        })?;
        Ok(Ended::Well)
    }
}
