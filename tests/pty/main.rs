//! The real program in a real terminal. Waiting is for text on the screen, never for a time; a test that waits in vain
//! prints the last screen.

#![cfg(unix)]

mod flows;
mod restore;
mod terminal;
