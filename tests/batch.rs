//! Batch: in a world that seals in batches, is every frame answered for by a signature, and none by less than it must be?
//!
//! Deeds of scripts and models are covered by the seals of `@world`, to which each being delegates at its birth; people sign for
//! themselves.

use std::process::Command;

use reelm::fact::{BeingId, Call, Cognition, Fact, Hash, PublicKey, Signature, delegated};
use reelm::replay::{Thread, replay};
use reelm::store::StreamStore;

use super::forge::History;
use super::kit::{Small, args};
use super::terminal::{Terminal, package};
use super::verifier::python;

const BEINGS: &str = "[[being]]\nname = \"ada\"\nhome = \"/\"\nrole = \"free\"\nscript = \"count\"\n[[being.schedule]]\nname = \"beat\"\nevery = \"1m\"\n\
    [[being]]\nname = \"hal\"\nhome = \"/\"\nrole = \"free\"\ncognition = \"human\"\n";

/// A world that seals so, in which people and scripts have acted, a person as somebody else too, and one more was born.
fn lived(seals: &str) -> Small {
    let mut small = Small::plant(&format!("[config]\nseals = \"{seals}\"\n{BEINGS}"));
    small.run("3m");
    small.act("hal", Call::doing("@hal", "quality.set", args(r#"{"path":"t.a","value":1}"#)));
    small.act("operator", Call::be("birth", args(r#"{"name":"eve","home":"/","defaultRole":"free","script":"count"}"#)));
    small.act("operator", Call::be("inhabit", args(r#"{"being":"@ada","for":"5m"}"#)));
    small.act("ada", Call::doing("@ada", "quality.set", args(r#"{"path":"t.b","value":1}"#)));
    small.act("operator", Call::be("release", args(r#"{"being":"@ada"}"#)));
    small.run("3m");
    small
}

#[test]
fn what_scripts_do_is_covered_and_what_people_do_is_signed_by_themselves() {
    let mut small = lived("batch");
    let (mut covered, root) = (0, small.master.key(small.id, BeingId::WORLD).public().to_hash());
    let mut births = 0;
    for frame in small.shelf.frames() {
        let draft = frame.draft();
        let alone = draft.driver.is_none() && small.world().being(draft.being).unwrap().name.as_ref() == "ada" && draft.call.is_some();
        assert!(!alone || frame.signature().is_none(), "frame {}", draft.seq);
        assert!(draft.driver.is_none() || frame.signature().is_some(), "frame {} is driven", draft.seq);
        assert!(draft.is_entrusted() || frame.signature().is_some(), "frame {} is not a script's alone", draft.seq);
        covered += usize::from(frame.signature().is_none());
        for (being, birth) in draft.births() {
            births += usize::from(birth.delegation.is_some());
            assert_eq!(birth.delegation.is_none(), birth.cognition == Cognition::Human, "{}", birth.name);
            let key = PublicKey::from_hash(&birth.key).unwrap();
            let holds = |delegation| key.verify(&delegated(small.id, being, &root), &delegation).is_ok();
            assert!(birth.delegation.is_none_or(holds), "the delegation of {being}");
        }
    }
    assert!(covered >= 6 && births >= 4, "{covered} covered, {births} births");
    assert_eq!(small.replay().unwrap().covered, covered as u64);
    small.reopen();
    small.run("2m");
    assert_eq!(small.replay().unwrap().difference.map(|found| found.seq), None);
}

#[test]
fn a_world_that_does_not_choose_it_has_one_signature_a_frame_and_no_delegation() {
    for small in [Small::plant(BEINGS), lived("own")] {
        assert!(small.shelf.frames().iter().all(|frame| frame.signature().is_some()));
        assert!(small.shelf.frames().iter().all(|frame| frame.draft().births().all(|(_, birth)| birth.delegation.is_none())));
        assert_eq!(small.replay().unwrap().covered, 0);
    }
}

/// A change to a history by a holder of its keys, and the answer that is expected.
type Forgery = (&'static str, &'static str, fn(&mut History), &'static str);

const FORGERIES: &[Forgery] = &[
    ("a person's frame without a signature", "batch", |history| person(history).signature = None, "expected a signature of its own"),
    ("a driven frame without a signature", "batch", |history| driven(history).signature = None, "expected a signature of its own"),
    (
        "a covered frame with a signature",
        "batch",
        |history| covered(history).signature = Some(Signature([0; 64])),
        "expected none of its own",
    ),
    ("a script's frame without a signature", "own", |history| script(history).signature = None, "expected a signature of its own"),
    ("a birth without a delegation", "batch", |history| delegate(history, |_| None), "seals in batches"),
    ("a birth with one where none is", "own", |history| delegate(history, |_| Some(Signature([7; 64]))), "where it must not"),
    (
        "a delegation for something else",
        "batch",
        |history| delegate(history, |old| old.map(|old| Signature(turned(old.0)))),
        "is not signed with its key",
    ),
    ("a covered frame changed under the old seals", "batch", changed, "is not sealed by @world"),
];

fn turned(mut bytes: [u8; 64]) -> [u8; 64] {
    bytes[5] ^= 1;
    bytes
}

fn person(history: &mut History) -> &mut super::forge::Moment {
    history.moments().into_iter().rfind(|moment| !moment.draft.is_entrusted() && moment.draft.driver.is_none()).unwrap()
}

fn driven(history: &mut History) -> &mut super::forge::Moment {
    history.moments().into_iter().rfind(|moment| moment.draft.driver.is_some()).unwrap()
}

fn covered(history: &mut History) -> &mut super::forge::Moment {
    history.moments().into_iter().rfind(|moment| moment.signature.is_none()).unwrap()
}

fn script(history: &mut History) -> &mut super::forge::Moment {
    history.moments().into_iter().rfind(|moment| moment.draft.is_entrusted()).unwrap()
}

fn delegate(history: &mut History, change: fn(Option<Signature>) -> Option<Signature>) {
    for fact in history
        .moments()
        .into_iter()
        .rev()
        .find(|moment| moment.draft.births().count() > 0)
        .iter_mut()
        .flat_map(|moment| &mut moment.draft.facts)
    {
        if let Fact::Born(birth) = fact {
            birth.delegation = change(birth.delegation);
        }
    }
}

fn changed(history: &mut History) {
    covered(history).draft.worn = Hash::of(b"another role");
    history.seals_stay();
}

#[test]
fn what_carries_less_or_more_than_it_must_is_refused_here_and_by_the_verifier() {
    let dir = tempfile::tempdir().unwrap();
    let mut files = Vec::new();
    for seals in ["batch", "own"] {
        let path = dir.path().join(format!("whole-{seals}.reelm"));
        History::of(&lived(seals)).export(&path);
        files.push((path, None));
    }
    for (at, (what, seals, forge, expected)) in FORGERIES.iter().enumerate() {
        let mut history = History::of(&lived(seals));
        forge(&mut history);
        let path = dir.path().join(format!("{at}.reelm"));
        history.export(&path);
        let stream = StreamStore::open(&path).unwrap();
        let walked = replay(&stream, stream.world_file().world, Thread { only_verify: true, ..Thread::default() }, &mut |_| {});
        let said = walked.err().map(|error| error.to_string()).unwrap_or_default();
        assert!(said.contains(expected), "{what}: {said}");
        files.push((path, Some(*what)));
    }
    let Some(python) = python() else { return };
    for (path, what) in files {
        let output = Command::new(&python).arg(package().join("tests/verifier/verify.py")).arg(&path).output().unwrap();
        let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert_eq!(output.status.success(), what.is_none(), "{what:?}: {said}");
        assert!(!said.contains("Traceback"), "{said}");
    }
}

#[test]
fn every_surface_says_who_answers_for_a_frame() {
    let terminal = Terminal::new();
    let world = "name = \"town\"\nseed = 1\nstart = \"2026-03-02T08:00:00\"\n[config]\nseals = \"batch\"\n[[being]]\nname = \"ada\"\nhome = \"/\"\nrole = \"free\"\nscript = \"count\"\n\
        [[being.schedule]]\nname = \"beat\"\nevery = \"1m\"\n";
    terminal.write("town/world.toml", world);
    terminal.write("town/roles/free.md", "---\nname: free\ncanDo: ['**']\ncanSee: ['**']\n---\nCount.\n");
    terminal.write("town/scripts/count.rhai", r#"fn think(face) { act(face.me.address, "quality.inc", #{ path: "t.n" }) }"#);
    terminal.types("run town --for 5m --quiet").ok();
    terminal.types("run --for 5m --quiet").ok();
    let covered = terminal.types("verify --json").json()["covered"].as_u64().unwrap();
    assert!(covered >= 9, "{covered}");
    terminal.types("verify").says(&["all chains and seals hold", &format!("{covered} covered by the seals of @world")]).ok();
    terminal.types("replay").says(&["identical", "covered by the seals"]).ok();
    terminal.types("explain @ada/3").says(&["covered by the seal of @world, to which its being delegates"]).ok();
    terminal.types("explain 0").says(&[", signed by its being"]).ok();
    assert_eq!(terminal.types("explain @ada/3 --json").json()["signedBy"], "world");
    assert_eq!(terminal.types("explain 0 --json").json()["signedBy"], "being");
    for (moment, says) in
        [("@ada/3", "carries no signature of its own: the seal answers for it"), ("0", "signed by its being, did:key:z6Mk")]
    {
        terminal.types(&format!("prove {moment} --out {}.json", moment.len())).ok();
        terminal.types(&format!("verify --proof {}.json", moment.len())).says(&[says]).ok();
        if let Some(python) = python() {
            let output = Command::new(python)
                .arg(package().join("tests/verifier/proof.py"))
                .arg(terminal.path(&format!("{}.json", moment.len())))
                .output();
            let output = output.unwrap();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
        }
    }
    terminal.types("inspect").fails(0).says(&["signatures and seals hold"]);
    terminal.types("export town.reelm").ok();
    terminal.types("import town.reelm --data copy").ok();
    terminal.types("verify --data copy").says(&["covered by the seals"]).ok();
    terminal.write("wrong/world.toml", &world.replace("batch", "none"));
    terminal.types("check wrong").fails(1).warns(&["seals: expected `own` or `batch`, found"]);
}
