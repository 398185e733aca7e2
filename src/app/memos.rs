//! Memos: facts that every payload includes.

use std::path::PathBuf;

use super::environment::Environment;
use crate::error::Result;
use crate::project::{Project, memos};

/// A memo that was added.
pub struct AddedMemo {
    /// Its number.
    pub number: usize,
    /// The files in `.teddy/` that were created for it.
    pub created: Vec<PathBuf>,
}

/// Adds a memo. Creates `.teddy/` if there is none.
pub fn add(env: &Environment, text: &str) -> Result<AddedMemo> {
    let (project, created) = env.project_or_init()?;
    project.sweep();
    if let Err(error) = memos::add(project, text) {
        Project::undo_init(&created);
        return Err(error);
    }
    Ok(AddedMemo { number: memos::load(project)?.len(), created })
}

/// The memos, in order.
pub fn list(env: &Environment) -> Result<Vec<String>> {
    Ok(env.existing_project().map(memos::load).transpose()?.unwrap_or_default())
}

/// Removes a memo by number or by the beginning of its text; returns it.
pub fn remove(env: &Environment, which: &str) -> Result<String> {
    let project = env.project()?;
    project.sweep();
    memos::remove(project, which)
}
