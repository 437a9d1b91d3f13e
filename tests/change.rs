//! Change: does a fact wake exactly those whose stack it changed, once, and no faster and no deeper than the settings let it?

use std::collections::BTreeSet;

use proptest::prelude::*;
use reelm::fact::{Call, Closing, Cognition, Draft, Trigger, WakeKind};
use reelm::role::{Path, Spec};
use reelm::world::{Being, Body, NoBlobs, World};

use super::kit::{Small, args, cases, source};

/// One condition for every path of the list, with what holds for it at some time in the world below.
const CONDITIONS: &[&str] = &[
    r#""space.name" = "hall""#,
    r#""space.type" = "quiet""#,
    r#""space.owner" = "ada""#,
    r#""space.count" = { gte = 20 }"#,
    r#""coords.x" = { gte = 3 }"#,
    r#""coords.y" = { lt = 1 }"#,
    r#""coords.z" = { gt = 0 }"#,
    r#""inHomeSpace" = false"#,
    r#""me.name" = "bob""#,
    r#""me.defaultRole" = "other""#,
    r#""me.previousRole" = "free""#,
    r#""me.cognition" = "human""#,
    r#""me.inhabitedBy" = { present = true }"#,
    r#""me.position" = "/hall""#,
    r#""me.home" = "/yard""#,
    r#""space.quality.ambient.tone" = "quiet""#,
    r#""space.quality.ambient" = { present = true }"#,
    r#""space.wearing.wide" = { gte = 1 }"#,
    r#""inTreeOf.late" = { present = true }"#,
    r#""me.quality.mood.joy" = { gte = 0.5 }"#,
    r#""me.quality.mood" = { present = true }"#,
    r#""world.t.dice" = { gte = 2 }, "space.count" = { gte = 2 }"#,
    r#""time.sinceLastMoment" = { gte = 2 }, "me.quality.t.n" = { present = true }"#,
    r#""time.sinceLastMoment" = { gte = 2 }, "me.previousRole" = "free""#,
];

#[test]
fn every_path_of_the_list_is_tried() {
    let of_the_wake = ["verb", "action", "operation", "intent", "caller."];
    let of_the_clock = ["time.hour", "time.minute", "time.dayOfWeek", "time.iso"];
    let skipped = |word: &str| of_the_wake.iter().chain(&of_the_clock).any(|skip| word.starts_with(skip));
    let paths = Path::WORDS.iter().chain(Path::PARTS.iter().map(|(prefix, _)| prefix));
    for path in paths.filter(|path| !skipped(path)) {
        assert!(CONDITIONS.iter().any(|condition| condition.contains(&format!("\"{path}"))), "{path}");
    }
}

/// A role as the tests here write it: its name, and what it says besides.
fn role(name: &str, more: &str) -> Spec {
    let text = format!("---\nname: {name}\ncanSee: ['**']\ncanDo: ['**']\n{more}\n---\n\nYou are in a test.\n");
    Spec::from_markdown("test.md", &text).unwrap_or_else(|error| panic!("{error}"))
}

/// Two places, a person who may drive the rest, and beings that each read one path and wear `wide` where it holds. The last two heed nothing
/// by themselves: one is a person, of the other a role says that it is to be woken so.
fn readers() -> Small {
    let mut text = String::from(
        "[[space]]\npath = \"/hall\"\nsize = [9, 9, 9]\n[[space]]\npath = \"/yard\"\nsize = [9, 9, 9]\n[[space]]\npath = \"/hall/nook\"\n",
    );
    text.push_str("[[being]]\nname = \"eve\"\nhome = \"/yard\"\ncognition = \"human\"\nrole = \"free\"\ngrants = [\"*\"]\n");
    for name in ["ada", "bob"] {
        text.push_str(&format!(
            "[[being]]\nname = \"{name}\"\nhome = \"/hall\"\ncoords = [1, 1]\nrole = \"free\"\nscript = \"publish\"\nparent = \"@eve\"\n"
        ));
    }
    for (at, condition) in CONDITIONS.iter().enumerate() {
        let (home, script) = (["/hall", "/yard"][at % 2], ["count", "look", "draw"][at % 3]);
        text.push_str(&format!(
            "[[being]]\nname = \"reader-{at}\"\nhome = \"{home}\"\ncoords = [1, 1]\nrole = \"free\"\nscript = \"{script}\"\nparent = \"@eve\"\nflow = [{{ when = {{ {condition} }}, role = \"wide\" }}]\n"
        ));
    }
    for (name, default) in [("pat", "free"), ("kim", "heedful")] {
        text.push_str(&format!(
            "[[being]]\nname = \"{name}\"\nhome = \"/hall\"\ncognition = \"human\"\nrole = \"{default}\"\nparent = \"@eve\"\nflow = [{{ when = {{ \"space.count\" = {{ gte = 20 }} }}, role = \"wide\" }}]\n"
        ));
    }
    let mut source = source(&text);
    source.roles.extend([role("wide", ""), role("heedful", "triggerOn: [message, signal, schedule, watch, change]")]);
    Small::grow(&source, 1, 1)
}

#[derive(Clone, Debug)]
struct Deed {
    kind: usize,
    of: usize,
    value: usize,
}

/// The actor of a deed, and its call.
fn call(deed: &Deed) -> (&'static str, Call) {
    let being = format!("@reader-{}", deed.of % CONDITIONS.len());
    let (space, pick) = (["/hall", "/yard"][deed.of % 2], deed.value % 3);
    let doing = |target: &str, action: &str, json: String| ("operator", Call::doing(target, action, args(&json)));
    match deed.kind {
        0 => doing(&being, "move", format!(r#"{{"to":"{}"}}"#, ["/hall", "/yard", "/hall/nook"][pick])),
        1 => doing(&being, "move", format!(r#"{{"coords":[{},{},{}]}}"#, deed.value % 5, pick, deed.value % 2)),
        2 => doing(space, "quality.set", format!(r#"{{"path":"ambient.tone","value":{}}}"#, ["\"quiet\"", "\"loud\"", "null"][pick])),
        3 => {
            let value = ["0", "1", r#"{"from":1,"to":0,"at":"now","over":"1h"}"#][pick];
            doing(&being, "quality.set", format!(r#"{{"path":"mood.joy","value":{value}}}"#))
        }
        4 => doing(space, "own.set", format!(r#"{{"owner":{}}}"#, ["\"@ada\"", "\"@bob\"", "null"][pick])),
        5 => doing(&being, "flow.default", format!(r#"{{"role":"{}"}}"#, ["free", "other", "nobody"][pick])),
        6 => doing(&being, "home.set", format!(r#"{{"home":"{}"}}"#, ["/hall", "/yard", "/hall/nook"][pick])),
        7 => doing(
            "/hall",
            "space.set",
            format!(r#"{{"type":"{}","name":"{}"}}"#, ["quiet", "loud"][deed.value % 2], ["hall", "room"][pick % 2]),
        ),
        8 => {
            let birth =
                format!(r#"{{"name":"{}","cognition":"script","defaultRole":"deaf","home":"{space}"}}"#, ["late", "later", "last"][pick]);
            ("operator", Call::be("birth", args(&birth)))
        }
        9 => doing(&being, "cognition.set", format!(r#"{{"cognition":"{}","script":"look"}}"#, ["script", "human"][deed.value % 2])),
        10 => ("eve", Call::be(["inhabit", "release"][deed.value % 2], args(&format!(r#"{{"being":"{being}"}}"#)))),
        11 => ("operator", Call::be("end", args(&format!(r#"{{"being":"{}"}}"#, ["@ada", "@bob", &being][pick])))),
        12 => doing(
            &being,
            "flow.set",
            format!(r#"{{"flow":{}}}"#, ["[]", r#"[{"role":"wide"}]"#, r#"[{"when":{"space.count":{"lt":9}},"role":"wide"}]"#][pick]),
        ),
        13 => {
            let when = ["null", r#"{"space.quality.ambient.tone":"loud"}"#, r#"{"me.position":"/yard"}"#][pick];
            doing(
                "/",
                "role.set",
                format!(r#"{{"name":"free","role":{{"name":"free","canSee":["**"],"canDo":["**"],"when":{when}}}}}"#)
                    .replace(r#","when":null"#, ""),
            )
        }
        14 => {
            let flow = ["[]", r#"[{"role":"wide","stack":true}]"#, r#"[{"when":{"space.name":"nook"},"role":"deaf","stack":true}]"#][pick];
            doing(["/", "/hall"][deed.of % 2], "flow.set", format!(r#"{{"flow":{flow}}}"#))
        }
        15 => doing("/hall/nook", "move", format!(r#"{{"to":"{}"}}"#, ["/", "/hall", "/yard"][pick])),
        _ => ("operator", Call::summon(["@ada", "@bob", &being][pick], args(r#"{"content":"go"}"#))),
    }
}

/// The last frame that has left a being something to wake for by change, and how often none was made for it.
fn due(world: &World, being: &Being) -> (Option<u64>, u64) {
    let open = world.inbox().of(being.id).find(|wake| wake.id.kind == WakeKind::Change);
    (open.map(|wake| wake.newest.seq), being.withheld.changes)
}

/// The beings that a frame has to wake, found by asking everybody before and after.
fn concerned(before: &World, after: &World, draft: &Draft) -> BTreeSet<String> {
    let worn = |world: &World, being: &Being| -> Vec<_> { world.unwoken(being, draft.at).roles().cloned().collect() };
    let is_concerned = |old: &&std::sync::Arc<Being>| {
        let now = after.being(old.id).unwrap();
        // That who acts waits anew, the clock says.
        let counted_from = if draft.being == old.id && draft.closing == Closing::Act { draft.at } else { old.counted_from };
        let (wore, wears) = (worn(before, &Being { counted_from, ..Being::clone(old) }), worn(after, now));
        let heeds = now.cognition_at(draft.at) == Cognition::Script || now.listens.contains(&Trigger::Change);
        let mut signals = after.inbox().of(now.id).filter(|wake| wake.id.kind == WakeKind::Signal);
        !now.ended && heeds && wore != wears && !wears.is_empty() && !signals.any(|wake| wake.newest.seq == draft.seq)
    };
    before.beings().filter(|being| !being.ended).filter(is_concerned).map(|being| being.name.to_string()).collect()
}

/// Folds a history frame by frame and compares whom each has woken with whom it had to; all whom it has woken.
fn judge(small: &Small) -> BTreeSet<String> {
    let (mut world, mut woken, mut lives) = (World::new(small.id), BTreeSet::new(), false);
    for draft in small.shelf.drafts() {
        let before = world.clone();
        world.apply(&draft, &NoBlobs).unwrap();
        let is_due = |being: &&std::sync::Arc<Being>| {
            let (newest, withheld) = due(&world, being);
            newest == Some(draft.seq) || before.being(being.id).is_some_and(|old| old.withheld.changes < withheld)
        };
        let found: BTreeSet<String> = world.beings().filter(is_due).map(|being| being.name.to_string()).collect();
        let wanted = if lives { concerned(&before, &world, &draft) } else { BTreeSet::new() };
        assert_eq!(found, wanted, "frame {}: {:?} {:?}", draft.seq, draft.call, draft.facts);
        woken.extend(found);
        // Planting is not life yet.
        lives |= world.registry().config.contains_key("source");
    }
    woken
}

proptest! {
    #![proptest_config(cases(3, 24))]
    #[test]
    fn a_fact_wakes_exactly_those_whose_stack_it_changed(
        deeds in prop::collection::vec((0usize..19, 0usize..48, 0usize..12), 1..20),
    ) {
        let mut small = readers();
        for (kind, of, value) in deeds {
            let (who, call) = call(&Deed { kind, of, value });
            let _ = small.try_act(who, call);
            if kind > 13 {
                small.run("3s");
            }
        }
        small.run("5s");
        judge(&small);
        prop_assert_eq!(small.replay().unwrap().difference, None);
    }
}

#[test]
#[ignore = "long: each kind of deed, with each condition"]
fn each_thing_that_can_be_done_wakes_somebody_and_each_path_its_reader() {
    let mut read = BTreeSet::new();
    for kind in 0..17 {
        let mut small = readers();
        for n in 0..CONDITIONS.len() * 3 {
            let (who, call) = call(&Deed { kind, of: n, value: n / CONDITIONS.len() });
            let _ = small.try_act(who, call);
            small.run("3s");
        }
        let woken = judge(&small);
        assert!(!woken.is_empty(), "{kind}");
        // Another flow or role wakes whatever is read.
        if !(11..15).contains(&kind) {
            read.extend(woken);
        }
    }
    for (at, condition) in CONDITIONS.iter().enumerate().filter(|(_, condition)| !condition.contains("me.name")) {
        assert!(read.contains(&format!("reader-{at}")), "{condition}");
    }
}

const TONE: &str = r#"flow = [{ when = { "space.quality.ambient.tone" = "quiet" }, role = "deaf" }]"#;

/// @ada's script counts; @pat is a person, and so is @kim, whose role is woken by change.
fn hall() -> Small {
    let mut source = source(&format!(
        r#"
[[space]]
path = "/hall"
[[space]]
path = "/yard"
[[being]]
name = "ada"
home = "/hall"
role = "free"
script = "count"
{TONE}
[[being]]
name = "pat"
home = "/hall"
cognition = "human"
role = "free"
{TONE}
[[being]]
name = "kim"
home = "/hall"
cognition = "human"
role = "heedful"
{TONE}
[[being]]
name = "far"
home = "/yard"
role = "free"
script = "count"
{TONE}
"#
    ));
    source.roles.push(role("heedful", "triggerOn: [message, signal, schedule, watch, change]"));
    Small::grow(&source, 1, 1)
}

fn tone(small: &mut Small, value: &str) {
    small.operate("/hall", "quality.set", args(&format!(r#"{{"path":"ambient.tone","value":"{value}"}}"#)));
}

/// The beings that have an open wake of a change.
fn waiting(small: &Small) -> Vec<String> {
    let world = small.world();
    world.living().filter(|being| due(&world, being).0.is_some()).map(|being| being.name.to_string()).collect()
}

#[test]
fn scripts_wake_unasked_and_others_only_where_a_role_says_so() {
    let mut small = hall();
    tone(&mut small, "quiet");
    assert_eq!(waiting(&small), ["ada", "kim"]);
    let world = small.world();
    let open = world.inbox().of(small.id_of("ada")).next().unwrap().clone();
    let Body::Change { wore } = &open.body else { panic!("{open:?}") };
    assert_eq!((wore[0].as_ref(), open.depth, open.root.map(|root| root.seq)), ("free", 1, Some(open.newest.seq)));
    assert_eq!(serde_json::to_value(world.told(&open)).unwrap()["wore"], serde_json::json!(["free"]));
    small.run("5s");
    assert_eq!(small.wakes("ada"), ["change"]);
    assert_eq!(small.reel("ada")[0].stack[0].role.as_ref(), "deaf");
    assert_eq!(small.reel("far").len() + small.reel("pat").len(), 0);
    // A change of nobody's stack wakes nobody, nor does one that only has its place in common with it.
    small.operate("/hall", "quality.set", args(r#"{"path":"ambient.light","value":3}"#));
    tone(&mut small, "quiet");
    small.run("5s");
    assert_eq!(small.wakes("ada"), ["change"]);
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn one_is_open_and_the_next_comes_no_sooner_than_the_setting_says() {
    let mut small = hall();
    for value in ["quiet", "loud", "quiet", "loud"] {
        tone(&mut small, value);
    }
    small.run("100ms");
    assert_eq!(small.wakes("ada"), ["change"], "four changes, one wake");
    tone(&mut small, "quiet");
    let hash = small.world().hash();
    small.reopen();
    assert_eq!(small.world().hash(), hash);
    small.run("5s");
    small.operate("@ada", "config.set", args(r#"{"key":"wakes.change","value":60000}"#));
    tone(&mut small, "loud");
    small.run("5m");
    let at: Vec<i64> = small.reel("ada").iter().map(|draft| draft.opened_at).collect();
    assert_eq!(at.iter().map(|opened| opened - at[0]).collect::<Vec<_>>(), [0, 1_000, 61_000]);
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn what_changes_while_it_thinks_wakes_it_once_more() {
    let mut small = hall();
    small.operate("/", "role.set", args(r#"{"name":"deaf","role":{"name":"deaf","canSee":["**"],"canDo":["**"],"thinks":"10s"}}"#));
    tone(&mut small, "quiet");
    small.run("3s");
    tone(&mut small, "loud");
    small.run("1m");
    let worn = |draft: &Draft| (draft.wake.kind.word(), draft.stack[0].role.to_string());
    let moments: Vec<_> = small.reel("ada").iter().map(worn).collect();
    assert_eq!(moments, [("change", "deaf".to_owned()), ("change", "free".to_owned())]);
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn who_is_left_with_nothing_to_wear_sleeps_until_it_is_dressed_again() {
    let mut small = hall();
    let guarded = r#"{"name":"deaf","role":{"name":"deaf","canSee":["**"],"canDo":["**"],"when":{"space.quality.t.open":true}}}"#;
    small.operate("@ada", "flow.default", args(r#"{"role":"deaf"}"#));
    small.run("5s");
    small.operate("/", "role.set", args(guarded));
    small.run("1m");
    assert_eq!(small.wakes("ada"), ["change"]);
    small.operate("/hall", "quality.set", args(r#"{"path":"t.open","value":true}"#));
    small.run("1m");
    assert_eq!(small.wakes("ada"), ["change", "change"]);
    assert_eq!(small.world().inbox().dead().count(), 0);
}

#[test]
fn a_signal_and_the_clock_wake_as_ever_and_not_twice() {
    let mut source = source(
        r#"
[[being]]
name = "ada"
home = "/"
role = "free"
script = "count"
flow = [
  { when = { "world.t.on" = true, "space.count" = { gte = 1 } }, role = "deaf" },
  { stack = true, when = { "time.sinceLastMoment" = { gte = 60 }, "me.quality.t.n" = { gte = 0 } }, role = "wide" },
]
"#,
    );
    source.roles.push(role("wide", ""));
    let mut small = Small::grow(&source, 1, 1);
    small.operate("/", "signal.set", args(r#"{"path":"t.on","value":true}"#));
    small.run("30s");
    assert_eq!(small.wakes("ada"), ["signal"]);
    // It tires of waiting, does something, and so waits no more: that is time's affair.
    small.run("100s");
    assert_eq!(small.wakes("ada"), ["signal", "crossing", "crossing"]);
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn what_changes_by_itself_for_ever_ends_at_the_brake_and_is_shown() {
    // Each act makes another role the previous one, and the flow reads that.
    let mut small = Small::plant(
        "[[space]]\npath = \"/hall\"\n[[being]]\nname = \"ada\"\nhome = \"/hall\"\nrole = \"free\"\nscript = \"count\"\nflow = [{ when = { \"me.previousRole\" = \"free\" }, role = \"deaf\" }]\n",
    );
    small.act("operator", Call::summon("@ada", args(r#"{"content":"go"}"#)));
    small.run("1h");
    // The summons is one deep, and each after it one deeper.
    assert_eq!(small.reel("ada").len(), 64);
    assert_eq!(small.world().inbox().dead().count(), 0);
    small.reopen();
    let world = small.world();
    let health = |place: &str| {
        let shown = reelm::verb::see(&world, world.being_named("operator").unwrap(), place, world.now()).unwrap();
        serde_json::to_value(shown).unwrap()["withheld"].clone()
    };
    assert_eq!([health("/.health"), health("/hall/.health")], [serde_json::json!({"@ada": 1}), serde_json::json!({"@ada": 1})]);
    assert_eq!(small.replay().unwrap().difference, None);
    // Somebody's deed begins anew.
    small.act("operator", Call::summon("@ada", args(r#"{"content":"go"}"#)));
    small.run("1h");
    assert_eq!(small.reel("ada").len(), 128);
}

#[test]
fn what_a_thing_carries_goes_on_with_whoever_a_change_wakes() {
    let mut source = source(&format!(
        "[[space]]\npath = \"/hall\"\n[[being]]\nname = \"ada\"\nhome = \"/hall\"\nrole = \"free\"\nscript = \"polish\"\n{TONE}\n"
    ));
    let polish = r#"fn think(face) { act("/hall/cup", "quality.inc", #{ path: "t.n" }) }"#;
    source.scripts.push(("polish".into(), "scripts/polish.rhai".into(), polish.into()));
    let mut small = Small::grow(&source, 1, 1);
    small.operate("/hall", "own.allow", args(r#"{"allow":["**"]}"#));
    small.operate("/hall", "matter.make", args(r#"{"name":"cup"}"#));
    let carried = |small: &Small| small.world().all_matter().next().unwrap().carried.unwrap();
    let brought = carried(&small);
    tone(&mut small, "quiet");
    small.run("5s");
    assert_eq!(small.reel("ada")[0].closing, Closing::Act);
    assert_eq!((carried(&small).root, carried(&small).depth), (brought.root, brought.depth + 1));
}
