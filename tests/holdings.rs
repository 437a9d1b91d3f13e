//! Holdings: does `du` say what lies in a world's directory, and what of it could go?

use super::kit::{compress, in_segments};
use super::terminal::Terminal;

#[test]
fn what_a_world_holds_comes_to_what_lies_there() {
    let terminal = Terminal::with_world("skateco", 300);
    let told = terminal.types("du --json").json();
    let held: u64 = told["parts"].as_array().unwrap().iter().map(|part| part["bytes"].as_u64().unwrap()).sum();
    assert_eq!(Some(held), told["bytes"].as_u64());
    let part = |name: &str| told["parts"].as_array().unwrap().iter().find(|part| part["part"] == name).cloned().unwrap_or_default();
    assert!(part("checkpoints")["mayGo"].as_str().unwrap().contains("a cache") && part("newest")["mayGo"].is_null(), "{told}");
    let frames = &told["records"][0];
    assert_eq!((frames["record"].as_str(), &frames["count"]), (Some("frames"), &told["frames"]), "{told}");
    assert!(told["bytesPerFrame"].as_f64().unwrap() > 100.0, "{told}");
    terminal.types("du").says(&["bytes of log a frame", "could go: it is rebuilt from the log"]);
    in_segments(&terminal.path("world"), 60_000);
    assert!(terminal.types("du --json").json()["parts"].to_string().contains("\"plain\""));
    compress(&terminal.path("world"));
    let told = terminal.types("du").ok();
    assert!(told.contains("  compressed") && !told.contains("  plain"), "{told}");
}
