//! Border: the last commit at or before a seq: where a fork can begin.

use crate::fact::{ForkOrigin, Seq, Signature};
use crate::store::{Commit, Ending, Entries, Position, RecordPlace, Store, StoreError, Stored};

use super::history::History;
use super::load::LoadError;

impl History {
    /// The last commit whose frames all lie below a seq, as the origin of a fork, and the place in the log behind it; nothing before the first one.
    pub fn border(&self, at: Seq) -> Result<Option<(ForkOrigin, Position)>, LoadError> {
        let ladder = self.ladder();
        // A rung knows where a commit ends, and not its seal; where none ends between it and the point, the one below it is gone on from.
        let mut below = at.min(self.end());
        loop {
            let begins = ladder.as_ref().and_then(|ladder| ladder.border(below));
            let found = match &begins {
                Some(border) => last_commit(self.store.read_behind(border)?, at)?,
                None => last_commit(self.store.read(0)?, at)?,
            };
            match (found, begins) {
                (Some((commit, position)), _) => return Ok(Some((self.origin(&commit), position))),
                (None, Some(Ending { seq, .. })) if seq > 0 => below = seq - 1,
                (None, _) => return Ok(None),
            }
        }
    }

    /// The seed that the first frame has set.
    pub fn seed(&self) -> Result<u64, LoadError> {
        let at = RecordPlace { file: "frame 0".into(), offset: 0 };
        let first = self.record(0)?.map(|(recorded, bytes)| recorded.read(&bytes)).transpose().map_err(LoadError::at(at))?;
        let seed = first.as_ref().and_then(|frame| frame.draft().first_config("seed")?.as_int()).unwrap_or_default();
        Ok(u64::from_be_bytes(seed.to_be_bytes()))
    }

    /// How many frames the first commit has: before it there is no border.
    pub fn first_border(&self) -> Result<Option<Seq>, LoadError> {
        for entry in self.store.read(0)? {
            if let Stored::Commit { commit, .. } = entry? {
                return Ok(Some(commit.end_seq));
            }
        }
        Ok(None)
    }

    fn origin(&self, commit: &Commit) -> ForkOrigin {
        let lineage = self.world_file().lineage();
        let parent = lineage.reign(commit.end_seq.saturating_sub(1));
        ForkOrigin {
            world: parent.world,
            root_key: *parent.root_key,
            name: parent.name.to_owned(),
            seq: commit.end_seq,
            number: commit.number,
            commit: commit.hash,
            head: commit.head,
            seal: Signature(commit.seal),
        }
    }
}

fn last_commit(entries: Entries<'_>, at: Seq) -> Result<Option<(Commit, Position)>, StoreError> {
    let mut last = None;
    for entry in entries {
        match entry? {
            Stored::Commit { commit, .. } if commit.end_seq > at => break,
            Stored::Commit { commit, at } => {
                last = at.behind_commit().map(|position| (commit, position));
            }
            Stored::Frame { seq, .. } if seq >= at => break,
            Stored::Frame { .. } | Stored::Blob { .. } => {}
        }
    }
    Ok(last)
}
