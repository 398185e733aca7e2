//! `teddy completions SHELL`.

use clap::CommandFactory;

use super::args::Cli;
use super::output::print_text;
use crate::error::Result;

/// Runs the command.
pub fn run(shell: clap_complete::Shell) -> Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "teddy", &mut script);
    print_text(&String::from_utf8_lossy(&script))
}
