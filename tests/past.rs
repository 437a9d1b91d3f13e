//! Past: is what a history is asked answered from the nearest checkpoint as from its beginning?

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use reelm::fact::Seq;
use reelm::past::{APART, History, Point, Revisited, Sought, Versions};
use serde_json::Value as Json;

use super::checkpoint::{end, files, go_on, go_on_unkept, keep};
use super::scripts::{HALL, being};
use super::terminal::{Said, Terminal};

/// The output of a command, and the seq from which each of its foldings went, by the program's own log.
pub fn folds(terminal: &Terminal, line: &str) -> (Vec<Seq>, Said) {
    let mut command = terminal.command(line);
    command.env("REELM_LOG", "reelm::past=debug").env("REELM_LOG_FORMAT", "json");
    let said = Said::of(line, command.output().unwrap());
    let logged = said.err.lines().filter_map(|line| serde_json::from_str::<Json>(line).ok());
    let folds = logged.filter(|logged| logged["fields"]["message"] == "folded").map(|logged| logged["fields"]["from"].as_u64().unwrap());
    (folds.collect(), said)
}

/// How many frames a command folded in all, by the program's own log.
pub fn count_folded(terminal: &Terminal, line: &str) -> u64 {
    let (said, count) = count_any(terminal, line);
    said.ok();
    count
}

/// The output of a command, and how many frames it folded.
fn count_any(terminal: &Terminal, line: &str) -> (Said, u64) {
    let mut command = terminal.command(line);
    command.env("REELM_LOG", "reelm::past=debug").env("REELM_LOG_FORMAT", "json");
    let said = Said::of(line, command.output().unwrap());
    let logged = said.err.lines().filter_map(|line| serde_json::from_str::<Json>(line).ok());
    let folds = logged.filter(|logged| logged["fields"]["message"] == "folded").map(|logged| {
        let field = |name: &str| logged["fields"][name].as_u64().unwrap();
        field("below") - field("from")
    });
    let folds: Vec<u64> = folds.collect();
    assert!(!folds.is_empty(), "{line}: {}", said.err);
    (said, folds.iter().sum())
}

/// A town with three chapters, in the first and the last of which rare things happen. Nobody changes it.
fn three_chapters() -> &'static Terminal {
    static TOWN: LazyLock<Terminal> = LazyLock::new(town_of_three_chapters);
    &TOWN
}

fn town_of_three_chapters() -> Terminal {
    let terminal = Terminal::with_world("town", 50);
    for version in ["first", "second"] {
        terminal.types("do / fly").fails(4);
        terminal.write("warden.md", &format!("---\nname: warden\ncanSee: ['**']\n---\nYou keep watch, as in the {version} draft.\n"));
        terminal.types("role set warden.md").ok();
        terminal.write("flow.json", r#"[{"role":"warden","when":{"time.hour":3}},{"role":"citizen"}]"#);
        terminal.types("flow set @citizen-3 flow.json").fails(0);
        terminal.types(&format!("do / space.make '{{\"name\":\"nook-{version}\"}}'")).ok();
        terminal.types(&format!("do @operator move '{{\"to\":\"/nook-{version}\"}}'")).ok();
        terminal.types(&format!("do /nook-{version} space.set '{{\"name\":\"den-{version}\"}}'")).fails(0);
        terminal.types(&format!("do /den-{version} say '{{\"content\":\"good morning\"}}'")).fails(0);
        // Somebody else lives in a room that is named anew around them.
        terminal.types(&format!("do / space.make '{{\"name\":\"yard-{version}\"}}'")).ok();
        terminal.types(&format!("do @citizen-9 move '{{\"to\":\"/yard-{version}\"}}'")).ok();
        terminal.types("run --moments 100 --quiet").ok();
        terminal.types(&format!("do /yard-{version} space.set '{{\"name\":\"court-{version}\"}}'")).ok();
        terminal.types("run --moments 100 --quiet").ok();
        if version == "first" {
            terminal.types("run --moments 8900 --quiet").ok();
        }
    }
    terminal.types("run --moments 100 --quiet").ok();
    terminal
}

#[test]
#[ignore = "long: 9,000 moments of a town"]
fn no_look_at_a_long_past_folds_more_frames_than_lie_between_two_rungs() {
    let terminal = three_chapters();
    let dir = terminal.path("world");
    let history = History::of(&dir).unwrap();
    let (end, mut rungs) = (history.end(), history.checkpoints());
    assert_eq!(rungs.first(), Some(&end), "{rungs:?}");
    rungs.push(0);
    assert!(rungs.len() > 3 && rungs.windows(2).all(|pair| pair[0] - pair[1] <= APART), "{rungs:?}");
    let (middle, before) = (end / 2, rungs[1] - 1);
    let lines = [
        "see /square".to_owned(),
        format!("see /square --at {middle}"),
        format!("see /square --at {before}"),
        format!("explain {middle}"),
        format!("explain {before}"),
        format!("log --raw --from {middle} --to {}", middle + 10),
        "log --last 10".to_owned(),
        "log @citizen-7 --last 2".to_owned(),
        format!("log --raw @citizen-7 --last 2 --to {middle}"),
        "find --last 10".to_owned(),
        "find --last 10 --closing act".to_owned(),
        "usage".to_owned(),
        "role list".to_owned(),
    ];
    for line in lines {
        let count = count_folded(terminal, &line);
        assert!(count <= APART, "{line}: {count} frames");
    }
}

#[test]
#[ignore = "long: 9,000 moments of a town"]
fn what_is_rare_is_found_by_chapters_and_is_what_a_walk_through_all_of_it_finds() {
    let terminal = three_chapters();
    let dir = terminal.path("world");
    let history = History::of(&dir).unwrap();
    let (end, mut all) = (history.end(), Vec::new());
    let world = history.moments(0, None, |_, told| all.push(told)).unwrap();
    assert_eq!(world.chapters().all().count(), 3, "{end} frames");
    let of = |json: &str| serde_json::from_str::<Sought>(json).unwrap();
    let day = all.last().unwrap().time[..10].to_owned();
    let all_sought = [
        (r#"{"closing":"dead-letter"}"#.to_owned(), Some(0)),
        (r#"{"action":"fly"}"#.to_owned(), Some(2)),
        (r#"{"action":"role.set","being":"@operator"}"#.to_owned(), Some(3)),
        (r#"{"action":"role.set","being":"@citizen-3"}"#.to_owned(), Some(0)),
        (r#"{"being":"@nobody"}"#.to_owned(), Some(0)),
        (r#"{"space":"/nook-first"}"#.to_owned(), None),
        (r#"{"space":"/den-first/"}"#.to_owned(), None),
        (r#"{"space":"/court-first","being":"@citizen-9"}"#.to_owned(), None),
        (r#"{"role":"warden"}"#.to_owned(), Some(0)),
        (r#"{"tokens":1}"#.to_owned(), Some(0)),
        (r#"{"text":"second draft"}"#.to_owned(), None),
        (format!(r#"{{"day":"{day}","action":"fly"}}"#), None),
        (r#"{"day":"2025-12-31"}"#.to_owned(), Some(0)),
    ];
    // A line tells the beginning of what is written alone.
    let mut written = std::collections::BTreeMap::new();
    history.moments(0, None, |frame, told| drop(written.insert(told.seq, format!("{:?}", frame.draft().call)))).unwrap();
    let is_written =
        |sought: &Sought, seq: Seq| sought.text.as_deref().is_some_and(|text| text.split(' ').all(|word| written[&seq].contains(word)));
    for (sought, count) in all_sought {
        let meant = of(&sought);
        let wanted: Vec<Seq> = all.iter().filter(|told| meant.fits(told) || is_written(&meant, told.seq)).map(|told| told.seq).collect();
        assert_eq!(wanted.len(), count.unwrap_or(wanted.len()), "{sought}");
        let mut found = Vec::new();
        history.found(&of(&sought), 0..Seq::MAX, |told| found.push(told.seq)).unwrap();
        assert_eq!(found, wanted, "{sought}");
        let mut newest = history.newest(&of(&sought), 0..end, wanted.len().max(1), |told| Some(told.seq)).unwrap().found;
        newest.reverse();
        assert_eq!(newest, wanted, "{sought}, the newest first");
    }
    let acting = of(r#"{"being":"@operator","closing":"act"}"#);
    let wanted: Vec<Seq> =
        all.iter().rev().filter(|told| acting.fits(told)).map(|told| told.seq).filter(|seq| (40..end - 90).contains(seq)).collect();
    assert_eq!(history.newest(&acting, 40..end - 90, wanted.len() + 1, |told| Some(told.seq)).unwrap().found, wanted);
    let acts = world.being_named("operator").unwrap().next_n;
    for line in ["find --closing dead-letter", "find --action fly --last 2", "find --being @operator --last 3", "find --reason gate-roles"]
    {
        assert!(count_any(terminal, line).1 <= 2 * APART, "{line}");
    }
    for n in [1, acts - 1] {
        let (said, count) = count_any(terminal, &format!("explain @operator/{n} --json"));
        assert!(count <= 2 * APART, "{n}: {count}");
        assert_eq!(history.nth(world.being_named("operator").unwrap().id, n).unwrap(), Some(said.json()["seq"].as_u64().unwrap()), "{n}");
    }
    let of_citizen = history.reel(world.being_named("citizen-3").unwrap().id, 0).unwrap();
    for (n, seq) in of_citizen.iter().enumerate().step_by(9) {
        assert_eq!(history.nth(world.being_named("citizen-3").unwrap().id, n as u64).unwrap(), Some(*seq));
    }
    let seqs = |of: Versions| of.newest.into_iter().map(|version| (version.seq, version.version.unwrap())).collect::<Vec<_>>();
    let set =
        |action: &str| all.iter().rev().filter(|told| told.action.as_deref() == Some(action)).map(|told| told.seq).collect::<Vec<_>>();
    let roles = set("role.set");
    assert_eq!(seqs(history.versions_of_role(&"warden".into(), &world, u64::MAX).unwrap()), [(roles[0], 2), (roles[1], 1)]);
    let (flows, of) = (set("flow.set"), world.being_named("citizen-3").unwrap().id);
    assert_eq!(seqs(history.versions_of_flow(of, &world, u64::MAX).unwrap()), [(flows[0], 2), (flows[1], 1), (of.0.seq, 1)]);
}

#[test]
fn the_last_lines_of_the_log_are_those_of_all_of_it() {
    let terminal = Terminal::with_world("skateco", 200);
    go_on(&terminal.path("world"), 60);
    go_on(&terminal.path("world"), 60);
    let lines = |line: &str| terminal.types(line).ok().lines().map(str::to_owned).collect::<Vec<_>>();
    let of_all = lines("log --json");
    assert_eq!(lines("log --json --last 25"), of_all[of_all.len() - 25..]);
    assert_eq!(lines("log --json --last 100000"), of_all);
    let of_ada = lines("log @ada --json");
    assert!(of_ada.len() > 3, "{of_ada:?}");
    assert_eq!(lines("log @ada --json --last 3"), of_ada[of_ada.len() - 3..]);
    assert_eq!(lines("log @ada --json --last 100000"), of_ada);
    let seq = |line: &String| serde_json::from_str::<Json>(line).unwrap()["report"]["seq"].as_u64().unwrap();
    let to = seq(&of_ada[of_ada.len() - 2]);
    assert_eq!(lines(&format!("log @ada --json --last 2 --to {to}")), of_ada[of_ada.len() - 4..of_ada.len() - 2]);
    assert_eq!(lines(&format!("log @ada --json --last 100 --from {to}")), of_ada[of_ada.len() - 2..]);
    terminal.types("log @nobody --last 3").fails(1).warns(&["there is no being `@nobody` in this world"]);
}

#[test]
#[ignore = "long: nine commands, from a whole checkpoint, a damaged one and none"]
fn a_command_folds_from_the_checkpoint_before_what_it_asks_for() {
    let terminal = Terminal::with_world("skateco", 200);
    let dir = terminal.path("world");
    keep(&dir);
    let kept = end(&dir);
    go_on_unkept(&dir, 200);
    let from = kept + 40;
    let lines = [
        format!("log --raw --from {from}"),
        format!("log --raw @ada --from {from} --to {}", from + 20),
        format!("find --raw --from {from} --closing act"),
        "find --last 3 --closing act".to_owned(),
        format!("see /factory --at {from}"),
        format!("explain {from}"),
        "usage".to_owned(),
        "role list".to_owned(),
        "export out --source".to_owned(),
    ];
    let ask = |line: &String| {
        let asked = folds(&terminal, line);
        let _ = fs::remove_dir_all(terminal.path("out"));
        asked
    };
    let told: Vec<String> = lines
        .iter()
        .map(|line| {
            let (folds, said) = ask(line);
            assert!(!folds.is_empty() && folds.iter().all(|begins| *begins >= kept), "{line}: {folds:?}");
            said.ok()
        })
        .collect();

    let rung = files(&dir).remove(0);
    let mut bytes = fs::read(&rung).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&rung, bytes).unwrap();
    for (line, told) in lines.iter().zip(&told) {
        let (folds, said) = ask(line);
        assert!(folds.contains(&0), "{line}: {folds:?}");
        let said = said.warns(&["a checkpoint has pages that are missing or damaged"]);
        assert_eq!(said.ok(), *told, "{line}, from a damaged checkpoint");
    }

    fs::remove_dir_all(dir.join("checkpoints")).unwrap();
    for (line, told) in lines.iter().zip(&told) {
        assert_eq!(ask(line).1.ok(), *told, "{line}, without a checkpoint");
    }
}

#[test]
fn a_name_that_is_sought_and_was_once_is_known_though_no_checkpoint_has_it() {
    let terminal = Terminal::with_world("skateco", 200);
    terminal.types("do / fly").fails(4);
    let dir = terminal.path("world");
    go_on(&dir, 100);
    let end = end(&dir);
    // It closed moments, and before this seq alone: only the whole can tell it from one that was mistyped.
    terminal.types(&format!("find --from {end} --reason gate-rol")).fails(1).warns(&["no moment closed with the reason `gate-rol`"]);
    let once = terminal.types("find --closing refused --json").json_lines().remove(0);
    let code = once["reason"]["code"].as_str().unwrap();
    assert_eq!(terminal.types(&format!("find --raw --from {end} --reason {code}")).ok(), "");
    let said = terminal.types("find --action q").fails(1).err;
    assert!(said.contains("there is no operation `q` in this world") && !said.contains("``"), "{said}");
    terminal.types("find --being @nobody --last 2").fails(1).warns(&["there is no being `@nobody` in this world"]);
}

#[test]
fn the_newest_moments_are_the_same_wherever_checkpoints_lie() {
    let terminal = Terminal::with_world("skateco", 100);
    let dir = terminal.path("world");
    for _ in 0..4 {
        go_on(&dir, 60);
    }
    go_on_unkept(&dir, 60);
    let history = || History::of(&dir).unwrap();
    assert!(history().checkpoints().len() > 2);
    let sought = Sought { closing: Some(reelm::fact::ClosingKind::Act), ..Sought::default() };
    let mut all = Vec::new();
    history().moments(0, None, |_, told| all.extend(sought.fits(&told).then_some(told.seq))).unwrap();
    let below = history().end() - 10;
    for from in [0, 50, below - 40, below] {
        let wanted: Vec<Seq> = all.iter().rev().copied().filter(|seq| (from..below).contains(seq)).collect();
        for most in [1, 7, 90, 1000] {
            let found = history().newest(&sought, from..below, most, |told| Some(told.seq)).unwrap().found;
            assert_eq!(found, wanted.iter().copied().take(most).collect::<Vec<_>>(), "{most} from {from}");
        }
    }
}

#[test]
fn the_past_is_retold_from_any_seq_as_it_is_from_the_beginning() {
    let terminal = Terminal::new();
    let beings =
        ["ada", "bea", "eve"].map(|name| being(name, "narrow", "fail") + "[[being.schedule]]\nname = \"t\"\nevery = \"20m\"\n").concat();
    terminal.write("src/world.toml", &format!("name = \"small\"\nseed = 1\nstart = \"2026-03-02T08:00:00\"\n{HALL}{beings}"));
    terminal.write("src/roles/narrow.md", "---\nname: narrow\ncanSee: ['**']\ncanDo: ['quality.inc']\n---\nYou are narrow.\n");
    terminal.write("src/scripts/fail.rhai", "fn think(face) {\n  log(`canary of ${face.me.name}`);\n  face.me.nothing()\n}");
    terminal.types("run src --for 50m --quiet").fails(0);
    let dir = terminal.path("world");
    let told = |from: Seq| {
        let mut told: Vec<(Seq, Vec<String>)> = Vec::new();
        History::of(&dir).unwrap().retold(from, None, |frame, _, notes| told.push((frame.draft().seq, notes()))).unwrap();
        told
    };
    let whole = told(0);
    assert!(whole.iter().filter(|(_, notes)| !notes.is_empty()).count() > 3, "{whole:?}");
    for from in 0..=end(&dir) {
        assert_eq!(told(from)[..], whole[from as usize..], "from {from}");
    }
}

#[test]
fn worlds_that_are_folded_at_once_are_those_that_are_folded_one_by_one() {
    let terminal = Terminal::with_world("court", 60);
    let history = History::of(&terminal.path("world")).unwrap();
    let seqs: BTreeSet<Seq> = [0, 1, 17, 40, history.end()].into();
    let worlds = history.worlds_at(&seqs).unwrap();
    assert_eq!(worlds.keys().copied().collect::<BTreeSet<Seq>>(), seqs);
    for (seq, world) in worlds {
        assert_eq!(world.hash(), history.world_at(seq).unwrap().hash(), "{seq}");
    }
}

#[test]
#[ignore = "long: 9,000 moments of a town"]
fn a_world_that_was_looked_at_lately_is_the_one_that_is_folded_anew_wherever_one_comes_from() {
    let dir = three_chapters().path("world");
    let (history, revisited) = (History::of(&dir).unwrap(), Revisited::default());
    let (newest, rungs) = (history.world_at(history.end()).unwrap(), history.checkpoints());
    assert!(rungs.len() > 1, "{rungs:?}");
    let looked = |point: &Point| revisited.world(&history, point, newest.clone());
    // To and fro over the borders of rungs, and more points than are kept, each twice.
    let seqs = (0..40).map(|step| 1 + step * 4177 % history.end()).chain(rungs.iter().flat_map(|rung| [rung - 1, *rung, rung + 1]));
    for seq in seqs.filter(|seq| (1..=history.end()).contains(seq)) {
        let expected = history.world_at(seq).unwrap().hash();
        for look in ["first", "second"] {
            let world = looked(&seq.to_string().parse().unwrap()).unwrap();
            assert_eq!((world.next_seq(), world.hash()), (seq, expected), "{look} look at {seq}");
        }
    }
    let error = looked(&"0".parse().unwrap()).unwrap_err().to_string();
    assert!(error.starts_with("before its first frame, of "), "{error}");
    let error = looked(&(history.end() + 1).to_string().parse().unwrap()).unwrap_err().to_string();
    assert!(error.starts_with(&format!("the world ends before {}", history.end())), "{error}");
}

#[test]
fn a_directory_without_a_world_has_no_history() {
    let empty = tempfile::tempdir().unwrap();
    assert!(History::of(empty.path()).is_err());
    assert!(History::of(Path::new("/nowhere/at/all")).is_err());
}
