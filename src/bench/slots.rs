//! Slots: a model server inside this process. It answers so many calls at once, first come, first served, each after its latency.
//!
//! It speaks HTTP, as every server does that Reelm asks: a client that gives a call up hangs up, and the slot is free at once.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::ground::BenchError;
use super::guests::{GuestTurn, latency_us};
use super::rooms::RoomWorld;

/// Sockets time out late by a tick of the system: so long before the end of a latency the server stops looking at the line.
const TICK: Duration = Duration::from_millis(8);

/// A server; it stops when it is dropped.
pub(super) struct SlotServer {
    address: SocketAddr,
    shared: Arc<SlotsShared>,
}

/// The state that the connections of a server share.
struct SlotsShared {
    world: &'static RoomWorld,
    /// Latencies are divided by this.
    divisor: u64,
    queue: Mutex<SlotQueue>,
    freed: Condvar,
    asked: AtomicUsize,
    is_closed: AtomicBool,
}

#[derive(Default)]
struct SlotQueue {
    busy: usize,
    /// The calls that wait, by their numbers, the first first.
    waiting: VecDeque<usize>,
}

impl SlotServer {
    /// Opens a server for the guests of a world.
    pub(super) fn open(world: &'static RoomWorld, divisor: u64) -> Result<Self, BenchError> {
        let no_server = |_| BenchError::Nothing("no server can be opened on this machine");
        let listener = TcpListener::bind("127.0.0.1:0").map_err(no_server)?;
        let address = listener.local_addr().map_err(no_server)?;
        let (queue, freed) = (Mutex::default(), Condvar::new());
        let shared = Arc::new(SlotsShared { world, divisor, queue, freed, asked: AtomicUsize::new(0), is_closed: AtomicBool::new(false) });
        let accepting = shared.clone();
        std::thread::spawn(move || accept(&listener, &accepting));
        Ok(Self { address, shared })
    }

    /// The address to be named as a `base_url`.
    pub(super) fn url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// How many calls have come.
    pub(super) fn asked(&self) -> usize {
        self.shared.asked.load(Ordering::Relaxed)
    }
}

impl Drop for SlotServer {
    fn drop(&mut self) {
        self.shared.is_closed.store(true, Ordering::Relaxed);
        // The accepting thread looks up at the next connection.
        let _ = TcpStream::connect(self.address);
    }
}

/// Serves each connection on a thread of its own. A client opens no more connections than it has calls under way.
fn accept(listener: &TcpListener, shared: &Arc<SlotsShared>) {
    for stream in listener.incoming() {
        if shared.is_closed.load(Ordering::Relaxed) {
            return;
        }
        let Ok(stream) = stream else { continue };
        let shared = shared.clone();
        // A connection ends when its client hangs up.
        std::thread::spawn(move || shared.serve(stream));
    }
}

impl SlotsShared {
    /// Answers one call after the other, until the client hangs up.
    fn serve(&self, stream: TcpStream) -> Option<()> {
        stream.set_nodelay(true).ok()?;
        let mut line = BufReader::new(stream);
        loop {
            line.get_ref().set_read_timeout(None).ok()?;
            let body = read_request(&mut line)?;
            let number = self.asked.fetch_add(1, Ordering::Relaxed);
            let reply = GuestTurn::of(&body, self.world)?.body();
            self.take_slot(number);
            let is_waited_for = waits_out(line.get_ref(), Duration::from_micros(latency_us(&body, self.divisor)));
            self.leave_slot();
            if !is_waited_for {
                return None;
            }
            let head = format!("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n", reply.len());
            line.get_mut().write_all((head + reply.as_str()).as_bytes()).ok()?;
        }
    }

    fn take_slot(&self, number: usize) {
        let mut queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        queue.waiting.push_back(number);
        let waits = |queue: &mut SlotQueue| queue.busy >= self.world.slots || queue.waiting.front() != Some(&number);
        queue = self.freed.wait_while(queue, waits).unwrap_or_else(PoisonError::into_inner);
        queue.waiting.pop_front();
        queue.busy += 1;
        drop(queue);
        // The next in the queue may find a slot too.
        self.freed.notify_all();
    }

    fn leave_slot(&self) {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner).busy -= 1;
        self.freed.notify_all();
    }
}

/// Reads the body of the next request; nothing where the client has hung up.
fn read_request(line: &mut BufReader<TcpStream>) -> Option<String> {
    let mut length = 0;
    loop {
        let mut header = String::new();
        if line.read_line(&mut header).ok()? == 0 {
            return None;
        }
        let header = header.trim_end().to_ascii_lowercase();
        if header.is_empty() {
            break;
        }
        if let Some(value) = header.strip_prefix("content-length:") {
            length = value.trim().parse().ok()?;
        }
    }
    let mut body = vec![0; length];
    line.read_exact(&mut body).ok()?;
    String::from_utf8(body).ok()
}

/// Waits for so long, and no longer than the client; whether the client still waits.
fn waits_out(stream: &TcpStream, latency: Duration) -> bool {
    let until = Instant::now() + latency;
    loop {
        let left = until.saturating_duration_since(Instant::now()).saturating_sub(TICK);
        if left.is_zero() || stream.set_read_timeout(Some(left)).is_err() {
            break;
        }
        match stream.peek(&mut [0]) {
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted) => {}
            // Nobody sends a second request before the first is answered.
            Ok(_) | Err(_) => return false,
        }
    }
    std::thread::sleep(until.saturating_duration_since(Instant::now()));
    true
}
