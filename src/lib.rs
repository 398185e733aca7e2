//! teddy chooses what a language model should see before a hard task.
//!
//! Five verbs, five modules, one direction:
//!
//! ```text
//! task + project ─▶ gather ─▶ score ─▶ place ─▶ render ─▶ deliver
//!                   corpus    scores   placement  payload   receipt
//!                                        ▲
//!                               rulings ─┘  (workbench)
//! ```
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`error`] | the one error type: what happened, where, what to do next, which exit code |

pub mod cli;
pub mod deliver;
pub mod error;
pub mod gather;
pub mod place;
pub mod project;
pub mod redact;
pub mod render;
pub mod score;
pub mod text;
pub mod tui;
pub mod workbench;

pub use error::{Error, Result};
