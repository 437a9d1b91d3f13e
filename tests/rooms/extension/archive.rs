//! Tests of `src/extension/archive.rs`.

use reelm::extension::archive::*;
use reelm::extension::files::FILE_MAX;
use tar::EntryType;

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
    // The archive only claims to be large, and is cut off.
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
