//! Mode: what a log is opened for, and how it is kept.

use std::sync::Arc;
use std::time::Duration;

use super::disk::{Disk, PlainDisk};
use super::interest::Interest;
use super::record::Ending;
use super::segment::SEGMENT_BYTES;

/// The purpose for which a world is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// To append; one process at a time.
    Write,
    /// To read what was durable at the opening, also while another process writes; repairs nothing.
    Read,
    /// To read past damage; repairs nothing.
    Inspect,
}

/// How a log is kept.
#[derive(Clone)]
pub struct Options {
    /// Whether to keep an index; without one, look-ups read the log.
    pub index: bool,
    /// A new segment begins when a group would not fit in this many bytes.
    pub segment_bytes: u64,
    /// Zeroes are written ahead in steps of this size, since a sync of a growing file costs half as much again; none where much is written
    /// between two syncs.
    pub ahead_bytes: u64,
    /// How long a closed segment is left alone before it is compressed beside whatever goes on; with none, no segment is.
    pub compress_after: Option<Duration>,
    /// Where the files are; the lock and the index are only on the plain disk.
    pub disk: Arc<dyn Disk>,
    /// A border between two groups of this history that was seen before: opening looks at what stands behind it, and at the commit right
    /// before it. Older groups are checked when they are read.
    pub seen: Option<Ending>,
    /// Whether somebody waits for it to be read.
    pub interest: Interest,
    /// Whether to go on for writing where history is gone that was acknowledged.
    pub accept_loss: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            index: true,
            segment_bytes: SEGMENT_BYTES,
            ahead_bytes: 4 << 20,
            // Longer than a lone act takes: it pays nothing for what it did not close.
            compress_after: Some(Duration::from_millis(250)),
            disk: Arc::new(PlainDisk),
            seen: None,
            interest: Interest::default(),
            accept_loss: false,
        }
    }
}
