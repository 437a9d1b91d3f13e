//! Stdio: the protocol on standard input and output, for a client that starts its servers itself; the world is served by another process.

use std::sync::Arc;

use rmcp::service::{ServerInitializeError, serve_server};
use serde_json::Value as Json;

use super::desk::Desk;
use super::guest::Guest;
use super::interpreter::Interpreter;
use super::lines::MessageLines;
use super::way::ApiWay;

/// Why nothing is spoken on standard input and output.
#[derive(Debug, thiserror::Error)]
pub enum StdioError {
    /// The world does not let this being in.
    #[error("{0}")]
    TurnedAway(String),
    /// No number could be drawn.
    #[error("the system gives no random numbers: {0}")]
    NoChance(getrandom::Error),
    /// The client did not begin.
    #[error("the client did not begin to speak the protocol: {0}")]
    Begin(#[from] Box<ServerInitializeError>),
    /// The task that speaks has ended.
    #[error("the conversation broke off: {0}")]
    Broken(#[from] tokio::task::JoinError),
}

/// Speaks with the client on standard input and output until it goes.
pub async fn on_stdio(way: ApiWay, speaker: Option<String>) -> Result<(), StdioError> {
    let desk = Arc::new(Desk::default());
    let mut scope = [0; 16];
    getrandom::fill(&mut scope).map_err(StdioError::NoChance)?;
    let _ = desk.scope.set(data_encoding::HEXLOWER.encode(&scope));
    let guest = Guest::of(way, speaker, Some(desk)).await.map_err(|answer| {
        let message = answer.error().get("message").and_then(Json::as_str).unwrap_or("the world gave no reason").to_owned();
        StdioError::TurnedAway(message)
    })?;
    let conversation = serve_server(Interpreter { own: Some(guest) }, MessageLines::of(tokio::io::stdin(), tokio::io::stdout())).await;
    match conversation {
        Ok(conversation) => drop(conversation.waiting().await?),
        // A client that leaves before it says anything wanted nothing.
        Err(ServerInitializeError::ConnectionClosed(_)) => {}
        Err(error) => return Err(Box::new(error).into()),
    }
    Ok(())
}
