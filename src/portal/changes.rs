//! Changes: a stream of the addresses that show something else than before, as it happens: for programs that keep what they saw there.
//!
//! A watcher is told the hash of its view of each address, first as it is, then whenever it has become another. So one who lost the
//! stream begins a new one and compares.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::response::Sse;
use axum::response::sse::{Event, KeepAlive};
use futures_util::{Stream, stream};
use serde::Serialize;
use tokio::sync::watch;
use utoipa::IntoParams;

use crate::fact::{Canon, Hash};

use super::abilities::AbilitiesTold;
use super::entrance::Departures;
use super::hall::Hall;
use super::sent::Asked;
use super::sight::Sight;
use super::spelled::AddressShape;
use super::streams::Watching;
use super::thing::shown;
use super::trouble::{Trouble, Wrong};
use super::who::Who;

/// How many addresses one may keep an eye on.
const ADDRESSES_MAX: usize = 64;
/// How long what has changed is left alone before it is looked at again: a world that goes fast is looked at a few times a second.
const BREATH: Duration = Duration::from_millis(100);
/// The name of what stands for no address: what one may do now.
const ABILITIES: &str = "abilities";

/// The addresses to watch.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "the description of a query that is read as pairs, since an address may be said more than once")]
pub struct Eyed {
    /// An address; may be said up to 64 times.
    #[param(value_type = Option<Vec<AddressShape>>, inline)]
    address: Option<Vec<String>>,
    /// One's own being, or one that it drives; without it, one's own.
    #[param(rename = "as")]
    speaker: Option<String>,
}

/// The view of an address now.
#[derive(Serialize)]
struct SeenNow<'a> {
    /// The address; none for what one may do now.
    #[serde(skip_serializing_if = "Option::is_none")]
    address: Option<&'a str>,
    /// Another one where there is something else to be seen.
    hash: Hash,
}

/// Somebody who keeps an eye on addresses.
struct Onlook {
    hall: Arc<Hall>,
    who: Who,
    addresses: BTreeSet<String>,
    /// The hashes told last, by address.
    known: BTreeMap<String, Hash>,
    waiting: VecDeque<Event>,
    changes: watch::Receiver<u64>,
    stopping: watch::Receiver<bool>,
    departures: Departures,
    _watching: Watching,
}

/// Streams which of some addresses show something else than before, and whether one may do something else: as it happens
#[utoipa::path(get, path = "/api/changes", params(Eyed), responses((status = 200, content_type = "text/event-stream", body = String), (status = 400, body = Wrong),
    (status = 401, body = Wrong), (status = 403, body = Wrong), (status = 404, body = Wrong), (status = 429, body = Wrong), (status = 500, body = Wrong)))]
pub async fn changes(
    State(hall): State<Arc<Hall>>,
    who: Who,
    Asked(pairs): Asked<Vec<(String, String)>>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Trouble> {
    let addresses: BTreeSet<String> = pairs.into_iter().filter(|(key, _)| key == "address").map(|(_, address)| address).collect();
    if addresses.len() > ADDRESSES_MAX {
        let found = addresses.len();
        return Err(
            Trouble::bad(format!("at most {ADDRESSES_MAX} addresses are kept an eye on, found {found}; ask by two streams")).at("address")
        );
    }
    let watching = hall.streams.watch(&who).ok_or_else(Trouble::too_many_streams)?;
    let (changes, stopping) = (hall.feed.changes(), hall.stopping.clone());
    let (known, waiting) = (BTreeMap::new(), VecDeque::new());
    let departures = hall.entrance.departures();
    let mut onlook = Onlook { hall, who, addresses, known, waiting, changes, stopping, departures, _watching: watching };
    let _ = onlook.changes.borrow_and_update();
    onlook.look()?;
    let events = stream::unfold(onlook, |mut onlook| async move { onlook.event().await.map(|event| (Ok(event), onlook)) });
    Ok(Sse::new(events).keep_alive(KeepAlive::new().interval(Duration::from_secs(15)).text("here")))
}

impl Onlook {
    /// The next event; none when the server stops, or whoever looks is nobody here any more.
    async fn event(&mut self) -> Option<Event> {
        loop {
            if let Some(event) = self.waiting.pop_front() {
                return Some(event);
            }
            tokio::select! {
                changed = self.changes.changed() => changed.ok()?,
                () = self.departures.next() => {}
                _ = self.stopping.changed() => return None,
            }
            tokio::time::sleep(BREATH).await;
            if *self.stopping.borrow() || !self.hall.entrance.knows_still(&self.who) {
                return None;
            }
            let _ = self.changes.borrow_and_update();
            self.look().ok()?;
        }
    }

    /// Looks at everything once more, and keeps what is to be told of it.
    fn look(&mut self) -> Result<(), Trouble> {
        let sight = self.hall.sight_now(&self.who, self.who.asked.as_deref())?;
        let seen = self.addresses.iter().map(|address| Ok((address.clone(), hash_of(&sight, address)?)));
        let mut seen = seen.collect::<Result<Vec<_>, Trouble>>()?;
        seen.push((ABILITIES.to_owned(), AbilitiesTold::of(&sight).hash()));
        for (address, hash) in seen {
            let is_address = self.addresses.contains(&address);
            let told = SeenNow { address: is_address.then_some(address.as_str()), hash };
            let data = serde_json::to_string(&told).map_err(Trouble::inside)?;
            if self.known.insert(address, hash) != Some(hash) {
                self.waiting.push_back(Event::default().event(if is_address { "seen" } else { ABILITIES }).data(data));
            }
        }
        Ok(())
    }
}

/// The hash of what an address shows, also where that is nothing, or not to be seen.
fn hash_of(sight: &Sight, address: &str) -> Result<Hash, Trouble> {
    match sight.named(address).and_then(|named| shown(sight, &named)) {
        Ok(value) => Ok(Hash::of(&value.to_canon())),
        Err(trouble) => Ok(Hash::of(&serde_json::to_vec(&trouble).map_err(Trouble::inside)?)),
    }
}
