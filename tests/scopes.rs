//! Scopes: is what an extension offers there where it holds and nowhere else, and does no wake die of it?

use std::collections::BTreeMap;

use proptest::prelude::*;
use reelm::extension::Package;
use reelm::fact::{Call, Closing, Draft, Value, WakeKind};
use reelm::source::Source;
use reelm::verb::see;
use reelm::world::World;
use serde_json::json;

use super::kit::{self, Small, args, cases, code, source};
use super::terminal::Terminal;

pub fn package(name: &str, needs: &str, more: &[(&str, &str)]) -> Package {
    let manifest = format!("name = \"{name}\"\nversion = \"1.0.0\"\nneeds = {{ {needs} }}\n");
    let tail = more.iter().find(|(file, _)| file.is_empty()).map_or("", |(_, tail)| tail);
    let manifest = manifest + tail;
    let files: Vec<_> = more.iter().copied().filter(|(file, _)| !file.is_empty()).chain([("manifest.toml", &*manifest)]).collect();
    kit::package(name, &files)
}

/// A player wears `chess:player`; the board is its view.
fn chess() -> Package {
    let tail = "[[operation]]\nname = \"mark\"\nscript = \"ops/mark.rhai\"\ntouches = [\"target\"]\n[[resolver]]\nname = \"board\"\nscript = \"resolvers/board.rhai\"\n";
    package(
        "chess",
        "",
        &[
            ("", tail),
            ("ops/mark.rhai", r#"fn run(ctx) { act(ctx.target.address, "quality.inc", #{ path: "chess.n" }) }"#),
            ("resolvers/board.rhai", r#"fn resolve(face) { "a board" }"#),
            (
                "roles/player.md",
                "---\nname: player\ncanSee: ['**']\ncanDo: ['**']\nsee: ['chess:board']\ntriggerOn: [message, signal, schedule, watch, hear]\n---\nYou play.\n",
            ),
        ],
    )
}

const PLACES: &str = r#"
[[space]]
path = "/club"
[[space]]
path = "/quiet"
[[space]]
path = "/quiet/nook"
[[being]]
name = "ada"
home = "/club"
role = "chess:player"
script = "count"
[[being]]
name = "bob"
home = "/club"
role = "mute"
flow = [{ role = "chess:player" }]
script = "count"
[[being]]
name = "pat"
home = "/club"
role = "chess:player"
cognition = "human"
"#;

fn places(more: &str) -> Source {
    let mut places = source(&format!("{PLACES}{more}"));
    places.extensions.push(chess());
    places
}

fn scope(small: &mut Small, place: &str, value: &str) -> String {
    code(&small.act("operator", Call::doing(place, "config.set", args(&format!(r#"{{"key":"extensions","value":{value}}}"#)))))
}

fn enable(small: &mut Small, name: &str, enabled: bool) -> String {
    code(&small.act("operator", Call::doing("/", "extension.set", args(&format!(r#"{{"name":"{name}","enabled":{enabled}}}"#)))))
}

fn say(small: &mut Small, whom: &str) {
    small.act("operator", Call::summon(whom, args(r#"{"content":"go"}"#)));
}

/// The primary of the newest moment of a being.
fn wore(small: &Small, name: &str) -> String {
    small.reel(name).last().unwrap().stack[0].role.to_string()
}

pub fn shown(small: &Small, address: &str) -> Value {
    let world = small.world();
    see(&world, world.being_named("operator").unwrap(), address, world.now()).unwrap()
}

#[test]
fn a_role_that_is_out_of_scope_is_as_if_it_were_not_registered_and_the_flow_falls_through() {
    let mut small = Small::grow(&places(""), 1, 1);
    assert_eq!(scope(&mut small, "/quiet", r#"{"blocked":["chess"]}"#), "act");
    let goes = |small: &mut Small, to: &str| {
        small.operate("@bob", "move", args(&format!(r#"{{"to":"{to}"}}"#)));
        say(small, "@bob");
        small.run("1s");
        wore(small, "bob")
    };
    assert_eq!(
        ["/club", "/quiet", "/quiet/nook", "/club"].map(|to| goes(&mut small, to)),
        ["chess:player", "mute", "mute", "chess:player"]
    );
    assert_eq!(scope(&mut small, "/quiet", r#"{"only":["chess"]}"#), "act");
    assert_eq!(scope(&mut small, "/quiet/nook", r#"{"only":[]}"#), "act");
    assert_eq!(["/quiet", "/quiet/nook"].map(|to| goes(&mut small, to)), ["chess:player", "mute"]);
    assert_eq!(enable(&mut small, "chess", false), "act");
    say(&mut small, "@bob");
    small.operate("@bob", "move", args(r#"{"to":"/club"}"#));
    small.run("1s");
    assert_eq!(wore(&small, "bob"), "mute", "a disabled extension holds nowhere");
    let hash = small.world().hash();
    small.reopen();
    assert_eq!(small.world().hash(), hash);
    assert_eq!(small.replay().unwrap().difference, None);
}

/// The moments of a being that no change of what it wears has opened.
fn asked(small: &Small, name: &str) -> Vec<Draft> {
    small.reel(name).into_iter().filter(|draft| draft.wake.kind != WakeKind::Change).collect()
}

#[test]
fn who_has_nothing_to_wear_is_held_with_its_wakes_and_shown_and_goes_on_when_it_has() {
    for by_scope in [true, false] {
        let mut small = Small::grow(&places(""), 1, 1);
        let out = |small: &mut Small, out: bool| {
            let done = match by_scope {
                true => scope(small, "/club", if out { r#"{"blocked":["chess"]}"# } else { "null" }),
                false => enable(small, "chess", !out),
            };
            assert_eq!(done, "act");
        };
        say(&mut small, "@ada");
        small.run("1s");
        let (moments, undressed) = (small.reel("ada").len(), Value::Bool(true));
        assert_eq!(shown(&small, "@ada").get("undressed"), None);
        out(&mut small, true);
        (0..50).for_each(|_| say(&mut small, "@ada"));
        small.operate("@ada", "schedule.set", args(r#"{"name":"tick","every":"10s"}"#));
        let ran = small.run("1h");
        assert_eq!(small.reel("ada").len(), moments, "no moment, no attempt");
        // @bob falls back to another role there, and wakes by that.
        assert_eq!(ran.tally.moments() as usize, small.woken_by("bob", WakeKind::Change).len());
        let open = small.world().inbox().of(small.id_of("ada")).count();
        assert_eq!((open, small.world().inbox().dead().count()), (51, 0), "fifty words, and the schedule's one tick");
        assert_eq!(shown(&small, "@ada").get("undressed"), Some(&undressed));
        assert_eq!(shown(&small, "@bob").get("undressed"), None);
        let health = shown(&small, "/.health");
        assert_eq!(health.get("undressed"), Some(&args(r#"["@ada","@pat"]"#)), "{health}");
        assert_eq!(shown(&small, "/club/.health").get("undressed"), health.get("undressed"));
        assert_eq!(shown(&small, "/quiet/.health").get("undressed"), Some(&args("[]")));
        // A person's act is refused by name, and closes none of their wakes.
        assert_eq!(code(&small.act("pat", Call::see("/"))), "undressed");
        let hash = small.world().hash();
        small.reopen();
        assert_eq!(small.world().hash(), hash);
        out(&mut small, false);
        small.run("5s");
        assert_eq!(asked(&small, "ada").len(), moments + 51, "every wake has had its moment");
        assert!(small.reel("ada").iter().all(|draft| draft.closing == Closing::Act && draft.attempt == 1));
        assert_eq!(small.replay().unwrap().difference, None);
    }
}

#[test]
fn whoever_walks_out_of_scope_is_held_there_and_goes_on_elsewhere() {
    let mut small = Small::grow(&places(""), 1, 1);
    assert_eq!(scope(&mut small, "/quiet", r#"{"blocked":["chess"]}"#), "act");
    small.operate("@ada", "move", args(r#"{"to":"/quiet/nook"}"#));
    say(&mut small, "@ada");
    small.run("1m");
    assert_eq!((small.reel("ada").len(), shown(&small, "@ada").get("undressed").is_some()), (0, true));
    small.operate("@ada", "move", args(r#"{"to":"/club"}"#));
    small.run("1m");
    assert_eq!(small.reel("ada").len(), 1);
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn who_has_no_role_even_so_fails_as_ever() {
    let mut small = Small::grow(
        &places(
            "[[being]]\nname = \"eve\"\nhome = \"/club\"\nflow = [{ role = \"chess:player\", when = { \"world.t.never\" = true } }]\nscript = \"count\"\n",
        ),
        1,
        1,
    );
    assert_eq!(enable(&mut small, "chess", false), "act");
    say(&mut small, "@eve");
    small.run("1h");
    assert_eq!(small.reel("eve").iter().map(code).collect::<Vec<_>>(), ["no-role"; 3]);
    assert_eq!(small.world().inbox().dead().count(), 1);
}

#[test]
fn a_resolver_that_is_out_of_scope_shows_nothing() {
    let mut world = places("[[being]]\nname = \"eve\"\nhome = \"/club\"\nrole = \"seer\"\nscript = \"tell\"\n");
    let role = "---\nname: seer\ncanSee: ['**']\ncanDo: ['quality.*']\nsee: ['chess:board']\ntriggerOn: [message, signal, schedule, watch]\n---\nYou see.\n";
    world.roles.push(reelm::role::Spec::from_markdown("seer.md", role).unwrap());
    let tell = r#"fn think(face) { act(face.me.address, "quality.push", #{ path: "t.seen", value: "chess:board" in face.see }) }"#;
    world.scripts.push(("tell".to_owned(), "scripts/tell.rhai".to_owned(), tell.to_owned()));
    let mut small = Small::grow(&world, 1, 1);
    let mut look = |scoped: &str| {
        assert_eq!(scope(&mut small, "/club", scoped), "act");
        say(&mut small, "@eve");
        small.run("1s");
    };
    look(r#"{"only":["chess"]}"#);
    look(r#"{"blocked":["chess"]}"#);
    look(r#"{"blocked":["chess"],"only":["chess"]}"#);
    look(r#"{"blocked":[]}"#);
    assert_eq!(small.quality("eve", "t.seen").to_string(), "[true,false,false,true]");
}

/// In one round: @sue, who is heard first, disables chess, or carries the room in which they are to where it is blocked; the others have opened
/// their moments before.
#[test]
fn what_goes_out_of_scope_between_opening_and_close_counts_as_a_changed_role_and_keeps_the_wake_of_whoever_is_undressed() {
    goes_out(r#"act("/", "extension.set", #{ name: "chess", enabled: false })"#, |small| enable(small, "chess", true));
    goes_out(r#"act("/club", "move", #{ to: "/quiet" })"#, |small| scope(small, "/quiet", "null"));
}

fn goes_out(deed: &str, back: impl Fn(&mut Small) -> String) {
    let mut world = places(
        "[[being]]\nname = \"eve\"\nhome = \"/club\"\nrole = \"free\"\nscript = \"mark\"\n[[being]]\nname = \"sue\"\nhome = \"/club\"\nrole = \"clerk\"\nscript = \"disable\"\n",
    );
    // She does it for the operator, who asks her to.
    let clerk = "---\nname: clerk\ncanDo: ['**']\nactsForCaller: true\ntriggerOn: [message, signal, schedule, watch]\n---\nYou do as you are told.\n";
    world.roles.push(reelm::role::Spec::from_markdown("clerk.md", clerk).unwrap());
    world.scripts.push(("disable".to_owned(), "scripts/disable.rhai".to_owned(), format!("fn think(face) {{ {deed} }}")));
    let mark = r#"fn think(face) { act(face.me.address, "chess:mark") }"#;
    world.scripts.push(("mark".to_owned(), "scripts/mark.rhai".to_owned(), mark.to_owned()));
    let mut small = Small::grow(&world, 1, 1);
    assert_eq!(scope(&mut small, "/quiet", r#"{"blocked":["chess"]}"#), "act");
    for whom in ["@ada", "@bob", "@eve"] {
        say(&mut small, whom);
    }
    small.act("operator", Call::summon("@sue", args(r#"{"content":"now","rank":"urgent"}"#)));
    small.run("1h");
    let closings = |name: &str| asked(&small, name).iter().map(code).collect::<Vec<_>>();
    assert_eq!((closings("sue"), closings("eve")), (vec!["act".to_owned()], vec!["role-changed".to_owned()]));
    assert_eq!(closings("bob"), ["act"], "what he wears now allows it as well");
    assert_eq!(closings("ada"), ["undressed"], "she opened, and has nothing to wear any more");
    assert_eq!((small.world().inbox().of(small.id_of("ada")).count(), small.world().inbox().dead().count()), (1, 0));
    assert_eq!(back(&mut small), "act");
    small.run("1s");
    assert_eq!(asked(&small, "ada").iter().map(code).collect::<Vec<_>>(), ["undressed", "act"]);
    assert_eq!(small.replay().unwrap().difference, None);
}

/// The operator wears what an extension brings, and is never left without.
#[test]
fn the_operator_is_led_by_no_door_to_where_nothing_is_left_to_wear() {
    let mut world = source(
        "[[space]]\npath = \"/quiet\"\n[[space]]\npath = \"/office\"\n[[being]]\nname = \"ned\"\nhome = \"/\"\ncognition = \"human\"\n",
    );
    world.extensions = vec![package("c", "", &[("roles/chief.md", "---\nname: chief\ncanSee: ['**']\ncanDo: ['**']\n---\nYou lead.\n")])];
    let mut small = Small::grow(&world, 1, 1);
    let blocked = r#"{"blocked":["c"]}"#;
    small.operate("@operator", "flow.default", args(r#"{"role":"c:chief"}"#));
    let moved = |small: &mut Small, what: &str, to: &str| {
        code(&small.act("operator", Call::doing(what, "move", args(&format!(r#"{{"to":"{to}"}}"#)))))
    };
    let does = |small: &mut Small, action: &str, json: &str| {
        code(&small.act("operator", Call::doing(if action == "config.set" { "/" } else { "@operator" }, action, args(json))))
    };
    assert_eq!(does(&mut small, "flow.default", r#"{"role":null}"#), "needed");
    assert_eq!(does(&mut small, "config.set", r#"{"key":"operator","value":"ned"}"#), "needed", "he has nothing to wear");
    assert_eq!(scope(&mut small, "/", blocked), "needed");
    assert_eq!(scope(&mut small, "/quiet", blocked), "act");
    assert_eq!(moved(&mut small, "@operator", "/quiet"), "needed");
    assert_eq!(moved(&mut small, "@operator", "/office"), "act");
    assert_eq!(scope(&mut small, "/office", blocked), "needed");
    assert_eq!(moved(&mut small, "/office", "/quiet"), "needed", "nor with the room in which it stands");
    assert_eq!(moved(&mut small, "@operator", "/"), "act");
    assert_eq!(moved(&mut small, "/office", "/quiet"), "act");
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn a_wake_for_which_a_role_never_holds_fails_and_keeps_no_other_behind_it() {
    let mut world = source(
        "[[being]]\nname = \"eve\"\nhome = \"/\"\nrole = \"shy\"\nscript = \"count\"\n[[being]]\nname = \"bob\"\nhome = \"/\"\nrole = \"free\"\ncognition = \"human\"\n",
    );
    let shy = "---\nname: shy\nwhen: { caller.name: bob, or: [{ world.t.open: true }, { verb: be }] }\ncanSee: ['**']\ncanDo: ['**']\ntriggerOn: [message, signal, schedule, watch]\n---\nYou are shy.\n";
    world.roles.push(reelm::role::Spec::from_markdown("shy.md", shy).unwrap());
    let mut small = Small::grow(&world, 1, 1);
    say(&mut small, "@eve");
    small.act("bob", Call::summon("@eve", args(r#"{"content":"go"}"#)));
    small.run("1h");
    let asked = |draft: &&reelm::fact::Draft| draft.wake.kind == WakeKind::Summons;
    let closings = |small: &Small| small.reel("eve").iter().filter(asked).map(code).collect::<Vec<_>>();
    assert_eq!(closings(&small), ["no-role"], "the operator is not @bob, and never will be");
    assert_eq!(shown(&small, "@eve").get("undressed"), Some(&Value::Bool(true)), "what @bob said waits for the signal");
    small.operate("/", "signal.set", args(r#"{"path":"t.open","value":true}"#));
    small.run("1h");
    assert_eq!(closings(&small), ["no-role", "act", "no-role", "no-role"]);
    assert_eq!(small.world().inbox().of(small.id_of("eve")).count(), 0);
    assert_eq!(small.replay().unwrap().difference, None);
}

/// The caller has another cognition by then: somebody drives it.
#[test]
fn a_wake_for_which_a_role_may_yet_hold_waits_for_that() {
    let mut world = source(
        "[[being]]\nname = \"eve\"\nhome = \"/\"\nrole = \"shy\"\nscript = \"count\"\n[[being]]\nname = \"bob\"\nhome = \"/\"\nrole = \"free\"\nscript = \"hail\"\n",
    );
    let shy = "---\nname: shy\nwhen: { caller.cognition: human }\ncanSee: ['**']\ncanDo: ['**']\ntriggerOn: [message, signal, schedule, watch]\n---\nYou are shy.\n";
    world.roles.push(reelm::role::Spec::from_markdown("shy.md", shy).unwrap());
    let hail = r#"fn think(face) { summon("@eve", #{ content: "go" }) }"#;
    world.scripts.push(("hail".to_owned(), "scripts/hail.rhai".to_owned(), hail.to_owned()));
    let mut small = Small::grow(&world, 1, 1);
    say(&mut small, "@bob");
    small.run("1s");
    assert_eq!((small.reel("bob").len(), small.reel("eve").len()), (1, 0));
    assert_eq!(shown(&small, "@eve").get("undressed"), Some(&Value::Bool(true)));
    assert_eq!(code(&small.act("operator", Call::be("inhabit", args(r#"{"being":"@bob"}"#)))), "act");
    small.run("1s");
    assert_eq!(small.reel("eve").iter().map(code).collect::<Vec<_>>(), ["act"]);
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn a_source_in_which_only_some_extensions_are_enabled_is_applied_whatever_was_disabled_before() {
    let chess = |version: &str| package("chess", "", &[("", &format!("description = \"{version}\"\n"))]);
    let club = |more: &str, only: &[&str]| {
        let mut club = source("");
        let list = [chess("one"), package("clock", "", &[]), package("league", "chess = \"1\"", &[("", more)])];
        club.extensions.extend(list);
        club.only = Some(only.iter().map(|name| (*name).to_owned()).collect());
        club
    };
    let enabled = |small: &Small| {
        let world = small.world();
        let list = world.registry().extensions.values().filter(|extension| extension.enabled);
        list.map(|extension| extension.name.to_string()).collect::<Vec<_>>()
    };
    let mut first = club("", &["clock"]);
    first.extensions.truncate(2);
    let mut small = Small::grow(&first, 1, 1);
    assert_eq!(enabled(&small), ["clock"]);
    // New, and what it needs is there and disabled.
    small.living().apply(&club("", &["league"])).unwrap();
    assert_eq!(enabled(&small), ["chess", "league"]);
    small.living().apply(&club("", &["clock"])).unwrap();
    assert_eq!(enabled(&small), ["clock"]);
    // Another version of what is not chosen: nothing is enabled for it.
    small.living().apply(&club("description = \"two\"\n", &["clock"])).unwrap();
    assert_eq!(enabled(&small), ["clock"]);
    assert_eq!(small.living().apply(&club("description = \"two\"\n", &["clock"])).unwrap(), Vec::<String>::new());
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn what_a_role_watches_for_while_it_is_out_of_scope_waits_for_its_wearer() {
    let mut world = source(
        "[[space]]\npath = \"/club\"\n[[space]]\npath = \"/quiet\"\n[[being]]\nname = \"gus\"\nhome = \"/club\"\nrole = \"post:guard\"\nscript = \"count\"\n",
    );
    let guard = "---\nname: guard\ncanSee: ['**']\ncanDo: ['**']\nwatch: [{ action: quality.set, on: '/club' }]\n---\nYou keep watch.\n";
    world.extensions = vec![package("post", "", &[("roles/guard.md", guard)])];
    let mut small = Small::grow(&world, 1, 1);
    assert_eq!(enable(&mut small, "post", false), "act");
    // Listed anew, where the role is out of scope.
    for to in ["/quiet", "/club"] {
        small.operate("@gus", "move", args(&format!(r#"{{"to":"{to}"}}"#)));
    }
    small.operate("/club", "quality.set", args(r#"{"path":"t.n","value":1}"#));
    small.run("1m");
    assert_eq!((small.reel("gus").len(), small.world().inbox().of(small.id_of("gus")).count()), (0, 1));
    assert_eq!(enable(&mut small, "post", true), "act");
    small.run("1m");
    assert_eq!(small.wakes("gus"), ["watch", "change"]);
    assert_eq!(small.replay().unwrap().difference, None);
}

/// A being that goes on by itself does so when it may again, though its own act led it out of scope.
#[test]
fn who_walks_out_of_scope_by_its_own_act_has_lost_nothing_of_what_it_would_have_gone_on_with() {
    let mut world = source(
        "[[space]]\npath = \"/club\"\n[[space]]\npath = \"/quiet\"\n[[being]]\nname = \"zoe\"\nhome = \"/club\"\nrole = \"roam:walker\"\nscript = \"walk\"\n",
    );
    world.extensions = vec![package(
        "roam",
        "",
        &[(
            "roles/walker.md",
            "---\nname: walker\ncanSee: ['**']\ncanDo: ['**']\nselfContinue: true\ntriggerOn: [message, signal, schedule, watch]\n---\nYou walk.\n",
        )],
    )];
    let walk = r#"fn think(face) { if face.me.position == "/club" { act(face.me.address, "move", #{ to: "/quiet" }) } }"#;
    world.scripts.push(("walk".to_owned(), "scripts/walk.rhai".to_owned(), walk.to_owned()));
    let mut small = Small::grow(&world, 1, 1);
    assert_eq!(scope(&mut small, "/quiet", r#"{"only":[]}"#), "act");
    say(&mut small, "@zoe");
    small.run("1m");
    assert_eq!((small.reel("zoe").len(), small.world().inbox().of(small.id_of("zoe")).count()), (1, 1));
    assert_eq!(scope(&mut small, "/quiet", "null"), "act");
    small.run("1m");
    assert_eq!(asked(&small, "zoe").len(), 2);
    assert_eq!(small.replay().unwrap().difference, None);
}

/// A barrier has six doors: an act, a step of another operation, `be`, a deputy, a gesture, and moving a thing in.
#[test]
fn a_scope_is_shut_at_every_door() {
    let mut world = places(
        "[[being]]\nname = \"eve\"\nhome = \"/quiet\"\nrole = \"free\"\nscript = \"mark\"\n\
         [[being]]\nname = \"sue\"\nhome = \"/club\"\nrole = \"clerk\"\nscript = \"markclub\"\n\
         [[being]]\nname = \"cal\"\nhome = \"/quiet\"\nrole = \"free\"\ncognition = \"human\"\n\
         [[being]]\nname = \"jo\"\nhome = \"/quiet\"\nrole = \"chess:player\"\nscript = \"breed\"\n",
    );
    let clerk = "---\nname: clerk\ncanSee: ['**']\ncanDo: ['**']\nactsForCaller: true\ntriggerOn: [message, signal, schedule, watch]\n---\nYou do as you are told.\n";
    world.roles.push(reelm::role::Spec::from_markdown("clerk.md", clerk).unwrap());
    world.extensions.push(package(
        "cart",
        "",
        &[
            ("", "[[operation]]\nname = \"bring\"\nscript = \"ops/bring.rhai\"\ntouches = [\"target\"]\n[[operation]]\nname = \"touch\"\nscript = \"ops/touch.rhai\"\ntouches = [\"target\"]\n"),
            ("ops/bring.rhai", r#"fn run(ctx) { act(ctx.target.address, "move", #{ to: "/quiet" }) }"#),
            ("ops/touch.rhai", r#"fn run(ctx) { act(ctx.target.address, "quality.inc", #{ path: "cart.n" }) }"#),
        ],
    ));
    for (name, script) in [
        ("mark", r#"fn think(face) { act(face.me.address, "chess:mark") }"#),
        ("markclub", r#"fn think(face) { act("/club", "chess:mark") }"#),
        ("breed", r#"fn think(face) { be("birth", #{ name: "kid", role: "mute" }) }"#),
    ] {
        world.scripts.push((name.to_owned(), format!("scripts/{name}.rhai"), script.to_owned()));
    }
    let mut small = Small::grow(&world, 1, 1);
    small.operate("/club", "matter.make", args(r#"{"name":"box"}"#));
    small.operate("/club", "own.allow", args(r#"{"allow":["chess:*","cart:*"]}"#));
    assert_eq!(scope(&mut small, "/quiet", r#"{"only":[]}"#), "act");
    // An act, by a script; `be` of one who has only what is out of scope; a deputy, for one who stands there.
    say(&mut small, "@eve");
    say(&mut small, "@jo");
    small.act("cal", Call::summon("@sue", args(r#"{"content":"mark it for me"}"#)));
    small.run("1m");
    let last = |small: &Small, name: &str| small.reel(name).last().map(code);
    assert_eq!(last(&small, "eve").as_deref(), Some("gate-scope"));
    assert_eq!((last(&small, "jo"), small.world().being_named("kid").is_none()), (None, true));
    assert_eq!(last(&small, "sue").as_deref(), Some("gate-scope"));
    // A gesture, and the step that brings a thing in; what a step touches there is refused as well.
    let mut done = |who: &str, target: &str, action: &str| code(&small.act(who, Call::doing(target, action, args("{}"))));
    assert_eq!(done("cal", "@cal", "chess:mark"), "gate-scope");
    assert_eq!(done("operator", "/club/box", "cart:touch"), "act");
    assert_eq!(done("operator", "/club/box", "cart:bring"), "gate-scope");
    assert_eq!(code(&small.act("operator", Call::doing("/club/box", "move", args(r#"{"to":"/quiet"}"#)))), "act", "which is the core's");
    assert_eq!(code(&small.act("operator", Call::doing("/quiet/box", "cart:touch", args("{}")))), "gate-scope");
    assert_eq!(small.replay().unwrap().difference, None);
}

/// Whether an extension holds in a space, walked by hand.
fn walked(world: &World, space: &str, said: &BTreeMap<String, Value>) -> bool {
    let mut at = Some(space);
    let names =
        |value: &Value, key: &str| value.get(key).and_then(Value::as_list).map(|list| list.iter().any(|one| one.as_str() == Some("chess")));
    let mut holds = world.registry().extensions["chess"].enabled;
    while let Some(here) = at {
        if let Some(value) = said.get(here) {
            holds &= names(value, "blocked") != Some(true) && names(value, "only") != Some(false);
        }
        at = here.rsplit_once('/').map(|(above, _)| above).filter(|above| !above.is_empty());
    }
    holds
}

const TREE: [&str; 5] = ["/club", "/quiet", "/quiet/nook", "/quiet/nook/desk", "/club/bar"];
const SAID: [&str; 6] = [
    "null",
    r#"{"blocked":["chess"]}"#,
    r#"{"only":["chess"]}"#,
    r#"{"only":[]}"#,
    r#"{"blocked":[],"only":["chess","x"]}"#,
    r#"{"blocked":["x"]}"#,
];

proptest! {
    #![proptest_config(cases(3, 24))]

    #[test]
    fn where_an_extension_holds_is_what_a_walk_upward_finds_and_no_wake_is_ever_lost_to_it(
        deeds in prop::collection::vec((0..5usize, 0..SAID.len(), any::<bool>(), 0..5usize, 0..3usize), 1..12)
    ) {
        let mut world = places("[[space]]\npath = \"/quiet/nook/desk\"\n[[space]]\npath = \"/club/bar\"\n");
        world.extensions.push(package("x", "", &[]));
        let mut small = Small::grow(&world, 1, 1);
        let (mut said, mut spoken): (BTreeMap<String, Value>, usize) = Default::default();
        for (place, what, enabled, to, words) in deeds {
            if SAID[what] != "null" || said.contains_key(TREE[place]) {
                assert_eq!(scope(&mut small, TREE[place], SAID[what]), "act");
                said.insert(TREE[place].to_owned(), args(SAID[what]));
                if SAID[what] == "null" {
                    said.remove(TREE[place]);
                }
            }
            assert_eq!(enable(&mut small, "chess", enabled), "act");
            small.operate("@ada", "move", args(&format!(r#"{{"to":"{}"}}"#, TREE[to])));
            (0..words).for_each(|_| say(&mut small, "@ada"));
            spoken += words;
            small.run("1s");
            let now = small.world();
            for space in TREE {
                let id = space.split('/').skip(1).fold(reelm::fact::SpaceId::ROOT, |at, name| now.child_space(at, name).unwrap());
                prop_assert_eq!(now.in_scope("chess", id), walked(&now, space, &said), "{}", space);
            }
            let held = small.world().inbox().of(small.id_of("ada")).count();
            prop_assert!(held == 0 || !walked(&now, TREE[to], &said), "who can go on has gone on");
        }
        for space in said.keys() {
            assert_eq!(scope(&mut small, space, "null"), "act");
        }
        assert_eq!(enable(&mut small, "chess", true), "act");
        small.run("1m");
        let (ada, dead) = (asked(&small, "ada"), small.world().inbox().dead().count());
        prop_assert_eq!((ada.len(), dead, small.world().inbox().of(small.id_of("ada")).count()), (spoken, 0, 0));
        prop_assert!(ada.iter().all(|draft| draft.closing == Closing::Act));
        prop_assert_eq!(small.replay().unwrap().difference, None);
    }
}

/// `b` needs `a`; `c` needs `b`, and uses `d` where it is there.
fn needy() -> Small {
    let mut world = source("");
    world.profiles = [("night".to_owned(), vec!["b".to_owned()])].into();
    world.extensions = vec![
        package("a", "", &[]),
        package("b", "a = \"^1\"", &[]),
        package("d", "", &[]),
        package("c", "b = \"^1\", \"d?\" = \"^1\"", &[("roles/chief.md", "---\nname: chief\ncanDo: ['**']\n---\nYou lead.\n")]),
    ];
    Small::grow(&world, 1, 1)
}

/// The outcome of an act on extensions, and the extensions that are enabled then.
fn extensions(small: &mut Small, action: &str, json: &str) -> (String, String) {
    let before = small.world().next_seq();
    let draft = small.act("operator", Call::doing("/", action, args(json)));
    assert_eq!(small.world().next_seq(), before + 1, "one act, one frame");
    let done = draft.closing.reason().map_or_else(|| "act".to_owned(), ToString::to_string);
    let world = small.world();
    let enabled = world.registry().extensions.values().filter(|extension| extension.enabled).map(|extension| extension.name.to_string());
    (done, enabled.collect::<Vec<_>>().join(" "))
}

#[test]
fn what_another_extension_needs_is_disabled_only_with_it_and_in_one_frame() {
    let mut small = needy();
    let mut set = |json: &str| extensions(&mut small, "extension.set", json);
    let is = |done: &str, enabled: &str| (done.to_owned(), enabled.to_owned());
    assert_eq!(set(r#"{"name":"a","enabled":false}"#), is("extension-needed at `b c`", "a b c d"));
    assert_eq!(set(r#"{"name":"d","enabled":false}"#), is("act", "a b c"), "what it can do without");
    assert_eq!(set(r#"{"name":"a","enabled":false,"force":true}"#), is("act", ""));
    assert_eq!(set(r#"{"name":"c","enabled":true}"#), is("extension-needs at `b`", ""));
    assert_eq!(set(r#"{"name":"b","enabled":true}"#), is("extension-needs at `a`", ""));
    assert_eq!(set(r#"{"name":"a","enabled":true}"#), is("act", "a"));
    assert_eq!(set(r#"{"name":"b","enabled":true}"#), is("act", "a b"));
    // Another version is not what was needed; nor may anything come to need itself.
    let manifest = |name: &str, version: &str, needs: &str| {
        json!({ "name": name, "enabled": true, "manifest": { "name": name, "version": version, "needs": serde_json::from_str::<serde_json::Value>(needs).unwrap() } }).to_string()
    };
    assert_eq!(set(&manifest("a", "2.0.0", "{}")), is("extension-needed at `b`", "a b"));
    assert_eq!(set(&manifest("a", "1.5.0", "{}")), is("act", "a b"));
    assert_eq!(set(&manifest("a", "1.6.0", r#"{"c":"^1"}"#)), is("extension-circle at `a c b`", "a b"));
    assert_eq!(set(&manifest("a", "1.6.0", r#"{"a":"^1"}"#)), is("extension-circle at `a`", "a b"));
    assert_eq!(set(&manifest("e", "1.0.0", r#"{"a":"nonsense"}"#)), is("extension-needs at `a`", "a b"));
    assert_eq!(set(&manifest("d", "2.0.0", "{}")), is("act", "a b d"));
    assert_eq!(
        set(r#"{"name":"c","enabled":true}"#),
        is("extension-needs at `d`", "a b d"),
        "where it is there, it has to be that version"
    );
    assert_eq!(set(r#"{"name":"nothing","enabled":true}"#), is("not-found at `nothing`", "a b d"));
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn a_profile_is_one_act_and_what_it_leaves_out_is_there_again_when_it_is_put_back() {
    let mut small = needy();
    small.operate("/", "quality.set", args(r#"{"path":"c.n","value":7}"#));
    let mut only = |json: &str| extensions(&mut small, "extension.only", &format!(r#"{{"names":{json}}}"#));
    let is = |done: &str, enabled: &str| (done.to_owned(), enabled.to_owned());
    assert_eq!(only(r#"["b"]"#), is("act", "a b"), "with what it needs");
    assert_eq!(only(r#"["night"]"#), is("act", "a b"));
    assert_eq!(only(r#"["d","night"]"#), is("act", "a b d"));
    assert_eq!(only(r#"["day"]"#), is("not-found at `day`", "a b d"));
    assert_eq!(only("[]"), is("act", ""));
    assert_eq!(only(r#"["c","d"]"#), is("act", "a b c d"));
    assert_eq!(shown(&small, "/").at("qualities.c.n"), Some(&Value::Int(7)), "data stays");
    small.operate("@operator", "flow.default", args(r#"{"role":"c:chief"}"#));
    let mut only = |json: &str| extensions(&mut small, "extension.only", &format!(r#"{{"names":{json}}}"#));
    assert_eq!(only(r#"["d"]"#), is("needed at `@operator`", "a b c d"), "nobody locks the operator out");
    assert_eq!(extensions(&mut small, "extension.set", r#"{"name":"c","enabled":false}"#), is("needed at `@operator`", "a b c d"));
    assert_eq!(scope(&mut small, "/", r#"{"blocked":["c"]}"#), "needed");
    assert_eq!(scope(&mut small, "/", r#"{"only":[]}"#), "needed");
    assert_eq!(scope(&mut small, "/", r#"{"only":["c"]}"#), "act");
    assert_eq!(scope(&mut small, "/", r#"{"blocked":["nothing"]}"#), "not-found");
    assert_eq!(scope(&mut small, "/", r#"{"blocked":["c*"]}"#), "not-found", "a name, and no pattern");
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn the_command_line_keeps_only_some_extensions_and_says_beforehand_what_that_means() {
    let terminal = Terminal::new();
    terminal.write(
        "w/world.toml",
        "name = \"w\"\nextensions = [\"court\", \"library\", \"harmony\"]\n[profiles]\nnight = [\"court\"]\n[[being]]\nname = \"bo\"\nhome = \"/\"\nrole = \"library:reader\"\n[[being]]\nname = \"cy\"\nhome = \"/\"\nrole = \"library:reader\"\nscript = \"idle\"\n",
    );
    terminal.write("w/scripts/idle.rhai", "fn think(face) { }");
    terminal.shell("cp -r $extensions . && $reelm run w --moments 0 --quiet").ok();
    terminal.types("extension only court library --plan").says(&["disable harmony", "in one act"]).fails(0);
    terminal.types("extension only night --plan").says(&["disable harmony", "disable library"]).fails(0);
    terminal.types("extension only court library --plan --as @bo").fails(4).says(&["this would be refused"]);
    terminal.types("extension only nothing --plan").fails(4).says(&["not-found at `nothing`"]);
    terminal.types("extension only court library").ok();
    let listed = |terminal: &Terminal| {
        let lines = terminal.types("extension list --json").json_lines();
        let enabled = lines.into_iter().filter(|one| one["enabled"] == true).map(|one| one["name"].as_str().unwrap().to_owned());
        enabled.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(listed(&terminal), "court emotions library");
    terminal.types("extension disable emotions").fails(4).says(&["extension-needed at `court library`"]);
    terminal.types("extension only night").ok();
    assert_eq!(listed(&terminal), "court emotions");
    terminal.types("summon @cy hello").warns(&["@cy: nothing to wear"]).fails(0);
    assert!(terminal.types("see /.health").ok().contains("@cy"));
    // The export leads to the same world when it is planted; a source may have `only` from the beginning.
    terminal.types("export --source out").ok();
    assert!(terminal.read("out/world.toml").contains("only = [\"court\", \"emotions\"]"), "{}", terminal.read("out/world.toml"));
    terminal.types("run out --data again --moments 0 --quiet").ok();
    let again = terminal.types("extension list --data again --json").ok();
    assert_eq!(again.matches("\"enabled\":true").count(), 2, "{again}");
    assert!(terminal.types("apply out --data again --plan").ok().contains("nothing to do"));
    terminal.types("extension disable emotions --force").ok();
    assert_eq!(listed(&terminal), "");
    terminal.types("replay").ok();
    let source = terminal.read("w/world.toml");
    for (wrong, told) in [
        ("only = [\"nothing\"]\n", "only: expected extensions or profiles of this source, found `nothing`"),
        ("profiles = { court = [] }\n", "profiles: `court` is an extension"),
        ("profiles = { x = [\"nothing\"] }\n", "profiles.x: expected extensions of this source"),
    ] {
        let head = source.split("[profiles]").next().unwrap().to_owned() + wrong;
        terminal.write("w/world.toml", &head);
        terminal.types("run w --data other --moments 0").fails(1).warns(&["w/world.toml:3", told]);
    }
    terminal.write("w/world.toml", &source.replace("[profiles]", "only = [\"night\"]\n[profiles]"));
    terminal.types("run w --data early --moments 0 --quiet").ok();
    assert_eq!(terminal.types("extension list --data early --json").ok().matches("\"enabled\":true").count(), 2);
    terminal.write("w/world.toml", &source.replace("[profiles]", "only = [\"harmony\"]\n[profiles]"));
    terminal.types("apply w --data early --plan").says(&["enable emotions, harmony alone"]).fails(0);
    terminal.types("apply w --data early").ok();
    assert!(terminal.types("apply w --data early --plan").ok().contains("nothing to do"));
}

#[test]
fn what_is_restricted_shows_and_does_nothing_and_what_is_confined_acts_where_it_is_allowed() {
    let deed = |small: &mut Small, target: &str| {
        let done = small.act("operator", Call::doing(target, "chess:mark", args("{}")));
        done.closing.refusal().map_or_else(|| code(&done), |reason| reason.to_string())
    };
    let mut small = Small::grow(&places(""), 1, 1);
    assert_eq!([deed(&mut small, "/club"), deed(&mut small, "/quiet")], ["act", "act"]);
    assert_eq!(scope(&mut small, "/quiet", r#"{"restricted":["chess"]}"#), "act");
    // Its role is worn there on, and its board seen; nothing is done there, nor further in.
    let barred = "gate-scope at `/quiet`";
    assert_eq!(["/club", "/quiet", "/quiet/nook"].map(|at| deed(&mut small, at).replace("/quiet/nook", "/quiet")), ["act", barred, barred]);
    small.operate("@bob", "move", args(r#"{"to":"/quiet"}"#));
    say(&mut small, "@bob");
    small.run("1s");
    assert_eq!(wore(&small, "bob"), "chess:player");
    // An inner place takes nothing back.
    assert_eq!(scope(&mut small, "/quiet/nook", r#"{"only":["chess"],"allowed":["chess"]}"#), "act");
    assert!(deed(&mut small, "/quiet/nook").starts_with("gate-scope"));
    assert_eq!(scope(&mut small, "/quiet", r#"{"restricted":["draughts"]}"#), "not-found");

    let mut world = source("[[space]]\npath = \"/club\"\n[[space]]\npath = \"/quiet\"\n");
    let tail = "confined = true\n[[operation]]\nname = \"mark\"\nscript = \"ops/mark.rhai\"\ntouches = [\"target\"]\n";
    let mark = ("ops/mark.rhai", r#"fn run(ctx) { act(ctx.target.address, "quality.inc", #{ path: "chess.n" }) }"#);
    let manifest = format!("name = \"chess\"\nversion = \"1.0.0\"\n{tail}");
    world.extensions.push(kit::package("chess", &[("manifest.toml", &manifest), mark]));
    let mut small = Small::grow(&world, 1, 1);
    assert!(["/club", "/quiet"].iter().all(|at| deed(&mut small, at).starts_with("gate-scope")), "nowhere unless a place allows it");
    assert_eq!(scope(&mut small, "/", r#"{"allowed":["chess"]}"#), "act");
    assert_eq!(["/club", "/quiet"].map(|at| deed(&mut small, at)), ["act", "act"]);
    assert_eq!(scope(&mut small, "/quiet", r#"{"blocked":["chess"]}"#), "act");
    assert!(deed(&mut small, "/quiet").starts_with("gate-scope"));
    assert_eq!(small.replay().unwrap().difference, None);
}
