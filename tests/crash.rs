//! Crash: does everything that a killed process said to be done stand afterwards, and does the world go on as if nothing had been?
//!
//! The real binary is killed (`kill -9`) while it runs, and while it plants. Its output is kept here, outside. Each test prints the
//! seed of its dice; `SEED=…` throws them again.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use serde_json::Value;

use super::kit;
use super::terminal::Terminal;

/// Splitmix64: enough to choose instants.
pub struct Dice(u64);

impl Dice {
    pub fn new(of: &str) -> Self {
        let fresh = || SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_nanos() as u64;
        let seed = std::env::var("SEED").map_or_else(|_| fresh(), |seed| seed.parse().expect("SEED is a number"));
        println!("{of}: SEED={seed}");
        Self(seed)
    }

    pub fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % end.max(1)
    }

    fn wait(&mut self, most: Duration) {
        std::thread::sleep(Duration::from_nanos(self.below(most.as_nanos() as u64)));
    }
}

/// A run whose lines are taken as they come.
struct Run {
    child: Child,
    lines: Receiver<String>,
    reader: JoinHandle<()>,
}

impl Run {
    fn begin(terminal: &Terminal, line: &str) -> Self {
        let mut child = terminal.command(line).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let (told, lines) = channel();
        let reader = std::thread::spawn(move || {
            let mut line = String::new();
            // A line without its end was cut off by the kill: it acknowledges nothing.
            while out.read_line(&mut line).unwrap() > 0 && line.ends_with('\n') {
                let _ = told.send(std::mem::take(&mut line));
            }
        });
        Self { child, lines, reader }
    }

    /// Waits for so many lines and a little more, kills, and gives all the lines that came out.
    fn killed_after(mut self, lines: u64, dice: &mut Dice) -> Vec<String> {
        let mut said = Vec::new();
        for _ in 0..lines {
            match self.lines.recv_timeout(Duration::from_secs(60)) {
                Ok(line) => said.push(line),
                Err(error) => {
                    let _ = self.child.kill();
                    let mut complaint = String::new();
                    self.child.stderr.take().unwrap().read_to_string(&mut complaint).unwrap();
                    panic!("the run ended by itself: {error}; {complaint}");
                }
            }
        }
        dice.wait(Duration::from_millis(4));
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        self.reader.join().unwrap();
        said.extend(self.lines.try_iter());
        said
    }
}

fn seq(line: &Value) -> u64 {
    line["seq"].as_u64().unwrap()
}

/// After how many kills the whole history is verified.
const VERIFIED_EVERY: u32 = 2;

/// Kills a world again and again while it runs.
fn survives(world: &str) {
    let kills = kit::size(2, 100);
    let mut dice = Dice::new(world);
    let terminal = Terminal::new();
    let planted = terminal.types(&format!("run $worlds/{world} --moments 0 --json")).json()["nextSeq"].as_u64().unwrap();
    let mut acked: BTreeMap<u64, Value> = BTreeMap::new();
    for kill in 0..kills {
        let threads = 1 + dice.below(4);
        let run = Run::begin(&terminal, &format!("run $worlds/{world} --moments 1000000 --threads {threads} --json"));
        let lines = dice.below(150);
        let fresh: Vec<Value> = run.killed_after(lines, &mut dice).iter().map(|line| serde_json::from_str(line).unwrap()).collect();
        if let (Some(first), Some(last)) = (fresh.first().map(seq), fresh.last().map(seq)) {
            let kept = terminal.types(&format!("log --from {first} --to {} --json", last + 1)).json_lines();
            assert_eq!(kept.len(), fresh.len(), "kill {kill}: whatever was acknowledged is there");
            kept.iter().zip(&fresh).for_each(|(kept, fresh)| assert_same(&kept["report"], fresh));
        }
        // All signatures from the beginning on: each time would cost more than all else here.
        if (kill + 1) % VERIFIED_EVERY == 0 {
            terminal.types("verify").ok();
        }
        for line in fresh {
            assert_eq!(acked.insert(seq(&line), line), None, "kill {kill}: acknowledged twice");
        }
    }
    assert!(acked.len() > kills as usize, "the kills left time to do something");

    let ended = terminal.types("run --moments 40 --quiet --json").json();
    terminal.types("replay").ok();
    // The same without any kill, to the same frame.
    let moments = ended["nextSeq"].as_u64().unwrap() - planted;
    let mut whole = terminal.types(&format!("run $worlds/{world} --data whole --moments {moments} --json")).json_lines();
    let unbroken = whole.pop().unwrap();
    assert_eq!((&unbroken["nextSeq"], &unbroken["worldHash"]), (&ended["nextSeq"], &ended["worldHash"]));
    let whole: BTreeMap<u64, Value> = whole.into_iter().map(|line| (seq(&line), line)).collect();
    acked.iter().for_each(|(seq, line)| assert_eq!(whole.get(seq), Some(line), "as if nothing had been"));
}

/// A line of the log is the one that was shown; only why something is worn is shown when it changes, and what a script said beside its
/// deed is told live and by `explain`.
fn assert_same(kept: &Value, shown: &Value) {
    let (mut kept, mut shown) = (kept.clone(), shown.clone());
    for one in [&mut kept, &mut shown] {
        (one["why"], one["notes"]) = (Value::Null, Value::Null);
    }
    assert_eq!(kept, shown);
}

#[test]
fn court_survives_every_kill() {
    survives("court");
}

#[test]
#[ignore = "long: a run is killed again and again, and lived anew after each kill"]
fn dance_survives_every_kill() {
    survives("dance");
}

#[test]
#[ignore = "long: a run is killed again and again, and lived anew after each kill"]
fn library_survives_every_kill() {
    survives("library");
}

#[test]
#[ignore = "long: a run is killed again and again, and lived anew after each kill"]
fn skateco_survives_every_kill() {
    survives("skateco");
}

#[test]
#[ignore = "long: a run is killed again and again, and lived anew after each kill"]
fn town_survives_every_kill() {
    survives("town");
}

#[test]
#[ignore = "long: a compression is killed again and again"]
fn a_kill_while_segments_are_compressed_loses_nothing() {
    let mut dice = Dice::new("compressing");
    let terminal = Terminal::with_world("dance", 1500);
    let world = terminal.path("world");
    kit::in_segments(&world, 96 << 10);
    let before = terminal.types("log --json").json_lines();
    let begun = kit::segments(&world, ".seg").len();
    assert!(begun > 4, "{begun} segments");
    let (mut kills, mut cut_off) = (0, 0);
    while kit::segments(&world, ".seg").len() > 1 && kills < 3 * begun {
        let run = Run::begin(&terminal, "run $worlds/dance --moments 1000000 --json");
        let (plain, is_left, began) = (kit::segments(&world, ".seg").len(), !kit::segments(&world, ".new").is_empty(), Instant::now());
        // Until the next one is being compressed; where one was cut off before, until that is done.
        while (is_left || kit::segments(&world, ".new").is_empty()) && kit::segments(&world, ".seg").len() == plain {
            assert!(began.elapsed() < Duration::from_secs(60), "nothing is compressed");
            std::thread::yield_now();
        }
        dice.wait(Duration::from_millis(3));
        run.killed_after(0, &mut dice);
        kills += 1;
        cut_off += kit::segments(&world, ".new").len();
        let twice = kit::segments(&world, ".segz").iter().filter(|path| path.with_extension("seg").exists()).count();
        println!("kill {kills}: {} plain, {twice} in both forms, {cut_off} cut off", kit::segments(&world, ".seg").len());
        assert_eq!(terminal.types(&format!("log --from 0 --to {} --json", before.len())).json_lines(), before);
        terminal.types("verify").ok();
    }
    assert_eq!((kit::segments(&world, ".seg").len(), kit::segments(&world, ".new").len()), (1, 0));
    terminal.types("replay").ok();
}

#[test]
fn a_kill_while_planting_leaves_nothing_or_a_whole_world() {
    let mut dice = Dice::new("planting");
    let terminal = Terminal::new();
    let began = Instant::now();
    let whole = terminal.types("run $worlds/skateco --data whole --moments 0 --json").json();
    let took = began.elapsed();
    let mut cut_off = 0;
    for kill in 0..kit::size(4, 12) {
        // Now and then the second attempt is killed, too.
        for _ in 0..=dice.below(2) {
            let run = Run::begin(&terminal, &format!("run $worlds/skateco --data {kill} --moments 0 --json"));
            dice.wait(took);
            run.killed_after(0, &mut dice);
        }
        let frames = if terminal.path(&format!("{kill}/world.toml")).exists() {
            let said = terminal.types(&format!("verify --data {kill} --json"));
            if said.code == 1 && said.err.contains("no world was planted") { Some(0) } else { said.json()["frames"].as_u64() }
        } else {
            terminal.types(&format!("verify --data {kill}")).fails(1);
            Some(0)
        };
        assert!(frames == Some(0) || frames == whole["nextSeq"].as_u64(), "{frames:?} frames");
        cut_off += u32::from(frames == Some(0));
        let again = terminal.types(&format!("run $worlds/skateco --data {kill} --moments 0 --json")).json();
        assert_eq!((&again["nextSeq"], &again["worldHash"]), (&whole["nextSeq"], &whole["worldHash"]), "planted after the kill");
        terminal.types(&format!("run --data {kill} --moments 5 --quiet")).ok();
        terminal.types(&format!("verify --data {kill}")).ok();
    }
    assert!(cut_off > 0, "no kill came before the planting was done");
}
