//! Tests of `src/portal/act.rs`.

use reelm::fact::Made;
use reelm::fact::{Rank, WakeId, WakeKind};
use reelm::portal::act::*;

#[test]
fn a_wake_comes_back_from_its_word_and_nonsense_does_not() {
    let wake = WakeId { rank: Rank::Urgent, due: -5, cause: Made { seq: 9, index: 2 }, kind: WakeKind::SelfContinue };
    assert_eq!(read_wake(&wake_word(&wake)), Some(wake));
    for word in ["", "~~~", "urgent~x~9.2~summons", "urgent~5~9~summons", "urgent~5~9.2~summons~more"] {
        assert_eq!(read_wake(word), None, "{word}");
    }
}
