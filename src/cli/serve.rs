//! `serve`: a world that lives in the browser, and others beside it.

use std::io::Write;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use axum::http::HeaderName;
use clap::Args;
use ipnet::IpNet;

use crate::mcp::beside;
use crate::portal::{BrowserStart, Doors, Keeping, Listener, Listening, Served, ServedWorld, Trust, serve};
use crate::run::{Breakpoint, Living, Pace, Reins};
use crate::source::{Source, shipped_worlds, warnings};
use crate::store::ReplicaStatus;

use super::browser::{self, Surroundings};
use super::copied::KeptCopy;
use super::door::{Door, Ended};
use super::given::{self, AskedAhead};
use super::ground::{Manner, every_core, open_or_plant_copied};
use super::steer::stop_on_signal;

/// Serves a living world in the browser: plants its source where there is none yet
#[derive(Args)]
#[command(after_help = "Example: reelm serve skateco

Your browser opens the world, where there is one to open. The command prints the page's address, and once a link by which you come in as the operator. While it runs, the other commands on the same
--data go through it. Ctrl-C stops it at the next border; the next `serve` goes on there.")]
pub struct Serve {
    /// The directory of a world source, or the name of a shipped world; may be left out where the world is there already
    source: Option<PathBuf>,
    /// The port to listen on; 0 takes a free one
    #[arg(long, default_value_t = 7777)]
    port: u16,
    /// Open the world in your browser, and come in; without either, it opens on a terminal with a display, but not under CI, as root or over SSH
    #[arg(long, conflicts_with = "no_open")]
    open: bool,
    /// Open no browser
    #[arg(long)]
    no_open: bool,
    /// The address to listen on; anything but loopback can be reached by others
    #[arg(long, default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST), value_name = "IP")]
    bind: IpAddr,
    /// A name under which browsers call this server, beside loopback's; may be said again
    #[arg(long = "host", value_name = "NAME")]
    hosts: Vec<String>,
    /// A network (or address) of reverse proxies, whose `X-Forwarded-For` says for whom they ask; may be said again
    #[arg(long = "proxy", value_name = "CIDR", value_parser = network)]
    proxies: Vec<IpNet>,
    /// The header by which these proxies name the person who is logged in with them; from anywhere else it is refused
    #[arg(long, value_name = "HEADER", requires = "proxies")]
    user_header: Option<HeaderName>,
    /// Let visitors read `/metrics`; without it only the operator may
    #[arg(long)]
    open_metrics: bool,
    /// A directory of worlds that are served beside this one, each below `/w/NAME/`; forks that are made on the page are put there [default: DATA-forks]
    #[arg(long, value_name = "DIR")]
    worlds: Option<PathBuf>,
    /// So many times the speed of the clock
    #[arg(long, value_name = "TIMES", conflicts_with = "realtime", value_parser = given::pace)]
    pace: Option<Pace>,
    /// With the wall clock
    #[arg(long)]
    realtime: bool,
    /// Another seed than the source's; only for a new world
    #[arg(long)]
    seed: Option<u64>,
    /// Plant a world whose keys follow from its seed, as `run` does: anyone can compute it again, and its seals prove order, not authorship
    #[arg(long)]
    simulated: bool,
    /// Stand still until somebody lets it go
    #[arg(long)]
    paused: bool,
    /// Stand still behind the round of the moment with which a condition comes to hold, such as 'when {"moment.closing": "refused"}'; may be
    /// said again; on the page the operator lets it go on
    #[arg(long = "break", value_name = "WHEN", value_parser = given::breakpoint)]
    breaks: Vec<Breakpoint>,
    /// How many of the newest frames are at hand when it starts; what lies further back is read from the log when it is asked for
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    recent: u64,
    /// Go on with a world that has lost acknowledged history; `@world` records how much
    #[arg(long)]
    accept_loss: bool,
    /// How long Ctrl-C waits for the answers of models that are under way; a second one stops at once
    #[arg(long, value_name = "DURATION", value_parser = given::wait, default_value = "30s")]
    grace: Duration,
    #[command(flatten)]
    copy: KeptCopy,
    #[command(flatten)]
    ahead: AskedAhead,
    /// How many threads think and sign; the result is the same
    #[arg(long, value_name = "N", value_parser = given::threads())]
    threads: Option<usize>,
}

impl Serve {
    /// Runs.
    pub fn run(self, door: &Door) -> Result<Ended> {
        let threads = self.threads.unwrap_or_else(every_core);
        let named = match &self.source {
            None if !Living::is_planted(&door.data)? => Some(door.source_here()?.map_or_else(|| which_world(door), Ok)?),
            named => named.clone(),
        };
        let source = named.as_deref().map(Source::read).transpose()?;
        if let Some(source) = &source {
            source.notes.iter().for_each(|note| door.note(note));
            warnings(source).iter().for_each(|warning| door.warn(warning));
        }
        // Before anything is planted: an address that is taken is no reason for a world.
        let socket = SocketAddr::new(self.bind, self.port);
        let mut bound = Listener::to(Listening {
            socket,
            doors: self.doors(),
            recent: self.recent,
            keeping: self.keeping(threads),
            beside: Some(beside),
            browser: self.browser(),
        })?;
        let opening = Manner { seed: self.seed, simulated: self.simulated, accept_loss: self.accept_loss, threads };
        let (living, copy) = open_or_plant_copied(door, source.as_ref(), opening, &self.copy)?;
        let (leaving, grace) = (copy.clone(), self.grace);
        bound.follow(copy);
        let reins = Reins::default();
        reins.set_grace(self.grace);
        reins.set_breaks(self.breaks.clone());
        stop_on_signal(reins.clone())?;
        if self.paused {
            reins.pause();
        }
        if let Some(copy) = leaving {
            leave_in_time(copy, reins.clone(), grace);
        }
        serve(living, &door.data, bound, reins, |served| {
            served.notices.iter().for_each(|why| door.warn(why));
            if let Some(Err(why)) = &served.browser {
                door.warn(&format!("no browser could be started: {why}"));
            }
            // A failed write means that the reader has gone; the world is served all the same.
            let _ = door.say(&json(served), || words(served));
        })?;
        Ok(Ended::Well)
    }

    /// How a browser is opened, if one is.
    fn browser(&self) -> Option<BrowserStart> {
        let opens = self.open || !self.no_open && Surroundings::here().opens();
        opens.then_some(browser::start as BrowserStart)
    }

    fn doors(&self) -> Doors {
        let trust = Trust { proxies: self.proxies.clone(), user_header: self.user_header.clone() };
        Doors { hosts: self.hosts.clone(), trust, open_metrics: self.open_metrics, ..Doors::default() }
    }

    fn keeping(&self, threads: usize) -> Keeping {
        let pace = if self.realtime { Some(Pace::Real) } else { self.pace };
        Keeping { pace, paused: self.paused, threads, ahead: self.ahead.terms(), grace: self.grace, worlds: self.worlds.clone() }
    }
}

/// Waits no more for a copy that cannot be reached, a while after the world was told to stop.
fn leave_in_time(copy: Arc<ReplicaStatus>, reins: Reins, grace: Duration) {
    std::thread::spawn(move || {
        reins.until_stopped();
        std::thread::sleep(grace);
        copy.leaves();
    });
}

/// Asks a person which world is to be planted; a program is told the names, as of a wrong command line.
fn which_world(door: &Door) -> Result<PathBuf> {
    let names = shipped_worlds().collect::<Vec<_>>().join(", ");
    if !Surroundings::here().is_terminal || door.speech.is_for_programs() {
        let what =
            format!("name a SOURCE: a directory with a world.toml, or a shipped world ({names}); `reelm new NAME` begins one of your own");
        clap::Error::raw(clap::error::ErrorKind::MissingRequiredArgument, format!("{what}\n")).exit();
    }
    print!("Which world? {names} [skateco]: ");
    std::io::stdout().flush()?;
    let mut line = String::new();
    std::io::stdin().read_line(&mut line)?;
    Ok(PathBuf::from(if line.trim().is_empty() { "skateco" } else { line.trim() }))
}

/// A network as `10.0.0.0/8`, or one address.
fn network(text: &str) -> Result<IpNet, String> {
    let one = || text.parse::<IpAddr>().map(IpNet::from);
    text.parse().or_else(|_| one()).map_err(|_| "expected a network such as `10.0.0.0/8`, or an address".to_owned())
}

fn json(served: &Served) -> serde_json::Value {
    let world = |world: &ServedWorld| serde_json::json!({ "name": world.name, "url": world.url, "link": world.link });
    let worlds: Vec<_> = served.worlds.iter().map(world).collect();
    serde_json::json!({ "url": served.first.url, "link": served.first.link, "worlds": worlds })
}

fn words(served: &Served) -> String {
    let one = |(is_opened, ServedWorld { name, url, link }): (bool, &ServedWorld)| {
        let opened = if is_opened { "your browser opens it; otherwise " } else { "" };
        let come_in = match link {
            Some(link) => format!("come in as its operator, once, by {link}"),
            None => "log in there with your password".to_owned(),
        };
        format!("{name} lives at {url}\n{opened}{come_in}\n")
    };
    let first = (matches!(served.browser, Some(Ok(()))), &served.first);
    let all: String = std::iter::once(first).chain(served.worlds.iter().map(|world| (false, world))).map(one).collect();
    all + if served.worlds.is_empty() { "Ctrl-C stops it" } else { "Ctrl-C stops all of them" }
}
