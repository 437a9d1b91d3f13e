//! Tests of `src/fact/surrogate.rs`.

use proptest::prelude::*;
use reelm::fact::surrogate::whole_letters;

proptest! {
    #[test]
    fn a_text_of_json_stays_as_it_is_and_halves_become_whole(text in ".{0,40}", half in 0xd800_u16..0xe000, behind in "[a-z\\\\ ]{0,4}") {
        let written = serde_json::to_string(&text).unwrap();
        prop_assert_eq!(whole_letters(&written), written.as_str());
        let behind = serde_json::to_string(&behind).unwrap();
        let halved = format!("{}\\u{half:04x}{}", &written[..written.len() - 1], &behind[1..]);
        prop_assert!(serde_json::from_str::<String>(&halved).is_err());
        let whole = whole_letters(&halved);
        prop_assert_eq!(whole.len(), halved.len());
        let read: String = serde_json::from_str(&whole).unwrap();
        let wanted = format!("{}\u{fffd}", text);
        prop_assert!(read.starts_with(wanted.as_str()));
    }
}
