//! Enter: the file by which a browser on this machine comes in.
//!
//! It holds a one-time link, so no argument of a program does: arguments are everybody's to read. It lies in a directory of its own beside the
//! world's files, which only their owner enters. A reader of it could read the keystore too.

use std::fs::{self, DirBuilder, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio::sync::watch;

use super::socket::until;

/// How long its link lasts: a browser that is slow to begin comes in by it.
pub const ENTER_LIFE: Duration = Duration::from_secs(5 * 60);
const FOLDER: &str = "enter";
const FILE: &str = "enter.html";

/// The file, while it is there; it goes away with this.
pub struct EnterFile {
    folder: PathBuf,
}

impl EnterFile {
    /// Takes away what a server left behind that was killed. Its link died with it.
    pub fn clear(dir: &Path) -> io::Result<()> {
        let folder = dir.join(FOLDER);
        match folder.symlink_metadata() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(error),
            // A link is taken away itself, and nothing that it leads to.
            Ok(there) if there.is_dir() => fs::remove_dir_all(&folder),
            Ok(_) => fs::remove_file(&folder),
        }
    }

    /// Writes it beside the files of a world. Directory and file are made anew, so nobody else can have laid them ready.
    pub fn write(dir: &Path, link: &str) -> io::Result<Self> {
        Self::clear(dir)?;
        let folder = dir.canonicalize()?.join(FOLDER);
        DirBuilder::new().mode(0o700).create(&folder)?;
        let enter = Self { folder };
        let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(enter.path())?;
        // The process's umask is taken from the modes; the bits that the owner needs are put back.
        fs::set_permissions(&enter.folder, Permissions::from_mode(0o700))?;
        file.set_permissions(Permissions::from_mode(0o600))?;
        file.write_all(page(link).as_bytes())?;
        Ok(enter)
    }

    /// Where it is, from the root on.
    pub fn path(&self) -> PathBuf {
        self.folder.join(FILE)
    }

    /// Keeps it until a link was used, its own has run out, or the server stops.
    pub async fn last(self, mut came: watch::Receiver<()>, life: Duration, stopping: watch::Receiver<bool>) {
        tokio::select! {
            _ = came.changed() => {}
            () = tokio::time::sleep(life) => {}
            () = until(stopping) => {}
        }
    }
}

impl Drop for EnterFile {
    fn drop(&mut self) {
        // A directory that cannot be removed now is removed when the world is served again.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// A page that leads to the link, and stays in no history.
fn page(link: &str) -> String {
    format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"referrer\" content=\"no-referrer\"><title>Reelm</title>\n\
         <meta http-equiv=\"refresh\" content=\"0; url={link}\">\n\
         <p><a href=\"{link}\">Come in</a></p>\n"
    )
}
