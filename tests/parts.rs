//! Parts: what some tests need beside Rust. Where one is missing its tests are left out, and one line says so; under `CI=true` they fail.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Once;

/// Parts that are installed together, by `.ci/parts` and a word.
struct Set {
    word: &'static str,
    /// Whether somebody was told what of it is missing.
    told: Once,
}

/// Parts of the quick tests.
static PAGE: Set = Set { word: "page", told: Once::new() };
/// Parts of the long tests alone.
static REST: Set = Set { word: "all", told: Once::new() };

/// A part, and the tests that need it.
pub struct Part {
    name: &'static str,
    tests: &'static str,
    set: &'static Set,
    place: fn() -> Option<PathBuf>,
}

/// The page's own tests and its stories run in it, and so do the reference client of MCP and its conformance suite.
pub const NODE: Part = Part {
    name: "Node 20.19 with npm",
    tests: "the page's own tests and its stories",
    set: &PAGE,
    place: || can_start("npm").then(PathBuf::new),
};
/// The browser of the stories.
pub const CHROMIUM: Part = Part { name: "Chromium", tests: "the page's stories", set: &PAGE, place: chromium };
/// The Python of the second reader of FORMAT.md.
pub const VERIFIER: Part = Part { name: "a verifier", tests: "the second reader", set: &PAGE, place: || python("verifier") };
/// The server that keeps copies of a log.
pub const NATS: Part = Part {
    name: "a NATS server",
    tests: "copies of a log",
    set: &PAGE,
    place: || python("nats").map(|python| python.with_file_name("nats-server")),
};
/// The Python of schemathesis.
pub const SCHEMATHESIS: Part = Part { name: "schemathesis", tests: "generated requests", set: &REST, place: || python("schemathesis") };
/// The server of a small language model.
pub const MODEL: Part = Part { name: "a model", tests: "a real language model", set: &REST, place: model };
/// The Python packages of two providers of models.
pub const PROVIDERS: Part = Part { name: "the providers' packages", tests: "two providers", set: &REST, place: || python("providers") };
/// The Python of the notebook in the docs.
pub const NOTEBOOK: Part = Part { name: "the notebook's packages", tests: "the notebook", set: &REST, place: || python("notebook") };
/// The Python of the other reader of tables of people.
pub const DUCKDB: Part = Part { name: "DuckDB", tests: "the other reader of tables", set: &REST, place: || python("duckdb") };

const ALL: [&Part; 9] = [&NODE, &CHROMIUM, &VERIFIER, &NATS, &SCHEMATHESIS, &MODEL, &PROVIDERS, &NOTEBOOK, &DUCKDB];

impl Part {
    /// Where the part is, or nothing where its tests are to be left out.
    pub fn place(&self) -> Option<PathBuf> {
        let place = (self.place)();
        if place.is_none() {
            assert_ne!(std::env::var("CI").as_deref(), Ok("true"), "{} is missing; `.ci/parts {}` installs it", self.name, self.set.word);
            self.tell();
        }
        place
    }

    /// Whether the part is there.
    pub fn is_there(&self) -> bool {
        self.place().is_some()
    }

    /// Says once what is left out of its set, past the capture of tests: the quick tests tell nobody of what the long ones need.
    fn tell(&self) {
        self.set.told.call_once(|| {
            let missing = ALL.iter().filter(|part| part.set.word == self.set.word && (part.place)().is_none());
            let tests: Vec<String> = missing.map(|part| format!("{} ({})", part.tests, part.name)).collect();
            let _ = writeln!(std::io::stderr(), "not run: {}; `.ci/parts {}` installs what they need", tests.join(", "), self.set.word);
        });
    }
}

fn can_start(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
}

fn chromium() -> Option<PathBuf> {
    let path = std::env::var_os("CHROMIUM").map_or_else(|| PathBuf::from("/usr/bin/chromium"), PathBuf::from);
    Some(path).filter(|path| path.exists())
}

/// The folder of the model.
fn model() -> Option<PathBuf> {
    let home = Path::new(env!("CARGO_TARGET_TMPDIR")).parent()?.join("llm");
    let mut check = Command::new("python3");
    check.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/llm/model.py")).args(["serve", "--check", "--dir"]).arg(&home);
    check.output().is_ok_and(|output| output.status.success()).then_some(home)
}

/// The Python of an environment that tests/install.py makes, if it is there.
fn python(name: &str) -> Option<PathBuf> {
    let check = Command::new("python3")
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/install.py"))
        .args([name, "--check"])
        .output()
        .ok()?;
    check.status.success().then(|| PathBuf::from(String::from_utf8_lossy(&check.stdout).trim()))
}
