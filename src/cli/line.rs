//! Line: how commands that write reach a world: through the process that serves it, over the socket beside its files, or by opening it.

use std::fs::File;
use std::os::fd::AsRawFd;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use serde_json::{Value as Json, json};

use crate::fact::{BeingId, Call, Code, Content, Seq, Text, Verb, Verbs};
use crate::mcp::ApiWay;
use crate::portal::{Tokens, is_person, now, read_wake};
use crate::run::{Gesture, Living, RunError};
use crate::source::Source;
use crate::world::World;

use super::door::Door;
use super::inbox::{Answers, WaitingWake};

/// A world that can be written to.
pub enum Reach {
    /// Another process serves it.
    There(SocketLine),
    /// It is opened here, and acted in by a token where one is given.
    Here(Box<Living>, Option<ByToken>),
}

/// As whom, and with which verbs, acts are done that are done by a token.
pub struct ByToken {
    being: BeingId,
    only: Verbs,
}

/// The outcome of an act.
pub struct Done {
    /// The moment, as JSON.
    pub report: Json,
    /// Its seq.
    pub seq: u64,
    /// The frame whose summons it answers, if it answers one.
    pub answered: Option<Seq>,
    /// Why it was refused.
    pub refused: Option<String>,
    /// Lines about it. For a refusal: the meaning of the code, what to write instead, and what rules and scripts said. For an act that was
    /// done: what may not be meant.
    pub told: Vec<String>,
}

impl ByToken {
    /// The being and limits of a token, from its file beside the world. The look-up counts as a use.
    fn of(door: &Door, secret: &str) -> Result<Self> {
        let mut tokens = Tokens::of(&door.data)?;
        let token = tokens.find(secret, now()).ok_or(RunError::TokenLost)?.clone();
        // A rate is the server's to hold: whoever opens the files is held by none.
        let _ = tokens.use_once(&token.id, now(), Instant::now());
        tokens.save_uses()?;
        Ok(Self { being: token.being().ok_or(RunError::TokenLost)?, only: token.only })
    }
}

impl Done {
    /// A moment as whoever runs the world tells it.
    fn of(report: Json) -> Result<Self> {
        let part = |key: &str| report.pointer(key).and_then(Json::as_str).unwrap_or_default().to_owned();
        let reason = || match part("/reason/at").as_str() {
            "" => part("/reason/code"),
            at => format!("{} at `{at}`", part("/reason/code")),
        };
        let refused = report.get("reason").is_some_and(|reason| !reason.is_null()).then(reason);
        let seq =
            report.get("seq").and_then(Json::as_u64).context("the process that serves this world answered something else than a moment")?;
        let sentence = part("/reason/code").parse::<Code>().ok().map(|code| code.sentence().to_owned());
        let lists =
            ["hints", "notes"].into_iter().filter(|key| refused.is_some() || *key == "hints").filter_map(|key| report.get(key)?.as_array());
        let told = sentence.into_iter().chain(lists.flatten().filter_map(|line| line.as_str().map(str::to_owned))).collect();
        Ok(Self { report, seq, answered: None, refused, told })
    }
}

/// The actor in a world that is opened here: the being that is named, else the token's, else the operator.
fn speaker_here(living: &Living, held: Option<&ByToken>, being: Option<&str>) -> Result<Text> {
    let own = match held {
        None => "operator".into(),
        Some(held) => {
            let own = living.world().being(held.being).filter(|being| is_person(being));
            own.ok_or(RunError::TokenLost)?.name.clone()
        }
    };
    Ok(being.map_or(own, |name| name.trim_start_matches('@').into()))
}

impl Reach {
    /// Reaches the world of `--data`.
    pub fn to(door: &Door) -> Result<Self> {
        match SocketLine::of(door) {
            Some(line) => Ok(Self::There(line)),
            None => {
                let living = Box::new(door.living()?);
                let held = door.token.as_deref().map(|token| ByToken::of(door, token)).transpose()?;
                Ok(Self::Here(living, held))
            }
        }
    }

    /// Has a being act, durably: the one that is named; else the token's, or the operator. It answers what waits there, as it is said.
    pub fn act(&mut self, being: Option<&str>, answers: Option<Answers>, call: Call) -> Result<Done> {
        let waiting = match (answers, call.target.starts_with('@')) {
            (Some(Answers::Nothing), _) | (None, false) => Vec::new(),
            (Some(Answers::Cause(..)), _) => self.inbox(being)?,
            // A being that may not read its inbox answers nothing unless it says what.
            (None, true) => self.inbox(being).unwrap_or_default(),
        };
        let picked = Answers::pick(answers, &call, &waiting)?;
        let report = match self {
            Self::There(line) => line.act(line.speaker(being), &call, picked)?,
            Self::Here(living, held) => {
                let name = speaker_here(living, held.as_ref(), being)?;
                let (by, only) = held.as_ref().map_or((None, Verbs::ALL), |held| (Some(held.being), held.only));
                let wake = picked.and_then(|picked| read_wake(&picked.wake));
                let gesture = Gesture { being: name, call: Some(call), wake, by, metered: false, once: None, only };
                serde_json::to_value(living.gesture(gesture)?)?
            }
        };
        let done = Done::of(report)?;
        // One that is refused is an act of its own, and what it was to answer still waits.
        Ok(Done { answered: picked.map(|picked| picked.seq).filter(|_| done.refused.is_none()), ..done })
    }

    /// The wakes that wait for a being, or for the actor where none is named.
    pub fn inbox(&self, being: Option<&str>) -> Result<Vec<WaitingWake>> {
        match self {
            Self::There(line) => {
                let named = line.speaker(being).map(|name| format!("?as={name}")).unwrap_or_default();
                WaitingWake::told(&line.ask("GET", &format!("/api/inbox{named}"), &Json::Null)?)
            }
            Self::Here(living, held) => WaitingWake::of(living.world(), &speaker_here(living, held.as_ref(), being)?, living.now()),
        }
    }

    /// The world as it is.
    pub fn world(&self, door: &Door) -> Result<Arc<World>> {
        match self {
            Self::There(_) => Ok(Arc::new(door.world()?.1)),
            Self::Here(living, _) => Ok(living.world().clone()),
        }
    }

    /// The world, where nothing runs it: it stands still between two acts.
    pub fn stands(&self) -> Option<&World> {
        match self {
            Self::There(_) => None,
            Self::Here(living, _) => Some(living.world()),
        }
    }

    /// Stamps what differs between a source and the world.
    pub fn apply(&mut self, path: &Path, source: &Source) -> Result<Vec<String>> {
        match self {
            Self::There(line) => line.apply(path),
            Self::Here(_, Some(_)) => bail!("a source is applied by whoever holds the world's files; take REELM_TOKEN away"),
            Self::Here(living, None) => Ok(living.apply(source)?),
        }
    }

    /// Lets go of it, with everything durable.
    pub fn close(self) -> Result<()> {
        match self {
            Self::There(_) => {}
            Self::Here(living, _) => drop(living.stop()?),
        }
        Ok(())
    }
}

/// A line to whoever serves a world.
pub struct SocketLine {
    socket: PathBuf,
    /// The directory by whose handle the socket is named: an address has room for about a hundred bytes, and a path may be longer.
    _dir: File,
    /// The token of the requests; none: they are made as the holder of the files.
    token: Option<String>,
}

impl SocketLine {
    /// The line to the process that serves the world in `dir`, if there is one.
    pub fn to(dir: &Path) -> Option<Self> {
        let dir = File::open(dir).ok()?;
        let socket = PathBuf::from(format!("/proc/self/fd/{}/socket", dir.as_raw_fd()));
        // A socket that nobody answers was left by a process that is gone.
        UnixStream::connect(&socket).ok().map(|_| Self { socket, _dir: dir, token: None })
    }

    /// The same to the world of `--data`, by the token of whoever asks.
    pub fn of(door: &Door) -> Option<Self> {
        Self::to(&door.data).map(|line| Self { token: door.token.clone(), ..line })
    }

    /// As whom it is asked: as whom it is said; else with a token as its own being, without one as the operator.
    pub fn speaker<'n>(&self, being: Option<&'n str>) -> Option<&'n str> {
        if self.token.is_some() { being } else { being.or(Some("@operator")) }
    }

    /// The API over this line, for whoever asks it often.
    pub fn way(&self, token: Option<String>) -> Result<ApiWay> {
        let _ = rustls::crypto::ring::default_provider().install_default();
        Ok(ApiWay::Socket { client: reqwest::Client::builder().unix_socket(self.socket.as_path()).build()?, token })
    }

    /// Has a being act.
    fn act(&self, being: Option<&str>, call: &Call, answered: Option<&WaitingWake>) -> Result<Json> {
        let Content::Here(args) = &call.args else { bail!("the arguments of an act are given with it") };
        let (path, mut body) = match call.verb {
            Verb::Do => ("/api/do", json!({ "target": call.target, "action": call.action, "args": args })),
            Verb::Be => ("/api/be", json!({ "operation": call.action, "payload": args })),
            Verb::See => ("/api/see", json!({ "target": call.target })),
            Verb::Summon => {
                let mut body = serde_json::to_value(args)?;
                if let Some(map) = body.as_object_mut() {
                    map.insert("target".to_owned(), json!(call.target));
                }
                ("/api/summon", body)
            }
        };
        if let (Some(map), Some(being)) = (body.as_object_mut(), being) {
            map.insert("as".to_owned(), json!(being));
        }
        if let (Some(map), Some(answered)) = (body.as_object_mut(), answered) {
            map.insert("wake".to_owned(), json!(answered.wake));
        }
        self.ask("POST", path, &body)
    }

    /// Applies a source, which the other process reads where it lies.
    fn apply(&self, source: &Path) -> Result<Vec<String>> {
        let source = std::path::absolute(source).with_context(|| format!("cannot name `{}` from its root", source.display()))?;
        Ok(serde_json::from_value(self.ask("POST", "/api/apply", &json!({ "source": source }))?)?)
    }

    /// Asks the process for something.
    pub fn ask(&self, method: &str, path: &str, body: &Json) -> Result<Json> {
        let method = method.parse::<reqwest::Method>()?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let _ = rustls::crypto::ring::default_provider().install_default();
        let (status, text) = runtime
            .block_on(async {
                let client = reqwest::Client::builder().unix_socket(self.socket.as_path()).build()?;
                let request = client.request(method, format!("http://localhost{path}"));
                let request = request.header("content-type", "application/json").body(body.to_string());
                let request = match &self.token {
                    Some(token) => request.bearer_auth(token),
                    None => request,
                };
                let response = request.send().await?;
                let status = response.status();
                Ok::<_, reqwest::Error>((status, response.text().await?))
            })
            .context("the process that serves this world does not answer")?;
        let value: Json = serde_json::from_str(&text).with_context(|| format!("the process that serves this world answered `{status}`"))?;
        if status.is_success() {
            return Ok(value);
        }
        let message = value.pointer("/error/message").and_then(Json::as_str).unwrap_or("it gave no reason").to_owned();
        bail!(message)
    }
}
