//! Extension: a directory that brings roles, operations, see-resolvers, types, signals and scripts (floor 7).
//!
//! [`manifest`] is what its author writes, [`package`] the whole of it, read and checked; [`files`] says which files are its own and what their hash is,
//! [`archive`] reads them from a tar, [`bundle`] is all of them, and [`load`] is the only file that touches the disk. What a world enables becomes facts; the fold never runs any of it.

#[doc(hidden)]
pub mod archive;
#[doc(hidden)]
pub mod bundle;
#[doc(hidden)]
pub mod files;
#[doc(hidden)]
pub mod load;
mod manifest;
#[doc(hidden)]
pub mod package;

pub use archive::ArchiveError;
pub use bundle::{Bundle, is_removed, pinned, removed};
pub use manifest::{DeclaredSignal, Manifest, OperationItem, ResolverItem, RuleItem, TargetKind, TypeItem};
pub use package::{ExtensionError, Package, RoleFile, ScriptFile, order};
