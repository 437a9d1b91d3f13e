//! Guarded: is a role whose own `when` does not hold worn by nobody, at the opening and at the close, and does what it asks for wake?

use reelm::fact::{Closing, Code, WakeKind};
use reelm::role::Spec;
use reelm::source::Source;

use super::kit::{Small, args, code, source};

/// Ada's script does what her quality `t.does` names to herself.
const DOES: &str = r#"fn think(face) { act(face.me.address, face.me.qualities.t.does, #{ path: "t.n", value: 1 }) }"#;

fn role(source: &mut Source, name: &str, front: &str) {
    let text = format!("---\nname: {name}\n{front}\n---\n\nYou are in a test.\n");
    source.roles.push(Spec::from_markdown("test.md", &text).unwrap_or_else(|error| panic!("{error}")));
}

/// Cy was born first, so that in one round he closes first; he shuts the hall. Ada wears `keeper` while it is open, and what `flow` says.
fn hall(flow: &str) -> Small {
    let mut source = source(&format!(
        r#"
[[space]]
path = "/hall"
contributors = ["@cy"]
quality.t.open = true
[[being]]
name = "cy"
home = "/hall"
role = "free"
script = "shut"
[[being]]
name = "ada"
home = "/hall"
role = "mute"
script = "does"
quality.t.does = "quality.set"
{flow}
"#
    ));
    role(&mut source, "keeper", "canSee: ['**']\ncanDo: [quality.set]\nwhen: {space.quality.t.open: true}");
    source.scripts.push(("does".into(), "scripts/does.rhai".into(), DOES.into()));
    let shut = r#"fn think(face) { act("/hall", "quality.set", #{ path: "t.open", value: false }) }"#;
    source.scripts.push(("shut".into(), "scripts/shut.rhai".into(), shut.into()));
    Small::grow(&source, 1, 1)
}

fn summon(small: &mut Small, name: &str) {
    small.act("operator", reelm::fact::Call::summon(&format!("@{name}"), args(r#"{"content":"go"}"#)));
}

/// The closing of ada's moment when the hall is shut between its opening and its close; and of her next.
fn shut_meanwhile(small: &mut Small) -> [String; 2] {
    summon(small, "cy");
    summon(small, "ada");
    small.run("1s");
    let first = code(small.woken_by("ada", WakeKind::Summons).last().unwrap());
    summon(small, "ada");
    small.run("1s");
    assert_eq!(small.replay().unwrap().difference, None);
    [first, code(small.woken_by("ada", WakeKind::Summons).last().unwrap())]
}

#[test]
fn a_primary_that_guards_itself_is_gone_when_the_act_closes_and_what_holds_no_more() {
    let mut small = hall("flow = [{ role = \"keeper\" }]");
    summon(&mut small, "ada");
    small.run("1s");
    assert_eq!(code(small.reel("ada").last().unwrap()), "act");
    assert_eq!(shut_meanwhile(&mut small), ["gate-role-when", "gate-role"]);
    let refused = small.reel("ada").remove(1);
    assert!(matches!(&refused.closing, Closing::Refused(reason) if reason.code == Code::GateRoleWhen && reason.at.as_ref() == "keeper"));
    assert_eq!(refused.stack[0].role.as_ref(), "keeper", "the frame says what was worn when it opened");
    assert_eq!(small.reel("ada")[2].stack[0].role.as_ref(), "mute");
}

#[test]
fn without_a_modifier_that_guards_itself_the_rest_of_the_stack_has_to_allow_the_act() {
    let flow = "flow = [{ stack = true, role = \"keeper\" }]";
    assert_eq!(shut_meanwhile(&mut hall(flow)), ["gate-role-when", "gate-role"]);
    let mut small = hall(flow);
    // A deed that the primary allows by itself needs no modifier.
    small.operate("@ada", "quality.set", args(r#"{"path":"t.does","value":"quality.inc"}"#));
    small.operate(
        "/",
        "script.set",
        args(r#"{"name":"does","source":"fn think(face) { act(face.me.address, \"quality.inc\", #{ path: \"t.n\" }) }"}"#),
    );
    assert_eq!(shut_meanwhile(&mut small), ["act", "act"]);
    // And what neither allows is refused by its own rule.
    let mut small = hall(flow);
    small.operate("@ada", "quality.set", args(r#"{"path":"t.does","value":"quality.unset"}"#));
    small.operate(
        "/",
        "script.set",
        args(r#"{"name":"does","source":"fn think(face) { act(face.me.address, \"quality.unset\", #{ path: \"t.n\" }) }"}"#),
    );
    assert_eq!(shut_meanwhile(&mut small), ["gate-role", "gate-role"]);
}

const WAITING: &str = r#"
[[space]]
path = "/hall"
[[being]]
name = "ada"
home = "/hall"
role = "mute"
script = "look"
flow = [{ role = "night" }]
[[being]]
name = "bob"
home = "/hall"
role = "mute"
script = "look"
"#;

fn night(when: &str) -> String {
    format!(r#"{{"name":"night","role":{{"name":"night","when":{when}}}}}"#)
}

#[test]
fn what_a_role_asks_for_wakes_whoever_may_come_to_wear_it() {
    let mut small = Small::plant(WAITING);
    let dark = |small: &mut Small, value: bool| {
        small.operate("/", "signal.set", args(&format!(r#"{{"path":"t.dark","value":{value}}}"#)));
        small.run("1s");
    };
    dark(&mut small, true);
    assert_eq!((small.wakes("ada").len(), small.wakes("bob").len()), (0, 0));
    small.operate("/", "role.set", args(&night(r#"{"world.t.dark":true}"#)));
    small.run("1s");
    dark(&mut small, false);
    dark(&mut small, true);
    assert_eq!((small.wakes("ada"), small.wakes("bob").len()), (vec!["change", "signal", "signal"], 0));
    assert_eq!(small.reel("ada").iter().map(|draft| draft.stack[0].role.to_string()).collect::<Vec<_>>(), ["night", "mute", "night"]);
    // Another version asks for something else.
    small.operate("/", "role.set", args(&night(r#"{"world.t.late":true}"#)));
    dark(&mut small, false);
    assert_eq!(small.wakes("ada")[3..], ["change"], "by the version, and not by the signal");
    let hash = small.world().hash();
    small.reopen();
    assert_eq!(small.world().hash(), hash);
    small.operate("/", "signal.set", args(r#"{"path":"t.late","value":true}"#));
    small.run("1s");
    assert_eq!(small.wakes("ada")[4..], ["signal"]);
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn a_role_that_asks_for_an_hour_is_put_on_when_it_comes() {
    let mut small = Small::plant(WAITING);
    small.operate("/", "role.set", args(&night(r#"{"time.hour":{"gte":9}}"#)));
    small.run("2h");
    assert_eq!((small.wakes("ada"), small.wakes("bob").len()), (vec!["crossing"], 0));
    assert_eq!(small.reel("ada")[0].stack[0].role.as_ref(), "night");
    assert_eq!(small.world().wears(small.id_of("ada"), small.world().now())[0].as_ref(), "night");
    // A version without it is worn at any hour, and nothing is waited for.
    small.operate("/", "role.set", args(r#"{"name":"night","role":{"name":"night"}}"#));
    small.run("2d");
    assert_eq!(small.wakes("ada"), ["crossing"]);
    assert_eq!(small.replay().unwrap().difference, None);
}

/// When time wakes ada, counted from when the world began, and as what.
fn crossings(small: &mut Small, from: i64) -> Vec<(i64, String)> {
    small.woken_by("ada", WakeKind::Crossing).iter().map(|draft| (draft.opened_at - from, draft.stack[0].role.to_string())).collect()
}

#[test]
fn a_number_that_fades_wakes_whoever_may_wear_a_role_that_asks_for_it() {
    let mut small = Small::plant(WAITING);
    let from = small.world().at();
    let fades = |small: &mut Small, on: &str| {
        small.operate(on, "quality.set", args(r#"{"path":"t.alert","value":{"from":1,"to":0,"at":"now","over":"1000s"}}"#));
    };
    // The role comes after the number, and the number after the role.
    fades(&mut small, "@ada");
    small.operate("/", "role.set", args(&night(r#"{"me.quality.t.alert":{"lt":0.5}}"#)));
    small.run("10m");
    assert_eq!(crossings(&mut small, from), [(501_000, "night".to_owned())]);
    assert_eq!(small.world().wears(small.id_of("ada"), small.world().now())[0].as_ref(), "night");
    fades(&mut small, "@ada");
    let hash = small.world().hash();
    small.reopen();
    assert_eq!(small.world().hash(), hash);
    small.run("10m");
    assert_eq!(crossings(&mut small, from).pop(), Some((600_000 + 501_000, "night".to_owned())));
    // Of where she stands just so; elsewhere it is nothing to her.
    small.operate("/", "role.set", args(&night(r#"{"space.quality.t.alert":{"lt":0.5}}"#)));
    fades(&mut small, "/hall");
    small.run("10m");
    assert_eq!(crossings(&mut small, from).pop(), Some((1_200_000 + 501_000, "night".to_owned())));
    fades(&mut small, "/hall");
    small.operate("@ada", "move", args(r#"{"to":"/"}"#));
    small.run("30m");
    assert_eq!((crossings(&mut small, from).len(), small.wakes("bob").len()), (3, 0));
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn a_role_that_asks_for_what_no_moment_has_is_refused_with_its_place() {
    let mut small = Small::plant(WAITING);
    let refused = |small: &mut Small, when: &str| {
        let call = reelm::fact::Call::doing("/", "role.set", args(&night(when)));
        small.act("operator", call).closing.reason().map(|reason| (reason.code, reason.at.to_string()))
    };
    let wrong = |place: &str| Some((Code::RoleMalformed, place.to_owned()));
    assert_eq!(refused(&mut small, r#"{"me.qualty.t.n":1}"#), wrong(r#"/role/when."me.qualty.t.n""#));
    assert_eq!(refused(&mut small, r#"{"time.hour":{"gtee":9}}"#), wrong(r#"/role/when."time.hour".gtee"#));
    assert_eq!(refused(&mut small, r#"{"time.hour":{"gte":9,"les":3}}"#), wrong(r#"/role/when."time.hour""#));
    assert_eq!(
        refused(&mut small, r#"{"not":{"or":[{"time.hour":{"eq":{"path":"time.hours"}}}]}}"#).map(|(code, _)| code),
        Some(Code::RoleMalformed)
    );
    assert_eq!(refused(&mut small, "[]"), wrong("/role/when"));
    assert!(!small.world().registry().roles.contains_key("night"));
}
