//! Border: the last commit at or before a seq: where a fork can begin.

use crate::fact::{ForkOrigin, Hash, Seq, Signature};
use crate::store::{Commit, Ending, Entries, Position, RecordPlace, Store, StoreError, Stored};

use super::checkpoint::reach;
use super::history::History;
use super::load::LoadError;

impl History {
    /// The last commit whose frames all lie below a seq, as the origin of a fork, and the place in the log behind it; nothing before the first one.
    pub fn border(&self, at: Seq) -> Result<Option<(ForkOrigin, Position)>, LoadError> {
        let ladder = self.ladder();
        reach(&self.store, at)?;
        // A rung knows where a commit ends, and not its seal; where none ends between it and the point, the one below it is gone on from.
        let mut below = at.min(self.end());
        loop {
            let begins = ladder.as_ref().and_then(|ladder| ladder.border(below));
            let found = match &begins {
                Some(border) => last_commit(self.store.read_behind(border)?, at)?,
                None => last_commit(self.store.read(self.begins())?, at)?,
            };
            match (found, begins) {
                (Some((commit, position)), _) => return Ok(Some((self.origin(&commit), position))),
                (None, Some(Ending { seq, .. })) if seq > self.begins() => below = seq - 1,
                (None, _) if self.begins() > 0 => return Ok(self.border_before()),
                (None, _) => return Ok(None),
            }
        }
    }

    /// The seed that the first frame has set.
    pub fn seed(&self) -> Result<u64, LoadError> {
        let at = RecordPlace { file: "frame 0".into(), offset: 0 };
        if self.begins() > 0 {
            let seed = self.world_at(self.begins())?.world_setting("seed").as_int().unwrap_or_default();
            return Ok(u64::from_be_bytes(seed.to_be_bytes()));
        }
        let first = self.record(0)?.map(|(recorded, bytes)| recorded.read(&bytes)).transpose().map_err(LoadError::at(at))?;
        let seed = first.as_ref().and_then(|frame| frame.draft().first_config("seed")?.as_int()).unwrap_or_default();
        Ok(u64::from_be_bytes(seed.to_be_bytes()))
    }

    /// How many frames the first commit has: before it there is no border.
    pub fn first_border(&self) -> Result<Option<Seq>, LoadError> {
        if self.begins() > 0 {
            return Ok(Some(self.begins()));
        }
        for entry in self.store.read(0)? {
            if let Stored::Commit { commit, .. } = entry? {
                return Ok(Some(commit.end_seq));
            }
        }
        Ok(None)
    }

    /// The border with which the log begins, behind what was archived.
    fn border_before(&self) -> Option<(ForkOrigin, Position)> {
        let said = &self.store.beginning()?.said;
        let (seq, number, head, seal) = (said.at.seq, said.at.number, said.at.head, said.seal);
        let position = Position { segment: said.segment, offset: said.offset };
        Some((ForkOrigin { seq, number, commit: said.commit, head, seal, ..self.parent(seq) }, position))
    }

    fn origin(&self, commit: &Commit) -> ForkOrigin {
        let &Commit { number, head, hash: commit, seal, end_seq: seq, .. } = commit;
        ForkOrigin { seq, number, commit, head, seal: Signature(seal), ..self.parent(seq) }
    }

    /// An origin at a seq that says of nothing but the parent.
    fn parent(&self, seq: Seq) -> ForkOrigin {
        let lineage = self.world_file().lineage();
        let parent = lineage.reign(seq.saturating_sub(1));
        let (world, root_key, name) = (parent.world, *parent.root_key, parent.name.to_owned());
        ForkOrigin { world, root_key, name, seq, number: 0, commit: Hash::NOTHING, head: Hash::NOTHING, seal: Signature([0; 64]) }
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
