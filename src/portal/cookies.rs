//! Cookies: the names of a world's two cookies, and how one is read and set.
//!
//! A browser sends the cookies of one machine to every port of it. So each data directory draws eight letters once, and its cookies end in
//! them. The letters lie in a file of their own, which no fork, backup, export or import takes along.

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use axum::http::header::COOKIE;
use axum::http::{HeaderMap, HeaderValue};
use cookie::time::Duration;
use cookie::{Cookie, SameSite};
use serde::{Deserialize, Serialize};

use super::kept;

/// How many letters the names end in.
const LETTERS: usize = 8;

/// The content of the file `cookies`.
#[derive(Default, PartialEq, Serialize, Deserialize)]
struct KeptLetters {
    letters: String,
    /// Where the directory lay, and its number on its file system. A copy made by hand differs in both, and draws letters of its own.
    path: String,
    inode: u64,
}

/// The names of a world's cookies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CookieNames {
    /// Holds the token of a session.
    pub session: String,
    /// Holds the token of a browser in which somebody has come in before.
    pub browser: String,
}

impl CookieNames {
    /// Those of the world in a directory, drawn now where it has none.
    pub fn of(dir: &Path) -> io::Result<Self> {
        let file = dir.join("cookies");
        let (path, inode) = (dir.canonicalize()?.to_string_lossy().into_owned(), fs::metadata(dir)?.ino());
        let before: KeptLetters = kept::read(&file)?;
        // A directory that was moved keeps its number, and some file systems number theirs anew at each start.
        let is_here = before.path == path || before.inode == inode;
        let letters = if is_here && is_drawn(&before.letters) { before.letters.clone() } else { drawn()? };
        let now = KeptLetters { letters, path, inode };
        if now != before {
            kept::write(&file, &now)?;
        }
        Ok(Self::ending_in(&now.letters))
    }

    /// Those that end in these letters.
    pub fn ending_in(letters: &str) -> Self {
        Self { session: format!("reelm_session_{letters}"), browser: format!("reelm_browser_{letters}") }
    }
}

pub fn is_drawn(letters: &str) -> bool {
    letters.len() == LETTERS && letters.bytes().all(|letter| letter.is_ascii_lowercase())
}

/// Random letters, each as likely as any other.
fn drawn() -> io::Result<String> {
    let mut letters = String::new();
    while letters.len() < LETTERS {
        let mut bytes = [0u8; 16];
        getrandom::fill(&mut bytes).map_err(|error| io::Error::other(error.to_string()))?;
        let even = bytes.into_iter().filter(|byte| *byte < 26 * 9).map(|byte| char::from(b'a' + byte % 26));
        letters.extend(even.take(LETTERS - letters.len()));
    }
    Ok(letters)
}

/// The value of the cookie of this name.
pub fn cookie_of(headers: &HeaderMap, wanted: &str) -> Option<String> {
    let lines = headers.get_all(COOKIE).iter().filter_map(|line| line.to_str().ok());
    let mut cookies = lines.flat_map(Cookie::split_parse).filter_map(Result::ok);
    cookies.find(|cookie| cookie.name() == wanted).map(|cookie| cookie.value().to_owned())
}

/// A cookie of this server for so many seconds, which no script reads and no other page sends.
pub fn cookie(name: &str, token: &str, age: i64) -> Option<HeaderValue> {
    let cookie = Cookie::build((name, token)).path("/").http_only(true).same_site(SameSite::Strict).max_age(Duration::seconds(age));
    HeaderValue::from_str(&cookie.to_string()).ok()
}
