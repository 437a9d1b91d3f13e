//! Bundled: the world on which the frames of a bundle go on: what the checkpoint in it says, or nothing at the beginning of a world.

use std::sync::Arc;

use crate::fact::{Peaks, Seq};
use crate::reel::FrameBundle;

use super::ladder::standing_on;
use super::loaded::Loaded;
use super::rung::{Footing, PageList, Rung};

/// Why a bundle cannot be replayed; its frames hold all the same.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BundledError {
    /// It has none.
    #[error(
        "no checkpoint before its frames is in the bundle, so nothing can be computed again; `reelm export FILE … --replayable` takes it along"
    )]
    None,
    /// Another version.
    #[error(
        "the checkpoint of frame {seq} in the bundle was written by another version of this program: its frames are proved all the same (`reelm verify`), to replay them use the program that wrote it"
    )]
    Version {
        /// Of which seq it is.
        seq: Seq,
    },
    /// A moment opened before the checkpoint.
    #[error(
        "frame {seq} opened on the world below frame {opened}, and the bundle begins behind that; `reelm export FILE --moment {seq} --replayable` takes it along"
    )]
    Opened {
        /// The frame.
        seq: Seq,
        /// Where it opened.
        opened: Seq,
    },
    /// The being of a moment was not there yet.
    #[error("the being of frame {seq} did not live in the world on which it opened")]
    Unborn {
        /// The frame.
        seq: Seq,
    },
    /// It is not whole, or not of this history.
    #[error("the checkpoint in the bundle is not the one of frame {since} that its world signed: it was damaged, or is another's")]
    Other {
        /// Of which seq it should be.
        since: Seq,
    },
}

/// The world before the first frame of a bundle that was checked.
///
/// In order: it has a checkpoint if it needs one; the rungs are of a known version, signed by the world, each stands on the one before it;
/// the last is of the seq at which the frames begin, and of the history under whose head they stand; its pages are whole.
pub fn begun_in(bundle: &FrameBundle) -> Result<Loaded, BundledError> {
    let since = bundle.since.ok_or(BundledError::None)?;
    let lineage = Arc::new(bundle.lineage.clone());
    if since == 0 {
        return Ok(Loaded::nothing(lineage));
    }
    let other = || BundledError::Other { since };
    let mut stack: Vec<Rung> = Vec::new();
    for bytes in &bundle.rungs {
        let (format, name) = PageList::claimed(&bytes.0).ok_or_else(other)?;
        if !PageList::reads(format) {
            return Err(BundledError::Version { seq: name.seq });
        }
        let rung = Rung::read(bytes.0.to_vec(), name, &lineage.signers(name.seq)).ok_or_else(other)?;
        let below = stack.last().map(|below| Footing { seq: below.manifest.seq, hash: below.manifest.hash() });
        if rung.manifest.base != below {
            return Err(other());
        }
        stack.push(rung);
    }
    let left = bundle.asides.get(..since.count_ones() as usize).map(<[_]>::to_vec);
    let peaks = left.and_then(|left| Peaks::going_on(since, left));
    let top = stack.last().filter(|top| top.manifest.seq == since && peaks.is_some() && top.manifest.peaks() == peaks);
    top.and_then(|_| standing_on(&lineage, &stack)).ok_or_else(other)
}
