//! Local: is a role's version for one space in force there and nowhere else, until it is published or taken back?

use reelm::fact::{Call, Closing};

use super::kit::{Small, args, code};

const WORLD: &str = r#"
[[space]]
path = "/hall"
[[space]]
path = "/hall/nook"
[[space]]
path = "/yard"
[[being]]
name = "ada"
home = "/hall/nook"
role = "other"
script = "count"
[[being]]
name = "bob"
home = "/yard"
role = "other"
script = "count"
"#;

const SILENT: &str = r#"{"name":"other","role":{"name":"other","canSee":["**"]}}"#;
const BACK: &str = r#"{"name":"other","role":null}"#;
const LISTENING: &str =
    r#"{"name":"other","role":{"name":"other","canDo":["quality.inc"],"triggerOn":["message","signal","schedule","watch","hear"]}}"#;

/// How the last moment of each closed, after both were spoken to.
fn closings(small: &mut Small) -> [String; 2] {
    ["ada", "bob"].map(|name| {
        small.act("operator", Call::summon(&format!("@{name}"), args(r#"{"content":"go"}"#)));
        small.run("1m");
        code(small.reel(name).last().unwrap())
    })
}

#[test]
fn a_version_for_one_space_is_in_force_there_and_in_those_inside_it_alone() {
    let mut small = Small::plant(WORLD);
    assert_eq!(closings(&mut small), ["act", "act"]);
    small.operate("/hall", "role.set", args(SILENT));
    assert_eq!(closings(&mut small), ["gate-role", "act"]);
    // A being that goes elsewhere wears the role that is valid there.
    small.operate("@ada", "move", args(r#"{"to":"/yard"}"#));
    small.operate("@bob", "move", args(r#"{"to":"/hall"}"#));
    assert_eq!(closings(&mut small), ["act", "gate-role"]);
    // A nearer version goes before a further one, and a version that is taken back is as if it had never been.
    small.operate("/hall/nook", "role.set", args(LISTENING));
    small.operate("@bob", "move", args(r#"{"to":"/hall/nook"}"#));
    assert_eq!(closings(&mut small), ["act", "act"]);
    small.operate("/hall/nook", "role.set", args(BACK));
    assert_eq!(closings(&mut small), ["act", "gate-role"]);
    small.operate("/hall", "role.set", args(BACK));
    assert_eq!(closings(&mut small), ["act", "act"]);
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn what_wakes_a_being_follows_the_version_where_it_stands() {
    let mut small = Small::plant(WORLD);
    let heard = |small: &mut Small, space: &str| {
        let before = small.reel("ada").len();
        small.operate("@operator", "move", args(&format!(r#"{{"to":"{space}"}}"#)));
        small.operate(space, "say", args(r#"{"content":"hello"}"#));
        small.run("1m");
        small.reel("ada").len() > before
    };
    assert!(!heard(&mut small, "/hall/nook"));
    small.operate("/hall", "role.set", args(LISTENING));
    assert!(heard(&mut small, "/hall/nook"));
    small.operate("@ada", "move", args(r#"{"to":"/yard"}"#));
    assert!(!heard(&mut small, "/yard"));
    // A space that is moved takes with it what is in force in it.
    small.operate("@ada", "move", args(r#"{"to":"/hall/nook"}"#));
    small.operate("/hall/nook", "move", args(r#"{"to":"/yard"}"#));
    assert!(!heard(&mut small, "/yard/nook"));
    let hash = small.world().hash();
    small.reopen();
    assert_eq!(small.world().hash(), hash);
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn a_version_has_a_base_of_its_own_and_no_space_has_a_role_that_the_world_has_not() {
    let mut small = Small::plant(WORLD);
    let with = |small: &mut Small, target: &str, json: &str| code(&small.act("operator", Call::doing(target, "role.set", args(json))));
    let based = |base: u32| format!(r#"{{"name":"other","base":{base},"role":{{"name":"other"}}}}"#);
    assert_eq!(with(&mut small, "/hall", &based(1)), "base-version", "the world's version is no base of a space's");
    assert_eq!(with(&mut small, "/hall", &based(0)), "act");
    assert_eq!(with(&mut small, "/hall", &based(1)), "act");
    assert_eq!(with(&mut small, "/hall", r#"{"name":"new","role":{"name":"new"}}"#), "not-found");
    assert_eq!(with(&mut small, "/yard", BACK), "not-found");
    assert_eq!(small.world().registry().local_roles["other"].len(), 1);
    // It ends with its space.
    for being in ["ada", "bob"] {
        small.operate(&format!("@{being}"), "move", args(r#"{"to":"/"}"#));
        small.operate(&format!("@{being}"), "home.set", args(r#"{"home":"/"}"#));
    }
    for space in ["/hall/nook", "/hall"] {
        assert_eq!(small.act("operator", Call::doing(space, "space.end", args("{}"))).closing, Closing::Act);
    }
    assert!(small.world().registry().local_roles.is_empty());
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn going_on_by_oneself_follows_the_version_where_one_stands_and_a_role_that_is_gone_is_gone_everywhere() {
    let mut small = Small::plant(WORLD);
    small.operate("/hall", "role.set", args(r#"{"name":"other","role":{"name":"other","canDo":["quality.inc"],"selfContinue":true}}"#));
    small.operate("/", "config.set", args(r#"{"key":"brakes.continue","value":3}"#));
    closings(&mut small);
    assert!(small.wakes("ada").contains(&"self-continue") && !small.wakes("bob").contains(&"self-continue"));
    small.operate("/", "role.set", args(r#"{"name":"other","role":null,"force":true}"#));
    assert!(small.world().registry().local_roles.is_empty());
    assert_eq!(closings(&mut small), ["no-role", "no-role"]);
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn a_version_elsewhere_changes_nothing_for_those_whom_it_does_not_concern() {
    // A flow that would choose otherwise by now is no reason to refuse the role that was worn when the moment opened.
    let flow = r#"flow = [{ when = { "world.t.on" = true }, role = "mute" }, { when = {}, role = "free" }]"#;
    let slow = format!("[[being]]\nname = \"cy\"\nhome = \"/yard\"\nscript = \"count\"\n{flow}\n");
    let mut small = Small::plant(&format!("{WORLD}{slow}"));
    small.operate("/hall", "role.set", args(SILENT));
    small.act("operator", Call::summon("@cy", args(r#"{"content":"go"}"#)));
    small.run("1m");
    assert_eq!(code(small.reel("cy").last().unwrap()), "act");
}
