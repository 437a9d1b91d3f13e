//! Damage: which errors say that history itself is not as it was written, rather than that something cannot be done for now.

use std::path::Path;

use crate::fact::FrameError;
use crate::past::{
    ArchivingError, BundledError, BundledMomentError, BundledPointError, BundlingError, ExplainError, LoadError, PointError, ProveError,
};
use crate::reel::{BundleError, ProofError};
use crate::replay::ReplayError;
use crate::run::RunError;
use crate::store::StoreError;

/// Whether an error, from whatever command, is damage to a history.
pub fn is_damage(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause.downcast_ref().is_some_and(in_store)
            || cause.downcast_ref().is_some_and(in_load)
            || cause.downcast_ref().is_some_and(in_replay)
            || cause.downcast_ref().is_some_and(in_run)
            || cause.downcast_ref().is_some_and(in_explain)
            || cause.downcast_ref().is_some_and(in_point)
            || cause.downcast_ref().is_some_and(in_prove)
            || cause.downcast_ref().is_some_and(in_proof)
            || cause.downcast_ref().is_some_and(in_bundling)
            || cause.downcast_ref().is_some_and(in_bundle)
            || cause.downcast_ref().is_some_and(in_bundled)
            || cause.downcast_ref().is_some_and(in_bundled_moment)
            || cause.downcast_ref().is_some_and(in_bundled_point)
            || cause.downcast_ref().is_some_and(in_archiving)
    })
}

fn in_store(error: &StoreError) -> bool {
    match error {
        StoreError::Damaged(_) | StoreError::Lost { .. } => true,
        // The keystore is no history: the world can be read and replayed without it.
        StoreError::BadFile { file, .. } => file.file_name() != Path::new("keystore").file_name(),
        _ => false,
    }
}

fn in_load(error: &LoadError) -> bool {
    match error {
        LoadError::Store(error) => in_store(error),
        LoadError::Refused { .. } | LoadError::Fold(_) => true,
        LoadError::Version { .. } => false,
    }
}

fn in_replay(error: &ReplayError) -> bool {
    match error {
        ReplayError::Load(error) => in_load(error),
        ReplayError::Bundled(error) => in_bundled(error),
        ReplayError::Semantics { .. } => false,
    }
}

fn in_run(error: &RunError) -> bool {
    match error {
        RunError::Load(error) => in_load(error),
        RunError::Store(error) => in_store(error),
        _ => false,
    }
}

fn in_explain(error: &ExplainError) -> bool {
    match error {
        ExplainError::Load(error) => in_load(error),
        ExplainError::Store(error) => in_store(error),
        ExplainError::Blob(_) => true,
        ExplainError::NoFrame(_) => false,
    }
}

fn in_point(error: &PointError) -> bool {
    match error {
        PointError::Load(error) => in_load(error),
        PointError::NoFrame(_)
        | PointError::Beyond { .. }
        | PointError::Later { .. }
        | PointError::Backward { .. }
        | PointError::Nothing { .. }
        | PointError::NoBeing { .. }
        | PointError::ShortReel { .. } => false,
    }
}

fn in_prove(error: &ProveError) -> bool {
    match error {
        ProveError::Load(error) => in_load(error),
        ProveError::Store(error) => in_store(error),
        ProveError::Proof(_) => true,
        ProveError::NoFrame(_) => false,
    }
}

/// A newer format is no damage.
fn in_proof(error: &ProofError) -> bool {
    !matches!(error, ProofError::Format { .. } | ProofError::Frame(FrameError::Format { .. }))
}

fn in_bundling(error: &BundlingError) -> bool {
    match error {
        BundlingError::Load(error) => in_load(error),
        BundlingError::Store(error) => in_store(error),
        BundlingError::Bundle(error) => in_bundle(error),
        BundlingError::Nothing { .. } => false,
    }
}

fn in_bundled(error: &BundledError) -> bool {
    matches!(error, BundledError::Other { .. })
}

fn in_bundled_moment(error: &BundledMomentError) -> bool {
    match error {
        BundledMomentError::Bundled(error) => in_bundled(error),
        BundledMomentError::Load(error) => in_load(error),
        BundledMomentError::Explain(error) => in_explain(error),
        BundledMomentError::Outside { .. } => false,
    }
}

fn in_bundled_point(error: &BundledPointError) -> bool {
    match error {
        BundledPointError::Moment(error) => in_bundled_moment(error),
        BundledPointError::Point(error) => in_point(error),
        BundledPointError::Outside { .. } => false,
    }
}

/// Neither a newer format nor another kind of file is damage.
fn in_bundle(error: &BundleError) -> bool {
    !matches!(error, BundleError::NotOne | BundleError::Format { .. } | BundleError::Frame { source: FrameError::Format { .. }, .. })
}

fn in_archiving(error: &ArchivingError) -> bool {
    matches!(error, ArchivingError::Load(error) if in_load(error))
}
