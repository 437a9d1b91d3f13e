//! Lines: the connections of the server: so many at one time, and none that says half a request, or is answered nothing, for long.

use std::future::Future;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{Instant, Sleep};

use super::crowd::{Crowd, Place, Ticket};
use super::origin::Trust;

/// How long a connection is waited for.
#[derive(Clone, Copy)]
pub struct Patience {
    /// So long a request's head may take to come, however it trickles in.
    pub head: Duration,
    /// After so long without an answer going out it is closed: unless somebody works on the answer, or reads a body. Streams say something
    /// every 15 seconds.
    pub silence: Duration,
}

pub const PATIENCE: Patience = Patience { head: Duration::from_secs(15), silence: Duration::from_secs(45) };

/// A listener that keeps to all of that.
pub struct Lines {
    pub listener: TcpListener,
    pub crowd: Crowd,
    pub trust: Arc<Trust>,
    pub patience: Patience,
}

impl Lines {
    /// Over a listener.
    pub fn over(listener: TcpListener, trust: Arc<Trust>) -> Self {
        Self { listener, crowd: Crowd::default(), trust, patience: PATIENCE }
    }
}

impl Listener for Lines {
    type Io = Line;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Line, SocketAddr) {
        loop {
            let (stream, peer) = Listener::accept(&mut self.listener).await;
            // Where all are worked on, and those kept for the operator too, one more is closed at once.
            if let Some(place) = self.crowd.enter(peer.ip().into(), self.trust.is_proxy(peer.ip())) {
                let (patience, until) = (self.patience, Box::pin(tokio::time::sleep(self.patience.head)));
                return (Line { stream, patience, until, is_asking: true, is_over: false, place }, peer);
            }
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

/// A connection as those know it who answer: from where it comes, and its place among all.
#[derive(Clone)]
pub struct Peer {
    /// The address from which it comes.
    pub address: IpAddr,
    /// Its place.
    pub ticket: Ticket,
}

impl Connected<IncomingStream<'_, Lines>> for Peer {
    fn connect_info(stream: IncomingStream<'_, Lines>) -> Self {
        Self { address: stream.remote_addr().ip(), ticket: stream.io().place.ticket() }
    }
}

/// One connection.
pub struct Line {
    stream: TcpStream,
    pub patience: Patience,
    /// When it has been silent for too long.
    pub until: Pin<Box<Sleep>>,
    /// Whether a head has begun to come and nothing was answered since.
    is_asking: bool,
    pub is_over: bool,
    pub place: Place,
}

impl Line {
    /// Whether its time is over, or its place another's.
    pub fn is_over(&mut self, context: &mut Context<'_>) -> bool {
        if !self.is_over && Pin::new(&mut self.place.lost).poll(context).is_ready() {
            self.is_over = true;
        }
        while !self.is_over && self.until.as_mut().poll(context).is_ready() {
            if self.place.ticket().is_busy() {
                self.until.as_mut().reset(Instant::now() + self.patience.silence);
            } else {
                self.is_over = true;
            }
        }
        self.is_over
    }

    /// Waits anew, for so long; whether it is over all the same.
    fn waits(&mut self, context: &mut Context<'_>, wait: Duration) -> bool {
        self.until.as_mut().reset(Instant::now() + wait);
        self.is_over(context)
    }
}

fn over<T>() -> Poll<io::Result<T>> {
    Poll::Ready(Err(io::Error::from(io::ErrorKind::TimedOut)))
}

impl AsyncRead for Line {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        if self.is_over(context) {
            return over();
        }
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(context, buffer);
        // A head has its time from its first byte on; what comes after does not lengthen it.
        if buffer.filled().len() > before && !self.is_asking {
            self.is_asking = true;
            let head = self.patience.head;
            if self.waits(context, head) {
                return over();
            }
        }
        read
    }
}

impl AsyncWrite for Line {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        if self.is_over(context) {
            return over();
        }
        let went = Pin::new(&mut self.stream).poll_write(context, bytes);
        if went.is_ready() {
            self.is_asking = false;
            let silence = self.patience.silence;
            if self.waits(context, silence) {
                return over();
            }
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
