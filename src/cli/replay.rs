//! `replay` and `verify`: history walked again, with or without recomputing its moments.

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args;

use crate::fact::{BeingId, WorldId};
use crate::replay::{Replayed, Thread, replay};
use crate::run::load;
use crate::store::{Store, StreamStore};

use super::{Door, Ended};

/// Walks every moment again with the live code, and says where it first differs
#[derive(Args)]
#[command(after_help = "Example: reelm replay            (all of it)
         reelm replay @ada       (only her moments are recomputed)
         reelm replay --file skateco.reelm

Exit code 0 if identical, 3 with the first differing moment and field otherwise.")]
pub struct Replay {
    /// Only this being's moments are recomputed
    being: Option<String>,
    /// Walk an export file instead of a world's directory
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
}

/// Checks every hash, chain and signature, without recomputing moments
#[derive(Args)]
#[command(after_help = "Example: reelm verify --index")]
pub struct Verify {
    /// Compare the index with the log too
    #[arg(long)]
    index: bool,
    /// Check an export file instead of a world's directory
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
}

impl Replay {
    /// Runs.
    pub fn run(self, door: &Door) -> Result<Ended> {
        let (store, world) = open(door, self.file.as_ref())?;
        let being = self.being.as_deref().map(|being| named(store.as_ref(), world, being)).transpose()?;
        walk(door, store.as_ref(), world, Thread { being, only_verify: false }, "replayed")
    }
}

impl Verify {
    /// Runs.
    pub fn run(self, door: &Door) -> Result<Ended> {
        if self.index && self.file.is_none() {
            let (store, _) = crate::store::LogStore::open(&door.data, crate::store::Mode::Write)?;
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
        let (store, world) = open(door, self.file.as_ref())?;
        walk(door, store.as_ref(), world, Thread { being: None, only_verify: true }, "verified")
    }
}

fn open(door: &Door, file: Option<&PathBuf>) -> Result<(Box<dyn Store>, WorldId)> {
    if let Some(file) = file {
        let store = StreamStore::open(file)?;
        let world = store.world_file().world;
        return Ok((Box::new(store), world));
    }
    let store = door.store()?;
    let world = store.world_file().world;
    Ok((Box::new(store), world))
}

fn named(store: &dyn Store, world: WorldId, being: &str) -> Result<BeingId> {
    let name = being.trim_start_matches('@');
    let loaded = load(store, world, None, |_, _| {})?;
    loaded.world.being_named(name).map(|being| being.id).with_context(|| format!("there is no being `@{name}` in this world"))
}

fn walk(door: &Door, store: &dyn Store, world: WorldId, thread: Thread, done: &'static str) -> Result<Ended> {
    let bar = door.bar(store.ending().seq, done);
    let walked = replay(store, world, thread, &mut |seq| {
        if seq % 1024 == 0 {
            bar.set_position(seq);
        }
    });
    bar.finish_and_clear();
    match walked {
        Ok(Replayed { difference: Some(difference), .. }) => {
            door.say(&difference, || {
                format!(
                    "frame {} ({}, its moment {}) differs in the beat `{}`, field `{}`\n  recorded: {}\n  computed: {}",
                    difference.seq,
                    difference.being,
                    difference.n,
                    difference.beat,
                    difference.field,
                    difference.recorded,
                    difference.computed
                )
            })?;
            Ok(Ended::Differs)
        }
        Ok(replayed) => {
            let json = serde_json::json!({ "frames": replayed.frames, "moments": replayed.moments, "head": replayed.head, "worldHash": replayed.world, "identical": true });
            door.say(&json, || {
                let what = if thread.only_verify {
                    "all chains and seals hold".to_owned()
                } else {
                    format!("{} moments recomputed, identical", replayed.moments)
                };
                format!("{done} {} frames: {what}\nhead {}\nworld hash {}", replayed.frames, replayed.head, replayed.world)
            })?;
            Ok(Ended::Well)
        }
        Err(error) => Err(error.into()),
    }
}
