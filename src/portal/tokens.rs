//! Tokens: the keys by which programs come in as a being, narrowed to some verbs and to a time, until they are taken back. They lie beside
//! the keystore, as hashes; the token itself is shown once.

use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tokio::sync::watch;

use crate::fact::{BeingId, Verbs, plain};

use super::kept;

/// What a token begins with, so that people and scanners see what it is.
pub const MARK: &str = "reelm_";
/// The purpose of the hash.
const PURPOSE: &str = "reelm 1 program token";
/// How many one being may have at a time.
const OF_ONE: usize = 64;
/// The longest name, in characters.
const NAME_MAX: usize = 64;

/// A token, without its secret.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Token {
    /// What it is called where tokens are listed and taken back; of no use for coming in.
    pub id: String,
    /// The hash of its secret.
    hash: String,
    /// As whom its program acts, as the being's inside name.
    being: String,
    /// What it is for, in the words of whoever made it.
    pub name: String,
    /// What it may be used for.
    pub only: Verbs,
    /// Since when, in milliseconds of the wall clock.
    pub since: i64,
    /// Until when.
    pub until: i64,
}

/// What a token is to be.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// Whose.
    pub being: BeingId,
    /// What for.
    pub name: String,
    /// The verbs.
    pub only: Verbs,
    /// Since when, in milliseconds of the wall clock.
    pub since: i64,
    /// For how long, in milliseconds.
    pub lasts: i64,
}

/// All tokens of a world.
pub struct Tokens {
    file: PathBuf,
    kept: Vec<Token>,
    /// Says when any was taken back.
    pub left: watch::Sender<()>,
}

impl Token {
    /// Whose it is.
    pub fn being(&self) -> Option<BeingId> {
        self.being.parse().ok()
    }

    fn lasts(&self, now: i64) -> bool {
        now < self.until
    }
}

impl Tokens {
    /// Reads the tokens of the world in `dir`.
    pub fn of(dir: &Path) -> io::Result<Self> {
        let file = dir.join("tokens");
        let kept = kept::read(&file)?;
        Ok(Self { file, kept, left: watch::Sender::default() })
    }

    /// Makes one; its secret is told here and never again. Those that have ended are forgotten.
    pub fn make(&mut self, wanted: Wanted) -> io::Result<(Token, String)> {
        let (being, now) = (wanted.being.to_string(), wanted.since);
        self.kept.retain(|token| token.lasts(now));
        if self.kept.iter().filter(|token| token.being == being).count() >= OF_ONE {
            return Err(io::Error::other(format!("there are {OF_ONE} tokens of this being already; take one back first")));
        }
        let secret = format!("{MARK}{}", kept::secret()?);
        let hash = kept::trace(PURPOSE, &secret);
        let id = kept::trace(PURPOSE, &hash).chars().take(12).collect();
        let name = plain(&wanted.name).take(NAME_MAX).collect();
        let until = now.saturating_add(wanted.lasts);
        let token = Token { id, hash, being, name, only: wanted.only, since: now, until };
        self.kept.push(token.clone());
        kept::write(&self.file, &self.kept)?;
        Ok((token, secret))
    }

    /// The token of a secret, if there is one that lasts.
    pub fn find(&self, secret: &str, now: i64) -> Option<&Token> {
        let hash = kept::trace(PURPOSE, secret);
        self.kept.iter().find(|token| token.hash == hash && token.lasts(now))
    }

    /// Whether a token lasts and was not taken back.
    pub fn is_open(&self, id: &str, now: i64) -> bool {
        self.kept.iter().any(|token| token.id == id && token.lasts(now))
    }

    /// The tokens that last, the oldest first; of one being, or of all.
    pub fn list(&self, of: Option<BeingId>, now: i64) -> impl Iterator<Item = &Token> {
        self.kept.iter().filter(move |token| token.lasts(now) && of.is_none_or(|being| token.being() == Some(being)))
    }

    /// Takes one back; whether there was one, of one being or of any.
    pub fn take(&mut self, id: &str, of: Option<BeingId>) -> io::Result<bool> {
        let before = self.kept.len();
        self.kept.retain(|token| token.id != id || of.is_some_and(|being| token.being() != Some(being)));
        let was_there = self.kept.len() < before;
        if was_there {
            self.left.send_replace(());
            kept::write(&self.file, &self.kept)?;
        }
        Ok(was_there)
    }

    /// Takes all of a being's back.
    pub fn take_all(&mut self, of: BeingId) -> io::Result<()> {
        let before = self.kept.len();
        self.kept.retain(|token| token.being() != Some(of));
        if self.kept.len() == before {
            return Ok(());
        }
        self.left.send_replace(());
        kept::write(&self.file, &self.kept)
    }
}
