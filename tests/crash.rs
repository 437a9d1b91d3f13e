//! Crash: is anything lost that was acknowledged, when the process is killed at any instant?
//!
//! The real binary runs a world and prints a line for each moment once it is durable; the lines are kept here, outside. It is killed
//! again and again; whatever it had said must be there, and the world must go on to what an undisturbed run comes to.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::AtomicBool;

use reelm::replay::{Thread, replay};
use reelm::run::{Course, Living, Pace, Source, Until, load, report};
use reelm::store::{LogStore, Mode};

/// How often the process is killed.
const KILLS: u64 = 100;

fn seed() -> u64 {
    std::env::var("SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1977)
}

/// Dice that need no library: the same seed gives the same kills.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }
}

fn world() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/worlds/dance")
}

/// Runs the binary, reads so many acknowledged lines, and kills it. Gives whatever it had said.
fn run_and_kill(dir: &Path, lines: u64) -> Vec<serde_json::Value> {
    let mut child = Command::new(env!("CARGO_BIN_EXE_reelm"))
        .args(["run", "--json", "--for", "30d", "--data"])
        .arg(dir)
        .arg(world())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut said = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut acked = Vec::new();
    for line in said.by_ref().take(lines as usize) {
        acked.push(serde_json::from_str(&line.unwrap()).unwrap());
    }
    child.kill().unwrap();
    // What it had written before it died was said too; only the very last line may be half a line.
    acked.extend(said.map_while(Result::ok).filter_map(|line| serde_json::from_str(&line).ok()));
    child.wait().unwrap();
    acked
}

#[test]
fn nothing_acknowledged_is_lost_in_a_hundred_kills() {
    let (temp, mut dice) = (tempfile::tempdir().unwrap(), Dice(seed()));
    println!("SEED={}", seed());
    let dir = temp.path().join("world");
    let mut acked: BTreeMap<u64, serde_json::Value> = BTreeMap::new();
    for kill in 0..KILLS {
        let lines = dice.below(60);
        for line in run_and_kill(&dir, lines) {
            let seq = line["seq"].as_u64().unwrap();
            assert!(acked.insert(seq, line).is_none(), "kill {kill}: frame {seq} was acknowledged twice");
        }
    }
    assert!(acked.len() as u64 > KILLS, "only {} moments were acknowledged", acked.len());
    let (store, _) = LogStore::open(&dir, Mode::Read).unwrap();
    let id = store.world_file().world;
    let mut there: BTreeMap<u64, serde_json::Value> = BTreeMap::new();
    let loaded = load(&store, id, None, |frame, world| {
        let told = report(frame.draft(), world, None);
        there.insert(told.seq, serde_json::to_value(told).unwrap());
    })
    .unwrap();
    for (seq, said) in &acked {
        for field in ["being", "at", "closing", "deed", "stack", "place"] {
            assert_eq!(there.get(seq).map(|frame| &frame[field]), Some(&said[field]), "frame {seq}, {field}");
        }
    }
    let replayed = replay(&store, id, Thread::default(), &mut |_| {}).unwrap();
    assert_eq!(replayed.difference, None);
    // Undisturbed, the same source comes to the same world: a kill falls on the border of a round.
    assert_eq!(undisturbed(temp.path(), loaded.world.next_seq()), loaded.world.hash().to_string());
}

/// The hash of an undisturbed run at the same frame.
fn undisturbed(temp: &Path, next: u64) -> String {
    let source = Source::read(&world()).unwrap();
    let dir = temp.join("undisturbed");
    let mut living = Living::plant(&source, None, &dir, 2).unwrap();
    let planted = living.world().next_seq();
    let stop = AtomicBool::new(false);
    let until = Until { moments: Some(next - planted), ..Until::default() };
    living.run(Course { pace: Pace::Virtual, until, stop: &stop, watch: None, measures: None }).unwrap();
    let (world, _) = living.stop().unwrap();
    assert_eq!(world.next_seq(), next, "the killed run ends on the border of a round");
    world.hash().to_string()
}
