//! The command line end to end: the real binary on real repositories, one test binary for all of it.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot make its repository fails")]

mod cli {
    mod ack;
    mod bad_files;
    mod bad_input;
    mod context;
    mod environment;
    mod evidence;
    mod example;
    mod first_run;
    mod formats;
    mod handoff;
    mod json;
    mod log;
    mod places;
    mod rulings;
    mod small_commands;
    mod support;
    mod terminal;
    mod turns;
    mod verify;
}
