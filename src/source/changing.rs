//! Changing: one thing that is to be otherwise in a world, as people write it on a command line: a file of a source, or a name and a value.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use crate::fact::{Call, Text, Value};
use crate::world::World;

use super::error::SourceError;
use super::files::{read, read_role};
use super::meeting::{Quotes, fits_setting, is_of_kind, meets_mind, meets_reader, meets_role, meets_roles_of, meets_script};
use super::plan::{Step, plan};
use super::signal_kind::SignalKind;
use super::written::Source;

/// A change of a world.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WantedChange {
    /// As it was written.
    text: String,
    pub what: Changing,
    /// Whether its value comes from JSON, where quotes do not say that text is meant.
    is_json: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Changing {
    /// A role, under its own name or another.
    Role(Option<Text>, PathBuf),
    /// A role as JSON.
    WrittenRole(Text, Value),
    /// A script, under the name of its file or another.
    Script(Text, PathBuf),
    /// The flow of a being or a space, in a file or as JSON.
    Flow(String, String),
    /// A signal.
    Signal(String, Value),
    /// A setting of the world, a space or a being.
    Setting(String, String, Value),
    /// Another answer of a model in a recorded moment, in a file or written out.
    Reply(String, ReplyText),
    /// All in which the world differs from a source.
    Source(PathBuf),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReplyText {
    Here(String),
    File(PathBuf),
}

/// Another answer of a model in a recorded moment.
pub struct OtherReply {
    /// The moment, as it was named.
    pub moment: String,
    /// The text of the answer: prose, or a call.
    pub text: String,
}

impl FromStr for WantedChange {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::beside(Path::new(""), text)
    }
}

impl WantedChange {
    /// The same, where files are named from a folder on.
    pub fn beside(dir: &Path, text: &str) -> Result<Self, String> {
        let what = match text.split_once(':').and_then(|(kind, rest)| Some((kind, rest.split_once('=')?))) {
            Some(("role", (name, role))) if role.trim_start().starts_with('{') => {
                let wrong = |error| format!("expected a role as JSON in `role:{name}=…`: {error}");
                Changing::WrittenRole(name.into(), serde_json::from_str(role).map_err(wrong)?)
            }
            Some(("role", (name, file))) => Changing::Role(Some(name.into()), dir.join(file)),
            Some(("script", (name, file))) => Changing::Script(name.into(), dir.join(file)),
            Some(("flow", (of, flow))) if flow.trim_start().starts_with('[') => Changing::Flow(of.to_owned(), flow.to_owned()),
            Some(("flow", (of, flow))) => Changing::Flow(of.to_owned(), dir.join(flow).display().to_string()),
            Some(("reply", (moment, text))) => Changing::Reply(moment.to_owned(), ReplyText::of(dir, text)),
            Some(("signal", (path, value))) => Changing::Signal(path.trim_start_matches('/').to_owned(), written(value)),
            Some(("setting", (key, value))) => {
                let (of, key) = key.rsplit_once('/').unwrap_or(("/", key));
                Changing::Setting(if of.is_empty() { "/" } else { of }.to_owned(), key.to_owned(), written(value))
            }
            _ => of_file(dir, text)?,
        };
        Ok(Self { text: text.to_owned(), what, is_json: false })
    }

    /// The same, of a value from JSON.
    pub fn of_json(dir: &Path, text: &str) -> Result<Self, String> {
        Ok(Self { is_json: true, ..Self::beside(dir, text)? })
    }
}

impl WantedChange {
    /// The same, of those that read no file: for whoever is not to read the files of this machine.
    pub fn written(text: &str) -> Result<Self, String> {
        let kinds = ["role:", "flow:", "signal:", "setting:", "reply:"];
        let found = if kinds.iter().any(|kind| text.starts_with(kind)) { text.parse::<Self>().map(Some)? } else { None };
        let is_written = |what: &Changing| match what {
            Changing::WrittenRole(..) | Changing::Signal(..) | Changing::Setting(..) | Changing::Reply(_, ReplyText::Here(_)) => true,
            Changing::Flow(_, flow) => flow.trim_start().starts_with('['),
            Changing::Role(..) | Changing::Script(..) | Changing::Reply(_, ReplyText::File(_)) | Changing::Source(_) => false,
        };
        found.filter(|change| is_written(&change.what)).ok_or_else(|| {
            format!(
                "expected `role:NAME={{…}}`, `flow:@being=[…]`, `signal:PATH=VALUE`, `setting:KEY=VALUE` or `reply:MOMENT={{…}}`, written out, \
                 found `{text}`"
            )
        })
    }

    /// Whether it is what a model has answered: such a change says by itself where its fork begins.
    pub fn is_reply(&self) -> bool {
        matches!(self.what, Changing::Reply(..))
    }

    /// The thing that it sets, as a parameter of a grid names it; nothing where that is no single thing.
    pub fn sets(&self) -> Option<String> {
        match &self.what {
            Changing::Role(Some(name), _) | Changing::WrittenRole(name, _) => Some(format!("role:{name}")),
            Changing::Role(None, file) => read_role(file).ok().map(|spec| format!("role:{}", spec.name)),
            Changing::Script(name, _) => Some(format!("script:{name}")),
            Changing::Flow(of, _) => Some(format!("flow:{of}")),
            Changing::Signal(path, _) => Some(format!("signal:{path}")),
            Changing::Setting(of, key, _) if of == "/" => Some(format!("setting:{key}")),
            Changing::Setting(of, key, _) => Some(format!("setting:{of}/{key}")),
            Changing::Reply(..) | Changing::Source(_) => None,
        }
    }

    /// The other answer of a model, if the change is one.
    pub fn reply(&self) -> Result<Option<OtherReply>, SourceError> {
        let Changing::Reply(moment, text) = &self.what else { return Ok(None) };
        let text = match text {
            ReplyText::Here(text) => text.clone(),
            ReplyText::File(file) => read(file)?,
        };
        Ok(Some(OtherReply { moment: moment.clone(), text }))
    }
}

impl ReplyText {
    /// A call as an object, prose as text in quotes; else a file.
    fn of(dir: &Path, text: &str) -> Self {
        let begins = text.trim_start();
        if begins.starts_with(['{', '"']) {
            Self::Here(serde_json::from_str::<String>(begins).unwrap_or_else(|_| text.to_owned()))
        } else {
            Self::File(dir.join(text))
        }
    }
}

/// A value as JSON or, where it is none, as text.
fn written(value: &str) -> Value {
    serde_json::from_str(value).unwrap_or_else(|_| Value::text(value))
}

fn of_file(dir: &Path, text: &str) -> Result<Changing, String> {
    let path = dir.join(text);
    let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    match path.extension().and_then(|ending| ending.to_str()) {
        Some("md") => Ok(Changing::Role(None, path)),
        Some("rhai") => Ok(Changing::Script(stem.into(), path)),
        _ if path.is_dir() => Ok(Changing::Source(path)),
        _ => Err(format!(
            "expected a role (`judge.md`), a script (`judge.rhai`), the directory of a source, `role:NAME=FILE`, `script:NAME=FILE`, \
             `flow:@being=FILE`, `signal:PATH=VALUE`, `setting:KEY=VALUE` or `reply:MOMENT=FILE`, found `{text}`"
        )),
    }
}

impl WantedChange {
    fn quotes(&self) -> Quotes {
        let said = self.text.split_once('=').map_or("", |(_, said)| said);
        match said.trim_start().starts_with('"') {
            _ if self.is_json => Quotes::Json,
            true => Quotes::Meant,
            false => Quotes::None,
        }
    }

    /// The acts of the operator by which a world is changed so. `before` gives the last value that a signal had, to those who have a history.
    pub fn steps(&self, world: &World, before: &dyn Fn(&str) -> Option<Value>) -> Result<Vec<Step>, SourceError> {
        let unmet = |what| SourceError::Unmet { change: self.text.clone(), what };
        let (target, action, args) = match &self.what {
            Changing::Source(dir) => return Ok(plan(&Source::read(dir)?, world)),
            // It is no act, but what led to one: who makes a fork comes to that moment once more.
            Changing::Reply(..) => return Ok(Vec::new()),
            Changing::Role(name, file) => {
                let mut spec = read_role(file)?;
                spec.name = name.clone().unwrap_or(spec.name);
                meets_role(world, &spec.name).map_err(unmet)?;
                ("/", "role.set", Value::map([("name", Value::from(&spec.name)), ("role", spec.to_value())]))
            }
            Changing::WrittenRole(name, role) => {
                meets_role(world, name).map_err(unmet)?;
                ("/", "role.set", Value::map([("name", Value::from(name)), ("role", role.clone())]))
            }
            Changing::Script(name, file) => {
                meets_script(world, name).map_err(unmet)?;
                let (shown, source) = (file.display().to_string(), read(file)?);
                let args = [("name", Value::from(name)), ("file", Value::from(shown)), ("source", Value::from(source))];
                ("/", "script.set", Value::map(args))
            }
            Changing::Flow(of, flow) => {
                let json = if flow.trim_start().starts_with('[') { flow.clone() } else { read(Path::new(flow))? };
                let wrong = |error: serde_json::Error| {
                    SourceError::wrong(flow.clone(), error.line(), format!("expected a flow as a JSON list of clauses: {error}"))
                };
                let flow: Value = serde_json::from_str(&json).map_err(wrong)?;
                meets_roles_of(world, &flow).map_err(unmet)?;
                (of.as_str(), "flow.set", Value::map([("flow", flow)]))
            }
            Changing::Signal(path, value) => {
                let known = || SignalKind::of(world, path, before);
                meets_reader(world, path).and_then(|()| is_of_kind(known, value, self.quotes())).map_err(unmet)?;
                ("/", "signal.set", Value::map([("path", Value::text(path)), ("value", value.clone())]))
            }
            Changing::Setting(of, key, value) => {
                fits_setting(world, key, value).and_then(|()| meets_mind(world, of, key)).map_err(unmet)?;
                (of.as_str(), "config.set", Value::map([("key", Value::text(key)), ("value", value.clone())]))
            }
        };
        let (why, place) = (format!("change {}", self.text), format!("--change {}", self.text));
        Ok(vec![Step { call: Call::doing(target, action, args), why, place }])
    }
}
