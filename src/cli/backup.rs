//! `backup`: a verified copy of a world, keys and all, that can go on with it.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::Result;
use clap::Args;

use crate::past::Backup as Copied;
use crate::run::Reins;
use crate::store::{CopyKind, CopyNote};

use super::copies::note;
use super::door::{Door, Ended};
use super::steer::stop_on_signal;

/// How often the original is looked at.
const EVERY: Duration = Duration::from_secs(1);

/// Copies this world with its keys to another directory, and verifies the copy
#[derive(Args)]
#[command(after_help = "Example: reelm backup /mnt/other/skateco --follow

The world may run meanwhile. Every byte is copied as it is durable, and read as any reader reads it before it counts; a second `backup` to the
same directory copies what is new. With --follow it does so every second until Ctrl-C. Where the world is lost, stop this and serve the copy:
`reelm serve --data DIR`. Never let both run: they hold the same keys, and two histories would come of one. The copy holds the keys, the
people's passwords (hashed) and tokens: keep it as the world itself.")]
pub struct Backup {
    /// Where the copy is: absent, empty, or an earlier copy
    dir: PathBuf,
    /// Go on copying until Ctrl-C, a second behind at most
    #[arg(long)]
    follow: bool,
}

impl Backup {
    /// Runs.
    pub fn run(self, door: &Door) -> Result<Ended> {
        let reins = Reins::default();
        if self.follow {
            stop_on_signal(reins.clone())?;
        }
        let mut copy = Copied::of(&door.data, &self.dir)?;
        copy.go_on()?;
        note(door, &CopyNote::now(CopyKind::Backup, 0, copy.frames()).to_path(&self.dir));
        self.say(door, &copy)?;
        while self.follow && !reins.is_stopped() {
            reins.wait(EVERY);
            if copy.go_on()? > 0 && door.speech.is_for_programs() {
                self.say(door, &copy)?;
            }
        }
        if self.follow && !door.speech.is_for_programs() {
            self.say(door, &copy)?;
        }
        Ok(Ended::Well)
    }

    fn say(&self, door: &Door, copy: &Copied) -> Result<()> {
        let frames = copy.frames();
        door.say(&serde_json::json!({ "dir": self.dir, "frames": frames }), || {
            format!("{frames} frames are copied to `{}` and verified", self.dir.display())
        })
    }
}
