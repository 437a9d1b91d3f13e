//! Replay: do the recordings in replay/ come out of today's code as they went in?
//!
//! `REMAKE=1 cargo test --test reelm replay::` lets each of them happen anew, from the world and for the moments that its `from.toml` names.
//! That is for a commit that raises `SEMANTICS`, and for no other.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use reelm::moment::SEMANTICS;
use reelm::replay::{Replayed, Thread, replay};
use reelm::run::{Course, Living, Pace, Reins, Until};
use reelm::source::Source;
use reelm::store::{LogStore, Mode, StreamStore, export};
use serde::Deserialize;

/// What a recording is of.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct From {
    /// The world's source, below the project.
    world: String,
    /// It stops after the round in which so many moments have closed.
    moments: u64,
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
    let from: From = toml::from_str(&fs::read_to_string(dir.join("from.toml")).unwrap()).unwrap();
    let temp = tempfile::tempdir().unwrap();
    let mut living = Living::plant(&Source::read(&root().join(&from.world)).unwrap(), None, temp.path(), 1).unwrap();
    let until = Until { moments: Some(from.moments), ..Until::default() };
    living.run(Course { pace: Pace::Virtual, until, reins: &Reins::default(), watch: None, measures: None }).unwrap();
    living.stop().unwrap();
    let (store, _) = LogStore::open(temp.path(), Mode::Read).unwrap();
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
