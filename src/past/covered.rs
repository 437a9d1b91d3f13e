//! Covered: whether a frame that carries no signature of its own lies under a seal: from the nearest checkpoint on, hashes lead to the head behind it.

use crate::fact::{BeingId, Frame, Hash, Peaks, PublicKey, Seq, Signature};
use crate::reel::AdmissionError;
use crate::store::{Commit, Entries, RecordPlace, Store, StoreError, Stored};

use super::history::History;
use super::load::LoadError;

impl History {
    /// Checks that the first head behind a frame is over it, and sealed by `@world`, and that its being has let that answer for it.
    pub(super) fn covered(&self, frame: &Frame) -> Result<(), LoadError> {
        let (seq, being) = (frame.draft().seq, frame.draft().being);
        let at = || RecordPlace { file: format!("frame {seq}").into(), offset: 0 };
        if frame.draft().rekeyed().is_some() || !self.has_delegated(being) {
            return Err(LoadError::at(at())(AdmissionError::Signature { seq, being }));
        }
        let found = match self.ladder().and_then(|ladder| ladder.ground(seq)) {
            Some((border, peaks)) => self.store.read_behind(&border).and_then(|entries| headed(entries, seq, peaks)),
            None => headed(self.store.read(0)?, seq, Peaks::default()),
        }?;
        let lineage = self.world_file().lineage();
        let is_sealed = |found: &Headed| {
            let Commit { head, seal, end_seq, .. } = &found.commit;
            let key = PublicKey::from_hash(lineage.sealer(*end_seq).root_key).ok();
            // A parent's frame in a fork is covered only under the head that the fork's origin proves.
            let is_kept =
                !lineage.seals_for_others(*end_seq, seq) || lineage.origin_at(*end_seq).is_some_and(|origin| origin.head == *head);
            is_kept
                && found.frame == frame.hash()
                && found.head == *head
                && key.is_some_and(|key| key.verify(head, &Signature(*seal)).is_ok())
        };
        if found.as_ref().is_some_and(is_sealed) {
            return Ok(());
        }
        Err(LoadError::at(at())(AdmissionError::Seal { seq }))
    }

    /// Whether the birth of a being says that the seals answer for it; a birth that was archived cannot be asked.
    fn has_delegated(&self, being: BeingId) -> bool {
        let birth = self.record(being.0.seq).ok().flatten().and_then(|(recorded, bytes)| recorded.read(&bytes).ok());
        birth.is_none_or(|frame| frame.draft().births().any(|(born, birth)| born == being && birth.delegation.is_some()))
    }
}

/// A frame's hash, what the frames up to the end of its group come to, and the commit there.
struct Headed {
    frame: Hash,
    head: Hash,
    commit: Commit,
}

/// Goes on with a range up to the end of the group that holds a frame.
fn headed(entries: Entries<'_>, wanted: Seq, mut peaks: Peaks) -> Result<Option<Headed>, StoreError> {
    let mut own = None;
    for entry in entries {
        match (entry?, own) {
            (Stored::Frame { seq, bytes, .. }, _) => {
                let hash = Frame::hash_in(&bytes);
                own = own.or((seq == wanted).then_some(hash));
                peaks.push(hash);
            }
            (Stored::Commit { commit, .. }, Some(frame)) => return Ok(Some(Headed { frame, head: peaks.head(), commit })),
            (Stored::Commit { .. } | Stored::Blob { .. }, _) => {}
        }
    }
    Ok(None)
}
