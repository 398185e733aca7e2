//! Definitions, imports and outlines of source code.
//!
//! | read line by line, for every file | |
//! | --- | --- |
//! | [`imports`], [`graph`] | imports, and the files they refer to |
//! | [`symbols`] | names that a file defines |
//!
//! | read in full, for files that are placed or shown | |
//! | --- | --- |
//! | [`definitions`] | definitions with their lines and names |
//! | [`shape`] | lines of definitions without names, and the rows that a skeleton can omit |
//! | [`skeleton`], [`excerpt`], `lines` | shortened files: without function bodies, or selected
//! lines with the signatures of the rest |
//!
//! | shared code | |
//! | --- | --- |
//! | [`language`], `languages` | the table of languages, one file each |
//! | `raw_outline`, `tokens`, `by_line`, `readers` | reading definitions and bodies by brackets or by lines |

mod by_line;
pub mod definitions;
pub mod excerpt;
pub mod graph;
pub mod imports;
pub mod language;
mod languages;
mod lines;
mod manifests;
mod raw_outline;
mod readers;
pub mod shape;
pub mod skeleton;
mod steps;
pub mod symbols;
mod tokens;
