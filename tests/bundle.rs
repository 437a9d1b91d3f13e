//! Bundle: do some frames of a history prove themselves to whoever has nothing else of it, and is whatever was changed in them named?

use std::path::Path;
use std::process::Command;

use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::TestRunner;
use reelm::fact::{Bytes, Hash, Peaks, Seq, Signature, WorldId};
use reelm::past::{BundleWanted, History};
use reelm::reel::{Asides, BundleError, FrameBundle, asides_of, head_over};
use reelm::replay::replay_bundle;
use reelm::run::{Course, Living, Pace, Reins, Until};
use serde_json::Value;

use super::kit;
use super::law::any_world;
use super::terminal::{Terminal, package};
use super::verifier::python;

/// A court that was stopped now and then, and so has checkpoints on its way.
fn court() -> Terminal {
    let terminal = Terminal::with_world("court", 40);
    for _ in 0..4 {
        terminal.types("run --moments 30 --quiet").ok();
    }
    terminal
}

fn read(terminal: &Terminal, file: &str) -> FrameBundle {
    FrameBundle::open(&std::fs::read(terminal.path(file)).unwrap()).unwrap().0
}

/// A program that knows only docs/FORMAT.md.
fn script(terminal: &Terminal, file: &str) -> Option<(bool, String)> {
    let program = package().join("tests/verifier/bundle.py");
    let output = Command::new(python()?).arg(program).arg(terminal.path(file)).output().unwrap();
    Some((output.status.success(), format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))))
}

fn agrees(terminal: &Terminal, file: &str, holds: bool) {
    if let Some((held, said)) = script(terminal, file) {
        assert_eq!(held, holds, "{said}");
    }
}

proptest! {
    #![proptest_config(kit::cases(16, 64))]

    #[test]
    fn any_frames_lead_to_the_head_and_from_no_other_places(count in 1u64..300, picks in prop::collection::vec(any::<Index>(), 1..12), begin in any::<Index>(), bit in any::<Index>()) {
        let hashes: Vec<Hash> = (0..count).map(|n| Hash::of(n.to_string().as_bytes())).collect();
        let mut seqs: Vec<Seq> = picks.iter().map(|pick| pick.index(count as usize) as u64).collect();
        seqs.sort_unstable();
        seqs.dedup();
        // From any place before the first of them on.
        let begin = begin.index(seqs[0] as usize + 1);
        let mut before = Peaks::default();
        hashes[..begin].iter().for_each(|hash| before.push(*hash));
        let mut asides = Asides::going_on(&seqs, count, before);
        (0..).zip(&hashes).skip(begin).for_each(|(seq, hash)| asides.pass(seq, *hash));
        let asides = asides.hashes();
        let mut peaks = Peaks::default();
        hashes.iter().for_each(|hash| peaks.push(*hash));
        let chosen: Vec<(Seq, Hash)> = seqs.iter().map(|seq| (*seq, hashes[*seq as usize])).collect();
        prop_assert_eq!(head_over(&chosen, count, &asides), Some(peaks.head()));
        prop_assert_eq!(asides.len(), asides_of(&seqs, count));
        let moved: Vec<(Seq, Hash)> = chosen.iter().map(|(seq, hash)| (seq + 1, *hash)).collect();
        prop_assert!(head_over(&moved, count, &asides) != Some(peaks.head()));
        prop_assert!(head_over(&chosen, count + 1, &asides) != Some(peaks.head()));
        prop_assert_eq!(head_over(&[], count, &asides), None);
        prop_assert_eq!(head_over(&chosen, count, &[asides.as_slice(), &[hashes[0]]].concat()), None);
        if let Some((_, fewer)) = asides.split_last() {
            prop_assert_eq!(head_over(&chosen, count, fewer), None);
            let mut bent = asides.clone();
            let bit = bit.index(bent.len() * 256);
            bent[bit / 256].0[bit / 8 % 32] ^= 1 << (bit % 8);
            prop_assert!(head_over(&chosen, count, &bent) != Some(peaks.head()));
        }
    }
}

#[test]
fn a_moment_is_proved_without_the_world_in_less_than_two_kibibytes() {
    let terminal = court();
    terminal
        .types("export one.bundle --moment @judith/1")
        .says(&["wrote frame ", "`reelm verify one.bundle` shows that it holds, without the world"]);
    let bundle = read(&terminal, "one.bundle");
    let size = std::fs::metadata(terminal.path("one.bundle")).unwrap().len() as usize;
    let held: usize = bundle.frames.iter().chain(&bundle.values).map(|bytes| bytes.0.len()).sum();
    assert!(size - held < 2048, "{size} bytes, {held} of them the frame");
    std::fs::rename(terminal.path("world"), terminal.path("gone")).unwrap();
    let key = bundle.lineage.root_key;
    terminal.types(&format!("verify one.bundle --key {key}")).says(&[
        &format!("frame {} stands in the history of the world", bundle.from),
        "of others it says nothing",
        "signed by their beings",
        "it carries no checkpoint",
        &format!("sealed by @world, whose key is {key}"),
    ]);
    let told = terminal.types("verify one.bundle --json").json();
    assert_eq!((told["frames"].as_u64(), told["holds"].as_bool(), told["since"].is_null()), (Some(1), Some(true), true), "{told}");
    assert_eq!(told["bornElsewhere"].as_array().map(Vec::len), Some(1), "{told}");
    let other = Hash::of(b"another world");
    terminal.types(&format!("verify one.bundle --key {other}")).fails(1).warns(&["is sealed by the key", "it is another world's"]);
    terminal.types("replay one.bundle").fails(1).warns(&["no checkpoint before its frames is in the bundle", "--replayable"]);
    agrees(&terminal, "one.bundle", true);
    // It is read without the world: what was done, by the name inside where it carries no other.
    assert_eq!(told["deeds"].as_array().map(Vec::len), Some(1), "{told}");
    let line = terminal.types("log --file one.bundle --raw").fails(0).out;
    assert!(line.contains(told["deeds"][0].as_str().unwrap()), "{line}");
    terminal.types("see / --file one.bundle").fails(1).warns(&["carries no checkpoint", "--replayable"]);
    // A proof knows the same key.
    std::fs::rename(terminal.path("gone"), terminal.path("world")).unwrap();
    terminal.types("prove 7 --out seven.json").ok();
    terminal.types(&format!("verify --proof seven.json --key {key}")).ok();
    terminal.types(&format!("verify --proof seven.json --key {other}")).fails(1).warns(&["it is another world's"]);
    terminal.types(&format!("verify --key {key}")).fails(1).warns(&["--key is said of a bundle or a proof"]);
}

#[test]
fn the_frames_of_a_being_are_all_there_and_what_it_did_later_is_not_known() {
    let terminal = court();
    terminal.types("export bern.bundle --being @bern --from 110 --to 200").ok();
    let bundle = read(&terminal, "bern.bundle");
    let log = terminal.types("log @bern --from 110 --to 200 --json").json_lines();
    assert_eq!(bundle.frames.len(), log.len());
    let n = |at: usize| log[at]["n"].as_u64().unwrap();
    terminal.types("verify bern.bundle --data nowhere").says(&[
        &format!("{} frames, from", log.len()),
        &format!("they are its n {} to {}: none was left out between them", n(0), n(log.len() - 1)),
        &format!("the one before them, n {}, is frame", n(0) - 1),
        "what it did later, the bundle cannot say",
    ]);
    agrees(&terminal, "bern.bundle", true);
    terminal.types("export none.bundle --being @bern --from 60 --to 61").fails(1).warns(&["no such frame lies from 60 up to 61"]);
    terminal.types("export none.bundle --being @nobody").fails(1).warns(&["there is no being `@nobody`"]);
    terminal.types("export none.bundle --from 61 --to 60").fails(1).warns(&["expected --to behind --from, found 61 and 60"]);
    assert!(!terminal.path("none.bundle").exists());
    // One part of a history gives the same bytes whenever it is taken out.
    terminal.types("run --moments 30 --quiet").ok();
    terminal.types("export again.bundle --being @bern --from 110 --to 200").ok();
    assert_eq!(std::fs::read(terminal.path("again.bundle")).unwrap(), std::fs::read(terminal.path("bern.bundle")).unwrap());
    terminal.types("export again.bundle --being @bern").fails(1).warns(&["`again.bundle` is there already"]);
}

#[test]
fn a_span_with_its_checkpoint_is_replayed_without_the_world_and_says_from_where() {
    let terminal = court();
    let end = terminal.types("verify --json").json()["frames"].as_u64().unwrap();
    terminal
        .types(&format!("export span.bundle --from {} --replayable", end - 10))
        .says(&["with the checkpoint of frame", "the whole world as it was there"]);
    let bundle = read(&terminal, "span.bundle");
    let since = bundle.since.unwrap();
    assert!(since > 100 && since <= end - 10 && !bundle.rungs.is_empty(), "{since}");
    terminal.types("export early.bundle --from 3 --to 20 --replayable").says(&["with all frames since the beginning"]);
    terminal.types(&format!("export bern.bundle --being @bern --from {} --replayable", end - 20)).ok();
    terminal.types("export @judith.bundle --moment @judith/1 --replayable").ok();
    let (log, court) = (terminal.types("log --last 10").ok(), terminal.types("see /court --json").ok());
    let own = terminal.types(&format!("log @bern --from {} --json", end - 20)).ok();
    std::fs::remove_dir_all(terminal.path("world")).unwrap();
    // Without the world they tell what it told.
    assert_eq!((terminal.types("log --file span.bundle").ok(), terminal.types("see /court --file span.bundle --json").ok()), (log, court));
    assert_eq!(terminal.types("log @bern --file bern.bundle --json").ok(), own);
    terminal.types("verify span.bundle").says(&[&format!("it carries {} frames since frame {since}", end - since), "none was left out"]);
    terminal.types("replay span.bundle").says(&[
        &format!("replayed frames {} to {} from the checkpoint of frame {since}", end - 10, end - 1),
        "10 moments recomputed, identical",
        &format!("the {} frames before frame {} were only folded", end - 10 - since, end - 10),
    ]);
    let told = terminal.types("replay span.bundle --json").json();
    assert_eq!(
        (told["moments"].as_u64(), told["since"].as_u64(), told["identical"].as_bool()),
        (Some(10), Some(since), Some(true)),
        "{told}"
    );
    terminal.types("replay early.bundle").says(&["from the beginning of the world: 17 moments recomputed, identical"]);
    terminal.types("replay bern.bundle").says(&["recomputed, identical"]);
    terminal.types("replay ./@judith.bundle").says(&["1 moments recomputed, identical"]);
    for file in ["span.bundle", "early.bundle", "bern.bundle", "@judith.bundle"] {
        agrees(&terminal, file, true);
    }
    // A checkpoint that is not whole, or not the one of these frames, replays nothing.
    let refused = |bent: &FrameBundle| {
        std::fs::write(terminal.path("bent.bundle"), bent.to_file()).unwrap();
        terminal.types("verify bent.bundle").ok();
        let other = format!("is not the one of frame {since} that its world signed");
        for line in
            ["replay bent.bundle".to_owned(), format!("explain {} --file bent.bundle", end - 1), "log --file bent.bundle".to_owned()]
        {
            terminal.types(&line).fails(3).warns(&[&other]);
        }
    };
    for at in [8, 60, bundle.rungs[0].0.len() / 2, bundle.rungs[0].0.len() - 1] {
        let mut bent = bundle.clone();
        let mut bytes = bent.rungs[0].0.to_vec();
        bytes[at] ^= 4;
        bent.rungs[0] = Bytes(bytes.into());
        refused(&bent);
    }
    let other = read(&terminal, "bern.bundle").rungs;
    if other != bundle.rungs {
        refused(&FrameBundle { rungs: other, ..bundle.clone() });
    }
    terminal.types("export whole.bundle --replayable").fails(1);
}

#[test]
fn a_bundle_takes_points_and_says_what_it_has() {
    let terminal = court();
    let end = terminal.types("verify --json").json()["frames"].as_u64().unwrap();
    let (from, mid) = (end - 20, end - 8);
    terminal.types(&format!("export span.bundle --from {from} --replayable")).ok();
    terminal.types(&format!("export bare.bundle --from {from}")).ok();
    let log = terminal.types(&format!("log --from {mid} --json")).json_lines();
    let (being, n) = (log[0]["report"]["being"].as_str().unwrap(), log[0]["n"].as_u64().unwrap());
    let time = log[3]["report"]["time"].as_str().unwrap();
    // The points of a bundle mean what they mean in its world.
    let spans = [
        "--last 3".to_owned(),
        format!("--from {mid}"),
        format!("--from @{being}/{n} --to {}", end - 2),
        format!("--from {time} --json"),
        format!("--from {} --to {} --last 2", from + 2, mid),
        "--from ~1s".to_owned(),
        format!("@{being} --from {from} --last 1"),
    ];
    let points = [format!("{mid}"), format!("@{being}/{n}+"), time.to_owned(), "now".to_owned()];
    let listed = |file: &str| spans.each_ref().map(|span| terminal.types(&format!("log --raw {span} {file}")).ok());
    let seen = |file: &str| points.each_ref().map(|point| terminal.types(&format!("see /court --at {point} --json {file}")).ok());
    let was = (listed(""), seen(""));
    std::fs::remove_dir_all(terminal.path("world")).unwrap();
    assert_eq!((listed("--file span.bundle"), seen("--file span.bundle")), was);
    // From its first moment on it is all there, though that opened on an earlier world.
    let whole = terminal.types("log --json --file span.bundle").json_lines();
    let first = format!("@{}/{}", whole[0]["report"]["being"].as_str().unwrap(), whole[0]["n"]);
    assert_eq!(terminal.types(&format!("log --from {first} --json --file span.bundle")).json_lines(), whole);
    assert_eq!(terminal.types("log --last 3 --file bare.bundle --json").json_lines().len(), 3);
    assert_eq!(terminal.types(&format!("log --from {time} --json --file bare.bundle")).ok(), was.0[3]);
    for (line, code, wanted) in [
        ("log @nobody --file span.bundle".to_owned(), 1, "has no moment of `@nobody`; it has moments of @".to_owned()),
        ("see @nobody --file span.bundle".into(), 1, "`span.bundle` has the beings @".into()),
        ("see /court --as @nobody --file span.bundle".into(), 1, "`span.bundle` has the beings @".into()),
        ("see /nowhere --file span.bundle".into(), 1, "and the places /, /chambers, /court".into()),
        ("log --from 3 --file span.bundle".into(), 1, format!("found `3`; it has the frames {from} to {}, of ", end - 1)),
        (format!("log --raw --from {} --file span.bundle", end + 1), 1, format!("found `{}`", end + 1)),
        ("see / --at 3 --file span.bundle".into(), 1, "expected a point of this bundle, found `3`".into()),
        ("see / --at 2020-01-01 --file span.bundle".into(), 1, "expected a point of this bundle, found `2020-01-01`".into()),
        ("see / --at @nobody/1 --file span.bundle".into(), 1, "expected one of its".into()),
        (format!("log --raw --from {} --to {from} --file span.bundle", end - 1), 1, "put them the other way round".into()),
        (format!("see / --at {mid} --file bare.bundle"), 1, "carries no checkpoint, so no world".into()),
    ] {
        terminal.types(&line).fails(code).warns(&[&wanted]);
    }
}

#[test]
#[ignore = "long: each moment of a bundle is explained by a command of its own"]
fn a_moment_of_a_bundle_is_explained_without_the_world() {
    let terminal = court();
    let end = terminal.types("verify --json").json()["frames"].as_u64().unwrap();
    terminal.types(&format!("export span.bundle --from {} --replayable", end - 10)).ok();
    terminal.types("export one.bundle --moment @judith/1").ok();
    terminal.types("export whole.reelm").ok();
    terminal.write("note.txt", "hello");
    let log = terminal.types(&format!("log --from {} --json", end - 10)).json_lines();
    let moments = log.iter().map(|line| format!("@{}/{}", line["report"]["being"].as_str().unwrap(), line["n"]));
    let moments: Vec<String> = moments.chain((end - 10..end).map(|seq| seq.to_string())).collect();
    let explained = |moment: &str, more: &str| terminal.types(&format!("explain {moment} {more}")).ok();
    let was: Vec<[String; 3]> = moments.iter().map(|moment| ["", "--json", "--knew /court"].map(|more| explained(moment, more))).collect();
    let judith = terminal.types("explain @judith/1 --json").json();
    std::fs::rename(terminal.path("world"), terminal.path("gone")).unwrap();
    let key = read(&terminal, "one.bundle").lineage.root_key.to_string();
    for (moment, [text, json, knew]) in moments.iter().zip(&was) {
        assert_eq!(explained(moment, "--file span.bundle"), format!("{}\nsealed by @world, whose key is {key}\n", text.trim_end()));
        let mut told: Value = serde_json::from_str(&explained(moment, "--file span.bundle --json")).unwrap();
        assert_eq!(told.as_object_mut().unwrap().remove("rootKey"), Some(key.as_str().into()));
        assert_eq!(told, serde_json::from_str::<Value>(json).unwrap(), "{moment}");
        assert_eq!(explained(moment, "--knew /court --file span.bundle"), *knew);
    }
    // Without a checkpoint the frame itself is told, and what nobody can say of it.
    let seq = judith["seq"].as_u64().unwrap();
    let told = terminal.types(&format!("explain {seq} --file one.bundle --json")).json();
    for part in ["seq", "n", "hash", "signedBy", "openedAt", "stack", "call", "closing", "facts", "thought", "prompt"] {
        assert_eq!(told[part], judith[part], "{part}");
    }
    assert!(told["face"].is_null() && told["untold"].as_str().unwrap().contains("--replayable"), "{told}");
    let role = judith["report"]["stack"][0].as_str().unwrap();
    terminal.types(&format!("explain {seq} --file one.bundle")).says(&[
        "woken by",
        &format!("wears {role}"),
        "is not told: no checkpoint before its frames is in the bundle",
        &format!("hash {}", judith["hash"].as_str().unwrap()),
        "signed by its being",
    ]);
    let being = read(&terminal, "one.bundle").check().unwrap()[0].draft().being;
    terminal.types(&format!("explain @{being}/1 --file one.bundle")).ok();
    for (line, code, wanted) in [
        ("explain 3 --file span.bundle".to_owned(), 1, "expected one of its".to_owned()),
        ("explain @bern/99999 --file span.bundle".into(), 1, "`reelm log --file` lists its moments".into()),
        ("explain @judith/1 --file one.bundle".into(), 1, format!("`@{being}/1` is the first")),
        (format!("explain {seq} --knew /court --file one.bundle"), 1, "no checkpoint before its frames".into()),
        (format!("explain {seq} --prompt --file one.bundle"), 1, format!("--prompt: no model was asked in #{seq}")),
        (format!("explain {seq} --causes --file one.bundle"), 2, "cannot be used with".into()),
        ("explain 3 --file note.txt".into(), 1, "expected a bundle".into()),
        ("explain 3 --file whole.reelm".into(), 1, "is an export, not a bundle; `reelm verify --file whole.reelm` checks it".into()),
        ("explain 3 --file nowhere.bundle".into(), 1, "cannot read `nowhere.bundle`".into()),
    ] {
        terminal.types(&line).fails(code).warns(&[&wanted]);
    }
}

#[test]
fn what_a_model_was_sent_stands_in_a_bundle() {
    let terminal = Terminal::new();
    let cassette = package().join("fixtures/cassettes/salon.jsonl");
    terminal.types(&format!("run $worlds/salon --moments 6 --quiet --from {}", cassette.display())).ok();
    let prompt = terminal.types("export --lines prompts").json_lines().swap_remove(0);
    let seq = prompt["seq"].as_u64().unwrap();
    let was = [
        terminal.types(&format!("explain {seq} --prompt")).ok(),
        terminal.types(&format!("explain {seq} --json")).json()["thought"].to_string(),
    ];
    terminal.types(&format!("export asked.bundle --moment {seq}")).ok();
    std::fs::rename(terminal.path("world"), terminal.path("gone")).unwrap();
    let told = terminal.types(&format!("explain {seq} --json --file asked.bundle")).json()["thought"].to_string();
    assert_eq!([terminal.types(&format!("explain {seq} --prompt --file asked.bundle")).ok(), told], was);
}

#[test]
fn whatever_was_changed_in_a_bundle_is_named() {
    let terminal = court();
    terminal.types("run $worlds/dance --moments 60 --quiet --data dance").fails(0);
    terminal.types("export span.bundle --from 100 --to 120").ok();
    terminal.types("export bern.bundle --being @bern --from 80").ok();
    terminal.types("export dance.bundle --from 20 --to 30 --data dance").ok();
    let [span, bern, dance] = ["span.bundle", "bern.bundle", "dance.bundle"].map(|file| read(&terminal, file));
    let said = |what: &str, bent: &FrameBundle, wanted: &str| {
        std::fs::write(terminal.path("bent.bundle"), bent.to_file()).unwrap();
        let said = terminal.types("verify bent.bundle").fails(3);
        assert!(said.err.contains(wanted), "{what}: expected `{wanted}`, found {}", said.err);
        agrees(&terminal, "bent.bundle", false);
    };
    let with = |change: &dyn Fn(&mut FrameBundle)| {
        let mut bent = span.clone();
        change(&mut bent);
        bent
    };
    let edited = |bytes: &Bytes, at: usize| {
        let mut bytes = bytes.0.to_vec();
        bytes[at] ^= 1;
        Bytes(bytes.into())
    };
    // In its signature, which ends it.
    let signature = with(&|bent| bent.frames[3] = edited(&bent.frames[3], bent.frames[3].0.len() - 2));
    said("a signature", &signature, "frame 103 is not signed by");
    let text = with(&|bent| {
        let role = reelm::fact::Frame::read(&bent.frames[3].0).unwrap().draft().stack[0].role.clone();
        let at = bent.frames[3].0.windows(role.len()).position(|word| word == role.as_bytes()).unwrap();
        bent.frames[3] = edited(&bent.frames[3], at);
    });
    said("a word", &text, "frame 103 is not signed by");
    said("dropped", &with(&|bent| drop(bent.frames.remove(5))), "expected frame 105 next, found frame 106");
    said("the last dropped", &with(&|bent| drop(bent.frames.pop())), "expected frame 119 next, found the end");
    said("swapped", &with(&|bent| bent.frames.swap(5, 6)), "expected frame 105 next, found frame 106");
    said("twice", &with(&|bent| bent.frames.insert(5, bent.frames[4].clone())), "expected frame 105 next, found frame 104");
    said("foreign", &with(&|bent| bent.frames[5] = dance.frames[5].clone()), "expected frame 105 next, found frame 25");
    let moved = FrameBundle { lineage: span.lineage.clone(), ..dance.clone() };
    said(
        "another world's frames",
        &moved,
        &format!("is of the world {}; the bundle is of the world {}", dance.lineage.world, span.lineage.world),
    );
    said(
        "another world's seal",
        &with(&|bent| (bent.head, bent.seal) = (bent.head, dance.seal)),
        "the head is not sealed by the world that the bundle names",
    );
    said("another head", &with(&|bent| (bent.head, bent.seal) = (dance.head, dance.seal)), "its frames lead to another head");
    said("another seal", &with(&|bent| bent.seal = Signature([7; 64])), "the head is not sealed by");
    said("a hash beside", &with(&|bent| bent.asides[1] = Hash([7; 32])), "its frames lead to another head");
    said("a hash less", &with(&|bent| bent.asides.truncate(bent.asides.len() - 1)), "hashes beside its frames, found");
    said("another count", &with(&|bent| bent.count = 110), "its head is over 110 frames");
    said(
        "a stray key",
        &with(&|bent| {
            bent.keys.push(dance.keys.last().cloned().map(|mut key| (key.being = reelm::fact::BeingId::new(900, 0), key).1).unwrap())
        }),
        "a key of b900.0 stands in it",
    );
    said("no key", &with(&|bent| bent.keys.truncate(0)), "is signed, and no key of");
    said("another key", &with(&|bent| bent.keys[0].key = dance.keys[0].key), "is not signed by");
    said(
        "a value put in",
        &with(&|bent| bent.values.push(Bytes(vec![0; 5000].into()))),
        "a value of 5000 bytes stands in it that none of its frames names",
    );
    said("a name", &with(&|bent| bent.lineage.world = WorldId([7; 16])), "is of the world");
    said("a checkpoint", &with(&|bent| bent.rungs.push(Bytes(vec![1].into()))), "has 1 checkpoints");
    let mut less = bern.clone();
    less.frames.remove(2);
    said("one of hers", &less, "a frame was left out or changed");
    let at = span.frames.iter().position(|frame| reelm::fact::Frame::read(&frame.0).unwrap().draft().being != bern.being.unwrap()).unwrap();
    let mut more = bern.clone();
    (more.frames, more.from, more.to) = (vec![span.frames[at].clone()], 100 + at as u64, 101 + at as u64);
    said("somebody else's", &more, "expected frames of");
    // Bytes that no seal covers are covered by the hash that closes the file.
    let mut bytes = std::fs::read(terminal.path("span.bundle")).unwrap();
    let at = bytes.windows(5).position(|five| five == b"court").unwrap();
    bytes[at] = b'k';
    std::fs::write(terminal.path("bent.bundle"), &bytes).unwrap();
    terminal.types("verify bent.bundle").fails(3).warns(&["the hash that closes the file is another"]);
    agrees(&terminal, "bent.bundle", false);
    std::fs::write(terminal.path("cut.bundle"), &bytes[..bytes.len() / 2]).unwrap();
    terminal.types("verify cut.bundle").fails(3).warns(&["the bundle was damaged or cut off"]);
    terminal.types("export whole.reelm").ok();
    terminal.types("verify whole.reelm").fails(1).warns(&["is an export, not a bundle; `reelm verify --file whole.reelm` checks it"]);
    terminal.types("prove 3 --out three.json").ok();
    terminal.types("verify three.json").fails(1).warns(&["`reelm verify --proof three.json` checks it"]);
    terminal.write("note.txt", "hello");
    terminal.types("verify note.txt").fails(1).warns(&["expected a bundle"]);
}

#[test]
fn a_bundle_with_any_byte_of_it_turned_proves_nothing() {
    let terminal = court();
    terminal.types("export one.bundle --moment @judith/1").ok();
    let bytes = std::fs::read(terminal.path("one.bundle")).unwrap();
    for at in 0..bytes.len() {
        let mut bent = bytes.clone();
        bent[at] ^= 1 << (at % 8);
        assert!(FrameBundle::open(&bent).is_err(), "byte {at}");
        // Also where whoever changed it has closed the file anew, but for what nothing covers.
        let own = bent.len() - 32;
        let check = Hash::of(&bent[..own]);
        bent[own..].copy_from_slice(&check.0);
        if let Ok((bundle, _)) = FrameBundle::open(&bent) {
            let right = FrameBundle::open(&bytes).unwrap().0;
            assert!(at >= own || bundle.lineage.name != right.lineage.name, "byte {at}");
        }
    }
    assert_eq!(FrameBundle::open(b"reelmbn"), Err(BundleError::NotOne));
}

#[test]
fn a_forks_past_is_proved_by_its_parents_seal_and_what_goes_over_its_origin_by_its_own() {
    let terminal = court();
    let borders = super::fork::borders(&terminal.path("world"));
    let seq = *borders.iter().find(|border| **border > borders[0] + 20).unwrap();
    terminal.types(&format!("fork strict --at {seq}")).ok();
    terminal.types("run --data strict --moments 60 --quiet").ok();
    let parts = [("past", seq - 15, seq - 2), ("over", seq - 5, seq + 20), ("own", seq + 5, seq + 20)];
    for (name, from, to) in parts {
        terminal.types(&format!("export {name}.bundle --from {from} --to {to} --replayable --data strict")).ok();
        terminal.types(&format!("export {name}.only --from {from} --to {to} --data strict")).ok();
    }
    for (name, ..) in parts {
        for file in [format!("{name}.bundle"), format!("{name}.only")] {
            terminal.types(&format!("verify {file} --data nowhere")).ok();
            agrees(&terminal, &file, true);
        }
        terminal.types(&format!("replay {name}.bundle --data nowhere")).says(&["recomputed, identical"]);
    }
    let parent = read(&terminal, "past.only").lineage;
    assert!(parent.origins.is_empty() && parent.name == "court");
    let own = read(&terminal, "over.only").lineage;
    assert_eq!((own.origins.len(), own.origins[0].world, own.name.as_str()), (1, parent.world, "strict"));
    // Of a group that the fork has in part, it has sealed that part, beneath the parent's seal.
    let (low, high) = borders.windows(2).find(|two| two[1] - two[0] > 2).map(|two| (two[0], two[1])).unwrap();
    terminal.types(&format!("fork inside --at {}", low + 2)).ok();
    terminal.types(&format!("export inside.only --from {low} --to {} --data inside", low + 2)).ok();
    terminal.types("verify inside.only --data nowhere").ok();
    agrees(&terminal, "inside.only", true);
    let bundle = read(&terminal, "inside.only");
    let origin = &bundle.lineage.origins[0];
    assert_eq!((origin.world, origin.seq, origin.sealed().map(|(count, _)| count)), (parent.world, low + 2, Some(high)));
    // A head there that is not the origin's is none of the parent's.
    let mut bent = bundle.clone();
    bent.lineage.origins[0].head = Hash([7; 32]);
    assert!(matches!(bent.check(), Err(BundleError::Lineage { .. })));
}

/// A world of the laws, in a directory, that was stopped a few times.
fn stopped(text: &str, dir: &Path) {
    let reins = Reins::default();
    let course = || Course {
        pace: Pace::Virtual,
        until: Until { duration: Some(8_000), ..Until::default() },
        reins: &reins,
        watch: None,
        measures: None,
    };
    let mut living = Living::plant(&kit::source(text), None, dir, 1).unwrap();
    living.run(course()).unwrap();
    living.stop().unwrap();
    for _ in 0..3 {
        let mut living = Living::open(dir, 1).unwrap().0;
        living.run(course()).unwrap();
        living.stop().unwrap();
    }
}

#[test]
fn any_span_of_any_world_proves_itself_and_its_moments_come_out_the_same_again() {
    let mut runner = TestRunner::new(kit::cases(1, 10));
    let law = runner.run(&(any_world(), prop::collection::vec((any::<Index>(), any::<Index>(), any::<bool>()), 4)), |(text, spans)| {
        let temp = tempfile::tempdir().unwrap();
        stopped(&text, &temp.path().join("world"));
        let history = History::of(&temp.path().join("world")).unwrap();
        let end = history.end();
        for (one, other, of_a_being) in spans {
            let [one, other] = [one, other].map(|at| at.index(end as usize) as u64);
            let (from, to) = (one.min(other), one.max(other) + 1);
            let world = history.world_at(to).unwrap();
            let being = of_a_being.then(|| history.frame(from, &world).unwrap().unwrap().draft().being);
            for is_replayable in [false, true] {
                let made = history.bundle(BundleWanted { being, from, to, is_replayable }).unwrap();
                let (bundle, frames) = FrameBundle::open(&made.to_file()).unwrap();
                prop_assert_eq!(&bundle, &made);
                let meant = frames.iter().filter(|frame| bundle.is_about(frame)).count() as u64;
                if !is_replayable {
                    prop_assert_eq!(meant, frames.len() as u64);
                    continue;
                }
                prop_assert!(bundle.since.is_some_and(|since| since <= from));
                let replayed = replay_bundle(&bundle, &frames, &mut |_| {}).unwrap();
                prop_assert!(replayed.difference.is_none(), "{:?}", replayed.difference);
                prop_assert_eq!(replayed.moments, meant);
                prop_assert_eq!(replayed.world, history.world_at(bundle.to).unwrap().hash());
            }
        }
        Ok(())
    });
    law.unwrap_or_else(|error| panic!("{error}"));
}
