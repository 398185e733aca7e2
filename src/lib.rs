//! teddy chooses what a language model should see before a hard task.
//!
//! Five verbs, five modules, one direction:
//!
//! ```text
//! task + project ─▶ gather ─▶ score ─▶ place ─▶ render ─▶ deliver
//!                   corpus    scores   placement  payload   receipt
//!                                        ▲
//!                               overrides ─┘  (workbench)
//! ```
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`error`] | the one error type: what happened, where, what to do next, which exit code |
//! | [`text`] | text made harmless, short and readable for a person |
//! | [`ids`] | typed positions of files and items |
//! | [`process`] | subprocesses with a deadline |
//! | [`project`] | `.teddy` on disk: configuration, context lists, memos, sessions, turns, locks, atomic writes |
//! | [`redact`] | secrets found and replaced, before anything is shown, counted or written |
//! | [`gather`] | the project read once: files, languages, imports, names, words, git; skeletons and tokens on demand |
//! | [`handoff`] | what one phase hands to the next, and what a phase sees of it |
//! | [`score`] | points with reasons for every item, and a finer rank |
//! | [`place`] | tiers within a budget |
//! | [`workbench`] | overrides, limit and fill with undo: the one model that both fronts drive |
//! | [`render`] | payloads, exact to the token; parsed back and verified |
//! | [`deliver`] | file, standard output, clipboard |
//! | [`app`] | the use cases: plan, resume, answer, acknowledge, hand off, replay, branch; no printing, no arguments, no terminal |
//! | [`cli`] | the command line, one file a command |
//! | [`tui`] | the screen |

pub mod app;
pub mod cli;
pub mod deliver;
pub mod error;
pub mod gather;
pub mod handoff;
pub mod ids;
pub mod outline;
pub mod place;
pub mod process;
pub mod project;
pub mod redact;
pub mod render;
pub mod score;
pub mod text;
pub mod tui;
pub mod workbench;

pub use error::{Error, Result};
