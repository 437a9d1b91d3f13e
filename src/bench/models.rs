//! Models: how busy the connection to a model is kept by many beings who wake one after the other, each in a room with others: asked only
//! when it is their turn, and asked ahead.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::cognition::{Asking, Connection, Reply, Request};
use crate::fact::simulated;
use crate::minds::{Ahead, Heard, Minds};
use crate::run::{Course, Living, Pace, Reins, Until};
use crate::store::MemoryStore;

use super::figure::{Figure, median};
use super::ground::{BenchError, Ground};
use super::size::Size;

/// How long a reply takes.
const TAKES: Duration = Duration::from_millis(100);
/// How many the connection answers at once.
const PARALLEL: usize = 16;
/// How many of the beings there are to a room.
const A_ROOM: usize = 10;
/// As far ahead as a run asks by itself.
const SPAN: i64 = 60_000;

/// A model that says the same after a while, to so many at once.
#[derive(Clone, Default)]
struct Slow {
    open: Arc<(Mutex<usize>, Condvar)>,
    asked: Arc<AtomicUsize>,
}

impl Slow {
    fn once(&self) -> Reply {
        let (open, left) = &*self.open;
        let full = |open: &mut usize| *open >= PARALLEL;
        *left.wait_while(open.lock().unwrap_or_else(PoisonError::into_inner), full).unwrap_or_else(PoisonError::into_inner) += 1;
        std::thread::sleep(TAKES);
        self.asked.fetch_add(1, Ordering::Relaxed);
        *open.lock().unwrap_or_else(PoisonError::into_inner) -= 1;
        left.notify_one();
        let act = r#"{\"action\":\"say\",\"args\":{\"content\":\"Rain.\"}}"#;
        let call = format!(r#"{{"type":"function","function":{{"name":"do","arguments":"{act}"}}}}"#);
        let body = format!(r#"{{"choices":[{{"finish_reason":"tool_calls","message":{{"tool_calls":[{call}]}}}}]}}"#);
        Reply::of(Asking { status: Some(200), body: Some(body.into()), ..Asking::default() })
    }
}

impl Minds for Slow {
    fn ask(&mut self, requests: &[Request]) -> Vec<Reply> {
        std::thread::scope(|scope| {
            let asked: Vec<_> = requests.iter().map(|_| scope.spawn(|| self.once())).collect();
            asked.into_iter().map(|one| one.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))).collect()
        })
    }

    fn begin(&mut self, _: Request, heard: Heard) {
        let slow = self.clone();
        std::thread::spawn(move || heard.tell(slow.once()));
    }

    fn lacks_key(&self, _: &Connection) -> bool {
        false
    }
}

const ROLE: &str = "---\nname: talker\ncanSee: ['**']\ncanDo: [say]\n---\n\nYou talk about the weather.\n";

/// How often each of them wakes, in milliseconds.
const EVERY: usize = 600_000;

/// Beings in rooms, who wake one after the other.
fn world(beings: usize) -> String {
    let rooms = beings.div_ceil(A_ROOM);
    let room = |room: usize| format!("[[space]]\npath = \"/r{room}\"\nallow = [\"say\"]\n");
    let being = |at: usize| {
        format!(
            "[[being]]\nname = \"b{at}\"\nhome = \"/r{}\"\nrole = \"talker\"\ncognition = \"llm\"\n\
             [[being.schedule]]\nname = \"t\"\nevery = \"{EVERY}ms\"\noffset = \"{}ms\"\n",
            at % rooms,
            at * EVERY / beings
        )
    };
    format!(
        "name = \"talkers\"\nseed = 1\nstart = \"2026-01-01T00:00:00\"\n[config]\n\"llm.connection\" = \"slow\"\n\
         \"llm.slow\" = {{ base_url = \"http://127.0.0.1:9/v1\", model = \"slow\", parallel = {PARALLEL} }}\n{}{}",
        (0..rooms).map(room).collect::<String>(),
        (0..beings).map(being).collect::<String>()
    )
}

/// Which share of what the connection takes it was given, and how many calls a moment took.
fn busy(beings: usize, span: i64, moments: usize, ground: &Ground) -> Result<(f64, f64), BenchError> {
    let source = ground.source("talkers", &[("world.toml", &world(beings)), ("roles/talker.md", ROLE)])?;
    let (_, id) = simulated(&source.name, source.seed);
    let mut living = Living::plant_in(&source, None, Box::new(MemoryStore::new(id)), 1)?;
    let slow = Slow::default();
    let ahead = Ahead::new(Box::new(slow.clone()), span, None).map_err(|_| BenchError::Nothing("nobody can be asked ahead"))?;
    living.asking(Box::new(ahead));
    let until = Until { moments: Some(moments as u64), ..Until::default() };
    let begun = Instant::now();
    let ran = living.run(Course { pace: Pace::Virtual, until, reins: &Reins::default(), watch: None, measures: None })?;
    let (asked, took) = (slow.asked.load(Ordering::Relaxed) as f64, begun.elapsed().as_secs_f64());
    Ok((asked * TAKES.as_secs_f64() / (took * PARALLEL as f64), asked / ran.tally.moments().max(1) as f64))
}

pub(super) fn measure(size: &Size, ground: &Ground) -> Result<Vec<Figure>, BenchError> {
    let mut figures = Vec::new();
    // One after the other they take a reply's time each: some are enough to see it.
    let beings = size.beings.min(500);
    for (how, span, moments) in [("when it is their turn", 0, beings.min(50)), ("a minute ahead", SPAN, beings)] {
        let runs = (0..size.runs.min(3)).map(|_| busy(beings, span, moments, ground)).collect::<Result<Vec<_>, _>>()?;
        let (busy, calls) = runs.into_iter().unzip::<_, _, Vec<f64>, Vec<f64>>();
        let note = format!("{beings} beings, {A_ROOM} to a room, who all talk; {PARALLEL} calls at once, {} ms each", TAKES.as_millis());
        figures.push(Figure::new("models", format!("a connection kept busy, asked {how}"), 100.0 * median(busy), "%").noting(note));
        figures.push(Figure::new("models", format!("calls a moment, asked {how}"), median(calls), "calls"));
    }
    Ok(figures)
}
