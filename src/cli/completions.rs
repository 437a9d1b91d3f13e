//! `completions`: what a shell completes.

use anyhow::Result;
use clap::Args;
use clap_complete::Shell;

use super::door::{Door, Ended};

/// Writes what a shell needs to complete commands and options
#[derive(Args)]
#[command(after_help = "Example: reelm completions bash

In bash, write it to `~/.local/share/bash-completion/completions/reelm`; in zsh, to a file `_reelm` in a folder of `$fpath`; in fish, to `~/.config/fish/completions/reelm.fish`.")]
pub struct Completions {
    /// The shell
    shell: Shell,
}

impl Completions {
    /// Runs, for a whole command line.
    pub fn run(self, door: &Door, mut whole: clap::Command) -> Result<Ended> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut whole, "reelm", &mut script);
        let script = String::from_utf8_lossy(&script).into_owned();
        door.say(&serde_json::json!({ "shell": self.shell.to_string(), "script": script }), || script.trim_end().to_owned())?;
        Ok(Ended::Well)
    }
}
