//! Verifier: does a program written from docs/FORMAT.md alone hold every world to be whole?
//!
//! The program is tests/verifier/verify.py. It needs Python with two packages, which tests/verifier/install.py puts into target/verifier.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use reelm::run::{Course, Living, Pace, Reins, Source, Until};
use reelm::store::{LogStore, Mode, Store, WorldFile, export};

const WORLDS: &[&str] = &["court", "dance", "karate", "library", "salon", "skateco", "town"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The verifier's Python, where it is installed. Where not, that is said in a line, and under CI a failure.
fn python() -> Option<PathBuf> {
    let check = Command::new("python3").arg(root().join("tests/verifier/install.py")).arg("--check").output();
    if let Ok(Output { status, stdout, .. }) = check
        && status.success()
    {
        return Some(PathBuf::from(String::from_utf8(stdout).unwrap().trim()));
    }
    let missing = "the verifier's Python is not installed: `python3 tests/verifier/install.py` (Python 3.11 with venv; 5 MB)";
    assert_ne!(std::env::var("CI").as_deref(), Ok("true"), "{missing}");
    // Past the capture of tests: whoever runs them is to know what was left out.
    let _ = writeln!(std::io::stderr(), "skipped: {missing}");
    None
}

fn says(python: &Path, program: &str, words: &[&Path]) -> Output {
    Command::new(python).arg(root().join("tests/verifier").join(program)).args(words).output().unwrap()
}

fn write_export(store: &dyn Store, file: &WorldFile, path: &Path) {
    let mut out = File::create(path).unwrap();
    export(store, file, None, &mut out).unwrap();
}

#[test]
fn a_verifier_written_from_the_format_alone_holds_every_world_and_recording_to_be_whole() {
    let Some(python) = python() else { return };
    let temp = tempfile::tempdir().unwrap();
    let mut paths: Vec<PathBuf> = std::fs::read_dir(root().join("replay"))
        .unwrap()
        .map(|entry| entry.unwrap().path().join("world.reelm"))
        .filter(|path| path.exists())
        .collect();
    let mut heads = Vec::new();
    for world in WORLDS {
        let (dir, file) = (temp.path().join(world), temp.path().join(format!("{world}.reelm")));
        let source = Source::read(&root().join("fixtures/worlds").join(world)).unwrap();
        let mut living = Living::plant(&source, None, &dir, 2).unwrap();
        // The salon lives by models, of which none is here.
        let until = Until { moments: Some(if *world == "salon" { 0 } else { 60 }), ..Until::default() };
        living.run(Course { pace: Pace::Virtual, until, reins: &Reins::default(), watch: None, measures: None }).unwrap();
        living.stop().unwrap();
        let (store, _) = LogStore::open(&dir, Mode::Read).unwrap();
        write_export(&store, store.world_file(), &file);
        heads.push(store.ending().head.to_string());
        paths.extend([dir, file]);
    }
    let words: Vec<&Path> = paths.iter().map(PathBuf::as_path).collect();
    let said = says(&python, "verify.py", &words);
    let text = format!("{}{}", String::from_utf8_lossy(&said.stdout), String::from_utf8_lossy(&said.stderr));
    assert!(said.status.success() && text.lines().count() == paths.len(), "{text}");
    // Once for the directory and once for the export.
    assert!(heads.iter().all(|head| text.matches(head.as_str()).count() == 2), "{text}");
}
