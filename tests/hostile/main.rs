//! Repositories made to hurt, and the real binary in them.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod make;
#[cfg(unix)]
mod race;
mod scan;
