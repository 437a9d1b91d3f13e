//! Emotions: does a feeling lie over whoever has it, fade, and pass to those who are near, and does boredom end by something that is done?

use std::path::Path;

use reelm::fact::{Call, Closing, Value, WakeKind};
use reelm::source::Source;

use super::kit::{Small, args, code, source};
use super::terminal::package;

const HALL: &str = r#"
extensions = ["emotions"]
[[space]]
path = "/hall"
size = [12, 3]
allow = ["emotions:*"]
[[being]]
name = "ada"
home = "/hall"
coords = [0, 0]
role = "feeler"
script = "feel"
flow = [{ stack = true, role = "emotions:open" }, { stack = true, when = { "me.quality.emotions.alert" = { gte = 0.4 } }, role = "emotions:alert" }]
[[being]]
name = "bob"
home = "/hall"
coords = [1, 0]
role = "feeler"
script = "feel"
flow = [{ stack = true, role = "emotions:open" }, { stack = true, when = { "me.quality.emotions.alert" = { gte = 0.4 } }, role = "emotions:alert" }]
[[being]]
name = "cy"
home = "/hall"
coords = [11, 0]
role = "feeler"
script = "feel"
flow = [{ stack = true, role = "emotions:open" }, { stack = true, when = { "me.quality.emotions.alert" = { gte = 0.4 } }, role = "emotions:alert" }]
[[being]]
name = "dee"
home = "/hall"
role = "feeler"
script = "idle"
flow = [
  { stack = true, when = { "time.sinceLastMoment" = { gte = 60 }, not = { "me.quality.emotions.joy" = { gte = 0.3 } } }, role = "emotions:bored" },
]
"#;

fn hall() -> Small {
    let mut source = source(HALL);
    let feel = r#"fn think(face) {
        if face.wake.kind == "summons" { return act(face.me.address, "emotions:feel", #{ emotion: "alert", intensity: 0.9 }); }
        if face.wake.kind == "watch" { return act(face.me.address, "emotions:catch", #{ from: face.wake.from }); }
        ()
    }"#;
    let idle = r#"fn think(face) {
        if "emotions:bored" in face.stack { return act(face.me.address, "emotions:pass-time", #{ how: "sweeping" }); }
        ()
    }"#;
    for (name, script) in [("feel", feel), ("idle", idle)] {
        source.scripts.push((name.to_owned(), format!("scripts/{name}.rhai"), script.to_owned()));
    }
    let role = "---\nname: feeler\ncanSee: ['**']\ntriggerOn: [message, signal, schedule, watch]\n---\n\nYou are in a test.\n";
    source.roles.push(reelm::role::Spec::from_markdown("t.md", role).unwrap());
    Small::grow(&source, 1, 1)
}

#[test]
fn a_feeling_passes_to_those_who_are_near_and_fades_from_all_of_them() {
    let mut small = hall();
    small.act("operator", Call::summon("@ada", args(r#"{"content":"thunder"}"#)));
    small.run("10s");
    let felt = |small: &Small, name: &str| small.quality(name, "emotions.alert").get("from").cloned().unwrap_or_default();
    assert_eq!(felt(&small, "ada"), Value::number(0.9).unwrap());
    assert_eq!(felt(&small, "bob"), Value::number(0.54).unwrap());
    assert_eq!(felt(&small, "cy"), Value::Null, "eleven places away there is nothing to catch");
    assert_eq!(code(small.reel("cy").last().unwrap()), "operation-refused");
    small.run("20m");
    // Each is woken where the feeling falls below what the flow asks, and is calm again.
    for (name, over, from) in [("ada", 600_000, 900), ("bob", 300_000, 540)] {
        let reel = small.reel(name);
        let began = reel.iter().find(|draft| draft.closing == Closing::Act).unwrap();
        assert_eq!(began.wake.kind, if name == "ada" { WakeKind::Summons } else { WakeKind::Watch });
        let calm = reel.iter().find(|draft| draft.wake.kind == WakeKind::Crossing).unwrap();
        let steps = from - 399;
        assert_eq!(calm.opened_at - began.at, (steps * over + from - 1) / from, "{name}");
        assert!(!calm.stack.iter().any(|worn| worn.role.as_ref() == "emotions:alert"), "{name}");
    }
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn who_is_bored_does_something_about_it_and_is_not_bored_while_that_lasts() {
    let mut small = hall();
    small.run("1h");
    let acts: Vec<i64> = small.reel("dee").iter().filter(|draft| draft.closing == Closing::Act).map(|draft| draft.at).collect();
    assert!((10..=12).contains(&acts.len()), "{acts:?}");
    // A little joy of six tenths is three tenths after five minutes, and a step more.
    assert!(acts.windows(2).all(|pair| (300_000..302_000).contains(&(pair[1] - pair[0]))), "{acts:?}");
    assert_eq!(small.quality("dee", "idle.times"), Value::Int(acts.len() as i64));
    assert_eq!(small.replay().unwrap().difference, None);
}

fn shipped(world: &str) -> Small {
    Small::grow(&Source::read(&package().join(Path::new("fixtures/worlds")).join(world)).unwrap(), 1, 1)
}

#[test]
#[ignore = "long: five minutes of a dance"]
fn dancers_catch_the_joy_of_the_dance_when_the_drum_falls_silent() {
    let mut small = shipped("dance");
    small.run("5m");
    let joyful = ["nora", "otis", "pia", "quim", "rhea", "sol", "tove", "ugo", "vera", "wanja", "xenia", "yann"];
    let caught = joyful.iter().filter(|name| {
        small.reel(name).iter().any(|draft| draft.call.as_ref().is_some_and(|call| call.action.as_ref() == "emotions:catch"))
    });
    assert!(caught.count() >= 3);
    let playful =
        |name: &&&str| small.reel(name).iter().any(|draft| draft.stack.iter().any(|worn| worn.role.as_ref() == "emotions:playful"));
    assert!(joyful.iter().filter(playful).count() >= 3);
}
