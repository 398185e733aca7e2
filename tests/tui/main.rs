//! Tests of the screen without a terminal: keys in, the whole screen with its styles out, on a real project in a real
//! repository.

#![allow(clippy::unwrap_used, reason = "a failed setup must fail the test")]

mod arriving;
mod budget;
mod copying;
mod keys;
mod large_shop;
mod lines;
mod pane;
mod pictures;
mod project;
mod reading;
mod reports;
mod review;
mod screens;
mod steps;
mod story;
mod themes;
mod token_map;
mod tour;
mod turn_cycle;
