//! Tests of `src/store/checkpoints.rs`.

use reelm::store::checkpoints::*;

#[test]
fn rungs_are_named_by_what_they_are_of_and_what_they_stand_on() {
    let dir = tempfile::tempdir().unwrap();
    let checkpoints = Checkpoints::of(dir.path());
    assert_eq!(checkpoints.rungs(), []);
    let (one, two) = (RungName { seq: 7, base: None }, RungName { seq: 12, base: Some(7) });
    checkpoints.keep(two, b"two").unwrap();
    checkpoints.keep(one, b"one").unwrap();
    assert_eq!(checkpoints.rungs(), [two, one]);
    assert_eq!(checkpoints.rung(two).as_deref(), Some(b"two".as_slice()));
    assert_eq!((checkpoints.beginning(two, 2), checkpoints.beginning(two, 9)), (Some(b"tw".to_vec()), Some(b"two".to_vec())));
    checkpoints.remove(two);
    assert_eq!((checkpoints.rungs(), checkpoints.rung(two)), (vec![one], None));
}

#[test]
fn what_is_no_rung_is_not_read_and_goes() {
    let dir = tempfile::tempdir().unwrap();
    let checkpoints = Checkpoints::of(dir.path());
    let rung = RungName { seq: 7, base: None };
    checkpoints.keep(rung, b"one").unwrap();
    for name in ["7.rung", "00000000000000000007.manifest", "00000000000000000009.rung.new", "x-00000000000000000007.rung"] {
        std::fs::write(dir.path().join("checkpoints").join(name), b"left").unwrap();
    }
    assert_eq!(checkpoints.rungs(), [rung]);
    checkpoints.tidy();
    assert_eq!(std::fs::read_dir(dir.path().join("checkpoints")).unwrap().count(), 1);
    assert_eq!(checkpoints.rungs(), [rung]);
}
