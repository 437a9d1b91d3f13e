//! Argument: what an act is given, on the command line, in a file or on standard input.
//!
//! JSON never begins with `@` and is never `-`, so `@FILE` and `-` mean one thing there. Words may well begin with a name: `@ada, come` is
//! said as it is, and only a single word `@FILE` names a file.

use std::fmt::Display;
use std::io::Read;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};

use crate::fact::Value;

/// The most bytes that are read: more than any act may carry.
const BYTES_MAX: u64 = 16 << 20;

/// Where an argument stands that is not on the command line.
#[derive(Clone, Debug)]
pub(super) enum ArgumentPlace {
    /// In a file.
    File(PathBuf),
    /// On standard input.
    Input,
}

/// Arguments of an act, as JSON.
#[derive(Clone, Debug)]
pub(super) enum JsonArgument {
    /// On the command line.
    Here(Value),
    /// Elsewhere, not read yet.
    There(ArgumentPlace),
}

/// Words of a summons.
#[derive(Clone, Debug)]
pub(super) enum WordsArgument {
    /// On the command line.
    Here(String),
    /// Elsewhere, not read yet.
    There(ArgumentPlace),
}

/// Arguments as they are written on the command line.
pub(super) fn json(text: &str) -> Result<JsonArgument, String> {
    match (text, text.strip_prefix('@')) {
        ("-", _) => Ok(JsonArgument::There(ArgumentPlace::Input)),
        (_, Some("")) => Err("expected the name of a file behind the `@`".to_owned()),
        (_, Some(file)) => Ok(JsonArgument::There(ArgumentPlace::File(file.into()))),
        _ => serde_json::from_str(text).map(JsonArgument::Here).map_err(|error| {
            let cure = meant(text).unwrap_or_default();
            format!("expected JSON such as '{{\"content\":\"hello\"}}', `@FILE` or `-`, found `{text}`: {error}{cure}")
        }),
    }
}

/// What somebody may have meant as JSON who wrote `drink=tea`, or whose quotes the shell has taken: `{drink:tea}`.
fn meant(text: &str) -> Option<String> {
    let is_key = |key: &str| !key.is_empty() && key.chars().all(|sign| sign.is_alphanumeric() || "-_".contains(sign));
    let pair = |pair: &str| {
        let (key, value) = pair.split_once(['=', ':'])?;
        let [key, value] = [key, value].map(|part| part.trim().trim_matches(['"', '\'']));
        let value = if serde_json::from_str::<Value>(value).is_ok() { value.to_owned() } else { format!("\"{value}\"") };
        (is_key(key) && !value.contains(['\\', '{'])).then(|| format!("\"{key}\":{value}"))
    };
    let inner = text.trim().trim_start_matches('{').trim_end_matches('}');
    let pairs: Option<Vec<String>> = inner.split(',').map(pair).collect();
    let json = format!("{{{}}}", pairs?.join(","));
    serde_json::from_str::<Value>(&json).ok().map(|_| format!("; write '{json}'"))
}

/// Words as they are written on the command line; `@@` begins words that begin with `@`.
pub(super) fn words(text: &str) -> WordsArgument {
    let is_word = !text.contains(char::is_whitespace);
    match (text, text.strip_prefix('@')) {
        ("-", _) => WordsArgument::There(ArgumentPlace::Input),
        (_, Some(rest)) if is_word && rest.starts_with('@') => WordsArgument::Here(rest.to_owned()),
        (_, Some(file)) if is_word && !file.is_empty() => WordsArgument::There(ArgumentPlace::File(file.into())),
        _ => WordsArgument::Here(text.to_owned()),
    }
}

impl JsonArgument {
    /// The name of the file that it is read from, where there is no such file.
    pub(super) fn lacking_file(&self) -> Option<&str> {
        match self {
            Self::There(ArgumentPlace::File(file)) if !file.exists() => file.to_str(),
            Self::Here(_) | Self::There(_) => None,
        }
    }

    /// The value, read from where it stands.
    pub(super) fn read(self) -> Result<Value> {
        match self {
            Self::Here(value) => Ok(value),
            Self::There(place) => {
                let hint = |name: &str| format!("an address as JSON is written '\"@{name}\"'");
                let text = place.text(hint)?;
                if text.trim().is_empty() {
                    bail!("{place}: expected JSON, found nothing");
                }
                serde_json::from_str(&text).map_err(|error| {
                    let whole = error.to_string();
                    let at = format!(" at line {} column {}", error.line(), error.column());
                    anyhow::anyhow!("{place}:{}:{}: expected JSON: {}", error.line(), error.column(), whole.trim_end_matches(&at))
                })
            }
        }
    }
}

impl WordsArgument {
    /// The words, read from where they stand, without the break at their end.
    pub(super) fn read(self) -> Result<String> {
        match self {
            Self::Here(words) => Ok(words),
            Self::There(place) => {
                let text = place.text(|name| format!("to say a word that begins with `@`, write `@@{name}`"))?;
                let words = text.strip_suffix('\n').unwrap_or(&text);
                Ok(words.strip_suffix('\r').unwrap_or(words).to_owned())
            }
        }
    }
}

impl ArgumentPlace {
    fn bytes(&self) -> std::io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        match self {
            Self::File(file) => std::fs::File::open(file)?.take(BYTES_MAX + 1).read_to_end(&mut bytes)?,
            Self::Input => std::io::stdin().lock().take(BYTES_MAX + 1).read_to_end(&mut bytes)?,
        };
        Ok(bytes)
    }

    /// The text there; where there is no such file, with what may have been meant.
    fn text(&self, meant: impl FnOnce(&str) -> String) -> Result<String> {
        let bytes = self.bytes().with_context(|| match self {
            Self::File(file) => format!("cannot read `{}`; {}", file.display(), meant(&file.display().to_string())),
            Self::Input => "cannot read standard input".to_owned(),
        })?;
        if bytes.len() as u64 > BYTES_MAX {
            bail!("{self}: expected at most {BYTES_MAX} bytes, found more; put less in one act");
        }
        let text = String::from_utf8(bytes).map_err(|error| {
            let before = error.as_bytes().get(..error.utf8_error().valid_up_to()).unwrap_or_default();
            let line = 1 + before.iter().filter(|byte| **byte == b'\n').count();
            let column = 1 + before.iter().rev().take_while(|byte| **byte != b'\n').count();
            anyhow::anyhow!("{self}:{line}:{column}: expected UTF-8, found another encoding; save it as UTF-8")
        })?;
        Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
    }
}

impl Display for ArgumentPlace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::File(file) => write!(f, "{}", file.display()),
            Self::Input => f.write_str("standard input"),
        }
    }
}
