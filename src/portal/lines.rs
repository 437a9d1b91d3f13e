//! Lines: the connections of the server: so many at one time, and none that is answered nothing for long. Each holds a file
//! descriptor of the process, which the world's own log needs as well.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
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

/// A listener that keeps to both.
pub struct Lines {
    listener: TcpListener,
    free: Arc<Semaphore>,
}

impl Lines {
    /// Over a listener.
    pub fn over(listener: TcpListener) -> Self {
        Self { listener, free: Arc::new(Semaphore::new(LINES)) }
    }
}

impl Listener for Lines {
    type Io = Line;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Line, SocketAddr) {
        // Nobody closes this semaphore; were it closed, connections would go uncounted.
        let place = self.free.clone().acquire_owned().await.ok();
        let (stream, peer) = Listener::accept(&mut self.listener).await;
        (Line { stream, quiet: Box::pin(tokio::time::sleep(SILENCE)), busy: Busy::default(), _place: place }, peer)
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
