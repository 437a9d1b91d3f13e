//! Proof: is one frame proved to whoever has nothing of its world, and nothing else?
//!
//! Ways up are tried over hashes alone, whole proofs over a small world, and what the commands say by a program that knows only FORMAT.md.

use std::process::Command;

use proptest::prelude::*;
use proptest::sample::Index;
use reelm::fact::{FORMAT, Frame, Hash, Peaks, Signature, WorldId, head_above, height};
use reelm::reel::{Proof, ProofError, WaysUp};

use super::kit::{self, Small};
use super::terminal::{Terminal, package};
use super::verifier::python;

fn frames(count: u64) -> Vec<Hash> {
    (0..count).map(|n| Hash::of(n.to_string().as_bytes())).collect()
}

fn peaks_over(frames: &[Hash]) -> Peaks {
    let mut peaks = Peaks::default();
    frames.iter().for_each(|frame| peaks.push(*frame));
    peaks
}

fn ways(seqs: &[u64], frames: &[Hash]) -> Vec<Vec<Hash>> {
    let mut ways = WaysUp::going_on(seqs, frames.len() as u64, &Peaks::default());
    (0..).zip(frames).for_each(|(seq, frame)| ways.pass(seq, *frame));
    ways.hashes()
}

fn way(seq: u64, frames: &[Hash]) -> Vec<Hash> {
    ways(&[seq], frames).remove(0)
}

#[test]
fn the_heads_are_those_of_the_document() {
    assert_eq!(Peaks::default().head(), Hash::NOTHING);
    let document = std::fs::read_to_string(package().join("docs/FORMAT.md")).unwrap();
    let vectors: Vec<(u64, &str)> = document
        .lines()
        .filter_map(|line| line.strip_prefix("    count ")?.trim().split_once(' '))
        .map(|(count, head)| (count.parse().unwrap(), head.trim()))
        .collect();
    assert_eq!(vectors.len(), 4);
    for (count, head) in vectors {
        assert_eq!(peaks_over(&frames(count)).head().to_string(), head, "{count}");
    }
}

proptest! {
    #![proptest_config(kit::cases(16, 64))]

    #[test]
    fn each_frame_leads_to_the_head_and_none_leads_there_from_another_place(count in 1u64..600, at in any::<Index>(), bit in any::<Index>()) {
        let (frames, seq) = (frames(count), at.index(count as usize) as u64);
        let (head, own, way) = (peaks_over(&frames).head(), frames[seq as usize], way(seq, &frames));
        prop_assert_eq!(head_above(seq, count, own, &way), Some(head));
        prop_assert_eq!(way.len(), height(seq, count));
        for other in (0..count + 2).filter(|other| *other != seq) {
            prop_assert!(head_above(other, count, own, &way) != Some(head), "{} for {}", other, seq);
        }
        for other in [count - 1, count + 1, count * 2, u64::MAX] {
            prop_assert!(head_above(seq, other, own, &way) != Some(head), "{} for {}", other, count);
        }
        prop_assert_eq!(head_above(seq, count, own, &[way.as_slice(), &[own]].concat()), None);
        if let Some((_, shorter)) = way.split_last() {
            prop_assert_eq!(head_above(seq, count, own, shorter), None);
            let mut bent = way.clone();
            let bit = bit.index(way.len() * 256);
            bent[bit / 256].0[bit / 8 % 32] ^= 1 << (bit % 8);
            prop_assert!(head_above(seq, count, own, &bent) != Some(head));
        }
    }

    #[test]
    fn a_head_goes_on_from_its_peaks(count in 0u64..600, at in any::<Index>()) {
        let frames = frames(count);
        let (before, behind) = frames.split_at(at.index(count as usize + 1));
        let kept = peaks_over(before).as_slice().to_vec();
        prop_assert_eq!(Peaks::going_on(before.len() as u64, [kept.as_slice(), &[Hash::NOTHING]].concat()), None);
        let mut peaks = Peaks::going_on(before.len() as u64, kept).unwrap();
        behind.iter().for_each(|frame| peaks.push(*frame));
        prop_assert_eq!(peaks.head(), peaks_over(&frames).head());
    }
}

/// The proof of one frame of a small world by its newest head.
fn proved(small: &Small, seq: u64) -> Proof {
    let frames = small.shelf.frames();
    let hashes: Vec<Hash> = frames.iter().map(Frame::hash).collect();
    let (frame, newest) = (&frames[seq as usize], small.shelf.groups().pop().unwrap());
    let key = |being| small.master.key(small.id, being).public().to_hash();
    Proof {
        format: FORMAT,
        world: small.id,
        root_key: key(reelm::fact::BeingId::WORLD),
        origins: Vec::new(),
        seq,
        frame: frame.bytes().to_vec(),
        key: frame.signature().map(|_| key(frame.draft().being)),
        count: frames.len() as u64,
        path: way(seq, &hashes),
        head: newest.head,
        seal: Signature(newest.seal),
        companions: Vec::new(),
    }
}

const SOURCE: &str =
    "[[being]]\nname = \"ada\"\nhome = \"/\"\nrole = \"free\"\nscript = \"count\"\n[[being.schedule]]\nname = \"beat\"\nevery = \"1m\"\n";

#[test]
fn a_proof_with_any_bit_of_it_turned_proves_nothing() {
    let mut small = Small::plant(SOURCE);
    small.run("20m");
    let last = small.shelf.frames().len() as u64 - 1;
    for seq in [0, 1, last / 2, last] {
        assert_eq!(proved(&small, seq).check().unwrap().draft().seq, seq);
    }
    let whole = proved(&small, last / 2);
    let read = serde_json::from_str::<Proof>(&serde_json::to_string(&whole).unwrap()).unwrap();
    assert_eq!(read, whole);
    let flipped = |bytes: &[u8], bit: usize| {
        let mut bytes = bytes.to_vec();
        bytes[bit / 8] ^= 1 << (bit % 8);
        bytes
    };
    for bit in 0..whole.frame.len() * 8 {
        assert!(Proof { frame: flipped(&whole.frame, bit), ..whole.clone() }.check().is_err(), "frame, bit {bit}");
    }
    for bit in 0..512 {
        let seal = Signature(flipped(&whole.seal.0, bit).try_into().unwrap());
        assert_eq!(Proof { seal, ..whole.clone() }.check(), Err(ProofError::Seal), "seal, bit {bit}");
    }
    let turned = |hash: Hash, bit: usize| Hash(flipped(&hash.0, bit).try_into().unwrap());
    for bit in 0..256 {
        for at in 0..whole.path.len() {
            let mut bent = whole.clone();
            bent.path[at] = turned(bent.path[at], bit);
            assert!(matches!(bent.check(), Err(ProofError::Head { .. })), "path {at}, bit {bit}");
        }
        for bent in [
            Proof { head: turned(whole.head, bit), ..whole.clone() },
            Proof { root_key: turned(whole.root_key, bit), ..whole.clone() },
            Proof { key: whole.key.map(|key| turned(key, bit)), ..whole.clone() },
        ] {
            assert!(bent.check().is_err(), "bit {bit}");
        }
    }
    for bit in 0..64 {
        assert!(Proof { count: whole.count ^ (1 << bit), ..whole.clone() }.check().is_err(), "count, bit {bit}");
        assert!(Proof { seq: whole.seq ^ (1 << bit), ..whole.clone() }.check().is_err(), "seq, bit {bit}");
        assert!(Proof { format: whole.format ^ (1 << bit), ..whole.clone() }.check().is_err(), "format, bit {bit}");
    }
    assert!(matches!(Proof { world: WorldId([1; 16]), ..whole }.check(), Err(ProofError::World { .. })));
}

#[test]
fn a_frame_among_ten_million_is_proved_in_less_than_two_kibibytes() {
    let mut small = Small::plant("");
    let count = 10_000_000;
    for seq in [0, 1, 4_999_999, 8_388_607, 8_388_608, 9_999_999] {
        let proof = Proof { seq, count, path: vec![Hash::NOTHING; height(seq, count)], frame: Vec::new(), ..proved(&small, 0) };
        let size = serde_json::to_string(&proof).unwrap().len();
        assert!(proof.path.len() <= 24 && size < 2048, "{size} bytes with {} hashes", proof.path.len());
    }
    // At any distance that a seq can have, as bytes.
    assert!((0..64).all(|bit| height(1 << bit, u64::MAX) <= 64) && height(u64::MAX, u64::MAX) == 0);
    small.run("1m");
}

fn script(terminal: &Terminal, file: &str) -> Option<(bool, String)> {
    let program = package().join("tests/verifier/proof.py");
    let output = Command::new(python()?).arg(program).arg(terminal.path(file)).output().unwrap();
    Some((output.status.success(), String::from_utf8_lossy(&output.stdout).into_owned()))
}

#[test]
fn a_proof_is_checked_without_the_world_by_the_command_and_by_a_program_of_a_hundred_lines() {
    let terminal = Terminal::with_world("court", 60);
    // Opened again, the head goes on from the checkpoint of the stop.
    terminal.types("run --moments 20").ok();
    let verified = terminal.types("verify --json").json();
    let (frames, head) = (verified["frames"].as_u64().unwrap(), verified["head"].as_str().unwrap().to_owned());
    for moment in ["0", "7", "@judith/1", &format!("{}", frames - 1)] {
        let text = terminal.types(&format!("prove {moment}")).ok();
        terminal.write("one.json", &text);
        let said = terminal
            .types("verify --proof one.json --data nowhere")
            .says(&[&format!("its first {frames} frames"), "sealed by @world", &head])
            .ok();
        assert!(said.contains("did:key:z6Mk"), "{said}");
        let known = terminal.types("verify --proof one.json --data nowhere --json").json();
        assert_eq!((known["count"].as_u64(), known["holds"].as_bool()), (Some(frames), Some(true)));
        if let Some((is_held, said)) = script(&terminal, "one.json") {
            assert!(is_held && said.contains(&head), "{said}");
        }
    }
    terminal.types("prove 3 --out three.json").says(&["wrote the proof of frame 3 to `three.json`"]).ok();
    terminal.types("verify --proof three.json").says(&["frame 3 stands in the history"]).ok();
    terminal.types("prove 3 --out three.json").fails(1).warns(&["cannot write `three.json`"]);
    let text = terminal.read("one.json");
    let proof: Proof = serde_json::from_str(&text).unwrap();
    for (name, key) in [("path", "\"path\":\""), ("frame", "\"frame\":\"8296015"), ("seal", "\"seal\":\""), ("head", "\"head\":\"")] {
        let at = text.find(key).unwrap() + key.len();
        let other = if &text[at..=at] == "0" { "1" } else { "0" };
        terminal.write("bent.json", &format!("{}{other}{}", &text[..at], &text[at + 1..]));
        terminal.types("verify --proof bent.json").fails(3).warns(&["bent.json", "proves nothing"]);
        if let Some((is_held, said)) = script(&terminal, "bent.json") {
            assert!(!is_held, "{name}: {said}");
        }
    }
    let write = |proof: &Proof| terminal.write("other.json", &serde_json::to_string(proof).unwrap());
    write(&Proof { world: WorldId([7; 16]), ..proof.clone() });
    terminal.types("verify --proof other.json").fails(3).warns(&["is of the world 0707", "the frame in it is of the world"]);
    write(&Proof { count: 3, ..proof.clone() });
    terminal.types("verify --proof other.json").fails(3).warns(&["its head is over 3 frames"]);
    write(&Proof { format: 9, ..proof.clone() });
    terminal.types("verify --proof other.json").fails(1).warns(&["a newer one is needed"]);
    terminal.write("cut.json", &text[..text.len() / 2]);
    terminal.types("verify --proof cut.json").fails(1).warns(&["`cut.json` is no proof, or not all of one", "`reelm prove` writes one"]);
    terminal.types("verify --proof none.json").fails(1).warns(&["cannot read `none.json`"]);
    terminal.types(&format!("prove {frames}")).fails(1).warns(&[&format!("there is no frame {frames}; the world ends before {frames}")]);
}
