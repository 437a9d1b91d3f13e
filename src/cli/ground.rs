//! Ground: the world of `--data`, opened to go on with, or planted where there is none yet.

use anyhow::{Result, bail};

use crate::run::Living;
use crate::source::{Source, edits};
use crate::store::Lost;
use crate::world::World;

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
    let (living, recovery) = Living::open_with(&door.data, threads, accept_loss)?;
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
