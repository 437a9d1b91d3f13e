//! Placed: a JSON file that somebody has written, part by part: what is wrong in it is named by its file and its place there.

use std::path::Path;
use std::str::FromStr;

use anyhow::{Result, anyhow};
use serde_json::{Map, Value as Json};

use crate::source::read_text;

/// Reads a file as something that is written in JSON.
pub(super) fn read_placed<T>(file: &Path, what: &str, of: impl FnOnce(JsonPlace<'_>) -> Result<T, Misplaced>) -> Result<T> {
    let name = file.display();
    let text = read_text(file)?;
    let json: Json = serde_json::from_str(&text).map_err(|error| anyhow!("{name}:{}: expected {what} as JSON: {error}", error.line()))?;
    let whole = JsonPlace { path: String::new(), json: &json };
    of(whole).map_err(|Misplaced { path, what }| anyhow!("{name} at `{}`: {what}", if path.is_empty() { "/" } else { &path }))
}

/// An error in a JSON file: its place and what is wrong there.
#[derive(Debug)]
pub(super) struct Misplaced {
    path: String,
    what: String,
}

/// A part of the file, and where it stands.
pub(super) struct JsonPlace<'j> {
    path: String,
    pub(super) json: &'j Json,
}

impl<'j> JsonPlace<'j> {
    pub(super) fn fault(&self, what: impl Into<String>) -> Misplaced {
        Misplaced { path: self.path.clone(), what: what.into() }
    }

    pub(super) fn wrong<T>(&self, what: impl Into<String>) -> Result<T, Misplaced> {
        Err(self.fault(what))
    }

    /// The value under a key, null where it is missing, with its place for an error.
    pub(super) fn at(&self, key: &str) -> Self {
        Self { path: format!("{}/{key}", self.path), json: self.json.get(key).unwrap_or(&Json::Null) }
    }

    pub(super) fn map(&self, keys: &[&str]) -> Result<&'j Map<String, Json>, Misplaced> {
        let map = self.json.as_object().ok_or_else(|| self.fault(format!("expected an object, found {}", self.json)))?;
        match map.keys().find(|key| !keys.contains(&key.as_str())) {
            Some(strange) => self.at(strange).wrong(format!("expected only `{}`, found `{strange}`", keys.join("`, `"))),
            None => Ok(map),
        }
    }

    pub(super) fn text(&self, map: &Map<String, Json>, key: &str) -> Result<String, Misplaced> {
        let text = map.get(key).and_then(Json::as_str).map(str::trim).filter(|text| !text.is_empty());
        text.map(str::to_owned).ok_or_else(|| self.at(key).fault(format!("expected text, found {}", found(map.get(key)))))
    }

    pub(super) fn number(&self, map: &Map<String, Json>, key: &str) -> Result<i64, Misplaced> {
        let number = map.get(key).and_then(Json::as_i64);
        number.ok_or_else(|| self.at(key).fault(format!("expected a whole number, found {}", found(map.get(key)))))
    }

    /// A list; none where nothing is said.
    pub(super) fn list(&self, map: &'j Map<String, Json>, key: &str) -> Result<Vec<JsonPlace<'j>>, Misplaced> {
        let Some(json) = map.get(key) else { return Ok(Vec::new()) };
        let list = json.as_array().ok_or_else(|| self.at(key).fault(format!("expected a list, found {json}")))?;
        Ok(list.iter().enumerate().map(|(at, json)| JsonPlace { path: format!("{}/{key}/{at}", self.path), json }).collect())
    }

    /// A text that stands for something.
    pub(super) fn parsed<T: FromStr<Err: std::fmt::Display>>(&self) -> Result<T, Misplaced> {
        let text = self.json.as_str().ok_or_else(|| self.fault(format!("expected text, found {}", self.json)))?;
        text.parse().map_err(|error: T::Err| self.fault(error.to_string()))
    }
}

fn found(json: Option<&Json>) -> String {
    json.map_or_else(|| "none".to_owned(), Json::to_string)
}
