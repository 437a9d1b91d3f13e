//! Tests of `src/extension/load.rs`.

use reelm::extension::Package;
use std::path::Path;

#[test]
fn what_lies_in_the_folder_is_read_and_a_link_out_of_it_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let failed = Package::load(dir.path()).unwrap_err();
    assert!(failed.to_string().contains("expected a `manifest.toml`"));

    std::fs::write(dir.path().join("manifest.toml"), "name = \"x\"\nversion = \"1.0.0\"\n").unwrap();
    std::fs::create_dir(dir.path().join("scripts")).unwrap();
    std::fs::write(dir.path().join("scripts/idle.rhai"), "fn think(face) { }").unwrap();
    assert_eq!(Package::load(dir.path()).unwrap().scripts[0].name, "x/idle");

    let outside = tempfile::NamedTempFile::new().unwrap();
    std::os::unix::fs::symlink(outside.path(), dir.path().join("scripts/out.rhai")).unwrap();
    assert!(Package::load(dir.path()).unwrap_err().to_string().contains("found a link"));
}

#[test]
fn the_extensions_that_ship_are_whole_and_in_the_order_of_their_needs() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("extensions");
    let mut dirs: Vec<_> = std::fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir()).collect();
    dirs.sort();
    let packages = dirs.iter().map(|dir| Package::load(dir).unwrap_or_else(|error| panic!("{error}"))).collect();
    let sorted = reelm::extension::package::order(packages).unwrap();
    assert_eq!(sorted.len(), dirs.len());
}
