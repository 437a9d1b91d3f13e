//! Lines: the connections of the server: so many at one time, and none that says nothing and hears nothing for long. Each holds a file
//! descriptor of the process, which the world's own log needs as well.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::serve::Listener;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, Sleep};

/// How many connections are open at one time; more wait until one is closed. Well below what a process may open by default.
const LINES: usize = 512;
/// After so long without a byte in either direction a connection is closed; streams say something every 15 seconds.
const SILENCE: Duration = Duration::from_secs(45);

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
        (Line { stream, quiet: Box::pin(tokio::time::sleep(SILENCE)), _place: place }, peer)
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

/// One connection.
pub struct Line {
    stream: TcpStream,
    quiet: Pin<Box<Sleep>>,
    _place: Option<OwnedSemaphorePermit>,
}

impl Line {
    /// Notes that something went over it, or says that it has been quiet for too long.
    fn heard<T>(&mut self, went: Poll<io::Result<T>>, context: &mut Context<'_>) -> Poll<io::Result<T>> {
        if went.is_ready() {
            self.quiet.as_mut().reset(Instant::now() + SILENCE);
            return went;
        }
        match self.quiet.as_mut().poll(context) {
            Poll::Ready(()) => Poll::Ready(Err(io::Error::from(io::ErrorKind::TimedOut))),
            Poll::Pending => Poll::Pending,
        }
    }
}

impl AsyncRead for Line {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let went = Pin::new(&mut self.stream).poll_read(context, buffer);
        self.heard(went, context)
    }
}

impl AsyncWrite for Line {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let went = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.heard(went, context)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
