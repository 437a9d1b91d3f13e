//! Tokens: the keys by which programs come in as a being, narrowed to some verbs, to a rate and to a time, until they are taken back.
//! They lie beside the keystore, as hashes; the token itself is shown once.

use std::collections::VecDeque;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use tokio::sync::watch;

use crate::fact::{BeingId, Verbs, plain};

use super::kept;
use super::token_rate::TokenRate;

/// The prefix of every token, so that people and scanners see what it is.
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
    /// Its id where tokens are listed and taken back; of no use for coming in.
    pub id: String,
    /// The hash of its secret.
    hash: String,
    /// The being as which its program acts, by the inside name.
    being: String,
    /// Its purpose, in the words of its maker.
    pub name: String,
    /// The verbs that it may be used for.
    pub only: Verbs,
    /// The time at which it was made, in milliseconds of the wall clock.
    pub since: i64,
    /// Until when.
    pub until: i64,
    /// How often it may ask, where that is narrowed.
    pub rate: Option<TokenRate>,
    /// When a request came with it last, in milliseconds of the wall clock.
    pub used: Option<i64>,
    /// The requests that its rate counts. They end with the server.
    #[serde(skip)]
    asked: VecDeque<Instant>,
}

/// The terms of a token to be made.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// The being.
    pub being: BeingId,
    /// The purpose.
    pub name: String,
    /// The verbs.
    pub only: Verbs,
    /// The time at which it is made, in milliseconds of the wall clock.
    pub since: i64,
    /// How long it lasts, in milliseconds.
    pub lasts: i64,
    /// How often.
    pub rate: Option<TokenRate>,
}

/// A token that has asked as often as its rate lets it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooOften {
    /// The rate.
    pub rate: TokenRate,
    /// How long to wait.
    pub wait: Duration,
}

/// All tokens of a world.
pub struct Tokens {
    file: PathBuf,
    kept: Vec<Token>,
    /// Whether a use is not in the file yet.
    has_new_uses: bool,
    /// Says when any was taken back.
    pub left: watch::Sender<()>,
}

impl Token {
    /// The being that it belongs to.
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
        Ok(Self { file, kept, has_new_uses: false, left: watch::Sender::default() })
    }

    fn save(&mut self) -> io::Result<()> {
        kept::write(&self.file, &self.kept)?;
        self.has_new_uses = false;
        Ok(())
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
        let Wanted { only, rate, .. } = wanted;
        let token = Token { id, hash, being, name, only, since: now, until, rate, used: None, asked: VecDeque::new() };
        self.kept.push(token.clone());
        self.save()?;
        Ok((token, secret))
    }

    /// The token of a secret, if there is one that lasts.
    pub fn find(&self, secret: &str, now: i64) -> Option<&Token> {
        let hash = kept::trace(PURPOSE, secret);
        self.kept.iter().find(|token| token.hash == hash && token.lasts(now))
    }

    /// Keeps in memory that a request came with a token, and counts it where the token has a rate.
    pub fn use_once(&mut self, id: &str, now: i64, at: Instant) -> Result<(), TooOften> {
        let Some(token) = self.kept.iter_mut().find(|token| token.id == id) else { return Ok(()) };
        token.used = token.used.max(Some(now));
        self.has_new_uses = true;
        let Some(rate) = token.rate else { return Ok(()) };
        rate.admit(&mut token.asked, at).map_err(|wait| TooOften { rate, wait })
    }

    /// Writes down when tokens were used last, where that is not written yet.
    pub fn save_uses(&mut self) -> io::Result<()> {
        if self.has_new_uses { self.save() } else { Ok(()) }
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
            self.save()?;
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
        self.save()
    }
}
