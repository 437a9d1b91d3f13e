//! Replay: do the recordings in replay/ come out of today's code as they went in?
//!
//! `REMAKE=1 cargo test --test reelm replay::` lets each of them happen anew, from the world and for the moments that its `from.toml` names.
//! That is for a commit that raises `SEMANTICS`, and for no other. A model's answers are taken from its cassette, in their order, and the cassette
//! is written anew for the requests as they are now.

use std::collections::VecDeque;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use reelm::cognition::{Reply, Request};
use reelm::fact::Code;
use reelm::minds::{Cassette, Minds, Recorder, Tape};
use reelm::moment::SEMANTICS;
use reelm::replay::{Replayed, Thread, replay};
use reelm::run::{Course, Living, Pace, Reins, Until};
use reelm::source::Source;
use reelm::store::{LogStore, Mode, Store, StreamStore, export};
use serde::Deserialize;

/// The inputs of a recording.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct From {
    /// The world's source, below the project.
    world: String,
    /// It stops after the round in which so many moments have closed.
    moments: u64,
    /// The recorded answers of its models, below the project.
    cassette: Option<PathBuf>,
}

impl From {
    fn of(dir: &Path) -> Self {
        toml::from_str(&fs::read_to_string(dir.join("from.toml")).unwrap()).unwrap()
    }

    /// The world of the recording, planted anew and lived by these minds.
    fn lives(&self, minds: Option<Box<dyn Minds>>, dir: &Path) -> LogStore {
        let mut living = Living::plant(&Source::read(&root().join(&self.world)).unwrap(), None, dir, 1).unwrap();
        if let Some(minds) = minds {
            living.asking(minds);
        }
        let until = Until { moments: Some(self.moments), ..Until::default() };
        living.run(Course { pace: Pace::Virtual, until, reins: &Reins::default(), watch: None, measures: None }).unwrap();
        living.stop().unwrap();
        LogStore::open(dir, Mode::Read).unwrap().0
    }
}

/// Gives the answers of a cassette in their order, whatever is asked: what models are told may have changed since.
struct InOrder(VecDeque<Reply>);

impl InOrder {
    fn of(cassette: &Path) -> Self {
        let reply = |line: &str| {
            let mut line: serde_json::Value = serde_json::from_str(line).unwrap();
            serde_json::from_value(line["reply"].take()).unwrap()
        };
        Self(fs::read_to_string(cassette).unwrap().lines().map(reply).collect())
    }
}

impl Minds for InOrder {
    fn ask(&mut self, requests: &[Request]) -> Vec<Reply> {
        // A panic here would be waited for; a reply too few is seen in what comes out.
        requests.iter().map(|_| self.0.pop_front().unwrap_or_else(|| Reply::failed(Code::ReplyLost))).collect()
    }
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn recordings() -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> =
        fs::read_dir(root().join("replay")).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir()).collect();
    found.sort();
    found
}

/// Lets a recording happen anew.
fn remake(dir: &Path) {
    let (from, temp) = (From::of(dir), tempfile::tempdir().unwrap());
    let recorder = from.cassette.as_ref().map(|cassette| -> Box<dyn Minds> {
        let cassette = root().join(cassette);
        Box::new(Recorder::new(Box::new(InOrder::of(&cassette)), Tape::new(&cassette).unwrap()))
    });
    let store = from.lives(recorder, temp.path());
    let mut file = File::create(dir.join("world.reelm")).unwrap();
    export(&store, store.world_file(), None, &mut file).unwrap();
    fs::write(dir.join("expected"), shown(&walk(dir))).unwrap();
}

fn walk(dir: &Path) -> Replayed {
    let store = StreamStore::open(&dir.join("world.reelm")).unwrap();
    replay(&store, store.world_file().world, Thread::default(), &mut |_| {}).unwrap_or_else(|error| panic!("{}: {error}", dir.display()))
}

fn shown(replayed: &Replayed) -> String {
    format!("semantics {SEMANTICS}\nframes {}\nhead {}\nworld {}\n", replayed.frames, replayed.head, replayed.world)
}

#[test]
fn every_recording_replays_identically() {
    let all = recordings();
    assert!(all.len() >= 3, "only {} recordings are there", all.len());
    if std::env::var_os("REMAKE").is_some() {
        all.iter().for_each(|dir| remake(dir));
    }
    for dir in all {
        let name = dir.display();
        let replayed = walk(&dir);
        assert_eq!(replayed.difference, None, "{name}");
        assert_eq!(shown(&replayed), fs::read_to_string(dir.join("expected")).unwrap(), "{name}");
        assert_eq!(replayed.moments, replayed.frames, "{name}");
    }
}

#[test]
fn what_a_model_answered_makes_the_same_history_again() {
    // A recording that is being remade beside this test is compared afterwards.
    if std::env::var_os("REMAKE").is_some() {
        return;
    }
    let with_models: Vec<PathBuf> = recordings().into_iter().filter(|dir| From::of(dir).cassette.is_some()).collect();
    assert_eq!(with_models.len(), 1);
    for dir in with_models {
        let (from, temp) = (From::of(&dir), tempfile::tempdir().unwrap());
        let cassette = Cassette::read(&root().join(from.cassette.as_ref().unwrap())).unwrap();
        let store = from.lives(Some(Box::new(cassette)), temp.path());
        assert!(fs::read_to_string(dir.join("expected")).unwrap().contains(&format!("head {}\n", store.ending().head)));
    }
}
