//! News: tells a client that a resource it subscribes to has changed, or that its tools have.

use std::collections::BTreeMap;
use std::sync::Arc;

use rmcp::model::ResourceUpdatedNotificationParam;
use rmcp::service::SubscriptionContext;
use serde_json::Value as Json;

use super::desk::Desk;
use super::guest::Guest;
use super::places::{address_of, uri_of};
use super::way::ApiEvents;

/// A change.
enum Piece {
    /// Another content at an address.
    Place(String),
    /// Other tools, by their hash.
    Tools(String),
}

/// The change that an event tells, and the hash after it.
fn piece((name, told): (String, Json)) -> Option<(Piece, String)> {
    let hash = told.get("hash")?.as_str()?.to_owned();
    match name.as_str() {
        "seen" => Some((Piece::Place(told.get("address")?.as_str()?.to_owned()), hash)),
        "abilities" => Some((Piece::Tools(hash.clone()), hash)),
        _ => None,
    }
}

/// Tells the client of a connection what changes, for as long as the world tells it.
pub(super) async fn relay(guest: Guest, desk: Arc<Desk>, mut events: ApiEvents) {
    let (mut eyed, mut known) = (desk.eyed(), BTreeMap::new());
    loop {
        tokio::select! {
            event = events.next() => match event {
                None => return,
                Some(event) => hear(&desk, &mut known, event).await,
            },
            changed = eyed.changed() => {
                let wanted = eyed.borrow_and_update().clone();
                let followed = if changed.is_ok() { guest.follow(&wanted).await.ok() } else { None };
                let Some(followed) = followed else { return };
                events = followed;
                known.retain(|address, _| wanted.contains(address));
            }
        }
    }
}

/// Tells of one event; the first sight of an address too, since it may be otherwise than when it was read.
async fn hear(desk: &Desk, known: &mut BTreeMap<String, String>, event: (String, Json)) {
    let (Some((piece, hash)), Some(peer)) = (piece(event), desk.peer.get()) else { return };
    // A client that has gone is found out by its connection.
    let _ = match piece {
        Piece::Place(address) if known.insert(address.clone(), hash.clone()) != Some(hash) => {
            peer.notify_resource_updated(ResourceUpdatedNotificationParam::new(uri_of(&address))).await
        }
        Piece::Tools(hash) if desk.told_tools(&hash) => peer.notify_tool_list_changed().await,
        Piece::Place(_) | Piece::Tools(_) => return,
    };
}

/// Tells whoever listens by one request, until it ends.
pub(super) async fn listened(guest: &Guest, subscription: &SubscriptionContext) -> Result<(), rmcp::ErrorData> {
    let accepted = subscription.accepted();
    let mut uris = BTreeMap::new();
    for uri in accepted.resource_subscriptions.iter().flatten() {
        uris.insert(address_of(uri)?, uri.clone());
    }
    let mut events = guest.follow(uris.keys()).await.map_err(|answer| answer.told())?;
    let mut worn: Option<String> = None;
    loop {
        let event = tokio::select! {
            event = events.next() => event,
            () = subscription.cancelled() => None,
        };
        let Some(event) = event else { return Ok(()) };
        let sink = subscription.sink();
        let _ = match piece(event) {
            Some((Piece::Place(address), _)) => match uris.get(&address) {
                Some(uri) => sink.notify_resource_updated(uri.clone()).await,
                None => Ok(()),
            },
            Some((Piece::Tools(hash), _)) if worn.replace(hash.clone()).is_some_and(|before| before != hash) => {
                sink.notify_tool_list_changed().await
            }
            Some((Piece::Tools(_), _)) | None => Ok(()),
        };
    }
}
