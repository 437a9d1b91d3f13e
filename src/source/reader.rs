//! Reader: a world.toml while it is read: where it lies, its text, and the line of each thing in it.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;

use toml::Spanned;

use crate::extension::Package;
use crate::fact::line_of;

use super::error::SourceError;
use super::item::OnLine;

/// A world.toml while it is read.
pub(super) struct SourceReader<'a> {
    pub(super) dir: &'a Path,
    pub(super) file: String,
    pub(super) text: &'a str,
    /// An extension at hand, which need not be looked for.
    pub(super) near: Option<&'a Package>,
    /// The line on which each script begins that stands in the file itself.
    pub(super) inline: RefCell<BTreeMap<String, usize>>,
}

impl SourceReader<'_> {
    /// An error at a place of the text.
    pub(super) fn wrong(&self, at: usize, what: impl Into<String>) -> SourceError {
        SourceError::Wrong { file: self.file.clone(), line: line_of(self.text, at), what: what.into() }
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
