//! Hostile: what does the command line say to somebody who is wrong, or whose machine is?
//!
//! Never a panic; the exit code tells whether the line, the world or the history was wrong, and the message what to do.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::FileExt;
use std::process::Stdio;

use reelm::store::{LogStore, Mode, Store};

use super::terminal::{REELM, Said, Terminal};

const SPACE: &str = "[[space]]\npath = \"/hall\"\ntype = \"hall\"\n";
const HEAD: &str = "name = \"small\"\nstart = \"2026-03-03T08:00:00\"\nseed = 1\n";

/// A terminal where a source of this text lies in `src`.
fn with_source(text: &str) -> Terminal {
    let terminal = Terminal::new();
    terminal.write("src/world.toml", text);
    terminal
}

/// Runs a script among mounts of its own, as root of its own namespace; nothing where the machine does not allow that.
fn among_mounts(terminal: &Terminal, script: &str) -> Option<Said> {
    let allowed = ["unshare -rm", "unshare -m"].into_iter().find(|unshare| {
        let probe = format!("mkdir -p probe && {unshare} bash -c 'mount -t tmpfs none probe'");
        terminal.shell(&probe).code == 0
    });
    let Some(unshare) = allowed else {
        eprintln!("skipped: this machine lets nobody mount, not even in a namespace of its own");
        return None;
    };
    terminal.write("script", &script.replace("$reelm", REELM));
    let source = super::terminal::package().join("fixtures/worlds").display().to_string();
    Some(terminal.shell(&format!("worlds={source} {unshare} bash -e script")))
}

#[test]
fn a_directory_that_is_missing_empty_or_a_file_is_no_world() {
    let terminal = Terminal::new();
    terminal.write("empty/nothing", "");
    terminal.write("file", "");
    for line in ["see /", "log", "explain 1", "verify", "verify --index", "replay", "role list", "extension list", "export out", "do / say"]
    {
        for dir in ["missing", "empty", "file"] {
            let place = format!("`{dir}`");
            terminal.types(&format!("{line} --data {dir}")).fails(1).warns(&["expected a world in", &place, "check the path"]);
        }
    }
    assert!(!terminal.path("missing").exists() && !terminal.path("empty/lock").exists(), "looking leaves nothing behind");
    terminal.types("run").fails(1).warns(&["there is no world in `world` yet", "name a SOURCE"]);
    terminal.types("run nowhere").fails(1).warns(&["`nowhere` is no world source", "`world.toml`"]);
    terminal.types("run $worlds/court --data file").fails(1).warns(&["file"]);
    assert_eq!(terminal.read("file"), "");
}

#[test]
fn a_cause_is_told_once() {
    let terminal = Terminal::new();
    terminal.write("file", "");
    let said = terminal.types("import nowhere").fails(1);
    assert_eq!(said.err.matches("os error").count(), 1, "{}", said.err);
    let said = terminal.types("run $worlds/court --data file").fails(1);
    assert_eq!(said.err.matches("os error").count(), 1, "{}", said.err);
}

#[test]
fn a_bad_line_of_a_source_is_named_by_file_line_and_key() {
    for (text, wanted) in [
        (format!("{HEAD}\n[[space]]\npath = \"/hall\"\ntyp = \"hall\"\n"), ["src/world.toml:7", "`typ`", "`type`"]),
        (format!("{HEAD}x = = 3\n"), ["src/world.toml:4", "`=`", ""]),
        (format!("{HEAD}extensions = [\"curt\"]\n"), ["src/world.toml:4", "no extension `curt`", "extensions/curt/manifest.toml"]),
        (
            format!(
                "{HEAD}{SPACE}[[being]]\nname = \"ada\"\nhome = \"/hall\"\nflow = [{{ when = {{ \"space.name\" = {{ eq = 1, gt = [] }} }} }}]\n"
            ),
            ["src/world.toml", "flow", ""],
        ),
    ] {
        let terminal = with_source(&text);
        terminal.types("run src --moments 0").fails(1).warns(&wanted);
        assert!(!terminal.path("world/world.toml").exists(), "nothing is planted of a wrong source");
    }
    let terminal = with_source(&format!("{HEAD}{SPACE}[[being]]\nname = \"ada\"\nhome = \"/hall\"\nrole = \"nobody\"\n"));
    terminal.types("run src --moments 0").fails(0).warns(&["warning: src/world.toml:7", "@ada", "no role `nobody`"]);
}

#[test]
fn a_typo_in_a_flow_is_a_warning_and_a_malformed_flow_names_the_place() {
    let terminal = Terminal::new();
    terminal.write("typo.json", r#"[{"role":"a","when":{"spce.name":"x"}}]"#);
    terminal.types("flow lint typo.json").fails(3).says(&["[0].when.\"spce.name\"", "did you mean `space.name`"]);
    terminal.write("bad.json", r#"[{"role":"a"},{"role":"b","when":{"space.name":{"in":3}}}]"#);
    terminal.types("flow lint bad.json").fails(1).warns(&["`bad.json`", "[1].when.\"space.name\".in"]);
    let until = "run $worlds/court --until '{\"spce.name\": \"x\"}' --moments 0 --quiet";
    terminal.types(until).fails(0).warns(&["warning: --until: no moment has the path `spce.name`", "did you mean `space.name`"]);
    let until = "run --until 'when {\"world.court.in-session\": true, \"time.hour\": {\"gte\": 9}}' --moments 0 --quiet";
    assert_eq!(terminal.types(until).fails(0).err, "");
    terminal.write("broken.json", "[{");
    terminal.types("flow lint broken.json").fails(1).warns(&["`broken.json` is not JSON", "line 1"]);
}

#[test]
fn a_world_of_a_newer_format_asks_for_a_newer_version() {
    let terminal = Terminal::with_world("court", 0);
    let text = terminal.read("world/world.toml").replace("format = 2", "format = 9");
    let above = text.split("check = ").next().unwrap().to_owned();
    let check = blake3::hash(above.as_bytes()).to_hex();
    terminal.write("world/world.toml", &format!("{above}check = \"{check}\"\n"));
    for line in ["see /", "verify", "run --moments 1", "do / say"] {
        terminal.types(line).fails(1).warns(&["has format 9", "knows up to 2", "use a newer version"]);
    }
}

#[test]
fn inspect_names_what_is_damaged_and_lists_what_is_whole_around_it() {
    let terminal = Terminal::with_world("court", 40);
    terminal.types("inspect").fails(0).says(&["whole frames: #0 to #"]);
    // One more group at least: what is damaged must not be the last, which might be a loss as well.
    terminal.types("do / say '{\"content\":\"done\"}'").ok();
    let path = terminal.path("world/log/0000000000000000.seg");
    let mut bytes = std::fs::read(&path).unwrap();
    let at = bytes.windows(13).rposition(|bytes| bytes == b"court:bailiff").unwrap();
    bytes[at] ^= 1;
    std::fs::write(&path, bytes).unwrap();
    terminal.types("verify").fails(3);
    // A checkpoint stands in for what lies before it; without one all of it is read.
    terminal.shell("rm -r world/checkpoints").ok();
    terminal.types("see /").fails(3).warns(&["damage in", "at byte", "`reelm inspect` reads past it"]);
    let said = terminal.types("inspect --frames").fails(3).says(&["damage in `world/log/0000000000000000.seg` at byte", "#0 "]);
    assert!(said.out.lines().count() > 10, "{}", said.out);
}

#[test]
fn a_world_whose_log_is_missing_is_damaged_and_left_as_it_is() {
    for take in ["rm world/log/*", "rm -r world/log"] {
        let terminal = Terminal::with_world("court", 0);
        terminal.shell(take).ok();
        for line in ["see /", "verify", "run --moments 1", "run $worlds/court --moments 1"] {
            terminal.types(line).fails(3).warns(&["damage in", "world/log", "restore"]);
        }
    }
}

#[test]
fn an_export_that_is_empty_cut_or_none_makes_no_world() {
    let terminal = Terminal::with_world("court", 5);
    terminal.types("export whole").ok();
    let whole = std::fs::read(terminal.path("whole")).unwrap();
    for (at, len) in [0, 1, 8, 100, 300, whole.len() / 2, whole.len() - 1].into_iter().enumerate() {
        std::fs::write(terminal.path("cut"), &whole[..len]).unwrap();
        for line in [format!("import cut --data {at}"), "verify --file cut".to_owned(), "replay --file cut".to_owned()] {
            // A file that does not even begin as an export is no damaged export, but none.
            let (code, wanted) =
                if len < 8 { (1, "`cut` is no export: expected a file that `reelm export` wrote") } else { (3, "restore") };
            let said = terminal.types(&line).fails(code);
            assert!(said.err.starts_with("reelm: ") && said.err.contains(wanted), "{len} bytes: {}", said.err);
        }
        terminal.types(&format!("verify --data {at}")).fails(1);
        // The remains of a failed import are in nobody's way.
        terminal.types(&format!("import whole --data {at}")).ok();
        terminal.types(&format!("verify --data {at}")).ok();
    }
    terminal.write("text", "not an export, but long enough to be taken for one by somebody in a hurry");
    for line in ["import text --data other", "verify --file text", "replay --file text"] {
        terminal.types(line).fails(1).warns(&["`text` is no export: expected a file that `reelm export` wrote; check the path"]);
    }
    terminal.types("import whole").fails(1).warns(&["expected an empty directory in `world`", "choose another path"]);
    terminal.types("import world --data other").fails(1).warns(&["cannot read"]);
    terminal.types("verify --file world").fails(1).warns(&["cannot read"]);
    terminal.types("export whole").fails(1).warns(&["`whole` is there already"]);
}

#[test]
fn a_second_process_is_told_whose_the_world_is_and_may_still_look() {
    let terminal = Terminal::with_world("court", 0);
    let mut first = terminal.command("run --pace 1").stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(first.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    let owner = format!("in use by process {}", first.id());
    let second = ["do / say", "run --moments 1", "verify --index"].map(|line| terminal.types(line));
    let looking = terminal.types("see /");
    first.kill().unwrap();
    first.wait().unwrap();
    second.into_iter().for_each(|said| drop(said.fails(1).warns(&[&owner, "stop that process"])));
    looking.ok();
    terminal.types("run --moments 1 --quiet").ok();
}

#[test]
fn what_another_process_is_writing_is_no_torn_group_and_what_it_left_is() {
    let terminal = with_source(&format!("{HEAD}{SPACE}"));
    terminal.types("run src --moments 0").ok();
    let mut first = terminal.command("run --for 9h --pace 1").stdout(Stdio::null()).spawn().unwrap();
    // The switch of its clock is the last that it writes: nobody lives there.
    while terminal.types("see /.clock --json").json()["clock"] != "paced 1" {}
    // The beginning of a record stands where the next group goes.
    let end = LogStore::open(&terminal.path("world"), Mode::Read).unwrap().0.ending().position.offset;
    let segment = std::fs::OpenOptions::new().write(true).open(terminal.path("world/log/0000000000000000.seg")).unwrap();
    segment.write_at(&[200, 0, 0, 0, 1, 2, 3, 4, 1, 5, 6, 7], end).unwrap();
    let beside = terminal.types("see /");
    first.kill().unwrap();
    first.wait().unwrap();
    assert_eq!(beside.fails(0).err, "");
    terminal.types("see /").fails(0).warns(&["the log ends in a torn group, which is not read"]);
    terminal.types("run --moments 1 --quiet").fails(0).warns(&["the log ended in a torn group, which was cut"]);
    assert_eq!(terminal.types("see /").fails(0).err, "");
}

#[test]
fn a_full_disk_is_said_and_the_world_goes_on_when_there_is_space() {
    let terminal = Terminal::new();
    let script = r#"
        mkdir full; mount -t tmpfs -o size=16m none full
        $reelm run $worlds/court --data full/world --quiet --moments 10 > /dev/null
        head -c 12m /dev/zero > full/ballast
        set +e
        $reelm run --data full/world --quiet --for 60d; echo "full: $?"
        $reelm verify --data full/world > /dev/null; echo "verified full: $?"
        rm full/ballast
        $reelm verify --data full/world > /dev/null; echo "verified: $?"
        $reelm run --data full/world --moments 20 --quiet > /dev/null; echo "goes on: $?"
        $reelm replay --data full/world > /dev/null; echo "replayed: $?"
    "#;
    let Some(said) = among_mounts(&terminal, script) else { return };
    let said = said.fails(0);
    let said = said.says(&["full: 1", "verified full: 0", "verified: 0", "goes on: 0", "replayed: 0"]);
    said.warns(&["no space is left for `full/world/log/", "free some and try again"]);
}

#[test]
fn a_world_that_fails_takes_no_other_of_its_server_down() {
    let terminal = Terminal::new();
    let script = r#"
        mkdir forks; mount -t tmpfs -o size=16m none forks
        $reelm run $worlds/court --data world --quiet --moments 10 > /dev/null
        $reelm fork forks/small --data world > /dev/null
        exec 3< <(exec $reelm serve --data world --worlds forks --port 0 --paused --json 2> said); served=$!
        read -r -u 3 line
        set +e
        head -c 16m /dev/zero > forks/ballast 2> /dev/null
        wide=$(printf '%060000d' 1)
        act() { $reelm do / signal.set "{\"path\":\"t.wide\",\"value\":\"$2$wide\"}" --data $1 > /dev/null; }
        for n in $(seq 300); do act forks/small $n || break; done; echo "small ended: $n"
        act forks/small again; echo "small again: $?"
        act world once; echo "first: $?"
        kill -TERM $served; wait $served; echo "stopped: $?"
        grep -o 'this world has stopped, and the others go on' said
        rm forks/ballast; $reelm verify --data forks/small > /dev/null; echo "small verified: $?"
    "#;
    let Some(said) = among_mounts(&terminal, script) else { return };
    let said =
        said.says(&["small again: 1", "first: 0", "stopped: 0", "this world has stopped, and the others go on", "small verified: 0"]);
    assert!(!said.out.contains("small ended: 300"), "{}", said.out);
}

#[test]
fn a_world_that_did_not_fit_when_it_was_planted_is_planted_when_there_is_space() {
    let terminal = Terminal::new();
    let script = r#"
        mkdir full; mount -t tmpfs -o size=8m none full
        head -c 7m /dev/zero > full/ballast
        set +e
        $reelm run $worlds/court --data full/world --quiet --moments 0; echo "full: $?"
        rm full/ballast
        $reelm run $worlds/court --data full/world --quiet --moments 0 > /dev/null; echo "planted: $?"
        $reelm replay --data full/world > /dev/null; echo "replayed: $?"
    "#;
    let Some(said) = among_mounts(&terminal, script) else { return };
    said.fails(0).says(&["full: 1", "planted: 0", "replayed: 0"]).warns(&["no space is left for"]);
}

#[test]
fn a_read_only_world_can_be_looked_at_and_not_acted_in() {
    let terminal = Terminal::with_world("court", 5);
    let script = r#"
        mount --bind world world; mount -o remount,bind,ro world
        set +e
        for line in "see /" log "explain 60" verify replay "export out"; do $reelm $line > /dev/null; echo "$line: $?"; done
        for line in "run --moments 1" "do / say" "verify --index"; do $reelm $line > /dev/null; echo "$line: $?"; done
    "#;
    let Some(said) = among_mounts(&terminal, script) else { return };
    let said = said.fails(0).says(&["see /: 0", "log: 0", "explain 60: 0", "verify: 0", "replay: 0", "export out: 0"]);
    said.says(&["run --moments 1: 1", "do / say: 1", "verify --index: 1"]).warns(&["cannot write `world/lock`", "allow writing there"]);
}

#[test]
fn a_being_that_is_not_there_or_thinks_by_itself_is_not_driven() {
    let terminal = Terminal::with_world("court", 0);
    for line in ["do / say", "summon @bern hello", "be release", "role set role.md", "extension disable court"] {
        terminal.write("role.md", "---\nname: x\n---\nBe.\n");
        terminal.types(&format!("{line} --as @nobody")).fails(1).warns(&["there is no living being `@nobody`"]);
        terminal.types(&format!("{line} --as @judith")).fails(1).warns(&["`@judith` thinks by itself (script)", "reelm be inhabit"]);
    }
    terminal.types("see / --as @nobody").fails(1).warns(&["there is no being `@nobody`"]);
}

/// Garbage for each argument. The answer to each, with its exit code, stands word for word in tests/snapshots/errors.snap.
pub const GARBAGE: &[&str] = &[
    "dance",
    "see",
    "see / --at x",
    "see / --at -1",
    "see / --at 0",
    "see / --at 999999",
    "see ''",
    "see nowhere",
    "see /nowhere",
    "see @nobody",
    "see /.nothing",
    "log @nobody",
    "log --from x",
    "log --to 99999999999999999999",
    "explain",
    "explain x",
    "explain 999999",
    "explain @judith",
    "explain @judith/x",
    "explain @judith/999",
    "explain @nobody/1",
    "prove",
    "prove 999999",
    "prove @nobody/1",
    "verify --proof nowhere",
    "verify --proof $worlds/court/world.toml",
    "verify --proof x --file y",
    "do",
    "do / say {",
    "summon @bern",
    "summon @bern hi --rank loud",
    "be",
    "be birth {",
    "run --for 1x",
    "run --for 999999999999999999d",
    "run --moments x",
    "run --until {",
    "run --until '{\"me.name\": {\"in\": 3}}'",
    "run --until tomorrow",
    "run --threads 0",
    "serve --pace 601",
    "usage --estimate $worlds/court --for soon",
    "find --day monday",
    "find --cost much",
    "find --being @judit",
    "find --space /court/attic",
    "find --role court:juge",
    "find --action space.mak",
    "find --reason gate-rule",
    "find --model gpt",
    "bench flow --runs 0",
    "run --pace 0",
    "run --pace nan",
    "run --pace 2 --realtime",
    "run --threads many",
    "run --seed 99 --moments 1",
    "run $worlds/dance --moments 1",
    "apply",
    "apply nowhere",
    "apply $worlds/dance",
    "apply $worlds/dance --plan",
    "measure nowhere",
    "measure $worlds/dance",
    "measure $worlds/court --out .",
    "replay @nobody",
    "replay --file nowhere",
    "export missing/file",
    "export --source /proc/nowhere",
    "import nowhere --data new",
    "role",
    "role show nobody",
    "role lint",
    "role lint nowhere",
    "role set nowhere",
    "flow",
    "flow eval nowhere --context nowhere",
    "flow eval nowhere --context nowhere --cognition god",
    "flow lint nowhere",
    "extension",
    "extension check nowhere",
    "extension enable nowhere",
    "bench nothing",
    "bench flow --runs x",
    "--data",
];

#[test]
fn garbage_is_told_from_sense_and_changes_nothing() {
    let terminal = Terminal::with_world("court", 0);
    let before = terminal.types("verify --json").json();
    for line in GARBAGE {
        let said = terminal.types(line);
        assert!((1..=2).contains(&said.code) && !said.err.contains("panicked"), "{line}: {}", said.err);
        assert_eq!(said.out, "", "{line}: a complaint goes to the other stream");
    }
    // An input that is an act at all is recorded with its refusal.
    assert_eq!(terminal.types("verify --json").json(), before);
    for line in
        ["do / fly", "be fly", "be birth [1]", "summon @nobody hi", "extension disable nobody", "do @nobody say '{\"content\":\"x\"}'"]
    {
        terminal.types(line).fails(4).says(&["refused: "]);
    }
    let after = terminal.types("replay --json").json();
    assert_eq!(after["frames"].as_u64(), before["frames"].as_u64().map(|frames| frames + 6));
}

#[test]
fn an_argument_too_long_or_no_text_is_no_panic() {
    let terminal = Terminal::with_world("court", 0);
    let long = "x".repeat(100_000);
    terminal.types(&format!("see /{long}")).fails(1);
    terminal.types(&format!("do /court {long}")).fails(1).warns(&["call-length"]);
    terminal.types(&format!("do . say '{{\"content\":\"{long}\"}}'")).fails(4).says(&["args-length at `/content`"]);
    terminal.types(&format!("run {long}")).fails(1);
    terminal.types(&format!("see / --data {long}")).fails(1);
    let bytes = OsStr::from_bytes(b"\xff\xfe");
    for (line, code) in [("see", 2), ("log", 2), ("explain", 2), ("do /", 2), ("run --moments 0", 1), ("verify --data", 1), ("import", 1)] {
        let mut command = terminal.command(line);
        let output = command.arg(bytes).output().unwrap();
        // A path is said with what of it is text.
        assert_eq!(output.status.code(), Some(code), "{line}: {}", String::from_utf8_lossy(&output.stderr));
    }
    terminal.types("replay").ok();
}

#[test]
fn whoever_stops_reading_is_no_failure() {
    let terminal = Terminal::with_world("court", 100);
    for line in ["log", "log --json", "run --moments 200", "explain 120", "see /.ops", "--help"] {
        let said = terminal.shell(&format!("$reelm {line} | head -n 1 > /dev/null; exit ${{PIPESTATUS[0]}}")).fails(0);
        assert_eq!(said.err, "", "{line}");
        let said = terminal.shell(&format!("$reelm {line} > >(exec true); exit $?"));
        assert!(said.code == 0 && said.err.is_empty(), "{line}: {}", said.err);
    }
    // A full disk behind the output is a failure.
    terminal.shell("$reelm log > /dev/full").fails(1).warns(&["No space left"]);
    terminal.types("verify").ok();
}
