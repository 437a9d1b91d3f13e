//! Server: a world that lives and is served: over HTTP on an address, and over a socket beside its files for whoever owns them.

use std::io;
use std::net::SocketAddr;
use std::os::fd::AsRawFd;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use axum::extract::{DefaultBodyLimit, State};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Extension, Json, Router};
use serde_json::json;
use tokio::sync::watch;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{NotForContentType, Predicate, SizeAbove};
use utoipa::OpenApi;
use utoipa::openapi::{ContentBuilder, Ref, ResponseBuilder};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::fact::{Code, Verb};
use crate::past::ExplainError;
use crate::run::{Course, Feed, Living, Pace, Reins, RunError, Seats, Until};

use super::hall::{Doors, Hall, Known};
use super::lines::{Lines, Peer};
use super::moments::AtHand;
use super::threshold::{BODY_MAX, Threshold, dressed};
use super::trouble::Trouble;
use super::who::{Ours, Owner, Who};
use super::{act, apply, cost, moments, page, programs, roles, seat, session, thing, trial, words, world};

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
    Read(#[from] ExplainError),
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
pub struct Address {
    /// Where to listen.
    pub socket: SocketAddr,
    /// Whom it believes, and what it shows.
    pub doors: Doors,
    /// How many of the newest frames are at hand when it starts; what lies further back is read from the log when it is asked for.
    pub recent: u64,
}

/// An address that is listened on, before there is a world behind it: so that nothing is planted for nothing.
pub struct Bound {
    listener: std::net::TcpListener,
    own: SocketAddr,
    doors: Doors,
    recent: u64,
}

impl Bound {
    /// Listens.
    pub fn to(address: Address) -> Result<Self, ServeError> {
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

#[derive(OpenApi)]
#[openapi(info(
    title = "Reelm",
    description = "A world of beings over HTTP: the four verbs, and what one may read through the role that one wears."
))]
struct Described;

/// All routes, and their description.
fn routes() -> OpenApiRouter<Arc<Hall>> {
    OpenApiRouter::with_openapi(Described::openapi())
        .routes(routes!(session::whoami, session::login, session::logout))
        .routes(routes!(session::password))
        .routes(routes!(session::sessions))
        .routes(routes!(session::close))
        .routes(routes!(words::words))
        .routes(routes!(words::codes))
        .routes(routes!(programs::tokens, programs::make))
        .routes(routes!(programs::take))
        .routes(routes!(world::world))
        .routes(routes!(world::clock))
        .routes(routes!(world::tree))
        .routes(routes!(thing::see, act::look))
        .routes(routes!(thing::may))
        .routes(routes!(thing::inbox))
        .routes(routes!(thing::being))
        .routes(routes!(act::doing))
        .routes(routes!(act::summon))
        .routes(routes!(act::be))
        .routes(routes!(apply::apply))
        .routes(routes!(seat::inhabit))
        .routes(routes!(seat::heartbeat))
        .routes(routes!(seat::release))
        .routes(routes!(moments::moments))
        .routes(routes!(moments::moment))
        .routes(routes!(moments::events))
        .routes(routes!(roles::roles))
        .routes(routes!(roles::role))
        .routes(routes!(roles::flow))
        .routes(routes!(roles::linting))
        .routes(routes!(trial::now))
        .routes(routes!(trial::backtest))
        .routes(routes!(trial::attempt))
        .routes(routes!(roles::paths))
        .routes(routes!(roles::signals))
        .routes(routes!(roles::all_operations))
        .routes(routes!(roles::dead))
        .routes(routes!(cost::cost))
}

/// The description of all routes.
pub fn api() -> utoipa::openapi::OpenApi {
    described().1
}

/// All routes, and their description, with what any of them may answer before it comes to its own work.
fn described() -> (Router<Arc<Hall>>, utoipa::openapi::OpenApi) {
    let (router, mut api) = routes().split_for_parts();
    let wrong = |what: &str| {
        let content = ContentBuilder::new().schema(Some(Ref::from_schema_name("Wrong"))).build();
        ResponseBuilder::new().description(what).content("application/json", content).build()
    };
    for item in api.paths.paths.values_mut() {
        let all = [&mut item.get, &mut item.post, &mut item.put, &mut item.delete];
        for operation in all.into_iter().flatten() {
            let responses = &mut operation.responses.responses;
            responses.entry("408".to_owned()).or_insert_with(|| wrong("The body did not come in time").into());
            responses.entry("413".to_owned()).or_insert_with(|| wrong("The body is too large").into());
            responses.entry("429".to_owned()).or_insert_with(|| wrong("Too many requests").into());
        }
    }
    (router, api)
}

fn router(hall: Arc<Hall>) -> Router {
    let (router, described) = described();
    router
        .route("/health", get(health))
        .route("/metrics", get(metrics))
        .route("/openapi.json", get(move |_: Ours| std::future::ready(Json(described.clone()))))
        .fallback(page::file)
        .method_not_allowed_fallback(|| async {
            Trouble::new(StatusCode::METHOD_NOT_ALLOWED, Code::BadRequest, "this address does not take that method")
        })
        .layer(DefaultBodyLimit::max(BODY_MAX))
        .layer(from_fn_with_state(Arc::new(Threshold::of(hall.clone())), dressed))
        .layer(compressed())
        .with_state(hall)
}

/// What is longer than a few lines leaves compressed, streams too: each event as soon as it is there.
fn compressed() -> CompressionLayer<impl Predicate> {
    CompressionLayer::new().gzip(true).compress_when(SizeAbove::new(256).and(NotForContentType::IMAGES))
}

async fn health(State(hall): State<Arc<Hall>>) -> Response {
    let world = hall.feed.world();
    if *hall.stopping.borrow() {
        return Trouble::stopping().into_response();
    }
    Json(json!({ "status": "ok", "seq": world.next_seq() })).into_response()
}

/// What Prometheus reads: for the operator, and for others only if the operator has opened it.
async fn metrics(State(hall): State<Arc<Hall>>, who: Who) -> Response {
    let may_read = hall.doors.open_metrics || who.is_operator && who.only.contains(Verb::See);
    if !may_read {
        let message = "the figures are the operator's: ask with a token of the operator, or start the server with `--open-metrics`";
        return Trouble::new(StatusCode::FORBIDDEN, Code::NotYours, message).into_response();
    }
    use prometheus_client::metrics::gauge::Gauge;
    let mut registry = prometheus_client::registry::Registry::with_prefix("reelm");
    let world = hall.feed.world();
    let figures: [(&str, &str, u64); 6] = [
        ("frames", "Frames that are durable", world.next_seq()),
        ("beings", "Beings that live", world.beings().filter(|being| !being.ended).count() as u64),
        ("open_wakes", "Wakes that are open", world.inbox().len() as u64),
        ("dead_letters", "Wakes that nobody will open unless they are requeued", world.inbox().dead().count() as u64),
        ("world_time_ms", "World time, in milliseconds since 1970", u64::try_from(hall.feed.now()).unwrap_or(0)),
        ("driven", "Beings that are driven from a tab", hall.driven().len() as u64),
    ];
    for (name, help, value) in figures {
        let gauge: Gauge<u64, std::sync::atomic::AtomicU64> = Gauge::default();
        gauge.set(value);
        registry.register(name, help, gauge);
    }
    let mut text = String::new();
    match prometheus_client::encoding::text::encode(&mut text, &registry) {
        Ok(()) => ([(CONTENT_TYPE, "application/openmetrics-text; version=1.0.0; charset=utf-8")], text).into_response(),
        Err(error) => Trouble::inside(error).into_response(),
    }
}

/// Serves a world until its reins say stop; `said` hears once where it is. Everything is durable when it returns.
pub fn serve(mut living: Living, dir: &Path, pace: Pace, bound: Bound, reins: Reins, said: impl FnOnce(&Served)) -> Result<(), ServeError> {
    let file = |path: &Path| {
        let path = path.to_owned();
        move |source| ServeError::File { path, source }
    };
    let AtHand { reports, keyed } = moments::newest(dir, bound.recent)?;
    let feed = Arc::new(Feed::new(living.world().clone(), reports));
    let seats = Arc::new(Seats::new(reins.clone()));
    let mut known = Known::of(dir).map_err(file(dir))?;
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().map_err(file(dir))?;
    let (stop, stopping) = watch::channel(false);
    let own = bound.own;
    let listener = {
        let _inside = runtime.enter();
        tokio::net::TcpListener::from_std(bound.listener).map_err(|source| ServeError::Listen { address: own, source })?
    };
    let operator = living.world().operator().to_string();
    let host = if own.ip().is_unspecified() { "localhost".to_owned() } else { own.ip().to_string() };
    let url = format!("http://{}:{}/", if host.contains(':') { format!("[{host}]") } else { host }, own.port());
    let link = if known.people.has_password(&operator) {
        None
    } else {
        Some(format!("{url}#/welcome/{}", known.people.link().map_err(file(dir))?))
    };
    let mut doors = bound.doors;
    doors.hosts.push(own.ip().to_string());
    let hall = Arc::new(Hall::new(dir.to_owned(), feed.clone(), seats.clone(), pace, known, doors, stopping));
    keyed.into_iter().for_each(|(once, report)| hall.acts.know(once, report));
    let door = Socket::open(dir);
    let listening = runtime.spawn(listen(hall.clone(), listener));
    runtime.spawn(seat::keep(hall.clone()));
    let _door = match door {
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
    };
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

async fn listen(hall: Arc<Hall>, listener: tokio::net::TcpListener) {
    let stopping = hall.stopping.clone();
    let served =
        axum::serve(Lines::over(listener, Arc::new(hall.doors.trust.clone())), router(hall).into_make_service_with_connect_info::<Peer>())
            .with_graceful_shutdown(until(stopping));
    if let Err(error) = served.await {
        tracing::error!(%error, "the server stopped listening");
    }
}

async fn until(mut stopping: watch::Receiver<bool>) {
    // An error says that nobody can say stop any more.
    let _ = stopping.wait_for(|stop| *stop).await;
}

/// The socket beside the world's files: only whoever owns them can reach it.
struct Socket(PathBuf);

struct Door(std::os::unix::net::UnixListener);

impl Socket {
    fn open(dir: &Path) -> io::Result<(Self, Door)> {
        // By the directory's handle, since the address of a socket has room for about a hundred bytes and a path may be longer.
        let handle = std::fs::File::open(dir)?;
        let near = PathBuf::from(format!("/proc/self/fd/{}", handle.as_raw_fd()));
        let path = dir.join("socket");
        // The world's lock is ours, so what lies there was left by a process that is gone.
        match std::fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        // Made under a name that nobody looks for, and given its own once nobody else can open it.
        let beside = dir.join("socket.new");
        let _ = std::fs::remove_file(&beside);
        let listener = std::os::unix::net::UnixListener::bind(near.join("socket.new"))?;
        std::fs::set_permissions(&beside, std::fs::Permissions::from_mode(0o600))?;
        std::fs::rename(&beside, &path)?;
        listener.set_nonblocking(true)?;
        Ok((Self(path), Door(listener)))
    }
}

impl Drop for Socket {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

impl Door {
    async fn listen(self, router: Router, stopping: watch::Receiver<bool>) {
        let served = match tokio::net::UnixListener::from_std(self.0) {
            Ok(listener) => axum::serve(listener, router).with_graceful_shutdown(until(stopping)).await,
            Err(error) => Err(error),
        };
        if let Err(error) = served {
            tracing::error!(%error, "the socket beside the world's files is closed");
        }
    }
}
