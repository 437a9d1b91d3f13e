//! NATS: a copy of the log in a JetStream stream, and the lease of its owner in a key-value bucket.
//!
//! A stream has one subject. Its first message is the `world.toml`; each further one is a group, or a part of one that is larger than a
//! message may be: parts count once the last of them is there. Each message names the sequence that it expects last, so whoever was
//! replaced is refused; nothing here depends on a clock. Servers must sync each message before they acknowledge it.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use async_nats::jetstream::context::{Context, PublishError, PublishErrorKind};
use async_nats::jetstream::message::{PublishMessage, StreamMessage};
use async_nats::jetstream::stream::{Config, RawMessageError, StorageType, Stream};
use async_nats::jetstream::{self, kv};
use async_nats::{ConnectOptions, ServerAddr};
use futures_util::stream::{self, StreamExt};
use tokio::runtime::{Builder, Runtime};

use crate::fact::{Hash, Seq, WorldId};

use super::copied_groups::CopiedGroup;
use super::error::StoreError;
use super::replica::{CopyEnd, GroupTaker, Lease, LogCopy, Replica};
use super::replica_status::{ReplicaServer, ReplicaStatus};

/// How long a server may take to answer.
const PATIENCE: Duration = Duration::from_secs(3);
/// How long servers that are about to choose a leader are asked again.
const STEADY: Duration = Duration::from_secs(60);
/// How long one rests between two tries.
const REST: Duration = Duration::from_millis(500);
/// How often the servers are asked whether they are there.
const ROUND: Duration = Duration::from_secs(2);
/// How often a message is asked for that should be there.
const ASKED: usize = 6;
/// How many messages are read ahead.
const AHEAD: usize = 64;
/// The room that the headers of a message take, at most.
const HEADERS: usize = 1024;
/// The bucket of the leases.
const BUCKET: &str = "reelm-owners";
const NUMBER: &str = "Reelm-Number";
const END_SEQ: &str = "Reelm-End";
const COMMIT: &str = "Reelm-Commit";
const PART: &str = "Reelm-Part";
const FENCE: &str = "Reelm-Fence";

/// Where the copy lies.
#[derive(Clone, Debug)]
pub struct NatsTerms {
    /// The addresses of the servers, as `nats://host:4222`.
    pub servers: Vec<String>,
    /// The addresses of their monitors; none: port 8222 of each.
    pub monitors: Vec<String>,
}

/// The copy of one world.
pub struct NatsStream {
    runtime: Arc<Runtime>,
    context: Context,
    stream: Stream,
    owners: Option<kv::Store>,
    world: WorldId,
    /// The sequence of the last message, whatever it is.
    last: u64,
    /// The largest payload of a message.
    most: usize,
    status: Arc<ReplicaStatus>,
    /// The lease that this process holds.
    held: Option<Lease>,
}

fn failed(what: impl std::fmt::Display) -> StoreError {
    StoreError::Replica { what: what.to_string() }
}

/// Sequence, number and hash of a group's message, and which part of how many it is.
struct Labelled {
    number: u64,
    end_seq: Seq,
    commit: Hash,
    part: (u64, u64),
    /// Whether it only keeps the place of a new owner, and holds nothing.
    is_fence: bool,
}

impl Labelled {
    fn of(message: &StreamMessage) -> Option<Self> {
        let text = |key: &str| message.headers.get(key).map(|value| value.as_str());
        let part = match text(PART) {
            Some(part) => part.split_once('/').and_then(|(at, of)| Some((at.parse().ok()?, of.parse().ok()?)))?,
            None => (1, 1),
        };
        let is_fence = text(FENCE).is_some();
        Some(Self {
            number: text(NUMBER)?.parse().ok()?,
            end_seq: text(END_SEQ)?.parse().ok()?,
            commit: text(COMMIT)?.parse().ok()?,
            part,
            is_fence,
        })
    }

    fn is_last(&self) -> bool {
        self.part.0 == self.part.1 && !self.is_fence
    }
}

/// Asks until there is an answer, while the servers may still come to one. A thing that is not there, or that another has written, is an answer.
fn steady<T, E: std::fmt::Display>(runtime: &Runtime, mut ask: impl AsyncFnMut() -> Result<T, E>) -> Result<T, E> {
    const ANSWERS: [&str; 5] = ["10037", "10058", "10059", "10071", "wrong last"];
    let end = Instant::now() + STEADY;
    loop {
        match runtime.block_on(ask()) {
            Err(error) if Instant::now() < end && !ANSWERS.iter().any(|code| error.to_string().contains(code)) => std::thread::sleep(REST),
            answered => return answered,
        }
    }
}

/// Whether a message is not there, though its sequence was given.
fn is_gone(error: &RawMessageError) -> bool {
    error.to_string().contains("10037")
}

/// Whether a message was refused since another stands in its place.
fn is_behind(error: &PublishError) -> bool {
    error.kind() == PublishErrorKind::WrongLastSequence || error.to_string().contains("wrong last sequence")
}

/// A connection to the servers, before it is known which world.
pub struct NatsServers {
    runtime: Arc<Runtime>,
    context: Context,
    most: usize,
    terms: NatsTerms,
}

impl NatsServers {
    /// Connects, and reads of each server that answers whether it syncs before it acknowledges.
    pub fn connect(terms: &NatsTerms) -> Result<Self, StoreError> {
        let runtime = Builder::new_multi_thread().worker_threads(1).thread_name("nats").enable_all().build().map_err(failed)?;
        let (context, most) = runtime.block_on(connected(terms))?;
        let servers = Self { runtime: Arc::new(runtime), context, most, terms: terms.clone() };
        servers.syncs_always()?;
        Ok(servers)
    }

    /// That each server that answers syncs always, and that enough of them answer to say so.
    fn syncs_always(&self) -> Result<(), StoreError> {
        let monitors = self.terms.monitors();
        let heard = self.runtime.block_on(stream::iter(&monitors).then(|monitor| varz(monitor)).collect::<Vec<_>>());
        let lax = monitors.iter().zip(&heard).find(|(_, heard)| heard.as_ref().is_ok_and(|syncs| !syncs));
        if let Some((monitor, _)) = lax {
            return Err(failed(format!(
                "the server at {} acknowledges before it syncs; set `jetstream {{ sync_interval: always }}` there and start it again",
                bare(monitor)
            )));
        }
        let answering = heard.iter().filter(|heard| heard.is_ok()).count();
        if answering * 2 <= monitors.len() {
            let why = heard.into_iter().find_map(Result::err).unwrap_or_default();
            return Err(failed(format!(
                "{answering} of {} monitors answer ({}: {why}), so it is not known whether these servers sync always; start them with `http_port: 8222`, or name them by --nats-monitor",
                monitors.len(),
                monitors.iter().map(|monitor| bare(monitor)).collect::<Vec<_>>().join(", ")
            )));
        }
        Ok(())
    }

    /// The ids of the worlds that have a copy there.
    pub fn worlds(&self) -> Result<Vec<String>, StoreError> {
        let names = self.runtime.block_on(self.context.stream_names().collect::<Vec<_>>());
        let names = names.into_iter().collect::<Result<Vec<String>, _>>().map_err(failed)?;
        Ok(names.iter().filter_map(|name| Some(name.strip_prefix(PREFIX)?.to_owned())).collect())
    }

    /// The copy of a world; where there is none yet and its `world.toml` is given, it is begun.
    pub fn stream(&self, world: WorldId, begins: Option<&str>, status: Arc<ReplicaStatus>) -> Result<Option<NatsStream>, StoreError> {
        let replicas = if self.terms.servers.len() >= 3 { 3 } else { 1 };
        let stream = match begins {
            Some(_) => steady(&self.runtime, async || self.context.get_or_create_stream(config(world, replicas)).await).map_err(failed)?,
            None => match steady(&self.runtime, async || self.context.get_stream(name(world)).await) {
                Ok(stream) => stream,
                Err(error) if error.to_string().contains("10059") => return Ok(None),
                Err(error) => return Err(failed(error)),
            },
        };
        let config = &stream.cached_info().config;
        if begins.is_some() && (config.num_replicas != replicas || config.storage != StorageType::File) {
            return Err(failed(format!(
                "the stream {} keeps {} replicas in {:?}, and {replicas} in files are wanted; name as many servers, or delete the stream: it is written anew",
                name(world),
                config.num_replicas,
                config.storage
            )));
        }
        let owners = self.owners(begins.is_some(), replicas)?;
        let (runtime, context, most) = (self.runtime.clone(), self.context.clone(), self.most);
        self.runtime.spawn(watch(self.terms.monitors(), status.clone()));
        let mut copy = NatsStream { runtime, context, stream, owners, world, last: 0, most, status, held: None };
        copy.last = copy.last_sequence()?;
        if let Some(text) = begins.filter(|_| copy.last == 0) {
            copy.send(PublishMessage::build().payload(text.to_owned().into()), "world")?;
        }
        Ok(Some(copy))
    }
}

impl NatsServers {
    /// The bucket of the leases; whoever only reads makes none.
    fn owners(&self, is_made: bool, replicas: usize) -> Result<Option<kv::Store>, StoreError> {
        match steady(&self.runtime, async || self.context.get_key_value(BUCKET).await) {
            Ok(found) => return Ok(Some(found)),
            Err(error) if !error.to_string().contains("10059") => return Err(failed(error)),
            Err(_) if !is_made => return Ok(None),
            Err(_) => {}
        }
        steady(&self.runtime, async || self.context.create_key_value(bucket(replicas)).await).map(Some).map_err(failed)
    }
}

const PREFIX: &str = "REELM_";

fn name(world: WorldId) -> String {
    format!("{PREFIX}{world}")
}

fn subject(world: WorldId) -> String {
    format!("reelm.{world}")
}

/// A stream from which nobody takes anything away.
fn config(world: WorldId, replicas: usize) -> Config {
    Config {
        name: name(world),
        subjects: vec![subject(world)],
        num_replicas: replicas,
        deny_delete: true,
        deny_purge: true,
        duplicate_window: Duration::from_secs(120),
        ..Config::default()
    }
}

fn bucket(replicas: usize) -> kv::Config {
    kv::Config { bucket: BUCKET.to_owned(), history: 16, num_replicas: replicas, ..kv::Config::default() }
}

async fn connected(terms: &NatsTerms) -> Result<(Context, usize), StoreError> {
    let addresses =
        terms.servers.iter().map(|server| server.parse::<ServerAddr>().map_err(|error| failed(format!("`{}`: {error}", bare(server)))));
    let addresses = addresses.collect::<Result<Vec<_>, _>>()?;
    // A server that is there and says nothing is left for another one after a few of these.
    let options = ConnectOptions::new().name("reelm").ping_interval(ROUND).connection_timeout(PATIENCE).request_timeout(Some(PATIENCE));
    let options = match addresses.first().map(|first| (first.username(), first.password())) {
        Some((Some(user), Some(password))) => options.user_and_password(user.to_owned(), password.to_owned()),
        Some((Some(token), None)) => options.token(token.to_owned()),
        _ => options,
    };
    let client = options.connect(addresses).await;
    let named = || terms.servers.iter().map(|server| bare(server)).collect::<Vec<_>>().join(", ");
    let client = client.map_err(|error| failed(format!("none of {} can be reached: {error}", named())))?;
    let most = client.server_info().max_payload;
    let mut context = jetstream::new(client);
    context.set_timeout(PATIENCE);
    Ok((context, most))
}

/// An address without who comes by it.
fn bare(server: &str) -> String {
    server.rsplit_once('@').map_or_else(|| server.to_owned(), |(_, host)| host.to_owned())
}

impl NatsTerms {
    /// The addresses of the monitors.
    fn monitors(&self) -> Vec<String> {
        let usual = |server: &String| {
            let host = server.parse::<ServerAddr>().map(|address| address.host().to_owned()).unwrap_or_else(|_| bare(server));
            format!("http://{host}:8222")
        };
        if self.monitors.is_empty() { self.servers.iter().map(usual).collect() } else { self.monitors.clone() }
    }
}

/// Whether a server syncs before it acknowledges, as its monitor says.
async fn varz(monitor: &str) -> Result<bool, String> {
    // Another part of the program may have set it.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = reqwest::Client::builder().timeout(PATIENCE).no_proxy().build().map_err(|error| error.to_string())?;
    let answer = client.get(format!("{}/varz", monitor.trim_end_matches('/'))).send().await.map_err(|error| error.to_string())?;
    let bytes = answer.bytes().await.map_err(|error| error.to_string())?;
    let told: serde_json::Value = serde_json::from_slice(&bytes).map_err(|error| error.to_string())?;
    let config = told.pointer("/jetstream/config").ok_or("JetStream is not on there")?;
    Ok(config.get("sync_always").and_then(serde_json::Value::as_bool).unwrap_or_default())
}

/// Asks the servers again and again whether they are there, as long as somebody looks.
async fn watch(monitors: Vec<String>, status: Arc<ReplicaStatus>) {
    while Arc::strong_count(&status) > 1 {
        let answers = stream::iter(monitors.clone()).map(|address| async move {
            let answers = varz(&address).await.is_ok();
            ReplicaServer { address: bare(&address), answers }
        });
        status.heard(answers.buffered(monitors.len().max(1)).collect().await);
        tokio::time::sleep(ROUND).await;
    }
}

impl NatsStream {
    fn last_sequence(&self) -> Result<u64, StoreError> {
        steady(&self.runtime, async || self.stream.get_info().await).map(|info| info.state.last_sequence).map_err(failed)
    }

    /// A message; none where the stream has a hole.
    fn message(&self, sequence: u64) -> Result<Option<StreamMessage>, StoreError> {
        match steady(&self.runtime, async || self.stream.get_raw_message(sequence).await) {
            Ok(message) => Ok(Some(message)),
            Err(error) if is_gone(&error) => Ok(None),
            Err(error) => Err(failed(error)),
        }
    }

    /// The `world.toml` with which it begins.
    pub fn world_text(&self) -> Result<String, StoreError> {
        let first = self
            .message(1)?
            .ok_or_else(|| failed(format!("message 1 of the stream {} is gone: it says which world it is", name(self.world))))?;
        String::from_utf8(first.payload.to_vec()).map_err(failed)
    }

    fn strange(&self, sequence: u64) -> StoreError {
        failed(format!("message {sequence} of the stream {} is no group", name(self.world)))
    }

    fn hole(&self, sequence: u64) -> StoreError {
        failed(format!("message {sequence} of the stream {} is gone", name(self.world)))
    }

    /// The sequence of the first message of a group, or where it would stand.
    fn place_of(&self, number: u64) -> Result<u64, StoreError> {
        let (mut low, mut high) = (2, self.last + 1);
        while low < high {
            let middle = low + (high - low) / 2;
            let message = self.message(middle)?.ok_or_else(|| self.hole(middle))?;
            let label = Labelled::of(&message).ok_or_else(|| self.strange(middle))?;
            if label.number < number { low = middle + 1 } else { high = middle }
        }
        Ok(low)
    }

    /// Has another replica answer from now on.
    pub fn step_down(&self) -> Result<(), StoreError> {
        let asked = self.context.request::<_, _, serde_json::Value>(format!("STREAM.LEADER.STEPDOWN.{}", name(self.world)), &());
        self.runtime.block_on(asked).map(drop).map_err(failed)?;
        std::thread::sleep(REST);
        Ok(())
    }

    /// The lease of the world, with its revision.
    fn leased(&self) -> Result<Option<(Lease, u64)>, StoreError> {
        let Some(owners) = &self.owners else { return Ok(None) };
        let entry = steady(&self.runtime, async || owners.entry(self.world.to_string()).await).map_err(failed)?;
        let Some(entry) = entry else { return Ok(None) };
        let lease = serde_json::from_slice(&entry.value).map_err(|error| failed(format!("the lease of {}: {error}", self.world)))?;
        Ok(Some((lease, entry.revision)))
    }

    /// Says that the owner has left, if that can be said at once; where another owns it by now, nothing is said.
    fn leave(&self, lease: &Lease) {
        let said = async {
            let owners = self.owners.as_ref()?;
            let entry = owners.entry(self.world.to_string()).await.ok()??;
            let held: Lease = serde_json::from_slice(&entry.value).ok()?;
            let bytes = serde_json::to_vec(&Lease { left: true, ..lease.clone() }).ok()?;
            if held == *lease { owners.update(self.world.to_string(), bytes.into(), entry.revision).await.ok() } else { None }
        };
        let _ = self.runtime.block_on(async { tokio::time::timeout(PATIENCE, said).await });
    }

    fn keep(&self, lease: &Lease, revision: u64) -> Result<(), StoreError> {
        let bytes = serde_json::to_vec(lease).map_err(failed)?;
        let owners = self.owners.as_ref().ok_or_else(|| failed(format!("the bucket {BUCKET} is gone")))?;
        let kept = steady(&self.runtime, async || owners.update(self.world.to_string(), bytes.clone().into(), revision).await);
        match kept {
            Ok(_) => Ok(()),
            // An acknowledgement may have been lost.
            Err(_) if self.leased()?.is_some_and(|(held, _)| held == *lease) => Ok(()),
            Err(error) => Err(failed(error)),
        }
    }

    /// Sends one message until it is kept, or refused because another writes.
    fn send(&mut self, message: PublishMessage, id: &str) -> Result<(), StoreError> {
        let message = message.message_id(id).expected_last_sequence(self.last);
        loop {
            let sent = self.runtime.block_on(async {
                let ack = self.context.send_publish(subject(self.world), message.clone()).await?;
                ack.await
            });
            match sent {
                Ok(ack) => {
                    self.last = ack.sequence;
                    self.status.waits(None);
                    return Ok(());
                }
                Err(error) if is_behind(&error) => return self.refused(id),
                Err(error) if error.kind() == PublishErrorKind::MaxPayloadExceeded => return Err(failed(error)),
                Err(_) if self.status.is_leaving() => return Err(failed("the servers cannot be reached, and this process ends")),
                Err(error) => {
                    self.is_there()?;
                    if self.status.now().waits.is_none() {
                        tracing::warn!("acts wait for the copy: {error}; nothing is lost");
                    }
                    self.status.waits(Some(error.to_string()));
                    std::thread::sleep(REST);
                }
            }
        }
    }

    /// That the stream was not deleted, as far as anybody says so.
    fn is_there(&self) -> Result<(), StoreError> {
        match self.runtime.block_on(self.stream.get_info()) {
            Err(error) if error.to_string().contains("10059") => {
                Err(failed(format!("the stream {} is gone; start again, and it is written anew from the log", name(self.world))))
            }
            _ => Ok(()),
        }
    }

    /// A message where one of ours was expected; asked again, since whoever has just become leader may not know it yet.
    fn message_at(&self, sequence: u64) -> Result<Option<StreamMessage>, StoreError> {
        for _ in 0..ASKED {
            if let Some(message) = self.message(sequence)? {
                return Ok(Some(message));
            }
            std::thread::sleep(REST);
        }
        Ok(None)
    }

    /// A message stands where ours was to stand: ours, if an acknowledgement was lost; else another's.
    fn refused(&mut self, id: &str) -> Result<(), StoreError> {
        let next = self.last + 1;
        let found = self.message_at(next)?;
        if let Some(message) = &found
            && message.headers.get("Nats-Msg-Id").is_some_and(|found| found.as_str() == id)
        {
            self.last = next;
            return Ok(());
        }
        let lease = self.lease().ok().flatten();
        if lease == self.held {
            let what = if found.is_some() { "was written by something else" } else { "is not where ours would follow it: its end is gone" };
            return Err(failed(format!(
                "message {next} of the stream {} {what}; delete the stream, and it is written anew from the log",
                name(self.world)
            )));
        }
        let (who, epoch) = lease.map_or_else(|| ("another".to_owned(), 0), |lease| (lease.name, lease.epoch));
        self.status.fenced(&who, epoch);
        Err(StoreError::Fenced { who, epoch })
    }
}

impl Replica for NatsStream {
    fn put(&mut self, group: &CopiedGroup) -> Result<(), StoreError> {
        let commit = group.commit.to_string();
        let parts: Vec<&[u8]> = group.bytes.chunks(self.most.saturating_sub(HEADERS).max(1)).collect();
        for (at, part) in (1..).zip(&parts) {
            let mut headers = async_nats::HeaderMap::new();
            headers.insert(NUMBER, group.number.to_string());
            headers.insert(END_SEQ, group.end_seq.to_string());
            headers.insert(COMMIT, commit.as_str());
            let mut id = commit.clone();
            if parts.len() > 1 {
                headers.insert(PART, format!("{at}/{}", parts.len()));
                id = format!("{commit}/{at}");
            }
            self.send(PublishMessage::build().headers(headers).payload(part.to_vec().into()), &id)?;
        }
        Ok(())
    }
}

impl LogCopy for NatsStream {
    fn named(&self) -> PathBuf {
        PathBuf::from(format!("the stream {}", name(self.world)))
    }

    fn end(&mut self) -> Result<Option<CopyEnd>, StoreError> {
        self.last = self.last_sequence()?;
        for sequence in (2..=self.last).rev() {
            let Some(message) = self.message(sequence)? else { return Err(self.hole(sequence)) };
            if let Some(label) = Labelled::of(&message).filter(Labelled::is_last) {
                return Ok(Some(CopyEnd { number: label.number, commit: label.commit, seq: label.end_seq }));
            }
        }
        Ok(None)
    }

    fn commit(&self, number: u64) -> Result<Option<Hash>, StoreError> {
        // Before the whole group there may be parts of one whose owner died.
        let mut found = None;
        for sequence in self.place_of(number)?..=self.last {
            let message = self.message(sequence)?.ok_or_else(|| self.hole(sequence))?;
            let label = Labelled::of(&message).ok_or_else(|| self.strange(sequence))?;
            if label.number != number {
                break;
            }
            found = Some(label.commit).filter(|_| label.is_last()).or(found);
        }
        Ok(found)
    }

    fn each(&self, behind: u64, each: GroupTaker<'_>) -> Result<(), StoreError> {
        let from = self.place_of(behind + 1)?;
        let stream = &self.stream;
        let asked = stream::iter(from..=self.last).map(|sequence| async move { (sequence, stream.get_raw_message(sequence).await) });
        let mut messages = Box::pin(asked.buffered(AHEAD));
        // Parts of a group whose last one never came are passed over.
        let mut parts: Vec<u8> = Vec::new();
        while let Some((sequence, message)) = self.runtime.block_on(messages.next()) {
            let message = message.map_err(|error| if is_gone(&error) { self.hole(sequence) } else { failed(error) })?;
            let label = Labelled::of(&message).ok_or_else(|| self.strange(sequence))?;
            if label.is_fence {
                continue;
            }
            if label.part.0 == 1 {
                parts.clear();
            }
            parts.extend_from_slice(&message.payload);
            if label.is_last() {
                each(label.number, &parts)?;
                parts.clear();
            }
        }
        Ok(())
    }

    fn lease(&self) -> Result<Option<Lease>, StoreError> {
        Ok(self.leased()?.map(|(lease, _)| lease))
    }

    fn take(&mut self, was: Option<&Lease>, owner: &str, name: &str) -> Result<u64, StoreError> {
        let held = self.leased()?;
        if held.as_ref().map(|(lease, _)| lease) != was {
            return Err(failed("another process has taken the world meanwhile; look who, and try again"));
        }
        let epoch = was.map_or(0, |lease| lease.epoch) + 1;
        let lease = Lease { epoch, owner: owner.to_owned(), name: name.to_owned(), left: false };
        self.keep(&lease, held.map_or(0, |(_, revision)| revision))?;
        self.status.owns(epoch);
        self.held = Some(lease);
        Ok(epoch)
    }

    fn fence(&mut self, end: CopyEnd) -> Result<bool, StoreError> {
        let epoch = self.held.as_ref().map_or(0, |lease| lease.epoch).to_string();
        let mut headers = async_nats::HeaderMap::new();
        headers.insert(NUMBER, end.number.to_string());
        headers.insert(END_SEQ, end.seq.to_string());
        headers.insert(COMMIT, end.commit.to_string());
        headers.insert(FENCE, epoch.as_str());
        let message =
            PublishMessage::build().headers(headers).message_id(format!("fence/{epoch}/{}", self.last)).expected_last_sequence(self.last);
        let sent = steady(&self.runtime, async || {
            let ack = self.context.send_publish(subject(self.world), message.clone()).await?;
            ack.await
        });
        match sent {
            Ok(ack) => {
                self.last = ack.sequence;
                Ok(true)
            }
            Err(error) if is_behind(&error) => Ok(false),
            Err(error) => Err(failed(error)),
        }
    }
}

impl Drop for NatsStream {
    fn drop(&mut self) {
        // A process that is killed says nothing; the next owner is then asked whether it may.
        if let Some(lease) = self.held.take() {
            self.leave(&lease);
        }
    }
}
