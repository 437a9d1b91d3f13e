//! Written: what stands in a world source, as things: populations are expanded, flows, roles and scripts read in.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use crate::extension::Package;
use crate::fact::{Millis, Value, column_of, line_of};
use crate::role::Spec;

use super::item::{BeingItem, LookItem, MatterItem, MeasureItem, NowItem, OnLine, SignalItem, SpaceItem, TableItem, TestItem, TryItem};
use super::rules::RuleFile;
use super::sites::Sites;

/// A world source, read.
#[derive(Clone, Debug)]
pub struct Source {
    /// The directory.
    pub dir: PathBuf,
    /// The world.toml, for messages.
    pub file: String,
    /// Its text, for the places in them.
    pub text: Arc<str>,
    /// The world's name.
    pub name: String,
    /// The zone's name.
    pub zone: String,
    /// When the world begins.
    pub start: Millis,
    /// The seed.
    pub seed: u64,
    /// The world's configuration.
    pub config: BTreeMap<String, Value>,
    /// Extensions, in the order of their needs.
    pub extensions: Vec<Package>,
    /// Those of them that alone are enabled, and profiles that list such; none: all.
    pub only: Option<Vec<String>>,
    /// Names for some of them, to be enabled alone.
    pub profiles: BTreeMap<String, Vec<String>>,
    /// The world's own roles.
    pub roles: Vec<Spec>,
    /// The world's own scripts: name, file, source.
    pub scripts: Vec<(String, String, String)>,
    /// The world's own rules.
    pub rules: Vec<RuleFile>,
    /// Spaces, parents first.
    pub spaces: Vec<OnLine<SpaceItem>>,
    /// Matter, as written.
    pub matter: Vec<OnLine<MatterItem>>,
    /// Beings, parents first, populations expanded.
    pub beings: Vec<OnLine<BeingItem>>,
    /// Signals.
    pub signals: Vec<OnLine<SignalItem>>,
    /// Measures.
    pub measures: Vec<OnLine<MeasureItem>>,
    /// Tables.
    pub tables: Vec<OnLine<TableItem>>,
    /// How types are drawn.
    pub looks: Vec<OnLine<LookItem>>,
    /// Things to try.
    pub tries: Vec<OnLine<TryItem>>,
    /// Sentences on the present state: the first whose conditions hold is told.
    pub now: Vec<OnLine<NowItem>>,
    /// Scenes that are played in it.
    pub tests: Vec<OnLine<TestItem>>,
    /// The line of the world.toml on which each script begins that stands in it, by the script's name.
    pub inline: BTreeMap<String, usize>,
    /// The repairs to its tables, for their author.
    pub notes: Vec<String>,
}

impl Source {
    /// A place that names a line of the world.toml, with the line and column there of what a sentence speaks of.
    pub fn located(&self, place: &str, what: &str) -> String {
        let line = place.strip_prefix(self.file.as_str()).and_then(|rest| rest.strip_prefix(':')?.parse().ok());
        let at = line.and_then(|line| Sites::of(&self.text).spoken_of(line, what));
        at.map_or_else(|| place.to_owned(), |at| format!("{}:{}:{}", self.file, line_of(&self.text, at), column_of(&self.text, at)))
    }

    /// An error that begins with a line of the world.toml, with the line and column there of what it speaks of.
    pub fn relocated(&self, error: &str) -> String {
        match error.split_once(": ") {
            Some((place, what)) => format!("{}: {what}", self.located(place, what)),
            None => error.to_owned(),
        }
    }
}
