//! Seals and chains: RFC 8032's vectors, strict verification, and each way in which a frame is not the next of its world.

use ed25519_dalek::{Signer, SigningKey};
use proptest::prelude::*;
use reelm::fact::{
    BeingId, Call, Canon, CanonError, Closing, Code, Cognition, Content, Draft, FORMAT, FRAME_MAX, Fact, Frame, FrameError, Hash, KeyError,
    Made, Master, PublicKey, Rank, Reason, SecretKey, Signature, Thought, Value, WakeId, WakeKind, WorldId, WornRole,
};
use reelm::reel::{Admission, Chain, ChainError, Recorded};

use super::canon::any_value;
use super::kit::{self, admit};

/// RFC 8032 §7.1, tests 1 to 3: secret, public, message, signature.
const RFC_8032: [[&str; 4]; 3] = [
    [
        "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
    ],
    [
        "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
    ],
    [
        "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
    ],
];

/// The order of the group, little endian: adding it to the second half of a signature gives another number that means the same.
const ORDER: &str = "edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010";

fn secret(hex: &str) -> [u8; 32] {
    kit::bytes(hex).try_into().unwrap()
}

#[test]
fn the_keys_and_signatures_are_those_of_rfc_8032() {
    for [secret_hex, public, message, signature] in RFC_8032 {
        assert_eq!(SecretKey::from_bytes(&secret(secret_hex)).public().to_hash().to_string(), public);
        assert_eq!(kit::hex(&SigningKey::from_bytes(&secret(secret_hex)).sign(&kit::bytes(message)).to_bytes()), signature);
    }
}

#[test]
fn a_seal_is_the_plain_signature_over_the_hash_and_always_the_same() {
    for [secret_hex, ..] in RFC_8032 {
        let hash = Hash::of(b"a frame");
        let seal = SecretKey::from_bytes(&secret(secret_hex)).sign(&hash);
        assert_eq!(seal.0, SigningKey::from_bytes(&secret(secret_hex)).sign(&hash.0).to_bytes());
        assert_eq!(seal, SecretKey::from_bytes(&secret(secret_hex)).sign(&hash));
    }
}

#[test]
fn a_malleable_signature_is_refused() {
    let key = SecretKey::from_bytes(&[7; 32]);
    let hash = Hash::of(b"a frame");
    let mut seal = key.sign(&hash);
    assert_eq!(key.public().verify(&hash, &seal), Ok(()));
    let mut carry = 0u16;
    for (byte, order) in seal.0[32..].iter_mut().zip(kit::bytes(ORDER)) {
        carry += u16::from(*byte) + u16::from(order);
        *byte = carry as u8;
        carry >>= 8;
    }
    assert_eq!(key.public().verify(&hash, &seal), Err(KeyError::Signature));
}

#[test]
fn a_key_of_small_order_seals_nothing() {
    // The neutral point: for it the signature (R = neutral, s = 0) fits every message when verification is not strict.
    let mut neutral = [0u8; 32];
    neutral[0] = 1;
    assert_eq!(PublicKey::from_hash(&Hash(neutral)), Err(KeyError::Key));
    // The same for a signature whose R is of small order.
    let mut seal = [0u8; 64];
    seal[0] = 1;
    let key = SecretKey::from_bytes(&[7; 32]).public();
    assert_eq!(key.verify(&Hash::of(b"anything"), &Signature(seal)), Err(KeyError::Signature));
}

#[test]
fn bytes_off_the_curve_are_no_key_nor_is_another_spelling_of_a_point() {
    assert_eq!(PublicKey::from_hash(&Hash([2; 32])), Err(KeyError::Key));
    // y = 3 lies on the curve; y = p + 3 is the same point, spelled otherwise.
    let mut plain = [0u8; 32];
    plain[0] = 3;
    assert!(PublicKey::from_hash(&Hash(plain)).is_ok());
    let mut other = [0xff; 32];
    (other[0], other[31]) = (0xed + 3, 0x7f);
    assert_eq!(PublicKey::from_hash(&Hash(other)), Err(KeyError::Key));
}

#[test]
fn a_being_is_its_did_key_outside() {
    let did = SecretKey::from_bytes(&secret(RFC_8032[0][0])).public().did();
    assert!(did.starts_with("did:key:z6Mk"), "{did}");
    let bytes = bs58::decode(did.trim_start_matches("did:key:z")).into_vec().unwrap();
    assert_eq!(kit::hex(&bytes), format!("ed01{}", RFC_8032[0][1]));
}

#[test]
fn every_being_of_every_world_has_a_key_of_its_own() {
    let master = Master::simulated(1);
    let one = master.key(WorldId([1; 16]), BeingId::WORLD).public();
    assert_ne!(one, master.key(WorldId([2; 16]), BeingId::WORLD).public());
    assert_ne!(one, master.key(WorldId([1; 16]), BeingId::new(0, 2)).public());
    assert_ne!(one, Master::simulated(2).key(WorldId([1; 16]), BeingId::WORLD).public());
    assert_eq!(format!("{master:?}{:?}", master.key(WorldId([1; 16]), BeingId::WORLD)), "Master(…)SecretKey(…)");
}

/// The frames of a small world, and a chain that has admitted all but the last.
fn small() -> (Chain, Frame, Master) {
    let kept = kit::Small::plant("").kept();
    let (last, before) = kept.frames.split_last().unwrap();
    let mut chain = Chain::new(last.draft().world);
    before.iter().for_each(|frame| admit(&mut chain, frame).unwrap());
    (chain, last.clone(), kept.master)
}

/// The last frame, altered and sealed again by its own being.
fn altered(alter: impl FnOnce(&mut Draft)) -> (Chain, Result<(), ChainError>) {
    let (mut chain, last, master) = small();
    let mut draft = last.draft().clone();
    alter(&mut draft);
    let key = master.key(last.draft().world, draft.being);
    let admitted = admit(&mut chain, &draft.seal(&key).unwrap());
    (chain, admitted)
}

#[test]
fn the_frame_as_it_was_is_admitted() {
    let (mut chain, last, _) = small();
    let key = chain.key(last.draft()).unwrap().point().unwrap();
    assert_eq!(last.verify(&key), Ok(()));
    assert_eq!(admit(&mut chain, &last), Ok(()));
}

#[test]
fn what_is_admitted_still_has_to_be_signed_by_its_own_being() {
    let (chain, last, _) = small();
    let forged = last.draft().clone().seal(&SecretKey::from_bytes(&[7; 32])).unwrap();
    for (frame, is_signed) in [(last, true), (forged, false)] {
        let draft = frame.draft();
        let recorded = Recorded { seq: draft.seq, being: draft.being, n: draft.n };
        let mut admission = Admission::going_on(chain.clone(), Default::default(), None).unwrap();
        assert_eq!(admission.frame(recorded, frame.bytes()).unwrap().verify().is_ok(), is_signed);
    }
}

#[test]
fn a_frame_of_a_foreign_world_is_refused() {
    let (_, admitted) = altered(|draft| draft.world = WorldId([9; 16]));
    assert!(matches!(admitted, Err(ChainError::ForeignWorld { found: WorldId([9, ..]), .. })), "{admitted:?}");
}

#[test]
fn a_frame_replayed_is_out_of_order() {
    let (mut chain, last, _) = small();
    admit(&mut chain, &last).unwrap();
    let seq = last.draft().seq;
    assert_eq!(admit(&mut chain, &last), Err(ChainError::Order { expected: seq + 1, found: seq }));
}

#[test]
fn a_frame_from_further_on_is_out_of_order() {
    let (_, admitted) = altered(|draft| draft.seq += 1);
    assert!(matches!(admitted, Err(ChainError::Order { .. })), "{admitted:?}");
}

#[test]
fn an_n_replayed_at_the_next_seq_is_named() {
    let (_, admitted) = altered(|draft| draft.n = 0);
    assert!(matches!(admitted, Err(ChainError::WrongN { found: 0, .. })), "{admitted:?}");
}

#[test]
fn an_n_that_is_there_already_is_a_fork() {
    let (_, admitted) = altered(|draft| {
        draft.n -= 1;
        draft.prev = Hash::of(b"another past");
    });
    assert!(matches!(admitted, Err(ChainError::Forked { .. })), "{admitted:?}");
}

#[test]
fn a_gap_in_n_is_named() {
    let (_, admitted) = altered(|draft| draft.n += 1);
    assert!(matches!(admitted, Err(ChainError::WrongN { expected, found, .. }) if found == expected + 1), "{admitted:?}");
}

#[test]
fn the_largest_n_is_refused_like_any_other() {
    let (_, admitted) = altered(|draft| draft.n = u64::MAX);
    assert!(matches!(admitted, Err(ChainError::WrongN { .. })), "{admitted:?}");
}

#[test]
fn a_frame_that_names_another_past_is_refused() {
    let (_, admitted) = altered(|draft| draft.prev = Hash::of(b"another past"));
    assert!(matches!(admitted, Err(ChainError::WrongPrev { .. })), "{admitted:?}");
    let (_, admitted) = altered(|draft| draft.prev_seq -= 1);
    assert!(matches!(admitted, Err(ChainError::WrongPrev { .. })), "{admitted:?}");
}

#[test]
fn before_the_first_frame_there_is_nothing() {
    let kept = kit::Small::plant("").kept();
    let first = kept.frames.first().unwrap().draft();
    let key = kept.master.key(first.world, first.being);
    let admitted = |alter: &dyn Fn(&mut Draft)| {
        let mut draft = first.clone();
        alter(&mut draft);
        admit(&mut Chain::new(first.world), &draft.seal(&key).unwrap())
    };
    assert_eq!(admitted(&|_| {}), Ok(()));
    let wrong: [&dyn Fn(&mut Draft); 3] = [&|draft| draft.prev = Hash::of(b"a past"), &|draft| draft.n = 1, &|draft| draft.prev_seq = 1];
    for alter in wrong {
        assert!(matches!(admitted(alter), Err(ChainError::WrongPrev { seq: 0, .. })), "{:?}", admitted(alter));
    }
}

#[test]
fn time_does_not_go_back() {
    let back: [fn(&mut Draft); 4] = [
        |draft| draft.at -= 1,
        |draft| draft.opened_at += 1,
        |draft| draft.opened = draft.seq + 1,
        // Before whatever closed last, and sound in itself.
        |draft| (draft.at, draft.opened_at) = (draft.at - 1_000_000, draft.opened_at - 1_000_000),
    ];
    for alter in back {
        let (_, admitted) = altered(alter);
        assert!(matches!(admitted, Err(ChainError::TimeBack { .. })), "{admitted:?}");
    }
}

#[test]
fn a_frame_of_somebody_unborn_is_refused() {
    let (_, admitted) = altered(|draft| draft.being = BeingId::new(1, 9));
    assert!(matches!(admitted, Err(ChainError::Unborn { .. })), "{admitted:?}");
}

#[test]
fn a_refused_frame_leaves_the_chain_as_it_was() {
    let (mut chain, admitted) = altered(|draft| draft.n += 1);
    assert!(admitted.is_err());
    let (_, last, _) = small();
    assert_eq!(admit(&mut chain, &last), Ok(()));
}

#[test]
fn a_frame_under_another_key_does_not_hold() {
    let (_, last, master) = small();
    let other = master.key(last.draft().world, BeingId::new(7, 7)).public();
    let seq = last.draft().seq;
    assert!(matches!(last.verify(&other), Err(FrameError::Signature { seq: found, source: KeyError::Signature, .. }) if found == seq));
}

#[test]
fn a_flipped_bit_of_the_signature_does_not_hold() {
    let (chain, last, _) = small();
    let key = chain.key(last.draft()).unwrap().point().unwrap();
    for bit in 0..512 {
        let mut bytes = last.bytes().to_vec();
        let at = bytes.len() - 64 + bit / 8;
        bytes[at] ^= 1 << (bit % 8);
        assert!(matches!(Frame::read(&bytes).unwrap().verify(&key), Err(FrameError::Signature { .. })), "{bit}");
    }
}

#[test]
fn every_flipped_byte_of_a_frame_is_refused_somewhere() {
    let (chain, last, _) = small();
    let key = chain.key(last.draft()).unwrap().point().unwrap();
    for at in 0..last.bytes().len() {
        let mut bytes = last.bytes().to_vec();
        bytes[at] ^= 0x10;
        assert!(Frame::read(&bytes).and_then(|frame| frame.verify(&key)).is_err(), "{at}");
    }
}

#[test]
fn a_format_from_the_future_is_named_by_its_number() {
    let (_, last, _) = small();
    let mut bytes = last.bytes().to_vec();
    assert_eq!(u64::from(bytes[2]), FORMAT);
    bytes[2] = 2;
    assert_eq!(Frame::read(&bytes), Err(FrameError::Format { found: 2 }));
}

#[test]
fn a_frame_over_the_limit_is_neither_sealed_nor_read() {
    let (_, last, master) = small();
    let mut draft = last.draft().clone();
    draft.call = Some(Call::doing("/", "x", Value::from("x".repeat(FRAME_MAX))));
    let key = master.key(draft.world, draft.being);
    assert!(matches!(draft.seal(&key), Err(FrameError::TooLarge { size }) if size > FRAME_MAX));
    assert_eq!(Frame::read(&vec![0; FRAME_MAX + 1]), Err(FrameError::TooLarge { size: FRAME_MAX + 1 }));
}

#[test]
fn bytes_that_are_no_frame_are_named_so() {
    assert_eq!(Frame::read(b""), Err(FrameError::Canon(CanonError::Truncated { at: 0 })));
    let (_, last, _) = small();
    for len in 0..last.bytes().len() {
        assert!(matches!(Frame::read(&last.bytes()[..len]), Err(FrameError::Canon(_))), "{len}");
    }
    let longer = [last.bytes(), &[0]].concat();
    assert!(matches!(Frame::read(&longer), Err(FrameError::Canon(CanonError::Trailing { count: 1, .. }))));
}

fn any_closing() -> impl Strategy<Value = Closing> {
    let reason = || (prop::sample::select(Code::ALL), "\\PC{0,9}").prop_map(|(code, at)| Reason::new(code, at));
    prop_oneof![
        Just(Closing::Act),
        Just(Closing::See),
        Just(Closing::Ended),
        reason().prop_map(Closing::Refused),
        reason().prop_map(Closing::Failed),
        reason().prop_map(Closing::DeadLetter),
        reason().prop_map(Closing::Requeued),
    ]
}

fn any_fact() -> impl Strategy<Value = Fact> {
    prop_oneof![
        (any_value(), "[a-z.]{1,9}").prop_map(|(value, path)| Fact::Signalled { path: path.as_str().into(), value: value.into() }),
        (any_value(), "[a-z]{1,9}").prop_map(|(value, key)| Fact::ConfigSet { key: key.as_str().into(), value: value.into() }),
        (any::<u64>(), any::<u32>(), any::<u64>()).prop_map(|(seq, index, len)| Fact::FlowSet {
            being: BeingId::new(seq, index),
            flow: Content::There { hash: Hash::NOTHING, len }
        }),
    ]
}

prop_compose! {
    fn any_draft()(
        (seq, prev_seq, opened, n) in any::<(u64, u64, u64, u64)>(),
        (at, opened_at, due, offset) in any::<(i64, i64, i64, i64)>(),
        (world, prev) in any::<([u8; 16], [u8; 32])>(),
        (being, driver, attempt) in any::<((u64, u32), Option<(u64, u32)>, u32)>(),
        (rank, kind, cognition) in (0usize..4, 0usize..10, 0usize..3),
        stack in prop::collection::vec(("[a-z:]{1,9}", any::<Option<u16>>()), 0..4),
        facts in prop::collection::vec(any_fact(), 0..5),
        closing in any_closing(),
        call in prop::option::of(any_value()),
        intent in prop::option::of(any_value()),
    ) -> Draft {
        let id = |(seq, index)| BeingId::new(seq, index);
        let wake = WakeId { rank: Rank::ALL[rank], due, cause: Made { seq, index: 3 }, kind: WakeKind::ALL[kind] };
        let stack = stack.into_iter().map(|(role, clause)| WornRole { role: role.as_str().into(), clause, space: None }).collect();
        Draft {
            world: WorldId(world), being: id(being), n, prev: Hash(prev), prev_seq, seq, opened, opened_at, at, offset, driver: driver.map(id),
            cognition: Cognition::ALL[cognition], attempt, wake, stack, worn: Hash(prev), thought: Thought::Script,
            call: call.map(|args| Call::doing("~", "quality.set", args)), facts, closing, intent,
        }
    }
}

proptest! {
    #![proptest_config(kit::cases(13, 128))]

    #[test]
    fn every_draft_comes_back_from_its_frame(draft in any_draft()) {
        prop_assert_eq!(Draft::from_canon(&draft.to_canon()), Ok(draft.clone()));
        let key = SecretKey::from_bytes(&[5; 32]);
        let frame = draft.clone().seal(&key).unwrap();
        let read = Frame::read(frame.bytes()).unwrap();
        prop_assert_eq!(read.verify(&key.public()), Ok(()));
        prop_assert_eq!(read.draft(), &draft);
        prop_assert_eq!(read.hash(), frame.hash());
    }

    #[test]
    fn no_chain_of_altered_numbers_makes_it_panic(draft in any_draft()) {
        let (mut chain, last, master) = small();
        let mut draft = draft;
        (draft.world, draft.being) = (last.draft().world, last.draft().being);
        let key = master.key(draft.world, draft.being);
        prop_assert!(admit(&mut chain, &draft.seal(&key).unwrap()).is_err());
    }
}
