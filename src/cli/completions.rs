//! `teddy completions SHELL`.

use super::print::print_text;
use crate::error::Result;

/// Runs the command on the definition of the command line.
pub fn run(shell: clap_complete::Shell, mut all: clap::Command) -> Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut all, "teddy", &mut script);
    print_text(&String::from_utf8_lossy(&script))
}
