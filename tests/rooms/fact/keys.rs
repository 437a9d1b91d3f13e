//! Tests of `src/fact/keys.rs`.

use reelm::fact::Hash;
use reelm::fact::keys::*;

#[test]
fn many_seals_at_once_are_those_of_one_by_one() {
    for count in [0_u64, 1, 2, 3, 65] {
        let keys: Vec<SecretKey> = (0..count).map(|n| SecretKey::from_bytes(&Hash::of(&n.to_le_bytes()).0)).collect();
        let signing: Vec<(&SecretKey, Hash)> = keys.iter().zip(0_u64..).map(|(key, n)| (key, Hash::of(&[n as u8, 1]))).collect();
        let sealed = sign_all(&signing);
        assert_eq!(sealed, signing.iter().map(|(key, hash)| key.sign(hash)).collect::<Vec<_>>(), "{count}");
        for ((key, hash), seal) in signing.iter().zip(&sealed) {
            assert_eq!(key.public().verify(hash, seal), Ok(()));
        }
    }
}
