//! Fork: does a world that goes on from a point of another live as that one would have, whatever becomes of it, and otherwise only where it was told?

use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::process::Command;

use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use reelm::fact::{BeingId, Draft, Fact, Frame, Lineage, Master, Seq};
use reelm::past::{History, Point};
use reelm::reel::{Chain, ChainError};
use reelm::store::{Group, Keystore, LogStore, Mode, Options, Record, Store, Stored, WorldFile};
use reelm::world::Local;
use serde_json::Value;

use super::kit;
use super::served::Served;
use super::terminal::{Terminal, package};
use super::verifier::python;

pub fn drafts(dir: &Path) -> Vec<Draft> {
    frames(dir).into_iter().map(|frame| frame.draft().clone()).collect()
}

fn frames(dir: &Path) -> Vec<Frame> {
    let store = LogStore::open(dir, Mode::Read).unwrap().0;
    let frames = store.read(0).unwrap().filter_map(|entry| match entry.unwrap() {
        Stored::Frame { bytes, .. } => Some(Frame::read(&bytes).unwrap()),
        _ => None,
    });
    frames.collect()
}

fn hash(terminal: &Terminal, data: &str) -> String {
    terminal.types(&format!("verify --data {data} --json")).json()["worldHash"].as_str().unwrap().to_owned()
}

pub fn replays(terminal: &Terminal, data: &str) -> u64 {
    terminal.types(&format!("replay --data {data} --json")).json()["frames"].as_u64().unwrap()
}

/// The borders of a world's groups.
pub fn borders(dir: &Path) -> Vec<Seq> {
    let store = LogStore::open(dir, Mode::Read).unwrap().0;
    store
        .read(0)
        .unwrap()
        .filter_map(|entry| if let Stored::Commit { commit, .. } = entry.unwrap() { Some(commit.end_seq) } else { None })
        .collect()
}

/// The same world in segments of so few bytes.
pub fn cut_up(from: &Path, to: &Path, segment_bytes: u64) -> LogStore {
    let store = LogStore::open(from, Mode::Read).unwrap().0;
    let options = Options { segment_bytes, compress_after: None, ..Options::default() };
    let mut small = LogStore::create_with(to, store.world_file(), options).unwrap();
    let mut records = Vec::new();
    for entry in store.read(0).unwrap() {
        match entry.unwrap() {
            Stored::Frame { seq, being, n, bytes, .. } => records.push(Record::Frame { seq, being, n, bytes }),
            Stored::Blob { hash, bytes, .. } => records.push(Record::Blob { hash, bytes }),
            Stored::Commit { commit, .. } => {
                let group = Group { records: std::mem::take(&mut records), head: commit.head, seal: commit.seal };
                small.append(small.ending().seq, &[group]).unwrap();
            }
        }
    }
    Keystore::load(from).unwrap().save(to).unwrap();
    small
}

#[test]
fn a_fork_without_change_goes_on_as_its_parent_would() {
    // Roles and scripts, emotions and talk; and the same where the seals of the world cover what scripts do.
    for (world, batch) in [("court", false), ("court", true)] {
        let (terminal, until) = (Terminal::new(), "2026-03-03T09:45:00");
        terminal.shell(&format!("cp -r $worlds/{world} source; cp -r $extensions extensions")).ok();
        if batch {
            terminal.write("source/world.toml", &format!("{}\n[config]\nseals = \"batch\"\n", terminal.read("source/world.toml")));
        }
        terminal.types("run source --moments 10 --quiet").ok();
        for minute in [15, 20, 30, 45] {
            terminal.types(&format!("run --until 2026-03-03T09:{minute}:00 --quiet"));
        }
        let (whole, borders) = (drafts(&terminal.path("world")), borders(&terminal.path("world")));
        assert!(borders.len() > 4, "{world}: {borders:?}");
        let mut runner = TestRunner::new(kit::cases(1, 3));
        let law = runner.run(&any::<prop::sample::Index>(), |at| {
            let at = borders[0] + at.index(whole.len() - borders[0] as usize) as u64;
            let said = terminal.types(&format!("fork f{at} --at {at} --json"));
            if said.code != 0 {
                // The same point was drawn before.
                prop_assert!(said.err.contains("expected an empty directory"), "{}", said.err);
                return Ok(());
            }
            // Exactly there, wherever a commit ends.
            let said = said.json();
            let (seq, ends) = (said["origin"]["seq"].as_u64().unwrap(), said["roundEnds"].as_u64().unwrap());
            prop_assert_eq!((seq, said["origin"].get("within").is_some()), (at, !borders.contains(&at)));
            terminal.types(&format!("verify --data f{at}")).ok();
            if ends > at {
                terminal.types(&format!("fork g{at} --at {ends}")).ok();
            }
            let (fork, seq) = if ends > at { (format!("g{at}"), ends) } else { (format!("f{at}"), at) };
            terminal.types(&format!("run --data {fork} --until {until} --quiet")).ok();
            prop_assert_eq!(hash(&terminal, &fork), hash(&terminal, "world"));
            prop_assert_eq!(replays(&terminal, &fork), whole.len() as u64);
            let forked = drafts(&terminal.path(&fork));
            for (own, parents) in forked.iter().zip(&whole) {
                prop_assert_eq!(Draft::of_any_world(own), Draft::of_any_world(parents));
                prop_assert_eq!(own.world == parents.world, own.seq < seq);
            }
            // By its own signature, also where the seals answer for what it does later.
            let own = frames(&terminal.path(&fork));
            prop_assert!(own.iter().all(|frame| frame.signature().is_some() || frame.draft().rekeyed().is_none()));
            // The seals answer from each being's second frame there on, if it has one.
            let own_frames: Vec<_> = own.iter().filter(|frame| frame.draft().seq >= seq && frame.draft().being != BeingId::WORLD).collect();
            let has_second = own_frames.iter().any(|frame| {
                own_frames.iter().any(|other| other.draft().being == frame.draft().being && other.draft().seq > frame.draft().seq)
            });
            prop_assert_eq!(own_frames.iter().any(|frame| frame.signature().is_none()), batch && has_second);
            // Each being has one key, and takes it up once.
            let rekeyed: Vec<BeingId> = forked.iter().filter(|draft| draft.rekeyed().is_some()).map(|draft| draft.being).collect();
            let mut once = rekeyed.clone();
            once.sort_unstable();
            once.dedup();
            prop_assert!(once.len() == rekeyed.len() && rekeyed.iter().all(|being| being.0.seq < seq), "{:?}", rekeyed);
            Ok(())
        });
        law.unwrap_or_else(|error| panic!("{world}: {error}"));
    }
}

#[test]
fn a_fork_has_keys_of_its_own_and_none_of_its_parents() {
    let terminal = Terminal::with_world("court", 60);
    terminal.types("fork one --at 80").ok();
    terminal.types("fork two --at 80 --name one").ok();
    let of = |data: &str| (WorldFile::of(&terminal.path(data)).unwrap(), Keystore::load(&terminal.path(data)).unwrap());
    let [(parent, secret), (one, own), (two, _)] = ["world", "one", "two"].map(of);
    assert_eq!(one.world, two.world, "the id follows from parent, head and name");
    assert!(one.world != parent.world && one.root_key != parent.root_key && *own.master != *secret.master);
    assert_eq!(one.origins[0].origin.world, parent.world);
    let said = terminal.types("run --data one --for 30m --quiet --json").ok();
    assert!(!said.contains(&data_encoding::HEXLOWER.encode(&*own.master)));
    // A fork of a world whose keys are secret has a secret that nobody can compute.
    let served = Served::paused("court");
    served.terminal.types("fork one").ok();
    served.terminal.types("fork two --name one").ok();
    let [one, two] = ["one", "two"].map(|data| Keystore::load(&served.terminal.path(data)).unwrap());
    assert_ne!(*one.master, *two.master);
    assert!(!served.terminal.path("one/tokens").exists() && !served.terminal.path("one/people").exists());
}

#[test]
#[ignore = "long: a server, its forks and their lives"]
fn a_fork_is_made_beside_a_running_parent_and_outlives_it() {
    let served = Served::begin(Terminal::new(), "serve $worlds/skateco --port 0 --pace 600 --json");
    let terminal = &served.terminal;
    let mut made = Vec::new();
    for name in ["a", "b", "c"] {
        made.push(terminal.types(&format!("fork {name} --json")).json()["origin"]["seq"].as_u64().unwrap());
    }
    let (last, moved) = (made[2], terminal.types("verify --json").json()["frames"].as_u64().unwrap());
    assert!(made.is_sorted() && moved >= last, "{made:?} {moved}");
    terminal.types("run --data b --moments 50 --quiet").ok();
    let terminal = served.stop();
    // The parent is as it was, stopped or gone.
    replays(&terminal, "world");
    assert!(replays(&terminal, "b") > made[1]);
    std::fs::rename(terminal.path("world"), terminal.path("elsewhere")).unwrap();
    assert_eq!(replays(&terminal, "c"), last);
    std::fs::remove_dir_all(terminal.path("elsewhere")).unwrap();
    for name in ["a", "b", "c"] {
        terminal.types(&format!("run --data {name} --moments 50 --quiet")).ok();
        replays(&terminal, name);
        terminal.types(&format!("verify --index --data {name}")).ok();
        terminal.types(&format!("see / --at {} --data {name}", made[0])).ok();
    }
}

#[test]
#[ignore = "long: a past in many segments, walked after each change"]
fn a_past_of_many_segments_is_shared_whatever_becomes_of_them() {
    let terminal = Terminal::with_world("court", 12);
    // Each run ends with a commit: a fast machine has few and large groups else.
    for _ in 0..9 {
        terminal.types("run --moments 12 --quiet").ok();
    }
    let small = terminal.path("small");
    let mut store = cut_up(&terminal.path("world"), &small, 4 << 10);
    let borders = borders(&small);
    let names = |data: &str| {
        let mut names: Vec<String> = std::fs::read_dir(terminal.path(data).join("log"))
            .unwrap()
            .map(|name| name.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    };
    assert!(names("small").len() > 5, "{:?}", names("small"));
    let mut wanted = Vec::new();
    for (nth, at) in borders.iter().enumerate().skip(1).step_by(borders.len().div_ceil(5)) {
        terminal.types(&format!("fork plain{nth} --at {at} --data small")).ok();
        let below = History::of(&small).unwrap().world_at(*at).unwrap().hash().to_string();
        wanted.push((format!("plain{nth}"), *at, below));
    }
    store.compress_closed().unwrap();
    assert!(names("small").iter().any(|name| name.ends_with(".segz")));
    for (nth, (_, at, below)) in wanted.clone().iter().enumerate() {
        terminal.types(&format!("fork compressed{nth} --at {at} --data small")).ok();
        wanted.push((format!("compressed{nth}"), *at, below.clone()));
    }
    store.close().unwrap();
    std::fs::remove_dir_all(&small).unwrap();
    for (data, at, below) in wanted {
        assert_eq!((hash(&terminal, &data), replays(&terminal, &data)), (below, at), "{data}");
        terminal.types(&format!("run --data {data} --moments 30 --quiet")).ok();
        terminal.types(&format!("fork {data}-again --at {} --data {data}", at + 9)).ok();
        terminal.types(&format!("fork {data}-before --at {} --data {data}", at - 1)).ok();
        for data in [data.clone(), format!("{data}-again"), format!("{data}-before")] {
            replays(&terminal, &data);
            let last = terminal.types(&format!("verify --data {data} --json")).json()["frames"].as_u64().unwrap() - 1;
            terminal.types(&format!("explain {last} --data {data}")).ok();
        }
    }
}

#[test]
fn a_fork_of_a_fork_travels_is_proved_and_explained() {
    let terminal = Terminal::with_world("court", 30);
    terminal.types("run --moments 10 --quiet").ok();
    terminal.types("fork one").ok();
    terminal.types("run --data one --moments 20 --quiet").ok();
    terminal.types("run --data one --moments 20 --quiet").ok();
    terminal.types("fork two --data one").ok();
    terminal.types("run --data two --moments 40 --quiet").ok();
    let (whole, world) = (replays(&terminal, "two"), hash(&terminal, "two"));
    terminal.types("export two.reelm --data two").ok();
    assert_eq!(terminal.types("replay --file two.reelm --json").json()["worldHash"], world.as_str());
    terminal.types("import two.reelm --data copy").ok();
    assert_eq!((hash(&terminal, "copy"), replays(&terminal, "copy")), (world, whole));
    terminal.types("export again.reelm --data copy").ok();
    let bytes = |name: &str| std::fs::read(terminal.path(name)).unwrap();
    assert!(bytes("two.reelm") == bytes("again.reelm"), "what is exported does not say where a log lies");
    for data in ["two", "copy"] {
        for seq in [0, 75, 99, 110, 120, 135, whole - 1] {
            let proof = terminal.types(&format!("prove {seq} --data {data} --json")).ok();
            terminal.write("proof.json", &proof);
            terminal.types("verify --proof proof.json").ok();
            terminal.types(&format!("explain {seq} --data {data}")).ok();
        }
        terminal.types(&format!("run --data {data} --moments 20 --quiet")).ok();
    }
    assert_eq!(hash(&terminal, "two"), hash(&terminal, "copy"));
    // Frames before an origin are proved by the seal of their writer.
    let world = |seq: Seq| terminal.types(&format!("prove {seq} --data two --json")).json()["world"].clone();
    let origins: Vec<Seq> = WorldFile::of(&terminal.path("two")).unwrap().origins.iter().map(|linked| linked.origin.seq).collect();
    let worlds: Vec<Value> = [origins[0] - 1, origins[0], origins[1] - 1, origins[1]].map(world).to_vec();
    assert!(origins[0] < origins[1] && worlds[0] == world(0) && worlds[1] == worlds[2] && worlds[0] != worlds[1] && worlds[2] != worlds[3]);
}

#[test]
fn a_fork_of_an_export_without_keys_can_be_run() {
    let served = Served::paused("court");
    let terminal = served.stop();
    terminal.types("export secret.reelm").ok();
    terminal.types("import secret.reelm --data read").says(&["not run on"]);
    terminal.types("run --data read --moments 5").fails(1);
    terminal.types("fork mine --data read").ok();
    terminal.types("run --data mine --moments 20 --quiet").ok();
    replays(&terminal, "mine");
}

#[test]
fn a_fork_is_served_like_any_world() {
    let terminal = Terminal::with_world("court", 60);
    let seq = terminal.types("fork f --json").json()["origin"]["seq"].as_u64().unwrap();
    terminal.types("run --data f --moments 60 --quiet").ok();
    let served = Served::begin(terminal, "serve --data f --port 0 --paused --json");
    let operator = served.operator();
    let tea = serde_json::json!({ "target": "/", "action": "signal.set", "args": { "path": "court.tea", "value": true } });
    served.post(&operator, "/api/do", tea).ok();
    // Moments of the past are checked by the keys that their beings had then.
    for seq in [75, 90, seq - 1] {
        let told = served.get(&operator, &format!("/api/moment/{seq}")).ok();
        assert_eq!(told["seq"], seq, "{told}");
    }
    let terminal = served.stop();
    replays(&terminal, "f");
}

#[test]
#[ignore = "long: changes of every kind, each in a fork of its own"]
fn a_fork_is_changed_in_one_thing_and_the_rest_goes_on() {
    let terminal = Terminal::with_world("court", 60);
    terminal.write("judge.md", "---\nname: court:judge\ncanSee: ['**']\n---\nYou only look.\n");
    terminal.write("nod.rhai", "fn think(face) { see() }\n");
    terminal.write("lost.rhai", "fn think(face) { see() }\n");
    terminal.write("bare/judge.md", "---\nname: judge\ncanSee: ['**']\n---\nYou only look.\n");
    for (change, says) in [
        ("judge.md", "change judge.md"),
        ("role:court:judge=judge.md", "change role:court:judge=judge.md"),
        ("script:court/watcher=nod.rhai", "change script:court/watcher=nod.rhai"),
        ("signal:/court.in-session=false", "change signal"),
        ("setting:brakes.depth=3", "change setting"),
        ("setting:/court/brakes.depth=3", "change setting"),
        ("'flow:@bern=[]'", "change flow"),
    ] {
        let _ = std::fs::remove_dir_all(terminal.path("f"));
        terminal.types(&format!("fork f --at 100 --change {change}")).says(&[says]).fails(0);
        let frames = replays(&terminal, "f");
        let own = drafts(&terminal.path("f"));
        let first = own.iter().find(|draft| draft.world != own[0].world).unwrap();
        assert!(frames > first.seq && first.rekeyed().is_some() && first.closing == reelm::fact::Closing::Act, "{change}: {first:?}");
        terminal.types("run --data f --for 1h --quiet").ok();
        replays(&terminal, "f");
    }
    // Nothing is left of a fork whose change is refused or cannot be read.
    for (change, code, why) in [
        ("setting:brakes.dpeth=3", 1, "setting-unknown: there is no setting `brakes.dpeth`; did you mean `brakes.depth`?"),
        ("nowhere.md", 1, "nowhere.md"),
        ("'flow:@bern=[{]'", 1, "expected a flow as a JSON list"),
        ("moon=full", 2, "expected a role"),
        // A change that meets nobody is refused.
        ("role:nosuch=judge.md", 1, "--change role:nosuch=judge.md: no role `nosuch` is here"),
        (
            "bare/judge.md",
            1,
            "no role `judge` is here, and nobody would come to wear it; a flow that names it is changed first; did you mean `role:court:judge=…`?",
        ),
        ("'role:judge={\"name\":\"judge\"}'", 1, "did you mean `role:court:judge=…`?"),
        ("lost.rhai", 1, "no script `lost` is here"),
        ("script:watcher=nod.rhai", 1, "did you mean `script:court/watcher=…`?"),
        ("signal:court.in-sesion=false", 1, "reads the signal `court.in-sesion`; did you mean `court.in-session`?"),
        (
            "signal:court.in-session=tru",
            1,
            "expected true or false, found `tru`; write it in quotes (`'\"tru\"'`) if text is meant; did you mean `true`?",
        ),
        (
            "'flow:@bern=[{\"role\":\"court:jugde\"}]'",
            1,
            "the flow names the role `court:jugde`, and there is none; did you mean `court:judge`?",
        ),
        ("signal:world.court.in-session=false", 1, "a signal is named without `world.` here: `signal:court.in-session=…`"),
        ("setting:brakes.depth=tru", 1, "expected a number for `brakes.depth`, found `tru`"),
        ("signal:court.in-session=1", 1, "expected true or false, found `1`"),
        ("signal:court.in-session=0.5", 1, "expected true or false, found `0.5`"),
        ("setting:llm.connection=other", 1, "no model thinks in `/`, so `llm.connection` changes nothing there"),
        ("setting:/court/llm.budget.being=null", 1, "no model thinks in `/court`, so `llm.budget.being` changes nothing there"),
    ] {
        terminal.types(&format!("fork g --change {change}")).fails(code).warns(&[why]);
        assert!(!terminal.path("g").exists(), "{change}");
    }
    assert!(std::fs::read_dir(terminal.path("")).unwrap().all(|name| !name.unwrap().file_name().to_string_lossy().contains(".made-")));
}

/// A world whose signals have no value and are compared, set or known from before.
const KINDS: &str = "name = \"kinds\"\nseed = 7\n[[space]]\npath = \"/hall\"\n[[being]]\nname = \"ada\"\nhome = \"/hall\"\nscript = \"look\"\nrole = \"r\"\n\
flow = [{ when = { \"world.t.on\" = true }, role = \"r\" }, { when = { world.t.load = { gte = 2, present = true } }, role = \"r\" }, \
{ when = { or = [{ \"world.t.mode\" = [\"day\", \"night\"] }, { \"world.t.both\" = 1 }, { \"world.t.both\" = \"one\" }] }, role = \"r\" }, \
{ when = { \"world.t.past\" = { present = true }, \"world.t.free\" = { present = true }, \"world.t.said\" = { present = true } }, role = \"r\" }]\n\
[[being.schedule]]\nname = \"turn\"\nevery = \"1m\"\n";

#[test]
fn a_signal_without_a_value_has_the_kind_that_is_known_of_it() {
    let terminal = Terminal::new();
    terminal.write("src/world.toml", KINDS);
    terminal.write("src/roles/r.md", "---\nname: r\ncanSee: ['**']\ncanDo: [{action: signal.set, ns: t}]\n---\nx\n");
    let script =
        "fn think(face) { if face.me.name == \"nobody\" { return act(\"/\", \"signal.set\", #{ path: \"t.said\", value: 3 }); } see() }";
    terminal.write("src/scripts/look.rhai", script);
    terminal.types("run src --for 3m --quiet").ok();
    for value in ["0.5", "null"] {
        terminal.types(&format!("do / signal.set '{{\"path\":\"t.past\",\"value\":{value}}}'")).ok();
    }
    for (change, why) in [
        ("signal:t.on=1", "expected true or false (conditions and scripts have it so), found `1`"),
        ("signal:t.on=ture", "expected true or false (conditions and scripts have it so), found `ture`; write it in quotes"),
        ("signal:t.load=true", "expected a number (conditions and scripts have it so), found `true`"),
        ("signal:t.load=much", "expected a number (conditions and scripts have it so), found `much`; write it in quotes"),
        ("signal:t.mode=1", "expected text (conditions and scripts have it so), found `1`; write it in quotes"),
        ("signal:t.said=false", "expected a number (conditions and scripts have it so), found `false`"),
        ("signal:t.past=false", "expected a number (as it was before), found `false`"),
    ] {
        terminal.types(&format!("fork g --change {change}")).fails(1).warns(&[why]);
        assert!(!terminal.path("g").exists(), "{change}");
    }
    // Of the kind, in quotes, of several kinds or of none that is known.
    let taken = ["t.on=false", "t.load=7", "t.mode=night", "t.said=1", "t.past=2", "t.both=one", "t.both=1", "t.free=1", "t.free=loud"];
    for change in taken.into_iter().chain(["'t.on=\"yes\"'"]) {
        let _ = std::fs::remove_dir_all(terminal.path("g"));
        let change = change.strip_prefix('\'').map_or_else(|| format!("signal:{change}"), |change| format!("'signal:{change}"));
        terminal.types(&format!("fork g --change {change}")).ok();
    }
}

#[test]
fn a_signal_that_a_script_only_sets_is_read_by_nobody() {
    let terminal = Terminal::new();
    terminal.types("run skateco --for 10m --quiet").ok();
    let unread = "reads the signal `skateco.shft`; did you mean `skateco.shift`?";
    terminal.types("fork g --change signal:skateco.shft=night").fails(1).warns(&[unread]);
    terminal.types("fork g --change signal:skateco.shift=night").ok();
}

#[test]
fn a_setting_that_each_model_has_nearer_to_it_changes_nothing_and_is_refused() {
    let terminal = Terminal::new();
    let connection = "{ base_url = \"http://127.0.0.1:9/v1\", model = \"m\" }";
    let source = |nearer: &str| {
        format!(
            "[config]\n\"llm.allow\" = [\"127.0.0.1\"]\n\"llm.one\" = {connection}\n\"llm.two\" = {connection}\n\"llm.connection\" = \"one\"\n\
             [[space]]\npath = \"/lab\"\n[[being]]\nname = \"mia\"\nhome = \"/lab\"\ncognition = \"llm\"\n{nearer}"
        )
    };
    let own = "settings = { \"llm.connection\" = \"one\", \"llm.sampling.temperature\" = 0.5 }\n";
    for (name, nearer) in [("plain", ""), ("own", own)] {
        terminal.write(&format!("{name}/world.toml"), &format!("name = \"{name}\"\nseed = 1\n{}", source(nearer)));
        terminal.types(&format!("run {name} --for 1s --quiet --data {name}-world")).ok();
    }
    let change = |of: &str, change: &str| terminal.types(&format!("fork f --data {of}-world --change {change}"));
    for (of, changed, found) in [
        ("plain", "setting:llm.connection=two", None),
        ("own", "setting:@mia/llm.connection=two", None),
        ("own", "setting:llm.sampling.top_p=0.5", None),
        (
            "own",
            "setting:llm.connection=two",
            Some("each model in `/` has a `llm.connection` that is said nearer to it; write `setting:@mia/llm.connection=…`"),
        ),
        ("own", "setting:/lab/llm.sampling.temperature=1", Some("each model in `/lab` has a `llm.sampling.temperature`")),
    ] {
        let _ = std::fs::remove_dir_all(terminal.path("f"));
        match found {
            None => drop(change(of, changed).ok()),
            Some(found) => drop(change(of, changed).fails(1).warns(&[found])),
        }
    }
}

#[test]
fn a_fork_and_its_parent_are_compared_by_what_was_done_and_not_by_keys() {
    let terminal = Terminal::with_world("court", 60);
    terminal.types("fork same --at now").ok();
    terminal.types("fork other --at now --change signal:/court.in-session=false").ok();
    for data in ["world", "same", "other"] {
        terminal.types(&format!("run --data {data} --for 1h --quiet")).ok();
    }
    let apart = |data: &str| terminal.types(&format!("diff now now --with {data} --json")).json();
    assert_eq!(apart("same")["divergence"], Value::Null);
    assert_eq!(apart("same")["differences"], serde_json::json!([]));
    let other = apart("other");
    let own = drafts(&terminal.path("other")).into_iter().find(|draft| draft.rekeyed().is_some()).unwrap();
    assert_eq!(other["divergence"]["seq"], own.seq, "{other}");
    assert_ne!(other["differences"], serde_json::json!([]));
}

#[test]
fn a_fork_asks_no_model_without_a_budget_of_its_own() {
    let terminal = Terminal::new();
    let from = format!("--from {}/fixtures/cassettes/salon.jsonl", package().display());
    terminal.types(&format!("run $worlds/salon --for 3m --quiet {from}")).ok();
    let asked =
        |data: &str| drafts(&terminal.path(data)).iter().filter_map(|draft| draft.spent()).map(|spent| spent.spend.calls).sum::<u64>();
    let planted = borders(&terminal.path("world"))[0];
    terminal.types(&format!("fork held --at {planted}")).says(&["it asks no model; `reelm run --data held --budget calls=10`"]).fails(0);
    terminal.types(&format!("run --data held --for 3m --quiet {from}")).warns(&["budget of its own"]).fails(0);
    assert_eq!((asked("held"), asked("world") > 3), (0, true));
    replays(&terminal, "held");
    // With one it goes on as its parent did, up to what it has.
    terminal.types(&format!("fork some --at {planted} --budget calls=2")).ok();
    terminal.types(&format!("run --data some --for 3m --quiet {from}")).fails(0);
    assert_eq!(asked("some"), 2);
    replays(&terminal, "some");
    // The budget names its world: a fork of the fork has none of it.
    terminal.types("fork again --data some").ok();
    terminal.types(&format!("run --data again --for 1m --quiet {from}")).fails(0);
    assert_eq!(asked("again"), 2);
    terminal.types("run --data again --moments 0 --budget calls=1e --quiet").fails(2).warns(&["expected calls=N"]);
}

#[test]
#[ignore = "long: 3,000 moments of a town"]
fn a_fork_takes_next_to_no_room() {
    let terminal = Terminal::with_world("town", 3000);
    terminal.types("fork f").ok();
    fn own(dir: &Path) -> u64 {
        std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()).fold(0, |sum, path| {
            let found = path.metadata().unwrap();
            sum + if path.is_dir() {
                own(&path)
            } else if found.nlink() == 1 {
                found.len()
            } else {
                0
            }
        })
    }
    let (fork, parent) = (own(&terminal.path("f")), std::fs::metadata(terminal.path("world/log/0000000000000000.seg")).unwrap().len());
    assert!(fork < 4096 && parent > 400_000, "{fork} of {parent}");
    // The ladder of the parent is the fork's, too: nothing is folded from the beginning.
    assert_eq!(History::of(&terminal.path("f")).unwrap().checkpoints(), History::of(&terminal.path("world")).unwrap().checkpoints());
    assert!(!History::of(&terminal.path("f")).unwrap().checkpoints().is_empty());
}

#[test]
fn what_cannot_be_forked_is_said_and_leaves_nothing() {
    let terminal = Terminal::with_world("court", 40);
    terminal.write("full/of", "things");
    terminal.types("fork full").fails(1).warns(&["expected an empty directory in `full`, found `of`"]);
    terminal.types("fork f --at 111").fails(1).warns(&["the world ends before 110"]);
    terminal.types("fork f --at 5").fails(1).warns(&["expected a point at or behind frame 70", "found 5"]);
    terminal.types("fork f --at soon").fails(2).warns(&["expected a point such as 120"]);
    terminal.types("fork f --at @nobody/3").fails(1).warns(&["there is no being `@nobody`"]);
    terminal.types("fork f --name 'a b'").fails(1).warns(&["expected a name of up to 64 letters, digits and `-`, found `a b`", "--name"]);
    terminal.types("fork f --data nowhere").fails(1).warns(&["expected a world in `nowhere`"]);
    assert!(!terminal.path("f").exists());
    // An empty directory is taken.
    std::fs::create_dir(terminal.path("empty")).unwrap();
    terminal.types("fork empty --at @judith/1").ok();
    replays(&terminal, "empty");
    // Damage before the point is reported where it is met, and by a check of the fork.
    let log = "world/log/0000000000000000.seg";
    let mut bytes = std::fs::read(terminal.path(log)).unwrap();
    bytes[5000] ^= 1;
    std::fs::write(terminal.path(log), &bytes).unwrap();
    std::fs::remove_dir_all(terminal.path("world/checkpoints")).unwrap();
    terminal.types("fork damaged --at 80").fails(3).warns(&["damage in", "at byte"]);
    terminal.types("verify --data empty").fails(3).warns(&["damage in `empty/log/0000000000000000.seg`"]);
    assert!(!terminal.path("damaged").exists());
}

#[test]
fn a_fork_on_another_file_system_copies_its_past_and_says_so() {
    let terminal = Terminal::with_world("court", 40);
    let Ok(elsewhere) = tempfile::tempdir_in("/dev/shm") else { return };
    let device = |path: &Path| std::fs::metadata(path).unwrap().dev();
    if device(elsewhere.path()) == device(&terminal.path("")) {
        return;
    }
    let dir = elsewhere.path().join("f");
    terminal.types(&format!("fork {} --at 90", dir.display())).says(&["1 segments of the log were copied"]).fails(0);
    let parent = std::fs::metadata(terminal.path("world/log/0000000000000000.seg")).unwrap().len();
    assert!(std::fs::metadata(dir.join("log/0000000000000000.seg")).unwrap().len() < parent, "only the past is copied");
    terminal.types(&format!("run --data {} --moments 20 --quiet", dir.display())).ok();
    replays(&terminal, dir.to_str().unwrap());
}

#[test]
fn a_fork_that_is_not_whole_or_not_true_is_damage() {
    let terminal = Terminal::with_world("court", 60);
    let seq = terminal.types("fork f --json").json()["origin"]["seq"].as_u64().unwrap();
    let own = terminal.path(&format!("f/log/{seq:016x}.seg"));
    let kept = std::fs::read(&own).unwrap();
    std::fs::remove_file(&own).unwrap();
    terminal.types("verify --data f").fails(3).warns(&["the first segment of the fork itself is missing"]);
    terminal.types("run --data f --moments 1").fails(3);
    std::fs::write(&own, kept).unwrap();
    terminal.types("verify --data f").ok();
    // An edited origin is found out by its contents, even if the closing line is made anew.
    let toml = terminal.read("f/world.toml");
    let forge = |from: &str, to: &str| {
        let text = toml.split("check = ").next().unwrap().replacen(from, to, 1);
        assert_ne!(toml.split("check = ").next().unwrap(), text);
        let check = reelm::fact::Hash::of(text.as_bytes());
        terminal.write("f/world.toml", &format!("{text}check = \"{check}\"\n"));
        terminal.types("verify --data f")
    };
    forge("name = \"f\"", "name = \"g\"").fails(3).warns(&[&format!("as the id of the fork at frame {seq}")]);
    forge(&format!("seq = {seq}"), &format!("seq = {}", seq - 1)).fails(3);
    forge("number = ", "number = 1").fails(3);
    forge("seal = \"", "seal = \"00").fails(3).warns(&["expected a seal of 128 hex digits"]);
    terminal.write("f/world.toml", &toml);
    terminal.types("verify --data f").ok();
}

#[test]
fn in_a_fork_each_being_takes_up_its_key_with_its_first_frame_and_no_other() {
    let terminal = Terminal::with_world("court", 60);
    let seq = terminal.types("fork f --json").json()["origin"]["seq"].as_u64().unwrap();
    terminal.types("run --data f --moments 40 --quiet").ok();
    let (file, all) = (WorldFile::of(&terminal.path("f")).unwrap(), drafts(&terminal.path("f")));
    let master = Master::new(*Keystore::load(&terminal.path("f")).unwrap().master);
    let walked = |altered: &dyn Fn(&mut Draft)| -> Result<(), ChainError> {
        let mut chain = Chain::of(file.lineage());
        for mut draft in all.clone() {
            altered(&mut draft);
            chain.link(&mut draft);
            chain.check(&draft)?;
            let hash = reelm::fact::Hash::of(&draft.body());
            chain.advance(&draft, hash)?;
        }
        Ok(())
    };
    walked(&|_| {}).unwrap();
    let rekeyed = |error: Result<(), ChainError>| matches!(error, Err(ChainError::Rekeyed { .. }));
    let last = all.last().unwrap().seq;
    assert!(rekeyed(walked(&|draft| draft.facts.retain(|fact| !matches!(fact, Fact::Rekeyed { .. })))));
    let key = master.public(file.world, BeingId::WORLD);
    for other in [80, last] {
        assert!(
            rekeyed(walked(&|draft| if draft.seq == other {
                draft.facts.push(Fact::Rekeyed { key })
            })),
            "{other}"
        );
    }
    assert!(rekeyed(walked(&|draft| if draft.seq == seq {
        draft.facts.push(Fact::Rekeyed { key })
    })));
    assert!(
        matches!(walked(&|draft| draft.world = Lineage::plain(all[0].world).world), Err(ChainError::ForeignWorld { seq: at, .. }) if at == seq)
    );
}

#[test]
fn a_fork_without_a_commit_of_its_own_was_closed_behind_the_last_one_of_its_past() {
    let terminal = Terminal::with_world("court", 40);
    let origin = terminal.types("fork strict --json").json()["origin"].clone();
    let said = format!("number = {}\ncommit = {}\n", origin["number"], origin["commit"]);
    // As it was made, and as it was closed by somebody who wrote nothing.
    for _ in 0..2 {
        assert!(terminal.read("strict/clean").starts_with(&said), "{}", terminal.read("strict/clean"));
        if let Some(python) = python() {
            let program = package().join("tests/verifier/verify.py");
            let output = Command::new(python).arg(program).arg(terminal.path("strict")).output().unwrap();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
        }
        terminal.types("verify --data strict --index").ok();
    }
    terminal.types("run --data strict --moments 5 --quiet").ok();
    assert!(!terminal.read("strict/clean").starts_with(&said));
    terminal.types("verify --data strict").ok();
}

#[test]
fn a_fork_at_a_date_stands_at_that_date_and_goes_on_from_there() {
    let terminal = Terminal::new();
    terminal.write(
        "slow/world.toml",
        "name = \"slow\"\nstart = \"2026-03-02T08:00:00\"\n[[space]]\npath = \"/hall\"\n[[signal]]\npath = \"t.shut\"\nvalue = false\n\
         [[being]]\nname = \"ada\"\nhome = \"/hall\"\nrole = \"r\"\nthink = 'act(me.address, \"quality.set\", #{ path: \"t.saw\", value: signal(\"t.shut\") })'\n\
         [[being.schedule]]\nname = \"turn\"\nevery = \"25m\"\n[[role]]\nname = \"r\"\ncanDo = [\"quality.set\"]\ncanSee = [\"**\"]\nprompt = \"You look.\"\n",
    );
    terminal.types("run slow --for 3h --quiet").ok();
    for (point, begins, ends) in [
        ("--at 2026-03-02T09:30", "2026-03-02T09:30", "2026-03-02T10:00"),
        ("--at ~1h25m", "2026-03-02T09:30", "2026-03-02T10:00"),
        ("", "2026-03-02T11:00", "2026-03-02T11:30"),
    ] {
        let dir = format!("fork{}", begins.len() + point.len());
        terminal.types(&format!("fork {dir} {point} --change signal:t.shut=true")).ok();
        let stands = |at: Option<i64>| {
            let world = History::of(&terminal.path(&dir)).unwrap().world_of(&Point::Now, &mut |_| {}).unwrap();
            Local::of(at.unwrap_or_else(|| world.now()), world.zone()).iso()[..16].to_owned()
        };
        let changed = drafts(&terminal.path(&dir)).pop().unwrap();
        assert_eq!([stands(Some(changed.at)), stands(None)], [begins; 2], "{point}");
        terminal.types(&format!("run --data {dir} --for 30m --quiet")).ok();
        assert_eq!(stands(None), ends, "{point}");
        replays(&terminal, &dir);
    }
}
