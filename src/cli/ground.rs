//! Ground: the world of `--data`, opened to go on with, or planted where there is none yet.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Result, anyhow, bail};

use crate::fact::{Seq, simulated};
use crate::run::Living;
use crate::source::{Source, edits};
use crate::store::{Lost, MemoryStore, Recovery, ReplicaStatus, set_aside};
use crate::world::World;

use super::apply::check;
use super::browser::Surroundings;
use super::copied::KeptCopy;
use super::door::Door;

/// As many threads as the machine has cores, within bounds.
pub(super) fn every_core() -> usize {
    std::thread::available_parallelism().map_or(1, Into::into).clamp(1, 256)
}

/// How a world is to be opened, or planted.
pub(super) struct Manner {
    pub(super) seed: Option<u64>,
    /// Whether the keys of a new world follow from its seed.
    pub(super) simulated: bool,
    pub(super) accept_loss: bool,
    pub(super) threads: usize,
}

/// Puts the world of `--data` beside under a name of its own, so that its source can begin it again there; a person is asked first.
pub(super) fn put_beside(door: &Door, source: &Source, (seed, is_sure): (Option<u64>, bool)) -> Result<()> {
    let data = &door.data;
    if !Living::is_planted(data)? {
        return Ok(());
    }
    let (history, world) = door.world()?;
    check(source, world.world_setting("name").as_str())?;
    // A source that cannot be planted changes nothing.
    let (_, id) = simulated(&source.name, seed.unwrap_or(source.seed));
    Living::plant_in(source, seed, Box::new(MemoryStore::new(id)), 1)?;
    let beside = free_beside(data)?;
    if !is_sure {
        ask_whether(door, &source.name, (history.end(), &beside))?;
    }
    drop(history);
    set_aside(data, &beside)?;
    door.note(&format!("the world until now lies in `{}`", beside.display()));
    Ok(())
}

/// Asks a person whether a world is to begin again; anything but a yes is an error.
fn ask_whether(door: &Door, name: &str, (frames, beside): (Seq, &Path)) -> Result<()> {
    let (from, to) = (door.data.display(), beside.display());
    if !Surroundings::here().is_terminal || door.speech.is_for_programs() {
        bail!("--anew: `{from}` holds `{name}`, with {frames} frames, and nobody is there to be asked; --yes puts it beside, as `{to}`");
    }
    print!("`{name}` has {frames} frames. Begin it again, and keep those as `{to}`? [y/N] ");
    std::io::stdout().flush()?;
    let mut line = String::new();
    std::io::stdin().read_line(&mut line)?;
    if !matches!(line.trim(), "y" | "Y" | "yes") {
        bail!("--anew: nothing was changed");
    }
    Ok(())
}

/// A name beside a folder that nothing has yet: `world-1`, `world-2`.
fn free_beside(data: &Path) -> Result<PathBuf> {
    let data = std::path::absolute(data)?;
    let name = data.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let free = (1_u32..).map(|number| data.with_file_name(format!("{name}-{number}"))).find(|path| path.symlink_metadata().is_err());
    free.ok_or_else(|| anyhow!("there is no name left beside `{}`", data.display()))
}

/// Goes on with the world of `--data`, or plants the source there.
pub(super) fn open_or_plant(door: &Door, source: Option<&Source>, opening: Manner) -> Result<Living> {
    let Manner { seed, simulated, accept_loss, threads } = opening;
    if !Living::is_planted(&door.data)? {
        let Some(source) = source else {
            bail!("there is no world in `{}` yet; name a SOURCE to plant, such as `skateco`", door.data.display());
        };
        let plant = if simulated { Living::plant } else { Living::plant_secret };
        return Ok(plant(source, seed, &door.data, threads)?);
    }
    let (living, recovery) = Living::open_kept(&door.data, threads, accept_loss, None)?;
    told_of_opening(door, (source, seed), living, &recovery)
}

/// The same with a copy of its log, and where that says how far it is. A world that is planted is opened once more with its copy.
pub(super) fn open_or_plant_copied(
    door: &Door,
    source: Option<&Source>,
    opening: Manner,
    copy: &KeptCopy,
) -> Result<(Living, Option<Arc<ReplicaStatus>>)> {
    let Manner { seed, accept_loss, threads, .. } = opening;
    if !copy.is_wanted() {
        return Ok((open_or_plant(door, source, opening)?, None));
    }
    if !Living::is_planted(&door.data)? {
        open_or_plant(door, source, opening)?.stop()?;
    }
    let (keeper, status) = copy.keeper(&door.data)?;
    let (living, recovery) = Living::open_kept(&door.data, threads, accept_loss, Some(keeper))?;
    Ok((told_of_opening(door, (source, seed), living, &recovery)?, Some(status)))
}

/// Says what was found when a world was opened, and refuses one that was not meant.
fn told_of_opening(door: &Door, (source, seed): (Option<&Source>, Option<u64>), living: Living, recovery: &Recovery) -> Result<Living> {
    if let Some(Lost { from, groups }) = recovery.lost {
        tracing::warn!(from, groups, "acknowledged history is gone, as `@world` has recorded; the world goes on without it");
    }
    if recovery.cut_bytes > 0 {
        tracing::warn!(
            bytes = recovery.cut_bytes,
            "the log ended in a torn group, which was cut; if nothing but a crash tore it, it was never acknowledged"
        );
    }
    let name = living.world().world_setting("name").as_str().unwrap_or_default();
    if let Some(source) = source.filter(|source| source.name != name) {
        bail!("`{}` holds the world `{name}`, not `{}`; choose another --data", door.data.display(), source.name);
    }
    if let Some(seed) = seed.filter(|seed| living.world().world_setting("seed").as_int() != Some(*seed as i64)) {
        bail!(
            "`{}` was planted with the seed {}, not {seed}; leave --seed out to go on, or choose another --data",
            door.data.display(),
            living.world().world_setting("seed")
        );
    }
    if let Some(source) = source {
        tell_edits(door, source, living.world());
    }
    Ok(living)
}

/// Says what a source asks for that its world has not, since nothing of it is stamped by running it.
fn tell_edits(door: &Door, source: &Source, world: &World) {
    const SHOWN: usize = 4;
    let edits = edits(source, world);
    if edits.is_empty() {
        return;
    }
    let shown = edits.iter().take(SHOWN).map(|edit| edit.chars().take(80).collect::<String>()).collect::<Vec<_>>().join(", ");
    let more = if edits.len() > SHOWN { format!(" and {} more", edits.len() - SHOWN) } else { String::new() };
    let dir = source.dir.display();
    door.warn(&format!(
        "the world is not as `{dir}` says, and goes on as it is; `reelm apply {dir}` would stamp {} acts: {shown}{more}",
        edits.len()
    ));
}
