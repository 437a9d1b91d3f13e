//! Server: a world that lives and is served: over HTTP on an address, and over a socket beside its files for whoever owns them.

use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use axum::Extension;
use tokio::sync::watch;

use crate::past::LoadError;
use crate::run::{Course, Feed, Living, Pace, Reins, RunError, Seats, Until};

use super::entrance::{Doors, Entrance, Owner};
use super::hall::{Hall, Running};
use super::lines::{Lines, Peer};
use super::moments::{self, AtHand};
use super::routes::router;
use super::seat;
use super::socket::{Socket, until};

/// How long the last requests may take when the server stops.
const PARTING: std::time::Duration = std::time::Duration::from_secs(5);

/// Why a world cannot be served.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// It does not live.
    #[error(transparent)]
    Run(#[from] RunError),
    /// Its moments cannot be read.
    #[error(transparent)]
    Read(#[from] LoadError),
    /// The address cannot be listened on.
    #[error("cannot listen on {address}: {source}; choose another with `--port`")]
    Listen {
        /// Which.
        address: SocketAddr,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// Beside the world's files something cannot be read or made.
    #[error("`{}`: {source}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// The thread that runs the world is gone.
    #[error("the world stopped by an error inside; what was acknowledged is safe: start it again")]
    Gone,
}

/// Where a world is served, and with what at hand.
#[derive(Clone, Debug)]
pub struct Listening {
    /// Where to listen.
    pub socket: SocketAddr,
    /// Whom it believes, and what it shows.
    pub doors: Doors,
    /// How many of the newest frames are at hand when it starts; what lies further back is read from the log when it is asked for.
    pub recent: u64,
}

/// An address that is listened on, before there is a world behind it: so that nothing is planted for nothing.
pub struct Listener {
    listener: std::net::TcpListener,
    own: SocketAddr,
    doors: Doors,
    recent: u64,
}

impl Listener {
    /// Listens.
    pub fn to(address: Listening) -> Result<Self, ServeError> {
        let wrong = |source| ServeError::Listen { address: address.socket, source };
        let listener = std::net::TcpListener::bind(address.socket).map_err(wrong)?;
        listener.set_nonblocking(true).map_err(wrong)?;
        let own = listener.local_addr().map_err(wrong)?;
        Ok(Self { listener, own, doors: address.doors, recent: address.recent })
    }
}

/// What is said once a world is served.
pub struct Served {
    /// The page.
    pub url: String,
    /// The page by which the first person comes in, once; none where the operator has a password.
    pub link: Option<String>,
}

/// Serves a world until its reins say stop; `said` hears once where it is. Everything is durable when it returns.
pub fn serve(
    mut living: Living,
    dir: &Path,
    pace: Pace,
    bound: Listener,
    reins: Reins,
    said: impl FnOnce(&Served),
) -> Result<(), ServeError> {
    let file = |path: &Path| {
        let path = path.to_owned();
        move |source| ServeError::File { path, source }
    };
    living.go_by(pace)?;
    let AtHand { reports, keyed } = moments::newest(dir, bound.recent)?;
    let feed = Arc::new(Feed::new(living.world().clone(), reports));
    let seats = Arc::new(Seats::new(reins.clone()));
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().map_err(file(dir))?;
    let (stop, stopping) = watch::channel(false);
    let own = bound.own;
    let listener = {
        let _inside = runtime.enter();
        tokio::net::TcpListener::from_std(bound.listener).map_err(|source| ServeError::Listen { address: own, source })?
    };
    let operator = living.world().operator().to_string();
    let url = url_of(own);
    let mut doors = bound.doors;
    doors.hosts.push(own.ip().to_string());
    let entrance = Entrance::of(dir, doors).map_err(file(dir))?;
    let link = if entrance.people().has_password(&operator) {
        None
    } else {
        Some(format!("{url}#/welcome/{}", entrance.people().link().map_err(file(dir))?))
    };
    let outages = living.outages().clone();
    let running = Running { dir: dir.to_owned(), feed: feed.clone(), seats: seats.clone(), pace, outages };
    let hall = Arc::new(Hall::around(running, entrance, stopping));
    keyed.into_iter().for_each(|(once, report)| hall.acts.know(once, report));
    let listening = runtime.spawn(listen(hall.clone(), listener));
    runtime.spawn(seat::keep(hall.clone()));
    let _socket = beside(dir, &hall, &runtime);
    said(&Served { url, link });
    let course = Course { pace, until: Until::default(), reins: &reins, watch: None, measures: None };
    let ran = living.serve(course, &seats, &feed);
    // Streams end, whoever waits is told, requests that came are answered, and then the world is put away.
    let _ = stop.send(true);
    seats.close();
    let _ = runtime.block_on(async { tokio::time::timeout(PARTING, listening).await });
    runtime.shutdown_timeout(std::time::Duration::from_secs(1));
    ran?;
    living.stop()?;
    Ok(())
}

/// The page's address, as people type it.
fn url_of(own: SocketAddr) -> String {
    let host = if own.ip().is_unspecified() { "localhost".to_owned() } else { own.ip().to_string() };
    format!("http://{}:{}/", if host.contains(':') { format!("[{host}]") } else { host }, own.port())
}

/// Listens beside the world's files, too, for their owner's commands, while the socket is kept.
fn beside(dir: &Path, hall: &Arc<Hall>, runtime: &tokio::runtime::Runtime) -> Option<Socket> {
    match Socket::open(dir) {
        Ok((socket, door)) => {
            let local = router(hall.clone()).layer(Extension(Owner));
            let stopping = hall.stopping.clone();
            runtime.spawn(async move { door.listen(local, stopping).await });
            Some(socket)
        }
        Err(error) => {
            tracing::warn!(%error, "no socket beside the world's files: while it is served, commands that write to it have to wait");
            None
        }
    }
}

async fn listen(hall: Arc<Hall>, listener: tokio::net::TcpListener) {
    let stopping = hall.stopping.clone();
    let served = axum::serve(
        Lines::over(listener, Arc::new(hall.entrance.doors.trust.clone())),
        router(hall).into_make_service_with_connect_info::<Peer>(),
    )
    .with_graceful_shutdown(until(stopping));
    if let Err(error) = served.await {
        tracing::error!(%error, "the server stopped listening");
    }
}
