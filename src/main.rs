//! The `teddy` command: the command line, which can also start the screen or the server for agents.

use std::process::ExitCode;

use teddy::cli;
use teddy::mcp::StdioServer;
use teddy::tui::TerminalScreen;

/// A plan allocates and frees millions of small objects on every core. With the system's allocator, the cores wait for
/// each other.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    ExitCode::from(cli::main(&TerminalScreen, &StdioServer))
}
