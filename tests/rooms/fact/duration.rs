//! Tests of `src/fact/duration.rs`.

use reelm::fact::duration::*;

#[test]
fn durations_read_and_write_back() {
    for (text, ms) in [("500ms", 500), ("30s", 30_000), ("1h30m", 5_400_000), ("2d", 172_800_000)] {
        assert_eq!((parse_duration(text), write_duration(ms).as_str()), (Some(ms), text));
    }
    for text in ["", "5", "m", "5x", "-5s", "99999999999999999999s", "1 h"] {
        assert_eq!(parse_duration(text), None, "{text:?}");
    }
}

#[test]
fn a_plain_duration_is_one_number_and_one_unit() {
    for (text, ms) in [("500ms", 500), ("90s", 90_000), ("90m", 5_400_000), ("48h", 172_800_000), ("0ms", 0)] {
        assert_eq!((parse_plain_duration(text), write_plain_duration(ms).as_str()), (Some(ms), text));
    }
    for text in ["", "5", "ms", "1h30m", "2d", " 2s", "2s ", "2 s", "-2s", "99999999999999999999h"] {
        assert_eq!(parse_plain_duration(text), None, "{text:?}");
    }
    assert_eq!(parse_duration(" 1h30m "), Some(5_400_000), "elsewhere blanks around and sums are read");
}
