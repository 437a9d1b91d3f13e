//! Replay: do the recordings in replay/ come out of today's code as they went in?

use std::fs;
use std::path::{Path, PathBuf};

use reelm::replay::{Thread, replay};
use reelm::store::StreamStore;

fn recordings() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("replay");
    let mut found: Vec<PathBuf> = fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir()).collect();
    found.sort();
    found
}

#[test]
fn every_recording_replays_identically() {
    let all = recordings();
    assert!(all.len() >= 3, "only {} recordings are there", all.len());
    for dir in all {
        let name = dir.display();
        let store = StreamStore::open(&dir.join("world.reelm")).unwrap();
        let replayed = replay(&store, store.world_file().world, Thread::default(), &mut |_| {}).unwrap();
        assert_eq!(replayed.difference, None, "{name}");
        let found = format!("frames {}\nhead {}\nworld {}\n", replayed.frames, replayed.head, replayed.world);
        assert_eq!(found, fs::read_to_string(dir.join("expected")).unwrap(), "{name}");
        assert_eq!(replayed.moments, replayed.frames, "{name}");
    }
}
