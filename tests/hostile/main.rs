//! The real binary in hostile repositories.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod make;
#[cfg(unix)]
mod race;
mod scan;
