//! Tests of `src/fact/verbs.rs`.

use reelm::fact::Canon as _;
use reelm::fact::verbs::*;

#[test]
fn verbs_are_read_as_they_are_written_and_in_one_form_only() {
    for bits in 1_usize..16 {
        let words: Vec<&str> =
            ["see", "do", "summon", "be"].into_iter().enumerate().filter(|(at, _)| bits >> at & 1 == 1).map(|(_, word)| word).collect();
        let verbs: Verbs = words.join(",").parse().unwrap();
        assert_eq!(verbs.to_string(), words.join(","));
        assert_eq!(Verbs::from_canon(&verbs.to_canon()).unwrap(), verbs);
    }
    assert_eq!("do, see".parse::<Verbs>().unwrap().to_string(), "see,do");
    assert!("see,fly".parse::<Verbs>().is_err());
    for bytes in [&[0x80][..], &[0x83, 0xf4, 0xf4, 0xf4], &[0x84, 0, 1, 2, 3], &[0x0f]] {
        assert!(Verbs::from_canon(bytes).is_err(), "{bytes:?}");
    }
}
