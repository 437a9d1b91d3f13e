//! Tests of `src/store/block.rs`.

use reelm::store::block::*;

#[test]
fn a_block_is_one_frame_and_nothing_is_skipped_before_or_behind_it() {
    let frame = zstd::bulk::compress(b"what was said", LEVEL).unwrap();
    let skipped = [&0x184d_2a50_u32.to_le_bytes()[..], &3_u32.to_le_bytes(), b"hid"].concat();
    assert!(is_one_frame(&frame));
    let empty = zstd::bulk::compress(b"", LEVEL).unwrap();
    for wrong in [[&skipped[..], &frame].concat(), [&frame[..], &skipped].concat(), [&frame[..], &empty].concat(), skipped, Vec::new()] {
        assert!(!is_one_frame(&wrong));
        assert!(!is_one_frame(wrong.get(..wrong.len().saturating_sub(1)).unwrap()));
    }
    assert!(!is_one_frame(&frame[..frame.len() - 1]));
    assert!(!is_one_frame(&[&frame[..], b"x"].concat()));
}
