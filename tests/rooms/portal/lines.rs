//! Tests of `src/portal/lines.rs`.

use axum::serve::Listener as _;
use reelm::portal::lines::*;
use std::future::Future;
use std::future::poll_fn;
use std::io;
use std::io::Write;
use std::pin::Pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;
use tokio::io::ReadBuf;
use tokio::io::{AsyncRead as _, AsyncWrite as _};
use tokio::net::TcpListener;

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
