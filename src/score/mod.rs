//! Scores every item: points with reasons, and a rank that orders items with equal points.

pub mod blocks;
pub mod bm25;
pub mod commit_references;
pub mod commits;
pub mod companions;
pub mod evidence;
pub mod history_support;
pub mod hops;
pub mod lexical;
pub mod mentions;
pub mod module_names;
pub mod naming;
pub mod neighbours;
pub mod query;
pub mod quick_score;
pub mod rank;
pub mod reasons;
pub mod required;
pub mod review;
pub mod rubric;
pub mod scores;
pub mod subject;
pub mod symbols;
pub mod targets;
pub mod task;
pub mod text_regions;
pub mod weights;

mod assemble;
mod boost;
mod classify;
mod common_words;
mod derived_items;
mod explain;
mod hot_lines;
mod line_likelihood;
mod outside_frames;
mod request_verbs;
mod supporting;
mod task_needs;
#[cfg(test)]
mod tests;
mod variants;

pub use assemble::{score, vocabulary};
pub use boost::{boost, requested};
pub use classify::{Classification, Inference};
pub use derived_items::{add, share_scores};
pub use explain::{Explanation, explain};
pub use quick_score::{QuickFile, QuickScorer};
pub use scores::{Criterion, Priority, Score, Scores, Signal};
pub use task::{Complexity, Task, TaskType};
pub use weights::Weights;
