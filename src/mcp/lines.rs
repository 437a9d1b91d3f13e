//! Lines: the protocol's messages as lines of standard input and output; a line that cannot be read is answered, and the next one is read.

use std::io::Error;
use std::pin::Pin;
use std::sync::Arc;

use futures_util::{Stream, StreamExt, stream};
use rmcp::RoleServer;
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use serde::Serialize;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::Mutex;

use super::message::{Unread, read};

/// The longest line that is read.
const LINE_MAX: usize = 16 << 20;

type Written<W> = Arc<Mutex<W>>;

/// A client at the other end of two pipes.
pub(super) struct MessageLines<W> {
    messages: Pin<Box<dyn Stream<Item = RxJsonRpcMessage<RoleServer>> + Send>>,
    written: Written<W>,
}

/// A line, as far as it is kept.
enum LineRead {
    Whole(Vec<u8>),
    TooLong,
}

impl<W: AsyncWrite + Unpin + Send + 'static> MessageLines<W> {
    pub(super) fn of(input: impl AsyncRead + Unpin + Send + 'static, output: W) -> Self {
        let written = Arc::new(Mutex::new(output));
        // A stream keeps the line that has begun while something else is waited for.
        let lines = stream::unfold((BufReader::new(input), written.clone()), |(mut input, written)| async move {
            let message = next_message(&mut input, &written).await?;
            Some((message, (input, written)))
        });
        Self { messages: Box::pin(lines), written }
    }
}

impl<W: AsyncWrite + Unpin + Send + 'static> Transport<RoleServer> for MessageLines<W> {
    type Error = Error;

    fn send(&mut self, message: TxJsonRpcMessage<RoleServer>) -> impl Future<Output = Result<(), Error>> + Send + 'static {
        let written = self.written.clone();
        async move { write(&written, &message).await }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        self.messages.next().await
    }

    async fn close(&mut self) -> Result<(), Error> {
        self.written.lock().await.flush().await
    }
}

/// The next message; lines before it that are none are answered.
async fn next_message<W: AsyncWrite + Unpin>(
    input: &mut (impl AsyncBufReadExt + Unpin),
    written: &Written<W>,
) -> Option<RxJsonRpcMessage<RoleServer>> {
    loop {
        let read = match next_line(input).await? {
            LineRead::Whole(line) if line.trim_ascii().is_empty() => continue,
            LineRead::Whole(line) => read(&line),
            LineRead::TooLong => Err(Unread::too_long(LINE_MAX)),
        };
        match read {
            Ok(message) => return Some(message),
            Err(unread) => write(written, &unread.to_json()).await.ok()?,
        }
    }
}

/// The next line; nothing at the end.
async fn next_line(input: &mut (impl AsyncBufReadExt + Unpin)) -> Option<LineRead> {
    let (mut line, mut length) = (Vec::new(), 0_usize);
    loop {
        let come = input.fill_buf().await.ok()?;
        if come.is_empty() {
            return (length > 0).then_some(if length > LINE_MAX { LineRead::TooLong } else { LineRead::Whole(line) });
        }
        let end = come.iter().position(|byte| *byte == b'\n');
        let taken = end.map_or(come.len(), |end| end + 1);
        length = length.saturating_add(taken);
        match come.get(..taken) {
            Some(part) if length <= LINE_MAX => line.extend_from_slice(part),
            _ => line.clear(),
        }
        input.consume(taken);
        if end.is_some() {
            return Some(if length > LINE_MAX { LineRead::TooLong } else { LineRead::Whole(line) });
        }
    }
}

async fn write<W: AsyncWrite + Unpin>(written: &Written<W>, message: &impl Serialize) -> Result<(), Error> {
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    let mut output = written.lock().await;
    output.write_all(&line).await?;
    output.flush().await
}
