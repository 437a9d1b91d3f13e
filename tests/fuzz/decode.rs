//! Decode: whatever the decoder accepts is the one canonical form of what it read.

use std::sync::LazyLock;

use reelm::fact::{BeingId, Cognition, Content, SpaceId, Thing, WornRole};
use reelm::fact::{Call, Canon, Closing, Draft, Fact, Frame, Hash, Made, Master, Rank, Thought, Value, WakeId, WakeKind, WorldId};

use super::change::change;

/// A frame with something of everything, as bytes to be changed.
static FRAME: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let (world, being) = (WorldId([7; 16]), BeingId::new(300, 7));
    let value = Value::map([("a", Value::List(vec![Value::Null, Value::Bool(true), Value::Int(-70_000)])), ("key", Value::Float(0.1))]);
    let facts = vec![
        Fact::QualitySet { of: Thing::Being(being), path: "t.n".into(), value: value.clone().into() },
        Fact::Moved { of: Thing::Being(being), to: Thing::Space(SpaceId::ROOT), coords: None },
        Fact::Granted { being, grants: vec!["*".into(), "mute".into()] },
        Fact::Filled { matter: reelm::fact::MatterId::new(3, 1), content: Content::There { hash: Hash([9; 32]), len: 70_000 } },
    ];
    let draft = Draft {
        world,
        being,
        n: 70_000,
        prev: Hash([1; 32]),
        prev_seq: 300,
        seq: 360,
        opened: 350,
        opened_at: 1_772_438_520_000,
        at: 1_772_438_520_250,
        offset: -60,
        driver: Some(BeingId::new(0, 2)),
        cognition: Cognition::Llm,
        attempt: 2,
        wake: WakeId { rank: Rank::Urgent, due: 1_772_438_519_000, cause: Made { seq: 300, index: 8 }, kind: WakeKind::Summons },
        stack: vec![
            WornRole { role: "free".into(), clause: Some(3), space: None },
            WornRole { role: "mute".into(), clause: None, space: None },
        ],
        worn: Hash([2; 32]),
        thought: Thought::Model { request: value.clone().into(), reply: Value::text("yes").into() },
        call: Some(Call::doing("@ada", "quality.set", value)),
        facts,
        closing: Closing::Act,
        intent: None,
    };
    draft.seal(&Master::simulated(1).key(world, being)).expect("it is small").into_bytes()
});

fn reads_back<T: Canon>(bytes: &[u8]) {
    if let Ok(item) = T::from_canon(bytes) {
        assert_eq!(item.to_canon(), bytes, "two forms of one thing");
    }
}

fn all(bytes: &[u8]) {
    reads_back::<Value>(bytes);
    reads_back::<Fact>(bytes);
    reads_back::<Call>(bytes);
    reads_back::<Closing>(bytes);
    reads_back::<Thought>(bytes);
    reads_back::<Draft>(bytes);
    if let Ok(frame) = Frame::read(bytes) {
        assert_eq!(frame.bytes(), bytes);
        let again = frame.draft().clone().sealed_by(*frame.signature()).expect("it was as small before");
        assert_eq!((again.bytes(), again.hash()), (bytes, frame.hash()), "two forms of one frame");
    }
}

/// Asks it of the input itself, and of a frame that the input changes.
pub fn check(input: &[u8]) {
    all(input);
    let mut frame = FRAME.clone();
    change(&mut frame, input);
    all(&frame);
}
