//! Table: one row for each living being, sampled at instants of world time: what conditions could read of it then.

use crate::fact::{Millis, Seq, Value};
use crate::role::{Context, Path};
use crate::source::TableItem;
use crate::world::{Local, OpenContext, World, iso};

/// One being in one sample.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// When.
    pub at: Millis,
    /// The same, as people read it.
    pub time: String,
    /// The being, as an address.
    pub being: String,
    /// The value of each column.
    pub cells: Vec<Value>,
    /// The seq below which all frames were seen.
    pub below: Seq,
}

/// A table of a source, and what was sampled of it.
pub struct Table {
    /// Its name.
    pub name: String,
    /// The headings of its columns.
    pub columns: Vec<String>,
    paths: Vec<Path>,
    /// All rows so far, in order.
    pub rows: Vec<Row>,
}

impl Table {
    /// Reads a table; what is wrong with it otherwise.
    pub(super) fn new(item: &TableItem) -> Result<Self, String> {
        let is_name = !item.name.is_empty() && item.name.len() <= 64 && item.name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
        if !is_name {
            return Err(format!("name: expected letters, digits and `-`, at most 64, found `{}`", item.name));
        }
        if item.columns.is_empty() {
            return Err("columns: expected at least one path such as `me.position`".to_owned());
        }
        let path = |text: &String| match Path::parse(text) {
            Ok(Path::Unknown(_)) => {
                Err(format!("columns: expected a path that conditions read, such as `me.quality.persona.age`, found `{text}`"))
            }
            Ok(path) => Ok(path),
            Err(error) => Err(format!("columns: {error}")),
        };
        let paths = item.columns.iter().map(path).collect::<Result<_, _>>()?;
        Ok(Self { name: item.name.clone(), columns: item.columns.clone(), paths, rows: Vec::new() })
    }

    /// Takes a row of each living being.
    pub(super) fn take(&mut self, world: &World, at: Millis) {
        let time = iso(at, Local::of(at, world.zone()).offset);
        for being in world.living() {
            // Nobody woke it: it is only looked at.
            let context = OpenContext::unwoken(world, being, at);
            let cells = self.paths.iter().map(|path| context.seen(path).to_value()).collect();
            self.rows.push(Row { at, time: time.clone(), being: format!("@{}", being.name), cells, below: world.next_seq() });
        }
    }
}
