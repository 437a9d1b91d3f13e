//! Server: worlds that live and are served: over HTTP on an address, and over a socket beside the files of each for whoever owns them.
//!
//! The first lives on the thread that serves it, each other on one of its own. A failure in one ends that one.

use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use axum::{Extension, Router};
use tokio::runtime::Handle;
use tokio::sync::watch;

use crate::fact::{ClosingKind, Cognition, Value};
use crate::minds::AheadTerms;
use crate::past::{LoadError, Report};
use crate::run::{Course, Feed, Living, Pace, Reins, RunError, Seats, Until};
use crate::store::{ReplicaStatus, WorldFile};

use super::enter::{ENTER_LIFE, EnterFile};
use super::entrance::{Doors, Entrance, Owner, is_loopback};
use super::fork_place::ForkPlace;
use super::hall::{Hall, Running};
use super::lines::{Lines, Peer};
use super::made::{MadeWorlds, foreign};
use super::moments::{self, AtHand};
use super::people::now;
use super::routes::{DoorBeside, router};
use super::seat;
use super::socket::{Socket, until};
use super::worlds::{Resident, Worlds, called, lead, path_of};

/// How long the last requests may take when the server stops.
const PARTING: std::time::Duration = std::time::Duration::from_secs(5);

/// How often it is written down when tokens were used last.
const USES_EVERY: Duration = Duration::from_secs(60);

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
        /// The address.
        address: SocketAddr,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// Beside the world's files something cannot be read or made.
    #[error("`{}`: {source}", path.display())]
    File {
        /// The path.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// The thread that runs the world is gone.
    #[error("the world stopped by an error inside; what was acknowledged is safe: start it again")]
    Gone,
}

/// Where worlds are served, and with what at hand.
#[derive(Clone, Debug)]
pub struct Listening {
    /// Where to listen.
    pub socket: SocketAddr,
    /// The access settings.
    pub doors: Doors,
    /// How many of the newest frames are at hand when it starts; what lies further back is read from the log when it is asked for.
    pub recent: u64,
    /// How its worlds go on.
    pub keeping: Keeping,
    /// The door beside the page and the API by which one comes in.
    pub beside: Option<DoorBeside>,
    /// How a browser on this machine is opened, where one is to be.
    pub browser: Option<BrowserStart>,
}

/// Opens a file in a browser, and does not wait for it; else why it cannot.
pub type BrowserStart = fn(&Path) -> Result<(), String>;

/// How the worlds of a server go on.
#[derive(Clone, Debug)]
pub struct Keeping {
    /// How fast; nothing: each as its clock went last.
    pub pace: Option<Pace>,
    /// Whether they stand still at first.
    pub paused: bool,
    /// How many threads think and sign in each.
    pub threads: usize,
    /// How far models are asked ahead of their moments.
    pub ahead: AheadTerms,
    /// How long a stop waits for answers under way.
    pub grace: Duration,
    /// The directory in which those beside the first lie, and forks are put; nothing: `DATA-forks` beside the data directory.
    pub worlds: Option<PathBuf>,
}

/// An address that is listened on, before there is a world behind it: so that nothing is planted for nothing.
pub struct Listener {
    listener: std::net::TcpListener,
    own: SocketAddr,
    terms: Listening,
    copy: Option<Arc<ReplicaStatus>>,
}

impl Listener {
    /// Listens.
    pub fn to(mut terms: Listening) -> Result<Self, ServeError> {
        let wrong = |source| ServeError::Listen { address: terms.socket, source };
        let listener = std::net::TcpListener::bind(terms.socket).map_err(wrong)?;
        listener.set_nonblocking(true).map_err(wrong)?;
        let own = listener.local_addr().map_err(wrong)?;
        terms.doors.is_wide = !own.ip().is_loopback() || terms.doors.hosts.iter().any(|host| !is_loopback(host));
        terms.doors.hosts.push(own.ip().to_string());
        Ok(Self { listener, own, terms, copy: None })
    }

    /// Tells how far the copy of the first world's log is, where it has one.
    pub fn follow(&mut self, copy: Option<Arc<ReplicaStatus>>) {
        self.copy = copy;
    }
}

/// The announcement once worlds are served: the first, and each other.
pub struct Served {
    /// The first.
    pub first: ServedWorld,
    /// The others.
    pub worlds: Vec<ServedWorld>,
    /// Of those that are there, which are not served, and which stand still: why, and what to do.
    pub notices: Vec<String>,
    /// Whether a browser was opened that comes in to the first, or why none could be; none where none was wanted.
    pub browser: Option<Result<(), String>>,
}

/// A world that is served.
pub struct ServedWorld {
    /// Its display name.
    pub name: String,
    /// Its page.
    pub url: String,
    /// The page by which its operator comes in, once; none where the operator has a password.
    pub link: Option<String>,
}

/// A world that has been let in, before it goes on.
struct Berth {
    hall: Arc<Hall>,
    reins: Reins,
    stop: watch::Sender<bool>,
    _socket: Option<Socket>,
}

/// The state shared by all worlds of a server, which lies below them.
struct Estate {
    terms: Listening,
    handle: Handle,
    worlds: Arc<Worlds>,
    /// The first one's reins: with it all end.
    reins: Reins,
    /// The others.
    lives: Mutex<Vec<(Reins, JoinHandle<()>)>>,
}

/// Serves a world, and those that lie beside it, until its reins say stop; `said` hears once where they are. Everything is durable when it
/// returns.
pub fn serve(mut living: Living, dir: &Path, bound: Listener, reins: Reins, said: impl FnOnce(&Served)) -> Result<(), ServeError> {
    let Listener { listener, own, terms, copy } = bound;
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().map_err(wrong_file(dir))?;
    let worlds = Arc::new(Worlds::at_place(ForkPlace::of(terms.keeping.worlds.clone(), dir), MadeWorlds::of(dir)));
    let estate = Estate { terms, handle: runtime.handle().clone(), worlds: worlds.clone(), reins: reins.clone(), lives: Mutex::default() };
    let estate = Arc::new(estate);
    let (berth, resident) = estate.berth(&mut living, dir, "", reins.clone())?;
    if let Some(copy) = copy {
        let _ = berth.hall.copy.set(copy);
    }
    worlds.add(resident);
    let opening = estate.clone();
    worlds.open_by(Box::new(move |dir, name, is_still| opening.open(dir, name, is_still)));
    let notices = estate.open_all(dir)?;
    let (stop, stopping) = watch::channel(false);
    let listening = listen(&estate, (own, listener), stopping)?;
    let ending = estate.clone();
    let ends = std::thread::spawn(move || ending.end());
    let mut told = served(&worlds, own, notices).map_err(wrong_file(dir))?;
    told.browser = estate.terms.browser.map(|start| estate.come_in(dir, &told.first.url, start));
    said(&told);
    let ran = berth.live(&mut living);
    if let (Err(error), false) = (&ran, estate.lives().is_empty()) {
        tracing::error!(%error, "the world at / has stopped, and the others go on; what was acknowledged is safe: start the server again");
        reins.until_stopped();
    }
    reins.stop();
    let _ = ends.join();
    // Streams have ended, whoever waited is told, requests that came are answered, and then the world is put away.
    let _ = stop.send(true);
    let _ = runtime.block_on(async { tokio::time::timeout(PARTING, listening).await });
    runtime.shutdown_timeout(Duration::from_secs(1));
    berth.hall.entrance.save_uses();
    ran?;
    living.stop()?;
    Ok(())
}

/// Listens for all worlds.
fn listen(
    estate: &Estate,
    (own, listener): (SocketAddr, std::net::TcpListener),
    stopping: watch::Receiver<bool>,
) -> Result<tokio::task::JoinHandle<()>, ServeError> {
    let listener = {
        let _inside = estate.handle.enter();
        tokio::net::TcpListener::from_std(listener).map_err(|source| ServeError::Listen { address: own, source })?
    };
    let trust = Arc::new(estate.terms.doors.trust.clone());
    let router = Router::new().fallback(lead).with_state(estate.worlds.clone());
    Ok(estate.handle.spawn(async move {
        let service = router.into_make_service_with_connect_info::<Peer>();
        let served = axum::serve(Lines::over(listener, trust), service).with_graceful_shutdown(until(stopping));
        if let Err(error) = served.await {
            tracing::error!(%error, "the server stopped listening");
        }
    }))
}

/// Where all of them are, and how their operators come in who have no password.
fn served(worlds: &Worlds, own: SocketAddr, notices: Vec<String>) -> io::Result<Served> {
    let of = |hall: Arc<Hall>| {
        let url = format!("{}{}", url_of(own), path_of(&hall.entrance.name).trim_start_matches('/'));
        let world = hall.feed.world();
        let mut people = hall.entrance.people();
        let has_password = people.has_password(&world.operator().to_string());
        let link = if has_password { None } else { Some(link_at(&url, &people.link(None)?)) };
        Ok::<_, io::Error>(ServedWorld { name: called(&world), url, link })
    };
    let mut all = worlds.all().into_iter().map(of).collect::<io::Result<Vec<_>>>()?.into_iter();
    let first = all.next().ok_or_else(|| io::Error::other("the world has stopped"))?;
    Ok(Served { first, worlds: all.collect(), notices, browser: None })
}

/// The page by which one comes in once.
fn link_at(url: &str, token: &str) -> String {
    format!("{url}#/welcome/{token}")
}

fn wrong_file(path: &Path) -> impl Fn(io::Error) -> ServeError + use<> {
    let path = path.to_owned();
    move |source| ServeError::File { path: path.clone(), source }
}

/// As wanted; else as the world's clock went last, at sixty times the wall clock where it did not.
fn pace_of(living: &Living, wanted: Option<Pace>) -> Pace {
    let last = living.world().world_said("clock").and_then(Value::as_str).unwrap_or_default();
    wanted.or_else(|| Pace::of_word(last).filter(|pace| *pace != Pace::Virtual)).unwrap_or(Pace::Times(60.0))
}

/// The page's address, as people type it.
fn url_of(own: SocketAddr) -> String {
    let host = if own.ip().is_unspecified() { "localhost".to_owned() } else { own.ip().to_string() };
    format!("http://{}:{}/", if host.contains(':') { format!("[{host}]") } else { host }, own.port())
}

impl Estate {
    fn lives(&self) -> MutexGuard<'_, Vec<(Reins, JoinHandle<()>)>> {
        self.lives.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets a world in under a name: whoever comes finds it, before it goes on.
    fn berth(&self, living: &mut Living, dir: &Path, name: &str, reins: Reins) -> Result<(Berth, Resident), ServeError> {
        let pace = pace_of(living, self.terms.keeping.pace);
        living.go_by(pace)?;
        living.asking(Living::endpoints(Some(dir), self.terms.keeping.ahead)?);
        let AtHand { reports, keyed } = moments::newest(dir, self.terms.recent)?;
        let feed = Arc::new(Feed::new(living.world().clone(), reports));
        let seats = Arc::new(Seats::new(reins.clone()));
        let (stop, stopping) = watch::channel(false);
        EnterFile::clear(dir).map_err(wrong_file(dir))?;
        let entrance = Entrance::of(dir, self.terms.doors.clone(), name).map_err(wrong_file(dir))?;
        let running = Running { dir: dir.to_owned(), feed, seats, pace, outages: living.outages().clone() };
        let hall = Arc::new(Hall::around(running, entrance, stopping));
        // A webhook that was refused is judged again when it is sent again.
        let is_bridge = |name: &str| living.world().being_named(name).is_some_and(|being| being.cognition == Cognition::Bridge);
        let is_known = |report: &Report| report.closing == ClosingKind::Act || !is_bridge(&report.being);
        keyed.into_iter().filter(|(_, report)| is_known(report)).for_each(|(once, report)| hall.acts.know(once, report));
        let (kept, mut stopped) = (hall.clone(), hall.stopping.clone());
        self.handle.spawn(async move {
            tokio::select! {
                () = seat::keep(kept.clone()) => {}
                () = keep_uses(&kept.entrance) => {}
                () = kept.keep_numbers() => {}
                _ = stopped.wait_for(|stop| *stop) => {}
            }
        });
        let router = router(hall.clone(), self.terms.beside);
        let socket = self.beside(dir, &hall, &router);
        Ok((Berth { hall: hall.clone(), reins, stop, _socket: socket }, Resident { hall, router }))
    }

    /// Has a browser on this machine come in to the first world. Its link is one of its own, and is made for an operator who has a password too:
    /// whoever may read the file may already do everything as the operator, over the socket beside it.
    fn come_in(&self, dir: &Path, url: &str, start: BrowserStart) -> Result<(), String> {
        let hall = self.worlds.at("/").ok_or("the world has stopped")?;
        let (token, came) = {
            let mut people = hall.entrance.people();
            let until = now().saturating_add(ENTER_LIFE.as_millis() as i64);
            (people.link(Some(until)).map_err(|error| error.to_string())?, people.came.subscribe())
        };
        let file = EnterFile::write(dir, &link_at(url, &token)).map_err(|error| format!("`{}`: {error}", dir.display()))?;
        start(&file.path())?;
        self.handle.spawn(file.last(came, ENTER_LIFE, hall.stopping.clone()));
        Ok(())
    }

    /// Listens beside the world's files, too, for their owner's commands, while the socket is kept.
    fn beside(&self, dir: &Path, hall: &Hall, router: &Router) -> Option<Socket> {
        match Socket::open(dir) {
            Ok((socket, door)) => {
                let local = router.clone().layer(Extension(Owner)).layer(Extension(self.worlds.clone()));
                let stopping = hall.stopping.clone();
                self.handle.spawn(async move { door.listen(local, stopping).await });
                Some(socket)
            }
            Err(error) => {
                tracing::warn!(%error, "no socket beside the world's files: while it is served, commands that write to it have to wait");
                None
            }
        }
    }

    /// Opens all worlds that lie beside the first; why some are left out, and which stand still since others made them.
    fn open_all(&self, first: &Path) -> Result<Vec<String>, ServeError> {
        let place = &self.worlds.place;
        let Some(dir) = place.found().map_err(wrong_file(first))? else { return Ok(Vec::new()) };
        // A place that somebody named is theirs to trust. Any other could have been put there by somebody else.
        let left_out = |dir: &Path, why: String| format!("`{}` is left out: {why}", dir.display());
        let foreign = |dir: &Path| if place.is_given() { Ok(None) } else { foreign(dir) };
        if let Some(why) = foreign(dir).map_err(wrong_file(dir))? {
            return Ok(vec![left_out(dir, why)]);
        }
        let mut names = Vec::new();
        for entry in std::fs::read_dir(dir).map_err(wrong_file(dir))? {
            let entry = entry.map_err(wrong_file(dir))?;
            let is_first = first.canonicalize().is_ok_and(|first| entry.path().canonicalize().is_ok_and(|path| path == first));
            let name = entry.file_name().to_string_lossy().into_owned();
            // A directory whose name begins with a dot is half made: a process ended meanwhile.
            // Where a world was served by itself, its forks lie beside it.
            let are_forks =
                name.strip_suffix("-forks").is_some_and(|of| dir.join(of).is_dir()) && !entry.path().join("world.toml").exists();
            if entry.path().is_dir() && !is_first && !are_forks && !name.starts_with('.') {
                names.push(name);
            }
        }
        names.sort();
        let opened = |name: String| {
            let dir = dir.join(&name);
            let why = foreign(&dir).map_err(|error| error.to_string());
            match why.and_then(|why| why.map_or_else(|| self.opened(&name, &dir), Err)) {
                Ok(is_made) => {
                    (!is_made).then(|| format!("`{}` stands still: this server has not made it; let it go on its page", dir.display()))
                }
                Err(why) => Some(left_out(&dir, why)),
            }
        };
        Ok(names.into_iter().filter_map(opened).collect())
    }

    /// Opens one that lies beside the first, and says whether this server has made it: one that it has not made stands still.
    fn opened(&self, name: &str, dir: &Path) -> Result<bool, String> {
        let is_made = WorldFile::of(dir).is_ok_and(|file| self.worlds.made.has(file.world));
        self.worlds.open(name, self.terms.keeping.paused || !is_made)?;
        Ok(is_made)
    }

    /// Opens one, and lets it go on on a thread of its own.
    fn open(self: &Arc<Self>, dir: &Path, name: &str, is_still: bool) -> Result<Resident, String> {
        let (mut living, _) = Living::open(dir, self.terms.keeping.threads).map_err(|error| error.to_string())?;
        let reins = Reins::default();
        reins.set_grace(self.terms.keeping.grace);
        if is_still {
            reins.pause();
        }
        let (berth, resident) = self.berth(&mut living, dir, name, reins.clone()).map_err(|error| error.to_string())?;
        let (worlds, name) = (self.worlds.clone(), name.to_owned());
        let mut lives = self.lives();
        // A stop of all worlds has reached only those that were listed by then.
        if self.reins.is_stopped() {
            reins.stop();
        }
        let thread = std::thread::spawn(move || {
            let lived = berth.live(&mut living).and_then(|()| Ok(living.stop().map(drop)?));
            if let Err(error) = lived {
                tracing::error!(world = name, %error, "this world has stopped, and the others go on; what was acknowledged is safe: start the server again");
                worlds.forget(&name);
            }
        });
        lives.push((reins, thread));
        Ok(resident)
    }

    /// Ends the others once the first is to end, and waits until all of them have.
    fn end(&self) {
        self.reins.until_stopped();
        let lives = std::mem::take(&mut *self.lives());
        for (reins, _) in &lives {
            reins.stop();
        }
        lives.into_iter().for_each(|(_, thread)| drop(thread.join()));
    }
}

/// Writes down when tokens were used last, now and then; forever. So a request costs no writing.
async fn keep_uses(entrance: &Entrance) {
    let mut beat = tokio::time::interval(USES_EVERY);
    loop {
        beat.tick().await;
        entrance.save_uses();
    }
}

impl Berth {
    /// Lets it go on, until its reins say stop; then whoever waits for it is told.
    fn live(&self, living: &mut Living) -> Result<(), ServeError> {
        let Hall { feed, seats, .. } = &*self.hall;
        let course = Course { pace: self.hall.pace(), until: Until::default(), reins: &self.reins, watch: None, measures: None };
        let ran = living.serve(course, seats, feed);
        let _ = self.stop.send(true);
        seats.close();
        self.hall.entrance.save_uses();
        ran?;
        Ok(())
    }
}
