//! Reader: a world.toml while it is read: where it lies, its text, and the line of each thing in it.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;

use toml::Spanned;

use crate::extension::Package;
use crate::fact::{column_of, line_of};

use super::error::{PopulationError, SourceError};
use super::item::OnLine;
use super::misread::FAULTS_MAX;
use super::sites::Sites;

fn line_in(fault: &SourceError) -> Option<usize> {
    if let SourceError::Wrong { line, .. } = fault { Some(*line) } else { None }
}

/// Whether a fault is that a table lacks something of which a part was left out.
fn lacks_only(fault: &SourceError, left_out_of: &[usize]) -> bool {
    matches!(fault, SourceError::Wrong { line, what, .. } if left_out_of.contains(line) && !what.contains("found "))
}

/// The faults that one is made of; what a table says of this file is like its own.
fn flat(fault: SourceError) -> Vec<SourceError> {
    match fault {
        SourceError::Many(all) => all.into_iter().flat_map(flat).collect(),
        SourceError::Population(PopulationError::Wrong { file, line, what }) => vec![SourceError::wrong(file, line, what)],
        other => vec![other],
    }
}

/// A world.toml while it is read.
pub(super) struct SourceReader<'a> {
    pub(super) dir: &'a Path,
    pub(super) file: String,
    pub(super) text: &'a str,
    /// An extension at hand, which need not be looked for.
    pub(super) near: Option<&'a Package>,
    /// The line on which each script begins that stands in the file itself.
    pub(super) inline: RefCell<BTreeMap<String, usize>>,
    /// What is wrong in it, as far as it has been read.
    pub(super) faults: RefCell<Vec<SourceError>>,
    /// The faults that its reader found, which says where.
    pub(super) misread: RefCell<Vec<SourceError>>,
    /// The parts of it that are left out, since they are wrong: that something is not there is no fault where it stands in them.
    pub(super) left_out: RefCell<String>,
}

impl<'a> SourceReader<'a> {
    /// A reader of a text that lies in a directory.
    pub(super) fn new(dir: &'a Path, file: &str, text: &'a str, near: Option<&'a Package>) -> Self {
        let (inline, faults, misread, left_out) = Default::default();
        Self { dir, file: file.to_owned(), text, near, inline, faults, misread, left_out }
    }

    /// An error at a place of the text.
    pub(super) fn wrong(&self, at: usize, what: impl Into<String>) -> SourceError {
        // A table is spoken of as a whole, or its key is looked for.
        let is_table = self.text.get(at..).is_none_or(|rest| rest.starts_with('['));
        let column = Some(column_of(self.text, at)).filter(|_| !is_table);
        SourceError::Wrong { file: self.file.clone(), line: line_of(self.text, at), column, what: what.into() }
    }

    /// A value, or what its kind is without one where it is wrong, which is told when all is read.
    pub(super) fn keep<T: Default>(&self, read: Result<T, impl Into<SourceError>>) -> T {
        read.unwrap_or_else(|error| {
            self.faults.borrow_mut().push(error.into());
            T::default()
        })
    }

    /// Those of many that are right.
    pub(super) fn keep_all<T>(&self, read: impl IntoIterator<Item = Result<T, SourceError>>) -> Vec<T> {
        read.into_iter().filter_map(|one| self.keep(one.map(Some))).collect()
    }

    /// Leaves a part out that is wrong.
    pub(super) fn leave_out(&self, text: &str) {
        let mut left_out = self.left_out.borrow_mut();
        left_out.push('\n');
        left_out.push_str(text);
    }

    /// All that is wrong, each at its key and column, in the order of the text; nothing where all is right.
    pub(super) fn told(&self) -> Result<(), SourceError> {
        let (faults, mut all) = (self.faults.take(), self.misread.take());
        if faults.is_empty() && all.is_empty() {
            return Ok(());
        }
        let sites = Sites::of(self.text);
        let known: Vec<usize> = all.iter().filter_map(|fault| sites.table_of(line_in(fault)?)).collect();
        let others = faults.into_iter().flat_map(flat).filter(|fault| !self.is_of_left_out(fault) && !lacks_only(fault, &known));
        all.extend(others.map(|fault| self.placed_at(fault, &sites)));
        all.sort_by_key(|fault| if let SourceError::Wrong { line, column, .. } = fault { (*line, *column) } else { (0, None) });
        all.truncate(FAULTS_MAX);
        match all.len() {
            0 => Ok(()),
            1 => Err(all.remove(0)),
            _ => Err(SourceError::Many(all)),
        }
    }

    /// Whether a fault is that something is not there which was left out.
    fn is_of_left_out(&self, fault: &SourceError) -> bool {
        let left_out = self.left_out.borrow();
        let SourceError::Wrong { what, .. } = fault else { return false };
        let found = what.rsplit_once("found `").and_then(|(_, rest)| rest.split('`').next());
        found
            .filter(|word| !word.is_empty())
            .is_some_and(|word| left_out.split(|sign: char| !(sign.is_alphanumeric() || "-_:/@".contains(sign))).any(|other| other == word))
    }

    /// A fault of this file with the line and column of what it speaks of.
    fn placed_at(&self, fault: SourceError, sites: &Sites<'_>) -> SourceError {
        match fault {
            SourceError::Wrong { file, line, column, what } if file == self.file => match sites.spoken_of(line, &what) {
                // A column that is known is within what the sentence names.
                Some(at) if (line_of(self.text, at), Some(column_of(self.text, at))) > (line, column) => {
                    SourceError::Wrong { file, line: line_of(self.text, at), column: Some(column_of(self.text, at)), what }
                }
                _ => SourceError::Wrong { file, line, column, what },
            },
            other => other,
        }
    }

    /// A thing, on its line.
    pub(super) fn line<T>(&self, item: Spanned<T>) -> OnLine<T> {
        let line = line_of(self.text, item.span().start);
        OnLine { item: item.into_inner(), line, from: None }
    }

    /// Things, each on its line.
    pub(super) fn lines<T>(&self, items: Vec<Spanned<T>>) -> Vec<OnLine<T>> {
        items.into_iter().map(|item| self.line(item)).collect()
    }
}
