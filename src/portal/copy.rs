//! Copy: how far the copy of the log outside is, as the head of the page and the figures say it.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use prometheus_client::metrics::{family::Family, gauge::Gauge};
use prometheus_client::registry::Registry;
use serde::Serialize;
use utoipa::ToSchema;

use crate::store::{ReplicaServer, ReplicaState, ReplicaStatus};

/// How far the copy of the log outside is.
#[derive(Serialize, ToSchema)]
#[schema(as = WorldCopy)]
#[serde(rename_all = "camelCase")]
pub struct CopyTold {
    /// Whether this server owns the world.
    is_owner: bool,
    /// The epoch in which it does, or did.
    epoch: u64,
    /// The owner in its place.
    #[serde(skip_serializing_if = "Option::is_none")]
    owner: Option<String>,
    /// How many groups the copy is behind the log.
    behind: u64,
    /// Why nothing goes on, while the copy is waited for.
    #[serde(skip_serializing_if = "Option::is_none")]
    waits: Option<String>,
    /// The newest fault of the copy.
    #[serde(skip_serializing_if = "Option::is_none")]
    fault: Option<String>,
    /// Its servers.
    servers: Vec<CopyServer>,
}

/// A server of the copy.
#[derive(Serialize, ToSchema)]
pub struct CopyServer {
    /// Where its monitor answers.
    address: String,
    /// Whether it answered when it was asked last.
    answers: bool,
}

impl From<ReplicaState> for CopyTold {
    fn from(state: ReplicaState) -> Self {
        let server = |ReplicaServer { address, answers }: &ReplicaServer| CopyServer { address: address.clone(), answers: *answers };
        Self {
            is_owner: state.fenced.is_none(),
            epoch: state.epoch,
            owner: state.fenced.as_ref().map(|(who, _)| who.clone()),
            behind: state.behind(),
            servers: state.servers.iter().map(server).collect(),
            waits: state.waits,
            fault: state.fault,
        }
    }
}

/// Adds the figures of a copy to others, where there is one.
pub fn register_copy(registry: &mut Registry, copy: Option<&Arc<ReplicaStatus>>) {
    let Some(state) = copy.map(|copy| copy.now()) else { return };
    let figures = [
        ("copy_owner", "Whether this server owns the world: 1, or 0 where another has taken it", u64::from(state.fenced.is_none())),
        ("copy_epoch", "Counts the owners of the world", state.epoch),
        ("copy_behind_groups", "How many groups the copy on NATS is behind the log", state.behind()),
        ("copy_waits", "Whether acts wait for the copy: 1 where it cannot be reached", u64::from(state.waits.is_some())),
    ];
    for (name, help, value) in figures {
        let gauge: Gauge<u64, AtomicU64> = Gauge::default();
        gauge.set(value);
        registry.register(name, help, gauge);
    }
    let servers: Family<[(&str, String); 1], Gauge<u64, AtomicU64>> = Family::default();
    for ReplicaServer { address, answers } in &state.servers {
        servers.get_or_create(&[("address", address.clone())]).set(u64::from(*answers));
    }
    registry.register("copy_server_answers", "Whether a server of the copy answered when it was asked last", servers);
}
