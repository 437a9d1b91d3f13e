//! People: who may come in: passwords (argon2), sessions, and the one-time link. All of it lies beside the keystore, for its owner only.
//!
//! Nothing here is a fact: secrets never enter a history. A session's token is known to its browser alone; what is kept is its hash.

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use argon2::Argon2;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use serde::{Deserialize, Serialize};

use crate::fact::Hash;

/// The shortest password that is taken, in characters.
pub const PASSWORD_MIN: usize = 8;
/// The longest, in bytes: hashing is paid by the server.
pub const PASSWORD_MAX: usize = 1024;
/// How many sessions one being may have at a time; the oldest goes first.
const SESSIONS_MAX: usize = 32;

/// One way in that is open.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Session {
    /// What it is called where sessions are listed; of no use for coming in.
    pub id: String,
    /// The hash of its token.
    token: String,
    /// Whose it is, as the being's inside name.
    pub being: String,
    /// Since when, in milliseconds of the wall clock.
    pub since: i64,
}

#[derive(Default, Serialize, Deserialize)]
struct Kept {
    passwords: BTreeMap<String, String>,
    sessions: Vec<Session>,
}

/// Who may come in.
pub struct People {
    file: PathBuf,
    kept: Kept,
    /// The hash of the one-time token, while it was not used.
    link: Option<String>,
}

/// A new token: 256 random bits.
fn token() -> io::Result<String> {
    let mut bytes = [0u8; 32];
    getrandom::fill(&mut bytes).map_err(|error| io::Error::other(error.to_string()))?;
    Ok(Hash(bytes).to_string())
}

/// What is kept of a token.
fn trace_of(token: &str) -> String {
    Hash(blake3::derive_key("reelm 1 session token", token.as_bytes())).to_string()
}

impl People {
    /// Reads who may come into the world in `dir`.
    pub fn of(dir: &Path) -> io::Result<Self> {
        let file = dir.join("people");
        let kept = match fs::read(&file) {
            Ok(bytes) => serde_json::from_slice(&bytes).map_err(|_| {
                io::Error::other(format!(
                    "`{}` cannot be read as what `serve` wrote; take it away and everybody logs in anew",
                    file.display()
                ))
            })?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Kept::default(),
            Err(error) => return Err(error),
        };
        Ok(Self { file, kept, link: None })
    }

    fn save(&self) -> io::Result<()> {
        let beside = self.file.with_extension("new");
        match fs::remove_file(&beside) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&beside)?;
        file.write_all(&serde_json::to_vec(&self.kept)?)?;
        file.sync_all()?;
        fs::rename(&beside, &self.file)
    }

    /// Whether a being has a password.
    pub fn has_password(&self, being: &str) -> bool {
        self.kept.passwords.contains_key(being)
    }

    /// The token of a link by which one may come in once, without a password.
    pub fn link(&mut self) -> io::Result<String> {
        let token = token()?;
        self.link = Some(trace_of(&token));
        Ok(token)
    }

    /// Uses the link up; whether it was the one.
    pub fn use_link(&mut self, token: &str) -> bool {
        let is_it = self.link.as_deref() == Some(trace_of(token).as_str());
        if is_it {
            self.link = None;
        }
        is_it
    }

    /// The hash against which a password is checked; [`fits`] takes long on purpose, so it is not done in here.
    pub fn password(&self, being: &str) -> Option<String> {
        self.kept.passwords.get(being).cloned()
    }

    /// Keeps the hash of a being's password, and closes its other sessions.
    pub fn set_password(&mut self, being: &str, hash: String, but: Option<&str>) -> io::Result<()> {
        self.kept.passwords.insert(being.to_owned(), hash);
        self.kept.sessions.retain(|session| session.being != being || Some(session.id.as_str()) == but);
        self.save()
    }

    /// Opens a session; the token is for its browser alone.
    pub fn open(&mut self, being: &str, since: i64) -> io::Result<String> {
        let token = token()?;
        let trace = trace_of(&token);
        let id = trace_of(&trace).chars().take(12).collect();
        self.kept.sessions.push(Session { id, token: trace, being: being.to_owned(), since });
        let own = self.kept.sessions.iter().filter(|session| session.being == being).count();
        if own > SESSIONS_MAX
            && let Some(oldest) = self.kept.sessions.iter().position(|session| session.being == being)
        {
            self.kept.sessions.remove(oldest);
        }
        self.save()?;
        Ok(token)
    }

    /// The session of a token.
    pub fn session(&self, token: &str) -> Option<&Session> {
        let trace = trace_of(token);
        self.kept.sessions.iter().find(|session| session.token == trace)
    }

    /// A being's sessions, the oldest first.
    pub fn sessions<'a>(&'a self, being: &'a str) -> impl Iterator<Item = &'a Session> {
        self.kept.sessions.iter().filter(move |session| session.being == being)
    }

    /// Closes a being's session; whether there was one.
    pub fn close(&mut self, being: &str, id: &str) -> io::Result<bool> {
        let before = self.kept.sessions.len();
        self.kept.sessions.retain(|session| session.being != being || session.id != id);
        let was_there = self.kept.sessions.len() < before;
        if was_there {
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
        // Whoever asks shall not learn from the time it takes who has a password.
        let _ = self::hash(password);
        return false;
    };
    argon2::PasswordHash::new(hash).is_ok_and(|hash| Argon2::default().verify_password(password.as_bytes(), &hash).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_opens_once_and_a_session_lasts_until_it_is_closed() {
        let dir = tempfile::tempdir().unwrap();
        let mut people = People::of(dir.path()).unwrap();
        let link = people.link().unwrap();
        assert!(!people.use_link("another"));
        assert!(people.use_link(&link));
        assert!(!people.use_link(&link), "a link is used up");
        let token = people.open("0.2", 5).unwrap();
        let mut again = People::of(dir.path()).unwrap();
        let id = again.session(&token).unwrap().id.clone();
        assert_eq!(again.session(&token).unwrap().being, "0.2");
        assert!(!fs::read_to_string(dir.path().join("people")).unwrap().contains(&token), "a token is not kept");
        assert!(!again.close("0.9", &id).unwrap(), "only one's own sessions can be closed");
        assert!(again.close("0.2", &id).unwrap());
        assert!(People::of(dir.path()).unwrap().session(&token).is_none());
    }

    #[test]
    fn a_password_is_kept_as_a_hash_and_a_new_one_closes_the_sessions() {
        let dir = tempfile::tempdir().unwrap();
        let mut people = People::of(dir.path()).unwrap();
        let token = people.open("0.2", 5).unwrap();
        people.set_password("0.2", hash("correct horse").unwrap(), None).unwrap();
        assert!(people.session(&token).is_none());
        let kept = people.password("0.2");
        assert!(fits("correct horse", kept.as_deref()) && !fits("battery staple", kept.as_deref()) && !fits("correct horse", None));
        assert!(!fs::read_to_string(dir.path().join("people")).unwrap().contains("correct horse"));
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(fs::metadata(dir.path().join("people")).unwrap().permissions().mode() & 0o777, 0o600);
    }
}
