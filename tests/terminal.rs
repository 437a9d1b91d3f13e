//! Terminal: the real binary, in a home directory of its own, as somebody uses it who has just installed it.
//!
//! A line is typed as in a shell: words, `'…'` around what holds spaces, `$worlds` and `$extensions` for what ships. The result is checked
//! by `ok`, `fails`, `says` and `warns`, each of which shows the whole exchange where it finds something else.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use serde_json::Value;
use tempfile::TempDir;

use super::kit::copy;

/// The longest that any command of a test takes. It ends what hangs; a slow and busy machine is given its time.
const PATIENCE: Duration = Duration::from_secs(600);

pub const REELM: &str = env!("CARGO_BIN_EXE_reelm");

pub struct Terminal {
    home: TempDir,
}

/// A directory of data of a world that ships and has lived so many moments. Each is lived once by a process of tests, and copied.
fn grown(world: &str, moments: u32) -> PathBuf {
    type Grown = Mutex<BTreeMap<(String, u32), Arc<OnceLock<PathBuf>>>>;
    static GROWN: Grown = Mutex::new(BTreeMap::new());
    let one = GROWN.lock().unwrap_or_else(PoisonError::into_inner).entry((world.to_owned(), moments)).or_default().clone();
    one.get_or_init(|| {
        let data = own_folder().join(format!("{world}-{moments}"));
        Terminal::new().types(&format!("run $worlds/{world} --moments {moments} --quiet --data {}", data.display())).ok();
        data
    })
    .clone()
}

/// A folder in `target/` for what this process keeps until it ends. The folders of processes that have ended are taken away.
fn own_folder() -> &'static Path {
    static OWN: LazyLock<PathBuf> = LazyLock::new(|| {
        let (folder, processes) = (Path::new(env!("CARGO_TARGET_TMPDIR")), Path::new("/proc"));
        for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
            let is_over = |name: &str| name.strip_prefix("tests-").is_some_and(|process| !processes.join(process).exists());
            if processes.join("self").exists() && entry.file_name().to_str().is_some_and(is_over) {
                let _ = std::fs::remove_dir_all(entry.path());
            }
        }
        let own = folder.join(format!("tests-{}", std::process::id()));
        std::fs::create_dir_all(&own).unwrap();
        own
    });
    &OWN
}

/// The output and exit code of a line.
pub struct Said {
    line: String,
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Terminal {
    pub fn new() -> Self {
        Self { home: tempfile::tempdir().unwrap() }
    }

    /// One where a world that ships is planted in `world`, and has lived so many moments.
    pub fn with_world(world: &str, moments: u32) -> Self {
        let terminal = Self::new();
        copy(&grown(world, moments), &terminal.path("world"));
        terminal
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.home.path().join(name)
    }

    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("`{name}`: {error}"))
    }

    /// Writes a file, and the folders that it lies in.
    pub fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    /// The line as a process that has not begun.
    pub fn command(&self, line: &str) -> Command {
        let mut command = Command::new(REELM);
        command.args(words(line)).current_dir(self.home.path()).env_remove("REELM_DATA").env_remove("REELM_LOG").env_remove("COLUMNS");
        // A program `browser` in the home is its browser; nobody else's is ever opened.
        command.env("BROWSER", self.path("browser"));
        // And what the program keeps of its user's lies there, too.
        command.env("XDG_STATE_HOME", self.path(".state"));
        command
    }

    pub fn types(&self, line: &str) -> Said {
        let output = assert_cmd::Command::from_std(self.command(line)).timeout(PATIENCE).output();
        Said::of(line, output.unwrap_or_else(|error| panic!("{line}: {error}")))
    }

    /// The same through a shell, with the binary as `$reelm`: for limits and mounts.
    pub fn shell(&self, script: &str) -> Said {
        let mut command = Command::new("bash");
        let script = shipped(script).replace("$reelm", REELM);
        command.args(["-c", &script]).current_dir(self.home.path()).env_remove("REELM_DATA").env_remove("REELM_LOG");
        command.env("XDG_STATE_HOME", self.path(".state"));
        let output = assert_cmd::Command::from_std(command).timeout(PATIENCE).output();
        Said::of(&script, output.unwrap())
    }
}

impl Said {
    pub fn of(line: &str, output: Output) -> Self {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("everything said is text");
        // A process that a signal ended has no code; shells say 128 and more.
        let code = output.status.code().unwrap_or(-1);
        Self { line: line.to_owned(), code, out: text(output.stdout), err: text(output.stderr) }
    }

    fn whole(&self) -> String {
        format!("$ reelm {}\n{}{}exit code {}", self.line, self.out, self.err, self.code)
    }

    pub fn fails(self, code: i32) -> Self {
        assert_eq!(self.code, code, "\n{}\n", self.whole());
        assert!(!self.err.contains("panicked"), "\n{}\n", self.whole());
        self
    }

    /// It was done; gives back what was said.
    pub fn ok(self) -> String {
        self.fails(0).out
    }

    /// All of these stand in what it said.
    pub fn says(self, wanted: &[&str]) -> Self {
        wanted.iter().for_each(|wanted| assert!(self.out.contains(wanted), "expected `{wanted}` in\n{}\n", self.whole()));
        self
    }

    /// All of these stand in what it complained of.
    pub fn warns(self, wanted: &[&str]) -> Self {
        wanted.iter().for_each(|wanted| assert!(self.err.contains(wanted), "expected `{wanted}` in\n{}\n", self.whole()));
        self
    }

    /// The one JSON value that it said.
    pub fn json(self) -> Value {
        let mut values = self.json_lines();
        assert_eq!(values.len(), 1, "one JSON value was expected");
        values.remove(0)
    }

    /// A JSON value a line.
    pub fn json_lines(self) -> Vec<Value> {
        let whole = self.whole();
        let said = self.ok();
        said.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error} in `{line}` of\n{whole}"))).collect()
    }
}

/// The folder of this package.
pub fn package() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn shipped(text: &str) -> String {
    let folder = |name: &str| package().join(name).display().to_string();
    text.replace("$worlds", &folder("fixtures/worlds")).replace("$extensions", &folder("extensions")).replace("$package", &folder(""))
}

/// The words of a line.
fn words(line: &str) -> Vec<String> {
    let line = shipped(line);
    let mut words: Vec<String> = Vec::new();
    let (mut quoted, mut inside) = (false, false);
    for c in line.chars() {
        match c {
            '\'' => {
                // Quotes make a word, even an empty one.
                if !inside {
                    words.push(String::new());
                }
                (quoted, inside) = (!quoted, true);
            }
            c if c.is_whitespace() && !quoted => inside = false,
            c => {
                if !inside {
                    words.push(String::new());
                    inside = true;
                }
                words.last_mut().unwrap().push(c);
            }
        }
    }
    assert!(!quoted, "a quote is open in: {line}");
    words
}
