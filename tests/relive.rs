//! Relive: does replay find every moment that the run would not have opened or closed so, though all of it is signed with the world's keys?
//!
//! One moment of a history is rewritten, and everything from there on chained and sealed anew, as anybody can do whose world is simulated.

use std::sync::OnceLock;

use reelm::fact::{
    BeingId, Call, Closing, Cognition, Draft, Fact, Hash, Made, Rank, Seq, SpaceId, Thing, Thought, Value, Verb, Verbs, WakeId, WakeKind,
};
use serde_json::json;

use super::forge::History;
use super::kit::{Small, args};
use super::mind;

/// Where a moment's call comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Origin {
    /// A script, which thinks again.
    Script,
    /// A model, whose reply was recorded.
    Model,
    /// A person, as an act of their own.
    Gesture,
    /// A person, who answers a wake.
    Answer,
}

use Origin::{Answer, Gesture, Model, Script};

/// One thing that a frame may say otherwise and stay where it stands on its reel.
pub struct Row {
    pub what: &'static str,
    pub change: fn(&mut Draft),
    /// The fields in which replay finds the difference.
    found: &'static [&'static str],
    /// The moments of which this came from outside, so that nothing can be compared.
    given: &'static [Origin],
}

const fn row(what: &'static str, change: fn(&mut Draft), found: &'static [&'static str]) -> Row {
    Row { what, change, found, given: &[] }
}

/// A person's deed is a given: another act has other facts, or is refused.
const DONE: &[&str] = &["call", "closing", "facts"];

/// Every field of a frame.
pub const FIELDS: &[Row] = &[
    row("opened", |draft| draft.opened = 1, &["opened", "wake"]),
    // When a person acts, and when the engine opened and closed a moment, is for the clock to say; that a person is done at once and a wake due is not.
    row("opened_at", |draft| draft.opened_at -= 1, &["opened_at", "wake"]),
    Row { what: "at", change: |draft| draft.at += 1, found: &["opened_at", "wake"], given: &[Script, Model] },
    row("offset", |draft| draft.offset += 60, &["offset"]),
    row("driver", |draft| draft.driver = Some(BeingId::WORLD), &["driver"]),
    row("cognition", |draft| draft.cognition = another(draft.cognition), &["cognition"]),
    row("attempt", |draft| draft.attempt += 1, &["attempt"]),
    row("wake: rank", |draft| draft.wake.rank = Rank::Urgent, &["wake"]),
    row("wake: due", |draft| draft.wake.due -= 1, &["wake"]),
    row("wake: cause", |draft| draft.wake.cause = Made { seq: 0, index: 9 }, &["wake"]),
    // A person may do by an act of their own what they could have answered.
    Row { what: "wake: a gesture", change: as_a_gesture, found: &["wake"], given: &[Gesture, Answer] },
    row("stack: role", |draft| draft.stack[0].role = "other".into(), &["stack"]),
    row("stack: clause", |draft| draft.stack[0].clause = Some(7), &["stack"]),
    row("worn", |draft| draft.worn = Hash::of(b"another role"), &["worn"]),
    row("thought: none", |draft| draft.thought = Thought::None, &["thought", "call"]),
    row(
        "thought: another",
        |draft| draft.thought = if draft.thought == Thought::Given { Thought::Script } else { Thought::Given },
        &["thought", "call"],
    ),
    row("call: target", |draft| draft.call.as_mut().unwrap().target = "/hall".into(), DONE),
    row("call: action", |draft| draft.call.as_mut().unwrap().action = "quality.unset".into(), DONE),
    row("call: args", |draft| draft.call.as_mut().unwrap().args = Value::Null.into(), DONE),
    Row {
        what: "call: words",
        change: |draft| draft.call.as_mut().unwrap().content = Some("by the way".into()),
        found: &["call"],
        given: &[Gesture, Answer],
    },
    row("call: none", |draft| draft.call = None, &["call", "closing"]),
    row("facts: one less", |draft| drop(draft.facts.remove(0)), &["facts"]),
    row("facts: one more", |draft| draft.facts.insert(0, Fact::Paused { of: None, writes: false }), &["facts"]),
    row("closing", |draft| draft.closing = Closing::See, &["closing"]),
    row("intent", |draft| draft.intent = Some(Value::Null), &["intent"]),
];

fn another(cognition: Cognition) -> Cognition {
    if cognition == Cognition::Human { Cognition::Script } else { Cognition::Human }
}

fn as_a_gesture(draft: &mut Draft) {
    (draft.opened, draft.opened_at, draft.attempt, draft.thought) = (draft.seq, draft.at, 1, Thought::Given);
    draft.wake = WakeId { rank: Rank::Person, due: draft.at, cause: Made { seq: draft.seq, index: 0 }, kind: WakeKind::Gesture };
}

const WORLD: &str = r#"
[config]
"llm.connection" = "tiny"
"llm.tiny" = { base_url = "http://127.0.0.1:9/v1", model = "tiny" }
[[space]]
path = "/hall"
[[being]]
name = "hal"
home = "/hall"
role = "free"
cognition = "human"
grants = ["free"]
[[being.schedule]]
name = "late"
every = "9h"
[[being]]
name = "lou"
home = "/hall"
role = "free"
cognition = "human"
[[being]]
name = "ada"
home = "/hall"
role = "free"
script = "draw"
[[being.schedule]]
name = "beat"
every = "1m"
[[being]]
name = "kit"
parent = "@hal"
home = "/hall"
role = "free"
script = "look"
[[being]]
name = "mia"
home = "/hall"
role = "deaf"
cognition = "llm"
[[being]]
name = "eve"
home = "/"
role = "deaf"
script = "answer"
"#;

fn set(target: &str) -> Call {
    Call::doing(target, "quality.set", args(r#"{"path":"t.a","value":1}"#))
}

/// A world in which everybody has acted, and the operator once without any consequence, on @eve: that act is what gets rewritten.
struct Lived {
    history: History,
    ids: Vec<(&'static str, BeingId)>,
    /// A wake of @hal's that is due long after the end.
    late: WakeId,
}

impl Lived {
    fn new() -> &'static Self {
        static LIVED: OnceLock<Lived> = OnceLock::new();
        LIVED.get_or_init(|| {
            let mut small = Small::plant(WORLD);
            let reply = mind::tool("do", json!({ "target": "@mia", "action": "quality.inc", "args": { "path": "t.n" } }));
            small.living().asking(Box::new(mind::Script::of(vec![reply])));
            small.run("10s");
            small.act("hal", Call::be("inhabit", args(r#"{"being":"@kit","for":"10m"}"#)));
            small.operate("@eve", "quality.set", args(r#"{"path":"t.a","value":1}"#));
            for name in ["kit", "lou"] {
                small.act(name, set(&format!("@{name}")));
            }
            // A being that summons @eve is summoned again.
            small.act("hal", Call::summon("@eve", args(r#"{"content":"well?"}"#)));
            small.run("10s");
            // Refused while the wake is open; then the answer, and an act of his own.
            small.act("hal", Call::doing("@operator", "quality.set", args(r#"{"path":"t.a","value":2}"#)));
            small.answer("hal", set("@hal"));
            small.run("5s");
            small.act("hal", set("@hal"));
            small.run("5s");
            small.act("operator", Call::summon("@mia", args(r#"{"content":"well?"}"#)));
            small.run("1m");
            // A being that is summoned three times at once opens a third moment when two have closed.
            for _ in 0..3 {
                small.act("operator", Call::summon("@ada", args(r#"{"content":"well?"}"#)));
            }
            small.run("1m");
            assert_eq!(small.replay().unwrap().difference, None);
            let ids = ["hal", "lou", "ada", "kit", "mia", "eve"].map(|name| (name, small.id_of(name)));
            Self { history: History::of(&small), ids: ids.to_vec(), late: small.wake_of("hal", i64::MAX) }
        })
    }

    fn id(&self, name: &str) -> BeingId {
        self.ids.iter().find(|(other, _)| *other == name).unwrap().1
    }

    /// The seq of the first moment that is so.
    fn seq(&self, is_it: impl Fn(&Draft) -> bool) -> Seq {
        let mut history = self.history.clone();
        history.moments().iter().map(|moment| &moment.draft).find(|draft| is_it(draft)).unwrap().seq
    }

    /// The place of the first fact that is so.
    fn made(&self, is_it: impl Fn(&Fact) -> bool) -> Made {
        let mut history = self.history.clone();
        let place = |draft: &Draft| {
            let index = draft.facts.iter().position(&is_it)?;
            Some(Made { seq: draft.seq, index: index as u32 })
        };
        history.moments().iter().find_map(|moment| place(&moment.draft)).unwrap()
    }

    fn of(&self, from: Origin) -> Seq {
        let (hal, ada) = (self.id("hal"), self.id("ada"));
        self.seq(|draft| match from {
            Script => draft.being == ada && draft.wake.kind == WakeKind::Schedule,
            Model => matches!(draft.thought, Thought::Model { .. }),
            Answer => draft.being == hal && draft.wake.kind != WakeKind::Gesture,
            Gesture => draft.being == hal && draft.wake.kind == WakeKind::Gesture && draft.call.as_ref().unwrap().target.as_ref() == "@hal",
        })
    }

    /// The operator's act without consequence.
    fn neutral(&self) -> Seq {
        self.seq(|draft| draft.call.as_ref().is_some_and(|call| call.target.as_ref() == "@eve"))
    }

    /// The seq and the field in which a rewritten history is found to be different; it is whole in all else.
    fn found(&self, seq: Seq, change: impl Fn(&mut Draft)) -> Option<(Seq, &'static str, String)> {
        let mut history = self.history.clone();
        let frames = history.moments().len() as u64;
        change(&mut history.moment(seq).draft);
        history.drop_unnamed();
        assert_eq!(history.walked(true).frames, frames, "signed with its own keys it is a history");
        history.walked(false).difference.map(|found| (found.seq, found.field, found.computed))
    }
}

#[test]
#[ignore = "long: each field of a frame is changed, for four kinds of minds"]
fn every_field_of_a_frame_is_compared_by_replay_whoever_thought() {
    let lived = Lived::new();
    for from in [Script, Model, Gesture, Answer] {
        let seq = lived.of(from);
        for Row { what, change, found, given } in FIELDS {
            let difference = lived.found(seq, change);
            if given.contains(&from) {
                assert!(difference.as_ref().is_none_or(|(other, ..)| *other != seq), "{what} of {from:?} is given: {difference:?}");
            } else {
                let (at, field, _) = difference.unwrap_or_else(|| panic!("`{what}` is not compared: {from:?}"));
                assert!(at == seq && found.contains(&field), "{what} of {from:?} (frame {seq}): found in frame {at}, `{field}`");
            }
        }
    }
}

#[test]
fn an_act_of_their_own_is_only_a_persons_or_the_worlds() {
    let lived = Lived::new();
    for from in [Script, Model] {
        let (at, field, said) = lived.found(lived.of(from), as_a_gesture).unwrap();
        assert_eq!((at, field), (lived.of(from), "wake"));
        assert!(said.contains("thinks by itself"), "{said}");
    }
}

/// The operator does something else than it did, so that what others did afterwards could not have happened.
fn instead(call: Call, facts: Vec<Fact>) -> impl Fn(&mut Draft) {
    move |draft| (draft.call, draft.facts) = (Some(call.clone()), facts.clone())
}

#[test]
fn whoever_is_paused_opens_no_moment_in_any_history_that_replays() {
    let lived = Lived::new();
    let (ada, neutral) = (lived.id("ada"), lived.neutral());
    let hall = lived.made(|fact| matches!(fact, Fact::SpaceMade { name, .. } if name.as_ref() == "hall"));
    let next = |name: &str| lived.seq(|draft| draft.seq > neutral && draft.being == lived.id(name));
    for (target, of, first) in [
        ("@ada", Some(Thing::Being(ada)), next("ada")),
        ("/hall", Some(Thing::Space(SpaceId(hall))), next("mia")),
        ("/", None, next("eve")),
    ] {
        let call = Call::doing(target, "pause.set", args("{}"));
        let (at, field, said) = lived.found(neutral, instead(call, vec![Fact::Paused { of, writes: false }])).unwrap();
        assert_eq!((at, field), (first, "wake"), "{target}: {said}");
        assert!(said.contains("paused"), "{said}");
    }
}

#[test]
fn who_may_not_drive_a_being_does_nothing_as_it_in_any_history_that_replays() {
    let lived = Lived::new();
    let kit = lived.id("kit");
    let call = Call::doing("@kit", "grants.set", args(r#"{"grants":["deaf"]}"#));
    let granted = Fact::Granted { being: kit, grants: vec!["deaf".into()] };
    let (at, field, said) = lived.found(lived.neutral(), instead(call, vec![granted])).unwrap();
    assert_eq!((at, field), (lived.seq(|draft| draft.being == kit && draft.driver.is_some()), "driver"), "{said}");
    assert!(said.contains("@hal may not drive it"), "{said}");
}

#[test]
fn the_dead_do_nothing_in_any_history_that_replays() {
    let lived = Lived::new();
    let lou = lived.id("lou");
    let ended = Fact::Ended { of: Thing::Being(lou) };
    let (at, field, said) = lived.found(lived.neutral(), instead(Call::be("end", args(r#"{"being":"@lou"}"#)), vec![ended])).unwrap();
    assert_eq!((at, field), (lived.seq(|draft| draft.being == lou), "wake"), "{said}");
    assert!(said.contains("@lou has ended"), "{said}");
}

#[test]
fn a_model_that_no_connection_reaches_is_not_asked_in_any_history_that_replays() {
    let lived = Lived::new();
    let call = Call::doing("/", "config.set", args(r#"{"key":"llm.tiny","value":null}"#));
    let set = Fact::ConfigSet { key: "llm.tiny".into(), value: Value::Null.into() };
    let (at, field, said) = lived.found(lived.neutral(), instead(call, vec![set])).unwrap();
    assert_eq!((at, field), (lived.seq(|draft| draft.being == lived.id("mia")), "wake"), "{said}");
    assert!(said.contains("no connection"), "{said}");
}

#[test]
fn no_moment_opens_before_the_world_had_come_so_far() {
    let lived = Lived::new();
    let ada = lived.id("ada");
    let third = lived.seq(|draft| draft.being == ada && draft.wake.kind == WakeKind::Summons && draft.opened_at == draft.wake.due + 2);
    let (at, field, said) = lived.found(third, |draft| draft.opened_at = draft.wake.due).unwrap();
    assert_eq!((at, field), (third, "opened_at"), "{said}");
    assert!(said.contains("not before"), "{said}");
}

#[test]
fn an_answer_is_to_a_wake_that_is_open_due_and_asks_somebody_and_is_not_refused() {
    let lived = Lived::new();
    let answer = lived.of(Answer);
    let open = lived.history.clone().moment(answer).draft.wake.clone();
    let hal = lived.id("hal");
    let refused = lived.seq(|draft| draft.being == hal && matches!(draft.closing, Closing::Refused(_)));
    let none = WakeId { cause: Made { seq: 1, index: 0 }, ..open.clone() };
    for (wake, field, words) in
        [(&none, "wake", "null"), (&lived.late, "wake", "not due yet"), (&open, "closing", "no answer: it is refused")]
    {
        let (at, found, said) = lived.found(refused, |draft| draft.wake = wake.clone()).unwrap();
        assert_eq!((at, found), (refused, field), "{said}");
        assert!(said.contains(words), "{said}");
    }
    // Where a brake holds, the moment closes by itself and asks nobody.
    let call = Call::doing("/", "config.set", args(r#"{"key":"brakes.depth","value":1}"#));
    let set = Fact::ConfigSet { key: "brakes.depth".into(), value: Value::Int(1).into() };
    let (at, field, said) = lived.found(lived.neutral(), instead(call, vec![set])).unwrap();
    assert_eq!((at, field), (answer, "wake"), "{said}");
    assert!(said.contains("closes by itself"), "{said}");
    // A being that may not look closes none by looking.
    let only = Verbs::from_iter([Verb::Do]);
    let looked = |draft: &mut Draft| (draft.call, draft.closing, draft.facts) = (None, Closing::See, vec![Fact::Narrowed { only }]);
    let (at, field, said) = lived.found(answer, looked).unwrap();
    assert_eq!((at, field), (answer, "call"), "{said}");
}

#[test]
fn no_round_holds_more_moments_than_its_world_lets_it() {
    let ears = "[config]\n\"rounds.max\" = 3\n[[space]]\npath = \"/hall\"\n[[population]]\nprefix = \"ear\"\ncount = 4\nhome = \"/hall\"\nrole = \"free\"\n\
        script = \"count\"\n[[population.schedule]]\nname = \"beat\"\nevery = \"1m\"\n";
    let mut small = Small::plant(ears);
    small.run("61s");
    assert_eq!(small.replay().unwrap().difference, None);
    let mut history = History::of(&small);
    let [.., third, fourth] = &mut history.moments()[..] else { panic!("nobody has lived") };
    assert_eq!((third.draft.wake.due, third.draft.at + 1), (fourth.draft.wake.due, fourth.draft.at));
    // A being that was left out of the round claims that it was not.
    let Draft { opened, opened_at, at, .. } = third.draft;
    fourth.draft = Draft { opened, opened_at, at, ..fourth.draft.clone() };
    let difference = history.walked(false).difference.unwrap();
    assert_eq!((difference.field, difference.computed.as_str()), ("opened", "a later one: a round holds 3 moments"));
}
