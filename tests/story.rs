//! Stories of moments: given a small world, when something happens, then these moments stand on the reels.

use reelm::fact::{Call, Closing, Content, Fact, Made, Rank, SpaceId, Value, WakeKind};
use reelm::role::Spec;
use reelm::run::{RunError, Stopped};

use super::kit::{Small, args, code, source};

/// Two rooms, with ada who counts and bob who keeps the time going.
const ROOMS: &str = r#"
[[space]]
path = "/hall"
[[space]]
path = "/other"
"#;

fn being(name: &str, script: &str, more: &str) -> String {
    format!("[[being]]\nname = \"{name}\"\nhome = \"/hall\"\nscript = \"{script}\"\n{more}\n")
}

fn free(name: &str, script: &str) -> String {
    being(name, script, "role = \"free\"")
}

fn every(name: &str, every: &str) -> String {
    format!("[[being.schedule]]\nname = \"{name}\"\nevery = \"{every}\"\n")
}

fn person(name: &str, more: &str) -> String {
    format!("[[being]]\nname = \"{name}\"\nhome = \"/hall\"\nrole = \"free\"\ncognition = \"human\"\n{more}\n")
}

fn summon(name: &str) -> Call {
    Call::summon(name, args(r#"{"content":"hello"}"#))
}

fn codes(small: &Small, name: &str) -> Vec<String> {
    small.reel(name).iter().map(code).collect()
}

fn lamp(small: &mut Small, value: &str) {
    small.operate("/", "signal.set", args(&format!(r#"{{"path":"t.lamp","value":"{value}"}}"#)));
}

#[test]
fn signals_join_one_wake_and_an_equal_value_wakes_nobody() {
    let reads = "role = \"free\"\nflow = [{ when = { \"world.t.lamp\" = \"on\" }, role = \"free\" }]";
    let mut small = Small::plant(&format!("{ROOMS}{}{}", being("ada", "count", reads), free("bob", "count")));
    lamp(&mut small, "on");
    lamp(&mut small, "off");
    small.run("1s");
    assert_eq!(small.wakes("ada"), ["signal"]);
    lamp(&mut small, "off");
    small.run("1s");
    assert_eq!(small.wakes("ada"), ["signal"], "an equal value");
    lamp(&mut small, "on");
    small.run("1s");
    assert_eq!(small.wakes("ada"), ["signal", "signal"]);
    assert!(small.wakes("bob").is_empty(), "bob's flow reads no signal");
}

#[test]
fn a_signal_that_changed_while_one_thought_wakes_once_more() {
    let reads = "role = \"slow\"\nflow = [{ when = { \"world.t.lamp\" = \"on\" }, role = \"slow\" }]";
    let mut world = source(&format!("{ROOMS}{}{}", being("ada", "lamp", reads), free("bob", "switch")));
    let role = "---\nname: slow\ncanSee: ['**']\ncanDo: ['quality.push']\nthinks: 2s\n---\n\nYou take your time.\n";
    world.roles.push(reelm::role::Spec::from_markdown("slow.md", role).unwrap());
    for (name, script) in [
        ("switch", r#"fn think(face) { act("/", "signal.set", #{ path: "t.lamp", value: "off" }) }"#),
        ("lamp", r#"fn think(face) { act(face.me.address, "quality.push", #{ path: "t.lamps", value: signal("t.lamp") }) }"#),
    ] {
        world.scripts.push((name.to_owned(), format!("scripts/{name}.rhai"), script.to_owned()));
    }
    let mut small = Small::grow(&world, 1, 1);
    lamp(&mut small, "on");
    // Both open on one world; bob, who is urgent, closes first, and his is the very frame with which her moment opened.
    small.act("operator", Call::summon("@bob", args(r#"{"content":"now","rank":"urgent"}"#)));
    small.run("1m");
    let (ada, bob) = (small.reel("ada"), small.reel("bob"));
    assert_eq!((ada[0].opened, ada[0].seq), (bob[0].seq, bob[0].seq + 1));
    assert_eq!(small.wakes("ada"), ["signal", "signal"]);
    assert_eq!(small.quality("ada", "t.lamps").to_string(), r#"["on","off"]"#);
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn ticks_missed_while_held_still_become_one() {
    let mut small =
        Small::plant(&format!("{ROOMS}{}{}{}{}", free("ada", "count"), every("tick", "10s"), free("bob", "look"), every("tick", "1s")));
    small.operate("@ada", "pause.set", args("{}"));
    small.run("65s");
    assert!(small.wakes("ada").is_empty());
    assert_eq!(small.wakes("bob").len(), 65);
    small.operate("@ada", "pause.end", args("{}"));
    small.run("2s");
    assert_eq!(small.wakes("ada"), ["schedule"]);
    small.run("5s");
    assert_eq!(small.wakes("ada"), ["schedule", "schedule"], "the next is due at the next border");
}

#[test]
fn idle_for_a_minute_comes_by_itself() {
    let idle = "role = \"free\"\nflow = [{ when = { \"time.sinceLastMoment\" = { gte = 60 } }, role = \"other\" }]";
    let mut small = Small::plant(&format!("{ROOMS}{}", being("ada", "look", idle)));
    let born = small.world().at();
    small.run("10m");
    let reel = small.reel("ada");
    assert_eq!(small.wakes("ada"), ["crossing"]);
    assert_eq!(reel[0].opened_at - born, 60_000);
    assert_eq!(reel[0].stack[0].role.as_ref(), "other");
    assert_eq!(reel[0].stack[0].clause, Some(0));
}

#[test]
fn the_border_of_an_hour_wakes_whom_it_concerns() {
    let nine = "role = \"free\"\nflow = [{ when = { \"time.hour\" = 9 }, role = \"other\" }]";
    let mut small = Small::plant(&format!("{ROOMS}{}{}", being("ada", "look", nine), free("bob", "look")));
    let start = small.world().at();
    small.run("90m");
    let reel = small.reel("ada");
    assert_eq!(small.wakes("ada"), ["crossing"]);
    assert_eq!((reel[0].opened_at - start, reel[0].stack[0].role.as_ref()), (3_600_000, "other"));
    assert!(small.wakes("bob").is_empty());
}

#[test]
fn a_line_shows_where_a_being_stood_when_it_acted() {
    let mut small = Small::plant(&format!("{ROOMS}{}", free("ada", "walk")));
    small.act("operator", summon("@ada"));
    let mut lines = Vec::new();
    let mut watch = |report: &reelm::past::Report| lines.push((report.place.clone(), report.space.clone(), report.raw_line()));
    small.watch("1s", &mut watch);
    let (place, space, line) = lines.iter().find(|(_, space, _)| space == "/other").expect("she walks");
    assert_eq!((place.as_str(), space.as_str()), ("/hall", "/other"));
    assert!(line.contains(" @ada in /hall as free > do @ada move "), "{line}");
}

#[test]
fn what_is_said_is_heard_by_the_listeners_there_and_nobody_else() {
    let deaf = being("dora", "count", "role = \"deaf\"");
    let away = free("eve", "count").replace("/hall", "/other");
    let mut small = Small::plant(&format!("{ROOMS}{}{}{deaf}{away}", person("hal", ""), free("bob", "count")));
    let said = small.act("hal", Call::doing("/hall", "say", args(r#"{"content":"good morning"}"#)));
    assert_eq!(code(&said), "act");
    small.run("1s");
    assert_eq!(small.wakes("bob"), ["hear"]);
    assert!(small.wakes("dora").is_empty() && small.wakes("eve").is_empty());
}

#[test]
fn a_failing_mind_is_asked_again_later_and_then_its_wake_lies_with_the_dead_letters() {
    let mut small = Small::plant(&format!("{ROOMS}{}", free("ada", "fail")));
    small.act("operator", summon("@ada"));
    small.run("1m");
    let reel = small.reel("ada");
    let closings: Vec<_> = reel.iter().map(|draft| draft.closing.word()).collect();
    assert_eq!(closings, ["failed", "failed", "dead-letter"]);
    assert_eq!(reel.iter().map(|draft| draft.attempt).collect::<Vec<_>>(), [1, 2, 3]);
    assert_eq!(reel[1].at - reel[0].at, 1_000);
    assert_eq!(reel[2].at - reel[1].at, 2_000, "each wait is twice the one before");
    assert_eq!(reel.iter().map(|draft| draft.facts.len()).collect::<Vec<_>>(), [0, 0, 1], "a receipt at the end, and nothing else");
    assert!(reel[0].closing.reason().unwrap().at.starts_with("scripts/fail.rhai:1"), "{:?}", reel[0].closing);
    let letter = small.world().inbox().dead().next().unwrap().1.wake.id.clone();

    // Somebody mends the mind, and requeues the wake by an act.
    small.operate("@ada", "cognition.set", args(r#"{"cognition":"script","script":"count"}"#));
    small.operate("@ada", "wake.requeue", args(&format!(r#"{{"cause":"{}","kind":"summons"}}"#, letter.cause)));
    let depths: Vec<u32> = small.world().inbox().of(small.id_of("ada")).map(|wake| wake.depth).collect();
    assert_eq!(depths, [0], "it begins anew, however deep the chain was that it ended");
    small.run("1m");
    assert_eq!(small.reel("ada").last().unwrap().closing, Closing::Act);
    assert_eq!(small.world().inbox().dead().count(), 0);
    assert_eq!(small.world().inbox().len(), 1, "the receipt waits for the operator");
}

fn braked(config: &str, text: &str) -> Small {
    let mut small = Small::plant(&format!("[config]\n{config}\n{ROOMS}{text}"));
    small.act("operator", summon("@ada"));
    assert_eq!(small.run("1h").stopped, Stopped::Quiet);
    small
}

#[test]
fn a_chain_of_summonses_ends_at_the_depth_allowed() {
    let small = braked("\"brakes.depth\" = 5", &format!("{}{}", free("ada", "pass"), free("bob", "pass")));
    let all = [codes(&small, "ada"), codes(&small, "bob")].concat();
    assert_eq!(all.iter().filter(|code| *code == "act").count(), 5);
    // The receipt for it lies as deep, and is given up too.
    assert_eq!(all.iter().filter(|code| *code == "brake-depth").count(), 2);
    assert_eq!(small.world().inbox().dead().count(), 2);
}

#[test]
fn all_that_comes_of_one_deed_ends_at_the_moments_allowed() {
    let small = braked("\"brakes.moments\" = 7", &format!("{}{}", free("ada", "pass"), free("bob", "pass")));
    let all = [codes(&small, "ada"), codes(&small, "bob")].concat();
    assert_eq!(all.iter().filter(|code| *code == "brake-moments").count(), 2, "the receipt for it is given up too: {all:?}");
    assert_eq!(all.iter().filter(|code| *code == "act").count(), 7, "{all:?}");
}

#[test]
fn going_on_by_oneself_ends_at_the_times_allowed() {
    let small = braked("\"brakes.continue\" = 4", &being("ada", "count", "role = \"tireless\""));
    assert_eq!(small.wakes("ada"), ["summons", "self-continue", "self-continue", "self-continue", "self-continue", "self-continue"]);
    assert_eq!(codes(&small, "ada"), ["act", "act", "act", "act", "act", "brake-continue"]);
}

#[test]
fn two_who_wake_each_other_and_go_on_by_themselves_end_at_the_brake_and_nothing_sets_it_back() {
    let chatty = |name: &str| being(name, "pass", "role = \"chatty\"");
    let mut source = source(&format!("[config]\n\"brakes.continue\" = 5\n\"brakes.depth\" = 4\n{ROOMS}{}{}", chatty("ada"), chatty("bob")));
    let role = "---\nname: chatty\ncanSummon: ['**']\nselfContinue: true\n---\n";
    source.roles.push(Spec::from_markdown("chatty.md", role).unwrap());
    let mut small = Small::grow(&source, 1, 1);
    small.act("operator", summon("@ada"));
    assert_eq!(small.run("1h").stopped, Stopped::Quiet);
    for name in ["ada", "bob"] {
        let on: Vec<String> = small.reel(name).iter().filter(|draft| draft.wake.kind == WakeKind::SelfContinue).map(code).collect();
        assert_eq!(on, ["act", "act", "act", "act", "act", "brake-continue"], "@{name}");
    }
    assert!(small.world().inbox().is_empty());
    // A chain that another being begins is counted anew.
    small.act("operator", summon("@ada"));
    small.run("1h");
    let on = small.reel("ada").iter().filter(|draft| draft.wake.kind == WakeKind::SelfContinue).count();
    assert_eq!(on, 12);
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn a_tireless_being_rests_when_it_only_looks() {
    let small = braked("\"brakes.continue\" = 50", &being("ada", "thrice", "role = \"tireless\""));
    assert_eq!(codes(&small, "ada"), ["act", "act", "act", "see"]);
}

#[test]
fn a_being_a_space_and_the_world_can_be_held_still_and_go_on() {
    for target in ["@ada", "/hall", "/"] {
        let mut small = Small::plant(&format!("{ROOMS}{}{}", free("ada", "count"), every("tick", "1s")));
        small.operate(target, "pause.set", args("{}"));
        small.run("10s");
        assert!(small.wakes("ada").is_empty(), "{target}");
        small.operate(target, "pause.end", args("{}"));
        small.run("5s");
        assert!(!small.wakes("ada").is_empty(), "{target}");
    }
}

#[test]
fn an_ended_being_gets_a_last_frame_and_its_name_is_not_given_again() {
    let mut small = Small::plant(&format!("{ROOMS}{}{}", free("ada", "count"), every("tick", "1h")));
    small.act("operator", summon("@ada"));
    let ended = small.act("operator", Call::be("end", args(r#"{"being":"@ada"}"#)));
    assert_eq!(code(&ended), "act");
    assert_eq!(small.run("10h").stopped, Stopped::Quiet);
    assert_eq!(codes(&small, "ada"), ["ended"]);
    assert_eq!(small.world().inbox().len(), 0, "its open wakes are closed with it");
    let again = small.act("operator", Call::be("birth", args(r#"{"name":"ada"}"#)));
    assert_eq!(code(&again), "name-taken");
    assert!(matches!(small.try_act("ada", Call::see("/")), Err(RunError::NoBeing(_))));
}

#[test]
fn two_cannot_take_one_thing() {
    let rooms = ROOMS.replace("path = \"/hall\"", "path = \"/hall\"\nallow = [\"move\"]");
    let cup = "[[matter]]\nat = \"/hall\"\nname = \"cup\"\n";
    let mut small =
        Small::plant(&format!("{rooms}{cup}{}{}{}{}", free("ada", "take"), every("tick", "1m"), free("bob", "take"), every("tick", "1m")));
    small.run("1m");
    let (ada, bob) = (small.reel("ada"), small.reel("bob"));
    assert_eq!((ada[0].opened, ada[0].at), (bob[0].opened, bob[0].at), "both opened on the same world");
    assert_eq!(ada[0].closing, Closing::Act);
    assert_eq!(code(&bob[0]), "gate-place");
    assert!(bob[0].facts.is_empty());
}

#[test]
fn a_role_that_is_lost_between_opening_and_closing_no_longer_covers_the_deed() {
    let boss = being("boss", "demote", "role = \"free\"\ngrants = [\"*\"]");
    let ada = being("ada", "talk", "role = \"free\"\nparent = \"@boss\"");
    let mut small = Small::plant(&format!("{ROOMS}{boss}{}{ada}{}", every("tick", "1m"), every("tick", "1m")));
    small.run("1m");
    assert_eq!(codes(&small, "boss"), ["act"]);
    assert_eq!(codes(&small, "ada"), ["role-changed"]);
    assert_eq!(small.reel("ada")[0].stack[0].role.as_ref(), "free", "it still wore the old role when it opened");
}

#[test]
fn a_lease_runs_out_by_itself() {
    let child = format!("{}{}", being("ada", "count", "role = \"free\"\nparent = \"@hal\""), every("tick", "10s"));
    let mut small =
        Small::plant(&format!("{ROOMS}{}{child}{}{}", person("hal", "grants = [\"free\"]"), free("bob", "look"), every("tick", "10s")));
    assert!(matches!(small.try_act("ada", Call::see("/hall")), Err(RunError::NotDriven { .. })));
    let start = small.world().at();
    let inhabited = small.act("hal", Call::be("inhabit", args(r#"{"being":"@ada","for":"35s"}"#)));
    assert_eq!(code(&inhabited), "act");
    let driven = small.act("ada", Call::doing("@ada", "quality.inc", args(r#"{"path":"t.n"}"#)));
    assert_eq!((driven.driver, code(&driven)), (Some(small.id_of("hal")), "act".to_owned()));
    small.run("2m");
    let own: Vec<_> = small.reel("ada").into_iter().skip(1).collect();
    assert!(
        own.iter().all(|draft| draft.driver.is_none() && draft.at >= start + 35_000),
        "while the lease lasts the script does not think"
    );
    assert_eq!(own.len(), 10, "the tick that waited, at 35 s, and from 40 s to 120 s every ten");
}

#[test]
fn nobody_drives_whom_they_stand_not_above() {
    let mut small = Small::plant(&format!("{ROOMS}{}{}", person("hal", ""), free("ada", "count")));
    assert_eq!(code(&small.act("hal", Call::be("inhabit", args(r#"{"being":"@ada"}"#)))), "gate-lineage");
    assert_eq!(code(&small.act("hal", Call::be("end", args(r#"{"being":"@ada"}"#)))), "gate-lineage");
}

#[test]
fn wakes_are_taken_by_rank_and_then_as_they_came() {
    let mut small = Small::plant(&format!("{ROOMS}{}", free("ada", "count")));
    for rank in ["background", "normal", "urgent", "normal"] {
        small.act("operator", Call::summon("@ada", args(&format!(r#"{{"content":"hello","rank":"{rank}"}}"#))));
    }
    small.run("1s");
    let reel = small.reel("ada");
    let ranks: Vec<_> = reel.iter().map(|draft| draft.wake.rank).collect();
    assert_eq!(ranks, [Rank::Urgent, Rank::Normal, Rank::Normal, Rank::Background]);
    assert!(reel[1].wake.cause < reel[2].wake.cause);
}

#[test]
fn a_look_is_recorded_and_is_no_act() {
    let mut small = Small::plant(&format!("{ROOMS}{}{}", person("hal", ""), free("ada", "look")));
    small.act("operator", summon("@ada"));
    small.run("1s");
    assert_eq!(code(&small.act("hal", Call::see("/hall"))), "see");
    for name in ["hal", "ada"] {
        assert_eq!(codes(&small, name), ["see"]);
        let world = small.world();
        let being = world.being_named(name).unwrap();
        assert_eq!(being.previous_role, None, "{name}");
    }
}

#[test]
fn what_is_refused_is_recorded_with_its_rule_and_changes_nothing() {
    let mute = person("mona", "").replace("role = \"free\"", "role = \"mute\"");
    let mut small = Small::plant(&format!("{ROOMS}{}{mute}{}", person("hal", ""), free("bob", "look")));
    let mut refused = |name: &str, call: Call| {
        let draft = small.act(name, call.clone());
        assert!(draft.facts.is_empty() && matches!(draft.closing, Closing::Refused(_)));
        assert_eq!(draft.call, Some(call), "the deed that was not done stands beside the reason");
        code(&draft)
    };
    let set = || args(r#"{"path":"t.mine","value":1}"#);
    assert_eq!(refused("mona", Call::doing("/hall", "say", args(r#"{"content":"x"}"#))), "gate-role");
    assert_eq!(refused("hal", Call::doing("/other", "quality.set", set())), "gate-place");
    assert_eq!(refused("hal", Call::doing("@bob", "quality.set", set())), "gate-place");
    assert_eq!(refused("hal", Call::doing("@nobody", "quality.set", set())), "not-found");
    assert_eq!(refused("hal", Call::doing("/hall", "no.such", set())), "unknown-operation");
    assert!(refused("hal", Call::doing("@hal", "quality.set", args("{}"))).starts_with("args-"));
    assert_eq!(small.quality("bob", "t.mine"), Value::Null);
}

#[test]
fn authority_is_changed_only_within_ones_grants_lineage_and_place() {
    let child = being("kid", "look", "role = \"other\"\nparent = \"@hal\"");
    let mut small = Small::plant(&format!("{ROOMS}{}{child}{}", person("hal", "grants = [\"other\"]"), free("bob", "look")));
    let mut hal = |target: &str, action: &str, json: &str| code(&small.act("hal", Call::doing(target, action, args(json))));
    assert_eq!(hal("@kid", "flow.set", r#"{"flow":[{"role":"free"}]}"#), "gate-grants");
    assert_eq!(hal("@kid", "flow.set", r#"{"flow":[{"role":"other"}]}"#), "act");
    assert_eq!(hal("@kid", "flow.default", r#"{"role":"free"}"#), "gate-grants");
    assert_eq!(hal("@kid", "grants.set", r#"{"grants":["*"]}"#), "gate-grants");
    assert_eq!(hal("@hal", "grants.set", r#"{"grants":["*"]}"#), "gate-grants", "nobody raises themselves");
    assert_eq!(hal("@hal", "flow.default", r#"{"role":"operator"}"#), "gate-grants");
    assert_eq!(hal("@bob", "flow.set", r#"{"flow":[{"role":"other"}]}"#), "gate-lineage");
    assert_eq!(hal("@bob", "cognition.set", r#"{"cognition":"human"}"#), "gate-lineage");
    assert_eq!(hal("/", "role.set", r#"{"name":"free","role":null}"#), "gate-place");
    assert_eq!(hal("/hall", "own.allow", r#"{"allow":["*"]}"#), "gate-owner");
    assert_eq!(hal("@kid", "flow.set", r#"{"flow":[{"rolle":"other"}]}"#), "flow-malformed");
}

#[test]
fn whoever_stays_in_a_space_has_not_come_to_it() {
    let mut small = Small::plant(&format!("{ROOMS}{}{}", free("ada", "look"), free("bob", "look")));
    small.operate("@ada", "move", args(r#"{"to":"/hall"}"#));
    small.run("1s");
    assert!(small.wakes("ada").is_empty() && small.wakes("bob").is_empty());
}

#[test]
fn what_is_said_of_the_dead_or_of_no_place_changes_nothing() {
    let mut small = Small::plant(&format!("{ROOMS}{}{}", person("hal", ""), free("ada", "look")));
    let summons = small.act("hal", summon("@ada")).facts;
    let mut makes = small.operate("/hall", "space.make", args(r#"{"name":"loft"}"#)).facts;
    small.run("1s");
    small.act("operator", Call::be("end", args(r#"{"being":"@ada"}"#)));
    small.run("1s");
    let world = small.world();
    assert!(world.being_named("ada").unwrap().ended);
    let supposed = |facts: &[Fact]| world.imagine(small.id_of("hal"), (world.next_seq(), 0), world.now(), facts);
    assert_eq!(supposed(&summons).inbox().len(), world.inbox().len());
    assert_eq!(supposed(&makes).spaces().count(), world.spaces().count() + 1);
    let Some(Fact::SpaceMade { parent, .. }) = makes.first_mut() else { panic!("{makes:?}") };
    *parent = Some(SpaceId(Made { seq: 999, index: 0 }));
    assert_eq!(supposed(&makes).spaces().count(), world.spaces().count());
}

#[test]
fn a_place_remembers_what_was_done_there_and_not_what_was_refused() {
    let mut small = Small::plant(&format!("{ROOMS}{}{}", person("hal", ""), free("ada", "look")));
    let hall = small.world().being_named("hal").unwrap().position;
    let kept = |small: &Small| small.world().memory().of_place(hall).count();
    let before = kept(&small);
    assert_eq!(code(&small.act("hal", Call::doing("/hall", "fly", Value::Null))), "unknown-operation");
    assert_eq!(code(&small.act("hal", Call::doing("/hall", "own.allow", args(r#"{"allow":["*"]}"#)))), "gate-owner");
    assert_eq!(kept(&small), before);
    small.act("hal", Call::doing("/hall", "say", args(r#"{"content":"Good morning."}"#)));
    assert_eq!(kept(&small), before + 1);
}

#[test]
fn words_are_remembered_between_two_of_whom_one_has_a_mind() {
    let mut small = Small::plant(&format!("{ROOMS}{}{}{}", person("hal", ""), free("ada", "pass"), free("bob", "pass")));
    small.act("hal", summon("@ada"));
    small.run("1s");
    let between = |one: &str, other: &str| small.world().memory().between(small.id_of(one), small.id_of(other)).count();
    assert!(!small.wakes("bob").is_empty(), "ada passed it on");
    assert_eq!((between("hal", "ada"), between("ada", "bob")), (1, 0), "two scripts remember in their qualities, if they want to");
}

#[test]
fn whoever_comes_is_seen_to_come() {
    let there = free("eve", "look").replace("/hall", "/other");
    let mut small = Small::plant(&format!("{ROOMS}{}{}{there}", free("ada", "walk"), free("bob", "look")));
    small.act("operator", summon("@ada"));
    small.run("1s");
    assert_eq!(small.wakes("ada"), ["summons", "enter"]);
    assert_eq!(small.wakes("eve"), ["arrival"]);
    assert!(small.wakes("bob").is_empty());
    let world = small.world();
    assert_eq!(world.path_of(world.being_named("ada").unwrap().position), "/other");
}

#[test]
fn a_closed_wake_stays_closed_when_the_world_is_opened_again() {
    let mut small = Small::plant(&format!("{ROOMS}{}{}", free("ada", "count"), free("bob", "fail")));
    small.act("operator", summon("@ada"));
    small.act("operator", summon("@bob"));
    assert_eq!(small.run("1h").stopped, Stopped::Quiet);
    let (hash, frames) = (small.world().hash(), small.shelf.frames().len());
    small.reopen();
    assert_eq!(small.world().hash(), hash);
    let ran = small.run("1h");
    assert_eq!((ran.tally.moments(), ran.stopped), (0, Stopped::Quiet));
    assert_eq!(small.shelf.frames().len(), frames);
}

/// An extension that reaches beyond what it says it touches.
fn with_extension(ops: &[(&str, &str)]) -> Small {
    with_extension_in("", ops)
}

/// The same, with more in its world.
fn with_extension_in(more: &str, ops: &[(&str, &str)]) -> Small {
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir(dir.path().join("ops")).unwrap();
    let mut manifest = "name = \"x\"\nversion = \"1.0.0\"\ndescription = \"For tests\"\nreelm = \">=0.1\"\nneeds = {}\n".to_owned();
    for (name, script) in ops {
        std::fs::write(dir.path().join(format!("ops/{name}.rhai")), format!("fn run(ctx) {{ {script} }}")).unwrap();
        manifest += &format!(
            "[[operation]]\nname = \"{name}\"\ndescription = \"For tests\"\ntarget = [\"being\"]\nscript = \"ops/{name}.rhai\"\ntouches = [\"actor\"]\nargs = {{ type = \"object\" }}\n"
        );
    }
    std::fs::write(dir.path().join("manifest.toml"), manifest).unwrap();
    let mut source = source(&format!("{ROOMS}{more}{}{}", person("hal", ""), free("bob", "look")));
    source.extensions.push(reelm::extension::Package::load(dir.path()).unwrap_or_else(|error| panic!("{error}")));
    Small::grow(&source, 1, 1)
}

#[test]
fn an_operation_touches_only_what_it_says_and_never_authority() {
    let mut small = with_extension(&[
        ("own", r#"act(ctx.actor.address, "quality.set", #{ path: "x.n", value: 1 })"#),
        ("other", r#"act("@bob", "quality.set", #{ path: "x.n", value: 1 })"#),
        ("space", r#"act("/hall", "quality.set", #{ path: "x.n", value: 1 })"#),
        ("power", r#"act(ctx.actor.address, "grants.set", #{ grants: ["*"] })"#),
        ("signal", r#"act("/", "signal.set", #{ path: "y.n", value: 1 })"#),
        (
            "both",
            r#"[act(ctx.actor.address, "quality.set", #{ path: "x.m", value: 1 }), act("@bob", "quality.set", #{ path: "x.n", value: 1 })]"#,
        ),
        ("no", r#"throw "not now""#),
        ("twice", r#"[act(ctx.actor.address, "matter.make", #{ name: "m" }), act(ctx.actor.address, "matter.make", #{ name: "m" })]"#),
        ("make", r#"[act(ctx.actor.address, "matter.make", #{ name: "n" }), act("@hal/n", "quality.set", #{ path: "x.n", value: 1 })]"#),
    ]);
    let mut hal = |action: &str| code(&small.act("hal", Call::doing("@hal", action, args("{}"))));
    assert_eq!(hal("x:own"), "act");
    assert_eq!(hal("x:other"), "gate-touches");
    assert_eq!(hal("x:space"), "gate-touches");
    assert_eq!(hal("x:power"), "gate-authority");
    assert_eq!(hal("x:signal"), "gate-touches", "another's namespace");
    assert_eq!(hal("x:both"), "gate-touches");
    assert_eq!(hal("x:no"), "operation-refused");
    assert_eq!(hal("x:twice"), "name-taken", "a step sees the steps before it");
    assert_eq!(hal("x:make"), "act", "and may go on with what they made");
    assert_eq!(small.quality("hal", "x.m"), Value::Null, "all or nothing");
    assert_eq!(small.quality("bob", "x.n"), Value::Null);
}

#[test]
fn what_an_operation_draws_for_whoever_planted_the_world_does_not_depend_on_how_much_was_planted() {
    let drawn = |more: &str| {
        let dice = r#"act(ctx.actor.address, "quality.push", #{ path: "x.dice", value: random_int(0, 1000000) })"#;
        let mut small = with_extension_in(more, &[("dice", dice)]);
        for _ in 0..3 {
            assert_eq!(code(&small.act("operator", Call::doing("@operator", "x:dice", args("{}")))), "act");
        }
        small.quality("operator", "x.dice")
    };
    let dice = drawn("");
    assert_eq!(dice, drawn("[[space]]\npath = \"/far\"\n[[matter]]\nat = \"/far\"\nname = \"stone\"\n"));
    let mut each = dice.as_list().unwrap().to_vec();
    each.dedup();
    assert_eq!(each.len(), 3, "each act draws anew: {dice}");
}

#[test]
fn an_extension_that_is_put_away_leaves_its_data_and_works_again_when_it_is_back() {
    let mut small = with_extension(&[("own", r#"act(ctx.actor.address, "quality.inc", #{ path: "x.n" })"#)]);
    let own = || Call::doing("@hal", "x:own", args("{}"));
    assert_eq!(code(&small.act("hal", own())), "act");
    small.operate("/", "extension.set", args(r#"{"name":"x","enabled":false}"#));
    assert_eq!(code(&small.act("hal", own())), "gate-scope");
    assert_eq!(small.quality("hal", "x.n"), Value::Int(1));
    small.operate("/", "extension.set", args(r#"{"name":"x","enabled":true}"#));
    assert_eq!(code(&small.act("hal", own())), "act");
    assert_eq!(small.quality("hal", "x.n"), Value::Int(2));
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn a_large_value_lies_beside_the_frame_and_is_read_back() {
    let mut small = Small::plant(&format!("{ROOMS}{}", person("hal", "")));
    let long = "x".repeat(10_000);
    let draft = small.act("hal", Call::doing("@hal", "quality.set", args(&format!(r#"{{"path":"t.long","value":"{long}"}}"#))));
    assert!(matches!(&draft.facts[..], [Fact::QualitySet { value: Content::There { .. }, .. }]));
    small.reopen();
    assert_eq!(small.quality("hal", "t.long"), Value::from(long));
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn a_thought_that_takes_time_lets_the_round_wait_for_it() {
    let mut world = source(&format!(
        "{ROOMS}{}{}{}{}",
        being("ada", "count", "role = \"slow\""),
        every("t", "10s"),
        free("bob", "count"),
        every("t", "10s")
    ));
    let role = "---\nname: slow\ncanDo: ['quality.inc']\nthinks: 2s\n---\n\nYou take your time.\n";
    world.roles.push(reelm::role::Spec::from_markdown("slow.md", role).unwrap());
    let mut small = Small::grow(&world, 1, 1);
    small.run("15s");
    let (ada, bob) = (small.reel("ada"), small.reel("bob"));
    assert_eq!((ada[0].at - ada[0].opened_at, bob[0].at), (2_000, ada[0].at));
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn answers_that_race_are_heard_in_the_order_of_birth() {
    // Ada asks the hall aloud; all three answer with their names in the same round.
    let heard = |threads: usize| {
        let mut source = source(&format!(
            "{ROOMS}{}{}{}{}",
            being("ada", "ask", &format!("role = \"deaf\"\n{}", every("tick", "10s"))),
            free("cleo", "reply"),
            free("zoe", "reply"),
            free("ann", "reply")
        ));
        let ask = r#"fn think(face) {
            if face.wake.kind == "schedule" { return act("/hall", "say", #{ content: "who?" }); }
            act("@ada", "quality.push", #{ path: "t.heard", value: face.wake.content })
        }"#;
        source.scripts.push(("ask".into(), "scripts/ask.rhai".into(), ask.into()));
        let reply = r#"fn think(face) { if face.wake.from == "@ada" { summon("@ada", face.me.name) } else { () } }"#;
        source.scripts.push(("reply".into(), "scripts/reply.rhai".into(), reply.into()));
        let mut small = Small::grow(&source, 1, threads);
        small.run("11s");
        assert_eq!(small.replay().unwrap().difference, None);
        small
    };
    for threads in [1, 4] {
        let small = heard(threads);
        assert_eq!(small.quality("ada", "t.heard"), args(r#"["cleo","zoe","ann"]"#));
        let [cleo, zoe, ann] = ["cleo", "zoe", "ann"].map(|name| small.reel(name).remove(0));
        assert!(cleo.opened == zoe.opened && zoe.opened == ann.opened, "one round");
        assert!(cleo.seq < zoe.seq && zoe.seq < ann.seq);
        let taken: Vec<i64> = small.reel("ada").iter().skip(1).map(|draft| draft.at - cleo.at).collect();
        assert_eq!(taken, [1, 2, 3], "one after the other, a millisecond each");
    }
}
