//! Loss: what becomes of a world whose log ends before what was acknowledged, because somebody put an old copy back or a disk forgot.
//!
//! It can be read as it is and is not written, until whoever runs it says that the loss is accepted; then `@world` records how much is gone.

use std::fs;

use reelm::store::{LogStore, Mode, Store};
use serde_json::json;

use super::terminal::Terminal;

const SEGMENT: &str = "world/log/0000000000000000.seg";

/// The world as it is, and as it is once its last three groups are gone: the seq that is gone first.
fn shortened(killed: bool) -> (Terminal, u64) {
    let terminal = Terminal::with_world("court", 4);
    let (store, _) = LogStore::open(&terminal.path("world"), Mode::Read).unwrap();
    let (gone, end) = (store.ending().seq, store.ending().position.offset);
    for word in ["one", "two", "three"] {
        terminal.types(&format!("do / signal.set '{{\"path\":\"court.word\",\"value\":\"{word}\"}}' --as @operator")).ok();
    }
    let segment = fs::OpenOptions::new().write(true).open(terminal.path(SEGMENT)).unwrap();
    segment.set_len(end).unwrap();
    if killed {
        // As a killed process leaves a world: nothing says that it was closed.
        fs::remove_file(terminal.path("world/clean")).unwrap();
        fs::remove_file(terminal.path("world/index/clean")).unwrap();
    }
    (terminal, gone)
}

#[test]
fn a_world_that_has_lost_acknowledged_history_is_read_and_not_written_until_that_is_accepted_and_recorded() {
    for killed in [false, true] {
        let (terminal, gone) = shortened(killed);
        let gone_from = format!("from frame {gone} on");
        let before = fs::read(terminal.path(SEGMENT)).unwrap();
        for line in
            ["do / signal.set '{\"path\":\"court.word\",\"value\":\"four\"}' --as @operator", "run --moments 1 --quiet", "verify --index"]
        {
            terminal.types(line).fails(3).warns(&["groups that are gone: 3", &gone_from, "`reelm run --accept-loss`", SEGMENT]);
        }
        for line in ["see /", "log", "replay"] {
            terminal.types(line).warns(&["acknowledged history is gone", "--accept-loss"]);
        }
        terminal.types("see /").ok();
        terminal.types("verify").fails(3).says(&["groups that are gone: 3", &gone_from]);
        terminal.types("verify --json").fails(3).says(&[&format!("\"from\":{gone},\"groups\":3")]);
        terminal.types("inspect").fails(3).says(&["longer when it was acknowledged"]);
        assert_eq!(fs::read(terminal.path(SEGMENT)).unwrap(), before, "nothing was written, with or without the mark of a clean close");

        terminal.types("run --accept-loss --moments 0 --quiet").fails(0).warns(&["as `@world` has recorded"]);
        let left = super::checkpoint::files(&terminal.path("world")).pop().unwrap();
        let end = LogStore::open(&terminal.path("world"), Mode::Read).unwrap().0.ending().seq;
        assert!(left.file_name().unwrap().to_str().unwrap() <= format!("{end:020}.rung").as_str(), "{left:?} tells of what is gone");
        let record = &terminal.types(&format!("log --from {gone} --json")).json_lines()[0];
        let fact = json!({ "fact": "loss-accepted", "from": gone, "groups": 3 });
        assert_eq!((&record["facts"], &record["report"]["being"]), (&json!([fact]), &json!("world")), "{record}");
        terminal.types("verify").ok();
        terminal.types("replay").ok();
        // It was accepted once; from here on the world is as any other.
        assert_eq!(terminal.types("run --accept-loss --moments 1 --quiet").fails(0).err, "");
        assert!(!terminal.types(&format!("log --from {} --json", gone + 1)).ok().contains("loss.accept"));
    }
}

#[test]
fn nobody_but_the_world_itself_says_that_history_is_gone() {
    let terminal = Terminal::with_world("court", 4);
    terminal.types("do / loss.accept '{\"from\":1,\"groups\":1}' --as @operator").fails(4).says(&["gate-owner at `/`"]);
}
