//! The use cases, which combine the steps of the pipeline. Nothing here prints, parses arguments or draws.
//!
//! | part | modules |
//! | --- | --- |
//! | requests and where they apply | `options`, `environment`, `input`, `payload_options`, `redact_input` |
//! | one run of the pipeline | `run_inputs`, `pipeline`, `candidates`, `context_rules`, `override_flags`, `session_terms`, `evidence`, `notes` |
//! | the turn state machine | `resume`, `plan`, `open_turn`, `save_turn`, `turn_list`, `list_edits`, `active_context`, `checkpoint`, `restore` |
//! | other use cases | `bench`, `explain`, `answer`, `ack`, `handoff`, `fetch`, `verify`, `replay`, `review`, `branch`, `sessions`, `show`, `memos`, `packs`, `redactions`, `usage`, `doctor`, `fetch_requests`, `pipe`, `example_project` |
//! | agents | `agents`, `setup` |
//! | the screen's interface and backend | [`screen`], [`backend`], `reports`, `delta`, `budget_summary` |

pub mod ack;
mod active_context;
pub mod agents;
pub mod answer;
pub mod backend;
pub mod bench;
pub mod branch;
pub mod budget_summary;
pub mod candidates;
mod checkpoint;
pub mod context_rules;
pub mod debug_log;
mod delta;
pub mod doctor;
pub mod environment;
pub mod evidence;
pub mod example_project;
pub mod explain;
pub mod fetch;
pub mod fetch_requests;
pub mod handoff;
pub mod input;
mod list_edits;
pub mod memos;
mod notes;
pub mod open_turn;
pub mod options;
mod override_flags;
pub mod packs;
pub mod payload_options;
mod pins;
pub mod pipe;
pub mod pipeline;
pub mod plan;
pub mod redact_input;
pub mod redactions;
pub mod replay;
mod reports;
mod restore;
pub mod resume;
pub mod review;
pub mod run_inputs;
pub mod save_turn;
pub mod screen;
mod session_terms;
pub mod sessions;
pub mod setup;
pub mod show;
mod turn_list;
pub mod usage;
pub mod verify;
