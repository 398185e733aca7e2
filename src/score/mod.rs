//! Points with reasons for every item, and a finer rank.

pub mod blocks;
pub mod bm25;
pub mod borne_out;
pub mod commits;
pub mod companions;
pub mod evidence;
pub mod glance;
pub mod lexical;
pub mod mentions;
pub mod module_names;
pub mod naming;
pub mod neighbours;
pub mod query;
pub mod rank;
pub mod reasons;
pub mod referred;
pub mod rubric;
pub mod scores;
pub mod subject;
pub mod symbols;
pub mod targets;
pub mod task;
pub mod weights;
pub mod zones;

mod assemble;
mod beside;
mod boost;
mod classify;
mod common_words;
mod explain;
mod foreign;
mod hot;
mod hot_lines;
mod supporting;
#[cfg(test)]
mod tests;

pub use assemble::{score, vocabulary};
pub use beside::{add, stand_beside};
pub use boost::boost;
pub use classify::{Classification, Inference};
pub use explain::{Explanation, explain};
pub use glance::{Glance, Glanced};
pub use scores::{Criterion, Score, Scores, Signal};
pub use task::{Complexity, Task, TaskType};
pub use weights::Weights;
