//! Brakes: does whoever fails, is refused or wakes without end wait for the next window, and does nobody else see anything of it?

use std::collections::{BTreeMap, BTreeSet};

use reelm::fact::{BeingId, Call, Closing, Code, CodeKind, Draft, Fact, Made, Reason};
use reelm::run::Stopped;
use reelm::world::{Brake, World};

use super::kit::{Small, args, code, size};
use super::mind::tool;
use super::price::Crowd;
use super::scopes::shown;

const HOUR: i64 = 3_600_000;

/// A world that begins at 08:00:00.001 of a zone half an hour off, with a hall and a being that counts.
fn hall(more: &str) -> String {
    format!(
        "zone = \"Asia/Kolkata\"\n[[space]]\npath = \"/hall\"\nallow = [\"say\", \"quality.*\"]\n\
         [[being]]\nname = \"tick\"\nhome = \"/hall\"\nrole = \"free\"\nthink = 'act(me.address, \"quality.inc\", #{{ path: \"t.n\" }})'\nschedule = [{{ name = \"turn\", every = \"1m\" }}]\n\
         {more}\
         [[role]]\nname = \"free\"\ncanSee = [\"**\"]\ncanDo = [\"quality.inc\", \"move\"]\ncanSummon = [\"**\"]\nprompt = \"You count.\"\n"
    )
}

/// A being that does the same each second.
fn each_second(name: &str, think: &str, more: &str) -> String {
    every("1s", name, think, more)
}

fn every(span: &str, name: &str, think: &str, more: &str) -> String {
    format!(
        "[[being]]\nname = \"{name}\"\nhome = \"/hall\"\nrole = \"free\"\nthink = '{think}'\nschedule = [{{ name = \"turn\", every = \"{span}\" }}]\n{more}"
    )
}

const THROWS: &str = "throw \"no\"";
const REFUSED: &str = "act(\"/\", \"space.make\", #{ name: \"x\" })";
const COUNTS: &str = "act(me.address, \"quality.inc\", #{ path: \"t.n\" })";

/// How many moments of a being closed in each window of so many milliseconds since the world began.
fn by_window(small: &Small, name: &str, window: i64) -> BTreeMap<i64, usize> {
    let moments = small.reel(name);
    let number = |draft: &Draft| (draft.at + draft.offset * 60_000).div_euclid(window);
    moments.iter().fold(BTreeMap::new(), |mut all, draft| {
        *all.entry(number(draft)).or_default() += 1;
        all
    })
}

#[test]
fn whoever_fails_or_is_refused_or_wakes_too_often_waits_until_the_window_turns() {
    for (think, more, window, most, key) in [
        (THROWS, "", HOUR, 20, "brakes.failures"),
        (REFUSED, "", HOUR, 100, "brakes.refusals"),
        (COUNTS, "settings = { \"brakes.rate\" = 10 }\n", 60_000, 10, "brakes.rate"),
    ] {
        let mut small = Small::plant(&hall(&each_second("loud", think, more)));
        let ran = small.run("2h30m30s");
        let windows = by_window(&small, "loud", window);
        assert!(
            windows.values().all(|count| *count <= most) && windows.values().filter(|count| **count == most).count() > 1,
            "{key}: {windows:?}"
        );
        // Its wake waits, and it is held so at the end.
        let (world, being) = (small.world(), small.id_of("loud"));
        assert!(world.inbox().of(being).next().is_some(), "{key}");
        assert_eq!(ran.held.get(&Code::BrakeTripped).map(Vec::len), Some(1), "{key}: {:?}", ran.held);
        let held = world.tripped(world.being(being).unwrap(), world.now()).unwrap();
        assert_eq!((held.brake.key(), held.count, held.most), (key, most as u64, most as u64));
        assert!(held.until > world.now() && held.until <= world.now() + window);
        // Nobody else sees anything of it.
        let alone = {
            let mut alone = Small::plant(&hall(""));
            alone.run("2h30m30s");
            alone.reel("tick").len()
        };
        assert_eq!(small.reel("tick").len(), alone, "{key}");
        assert_eq!(small.replay().unwrap().difference, None, "{key}");
    }
}

#[test]
fn a_world_in_which_all_are_held_goes_on_when_the_window_turns() {
    let mut small = Small::plant(&hall("").replace("every = \"1m\"", "every = \"1s\"").replace("t.n\" })'", "t.n\" }); throw \"no\"'"));
    assert_eq!(small.run("2h").stopped, Stopped::Done);
    let hours = by_window(&small, "tick", HOUR);
    assert!(hours.len() == 3 && hours.values().all(|count| *count <= 20), "{hours:?}");
}

#[test]
fn the_narrowest_of_all_limits_on_the_way_holds_and_one_can_be_set_while_it_goes() {
    let mut small = Small::plant(&hall(&each_second("loud", REFUSED, "settings = { \"brakes.refusals\" = 50 }\n")));
    small.run("10s");
    let set = |small: &mut Small, target: &str, most: i64| {
        small.operate(target, "config.set", args(&format!(r#"{{"key":"brakes.refusals","value":{most}}}"#)));
    };
    set(&mut small, "/hall", 5);
    small.run("1m");
    assert_eq!(small.reel("loud").len(), 10, "it is held at once");
    set(&mut small, "/hall", 20);
    small.run("1m");
    assert_eq!(small.reel("loud").len(), 20, "and goes on at once");
    set(&mut small, "/hall", 80);
    small.run("10m");
    assert_eq!(small.reel("loud").len(), 50);
    for most in [0, -1] {
        let refused =
            small.act("operator", Call::doing("/hall", "config.set", args(&format!(r#"{{"key":"brakes.failures","value":{most}}}"#))));
        assert_eq!((refused.closing.word(), code(&refused).as_str()), ("refused", "args-minimum"), "{most}");
    }
}

#[test]
fn what_an_operation_means_to_refuse_and_what_nobody_could_be_asked_count_for_nothing() {
    // A target that is not there, and a rule.
    let rule = "[[rule]]\nname = \"quiet\"\non = [\"quality.inc\"]\nrefuse = \"not now\"\n";
    for (target, rule, said) in [("@nobody", "", "not-found"), ("/hall", rule, "rule")] {
        let think = format!("act(\"{target}\", \"quality.inc\", #{{ path: \"t.n\" }})");
        let mut small = Small::plant(&hall(&each_second("loud", &think, rule)));
        small.run("5m");
        let codes: BTreeSet<String> = small.reel("loud").iter().map(code).collect();
        assert_eq!(codes.into_iter().collect::<Vec<_>>(), [said]);
        assert!(small.reel("loud").len() > 250 && small.reel("loud").iter().all(|moment| moment.closing.word() == "refused"), "{said}");
    }
}

#[test]
fn what_a_deputy_is_refused_counts_to_whoever_asked() {
    let deputy = "[[being]]\nname = \"deputy\"\nhome = \"/hall\"\nrole = \"deputy\"\nthink = 'act(\"/\", \"space.make\", #{ name: \"x\" })'\n\
                  [[role]]\nname = \"deputy\"\ncanSee = [\"**\"]\ncanDo = [\"**\"]\ncanSummon = [\"**\"]\nactsForCaller = true\nprompt = \"You do it.\"\n";
    let asks = each_second("loud", "summon(\"@deputy\", \"Make a room.\")", "settings = { \"brakes.refusals\" = 7 }\n");
    let mut small = Small::plant(&hall(&format!("{deputy}{asks}")));
    small.run("30m");
    let (world, count) = (small.world(), |name: &str| {
        let world = small.world();
        let being = world.being(small.id_of(name)).unwrap().clone();
        world.braked(&being, Brake::Refusals, world.now()).0
    });
    assert_eq!((count("loud"), count("deputy")), (7, 0));
    assert!(world.tripped(world.being(small.id_of("loud")).unwrap(), world.now()).is_some());
    assert_eq!(small.replay().unwrap().difference, None);
}

/// The counts of a being as its frames say them, of those who act for nobody.
fn recounted(small: &Small, being: BeingId, now: (i64, i64)) -> [u64; 3] {
    let frames = small.shelf.drafts();
    let lives = frames.iter().filter(|draft| draft.being == being && draft.seq > 0 && code(draft) != "asking");
    let is_in =
        |draft: &Draft, window: i64| (draft.at + draft.offset * 60_000).div_euclid(window) == (now.0 + now.1 * 60_000).div_euclid(window);
    let is_counted = |code: Code| matches!(code.kind(), CodeKind::Gate | CodeKind::Args | CodeKind::Script);
    lives.fold([0; 3], |[refusals, failures, moments], draft| {
        let refused = draft.closing.refusal().is_some_and(|reason| is_counted(reason.code));
        let failed = matches!(draft.closing, Closing::Failed(_) | Closing::DeadLetter(_));
        [
            refusals + u64::from(refused && is_in(draft, HOUR)),
            failures + u64::from(failed && is_in(draft, HOUR)),
            moments + u64::from(is_in(draft, 60_000)),
        ]
    })
}

fn counted(world: &World, being: BeingId) -> [u64; 3] {
    let being = world.being(being).unwrap();
    Brake::ALL.map(|brake| world.braked(being, brake, world.now()).0)
}

#[test]
fn the_counts_are_those_of_a_recount_from_the_beginning_also_from_a_checkpoint() {
    let loud = [("throws", THROWS), ("asks", REFUSED), ("counts", COUNTS)].map(|(name, think)| every("4s", name, think, "")).concat();
    let mut small = Small::plant(&hall(&loud));
    for _ in 0..4 {
        small.run("17m");
        let world = small.world();
        for name in ["throws", "asks", "counts", "tick"] {
            let id = small.id_of(name);
            let offset = small.reel("tick").last().unwrap().offset;
            assert_eq!(counted(&world, id), recounted(&small, id, (world.now(), offset)), "@{name}");
        }
        let before = small.world().hash();
        small.reopen();
        assert_eq!(small.world().hash(), before);
    }
    assert!(small.shelf.drafts().iter().all(|draft| draft.facts.iter().all(|fact| !matches!(fact, Fact::Ended { .. }))));
}

#[test]
fn the_health_of_a_place_lists_those_whom_a_brake_holds() {
    let mut small = Small::plant(&hall(&each_second("loud", THROWS, "")));
    small.run("10m");
    let told = shown(&small, "/hall/.health");
    let names: Vec<String> = told.as_map().unwrap().keys().map(ToString::to_string).collect();
    let parts = [
        "claims",
        "connections",
        "failures",
        "held",
        "nearest",
        "outOfBudget",
        "resting",
        "threads",
        "tripped",
        "undressed",
        "unheard",
        "waits",
        "withheld",
    ];
    assert_eq!(names, parts);
    let at = |path: &str| told.at(path).map(ToString::to_string).unwrap_or_default();
    assert_eq!(at("failures"), r#"{"script-throw":20}"#);
    assert_eq!(at("nearest.limits.dead"), "");
    assert_eq!(told.get("nearest").unwrap().get("brakes.failures").unwrap().to_string(), r#"{"@loud":{"count":20,"most":20}}"#);
    assert_eq!(told.get("nearest").unwrap().get("limits.inbox").unwrap().as_map().unwrap().len(), 2, "the nearest is the first: {told}");
    let waits = told.get("waits").unwrap().as_list().unwrap();
    assert_eq!(waits[0].get("being").and_then(|being| being.as_str()), Some("@loud"), "{told}");
    let loud = told.get("tripped").and_then(|tripped| tripped.get("@loud")).unwrap().clone();
    assert_eq!(loud.get("brake").and_then(|brake| brake.as_str()), Some("brakes.failures"));
    assert_eq!(loud.get("until").and_then(|until| until.as_str()), Some("2026-03-02T09:00:00+05:30"));
    assert_eq!((loud.get("count").unwrap().as_int(), loud.get("most").unwrap().as_int()), (Some(20), Some(20)));
}

#[test]
fn the_same_call_with_the_same_end_is_made_so_often_in_a_thread_and_no_oftener() {
    let pair = "[[being]]\nname = \"ann\"\nhome = \"/hall\"\nrole = \"free\"\nthink = 'summon(\"@ben\", WORDS)'\nsettings = { \"brakes.repeat\" = 5 }\n\
                [[being]]\nname = \"ben\"\nhome = \"/hall\"\nrole = \"free\"\nthink = 'summon(\"@ann\", \"No. \" + wake.cause)'\n";
    for (words, least, last) in [("\"And you?\"", 6, "brake-repeat"), ("wake.cause", 32, "brake-depth")] {
        let mut small = Small::plant(&hall(&pair.replace("WORDS", words)));
        small.act("operator", Call::summon("@ann", args(r#"{"content":"Go on."}"#)));
        small.run("1m");
        let codes: Vec<String> =
            small.reel("ann").iter().chain(&small.reel("ben")).map(code).filter(|code| code.starts_with("brake")).collect();
        assert!(!codes.is_empty() && codes.iter().all(|code| code == last), "{words}: {codes:?}");
        assert!(small.reel("ann").len() >= least, "{words}: {}", small.reel("ann").len());
        // The wake is a dead letter, and another beginning is not touched.
        assert_eq!(small.world().inbox().dead_len(), codes.len());
        let before = small.reel("ann").len();
        small.act("operator", Call::summon("@ann", args(r#"{"content":"Go on."}"#)));
        small.run("1m");
        assert!(small.reel("ann").len() >= before + least);
        assert_eq!(small.replay().unwrap().difference, None, "{words}");
        let hash = small.world().hash();
        small.reopen();
        assert_eq!(small.world().hash(), hash);
    }
    // A refusal counts as such: a model that tries the same again and again is given up.
    let config =
        "[config]\n\"llm.connection\" = \"tiny\"\n\"llm.tiny\" = { base_url = \"http://127.0.0.1:9/v1\", model = \"tiny\" }\n[[space]]";
    let tries = "[[being]]\nname = \"ann\"\nhome = \"/hall\"\nrole = \"free\"\ncognition = \"llm\"\nsettings = { \"brakes.repeat\" = 2 }\n";
    let mut small = Small::plant(&hall(tries).replacen("[[space]]", config, 1));
    let call = || tool("do", serde_json::json!({ "target": "/", "action": "space.make", "args": { "name": "x" } }));
    let crowd = Crowd::of(move |_, _| call());
    small.living().asking(Box::new(crowd.clone()));
    small.act("operator", Call::summon("@ann", args(r#"{"content":"Go on."}"#)));
    small.run("1m");
    let codes: Vec<String> = small.reel("ann").iter().map(code).filter(|code| code != "asking").collect();
    assert_eq!(
        (codes.iter().filter(|code| *code == "refused").count(), codes.last().map(String::as_str), crowd.calls()),
        (2, Some("brake-repeat"), 3),
        "{codes:?}"
    );
}

/// The deeds of a being as others see them: when, and how each ended.
fn lived(small: &Small, name: &str) -> Vec<(i64, String)> {
    small.reel(name).iter().map(|draft| (draft.at, format!("{:?} {}", draft.call, code(draft)))).collect()
}

#[test]
fn in_a_world_of_hostile_beings_everybody_else_lives_as_if_they_were_not_there() {
    // Two models that answer each other, a script that throws, one that is refused, a flood of summons, and two scripts that go round in a circle.
    let talks = "[[role]]\nname = \"talks\"\ncanSee = [\"**\"]\ncanDo = [\"say\"]\ncanSummon = [\"**\"]\ntriggerOn = [\"message\", \"hear\"]\nprompt = \"You talk.\"\n";
    let model = |name: &str| format!("[[being]]\nname = \"{name}\"\nhome = \"/den\"\nrole = \"talks\"\ncognition = \"llm\"\n");
    let round = |name: &str, other: &str| {
        format!("[[being]]\nname = \"{name}\"\nhome = \"/pit\"\nrole = \"talks\"\nthink = 'summon(\"@{other}\", \"And you?\")'\n")
    };
    let sink =
        "[[being]]\nname = \"sink\"\nhome = \"/pit\"\nrole = \"talks\"\ncognition = \"human\"\nsettings = { \"limits.inbox\" = 40 }\n";
    let floods = each_second("floods", "summon(\"@sink\", \"And now?\")", "");
    let starts = each_second("starts", "summon(\"@left\", \"Go on.\")", "").replace("1s", "1m");
    let speaks = each_second("speaks", "act(\"/den\", \"say\", #{ content: \"Well?\" })", "").replace("1s", "1m").replace("/hall", "/den");
    let connection = "[config]\n\"llm.connection\" = \"tiny\"\n\"llm.tiny\" = { base_url = \"http://127.0.0.1:9/v1\", model = \"tiny\" }\n\"brakes.rate\" = 400\n";
    let hostile = [
        connection,
        "[[space]]\npath = \"/pit\"\n[[space]]\npath = \"/den\"\nallow = [\"say\"]\n",
        talks,
        &model("ann"),
        &model("ben"),
        &round("left", "right"),
        &round("right", "left"),
        sink,
        &floods,
        &starts,
        &speaks,
        &each_second("throws", THROWS, ""),
        &each_second("asks", REFUSED, ""),
    ]
    .concat();
    let hostile = hostile.replace("home = \"/hall\"", "home = \"/pit\"");
    let (config, rest) = hostile.split_once("[[space]]").unwrap();
    let base = hall("").replacen("[[space]]", &format!("{config}[[space]]"), 1);
    let span = size("8m", "23h50m");
    let run = |text: &str| {
        let mut small = Small::plant(text);
        let crowd = Crowd::saying("And what do you think?");
        small.living().asking(Box::new(crowd.clone()));
        small.run(span);
        (small, crowd.calls())
    };
    let ((quiet, none), (loud, calls)) = (run(&base), run(&format!("{base}[[space]]{rest}")));
    assert_eq!(lived(&loud, "tick"), lived(&quiet, "tick"));
    assert!(lived(&quiet, "tick").len() >= 7 && none == 0 && calls > 0);
    // Each of them is held or refused, and says so.
    let told = shown(&loud, "/pit/.health");
    let held: Vec<String> = told.get("tripped").unwrap().as_map().unwrap().keys().map(ToString::to_string).collect();
    assert!(["@throws", "@asks"].iter().all(|name| held.iter().any(|held| held == name)), "{told}");
    let full = loud.reel("floods").iter().filter(|draft| code(draft) == "inbox-full").count();
    assert!(full > 300, "{full}");
    assert_eq!(loud.replay().unwrap().difference, None);
}

#[test]
fn a_watch_that_fails_five_times_in_a_row_rests_until_the_hour_turns_and_loses_nothing() {
    let guards = "[[being]]\nname = \"guard\"\nhome = \"/hall\"\nrole = \"guards\"\nthink = 'if signal(\"t.well\") == true { return act(me.address, \"quality.inc\", #{ path: \"t.n\" }); } throw \"no\"'\n\
                  [[role]]\nname = \"guards\"\ncanSee = [\"**\"]\ncanDo = [\"quality.inc\"]\nwatch = [{ action = \"quality.inc\", on = \"@tick\" }]\nprompt = \"You guard.\"\n";
    let mut small = Small::plant(&hall(guards).replace("every = \"1m\"", "every = \"10s\""));
    small.run("29m");
    let failed =
        |small: &Small| small.reel("guard").iter().filter(|draft| matches!(draft.closing.word(), "failed" | "dead-letter")).count();
    assert_eq!(failed(&small), 5);
    let told = shown(&small, "/hall/.health").get("resting").unwrap().get("@guard").unwrap().to_string();
    assert!(told.contains("quality.inc") && told.contains("2026-03-02T09:00:00+05:30"), "{told}");
    let open: Vec<_> = small.world().inbox().of(small.id_of("guard")).map(|wake| (wake.id.kind, wake.id.due)).collect();
    assert_eq!(open.len(), 1, "one wake waits, and stands for all that happened since: {open:?}");
    let hash = small.world().hash();
    small.reopen();
    assert_eq!(small.world().hash(), hash);
    small.operate("/", "signal.set", args(r#"{"path":"t.well","value":true}"#));
    small.run("20m");
    assert_eq!(failed(&small), 5, "also where it would go well by now");
    small.run("20m");
    assert_eq!(failed(&small), 5, "nor is the same deed about each of them a repetition");
    assert!(small.quality("guard", "t.n").as_int().unwrap() > 100, "each of them is seen: {}", small.quality("guard", "t.n"));
    assert!(shown(&small, "/hall/.health").get("resting").unwrap().as_map().unwrap().is_empty());
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn refusals_count_by_whichever_door_they_come() {
    let more = "[[space]]\npath = \"/locked\"\nowner = \"@owen\"\n[[matter]]\nat = \"/locked\"\nname = \"box\"\n[[matter]]\nat = \"/hall\"\nname = \"cart\"\n\
                [[being]]\nname = \"owen\"\nhome = \"/locked\"\nrole = \"deaf\"\ncognition = \"human\"\n\
                [[being]]\nname = \"pat\"\nhome = \"/hall\"\nrole = \"deaf\"\ncognition = \"human\"\nsettings = { \"brakes.refusals\" = 3 }\n";
    let doors = [
        ("a deed", REFUSED),
        ("a deed there", "act(\"/locked/box\", \"quality.inc\", #{ path: \"t.n\" })"),
        ("a step", "act(me.address, \"paint:other\", #{ other: \"/locked/box\" })"),
        ("an end", "be(\"end\", #{ being: \"@tick\" })"),
        ("a birth", "be(\"birth\", #{ name: \"kid\", grants: [\"*\"] })"),
        ("brought in", "act(\"/hall/cart\", \"move\", #{ to: \"/locked\" })"),
        ("arguments", "act(me.address, \"quality.inc\", #{ by: \"x\" })"),
        ("a setting", "act(\"/\", \"config.set\", #{ key: \"brakes.refusals\", value: 900 })"),
    ];
    for (door, think) in doors {
        let mut world = super::kit::source(
            &hall(&format!("{more}{}", each_second("loud", think, "settings = { \"brakes.refusals\" = 3 }\n")))
                .replace("role = \"free\"", "role = \"deaf\""),
        );
        world.extensions.push(super::scopes::package(
            "paint",
            "",
            &[
                ("", "[[operation]]\nname = \"other\"\nscript = \"ops/other.rhai\"\ntouches = [\"actor\", \"args.other\"]\n"),
                ("ops/other.rhai", r#"fn run(ctx) { act(ctx.args.other, "quality.inc", #{ path: "t.n" }) }"#),
            ],
        ));
        let mut small = Small::grow(&world, 1, 1);
        small.run("1h20m");
        let by_hour = by_window(&small, "loud", HOUR);
        assert!(
            by_hour.len() >= 2 && by_hour.values().all(|count| *count == 3),
            "{door}: {by_hour:?} {:?}",
            small.reel("loud").first().map(code)
        );
        assert_eq!(small.replay().unwrap().difference, None, "{door}");
    }
    // A being whose members vote for what it may not is refused as whoever decides alone, and is held.
    let members = "[[being]]\nname = \"one\"\nhome = \"/hall\"\nrole = \"deaf\"\nthink = 'if wake.kind == \"summons\" { summon(wake.from, act(\"/locked/box\", \"quality.inc\", #{ path: \"t.n\" })) }'\n\
                   [[being]]\nname = \"council\"\nhome = \"/hall\"\nrole = \"free\"\ncognition = \"panel\"\npanel = { of = [\"@one\"], until = \"10m\" }\nschedule = [{ name = \"turn\", every = \"1s\" }]\nsettings = { \"brakes.refusals\" = 3 }\n";
    let mut small = Small::plant(&hall(&format!("{more}{members}")));
    small.run("10m");
    let ends: Vec<String> = small.reel("council").iter().map(code).collect();
    assert_eq!(ends, ["gate-place"; 3]);
    assert_eq!(small.world().tripped(small.world().being(small.id_of("council")).unwrap(), small.world().now()).unwrap().count, 3);
    // Refusals of a person count, and do not hold them: only what is due by itself waits.
    let mut small = Small::plant(&hall(more));
    for _ in 0..5 {
        assert_eq!(code(&small.act("pat", Call::doing("/locked/box", "quality.inc", args(r#"{"path":"t.n"}"#)))), "gate-place");
    }
    let (world, pat) = (small.world(), small.id_of("pat"));
    let held = world.tripped(world.being(pat).unwrap(), world.now()).unwrap();
    assert_eq!((held.count, held.most), (5, 3));
    assert_eq!(code(&small.act("pat", Call::doing("@pat", "quality.inc", args(r#"{"path":"t.n"}"#)))), "act");
}

#[test]
fn another_end_is_no_repetition() {
    let pair = "[[being]]\nname = \"ann\"\nhome = \"/hall\"\nrole = \"free\"\nthink = 'summon(\"@ben\", \"And you?\")'\nsettings = { \"brakes.repeat\" = 5 }\n\
                [[being]]\nname = \"ben\"\nhome = \"/hall\"\nrole = \"free\"\nthink = 'summon(\"@ann\", \"No. \" + wake.cause)'\n";
    let mut small = Small::plant(&hall(pair));
    let said = small.act("operator", Call::summon("@ann", args(r#"{"content":"Go on."}"#)));
    let root = Made { seq: said.seq, index: 0 };
    while small.reel("ann").len() < 5 {
        small.moments(1, small.world().now() + 1000);
    }
    let fifth = small.reel("ann").pop().unwrap();
    let refused = Draft { closing: Closing::Refused(Reason::new(Code::GateRole, "")), ..fifth.clone() };
    let other = Draft { call: Some(Call::summon("@ben", args(r#"{"content":"Or else?"}"#))), ..fifth.clone() };
    let is_over = [fifth, refused, other].map(|draft| small.world().is_one_too_many(root, &draft));
    assert_eq!(is_over, [true, false, false], "the same, with another end, and another call");
}

#[test]
fn a_watch_that_goes_well_in_between_does_not_rest() {
    // It fails four times, does well, and fails four times more.
    let guards = "[[being]]\nname = \"guard\"\nhome = \"/hall\"\nrole = \"guards\"\nsettings = { \"attempts.max\" = 1 }\n\
                  think = 'let n = see(\"@tick\").qualities.t.n; if n == 5 { return act(me.address, \"quality.inc\", #{ path: \"t.n\" }); } if n < 10 { throw \"no\"; } ()'\n\
                  [[role]]\nname = \"guards\"\ncanSee = [\"**\"]\ncanDo = [\"quality.inc\"]\nwatch = [{ action = \"quality.inc\", on = \"@tick\" }]\nprompt = \"You guard.\"\n";
    let mut small = Small::plant(&hall(guards));
    small.run("12m30s");
    let ends: Vec<&str> = small.reel("guard").iter().map(|draft| draft.closing.word()).collect();
    let row = ["dead-letter"; 4];
    assert_eq!(ends, [&row[..], &["act"], &row[..], &["see"; 3]].concat());
}

/// A world with an extension whose resolver fails unless it is well, and beings that look through it each ten seconds.
fn looked_through(beings: &str) -> Small {
    let world = hall(&format!(
        "{beings}[[role]]\nname = \"looks\"\ncanSee = [\"**\"]\nsee = [\"eyes:look?\"]\ncanDo = [\"quality.*\"]\nprompt = \"You look.\"\n"
    ));
    let mut world = super::kit::source(&world);
    world.extensions.push(super::scopes::package(
        "eyes",
        "",
        &[
            ("", "[[resolver]]\nname = \"look\"\nscript = \"look.rhai\"\n"),
            ("look.rhai", r#"fn resolve(face) { if signal("t.well") == true { return "all is well"; } throw "no" }"#),
        ],
    ));
    Small::grow(&world, 1, 1)
}

/// Of each moment of a being, the resolvers of which something is recorded.
fn resolved(small: &Small, name: &str) -> Vec<Vec<bool>> {
    let told = |fact: &Fact| if let Fact::Resolved { failed, .. } = fact { Some(*failed) } else { None };
    small.reel(name).iter().map(|draft| draft.facts.iter().filter_map(told).collect()).collect()
}

#[test]
fn a_resolver_that_fails_five_times_in_a_row_rests_until_the_hour_turns_and_its_being_goes_on() {
    let looker = "[[being]]\nname = \"looker\"\nhome = \"/hall\"\nrole = \"looks\"\nschedule = [{ name = \"turn\", every = \"10s\" }]\n\
                  think = 'act(me.address, \"quality.set\", #{ path: \"t.saw\", value: face.see })'\n";
    let mut small = looked_through(looker);
    small.run("40s");
    small.operate("/", "signal.set", args(r#"{"path":"t.well","value":true}"#));
    small.run("10s");
    small.operate("/", "signal.set", args(r#"{"path":"t.well","value":false}"#));
    small.run("2m");
    let mut told = vec![vec![true]; 4];
    told.push(vec![false]);
    told.extend(vec![vec![true]; 5]);
    assert_eq!(resolved(&small, "looker")[..10], told[..], "four, one that goes well, and five more");
    assert!(resolved(&small, "looker").len() > 15 && resolved(&small, "looker")[10..].iter().all(Vec::is_empty));
    let saw = |small: &Small| small.quality("looker", "t.saw").get("eyes:look").unwrap().to_string();
    assert!(saw(&small).contains("rests"), "{}", saw(&small));
    let told = shown(&small, "/hall/.health").get("resting").unwrap().get("@looker").unwrap().to_string();
    assert!(told.contains("eyes:look") && told.contains("2026-03-02T09:00:00+05:30"), "{told}");
    let hash = small.world().hash();
    small.reopen();
    assert_eq!(small.world().hash(), hash);
    small.operate("/", "signal.set", args(r#"{"path":"t.well","value":true}"#));
    small.run("5m");
    assert!(saw(&small).contains("rests"), "also where it would go well by now");
    small.run("1h");
    assert!(saw(&small).contains("all is well"), "{}", saw(&small));
    assert!(small.reel("looker").iter().all(|draft| draft.closing.word() == "act"), "it goes on all the while");
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn a_model_is_told_that_a_resolver_rests() {
    let mut small = looked_through(
        "[[being]]\nname = \"mia\"\nhome = \"/hall\"\nrole = \"looks\"\ncognition = \"llm\"\nsettings = { \"llm.connection\" = \"tiny\" }\n[config]\n\"llm.tiny\" = { base_url = \"http://127.0.0.1:9/v1\", model = \"tiny\" }\n",
    );
    let crowd = Crowd::saying("I see.");
    small.living().asking(Box::new(crowd.clone()));
    for _ in 0..7 {
        small.act("operator", Call::summon("@mia", args(r#"{"content":"What do you see?"}"#)));
        small.run("1s");
    }
    let failed: Vec<bool> = resolved(&small, "mia").iter().map(|told| *told == [true]).collect();
    let told: Vec<bool> = crowd.systems().iter().map(|system| !system.contains("rests")).collect();
    assert!(failed.len() >= 7 && failed.iter().enumerate().all(|(at, failed)| *failed == (at < 5)), "{failed:?}");
    assert_eq!(told, failed, "it is told so exactly when nobody was asked");
    assert_eq!(small.replay().unwrap().difference, None);
}
