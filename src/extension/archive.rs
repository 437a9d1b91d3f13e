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
const ENTRIES_MAX: usize = 2_000;
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
pub(super) fn unpacked(mut packed: impl Read) -> Result<BTreeMap<String, String>, ArchiveError> {
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
        // What git says of the commit that it packs.
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

#[cfg(test)]
mod tests {
    use super::*;

    use std::io::Write;

    use tar::{Builder, Header};

    const OWN: (&str, &str) = ("x/manifest.toml", "name = \"x\"\nversion = \"1.0.0\"\n");

    /// A header that says what is wanted, also what no builder would write.
    fn header(name: &str, kind: EntryType, size: u64) -> Header {
        let mut header = Header::new_ustar();
        if let Some(field) = header.as_old_mut().name.get_mut(..name.len()) {
            field.copy_from_slice(name.as_bytes());
        }
        header.set_entry_type(kind);
        header.set_size(size);
        header.set_mode(0o644);
        header.set_cksum();
        header
    }

    fn packed(entries: &[(&str, &str)]) -> Vec<u8> {
        let mut builder = Builder::new(Vec::new());
        for (name, text) in entries {
            builder.append(&header(name, EntryType::Regular, text.len() as u64), text.as_bytes()).unwrap();
        }
        builder.into_inner().unwrap()
    }

    fn fault(bytes: &[u8]) -> String {
        unpacked(bytes).unwrap_err().to_string()
    }

    #[test]
    fn an_archive_holds_an_extension_itself_or_in_one_folder_and_what_is_not_of_it_is_left() {
        for root in ["", "x/", "./x/", "./"] {
            let names = ["manifest.toml", "roles/calm.md", "assets/face.txt", "roles/old/calm.md", "tests/calm.toml", ".git"];
            let names: Vec<String> = names.iter().map(|name| format!("{root}{name}")).collect();
            let bytes = packed(&names.iter().map(|name| (name.as_str(), "text")).collect::<Vec<_>>());
            let found: Vec<String> = unpacked(bytes.as_slice()).unwrap().into_keys().collect();
            assert_eq!(found, ["manifest.toml", "roles/calm.md", "tests/calm.toml"], "{root}");
            let mut zipped = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
            zipped.write_all(&bytes).unwrap();
            assert_eq!(unpacked(zipped.finish().unwrap().as_slice()).unwrap().len(), 3, "{root}");
        }
    }

    #[test]
    fn what_leads_out_of_an_archive_or_is_no_file_is_refused_by_its_name() {
        for name in ["../out", "x/../../out", "/etc/passwd", "x/a\\b", "x/a\nb"] {
            assert!(fault(&packed(&[OWN, (name, "text")])).contains("expected a path of text"), "{name}");
        }
        for kind in [EntryType::Symlink, EntryType::Link, EntryType::Char, EntryType::Block, EntryType::Fifo, EntryType::GNUSparse] {
            let mut builder = Builder::new(packed(&[OWN]).drain(..1024).collect::<Vec<u8>>());
            let mut link = header("x/roles/a.md", kind, 0);
            link.as_old_mut().linkname[..4].copy_from_slice(b"/etc");
            link.set_cksum();
            builder.append(&link, std::io::empty()).unwrap();
            let said = fault(&builder.into_inner().unwrap());
            assert!(said.contains("`x/roles/a.md`") || kind == EntryType::GNUSparse, "{kind:?}: {said}");
        }
    }

    #[test]
    fn an_archive_is_bounded_in_all_that_it_may_be() {
        let large = "x".repeat(FILE_MAX as usize + 1);
        assert!(fault(&packed(&[OWN, ("x/roles/a.md", &large)])).contains("expected at most 1048576 bytes, found 1048577"));
        let names: Vec<String> = (0..ENTRIES_MAX).map(|at| format!("x/roles/{at}.md")).collect();
        let many: Vec<(&str, &str)> = std::iter::once(OWN).chain(names.iter().map(|name| (name.as_str(), ""))).collect();
        assert!(fault(&packed(&many)).contains("entries, found more"));
        let file = "x".repeat(FILE_MAX as usize);
        let much: Vec<(&str, &str)> = names.iter().take(16).map(|name| (name.as_str(), file.as_str())).collect();
        assert!(fault(&packed(&much)).contains("when unpacked, found more"));
        // A gzip that unpacks to far more than it is.
        let mut bomb = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        bomb.write_all(&packed(&much)).unwrap();
        let bomb = bomb.finish().unwrap();
        assert!(bomb.len() < 1 << 20 && fault(&bomb).contains("when unpacked, found more"));
        // What only claims to be large, and is cut off.
        let mut claims = packed(&[OWN]);
        claims.truncate(1024);
        claims.extend(header("x/roles/a.md", EntryType::Regular, 4_000).as_bytes());
        assert!(fault(&claims).contains("tar archive"));
    }

    #[test]
    fn what_is_no_archive_of_one_extension_says_what_was_found() {
        for (bytes, expected) in [
            (b"".to_vec(), "manifest.toml"),
            (b"x".to_vec(), "expected a directory, or a tar archive"),
            (b"nothing that any tar ever wrote".repeat(40), "expected a directory, or a tar archive"),
            (vec![0x1f, 0x8b, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], "expected a directory, or a tar archive"),
            (packed(&[("readme", "nothing")]), "expected `manifest.toml` in it"),
            (packed(&[("a/b/manifest.toml", "")]), "expected `manifest.toml` in it"),
            (packed(&[OWN, ("y/manifest.toml", "")]), "found several: x/ y/"),
            (packed(&[OWN, OWN]), "`x/manifest.toml` stands in it twice"),
            (packed(&[OWN, ("./x/manifest.toml", "")]), "`x/manifest.toml` stands in it twice"),
        ] {
            let said = fault(&bytes);
            assert!(said.contains(expected), "{said}");
        }
        let mut builder = Builder::new(Vec::new());
        builder.append(&header("manifest.toml", EntryType::Regular, 2), [0xff, 0xfe].as_slice()).unwrap();
        assert!(fault(&builder.into_inner().unwrap()).contains("not text"));
    }
}
