//! Extension: a directory that brings roles, operations, see-resolvers, types, signals and scripts (floor 7).
//!
//! [`manifest`] is the file that its author writes; [`package`] is the whole extension, read and checked.
//! [`toml_fault`](mod@toml_fault) words the faults of its TOML. [`files`] lists its own files and hashes them, [`archive`] reads them
//! from a tar, and [`bundle`] holds all extensions of a world. [`load`] alone touches the disk. An enabled extension becomes facts;
//! the fold never runs any of it.

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
mod toml_fault;

pub use archive::ArchiveError;
pub use bundle::{Bundle, is_removed, pinned, removed};
pub use manifest::{DeclaredSignal, Manifest, OperationItem, ResolverItem, RuleItem, TargetKind, TypeItem};
pub use package::{ExtensionError, Package, RoleFile, ScriptFile, order};
pub use toml_fault::toml_fault;
