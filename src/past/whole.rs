//! Whole: what the frames of a history stamped, with the large values that they name in their places.

use std::ops::Range;

use crate::fact::{Content, Draft, Seq};
use crate::reel::Recorded;
use crate::store::{Store, Stored};

use super::history::History;
use super::load::{Kept, LoadError};

impl History {
    /// Tells of some frames, read and not folded: no seal is checked. A value stands before the first frame that names it, mostly in its group.
    pub fn whole_drafts(&self, frames: Range<Seq>, mut hear: impl FnMut(Draft)) -> Result<(), LoadError> {
        let border = self.ladder().and_then(|ladder| ladder.border(frames.start));
        let mut of_group = Kept::default();
        for entry in self.entries_behind(border, frames.start)? {
            match entry? {
                Stored::Blob { hash, bytes, .. } => {
                    of_group.0.insert(hash, bytes);
                }
                Stored::Commit { .. } => of_group.0.clear(),
                Stored::Frame { seq, .. } if seq >= frames.end => break,
                Stored::Frame { seq, .. } if seq < frames.start => {}
                Stored::Frame { seq, being, n, bytes, at } => {
                    let frame = Recorded { seq, being, n }.read(&bytes).map_err(LoadError::at(at))?;
                    hear(self.whole(frame.draft().clone(), &of_group)?);
                }
            }
        }
        Ok(())
    }

    fn whole(&self, mut draft: Draft, of_group: &Kept) -> Result<Draft, LoadError> {
        for content in draft.contents_mut() {
            let Content::There { hash, .. } = content else { continue };
            let mut before = Kept::default();
            if !of_group.0.contains_key(hash) {
                before.0.extend(self.store.blob(hash)?.map(|bytes| (*hash, bytes)));
            }
            if let Some(value) = of_group.value(content).or_else(|| before.value(content)) {
                *content = Content::Here(value);
            }
        }
        Ok(draft)
    }
}
