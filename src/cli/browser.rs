//! Browser: whether `serve` opens one where nobody says so, and how.

use std::env;
use std::io::{IsTerminal, stdin, stdout};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// Around what `serve` was started, as far as a browser goes.
#[derive(Clone, Copy, Debug)]
pub struct Surroundings {
    /// Somebody types and reads on a terminal.
    pub is_terminal: bool,
    /// A build server runs it.
    pub is_ci: bool,
    /// It runs as root: a browser should not.
    pub is_root: bool,
    /// The terminal is another machine's.
    pub is_ssh: bool,
    /// There is a screen on which a window can open.
    pub has_display: bool,
}

impl Surroundings {
    /// Those of this process.
    pub fn here() -> Self {
        let is_set = |name: &&str| env::var_os(name).is_some_and(|value| !value.is_empty());
        let any = |names: &[&str]| names.iter().any(is_set);
        Self {
            is_terminal: stdin().is_terminal() && stdout().is_terminal(),
            is_ci: any(&["CI"]) && env::var_os("CI").is_none_or(|value| value != "false"),
            is_root: is_root(),
            is_ssh: any(&["SSH_CONNECTION", "SSH_CLIENT", "SSH_TTY"]),
            has_display: cfg!(target_os = "macos") || any(&["DISPLAY", "WAYLAND_DISPLAY"]),
        }
    }

    /// Whether a browser is opened where nobody says so.
    pub fn opens(self) -> bool {
        self.is_terminal && self.has_display && !(self.is_ci || self.is_root || self.is_ssh)
    }
}

/// Whether the process is root's. Where no `/proc` says it, the surroundings do.
fn is_root() -> bool {
    let owner = std::fs::metadata("/proc/self").map(|process| process.uid());
    owner.map_or_else(|_| env::var_os("USER").is_some_and(|user| user == "root"), |owner| owner == 0)
}

/// Opens a file by `$BROWSER`, `xdg-open` or `open`, and does not wait for it.
pub fn start(file: &Path) -> Result<(), String> {
    opener::open_browser(file).map_err(|error| error.to_string())
}
