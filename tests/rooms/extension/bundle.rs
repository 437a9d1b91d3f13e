//! Tests of `src/extension/bundle.rs`.

use reelm::extension::Package;
use reelm::extension::bundle::*;

fn bundle(files: &[(&str, &str)]) -> Bundle {
    let own = [("manifest.toml", "name = \"x\"\nversion = \"1.0.0\"\n")];
    let files = own.iter().chain(files).map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
    Bundle::of("x".to_owned(), files)
}

#[test]
fn a_hash_is_of_all_that_comes_into_a_world_and_of_nothing_else() {
    let role = ("roles/a.md", "---\nname: a\n---\nBe calm.");
    let plain = bundle(&[role]);
    assert_eq!(plain.hash(), plain.package().unwrap().hash);
    for (files, is_same) in [
        (vec![role, ("README.md", "About it")], true),
        (vec![role, ("tests/a.toml", "")], true),
        (vec![("roles/a.md", "---\nname: a\n---\nBe quick.")], false),
        (vec![("roles/b.md", role.1)], false),
        (vec![role, ("scripts/a.rhai", "fn think(face) { }")], false),
        (vec![], false),
    ] {
        assert_eq!(bundle(&files).hash() == plain.hash(), is_same, "{files:?}");
    }
    // Where one file ends and the next begins is part of it.
    assert_ne!(bundle(&[("roles/a", "b")]).hash(), bundle(&[("roles/ab", "")]).hash());
}

#[test]
fn a_record_is_kept_by_the_same_files_alone() {
    let (pinned, other) = (bundle(&[]).package().unwrap(), bundle(&[("scripts/a.rhai", "fn think(face) { }")]).package().unwrap());
    let loose = |package: &Package| Package { is_pinned: false, ..package.clone() };
    let record = pinned.manifest_value();
    assert!(pinned.is_recorded_as(&record) && loose(&pinned).is_recorded_as(&record));
    assert!(!other.is_recorded_as(&record) && !loose(&other).is_recorded_as(&record));
    assert!(!pinned.is_recorded_as(&loose(&pinned).manifest_value()), "the pin is not there yet");
    assert!(!pinned.is_recorded_as(&removed(&record)) && is_removed(&removed(&record)));
    assert!(reelm::extension::bundle::pinned(&removed(&record)).is_none());
}

#[test]
fn another_content_follows_only_an_earlier_version() {
    let package = bundle(&[]).package().unwrap();
    assert!(package.may_follow("0.9.0", None).is_ok());
    assert!(package.may_follow("1.0.0", Some("ab")).unwrap_err().to_string().contains("--replace"));
    assert!(package.may_follow("1.0.1", None).unwrap_err().to_string().contains("1.0.1"));
    assert!(package.may_follow("?", None).is_err());
}
