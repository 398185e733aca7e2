//! The real program in a real terminal. Waiting is for text on the screen, never for a time; a test that waits in vain
//! prints the last screen.

#![allow(clippy::unwrap_used, reason = "a test that cannot set its scene has failed")]
#![cfg(unix)]

mod flows;
mod load;
mod restore;
mod terminal;
