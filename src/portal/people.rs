//! People: who may come in: passwords (argon2), sessions, and the one-time link. All of it lies beside the keystore, for its owner only.
//!
//! Nothing here is a fact: secrets never enter a history. A session's token is known to its browser alone; only its hash is kept.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use argon2::Argon2;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use serde::{Deserialize, Serialize};
use tokio::sync::watch;

use super::kept;

/// The shortest password that is taken, in characters.
pub const PASSWORD_MIN: usize = 8;
/// The longest, in bytes: hashing is paid by the server.
pub const PASSWORD_MAX: usize = 1024;
/// How many sessions one being may have at a time; the oldest goes first.
const SESSIONS_MAX: usize = 32;
/// How many browsers are known for one being in which somebody has come in as it; the oldest goes first.
const BROWSERS_MAX: usize = 16;
/// How long a session lasts, however much it is used, in milliseconds.
pub const SESSION_LIFE_MS: i64 = 30 * 24 * 60 * 60 * 1000;
/// And how long without being used.
const SESSION_IDLE_MS: i64 = 7 * 24 * 60 * 60 * 1000;
/// How exactly its last use is kept: each writing costs.
const SEEN_STEP_MS: i64 = 10 * 60 * 1000;

/// One way in that is open.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Session {
    /// Its id in the list of sessions; of no use for coming in.
    pub id: String,
    /// The hash of its token.
    token: String,
    /// Its being, by the inside name.
    pub being: String,
    /// The time of its login, in milliseconds of the wall clock.
    pub since: i64,
    /// When it was used last, not to the minute.
    #[serde(default)]
    pub seen: i64,
}

/// A browser in which somebody has come in before.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Browser {
    /// The hash of its token.
    token: String,
    /// The being as which somebody came in.
    being: String,
}

#[derive(Default, Serialize, Deserialize)]
struct KeptPeople {
    passwords: BTreeMap<String, String>,
    sessions: Vec<Session>,
    #[serde(default)]
    browsers: Vec<Browser>,
}

impl Session {
    /// Whether it lasts still.
    fn lasts(&self, now: i64) -> bool {
        now < self.since.saturating_add(SESSION_LIFE_MS) && now < self.seen.max(self.since).saturating_add(SESSION_IDLE_MS)
    }
}

/// The wall clock, in milliseconds.
pub fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as i64)
}

/// A link by which one may come in once, without a password.
struct OneTimeLink {
    /// The hash of its token.
    token: String,
    /// When it runs out, in milliseconds of the wall clock.
    until: Option<i64>,
}

/// The people who may come in.
pub struct People {
    file: PathBuf,
    kept: KeptPeople,
    /// The links, while none of them was used. They end with the server.
    links: Vec<OneTimeLink>,
    /// Says when any session was closed.
    pub left: watch::Sender<()>,
    /// Says when a link was used.
    pub came: watch::Sender<()>,
}

/// The hash by which a token is kept.
fn trace_of(token: &str) -> String {
    kept::trace("reelm 1 session token", token)
}

impl People {
    /// Reads who may come into the world in `dir`.
    pub fn of(dir: &Path) -> io::Result<Self> {
        let file = dir.join("people");
        let kept = kept::read(&file)?;
        Ok(Self { file, kept, links: Vec::new(), left: watch::Sender::default(), came: watch::Sender::default() })
    }

    fn save(&self) -> io::Result<()> {
        kept::write(&self.file, &self.kept)
    }

    /// Whether a being has a password.
    pub fn has_password(&self, being: &str) -> bool {
        self.kept.passwords.contains_key(being)
    }

    /// The token of a link by which one may come in once, without a password; until an instant, or until the server stops.
    pub fn link(&mut self, until: Option<i64>) -> io::Result<String> {
        let token = kept::secret()?;
        self.links.push(OneTimeLink { token: trace_of(&token), until });
        Ok(token)
    }

    /// Uses a link up, and all others with it; whether there was this one.
    pub fn use_link(&mut self, token: &str, now: i64) -> bool {
        let trace = trace_of(token);
        let is_one = self.links.iter().any(|link| link.token == trace && link.until.is_none_or(|until| now < until));
        if is_one {
            self.links.clear();
            self.came.send_replace(());
        }
        is_one
    }

    /// Lets the people of a world whom `has` names have the passwords there that they have here; nothing else of theirs goes along.
    pub fn lend(&self, dir: &Path, has: impl Fn(&str) -> bool) -> io::Result<()> {
        let mut other = Self::of(dir)?;
        let own = self.kept.passwords.iter().filter(|(being, _)| has(being));
        other.kept.passwords.extend(own.map(|(being, hash)| (being.clone(), hash.clone())));
        other.save()
    }

    /// The hash against which a password is checked; [`fits`] takes long on purpose, so it is not done in here.
    pub fn password(&self, being: &str) -> Option<String> {
        self.kept.passwords.get(being).cloned()
    }

    /// Keeps the hash of a being's password, and closes its other sessions.
    pub fn set_password(&mut self, being: &str, hash: String, but: Option<&str>) -> io::Result<()> {
        self.kept.passwords.insert(being.to_owned(), hash);
        self.kept.sessions.retain(|session| session.being != being || Some(session.id.as_str()) == but);
        self.left.send_replace(());
        self.save()
    }

    /// Opens a session; the token is for its browser alone.
    pub fn open(&mut self, being: &str, since: i64) -> io::Result<String> {
        let token = kept::secret()?;
        let trace = trace_of(&token);
        let id = trace_of(&trace).chars().take(12).collect();
        self.kept.sessions.retain(|session| session.lasts(since));
        self.kept.sessions.push(Session { id, token: trace, being: being.to_owned(), since, seen: since });
        let own = self.kept.sessions.iter().filter(|session| session.being == being).count();
        if own > SESSIONS_MAX
            && let Some(oldest) = self.kept.sessions.iter().position(|session| session.being == being)
        {
            self.kept.sessions.remove(oldest);
        }
        self.save()?;
        Ok(token)
    }

    /// The session of a token, which is used by that: none if it has lasted for too long, or was not used for too long.
    pub fn session(&mut self, token: &str, now: i64) -> Option<Session> {
        let trace = trace_of(token);
        let session = self.kept.sessions.iter_mut().find(|session| session.token == trace && session.lasts(now))?;
        let is_old = now - session.seen > SEEN_STEP_MS;
        session.seen = session.seen.max(now);
        let session = session.clone();
        if is_old && let Err(error) = self.save() {
            tracing::warn!(%error, "when sessions were used last cannot be written; they end earlier than they should");
        }
        Some(session)
    }

    /// Whether a session is open.
    pub fn is_open(&self, id: &str, now: i64) -> bool {
        self.kept.sessions.iter().any(|session| session.id == id && session.lasts(now))
    }

    /// A being's sessions, the oldest first.
    pub fn sessions<'a>(&'a self, being: &'a str, now: i64) -> impl Iterator<Item = &'a Session> {
        self.kept.sessions.iter().filter(move |session| session.being == being && session.lasts(now))
    }

    /// The hash of a browser in which somebody has come in as a being before; none of any other.
    pub fn browser(&self, token: &str, being: &str) -> Option<String> {
        let trace = trace_of(token);
        self.kept.browsers.iter().any(|known| known.token == trace && known.being == being).then_some(trace)
    }

    /// Knows a browser from now on, by the token that it has or by a new one, which it is to keep.
    pub fn know(&mut self, token: Option<&str>, being: &str) -> io::Result<Option<String>> {
        if token.is_some_and(|token| self.browser(token, being).is_some()) {
            return Ok(None);
        }
        // One that is known for another being may be known for two.
        let is_known = |token: &&str| self.kept.browsers.iter().any(|known| known.token == trace_of(token));
        let (kept, new) = match token.filter(is_known) {
            Some(token) => (trace_of(token), None),
            None => {
                let token = kept::secret()?;
                (trace_of(&token), Some(token))
            }
        };
        self.kept.browsers.push(Browser { token: kept, being: being.to_owned() });
        if self.kept.browsers.iter().filter(|known| known.being == being).count() > BROWSERS_MAX
            && let Some(oldest) = self.kept.browsers.iter().position(|known| known.being == being)
        {
            self.kept.browsers.remove(oldest);
        }
        self.save()?;
        Ok(new)
    }

    /// Closes a being's session; whether there was one.
    pub fn close(&mut self, being: &str, id: &str) -> io::Result<bool> {
        let before = self.kept.sessions.len();
        self.kept.sessions.retain(|session| session.being != being || session.id != id);
        let was_there = self.kept.sessions.len() < before;
        if was_there {
            self.left.send_replace(());
            self.save()?;
        }
        Ok(was_there)
    }
}

/// The hash of a password, with a salt of its own.
pub fn hash(password: &str) -> Result<String, String> {
    Argon2::default().hash_password(password.as_bytes()).map(|hash| hash.to_string()).map_err(|error| error.to_string())
}

/// Whether a password is the one of a hash; takes long on purpose, also where there is no hash to compare with.
pub fn fits(password: &str, hash: Option<&str>) -> bool {
    let Some(hash) = hash else {
        // The time of the answer must not tell who has a password.
        let _ = self::hash(password);
        return false;
    };
    argon2::PasswordHash::new(hash).is_ok_and(|hash| Argon2::default().verify_password(password.as_bytes(), &hash).is_ok())
}
