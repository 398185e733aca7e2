//! The `teddy` command: parse, dispatch, exit code.

use std::process::ExitCode;

use clap::Parser;
use teddy::cli::{self, args::Cli};

fn main() -> ExitCode {
    let cli = Cli::parse();
    match cli::run(&cli) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            cli::report(&error);
            ExitCode::from(error.exit_code())
        }
    }
}
