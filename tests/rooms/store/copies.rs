//! Tests of `src/store/copies.rs`.

use reelm::store::copies::*;
use std::path::Path;

#[test]
fn a_line_that_was_cut_off_costs_no_other() {
    let dir = tempfile::tempdir().unwrap();
    let note = |what| CopyNote::now(what, 0, 7).to_path(Path::new("/home/ada/secret/town.reelm"));
    assert_eq!(CopyList::of(dir.path()).unwrap(), CopyList::default());
    CopyList::note(dir.path(), &note(CopyKind::Export)).unwrap();
    let path = CopyList::path(dir.path());
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.contains("\"town.reelm\"") && !text.contains("secret"), "{text}");
    std::fs::write(&path, text.clone() + &text[..20]).unwrap();
    CopyList::note(dir.path(), &note(CopyKind::Fork)).unwrap();
    let list = CopyList::of(dir.path()).unwrap();
    assert_eq!((list.notes.iter().map(|note| note.what).collect::<Vec<_>>(), list.unreadable), (vec![CopyKind::Export, CopyKind::Fork], 1));
}
