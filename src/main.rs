//! The `teddy` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(teddy::cli::main())
}
