//! What the source code says about itself: by line over every file (imports, names, who tests whom), by a sketch for what
//! is placed or shown (definitions, skeletons, cuts).
//!
//! | by line | |
//! | --- | --- |
//! | [`imports`], [`graph`] | what a file imports, and which files that means |
//! | [`symbols`] | the names that a file defines |
//!
//! | by a sketch | |
//! | --- | --- |
//! | `sketch` | definitions, bodies and long tables, by brackets and indentation; a reader a language |
//! | [`outline`] | definitions with their lines and names |
//! | [`shape`] | definitions and what could go from a text, in numbers |
//! | [`skeleton`], [`excerpt`], `lines` | a text without its bodies, or some lines of it with the signatures of the rest |

pub mod excerpt;
pub mod graph;
pub mod imports;
pub mod language;
mod lines;
pub mod outline;
pub mod shape;
pub mod skeleton;
mod sketch;
pub mod symbols;
