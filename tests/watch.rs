//! Watches: who wakes when something happens to a thing, how often, and with which root?

use reelm::fact::{Call, Closing, Draft, WakeKind};
use reelm::role::{Spec, lint_watch};
use reelm::world::{Body, Wake};

use super::kit::{Small, args, code, source};

const PLACES: &str = r#"
[[space]]
path = "/hall"
allow = ["**"]
[[space]]
path = "/other"
allow = ["**"]
[[matter]]
at = "/hall"
name = "cup"
[[matter]]
at = "/other"
name = "bowl"
"#;

/// A small world with beings of roles of their own: `name home watch script`, and what the role says besides.
fn world(beings: &[(&str, &str, &str, &str, &str)]) -> Small {
    let mut text = PLACES.to_owned();
    for (name, home, _, script, _) in beings {
        text.push_str(&format!("[[being]]\nname = \"{name}\"\nhome = \"{home}\"\nrole = \"r-{name}\"\nscript = \"{script}\"\n"));
    }
    let mut source = source(&text);
    for (name, _, watch, _, more) in beings {
        let role = format!(
            "---\nname: r-{name}\ncanSee: ['**']\ncanDo: ['**']\ncanSummon: ['**']\ntriggerOn: [message, signal, schedule, watch]\nwatch: [{watch}]\n{more}\n---\n\nYou are in a test.\n"
        );
        source.roles.push(Spec::from_markdown("test.md", &role).unwrap_or_else(|error| panic!("{error}")));
    }
    Small::grow(&source, 1, 1)
}

fn watched(small: &Small, name: &str) -> Vec<Draft> {
    small.reel(name).into_iter().filter(|draft| draft.wake.kind == WakeKind::Watch).collect()
}

fn touch(small: &mut Small, thing: &str, path: &str) {
    small.operate(thing, "quality.inc", args(&format!(r#"{{"path":"{path}"}}"#)));
}

#[test]
fn whoever_may_come_to_wear_the_role_wakes_by_what_its_entries_mean_and_by_nothing_else() {
    let cases = [
        ("quality.inc", [true, true, true]),
        ("'quality.*'", [true, true, true]),
        ("{action: quality.inc, ns: stock}", [true, false, true]),
        ("{action: quality.inc, on: {rel: here}}", [true, true, false]),
        ("{action: quality.inc, on: '/hall/**'}", [true, true, false]),
        ("{action: quality.inc, on: '/hall/cup'}", [true, true, false]),
        ("{action: quality.inc, on: {pattern: 'other/*'}}", [false, false, true]),
        ("{action: quality.inc, on: bowl, ns: stock}", [false, false, true]),
        ("{action: quality.set, on: {rel: here}}", [false, false, false]),
        ("{action: quality.inc, on: {rel: self}}", [false, false, false]),
    ];
    for (entry, wanted) in cases {
        let mut small = world(&[("ada", "/hall", entry, "look", "")]);
        let mut wakes = |thing: &str, path: &str| {
            let before = watched(&small, "ada").len();
            touch(&mut small, thing, path);
            small.run("1m");
            watched(&small, "ada").len() > before
        };
        let found = [wakes("/hall/cup", "stock.n"), wakes("/hall/cup", "dirt.n"), wakes("/other/bowl", "stock.n")];
        assert_eq!(found, wanted, "{entry}");
        assert_eq!(small.replay().unwrap().difference, None);
    }
}

#[test]
fn a_relation_is_asked_about_whoever_watches() {
    let text = format!(
        "{PLACES}[[being]]\nname = \"eve\"\nhome = \"/hall\"\nrole = \"kin\"\nscript = \"look\"\n[[being]]\nname = \"cain\"\nhome = \"/other\"\nparent = \"@eve\"\nrole = \"parent\"\nscript = \"look\"\n[[being]]\nname = \"abel\"\nhome = \"/other\"\nparent = \"@eve\"\nrole = \"brother\"\nscript = \"look\"\n"
    );
    let mut source = source(&text);
    for (name, rel) in [("kin", "children"), ("parent", "parent"), ("brother", "predecessor")] {
        let role =
            format!("---\nname: {name}\ncanSee: ['**']\nwatch: [{{action: quality.inc, on: {{rel: {rel}}}}}]\n---\n\nYou are in a test.\n");
        source.roles.push(Spec::from_markdown("test.md", &role).unwrap());
    }
    let mut small = Small::grow(&source, 1, 1);
    let mut woken = |whom: &str| {
        let before = ["eve", "cain", "abel"].map(|name| watched(&small, name).len());
        touch(&mut small, whom, "t.n");
        small.run("1m");
        let after = ["eve", "cain", "abel"].map(|name| watched(&small, name).len());
        [0, 1, 2].map(|at| after[at] - before[at])
    };
    assert_eq!(woken("@cain"), [1, 0, 1]);
    assert_eq!(woken("@abel"), [1, 0, 0]);
    assert_eq!(woken("@eve"), [0, 1, 0]);
}

#[test]
fn nobody_wakes_by_its_own_act_and_one_fact_wakes_one_being_once() {
    let mut small = world(&[
        ("ada", "/hall", "quality.inc, {action: 'quality.*', on: {rel: here}}", "count", ""),
        ("bob", "/hall", "{action: quality.inc, on: '@ada'}", "look", ""),
    ]);
    small.act("operator", Call::summon("@ada", args(r#"{"content":"go"}"#)));
    small.run("1m");
    assert_eq!(small.wakes("ada"), ["summons"]);
    assert_eq!(small.wakes("bob"), ["watch"]);
    touch(&mut small, "/hall/cup", "t.n");
    small.run("1m");
    let own = watched(&small, "ada");
    assert_eq!((own.len(), own[0].closing.clone()), (1, Closing::Act), "two entries mean it, and the first names the wake");
}

#[test]
fn what_happens_meanwhile_is_counted_and_each_act_takes_one_off() {
    let mut small = world(&[("ada", "/hall", "{action: quality.inc, on: {rel: here}}", "count", "")]);
    small.operate("@ada", "pause.set", args("{}"));
    (0..3).for_each(|_| touch(&mut small, "/hall/cup", "t.n"));
    let world = small.world();
    let open: Vec<_> = world.inbox().of(small.id_of("ada")).collect();
    assert_eq!(open.len(), 1);
    let Body::Watch { count, action, .. } = &open[0].body else { panic!("{open:?}") };
    assert_eq!((*count, action.as_ref(), open[0].newest.seq), (3, "quality.inc", world.next_seq() - 1));
    let hash = world.hash();
    small.reopen();
    assert_eq!(small.world().hash(), hash);
    small.operate("@ada", "pause.end", args("{}"));
    small.run("1m");
    assert_eq!(watched(&small, "ada").len(), 3);

    // A look ends it, however much has happened.
    let mut small = world_of_looks();
    small.operate("@ada", "pause.set", args("{}"));
    (0..3).for_each(|_| touch(&mut small, "/hall/cup", "t.n"));
    small.operate("@ada", "pause.end", args("{}"));
    small.run("1m");
    assert_eq!(watched(&small, "ada").iter().map(code).collect::<Vec<_>>(), ["see"]);
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn what_happens_while_one_looks_has_not_been_seen() {
    let mut small = world(&[("ada", "/hall", "quality.inc", "look", ""), ("bob", "/hall", "", "count", "")]);
    // Both open in one round, and @bob closes first.
    small.act("operator", Call::summon("@bob", args(r#"{"content":"well?"}"#)));
    touch(&mut small, "/hall/cup", "t.n");
    small.run("1m");
    let (acted, looked) = (small.reel("bob"), watched(&small, "ada"));
    assert_eq!((acted[0].opened, acted[0].seq < looked[0].seq), (looked[0].opened, true));
    assert_eq!(looked.iter().map(code).collect::<Vec<_>>(), ["see", "see"]);
}

fn world_of_looks() -> Small {
    world(&[("ada", "/hall", "{action: quality.inc, on: {rel: here}}", "look", "")])
}

#[test]
fn who_may_not_see_the_thing_by_then_closes_it_unasked() {
    let blind = "canSee: [{rel: here}]".to_owned();
    let mut small = {
        let mut source = source(&format!("{PLACES}[[being]]\nname = \"ada\"\nhome = \"/hall\"\nrole = \"r\"\nscript = \"count\"\n"));
        let role = format!(
            "---\nname: r\n{blind}\ncanDo: ['**']\nwatch: [{{action: 'matter.*', on: '/**'}}, {{action: quality.inc, on: '/**'}}]\n---\n\nYou are in a test.\n"
        );
        source.roles.push(Spec::from_markdown("test.md", &role).unwrap());
        Small::grow(&source, 1, 1)
    };
    touch(&mut small, "/hall/cup", "t.n");
    small.run("1m");
    touch(&mut small, "/other/bowl", "t.n");
    small.run("1m");
    // A thing that is gone is asked for where it lay.
    small.operate("/hall/cup", "matter.end", args("{}"));
    small.run("1m");
    small.operate("/other/bowl", "matter.end", args("{}"));
    small.run("1m");
    assert_eq!(watched(&small, "ada").iter().map(code).collect::<Vec<_>>(), ["act", "see", "act", "see"]);
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn two_who_watch_each_other_end_at_the_brake() {
    let mut small = world(&[
        ("ada", "/hall", "{action: quality.inc, on: '@bob'}", "count", ""),
        ("bob", "/hall", "{action: quality.inc, on: '@ada'}", "count", ""),
    ]);
    small.act("operator", Call::summon("@ada", args(r#"{"content":"go"}"#)));
    small.run("1h");
    let last = [small.reel("ada"), small.reel("bob")].concat().into_iter().filter(|draft| code(draft) == "brake-depth").count();
    assert_eq!(last, 1);
    assert!(small.reel("ada").len() < 50);

    // The same over one thing that was brought in: what carries the count grows with it.
    let cup = [("toss", r#"fn think(face) { act("/hall/ball", "quality.inc", #{ path: "t.n" }) }"#)];
    let mut source = source(&format!(
        "{PLACES}[[being]]\nname = \"ada\"\nhome = \"/hall\"\nrole = \"r\"\nscript = \"toss\"\n[[being]]\nname = \"bob\"\nhome = \"/hall\"\nrole = \"r\"\nscript = \"toss\"\n"
    ));
    source.scripts.extend(cup.map(|(name, script)| (name.to_owned(), format!("scripts/{name}.rhai"), script.to_owned())));
    let role = "---\nname: r\ncanSee: ['**']\ncanDo: ['**']\nwatch: [{action: quality.inc, on: '/hall/**'}]\n---\n\nYou are in a test.\n";
    source.roles.push(Spec::from_markdown("test.md", role).unwrap());
    let mut small = Small::grow(&source, 1, 1);
    small.operate("/hall", "matter.make", args(r#"{"name":"ball","type":"ball"}"#));
    for _ in 0..2 {
        // A person takes it up again, and it begins anew.
        let before = small.reel("ada").len() + small.reel("bob").len();
        touch(&mut small, "/hall/ball", "t.n");
        small.run("1h");
        let moments = small.reel("ada").len() + small.reel("bob").len() - before;
        assert!((60..140).contains(&moments), "{moments}");
        assert!([small.reel("ada"), small.reel("bob")].concat().iter().any(|draft| code(draft) == "brake-depth"));
    }
}

/// Three stations; each takes the first thing of its own to the next, and the last ends it.
const LINE: &str = r#"
[[space]]
path = "/line"
allow = ["**"]
[[matter]]
at = "/line"
name = "one"
[[matter]]
at = "/line"
name = "two"
[[matter]]
at = "/line"
name = "three"
[[being]]
name = "first"
home = "/line"
role = "station"
script = "station"
quality.at = { here = "/line/one", next = "/line/two" }
[[being]]
name = "second"
home = "/line"
role = "station"
script = "station"
quality.at = { here = "/line/two", next = "/line/three" }
[[being]]
name = "third"
home = "/line"
role = "station"
script = "station"
quality.at = { here = "/line/three" }
[[being]]
name = "supply"
home = "/"
role = "free"
script = "supply"
[[being.schedule]]
name = "supply"
every = "1m"
"#;

fn line() -> Small {
    supplied_by("free")
}

fn supplied_by(role: &str) -> Small {
    let mut source = source(&LINE.replace("role = \"free\"", &format!("role = \"{role}\"")));
    let station = r#"fn think(face) {
        let at = face.me.qualities.at;
        let holds = see(at.here).holds;
        if holds.len() == 0 { return (); }
        let thing = at.here + "/" + holds[0];
        if at["next"] == () { return act(thing, "matter.end"); }
        act(thing, "move", #{ to: at["next"] })
    }"#;
    let supply = r#"fn think(face) { act("/line/one", "matter.make", #{ name: "thing-" + face.wake.due, type: "thing" }) }"#;
    for (name, script) in [("station", station), ("supply", supply)] {
        source.scripts.push((name.to_owned(), format!("scripts/{name}.rhai"), script.to_owned()));
    }
    let role = "---\nname: station\ncanSee: ['**']\ncanDo: ['**']\nwatch: [{action: move, on: {rel: here}}, {action: matter.make, on: {rel: here}}, {action: matter.end, on: {rel: here}}]\nselfContinue: true\nrest: 5s\n---\n\nYou are in a test.\n";
    let goes_on = "---\nname: goes-on\ncanSee: ['**']\ncanDo: ['**']\nselfContinue: true\nrest: 1s\n---\n\nYou are in a test.\n";
    source.roles.extend([role, goes_on].map(|role| Spec::from_markdown("test.md", role).unwrap()));
    Small::grow(&source, 1, 1)
}

#[test]
#[ignore = "long: twelve hours of an assembly line"]
fn a_station_passes_the_root_of_the_thing_so_depth_counts_stations_and_not_days() {
    let mut small = line();
    small.run("12h");
    let world = small.world();
    let dead: Vec<String> = world.inbox().dead().map(|(_, letter)| letter.reason.to_string()).collect();
    assert_eq!(dead, Vec::<String>::new());
    let ended = small.reel("third").iter().filter(|draft| draft.closing == Closing::Act).count();
    assert!((715..=720).contains(&ended), "{ended}");
    // An open wake has come no deeper than a thing has stations.
    assert!(world.inbox().due().flat_map(|(_, being)| world.inbox().of(being)).all(|wake| wake.depth < 12));
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn whoever_is_woken_by_what_comes_into_the_world_goes_on_with_its_root() {
    // By the clock first, then by itself: what it goes on with has a root, and each thing one of its own.
    let mut small = supplied_by("goes-on");
    assert!(small.world().all_matter().all(|planted| planted.carried.is_none()), "what is planted was always there");
    for acts in [1, 2, 3] {
        while small.reel("supply").iter().filter(|draft| draft.closing == Closing::Act).count() < acts {
            small.moments(1, i64::MAX);
        }
        let (world, first) = (small.world(), small.id_of("first"));
        let is_making = |wake: &&std::sync::Arc<Wake>| matches!(&wake.body, Body::Watch { action, .. } if action.as_ref() == "matter.make");
        let wake = world.inbox().of(first).find(is_making).unwrap();
        let made = world.all_matter().last().unwrap();
        assert_eq!((wake.root, wake.depth), (Some(made.id.0), 1), "{acts}");
        small.run("1ms");
    }
}

#[test]
fn who_rests_after_an_act_is_woken_by_a_watch_or_by_itself_no_sooner() {
    let mut small = line();
    small.run("1h");
    for name in ["first", "second", "third"] {
        let acts: Vec<i64> = small.reel(name).iter().filter(|draft| draft.closing == Closing::Act).map(|draft| draft.at).collect();
        assert!(acts.windows(2).all(|pair| pair[1] - pair[0] >= 5_000), "{name}: {acts:?}");
        assert!(acts.len() > 50);
    }
}

#[test]
fn who_watches_the_place_where_it_stands_watches_another_once_it_has_moved() {
    let mut small = world(&[("ada", "/hall", "{action: quality.inc, on: {rel: here}}", "count", "")]);
    small.operate("@ada", "move", args(r#"{"to":"/other"}"#));
    for (thing, count) in [("/hall/cup", 0), ("/other/bowl", 1), ("/hall/cup", 1)] {
        touch(&mut small, thing, "t.n");
        small.run("1m");
        assert_eq!(watched(&small, "ada").len(), count, "{thing}");
    }
    small.reopen();
    touch(&mut small, "/other/bowl", "t.n");
    small.run("1m");
    assert_eq!(watched(&small, "ada").len(), 2);
}

#[test]
fn two_watches_of_one_who_rests_are_answered_one_rest_apart() {
    let mut small = world(&[("ada", "/hall", "quality.inc, quality.set", "count", "rest: 10s")]);
    let acts = |small: &Small| small.reel("ada").iter().map(|draft| draft.at).collect::<Vec<_>>();
    // Both are open when the first of them is answered.
    touch(&mut small, "/hall/cup", "t.n");
    small.operate("/hall/cup", "quality.set", args(r#"{"path":"t.m","value":1}"#));
    small.moments(1, i64::MAX);
    small.run("1m");
    assert!(acts(&small).windows(2).all(|pair| pair[1] - pair[0] >= 10_000), "{:?}", acts(&small));
    // And one that comes while it rests waits as well.
    touch(&mut small, "/hall/cup", "t.n");
    small.moments(1, i64::MAX);
    touch(&mut small, "/hall/cup", "t.n");
    small.run("1m");
    let acts = acts(&small);
    assert!(acts.len() == 4 && acts[3] - acts[2] >= 10_000, "{acts:?}");
}

#[test]
fn who_takes_its_own_watch_off_by_an_act_rests_as_it_said_before() {
    let mut source =
        source(&format!("{PLACES}[[being]]\nname = \"ada\"\nhome = \"/hall\"\nrole = \"watching\"\nscript = \"off\"\ngrants = [\"*\"]\n"));
    let off = r#"fn think(face) { act(face.me.address, "flow.default", #{ role: "free" }) }"#;
    source.scripts.push(("off".to_owned(), "scripts/off.rhai".to_owned(), off.to_owned()));
    let role = "---\nname: watching\ncanSee: ['**']\ncanDo: ['**']\nwatch: [quality.inc]\nrest: 10s\n---\n\nYou are in a test.\n";
    source.roles.push(Spec::from_markdown("test.md", role).unwrap());
    let mut small = Small::grow(&source, 1, 1);
    small.operate("@ada", "pause.set", args("{}"));
    (0..2).for_each(|_| touch(&mut small, "/hall/cup", "t.n"));
    small.operate("@ada", "pause.end", args("{}"));
    small.moments(1, i64::MAX);
    let acted = small.reel("ada").pop().unwrap();
    assert_eq!(code(&acted), "act");
    let world = small.world();
    let due: Vec<i64> =
        world.inbox().of(acted.being).filter(|wake| wake.id.kind == WakeKind::Watch).map(|wake| wake.id.due - acted.at).collect();
    assert_eq!(due, [10_000]);
}

#[test]
fn an_operation_of_an_extension_and_one_on_identity_are_watched_by_their_names() {
    let mut small =
        world(&[("ada", "/hall", "be.birth", "look", ""), ("bob", "/hall", "config.set", "look", ""), ("cy", "/hall", "say", "look", "")]);
    // A refused act has not happened.
    for call in [
        Call::be("birth", args(r#"{"name":"","cognition":"script"}"#)),
        Call::doing("/", "config.set", args(r#"{"key":"absense","value":"skip"}"#)),
    ] {
        assert!(matches!(small.act("operator", call).closing, Closing::Refused(_)));
    }
    small.run("1m");
    assert_eq!(["ada", "bob", "cy"].map(|name| small.wakes(name).len()), [0, 0, 0]);
    small.act("operator", Call::be("birth", args(r#"{"name":"dee","cognition":"script","defaultRole":"deaf"}"#)));
    small.operate("/", "config.set", args(r#"{"key":"absence","value":"skip"}"#));
    small.operate("@operator", "move", args(r#"{"to":"/hall"}"#));
    small.operate("/hall", "say", args(r#"{"content":"hello"}"#));
    small.run("1m");
    for name in ["ada", "bob", "cy"] {
        assert_eq!(small.wakes(name), ["watch"], "{name}");
    }
}

#[test]
fn a_watch_of_everything_and_an_action_that_nobody_knows_are_told() {
    let warned = |watch: &str| {
        let spec = Spec::from_markdown("a.md", &format!("---\nname: a\nwatch: [{watch}]\n---\n\nWords.\n")).unwrap();
        let told = lint_watch(&spec, &["quality.set".into(), "say".into(), "shop:sell".into()]);
        told.into_iter().map(|warning| format!("{} {}", warning.place, warning.what)).collect::<Vec<_>>()
    };
    assert_eq!(warned("{action: 'quality.*', on: {rel: here}}"), Vec::<String>::new());
    assert_eq!(warned("{action: '**', on: {rel: here}}"), Vec::<String>::new());
    assert!(warned("'**'")[0].starts_with("watch[0] "));
    assert_eq!(warned("say, quality.sett"), ["watch[1] nobody can do `quality.sett`, so this watches for nothing"]);
    assert_eq!(warned("'shop:sel'"), ["watch[0] nobody can do `shop:sel`, so this watches for nothing"]);
    assert_eq!(warned("'other:sell', 'shop:*'"), Vec::<String>::new(), "what another extension brings is not known yet");
    assert!(warned("{action: say, on: {rel: caller}}")[0].starts_with("watch[0].on"));
    let most = vec!["say"; 65].join(", ");
    assert!(Spec::from_markdown("a.md", &format!("---\nname: a\nwatch: [{most}]\n---\n\nWords.\n")).is_err());
    assert!(Spec::from_markdown("a.md", "---\nname: a\nwatch: [{rel: here}]\n---\n\nWords.\n").is_err(), "what is watched is an action");
}
