//! Cli: does every command do what its help says, for somebody who has just installed it?
//!
//! Stories of a few lines each, typed into the real binary; what goes wrong is in `hostile`.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Command, Stdio};
use std::sync::LazyLock;

use serde_json::{Value, json};

use super::terminal::{REELM, Terminal};

/// Every command, and every command of a command, as it is typed; each is asked once.
pub fn commands() -> &'static [String] {
    static COMMANDS: LazyLock<Vec<String>> = LazyLock::new(listed);
    &COMMANDS
}

fn listed() -> Vec<String> {
    let terminal = Terminal::new();
    let below = |of: &str| -> Vec<String> {
        let help = terminal.types(&format!("{of} --help")).ok();
        let listed = help.split("Commands:\n").nth(1).unwrap_or_default();
        let names = listed.lines().take_while(|line| line.starts_with("  ")).filter(|line| !line.starts_with("   "));
        let names = names.filter_map(|line| line.split_whitespace().next());
        names.filter(|name| *name != "help").map(|name| format!("{of} {name}").trim().to_owned()).collect()
    };
    let mut commands = vec![String::new()];
    let mut at = 0;
    while let Some(command) = commands.get(at) {
        commands.extend(below(&command.clone()));
        at += 1;
    }
    commands
}

/// The examples of a help text: what stands behind `reelm`, without a remark in brackets.
fn examples(help: &str) -> Vec<String> {
    let lines = help.lines().skip_while(|line| !line.starts_with("Example: ")).take_while(|line| !line.is_empty());
    let typed = lines.filter_map(|line| line.trim_start_matches("Example: ").trim_start().strip_prefix("reelm "));
    typed.map(|line| line.split("  ").next().unwrap().to_owned()).collect()
}

fn hash(terminal: &Terminal, data: &str) -> String {
    terminal.types(&format!("verify --data {data} --json")).json()["worldHash"].as_str().unwrap().to_owned()
}

#[test]
fn every_help_has_an_example_that_can_be_typed() {
    let commands = commands();
    assert!(commands.len() > 24, "{commands:?}");
    for command in commands {
        let terminal = Terminal::new();
        let found = examples(&terminal.types(&format!("{command} --help")).ok());
        assert!(!found.is_empty(), "`reelm {command} --help` has no example");
        for example in found {
            assert!(example.starts_with(command), "`{example}` is no example of `{command}`");
            // Nothing that the examples name is there, so that the line is read, and fails on that.
            let elsewhere = if example.starts_with("bench") { " --dir /dev/null" } else { "" };
            // A world that ships is there wherever one is.
            let worlds = reelm::source::shipped_worlds().filter(|_| !example.starts_with("bench"));
            let nowhere = worlds.fold(example.clone(), |line, world| line.replace(&format!(" {world}"), " nowhere"));
            let said = terminal.types(&format!("{nowhere}{elsewhere}"));
            assert!(said.code != 2 && !said.err.contains("panicked"), "`{example}`: {}", said.err);
        }
    }
}

#[test]
#[ignore = "long: every command is started"]
fn every_command_speaks_json_and_so_do_its_complaints() {
    let terminal = Terminal::with_world("court", 40);
    terminal.write("flow.json", r#"[{"role":"court:judge","when":{"space.name":"court"}}]"#);
    terminal.write("context.json", r#"{"space":{"name":"court"}}"#);
    terminal.write("ada.json", r#"{"spec":"chara_card_v2","data":{"name":"Ada"}}"#);
    terminal.write("asked.json", r#"{"items":[{"id":"tea","text":"Is there tea?"}],"whom":["@bern"]}"#);
    terminal.shell("cp -r $worlds/court court; cp -r $extensions extensions").ok();
    terminal.write("compared.json", r#"{"source":"court","arms":[{"name":"as-is"}],"moments":3}"#);
    terminal.write("role.md", "---\nname: guest\ncanSee: ['**']\n---\nLook around.\n");
    let lines = [
        "run --moments 3",
        "new mine",
        "completions bash",
        "schema world",
        "apply $worlds/court --plan",
        "apply $worlds/court",
        "see /court",
        "do / signal.set '{\"path\":\"court.tea\",\"value\":true}'",
        "summon @bern hello",
        "ask @bern 'is there tea?'",
        "tell @bern 'there is tea'",
        "guide @bern",
        "summon @operator hello",
        "inbox",
        "do @operator draft.make '{\"action\":\"flow.set\",\"target\":\"@bern\",\"args\":{\"flow\":[]},\"name\":\"plan\"}'",
        "draft show @operator/plan",
        "be birth '{\"name\":\"eve\",\"home\":\"/court\",\"cognition\":\"human\"}'",
        "log --from 60",
        "find court --closing act",
        "usage",
        "explain @judith/1",
        "explain @judith/1 --causes --effects",
        "explain @judith/1 --knew /court",
        "diff ~10m now",
        "why @bern",
        "prove @judith/1",
        "bisect --bad '{\"moment.closing\":\"see\"}'",
        "try @judith",
        "debug @judith",
        "du",
        "anchor whole.anchor",
        "replay",
        "replay --with $extensions/court",
        "verify",
        "verify --index",
        "inspect --frames",
        "fork forked --at 80 --change 'signal:court.tea=false'",
        "interview @birther 'What do you do?' --at 80",
        "survey asked.json --at 80",
        "sweep compared.json --out swept",
        "compare world forked",
        "backup copied",
        "archive old.archive --before now --data copied",
        "import old.archive --data copied",
        "upgrade --plan",
        "export whole",
        "export --source source",
        "export one.bundle --moment @judith/1",
        "verify one.bundle",
        "export hour.bundle --from 60 --replayable",
        "replay hour.bundle",
        "export --lines facts --to 5",
        "copies",
        "import whole --data copy",
        "check $worlds/court",
        "test $extensions/court",
        "measure $worlds/court",
        "source from ada.json --as cards --to guests",
        "usage",
        "role list",
        "role show court:judge",
        "role versions court:judge",
        "role lint role.md",
        "role set role.md",
        "flow eval flow.json --context context.json",
        "flow lint flow.json",
        "extension list",
        "extension check $extensions/court",
        "extension disable court",
        "extension enable $extensions/court",
        "token make --for 1h",
        "token list",
        "bench flow --runs 1 --longest 10 --moments 10",
    ];
    for line in lines {
        let values = terminal.types(&format!("{line} --json")).json_lines();
        assert!(!values.is_empty(), "`{line}` said nothing");
    }
    let typed: BTreeSet<&str> = lines.iter().filter_map(|line| line.split(' ').next()).collect();
    let all = commands().iter().filter_map(|command| command.split(' ').next()).filter(|name| !name.is_empty());
    // Commands that serve say one line when they begin, which tests/portal.rs asks for. Those that talk are in tests/ask.rs; those that
    // speak a protocol speak nothing else.
    let all = all.filter(|name| !["serve", "chat", "mcp"].contains(name));
    all.for_each(|name| assert!(typed.contains(name), "`{name}` was not asked for JSON"));

    let refused = terminal.types("do / fly --json").fails(4);
    let refused: Value = serde_json::from_str(&refused.out).unwrap();
    assert_eq!(refused["reason"]["code"], "unknown-operation", "{refused}");
    let complaint = terminal.types("see /nowhere --json").fails(1);
    let complaint: Value = serde_json::from_str(&complaint.err).unwrap();
    assert_eq!(complaint, json!({ "error": "cannot see `/nowhere`: not-found at `/nowhere`" }));
}

#[test]
#[ignore = "long: each command that reads is started twice"]
fn what_is_said_in_cbor_is_what_is_said_in_json() {
    let terminal = Terminal::with_world("skateco", 200);
    for line in [
        "see /",
        "see @ada",
        "log --from 60 --to 80",
        "find act --last 20",
        "usage",
        "explain @ada/1",
        "replay",
        "inspect --frames",
        "measure $worlds/skateco",
        "role list",
        "extension list",
        "apply $worlds/skateco --plan",
    ] {
        let said = terminal.command(&format!("{line} --cbor")).output().unwrap();
        assert!(said.status.success(), "{line}: {said:?}");
        let mut bytes = said.stdout.as_slice();
        let mut values: Vec<Value> = Vec::new();
        while !bytes.is_empty() {
            values.push(ciborium::from_reader(&mut bytes).unwrap());
        }
        let json = terminal.types(&format!("{line} --json")).json_lines();
        assert!(!values.is_empty() && values == json, "{line}: {values:?}\n{json:?}");
    }
    terminal.types("see / --cbor --json").fails(2);
    let complaint = terminal.types("see /nowhere --cbor").fails(1);
    assert_eq!((complaint.out.as_str(), complaint.err.starts_with("{\"error\":")), ("", true));
}

#[test]
fn a_run_ends_after_its_time_its_moments_or_when_a_condition_holds() {
    let terminal = Terminal::new();
    let planted = terminal.types("run $worlds/court --moments 0 --json").json();
    let hour = terminal.types("run --for 1h --quiet --json").json();
    assert_eq!(hour["at"].as_i64().unwrap() - planted["at"].as_i64().unwrap(), 3_600_000);
    let some = terminal.types("run --moments 7 --quiet --json").json();
    let moments = some["moments"].as_u64().unwrap();
    assert!(moments >= 7 && some["nextSeq"].as_u64() == hour["nextSeq"].as_u64().map(|seq| seq + moments), "{some}");

    let until = "run $worlds/court --data other --until 'when {\"world.court.in-session\": true}' --quiet";
    terminal.types(until).fails(0).says(&["done: ", "world time 2026-03-03T09:00:00"]);
    terminal.types("see /.signals --data other").fails(0).says(&["in-session"]);
    // It holds already: nothing happens.
    assert_eq!(terminal.types(&format!("{until} --json")).json()["moments"], 0);
}

/// A world in which nobody does anything, and one person may.
const QUIET: &str = "name = \"quiet\"\nzone = \"Europe/Berlin\"\nstart = \"2026-03-03T08:00:00\"\n[[space]]\npath = \"/hall\"\n";

#[test]
fn a_run_ends_at_the_instant_it_was_told_to_and_world_time_stands_there() {
    let terminal = Terminal::new();
    terminal.write("src/world.toml", QUIET);
    let stands = |line: &str, wanted: &str| {
        terminal.types(line).fails(0).says(&[&format!("world time 2026-03-03T{wanted}:00+01:00")]);
        let clock = terminal.types("see /.clock --json").json();
        assert_eq!((&clock["time"], &clock["runsTo"]), (&json!(format!("2026-03-03T{wanted}:00+01:00")), &Value::Null), "{line}");
        assert_eq!(clock["lastFrame"], "2026-03-03T08:00:00+01:00", "no frame says it");
    };
    stands("run src --for 1h", "09:00");
    stands("run --for 30m", "09:30");
    stands("run --until 2026-03-03T11:00:00Z", "12:00");
    stands("run --until 2026-03-03T12:15", "12:15");
    stands("run --until 2026-03-03T10:00:00", "12:15");
    stands("run --moments 5", "12:15");
    stands("run --until 'when {\"world.court.open\": true}'", "12:15");
    // Copied as a whole it stands there too; and what is done then happens then.
    terminal.types("export whole.reelm").ok();
    terminal.types("import whole.reelm --data copy").ok();
    for data in ["world", "copy"] {
        assert_eq!(terminal.types(&format!("see /.clock --data {data} --json")).json()["time"], "2026-03-03T12:15:00+01:00");
        terminal.types(&format!("do / signal.set '{{\"path\":\"court.tea\",\"value\":1}}' --data {data}")).ok();
        let last = terminal.types(&format!("log --json --data {data}")).json_lines().pop().unwrap();
        assert_eq!(last["report"]["time"], "2026-03-03T12:15:00+01:00");
        terminal.types(&format!("replay --data {data}")).ok();
    }
    // As of a frame, it stands where that frame left it.
    assert_eq!(terminal.types("see /.clock --at 3 --json").json()["time"], "2026-03-03T08:00:00+01:00");
}

#[test]
fn one_run_ten_runs_and_one_that_was_killed_stamp_the_same_frames() {
    let terminal = troubled();
    // A thought that takes seven minutes closes beyond the end of the run that opened it.
    let slow = "---\nname: narrow\ncanSee: ['**']\ncanDo: ['quality.inc']\nthinks: 7m\n---\nYou are narrow.\n";
    terminal.write("src/roles/narrow.md", slow);
    let ends = |data: &str| {
        let verified = terminal.types(&format!("verify --data {data} --json")).json();
        let clock = terminal.types(&format!("see /.clock --data {data} --json")).json();
        (verified["head"].clone(), verified["frames"].clone(), clock["time"].clone())
    };
    let day = "run src --for 1d --quiet";
    terminal.types(&format!("{day} --data once")).ok();
    for _ in 0..10 {
        terminal.types("run src --for 144m --quiet --data pieces").ok();
    }
    assert_eq!(ends("pieces"), ends("once"));
    // Killed where it stands, and the same command again, until it ends by itself.
    for kill in [1, 3, 60] {
        let mut run = terminal.command("run src --for 1d --data killed").stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut lines = BufReader::new(run.stdout.take().unwrap()).lines();
        assert!(lines.by_ref().take(kill).all(|line| line.is_ok()));
        run.kill().unwrap();
        run.wait().unwrap();
    }
    terminal.types(&format!("{day} --data killed")).ok();
    assert_eq!(ends("killed"), ends("once"));
    // It has come to its end: the same command goes on for another day now.
    terminal.types(&format!("{day} --data killed")).ok();
    terminal.types(&format!("{day} --data once")).ok();
    assert_eq!(ends("killed"), ends("once"));
    terminal.types("replay --data killed").ok();
}

#[test]
fn a_run_that_was_stopped_says_how_far_it_was_to_go_and_goes_there() {
    let terminal = Terminal::new();
    terminal.write("src/world.toml", QUIET);
    let mut run = terminal.command("run src --for 9h --pace 1 --json").stdout(Stdio::piped()).spawn().unwrap();
    let runs_to = || terminal.types("see /.clock --json");
    // Where it is to end lies beside the log before anything happens.
    let begun = (0..500).find_map(|_| {
        let said = runs_to();
        let clock = if said.code == 0 { Some(said.json()) } else { None };
        clock.filter(|clock| clock["runsTo"] == "2026-03-03T17:00:00+01:00")
    });
    assert!(Command::new("kill").args(["-TERM", &run.id().to_string()]).status().unwrap().success());
    let mut said = String::new();
    run.stdout.take().unwrap().read_to_string(&mut said).unwrap();
    assert_eq!(run.wait().unwrap().code(), Some(0));
    assert!(begun.is_some(), "the run never said where it is to end");
    let ran: Value = serde_json::from_str(said.lines().last().unwrap()).unwrap();
    assert_eq!(ran["stopped"], "stopped");
    assert_eq!(ran["shortOf"].as_i64().map(|at| at - ran["at"].as_i64().unwrap() > 8 * 3_600_000), Some(true), "{ran}");
    terminal.types("run --for 9h").fails(0).says(&["world time 2026-03-03T17:00:00+01:00 (9h since its beginning)"]);
    terminal.types("run --for 9h").fails(0).says(&["world time 2026-03-04T02:00:00+01:00"]);
}

#[test]
fn of_two_ends_the_first_one_counts_and_one_outside_the_calendar_is_a_wrong_line() {
    let terminal = Terminal::new();
    for end in ["0000-01-01", "+10000-01-01", "+262142-12-31T23:30:00"] {
        terminal.types(&format!("run $worlds/court --quiet --until {end}")).fails(2).warns(&["the years 1 to 9999", end]);
    }
    terminal
        .types("run $worlds/court --quiet --until 2026-02-30T00:00")
        .fails(2)
        .warns(&["there is no day 2026-02-30: that month has 28 days"]);
    assert!(!terminal.path("world").exists());
    terminal.types("run $worlds/court --for 10h --until 2026-03-03T09:00").fails(0).says(&["world time 2026-03-03T09:00:00+01:00"]);
    terminal.types("run $worlds/court --for 1h --until 2026-03-03T19:00").fails(0).says(&["world time 2026-03-03T10:00:00+01:00"]);
    // An end that lies behind ends at once, and harms nothing.
    let past = terminal.types("run $worlds/court --until 0001-01-01").fails(0).says(&["world time 2026-03-03T10:00:00+01:00"]);
    past.warns(&["is not ahead: the world stands at 2026-03-03T10:00:00+01:00, so nothing is run"]);
    terminal.types("verify").ok();
}

#[test]
fn what_is_imported_is_for_its_owner_alone() {
    use std::os::unix::fs::PermissionsExt;
    let terminal = Terminal::with_world("court", 4);
    terminal.types("export out.reelm").ok();
    std::fs::create_dir(terminal.path("empty")).unwrap();
    std::fs::set_permissions(terminal.path("empty"), std::fs::Permissions::from_mode(0o755)).unwrap();
    for dir in ["empty", "absent"] {
        terminal.types(&format!("import out.reelm --data {dir}")).ok();
        assert_eq!(std::fs::metadata(terminal.path(dir)).unwrap().permissions().mode() & 0o777, 0o700, "{dir}");
    }
}

#[test]
fn the_measures_of_a_run_are_those_of_its_history() {
    for until in ["--for 3h", "--moments 90", "--until 'when {\"world.court.in-session\": true}'"] {
        let terminal = Terminal::new();
        terminal.types(&format!("run $worlds/court {until} --measures run.csv --quiet")).ok();
        terminal.types("measure $worlds/court --out history.csv").ok();
        let measured = terminal.read("run.csv");
        assert!(measured.starts_with("at,measure,value,below\n") && measured.lines().count() > 4, "{until}: {measured}");
        assert_eq!(measured, terminal.read("history.csv"), "{until}");
        // On its own stream, the same samples.
        assert_eq!(terminal.types("measure $worlds/court --json").json_lines().len(), measured.lines().count() - 1);
    }
}

#[test]
fn a_second_run_goes_on_with_the_measures_of_the_first() {
    let terminal = Terminal::new();
    let run = "run $worlds/court --for 2h --measures run.csv --quiet";
    terminal.types(run).ok();
    let first = terminal.read("run.csv");
    terminal.types(run).ok();
    assert_eq!(terminal.types("run $worlds/court --for 0s --measures run.csv --quiet").fails(0).err, "", "nothing is missing");
    let both = terminal.read("run.csv");
    assert!(both.starts_with(&first) && both.len() > first.len(), "{both}");
    assert_eq!(both.matches("at,measure,value,below").count(), 1, "{both}");
    // A time that was lived without samples is said to be missing.
    terminal.types("run $worlds/court --data other --for 2h --measures cut.csv --quiet").ok();
    terminal.types("run $worlds/court --data other --for 2h --quiet").ok();
    let again = terminal.types("run $worlds/court --data other --for 1h --measures cut.csv --quiet");
    again.fails(0).warns(&["`cut.csv` lacks samples", "`reelm measure --out FILE`"]);
    // The samples of one run of four hours stand in it, and at the border of the two a last sample of the first.
    terminal.types("measure $worlds/court --out history.csv").ok();
    let taken: BTreeSet<&str> = both.lines().collect();
    assert_eq!(taken.len(), both.lines().count(), "no sample stands there twice");
    terminal.read("history.csv").lines().for_each(|sample| assert!(taken.contains(sample), "{sample} is not in\n{both}"));

    terminal
        .types("run $worlds/court --data new --moments 0 --measures run.csv")
        .fails(1)
        .warns(&["is of another history", "name another file"]);
    let text = "at;measure;value\n1;boards;2\n";
    terminal.write("saved.csv", text);
    terminal.types("run $worlds/court --moments 1 --measures saved.csv").fails(1).warns(&[
        "--measures: saved.csv:1: column 1 `at;measure;value`: expected commas between the columns, found `;` between 3 columns",
        "write commas",
    ]);
    assert_eq!(terminal.read("saved.csv"), text);
    for text in ["time,boards\n1,2\n", "at,measure,value\nnow,boards,2\n"] {
        terminal.write("other.csv", text);
        terminal.types("run $worlds/court --moments 1 --measures other.csv").fails(1).warns(&[
            "--measures: ",
            "`other.csv`",
            "name another file",
        ]);
        assert_eq!(terminal.read("other.csv"), text);
    }
}

/// A world with two beings: one whose script fails, and one that tries what its role does not allow.
const TROUBLED: &str = r#"
name = "troubled"
start = "2026-03-03T08:00:00"
[[space]]
path = "/hall"
[[being]]
name = "ada"
home = "/hall"
script = "fail"
role = "narrow"
[[being.schedule]]
name = "work"
every = "10m"
[[being]]
name = "bob"
home = "/hall"
script = "trespass"
role = "narrow"
[[being.schedule]]
name = "work"
every = "20m"
"#;

fn troubled() -> Terminal {
    let terminal = Terminal::new();
    terminal.write("src/world.toml", TROUBLED);
    terminal.write("src/roles/narrow.md", "---\nname: narrow\ncanSee: ['**']\ncanDo: ['quality.inc']\n---\nYou are narrow.\n");
    terminal.write("src/scripts/fail.rhai", "fn think(face) { throw \"not today\"; }");
    terminal.write("src/scripts/trespass.rhai", "fn think(face) { act(\"/hall\", \"space.end\", #{}) }");
    terminal
}

#[test]
fn a_log_that_cannot_be_written_ends_nothing() {
    for format in ["text", "json"] {
        let terminal = troubled();
        let run = format!("REELM_LOG_FORMAT={format} $reelm run src --for 1h --quiet 2>/dev/full");
        terminal.shell(&run).fails(0);
        terminal.shell(&format!("REELM_LOG_FORMAT={format} REELM_LOG=info $reelm see / 2>&-")).fails(0);
        terminal.types("verify").ok();
    }
}

#[test]
fn a_run_ends_with_how_its_moments_closed_and_a_strict_one_fails_by_failures() {
    let terminal = troubled();
    let said = terminal.types("run src --for 1h --quiet").fails(0);
    let line = said.out.lines().find(|line| line.starts_with("refused ")).unwrap_or_else(|| panic!("{}", said.out)).to_owned();
    for part in ["refused 3 (gate-role 3)", "failed 11 (script-throw", "dead letters 5 (script-throw"] {
        assert!(line.contains(part), "`{part}` is not in `{line}`");
    }
    let ran = terminal.types("run --for 1h --quiet --json").json();
    let closings = &ran["closings"];
    assert_eq!((&closings["acts"], &closings["refused"], &closings["requeued"]), (&json!(0), &json!({ "gate-role": 3 }), &json!({})));
    let sum = |reasons: &Value| reasons.as_object().unwrap().values().map(|count| count.as_u64().unwrap()).sum::<u64>();
    let (failed, dead) = (sum(&closings["failed"]), sum(&closings["deadLetters"]));
    assert!(failed > 10 && dead > 5, "{ran}");
    assert_eq!(ran["moments"].as_u64(), Some(3 + failed + dead));
    let strict = terminal.types("run --for 1h --quiet --strict").fails(1);
    strict.says(&["everything below #"]).warns(&[
        "--strict: failed 12 (script-throw",
        ", dead letters 6 (script-throw",
        "reelm find --closing",
    ]);
    // A refusal now and then is no failure, an operation that is refused always is one, and a run without moments has none.
    let peaceful = Terminal::new();
    peaceful.write("src/world.toml", &TROUBLED.replace("\"fail\"", "\"trespass\""));
    ["roles/narrow.md", "scripts/fail.rhai", "scripts/trespass.rhai"].iter().for_each(|file| {
        peaceful.write(&format!("src/{file}"), &terminal.read(&format!("src/{file}")));
    });
    peaceful.types("run src --for 19m --quiet --strict").fails(0).says(&["refused 1 (gate-role 1)"]);
    peaceful
        .types("run --for 41m --quiet --strict")
        .fails(1)
        .says(&["refused 8 (gate-role 8)"])
        .warns(&["space.end: 8 of 8 refused (gate-role)"]);
    peaceful.types("run --moments 0 --quiet --strict").ok();
}

#[test]
fn a_run_says_that_its_source_was_edited_and_goes_on_with_the_world_as_it_is() {
    let terminal = troubled();
    for line in ["run src --moments 0", "run src --for 1h --quiet"] {
        let said = terminal.types(line).fails(0);
        assert!(!said.err.contains("warning: "), "nothing was edited: {}", said.err);
    }
    terminal.write("src/world.toml", &format!("{TROUBLED}[[space]]\npath = \"/attic\"\n"));
    terminal.write("src/scripts/fail.rhai", "fn think(face) { () }");
    let said = terminal.types("run src --for 1h --quiet").fails(0).says(&["failed "]);
    said.warns(&["the world is not as `src` says", "`reelm apply src` would stamp 2 acts: load script fail, make space /attic"]);
    terminal.types("see /attic").fails(1);
    terminal.types("apply src").fails(0).says(&["3 acts; this was done"]);
    assert_eq!(terminal.types("run src --for 2h --quiet").fails(0).err, "");
}

#[test]
fn the_seed_makes_the_world_and_the_threads_do_not() {
    let terminal = Terminal::new();
    let run = |data: &str, line: &str| {
        terminal.types(&format!("run $worlds/court --data {data} --moments 100 --quiet --json {line}")).json()["worldHash"].clone()
    };
    let seven = run("a", "--seed 7 --threads 1");
    assert_eq!(run("b", "--seed 7 --threads 4"), seven);
    assert_ne!(run("c", "--seed 8"), seven);
    assert_ne!(run("d", ""), seven);
}

#[test]
fn a_run_goes_on_where_it_stopped() {
    let terminal = Terminal::new();
    let first = terminal.types("run $worlds/court --moments 30 --quiet --json").json();
    let second = terminal.types("run --moments 30 --quiet --json").json();
    let moments = first["moments"].as_u64().unwrap() + second["moments"].as_u64().unwrap();
    let whole = terminal.types(&format!("run $worlds/court --data whole --moments {moments} --quiet --json")).json();
    assert_eq!((&whole["worldHash"], &whole["nextSeq"]), (&second["worldHash"], &second["nextSeq"]));
}

#[test]
fn a_run_that_is_interrupted_says_where_it_stopped_and_goes_on_later() {
    for signal in ["-INT", "-TERM"] {
        let terminal = Terminal::new();
        let mut run = terminal.command("run $worlds/court --pace 600 --raw").stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut out = BufReader::new(run.stdout.take().unwrap());
        let mut line = String::new();
        while !line.starts_with('#') {
            line.clear();
            assert!(out.read_line(&mut line).unwrap() > 0, "the run ended by itself");
        }
        assert!(Command::new("kill").args([signal, &run.id().to_string()]).status().unwrap().success());
        let mut rest = String::new();
        out.read_to_string(&mut rest).unwrap();
        assert_eq!(run.wait().unwrap().code(), Some(0), "{signal}");
        let said = rest.lines().find(|line| line.starts_with("stopped: ")).unwrap_or_else(|| panic!("{signal}: {rest}"));
        let frames = terminal.types("verify --json").json()["frames"].as_u64().unwrap();
        assert!(said.contains(&format!("everything below #{frames} is durable in `world`")), "{signal}: {said}");
        terminal.types("run --moments 20 --quiet").ok();
        terminal.types("replay").ok();
    }
}

#[test]
fn the_past_is_seen_as_it_was() {
    let terminal = Terminal::with_world("court", 0);
    let before = terminal.types("see @judith").ok();
    let seq = terminal.types("verify --json").json()["frames"].as_u64().unwrap();
    terminal.types("run --for 2h --quiet").ok();
    let now = terminal.types("see @judith --json").json();
    assert_eq!(now["position"], "/court");
    assert_eq!(terminal.types(&format!("see @judith --at {seq}")).ok(), before);
    assert!(before.lines().any(|line| line.split_whitespace().eq(["position", "/chambers"])), "{before}");
    // Before she was born, nobody was there.
    terminal.types("see @judith --at 3").fails(1).warns(&["not-found at `@judith`"]);
}

#[test]
fn the_operator_acts_and_is_refused_for_a_reason() {
    let terminal = Terminal::with_world("court", 0);
    terminal.types("do / signal.set '{\"path\":\"court.tea\",\"value\":\"ready\"}'").fails(0).says(&["#70 done"]);
    terminal.types("see /.signals").fails(0).says(&["ready"]);
    let stands = "#71 done; the world stands still: @bern wakes at its next `reelm run` or `reelm serve`";
    terminal.types("summon @bern 'is there tea?' --intent ask --rank urgent").fails(0).says(&[stands]);
    terminal.types("see @bern/.inbox").fails(0).says(&["is there tea?", "ask", "@operator"]);
    terminal.types("be birth '{\"name\":\"eve\",\"home\":\"/court\",\"cognition\":\"human\"}'").ok();
    assert_eq!(terminal.types("see @eve --json").json()["parent"], "@operator");
    // Inhabited, a being is driven by a person; released, it thinks by itself again.
    terminal.types("be inhabit '{\"being\":\"@bern\"}'").ok();
    assert_eq!(terminal.types("see @bern --json").json()["inhabitedBy"], "@operator");
    terminal.types("be release '{\"being\":\"@bern\"}'").ok();
    terminal.types("do / say --as @bern").fails(1).warns(&["thinks by itself"]);

    terminal.types("do / fly").fails(4).says(&["refused: unknown-operation at `fly`"]);
    let flow = r#"do @bern flow.set '{"flow":[{"rolle":"person"}]}'"#;
    terminal.types(flow).fails(4).says(&["refused: flow-malformed at `[0]", "did you mean `role`?"]);
    let rule = r#"do / rule.set '{"name":"r","rule":{"on":["mattr.make"],"refuse":"no"}}'"#;
    terminal.types(rule).fails(4).says(&["refused: rule-malformed at `/rule/on[0]`", "did you mean `matter.make`?"]);
    let role = r#"do / role.set '{"name":"r","role":{"name":"r","canDoo":[]}}'"#;
    terminal.types(role).fails(4).says(&["refused: role-malformed at `/role/canDoo`", "did you mean `canDo`?"]);
    terminal.types("log --raw @operator --from 70").fails(0).says(&["did you mean `canDo`?"]);
    terminal.types("do /court court:order").fails(4).says(&["refused: "]);
    terminal.types("do / signal.set '{\"path\":3}'").fails(4).says(&["refused: args-"]);
    terminal.types("summon @nobody hello").fails(4).says(&["refused: not-found at `@nobody`"]);
    // She has no role that lets her do anything.
    terminal.types("do / signal.set '{\"path\":\"court.tea\",\"value\":1}' --as @eve").fails(4).says(&["refused: "]);
    let last = terminal.types("log --json").json_lines().pop().unwrap();
    assert_eq!((&last["report"]["being"], &last["closing"]["code"]), (&json!("eve"), &json!("no-role")), "{last}");
    terminal.types("replay").ok();
}

#[test]
fn the_log_is_filtered_by_seq_and_by_being() {
    let terminal = Terminal::with_world("court", 60);
    let seqs = |line: &str| -> Vec<u64> {
        let lines = terminal.types(&format!("log {line} --json")).json_lines();
        lines.iter().map(|line| line["report"]["seq"].as_u64().unwrap()).collect()
    };
    let all = seqs("");
    assert_eq!(all, (0..all.len() as u64).collect::<Vec<_>>());
    assert_eq!(seqs("--from 70 --to 75"), [70, 71, 72, 73, 74]);
    terminal.types("log --from 75 --to 70").fails(1).warns(&["put them the other way round"]);
    let bern = seqs("@bern");
    assert!(bern.len() > 1 && bern.len() < all.len() && bern == seqs("bern"), "{bern:?}");
    assert!(terminal.types("log @bern --raw").ok().lines().all(|line| line.contains("@bern")), "one line a moment");
    assert_eq!(seqs(&format!("@bern --from {}", bern[1])), bern[1..]);
}

#[test]
fn a_moment_is_explained_by_its_seq_and_by_its_place_on_the_reel() {
    let terminal = Terminal::new();
    terminal.types("run $worlds/court --until 'when {\"world.court.in-session\": true}' --quiet").ok();
    terminal.types("run --moments 10 --quiet").ok();
    let moments = terminal.types("log @judith --json").json_lines();
    let judged = moments.iter().find(|moment| moment["report"]["stack"][0] == "court:judge").expect("she judges");
    let seq = &judged["report"]["seq"];
    let said = terminal.types(&format!("explain {seq}")).ok();
    let by_reel = terminal.types(&format!("explain @judith/{}", judged["n"])).ok();
    assert_eq!(by_reel, said, "the same by its place on the reel");
    let told = terminal.types(&format!("explain '#{seq}' --json")).json();
    assert_eq!((&told["hash"], told["face"]["me"]["name"].as_str()), (&judged["hash"], Some("judith")));
}

#[test]
fn apply_shows_what_it_would_do_and_then_does_it_once() {
    let terminal = Terminal::new();
    let source = "name = \"small\"\nstart = \"2026-03-03T08:00:00\"\nseed = 1\n[[space]]\npath = \"/hall\"\ntype = \"hall\"\n";
    terminal.write("src/world.toml", source);
    terminal.types("run src --moments 0").ok();
    terminal.types("apply src").fails(0).says(&["nothing to do"]);
    terminal.write("src/world.toml", &format!("{source}[[space]]\npath = \"/hall/stage\"\ntype = \"stage\"\n"));
    let before = hash(&terminal, "world");
    terminal.types("apply src --plan").fails(0).says(&["world.toml:7", "stage", "this would be done"]);
    assert_eq!(hash(&terminal, "world"), before, "a plan writes nothing");
    terminal.types("see /hall/stage").fails(1);
    terminal.types("apply src").fails(0).says(&["this was done"]);
    terminal.types("see /hall/stage").fails(0).says(&["type  ", "stage"]);
    terminal.types("apply src").fails(0).says(&["nothing to do"]);
    terminal.types("replay").ok();
}

#[test]
fn what_life_has_taken_elsewhere_is_not_made_again_by_applying_the_source() {
    let terminal = Terminal::new();
    let source = "name = \"small\"\nstart = \"2026-03-03T08:00:00\"\nseed = 1\n[[space]]\npath = \"/hall\"\n[[matter]]\nname = \"book\"\nat = \"/hall\"\n";
    terminal.write("src/world.toml", source);
    terminal.types("run src --moments 0").ok();
    terminal.types("do /hall/book move '{\"to\":\"@operator\"}'").ok();
    terminal.types("apply src --plan").fails(0).says(&["nothing to do"]);
    terminal.types("apply src").fails(0).says(&["nothing to do"]);
    terminal.types("see /hall/book").fails(1);
    terminal.write("src/world.toml", &format!("{source}[[matter]]\nname = \"lamp\"\nat = \"/hall\"\n"));
    terminal.types("apply src").fails(0).says(&["make /hall/lamp", "this was done"]);
    terminal.types("see @operator/book").ok();
}

/// A stranger's text in an address or a name neither moves the reader's cursor nor begins a line of ours.
#[test]
fn a_refusal_is_told_in_one_plain_line() {
    let terminal = Terminal::with_world("court", 0);
    let said = terminal.types("do @operator quality.set '{\"path\":\"a\\u001b[31m.b\\r\\n#99 done\\u0007\",\"value\":1}'").fails(4);
    assert!(!said.out.replace('\n', "").chars().any(char::is_control), "{:?}", said.out);
    assert!(!said.out.lines().any(|line| line.starts_with("#99")), "{:?}", said.out);
    let log = terminal.types("log --raw").ok();
    assert!(!log.replace('\n', "").chars().any(char::is_control) && !log.lines().any(|line| line.starts_with("#99")), "{log:?}");
}

#[test]
fn an_export_lives_on_elsewhere_as_the_original_does() {
    let terminal = Terminal::with_world("court", 60);
    terminal.types("export whole.reelm").fails(0).says(&["frames to `whole.reelm`"]);
    terminal.types("verify --file whole.reelm").fails(0).says(&["all chains and seals hold"]);
    terminal.types("replay --file whole.reelm").fails(0).says(&["identical"]);
    terminal.types("import whole.reelm --data copy").fails(0).says(&["it is simulated, so it can be run on"]);
    terminal.types("replay --data copy").fails(0).says(&["identical"]);
    assert_eq!(terminal.types("verify --data copy").ok(), terminal.types("verify").ok(), "the same head, the same hash");
    let here = terminal.types("run --moments 60 --quiet --json").json();
    let there = terminal.types("run --data copy --moments 60 --quiet --json").json();
    assert_eq!(here, there);
    assert_eq!(terminal.types("verify --data copy").ok(), terminal.types("verify").ok(), "sealed by the same keys");
}

#[test]
fn a_world_written_out_as_a_source_can_be_planted_again() {
    let terminal = Terminal::with_world("court", 60);
    terminal.types("export --source src").fails(0).says(&["as a source to `src`"]);
    // Extensions are named, not copied: those that come along are found by their names.
    let said = terminal.types("run src --data again --moments 0").fails(0);
    assert_eq!(said.err, "", "without a warning");
    let names = |data: &str| -> BTreeSet<String> {
        let children = terminal.types(&format!("see @operator/.children --data {data} --json")).json();
        children.to_string().split('"').filter(|name| !name.is_empty()).map(str::to_owned).collect()
    };
    assert_eq!(names("again"), names("world"));
    let roles = |data: &str| terminal.types(&format!("role list --json --data {data}")).json_lines().len();
    assert_eq!(roles("again"), roles("world"));
    terminal.types("run --data again --for 1h --quiet").ok();
    terminal.types("replay --data again").ok();
}

#[test]
fn roles_are_listed_shown_checked_and_set() {
    let terminal = Terminal::with_world("court", 0);
    terminal.types("role list").fails(0).says(&["court:judge  (from court, version 1", "emotions:bored  (from emotions"]);
    assert_eq!(terminal.types("role show court:judge --json").json()["name"], "court:judge");
    terminal.write("judge.md", &terminal.types("role show court:judge --markdown").ok());
    terminal.types("role lint judge.md").fails(0).says(&["judge.md: court:judge is well formed"]);
    terminal.write("mild.md", "---\nname: guest\ncanSee: ['**', '**']\n---\nLook.\n");
    terminal.types("role lint mild.md judge.md").fails(3).says(&["mild.md: ", "judge.md: court:judge is well formed"]);
    terminal.write("guest.md", "---\nname: guest\ncanSee: ['**']\n---\nLook around.\n");
    terminal.types("role set guest.md").fails(0).says(&["done"]);
    terminal.types("role show guest --markdown").fails(0).says(&["Look around."]);
    terminal.write("guest.md", "---\nname: guest\ncanSee: ['**']\n---\nLook closer.\n");
    terminal.types("role set guest.md").ok();
    terminal.types("role list").fails(0).says(&["guest  (from ", "version 2"]);
    terminal.write("long.md", &format!("---\nname: guest\n---\n{}", "Look around. ".repeat(1_000)));
    let too_long = "prompt: expected at most 2000 tokens of four bytes (tokens.words), found 3250";
    terminal.types("role lint long.md").fails(3).says(&[too_long]);
    terminal.types("role lint long.md --data none").fails(3).says(&[too_long]);
    terminal.types("role set long.md").fails(4).says(&["refused: role-too-long at `/role/prompt, 3250 tokens of at most 2000`"]);
    terminal.types("do / config.set '{\"key\":\"tokens.words\",\"value\":4000}'").ok();
    terminal.types("role set long.md").ok();
    std::fs::create_dir_all(terminal.path("told/roles")).unwrap();
    std::fs::rename(terminal.path("long.md"), terminal.path("told/roles/long.md")).unwrap();
    terminal.write("told/world.toml", "name = \"told\"\n");
    terminal.types("check told").fails(1).warns(&["told/roles/long.md:1: role-too-long: prompt: expected at most 2000 tokens"]);
    terminal.write("told/world.toml", "name = \"told\"\n[config]\ntokens.words = 4000\n");
    terminal.types("check told").fails(0);
}

#[test]
fn a_flow_is_tried_on_a_context_without_any_world() {
    let terminal = Terminal::new();
    terminal.write(
        "flow.json",
        r#"[{"role":"judge","when":{"space.name":"court"}},{"role":"clerk"},{"stack":true,"role":"formal","when":{"time.hour":{"gte":9}}}]"#,
    );
    terminal.write("context.json", r#"{"space.name":"court","time":{"hour":10}}"#);
    let eval = |options: &str| terminal.types(&format!("flow eval flow.json --context context.json {options} --json")).json();
    let told = eval("");
    assert_eq!(told["stack"], json!(["judge", "formal"]));
    assert!(told["trace"].is_object(), "{told}");
    terminal.types("flow eval flow.json --context context.json").fails(0).says(&[
        "wears judge + formal (clause 0)",
        "clause 0 → judge: yes",
        "clause 1 → clerk: no",
        "clause 2 → formal, stacked: yes",
    ]);
    // A role that is not registered is passed over; so is one for another cognition.
    terminal.write("roles.json", r#"{"judge":null,"clerk":{"name":"clerk","requiredCognition":"llm"},"formal":{"name":"formal"}}"#);
    assert_eq!(eval("--roles roles.json --cognition llm")["stack"], json!(["clerk", "formal"]));
    assert_eq!(eval("--roles roles.json --cognition human --default formal")["stack"][0], "formal");
    terminal.write("flow.json", r#"[{"role":"judge","when":{"space.name":"bank"}}]"#);
    assert_eq!(eval("")["stack"], json!([]));
    assert_eq!(eval("--default watcher")["stack"], json!(["watcher"]));
    assert_eq!(eval("--default watcher --requested judge")["stack"], json!(["judge"]));
}

#[test]
fn an_extension_is_checked_in_every_way_in_which_a_model_is_asked() {
    let terminal = Terminal::new();
    for name in ["court", "emotions", "harmony", "hello", "karate", "keeper", "library", "skateco"] {
        terminal.types(&format!("extension check $extensions/{name}")).fails(0).says(&["is well formed: "]);
    }
    let args = r#"{ type = "object", properties = { a = { type = "string" } }, examples = [{ a = "x", other = 1 }] }"#;
    let operation = format!("[[operation]]\nname = \"go\"\nscript = \"ops/go.rhai\"\ntouches = [\"actor\"]\nargs = {args}\n");
    terminal.write("way/manifest.toml", &format!("name = \"way\"\nversion = \"1.0.0\"\n{operation}"));
    terminal.write("way/ops/go.rhai", "fn run(ctx) { [] }");
    let told =
        ["way/manifest.toml: operation `way:go`.args: asked by `strict`, /act/args: ", "asked by `json_schema`, /act/arguments/args: "];
    terminal.types("extension check way").fails(1).warns(&told);
}

#[test]
fn extensions_are_listed_checked_disabled_and_enabled() {
    let terminal = Terminal::with_world("court", 0);
    terminal.types("extension list").fails(0).says(&["court ", "emotions ", "(enabled)"]);
    terminal.types("extension check $extensions/hello").fails(0).says(&["hello ", "is well formed: "]);
    terminal.types("extension disable court").fails(0).says(&["done"]);
    terminal.types("extension list").fails(0).says(&["(disabled)"]);
    terminal.types("do /court court:call-to-order '{\"over\":true}'").fails(4).says(&["refused: "]);
    terminal.types("extension enable $extensions/court").fails(0).says(&["is enabled"]);
    terminal.types("extension enable $extensions/hello").fails(0).says(&["hello ", "is enabled"]);
    assert!(!terminal.types("extension list").ok().contains("disabled"));
    terminal.types("run --moments 10 --quiet").ok();
    terminal.types("replay").ok();
}

#[test]
fn a_small_bench_gives_a_figure() {
    let terminal = Terminal::new();
    terminal.types("bench flow --runs 1").fails(0).says(&["flow ", " ns "]);
    let figures = terminal.types("bench flow --runs 1 --json").json();
    assert_eq!(figures[0]["case"], "flow", "{figures}");
    assert_eq!(std::fs::read_dir(terminal.path("")).unwrap().count(), 0, "it cleans up behind itself");
}

#[test]
fn what_is_piped_is_plain_text_of_whole_lines() {
    let terminal = Terminal::new();
    let mut said = vec![terminal.types("run $worlds/court --moments 40")];
    said.extend(
        ["log", "see /", "explain @bern/1", "replay", "role list", "--help", "run --help", "nonsense"].map(|line| terminal.types(line)),
    );
    for said in said {
        let plain = |text: &str| text.chars().all(|c| c == '\n' || !c.is_control()) && (text.is_empty() || text.ends_with('\n'));
        assert!(plain(&said.out), "{:?}", said.out);
        assert!(plain(&said.err), "{:?}", said.err);
    }
}

#[test]
fn the_data_is_where_the_environment_says_unless_the_line_says_otherwise() {
    let terminal = Terminal::new();
    let types = |line: &str| {
        let mut command = terminal.command(line);
        command.env("REELM_DATA", "there").output().unwrap().status.code()
    };
    assert_eq!(types("run $worlds/court --moments 0"), Some(0));
    assert!(terminal.path("there/world.toml").exists() && !terminal.path("world").exists());
    assert_eq!(types("run $worlds/court --moments 0 --data here"), Some(0));
    assert!(terminal.path("here/world.toml").exists());
    assert_eq!((types("verify"), types("verify --data nowhere")), (Some(0), Some(1)));
    terminal.types("verify").fails(1).warns(&["expected a world in `world`"]);
}

#[test]
fn find_shows_the_moments_in_which_everything_that_was_asked_for_holds() {
    let terminal = Terminal::with_world("court", 40);
    terminal.types("do / fly --as @operator").fails(4);
    let refused = terminal.types("find --closing refused --reason unknown-operation --being @operator --json").json();
    assert_eq!((&refused["action"], &refused["space"]), (&"fly".into(), &"/".into()));
    assert_eq!(terminal.types("find FLY unknown --json").json()["seq"], refused["seq"]);
    let in_court = terminal.types("find --space /court --json").json_lines();
    assert!(!in_court.is_empty() && in_court.iter().all(|moment| moment["space"] == "/court"), "{in_court:?}");
    terminal.types("find --space /cou").fails(1).warns(&["there is no space `/cou` in this world"]);
    assert_eq!(terminal.types("find --raw --space /chambers --action fly").ok(), "", "both are known, and nobody flew there");
    assert_eq!(terminal.types("find --raw --being @judith --last 0").ok(), "");
    let worn = terminal.types("find --role court:judge --last 2 --json").json_lines();
    assert!(worn.len() <= 2 && worn.iter().all(|moment| moment["stack"].as_array().unwrap().contains(&"court:judge".into())));
    terminal.types("find --closing lost").fails(2);
    terminal.types("find --day 2027-01-01").fails(1).warns(&["the world has come to 2026-03-0", "found the day `2027-01-01`"]);
    terminal.types("find --day 2020-01-01").fails(1).warns(&["the world begins at 2026-03-0", "found the day `2020-01-01`"]);
    terminal.types("find --day 2026-02-30").fails(2).warns(&["there is no day 2026-02-30: that month has 28 days"]);
    let day = in_court[0]["time"].as_str().unwrap()[..10].to_owned();
    assert_eq!(terminal.types(&format!("find --raw --day {day} --space /chambers --action fly")).ok(), "", "on a day that there was");
}

#[test]
fn a_long_run_shows_on_a_terminal_how_far_it_has_come_and_ends_by_ctrl_c() {
    let terminal = Terminal::new();
    // Without `exec`, some shells wait, and then end by the signal that the run has taken as its stop.
    let typed = format!("exec {REELM} run skateco --for 2d --quiet");
    let mut run = Command::new("script")
        .args(["-qefc", &typed, "/dev/null"])
        .current_dir(terminal.path("."))
        .env("TERM", "xterm")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut out, mut said) = (run.stdout.take().unwrap(), Vec::new());
    let until = |out: &mut dyn Read, said: &mut Vec<u8>, mark: &str| {
        let mut some = [0; 4096];
        while !String::from_utf8_lossy(said).contains(mark) {
            let count = out.read(&mut some).unwrap();
            assert!(count > 0, "{}", String::from_utf8_lossy(said));
            said.extend(&some[..count]);
        }
    };
    // The day of the world, and how much of the run is over; a fast machine shows no 0 or 1%.
    until(&mut out, &mut said, " left");
    let shown = String::from_utf8_lossy(&said).into_owned();
    assert!(shown.contains("2026-03-02T") && shown.contains(" left"), "{shown}");
    run.stdin.as_mut().unwrap().write_all(b"\x03").unwrap();
    until(&mut out, &mut said, "stopped: ");
    // The terminal is there until all is said: it closes with its standard input, which `wait` lets go of.
    out.read_to_end(&mut said).unwrap();
    let ended = run.wait().unwrap();
    assert!(ended.success(), "{ended}: {}", String::from_utf8_lossy(&said));
    terminal.types("verify").ok();
}

/// A world of one place, a box in it, two of its own and a population of three.
const CAST: &str = "name = \"src\"\nzone = \"Europe/Berlin\"\nstart = \"2026-03-02T08:00:00\"\nseed = 5\n[[space]]\npath = \"/hall\"\n[[space]]\npath = \"/attic\"\n\
    [[matter]]\nat = \"/hall\"\nname = \"box\"\n[[being]]\nname = \"ada\"\nhome = \"/hall\"\n[[being]]\nname = \"theo\"\nhome = \"/hall\"\n\
    [[population]]\nprefix = \"mod\"\ncount = 3\nhome = \"/hall\"\n";

#[test]
fn apply_tells_what_the_file_names_no_more_and_what_is_fixed_and_sets_the_zone() {
    let terminal = Terminal::new();
    terminal.write("src/world.toml", CAST);
    terminal.types("run src --for 1m --quiet").ok();
    assert_eq!(terminal.types("apply src").fails(0).says(&["the world is as the source says"]).err, "");
    let without = |text: &str, part: &str| {
        assert!(text.contains(part), "{part}");
        text.replace(part, "")
    };
    let less = without(CAST, "[[being]]\nname = \"theo\"\nhome = \"/hall\"\n").replace("count = 3", "count = 1");
    let less = without(&without(&less, "[[space]]\npath = \"/attic\"\n"), "[[matter]]\nat = \"/hall\"\nname = \"box\"\n");
    terminal.write("src/world.toml", &less);
    // As often as it is applied: they live on.
    for line in ["apply src --plan", "apply src", "apply src"] {
        let told = terminal.types(line).fails(0).says(&["nothing to do"]);
        told.warns(&[
            "in the file no more, live on: @mod-2, @mod-3, @theo (`reelm be end @mod-2`)",
            "in the file no more, still there: /hall/box (`reelm do /hall/box matter.end`)",
            "in the file no more, still there: /attic (`reelm do /attic space.end`)",
        ]);
    }
    for line in ["be end @mod-2", "be end @mod-3", "be end @theo", "do /hall/box matter.end", "do /attic space.end"] {
        terminal.types(line).ok();
    }
    assert_eq!(terminal.types("apply src").fails(0).says(&["1 acts", "remember"]).err, "");
    assert_eq!(terminal.types("apply src").fails(0).says(&["the world is as the source says"]).err, "");
    // Of a population with names of its own too, also where others have come since.
    let named = |rows: &str| {
        terminal.write("pop/people.csv", &format!("name,age\n{rows}"));
        terminal.write(
            "pop/world.toml",
            "name = \"pop\"\n[[space]]\npath = \"/hall\"\n[[population]]\nprefix = \"p\"\npersonas = \"people.csv\"\nhome = \"/hall\"\n",
        );
        terminal.types("apply pop --data pop-data")
    };
    terminal.write("pop/people.csv", "name,age\nanna,1\nbob,2\n");
    terminal.write(
        "pop/world.toml",
        "name = \"pop\"\n[[space]]\npath = \"/hall\"\n[[population]]\nprefix = \"p\"\npersonas = \"people.csv\"\nhome = \"/hall\"\n",
    );
    terminal.types("run pop --for 1m --quiet --data pop-data").ok();
    named("bob,2\ndora,3\n").fails(0).warns(&["lives on: @anna"]);
    named("bob,2\n").fails(0).warns(&["live on: @anna, @dora"]);
    terminal.types("be end @anna --data pop-data").ok();
    named("bob,2\n").fails(0).warns(&["lives on: @dora"]);
    // Renamed is one born and one who lives on.
    terminal.write("src/world.toml", &less.replace("\"ada\"", "\"eda\""));
    terminal.types("apply src").fails(0).says(&["@eda"]).warns(&["lives on: @ada (`reelm be end @ada`)"]);
    // A being that has ended here is in nobody's way.
    terminal.types("be end @eda").ok();
    let woken = less.replace("\"ada\"\nhome = \"/hall\"", "\"eda\"\nhome = \"/hall\"\n[[being.schedule]]\nname = \"t\"\nevery = \"1h\"")
        + "[[signal]]\npath = \"t.n\"\nvalue = 1\n";
    terminal.write("src/world.toml", &woken);
    terminal.types("apply src").fails(0).says(&["publish world.t.n"]).warns(&["in the file, and has ended here: @eda"]);
    // The zone is set; where the world began is fixed.
    let other = less.replace("Europe/Berlin", "Asia/Tokyo").replace("08:00:00", "09:00:00").replace("seed = 5", "seed = 6");
    terminal.write("src/world.toml", &other);
    terminal
        .types("apply src")
        .fails(0)
        .says(&["set zone to Asia/Tokyo"])
        .warns(&["seed and start are fixed since the world began; `reelm run src --anew` begins it again"]);
    assert!(terminal.types("see /.clock").ok().contains("+09:00"));
    terminal.types("replay").ok();
}

#[test]
fn a_world_is_begun_again_where_somebody_says_so_and_its_past_stays_beside() {
    let terminal = Terminal::new();
    terminal.write("src/world.toml", CAST);
    terminal.types("run src --for 1m --quiet --anew").ok();
    terminal.types("do / signal.set '{\"path\":\"t.mine\",\"value\":1}'").ok();
    let before = terminal.types("see / --json").ok();
    let frames = terminal.types("replay --json").json()["frames"].clone();
    terminal.write("src/world.toml", &CAST.replace("08:00:00", "11:00:00"));
    terminal.types("run src --for 1m --quiet --anew").fails(1).warns(&[
        "--anew: `world` holds `src`",
        "nobody is there to be asked; --yes puts it beside, as `",
        "world-1`",
    ]);
    assert_eq!(terminal.types("see / --json").ok(), before, "nothing has changed");
    // A person is asked.
    let asked = |answer: &str| {
        let line = format!("run src --for 1m --quiet --anew --data {}", terminal.path("world").display());
        let script = format!(
            "import os, pty, sys\ndef read(fd):\n    data = os.read(fd, 4096)\n    if b'[y/N]' in data: os.write(fd, b'{answer}\\n')\n    return data\n\
             sys.exit(os.waitstatus_to_exitcode(pty.spawn([sys.argv[1]] + sys.argv[2].split(), read)))\n"
        );
        terminal.write("ask.py", &script);
        std::process::Command::new("python3").args(["ask.py", REELM, &line]).current_dir(terminal.path("")).output().unwrap()
    };
    let said = asked("n");
    assert!(!said.status.success() && String::from_utf8_lossy(&said.stdout).contains("nothing was changed"), "{said:?}");
    assert!(!terminal.path("world-1").exists());
    let said = asked("y");
    assert!(said.status.success(), "{said:?}");
    assert!(terminal.types("see /.clock").ok().contains("T11:01:00"));
    assert_eq!(terminal.types("replay --data world-1 --json").json()["frames"], frames);
    terminal.types("run src --for 1m --quiet --anew --yes").fails(0).warns(&["world-2"]);
    terminal.types("run --anew --yes").fails(2).warns(&["SOURCE"]);
    terminal.write("other/world.toml", &CAST.replace("name = \"src\"", "name = \"other\""));
    terminal.types("run other --anew --yes").fails(1).warns(&["the source is of the world `other`, the data of `src`"]);
    // A fault is told before anything is put beside.
    terminal.write("out.csv", "at,measure,value,below\n2026-03-02T08:00:00Z,n,1,2\n");
    let measured = CAST.to_owned() + "[[measure]]\nname = \"n\"\nvalue = '1'\n";
    terminal.write("src/world.toml", &measured);
    terminal.types("run src --measures out.csv --anew --yes").fails(1).warns(&["`out.csv` tells of the world until now"]);
    terminal.write("src/world.toml", &CAST.replace("home = \"/hall\"", "home = \"/nowhere\""));
    terminal.types("run src --anew --yes").fails(1).warns(&["/nowhere"]);
    assert!(!terminal.path("world-3").exists() && terminal.path("world/log").exists());
}
