//! What the source code says about itself: by line over every file (imports, names, who tests whom), by grammar for what
//! is placed or shown (definitions, skeletons, cuts).

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
