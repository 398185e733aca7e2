//! The front end for agents: offers the use cases of [`app::agents`](crate::app::agents) over the Model Context
//! Protocol, on standard input and output.

mod server;
mod tools;
mod transport;

use rmcp::service::ServiceExt;

use crate::app::agents::{AgentAccess, AgentServer};
use crate::error::{Error, Result};
use server::ToolServer;
use transport::Lines;

/// Speaks the protocol on standard input and output.
pub struct StdioServer;

impl AgentServer for StdioServer {
    fn serve(&self, access: AgentAccess) -> Result<()> {
        let failed = |error| Error::io("start", std::path::Path::new("the MCP server"), error);
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_time().build().map_err(failed)?;
        runtime.block_on(serve_lines(access, Lines::of_standard_streams()));
        // A call that is still running must not delay the exit.
        runtime.shutdown_background();
        Ok(())
    }
}

/// Serves one client until its input ends. A client whose first message is not the handshake may try again.
async fn serve_lines(access: AgentAccess, lines: Lines) {
    let server = ToolServer::new(access);
    while !lines.ended() {
        if let Ok(running) = server.clone().serve(lines.clone()).await {
            let _ = running.waiting().await;
        }
    }
}
