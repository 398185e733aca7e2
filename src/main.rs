//! The `teddy` command.

use std::process::ExitCode;

/// A plan makes and drops many small values on every core; the system allocator makes the cores wait for each other.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    ExitCode::from(teddy::cli::main())
}
