//! Checkpoints: a directory of pages named by their hash, and of manifests named by the seq that they are of.
//!
//! It is a cache: all of it can be deleted at any time, nothing in it is synced, and a page that is not what its name says counts
//! as not there. What stands in a manifest is its writer's business.

use std::path::{Path, PathBuf};

use crate::fact::{Hash, Seq};

use super::disk::{Disk, PlainDisk, read_all};
use super::error::StoreError;
use super::replace::{BESIDE, Keep, replace};

const PAGE: &str = "page";
const MANIFEST: &str = "manifest";

/// The checkpoints of the world in a directory.
#[derive(Clone, Debug)]
pub struct Checkpoints {
    dir: PathBuf,
}

impl Checkpoints {
    /// Those of the world in `dir`, whether or not there are any.
    pub fn of(dir: &Path) -> Self {
        Self { dir: dir.join("checkpoints") }
    }

    /// The seqs of which there are manifests, newest first.
    pub fn seqs(&self) -> Vec<Seq> {
        let names = PlainDisk.names(&self.dir).unwrap_or_default();
        let mut seqs: Vec<Seq> = names.iter().filter_map(|name| stem(name, MANIFEST)?.parse().ok()).collect();
        seqs.sort_by(|a, b| b.cmp(a));
        seqs
    }

    /// The manifest of a seq.
    pub fn manifest(&self, seq: Seq) -> Option<Vec<u8>> {
        read_all(&PlainDisk, &self.manifest_path(seq)).ok()
    }

    /// The page with a hash, if it is there and is what its name says.
    pub fn page(&self, hash: &Hash) -> Option<Vec<u8>> {
        read_all(&PlainDisk, &self.page_path(hash)).ok().filter(|bytes| Hash::of(bytes) == *hash)
    }

    /// Keeps a page, and says by what name.
    pub fn keep_page(&self, bytes: &[u8]) -> Result<Hash, StoreError> {
        let hash = Hash::of(bytes);
        if self.page(&hash).is_none() {
            write(&self.page_path(&hash), bytes)?;
        }
        Ok(hash)
    }

    /// Keeps a manifest, once all pages that it names are kept.
    pub fn keep_manifest(&self, seq: Seq, bytes: &[u8]) -> Result<(), StoreError> {
        write(&self.manifest_path(seq), bytes)
    }

    /// Deletes the manifests of all other seqs, and then all pages that are not wanted any more.
    pub fn retain(&self, seqs: &[Seq], is_wanted: &dyn Fn(&Hash) -> bool) {
        for seq in self.seqs().iter().filter(|seq| !seqs.contains(seq)) {
            let _ = PlainDisk.remove(&self.manifest_path(*seq));
        }
        for name in PlainDisk.names(&self.dir).unwrap_or_default() {
            let is_stale = match stem(&name, PAGE).map(str::parse) {
                Some(Ok(hash)) => !is_wanted(&hash),
                Some(Err(_)) => true,
                None => name.ends_with(BESIDE),
            };
            if is_stale {
                let _ = PlainDisk.remove(&self.dir.join(&name));
            }
        }
    }

    fn manifest_path(&self, seq: Seq) -> PathBuf {
        self.dir.join(format!("{seq:020}.{MANIFEST}"))
    }

    fn page_path(&self, hash: &Hash) -> PathBuf {
        self.dir.join(format!("{hash}.{PAGE}"))
    }
}

fn stem<'a>(name: &'a str, kind: &str) -> Option<&'a str> {
    name.strip_suffix(kind)?.strip_suffix('.')
}

/// Puts a file in place, and the directory if it is the first.
fn write(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    let made = PlainDisk.create_dir(path.parent().unwrap_or(path));
    made.and_then(|()| replace(&PlainDisk, path, bytes, Keep::Cache)).map_err(|error| StoreError::io("write", path, error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_what_its_name_says_or_not_there() {
        let dir = tempfile::tempdir().unwrap();
        let checkpoints = Checkpoints::of(dir.path());
        let hash = checkpoints.keep_page(b"one").unwrap();
        assert_eq!(checkpoints.page(&hash).as_deref(), Some(b"one".as_slice()));
        std::fs::write(checkpoints.page_path(&hash), b"two").unwrap();
        assert_eq!(checkpoints.page(&hash), None);
        // Kept again, it is whole again.
        checkpoints.keep_page(b"one").unwrap();
        assert!(checkpoints.page(&hash).is_some());
    }

    #[test]
    fn what_is_not_retained_is_gone() {
        let dir = tempfile::tempdir().unwrap();
        let checkpoints = Checkpoints::of(dir.path());
        let (one, two) = (checkpoints.keep_page(b"one").unwrap(), checkpoints.keep_page(b"two").unwrap());
        checkpoints.keep_manifest(7, b"old").unwrap();
        checkpoints.keep_manifest(12, b"new").unwrap();
        assert_eq!(checkpoints.seqs(), [12, 7]);
        checkpoints.retain(&[12], &|hash| *hash == two);
        assert_eq!((checkpoints.seqs(), checkpoints.page(&one), checkpoints.page(&two).is_some()), (vec![12], None, true));
    }
}
