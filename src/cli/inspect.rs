//! `inspect`: what a damaged history still holds: each damage with its place, and the frames that can be read around it.

use std::collections::BTreeMap;

use anyhow::Result;
use clap::Args;

use crate::fact::{BeingId, Fact, Frame, N, Peaks, PublicKey, Seq, Signature, Text};
use crate::past::{LoadError, Loaded, call_line};
use crate::reel::{AdmissionError, Recorded};
use crate::store::{Beginning, Commit, Damage, LogStore, Mode, RecordPlace, Store, StoreError, Stored};

use super::door::{Door, Ended};

/// Reads past damage, and says which frames are whole and signed
#[derive(Args)]
#[command(after_help = "Example: reelm inspect --frames

Nothing is changed and nothing is folded: what a whole frame says is shown as it stands. A signature can be checked where the birth of its
being is whole; whether the frames follow each other is for `reelm verify` to say. Exit code 0 if there is no damage and every signature
that can be checked holds, else 3.")]
pub struct Inspect {
    /// List each whole frame too
    #[arg(long)]
    frames: bool,
}

impl Inspect {
    /// Runs.
    pub fn run(self, door: &Door) -> Result<Ended> {
        let (store, recovery) = LogStore::open(&door.data, Mode::Inspect)?;
        let mut found = Inspected {
            damage: recovery.damage,
            peaks: Some(store.beginning().and_then(Beginning::peaks).unwrap_or_default()),
            ..Inspected::default()
        };
        found.knows(&Loaded::beginning(&store, store.world_file().lineage()));
        for entry in store.read(store.begins())? {
            match entry {
                Ok(Stored::Frame { seq, being, n, bytes, at }) => match (Recorded { seq, being, n }).read(&bytes) {
                    Ok(frame) => {
                        found.whole(&frame, &at);
                        if self.frames {
                            found.show(door, &frame)?;
                        }
                    }
                    Err(AdmissionError::Record { .. }) => {
                        found.wrong(&at, Some((being, n)), "the record says another place than its frame")
                    }
                    Err(_) => found.wrong(&at, None, "the record holds no frame"),
                },
                Ok(Stored::Blob { .. }) => {}
                Ok(Stored::Commit { commit, at }) => found.sealed(&commit, &at),
                Err(StoreError::Damaged(damage)) => found.note(*damage),
                Err(error) => return Err(error.into()),
            }
        }
        found.say(door)
    }
}

#[derive(Default)]
struct Inspected {
    damage: Vec<Damage>,
    frames: u64,
    /// The seqs of whole frames, as ranges: from, and below.
    whole: Vec<(Seq, Seq)>,
    names: BTreeMap<BeingId, Text>,
    keys: BTreeMap<BeingId, PublicKey>,
    /// The peaks over the frames so far, while none is missing: a head cannot be computed behind a gap.
    peaks: Option<Peaks>,
    /// How many signatures and seals hold, and how many nobody can check, since a birth or what was sealed is lost.
    hold: u64,
    unchecked: u64,
}

impl Inspected {
    /// Takes the names and keys of those who were born before the log begins, if its checkpoint can be read.
    fn knows(&mut self, before: &Result<Loaded, LoadError>) {
        for being in before.iter().flat_map(|before| before.world.beings()) {
            self.names.insert(being.id, being.name.clone());
            self.keys.extend(PublicKey::from_hash(&being.key).map(|key| (being.id, key)));
        }
    }

    fn note(&mut self, damage: Damage) {
        self.peaks = None;
        if !self.damage.contains(&damage) {
            self.damage.push(damage);
        }
    }

    fn wrong(&mut self, at: &RecordPlace, frame: Option<(BeingId, N)>, what: &'static str) {
        let (being, n) = frame.unzip();
        self.note(Damage { file: at.file.as_ref().into(), offset: at.offset, being, n, what });
    }

    /// Takes a whole frame, and checks its signature if its being's birth is whole.
    fn whole(&mut self, frame: &Frame, at: &RecordPlace) {
        let draft = frame.draft();
        self.frames += 1;
        match self.whole.last_mut() {
            Some((_, below)) if *below == draft.seq => *below += 1,
            _ => self.whole.push((draft.seq, draft.seq + 1)),
        }
        for (index, fact) in (0u32..).zip(&draft.facts) {
            if let Fact::Born(birth) = fact {
                let being = BeingId::new(draft.seq, index);
                self.names.insert(being, birth.name.clone());
                self.keys.extend(PublicKey::from_hash(&birth.key).map(|key| (being, key)));
            }
        }
        if let Some(peaks) = &mut self.peaks {
            peaks.push(frame.hash());
        }
        if frame.signature().is_none() {
            // Its seal is looked at behind its group; what lies behind a gap has none that can be checked.
            self.unchecked += u64::from(self.peaks.is_none());
            return;
        }
        match self.keys.get(&draft.being).map(|key| frame.verify(key)) {
            Some(Ok(())) => self.hold += 1,
            Some(Err(_)) => {
                let damage = "the frame does not carry its being's signature";
                self.note(Damage {
                    file: at.file.as_ref().into(),
                    offset: at.offset,
                    being: Some(draft.being),
                    n: Some(draft.n),
                    what: damage,
                });
            }
            None => self.unchecked += 1,
        }
    }

    /// Takes the end of a group, and checks its seal if nothing of what it seals is missing.
    fn sealed(&mut self, commit: &Commit, at: &RecordPlace) {
        let key = self.keys.get(&BeingId::WORLD).copied();
        let head = self.peaks.as_ref().map(Peaks::head);
        match (head, key) {
            (Some(head), _) if head != commit.head => self.wrong(at, None, "the head is not the one that the frames come to"),
            (_, Some(key)) if key.verify(&commit.head, &Signature(commit.seal)).is_err() => {
                self.wrong(at, None, "the head is not sealed by @world");
            }
            (Some(_), Some(_)) => self.hold += 1,
            (None, _) | (_, None) => self.unchecked += 1,
        }
    }

    /// A frame as it stands; a being whose birth is lost goes by its id.
    fn show(&mut self, door: &Door, frame: &Frame) -> Result<()> {
        let draft = frame.draft();
        let being = self.names.get(&draft.being).map_or_else(|| draft.being.to_string(), |name| format!("@{name}"));
        let json = serde_json::json!({
            "seq": draft.seq, "n": draft.n, "at": draft.at, "being": being, "hash": frame.hash(), "closing": draft.closing,
            "call": draft.call, "facts": draft.facts,
        });
        let call = draft.call.as_ref().map(call_line).unwrap_or_default();
        door.say(&json, || format!("#{} {being}/{} {} {call}", draft.seq, draft.n, draft.closing.word()))
    }

    fn say(&self, door: &Door) -> Result<Ended> {
        let ranges: Vec<String> = self.whole.iter().map(|(from, below)| format!("#{from} to #{}", below - 1)).collect();
        let damage: Vec<String> = self.damage.iter().map(ToString::to_string).collect();
        let json = serde_json::json!({
            "frames": self.frames, "whole": self.whole, "damage": damage, "signatures": self.hold, "unchecked": self.unchecked,
        });
        door.say(&json, || {
            let mut lines =
                vec![format!("{} whole frames: {}", self.frames, if ranges.is_empty() { "none".to_owned() } else { ranges.join(", ") })];
            let lost =
                if self.unchecked == 0 { String::new() } else { format!(", {} cannot be checked: what they need is lost", self.unchecked) };
            lines.push(format!("{} signatures and seals hold{lost}", self.hold));
            lines.extend(damage.iter().map(|damage| format!("damage in {damage}")));
            lines.join("\n")
        })?;
        Ok(if self.damage.is_empty() { Ended::Well } else { Ended::Differs })
    }
}
