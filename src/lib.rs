//! teddy chooses what a language model should see before a hard task.
//!
//! ```text
//! task + project ─▶ gather ─▶ score ─▶ place ─▶ render ─▶ deliver
//!                   corpus    scores   placement  payload   receipt
//!                                        ▲
//!                             overrides ─┘  (workbench)
//! ```
//!
//! | module | contents |
//! | --- | --- |
//! | [`error`] | the error type: message, hint, exit code |
//! | [`text`] | escaping, shortening and formatting text |
//! | [`ids`] | typed positions of files and items |
//! | `leb128` | a compact encoding of small numbers |
//! | [`platform`] | everything that differs between operating systems |
//! | [`process`] | subprocesses with a deadline |
//! | [`project`] | `.teddy` on disk: configuration, context lists, memos, sessions, turns, locks, atomic writes |
//! | [`redact`] | finds and replaces secrets |
//! | [`outline`] | definitions and imports in source code, one file per language; outlines and excerpts |
//! | [`gather`] | reads the project once: files, words, git, virtual items; tokens on demand |
//! | [`score`] | points with reasons, confidence and rank for every item |
//! | [`handoff`] | notes from one phase to the next, and their token budget |
//! | [`place`] | tiers within a budget |
//! | [`workbench`] | overrides, limit and auto-fill, with undo: the only mutable model |
//! | [`render`] | payloads in every format, exact to the token; parsing and verifying them |
//! | [`deliver`] | file, standard output, clipboard |
//! | [`app`] | the use cases; no printing, no arguments, no terminal |
//! | [`cli`] | the command line, one file per command |
//! | [`tui`] | the screen |
//! | [`mcp`] | access for agents |
//!
//! `docs/architecture.md` traces a call and a key press through these modules.

pub mod app;
pub mod cli;
pub mod deliver;
pub mod error;
pub mod gather;
pub mod handoff;
pub mod ids;
mod leb128;
pub mod mcp;
pub mod outline;
pub mod place;
pub mod platform;
pub mod process;
pub mod project;
pub mod redact;
pub mod render;
pub mod score;
pub mod text;
pub mod tui;
pub mod workbench;

pub use error::{Error, Result};
