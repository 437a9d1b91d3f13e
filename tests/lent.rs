//! Lent: does a space stack roles on whoever stands inside, for what is inside, and on nobody else?

use reelm::fact::{Call, Closing, Code, SpaceId, Text, WakeKind};
use reelm::role::Spec;
use reelm::source::{Source, write_source};

use super::kit::{Small, args, code, source};

/// The court is hal's, who may give `quiet` and `loud`; ada stands in it, bob in the yard.
fn court() -> Small {
    let mut source = source(
        r#"
[[space]]
path = "/court"
owner = "@hal"
[[space]]
path = "/court/bench"
[[space]]
path = "/yard"
[[being]]
name = "hal"
home = "/yard"
role = "free"
cognition = "human"
grants = ["quiet", "loud"]
[[being]]
name = "cy"
home = "/yard"
role = "free"
script = "clear"
[[being]]
name = "ada"
home = "/court"
role = "plain"
script = "count"
[[being]]
name = "bob"
home = "/yard"
role = "plain"
script = "count"
"#,
    );
    for role in ["name: plain\ncanSee: ['**']", "name: quiet\ncanDo: [quality.inc]", "name: loud\ncanDo: [say]\nsee: [thread]"] {
        source.roles.push(Spec::from_markdown("test.md", &format!("---\n{role}\n---\n\nYou are in a test.\n")).unwrap());
    }
    let clear = r#"fn think(face) { act("/court", "flow.set", #{ flow: [] }) }"#;
    source.scripts.push(("clear".into(), "scripts/clear.rhai".into(), clear.into()));
    Small::grow(&source, 1, 1)
}

const QUIET: &str = r#"{"flow":[{"stack":true,"role":"quiet"}]}"#;

fn hal_sets(small: &mut Small, on: &str, json: &str) -> String {
    code(&small.act("hal", Call::doing(on, "flow.set", args(json))))
}

fn worn(small: &Small, name: &str) -> Vec<String> {
    small.world().wears(small.id_of(name), small.world().now()).iter().map(Text::to_string).collect()
}

fn go(small: &mut Small, name: &str, to: &str) {
    small.operate(&format!("@{name}"), "move", args(&format!(r#"{{"to":"{to}"}}"#)));
}

/// How the next moment of each closes.
fn closings(small: &mut Small) -> [String; 2] {
    ["ada", "bob"].map(|name| {
        small.act("operator", Call::summon(&format!("@{name}"), args(r#"{"content":"go"}"#)));
        small.run("1s");
        code(small.reel(name).last().unwrap())
    })
}

#[test]
fn a_space_stacks_roles_on_whoever_stands_inside_and_the_frame_says_which_space() {
    let mut small = court();
    assert_eq!(closings(&mut small), ["gate-role", "gate-role"]);
    assert_eq!(hal_sets(&mut small, "/court", QUIET), "act");
    assert_eq!((worn(&small, "ada"), worn(&small, "bob")), (vec!["plain".into(), "quiet".into()], vec!["plain".to_owned()]));
    assert_eq!(closings(&mut small), ["act", "gate-role"]);
    let stack = small.reel("ada").pop().unwrap().stack;
    let court = small.world().child_space(SpaceId::ROOT, "court").unwrap();
    assert_eq!((stack[1].role.as_ref(), stack[1].clause, stack[1].space, stack[0].space), ("quiet", Some(0), Some(court), None));
    // Where they go, others follow it and they are rid of it.
    go(&mut small, "ada", "/yard");
    go(&mut small, "bob", "/court/bench");
    assert_eq!(closings(&mut small), ["gate-role", "act"]);
    // Nearest first, and each role once.
    assert_eq!(hal_sets(&mut small, "/court/bench", r#"{"flow":[{"stack":true,"role":"loud"},{"stack":true,"role":"quiet"}]}"#), "act");
    assert_eq!(worn(&small, "bob"), ["plain", "loud", "quiet"]);
    // A space that is moved takes its flow along, and leaves the one around it.
    small.operate("/court", "own.set", args(r#"{"owner":null}"#));
    small.operate("/court/bench", "move", args(r#"{"to":"/yard"}"#));
    small.operate("/court", "flow.set", args(r#"{"flow":[]}"#));
    assert_eq!(worn(&small, "bob"), ["plain", "loud", "quiet"]);
    let hash = small.world().hash();
    small.reopen();
    assert_eq!(small.world().hash(), hash);
    assert_eq!(worn(&small, "bob"), ["plain", "loud", "quiet"]);
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn what_a_space_lends_reaches_nothing_elsewhere_and_nobody_of_genesis() {
    let mut small = court();
    // Ada may count wherever she is a right to, but the court lends it for what is in the court.
    assert_eq!(hal_sets(&mut small, "/court", QUIET), "act");
    let elsewhere = r#"{"name":"count","source":"fn think(face) { act(\"/yard/box\", \"quality.inc\", #{ path: \"t.n\" }) }"}"#;
    small.operate("/yard", "matter.make", args(r#"{"name":"box"}"#));
    small.operate("/yard", "own.allow", args(r#"{"allow":["**"]}"#));
    small.operate("/", "script.set", args(elsewhere));
    assert_eq!(closings(&mut small), ["gate-role", "gate-role"]);
    // They stand at the root, and so does whoever the root's own flow does not reach.
    small.operate("/", "flow.set", args(QUIET));
    for name in ["operator", "birther", "role-manager", "arrival"] {
        assert_eq!(worn(&small, name), [name], "{name}");
    }
    assert_eq!((worn(&small, "bob"), worn(&small, "world")), (vec!["plain".into(), "quiet".into()], vec!["operator".to_owned()]));
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn who_sets_it_needs_a_right_there_and_grants_and_it_names_no_primary() {
    let mut small = court();
    let refused = |small: &mut Small, who: &str, on: &str, json: &str| {
        let draft = small.act(who, Call::doing(on, "flow.set", args(json)));
        draft.closing.reason().map(|reason| (reason.code, reason.at.to_string()))
    };
    let is = |code: Code, at: &str| Some((code, at.to_owned()));
    assert_eq!(refused(&mut small, "hal", "/court", r#"{"flow":[{"stack":true,"role":"free"}]}"#), is(Code::GateGrants, "free"));
    assert_eq!(refused(&mut small, "hal", "/yard", QUIET), is(Code::GatePlace, "/yard"));
    assert_eq!(refused(&mut small, "hal", "/", QUIET), is(Code::GatePlace, "/"));
    assert_eq!(
        refused(&mut small, "hal", "/court", r#"{"flow":[{"stack":true,"role":"loud"},{"role":"quiet"}]}"#),
        is(Code::FlowMalformed, "[1].stack")
    );
    assert_eq!(
        refused(&mut small, "hal", "/court", r#"{"flow":[{"stack":true,"role":"quiet"}],"base":"none"}"#).map(|(code, _)| code),
        Some(Code::BaseVersion)
    );
    let on_top = |base: &str| format!(r#"{{"flow":[{{"stack":true,"role":"quiet"}}],"base":{base}}}"#);
    let late = on_top(r#"[{"stack":true,"role":"loud"}]"#);
    assert_eq!(refused(&mut small, "hal", "/court", &late).map(|(code, _)| code), Some(Code::BaseVersion), "the flow itself is a base too");
    assert_eq!(refused(&mut small, "hal", "/court", &on_top("[]")), None);
    assert_eq!(refused(&mut small, "hal", "/court", r#"{"flow":[],"base":[{"stack":true,"role":"quiet"}]}"#), None);
    // An allow list gives no authority.
    small.operate("/yard", "own.allow", args(r#"{"allow":["**"]}"#));
    assert_eq!(refused(&mut small, "hal", "/yard", QUIET), is(Code::GatePlace, "/yard"));
    assert!(small.world().spaces().all(|space| space.flow.is_none()));
}

/// A name of a space's own roles is the world's no more, until that is meant.
#[test]
fn the_world_takes_no_name_that_a_space_gave_to_a_role_of_its_own() {
    let mut small = court();
    let role = |on: &str, more: &str| {
        let role = format!(r#"{{"name":"court:usher","role":{{"name":"court:usher","canDo":[]}}{more}}}"#);
        Call::doing(on, "role.set", args(&role))
    };
    assert_eq!(code(&small.act("operator", role("/court", ""))), "act");
    let refused = small.act("operator", role("/", ""));
    assert_eq!(refused.closing.reason().unwrap().to_string(), "name-taken at `/court`");
    assert_eq!(code(&small.act("operator", role("/", r#","force":true"#))), "act");
    assert_eq!(code(&small.act("operator", role("/court", ""))), "act", "of what is the world's a space has a version of its own");
}

#[test]
fn what_the_flow_of_a_space_reads_wakes_those_who_stand_inside() {
    let mut small = court();
    let flow = r#"{"flow":[{"stack":true,"when":{"world.t.on":true},"role":"quiet"},{"stack":true,"when":{"time.hour":{"gte":9}},"role":"loud"}]}"#;
    assert_eq!(hal_sets(&mut small, "/court", flow), "act");
    small.operate("/", "signal.set", args(r#"{"path":"t.on","value":true}"#));
    small.run("1s");
    assert_eq!((small.wakes("ada"), small.wakes("bob").len()), (vec!["signal"], 0));
    // A being that comes in later waits for the hour as well.
    go(&mut small, "bob", "/court");
    small.run("2h");
    assert_eq!((small.wakes("ada"), small.wakes("bob")), (vec!["signal", "crossing"], vec!["change", "crossing"]));
    assert_eq!(worn(&small, "bob"), ["plain", "quiet", "loud"]);
    // Taken back, it wakes them once, for they wear less, and by what it read no more.
    assert_eq!(hal_sets(&mut small, "/court", "{\"flow\":[]}"), "act");
    small.operate("/", "signal.set", args(r#"{"path":"t.on","value":false}"#));
    small.run("2d");
    assert_eq!((&small.wakes("ada")[2..], &small.wakes("bob")[2..]), (&["change"][..], &["change"][..]));
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn a_flow_that_is_taken_back_while_one_thinks_no_longer_covers_the_deed() {
    let mut small = court();
    assert_eq!(hal_sets(&mut small, "/court", QUIET), "act");
    small.run("1s");
    small.act("hal", Call::doing("/court", "own.contribute", args(r#"{"being":"@cy"}"#)));
    for name in ["cy", "ada"] {
        small.act("operator", Call::summon(&format!("@{name}"), args(r#"{"content":"go"}"#)));
    }
    small.run("1s");
    assert_eq!(code(small.reel("cy").last().unwrap()), "act");
    assert_eq!(code(small.woken_by("ada", WakeKind::Summons).last().unwrap()), "role-changed");
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn a_source_says_what_its_spaces_stack_and_a_world_that_is_written_out_says_it_again() {
    let flow = r#"flow = [{ stack = true, when = { "time.hour" = 9 }, role = "mute" }]"#;
    let text = format!(
        "[[space]]\npath = \"/\"\n{flow}\n[[space]]\npath = \"/court\"\n{flow}\n[[being]]\nname = \"ada\"\nhome = \"/court\"\nrole = \"deaf\"\nscript = \"look\"\n"
    );
    let small = Small::plant(&text);
    let kept = |world: &reelm::world::World| world.spaces().filter(|space| space.flow.is_some()).count();
    assert_eq!(kept(&small.world()), 2);
    let dir = tempfile::tempdir().unwrap();
    write_source(&small.world(), &dir.path().join("court")).unwrap();
    let again = Source::read(&dir.path().join("court")).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(kept(&Small::grow(&again, 1, 1).world()), 2);
    // A primary is named with its place, and nothing is planted.
    let wrong = "name = \"small\"\n[[space]]\npath = \"/court\"\nflow = [{ role = \"mute\" }]\n";
    let error = Source::parse(dir.path(), "world.toml", wrong).unwrap_err().to_string();
    assert_eq!(
        error,
        "world.toml:4:8: flow of `/court`: [0].stack: expected `true`, found a primary; the flow of a space only stacks roles on what those wear who stand inside"
    );
}

#[test]
fn why_a_moment_wore_what_a_space_lent_is_told_with_the_address_of_the_space() {
    let mut small = court();
    assert_eq!(
        hal_sets(&mut small, "/court", r#"{"flow":[{"stack":true,"when":{"time.hour":23},"role":"loud"},{"stack":true,"role":"quiet"}]}"#),
        "act"
    );
    small.act("operator", Call::summon("@ada", args(r#"{"content":"go"}"#)));
    let mut why = Vec::new();
    small.watch("1s", &mut |report| why.extend(report.why.clone()));
    assert!(why.iter().any(|line| line.contains("/court")), "{why:?}");
    let (world, ada) = (small.world(), small.world().being(small.id_of("ada")).unwrap().clone());
    let context = reelm::world::OpenContext::unwoken(&world, &ada, world.now());
    let trace = world.explain_dress(&ada, &context, None).to_string();
    assert!(trace.ends_with("the flow of /court:\n  clause 0 → loud, stacked: no, because time.hour is 8, wanted eq 23\n  clause 1 → quiet, stacked: yes, stacked, it asks for nothing"), "{trace}");
    assert!(matches!(small.reel("ada").last().unwrap().closing, Closing::Act));
}

#[test]
fn a_number_that_fades_wakes_whoever_stands_in_a_space_whose_flow_reads_it() {
    let mut small = court();
    let from = small.world().at();
    let fades = |small: &mut Small, on: &str| {
        let light = args(r#"{"path":"t.light","value":{"from":1,"to":0,"at":"now","over":"1000s"}}"#);
        let who = if on == "/court" { "hal" } else { "operator" };
        assert_eq!(code(&small.act(who, Call::doing(on, "quality.set", light))), "act");
    };
    let woken = |small: &mut Small, name: &str| -> Vec<(i64, Vec<String>)> {
        let stack = |draft: &reelm::fact::Draft| draft.stack.iter().map(|worn| worn.role.to_string()).collect();
        small.woken_by(name, WakeKind::Crossing).iter().map(|draft| (draft.opened_at - from, stack(draft))).collect()
    };
    let dim = r#"{"flow":[{"stack":true,"role":"quiet","when":{"space.quality.t.light":{"lt":0.5}}}]}"#;
    assert_eq!(hal_sets(&mut small, "/court", dim), "act");
    fades(&mut small, "/court");
    fades(&mut small, "/yard");
    small.run("10m");
    assert_eq!(woken(&mut small, "ada"), [(501_000, vec!["plain".to_owned(), "quiet".to_owned()])]);
    assert_eq!(woken(&mut small, "bob"), []);
    // A being that goes in waits for it there, and a being that goes out no longer does.
    fades(&mut small, "/court");
    go(&mut small, "ada", "/yard");
    go(&mut small, "bob", "/court");
    small.run("10m");
    assert_eq!((woken(&mut small, "ada").len(), woken(&mut small, "bob").len()), (1, 1));
    assert_eq!(woken(&mut small, "bob")[0].0, 600_000 + 501_000);
    // And when the space reads it no more, nobody waits.
    fades(&mut small, "/court");
    assert_eq!(hal_sets(&mut small, "/court", QUIET), "act");
    small.run("30m");
    assert_eq!(woken(&mut small, "bob").len(), 1);
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn what_a_space_stacks_listens_and_watches_and_is_not_taken_back_unasked() {
    let mut small = court();
    small.operate("/", "role.set", args(r#"{"name":"loud","role":{"name":"loud","watch":[{"action":"quality.set","on":"/yard"}]}}"#));
    assert_eq!(hal_sets(&mut small, "/court", r#"{"flow":[{"stack":true,"role":"loud"}]}"#), "act");
    small.operate("/yard", "quality.set", args(r#"{"path":"t.n","value":1}"#));
    small.run("1s");
    assert_eq!((small.wakes("ada"), small.wakes("bob").len()), (vec!["change", "watch"], 0));
    go(&mut small, "ada", "/yard");
    small.operate("/yard", "quality.set", args(r#"{"path":"t.n","value":2}"#));
    small.run("1s");
    assert_eq!(small.wakes("ada")[2..], ["change"], "out of the court nothing lets her watch");
    let drop = Call::doing("/", "role.set", args(r#"{"name":"loud","role":null}"#));
    let refused = small.act("operator", drop).closing.reason().map(|reason| (reason.code, reason.at.to_string()));
    assert_eq!(refused, Some((Code::RoleWorn, "@hal /court".to_owned())));
    assert_eq!(small.replay().unwrap().difference, None);
}
