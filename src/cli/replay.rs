//! `replay` and `verify`: history walked again, with or without recomputing its moments.

use std::cell::RefCell;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args;

use crate::fact::{BeingId, Hash, Seq, WorldId};
use crate::past::{Compared, load};
use crate::replay::{Replayed, Thread, replay};
use crate::store::{ArchiveName, ClockFile, Keystore, LogStore, Lost, Mode, Store, StreamStore};
use crate::world::World;

use super::anchor::check_anchor;
use super::bundle::{replay_bundled, verify_bundle};
use super::copied::CopyServers;
use super::difference::tell_difference;
use super::door::{Door, Ended};
use super::progress::Progress;
use super::prove::check_proof;
use super::with::With;

/// Walks every moment again with the live code, and says where it first differs
#[derive(Args)]
#[command(after_help = "Example: reelm replay            (all of it)
         reelm replay @ada       (only her moments are recomputed)
         reelm replay --file skateco.reelm
         reelm replay hour.bundle    (as `reelm export hour.bundle --from ~1h --replayable` wrote it)
         reelm replay --with roles/ extensions/ --junit history.xml    (what this code would have done in each moment)

Exit code 0 if identical, 3 with the first differing moment and field otherwise. --with takes each moment alone, on the world that was
recorded: to go on from one, `fork --change`. A model's reply counts where it would be asked the same; else the moment is unknown, or
with --ask the model is asked anew, within --budget.")]
pub struct Replay {
    /// A being, of whom alone the moments are recomputed; or a bundle's file, of which all are
    being: Option<String>,
    /// Replay an export file instead of a world's directory
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// Of a bundle: the key of @world that you trust, 64 hex digits
    #[arg(long, value_name = "KEY", requires = "being")]
    key: Option<Hash>,
    #[command(flatten)]
    with: With,
}

/// Checks every hash, chain and signature, without recomputing moments
#[derive(Args)]
#[command(after_help = "Example: reelm verify --index
         reelm verify ada.bundle              (as `reelm export ada.bundle --being @ada` wrote it)
         reelm verify --proof 120.json
         reelm verify --anchor town.anchor    (as `reelm anchor` wrote it, kept elsewhere)

A bundle or a proof holds for whoever trusts the key of @world that it names: compare that with the one you know, or say yours by --key.")]
pub struct Verify {
    /// A bundle's file; no world is asked
    #[arg(conflicts_with_all = ["index", "file", "proof", "anchor"])]
    bundle: Option<PathBuf>,
    /// Of a bundle or a proof: the key of @world that you trust, 64 hex digits
    #[arg(long, value_name = "KEY")]
    key: Option<Hash>,
    /// Compare the index with the log too
    #[arg(long)]
    index: bool,
    /// Check an export file instead of a world's directory
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// Check a proof of one frame, as `reelm prove` writes it; no world is asked
    #[arg(long, value_name = "FILE", conflicts_with_all = ["index", "file"])]
    proof: Option<PathBuf>,
    /// Hold the history against an anchor, which finds what was rewritten with the right keys too
    #[arg(long, value_name = "FILE", conflicts_with = "proof")]
    anchor: Option<PathBuf>,
    #[command(flatten)]
    copy: CopyServers,
}

impl Replay {
    /// Runs.
    pub fn run(self, door: &Door) -> Result<Ended> {
        if self.with.is_wanted() {
            return self.with.run(door);
        }
        let bundle = self.being.as_ref().filter(|said| !said.starts_with('@') && Path::new(said).is_file());
        if let Some(bundle) = bundle {
            return replay_bundled(door, Path::new(bundle), self.key.as_ref());
        }
        WholeHistory::open(door, self.file.as_ref(), self.being.as_deref())?.all(door, false, "replayed")
    }
}

impl Verify {
    /// Runs.
    pub fn run(self, door: &Door) -> Result<Ended> {
        if let Some(file) = &self.bundle {
            return verify_bundle(door, file, self.key.as_ref());
        }
        if let Some(file) = &self.proof {
            return check_proof(door, file, self.key.as_ref());
        }
        if !self.copy.nats.is_empty() {
            return self.copy.verify(door);
        }
        if self.key.is_some() {
            bail!("--key is said of a bundle or a proof; a world's own key stands in its `world.toml`");
        }
        if self.index && self.file.is_none() {
            let (store, _) = LogStore::open(&door.data, Mode::Write)?;
            let report = store.verify_index()?;
            let agrees = report.as_ref().is_none_or(|report| report.agrees);
            store.close()?;
            if !agrees {
                door.say(&serde_json::json!({ "index": "differs" }), || {
                    "the index differs from the log; delete the folder `index` of the world, it is rebuilt".to_owned()
                })?;
                return Ok(Ended::Differs);
            }
        }
        let mut whole = WholeHistory::open(door, self.file.as_ref(), None)?;
        if let Some(anchor) = &self.anchor {
            whole.anchored = check_anchor(door, anchor, whole.store.as_ref())?;
            if whole.anchored.is_none() {
                return Ok(Ended::Differs);
            }
        }
        whole.all(door, true, "verified")
    }
}

/// A history to be walked, all of it: that is what a replay is for. And what its checkpoints say of it.
struct WholeHistory {
    store: Box<dyn Store>,
    world: WorldId,
    checkpoints: RefCell<Compared>,
    /// The frames that were acknowledged and are missing.
    lost: Option<Lost>,
    /// The being whose moments are recomputed, if not all.
    being: Option<BeingId>,
    /// How many of its frames an anchor is over that holds.
    anchored: Option<Seq>,
}

impl WholeHistory {
    fn open(door: &Door, file: Option<&PathBuf>, being: Option<&str>) -> Result<Self> {
        if let Some(file) = file {
            let store = StreamStore::open(file)?;
            let world = store.world_file().world;
            // An export has no checkpoints beside it.
            let being = being.map(|being| named(&load(&store, world, None, |_, _| {})?.world, being)).transpose()?;
            return Ok(Self { store: Box::new(store), world, checkpoints: RefCell::default(), lost: None, being, anchored: None });
        }
        let history = door.history()?;
        let lost = history.lost();
        // No frame depends on these two; what is damaged, or another world's, is named all the same.
        ClockFile::load(&door.data)?;
        Keystore::check(&door.data, history.world_file())?;
        let being = being.map(|being| named(&history.world_at(history.end())?, being)).transpose()?;
        let (world, checkpoints) = (history.world_file().world, RefCell::new(history.compared()));
        Ok(Self { store: Box::new(history.into_store()), world, checkpoints, lost, being, anchored: None })
    }

    fn all(&self, door: &Door, only_verify: bool, done: &'static str) -> Result<Ended> {
        let progress = Progress::of(self.store.ending().seq, done, "frames");
        let mut wrong: Option<Seq> = None;
        let walked =
            replay(self.store.as_ref(), self.world, Thread { being: self.being, only_verify, ..Thread::default() }, &mut |world| {
                let seq = world.next_seq();
                if !self.checkpoints.borrow_mut().holds(world) {
                    wrong = wrong.or(Some(seq));
                }
                progress.at(seq);
            });
        drop(progress);
        if let (Some(seq), Ok(_)) = (wrong, &walked) {
            let fault = format!("the checkpoint of frame {seq} is not what the log folds to; delete the folder `checkpoints` of the world");
            door.say(&serde_json::json!({ "checkpoint": seq, "error": fault }), || fault.clone())?;
            return Ok(Ended::Differs);
        }
        match walked {
            Ok(Replayed { difference: Some(difference), .. }) => tell_difference(door, &difference),
            Ok(_) if let Some(Lost { from, groups }) = self.lost => {
                let fault =
                    format!("the history was longer when it was acknowledged: groups that are gone: {groups}, from frame {from} on");
                door.say(&serde_json::json!({ "from": from, "groups": groups, "error": fault }), || {
                    format!("{fault}; what is left holds, and `reelm run --accept-loss` goes on with it")
                })?;
                Ok(Ended::Differs)
            }
            Ok(replayed) => {
                let archived = self.store.beginning().map(|begun| begun.said.archives.clone()).unwrap_or_default();
                let json = serde_json::json!({ "begins": self.store.begins(), "archived": archived, "frames": replayed.frames, "moments": replayed.moments, "covered": replayed.covered, "anchored": self.anchored, "head": replayed.head, "worldHash": replayed.world, "identical": true });
                door.say(&json, || {
                    format!("{}{}{}", told(done, only_verify, &replayed), told_archived(&archived), told_anchored(self.anchored))
                })?;
                Ok(Ended::Well)
            }
            Err(error) => Err(error.into()),
        }
    }
}

/// The id of the being of that name.
pub(super) fn named(world: &World, being: &str) -> Result<BeingId> {
    let name = being.trim_start_matches('@');
    world.being_named(name).map(|being| being.id).with_context(|| format!("there is no being `@{name}` in this world"))
}

/// Where what lies before the log is, in words.
fn told_archived(archives: &[ArchiveName]) -> String {
    let Some(newest) = archives.last() else { return String::new() };
    let archives: Vec<String> = archives.iter().map(ArchiveName::to_string).collect();
    format!("\nfrom the archive's checkpoint on; the {} frames before it are in {}", newest.to, archives.join(", "))
}

/// The line about an anchor that holds; empty where there is none.
fn told_anchored(anchored: Option<Seq>) -> String {
    anchored.map(|frames| format!("\nthe anchor holds: the first {frames} frames are those that were anchored")).unwrap_or_default()
}

/// The result of a walk, in words, with the number of signed frames where not all are signed.
fn told(done: &str, only_verify: bool, replayed: &Replayed) -> String {
    let Replayed { frames, moments, covered, head, world, .. } = replayed;
    let what = if only_verify { "all chains and seals hold".to_owned() } else { format!("{moments} moments recomputed, identical") };
    let signed = match covered {
        0 => String::new(),
        covered => format!("\n{} signed by their beings, {covered} covered by the seals of @world", frames - covered),
    };
    format!("{done} {frames} frames: {what}{signed}\nhead {head}\nworld hash {world}")
}
