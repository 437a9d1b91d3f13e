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
struct Patience {
    /// So long a request's head may take to come, however it trickles in.
    head: Duration,
    /// After so long without an answer going out it is closed: unless somebody works on the answer, or reads a body. Streams say something
    /// every 15 seconds.
    silence: Duration,
}

const PATIENCE: Patience = Patience { head: Duration::from_secs(15), silence: Duration::from_secs(45) };

/// A listener that keeps to all of that.
pub struct Lines {
    listener: TcpListener,
    crowd: Crowd,
    trust: Arc<Trust>,
    patience: Patience,
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
    /// From where.
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
    patience: Patience,
    /// When it has been silent for too long.
    until: Pin<Box<Sleep>>,
    /// Whether a head has begun to come and nothing was answered since.
    is_asking: bool,
    is_over: bool,
    place: Place,
}

impl Line {
    /// Whether its time is over, or its place another's.
    fn is_over(&mut self, context: &mut Context<'_>) -> bool {
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

#[cfg(test)]
mod tests {
    use std::future::poll_fn;
    use std::io::Write;

    use super::*;

    /// So long nothing of a test takes.
    const HOUR: Duration = Duration::from_secs(3600);
    /// A wait that is over as soon as it has begun.
    const NONE: Duration = Duration::ZERO;

    /// A client's end of a connection and the server's.
    async fn met(patience: Patience) -> (std::net::TcpStream, Line) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let client = std::net::TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let mut lines = Lines { patience, ..Lines::over(listener, Arc::default()) };
        (client, lines.accept().await.0)
    }

    async fn read(line: &mut Line) -> io::Result<Vec<u8>> {
        let (mut bytes, mut line) = ([0; 256], Pin::new(line));
        let mut buffer = ReadBuf::new(&mut bytes);
        poll_fn(|context| line.as_mut().poll_read(context, &mut buffer)).await?;
        Ok(buffer.filled().to_vec())
    }

    async fn write(line: &mut Line, bytes: &[u8]) {
        let mut line = Pin::new(line);
        poll_fn(|context| line.as_mut().poll_write(context, bytes)).await.unwrap();
    }

    /// Reads until the connection is closed for having taken too long.
    async fn is_closed(line: &mut Line) -> bool {
        let closes = async { while read(line).await.is_ok_and(|bytes| !bytes.is_empty()) {} };
        tokio::time::timeout(Duration::from_secs(20), closes).await.is_ok() && line.is_over
    }

    fn runs(test: impl Future<Output = ()>) {
        tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(test);
    }

    #[test]
    fn half_a_request_is_not_waited_for_longer_than_a_head_may_take() {
        assert_eq!(PATIENCE.head, Duration::from_secs(15), "what docs/PORTAL.md says");
        runs(async {
            for half in ["", "GET / HTTP/1.1\r\nhost: x\r\n"] {
                let (mut client, mut line) = met(Patience { head: NONE, silence: HOUR }).await;
                client.write_all(half.as_bytes()).unwrap();
                assert!(is_closed(&mut line).await, "{half:?}");
            }
        });
    }

    #[test]
    fn whoever_has_to_give_way_is_closed_at_once_however_long_they_might_be_waited_for() {
        runs(async {
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            let _client = std::net::TcpStream::connect(listener.local_addr().unwrap()).unwrap();
            let mut lines = Lines { patience: Patience { head: HOUR, silence: HOUR }, ..Lines::over(listener, Arc::default()) };
            let (mut first, peer) = lines.accept().await;
            let more = || lines.crowd.enter(peer.ip().into(), false);
            let before: Vec<_> = (1..256).map(|_| more().unwrap()).collect();
            assert!(!poll_fn(|context| Poll::Ready(first.is_over(context))).await, "there is room for so many of one address");
            let _one_more = more().unwrap();
            assert!(is_closed(&mut first).await && before.len() == 255);
        });
    }

    #[test]
    fn a_head_has_its_time_from_its_first_byte_on_however_it_trickles_in_and_so_has_the_next_one() {
        runs(async {
            let (mut client, mut line) = met(Patience { head: HOUR, silence: 2 * HOUR }).await;
            let until = line.until.deadline();
            for byte in b"GET / HTTP/1.1" {
                client.write_all(&[*byte]).unwrap();
                assert_eq!(read(&mut line).await.unwrap(), [*byte]);
                assert_eq!(line.until.deadline(), until, "no byte lengthens it");
            }
            write(&mut line, b"HTTP/1.1 200 OK").await;
            assert!(line.until.deadline() > until, "whoever was answered may be silent");
            line.patience.head = NONE;
            client.write_all(b"GET /").unwrap();
            assert!(is_closed(&mut line).await);
        });
    }

    #[test]
    fn nobody_is_closed_while_somebody_works_on_the_answer() {
        runs(async {
            let (mut client, mut line) = met(Patience { head: NONE, silence: HOUR }).await;
            let _works = line.place.ticket().works();
            client.write_all(b"GET / HTTP/1.1\r\n\r\n").unwrap();
            assert_eq!(read(&mut line).await.unwrap(), b"GET / HTTP/1.1\r\n\r\n");
            // Its wait was over as it began, and begins again.
            let begun = line.until.deadline();
            let begins_again = poll_fn(|context| {
                assert!(!line.is_over(context));
                if line.until.deadline() == begun { Poll::Pending } else { Poll::Ready(()) }
            });
            tokio::time::timeout(Duration::from_secs(20), begins_again).await.unwrap();
        });
    }
}
