//! Prompt: writing what a model is told, in a room with documents and others, after a short and after a long life: what it was told once at
//! its beginning comes to its mind all the same.

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
/// What it was told once, what is asked of it, and the word by which it is known again.
const TOLD: &str = "The key of the attic lies under the third stone of the wall.";
const ASKED: &str = "Where does the key of the attic lie?";
const KNOWN: &str = "under the third stone";

const WORLD: &str = r#"
name = "talk"
seed = 1
start = "2026-01-01T00:00:00"
[config]
"llm.connection" = "tiny"
"llm.tiny" = { base_url = "http://127.0.0.1:9/v1", model = "tiny" }
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
    let wake = Wake { id, newest: made, failed: 0, looked: 0, quiet: false, root: None, depth: 0, body };
    Ok(open(world, being, &Arc::new(wake), world.at(), None, &mut Composer::default()))
}

/// A library in which ten talk, once so much has been said.
fn talked(moments: usize, ground: &Ground) -> Result<Engine, BenchError> {
    // Ten seconds behind the beginning each has spoken once.
    let talk = TALK.replace("BEGINNING", "1767225610001").replace("TOLD", TOLD);
    let files = [("world.toml", WORLD), ("roles/listener.md", LISTENER), ("roles/talker.md", TALKER), ("scripts/talk.rhai", &talk)];
    let source = ground.source("talk", &files)?;
    let (master, id) = simulated(&source.name, source.seed);
    let living = Living::plant_in(&source, None, Box::new(MemoryStore::new(id)), 1)?;
    let mut engine = Engine::new((**living.world()).clone(), master, 1);
    rounds(&mut engine, moments)?;
    Ok(engine)
}

pub(super) fn measure(size: &Size, ground: &Ground) -> Result<Vec<Figure>, BenchError> {
    let mut figures = Vec::new();
    for moments in LIVES.map(|moments| moments.min(size.longest)) {
        let engine = talked(moments, ground)?;
        let opening = of(&engine)?;
        let mut sandbox = Sandbox::new(Limits::default());
        let mut write = || request(black_box(&opening), engine.world(), &mut sandbox);
        let written = write().map_err(|_| BenchError::Nothing("the prompt cannot be written"))?;
        let bytes: usize = written.messages().iter().map(|(_, content)| content.len()).sum();
        if !written.body.contains(KNOWN) {
            return Err(BenchError::Nothing("what was told at the beginning did not come to mind"));
        }
        let mut once = || {
            let (_, took) = timed(|| (0..BATCH).for_each(|_| drop(black_box(write()))));
            took.as_secs_f64() * 1e6 / BATCH as f64
        };
        let cost = median((0..size.runs).map(|_| once()).collect());
        let of = format!("after {moments} moments of others");
        figures.push(Figure::new("prompt", format!("a prompt, written {of}"), cost, "µs").noting("aim: under 200"));
        figures.push(
            Figure::new("prompt", format!("its length {of}"), (bytes / TOKEN) as f64, "tokens")
                .noting("what it was told once, before all of them, stands in it"),
        );
    }
    Ok(figures)
}
