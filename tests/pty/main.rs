//! Tests of the real program in a pseudo-terminal. Tests wait for text on the screen, never for a time; a timeout
//! prints the last screen.

#![allow(clippy::unwrap_used, reason = "a failed setup must fail the test")]
#![cfg(unix)]

mod agents;
mod bench;
mod flows;
mod load;
mod restore;
mod terminal;
