//! A world's directory made of an export.

use std::path::Path;

use super::contract::Store;
use super::copied_groups::for_each_group;
use super::error::StoreError;
use super::export::StreamStore;
use super::log::LogStore;
use super::mode::Options;
use super::pending::PendingWorld;
use super::record::Ending;

/// How many bytes an import gathers before it makes them durable.
const BATCH_BYTES: usize = 8 << 20;
/// Writes an export's groups, each checked, beside a directory that is absent or empty. Signatures are the caller's to check before.
pub fn import(export: &StreamStore, dir: &Path) -> Result<PendingWorld, StoreError> {
    // Much is written between two syncs; what is closed on the way is compressed once the world is opened.
    import_with(export, dir, Options { index: false, ahead_bytes: 0, compress_after: None, ..Options::default() })
}

/// The same, into a log that is kept in some other way.
pub fn import_with(export: &StreamStore, dir: &Path, options: Options) -> Result<PendingWorld, StoreError> {
    let mut made = PendingWorld::begin(dir)?;
    made.ending = fill(export, made.beside(), options)?;
    Ok(made)
}

fn fill(export: &StreamStore, dir: &Path, options: Options) -> Result<Ending, StoreError> {
    let mut store = LogStore::begin(dir, export.world_file(), options)?;
    let (mut batch, mut size) = (Vec::new(), 0);
    for_each_group(export.read(0)?, |group, bytes| {
        batch.push(group);
        size += bytes;
        if size < BATCH_BYTES {
            return Ok(());
        }
        size = 0;
        store.append(store.ending().seq, &std::mem::take(&mut batch))
    })?;
    store.append(store.ending().seq, &batch)?;
    let ending = *store.ending();
    if let Some(clock) = export.clock() {
        clock.save(dir)?;
    }
    store.finish()?;
    Ok(ending)
}
