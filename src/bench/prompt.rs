//! Prompt: writing what a model is told, in a room with documents and others, after a short and after a long life: what it was told once at
//! its beginning comes to its mind all the same. And on a grid among few and among many, of whom it is told the nearest.

use std::hint::black_box;
use std::sync::Arc;

use crate::cognition::request;
use crate::fact::{Made, Rank, Text, Value, WakeId, WakeKind, simulated};
use crate::moment::{Composer, Opening, open};
use crate::run::{Engine, Living};
use crate::script::{Limits, Sandbox};
use crate::store::MemoryStore;
use crate::verb::TOKEN;
use crate::world::{Body, Wake};

use super::figure::Figure;
use super::figure::{median, timed};
use super::ground::{BenchError, Ground, rounds};
use super::size::Size;

/// How many prompts are timed at once.
const BATCH: usize = 200;
/// How many moments others have had since it was told.
const LIVES: [usize; 2] = [1_000, 100_000];
/// The sentence that the being was told once, the question, and the words that mark a right answer.
const TOLD: &str = "The key of the attic lies under the third stone of the wall.";
const ASKED: &str = "Where does the key of the attic lie?";
const KNOWN: &str = "under the third stone";

const HEAD: &str = r#"
name = "talk"
seed = 1
start = "2026-01-01T00:00:00"
[config]
"llm.connection" = "tiny"
"llm.tiny" = { base_url = "http://127.0.0.1:9/v1", model = "tiny" }
"#;
const TALKERS: &str = r#"
[[space]]
path = "/library"
allow = ["say"]
[[being]]
name = "ada"
home = "/library"
role = "listener"
cognition = "llm"
[[population]]
prefix = "talker"
count = 10
home = "/library"
role = "talker"
script = "talk"
[[population.schedule]]
name = "talk"
every = "10s"
spread = true
"#;
/// How many others stand on the grid.
const CROWDS: [usize; 2] = [100, 100_000];
/// The length of its sides.
const SIDE: usize = 1_000;
const FIELD: &str = r#"
[[space]]
path = "/field"
size = [1000, 1000]
"#;
const LISTENER: &str = "---\nname: listener\ncanSee: ['**']\ncanDo: [say]\ncanSummon: ['**']\n---\n\nYou keep the library.\n";
const TALKER: &str = "---\nname: talker\ncanDo: [say]\n---\n";
const TALK: &str = r#"
fn think(face) {
    if face.me.name == "talker-1" && face.time.at < BEGINNING { return act(face.me.position, "say", #{ content: "TOLD" }); }
    let words = ["rain", "bread", "a key", "the wall", "a stone", "low tide", "the fair", "a song"];
    let said = face.me.name + " thinks of";
    for n in 0..8 { said += " " + words[random_int(0, 7)] + ","; }
    act(face.me.position, "say", #{ content: said })
}
"#;

fn of(engine: &Engine) -> Result<Opening, BenchError> {
    let world = engine.world();
    let being = world.being_named("ada").ok_or(BenchError::Nothing("nobody listens"))?;
    let made = Made { seq: world.next_seq(), index: 0 };
    let body = Body::Schedule { name: Text::from("ask"), content: Arc::new(Value::text(ASKED)) };
    let id = WakeId { rank: Rank::Normal, due: world.at(), cause: made, kind: WakeKind::Schedule };
    let wake = Wake::by_nobody(id, body);
    Ok(open(world, being, &Arc::new(wake), world.at(), None, &mut Composer::default()))
}

/// The mind of those who talk. Ten seconds behind the beginning each has spoken once.
fn talk() -> String {
    TALK.replace("BEGINNING", "1767225610001").replace("TOLD", TOLD)
}

/// A library in which ten talk, once so much has been said.
fn talked(moments: usize, ground: &Ground) -> Result<Engine, BenchError> {
    let talk = talk();
    let world = format!("{HEAD}{TALKERS}");
    let files =
        [("world.toml", world.as_str()), ("roles/listener.md", LISTENER), ("roles/talker.md", TALKER), ("scripts/talk.rhai", &talk)];
    let source = ground.source("talk", &files)?;
    let (master, id) = simulated(&source.name, source.seed);
    let living = Living::plant_in(&source, None, Box::new(MemoryStore::new(id)), 1)?;
    let mut engine = Engine::new((**living.world()).clone(), master, 1);
    rounds(&mut engine, moments)?;
    Ok(engine)
}

/// So many on a grid, and Ada, who was born last.
fn crowd(count: usize, ground: &Ground) -> Result<Engine, BenchError> {
    let one = |name: String, at: usize, more: &str| {
        // A step that shares no divisor with the sides comes to every spot.
        let (x, y) = (at * 7_919 % SIDE, at * 104_729 / SIDE % SIDE);
        format!("[[being]]\nname = \"{name}\"\nhome = \"/field\"\ncoords = [{x}, {y}]\n{more}")
    };
    let mut text = format!("{HEAD}{FIELD}");
    text.extend((0..count).map(|at| one(format!("w{at}"), at, "role = \"talker\"\nscript = \"talk\"\n")));
    text += &one("ada".to_owned(), SIDE / 2, "role = \"listener\"\ncognition = \"llm\"\n");
    let talk = talk();
    let files = [("world.toml", text.as_str()), ("roles/listener.md", LISTENER), ("roles/talker.md", TALKER), ("scripts/talk.rhai", &talk)];
    let source = ground.source("field", &files)?;
    let (master, id) = simulated(&source.name, source.seed);
    let living = Living::plant_in(&source, None, Box::new(MemoryStore::new(id)), 1)?;
    Ok(Engine::new((**living.world()).clone(), master, 1))
}

/// How long a prompt takes to be written, in µs, and how long it is, in bytes.
fn written(engine: &Engine, known: &str, size: &Size) -> Result<(f64, usize), BenchError> {
    let opening = of(engine)?;
    let mut sandbox = Sandbox::new(Limits::default());
    let mut write = || request(black_box(&opening), engine.world(), &mut sandbox);
    let written = write().map_err(|_| BenchError::Nothing("the prompt cannot be written"))?;
    let bytes: usize = written.messages().iter().map(|(_, content)| content.len()).sum();
    if !written.body.contains(known) {
        return Err(BenchError::Nothing("what belongs into the prompt does not stand there"));
    }
    let mut once = || {
        let (_, took) = timed(|| (0..BATCH).for_each(|_| drop(black_box(write()))));
        took.as_secs_f64() * 1e6 / BATCH as f64
    };
    Ok((median((0..size.runs).map(|_| once()).collect()), bytes))
}

pub(super) fn measure(size: &Size, ground: &Ground) -> Result<Vec<Figure>, BenchError> {
    let mut figures = Vec::new();
    for moments in LIVES.map(|moments| moments.min(size.longest)) {
        let (cost, bytes) = written(&talked(moments, ground)?, KNOWN, size)?;
        let of = format!("after {moments} moments of others");
        figures.push(Figure::new("prompt", format!("a prompt, written {of}"), cost, "µs").noting("aim: under 200"));
        figures.push(
            Figure::new("prompt", format!("its length {of}"), (bytes / TOKEN) as f64, "tokens")
                .noting("what it was told once, before all of them, stands in it"),
        );
    }
    for count in CROWDS.map(|count| count.min(size.longest)) {
        let (cost, _) = written(&crowd(count, ground)?, "away", size)?;
        figures
            .push(Figure::new("prompt", format!("a prompt among {count} on a grid"), cost, "µs").noting("the nearest of them stand in it"));
    }
    Ok(figures)
}
