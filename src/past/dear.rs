//! Dear: the beginnings that cost most in calls of models, each by its first words or its first deed.

use std::cmp::Reverse;

use serde::Serialize;

use crate::fact::{Made, Text, in_a_line};
use crate::tell::plain_text;
use crate::world::{Sum, World};

use super::history::History;
use super::load::LoadError;
use super::report::report;
use super::usage::Usage;

/// The longest that is told of what began it, in characters.
const WORDS: usize = 60;

/// Something that began with one fact, and what it has cost.
#[derive(Clone, Debug, Serialize)]
pub struct DearRoot {
    /// The fact with which it all began, as `seq.index`.
    pub root: Text,
    /// The being that began it, with its first words or its deed; nothing where its frame was archived.
    pub began: Option<String>,
    /// Its cost.
    #[serde(flatten)]
    pub sum: Sum,
}

impl History {
    /// The dearest of the roots that a usage tells of, the dearest first.
    pub fn dearest(&self, usage: &Usage, most: usize, world: &World) -> Result<Vec<DearRoot>, LoadError> {
        let mut roots: Vec<(&Text, &Sum)> = usage.roots.iter().collect();
        roots.sort_by_key(|(_, sum)| Reverse(sum.dearness()));
        let told = |(root, sum): (&Text, &Sum)| Ok(DearRoot { root: root.clone(), began: self.beginning_of(root, world)?, sum: *sum });
        roots.into_iter().take(most).map(told).collect()
    }

    /// The beginning of a root, in a line.
    fn beginning_of(&self, root: &str, world: &World) -> Result<Option<String>, LoadError> {
        let seq = root.parse::<Made>().ok().map(|made| made.seq);
        let Some(frame) = seq.filter(|seq| *seq >= self.begins()).map(|seq| self.frame(seq, world)).transpose()?.flatten() else {
            return Ok(None);
        };
        let told = report(frame.draft(), world, None);
        let words = told.said.map(|said| in_a_line(&said)).filter(|said| !said.is_empty());
        let (mark, words) = words.map_or_else(|| ("", plain_text(&told.told, WORDS)), |words| ("\"", words));
        let end = words.char_indices().nth(WORDS).map(|(end, _)| end);
        let words = end.and_then(|end| words.get(..end)).map_or_else(|| words.clone(), |words| format!("{words}…"));
        Ok(Some(format!("@{}: {mark}{words}{mark}", told.being)))
    }
}
