//! What the source code says about itself: by line over every file (imports, names, who tests whom), by grammar for what
//! is placed or shown (definitions, skeletons, cuts).
//!
//! | by line | |
//! | --- | --- |
//! | [`imports`], [`graph`] | what a file imports, and which files that means |
//! | [`symbols`] | the names that a file defines |
//! | [`test_map`] | which test is about which source |
//!
//! | by grammar | |
//! | --- | --- |
//! | `grammar`, `grammar_nodes`, `unclosed` | parsing that always ends, and what the kinds of nodes mean |
//! | `walk` | going through a syntax tree |
//! | [`outline`], `names` | definitions with their lines and names |
//! | `folding`, `interior` | what could go from a text: bodies and long tables |
//! | [`shape`] | both in numbers, which can be remembered |
//! | [`skeleton`], `lines` | a text without its bodies, or with some lines only |

mod folding;
mod grammar;
mod grammar_nodes;
pub mod graph;
pub mod imports;
mod interior;
mod lines;
mod names;
pub mod outline;
pub mod shape;
pub mod skeleton;
mod sketch;
pub mod symbols;
pub mod test_map;
mod unclosed;
mod walk;
