//! `mcp`: a language model outside drives a being of a served world, over standard input and output.

use anyhow::{Result, bail};
use clap::Args;

use crate::mcp::on_stdio;

use super::door::{Door, Ended};
use super::line::SocketLine;

/// Lets a language model outside drive a being of a served world, by MCP
#[derive(Args)]
#[command(after_help = "Example: reelm mcp --as @ada --data world

A client such as Claude Desktop or Claude Code starts it itself. The world is served beside it: `reelm serve --data world`. By
REELM_TOKEN=TOKEN it acts as the token's being and with the token's verbs. At an address it is the path /mcp of the server.")]
pub struct Mcp {
    /// The being as which the model acts
    #[arg(long = "as", value_name = "@BEING")]
    as_being: Option<String>,
}

impl Mcp {
    /// Runs.
    pub fn run(self, door: &Door) -> Result<Ended> {
        if self.as_being.is_none() && door.token.is_none() {
            bail!("expected as which being the model acts: say `--as @name`, or give its token by REELM_TOKEN");
        }
        let Some(line) = SocketLine::to(&door.data) else {
            let data = door.data.display();
            bail!("nobody serves the world in `{data}`; start `reelm serve --data {data}` and leave it running");
        };
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
        let spoken = runtime.block_on(on_stdio(line.way(door.token.clone())?, self.as_being));
        // A thread that blocks on standard input cannot be interrupted.
        runtime.shutdown_background();
        spoken?;
        Ok(Ended::Well)
    }
}
