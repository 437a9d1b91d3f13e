//! `prove`: one frame with what shows that its world sealed it, for whoever has nothing of the world.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::Args;

use crate::fact::{Frame, Hash, PublicKey, Seq, harmless_json};
use crate::past::{MomentName, call_line};
use crate::reel::{Proof, ProofCompanion};
use crate::store::PendingFile;

use super::bundle::is_trusted;
use super::door::{Door, Ended};

/// Writes a proof of one moment, which anybody can check without the world
#[derive(Args)]
#[command(after_help = "Example: reelm prove 120                    (prints it, as JSON)
         reelm prove @ada/7 --out ada-7.json

`reelm verify --proof FILE` checks it, on any machine. It holds the frame, one hash for each doubling of the history, the newest head and its
seal: less than 2 KiB beside the frame among ten million. What stands in blobs (values over 4 KiB) is in it by hash alone. Of a frame without a signature
(`seals = \"batch\"`) it also holds the frames by which its being lets the seal answer for it.")]
pub struct Prove {
    /// A seq, or @being/n
    moment: MomentName,
    /// Write it to a file, which must not be there yet
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

impl Prove {
    /// Runs.
    pub fn run(self, door: &Door) -> Result<Ended> {
        let history = door.history()?;
        let seq = history.seq_of_moment(&self.moment)?;
        let proof = history.prove(seq)?;
        let text = harmless_json(&serde_json::to_string(&proof)?).into_owned();
        match &self.out {
            Some(out) => {
                let cannot = || format!("cannot write `{}`; choose a name that is not there yet", out.display());
                PendingFile::write(out, format!("{text}\n").as_bytes()).with_context(cannot)?;
                door.say(&serde_json::json!({ "seq": seq, "file": out }), || {
                    format!("wrote the proof of frame {seq} to `{}`", out.display())
                })?;
            }
            None => door.say(&proof, || text)?,
        }
        Ok(Ended::Well)
    }
}

/// Checks a proof in a file, and says what it proves.
pub(super) fn check_proof(door: &Door, file: &Path, trusted: Option<&Hash>) -> Result<Ended> {
    let name = file.display();
    let text = std::fs::read_to_string(file).with_context(|| format!("cannot read `{name}`"))?;
    let proof: Proof =
        serde_json::from_str(&text).with_context(|| format!("`{name}` is no proof, or not all of one; `reelm prove` writes one"))?;
    let frame = proof.check().with_context(|| format!("`{name}` proves nothing; ask for it anew, or ask why"))?;
    is_trusted(file, &proof.root_key, trusted)?;
    let json = serde_json::json!({
        "world": proof.world, "rootKey": proof.root_key, "seq": proof.seq, "count": proof.count, "head": proof.head, "hash": frame.hash(),
        "did": did(&proof), "companions": companions(&proof), "holds": true,
    });
    door.say(&json, || words(&proof, &frame))?;
    Ok(Ended::Well)
}

fn did(proof: &Proof) -> Option<String> {
    PublicKey::from_hash(&proof.key?).ok().map(|key| key.did())
}

/// The seqs of the frames that let the seal answer for it.
fn companions(proof: &Proof) -> Vec<Seq> {
    let seq = |companion: &ProofCompanion| Some(Frame::read(&companion.frame).ok()?.draft().seq);
    proof.companions.iter().filter_map(seq).collect()
}

fn words(proof: &Proof, frame: &Frame) -> String {
    let Proof { world, root_key, seq, count, head, .. } = proof;
    let draft = frame.draft();
    let call = draft.call.as_ref().map(|call| format!(": {}", call_line(call))).unwrap_or_default();
    format!(
        "frame {seq} stands in the history of the world {world}, among its first {count} frames
{} of {}, its moment {}{call}
{}
sealed by @world, whose key is {root_key}
head {head}",
        draft.closing.word(),
        draft.being,
        draft.n,
        did(proof).map_or_else(
            || {
                let beside: Vec<String> = companions(proof).iter().map(|seq| format!("frame {seq}")).collect();
                format!("carries no signature of its own: the seal answers for it, as its being has let it ({})", beside.join(", "))
            },
            |did| format!("signed by its being, {did}")
        )
    )
}
