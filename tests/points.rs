//! Points: does a fork, an interview and a survey begin exactly where it was told, however the parent happened to be written?

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use reelm::fact::{BeingId, Closing, Content, Draft, ForkOrigin, Frame, Hash, Lineage, Master, Peaks, Seq, WithinGroup, WorldId};
use reelm::moment::is_asking;
use reelm::past::History;
use reelm::reel::WaysUp;
use reelm::store::{Group, Keystore, LogStore, Mode, Options, Record, Store, Stored};
use serde_json::json;

use super::faulty::{Does, Faulty};
use super::fork::{borders, drafts, replays};
use super::interview::{number, write_hall};
use super::kit;
use super::outage::until_asked;
use super::replied::hall;
use super::served::Served;
use super::terminal::{Terminal, package};
use super::verifier::python;

/// The same history in other groups: after planting, of as many frames as is said, over and over.
fn regrouped(from: &Path, to: &Path, sizes: &[usize]) {
    let store = LogStore::open(from, Mode::Read).unwrap().0;
    let keystore = Keystore::load(from).unwrap();
    let file = store.world_file();
    let key = Master::new(*keystore.master).key(file.world, BeingId::WORLD);
    let mut other = LogStore::create_with(to, file, Options { compress_after: None, ..Options::default() }).unwrap();
    let (mut blobs, mut frames, mut named, mut peaks) = (Vec::<(Hash, _)>::new(), Vec::new(), BTreeSet::new(), Peaks::default());
    let mut sizes = sizes.iter().copied().cycle();
    let mut left = borders(from)[0] as usize;
    for entry in store.read(0).unwrap() {
        match entry.unwrap() {
            Stored::Blob { hash, bytes, .. } => blobs.push((hash, bytes)),
            Stored::Frame { seq, being, n, bytes, .. } => {
                peaks.push(Frame::hash_in(&bytes));
                frames.push(Record::Frame { seq, being, n, bytes });
                left -= 1;
            }
            Stored::Commit { .. } => continue,
        }
        if left == 0 {
            let mut records = Vec::new();
            for record in &frames {
                let Record::Frame { bytes, .. } = record else { unreachable!() };
                for content in Frame::read(bytes).unwrap().draft().contents() {
                    if let Content::There { hash, .. } = content
                        && named.insert(*hash)
                    {
                        let at = blobs.iter().position(|(blob, _)| blob == hash).unwrap();
                        records.push(Record::Blob { hash: *hash, bytes: blobs.remove(at).1 });
                    }
                }
            }
            records.append(&mut frames);
            let head = peaks.head();
            other.append(other.ending().seq, &[Group { records, head, seal: key.sign(&head).0 }]).unwrap();
            left = sizes.next().unwrap();
        }
    }
    // The frames behind the last whole group.
    if !frames.is_empty() {
        let head = peaks.head();
        other.append(other.ending().seq, &[Group { records: frames, head, seal: key.sign(&head).0 }]).unwrap();
    }
    other.close().unwrap();
    keystore.save(to).unwrap();
}

/// Two who write down values that are too large to stand in a frame, each two minutes another one.
const LARGE: &str = r#"
name = "large"
start = "2026-03-03T09:00:00"
[[space]]
path = "/hall"
[[being]]
name = "ada"
home = "/hall"
script = "notes"
schedule = [{ name = "note", every = "1m" }]
[[being]]
name = "ben"
home = "/hall"
script = "notes"
schedule = [{ name = "note", every = "1m" }]
"#;
const NOTES: &str = r#"
fn think(face) {
    let words = "";
    for n in 0..500 { words += `${face.me.name} ${face.time.minute / 2} `; }
    act("@me", "quality.set", #{ path: "notes.all", value: words })
}
"#;

/// By a program that knows only docs/FORMAT.md.
fn checked(terminal: &Terminal, program: &str, path: &str) {
    let Some(python) = python() else { return };
    let output = Command::new(python).arg(package().join("tests/verifier").join(program)).arg(terminal.path(path)).output().unwrap();
    assert!(output.status.success(), "{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
}

fn holds(terminal: &Terminal, path: &str) {
    checked(terminal, "verify.py", path);
}

/// A frame by itself, and a span up to it, whose values may be anybody's.
fn is_proved(terminal: &Terminal, data: &str, seq: Seq) {
    let (proof, bundle) = (format!("{data}-{seq}.proof"), format!("{data}-{seq}.bundle"));
    terminal.types(&format!("prove {seq} --out {proof} --data {data}")).ok();
    terminal.types(&format!("verify --proof {proof}")).ok();
    checked(terminal, "proof.py", &proof);
    terminal.types(&format!("export {bundle} --moment {seq} --data {data}")).ok();
    checked(terminal, "bundle.py", &bundle);
}

#[test]
#[ignore = "long: forks of forks of three worlds, each proved by the second reader"]
fn a_fork_at_any_point_is_the_same_whatever_groups_the_parent_was_written_in() {
    for world in ["court", "batch", "large"] {
        let terminal = Terminal::new();
        terminal.shell("cp -r $worlds/court source; cp -r $extensions extensions").ok();
        if world == "large" {
            terminal.shell("rm -r source").ok();
            terminal.write("source/world.toml", LARGE);
            terminal.write("source/scripts/notes.rhai", NOTES);
        }
        if world == "batch" {
            terminal.write("source/world.toml", &format!("{}\n[config]\nseals = \"batch\"\n", terminal.read("source/world.toml")));
        }
        terminal.types("run source --until 2026-03-03T09:20:00 --quiet").ok();
        let (whole, first) = (drafts(&terminal.path("world")), borders(&terminal.path("world"))[0]);
        let law = (proptest::collection::vec(1_usize..9, 1..6), any::<prop::sample::Index>(), 0..u32::MAX);
        let mut runner = TestRunner::new(kit::cases(1, 4));
        let held = runner.run(&law, |(sizes, at, name)| {
            let at = first + at.index(whole.len() - first as usize) as Seq;
            let other = format!("w{name}");
            regrouped(&terminal.path("world"), &terminal.path(&other), &sizes);
            terminal.types(&format!("verify --data {other}")).ok();
            for data in ["world", &other] {
                terminal.types(&format!("fork {data}-f{name} --data {data} --at {at} --name f")).ok();
                terminal.types(&format!("verify --data {data}-f{name}")).ok();
                holds(&terminal, &format!("{data}-f{name}"));
                terminal.types(&format!("run --data {data}-f{name} --until 2026-03-03T09:40:00 --quiet")).ok();
            }
            let forks = [format!("world-f{name}"), format!("{other}-f{name}")];
            let [one, two] = [&forks[0], &forks[1]].map(|fork| drafts(&terminal.path(fork)));
            prop_assert!(one == two, "at {} in groups of {:?}", at, sizes);
            prop_assert_eq!(replays(&terminal, &forks[1]), two.len() as u64);
            // The parent's frames stand as they are, and each is proved by a seal of the parent, also where it lies within a group.
            prop_assert!(one[..at as usize] == whole[..at as usize]);
            for seq in [0, at / 2, at - 1, at, one.len() as Seq - 1] {
                is_proved(&terminal, &forks[1], seq);
            }
            // A fork of the fork, at any point of its past and its own.
            let again = first + Seq::from(name) % (two.len() as Seq - first);
            terminal.types(&format!("fork a{name} --data {} --at {again}", forks[1])).ok();
            terminal.types(&format!("verify --data a{name}")).ok();
            holds(&terminal, &format!("a{name}"));
            terminal.types(&format!("run --data a{name} --moments 5 --quiet")).ok();
            terminal.types(&format!("export a{name}.reelm --data a{name}")).ok();
            holds(&terminal, &format!("a{name}.reelm"));
            terminal.types(&format!("import a{name}.reelm --data b{name}")).ok();
            replays(&terminal, &format!("b{name}"));
            is_proved(&terminal, &format!("b{name}"), again - 1);
            Ok(())
        });
        held.unwrap_or_else(|error| panic!("{error}"));
    }
}

#[test]
#[ignore = "long: forks around an archive, each verified"]
fn forks_within_a_group_behind_an_archive_or_at_one_border_are_whole_or_are_refused() {
    let terminal = Terminal::new();
    terminal.shell("cp -r $worlds/court source; cp -r $extensions extensions").ok();
    terminal.types("run source --until 2026-03-03T09:00:00 --quiet").ok();
    terminal.types("backup first").ok();
    let whole = |data: &str| {
        terminal.types(&format!("verify --data {data}")).ok();
        holds(&terminal, data);
        terminal.types(&format!("run --data {data} --moments 5 --quiet")).ok();
        replays(&terminal, data);
    };
    // Two origins whose groups begin at one border: the second lies within the first group of the first fork.
    let at = *borders(&terminal.path("first")).last().unwrap();
    terminal.types(&format!("fork one --data first --at {at}")).ok();
    terminal.types("run --data one --moments 8 --quiet").ok();
    terminal.types(&format!("fork two --data one --at {}", at + 1)).ok();
    terminal.types("export two.reelm --data two").ok();
    terminal.types("import two.reelm --data three").ok();
    ["two", "three"].into_iter().for_each(whole);
    // Within the first group behind what was archived, also where that was brought back.
    let begins = terminal.types("archive old --before now --json").json()["to"].as_u64().unwrap();
    terminal.types("run --moments 12 --quiet").ok();
    terminal.types(&format!("fork behind --at {}", begins + 2)).ok();
    terminal.types("verify --data behind").ok();
    terminal.types("run --data behind --moments 5 --quiet").ok();
    terminal.types("import old").ok();
    terminal.types(&format!("fork back --at {}", begins + 2)).ok();
    whole("back");
    // A part of its parent that a fork has archived cannot be gone on from as the parent's.
    // Its groups are large, however few frames each sync happened to find.
    regrouped(&terminal.path("first"), &terminal.path("grouped"), &[6]);
    let within = borders(&terminal.path("grouped"));
    let (border, point) = within.windows(2).find(|two| two[1] - two[0] > 3).map(|two| (two[0], two[0] + 2)).unwrap();
    terminal.types(&format!("fork kept --data grouped --at {point}")).ok();
    terminal.types("run --data kept --moments 5 --quiet").ok();
    terminal.types(&format!("archive kept.archive --before {border} --data kept")).ok();
    let said = terminal.types(&format!("fork none --data kept --at {}", border + 1)).fails(1);
    assert!(said.err.contains("expected a point at or behind frame") && !terminal.path("none").exists(), "{}", said.err);
    terminal.types(&format!("fork later --data kept --at {}", point + 2)).ok();
    terminal.types("verify --data later").ok();
}

#[test]
#[ignore = "long: three forks in which a model is asked anew"]
fn who_was_being_asked_at_a_point_is_asked_anew_and_loses_nothing() {
    let (terminal, server) = hall();
    let whole = drafts(&terminal.path("world"));
    let asking: Vec<&Draft> = whole.iter().filter(|draft| is_asking(draft)).collect();
    for asked in [asking[0], asking[asking.len() / 2], asking[asking.len() - 1]] {
        let (at, fork) = (asked.seq + 1, format!("f{}", asked.seq));
        let ends = terminal.types(&format!("fork {fork} --at {at} --budget calls=1000 --json")).json()["roundEnds"].as_u64().unwrap();
        assert!(ends > at, "{ends}");
        let then = |data: &str| History::of(&terminal.path(data)).unwrap().world_at(at).unwrap();
        assert!(then("world").ledger().held(asked.being, &asked.wake).is_some());
        assert_eq!(then(&fork).ledger().held_in_all().0, 0, "nothing is held back");
        let before = server.count();
        terminal.types(&format!("run --data {fork} --for 20s --quiet")).ok();
        assert!(server.count() > before);
        let own = drafts(&terminal.path(&fork)).split_off(at as usize);
        let anew = own.iter().find(|draft| is_asking(draft) && draft.wake == asked.wake).unwrap();
        assert_eq!((anew.being, anew.attempt), (asked.being, asked.attempt));
        assert!(own.iter().all(|draft| !matches!(&draft.closing, Closing::Failed(_) | Closing::DeadLetter(_))), "no attempt is lost");
        replays(&terminal, &fork);
        terminal.types(&format!("verify --data {fork}")).ok();
    }
}

/// A hall that was served at a pace, with people who acted in it, and killed while a model was being asked; and the seq behind that frame.
/// A fork `early` was made there beside it.
fn served_and_killed() -> (Terminal, Faulty, Seq) {
    let server = Faulty::reading(|nth, request| if nth == 0 { Does::Hangs } else { number(request) });
    let terminal = Terminal::new();
    write_hall(&terminal, &server.url);
    terminal.write("hall/world.toml", &terminal.read("hall/world.toml").replace("timeout_ms = 2000", "timeout_ms = 600000"));
    let served = Served::begin(terminal, "serve hall --port 0 --pace 600 --ahead 0 --json");
    let operator = served.operator();
    let zoe = served.person(&operator, "zoe", json!({ "home": "/hall", "defaultRole": "guest" }));
    let act = |nth: i32| {
        let args = json!({ "path": "hall.word", "value": format!("{nth}") });
        let done = served.post(&zoe, "/api/do", json!({ "target": "/", "action": "signal.set", "args": args })).ok();
        assert_eq!(done["closing"], "act", "{done}");
        done["seq"].as_u64().unwrap()
    };
    for nth in 0..5 {
        served.stream(&operator, &format!("/api/events?from={}", act(nth)), 4);
    }
    served.post(&operator, "/api/summon", json!({ "target": "@mia", "content": "How many?" })).ok();
    until_asked(&server, 1);
    let log = served.terminal.types("log @mia --json").json_lines();
    let asking = &log.last().unwrap()["report"];
    assert_eq!(asking["reason"]["code"], "asking", "{asking}");
    let at = asking["seq"].as_u64().unwrap() + 1;
    served.terminal.types(&format!("fork early --at {at} --name f")).ok();
    (5..8).for_each(|nth| {
        act(nth);
    });
    (served.killed(), server, at)
}

/// The results of a fork, of two interviews and of a survey at a point of a world: hashes and rows.
fn comes_of(terminal: &Terminal, data: &str, at: Seq, nth: usize) -> Vec<String> {
    let hash = |fork: &str| terminal.types(&format!("verify --data {fork} --json")).json()["worldHash"].to_string();
    let fork = format!("{data}-{at}-{nth}");
    terminal.types(&format!("fork {fork} --data {data} --at {at} --name f")).ok();
    let begun = hash(&fork);
    // Without a budget its model waits, so that nothing depends on how long an answer took.
    terminal.types(&format!("run --data {fork} --for 5m --quiet")).ok();
    let asked = |being: &str, budget: &str| {
        let line = format!("interview {being} 'How many?' --kind scale=0..999 --at {at} --data {data} {budget} --json");
        // A script may fail where nothing is written yet that it reads: the same comes of it, wherever.
        let said = terminal.types(&line);
        assert!([0, 4].contains(&said.code), "{line}: {}{}", said.out, said.err);
        let told: serde_json::Value = serde_json::from_str(&said.out).unwrap();
        ["seq", "being", "answer", "raw", "refusal", "moment", "fork"].map(|key| told[key].to_string()).concat()
    };
    let rows = terminal.types(&format!("survey many.json --at {at} --data {data} --budget calls=2 --json"));
    vec![begun, hash(&fork), asked("@ada", ""), asked("@mia", "--budget calls=1"), rows.code.to_string(), rows.out]
}

#[test]
#[ignore = "long: a world that was killed, held in every kind of copy"]
fn of_a_world_that_was_served_and_killed_while_a_model_was_asked_the_same_comes_whoever_holds_it() {
    let (terminal, _server, asked) = served_and_killed();
    terminal.write(
        "many.json",
        r#"{"items": [{"id": "many", "text": "How many?", "kind": "scale", "from": 0, "to": 999}], "whom": ["@ben", "@mia"]}"#,
    );
    let (end, first) = (drafts(&terminal.path("world")).len() as Seq, borders(&terminal.path("world"))[0]);
    let law = (proptest::collection::vec(1_usize..9, 1..6), first..=end);
    let (sizes, drawn) = law.new_tree(&mut TestRunner::default()).unwrap().current();
    println!("groups of {sizes:?}, asked at {asked}, drawn {drawn} of {end}");
    let early = terminal.types("verify --data early --json").json()["worldHash"].to_string();
    // Commits that lie elsewhere, and a history without keys, which nobody can go on with.
    regrouped(&terminal.path("world"), &terminal.path("other"), &sizes);
    terminal.types("export whole.reelm").ok();
    terminal.types("import whole.reelm --data copy").says(&["not run on"]);
    assert!(!terminal.path("copy/keystore").exists());
    for at in BTreeSet::from([first, asked, drawn]) {
        let wanted = comes_of(&terminal, "world", at, 0);
        assert!(at != asked || wanted[0] == early, "it is the same beside a world that is served");
        for (nth, data) in ["world", "other", "copy"].into_iter().enumerate() {
            assert_eq!(comes_of(&terminal, data, at, nth + 1), wanted, "{data} at {at}");
        }
    }
}

proptest! {
    #[test]
    fn an_origin_within_a_group_leads_to_the_head_that_was_sealed_and_to_no_other(count in 3_u64..300, at in any::<prop::sample::Index>(), bit in 0_usize..256, which in any::<prop::sample::Index>()) {
        let at = 2 + at.index(count as usize - 2) as u64;
        let hashes: Vec<Hash> = (0..count).map(|n| Hash::of(n.to_string().as_bytes())).collect();
        let (mut below, mut all, mut ways) = (Peaks::default(), Peaks::default(), WaysUp::going_on(&[at - 1], count, &Peaks::default()));
        for (seq, hash) in (0..).zip(&hashes) {
            if seq < at {
                below.push(*hash);
            }
            all.push(*hash);
            ways.pass(seq, *hash);
        }
        let key = Master::new([7; 32]).key(WorldId([1; 16]), BeingId::WORLD);
        let within = WithinGroup { border: 1, count, last: hashes[at as usize - 1], way: ways.hashes().remove(0) };
        let (root_key, name) = (key.public().to_hash(), "parent".to_owned());
        let (head, seal) = (below.head(), key.sign(&all.head()));
        let origin = ForkOrigin { world: WorldId([1; 16]), root_key, name, seq: at, number: 1, commit: Hash::NOTHING, head, seal, within: Some(within.clone()) };
        // Of a fork whose id follows from whatever the origin says.
        let fault = |origin: ForkOrigin| Lineage { world: origin.fork("fork"), root_key, name: "fork".to_owned(), origins: vec![origin] }.fault();
        prop_assert_eq!(fault(origin.clone()), None);
        let bent = |hash: Hash| { let mut bytes = hash.0; bytes[bit / 8] ^= 1 << (bit % 8); Hash(bytes) };
        let other = |within: WithinGroup| fault(ForkOrigin { within: Some(within), ..origin.clone() });
        let (mut way, nth) = (within.way.clone(), which.index(within.way.len()));
        way[nth] = bent(way[nth]);
        let faults = [
            fault(ForkOrigin { head: bent(head), ..origin.clone() }),
            fault(ForkOrigin { seq: at - 1, ..origin.clone() }),
            other(WithinGroup { last: bent(within.last), ..within.clone() }),
            other(WithinGroup { count: count + 1, ..within.clone() }),
            other(WithinGroup { count: at, ..within.clone() }),
            other(WithinGroup { border: 0, ..within.clone() }),
            other(WithinGroup { border: at, ..within.clone() }),
            other(WithinGroup { way, ..within }),
        ];
        prop_assert_eq!(faults.iter().position(Option::is_none), None);
    }
}
