//! Frames: those of a history from a place on, read and not folded; no seal is checked.

use crate::fact::{Frame, Seq};
use crate::reel::Recorded;
use crate::store::{Ending, Entries, Store, Stored};

use super::history::History;
use super::load::LoadError;

/// The frames of a history from a seq on.
pub(super) struct Frames<'a> {
    entries: Entries<'a>,
    from: Seq,
}

impl Iterator for Frames<'_> {
    type Item = Result<Frame, LoadError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            match self.entries.next()? {
                Ok(Stored::Frame { seq, being, n, bytes, at }) if seq >= self.from => {
                    return Some(Recorded { seq, being, n }.read(&bytes).map_err(LoadError::at(at)));
                }
                Ok(_) => {}
                Err(error) => return Some(Err(error.into())),
            }
        }
    }
}

impl History {
    /// Its frames from a seq on, read from the nearest rung before it.
    pub(super) fn frames(&self, from: Seq) -> Result<Frames<'_>, LoadError> {
        let border = self.ladder().and_then(|ladder| ladder.border(from));
        Ok(Frames { entries: self.entries_behind(border, from)?, from })
    }

    /// The entries behind a border, or from a seq on where there is no border that this log has: a rung may have come from elsewhere.
    pub(super) fn entries_behind(&self, border: Option<Ending>, from: Seq) -> Result<Entries<'_>, LoadError> {
        let behind = border.and_then(|border| self.store.read_behind(&border).ok());
        Ok(behind.map_or_else(|| self.store.read(from), Ok)?)
    }
}
