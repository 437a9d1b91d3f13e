//! `inspect`: what a damaged history still holds: each damage with its place, and the frames that can be read around it.

use std::collections::BTreeMap;

use anyhow::Result;
use clap::Args;

use crate::fact::{BeingId, Fact, Frame, Seq, Text};
use crate::run::call_line;
use crate::store::{Damage, Entry, LogStore, Mode, Store, StoreError};

use super::{Door, Ended};

/// Reads past damage: names each, and lists the frames that are whole
#[derive(Args)]
#[command(after_help = "Example: reelm inspect --frames

Nothing is changed and nothing is folded: what a whole frame says is shown as it stands. Exit code 0 if there is no damage, else 3.")]
pub struct Inspect {
    /// List each whole frame too
    #[arg(long)]
    frames: bool,
}

impl Inspect {
    /// Runs.
    pub fn run(self, door: &Door) -> Result<Ended> {
        let (store, recovery) = LogStore::open(&door.data, Mode::Inspect)?;
        let mut found = Found { damage: recovery.damage, ..Found::default() };
        for entry in store.read(0)? {
            match entry {
                Ok(Entry::Frame { seq, bytes, at, .. }) => match Frame::read(&bytes) {
                    Ok(frame) => {
                        found.whole(seq);
                        if self.frames {
                            found.show(door, &frame)?;
                        }
                    }
                    Err(_) => found.note(Damage {
                        file: at.file.as_ref().into(),
                        offset: at.offset,
                        being: None,
                        n: None,
                        what: "the record holds no frame",
                    }),
                },
                Ok(Entry::Blob { .. } | Entry::Commit(_)) => {}
                Err(StoreError::Damaged(damage)) => found.note(*damage),
                Err(error) => return Err(error.into()),
            }
        }
        found.say(door)
    }
}

#[derive(Default)]
struct Found {
    damage: Vec<Damage>,
    frames: u64,
    /// The seqs of whole frames, as ranges: from, and below.
    whole: Vec<(Seq, Seq)>,
    names: BTreeMap<BeingId, Text>,
}

impl Found {
    fn note(&mut self, damage: Damage) {
        if !self.damage.contains(&damage) {
            self.damage.push(damage);
        }
    }

    fn whole(&mut self, seq: Seq) {
        self.frames += 1;
        match self.whole.last_mut() {
            Some((_, below)) if *below == seq => *below += 1,
            _ => self.whole.push((seq, seq + 1)),
        }
    }

    /// A frame as it stands; a being whose birth is lost goes by its id.
    fn show(&mut self, door: &Door, frame: &Frame) -> Result<()> {
        let draft = frame.draft();
        for (index, fact) in (0u32..).zip(&draft.facts) {
            if let Fact::Born(birth) = fact {
                self.names.insert(BeingId::new(draft.seq, index), birth.name.clone());
            }
        }
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
        door.say(&serde_json::json!({ "frames": self.frames, "whole": self.whole, "damage": damage }), || {
            let mut lines =
                vec![format!("{} whole frames: {}", self.frames, if ranges.is_empty() { "none".to_owned() } else { ranges.join(", ") })];
            lines.extend(damage.iter().map(|damage| format!("damage in {damage}")));
            lines.join("\n")
        })?;
        Ok(if self.damage.is_empty() { Ended::Well } else { Ended::Differs })
    }
}
