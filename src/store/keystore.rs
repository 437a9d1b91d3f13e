//! `keystore`: the master secret from which the keys of a world's beings are derived; readable by its owner only.
//!
//! It never enters the log or an export, and its `Debug` shows nothing of it.

use std::fmt;
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use zeroize::Zeroizing;

use crate::fact::{BeingId, Hash, Master};

use super::error::StoreError;
use super::replace::keep_secret;
use super::small_file;
use super::world_file::WorldFile;

/// The secrets of a world: the master from which all keys are derived.
#[derive(Clone, PartialEq, Eq)]
pub struct Keystore {
    /// The master secret.
    pub master: Zeroizing<[u8; 32]>,
}

impl fmt::Debug for Keystore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Keystore { master: <secret> }")
    }
}

impl Keystore {
    /// A new keystore with a random secret; refused where one is already.
    pub fn create(dir: &Path) -> Result<Self, StoreError> {
        let path = path(dir);
        if fs::symlink_metadata(&path).is_ok() {
            return Err(StoreError::NotEmpty { dir: dir.to_owned(), found: "keystore".to_owned() });
        }
        let keystore = Self::draw().map_err(|error| StoreError::io("draw a secret for", &path, error))?;
        keystore.save(dir)?;
        Ok(keystore)
    }

    /// That of whoever runs the program, beside no world: `reelm` in `$XDG_STATE_HOME`, else in `~/.local/state`. It is made where it is wanted;
    /// nothing where there is no such place, or others may read it.
    pub fn of_user(is_wanted: bool) -> Option<Self> {
        let state = std::env::var_os("XDG_STATE_HOME").map(PathBuf::from).filter(|dir| dir.is_absolute());
        let home = || Some(PathBuf::from(std::env::var_os("HOME")?).join(".local/state"));
        let dir = state.or_else(home).filter(|dir| dir.is_absolute())?.join("reelm");
        if is_wanted && fs::symlink_metadata(path(&dir)).is_err() {
            fs::create_dir_all(&dir).ok()?;
            // Somebody else may just have made one.
            let _ = Self::create(&dir);
        }
        Self::load(&dir).ok()
    }

    /// A random secret that is kept nowhere yet.
    pub fn draw() -> io::Result<Self> {
        let mut master = Zeroizing::new([0; 32]);
        getrandom::fill(&mut *master).map_err(|error| io::Error::other(error.to_string()))?;
        Ok(Self { master })
    }

    /// The keystore of a world; refused if others may read the file.
    pub fn load(dir: &Path) -> Result<Self, StoreError> {
        let path = path(dir);
        let wrong = |error| StoreError::io("read", &path, error);
        let mode = fs::metadata(&path).map_err(wrong)?.permissions().mode();
        let bad = |what: &str| StoreError::BadFile { file: path.clone(), what: what.to_owned() };
        if mode & 0o077 != 0 {
            return Err(bad(&format!(
                "expected mode 600, found {:o}: others may have read the secret, so take the right away from them",
                mode & 0o777
            )));
        }
        let bytes = Zeroizing::new(fs::read(&path).map_err(wrong)?);
        // Not the usual words for a failed check: those would show the text.
        let text = small_file::open(&bytes).map_err(|_| bad("its closing line does not check"))?;
        let hex = text.strip_prefix("format = 1\nmaster = \"").and_then(|rest| rest.strip_suffix("\"\n"));
        let secret: Hash =
            hex.and_then(|hex| hex.parse().ok()).ok_or_else(|| bad("expected `format = 1` and a master of 64 hex digits"))?;
        let keystore = Self { master: Zeroizing::new(secret.0) };
        if keystore.to_text().as_bytes() == bytes.as_slice() { Ok(keystore) } else { Err(bad("expected hex digits in lower case")) }
    }

    /// The keystore beside a world's log: refused if it is another world's, since what it signs would be no part of this history.
    pub fn of(dir: &Path, world: &WorldFile) -> Result<Self, StoreError> {
        let keystore = Self::load(dir)?;
        keystore.fits(&path(dir), world)?;
        Ok(keystore)
    }

    /// Refuses keys that are another world's; the error names the file that they came from.
    pub(super) fn fits(&self, file: &Path, world: &WorldFile) -> Result<(), StoreError> {
        let found = Master::new(*self.master).key(world.world, BeingId::WORLD).public().to_hash().to_string();
        if found == world.root_key {
            return Ok(());
        }
        Err(StoreError::ForeignKeys { file: file.to_owned(), expected: world.root_key.clone(), found })
    }

    /// Refuses a keystore beside a world's log that is another world's; one that is not there, or that others own, says nothing.
    pub fn check(dir: &Path, world: &WorldFile) -> Result<(), StoreError> {
        match fs::File::open(path(dir)) {
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::PermissionDenied) => Ok(()),
            _ => Self::of(dir, world).map(drop),
        }
    }

    fn to_text(&self) -> Zeroizing<String> {
        Zeroizing::new(small_file::close(format!("format = 1\nmaster = \"{}\"\n", Hash(*self.master))))
    }

    /// Writes it in place as a whole, for its owner only.
    pub fn save(&self, dir: &Path) -> Result<(), StoreError> {
        let path = path(dir);
        keep_secret(&path, self.to_text().as_bytes()).map_err(|error| StoreError::io("write", &path, error))
    }
}

pub fn path(dir: &Path) -> PathBuf {
    dir.join("keystore")
}
