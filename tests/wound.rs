//! Wounds: what once went wrong, each told as it happened, so that it does not happen again.

use std::collections::BTreeSet;

use reelm::fact::{Call, Closing, Fact, Reason, Thing, Value};
use reelm::past::load;
use reelm::reel::Chain;
use reelm::replay::{Thread, replay};
use reelm::run::{Course, Pace, Reins, RunError, Sealer, Until};
use reelm::script::Sandbox;
use reelm::source::Source;

use super::kit::{Shelf, Small, args, code, source};
use super::terminal::Terminal;

const HALL: &str = "[[space]]\npath = \"/hall\"\n[[space]]\npath = \"/other\"\n";

fn person(name: &str, more: &str) -> String {
    format!("[[being]]\nname = \"{name}\"\nhome = \"/hall\"\nrole = \"free\"\ncognition = \"human\"\n{more}\n")
}

fn deep(levels: usize) -> String {
    format!("{}{}", "[".repeat(levels), "]".repeat(levels))
}

fn be(operation: &str, json: &str) -> Call {
    Call::be(operation, args(json))
}

fn verified(small: &Small) {
    replay(&small.shelf, small.id, Thread { only_verify: true, ..Thread::default() }, &mut |_| {}).unwrap();
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn a_value_that_nests_too_deep_is_refused_before_anything_of_it_is_sealed() {
    let mut small = Small::plant(&format!("{HALL}{}", person("hal", "")));
    for levels in [24, 25, 31, 32, 40, 100] {
        let call = Call::doing("@hal", "nope", args(&format!(r#"{{"value":{}}}"#, deep(levels))));
        let refused = small.try_act("hal", call);
        assert_eq!(refused.is_err(), levels >= 24, "{levels}: {refused:?}");
    }
    let script =
        "fn think(face) { let a = []; for i in 0..30 { a = [a]; } act(face.me.address, \"quality.set\", #{ path: \"t.n\", value: a }) }";
    small.operate("/", "script.set", Value::map([("name", Value::from("deep")), ("source", Value::from(script))]));
    small.act("operator", be("birth", r#"{"name":"zoe","home":"/hall","script":"deep","defaultRole":"free"}"#));
    small.act("operator", Call::summon("@zoe", args(r#"{"content":"hello"}"#)));
    small.run("1s");
    assert_eq!(code(&small.reel("zoe")[0]), "args-depth");
    verified(&small);
    let planted = source(&format!("{HALL}[[matter]]\nat = \"/hall\"\nname = \"m\"\ncontent = {}\n", deep(40)));
    let refused = Terminal::new();
    let living = reelm::run::Living::plant(&planted, None, &refused.path("world"), 1);
    assert!(matches!(living, Err(RunError::Planting { refusals }) if refusals[0].reason.contains("args-depth")));
}

#[test]
fn a_clock_that_was_set_ahead_is_not_set_back_by_the_next_round() {
    let mut small = Small::plant(&format!(
        "{HALL}[[being]]\nname = \"ada\"\nhome = \"/hall\"\nrole = \"free\"\nscript = \"count\"\n[[being.schedule]]\nname = \"t\"\nevery = \"10s\"\n"
    ));
    // The wall clock is months after the world's: switching to it moves world time on at once.
    let until = || Until { moments: Some(0), ..Until::default() };
    small.living().run(Course { pace: Pace::Real, until: until(), reins: &Reins::default(), watch: None, measures: None }).unwrap();
    let ahead = small.world().at();
    small.run("30s");
    assert!(small.reel("ada").iter().all(|draft| draft.at >= ahead) && !small.reel("ada").is_empty());
    verified(&small);
}

#[test]
fn a_draft_that_goes_back_in_time_is_never_sealed() {
    let small = Small::plant(HALL);
    let mut drafts = small.shelf.drafts();
    drafts.last_mut().unwrap().at -= 10;
    let shelf = Shelf::new(small.id);
    let mut sealer = Sealer::new(Chain::new(small.id), Box::new(shelf.clone()), small.master.clone(), 1, Default::default());
    assert!(sealer.seal(vec![drafts]).is_err());
    assert!(shelf.opened().frames().is_empty());
}

#[test]
fn grants_that_are_passed_on_are_no_wider_than_ones_own() {
    let mut small = Small::plant(
        &format!("{HALL}{}", person("low", "grants = [\"guest?\", \"kit-*\"]"))
            .replace("path = \"/hall\"", "path = \"/hall\"\nowner = \"@low\""),
    );
    let mut low = |json: &str| code(&small.act("low", Call::doing("@low", "grants.set", args(json))));
    assert_eq!(low(r#"{"grants":["guest*"]}"#), "gate-grants");
    assert_eq!(low(r#"{"grants":["*"]}"#), "gate-grants");
    assert_eq!(low(r#"{"grants":["k*"]}"#), "gate-grants");
    assert_eq!(code(&small.act("low", be("birth", r#"{"name":"k","home":"/hall","grants":["guest*"]}"#))), "gate-grants");
    let mut low = |json: &str| code(&small.act("low", Call::doing("@low", "grants.set", args(json))));
    assert_eq!(low(r#"{"grants":["guest?","kit-*","kit-a*","guest1"]}"#), "act");
}

#[test]
fn who_inhabits_a_child_gains_nothing_by_it() {
    let more = "grants = [\"free\"]";
    let kid = format!("{}parent = \"@ada\"\n", person("kid", "grants = [\"*\"]"));
    let mut small = Small::plant(&format!("{HALL}{}{kid}", person("ada", more)));
    assert_eq!(code(&small.act("ada", be("inhabit", r#"{"being":"@kid"}"#))), "gate-grants");
}

#[test]
fn whom_a_being_drives_is_listed_as_a_walk_over_all_finds_it() {
    let grants = "grants = [\"*\"]";
    let kid = format!("{}parent = \"@ada\"\n", person("kid", ""));
    let mut small = Small::plant(&format!("{HALL}{}{kid}", person("ada", grants)));
    let ada = small.id_of("ada");
    let drives = |small: &Small| {
        let (world, kept) = (small.world(), small.kept_world());
        let listed = |world: &reelm::world::World| world.driven_by(ada).map(|being| being.name.to_string()).collect::<Vec<_>>();
        let walked =
            world.beings().filter(|being| being.driver.is_some_and(|(driver, _)| driver == ada)).map(|being| being.name.to_string());
        let walked: Vec<String> = walked.collect();
        assert_eq!((&listed(&world), &listed(&kept)), (&walked, &walked), "as it was folded, and from a checkpoint");
        walked
    };
    assert_eq!(drives(&small), [""; 0]);
    assert_eq!(small.act("ada", be("inhabit", r#"{"being":"@kid"}"#)).closing, Closing::Act);
    assert_eq!(drives(&small), ["kid"]);
    small.reopen();
    assert_eq!(drives(&small), ["kid"]);
    assert_eq!(small.act("ada", be("release", r#"{"being":"@kid"}"#)).closing, Closing::Act);
    assert_eq!(drives(&small), [""; 0]);
    assert_eq!(small.act("ada", be("inhabit", r#"{"being":"@kid"}"#)).closing, Closing::Act);
    assert_eq!(small.act("operator", be("end", r#"{"being":"@ada"}"#)).closing, Closing::Act);
    assert_eq!(drives(&small), [""; 0]);
}

#[test]
fn a_gesture_of_a_being_that_thinks_by_itself_replays() {
    let mut small = Small::plant(&format!("{HALL}{}", person("hal", "")));
    small.operate("@operator", "cognition.set", args(r#"{"cognition":"script","script":"look"}"#));
    let changed = source(&format!("{HALL}{}[[space]]\npath = \"/third\"\n", person("hal", "")));
    small.living().apply(&changed).unwrap();
    verified(&small);
}

#[test]
fn a_script_sees_who_is_here_only_as_far_as_its_role_lets_it() {
    let blind = "[[being]]\nname = \"ada\"\nhome = \"/hall\"\nrole = \"blind\"\nscript = \"peek\"\n";
    let mut world = source(&format!("{HALL}{blind}{}", person("hal", "quality = { secret = { pin = 1234 } }")));
    let role = "---\nname: blind\ncanDo: ['quality.set']\ntriggerOn: [message, signal, schedule, watch]\n---\n\nYou see nobody.\n";
    world.roles.push(reelm::role::Spec::from_markdown("blind.md", role).unwrap());
    let peek = r#"fn think(face) { act(face.me.address, "quality.set", #{ path: "t.saw", value: [here().len(), space() == ()] }) }"#;
    world.scripts.push(("peek".to_owned(), "scripts/peek.rhai".to_owned(), peek.to_owned()));
    let mut small = Small::grow(&world, 1, 1);
    small.act("operator", Call::summon("@ada", args(r#"{"content":"look"}"#)));
    small.run("1s");
    assert_eq!(small.quality("ada", "t.saw").to_string(), "[0,true]");
}

#[test]
fn a_space_is_its_nearest_owners_until_the_owner_above_takes_it_back() {
    let spaces = "[[space]]\npath = \"/d\"\nowner = \"@bob\"\n[[space]]\npath = \"/d/house\"\nowner = \"@ada\"\n";
    let mut small = Small::plant(&format!("{HALL}{spaces}{}{}", person("ada", ""), person("bob", "")));
    assert_eq!(code(&small.act("bob", Call::doing("/d/house", "own.allow", args(r#"{"allow":["*"]}"#)))), "gate-owner");
    assert_eq!(code(&small.act("ada", Call::doing("/d", "own.set", args(r#"{"owner":"@ada"}"#)))), "gate-owner");
    assert_eq!(code(&small.act("bob", Call::doing("/d/house", "own.set", args(r#"{"owner":null}"#)))), "act");
    assert_eq!(code(&small.act("ada", Call::doing("/d/house", "own.set", args(r#"{"owner":"@ada"}"#)))), "gate-owner");
}

#[test]
fn a_can_be_entry_may_bind_whom_it_is_done_to() {
    let kid = format!("{}parent = \"@ada\"\n", person("kid", ""));
    let ada = person("ada", "grants = [\"*\"]").replace("role = \"free\"", "role = \"mother\"");
    let mut world = source(&format!("{HALL}{ada}{kid}{}", person("eve", "")));
    let role = "---\nname: mother\ncanBe: [{action: inhabit, on: {rel: children}}]\n---\n\nYou look after your own.\n";
    world.roles.push(reelm::role::Spec::from_markdown("mother.md", role).unwrap());
    let mut small = Small::grow(&world, 1, 1);
    assert_eq!(code(&small.act("ada", be("inhabit", r#"{"being":"@eve"}"#))), "gate-role");
    assert_eq!(code(&small.act("ada", be("inhabit", r#"{"being":"@kid"}"#))), "act");
}

#[test]
fn a_wake_that_is_replaced_gives_its_root_back() {
    let tireless = "[[being]]\nname = \"ada\"\nhome = \"/hall\"\nrole = \"tireless\"\nscript = \"thrice\"\n";
    let mut small = Small::plant(&format!("{HALL}{tireless}"));
    for _ in 0..3 {
        small.act("operator", Call::summon("@ada", args(r#"{"content":"go"}"#)));
    }
    small.run("10m");
    let open = small.world().inbox().len();
    let roots: u64 = small
        .shelf
        .frames()
        .iter()
        .map(|frame| small.world().root_count(reelm::fact::Made { seq: frame.draft().seq, index: 0 }).map_or(0, |count| count.open))
        .sum();
    assert_eq!((open, roots), (0, 0), "nothing is open, so nothing is counted as open");
}

#[test]
fn one_name_in_one_place_is_one_thing() {
    let mut small = Small::plant(&format!("{HALL}[[space]]\npath = \"/hall/nook\"\n[[matter]]\nat = \"/hall\"\nname = \"thing\"\n"));
    assert_eq!(code(&small.act("operator", Call::doing("/hall/thing", "matter.set", args(r#"{"name":"nook"}"#)))), "name-taken");
    assert_eq!(code(&small.act("operator", Call::doing("/hall/nook", "space.set", args(r#"{"name":"thing"}"#)))), "name-taken");
}

#[test]
fn a_history_in_which_a_space_lies_in_itself_is_folded_and_ends() {
    let small = Small::plant(HALL);
    let mut drafts = small.shelf.drafts();
    let hall = drafts.iter().flat_map(|draft| draft.facts.iter().map(move |fact| (draft.seq, fact))).find_map(|(seq, fact)| {
        matches!(fact, Fact::SpaceMade { name, .. } if name.as_ref() == "hall").then_some(Thing::Space(reelm::fact::SpaceId::new(seq, 0)))
    });
    let hall = hall.unwrap();
    drafts.last_mut().unwrap().facts.push(Fact::Moved { of: hall, to: hall, coords: None });
    let shelf = Shelf::new(small.id);
    let mut sealer = Sealer::new(Chain::new(small.id), Box::new(shelf.clone()), small.master.clone(), 1, Default::default());
    sealer.seal(vec![drafts]).unwrap();
    let loaded = load(&shelf.opened(), small.id, None, |_, _| {}).unwrap();
    let Thing::Space(hall) = hall else { unreachable!() };
    assert_eq!(loaded.world.path_of(hall), "/hall");
}

#[test]
fn what_makes_a_world_what_it_is_cannot_be_configured_away() {
    let mut small = Small::plant(HALL);
    let mut set = |key: &str, value: &str| {
        code(&small.act("operator", Call::doing("/", "config.set", args(&format!(r#"{{"key":"{key}","value":{value}}}"#)))))
    };
    for key in ["seed", "simulated", "semantics", "register", "name"] {
        assert_eq!(set(key, "7"), "config-fixed", "{key}");
    }
    assert_eq!(set("operator", "\"nobody\""), "not-found");
    assert_eq!(set("brakes.depth", "\"x\""), "args-type");
    assert_eq!(set("attempts.max", "-5"), "args-minimum");
    assert_eq!(set("attempts.max", "5"), "act");
    assert_eq!(code(&small.act("operator", Call::doing("@world", "pause.set", args("{}")))), "wrong-target");
    let script = args(r#"{"name":"bad","source":"not a script ((("}"#);
    assert_eq!(code(&small.act("operator", Call::doing("/", "script.set", script))), "script-syntax");
    let often = args(r#"{"name":"t","every":"1ms"}"#);
    assert_eq!(code(&small.act("operator", Call::doing("@operator", "schedule.set", often))), "bad-duration");
}

#[test]
fn a_source_is_applied_where_somebody_else_owns_the_place_and_takes_rights_away_too() {
    let inn = |more: &str, rest: &str| {
        format!("{HALL}[[space]]\npath = \"/inn\"\nowner = \"@ada\"\n{more}\n{}{}{rest}", person("ada", ""), person("eve", ""))
    };
    let mut small = Small::plant(&inn("contributors = [\"@eve\"]", ""));
    let gerd = person("gerd", "").replace("/hall", "/inn");
    let changed = source(&inn("", &gerd));
    reelm::run::rehearse(&changed, &small.world()).unwrap();
    small.living().apply(&changed).unwrap();
    let world = small.world();
    let gerd = world.being_named("gerd").unwrap();
    assert_eq!((world.name_of(gerd.parent.unwrap()), world.path_of(gerd.home).as_str()), (Value::from("@operator"), "/inn"));
    let inn = world.spaces().find(|space| space.name.as_ref() == "inn").unwrap();
    assert!(inn.contributors.is_empty());
    verified(&small);
}

#[test]
fn a_source_names_no_file_outside_itself() {
    let terminal = Terminal::new();
    terminal.write("private.csv", "name,pin\nzed,4711\n");
    for (key, line) in
        [("personas", "[[population]]\npersonas = \"../private.csv\""), ("flow", "[[being]]\nname = \"a\"\nflow = \"../private.csv\"")]
    {
        terminal.write("w/world.toml", &format!("name = \"w\"\n{line}\n"));
        terminal.types("run w --for 1s").fails(1).warns(&["world.toml:", "expected a file in the source's own folder", key]);
    }
    terminal.write("w/world.toml", "name = \"w\"\nextensions = [\"../../somewhere\"]\n");
    terminal.types("run w --for 1s").fails(1).warns(&["no extension"]);
    terminal.write("w/world.toml", "name = \"w\"\n");
    terminal.write("roles/a.md", "---\nname: a\n---\nA.\n");
    terminal.shell("ln -s ../roles w/roles").ok();
    terminal.types("run w --for 1s").fails(1).warns(&["found a link"]);
}

#[test]
fn measures_of_a_world_that_goes_on_begin_where_it_is() {
    let terminal = Terminal::new();
    terminal.types("run $worlds/dance --for 2m --quiet").ok();
    terminal.types("run $worlds/dance --for 2m --quiet --measures two.csv").ok();
    let said = terminal.types("measure $worlds/dance --json").json_lines();
    let whole: BTreeSet<String> = said
        .iter()
        .flat_map(|line| line.as_array().cloned().unwrap_or_else(|| vec![line.clone()]))
        .map(|sample| sample["value"].to_string())
        .collect();
    let text = terminal.read("two.csv");
    let rows: Vec<&str> = text.lines().skip(1).collect();
    assert!(rows.len() >= 4 && !text.contains("08:00:00"), "{text}");
    for row in rows {
        assert!(whole.contains(row.rsplit(',').nth(1).unwrap()), "{row} is no sample of the whole history\n{whole:?}");
    }
    terminal.types("run $worlds/dance --for 1m --measures nowhere/x.csv").fails(1).warns(&["--measures: cannot write `nowhere/x.csv`"]);
}

#[test]
fn a_second_process_finds_the_world_locked_though_the_lock_file_is_gone() {
    let terminal = Terminal::with_world("court", 5);
    let _held = reelm::run::Living::open(&terminal.path("world"), 1).unwrap();
    std::fs::remove_file(terminal.path("world/lock")).unwrap();
    terminal.types("run --moments 1").fails(1).warns(&["is in use by another process"]);
}

#[test]
fn a_script_that_shuffles_for_ever_is_stopped_soon() {
    let source = "fn think(face) { let a = []; a.pad(1999, 1); loop { shuffle(a); } }";
    assert!(Sandbox::compiles(source, "t.rhai").is_ok());
    let mut world = source_with("spin", source);
    world.living().act("operator", Call::summon("@ada", args(r#"{"content":"go"}"#))).unwrap();
    world.run("100ms");
    let closing = world.reel("ada").pop().unwrap().closing;
    assert!(matches!(&closing, Closing::Failed(Reason { code, .. }) if code.word().starts_with("script-limit")), "{closing:?}");
}

fn source_with(name: &str, script: &str) -> Small {
    let mut world: Source = source(&format!("{HALL}[[being]]\nname = \"ada\"\nhome = \"/hall\"\nrole = \"free\"\nscript = \"{name}\"\n"));
    world.scripts.push((name.to_owned(), format!("scripts/{name}.rhai"), script.to_owned()));
    Small::grow(&world, 1, 1)
}

#[test]
fn a_new_zone_moves_what_is_due_by_the_clock() {
    let cron = "[[being]]\nname = \"ada\"\nhome = \"/hall\"\nrole = \"free\"\nscript = \"count\"\n[[being.schedule]]\nname = \"nine\"\ncron = \"0 9 * * *\"\n";
    let mut small = Small::plant(&format!("{HALL}{cron}"));
    small.operate("/", "config.set", args(r#"{"key":"zone","value":"Asia/Tokyo"}"#));
    small.run("20h");
    let hours: Vec<i64> = small.reel("ada").iter().map(|draft| draft.at / 3_600_000 % 24).collect();
    assert_eq!(hours, [0], "nine in Tokyo is midnight in Greenwich");
    verified(&small);
}

#[test]
fn an_import_that_fails_leaves_the_directory_as_it_was() {
    let terminal = Terminal::with_world("court", 40);
    terminal.types("export whole").ok();
    terminal.shell("head -c 30000 whole > half").ok();
    terminal.types("import half --data copy").fails(3);
    terminal.types("import whole --data copy").ok();
    terminal.types("replay --data copy").ok();
}

#[test]
fn what_is_spread_over_an_interval_is_still_spread_in_a_world_written_out() {
    let terminal = Terminal::with_world("town", 0);
    terminal.types("export --source out").ok();
    assert!(terminal.read("out/world.toml").matches("offset = ").count() > 150);
    let log = |data: &str| -> BTreeSet<i64> {
        terminal.types(&format!("run out --data {data} --moments 60 --quiet")).ok();
        terminal
            .types(&format!("log --data {data} --json"))
            .json_lines()
            .iter()
            .map(|line| line["report"]["at"].as_i64().unwrap())
            .collect()
    };
    assert!(log("again").len() > 50, "each at an instant of its own");
}

#[test]
fn a_key_written_into_the_configuration_is_refused_before_anything_of_it_is_recorded() {
    let mut small = Small::plant(HALL);
    let frames = small.shelf.frames().len();
    for value in [
        r#"{"base_url":"https://model.example/v1","model":"m","key":"sk-secret"}"#,
        r#"{"base_url":"https://me:sk-secret@model.example/v1","model":"m"}"#,
    ] {
        let call = Call::doing("/", "config.set", args(&format!(r#"{{"key":"llm.x","value":{value}}}"#)));
        let error = small.try_act("operator", call).unwrap_err().to_string();
        assert!(error.contains("key = \"env:NAME\"") && !error.contains("sk-secret"), "{error}");
    }
    assert_eq!(small.shelf.frames().len(), frames);
    small.operate(
        "/",
        "config.set",
        args(r#"{"key":"llm.x","value":{"base_url":"https://model.example/v1","model":"m","key":"env:MODEL_KEY"}}"#),
    );
}

#[test]
fn wakes_taken_in_another_order_than_theirs_do_not_replay() {
    let mut small = Small::plant(&format!("{HALL}[[being]]\nname = \"ada\"\nhome = \"/hall\"\nrole = \"free\"\nscript = \"look\"\n"));
    small.act("operator", Call::summon("@ada", args(r#"{"content":"when you can"}"#)));
    small.act("operator", Call::summon("@ada", args(r#"{"content":"now","rank":"urgent"}"#)));
    small.run("1m");
    let mut drafts = small.shelf.drafts();
    let ada = small.id_of("ada");
    let hers: Vec<usize> = (0..drafts.len()).filter(|at| drafts[*at].being == ada).collect();
    let [first, second] = hers[..] else { panic!("{hers:?}") };
    let (now, later) = (drafts[first].wake.clone(), drafts[second].wake.clone());
    assert!(now.rank < later.rank);
    (drafts[first].wake, drafts[second].wake) = (later, now);
    let shelf = Shelf::new(small.id);
    let mut sealer = Sealer::new(Chain::new(small.id), Box::new(shelf.clone()), small.master.clone(), 1, Default::default());
    sealer.seal(vec![drafts]).unwrap();
    let difference = replay(&shelf.opened(), small.id, Thread::default(), &mut |_| {}).unwrap().difference.unwrap();
    assert_eq!((difference.beat, difference.field), ("intake", "wake"), "{difference:?}");
}

#[test]
fn a_date_without_quotation_marks_is_its_text_wherever_a_value_may_stand() {
    let terminal = Terminal::new();
    let world = "name = \"w\"\nstart = 2026-03-02T06:00:00\n[[space]]\npath = \"/hall\"\n[[being]]\nname = \"ada\"\nhome = \"/hall\"\nquality.t = { born = 1990-05-01, noon = 12:00:00, list = [1990-05-01, 2], map = { a = 1990-05-01T10:00:00Z } }\n\
        [[matter]]\nat = \"/hall\"\nname = \"note\"\ncontent = 2026-03-02\n[[signal]]\npath = \"t.day\"\nvalue = 2026-03-02\n";
    terminal.write(
        "w/world.toml",
        &world.replace("[[matter]]", "script = \"nod\"\n[[being.schedule]]\nname = \"bell\"\nat = 2026-03-02T06:00:30\n[[matter]]"),
    );
    terminal.write("w/scripts/nod.rhai", "fn think(face) { () }");
    terminal.types("run w --for 1m --quiet").ok();
    let ada = &terminal.types("see @ada --json").json()["qualities"]["t"];
    assert_eq!(
        *ada,
        serde_json::json!({ "born": "1990-05-01", "noon": "12:00:00", "list": ["1990-05-01", 2], "map": { "a": "1990-05-01T10:00:00Z" } })
    );
    assert_eq!(terminal.types("see /hall/note --json").json()["content"], "2026-03-02");
    assert_eq!(terminal.types("see /.signals --json").json()["t"]["day"], "2026-03-02");
    terminal.types("see /.clock --json --at 2026-03-02T06:00:30").ok();
    terminal.types("log --raw").says(&["06:00:30", "@ada"]);
    terminal.types("apply w").says(&["the world is as the source says"]).fails(0);
    for (line, wanted) in [
        ("start = 5", "start: expected a local time such as `2026-03-02T06:00:00`, found `5`"),
        ("start = 2026-03-02", "start: expected a local time such as `2026-03-02T06:00:00`, found `2026-03-02`"),
        (
            "[[being]]\nname = \"ada\"\n[[being.schedule]]\nname = \"bell\"\nat = 12",
            "expected a local time such as `2026-03-02T09:00:00`, found `12`",
        ),
    ] {
        terminal.write("x/world.toml", &format!("name = \"x\"\n{line}\n"));
        terminal.types("check x").fails(1).warns(&["x/world.toml:", wanted]);
    }
}

#[test]
fn an_hour_that_comes_twice_is_told_apart() {
    let terminal = Terminal::new();
    let world = "name = \"w\"\nzone = \"Europe/Berlin\"\nstart = \"2026-10-25T01:30:00\"\n[[being]]\nname = \"ada\"\nrole = \"r\"\nthink = '()'\n\
        [[being.schedule]]\nname = \"turn\"\nevery = \"30m\"\n[[role]]\nname = \"r\"\nprompt = \"You wait.\"\n";
    terminal.write("w/world.toml", world);
    terminal.types("run w --for 4h --quiet").ok();
    let log = terminal.types("log --raw").ok();
    let told: Vec<&str> = log
        .lines()
        .filter(|line| line.contains(" @ada in / as r "))
        .map(|line| &line[line.find("10-25").unwrap()..line.find(" @ada").unwrap()])
        .collect();
    let twice = ["02:00:00+02:00", "02:30:00+02:00", "02:00:00+01:00", "02:30:00+01:00", "03:00:00"].map(|time| format!("10-25 {time}"));
    assert_eq!(told[..5], twice);
    let see = |at: &str| terminal.types(&format!("see /.clock --json --at {at}"));
    let second = see("2026-10-25T02:30").fails(0).warns(&[
        "comes twice there",
        "taken is the second, 2026-10-25T02:30:00+01:00",
        "write the offset",
    ]);
    assert_eq!(second.json()["time"], "2026-10-25T02:30:00+01:00");
    let first = see("2026-10-25T02:30+02:00");
    assert_eq!(first.err, "");
    assert_eq!(first.json()["time"], "2026-10-25T02:30:00+02:00");
}

#[test]
fn names_are_of_any_script_and_one_in_whatever_way_their_letters_are_composed() {
    let terminal = Terminal::new();
    let world = |name: &str| {
        format!(
            "name = \"w\"\n[[space]]\npath = \"/hall\"\n[[being]]\nname = \"{name}\"\nhome = \"/hall\"\n[[matter]]\nat = \"/hall\"\nname = \"{name}-box\"\n"
        )
    };
    for name in ["प्रिया", "น้ำ", "Rene\u{301}", "René", "李雷", "Zoë", "עָ֫", "ada_2"] {
        terminal.write("w/world.toml", &world(name));
        let _ = std::fs::remove_dir_all(terminal.path("world"));
        terminal.types("run w --for 1m --quiet").ok();
        let composed = name.replace("e\u{301}", "é");
        assert_eq!(terminal.types(&format!("see @{name} --json")).json()["name"], composed.as_str(), "{name}");
        assert_eq!(terminal.types(&format!("see /hall/{composed}-box --json")).json()["name"], format!("{composed}-box").as_str());
        // Both ways to write it are one.
        terminal.types("apply w").says(&["the world is as the source says"]).fails(0);
        let taken = serde_json::json!({ "name": name, "home": "/hall" }).to_string();
        terminal.types(&format!("be birth '{taken}'")).fails(4).says(&["name-taken"]);
    }
    for name in
        ["\u{301}ada", "a\u{301}\u{301}\u{301}\u{301}\u{301}", "a-\u{301}", "a\u{fe0f}", "a\u{3164}", "a b", "a\u{200d}b", "", "a.b"]
    {
        terminal.write("w/world.toml", &world(name));
        terminal.types("check w").fails(1).warns(&["bad-name", "a name is letters, marks and digits of any script"]);
    }
    terminal.write("w/people.csv", "name,age\nप्रिया,1\nน้ำ,2\nRene\u{301},3\n");
    terminal.write(
        "w/world.toml",
        "name = \"w\"\n[[space]]\npath = \"/hall\"\n[[population]]\nprefix = \"p\"\npersonas = \"people.csv\"\nhome = \"/hall\"\n",
    );
    let _ = std::fs::remove_dir_all(terminal.path("world"));
    terminal.types("run w --for 1m --quiet").ok();
    for name in ["प्रिया", "น้ำ", "René"] {
        terminal.types(&format!("see @{name}")).ok();
    }
}
