//! The `teddy` command: parse, dispatch, exit code.

use std::process::ExitCode;

use teddy::cli;

fn main() -> ExitCode {
    let cli = match cli::parse() {
        Ok(cli) => cli,
        Err(code) => return ExitCode::from(code),
    };
    match cli::run(&cli) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            cli::report(&error);
            ExitCode::from(error.exit_code())
        }
    }
}
