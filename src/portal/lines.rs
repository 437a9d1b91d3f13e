//! Lines: the connections of the server: so many at one time, and none that is answered nothing for long. Each holds a file
//! descriptor of the process, which the world's own log needs as well.

use std::collections::BTreeMap;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, Sleep};

/// How many connections are open at one time; more wait until one is closed. Well below what a process may open by default.
const LINES: usize = 512;
/// After so long without an answer going out a connection is closed, whatever trickles in: unless somebody works on the answer. Streams say
/// something every 15 seconds, and no body that is taken needs longer to come.
pub const SILENCE: Duration = Duration::from_secs(45);

/// How many of them one address may have: whoever takes all that it can get leaves room for the others.
const OF_ONE: usize = 256;

/// How many connections each address has.
type Counts = Arc<Mutex<BTreeMap<IpAddr, usize>>>;

/// A listener that keeps to all three.
pub struct Lines {
    listener: TcpListener,
    free: Arc<Semaphore>,
    counts: Counts,
}

/// A place among those of an address, until it is dropped.
struct Counted {
    address: IpAddr,
    counts: Counts,
}

impl Counted {
    /// A place, if the address may have one more.
    fn of(address: IpAddr, counts: &Counts) -> Option<Self> {
        let mut held = counts.lock().unwrap_or_else(PoisonError::into_inner);
        let count = held.entry(address).or_default();
        if *count >= OF_ONE {
            return None;
        }
        *count += 1;
        Some(Self { address, counts: counts.clone() })
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        let mut held = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = held.get_mut(&self.address) {
            *count -= 1;
            if *count == 0 {
                held.remove(&self.address);
            }
        }
    }
}

impl Lines {
    /// Over a listener.
    pub fn over(listener: TcpListener) -> Self {
        Self { listener, free: Arc::new(Semaphore::new(LINES)), counts: Counts::default() }
    }
}

impl Listener for Lines {
    type Io = Line;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Line, SocketAddr) {
        // Nobody closes this semaphore; were it closed, connections would go uncounted.
        let place = self.free.clone().acquire_owned().await.ok();
        loop {
            let (stream, peer) = Listener::accept(&mut self.listener).await;
            // One more of an address that has its share is closed at once.
            if let Some(counted) = Counted::of(peer.ip(), &self.counts) {
                let quiet = Box::pin(tokio::time::sleep(SILENCE));
                return (Line { stream, quiet, busy: Busy::default(), _place: place, _counted: counted }, peer);
            }
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

/// A connection as those know it who answer: whose it is, and how many answers are worked on.
#[derive(Clone, Debug)]
pub struct Peer {
    /// Whose.
    pub address: IpAddr,
    /// The work.
    pub busy: Busy,
}

/// How many answers are worked on for a connection.
#[derive(Clone, Debug, Default)]
pub struct Busy(Arc<AtomicUsize>);

/// Work on an answer; it ends when this is dropped.
pub struct Work(Busy);

impl Busy {
    /// Begins to work.
    pub fn work(&self) -> Work {
        self.0.fetch_add(1, Ordering::Relaxed);
        Work(self.clone())
    }

    fn is_working(&self) -> bool {
        self.0.load(Ordering::Relaxed) > 0
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        self.0.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Connected<IncomingStream<'_, Lines>> for Peer {
    fn connect_info(stream: IncomingStream<'_, Lines>) -> Self {
        Self { address: stream.remote_addr().ip(), busy: stream.io().busy.clone() }
    }
}

/// One connection.
pub struct Line {
    stream: TcpStream,
    quiet: Pin<Box<Sleep>>,
    busy: Busy,
    _place: Option<OwnedSemaphorePermit>,
    _counted: Counted,
}

impl Line {
    /// Whether nothing has gone out for too long.
    fn is_silent(&mut self, context: &mut Context<'_>) -> bool {
        while self.quiet.as_mut().poll(context).is_ready() {
            if !self.busy.is_working() {
                return true;
            }
            self.quiet.as_mut().reset(Instant::now() + SILENCE);
        }
        false
    }
}

fn too_long<T>() -> Poll<io::Result<T>> {
    Poll::Ready(Err(io::Error::from(io::ErrorKind::TimedOut)))
}

impl AsyncRead for Line {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        if self.is_silent(context) {
            return too_long();
        }
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for Line {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let went = Pin::new(&mut self.stream).poll_write(context, bytes);
        if went.is_ready() {
            self.quiet.as_mut().reset(Instant::now() + SILENCE);
        } else if self.is_silent(context) {
            return too_long();
        }
        went
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_its_share_of_the_connections_and_gets_it_back() {
        let counts = Counts::default();
        let [one, other] = [[10, 0, 0, 1], [10, 0, 0, 2]].map(IpAddr::from);
        let mut held: Vec<Counted> = (0..OF_ONE).filter_map(|_| Counted::of(one, &counts)).collect();
        assert!(held.len() == OF_ONE && Counted::of(one, &counts).is_none() && Counted::of(other, &counts).is_some());
        held.pop();
        assert!(Counted::of(one, &counts).is_some());
        drop(held);
        assert!(counts.lock().unwrap().is_empty());
    }
}
