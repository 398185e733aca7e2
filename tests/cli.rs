//! The command line end to end: the real binary on real repositories, one test binary for all of it.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot make its repository fails")]

mod cli {
    mod bad_files;
    mod bad_input;
    mod context;
    mod environment;
    mod example;
    mod first_run;
    mod formats;
    mod json;
    mod places;
    mod redactions;
    mod rulings;
    mod small_commands;
    mod support;
    mod terminal;
    mod turns;
    mod verify;
}
