//! A segment opened as a volume, plain or compressed: the one way in for whoever reads one.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::fact::WorldId;

use super::compressed::CompressedSource;
use super::disk::{Disk, DiskFile};
use super::error::StoreError;
use super::groups::{ByteSource, Volume};
use super::segment::{self, HEADER_LEN, SegmentForm};

/// All groups of the segment that begins with a seq; nothing is said of the chain before them.
pub(super) fn open(disk: &dyn Disk, log: &Path, first: u64, world: WorldId) -> Result<Volume<'static>, StoreError> {
    let (segment, file) = segment::open(disk, log, first)?;
    of(segment.path, segment.form, file, world)
}

/// The same of a file in a form.
pub(super) fn of(path: PathBuf, form: SegmentForm, file: Arc<dyn DiskFile>, world: WorldId) -> Result<Volume<'static>, StoreError> {
    let start = HEADER_LEN as u64;
    let wrong = |error| StoreError::io("read", &path, error);
    let (source, limit): (Box<dyn ByteSource>, u64) = match form {
        SegmentForm::Plain => {
            let len = file.len().map_err(wrong)?;
            (Box::new(file), len)
        }
        SegmentForm::Compressed => {
            let source = CompressedSource::open(file, world).map_err(wrong)?;
            let source = source.map_err(|what| StoreError::damaged(&path, start, what))?;
            let len = source.len();
            (Box::new(source), len)
        }
    };
    Ok(Volume { path, world, source, start, limit, chain: None, is_export: false })
}
