//! `schema`: the JSON Schema of a file that people write, for their editors.

use anyhow::Result;
use clap::{Args, ValueEnum};

use crate::extension::Manifest;
use crate::role::{Spec, flow_schema};
use crate::source::Source;

use super::door::{Door, Ended};

/// Writes the JSON Schema of a world, role, flow or manifest, for an editor
#[derive(Args)]
#[command(after_help = "Example: reelm schema world

Written to `world.schema.json`, it lets an editor complete and check the file. An editor with taplo (Even Better TOML in VS Code) takes it where the first line of the file says `#:schema ./world.schema.json`; `reelm new`
writes both. It is draft-07, made from the program itself: an upgrade may bring a new one.")]
pub struct SchemaAsked {
    /// The kind of file
    #[arg(value_enum, value_name = "KIND")]
    of: SchemaOf,
}

/// A file that people write.
#[derive(Clone, Copy, ValueEnum)]
enum SchemaOf {
    World,
    Role,
    Flow,
    Manifest,
}

impl SchemaAsked {
    /// Runs.
    pub fn run(self, door: &Door) -> Result<Ended> {
        let schema = match self.of {
            SchemaOf::World => Source::schema(),
            SchemaOf::Role => Spec::schema(),
            SchemaOf::Flow => flow_schema(),
            SchemaOf::Manifest => Manifest::schema(),
        };
        door.say(&schema, || serde_json::to_string_pretty(&schema).unwrap_or_default())?;
        Ok(Ended::Well)
    }
}
