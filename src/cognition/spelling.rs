//! Spelling: every way in which models write calls, reasoning, answers, turns and ends.
//!
//! The ways stand in one [`table`], a row each with an example and its reading. How a row says where a call has its name and its arguments is
//! a [`pattern`]; how a mark of it is found is in [`mark`]; the JSON shapes of calls are in [`written`].

pub mod mark;
mod pairs;
pub mod pattern;
mod pythonic;
pub mod row;
pub mod table;
pub mod written;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use pattern::Pattern;
use row::{SpelledAs, Spelling};
use table::SPELLINGS;

/// The pattern of a call, and how it is read.
pub struct CallPattern {
    /// How it is read.
    pub reads: SpelledAs,
    /// The pattern.
    pub pattern: Pattern,
}

/// The patterns of all calls, in the order of the table.
pub static CALL_PATTERNS: LazyLock<Vec<CallPattern>> = LazyLock::new(|| {
    let is_call = |spelling: &&Spelling| matches!(spelling.reads, SpelledAs::Tagged | SpelledAs::Untagged | SpelledAs::Inside);
    let rows = SPELLINGS.iter().filter(is_call);
    let marks = rows.flat_map(|row| row.marks.iter().map(|text| (row.reads, *text)));
    marks.map(|(reads, text)| CallPattern { reads, pattern: Pattern::of(text) }).collect()
});

/// The rows of one kind.
pub fn rows_of(reads: SpelledAs) -> impl Iterator<Item = &'static Spelling> {
    SPELLINGS.iter().filter(move |spelling| spelling.reads == reads)
}

/// The marks of each kind that is no call.
static MARKS: LazyLock<BTreeMap<SpelledAs, Vec<&'static str>>> = LazyLock::new(|| {
    let mut marks: BTreeMap<SpelledAs, Vec<&'static str>> = BTreeMap::new();
    for row in SPELLINGS {
        marks.entry(row.reads).or_default().extend(row.marks);
    }
    marks
});

/// The length of the first mark of one kind that a text begins with.
pub fn marked(text: &str, reads: SpelledAs) -> Option<usize> {
    MARKS.get(&reads).into_iter().flatten().find_map(|mark| mark::mark_len(text, mark))
}
