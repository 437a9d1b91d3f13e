//! The few things that a store asks of a disk, so that tests may bring one that fails or loses power.
//!
//! [`PlainDisk`] is the operating system's. The index and the lock do not come through here: neither holds truth.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::Path;
use std::sync::Arc;

/// One open file; all offsets are absolute.
pub trait DiskFile: Send + Sync {
    /// Reads up to a buffer full; 0 at the end.
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize>;
    /// Writes all of it.
    fn write_at(&self, offset: u64, bytes: &[u8]) -> io::Result<()>;
    /// Returns when everything written before is durable, with the file's length.
    fn sync(&self) -> io::Result<()>;
    /// The length in bytes.
    fn len(&self) -> io::Result<u64>;
    /// Cuts the file, or lengthens it with zeroes.
    fn set_len(&self, len: u64) -> io::Result<()>;
    /// Whether it holds nothing.
    fn is_empty(&self) -> io::Result<bool> {
        Ok(self.len()? == 0)
    }
}

/// A place for files.
pub trait Disk: Send + Sync {
    /// Opens a file that is there.
    fn open(&self, path: &Path, write: bool) -> io::Result<Arc<dyn DiskFile>>;
    /// Makes a file that is not there; an old one of that name is emptied.
    fn create(&self, path: &Path) -> io::Result<Arc<dyn DiskFile>>;
    /// Makes a file anew that only its owner may ever read; an old one of that name is removed first, for it may be another's to read.
    fn create_secret(&self, path: &Path) -> io::Result<Arc<dyn DiskFile>> {
        self.create(path)
    }
    /// The names in a directory, sorted.
    fn names(&self, dir: &Path) -> io::Result<Vec<String>>;
    /// Makes a directory and those above it.
    fn create_dir(&self, dir: &Path) -> io::Result<()>;
    /// Removes a file.
    fn remove(&self, path: &Path) -> io::Result<()>;
    /// Puts a file in the place of another, at once.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Returns when the names in a directory are durable.
    fn sync_dir(&self, dir: &Path) -> io::Result<()>;
    /// The directory itself, if it is one.
    fn is_dir(&self, dir: &Path) -> bool;
    /// Whether it is the operating system's, where a lock and an index can be.
    fn is_plain(&self) -> bool {
        false
    }
}

/// The operating system's disk.
#[derive(Clone, Copy, Debug, Default)]
pub struct PlainDisk;

struct PlainFile(File);

impl DiskFile for PlainFile {
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read_at(buffer, offset)
    }

    fn write_at(&self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        self.0.write_all_at(bytes, offset)
    }

    fn sync(&self) -> io::Result<()> {
        self.0.sync_data()
    }

    fn len(&self) -> io::Result<u64> {
        Ok(self.0.metadata()?.len())
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        self.0.set_len(len)
    }
}

impl Disk for PlainDisk {
    fn open(&self, path: &Path, write: bool) -> io::Result<Arc<dyn DiskFile>> {
        Ok(Arc::new(PlainFile(OpenOptions::new().read(true).write(write).open(path)?)))
    }

    fn create(&self, path: &Path) -> io::Result<Arc<dyn DiskFile>> {
        Ok(Arc::new(PlainFile(OpenOptions::new().read(true).write(true).create(true).truncate(true).open(path)?)))
    }

    fn create_secret(&self, path: &Path) -> io::Result<Arc<dyn DiskFile>> {
        match fs::remove_file(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let file = OpenOptions::new().read(true).write(true).create_new(true).mode(0o600).open(path)?;
        Ok(Arc::new(PlainFile(file)))
    }

    fn names(&self, dir: &Path) -> io::Result<Vec<String>> {
        let mut names = fs::read_dir(dir)?
            .map(|entry| entry.map(|entry| entry.file_name().to_string_lossy().into_owned()))
            .collect::<io::Result<Vec<_>>>()?;
        names.sort();
        Ok(names)
    }

    fn create_dir(&self, dir: &Path) -> io::Result<()> {
        fs::create_dir_all(dir)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn sync_dir(&self, dir: &Path) -> io::Result<()> {
        File::open(dir)?.sync_all()
    }

    fn is_dir(&self, dir: &Path) -> bool {
        dir.is_dir()
    }

    fn is_plain(&self) -> bool {
        true
    }
}

/// All of a file, as far as it goes.
pub fn read_all(disk: &dyn Disk, path: &Path) -> io::Result<Vec<u8>> {
    let file = disk.open(path, false)?;
    let mut bytes = vec![0; usize::try_from(file.len()?).map_err(io::Error::other)?];
    let filled = read_full(&*file, 0, &mut bytes)?;
    bytes.truncate(filled);
    Ok(bytes)
}

/// Reads until the buffer is full or the file ends.
pub(super) fn read_full(file: &dyn DiskFile, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while let Some(rest) = buffer.get_mut(filled..).filter(|rest| !rest.is_empty()) {
        match file.read_at(offset + filled as u64, rest) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}
