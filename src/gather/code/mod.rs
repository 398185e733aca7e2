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
//! | [`tree`], `walk` | the syntax tree of a text, and going through it |
//! | [`outline`], `names`, `doc_sentence` | definitions with their lines, names and first sentences |
//! | [`skeleton`], `interior`, `lines` | a text without its bodies, or with some lines only |

pub(super) mod folding;
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
pub mod symbols;
pub mod test_map;
mod unclosed;
mod walk;
