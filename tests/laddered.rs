//! Laddered: is the past of an imported world as near as it was where it was lived, and for nobody but who imported it?

use std::os::unix::fs::PermissionsExt;

use reelm::past::History;

use super::past::count_folded;
use super::served::Served;
use super::terminal::Terminal;

#[test]
fn an_imported_world_whose_keys_are_here_has_a_ladder_that_the_world_has_signed() {
    let terminal = Terminal::with_world("court", 60);
    terminal.types("export out.reelm").ok();
    terminal.types("import out.reelm --data again").ok();
    assert!(!History::of(&terminal.path("again")).unwrap().checkpoints().is_empty());
    assert_eq!(count_folded(&terminal, "see / --data again"), 0);
    assert!(!terminal.path(".state").exists(), "no key of the user's was needed");
    let end = terminal.types("verify --data again --json").json()["frames"].as_u64().unwrap();
    terminal.types(&format!("export span.bundle --from {} --replayable --data again", end - 5)).ok();
    terminal.types("replay span.bundle").says(&["identical"]);
}

#[test]
fn without_the_worlds_keys_the_ladder_is_believed_by_who_imported_it_alone() {
    let served = Served::paused("court");
    let terminal = &served.terminal;
    terminal.types("export out.reelm").ok();
    terminal.types("import out.reelm --data again").says(&["not run on"]);
    let own = terminal.path(".state/reelm/keystore");
    assert_eq!(std::fs::metadata(&own).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(count_folded(terminal, "see / --data again"), 0);
    // It shows the fold of the log, and a check of the whole log finds that too.
    terminal.types("verify --data again").ok();
    let end = terminal.types("verify --data again --json").json()["frames"].as_u64().unwrap();
    // Nothing signed so leaves: a bundle carries all frames instead.
    terminal
        .types(&format!("export span.bundle --from {} --replayable --data again", end - 2))
        .says(&["with all frames since the beginning"]);
    // To anybody else it is not there.
    std::fs::rename(terminal.path(".state"), terminal.path("others")).unwrap();
    assert_eq!(count_folded(terminal, "see / --data again"), end);
    // A key that others may read is nobody's.
    std::fs::rename(terminal.path("others"), terminal.path(".state")).unwrap();
    std::fs::set_permissions(&own, std::fs::Permissions::from_mode(0o644)).unwrap();
    assert_eq!(count_folded(terminal, "see / --data again"), end);
}
