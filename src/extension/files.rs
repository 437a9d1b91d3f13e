//! Files: the files that belong to an extension, the part of them that comes into worlds, and its hash.

use crate::fact::Hash;

/// The largest file of an extension.
pub const FILE_MAX: u64 = 1 << 20;
/// The file that every extension has.
pub(super) const MANIFEST: &str = "manifest.toml";
/// The folders of an extension whose files come into worlds.
pub(super) const FOLDERS: &[&str] = &["roles", "scripts", "ops", "resolvers", "rules", "schemas"];
/// The folder of its scenes, and what is written about it: these come along with its files and into no world.
pub(super) const SCENES: &str = "tests";
pub(super) const README: &str = "README.md";

/// Whether a file comes into worlds.
pub(super) fn is_told(name: &str) -> bool {
    name == MANIFEST || name.split_once('/').is_some_and(|(folder, _)| FOLDERS.contains(&folder))
}

/// Whether a file is one of an extension.
pub(super) fn belongs(name: &str) -> bool {
    match name.split_once('/') {
        None => name == MANIFEST || name == README,
        Some((folder, file)) => (folder == SCENES || FOLDERS.contains(&folder)) && !file.contains('/') && !file.starts_with('.'),
    }
}

/// The hash of files in the order of their paths: each as the length of its path, its path, its length and what it says.
pub(super) fn hash_of<'f>(files: impl Iterator<Item = (&'f String, &'f String)>) -> Hash {
    let mut bytes = b"reelm extension\n".to_vec();
    for part in files.flat_map(|(name, text)| [name, text]) {
        bytes.extend((part.len() as u64).to_le_bytes());
        bytes.extend(part.as_bytes());
    }
    Hash::of(&bytes)
}
