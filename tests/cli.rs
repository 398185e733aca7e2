//! End-to-end tests of the command line: the real binary on real repositories, all in one test binary.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a failed setup must fail the test")]

mod cli {
    mod ack;
    mod active_context;
    mod answer;
    mod bad_files;
    mod bad_input;
    mod bench;
    mod branch;
    mod commands;
    mod context;
    mod debug_log;
    mod delta;
    mod descriptions;
    mod environment;
    mod evidence;
    mod example;
    mod excerpts;
    mod fetch;
    mod findings;
    mod first_run;
    mod foreign;
    mod formats;
    mod handoff;
    mod json;
    mod line_numbers;
    mod log;
    mod manual;
    mod mcp;
    mod neighbours;
    mod old_sessions;
    mod overrides;
    mod own_plan;
    mod packs;
    mod pinned_lines;
    mod pipe;
    mod places;
    mod presets;
    mod real_files;
    mod redactions;
    mod replay;
    mod request;
    mod restore;
    mod reuse;
    mod review;
    mod schemas;
    mod setup;
    mod small_commands;
    mod split;
    mod support;
    mod task_type;
    mod terminal;

    mod turns;
    mod usage;
    mod verify;
}
