//! Archive: a tar of an extension's directory, read with bounds: nothing of it is unpacked, and nothing in it leads anywhere else.

use std::collections::BTreeMap;
use std::io::{Cursor, Error, ErrorKind, Read};
use std::path::{Component, Path};

use flate2::read::MultiGzDecoder;
use tar::{Archive, EntryType};

use super::files::{FILE_MAX, MANIFEST, belongs};

/// The largest archive, unpacked.
const WHOLE_MAX: u64 = 16 << 20;
/// The most entries of an archive.
pub const ENTRIES_MAX: usize = 2_000;
/// The longest path of an entry, in bytes.
const NAME_MAX: usize = 200;
/// How a gzip begins.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// Why an archive is no extension.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// No archive, or one that is cut off.
    #[error("expected a directory, or a tar archive as `tar cf` or `tar czf` writes it: {0}")]
    Form(#[from] Error),
    /// More than is read.
    #[error("expected less than {WHOLE_MAX} bytes when unpacked, found more")]
    Large,
    /// More entries than are read.
    #[error("expected at most {ENTRIES_MAX} entries, found more")]
    Many,
    /// A path that no file of an extension has.
    #[error("`{0}`: expected a path of text, of at most {NAME_MAX} bytes, inside the archive")]
    Name(String),
    /// A link, a device, or something else that is no file.
    #[error("`{0}` is a link, or something else that is neither a file nor a folder; pack what it leads to")]
    Kind(String),
    /// A file that is too large.
    #[error("`{0}`: expected at most {FILE_MAX} bytes, found {1}")]
    FileLarge(String, u64),
    /// A file that stands there twice: which is meant nobody can say.
    #[error("`{0}` stands in it twice")]
    Twice(String),
    /// A file that is no text.
    #[error("`{0}` is not text in UTF-8")]
    NoText(String),
    /// No manifest.
    #[error("expected `{MANIFEST}` in it, or in the one folder that it holds")]
    NoManifest,
    /// Several extensions.
    #[error("expected one extension, found several: {0}; add one after the other")]
    Several(String),
}

/// The files of the extension that an archive holds, by their paths in its folder.
pub fn unpacked(mut packed: impl Read) -> Result<BTreeMap<String, String>, ArchiveError> {
    let mut head = Vec::new();
    packed.by_ref().take(GZIP.len() as u64).read_to_end(&mut head)?;
    let is_gzip = head == GZIP;
    let whole = Cursor::new(head).chain(packed);
    let plain: Box<dyn Read + '_> = if is_gzip { Box::new(MultiGzDecoder::new(whole)) } else { Box::new(whole) };
    let mut archive = Archive::new(plain.take(WHOLE_MAX));
    let found = files(&mut archive);
    if archive.into_inner().limit() == 0 {
        return Err(ArchiveError::Large);
    }
    rooted(found?)
}

fn files<R: Read>(archive: &mut Archive<R>) -> Result<BTreeMap<String, Vec<u8>>, ArchiveError> {
    let mut found = BTreeMap::new();
    for (at, entry) in archive.entries()?.enumerate() {
        if at >= ENTRIES_MAX {
            return Err(ArchiveError::Many);
        }
        let entry = entry?;
        let kind = entry.header().entry_type();
        // Git writes the commit that it packs into this header.
        if kind.is_pax_global_extensions() {
            continue;
        }
        let written = entry.path_bytes().into_owned();
        let name = plain(&written)?;
        match kind {
            EntryType::Directory => {}
            EntryType::Regular | EntryType::Continuous if written.ends_with(b"/") => {}
            EntryType::Regular | EntryType::Continuous => {
                let size = entry.size();
                if size > FILE_MAX {
                    return Err(ArchiveError::FileLarge(name, size));
                }
                let mut bytes = Vec::new();
                entry.take(FILE_MAX).read_to_end(&mut bytes)?;
                if bytes.len() as u64 != size {
                    return Err(Error::from(ErrorKind::UnexpectedEof).into());
                }
                if name.is_empty() {
                    return Err(ArchiveError::Name(".".to_owned()));
                }
                if found.insert(name.clone(), bytes).is_some() {
                    return Err(ArchiveError::Twice(name));
                }
            }
            _ => return Err(ArchiveError::Kind(name)),
        }
    }
    Ok(found)
}

/// A path as it stands in the archive, if it leads nowhere else.
fn plain(written: &[u8]) -> Result<String, ArchiveError> {
    let shown = || ArchiveError::Name(crate::fact::plain(&String::from_utf8_lossy(written)).take(80).collect());
    let text = std::str::from_utf8(written).map_err(|_| shown())?;
    if text.len() > NAME_MAX || text.chars().any(|c| c.is_control() || c == '\\') {
        return Err(shown());
    }
    let mut parts = Vec::new();
    for part in Path::new(text).components() {
        match part {
            Component::Normal(part) => parts.push(part.to_str().ok_or_else(shown)?),
            Component::CurDir => {}
            Component::Prefix(_) | Component::RootDir | Component::ParentDir => return Err(shown()),
        }
    }
    Ok(parts.join("/"))
}

/// The files of the extension from its folder on: the archive itself is that folder, or holds it.
fn rooted(found: BTreeMap<String, Vec<u8>>) -> Result<BTreeMap<String, String>, ArchiveError> {
    let root = if found.contains_key(MANIFEST) {
        String::new()
    } else {
        let above = |name: &String| name.strip_suffix(MANIFEST).filter(|above| above.matches('/').count() == 1).map(str::to_owned);
        let roots: Vec<String> = found.keys().filter_map(above).collect();
        match roots.as_slice() {
            [] => return Err(ArchiveError::NoManifest),
            [root] => root.clone(),
            several => return Err(ArchiveError::Several(several.join(" "))),
        }
    };
    let mut files = BTreeMap::new();
    for (name, bytes) in found {
        if let Some(own) = name.strip_prefix(&root).filter(|own| belongs(own)) {
            let text = String::from_utf8(bytes).map_err(|_| ArchiveError::NoText(name.clone()))?;
            files.insert(own.to_owned(), text);
        }
    }
    Ok(files)
}
